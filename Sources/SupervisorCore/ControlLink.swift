// ControlLink.swift: the numbers of the supervisor's frames on one link, to a child or to a controller.
//
// Station   process
// Input     ChildTable and ControlBroker: a message to send, the number of a frame that arrived
// Output    the frame to send
// Knows     two counters. The epoch and the generation belong to the group, and come with each message.
//
// Sources   invented

import Wire

/// The counters of one link.
struct ControlLink: Sendable {
    /// The link is a local socket that is read in order: more frames are never outstanding.
    private static let credit: UInt32 = 256

    private var sent = SequenceNumber.zero
    private var received = SequenceNumber.zero

    /// Notes the number of the peer's last frame, which the next frame from here acknowledges.
    mutating func acknowledge(upTo sequence: SequenceNumber) { received = sequence }

    mutating func frame(_ message: Message, epoch: UInt32, generation: UInt32) -> Frame {
        sent = sent.next
        return Frame(
            epoch: epoch, generation: generation, sequence: sent, ack: received, credit: Self.credit, message: message)
    }
}
