import Basics
import HID
import Hosting
import Testing
import Wire

@testable import Scenarios

/// The clock of an app of another machine, from frames that two journals have.
@Suite("Journals of joined apps") struct JoinedReplayTests {
    private let offset: Int64 = 7_000_000_123

    private func frame(_ sequence: UInt64, epoch: UInt32 = 1, stamps: [Int64]) -> Frame {
        var ledger = Ledger()
        for stamp in stamps { ledger.append(Instant(nanoseconds: stamp)) }
        return Frame(
            epoch: epoch, generation: 1, sequence: SequenceNumber(sequence), ledger: ledger,
            message: .touches(TouchFrame(timeStamp: .boot, contacts: [])))
    }

    /// A group whose server sent frame 5 at 9 s to two apps.
    private func sent() -> FramesToJoinedApps {
        var frames = FramesToJoinedApps(besides: [1])
        let own = frame(5, stamps: [8_000_000_000, 8_000_000_010, 8_000_000_020])
        for peer in [Peer.systemServer, .inputKit] {
            frames.note(
                Step(
                    process: ProcessInstance(peer, epoch: 1, generation: 1), index: 0,
                    at: Instant(nanoseconds: 9_000_000_000), input: .started,
                    effects: [
                        .send(own, to: .app(9)), .send(own, to: .app(1)), .send(frame(6, stamps: []), to: .app(9)),
                    ]
                ))
        }
        return frames
    }

    private func shifted(_ frame: Frame, by count: Int64) -> Frame {
        var frame = frame
        frame.ledger.shift(byNanoseconds: count)
        return frame
    }

    @Test("one frame in two journals gives the offset of the clocks exactly")
    func anchor() {
        // The app's host received a stamp more: the time at which the server's host sent the frame.
        let received = shifted(
            frame(5, stamps: [8_000_000_000, 8_000_000_010, 8_000_000_020, 8_000_000_900]), by: -offset)
        let moment = Instant(nanoseconds: 1_000_000_000)
        guard case .anchor(let anchor) = sent().compare(received, receivedBy: 9, at: moment) else {
            Issue.record("no anchor")
            return
        }
        #expect(anchor.offset == offset && anchor.at == moment && anchor.sentAt == Instant(nanoseconds: 9_000_000_000))
    }

    @Test("a frame of another run, link or app does not fit")
    func foreign() {
        let frames = sent()
        let received = shifted(frame(5, stamps: [8_000_000_000, 8_000_000_010, 8_000_000_020]), by: -offset)
        var stretched = frame(5, stamps: [8_000_000_000, 8_000_000_010, 8_000_000_021])
        stretched.ledger.shift(byNanoseconds: -offset)
        let otherLink = shifted(frame(5, epoch: 2, stamps: [8_000_000_000, 8_000_000_010, 8_000_000_020]), by: -offset)
        for (frame, app) in [(stretched, AppID(9)), (otherLink, 9), (received, 1), (received, 8)] {
            guard case .foreign = frames.compare(frame, receivedBy: app, at: .boot) else {
                Issue.record("\(frame) fits app \(app)")
                continue
            }
        }
        guard case .withoutTimes = frames.compare(frame(6, stamps: []), receivedBy: 9, at: .boot) else {
            Issue.record("a frame without times has one")
            return
        }
    }
}
