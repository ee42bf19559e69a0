// FrameSender.swift: sends events on the link to the server, and notes them in the trace.
//
// Station   frame
// Input     InputKitCore: events of devices and plays
// Output    frames, by their sequence numbers; facts of stations device, hid and frame
// Knows     the link. Not the device of an event.
//
// Sources   invented

package import Basics
package import HID
package import Hosting
package import Links
import Trace
package import Wire

/// The sending end of the link to the server.
package struct FrameSender: Sendable {
    package var link: Link
    private(set) var count: UInt64 = 0
    /// The time from which contacts without scans no longer keep the suspension detector watching.
    private(set) var watchesUntil = Instant.boot
    private var facts = ScanFacts()
    /// The last scan that was sent in a frame of its own. Mostly its frame is gone when the next scan comes, which then
    /// takes the same memory.
    private var scan: Boxed<HIDEvent>?
    private let probes: Bool
    /// Whether facts may name pressed keys: `trace.keys`.
    private let tracesKeys: Bool

    private static let watchDuration = Duration.seconds(2)

    package init(generation: UInt32, probes: Bool, tracesKeys: Bool) {
        link = Link(.client, generation: generation)
        (self.probes, self.tracesKeys) = (probes, tracesKeys)
    }

    /// Sends one scan. Its ledger begins with the device's time stamp.
    ///
    /// - Returns: The sequence number, which the receipt will contain.
    package mutating func send(_ event: HIDEvent, at now: Instant, into outbox: inout Outbox) -> SequenceNumber {
        count += 1
        watchesUntil = now.advanced(by: Self.watchDuration)
        facts.note(event, number: count, at: now, into: &outbox.trace)
        if scan == nil { scan = Boxed(event) } else { scan!.replace(with: event) }
        return send(.digitizer(scan!), stamped: event.timeStamp, at: now, into: &outbox)
    }

    /// Sends scans that were due at the same time in one frame. Its ledger begins with the time stamp of the first one.
    ///
    /// - Parameter scans: At least one. The cores limit them to what fits into a frame (`Message.scansPerFrame`).
    /// - Returns: The sequence number, which the receipt for all of them will contain.
    mutating func send(_ scans: ScanList, at now: Instant, into outbox: inout Outbox) -> SequenceNumber {
        guard let first = scans.first else { preconditionFailure("a frame without a scan") }
        guard scans.count > 1 else { return send(first, at: now, into: &outbox) }
        watchesUntil = now.advanced(by: Self.watchDuration)
        if outbox.trace.isEnabled {
            for (index, event) in scans.enumerated() {
                facts.note(event, number: count + UInt64(index) + 1, at: now, into: &outbox.trace)
            }
        }
        count += UInt64(scans.count)
        return send(.scans(scans), stamped: first.timeStamp, at: now, into: &outbox)
    }

    /// Sends one input other than touches.
    package mutating func send(_ event: DeviceEvent<DigitizerSpace>, at now: Instant, into outbox: inout Outbox)
        -> SequenceNumber
    {
        count += 1
        outbox.trace.note(now, .device, "{a:n}", outbox.trace.intern(event.input.text(namingKeys: tracesKeys)))
        return send(.device(event), stamped: event.timeStamp, at: now, into: &outbox)
    }

    private mutating func send(
        _ message: InputKitToServer, stamped stamp: Instant, at now: Instant, into outbox: inout Outbox
    ) -> SequenceNumber {
        if probes { outbox.trace.probe(now, .device, "input emit") }
        let frame = link.frame(message.message, ledger: Ledger(device: stamp))
        outbox.append(.send(frame, to: .systemServer))
        return frame.sequence
    }

    mutating func note(_ fault: ContactFault, at now: Instant, into outbox: inout Outbox) {
        facts.note(fault, at: now, into: &outbox.trace)
    }
}
