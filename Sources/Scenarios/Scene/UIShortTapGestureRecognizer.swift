// UIShortTapGestureRecognizer.swift: a double tap that delays a single tap only briefly.
//
// Station   gesture
// Input     UIKit, as for any subclass of the tap
// Output    its state
// Knows     UIGestureRecognizer's interface for subclasses, and the main queue
//
// Sources   observed    the code of seed 1: the time counts from each touchesBegan, not from the tap's end (S52, E26)

import Basics
import UIKit

/// A tap that fails `maxDelay` seconds after a touch began, unless it is recognized before.
final class UIShortTapGestureRecognizer: UITapGestureRecognizer {
    /// Seconds from a touch's beginning.
    var maxDelay = 0.2

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        mainQueue(after: maxDelay) { [weak self] in
            guard let self, state != .recognized else { return }
            state = .failed
        }
    }
}

/// Schedules a block for the main queue, like `DispatchQueue.main.asyncAfter`.
private func mainQueue(after seconds: Double, _ block: @escaping () -> Void) {
    let application = UIApplication.shared
    let due = application.now.advanced(by: Duration(seconds: seconds))
    _ = application.mainLoop?.schedule(at: due, every: nil, modes: [.common]) { [weak application] in
        application?.mainLoop?.async(block)
    }
}
