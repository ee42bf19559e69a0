#if os(Linux)
    import Knob
    import Testing
    import TouchlineTesting
    import UIKit

    @Suite(.phoneReports)
    struct KnobTests {
        final class Panel: UIViewController {
            let knob = Knob(frame: CGRect(x: 87, y: 200, width: 200, height: 200))
            var events: [String] = []

            override func viewDidLoad() {
                super.viewDidLoad()
                knob.accessibilityIdentifier = "knob"
                view.addSubview(knob)
                knob.addAction(UIAction { [weak self] _ in self?.events.append("changed") }, for: .valueChanged)
                knob.addAction(
                    UIAction { [weak self] _ in self?.events.append("settled") }, for: .primaryActionTriggered)
            }
        }

        let phone = TestPhone { Panel() }

        /// Moves a finger around the center of the knob, from the top.
        func turn(by degrees: Double, radius: Double = 80, lifts: Bool = true) throws {
            func point(_ degrees: Double) -> CGPoint {
                let angle = (degrees - 90) * .pi / 180
                return CGPoint(x: 187 + radius * cos(angle), y: 300 + radius * sin(angle))
            }
            try phone.touchDown(.point(point(0).x, point(0).y))
            for step in 1...30 {
                phone.advance(by: .milliseconds(16))
                try phone.touchMove(to: point(degrees * Double(step) / 30))
            }
            phone.advance(by: .milliseconds(16))
            if lifts { try phone.touchUp() }
        }

        @Test("a quarter turn changes the value by a quarter, less the way to the first move")
        func quarter() throws {
            try turn(by: 90)
            let knob = try phone.find(Knob.self)
            #expect(abs(knob.value - 0.25) < 0.035)
            #expect(knob.value < 0.25)
        }

        @Test("the value settles two seconds after the last turn")
        func settling() throws {
            let panel = try phone.find(Knob.self).next?.next as? Panel
            try turn(by: 90)
            phone.advance(by: .milliseconds(1_500))
            try turn(by: 45)
            phone.advance(by: .milliseconds(1_990))
            #expect(panel?.events.contains("settled") == false)
            phone.advance(by: .milliseconds(20))
            #expect(panel?.events.last == "settled")
            #expect(phone.advanceUntilIdle())
            #expect(panel?.events.filter { $0 == "settled" }.count == 1)
        }

        @Test("a finger that moves to the center does not turn the knob")
        func radial() throws {
            let drag = try phone.drag("knob", at: CGPoint(x: 100, y: 20), by: CGVector(dx: 0, dy: 70))
            #expect(try phone.find(Knob.self).value == 0)
            #expect(phone.receipt(of: drag).contains("TurnGestureRecognizer"))
        }

        @Test("a double tap resets the knob, a call keeps its value")
        func reset() throws {
            try turn(by: 120, lifts: false)
            phone.receiveCall()
            let value = try phone.find(Knob.self).value
            #expect(value > 0.2)
            phone.endCall()
            try phone.touchUp()
            try phone.doubleTap("knob")
            #expect(try phone.find(Knob.self).value == 0)
        }
    }
#endif
