import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite("TestPhone: gestures reach the app's own code")
struct TestPhoneTests {
    private let phone = TestPhone { CardViewController() }

    @Test("a tap on a button runs its action")
    func button() throws {
        try phone.tap(.text("Save"))
        #expect(phone.screen.events == ["saved"])
        #expect(phone.time == .nanoseconds(80_000_000 + 16_666_000))
    }

    @Test("a single tap acts once the double tap has failed")
    func singleTap() throws {
        try phone.tap("card")
        #expect(phone.screen.events == [])
        phone.advance(by: .milliseconds(400))
        #expect(phone.screen.events == ["open"])
    }

    @Test("a double tap acts at once")
    func doubleTap() throws {
        try phone.doubleTap("card")
        #expect(phone.screen.events == ["zoom"])
        #expect(phone.advanceUntilIdle())
        #expect(phone.screen.events == ["zoom"])
    }

    @Test("two fingers, a long press, a pinch and a rotation are each recognized as that")
    func others() throws {
        try phone.twoFingerTap("card")
        phone.advanceUntilIdle()
        try phone.longPress("card")
        try phone.pinch("card", scale: 2)
        try phone.rotate("card", degrees: 45)
        phone.advanceUntilIdle()
        #expect(phone.screen.events == ["pair", "menu", "scale 2.0", "turn 45.0"])
    }

    @Test("both fingers of a pair touch a small view", arguments: [60, 100, 180])
    func smallView(side: Double) throws {
        var scales: [CGFloat] = []
        var turns: [CGFloat] = []
        let phone = TestPhone {
            let view = UIView(frame: CGRect(x: 30, y: 200, width: side, height: side))
            view.accessibilityIdentifier = "small"
            view.isMultipleTouchEnabled = true
            let (pinch, turn) = (UIPinchGestureRecognizer(), UIRotationGestureRecognizer())
            pinch.addAction(UIAction { [unowned pinch] _ in scales.append(pinch.scale) })
            turn.addAction(UIAction { [unowned turn] _ in turns.append(turn.rotation) })
            view.addGestureRecognizer(pinch)
            view.addGestureRecognizer(turn)
            return view
        }
        try phone.pinch("small", scale: side < 100 ? 0.7 : 0.5)
        #expect(abs((scales.last ?? 0) - (side < 100 ? 0.7 : 0.5)) < 0.02, "\(scales)")
        try phone.rotate("small", degrees: 45)
        #expect(abs((turns.last ?? 0) - .pi / 4) < 0.02, "\(turns)")
    }

    @Test("a drag moves the card by the distance that is left when the vertical movement has reached 10 points")
    func drag() throws {
        let before = phone.screen.card.center
        try phone.drag("card", by: CGVector(dx: 60, dy: 100))
        #expect(phone.screen.events == ["moved"])
        let after = phone.screen.card.center
        #expect(abs(after.x - before.x - 54) < 4 && abs(after.y - before.y - 90) < 1, "\(before) to \(after)")
    }

    @Test("a drag to another view ends at its center")
    func dragToView() throws {
        try phone.drag("card", to: "field")
        let (card, field) = (phone.screen.card.center, phone.screen.field.center)
        #expect(card.x == field.x && abs(card.y - field.y + 10) < 1, "\(card), \(field)")
    }

    @Test("a hand with a seed does what a person means, the same each time", arguments: 1...20 as ClosedRange<UInt64>)
    func human(seed: UInt64) throws {
        var traces: [[String]] = []
        for _ in 1...2 {
            let phone = TestPhone { CardViewController() }
            phone.humanSeed = seed
            try phone.doubleTap("card")
            try phone.pinch("card", scale: 2)
            try phone.tap(.text("Save"))
            phone.advanceUntilIdle()
            #expect(phone.screen.events.map { $0.prefix(5) } == ["zoom", "scale", "saved"])
            traces.append(phone.trace)
        }
        #expect(traces[0] == traces[1])
    }

    @Test("typed text goes to the field that a tap made first responder")
    func typing() throws {
        try phone.tap("field")
        try phone.type("Hi, 5!")
        #expect(phone.screen.field.text == "Hi, 5!")
    }

    @Test("a shake reaches the first responder")
    func shake() throws {
        phone.run { _ = phone.screen.becomeFirstResponder() }
        try phone.shake()
        #expect(phone.screen.events == ["shaken"])
    }

    @Test("single fingers move as the test moves them, beside each other")
    func singleFingers() throws {
        try phone.touchDown(.point(100, 300))
        try phone.touchDown(.point(200, 300), finger: 2)
        #expect(phone.application.windows[0].hitTest(CGPoint(x: 100, y: 300), with: nil) === phone.screen.card)
        for step in 1...10 {
            phone.advance(by: .milliseconds(16))
            try phone.scan(
                .move(1, CGPoint(x: 100 - 5 * step, y: 300)), .move(2, CGPoint(x: 200 + 5 * step, y: 300)))
        }
        try phone.touchUp(finger: 2)
        try phone.touchUp()
        #expect(phone.screen.events.contains { $0.hasPrefix("scale") }, "\(phone.screen.events)")
    }

    @Test("a finger cannot go down twice, or move while it is up")
    func fingerRules() throws {
        #expect(throws: PhoneError.finger(1, isDown: false)) { try phone.touchUp() }
        #expect(throws: PhoneError.finger(3, isDown: false)) { try phone.touchMove(to: .zero, finger: 3) }
        try phone.touchDown("card")
        #expect(throws: PhoneError.finger(1, isDown: true)) { try phone.touchDown("card") }
        try phone.touchCancel()
        try phone.touchDown("card")
        #expect(throws: PhoneError.finger(1, isDown: false)) { try phone.scan(.up(1), .up(1)) }
        try phone.scan(.up(1), .down(1, CGPoint(x: 100, y: 300)))
        #expect(throws: PhoneError.self) { try phone.touchDown(.point(400, 10), finger: 2) }
        let many = (2...40).map { TestPhone.FingerAct.down($0, CGPoint(x: 100, y: 300)) }
        #expect(throws: PhoneError.self) { try phone.scan(many) }
    }

    @Test("a gesture can be played beside a finger that rests")
    func besideAFinger() throws {
        try phone.touchDown(.point(5, 5), finger: 1)
        try phone.tap(.text("Save"))
        try phone.touchUp(finger: 1)
        #expect(phone.screen.events == ["saved"])
    }

    @Test("a finger has the force that the test gives it, until it lifts")
    func force() throws {
        final class Scale: UIView {
            var forces: [CGFloat] = []
            override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { forces += touches.map(\.force) }
            override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { forces += touches.map(\.force) }
            override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { forces += touches.map(\.force) }
        }
        let scale = Scale()
        let phone = TestPhone { scale }
        try phone.touchDown(.point(100, 100), force: 1)
        try phone.touchMove(to: CGPoint(x: 110, y: 100))
        phone.advance(by: .milliseconds(20))
        try phone.touchMove(to: CGPoint(x: 120, y: 100), force: 20 / 3)
        phone.advance(by: .milliseconds(20))
        try phone.touchUp()
        try phone.touchDown(.point(100, 100))
        let rounded = scale.forces.map { ($0 * 1000).rounded() / 1000 }
        #expect(rounded == [1, 1, 6.667, 0, 0])
        #expect(throws: PhoneError.self) { try phone.touchMove(to: .zero, force: 7) }
    }

}

@Suite("TestPhone: what it shows")
struct TestPhoneContentTests {
    @Test("a view without a size fills the screen; others keep their frame")
    func views() throws {
        let full = TestPhone { UIView() }
        #expect(full.hitTest(CGPoint(x: 374, y: 666))?.frame == CGRect(x: 0, y: 0, width: 375, height: 667))
        let part = TestPhone { UIButton(frame: CGRect(x: 10, y: 10, width: 50, height: 50)) }
        #expect(part.hitTest(CGPoint(x: 20, y: 20)) is UIButton)
        #expect(!(part.hitTest(CGPoint(x: 100, y: 100)) is UIButton))
    }

    @Test("the screen has the size and scale that the test asks for")
    func screen() {
        let phone = TestPhone(size: CGSize(width: 820, height: 1180), scale: 3) { UIViewController() }
        let found = phone.run { (UIScreen.main.bounds.size, UIScreen.main.scale) }
        #expect(found.0 == CGSize(width: 820, height: 1180) && found.1 == 3)
    }

    private final class Delegate: UIResponder, UIApplicationDelegate {
        var window: UIWindow?
        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            window = UIWindow(frame: UIScreen.main.bounds)
            window?.rootViewController = CardViewController()
            window?.makeKeyAndVisible()
            return true
        }
    }

    @Test("an app with a delegate of its own is launched by it")
    func delegate() throws {
        let phone = TestPhone { Delegate() }
        try phone.tap(.text("Save"))
        #expect(phone.screen.events == ["saved"])
        #expect(phone.application.applicationState == .active)
    }

    @Test("a setting applies to the whole group")
    func setting() throws {
        let phone = TestPhone(settings: ["app.delivery": "frameAligned"]) { CardViewController() }
        try phone.tap(.text("Save"))
        #expect(phone.trace.contains { $0.contains("waits for frame") })
        phone.advanceUntilIdle()
        #expect(phone.screen.events == ["saved"])
    }

    @Test("phones do not share anything: a hundred tests at once")
    func parallel() async throws {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 1...100 {
                group.addTask {
                    let phone = TestPhone { CardViewController() }
                    try phone.doubleTap("card")
                    return phone.screen.events
                }
            }
            for try await events in group { #expect(events == ["zoom"]) }
        }
    }
}
