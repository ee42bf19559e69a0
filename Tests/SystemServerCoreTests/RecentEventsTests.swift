// The search for the frame of a receipt in the history, compared with a search through all of it.

import Basics
import HID
import Hosting
import Testing
import Wire

@testable import SystemServerCore

@Suite("The history of recent frames")
struct RecentEventsTests {
    private let app = AppID(1)

    private func events(_ history: RecentEvents) -> RecentElements<RecentEvent>? { history.apps[app]?.events }

    private func moment(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

    private func receipt(of sequence: SequenceNumber, _ milliseconds: Int) -> Input {
        var receipt = Receipt(frame: sequence, outcome: .delivered)
        receipt.moved = 1
        return .frame(Frame(epoch: 1, generation: 1, sequence: 1, message: .handled(receipt)), from: .app(app))
    }

    @Test("a receipt settles its frame and no other, after lost links, gaps and other receipts", arguments: 1...40)
    func search(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var history = RecentEvents()
        var next = SequenceNumber(1)
        for step in 0..<400 {
            let now = moment(step)
            switch chance.next() % 16 {
            case 0:
                // The link opens again: its numbers restart at 1, or continue 300 later.
                history.recordLoss(of: app, at: now)
                next = SequenceNumber(chance.next() % 2 == 0 ? 1 : next.rawValue + 300)
                history.recordSent(.hello, as: next, to: app, at: now)
            case 1: history.recordSent(.lifeCycle(.didBecomeActive), as: next, to: app, at: now)
            case 2: history.recordSent(.screenshot, as: next, to: app, at: now)
            case 3..<10:
                history.recordSent(.touches(TouchFrame(timeStamp: now, contacts: [])), as: next, to: app, at: now)
            default:
                guard let before = events(history), before.count > 0 else { continue }
                let asked = next.rawValue > 120 ? next.rawValue - chance.next() % 120 : chance.next() % 130
                let sequence = SequenceNumber(asked)
                let expected = (0..<before.count).first {
                    before[back: $0].sequence == sequence && before[back: $0].isUnanswered
                }
                history.record(receipt(of: sequence, step), at: now)
                for back in 0..<before.count {
                    var event = before[back: back]
                    if back == expected { (event.fate, event.settledAt) = (.delivered, now) }
                    #expect(events(history)?[back: back] == event)
                }
                continue
            }
            next = next.next
        }
    }
}
