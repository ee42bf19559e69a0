// LiveTouches.swift: the live touches of one app, as the server's frames have reported them.
//
// Station   inbox
// Input     InputDelivery: each touch frame, in order; the loss of the link
// Output    frames without the touches that are ignored until lift; the cancels of all live touches
// Knows     touches. No link, no view.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, law I1, faults F2 and F6

import Basics
import HID
import Wire

/// The touches that are down by the server's last reports, in order of landing.
struct LiveTouches {
    private(set) var contacts: [TouchContact] = []

    /// Updates the live touches from a frame.
    mutating func update(with frame: TouchFrame) {
        for contact in frame.contacts {
            let index = contacts.firstIndex { $0.touch == contact.touch }
            switch contact.phase {
            case .began:
                if let index { contacts.remove(at: index) }
                contacts.append(contact)
            case .moved, .stationary:
                if let index { contacts[index] = contact }
            case .ended, .cancelled:
                if let index { contacts.remove(at: index) }
            }
        }
    }

    private func isKnown(_ contact: TouchContact) -> Bool {
        contact.phase == .began || contacts.contains { $0.touch == contact.touch }
    }

    /// Whether the frame has touches that are ignored until lift: those without an observed landing, and those cancelled
    /// here.
    func hasIgnoredTouches(_ frame: TouchFrame) -> Bool { !frame.contacts.allSatisfy(isKnown) }

    /// Whether one of the scans has no touches, or touches that are ignored until lift.
    func hasEmptyFrameOrIgnoredTouches(_ several: TouchList) -> Bool {
        several.parts.contains { $0.contacts.isEmpty || !$0.contacts.allSatisfy(isKnown) }
    }

    /// Removes the touches that are ignored until lift.
    func removingIgnoredTouches(from frame: TouchFrame) -> TouchFrame {
        guard hasIgnoredTouches(frame) else { return frame }
        var known = TouchFrame(timeStamp: frame.timeStamp, contacts: frame.contacts.filter(isKnown))
        known.history = TouchList(
            frame.history.lazy.map { earlier in
                TouchFrame(timeStamp: earlier.timeStamp, contacts: earlier.contacts.filter(isKnown))
            })
        return known
    }

    /// Cancels every touch at its last position and removes it; nil if there is none.
    mutating func cancelAll(at now: Instant) -> TouchFrame? {
        guard !contacts.isEmpty else { return nil }
        defer { contacts.removeAll(keepingCapacity: true) }
        return TouchFrame(
            timeStamp: now,
            contacts: contacts.map { contact in
                var contact = contact
                contact.phase = .cancelled
                return contact
            })
    }
}
