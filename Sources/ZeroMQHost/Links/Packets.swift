// Packets.swift: the check of a received packet, and the packets of frames to send.
//
// Input     links: bytes; ZeroMQHost: the core's frames for one peer
// Output    inputs for the core; bytes
//
// Sources   invented

import Basics
import Hosting
import Wire

/// Decodes a packet and keeps the frames that this sender may send to this receiver.
///
/// A frame that the sender's role may not send becomes a refusal; the other frames of the packet are kept.
///
/// - Returns: False if the packet does not decode; then `arrivals` gains one refusal.
@discardableResult
func decodePacket(
    _ packet: UnsafeRawBufferPointer, from sender: Peer, for receiver: Role, into arrivals: inout [Input]
) -> Bool {
    let first = arrivals.count
    do throws(WireError) {
        try Frame.decode(packet: packet) { frame in
            let kind = frame.message.kind
            guard kind.isAllowed(from: sender.role, to: receiver) else {
                return arrivals.append(.refused(.forbidden(sender, kind)))
            }
            arrivals.append(.frame(frame, from: sender))
        }
        return true
    } catch {
        arrivals.removeSubrange(first...)
        arrivals.append(.refused(.malformed(sender, error)))
        return false
    }
}

/// Decodes a packet that may begin a link, as `decodePacket` without `welcome` does.
///
/// - Parameter welcome: Called once if a frame is accepted. What it appends comes before that frame.
func decodePacket(
    _ packet: UnsafeRawBufferPointer, from sender: Peer, for receiver: Role, into arrivals: inout [Input],
    welcome: (inout [Input]) -> Void
) {
    let first = arrivals.count
    decodePacket(packet, from: sender, for: receiver, into: &arrivals)
    let firstAccepted = arrivals[first...].firstIndex { if case .frame = $0 { true } else { false } }
    guard let firstAccepted else { return }
    let accepted = arrivals[firstAccepted...]
    arrivals.removeSubrange(firstAccepted...)
    welcome(&arrivals)
    arrivals += accepted
}

/// Encodes frames into packets, with as many frames in each packet as fit.
///
/// - Parameter moment: The time of the hand-over. Each frame with a ledger notes it.
/// - Parameter translate: Converts a frame's timestamps to the receiver's clock; nil if both ends use one clock.
func packets(
    of frames: [Frame], sentAt moment: Instant, translate: ((inout Frame) -> Void)? = nil, each hand: ([UInt8]) -> Void
) {
    guard !frames.isEmpty else { return }
    // The frame of one touch is smaller than this.
    let capacity = min(Frame.packetLimit, 256 * frames.count)
    var writer = ByteWriter(capacity: capacity)
    for index in frames.indices {
        let start = writer.count
        if let translate {
            var frame = frames[index]
            if frame.ledger.count > 0 { frame.ledger.append(moment) }
            translate(&frame)
            frame.encode(into: &writer)
        } else {
            frames[index].encode(into: &writer, sentAt: moment)
        }
        guard writer.count > Frame.packetLimit else { continue }
        let bytes = writer.finish()
        hand(Array(bytes[..<start]))
        writer = ByteWriter(into: Array(bytes[start...]), capacity: capacity)
    }
    hand(writer.finish())
}
