// Arrival.swift: the events that links report, in order, and the check of one packet.

import Basics
import Hosting
import Wire

/// One event of a link: a connection, a frame, a refusal or a loss.
enum Arrival: Sendable {
    case connected(Peer)
    case frame(Frame, from: Peer)
    case refused(Refusal)
    case lost(Peer)

    var input: Input {
        switch self {
        case .connected(let peer): .connected(peer)
        case .frame(let frame, let peer): .frame(frame, from: peer)
        case .refused(let refusal): .refused(refusal)
        case .lost(let peer): .peerLost(peer)
        }
    }
}

/// Decodes a packet and keeps the frames that this sender may send to this receiver.
///
/// A frame that the sender's role may not send becomes a refusal; the other frames of the packet are kept.
///
/// - Parameter welcome: Called once, before the first accepted frame.
/// - Returns: False if the packet does not decode; then `arrivals` gains one refusal.
@discardableResult
func decodePacket(
    _ packet: UnsafeRawBufferPointer, from sender: Peer, for receiver: Role, into arrivals: inout [Arrival],
    welcome: (inout [Arrival]) -> Void = { _ in }
) -> Bool {
    let frames: [Frame]
    do throws(WireError) {
        frames = try Frame.decode(packet: packet)
    } catch {
        arrivals.append(.refused(.malformed(sender, error)))
        return false
    }
    var isWelcome = false
    for frame in frames {
        guard frame.message.isAllowed(from: sender.role, to: receiver) else {
            arrivals.append(.refused(.forbidden(sender, frame.message.kind)))
            continue
        }
        if !isWelcome { welcome(&arrivals) }
        isWelcome = true
        arrivals.append(.frame(frame, from: sender))
    }
    return true
}

/// Encodes frames into packets, with as many frames in each packet as fit.
///
/// - Parameter moment: The time of the hand-over. Each frame with a ledger notes it.
/// - Parameter translate: Converts a frame's timestamps to the receiver's clock; nil if both ends use one clock.
func packets(
    of frames: [Frame], sentAt moment: Instant, translate: ((inout Frame) -> Void)? = nil, each hand: ([UInt8]) -> Void
) {
    var packet: [UInt8] = []
    // The frame of one touch is smaller than this.
    packet.reserveCapacity(min(Frame.packetLimit, 256 * frames.count))
    for var frame in frames {
        if frame.ledger.count > 0 { frame.ledger.append(moment) }
        translate?(&frame)
        let start = packet.count
        frame.encode(into: &packet)
        guard packet.count > Frame.packetLimit else { continue }
        hand(Array(packet[..<start]))
        packet.removeFirst(start)
    }
    if !packet.isEmpty { hand(packet) }
}
