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

/// The encoder of frames into packets. It keeps its memory from one packet to the next, so that a scan allocates none.
final class PacketWriter {
    /// The frames since the last packet.
    private var writer = ByteWriter()
    /// The last small packet. Mostly it is sent when the next one comes, which then takes the same memory.
    private var packet: [UInt8] = []
    /// The size of a small packet in bytes. A link keeps packets that wait, and larger memory would be lost to small ones.
    private static let smallSize = 1024

    deinit { writer.free() }

    /// Encodes frames into packets, with as many frames in each packet as fit.
    ///
    /// - Parameters:
    ///   - moment: The time of the hand-over. Each frame with a ledger notes it.
    ///   - translate: Converts a frame's timestamps to the receiver's clock; nil if both ends use one clock.
    ///   - hand: Receives each packet in order. It may not call this function.
    func write(
        _ frames: [Frame], sentAt moment: Instant, translate: ((inout Frame) -> Void)? = nil,
        each hand: ([UInt8]) -> Void
    ) {
        guard !frames.isEmpty else { return }
        writer.removeAll()
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
            guard writer.count > Frame.packetLimit, start > 0 else { continue }
            finishPacket(count: start, hand)
        }
        finishPacket(count: writer.count, hand)
    }

    private func finishPacket(count: Int, _ hand: ([UInt8]) -> Void) {
        let bytes = UnsafeRawBufferPointer(rebasing: writer.written[..<count])
        if count > Self.smallSize {
            hand([UInt8](bytes))
        } else {
            packet.removeAll(keepingCapacity: true)
            packet.append(contentsOf: bytes)
            hand(packet)
        }
        writer.removeFirst(count)
    }
}
