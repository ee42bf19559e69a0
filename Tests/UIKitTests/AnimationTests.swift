import Basics
import Foundation
import Testing
import UIKit

@Suite("Touches on animated views")
struct AnimationTests {
    @Test("an animated view receives no touches until its animation ends")
    func untouchable() {
        let stage = Stage()
        let moving = stage.view("moving", 0, 0, 50, 50)
        stage.view("child", 0, 0, 50, 50, in: moving)
        stage.view("behind", 0, 0, 375, 667)
        stage.window.bringSubviewToFront(moving)
        stage.run(at: 1) { UIView.animate(withDuration: 0.3) { moving.center.x += 100 } }
        stage.tap(110, 10, at: 1.2)
        #expect(stage.log.drain() == ["touchesBegan behind", "touchesEnded behind"])
        stage.tap(110, 10, at: 1.3)
        #expect(stage.log.drain().first == "touchesBegan child")
        stage.tap(10, 10, at: 2)
        #expect(stage.log.drain().first == "touchesBegan behind")
    }

    @Test("an animation that allows touches, sets nothing or is offscreen blocks none")
    func touchable() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 50, 50)
        let loose = ProbeView("loose", CGRect(x: 100, y: 0, width: 50, height: 50), stage.log)
        stage.run(at: 1) {
            UIView.animate(withDuration: 9, delay: 1, options: .allowUserInteraction, animations: { view.alpha = 0.5 })
            UIView.animate(withDuration: 9) { UIView.performWithoutAnimation { view.transform = .identity } }
            UIView.animate(withDuration: 9, animations: { loose.alpha = 0.5 })
            stage.window.addSubview(loose)
        }
        stage.tap(10, 10, at: 2)
        stage.tap(110, 10, at: 3)
        #expect(stage.log.drain().filter { $0.contains("Began") } == ["touchesBegan V", "touchesBegan loose"])
    }

    @Test("a nested animation inherits its duration, and a repeating one never ends")
    func nested() {
        let stage = Stage()
        let (short, long, endless) = (
            stage.view("short", 0, 0, 50, 50), stage.view("long", 100, 0, 50, 50), stage.view("endless", 200, 0, 50, 50)
        )
        stage.run(at: 1) {
            UIView.animate(withDuration: 1) {
                UIView.animate(withDuration: 9) { short.alpha = 0.5 }
                UIView.animate(
                    withDuration: 9, delay: 0, options: .overrideInheritedDuration, animations: { long.alpha = 0.5 })
            }
            UIView.animate(withDuration: 1, delay: 0, options: .repeat, animations: { endless.alpha = 0.5 })
        }
        for x in [10.0, 110, 210] { stage.tap(x, 10, at: 5) }
        #expect(stage.log.drain() == ["touchesBegan short", "touchesEnded short"])
        stage.run(at: 60) { endless.layer.removeAllAnimations() }
        for x in [110.0, 210] { stage.tap(x, 10, at: 60) }
        #expect(stage.log.drain().filter { $0.contains("Began") } == ["touchesBegan long", "touchesBegan endless"])
    }

    @Test("an animation's completion runs from the main loop after its duration")
    func completion() {
        let stage = Stage()
        stage.run(at: 1) {
            UIView.animate(withDuration: 0.25, animations: {}, completion: { stage.log.add("finished \($0)") })
        }
        #expect(stage.log.drain().isEmpty && stage.timerCount == 1)
        stage.wait(until: 1.2499)
        #expect(stage.log.drain().isEmpty)
        stage.wait(until: 1.25)
        #expect(stage.log.drain() == ["finished true"] && stage.timerCount == 0)
    }
}
