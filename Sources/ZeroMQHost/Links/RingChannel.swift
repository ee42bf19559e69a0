// RingChannel.swift: packets between two processes of a group through shared memory (CSystem/ring.h).
//
// Input     ServerLink and PeerListener: packets to send; the host: the bell, and the wait before a sleep
// Output    packets, copied out of the shared memory; a contradiction in it, which ends the link
// Knows     one ring, one bell. No frames, no clock.
//
//     send ─▶ lane ─▶ receive            lane full ─▶ pending ─▶ retry
//       └─ bell, if the reader sleeps ─▶ epoll of the reader ─▶ wake
//
// A channel is awake until its host sleeps: it is read in each turn, and its writer rings no bell. The host calls
// `sleep` before it waits. After that a packet rings the bell once.
//
// Sources   invented, after Docs/Decisions/Ring.md

import CSystem
import Glibc
import Wire

/// One end of a ring.
final class RingChannel {
    enum Reception {
        /// The bytes are valid until the next call.
        case packet(UnsafeRawBufferPointer)
        case nothing
        /// The other end has written what no process of the group writes. Nothing more can be received or sent.
        case broken(WireError)
    }

    enum SendResult: Equatable {
        case done
        /// The other end does not read, and more packets wait here than may.
        case unread
        case broken(WireError)
    }

    /// The end of a ring that a process holds, which decides the lane that it writes.
    enum End: Int32 {
        case server = 0
        case client = 1
    }

    /// Packets kept while the lane is full; as for a link over ZeroMQ.
    static let pendingLimit = 256
    /// The smallest packets that a lane holds.
    static let packetsInLane = Int(ring_capacity) / 16
    /// Sleeps after which the signals of the bell are taken. Each sleep permits one signal, and the pipe has room for
    /// many times as many.
    private static let sleepsPerClearing = 64

    /// The number of the ring within the group, with which the host watches its bell.
    let number: UInt32
    let token: RingToken
    /// The process at the other end, as the supervisor names it.
    let peer: Peer
    private var end: ring_end
    /// This end's bell, and the one of the other end.
    private let bell: Descriptor
    private let peerBell: Descriptor
    private let buffer: UnsafeMutableRawBufferPointer
    private var pending: [[UInt8]] = []
    private var sleeps = 0
    private(set) var isAwake = true
    /// Whether the bell has rung since the last packet.
    private var isRung = false
    private(set) var isOpen = true
    /// The bytes that are still received; nil for no limit.
    private var lastBytes: Int?
    var isEnding: Bool { lastBytes != nil }

    /// Opens this process's end of a ring.
    ///
    /// - Throws: `HostError` if the grant carries no memory that is sealed and has a ring's size.
    init(_ grant: RingGrant, as side: End) throws(HostError) {
        (number, token, peer) = (grant.number, grant.token, grant.peer)
        let memory = try grant.takeDescriptor()
        let bell = try grant.takeDescriptor()
        let peerBell = try grant.takeDescriptor()
        end = ring_end()
        guard ring_open(&end, memory.number, side.rawValue) == 0 else {
            throw .system(call: "ring_open", subject: "the ring of \(grant.peer)", errno: errno)
        }
        self.bell = bell
        self.peerBell = peerBell
        buffer = .allocate(byteCount: Int(ring_packet_limit), alignment: 8)
    }

    deinit {
        ring_close(&end)
        buffer.deallocate()
    }

    /// The descriptor of the bell, which epoll reports once for each signal.
    var descriptor: Int32 { bell.number }

    // MARK: Receiving

    /// Receives the next packet.
    func receive() -> Reception {
        guard isOpen, lastBytes.map({ $0 > 0 }) ?? true else { return .nothing }
        var count = 0
        switch ring_outcome(UInt32(ring_read(&end, buffer.baseAddress, &count))) {
        case ring_done:
            isRung = false
            if let left = lastBytes { lastBytes = left - count }
            return .packet(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case ring_not_now: return .nothing
        default: return .broken(fault)
        }
    }

    /// Receives no more bytes from now on than a lane holds: everything that was written before now, and at most a lane of
    /// what the other end writes later.
    func endReceiving() { lastBytes = min(lastBytes ?? .max, Int(ring_capacity)) }

    /// Notes that the bell has rung: the channel is read again in each turn.
    func wake() {
        (isAwake, isRung) = (true, true)
    }

    /// Whether the bell rang and no packet has been received since; false from then on.
    ///
    /// The packet may have been received just before its signal. More such signals than packets are no process's of the
    /// group.
    func removeEmptySignal() -> Bool {
        defer { isRung = false }
        return isRung
    }

    /// Prepares the host's wait.
    ///
    /// - Returns: Whether the host may wait; false if there is a packet, or a contradiction that the next receive finds.
    func sleep() -> Bool {
        guard isOpen else { return true }
        if sleeps == Self.sleepsPerClearing {
            sleeps = 0
            _ = ring_bell_clear(bell.number)
        }
        guard ring_sleep(&end) == 1 else { return false }
        sleeps += 1
        isAwake = false
        return true
    }

    /// What the other end's values contradict, with the limit.
    private var fault: WireError {
        let value = end.fault_value
        let (count, limit) = (Int(clamping: value), Int(clamping: end.fault_limit))
        return switch ring_fault(UInt32(end.fault)) {
        case ring_fault_waiting: .tooLong("ring: bytes waiting", count: count, limit: limit)
        case ring_fault_taken: .tooLong("ring: bytes taken", count: count, limit: limit)
        case ring_fault_length where value > 0: .tooLong("ring: bytes of a packet", count: count, limit: limit)
        case ring_fault_length: .badValue("ring: bytes of a packet", value)
        case ring_fault_cut: .tooLong("ring: bytes up to a packet's end", count: count, limit: limit)
        default: .badValue("ring: a position", value)
        }
    }

    // MARK: Sending

    /// Sends a packet, or keeps it while the lane is full.
    func send(_ bytes: [UInt8]) -> SendResult {
        guard isOpen else { return .done }
        if pending.isEmpty {
            switch sendNow(bytes) {
            case .packetSent: return .done
            case .full: break
            case .broken: return .broken(fault)
            }
        }
        pending.append(bytes)
        return pending.count > Self.pendingLimit ? .unread : .done
    }

    /// Whether packets wait for room in the lane. The reader does not report that there is room, so the host retries.
    var hasPending: Bool { !pending.isEmpty }

    func retry() -> SendResult {
        var sent = 0
        defer { pending.removeFirst(sent) }
        for bytes in pending {
            switch sendNow(bytes) {
            case .packetSent: sent += 1
            case .full: return .done
            case .broken: return .broken(fault)
            }
        }
        return .done
    }

    private enum Transfer { case packetSent, full, broken }

    private func sendNow(_ bytes: [UInt8]) -> Transfer {
        precondition(bytes.count <= Int(ring_packet_limit), "a packet of \(bytes.count) bytes")
        guard !bytes.isEmpty else { return .packetSent }
        switch ring_outcome(UInt32(ring_write(&end, bytes, bytes.count))) {
        case ring_done: return .packetSent
        case ring_done_wake:
            ring_bell(peerBell.number)
            return .packetSent
        case ring_not_now: return .full
        default: return .broken
        }
    }

    /// Stops both directions.
    func close() {
        isOpen = false
        pending.removeAll()
    }
}
