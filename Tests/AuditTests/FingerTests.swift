import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@Suite("The audit of contacts")
struct FingerTests {
    @Test("the audit finds a landing that the server did not deliver")
    func swallowedLanding() {
        for (reason, outcome, began) in [
            (Receipt.Reason.nothingNew, Receipt.Outcome.dropped, 0), (.landedOnNothing, .dropped, 0),
            (.none, .home, 1), (.none, .delivered, 1),
        ] as [(Receipt.Reason, Receipt.Outcome, UInt16)] {
            let run = TinyRun()
            run.drops(run.sends(landed(1)), reason, outcome: outcome, began: began)
            let report = run.finish()
            expect(report, .conservation, "contact 1 of device 1 began, and its owner app1 did not receive it")
            expect(report, .conservation, "scan #2 is answered, and 1 of its recipients have not answered")
        }
    }

    @Test("the audit finds a second landing missing from an app's frame")
    func swallowedSecond() {
        let run = TinyRun()
        let down = run.sends(landed(1), landed(2))
        run.settles(run.handles(run.routes(down, contact(1, .began)), began: 1), of: down)
        expect(run.finish(), .conservation, "app1 received 1 contacts, expected 2 of scan #2")
    }

    @Test("the audit finds a lift that is missing or changed to cancelled")
    func swallowedEnd() {
        var run = TinyRun()
        run.lands(1)
        run.drops(run.sends(lifted(1)), .ignoredUntilLift)
        expect(run.finish(), .oneTerminal, "contact 1 of device 1 ended, and its owner app1 did not receive it")
        run = TinyRun()
        run.lands(1)
        let up = run.sends(lifted(1))
        run.settles(run.handles(run.routes(up, contact(1, .cancelled)), ended: 1), of: up)
        expect(run.finish(), .explainability, "app1 received touch 1 cancelled, expected contact 1 of device 1 ended")
    }

    @Test("the audit knows from acts which landings belong to no app")
    func inFront() {
        for (acts, reason, outcome, began) in [
            ([.home], .none, .home, 1), ([.interrupt], .none, .home, 1), ([.lock], .landedOnNothing, .dropped, 0),
            ([.interrupt, .home, .resume], .none, .home, 1), ([.lock, .interrupt], .landedOnNothing, .dropped, 0),
            ([.foreground(app: 2), .home], .none, .home, 1), ([.alert], .none, .home, 1),
            ([.display(isOn: false)], .landedOnNothing, .dropped, 0), ([.suspend(app: 1)], .none, .home, 1),
            ([.keyboard(height: Fixed(400))], .none, .home, 1),
            ([.overlay(app: 1, frame: Rect(x: 0, y: 0, width: 50, height: 50))], .none, .home, 1),
        ] as [([SystemAct], Receipt.Reason, Receipt.Outcome, UInt16)] {
            let run = TinyRun()
            for act in acts { run.serverReceives(act) }
            run.drops(run.sends(landed(1)), reason, outcome: outcome, began: began)
            #expect(run.finish().violations.map(\.text) == [], "\(acts)")
        }
        let uncovered: [[SystemAct]] = [
            [], [.interrupt, .resume], [.lock, .unlock], [.home, .foreground(app: 1)], [.foreground(app: 2)],
            [.alert, .interrupt, .resume], [.split(app: 1, with: 2)], [.keyboard(height: Fixed(300))],
            [.overlay(app: 1, frame: Rect(x: 150, y: 300, width: 50, height: 50))],
            [.display(isOn: false), .display(isOn: true)],
        ]
        for acts in uncovered {
            let run = TinyRun()
            for act in acts { run.serverReceives(act) }
            run.taps(1)
            #expect(run.finish().violations.map(\.text) == [], "\(acts)")
        }
    }

    @Test("the audit knows from declared windows which landings go home")
    func windows() {
        for (frame, isItsOwn) in [
            (Rect<SceneSpace>(x: 0, y: 300, width: 375, height: 50), true),
            (Rect(x: 0, y: 0, width: 375, height: 50), false),
        ] {
            let run = TinyRun()
            run.declares(WindowsDiff(number: 1, isWhole: true, changes: [.set(SceneWindow(id: 1, frame: frame))]))
            if isItsOwn { run.taps(1) } else { run.drops(run.sends(landed(1)), .none, outcome: .home, began: 1) }
            #expect(run.finish().violations.map(\.text) == [])
        }
        let run = TinyRun()
        run.declares(WindowsDiff(number: 1, isWhole: true, changes: []))
        let down = run.sends(landed(1))
        run.settles(run.handles(run.routes(down, contact(1, .began)), began: 1), of: down)
        expect(run.finish(), .conservation, "app1 received touch 1 began without a contact or an act as the cause")
    }

    @Test("the audit finds a landing in a scene its app never received")
    func unplaced() {
        var options = AuditOptions.live
        options.screen = ScreenGeometry(width: 375, height: 667, rotation: 0)
        let frame = Rect<DisplaySpace>(x: 100, y: 300, width: 200, height: 200)
        for isTold in [true, false] {
            let run = TinyRun(options)
            var state = SceneState(frame: frame, scale: Fixed(2), acknowledgedDeclaration: 0)
            if !isTold { state.frame.x = .zero }
            let scene = run.toApp.frame(.scene(state))
            run.serverReceives(.overlay(app: 1, frame: frame), [.send(scene, to: .app(1))])
            _ = run.fromApp.accept(scene)
            run.step(run.app, .frame(scene, from: .systemServer))
            let down = run.sends(landed(1))
            let told = run.routes(down, contact(1, .began, x: 87.5, y: 33.5))
            run.settles(run.handles(told, began: 1), of: down)
            let report = run.finish()
            if isTold {
                #expect(report.violations.map(\.text) == [])
            } else {
                expect(report, .conservation, "the scene last sent to app1 is 200×200 at 0,300")
            }
        }
    }

    @Test("the audit finds a touch sent to another app than its owner")
    func wrongApp() {
        let run = TinyRun()
        run.serverReceives(.home)
        let down = run.sends(landed(1))
        run.settles(run.handles(run.routes(down, contact(1, .began)), began: 1), of: down)
        expect(run.finish(), .conservation, "app1 received touch 1 began without a contact or an act as the cause")
    }

    @Test("the audit finds a touch at a wrong position")
    func wrongPlace() {
        for (x, isFound) in [(187.5, false), (188.5, true)] {
            var options = AuditOptions.live
            options.screen = ScreenGeometry(width: 375, height: 667, rotation: 0)
            let run = TinyRun(options)
            let down = run.sends(landed(1))
            let told = run.routes(down, contact(1, .began, x: x, y: 333.5))
            run.settles(run.handles(told, began: 1), of: down)
            let report = run.finish()
            if isFound {
                expect(report, .conservation, "touch 1 at 188.5,333.5, expected contact 1 of device 1 at 187.5,333.5")
            } else {
                #expect(report.violations.map(\.text) == [])
            }
        }
    }

    @Test("the audit finds a scan's receipt with wrong counts")
    func miscounted() {
        let run = TinyRun()
        let down = run.sends(landed(1))
        var answer = run.handles(run.routes(down, contact(1, .began)), began: 1)
        let heard = answer
        guard case .handled(var receipt) = answer.message else { return }
        (receipt.frame, receipt.moved) = (down.sequence, 1)
        answer = run.toInputKit.frame(.handled(receipt), ledger: run.arrived(answer).ledger)
        run.step(run.server, .frame(run.arrived(heard), from: .app(1)), [.send(answer, to: .inputKit)])
        expect(
            run.finish(), .conservation,
            "the receipt for scan #2 says delivered, 1 began, 1 moved, expected delivered, 1 began")
    }

    @Test("the audit accepts dropped moves only beyond the in-flight limit")
    func overLimit() {
        for (limit, isFound) in [(1, false), (2, true)] {
            var options = AuditOptions.live
            (options.group.inFlightLimit, options.isAtRest) = (limit, false)
            let run = TinyRun(options)
            run.lands(1)
            _ = run.routes(run.sends(moved(1)), contact(1, .moved))
            run.drops(run.sends(moved(1)), .overLimit)
            let report = run.finish()
            if isFound {
                expect(report, .conservation, "contact 1 of device 1 moved, and its owner app1 did not receive it")
            } else {
                #expect(report.violations.map(\.text) == [])
            }
        }
    }

    @Test("the audit finds frames that leave a full window out of order")
    func waiting() {
        for isToldInOrder in [true, false] {
            let run = TinyRun(window: 1)
            let down = run.sends(landed(1))
            let first = run.routes(down, contact(1, .began))
            // The app has as many frames as its credit allows.
            let (move, up) = (run.sends(moved(1)), run.sends(lifted(1)))
            for scan in [move, up] {
                _ = run.toInputKit.accept(scan)
                run.step(run.server, .frame(run.arrived(scan), from: .inputKit))
            }
            let answer = run.handles(first, began: 1)
            _ = run.toApp.accept(answer)
            let next =
                isToldInOrder
                ? run.touchesEffect(contact(1, .moved), of: move) : run.touchesEffect(contact(1, .ended), of: up)
            run.step(run.server, .frame(run.arrived(answer), from: .app(1)), [next])
            let found = run.finish().violations.filter { $0.text.contains("app1 received") }
            #expect(found.isEmpty == isToldInOrder, "\(found)")
        }
    }

    /// A credit window of one, and a device whose clock stands still: contacts 1 and 2 move, 2 lifts, and input-kit
    /// dies. All of it waits for longer than a move may.
    private func waitsTooLong(_ run: TinyRun) -> (asked: Frame, move: Frame, up: Frame) {
        run.deviceTime = run.now
        let asked = run.routes(run.sends(landed(1), landed(2)), contact(1, .began), contact(2, .began))
        let (move, up) = (run.sends(moved(1), moved(2)), run.sends(moved(1), lifted(2)))
        for scan in [move, up] {
            _ = run.toInputKit.accept(scan)
            run.step(run.server, .frame(run.arrived(scan), from: .inputKit))
        }
        run.step(run.server, .peerLost(.inputKit))
        run.now = run.now.advanced(by: .milliseconds(300))
        return (asked, move, up)
    }

    @Test("the audit knows a stale move from the lift behind it")
    func leftOut() {
        for (isTold, isEndRight) in [(false, true), (true, true), (false, false)] {
            var options = AuditOptions.live
            options.isAtRest = false
            let run = TinyRun(options, window: 1)
            let (asked, move, up) = waitsTooLong(run)
            let answer = run.handles(asked, began: 2)
            _ = run.toApp.accept(answer)
            let ended = contact(2, isEndRight ? .ended : .cancelled)
            let next =
                isTold
                ? run.touchesEffect(contact(1, .moved), contact(2, .moved), of: move)
                : run.touchesEffect(contact(1, .moved), ended, of: up)
            run.step(run.server, .frame(run.arrived(answer), from: .app(1)), [next])
            let found = run.finish().violations.map(\.text).filter { $0.contains("app1 received") }
            #expect(found.isEmpty == isEndRight, "\(found)")
        }
    }

    @Test("the audit finds a move in the window's reserve")
    func reserved() {
        enum Behind { case nothing, key, end }
        for (moves, behind, isFound) in [
            (3, .nothing, false), (4, .nothing, true), (4, .key, false), (4, .end, false),
        ] as [(Int, Behind, Bool)] {
            var options = AuditOptions.live
            (options.isAtRest, options.screen) = (false, ScreenGeometry(width: 375, height: 667, rotation: 0))
            let run = TinyRun(options, window: 4)
            let down = run.sends(landed(1))
            run.settles(run.handles(run.routes(down, contact(1, .began, x: 187.5, y: 333.5)), began: 1), of: down)
            let scans = (1..<moves).map { _ in run.sends(moved(1)) }
            let told = scans.map { run.routes($0, contact(1, .moved, x: 187.5, y: 333.5)) }
            let last = run.sends(moved(1))
            if behind == .end {
                // There is no room for the move. After the lift there is room for both.
                _ = run.toInputKit.accept(last)
                run.step(run.server, .frame(run.arrived(last), from: .inputKit))
                let up = run.sends(lifted(1))
                _ = run.toInputKit.accept(up)
                let move = run.touchesEffect(contact(1, .moved, x: 187.5, y: 333.5), of: last)
                run.step(run.server, .frame(run.arrived(up), from: .inputKit), [move])
            } else {
                _ = run.routes(last, contact(1, .moved, x: 187.5, y: 333.5))
            }
            let answer = run.handles(told[0], moved: 1)
            _ = run.toApp.accept(answer)
            let ledger = run.arrived(answer).ledger
            let receipt = Receipt(frame: scans[0].sequence, outcome: .delivered, moved: 1)
            var effects: [Effect] = [.send(run.toInputKit.frame(.handled(receipt), ledger: ledger), to: .inputKit)]
            let key = DeviceEvent<SceneSpace>(timeStamp: run.now, input: DeviceInput(.began, .key(.volumeUp)))
            if behind == .key { effects.append(.send(run.toApp.frame(.input(key)), to: .app(1))) }
            if behind == .end { effects.append(run.touchesEffect(contact(1, .ended, x: 187.5, y: 333.5))) }
            run.step(run.server, .frame(run.arrived(answer), from: .app(1)), effects)
            let found = run.finish().violations.filter { $0.law == .bounds }.map(\.text)
            let text = "app1 received a move as frame 4 of 4 unanswered; the last 1 are reserved for landings and lifts"
            #expect(found.contains { $0.hasPrefix(text) } == isFound, "\(moves) moves, \(behind): \(found)")
        }
    }

    @Test("the audit finds cancels that are kept although there is room")
    func taken() {
        for (window, isFound) in [(2, true), (1, false)] as [(UInt32, Bool)] {
            for isAct in [true, false] {
                var options = AuditOptions.live
                options.isAtRest = false
                let run = TinyRun(options, window: window)
                _ = run.routes(run.sends(landed(1)), contact(0, .began))
                if isAct { run.serverReceives(.interrupt) } else { run.step(run.server, .peerLost(.inputKit)) }
                let report = run.finish()
                if isFound {
                    expect(
                        report, .oneTerminal, "contact 1 of device 1 cancelled, and its owner app1 did not receive it")
                } else {
                    #expect(report.violations.map(\.text) == [])
                }
            }
        }
    }
}
