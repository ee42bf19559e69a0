// ServerLink.swift: the connecting end of an endpoint: a DEALER that finds the system server, and finds it again.
//
//    monitor ──up──▶ pass, connected(systemServer)      packet ─▶ from whoever listens there? ─▶ judge ─▶ frames
//            ──ended──▶ lost(systemServer)
//
// A server speaks only after our hello on the same connection. So what is read when a connection ends was said over
// that one, though the next may be up already. It may not be all that was said: see `Socket.Kind.dealer`.

import Basics
import Hosting
import Wire

final class ServerLink {
    enum Trust {
        /// Whoever called listen: the supervisor, which keeps the socket from one server to the next.
        case listener(Credentials)
        case sameUser(UInt32)
    }

    private static let pendingLimit = 256

    private let socket: Socket
    private let monitor: Socket
    private let packet = Packet()
    private let trust: Trust
    /// Shown first on every connection; nil for a process that was started by hand.
    private let pass: Pass?
    private let peer: Peer
    private let receiver: Role
    private var isUp = false
    private var pending: [[UInt8]] = []
    private var wasSent = false
    private var rhythm = Rhythm()

    /// - Parameter peer: Who is at the other end.
    init(
        _ endpoint: String, to peer: Peer, trusting trust: Trust, showing pass: Pass? = nil, for receiver: Role,
        in context: Context, heartbeat: Duration = .zero
    ) throws(HostError) {
        (self.trust, self.peer, self.receiver) = (trust, peer, receiver)
        self.pass = pass
        let socket = try Socket(.dealer, on: endpoint, in: context, heartbeat: heartbeat)
        monitor = try socket.monitor()
        try socket.connect()
        self.socket = socket
    }

    /// Readable when packets may have arrived, and when the connection came or went.
    var descriptors: (packets: Int32, connections: Int32) { (socket.descriptor, monitor.descriptor) }

    /// Reads whether the connection came or went.
    func connectionsChanged(into arrivals: inout [Arrival]) {
        while let event = ConnectionEvent.next(from: monitor, into: packet) {
            switch event {
            case .up:
                // Takes in the I/O thread's word that the way is open, or the first send would not know.
                _ = socket.isReadable
                isUp = true
                if let pass, !handOver(pass.packet) { pending.append(pass.packet) }
                arrivals.append(.connected(peer))
            case .ended:
                guard isUp else { continue }
                while socket.receive(into: packet) { takePacket(into: &arrivals) }
                isUp = false
                pending.removeAll()
                arrivals.append(.lost(peer))
            case .accepted, .retried: break
            }
        }
    }

    /// Takes what has arrived.
    ///
    /// - Returns: Whether there may be more.
    func drain(budget: Int, into arrivals: inout [Arrival]) -> Bool {
        wasSent = false
        let limit = rhythm.limit(of: budget)
        for taken in 0..<limit {
            guard socket.receive(into: packet) else {
                rhythm.drained(taken)
                return false
            }
            takePacket(into: &arrivals)
        }
        return true
    }

    /// Whether something arrived while something was sent; asked before sleeping.
    var hasMore: Bool {
        guard wasSent else { return false }
        wasSent = false
        return socket.isReadable
    }

    private func takePacket(into arrivals: inout [Arrival]) {
        let sender = packet.sender ?? Credentials(pid: 0, uid: .max)
        let isTrusted =
            switch trust {
            case .listener(let listener): sender == listener
            case .sameUser(let user): sender.uid == user
            }
        if !isTrusted {
            arrivals.append(.refused(.stranger(pid: sender.pid, uid: sender.uid)))
        } else if packet.hasMore {
            arrivals.append(.refused(.malformed(peer, .trailingBytes(packet.bytes.count))))
        } else {
            judge(packet.bytes, from: peer, for: receiver, into: &arrivals)
        }
        while packet.hasMore, socket.receive(into: packet) {}
    }

    /// Hands a packet over, or keeps it while libzmq's queue is full. While the link is down it is dropped: whoever
    /// sends has been told, or will be.
    func send(_ bytes: [UInt8], into arrivals: inout [Arrival]) {
        guard isUp else { return }
        if pending.isEmpty, handOver(bytes) { return }
        pending.append(bytes)
        if pending.count > Self.pendingLimit {
            pending.removeAll()
            isUp = false
            arrivals.append(.lost(peer))
        }
    }

    var hasPending: Bool { !pending.isEmpty }

    func retry() {
        let sent = pending.firstIndex { !handOver($0) } ?? pending.count
        pending.removeFirst(sent)
    }

    private func handOver(_ bytes: [UInt8]) -> Bool {
        wasSent = true
        return bytes.withUnsafeBytes { bytes in
            if socket.send(bytes) == .done { return true }
            // A send takes in news of room only once a millisecond; being asked, it does so at once.
            _ = socket.isReadable
            return socket.send(bytes) == .done
        }
    }
}
