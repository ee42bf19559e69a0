import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@Suite("The audit of the ends of touches")
struct TouchEndTests {
    // MARK: I1

    @Test("I1: the audit finds an app whose receipt omits an end")
    func swallowedEnd() {
        let run = TinyRun()
        run.lands(1)
        let up = run.sends(lifted(1))
        run.settles(run.handles(run.routes(up, contact(1, .ended)), moved: 1), of: up)
        expect(run.finish(), .oneTerminal, "handled 0 and 0")
    }

    @Test("I1: the audit finds an app's report with wrong contacts down")
    func sayingWhatIsDown() {
        for (said, isFound) in [(1, false), (0, true), (2, true)] {
            let run = TinyRun()
            run.lands(1)
            run.appReports(fingersDown: said, held: 0)
            run.liftsAndSettles(1)
            #expect(run.finish().violations.isEmpty == !isFound)
        }
    }

    @Test("I1: the audit finds an app that keeps touches without its server")
    func keptWithoutServer() {
        for (kept, isFound) in [(0, false), (1, true)] {
            let run = TinyRun()
            run.lands(1)
            run.step(run.app, .peerLost(.systemServer))
            run.appReports(fingersDown: kept, held: 0)
            let report = run.finish()
            #expect(report.violations.contains { $0.text.contains(" down (") } == isFound)
        }
    }

    @Test("I1: after a gap an app owes only touches it saw begin")
    func afterGap() {
        for handled in [0, 1] as [UInt16] {
            let run = TinyRun()
            run.lands(1)
            // The app never receives this move. It lets go of touch 1 and ignores its end.
            let lost = run.routes(run.sends(moved(1)), contact(1, .moved))
            run.audit.add(
                .lost(sequence: lost.sequence, kind: .touches, from: run.server, to: .app(1), at: run.now, .fault))
            let both = run.sends(landed(2), moved(1))
            _ = run.handles(run.routes(both, contact(2, .began), contact(1, .moved)), began: 1)
            let up = run.sends(lifted(1), moved(2))
            _ = run.handles(run.routes(up, contact(1, .ended), contact(2, .moved)), moved: 1, ended: handled)
            let found = run.finish().violations.filter { $0.text.contains("and handled") }
            #expect(found.isEmpty == (handled == 0), "\(found)")
        }
    }

    @Test("I1: the audit finds a touch that continues after its end")
    func endedTwice() {
        for phase in [ContactPhase.ended, .moved] {
            let run = TinyRun()
            run.taps(1)
            let down = run.sends(landed(1))
            run.settles(run.handles(run.routes(down, contact(1, phase)), ended: phase == .ended ? 1 : 0), of: down)
            expect(run.finish(), .oneTerminal, "touch 1: goes on or ends, though it is not down")
        }
    }

    @Test("I1: the audit finds a touch left alive without a contact")
    func leftAlive() {
        let run = TinyRun()
        run.lands(1)
        #expect(run.finish().violations == [])
        run.drops(run.sends(lifted(1)), .ignoredUntilLift)
        expect(run.finish(), .oneTerminal, "app1 never received the end of touch 1; 0 contacts are down")
    }

    // MARK: I2

    @Test("I2: the audit finds a late end unless its app was disturbed")
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

    @Test("I2: the audit finds an app that learns late of server loss")
    func lateLoss() {
        let run = TinyRun()
        run.lands(1)
        run.audit.add(.ended(run.server, at: run.now, .signalled(9)))
        run.now = run.now.advanced(by: .milliseconds(400))
        run.step(run.app, .peerLost(.systemServer))
        let report = run.finish()
        expect(report, .promptness, "app1.1 noticed the server's end after 401.000 ms")
        #expect(report[.serverLost] == 1)
    }

    @Test("I2: the audit finds a late loss although another server runs")
    func lateLossBehindSuccessor() {
        for isLate in [false, true] {
            let run = TinyRun()
            run.lands(1)
            run.audit.add(.ended(run.server, at: run.now, .signalled(9)))
            // A short disturbance that was over long before.
            run.audit.disturb(
                AuditOptions.Disturbance(from: run.now, until: run.now.advanced(by: .milliseconds(5)), peer: .app(1)))
            run.server = ProcessInstance(.systemServer, epoch: 2, generation: 2)
            run.audit.add(.began(run.server, at: run.now.advanced(by: .milliseconds(60))))
            run.now = run.now.advanced(by: .milliseconds(isLate ? 400 : 200))
            run.step(run.app, .peerLost(.systemServer))
            let report = run.finish()
            if isLate {
                expect(report, .promptness, "app1.1 noticed the server's end after 401.000 ms")
            } else {
                #expect(report.violations.map(\.text) == [])
            }
        }
    }

    @Test("I2: a disturbance excuses a delay by its own length only")
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

    @Test("I2: the audit finds a server that misses an app's end")
    func lateAppLoss() {
        for hears in [true, false] {
            let run = TinyRun()
            run.lands(1)
            run.audit.add(.ended(run.app, at: run.now, .signalled(9)))
            run.now = run.now.advanced(by: .milliseconds(400))
            run.step(run.server, hears ? .peerLost(.app(1)) : .timerFired(TimerID(1)))
            expect(
                run.finish(), .promptness,
                hears ? "the server noticed app1's end after 401" : "system-server has not noticed app1's end for 401"
            )
        }
    }

    // MARK: I8

    @Test("I8: the audit finds a cancel that no input explains")
    func causes() {
        let act = Frame(epoch: 1, generation: 1, sequence: 1, message: .act(.interrupt))
        let resume = Frame(epoch: 1, generation: 1, sequence: 1, message: .act(.resume))
        for (input, cause): (Input, EndCause?) in [
            (.frame(act, from: .supervisor), .act), (.peerLost(.inputKit), .inputKitLost),
            (.frame(resume, from: .supervisor), nil), (.timerFired(TimerID(1)), nil), (.peerLost(.app(2)), nil),
            (.refused(.notOnRoster(pid: 7, uid: 7)), nil), (.stopRequested, nil),
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
                expect(report, .explainability, "touch 1 is cancelled without a reason in the step")
            }
        }
    }

    @Test("I8: the audit finds a cancel of touches begun after a loss")
    func laterFingers() {
        for phase in [TouchContact.Phase.stationary, .cancelled] {
            let run = TinyRun()
            run.lands(1)
            let told = run.arrived(run.routes(run.sends(moved(1)), contact(1, .moved)))
            run.audit.add(
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

    @Test("I8: receipts, scans and hellos explain only the cancels they cause")
    func causesInFrames() {
        // The app's own receipt, which says that it missed a frame or had no room.
        for (reason, cause) in [(Receipt.Reason.inboxFull, EndCause.inboxFull), (.lostOnLink, .gap), (.none, nil)]
            as [(Receipt.Reason, EndCause?)]
        {
            let run = TinyRun()
            run.lands(1)
            let move = run.sends(moved(1))
            let told = run.arrived(run.routes(move, contact(1, .moved)))
            if reason == .lostOnLink {
                run.audit.add(
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
        // A scan: of a device that cancels its contact, omits it, or was reopened.
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
        // The hello of an app that is running already, and of one that was awaited.
        for isAwaited in [false, true] {
            let run = TinyRun()
            run.lands(1)
            if isAwaited { run.serverReceives(.foreground(app: 2)) }
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

    @Test("I8: touches that end with an expired lease have that cause")
    func lease() {
        let run = TinyRun()
        run.lands(1)
        run.audit.add(.ended(run.server, at: run.now, .exited(ExitStatus.leaseExpired)))
        run.step(run.app, .peerLost(.systemServer))
        let report = run.finish()
        #expect(report[.lease] == 1 && report[.serverLost] == 0)
    }

    @Test("I8: an app's death, gap or full inbox ends its touches")
    func ownCauses() {
        var run = TinyRun()
        run.lands(1)
        run.audit.add(.ended(run.app, at: run.now, .signalled(9)))
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
}
