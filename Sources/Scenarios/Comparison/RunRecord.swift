// RunRecord.swift: a run without its times: the counts of facts and of frames.
//
// Input     occurrences and facts, of journals or of a World
// Output    Comparison
// Knows     the facts and frames that depend on timing alone, and omits them:
//           - facts of the stations process, loop and app: pids, starts, turns of a run loop
//           - facts of inbox, source1, source0 and queue: the number of wakes, and the frames that had arrived by then
//           - the time until which a recognizer is undecided, in its fact
//           - control links, hellos, link messages, rosters: their number depends on the delays of answers
//
// Sources   invented

import Basics
import HID
import Hosting
import Trace
import Wire

/// The counts of one run.
struct RunRecord {
    /// The number of each fact: `app1 gesture tap ended`.
    private(set) var facts: [String: Int] = [:]
    /// The number of each frame: `input-kit → system-server digitizer`.
    private(set) var effects: [String: Int] = [:]

    /// The stations whose facts do not depend on delays, if a script leaves each of its moves a display frame.
    static let stations: [Station] = [.device, .hid, .frame, .router, .event, .hitTest, .gesture, .responder, .action]
    static let kinds: [MessageKind] = [
        .digitizer, .scans, .device, .touches, .severalTouches, .input, .lifeCycle, .handled, .open, .opened,
    ]

    mutating func count(_ noted: [ResolvedFact]) {
        for fact in noted where Self.stations.contains(fact.station) {
            facts["\(fact.process) \(fact.station.rawValue) \(withoutMoment(fact.text))", default: 0] += 1
        }
    }

    mutating func count(_ step: Step) {
        for case .send(let frame, to: let peer) in step.effects
        where Self.kinds.contains(frame.message.kind) && isOnDataLinks(step.process.peer) && isOnDataLinks(peer) {
            effects["\(step.process.peer) → \(peer) \(frame.message.kind)", default: 0] += 1
            switch frame.message {
            case .open(let request): effects["\(step.process.peer) → \(peer) open \(request.url)", default: 0] += 1
            case .opened(let answer): effects["\(step.process.peer) → \(peer) \(answer.outcome)", default: 0] += 1
            case .handled(let receipt): effects["\(step.process.peer): receipts \(receipt.outcome)", default: 0] += 1
            case .touches(let touches): count(touches, of: step.process.peer, to: peer)
            case .severalTouches(let several):
                for touches in several { count(touches, of: step.process.peer, to: peer) }
            default: break
            }
        }
    }

    private mutating func count(_ touches: TouchFrame, of sender: Peer, to receiver: Peer) {
        for contact in touches.contacts where contact.phase != .stationary {
            effects["\(sender) → \(receiver) touches \(contact.phase)", default: 0] += 1
        }
    }

    /// Removes the moment from `tap on V undecided until 312.000 ms`, because it depends on the run.
    private func withoutMoment(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count > 3, words[words.count - 3] == "until", words.last == "ms" else { return text }
        return words.dropLast(3).joined(separator: " ")
    }

    private func isOnDataLinks(_ peer: Peer) -> Bool { peer.role != .supervisor && peer.role != .controller }
}
