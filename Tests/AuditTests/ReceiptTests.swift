import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@Suite("The audit of sequence numbers and receipts")
struct ReceiptTests {
    // MARK: I3

    @Test("I3: the audit finds a gap in the numbers a process sends")
    func holes() {
        let run = TinyRun()
        _ = run.fromInputKit.frame(.hello)
        let scan = run.sends(landed(1))
        run.drops(scan, .landedOnNothing)
        expect(run.finish(), .legality, "input-kit.1 sent digitizer #3 to system-server: frame 3, expected 2")
    }

    @Test("I3: the audit finds contacts that move unlanded or are left out")
    func illegalFingers() {
        var run = TinyRun()
        run.drops(run.sends(moved(1)), .unknownFinger)
        expect(run.finish(), .legality, "device 1, finger 1: goes on or ends, though it is not down")
        run = TinyRun()
        run.drops(run.sends(landed(1), landed(2)), .landedOnNothing)
        run.drops(run.sends(moved(1)), .ignoredUntilLift)
        expect(run.finish(), .legality, "device 1, finger 2: down, and not listed")
    }

    // MARK: I4

    @Test("I4: the audit finds an unanswered scan with the step sending it")
    func unanswered() {
        let run = TinyRun()
        run.lands(1)
        let move = run.sends(moved(1))
        _ = run.handles(run.routes(move, contact(1, .moved)), moved: 1)
        let report = run.finish()
        expect(report, .conservation, "scan #3 of input-kit.1 arrived at the server and was never answered")
        #expect(report.violations[0].evidence.map(\.text) == ["sent scan #3"])
        #expect(report.scans.inFlight == 1 && report.scans.isExact)
    }

    @Test("I4: the audit finds unanswered scans and frames after thousands more")
    func beyondHorizon() {
        let run = TinyRun(window: 4096)
        run.lands(1)
        let silent = run.sends(moved(1))
        _ = run.routes(silent, contact(1, .moved))
        for _ in 0..<5000 {
            let move = run.sends(moved(1))
            run.settles(run.handles(run.routes(move, contact(1, .moved)), moved: 1), of: move)
        }
        let report = run.finish()
        expect(report, .conservation, "scan #3 of input-kit.1 arrived at the server and was never answered")
        expect(report, .conservation, "frame #3 for app1 never arrived, and no loss is recorded")
        #expect(report.scans.inFlight == 1 && report.scans.isExact && report.frames.inFlight == 1)
    }

    @Test("I4: the audit finds a frame that vanished on an undisturbed link")
    func vanished() {
        for isKnown in [false, true] {
            let run = TinyRun()
            let lost = run.sends(landed(1))
            if isKnown {
                run.audit.add(
                    .lost(
                        sequence: lost.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now,
                        .fault))
            }
            let next = run.sends(moved(1))
            _ = run.toInputKit.accept(next)
            let answers = [(lost, Receipt.Reason.lostOnLink), (next, .unknownFinger)].map { scan, reason in
                run.toInputKit.frame(
                    .handled(Receipt(frame: scan.sequence, outcome: .dropped, reason: reason)),
                    ledger: reason == .lostOnLink ? Ledger() : scan.ledger)
            }
            run.step(run.server, .frame(next, from: .inputKit), answers.map { .send($0, to: .inputKit) })
            // The first receipt of the server is lost the same way.
            if isKnown {
                run.audit.add(
                    .lost(
                        sequence: answers[0].sequence, kind: .handled, from: run.server, to: .inputKit, at: run.now,
                        .fault))
            }
            run.step(run.inputKit, .frame(answers[1], from: .systemServer))
            let texts = run.finish().violations.map(\.text)
            let expected = [
                "1 frames of input-kit are missing before #3 to system-server, and 0 of them were lost",
                "1 frames of system-server are missing before #3 to input-kit, and 0 of them were lost",
            ]
            #expect(texts == (isKnown ? [] : expected))
        }
    }

    @Test("I4: the audit finds a loss reported for a received frame")
    func heardAndLost() {
        var run = TinyRun()
        let down = run.sends(landed(1))
        let told = run.arrived(run.routes(down, contact(1, .began)))
        let receipt = Receipt(frame: told.sequence, outcome: .dropped, reason: .lostOnLink)
        run.step(
            run.app, .frame(told, from: .systemServer),
            [.send(run.fromApp.frame(.handled(receipt)), to: .systemServer)])
        expect(run.finish(), .conservation, "app1.1 reports frame #2 as lost, and has received it")
        run = TinyRun()
        run.serverReceives(.lock)
        run.drops(run.sends(landed(1)), .lostOnLink)
        expect(run.finish(), .conservation, "says dropped (lostOnLink), expected dropped (landedOnNothing)")
    }

    @Test("I4: the audit finds a scan answered twice or with another's ledger")
    func answeredTwice() {
        var run = TinyRun()
        let down = run.sends(landed(1))
        run.settles(run.handles(run.routes(down, contact(1, .began)), began: 1), of: down, times: 2)
        expect(run.finish(), .conservation, "receipt for frame 2, which is not asked for, or not any more")
        run = TinyRun()
        run.lands(1)
        let (first, second) = (run.sends(moved(1)), run.sends(moved(1)))
        let answer = run.handles(run.routes(first, contact(1, .moved)), moved: 1)
        let other = run.handles(run.routes(second, contact(1, .moved)), moved: 1)
        run.settles(answer, of: second)
        run.settles(other, of: first)
        expect(run.finish(), .conservation, "has the ledger of another scan")
    }

    @Test("I4: the audit finds a frame that its app never answered")
    func unhandled() {
        let run = TinyRun()
        let down = run.sends(landed(1))
        let told = run.arrived(run.routes(down, contact(1, .began)))
        run.step(run.app, .frame(told, from: .systemServer))
        let report = run.finish()
        #expect(report.violations.contains { $0.text == "frame #2 for app1 arrived and was never answered" })
        #expect(report.frames.inFlight == 1)
    }

    @Test("I4: the audit finds a play report with wrong counts")
    func playReport() {
        for delivered in [2, 3] as [UInt64] {
            let run = TinyRun()
            func fromSupervisor(_ message: Message) -> Input {
                .frame(Frame(epoch: 1, generation: 1, sequence: 1, message: message), from: .supervisor)
            }
            run.step(run.inputKit, fromSupervisor(.play(PlayOrder(id: 7, source: .script(""), pace: .max))))
            run.taps(1)
            var report = PlayReport(id: 7)
            (report.sent, report.answered, report.delivered) = (2, 2, delivered)
            report.sentTouches = PhaseCounts(began: 1, ended: 1)
            report.arrivedTouches = report.sentTouches
            let played = Frame(epoch: 1, generation: 1, sequence: 1, message: .played(report))
            run.step(run.inputKit, .timerFired(TimerID(1)), [.send(played, to: .supervisor)])
            let found = run.finish()
            if delivered == 2 {
                #expect(found.violations.map(\.text) == [])
            } else {
                expect(found, .conservation, "input-kit.1 reports for play 7: 2 sent, 2 answered, 3 delivered")
            }
        }
    }

    @Test("I4: a lost copy does not invalidate the answer to a scan")
    func lostCopy() {
        let run = TinyRun()
        run.serverReceives(.lock)
        let scan = run.sends(landed(1))
        _ = run.toInputKit.accept(scan)
        let receipt = Receipt(frame: scan.sequence, outcome: .dropped, reason: .landedOnNothing)
        let answer = run.toInputKit.frame(.handled(receipt), ledger: run.arrived(scan).ledger)
        run.step(run.server, .frame(run.arrived(scan), from: .inputKit), [.send(answer, to: .inputKit)])
        run.audit.add(
            .lost(
                sequence: scan.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now,
                .receiverGone))
        run.step(run.inputKit, .frame(answer, from: .systemServer))
        #expect(run.finish().isClean)
    }

    @Test("I4: a scan whose every copy is lost is counted once")
    func lostCopies() {
        for isRefused in [false, true] {
            let run = TinyRun()
            let scan = run.sends(landed(1))
            func lose(_ cause: LossCause) {
                run.audit.add(
                    .lost(
                        sequence: scan.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now,
                        cause))
            }
            lose(.fault)
            run.step(run.server, .peerLost(.inputKit))
            if isRefused {
                run.step(run.server, .frame(run.arrived(scan), from: .inputKit))
            } else {
                lose(.receiverGone)
            }
            let report = run.finish()
            #expect(report.violations.map(\.text) == [])
            #expect(report.scans.injected == 1 && report.scans[.dropped] == 0)
            #expect(report.scans[isRefused ? .rejected : .cancelled] == 1)
        }
    }

    @Test("I4: a scan known to be lost is never missed later")
    func lostLongAgo() {
        var options = AuditOptions.live
        (options.isAtRest, options.keptViolationLimit) = (false, 20_000)
        let run = TinyRun(options)
        let lost = run.sends(moved(1))
        run.audit.add(
            .lost(
                sequence: lost.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now, .fault))
        for _ in 0..<4100 { _ = run.sends(moved(1)) }
        let found = run.finish().violations.map(\.text)
        let ofIt = found.filter { $0.hasPrefix("scan #\(lost.sequence) ") }
        #expect(ofIt == [])
    }

    @Test("I4: an old scan is open only while its app's answer is")
    func answeredLate() {
        for isAnswered in [false, true] {
            var options = AuditOptions.live
            (options.isAtRest, options.keptViolationLimit) = (false, 20_000)
            let run = TinyRun(options)
            let down = run.sends(landed(1))
            let told = run.routes(down, contact(1, .began))
            if isAnswered {
                let answer = run.handles(told, began: 1)
                _ = run.toApp.accept(answer)
                run.step(run.server, .frame(run.arrived(answer), from: .app(1)))
            }
            for _ in 0..<4100 { _ = run.sends(moved(1)) }
            let found = run.finish().violations.map(\.text).filter { $0.hasPrefix("scan #\(down.sequence) ") }
            #expect(found.isEmpty == !isAnswered, "\(found)")
        }
    }

    @Test("I4: a link's losses count as dropped, a dead process's as cancelled")
    func losses() {
        let run = TinyRun()
        let lost = run.sends(landed(1))
        run.audit.add(
            .lost(
                sequence: lost.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now, .fault))
        let next = run.sends(moved(1))
        let receipts = [(lost, Receipt.Reason.lostOnLink), (next, .unknownFinger)].map { scan, reason in
            run.toInputKit.frame(
                .handled(Receipt(frame: scan.sequence, outcome: .dropped, reason: reason)),
                ledger: reason == .lostOnLink ? Ledger() : scan.ledger)
        }
        run.step(run.server, .frame(next, from: .inputKit), receipts.map { .send($0, to: .inputKit) })
        let under = run.sends(moved(1))
        _ = run.routes(under, contact(9, .began))
        run.audit.add(.ended(run.server, at: run.now, .signalled(9)))
        let report = run.finish()
        #expect(report.scans[.lostOnLink] == 1 && report.scans[.unknownFinger] == 1 && report.scans[.cancelled] == 1)
        #expect(report.frames[.cancelled] == 1)
        #expect(report.scans.isExact && report.scans.inFlight == 0)
    }

    @Test("I4: the audit finds a drop without a reason")
    func noReason() {
        let run = TinyRun()
        run.drops(run.sends(landed(1)), .none)
        expect(run.finish(), .conservation, "receipt dropped with reason none")
    }
}
