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
        /// Whoever holds the secret of a key we were given: the handshake has seen to it.
        case key
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
    /// Of a server of another machine.
    private(set) var far: FarSide?
    /// What came while nobody had a core yet.
    private var early: [Arrival] = []

    /// To a server of another machine.
    ///
    /// - Parameter lives: The latest life of its app that this machine knows of.
    init(
        to address: TCPAddress, key: SecretKey, server: PublicKey, lives: UInt32, in context: Context,
        heartbeat: Duration
    ) throws(HostError) {
        (trust, peer, receiver, pass) = (.key, .systemServer, .app, nil)
        far = FarSide(lives: lives)
        let socket = try Socket(
            .dealer, on: address.endpoint, in: context, heartbeat: heartbeat, secured: .client(key, server: server))
        monitor = try socket.monitor()
        try socket.connect()
        self.socket = socket
    }

    /// - Parameter peer: Who is at the other end.
    init(
        _ endpoint: String, to peer: Peer, trusting trust: Trust, showing pass: Pass? = nil, for receiver: Role,
        in context: Context, heartbeat: Duration = .zero
    ) throws(HostError) {
        (self.trust, self.peer, self.receiver) = (trust, peer, receiver)
        self.pass = pass
        far = nil
        let socket = try Socket(.dealer, on: endpoint, in: context, heartbeat: heartbeat)
        monitor = try socket.monitor()
        try socket.connect()
        self.socket = socket
    }

    /// Readable when packets may have arrived, and when the connection came or went.
    var descriptors: (packets: Int32, connections: Int32) { (socket.descriptor, monitor.descriptor) }

    /// Reads whether the connection came or went.
    func connectionsChanged(into arrivals: inout [Arrival]) {
        if !early.isEmpty {
            arrivals += early
            early.removeAll()
        }
        while let event = ConnectionEvent.next(from: monitor, into: packet) {
            switch event {
            case .up:
                // Takes in the I/O thread's word that the way is open, or the first send would not know.
                _ = socket.isReadable
                isUp = true
                if far != nil {
                    far?.cameUp()
                    knock()
                    continue
                }
                if let pass, !handOver(pass.packet) { pending.append(pass.packet) }
                arrivals.append(.connected(peer))
            case .ended:
                guard isUp else { continue }
                while socket.receive(into: packet) { takePacket(into: &arrivals) }
                isUp = false
                pending.removeAll()
                let wasOpen = far?.isWelcome ?? true
                far?.wentDown()
                if wasOpen { arrivals.append(.lost(peer)) }
            case .denied: wasDenied = true
            case .accepted, .retried, .unspoken: break
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
            case .key: true
            }
        if !isTrusted {
            arrivals.append(.refused(.stranger(pid: sender.pid, uid: sender.uid)))
        } else if packet.hasMore {
            arrivals.append(.refused(.malformed(peer, .trailingBytes(packet.bytes.count))))
        } else if far != nil {
            takeFar(into: &arrivals)
        } else {
            judge(packet.bytes, from: peer, for: receiver, into: &arrivals)
        }
        while packet.hasMore, socket.receive(into: packet) {}
    }

    // MARK: Another machine's server

    /// It has refused our key; nothing else is tried but the same again.
    private(set) var wasDenied = false
    static let denial = "this key is on no list of its remote.allow"

    private func takeFar(into arrivals: inout [Arrival]) {
        let now = Instant(nanoseconds: clock())
        if Welcome.isMeant(by: packet.bytes) {
            do throws(WireError) {
                if far!.take(try Welcome(packet.bytes), at: now) { arrivals.append(.connected(peer)) }
                wasDenied = false
            } catch { arrivals.append(.refused(.malformed(peer, error))) }
            return knock()
        }
        let first = arrivals.count
        judge(packet.bytes, from: peer, for: receiver, into: &arrivals)
        for index in first..<arrivals.count {
            guard case .frame(var frame, let sender) = arrivals[index] else { continue }
            // Said at the door, before anybody has a number.
            if frame.sequence == .zero, case .refused(let reason) = frame.message { far!.turnedAway(reason) }
            far!.arriving(&frame)
            arrivals[index] = .frame(frame, from: sender)
        }
    }

    /// When it wants to say something though nobody has asked.
    var deadline: Instant? { far.map(\.deadline) }

    /// Knocks, if it is time.
    func knock() {
        let now = Instant(nanoseconds: clock())
        guard let far, far.deadline <= now || (isUp && far.deadline == .never), let knock = self.far!.knock(at: now)
        else { return }
        let packet = knock.packet
        if !handOver(packet) { pending.append(packet) }
    }

    /// A frame that goes, by the clock of whom it goes to.
    func leaving(_ frame: inout Frame) { far?.leaving(&frame) }

    /// Waits until it is known who this is and what time it is there.
    ///
    /// - Returns: Nil when nothing came of it in so long.
    func join(within limit: Duration) throws(HostError) -> LaunchOrder? {
        let deadline = Instant(nanoseconds: clock()).advanced(by: limit)
        while Instant(nanoseconds: clock()) < deadline {
            _ = Socket.wait(socket, monitor, milliseconds: 20)
            var arrivals: [Arrival] = []
            connectionsChanged(into: &arrivals)
            _ = drain(budget: 64, into: &arrivals)
            early += arrivals
            knock()
            if wasDenied {
                throw .turnedAway(address: socket.endpoint, why: Self.denial)
            }
            if let why = far?.end { throw .turnedAway(address: socket.endpoint, why: why) }
            if let far, far.isWelcome, far.isSettled, let order = far.order { return order }
        }
        return nil
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
