import Testing
import TouchlineTesting
import UIKit

@Suite("Timers of recognizers")
struct RecognizerTimerTests {
    private final class Weak {
        weak var application: UIApplication?
        weak var window: UIWindow?
        weak var loop: (any MainLoopScheduling)?
    }

    private func tearDown(holding recognizer: UIGestureRecognizer) -> Weak {
        let stage = Stage()
        stage.view("R", 0, 0, 375, 667).addGestureRecognizer(recognizer)
        stage.frame(.down(1, 100, 100), at: 0)
        #expect(stage.timerCount == 1)
        let left = Weak()
        (left.application, left.window, left.loop) = (stage.app, stage.window, stage.app.mainLoop)
        #expect(left.loop != nil)
        return left
    }

    @Test("an app released while a recognizer's timer runs is freed completely")
    func tornDown() {
        for make in [{ UITapGestureRecognizer() }, { UILongPressGestureRecognizer() }] as [() -> UIGestureRecognizer] {
            let left = tearDown(holding: make())
            #expect(left.application == nil && left.window == nil && left.loop == nil)
        }
    }
}
