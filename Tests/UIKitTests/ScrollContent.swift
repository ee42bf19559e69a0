import Foundation
import UIKit

/// A scroll view that logs each question whether it may cancel a touch, and answers as the test sets it.
final class LoggingScrollView: UIScrollView {
    var log: Log!
    var cancels: Bool?
    override func touchesShouldCancel(in view: UIView) -> Bool {
        let answer = cancels ?? super.touchesShouldCancel(in: view)
        log.add("touchesShouldCancel \(view.accessibilityIdentifier ?? "?") \(answer)")
        return answer
    }
}

/// A stage with one scroll view of 375 by 600 points, whose content is 3000 points high, and its delegate.
struct ScrollContent {
    let stage = Stage()
    let witness: ScrollWitness
    let scroll: LoggingScrollView

    init() {
        witness = ScrollWitness(stage.log)
        scroll = LoggingScrollView(frame: CGRect(x: 0, y: 0, width: 375, height: 600))
        scroll.log = stage.log
        scroll.contentSize = CGSize(width: 375, height: 3000)
        scroll.delegate = witness
        stage.add(scroll)
    }
}
