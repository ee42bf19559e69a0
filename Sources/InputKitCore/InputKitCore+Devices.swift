// InputKitCore+Devices.swift: scans of live devices for the server, and markers that wait for them.
//
// Station   frame
// Input     InputKitCore: messages about devices, credit, receipts, orders for markers
// Output    frames; reports of markers
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Wire

extension InputKitCore {
    // MARK: Markers

    /// Queues a marker, or refuses it if too many wait.
    mutating func queueMarker(_ id: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard sender.link.isOpen else { return refuse(id, "system-server is not connected", into: &outbox) }
        guard markers.append(id, behind: player.play?.order.id, ordinal: live.lastOrdinal, at: now) else {
            return refuse(id, "\(markers.count) of \(Markers.limit) markers wait already", into: &outbox)
        }
        reportReachedMarkers(at: now, into: &outbox)
    }

    /// Reports the markers that no scan and no play precedes any more.
    mutating func reportReachedMarkers(at now: Instant, into outbox: inout Outbox) {
        guard !markers.isEmpty else { return }
        let reached = markers.removeReached { live.isSent(upTo: $0) && unanswered.isEmpty(upTo: $0) }
        for id in reached { sendToSupervisor(.played(PlayReport(id: id)), into: &outbox) }
        markers.arm(waitLimit: Player.receiptWaitLimit, into: &outbox)
    }

    /// Refuses the markers that have waited for a receipt as long as a play would wait.
    mutating func refuseOverdueMarkers(at now: Instant, into outbox: inout Outbox) {
        for id in markers.removeOverdue(at: now, waitLimit: Player.receiptWaitLimit) {
            refuse(id, "\(unanswered.count) frames unanswered", into: &outbox)
        }
        markers.arm(waitLimit: Player.receiptWaitLimit, into: &outbox)
    }

    // MARK: Live devices

    /// Sends what can be sent after a device message, and arms the timer of the next deadline.
    mutating func liveDevicesChanged(at now: Instant, into outbox: inout Outbox) {
        // `sendLive` does not arm the timer when no scan waits.
        if !live.hasScans || !sender.link.isOpen {
            live.arm(into: &outbox)
        } else {
            sendLive(at: now, into: &outbox)
        }
    }

    /// Sends the waiting scans within the server's credit.
    ///
    /// - Parameter beyondCredit: Whether to ignore the credit, at the end of the process.
    mutating func sendLive(at now: Instant, beyondCredit: Bool = false, into outbox: inout Outbox) {
        guard live.hasScans, sender.link.isOpen else { return }
        var faults: [ContactFault] = []
        let waiting = now.advanced(byNanoseconds: -Player.receiptWaitLimit.nanoseconds)
        while live.hasScans, beyondCredit || sender.link.credit > 0 {
            let admission = Admission(
                unanswered: unanswered, credit: sender.link.credit, capacity: sender.link.capacity,
                since: waiting)
            // A fast panel reports often while its scan waits for a token.
            if !beyondCredit, admission.admitsAllMoves, live.waitForTokens(at: now) { break }
            let next = live.next(by: beyondCredit ? nil : admission, at: now, faults: &faults)
            guard let (event, ordinal) = next else { break }
            let sequence = send(event, at: now, into: &outbox)
            unanswered.append(sequence, ordinal: ordinal, of: event.senderID, at: now)
        }
        for fault in faults { sender.note(fault, at: now, into: &outbox) }
        counters.faults += UInt64(faults.count)
        // A scan without an event has no frame, so a marker does not wait for it.
        reportReachedMarkers(at: now, into: &outbox)
        live.arm(into: &outbox)
    }
}
