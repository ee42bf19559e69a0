// PacketChannel.swift: the link between a supervisor and a child.
//
// It carries packets over an inherited SOCK_SEQPACKET pair, and the files and rings that a supervisor gives its child.

import Basics
import CSystem
import Glibc
import Hosting
import Wire

/// One end of the link between a supervisor and a child.
final class PacketChannel {
    /// Packets kept for an end that does not read. The traffic of controllers is far below this limit:
    /// `RequestQueue.limit` requests, an answer to each, and the pages of all touch monitors.
    private static let pendingLimit = 512

    /// The process at the other end.
    let peer: Peer
    private let socket: Descriptor
    private let decoder: PacketDecoder
    // One thread uses these values, and no call that changes one of them reaches it again: see ZeroMQHost.
    @exclusivity(unchecked) private var pending: [(bytes: [UInt8], granted: (any Granted)?)] = []
    @exclusivity(unchecked) private(set) var isOpen = true
    /// In a child: the files that the supervisor has opened for it and that are not taken yet, oldest first.
    private(set) var granted: [GrantedFile] = []
    private static let grantedLimit = 8
    /// In a child: the ends of rings that the supervisor has given it and that are not taken yet, oldest first.
    private var rings: [RingGrant] = []
    /// In a supervisor: the rings that the server has asked for.
    private var ringRequests: [RingRequest] = []
    /// Rings and requests kept; more than a group has apps.
    private static let ringLimit = 256

    init(_ socket: consuming Descriptor, to peer: Peer, for receiver: Role) {
        self.socket = socket
        (self.peer, decoder) = (peer, PacketDecoder(for: receiver))
    }

    var descriptor: Int32 { socket.number }

    /// Receives packets.
    ///
    /// - Returns: Whether there may be more packets. After the end of the link it is false, and so is `isOpen`.
    func drain(budget: Int, into arrivals: inout [Input]) -> Bool {
        for _ in 0..<budget {
            switch receive(into: &arrivals) {
            case .packet: continue
            case .nothing: return false
            case .end:
                close(into: &arrivals)
                return false
            }
        }
        return true
    }

    private enum TransferResult { case packet, nothing, end }

    private func receive(into arrivals: inout [Input]) -> TransferResult {
        guard isOpen else { return .nothing }
        return withUnsafeTemporaryAllocation(byteCount: Frame.packetLimit + 1, alignment: 8) { buffer in
            while true {
                var (carried, unwanted): (Int32, Int32) = (-1, 0)
                // Only a supervisor grants files. A descriptor that a child sends is not accepted.
                let count =
                    peer == .supervisor
                    ? system_packet_receive(socket.number, buffer.baseAddress, buffer.count, &carried, &unwanted)
                    : system_packet_receive(socket.number, buffer.baseAddress, buffer.count, nil, &unwanted)
                if count > 0 {
                    let packet = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    if unwanted != 0 {
                        let limit = peer == .supervisor ? 1 : 0
                        let error = WireError.tooLong("open files with a packet", count: limit + 1, limit: limit)
                        arrivals.append(.refused(.malformed(peer, error)))
                    } else if !takeDescriptor(carried, of: packet), !takeRequest(packet) {
                        decoder.decode(packet, from: peer, into: &arrivals)
                    }
                    return .packet
                }
                if count == 0 { return .end }
                switch errno {
                case EAGAIN: return .nothing
                case EINTR: continue
                default: return .end
                }
            }
        }
    }

    /// Keeps what a packet grants, and owns the descriptor that came with it.
    ///
    /// - Returns: False if the packet grants nothing.
    private func takeDescriptor(_ carried: Int32, of packet: UnsafeRawBufferPointer) -> Bool {
        guard carried >= 0 else { return false }
        if RingGrant.matches(packet) {
            guard let ring = RingGrant(packet: packet, carrying: carried) else { return false }
            rings.append(ring)
            if rings.count > Self.ringLimit { rings.removeFirst() }
            return true
        }
        guard let file = GrantedFile(packet: packet, carrying: carried) else { return false }
        granted.append(file)
        if granted.count > Self.grantedLimit { granted.removeFirst() }
        return true
    }

    /// Keeps the server's request for a ring. Beyond the limit requests are dropped, and these links stay on ZeroMQ.
    private func takeRequest(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard peer == .systemServer, decoder.receiver == .supervisor, let request = RingRequest(packet: packet) else {
            return false
        }
        if ringRequests.count < Self.ringLimit { ringRequests.append(request) }
        return true
    }

    /// Receives the launch order, the first packet on a link that has not been read from yet.
    ///
    /// - Throws: `HostError.badLaunch` if the link is closed or the first packet is no launch order.
    static func launchOrder(on socket: borrowing Descriptor) throws(HostError) -> LaunchOrder {
        var bytes = [UInt8](repeating: 0, count: Frame.packetLimit + 1)
        let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { throw .badLaunch(count == 0 ? "the link is closed" : systemText(errno)) }
        do throws(WireError) {
            let frames = try Frame.decode(packet: Array(bytes[..<count]))
            if frames.count == 1, case .launch(let order) = frames[0].message { return order }
        } catch {
            throw .badLaunch("\(error)")
        }
        throw .badLaunch("it was not the first thing said")
    }

    /// Receives the pass, the packet after the launch order.
    ///
    /// - Throws: `HostError.badLaunch` if the packet is no pass.
    static func pass(on socket: borrowing Descriptor) throws(HostError) -> Pass {
        var bytes = [UInt8](repeating: 0, count: Pass.packetSize + 1)
        let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        let reading = bytes.withUnsafeBytes { Pass.read(UnsafeRawBufferPointer(rebasing: $0[..<max(0, count)])) }
        if case .pass(let pass) = reading { return pass }
        throw .badLaunch("no pass came with it")
    }

    /// Removes and returns the latest granted file with this path.
    func removeGranted(_ path: String) -> GrantedFile? {
        granted.lastIndex { $0.path == path }.map { granted.remove(at: $0) }
    }

    /// Removes and returns the rings that the supervisor has given this process.
    func removeRings() -> [RingGrant] {
        defer { rings.removeAll() }
        return rings
    }

    /// Removes and returns the server's requests for rings.
    func removeRingRequests() -> [RingRequest] {
        defer { ringRequests.removeAll() }
        return ringRequests
    }

    /// Sends an open descriptor to the other end. A ring is dropped while the other end does not read: its memory would
    /// wait here.
    func grant(_ granted: any Granted, into arrivals: inout [Input]) {
        guard pending.isEmpty || !(granted is RingGrant) else { return }
        send(granted.packet, with: granted, into: &arrivals)
    }

    /// Sends a packet, or keeps it while the other end does not read.
    func send(_ bytes: [UInt8], with granted: (any Granted)? = nil, into arrivals: inout [Input]) {
        guard isOpen else { return }
        if pending.isEmpty {
            switch sendNow(bytes, with: granted) {
            case .packet: return
            case .nothing: break
            case .end:
                close(into: &arrivals)
                return
            }
        }
        pending.append((bytes, granted))
        if pending.count > Self.pendingLimit { close(into: &arrivals) }
    }

    var hasPending: Bool { !pending.isEmpty }

    func retry(into arrivals: inout [Input]) {
        while let next = pending.first {
            switch sendNow(next.bytes, with: next.granted) {
            case .packet: pending.removeFirst()
            case .nothing: return
            case .end: close(into: &arrivals)
            }
        }
    }

    private func sendNow(_ bytes: [UInt8], with granted: (any Granted)?) -> TransferResult {
        while true {
            if system_packet_send(socket.number, bytes, bytes.count, granted?.descriptor ?? -1) >= 0 { return .packet }
            switch errno {
            case EAGAIN: return .nothing
            case EINTR: continue
            // Too many descriptors are on their way for this user, or the kernel has no memory now. Without its ring a link
            // stays on ZeroMQ; anything else is sent later.
            case ETOOMANYREFS, ENOBUFS, ENOMEM: return granted is RingGrant ? .packet : .nothing
            default: return .end
            }
        }
    }

    /// Closes the link from this side and reports the loss once.
    func abandon(into arrivals: inout [Input]) {
        if isOpen { close(into: &arrivals) }
    }

    private func close(into arrivals: inout [Input]) {
        isOpen = false
        pending.removeAll()
        arrivals.append(.peerLost(peer))
    }
}
