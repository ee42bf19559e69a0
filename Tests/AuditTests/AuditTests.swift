import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@Suite("The audit")
struct AuditTests {
    @Test("the audit of two taps finds four delivered scans, no violation")
    func tap() {
        let run = TinyRun()
        run.taps(1)
        run.taps(2)
        let report = run.finish()
        #expect(report.violations.map(\.text) == [])
        #expect(report.scans.injected == 4 && report.scans[.delivered] == 4)
        #expect(report.frames.injected == 4 && report.frames[.delivered] == 4)
        #expect(report.fingers == 2 && report.touches == 2 && report[.lifted] == 2)
        #expect(report.processCount == 3 && report.liveTouches == 0)
    }

    @Test("the audit counts coalesced scans, and dropped ones by reason")
    func fates() {
        let run = TinyRun()
        run.lands(1)
        let first = run.sends(moved(1))
        run.settles(run.handles(run.routes(first, contact(1, .moved))), of: first)
        run.interrupts(contact(1, .cancelled))
        run.drops(run.sends(moved(1)), .ignoredUntilLift)
        run.drops(run.sends(lifted(1)), .ignoredUntilLift)
        run.drops(run.sends(landed(1)), .none, outcome: .home, began: 1)
        let report = run.finish()
        #expect(report.violations.map(\.text) == [])
        #expect(report.scans[.coalesced] == 1 && report.scans[.dropped] == 2 && report.scans[.delivered] == 2)
        #expect(report.scans[.ignoredUntilLift] == 2 && report.home == 1 && report.scans.isExact)
    }

    // MARK: I5

    @Test("I5: the audit finds an app slowed by another app's disturbance")
    func isolation() {
        for delay in [1, 5] {
            let run = TinyRun()
            run.lands(1)
            for round in 0..<2400 {
                if round == 1200 {
                    run.audit.disturb(AuditOptions.Disturbance(from: run.now, until: .never, peer: .app(2)))
                }
                let move = run.sends(moved(1))
                let told = run.routes(move, contact(1, .moved))
                if round >= 1200 { run.now = run.now.advanced(by: .milliseconds(delay)) }
                run.settles(run.handles(told, moved: 1), of: move)
            }
            let report = run.finish()
            if delay == 1 { #expect(report.isClean) } else { expect(report, .isolation, "undisturbed app1: ") }
        }
    }

    // MARK: I6

    @Test("I6: the audit finds frames beyond an app's credit window")
    func window() {
        var run = TinyRun(window: 2)
        run.lands(1)
        var told: [(Frame, Frame)] = []
        for _ in 0..<3 {
            let move = run.sends(moved(1))
            told.append((move, run.routes(move, contact(1, .moved))))
        }
        for (move, frame) in told { run.settles(run.handles(frame, moved: 1), of: move) }
        expect(run.finish(), .bounds, "a move with 2 unanswered, credit 2")
        run = TinyRun(window: 2)
        run.lands(1)
        told = []
        for isLast in [false, false, true] {
            let scan = isLast ? run.sends(lifted(1)) : run.sends(moved(1))
            told.append((scan, run.routes(scan, contact(1, isLast ? .ended : .moved))))
        }
        for (index, (scan, frame)) in told.enumerated() {
            run.settles(run.handles(frame, moved: index < 2 ? 1 : 0, ended: index < 2 ? 0 : 1), of: scan)
        }
        expect(run.finish(), .bounds, "app1 has 3 frames unanswered, window 2")
    }

    @Test("I6: the audit finds more moves in flight than the limit")
    func inFlight() {
        var options = AuditOptions.live
        (options.group.inFlightLimit, options.isAtRest) = (3, false)
        let run = TinyRun(options)
        run.lands(1)
        for _ in 0..<4 { _ = run.routes(run.sends(moved(1)), contact(1, .moved)) }
        expect(run.finish(), .bounds, "4 scans of moves in flight, limit 3")
    }

    @Test("I6: the audit finds a live device that moves too often")
    func pace() {
        /// - Parameter lifts: Whether each move is followed by a lift and a landing.
        func run(sender: UInt64, moves: Int, lifts: Bool = false) -> AuditReport {
            var options = AuditOptions.live
            (options.isAtRest, options.group.moveRate, options.group.moveBurst) = (false, 10, 4)
            options.group.inFlightLimit = 1000
            let run = TinyRun(options)
            run.lands(1)
            _ = run.sends(all: [landed(2)], of: sender)
            for _ in 0..<moves {
                _ = run.sends(all: [moved(2)], of: sender)
                guard lifts else { continue }
                _ = run.sends(all: [lifted(2)], of: sender)
                _ = run.sends(all: [landed(2)], of: sender)
            }
            return run.finish()
        }
        func isFound(_ report: AuditReport) -> Bool {
            report.violations.contains { $0.law == .bounds && $0.text.contains("device 2 has moved more often") }
        }
        // The last move is judged only when the next scan is known.
        #expect(!isFound(run(sender: 2, moves: 5)))
        #expect(isFound(run(sender: 2, moves: 6)))
        #expect(!run(sender: 1, moves: 60).violations.contains { $0.text.contains("moved more often") })
        #expect(!isFound(run(sender: 2, moves: 60, lifts: true)))
    }

    // MARK: I7

    @Test("I7: the audit finds a server that uses an older generation's frame")
    func fencing() {
        let run = TinyRun()
        let old = run.fromInputKit
        run.audit.add(.ended(run.inputKit, at: run.now, nil))
        run.inputKit.generation = 2
        run.audit.add(.began(run.inputKit, at: run.now))
        run.inputKitSendsHello()
        var ghost = old
        let late = ghost.frame(
            .digitizer(
                HIDEvent(
                    timeStamp: run.now, senderID: 1, generationCount: 1, hand: landed(0), fingers: [landed(1)])))
        run.step(run.server, .frame(late, from: .inputKit))
        #expect(run.finish().violations == [])
        #expect(run.finish().links.fenced == 1)
        _ = run.routes(late, contact(1, .began))
        expect(run.finish(), .fencing, "is outdated or known already, and app1 received touches #2 for it")
    }

    @Test("I7: the audit finds repeated generations, wrong ones and old hellos")
    func generations() {
        var run = TinyRun()
        run.audit.add(.began(run.app, at: run.now))
        expect(run.finish(), .fencing, "app1 started in generation 1, after 1")
        run = TinyRun()
        run.fromInputKit = LinkNumbers(epoch: 1, generation: 7)
        _ = run.fromInputKit.frame(.hello)
        _ = run.sends(landed(1))
        #expect(run.finish().violations.contains { $0.text == "input-kit.1 sent a frame of generation 7" })
        run = TinyRun()
        run.inputKit.generation = 2
        run.audit.add(.began(run.inputKit, at: run.now))
        run.inputKitSendsHello()
        var ghost = LinkNumbers(epoch: 0, generation: 1)
        let hello = ghost.hello()
        run.step(run.server, .frame(hello, from: .inputKit))
        #expect(run.finish().isClean)
        let answer = run.toInputKit.frame(.hello)
        run.step(run.server, .frame(hello, from: .inputKit), [.send(answer, to: .inputKit)])
        expect(run.finish(), .fencing, "sent hello #3 to input-kit: generation 1, expected 2")
    }

    // MARK: I9 and limits

    @Test("I9: a noted violation counts, and only the first are kept")
    func noted() {
        var options = AuditOptions.live
        options.keptViolationLimit = 2
        let run = TinyRun(options)
        for round in 0..<5 { run.audit.note(Violation(.determinism, "step \(round) differs", at: run.now)) }
        let report = run.finish()
        #expect(report.violations.map(\.text) == ["step 0 differs", "step 1 differs"])
        #expect(report.violationCount == 5 && report.violationsByLaw[8] == 5 && !report.isClean)
        // Isolation is not judged, because no process was measured while another was disturbed.
        #expect(report.lawsJudged == Law.allCases.filter { $0 != .isolation })
    }
}
