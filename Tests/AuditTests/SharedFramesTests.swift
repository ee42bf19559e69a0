import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@Suite("The audit of scans that share a frame")
struct SharedFramesTests {
    /// A run in which finger 1 moves three times in one frame of input-kit.
    private final class SharedRun {
        let run = TinyRun()
        let scans: Frame

        init() {
            run.lands(1)
            let time = run.now
            let events = [0.2, 0.3, 0.4].map { scan([moved(1, $0, 0.5)], at: time) }
            scans = run.fromInputKit.frame(.scans(ScanList(events)), ledger: Ledger(device: run.now))
            run.step(run.inputKit, .timerFired(TimerID(2)), [.send(scans, to: .systemServer)])
        }

        /// The server receives the scans and sends `count` of them to the app in one frame.
        func routes(_ count: Int) -> Frame {
            let arrived = run.arrived(scans)
            _ = run.toInputKit.accept(arrived)
            var ledger = arrived.ledger
            ledger.append(run.now)
            let moves = (0..<count).map { _ in
                TouchFrame(timeStamp: scans.ledger[.device]!, contacts: [contact(1, .moved)])
            }
            let message: Message = count == 1 ? .touches(moves[0]) : .severalTouches(TouchList(moves))
            let frame = run.toApp.frame(message, ledger: ledger)
            run.step(run.server, .frame(arrived, from: .inputKit), [.send(frame, to: .app(1))])
            return frame
        }

        /// The app answers, and the server passes the answer on.
        func answers(_ frame: Frame, moved: UInt16, coalesced: UInt16, told: UInt16? = nil) {
            let arrived = run.arrived(frame)
            var ledger = arrived.ledger
            ledger.append(run.now)
            var receipt = Receipt(frame: frame.sequence, outcome: .delivered, moved: moved)
            receipt.coalesced = coalesced
            _ = run.fromApp.accept(arrived)
            let answer = run.fromApp.frame(.handled(receipt), ledger: ledger, credit: 32)
            run.step(run.app, .frame(arrived, from: .systemServer), [.send(answer, to: .systemServer)])
            _ = run.toApp.accept(answer)
            (receipt.frame, receipt.coalesced) = (scans.sequence, told ?? coalesced)
            let passed = run.toInputKit.frame(.handled(receipt), ledger: ledger)
            run.step(run.server, .frame(answer, from: .app(1)), [.send(passed, to: .inputKit)])
            run.step(run.inputKit, .frame(passed, from: .systemServer))
        }
    }

    @Test("I4: a shared frame whose scans reach the app, with one receipt, is clean")
    func whole() {
        let shared = SharedRun()
        shared.answers(shared.routes(3), moved: 3, coalesced: 0)
        let report = shared.run.finish()
        #expect(report.violations.map(\.text) == [])
        #expect(report.scans.injected == 2 && report.scans[.delivered] == 2 && report.scans.isExact)
    }

    @Test("I4: the audit finds a scan of a shared frame that its app did not receive")
    func missing() {
        for count in 1...2 {
            let shared = SharedRun()
            shared.answers(shared.routes(count), moved: UInt16(count), coalesced: 0)
            expect(
                shared.run.finish(), .conservation,
                "contact 1 of device 1 moved, and its owner app1 did not receive it")
        }
    }

    @Test("I4: the audit finds a receipt with a wrong number of merged moves")
    func wrongCount() {
        let shared = SharedRun()
        shared.answers(shared.routes(3), moved: 3, coalesced: 0, told: 1)
        expect(shared.run.finish(), .conservation, "the receipt for scan #3 says delivered, 3 moved")
    }

    @Test("I3: the audit finds a scan of a shared frame that moves a finger which is not down")
    func illegal() {
        let run = TinyRun()
        run.lands(1)
        let events = [scan([moved(1)], at: run.now), scan([moved(1), moved(2)], at: run.now)]
        let frame = run.fromInputKit.frame(.scans(ScanList(events)), ledger: Ledger(device: run.now))
        run.step(run.inputKit, .timerFired(TimerID(2)), [.send(frame, to: .systemServer)])
        expect(run.finish(), .legality, "device 1, finger 2: goes on or ends, though it is not down")
    }
}
