// PacketChannel.swift: the link between a supervisor and a child: packets over an inherited SOCK_SEQPACKET pair, and files that
// a supervisor has opened for its child.

import Basics
import CSystem
import Glibc
import Hosting
import Wire

final class PacketChannel {
    /// Packets kept for an end that does not read. What is sent for controllers is bounded far below it:
    /// `RequestQueue.limit` requests, and an answer to each; the pages of all spies.
    private static let pendingLimit = 512

    /// Who is at the other end.
    let peer: Peer
    private let socket: Descriptor
    private let receiver: Role
    private var pending: [(bytes: [UInt8], file: GrantedFile?)] = []
    private(set) var isOpen = true
    /// Of a child: what its supervisor has opened for it and nobody has taken yet, oldest first.
    private(set) var granted: [GrantedFile] = []
    private static let grantedLimit = 8

    init(_ socket: consuming Descriptor, to peer: Peer, for receiver: Role) {
        self.socket = socket
        (self.peer, self.receiver) = (peer, receiver)
    }

    var descriptor: Int32 { socket.number }

    /// Takes what has arrived.
    ///
    /// - Returns: Whether there may be more. After the end there is not, and `isOpen` is false.
    func drain(budget: Int, into arrivals: inout [Arrival]) -> Bool {
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

    private enum Received { case packet, nothing, end }

    private func receive(into arrivals: inout [Arrival]) -> Received {
        guard isOpen else { return .nothing }
        return withUnsafeTemporaryAllocation(byteCount: Frame.packetLimit + 1, alignment: 8) { buffer in
            while true {
                var (carried, unwanted): (Int32, Int32) = (-1, 0)
                // A supervisor grants files. A child grants nothing, and a descriptor of its own is not taken.
                let count =
                    peer == .supervisor
                    ? system_packet_receive(socket.number, buffer.baseAddress, buffer.count, &carried, &unwanted)
                    : system_packet_receive(socket.number, buffer.baseAddress, buffer.count, nil, &unwanted)
                if count > 0 {
                    let packet = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    let file = GrantedFile(packet: packet, carrying: carried)
                    if unwanted != 0 {
                        let limit = peer == .supervisor ? 1 : 0
                        let error = WireError.tooLong("open files with a packet", count: limit + 1, limit: limit)
                        arrivals.append(.refused(.malformed(peer, error)))
                    } else if let file {
                        granted.append(file)
                        if granted.count > Self.grantedLimit { granted.removeFirst() }
                    } else {
                        judge(packet, from: peer, for: receiver, into: &arrivals)
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

    /// The order that waits on a link nobody has read from yet.
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

    /// The pass that waits behind the order.
    static func pass(on socket: borrowing Descriptor) throws(HostError) -> Pass {
        var bytes = [UInt8](repeating: 0, count: Pass.packetSize + 1)
        let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        let reading = bytes.withUnsafeBytes { Pass.read(UnsafeRawBufferPointer(rebasing: $0[..<max(0, count)])) }
        if case .pass(let pass) = reading { return pass }
        throw .badLaunch("no pass came with it")
    }

    /// Takes what was granted and has this path, the latest.
    func takeGranted(_ path: String) -> GrantedFile? {
        granted.lastIndex { $0.path == path }.map { granted.remove(at: $0) }
    }

    /// Hands the other end an open file.
    func grant(_ file: GrantedFile, into arrivals: inout [Arrival]) { send(file.packet, with: file, into: &arrivals) }

    /// Hands a packet over, or keeps it while the other end does not read.
    func send(_ bytes: [UInt8], with file: GrantedFile? = nil, into arrivals: inout [Arrival]) {
        guard isOpen else { return }
        if pending.isEmpty {
            switch handOver(bytes, with: file) {
            case .packet: return
            case .nothing: break
            case .end:
                close(into: &arrivals)
                return
            }
        }
        pending.append((bytes, file))
        if pending.count > Self.pendingLimit { close(into: &arrivals) }
    }

    var hasPending: Bool { !pending.isEmpty }

    func retry(into arrivals: inout [Arrival]) {
        while let next = pending.first {
            switch handOver(next.bytes, with: next.file) {
            case .packet: pending.removeFirst()
            case .nothing: return
            case .end: close(into: &arrivals)
            }
        }
    }

    private func handOver(_ bytes: [UInt8], with file: GrantedFile?) -> Received {
        while true {
            if system_packet_send(socket.number, bytes, bytes.count, file?.descriptor ?? -1) >= 0 { return .packet }
            switch errno {
            case EAGAIN: return .nothing
            case EINTR: continue
            default: return .end
            }
        }
    }

    /// Ends it from this side; what is lost is said once.
    func abandon(into arrivals: inout [Arrival]) {
        if isOpen { close(into: &arrivals) }
    }

    private func close(into arrivals: inout [Arrival]) {
        isOpen = false
        pending.removeAll()
        arrivals.append(.lost(peer))
    }
}
