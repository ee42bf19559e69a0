// ServerLink.swift: the connecting end of an endpoint: a DEALER that finds the system server, also after a restart.
//
//    monitor ──up──▶ pass, connected(systemServer)      packet ─▶ from the listening process? ─▶ decode ─▶ frames
//            ──ended──▶ lost(systemServer)
//
// A server sends only after this end's hello on the same connection. So every packet that is read when a connection
// ends belongs to that connection, although the next may be up already. Packets may be missing: see
// `Socket.Kind.dealer`.

import Basics
import Hosting
import Wire

/// A link to the system server, or to another listening process.
final class ServerLink {
    /// The condition that the sender of a packet has to meet.
    enum Trust {
        /// The process that called listen: the supervisor, which keeps the socket from one server to the next.
        case listener(Credentials)
        case sameUser(UInt32)
        /// A holder of the secret of a given key, which the CURVE handshake has verified.
        case key
    }

    private static let pendingLimit = 256
    /// The shortest time between attempts at two addresses, as long as libzmq waits between two at one.
    private static let addressInterval = Duration.milliseconds(100)

    private let socket: Socket
    private let monitor: Socket
    private let packet = Packet()
    let trust: Trust
    /// The pass, sent first on every connection; nil for a process that was started by hand.
    private let pass: Pass?
    let peer: Peer
    let decoder: PacketDecoder
    // One thread uses these values, and no call that changes one of them reaches it again: see ZeroMQHost.
    @exclusivity(unchecked) private var isUp = false
    @exclusivity(unchecked) private var pending: [[UInt8]] = []
    @exclusivity(unchecked) var ring = ServerRing()
    @exclusivity(unchecked) private var hasSent = false
    /// The state of a link to a server of another machine; nil within one machine.
    @exclusivity(unchecked) private(set) var remote: RemoteLink?
    /// Arrivals of the time before this process had a core.
    @exclusivity(unchecked) private var earlyArrivals: [Input] = []
    /// The addresses of a server of another machine, and the process that looks up its name.
    @exclusivity(unchecked) private(set) var addresses: ServerAddresses?
    private let resolver: Resolver?
    /// The address that libzmq tries or has.
    @exclusivity(unchecked) private var connectedAddress: TCPAddress?
    /// Whether the next try of libzmq follows the end of an open link, so that no attempt has failed.
    @exclusivity(unchecked) private var isFirstRetry = false
    @exclusivity(unchecked) private var nextAddressAt = Instant.boot
    /// The lines for a person at the app's machine.
    @exclusivity(unchecked) var report: JoinReport?
    @exclusivity(unchecked) private var lines: [JoinReport.Line] = []

    /// Connects to a server of another machine.
    ///
    /// - Parameters:
    ///   - addresses: The server's addresses in the order to try them; not empty.
    ///   - resolver: Looks up the server's name again; nil for a numeric address.
    ///   - latestGeneration: The latest generation of this app that this machine knows of.
    init(
        to addresses: [TCPAddress], lookingUpWith resolver: Resolver? = nil, key: SecretKey, server: PublicKey,
        latestGeneration: UInt32, in context: Context, heartbeat: Duration
    ) throws(HostError) {
        (trust, peer, decoder, pass) = (.key, .systemServer, PacketDecoder(for: .app), nil)
        remote = RemoteLink(latestGeneration: latestGeneration)
        let rotation = ServerAddresses(addresses, hasName: resolver != nil)
        let socket = try Socket(
            .dealer, on: rotation.current.endpoint, in: context, heartbeat: heartbeat,
            secured: .client(key, server: server))
        monitor = try socket.monitor()
        try socket.connect(to: rotation.current)
        (self.addresses, connectedAddress, self.resolver) = (rotation, rotation.current, resolver)
        self.socket = socket
    }

    /// Connects to a process of this machine.
    ///
    /// - Parameter peer: The process at the other end.
    init(
        _ endpoint: String, to peer: Peer, trusting trust: Trust, showing pass: Pass? = nil, for receiver: Role,
        in context: Context, heartbeat: Duration = .zero
    ) throws(HostError) {
        (self.trust, self.peer, decoder) = (trust, peer, PacketDecoder(for: receiver))
        self.pass = pass
        (remote, resolver) = (nil, nil)
        let socket = try Socket(.dealer, on: endpoint, in: context, heartbeat: heartbeat)
        monitor = try socket.monitor()
        try socket.connect()
        self.socket = socket
    }

    /// Descriptors that are readable when packets may have arrived, and when the connection opened or closed.
    var descriptors: (packets: Int32, connections: Int32) { (socket.descriptor, monitor.descriptor) }

    /// Reads whether the connection opened or closed.
    func readConnectionEvents(into arrivals: inout [Input]) {
        if !earlyArrivals.isEmpty {
            arrivals += earlyArrivals
            earlyArrivals.removeAll()
        }
        defer { if remote != nil { followAddress() } }
        while let event = ConnectionEvent.next(from: monitor, into: packet) {
            switch event {
            case .connected:
                // Processes the I/O thread's news that the connection is open; otherwise the first send fails.
                _ = socket.isReadable
                isUp = true
                if remote != nil {
                    remote?.connectionOpened()
                    sendHelloIfDue()
                    continue
                }
                if let pass, !sendNow(pass.packet) { pending.append(pass.packet) }
                arrivals.append(.connected(peer))
            case .ended:
                guard isUp else {
                    ring.end()
                    continue
                }
                while socket.receive(into: packet) { handlePacket(into: &arrivals) }
                drainRing(budget: RingChannel.packetsInLane, into: &arrivals)
                noteEnd(into: &arrivals)
            case .retried:
                // libzmq also reports the try that follows the end of a link.
                if isFirstRetry { isFirstRetry = false } else { noteFailedAttempt() }
            case .keyRefused: wasDenied = true
            case .accepted, .handshakeFailed: break
            }
        }
    }

    /// Forgets the connection, which has ended.
    private func noteEnd(into arrivals: inout [Input]) {
        ring.end()
        isUp = false
        pending.removeAll()
        let wasOpen = remote?.isWelcomed ?? true
        remote?.connectionClosed()
        if wasOpen { arrivals.append(.peerLost(peer)) }
        isFirstRetry = true
        addresses?.noteLoss(at: Instant(nanoseconds: clock()))
    }

    /// Receives packets.
    ///
    /// - Returns: Whether there may be more.
    func drain(budget: Int, into arrivals: inout [Input]) -> Bool {
        hasSent = false
        for _ in 0..<budget {
            guard socket.receive(into: packet) else { return false }
            handlePacket(into: &arrivals)
        }
        return true
    }

    /// Whether something arrived during a send. The host asks before it sleeps.
    var hasMore: Bool {
        guard hasSent else { return false }
        hasSent = false
        return socket.isReadable
    }

    private func handlePacket(into arrivals: inout [Input]) {
        let sender = packet.sender ?? Credentials(pid: 0, uid: .max)
        let isTrusted =
            switch trust {
            case .listener(let listener): sender == listener
            case .sameUser(let user): sender.uid == user
            case .key: true
            }
        if !isTrusted {
            arrivals.append(.refused(.notOnRoster(pid: sender.pid, uid: sender.uid)))
        } else if packet.hasMore {
            arrivals.append(.refused(.malformed(peer, .trailingBytes(packet.bytes.count))))
        } else if remote != nil {
            handleRemotePacket(into: &arrivals)
        } else if !handleRingPacket(packet.bytes, on: packet.connection, into: &arrivals) {
            decoder.decode(packet.bytes, from: peer, into: &arrivals)
        }
        while packet.hasMore, socket.receive(into: packet) {}
    }

    // MARK: Another machine's server

    private func noteFailedAttempt() {
        // libzmq may still try the address before.
        guard !isUp, connectedAddress == addresses?.current else { return }
        addresses?.noteFailure(at: Instant(nanoseconds: clock()))
    }

    /// Asks for a lookup that is needed, uses the answer that has arrived, and moves libzmq to the address to try.
    func followAddress() {
        guard addresses != nil else { return }
        if addresses!.needsLookup, let resolver {
            addresses!.noteLookup()
            resolver.ask()
        }
        let before = addresses!.current
        switch resolver?.takeAnswer() {
        case .found(let found, of: _):
            if addresses!.update(found, isOpen: isUp), let line = report?.moved(from: before, to: addresses!.current) {
                lines.append(line)
            }
        case .failed(let reason, isFinal: _): noteNotFound(because: reason)
        case .ended: noteNotFound(because: "its resolver has ended")
        case nil: break
        }
        let now = Instant(nanoseconds: clock())
        guard !isUp, let old = connectedAddress, old != addresses!.current, now >= nextAddressAt else { return }
        nextAddressAt = now.advanced(by: Self.addressInterval)
        socket.disconnect(from: old)
        connectedAddress = addresses!.current
        // libzmq refuses only an address that it cannot read. An attempt that fails shows as an event.
        do throws(HostError) { try socket.connect(to: addresses!.current) } catch { preconditionFailure("\(error)") }
    }

    private func noteNotFound(because reason: String) {
        guard let addresses, let line = report?.notFound(because: reason, trying: addresses.current) else { return }
        lines.append(line)
    }

    /// Returns the lines for the person at this machine, once: those of an input of the core, and of the address.
    func takeLines(about input: Input? = nil, at now: Instant) -> [JoinReport.Line] {
        guard report != nil else { return [] }
        var line: JoinReport.Line?
        switch input {
        case .connected(peer):
            guard let remote, let connectedAddress else { break }
            line = report?.connected(
                to: connectedAddress, generation: remote.generation, clock: remote.clock.offsetInForce(at: now), at: now
            )
        case .peerLost(peer): if let connectedAddress { line = report?.lost(connectedAddress, at: now) }
        case .frame(let frame, from: peer):
            if case .lifeCycle(let change) = frame.message { line = report?.changed(change) }
        default: break
        }
        defer { lines.removeAll() }
        return lines + (line.map { [$0] } ?? [])
    }

    /// Whether the server has refused this key. libzmq only repeats the same attempt.
    private(set) var wasDenied = false
    static let denialReason = "the folder remote.allowedKeys of the server does not contain this key"

    private func handleRemotePacket(into arrivals: inout [Input]) {
        let now = Instant(nanoseconds: clock())
        if Welcome.matches(packet.bytes) {
            do throws(WireError) {
                if remote!.apply(try Welcome(packet.bytes), at: now) { arrivals.append(.connected(peer)) }
                wasDenied = false
            } catch { arrivals.append(.refused(.malformed(peer, error))) }
            return sendHelloIfDue()
        }
        let first = arrivals.count
        decoder.decode(packet.bytes, from: peer, into: &arrivals)
        for index in first..<arrivals.count {
            guard case .frame(var frame, let sender) = arrivals[index] else { continue }
            // The listener itself sent this refusal, outside any link and its numbering.
            if frame.sequence == .zero, case .refused(let reason) = frame.message {
                remote!.noteRefusal(because: reason)
            }
            remote!.convertIncoming(&frame)
            arrivals[index] = .frame(frame, from: sender)
        }
    }

    /// The time at which the next hello is due although nothing arrived.
    var deadline: Instant? { remote.map(\.deadline) }

    /// Sends a hello if it is due.
    func sendHelloIfDue() {
        let now = Instant(nanoseconds: clock())
        guard let remote, remote.deadline <= now || (isUp && remote.deadline == .never),
            let hello = self.remote!.nextHello(at: now)
        else { return }
        let packet = hello.packet
        if !sendNow(packet) { pending.append(packet) }
    }

    /// Converts an outgoing frame to the receiver's clock.
    func convertOutgoing(_ frame: inout Frame) { remote?.convertOutgoing(&frame) }

    /// Waits until this app's identity and the server's time are known.
    ///
    /// - Returns: The launch order; nil if it did not arrive within the limit.
    /// - Throws: `HostError.joinRefused` if the server refuses the key or the app.
    func join(within limit: Duration) throws(HostError) -> LaunchOrder? {
        let deadline = Instant(nanoseconds: clock()).advanced(by: limit)
        while Instant(nanoseconds: clock()) < deadline {
            _ = Socket.wait(socket, monitor, milliseconds: 20)
            var arrivals: [Input] = []
            readConnectionEvents(into: &arrivals)
            _ = drain(budget: 64, into: &arrivals)
            earlyArrivals += arrivals
            sendHelloIfDue()
            followAddress()
            let address = connectedAddress.map { "\($0)" } ?? socket.endpoint
            if wasDenied { throw .joinRefused(address: address, why: Self.denialReason) }
            if let why = remote?.endReason { throw .joinRefused(address: address, why: why) }
            if let remote, remote.isWelcomed, remote.isSettled, let order = remote.order { return order }
        }
        return nil
    }

    /// Sends a packet, or keeps it while libzmq's queue is full. While the link is down the packet is dropped: the core
    /// has received the loss, or will.
    func send(_ bytes: [UInt8], into arrivals: inout [Input]) {
        guard isUp else { return }
        if let channel = ring.outgoing { return send(bytes, through: channel, into: &arrivals) }
        sendOverSocket(bytes)
        guard pending.count > Self.pendingLimit else { return }
        // The server reads nothing. Its end has to learn of the loss too, so the connection is replaced.
        noteEnd(into: &arrivals)
        socket.reconnect(to: connectedAddress?.endpoint ?? socket.endpoint)
    }

    func sendOverSocket(_ bytes: [UInt8]) {
        if pending.isEmpty, sendNow(bytes) { return }
        pending.append(bytes)
    }

    var hasPending: Bool { !pending.isEmpty || ring.outgoing?.hasPending == true }

    func retry(into arrivals: inout [Input]) {
        retryRing(into: &arrivals)
        let sent = pending.firstIndex { !sendNow($0) } ?? pending.count
        pending.removeFirst(sent)
    }

    private func sendNow(_ bytes: [UInt8]) -> Bool {
        hasSent = true
        return bytes.withUnsafeBytes { bytes in
            if socket.send(bytes) == .done { return true }
            // A send processes news of room only once a millisecond; a query of the socket processes it at once.
            _ = socket.isReadable
            return socket.send(bytes) == .done
        }
    }
}
