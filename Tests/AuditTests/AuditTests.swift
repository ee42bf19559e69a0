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
    @Test("of a tap finds two scans delivered, one touch lifted and no law broken")
    func tap() {
        let run = TinyRun()
        run.taps(1)
        run.taps(2)
        let report = run.finish()
        #expect(report.violations.map(\.text) == [])
        #expect(report.scans.injected == 4 && report.scans[.delivered] == 4)
        #expect(report.frames.injected == 4 && report.frames[.delivered] == 4)
        #expect(report.fingers == 2 && report.touches == 2 && report[.lifted] == 2)
        #expect(report.lives == 3 && report.liveTouches == 0)
    }

    @Test("counts what was merged as coalesced, and what nobody got by its reason")
    func fates() {
        let run = TinyRun()
        run.lands(1)
        let first = run.sends(moved(1))
        run.settles(run.handles(run.routes(first, contact(1, .moved))), of: first)
        run.interrupts(contact(1, .cancelled))
        run.drops(run.sends(moved(1)), .dead)
        run.drops(run.sends(lifted(1)), .dead)
        run.drops(run.sends(landed(1)), .none, outcome: .home, began: 1)
        let report = run.finish()
        #expect(report.violations.map(\.text) == [])
        #expect(report.scans[.coalesced] == 1 && report.scans[.dropped] == 2 && report.scans[.delivered] == 2)
        #expect(report.scans[.dead] == 2 && report.home == 1 && report.scans.isExact)
    }

    // MARK: I1

    @Test("I1: an app that handles no end where it was told of one is found")
    func swallowedEnd() {
        let run = TinyRun()
        run.lands(1)
        let up = run.sends(lifted(1))
        run.settles(run.handles(run.routes(up, contact(1, .ended)), moved: 1), of: up)
        expect(run.finish(), .oneTerminal, "handled 0 and 0")
    }

    @Test("I1: an app that says of itself what it was told is believed; one that holds more, or less, is found")
    func sayingWhatIsDown() {
        for (said, isFound) in [(1, false), (0, true), (2, true)] {
            let run = TinyRun()
            run.lands(1)
            run.tells(fingersDown: said, held: 0)
            run.settlesUp(1)
            #expect(run.finish().violations.isEmpty == !isFound)
        }
    }

    @Test("I1: an app that keeps its fingers when it has lost the server is found by what it says of itself")
    func keptWithoutServer() {
        for (kept, isFound) in [(0, false), (1, true)] {
            let run = TinyRun()
            run.lands(1)
            run.step(run.app, .peerLost(.systemServer))
            run.tells(fingersDown: kept, held: 0)
            let report = run.finish()
            #expect(report.violations.contains { $0.text.contains("says that it has") } == isFound)
        }
    }

    @Test("I1: after a gap an app is held to the touches it has seen begin, and to no others")
    func afterGap() {
        for handled in [0, 1] as [UInt16] {
            let run = TinyRun()
            run.lands(1)
            // Of this one it never hears: it lets go of touch 1, and takes no notice of its end.
            let lost = run.routes(run.sends(moved(1)), contact(1, .moved))
            run.audit.take(
                .lost(sequence: lost.sequence, kind: .touches, from: run.server, to: .app(1), at: run.now, .fault))
            let both = run.sends(landed(2), moved(1))
            _ = run.handles(run.routes(both, contact(2, .began), contact(1, .moved)), began: 1)
            let up = run.sends(lifted(1), moved(2))
            _ = run.handles(run.routes(up, contact(1, .ended), contact(2, .moved)), moved: 1, ended: handled)
            let found = run.finish().violations.filter { $0.text.contains("and handled") }
            #expect(found.isEmpty == (handled == 0), "\(found)")
        }
    }

    @Test("I1: a touch that ends twice is found, and one that goes on after its end")
    func endedTwice() {
        for phase in [ContactPhase.ended, .moved] {
            let run = TinyRun()
            run.taps(1)
            let down = run.sends(landed(1))
            run.settles(run.handles(run.routes(down, contact(1, phase)), ended: phase == .ended ? 1 : 0), of: down)
            expect(run.finish(), .oneTerminal, "touch 1: goes on or ends, though it is not down")
        }
    }

    @Test("I1: a touch left without an end is found, and one whose finger is down is not")
    func leftAlive() {
        let run = TinyRun()
        run.lands(1)
        #expect(run.finish().violations == [])
        run.drops(run.sends(lifted(1)), .dead)
        expect(run.finish(), .oneTerminal, "app1 was never told of the end of touch 1; 0 fingers are down")
    }

    // MARK: I2

    @Test("I2: an end that takes longer than the bound is found, unless somebody was held up on purpose")
    func lateEnd() {
        for isExcused in [false, true] {
            let run = TinyRun()
            run.lands(1)
            let up = run.sends(lifted(1))
            let told = run.routes(up, contact(1, .ended))
            if isExcused {
                run.audit.disturb(AuditOptions.Disturbance(from: run.now, until: .never, peer: .app(1)))
            }
            run.now = run.now.advanced(by: .milliseconds(150))
            run.settles(run.handles(told, ended: 1), of: up)
            let report = run.finish()
            if isExcused { #expect(report.isClean) } else { expect(report, .promptness, "limit 100.000 ms") }
        }
    }

    @Test("I2: an app that hears of the server's end too late is found")
    func lateLoss() {
        let run = TinyRun()
        run.lands(1)
        run.audit.take(.ended(run.server, at: run.now, .signalled(9)))
        run.now = run.now.advanced(by: .milliseconds(400))
        run.step(run.app, .peerLost(.systemServer))
        let report = run.finish()
        expect(report, .promptness, "app1.1 heard of the server's end after 401.000 ms")
        #expect(report[.serverLost] == 1)
    }

    @Test("I2: an app that hears late of the server's end is found though the next server is there by then")
    func lateLossBehindSuccessor() {
        for isLate in [false, true] {
            let run = TinyRun()
            run.lands(1)
            run.audit.take(.ended(run.server, at: run.now, .signalled(9)))
            // Somebody else was held up a little, and long over.
            run.audit.disturb(
                AuditOptions.Disturbance(from: run.now, until: run.now.advanced(by: .milliseconds(5)), peer: .app(1)))
            run.server = Life(.systemServer, epoch: 2, generation: 2)
            run.audit.take(.began(run.server, at: run.now.advanced(by: .milliseconds(60))))
            run.now = run.now.advanced(by: .milliseconds(isLate ? 400 : 200))
            run.step(run.app, .peerLost(.systemServer))
            let report = run.finish()
            if isLate {
                expect(report, .promptness, "app1.1 heard of the server's end after 401.000 ms")
            } else {
                #expect(report.violations.map(\.text) == [])
            }
        }
    }

    @Test("I2: what is held up on purpose may be late by as long as that, and no longer")
    func coveredInPart() {
        for (stop, isFound) in [(60, false), (20, true)] as [(Int64, Bool)] {
            let run = TinyRun()
            run.lands(1)
            let up = run.sends(lifted(1))
            let told = run.routes(up, contact(1, .ended))
            for _ in 0..<2 {
                run.audit.disturb(
                    AuditOptions.Disturbance(
                        from: run.now, until: run.now.advanced(by: .milliseconds(stop)), peer: .app(1)))
            }
            run.now = run.now.advanced(by: .milliseconds(140))
            run.settles(run.handles(told, ended: 1), of: up)
            let report = run.finish()
            if isFound { expect(report, .promptness, "limit 100.000 ms") } else { #expect(report.isClean) }
        }
    }

    @Test("I2: a server that hears late of an app's end is found, and one that never does")
    func lateAppLoss() {
        for hears in [true, false] {
            let run = TinyRun()
            run.lands(1)
            run.audit.take(.ended(run.app, at: run.now, .signalled(9)))
            run.now = run.now.advanced(by: .milliseconds(400))
            run.step(run.server, hears ? .peerLost(.app(1)) : .timerFired(TimerID(1)))
            expect(
                run.finish(), .promptness,
                hears ? "the server heard of app1's end after 401" : "system-server has not heard of app1's end for 401"
            )
        }
    }

    // MARK: I3

    @Test("I3: a hole in what is sent is found, and in what is heard it is the link's")
    func holes() {
        let run = TinyRun()
        _ = run.fromInputKit.frame(.hello)
        let scan = run.sends(landed(1))
        run.drops(scan, .landedOnNothing)
        expect(run.finish(), .legality, "input-kit.1 sent digitizer #3 to system-server: frame 3, expected 2")
    }

    @Test("I3: a finger that moves without having landed is found, and one that is left out of a scan")
    func illegalFingers() {
        var run = TinyRun()
        run.drops(run.sends(moved(1)), .unknownFinger)
        expect(run.finish(), .legality, "device 1, finger 1: goes on or ends, though it is not down")
        run = TinyRun()
        run.drops(run.sends(landed(1), landed(2)), .landedOnNothing)
        run.drops(run.sends(moved(1)), .dead)
        expect(run.finish(), .legality, "device 1, finger 2: down, and not listed")
    }

    // MARK: I4

    @Test("I4: a scan the server took and never answered is found, with the step that sent it")
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

    @Test("I4: a scan and a frame that were never answered are found though thousands have come after them")
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
        expect(report, .conservation, "frame #3 for app1 never arrived, and nothing says where it was lost")
        #expect(report.scans.inFlight == 1 && report.scans.isExact && report.frames.inFlight == 1)
    }

    @Test("I4: a frame that vanishes on a link that nobody disturbs is found, either way on either link")
    func vanished() {
        for isKnown in [false, true] {
            let run = TinyRun()
            let lost = run.sends(landed(1))
            if isKnown {
                run.audit.take(
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
            // Its first receipt goes the same way.
            if isKnown {
                run.audit.take(
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

    @Test("I4: an app that says a frame was lost which it has heard is found, and a server that says so of a scan")
    func heardAndLost() {
        var run = TinyRun()
        let down = run.sends(landed(1))
        let told = run.arrived(run.routes(down, contact(1, .began)))
        let receipt = Receipt(frame: told.sequence, outcome: .dropped, reason: .lostOnLink)
        run.step(
            run.app, .frame(told, from: .systemServer),
            [.send(run.fromApp.frame(.handled(receipt)), to: .systemServer)])
        expect(run.finish(), .conservation, "app1.1 says that frame #2 was lost, and has heard it")
        run = TinyRun()
        run.hears(.lock)
        run.drops(run.sends(landed(1)), .lostOnLink)
        expect(run.finish(), .conservation, "says dropped (lostOnLink), expected dropped (landedOnNothing)")
    }

    @Test("I4: a scan that is answered twice is found, and a receipt with another's ledger")
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
        expect(run.finish(), .conservation, "carries the ledger of another")
    }

    @Test("I4: a frame an app was told and never answered is found")
    func unhandled() {
        let run = TinyRun()
        let down = run.sends(landed(1))
        let told = run.arrived(run.routes(down, contact(1, .began)))
        run.step(run.app, .frame(told, from: .systemServer))
        let report = run.finish()
        #expect(report.violations.contains { $0.text == "frame #2 for app1 arrived and was never answered" })
        #expect(report.frames.inFlight == 1)
    }

    @Test("I4: a play that reports otherwise than was sent and answered is found")
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
            (report.sentBegan, report.sentEnded, report.began, report.ended) = (1, 1, 1, 1)
            let played = Frame(epoch: 1, generation: 1, sequence: 1, message: .played(report))
            run.step(run.inputKit, .timerFired(TimerID(1)), [.send(played, to: .supervisor)])
            let found = run.finish()
            if delivered == 2 {
                #expect(found.violations.map(\.text) == [])
            } else {
                expect(found, .conservation, "input-kit.1 says of play 7: 2 sent, 2 answered, 3 delivered")
            }
        }
    }

    @Test("I4: a copy that dies with its receiver takes nothing from the answer to the one that came")
    func lostCopy() {
        let run = TinyRun()
        run.hears(.lock)
        let scan = run.sends(landed(1))
        _ = run.toInputKit.accept(scan)
        let receipt = Receipt(frame: scan.sequence, outcome: .dropped, reason: .landedOnNothing)
        let answer = run.toInputKit.frame(.handled(receipt), ledger: run.arrived(scan).ledger)
        run.step(run.server, .frame(run.arrived(scan), from: .inputKit), [.send(answer, to: .inputKit)])
        run.audit.take(
            .lost(
                sequence: scan.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now,
                .receiverGone))
        run.step(run.inputKit, .frame(answer, from: .systemServer))
        #expect(run.finish().isClean)
    }

    @Test("I4: a scan of which every copy is lost is counted once, whatever became of each")
    func lostCopies() {
        for isRefused in [false, true] {
            let run = TinyRun()
            let scan = run.sends(landed(1))
            func lose(_ cause: LossCause) {
                run.audit.take(
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

    @Test("I4: of a scan that is known to be lost nobody asks what became of it, however many come after it")
    func lostLongAgo() {
        var options = AuditOptions.live
        (options.isAtRest, options.kept) = (false, 20_000)
        let run = TinyRun(options)
        let lost = run.sends(moved(1))
        run.audit.take(
            .lost(
                sequence: lost.sequence, kind: .digitizer, from: run.inputKit, to: .systemServer, at: run.now, .fault))
        for _ in 0..<4100 { _ = run.sends(moved(1)) }
        let found = run.finish().violations.map(\.text)
        let ofIt = found.filter { $0.hasPrefix("scan #\(lost.sequence) ") }
        #expect(ofIt == [])
    }

    @Test("I4: a scan that an app has yet to answer is open however many come after it; one it has answered is missed")
    func answeredLate() {
        for isAnswered in [false, true] {
            var options = AuditOptions.live
            (options.isAtRest, options.kept) = (false, 20_000)
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

    @Test("I4: what a link lost is dropped for that, and what the dead had is cancelled")
    func losses() {
        let run = TinyRun()
        let lost = run.sends(landed(1))
        run.audit.take(
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
        run.audit.take(.ended(run.server, at: run.now, .signalled(9)))
        let report = run.finish()
        #expect(report.scans[.lostOnLink] == 1 && report.scans[.unknownFinger] == 1 && report.scans[.cancelled] == 1)
        #expect(report.frames[.cancelled] == 1)
        #expect(report.scans.isExact && report.scans.inFlight == 0)
    }

    @Test("I4: a drop without a reason is found")
    func noReason() {
        let run = TinyRun()
        run.drops(run.sends(landed(1)), .none)
        expect(run.finish(), .conservation, "receipt dropped with reason none")
    }

    // MARK: I5

    @Test("I5: an app that is slow while another is disturbed is found by its ninety-ninth of a hundred")
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
            if delay == 1 { #expect(report.isClean) } else { expect(report, .isolation, "app1, which nothing was") }
        }
    }

    // MARK: I6

    @Test("I6: whatever is beyond an app's window is found, an end as well: it has to wait")
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

    @Test("I6: more moves in flight than the server may have are found")
    func inFlight() {
        var options = AuditOptions.live
        (options.group.inFlightLimit, options.isAtRest) = (3, false)
        let run = TinyRun(options)
        run.lands(1)
        for _ in 0..<4 { _ = run.routes(run.sends(moved(1)), contact(1, .moved)) }
        expect(run.finish(), .bounds, "4 scans of moves in flight, limit 3")
    }

    @Test("I6: a live device that moves its finger too often is found; a play is not, nor what an edge takes along")
    func pace() {
        /// - Parameter lifts: Whether each move is followed by an end and a beginning.
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
        // The last is judged when it is known what comes after it.
        #expect(!isFound(run(sender: 2, moves: 5)))
        #expect(isFound(run(sender: 2, moves: 6)))
        #expect(!run(sender: 1, moves: 60).violations.contains { $0.text.contains("moved more often") })
        #expect(!isFound(run(sender: 2, moves: 60, lifts: true)))
    }

    // MARK: I7

    @Test("I7: a server that acts on a frame of an older generation is found")
    func fencing() {
        let run = TinyRun()
        let old = run.fromInputKit
        run.audit.take(.ended(run.inputKit, at: run.now, nil))
        run.inputKit.generation = 2
        run.audit.take(.began(run.inputKit, at: run.now))
        run.inputKitGreets()
        var ghost = old
        let late = ghost.frame(
            .digitizer(
                HIDEvent(
                    timeStamp: run.now, senderID: 1, generationCount: 1, hand: landed(0), fingers: [landed(1)])))
        run.step(run.server, .frame(late, from: .inputKit))
        #expect(run.finish().violations == [])
        #expect(run.finish().links.fenced == 1)
        _ = run.routes(late, contact(1, .began))
        expect(run.finish(), .fencing, "is of another time or known already, and app1 got touches #2 for it")
    }

    @Test("I7: a generation that lives twice is found, a frame of another's, and an old greeting that is taken")
    func generations() {
        var run = TinyRun()
        run.audit.take(.began(run.app, at: run.now))
        expect(run.finish(), .fencing, "app1 began in generation 1, after 1")
        run = TinyRun()
        run.fromInputKit = LinkNumbers(epoch: 1, generation: 7)
        _ = run.fromInputKit.frame(.hello)
        _ = run.sends(landed(1))
        #expect(run.finish().violations.contains { $0.text == "input-kit.1 sent a frame of generation 7" })
        run = TinyRun()
        run.inputKit.generation = 2
        run.audit.take(.began(run.inputKit, at: run.now))
        run.inputKitGreets()
        var ghost = LinkNumbers(epoch: 0, generation: 1)
        let hello = ghost.hello()
        run.step(run.server, .frame(hello, from: .inputKit))
        #expect(run.finish().isClean)
        let answer = run.toInputKit.frame(.hello)
        run.step(run.server, .frame(hello, from: .inputKit), [.send(answer, to: .inputKit)])
        expect(run.finish(), .fencing, "sent hello #3 to input-kit: generation 1, expected 2")
    }

    // MARK: I8

    @Test("I8: each end is told by its cause, and a cancel that nothing the server hears explains is found")
    func causes() {
        let act = Frame(epoch: 1, generation: 1, sequence: 1, message: .act(.interrupt))
        let resume = Frame(epoch: 1, generation: 1, sequence: 1, message: .act(.resume))
        for (input, cause): (Input, EndCause?) in [
            (.frame(act, from: .supervisor), .act), (.peerLost(.inputKit), .inputKitLost),
            (.frame(resume, from: .supervisor), nil), (.timerFired(TimerID(1)), nil), (.peerLost(.app(2)), nil),
            (.refused(.stranger(pid: 7, uid: 7)), nil), (.stopRequested, nil),
        ] {
            let run = TinyRun()
            run.lands(1)
            let cancel = run.toApp.frame(.touches(TouchFrame(timeStamp: run.now, contacts: [contact(1, .cancelled)])))
            run.step(run.server, input, [.send(cancel, to: .app(1))])
            _ = run.handles(cancel, ended: 1)
            let report = run.finish()
            if let cause {
                #expect(report[cause] == 1 && report.isClean, "\(cause): \(report.violations)")
            } else {
                expect(report, .explainability, "touch 1 is cancelled, and nothing in the step says why")
            }
        }
    }

    @Test(
        "I8: an app that has missed a frame keeps the fingers that it was told of later: one cancelled for it is found")
    func laterFingers() {
        for phase in [TouchContact.Phase.stationary, .cancelled] {
            let run = TinyRun()
            run.lands(1)
            let told = run.arrived(run.routes(run.sends(moved(1)), contact(1, .moved)))
            run.audit.take(
                .lost(sequence: told.sequence, kind: .touches, from: run.server, to: .app(1), at: run.now, .fault))
            let second = run.sends(record(1, [], [.range, .touch]), landed(2))
            _ = run.routes(second, contact(1, .stationary), contact(2, .began))
            let receipt = Receipt(frame: told.sequence, outcome: .dropped, reason: .lostOnLink)
            let answer = run.fromApp.frame(.handled(receipt))
            run.step(run.app, .timerFired(TimerID(1)), [.send(answer, to: .systemServer)])
            let contacts = [contact(1, .cancelled), contact(2, phase)]
            let cancel = run.toApp.frame(.touches(TouchFrame(timeStamp: run.now, contacts: contacts)))
            run.step(run.server, .frame(answer, from: .app(1)), [.send(cancel, to: .app(1))])
            let found = run.finish().violations.contains {
                $0.law == .explainability && $0.text.contains("touch 2 cancelled")
            }
            #expect(found == (phase == .cancelled))
        }
    }

    @Test("I8: a receipt, a scan and a hello explain the cancels they bring about, and no others")
    func causesInFrames() {
        // The app's own receipt, when it says that it missed something or had no room.
        for (reason, cause) in [(Receipt.Reason.inboxFull, EndCause.inboxFull), (.lostOnLink, .gap), (.none, nil)]
            as [(Receipt.Reason, EndCause?)]
        {
            let run = TinyRun()
            run.lands(1)
            let move = run.sends(moved(1))
            let told = run.arrived(run.routes(move, contact(1, .moved)))
            if reason == .lostOnLink {
                run.audit.take(
                    .lost(
                        sequence: told.sequence, kind: .touches, from: run.server, to: .app(1), at: run.now, .fault))
            } else {
                run.step(run.app, .frame(told, from: .systemServer))
            }
            let receipt = Receipt(
                frame: told.sequence, outcome: reason == .none ? .delivered : .dropped, reason: reason)
            let answer = run.fromApp.frame(.handled(receipt))
            run.step(run.app, .timerFired(TimerID(1)), [.send(answer, to: .systemServer)])
            let cancel = run.toApp.frame(.touches(TouchFrame(timeStamp: run.now, contacts: [contact(1, .cancelled)])))
            run.step(run.server, .frame(answer, from: .app(1)), [.send(cancel, to: .app(1))])
            let found = run.finish().violations.filter { $0.law == .explainability }
            #expect(found.isEmpty == (cause != nil), "\(reason): \(found)")
        }
        // A scan: of a device that takes its finger back, leaves it out, or was opened anew.
        for (fingers, generation, isExplained) in [
            ([record(1, [.cancel, .touch], [])], 1, true), ([], 1, true), ([landed(2)], 2, true),
            ([moved(1)], 1, false),
        ] as [([DigitizerEvent], UInt32, Bool)] {
            let run = TinyRun()
            run.lands(1)
            let scan = run.sends(all: fingers, generation: generation)
            _ = run.routes(scan, contact(1, .cancelled))
            let found = run.finish().violations.filter { $0.law == .explainability }
            #expect(found.isEmpty == isExplained, "\(fingers.count) fingers, generation \(generation): \(found)")
        }
        // The hello of an app that is there already, and of one that was waited for.
        for isAwaited in [false, true] {
            let run = TinyRun()
            run.lands(1)
            if isAwaited { run.hears(.foreground(app: 2)) }
            var second = LinkNumbers(epoch: 0, generation: 1)
            var toSecond = LinkNumbers(epoch: 1, generation: 1)
            let hello = second.hello(credit: 32)
            toSecond.welcome(hello, epoch: 1)
            let cancel = run.toApp.frame(.touches(TouchFrame(timeStamp: run.now, contacts: [contact(1, .cancelled)])))
            run.step(
                run.server, .frame(hello, from: .app(2)),
                [.send(toSecond.answer(), to: .app(2)), .send(cancel, to: .app(1))])
            let found = run.finish().violations.filter { $0.law == .explainability }
            #expect(found.isEmpty == isAwaited, "\(found)")
        }
    }

    @Test("I8: touches that end with a server that knew it was stopped end by its lease")
    func lease() {
        let run = TinyRun()
        run.lands(1)
        run.audit.take(.ended(run.server, at: run.now, .exited(ExitStatus.leaseExpired)))
        run.step(run.app, .peerLost(.systemServer))
        let report = run.finish()
        #expect(report[.lease] == 1 && report[.serverLost] == 0)
    }

    @Test("I8: an app that dies, misses a frame or has no room ends its touches by that cause")
    func ownCauses() {
        var run = TinyRun()
        run.lands(1)
        run.audit.take(.ended(run.app, at: run.now, .signalled(9)))
        #expect(run.finish()[.appDied] == 1)
        run = TinyRun()
        run.lands(1)
        _ = run.routes(run.sends(moved(1)), contact(1, .moved))
        _ = run.handles(run.routes(run.sends(moved(1)), contact(1, .moved)))
        #expect(run.finish()[.gap] == 1)
        run = TinyRun()
        run.lands(1)
        let full = run.arrived(run.routes(run.sends(moved(1)), contact(1, .moved)))
        let receipt = Receipt(frame: full.sequence, outcome: .dropped, reason: .inboxFull)
        run.step(
            run.app, .frame(full, from: .systemServer),
            [.send(run.fromApp.frame(.handled(receipt)), to: .systemServer)])
        #expect(run.finish()[.inboxFull] == 1)
    }

    // MARK: I9, and what is kept

    @Test("I9: what somebody else has found is a violation like any other, and only the first are kept")
    func noted() {
        var options = AuditOptions.live
        options.kept = 2
        let run = TinyRun(options)
        for round in 0..<5 { run.audit.note(Violation(.determinism, "step \(round) differs", at: run.now)) }
        let report = run.finish()
        #expect(report.violations.map(\.text) == ["step 0 differs", "step 1 differs"])
        #expect(report.violationCount == 5 && report.violationsByLaw[8] == 5 && !report.isClean)
        // Of isolation nothing is known where nobody was measured while another was hurt.
        #expect(report.lawsJudged == Law.allCases.filter { $0 != .isolation })
    }

    private func expect(
        _ report: AuditReport, _ law: Law, _ text: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            report.violations.contains { $0.law == law && $0.text.contains(text) }, "\(report.violations)",
            sourceLocation: location)
    }
}
