// RunRecord.swift: what a group did, without when: how often each fact was noted, how often each frame was sent.
//
// Fed by    occurrences and facts, of journals or of a World
// Feeds     Comparison
// Knows     what depends on timing alone, and leaves it out:
//           - facts of the stations process, loop and app: pids, starts, turns of a run loop
//           - facts of inbox, source1, source0 and queue: how often somebody woke, and what had come by then
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
    static let kinds: [MessageKind] = [.digitizer, .device, .touches, .input, .lifeCycle, .handled]

    mutating func take(_ lines: [TraceLine]) {
        for line in lines where Self.stations.contains(line.station) {
            facts["\(line.process) \(line.station.rawValue) \(line.text)", default: 0] += 1
        }
    }

    mutating func take(_ step: Step) {
        for case .send(let frame, to: let peer) in step.effects where Self.kinds.contains(frame.message.kind) {
            effects["\(step.life.peer) → \(peer) \(frame.message.kind)", default: 0] += 1
            switch frame.message {
            case .handled(let receipt): effects["\(step.life.peer): receipts \(receipt.outcome)", default: 0] += 1
            case .touches(let touches):
                for contact in touches.contacts where contact.phase != .stationary {
                    effects["\(step.life.peer) → \(peer) touches \(contact.phase)", default: 0] += 1
                }
            default: break
            }
        }
    }
}
