// Packets.swift: the check of a received packet, and the packets of frames to send.
//
// Input     links: bytes; ZeroMQHost: the core's frames for one peer
// Output    inputs for the core; bytes
//
// Sources   invented

import Basics
import Hosting
import Wire

/// The decoder of the packets of one link, or of several for one receiver.
final class PacketDecoder {
    let receiver: Role
    private let memory = DecodingMemory()

    init(for receiver: Role) { self.receiver = receiver }

    /// Decodes a packet and keeps the frames that this sender may send to the receiver.
    ///
    /// A frame that the sender's role may not send becomes a refusal; the other frames of the packet are kept.
    ///
    /// - Parameter arrivals: Gains the frames and the refusals; one refusal if the packet does not decode.
    func decode(_ packet: UnsafeRawBufferPointer, from sender: Peer, into arrivals: inout [Input]) {
        let first = arrivals.count
        do throws(WireError) {
            try Frame.decode(packet: packet, in: memory) { frame in
                let kind = frame.message.kind
                guard kind.isAllowed(from: sender.role, to: receiver) else {
                    return arrivals.append(.refused(.forbidden(sender, kind)))
                }
                arrivals.append(.frame(frame, from: sender))
            }
        } catch {
            arrivals.removeSubrange(first...)
            arrivals.append(.refused(.malformed(sender, error)))
        }
    }

    /// Decodes a packet that may begin a link, as `decode` without `welcome` does.
    ///
    /// - Parameter welcome: Called once if a frame is accepted. What it appends comes before that frame.
    func decode(
        _ packet: UnsafeRawBufferPointer, from sender: Peer, into arrivals: inout [Input],
        welcome: (inout [Input]) -> Void
    ) {
        let first = arrivals.count
        decode(packet, from: sender, into: &arrivals)
        let firstAccepted = arrivals[first...].firstIndex { if case .frame = $0 { true } else { false } }
        guard let firstAccepted else { return }
        let accepted = arrivals[firstAccepted...]
        arrivals.removeSubrange(firstAccepted...)
        welcome(&arrivals)
        arrivals += accepted
    }
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
