// UIShortTapGestureRecognizer.swift: a double tap that does not keep a single tap waiting for long.
//
// Station   gesture
// Fed by    UIKit, as any subclass of the tap
// Feeds     its own state
// Knows     UIGestureRecognizer's interface for subclasses, and the main queue
//
// Sources   observed    the code of seed 1: the time counts from each touchesBegan, not from the tap's end (S52, E26)

import Basics
import UIKit

final class UIShortTapGestureRecognizer: UITapGestureRecognizer {
    /// Seconds from a finger's landing.
    var maxDelay = 0.2

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        mainQueue(after: maxDelay) { [weak self] in
            guard let self, state != .recognized else { return }
            state = .failed
        }
    }
}

/// What `DispatchQueue.main.asyncAfter` is on a phone: a block for the main queue, when its time has come.
private func mainQueue(after seconds: Double, _ block: @escaping () -> Void) {
    let application = UIApplication.shared
    let due = application.now.advanced(by: Duration(seconds: seconds))
    _ = application.mainLoop?.schedule(at: due, every: nil, modes: [.common]) { [weak application] in
        application?.mainLoop?.async(block)
    }
}
