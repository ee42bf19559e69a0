import Testing
import TouchlineTesting
import UIKit

@Suite("Long presses")
struct LongPressRecognizerTests {
    private let scene = RecognizerScene()
    private var log: Log { scene.log }

    @Test("S59: a long press begins by its timer, follows moves and ends")
    func plain() {
        scene.add(UILongPressGestureRecognizer(), "lp", logsState: true)
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 0.4999)
        #expect(log.drain() == ["touchesBegan Y"])
        scene.wait(until: 0.5)
        #expect(log.drain() == ["action lp began", "touchesCancelled Y"])
        scene.frame(.move(1, 290, 333), at: 0.6)
        scene.frame(.move(1, 187, 333), at: 0.7)
        scene.frame(.up(1), at: 0.8)
        #expect(log.drain() == ["action lp changed", "action lp changed", "action lp ended"])
        #expect(scene.isQuiet)
    }

    @Test("S59: a long press fails when moved or lifted too soon")
    func failures() {
        scene.add(UILongPressGestureRecognizer(), "lp")
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.move(1, 198, 333), at: 0.2)
        scene.wait(until: 2)
        scene.frame(.up(1), at: 2)
        #expect(log.drain() == ["touchesBegan Y", "touchesMoved Y", "touchesEnded Y"])
        scene.tap(down: 5, up: 5.4)
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"])
        #expect(scene.isQuiet)
    }

    @Test("S91: a long press timer sets only the state, and the update acts")
    func placement() {
        let press = scene.add(UILongPressGestureRecognizer(), "lp")
        var seen: [String] = []
        scene.frame(.down(1, 187, 333), at: 0)
        scene.frame(.up(1), at: 0.1)
        // A timer for the same moment fires after the recognizer's and before the update.
        scene.y.onTouches = { [log] touches, _ in
            guard touches.first?.phase == .began else { return }
            let timer = Timer(timeInterval: 0.5, repeats: false) { _ in
                seen.append("\(press.state) \(log.lines.contains("action lp"))")
            }
            RunLoop.main.add(timer, forMode: .common)
        }
        scene.frame(.down(2, 187, 333), at: 1)
        scene.wait(until: 1.5)
        #expect(seen == ["began false"])
        #expect(log.drain().suffix(2) == ["action lp", "touchesCancelled Y"])
    }

    @Test("B8.3: a two-finger long press fails when one finger is ignored")
    func ignoredFinger() {
        let press = scene.add(UILongPressGestureRecognizer(), "lp")
        press.numberOfTouchesRequired = 2
        scene.frame(.down(1, 100, 300), at: 0)
        scene.frame(.down(2, 140, 300), at: 0.02)
        scene.ignoreLast(by: press, at: 0.04)
        scene.wait(until: 2)
        scene.frame(.up(2), at: 2)
        scene.frame(.up(1), at: 2.1)
        #expect(log.drain() == ["touchesBegan Y", "touchesEnded Y"] && scene.isQuiet)
    }

    private final class Immediate: UILongPressGestureRecognizer {
        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
            super.touchesBegan(touches, with: event)
            state = .began
        }
    }

    @Test("a long press subclass that begins at once ignores its timer")
    func begunAtOnce() {
        scene.add(Immediate(), "lp", logsState: true)
        scene.y.logsTouches = false
        scene.frame(.down(1, 187, 333), at: 0)
        #expect(log.drain() == ["action lp began"])
        scene.frame(.move(1, 190, 333), at: 0.2)
        #expect(log.drain() == ["action lp changed"])
        scene.wait(until: 1)
        #expect(log.drain() == [])
        scene.frame(.move(1, 260, 333), at: 1.1)
        scene.frame(.up(1), at: 1.2)
        #expect(log.drain() == ["action lp changed", "action lp ended"] && scene.isQuiet)
    }

    @Test("a long press requires the taps that it asks for before")
    func tapsBefore() {
        let press = scene.add(UILongPressGestureRecognizer(), "lp")
        press.numberOfTapsRequired = 1
        press.minimumPressDuration = 0.3
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 1)
        scene.frame(.up(1), at: 1)
        scene.wait(until: 2)
        #expect(!log.drain().contains("action lp"))
        scene.tap(down: 3, up: 3.08)
        scene.frame(.down(1, 187, 333), at: 3.2)
        scene.wait(until: 3.5)
        #expect(log.drain().contains("action lp"))
    }

    @Test("a finger that joins a begun long press stays its view's")
    func extraFinger() {
        scene.y.isMultipleTouchEnabled = true
        let press = scene.add(UILongPressGestureRecognizer(), "lp", logsState: true)
        scene.frame(.down(1, 187, 333), at: 0)
        scene.wait(until: 0.5)
        scene.frame(.down(2, 200, 350), at: 0.6)
        #expect(press.numberOfTouches == 1)
        scene.frame(.up(2), at: 0.7)
        scene.frame(.up(1), at: 0.8)
        #expect(
            log.drain() == [
                "touchesBegan Y", "action lp began", "touchesCancelled Y", "touchesBegan Y", "touchesEnded Y",
                "action lp ended",
            ])
    }
}
