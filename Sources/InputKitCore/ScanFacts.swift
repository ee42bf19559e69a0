// ScanFacts.swift: the facts about one scan: its contacts, its hand, its frame.
//
// Station   device, hid, frame
// Input     events and faults, from FrameSender
// Output    facts in the trace
//
// Sources   invented

import Basics
import HID
import Trace

/// The facts about scans.
struct ScanFacts: Sendable {
    /// The trace numbers of the texts for a frame, by contacts and phases. Each text is made once.
    private var sentences = [Int64](repeating: -1, count: (HIDEvent.fingerLimit + 1) * 32)
    /// The trace numbers of the names of a hand's mask, by the mask. Each text is made once.
    private var maskNames = [Int64](repeating: -1, count: 256)

    /// - Parameter number: The number of the scan on this link, from 1.
    mutating func note(_ event: HIDEvent, number: UInt64, at now: Instant, into trace: inout TraceLog) {
        guard trace.isEnabled else { return }
        var phases = 0
        for finger in event.fingers {
            let (contact, position) = (Int64(finger.index), finger.position)
            let (x, y) = (Int64(position.x.rawValue), Int64(position.y.rawValue))
            guard let phase = finger.phase else { continue }
            phases |= 1 << Int(phase.rawValue)
            switch phase {
            case .began: trace.note(now, .device, "contact {a} down at ({b:f}, {c:f})", contact, x, y)
            case .moved: trace.note(now, .device, "contact {a} moved to ({b:f}, {c:f})", contact, x, y)
            case .stationary: break
            case .ended: trace.note(now, .device, "contact {a} up at ({b:f}, {c:f})", contact, x, y)
            case .cancelled: trace.note(now, .device, "contact {a} cancelled at ({b:f}, {c:f})", contact, x, y)
            }
        }
        let (count, mask) = (Int64(event.fingers.count), names(of: event.hand.mask, &trace))
        if count == 1 {
            trace.note(now, .hid, "hand and 1 finger, mask {a:n}", mask)
        } else {
            trace.note(now, .hid, "hand and {b} fingers, mask {a:n}", mask, count)
        }
        trace.note(now, .frame, "#{a} {b:n}", Int64(clamping: number), sentence(event.fingers.count, phases, &trace))
    }

    /// `range|touch|position|identity`
    private mutating func names(of mask: DigitizerEventMask, _ trace: inout TraceLog) -> Int64 {
        let index = Int(mask.rawValue)
        // Masks of tracked contacts have no higher bits.
        guard maskNames.indices.contains(index) else { return trace.intern("\(mask)") }
        if maskNames[index] < 0 { maskNames[index] = trace.intern("\(mask)") }
        return maskNames[index]
    }

    /// `one contact, began` · `three contacts, moved and ended`
    private mutating func sentence(_ count: Int, _ phases: Int, _ trace: inout TraceLog) -> Int64 {
        let key = min(count, HIDEvent.fingerLimit) * 32 + phases
        if sentences[key] < 0 {
            let words = ["began", "moved", "stationary", "ended", "cancelled"].enumerated()
                .filter { phases & 1 << $0.offset != 0 }.map(\.element)
            let numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
            let number = numbers.indices.contains(count) ? numbers[count] : "\(count)"
            let contacts = count == 1 ? "one contact" : "\(number) contacts"
            sentences[key] = trace.intern("\(contacts), \(words.joined(separator: " and "))")
        }
        return sentences[key]
    }

    func note(_ fault: ContactFault, at now: Instant, into trace: inout TraceLog) {
        let contact = fault.contact
        switch fault.rule {
        case .neverBegan: trace.note(now, .device, "contact {a} of the device never landed: repaired", contact)
        case .beganTwice:
            trace.note(now, .device, "contact {a} of the device landed twice: the second landing is a move", contact)
        case .vanished:
            trace.note(
                now, .device, "contact {a} of the device is missing in a scan: its last position is kept", contact)
        case .twiceInScan: trace.note(now, .device, "contact {a} of the device is twice in one scan: repaired", contact)
        case .tooMany: trace.note(now, .device, "contact {a} of the device is beyond the limit: ignored", contact)
        }
    }
}
