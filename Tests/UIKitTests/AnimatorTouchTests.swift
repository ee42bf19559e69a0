import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite(.phoneReports)
struct AnimatorTouchTests {
    final class CountingView: UIView {
        var taps = 0
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { taps += 1 }
    }

    let phone = TestPhone {
        let page = UIView()
        page.addSubview(CountingView(frame: CGRect(x: 0, y: 100, width: 100, height: 100)))
        return page
    }

    /// Taps at each time, in milliseconds after the start.
    func taps(delay: TimeInterval, at times: [Int], isEnabled: Bool, _ use: (UIViewPropertyAnimator) -> Void = { _ in })
        throws -> [Int]
    {
        let view = try phone.find(CountingView.self)
        let animator = phone.run {
            let animator = UIViewPropertyAnimator(duration: 1, curve: .linear) { view.alpha = 0.5 }
            animator.isUserInteractionEnabled = isEnabled
            if delay > 0 { animator.startAnimation(afterDelay: delay) } else { animator.startAnimation() }
            return animator
        }
        var landed: [Int] = []
        var now = 0
        for time in times {
            phone.advance(by: .milliseconds(time - now))
            now = time
            let before = view.taps
            try phone.touchDown(.point(50, 150))
            try phone.touchUp()
            if view.taps > before { landed.append(time) }
            phone.run { use(animator) }
        }
        return landed
    }

    @Test("views of an animator take touches during its delay and after its end")
    func delay() throws {
        #expect(try taps(delay: 1, at: [500, 1500, 1900, 2100], isEnabled: false) == [500, 2100])
    }

    @Test("views of an animator take touches while it runs if interaction is enabled")
    func enabled() throws {
        #expect(try taps(delay: 1, at: [500, 1500], isEnabled: true) == [500, 1500])
    }

    @Test("a paused animator keeps touches from its views until it ends")
    func paused() throws {
        let landed = try taps(delay: 0, at: [500, 3000, 3100], isEnabled: false) { animator in
            if animator.isRunning {
                animator.pauseAnimation()
            } else if animator.state == .active {
                animator.stopAnimation(true)
            }
        }
        #expect(landed == [3100])
    }
}
