import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

/// The server begins at 1 ms: its frames at 100 Hz are at 11 ms, 21 ms, …
@Suite("The audit of display frames")
struct DisplayTests {
    private func run(resamples: Bool = false) -> TinyRun {
        var options = AuditOptions.live
        (options.group.display, options.group.resamples) = (100, resamples)
        options.screen = ScreenGeometry(width: 375, height: 667, rotation: 0)
        let run = TinyRun(options)
        let down = run.sends(landed(1))
        let told = run.routes(down, contact(1, .began, x: 187.5, y: 333.5))
        run.settles(run.handles(told, began: 1), of: down)
        return run
    }

    /// The server receives a scan and holds it.
    private func holds(_ run: TinyRun, _ x: Double, timer: Int64?) -> Frame {
        var finger = moved(1)
        finger.position.x = Fixed(x)
        let scan = run.sends(finger)
        _ = run.toInputKit.accept(scan)
        let arm = timer.map { [Effect.arm(TimerID(3), at: Instant(nanoseconds: $0 * 1_000_000))] } ?? []
        run.step(run.server, .frame(run.arrived(scan), from: .inputKit), arm)
        return scan
    }

    private func told(_ run: TinyRun, _ frame: TouchFrame, of scan: Frame) -> Effect {
        var ledger = run.arrived(scan).ledger
        ledger.append(run.now)
        return .send(run.toApp.frame(.touches(frame), ledger: ledger), to: .app(1))
    }

    private func expect(_ run: TinyRun, _ text: String, at location: SourceLocation = #_sourceLocation) {
        let found = run.finish().violations.map(\.text)
        #expect(found.contains { $0.contains(text) }, "\(found)", sourceLocation: location)
    }

    @Test("the audit finds held moves without a timer for their frame")
    func unarmed() {
        for (timer, isFound) in [(nil, true), (30, true), (21, false)] as [(Int64?, Bool)] {
            let run = self.run()
            _ = holds(run, 0.5, timer: timer)
            let found = run.finish().violations.filter { $0.text.contains("no timer is armed for it") }
            #expect(!found.isEmpty == isFound, "\(found) at \(run.now)")
        }
    }

    @Test("the audit finds moves sent before or missing at their frame")
    func early() {
        var run = self.run()
        let scan = run.sends(moved(1))
        _ = run.routes(scan, contact(1, .moved, x: 187.5, y: 333.5))
        expect(run, "app1 received touch 1 moved without a contact or an act as the cause")
        run = self.run()
        _ = holds(run, 0.5, timer: 21)
        run.pace = .milliseconds(10)
        run.step(run.server, .timerFired(TimerID(3)))
        expect(run, "contact 1 of device 1 moved, and its owner app1 did not receive it")
    }

    @Test("the audit finds a coalesced frame that lost its history")
    func lostWay() {
        for isWhole in [true, false] {
            let run = self.run()
            let first = holds(run, 0.4, timer: 21)
            let second = holds(run, 0.5, timer: nil)
            run.pace = .milliseconds(10)
            var frame = TouchFrame(timeStamp: run.now, contacts: [contact(1, .moved, x: 187.5, y: 333.5)])
            if isWhole, case .digitizer(let event) = first.message {
                let before = contact(1, .moved, x: Fixed(0.4).double * 375, y: 333.5)
                frame.history = [TouchFrame(timeStamp: event.value.timeStamp, contacts: [before])]
            }
            run.step(run.server, .timerFired(TimerID(3)), [told(run, frame, of: second)])
            let found = run.finish().violations.map(\.text).filter { $0.contains("coalesced scans, expected") }
            #expect(found.isEmpty == isWhole, "\(found)")
        }
    }

    @Test("the audit matches held moves by order when device time stands still")
    func standingClock() {
        var options = AuditOptions.live
        (options.group.display, options.isAtRest) = (100, false)
        let run = TinyRun(options, window: 1)
        run.deviceTime = run.now
        let down = run.sends(landed(1), landed(2))
        let asked = run.routes(down, contact(1, .began), contact(2, .began))
        func holds(_ fingers: DigitizerEvent..., timer: TimerID? = nil) -> Frame {
            let scan = run.sends(all: fingers)
            _ = run.toInputKit.accept(scan)
            let next = Instant(nanoseconds: (run.now.nanoseconds + 10_000_000) / 10_000_000 * 10_000_000 + 1_000_000)
            run.step(
                run.server, .frame(run.arrived(scan), from: .inputKit), timer.map { [.arm($0, at: next)] } ?? [])
            return scan
        }
        func shows() {
            run.now = Instant(nanoseconds: (run.now.nanoseconds + 10_000_000) / 10_000_000 * 10_000_000)
            run.step(run.server, .timerFired(TimerID(3)))
        }
        // The app answers nothing. The first move waits for the credit window, then the lift after it, then the later
        // moves.
        let first = holds(moved(1), moved(2), timer: TimerID(3))
        shows()
        _ = holds(moved(1), lifted(2))
        let before = holds(moved(1), timer: TimerID(3))
        shows()
        _ = holds(moved(1), timer: TimerID(3))
        // The app had no room. Held moves are queued behind waiting ones, the cancel behind those, and the first is
        // sent.
        let heard = run.arrived(asked)
        _ = run.fromApp.accept(heard)
        let loss = Receipt(frame: heard.sequence, outcome: .dropped, reason: .inboxFull)
        let answer = run.fromApp.frame(.handled(loss), ledger: heard.ledger, credit: 1)
        run.step(run.app, .frame(heard, from: .systemServer), [.send(answer, to: .systemServer)])
        _ = run.toApp.accept(answer)
        let effects = [
            (before, Receipt(frame: before.sequence, outcome: .delivered)),
            (down, Receipt(frame: down.sequence, outcome: .dropped, reason: .inboxFull)),
        ]
        .map { scan, receipt in
            Effect.send(run.toInputKit.frame(.handled(receipt), ledger: run.arrived(scan).ledger), to: .inputKit)
        }
        let told = run.touchesEffect(contact(1, .moved), contact(2, .moved), of: first)
        run.step(run.server, .frame(run.arrived(answer), from: .app(1)), effects + [told])
        #expect(run.finish().violations.map(\.text) == [])
    }

    @Test("the audit matches thinned histories by receipts when device time stands still")
    func thinned() {
        var options = AuditOptions.live
        (options.group.display, options.isAtRest) = (100, false)
        let run = TinyRun(options, window: 4)
        run.deviceTime = run.now
        func still(_ index: UInt32) -> DigitizerEvent { record(index, [], [.range, .touch]) }
        func holds(_ fingers: DigitizerEvent...) -> Frame {
            let scan = run.sends(all: fingers)
            _ = run.toInputKit.accept(scan)
            run.step(run.server, .frame(run.arrived(scan), from: .inputKit))
            return scan
        }
        // Three of four frames are not answered. The last is reserved for landings and lifts.
        _ = run.routes(run.sends(landed(1)), contact(1, .began))
        _ = run.routes(run.sends(still(1), landed(2)), contact(1, .stationary), contact(2, .began))
        _ = run.routes(
            run.sends(still(1), still(2), landed(3)), contact(1, .stationary), contact(2, .stationary),
            contact(3, .began))
        let scans = (0..<360).map { _ in holds(moved(1), moved(2), moved(3)) }
        run.now = Instant(nanoseconds: (run.now.nanoseconds + 10_000_000) / 10_000_000 * 10_000_000)
        run.step(run.server, .timerFired(TimerID(3)))
        let next = holds(moved(1), moved(2), moved(3))
        // A contact lifts. The held moves are merged into the waiting ones, which are sent before the lift.
        let up = run.sends(still(1), still(2), lifted(3))
        _ = run.toInputKit.accept(up)
        let last = scans[scans.count - 1]
        let merged = run.toInputKit.frame(
            .handled(Receipt(frame: last.sequence, outcome: .delivered)), ledger: run.arrived(last).ledger)
        let contacts = [1, 2, 3].map { contact($0, .moved) }
        var frame = TouchFrame(timeStamp: run.now, contacts: contacts)
        let sample = TouchFrame(timeStamp: run.deviceTime!, contacts: contacts)
        frame.history = TouchList(repeatElement(sample, count: 200))
        run.step(
            run.server, .frame(run.arrived(up), from: .inputKit),
            [.send(merged, to: .inputKit), told(run, frame, of: next)])
        let found = run.finish().violations.filter { $0.law == .conservation }.map(\.text)
        #expect(found == [])
    }

    @Test("the audit computes resampled positions itself")
    func resampled() throws {
        for (x, isFound) in [(0.45, true), (0.0, false)] {
            let run = self.run(resamples: true)
            run.pace = .milliseconds(2)
            let first = holds(run, 0.25, timer: 21)
            let second = holds(run, 0.5, timer: nil)
            guard case .digitizer(let one) = first.message, case .digitizer(let two) = second.message else { return }
            // 5 ms before the frame at 31 ms lies after both samples: the position is half of their interval further,
            // or that moment.
            run.now = Instant(nanoseconds: 29_000_000)
            let distance = one.value.timeStamp.duration(to: two.value.timeStamp)
            let at = two.value.timeStamp.advanced(
                by: min(distance / 2, two.value.timeStamp.duration(to: run.now) - .milliseconds(3)))
            let part = Int64(two.value.timeStamp.duration(to: at).nanoseconds)
            let (from, to) = (Fixed(0.25 * 375), Fixed(0.5 * 375))
            let way = (Int64(to.rawValue) - Int64(from.rawValue)) * part / distance.nanoseconds
            let right = Fixed(rawValue: to.rawValue + Int32(way))
            let place = isFound ? Fixed(x * 375) : right
            var frame = TouchFrame(timeStamp: at, contacts: [contact(1, .moved, x: place.double, y: 333.5)])
            for (event, x) in [(one, from), (two, to)] {
                frame.history.append(
                    TouchFrame(timeStamp: event.value.timeStamp, contacts: [contact(1, .moved, x: x.double, y: 333.5)]))
            }
            run.step(run.server, .timerFired(TimerID(3)), [told(run, frame, of: second)])
            let found = run.finish().violations.map(\.text).filter { $0.contains("app1 received") }
            #expect(!found.isEmpty == isFound, "\(found)")
        }
    }
}
