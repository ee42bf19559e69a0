import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@Suite("The audit of touch monitors")
struct TouchMonitorTests {
    private func run() -> TinyRun {
        var options = AuditOptions.live
        options.screen = ScreenGeometry(width: 375, height: 667, rotation: 0)
        let run = TinyRun(options)
        run.hears(.monitor(TouchMonitorRequest(id: 1, .begin(TouchMonitorInterest()))), telling: .begun, 1)
        return run
    }

    private let touch = TouchID(rawValue: 0)

    private func scan(_ phase: ContactPhase, of owner: TouchOwner, at moment: Instant) -> TouchMonitorPage.Content {
        .scan(MonitoredScan(timeStamp: moment, device: 1, contacts: [MonitoredContact(touch, phase, of: owner)]))
    }

    /// A contact lands, its app receives it, and the monitor receives `news`.
    private func lands(_ run: TinyRun, _ news: (Instant) -> [TouchMonitorPage.Content]) {
        let down = run.sends(landed(1))
        let told = run.routes(
            down, [TouchContact(touch: touch, phase: .began, at: Point(187.5, 333.5))],
            monitoring: news(down.ledger[.device]!), from: 2)
        run.settles(run.handles(told, began: 1), of: down)
    }

    @Test("the audit finds missing, invented and wrong pages of a monitor")
    func shown() {
        for (news, law, text) in [
            ([.app(1)], nil, ""), ([], .conservation, "monitor 1 did not receive page 2, 0 omitted before it: touch 0"),
            ([.app(1), .app(1)], .conservation, "and no page is due"),
            ([.app(2)], .conservation, "expected monitor 1 to receive page 2"),
        ] as [([TouchOwner], Law?, String)] {
            let run = run()
            lands(run) { moment in news.map { scan(.began, of: $0, at: moment) } }
            let report = run.finish()
            guard let law else {
                #expect(report.violations.map(\.text) == [])
                continue
            }
            expect(report, law, text)
        }
    }

    @Test("the audit finds a pilfered touch that its app keeps")
    func taken() {
        for isTold in [true, false] {
            let run = run()
            lands(run) { [scan(.began, of: .app(1), at: $0)] }
            let place = TouchContact(touch: touch, phase: .cancelled, at: Point(187.5, 333.5))
            let cancel = run.touchesEffect(place)
            run.hears(
                .monitor(TouchMonitorRequest(id: 1, .answer(touch, .yes))), telling: .verdict(touch, .taken), 3,
                besides: isTold ? [cancel] : [])
            if isTold { run.hearsOfEnd(cancel) }
            let report = run.finish()
            if isTold {
                #expect(report.violations.map(\.text) == [])
                #expect(report[.touchMonitor] == 1)
            } else {
                expect(report, .oneTerminal, "contact 1 of device 1 cancelled, and its owner app1 did not receive it")
            }
        }
        let run = run()
        lands(run) { [scan(.began, of: .app(1), at: $0)] }
        run.hears(.monitor(TouchMonitorRequest(id: 2, .answer(touch, .yes))), telling: .verdict(touch, .taken), 3)
        expect(run.finish(), .conservation, "monitor 1 received page 3")
    }

    @Test("the audit finds more pages than a monitor has room for")
    func window() {
        let run = run()
        lands(run) { [scan(.began, of: .app(1), at: $0)] }
        for number in 3...60 as ClosedRange<UInt64> {
            // Verdicts use a reserve that scans may not use.
            run.hears(
                .monitor(TouchMonitorRequest(id: 1, .answer(TouchID(rawValue: 99), .yes))),
                telling: .verdict(TouchID(rawValue: 99), .unknown), number)
        }
        #expect(run.finish().violations.map(\.text) == [])
        let move = run.sends(moved(1))
        _ = run.routes(
            move, [TouchContact(touch: touch, phase: .moved, at: Point(187.5, 333.5))],
            monitoring: [scan(.moved, of: .app(1), at: move.ledger[.device]!)], from: 61)
        expect(run.finish(), .conservation, "and no page is due")
    }
}

extension TinyRun {
    /// The server receives a monitor's message from the supervisor, and sends the page for it.
    fileprivate func hears(
        _ message: Message, telling news: TouchMonitorPage.Content, _ number: UInt64, besides effects: [Effect] = []
    ) {
        let page = Frame(
            epoch: 1, generation: 1, sequence: 1, message: .monitorPage(TouchMonitorPage(id: 1, number: number, news)))
        step(
            server, .frame(Frame(epoch: 1, generation: 1, sequence: 1, message: message), from: .supervisor),
            effects + [.send(page, to: .supervisor)])
    }

    /// The app receives the cancel of a touch, and the server its receipt.
    fileprivate func hearsOfEnd(_ cancel: Effect) {
        guard case .send(let frame, to: _) = cancel else { return }
        let answer = handles(frame, ended: 1)
        _ = toApp.accept(answer)
        step(server, .frame(answer, from: .app(1)))
    }

    /// The server receives a scan, and sends it to the app and to the monitor.
    fileprivate func routes(
        _ scan: Frame, _ contacts: [TouchContact], monitoring news: [TouchMonitorPage.Content], from number: UInt64
    ) -> Frame {
        let scan = arrived(scan)
        _ = toInputKit.accept(scan)
        var ledger = scan.ledger
        ledger.append(now)
        let frame = toApp.frame(.touches(TouchFrame(timeStamp: now, contacts: contacts)), ledger: ledger)
        let pages = news.enumerated().map { index, news in
            Effect.send(
                Frame(
                    epoch: 1, generation: 1, sequence: 1,
                    message: .monitorPage(TouchMonitorPage(id: 1, number: number + UInt64(index), news))),
                to: .supervisor)
        }
        step(server, .frame(scan, from: .inputKit), [.send(frame, to: .app(1))] + pages)
        return frame
    }
}
