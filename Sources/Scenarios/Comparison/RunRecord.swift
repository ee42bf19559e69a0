// RunRecord.swift: what a group did, without when: how often each fact was noted, how often each frame was sent.
//
// Fed by    occurrences and facts, of journals or of a World
// Feeds     Comparison
// Knows     what depends on timing alone, and leaves it out:
//           - facts of the stations process, loop and app: pids, starts, turns of a run loop
//           - facts of inbox, source1, source0 and queue: how often somebody woke, and what had come by then
//           - until when a recogniser is undecided, which its fact says
//           - control links, greetings, link words, rosters: how often one asks depends on how long the other takes
//
// Sources   invented

import Basics
import HID
import Hosting
import Trace
import Wire

struct RunRecord {
    /// `app1 gesture tap ended`, and how often.
    private(set) var facts: [String: Int] = [:]
    /// `input-kit → system-server digitizer`, and how often.
    private(set) var effects: [String: Int] = [:]

    /// What is the same however long anything takes, when a script leaves a frame of the display to each of its moves.
    static let stations: [Station] = [.device, .hid, .frame, .router, .event, .hitTest, .gesture, .responder, .action]
    static let kinds: [MessageKind] = [
        .digitizer, .device, .touches, .input, .lifeCycle, .handled, .open, .opened,
    ]

    mutating func take(_ lines: [TraceLine]) {
        for line in lines where Self.stations.contains(line.station) {
            facts["\(line.process) \(line.station.rawValue) \(withoutMoment(line.text))", default: 0] += 1
        }
    }

    mutating func take(_ step: Step) {
        for case .send(let frame, to: let peer) in step.effects
        where Self.kinds.contains(frame.message.kind) && isOfData(step.life.peer) && isOfData(peer) {
            effects["\(step.life.peer) → \(peer) \(frame.message.kind)", default: 0] += 1
            switch frame.message {
            case .open(let request): effects["\(step.life.peer) → \(peer) open \(request.url)", default: 0] += 1
            case .opened(let answer): effects["\(step.life.peer) → \(peer) \(answer.outcome)", default: 0] += 1
            case .handled(let receipt): effects["\(step.life.peer): receipts \(receipt.outcome)", default: 0] += 1
            case .touches(let touches):
                for contact in touches.contacts where contact.phase != .stationary {
                    effects["\(step.life.peer) → \(peer) touches \(contact.phase)", default: 0] += 1
                }
            default: break
            }
        }
    }

    /// `tap on V undecided until 312.000 ms`: the moment is that run's.
    private func withoutMoment(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count > 3, words[words.count - 3] == "until", words.last == "ms" else { return text }
        return words.dropLast(3).joined(separator: " ")
    }

    private func isOfData(_ peer: Peer) -> Bool { peer.role != .supervisor && peer.role != .controller }
}
