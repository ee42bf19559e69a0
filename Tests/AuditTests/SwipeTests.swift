import Audit
import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@Suite("The audit of system gestures")
struct SwipeTests {
    /// A run in which a contact in the middle is within the lower edge's zone.
    private func run() throws -> TinyRun {
        var options = AuditOptions.live
        options.gestures = AuditOptions.Gestures(try Settings([Setting(key: "systemGesture.zone", value: "400")]))
        return TinyRun(options)
    }

    /// 66.7 points up.
    private var swiped: DigitizerEvent {
        var finger = moved(1)
        finger.position.y = Fixed(0.4)
        return finger
    }

    @Test("the audit finds a swipe not taken by the time of lift")
    func untaken() throws {
        let run = try run()
        run.lands(1)
        let move = run.sends(swiped)
        run.settles(run.handles(run.routes(move, contact(1, .moved)), moved: 1), of: move)
        let up = run.sends(lifted(1))
        run.settles(run.handles(run.routes(up, contact(1, .ended)), ended: 1), of: up)
        expect(run.finish(), .oneTerminal, "app1 received touch 1 ended, expected contact 1 of device 1 cancelled")
    }

    @Test("the audit finds a touch that is taken without a swipe")
    func taken() throws {
        let run = try run()
        run.lands(1)
        run.step(run.server, .timerFired(.systemGestures), [run.touchesEffect(contact(1, .cancelled))])
        expect(run.finish(), .explainability, "touch 1 is cancelled without a reason in the step")
    }

    @Test(
        "the audit finds a receipt that misstates what took its contact",
        arguments: [
            (Receipt.Reason.takenBySystem, UInt16(1)), (.takenBySystem, 0), (.takenByMonitor, 1),
            (.ignoredUntilLift, 1),
        ])
    func receipt(reason: Receipt.Reason, takenBySystem: UInt16) throws {
        let run = try run()
        run.lands(1)
        let move = run.sends(swiped)
        run.settles(run.handles(run.routes(move, contact(1, .moved)), moved: 1), of: move)
        // The app has not said whether it defers, so the gesture takes the contact when it lifts.
        let up = run.sends(lifted(1))
        run.drops(up, reason, takenBySystem: takenBySystem, telling: [run.touchesEffect(contact(1, .cancelled))])
        let found = run.finish().violations.filter { $0.text.hasPrefix("the receipt for scan #") }
        #expect(found.isEmpty == (reason == .takenBySystem && takenBySystem == 1), "\(found)")
    }

    @Test("the audit finds a gate still closed after a swipe's time")
    func gate() throws {
        for opens in [true, false] {
            let run = try run()
            run.lands(1)
            run.now = run.now.advanced(by: .milliseconds(800))
            run.step(
                run.server, .timerFired(.systemGestures), opens ? [run.touchesEffect(contact(1, .stationary))] : [])
            let report = run.finish()
            let text = "contact 1 of device 1 stationary, and its owner app1 did not receive it"
            #expect(report.violations.contains { $0.text == text } == !opens, "\(report.violations)")
        }
    }
}
