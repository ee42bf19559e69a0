// Arrival.swift: what comes over links, in order; and a packet judged.

import Basics
import Hosting
import Wire

/// One thing a link has to say.
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

/// The frames of a packet that this sender may send us.
///
/// - Parameter welcome: Called once before the first of them.
/// - Returns: False when it was no packet at all.
@discardableResult
func judge(
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
        guard frame.message.mayGo(from: sender.role, to: receiver) else {
            arrivals.append(.refused(.forbidden(sender, frame.message.kind)))
            continue
        }
        if !isWelcome { welcome(&arrivals) }
        isWelcome = true
        arrivals.append(.frame(frame, from: sender))
    }
    return true
}

/// Frames as packets: as many in each as fit.
///
/// - Parameter moment: That of handing over, for the ledgers that are being kept.
/// - Parameter translate: Puts the moments in it as its receiver has them; nil where there is one clock.
func packets(
    of frames: [Frame], sentAt moment: Instant, translate: ((inout Frame) -> Void)? = nil, each hand: ([UInt8]) -> Void
) {
    var packet: [UInt8] = []
    // One finger's frame is less than this.
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

/// How many packets to take before handling them.
///
/// Whether there is a second one costs a system call. So a packet that comes alone is handled first and its
/// successor asked for afterwards, while those that come in bursts are all taken first, because what they lead to
/// then travels together.
struct Rhythm {
    private var isBurst = false

    mutating func limit(of budget: Int) -> Int {
        defer { isBurst = true }
        return isBurst ? budget : 1
    }

    /// The socket was found empty after so many.
    mutating func drained(_ taken: Int) { isBurst = taken > 1 }
}
