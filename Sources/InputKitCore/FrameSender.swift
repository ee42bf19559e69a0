// FrameSender.swift: puts events on the link to the server, and notes them.
//
// Station   frame
// Input     InputKitCore: events of devices and plays
// Output    frames, by their sequence numbers; facts of stations device and hid
// Knows     the link. Not whose event it is.
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

struct FrameSender: Sendable {
    var link: Link
    private(set) var count: UInt64 = 0
    /// When a finger of which no scan tells anything stops being a reason to stay awake.
    private(set) var restsAt = Instant.boot
    private var facts = ScanFacts()
    private let probes: Bool
    /// Whether facts may say which keys are pressed: `trace.keys`.
    private let saysKeys: Bool

    private static let rest = Duration.seconds(2)

    init(generation: UInt32, probes: Bool, saysKeys: Bool) {
        link = Link(.client, generation: generation)
        (self.probes, self.saysKeys) = (probes, saysKeys)
    }

    /// Sends one scan. Its ledger begins with the device's time stamp.
    ///
    /// - Returns: Its sequence number, by which its receipt will name it.
    mutating func send(_ event: HIDEvent, at now: Instant, into outbox: inout Outbox) -> SequenceNumber {
        count += 1
        restsAt = now.advanced(by: Self.rest)
        facts.note(event, number: count, at: now, into: &outbox.trace)
        return send(.digitizer(event), stamped: event.timeStamp, at: now, into: &outbox)
    }

    /// Sends one input other than touches.
    mutating func send(_ event: DeviceEvent<DigitizerSpace>, at now: Instant, into outbox: inout Outbox)
        -> SequenceNumber
    {
        count += 1
        outbox.trace.note(now, .device, "{a:n}", outbox.trace.name(event.input.text(sayingKeys: saysKeys)))
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
