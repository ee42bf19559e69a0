// PeerListener.swift: the serving end of an endpoint: a ROUTER on a listening socket that another function has bound.
//
// Station   process
// Input     libzmq's packets and its news of connections; the guard's refusals; the core's frames
// Output    arrivals for the core
// Knows     sockets, and the clock of what it sends. PeerAdmission decides which connections are read.
//
//    monitor ──accepted, ended──▶ PeerAdmission ──consequences──▶ lost(peer), ends of connections
//    packet ────────────────────▶ PeerAdmission ──decision──────▶ decode ─▶ frames; refusals; connected(peer)
//    core ──frames──▶ libzmq, or PendingPackets until libzmq has room
//
// libzmq's single I/O thread reports in order: the end of a connection comes before the next use of its descriptor.

import Basics
import Hosting
import Settings
import Wire

/// The serving end of one endpoint.
final class PeerListener {
    /// The listeners of a server that apps of other machines may join. A server with fewer listeners uses the same
    /// share for each.
    private static let listenerCount = 3
    /// The packets that libzmq queues for each connection (the default of ZMQ_RCVHWM).
    private static let queueLimit = 1000
    /// The fewest connections that are assumed to have packets, because connections without a pass are not counted.
    private static let leastConnections = 64

    private let socket: Socket
    private let monitor: Socket
    /// The guard, below libzmq.
    private let connectionGuard: Guard
    private let packet = Packet()
    private let scratch = Packet()
    private let decoder: PacketDecoder

    // One thread uses these values, and no call that changes one of them reaches it again: see ZeroMQHost.
    @exclusivity(unchecked) var admission: PeerAdmission
    /// The origin of the last packet.
    @exclusivity(unchecked) private var lastOrigin: PeerAdmission.Origin?
    @exclusivity(unchecked) private var pending: PendingPackets
    /// The rings of its connections, with host.transport=ring.
    @exclusivity(unchecked) var rings: PeerRings?
    @exclusivity(unchecked) private var hasSent = false
    /// The packets that were taken since a connection ended that is not closed yet.
    @exclusivity(unchecked) private var takenBeforeEnd = 0
    /// The gate of the listener for other machines.
    @exclusivity(unchecked) private var gate: Gate?
    @exclusivity(unchecked) private var remoteApps: RemoteApps?
    /// Connections without a key since the last report.
    @exclusivity(unchecked) private var keyless: UInt32 = 0

    /// Makes the listener for other machines.
    ///
    /// - Parameters:
    ///   - listener: A listening tcp socket; owned from here on.
    ///   - order: The server's own launch order, which names the group that an app joins.
    ///   - settings: The settings of the group that an app receives.
    /// - Throws: `HostError` if the allow-list cannot be read or a socket cannot be made.
    init(
        at address: String, listener: Int32, key: SecretKey, allowing folder: String, order: LaunchOrder,
        settings: @escaping (AppID) -> [Setting], in context: Context, heartbeat: Duration,
        limits: TokenBucket.Limits = .init(Settings())
    ) throws(HostError) {
        decoder = PacketDecoder(for: .systemServer)
        pending = PendingPackets(nil)
        admission = PeerAdmission(
            admitting: .keys, user: Credentials.remoteUser, allowing: limits, start: startOfProcess)
        remoteApps = RemoteApps(of: order, settings: settings)
        // The gate must exist before a peer can connect: without an answer, libzmq lets every peer in.
        gate = try Gate(folder, in: context, at: Instant(nanoseconds: clock()))
        let socket = try Socket(.router, on: address, in: context, heartbeat: heartbeat, secured: .server(key))
        monitor = try socket.monitor()
        connectionGuard = try Guard(
            listener, Guard.Limits(listeners: Self.listenerCount, processConnections: 0, user: nil))
        try socket.adopt(listener: listener)
        self.socket = socket
    }

    /// Makes a listener for processes of this machine.
    ///
    /// - Parameters:
    ///   - listener: A listening socket; owned from here on.
    ///   - waitLimit: How long the packets of a process that is on no roster yet wait for one.
    ///   - transport: Whether to ask the supervisor for a ring for each connection.
    init(
        _ endpoint: String, listener: Int32, admitting policy: PeerAdmission.Policy, for receiver: Role, user: UInt32,
        in context: Context, heartbeat: Duration = .zero, allowing limits: TokenBucket.Limits = .init(Settings()),
        waitLimit: Duration = UnlistedPackets.waitLimit, keeping backlog: Backlog = Backlog(),
        over transport: Transport = .zeromq
    ) throws(HostError) {
        decoder = PacketDecoder(for: receiver)
        if transport == .ring { rings = PeerRings() }
        var isForControllers = false
        if case .sameUser(.controller) = policy { isForControllers = true }
        pending = PendingPackets(isForControllers ? backlog : nil)
        admission = PeerAdmission(
            admitting: policy, user: user, allowing: limits, waitLimit: waitLimit, start: startOfProcess)
        let socket = try Socket(.router, on: endpoint, in: context, heartbeat: heartbeat)
        if isForControllers { try socket.limitQueues(sent: Backlog.queues.sent, received: Backlog.queues.received) }
        monitor = try socket.monitor()
        connectionGuard = try Guard(
            listener,
            Guard.Limits(listeners: Self.listenerCount, processConnections: policy.connectionsOfOneProcess, user: user))
        try socket.adopt(listener: listener)
        self.socket = socket
    }

    /// Descriptors that are readable when packets may have arrived, and when connections opened or closed.
    var descriptors: (packets: Int32, connections: Int32) { (socket.descriptor, monitor.descriptor) }

    /// A descriptor that is readable when connections were refused.
    var guardDescriptor: Int32 { connectionGuard.descriptor }

    /// Accepts no process while `work` runs, and refuses the processes that `work` returns from then on.
    func refuse(after work: () -> [Int32]) { connectionGuard.refuse(after: work) }

    /// A descriptor that is readable when a process of another machine connects.
    var gateDescriptor: Int32? { gate?.descriptor }

    // MARK: Receiving

    /// Reads which connections opened or closed; called before the next drain.
    func readConnectionEvents() {
        gate?.answer(at: now())
        readMonitor()
    }

    /// Receives packets.
    ///
    /// - Returns: Whether there may be more.
    func drain(budget: Int, at now: Instant, into arrivals: inout [Input]) -> Bool {
        hasSent = false
        connectionGuard.takeRefusals(into: &arrivals)
        if let gate { takeRefusals(of: gate, into: &arrivals) }
        let limit = arrivals.count + admission.policy.inputsOfOneTurn
        var takenCount = 0
        while takenCount < budget, arrivals.count < limit {
            guard socket.receive(into: packet) else {
                connectionGuard.noteAllTaken()
                closeEndedConnections(at: now, into: &arrivals)
                return false
            }
            takenCount += 1
            handlePacket(at: now, into: &arrivals)
        }
        guard admission.hasEndedConnections else { return true }
        takenBeforeEnd += takenCount
        if takenBeforeEnd >= Self.queueLimit * max(admission.connectionCount, Self.leastConnections) {
            closeEndedConnections(at: now, into: &arrivals)
        }
        return true
    }

    /// Closes the connections that have ended, because all their packets have been handled.
    ///
    /// The packets of a connection precede its end, and libzmq takes them from all connections in turn. So none is left
    /// when the socket is empty, or when as many were taken as all queues hold: a peer that floods keeps it from emptying.
    private func closeEndedConnections(at now: Instant, into arrivals: inout [Input]) {
        takenBeforeEnd = 0
        if admission.hasEndedConnections { drainRingsOfEndedConnections(at: now, into: &arrivals) }
        admission.closeEndedConnections(now: now)
        carryOutConsequences(into: &arrivals)
    }

    /// Whether something arrived during a send, or an end was read outside a drain. The host asks before it sleeps.
    var hasMore: Bool {
        if admission.hasEndedConnections { return true }
        guard hasSent else { return false }
        hasSent = false
        return socket.isReadable
    }

    func now() -> Instant { Instant(nanoseconds: clock()) }

    private func readMonitor() {
        while let event = ConnectionEvent.next(from: monitor, into: scratch) {
            switch event {
            case .accepted(let descriptor): admission.noteAccepted(descriptor)
            case .ended(let descriptor): admission.noteEnded(descriptor)
            case .handshakeFailed: if gate != nil { keyless &+= 1 }
            case .connected, .retried, .keyRefused: break
            }
        }
    }

    private func takeRefusals(of gate: Gate, into arrivals: inout [Input]) {
        gate.takeRefusals(into: &arrivals)
        guard keyless > 0 else { return }
        arrivals.append(.refused(.keyless(connections: keyless)))
        keyless = 0
    }

    private func handlePacket(at now: Instant, into arrivals: inout [Input]) {
        let id = RouteID(packet.bytes)
        guard packet.hasMore, socket.receive(into: packet) else { return }
        let origin = id.map(origin(on:))
        connectionGuard.noteTaken(packet.bytes.count, of: origin?.descriptor ?? packet.connection)
        let hasMore = packet.hasMore
        defer {
            var more = hasMore
            while more, socket.receive(into: packet) { more = packet.hasMore }
        }
        guard let origin, origin.sender.pid > 0 else {
            let sender = origin?.sender ?? sender
            return arrivals.append(.refused(.notOnRoster(pid: sender.pid, uid: sender.uid)))
        }
        let index = admission.connectionIndex(of: origin)
        // The listener has to know which use of its descriptor a connection is, so it reads the monitor when a
        // connection opens.
        if index == nil { readMonitor() }
        let decision = admission.receive(packet.bytes, isWhole: !hasMore, from: origin, at: index, now: now)
        carryOut(decision, about: packet.bytes, from: origin, at: now, into: &arrivals)
    }

    /// The process that sent the packet, as the kernel or the gate reports it.
    private var sender: Credentials {
        (gate == nil ? packet.sender : packet.keyHolder) ?? Credentials(pid: 0, uid: .max)
    }

    /// The origin of the packet, which came on this route.
    private func origin(on route: RouteID) -> PeerAdmission.Origin {
        // libzmq numbers the routes of this machine and uses each for one connection. A peer of another machine may
        // choose its route, and use it twice.
        if gate == nil, let lastOrigin, lastOrigin.route == route { return lastOrigin }
        let origin = PeerAdmission.Origin(route: route, sender: sender, descriptor: packet.connection)
        lastOrigin = origin
        return origin
    }

    // MARK: Decisions

    /// The empty packet, for a decision that concerns no packet.
    static var emptyPacket: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Carries out a decision of the admission.
    ///
    /// - Parameter bytes: The packet that the decision concerns; empty for a decision about a connection.
    func carryOut(
        _ decision: PeerAdmission.Decision, about bytes: UnsafeRawBufferPointer, from origin: PeerAdmission.Origin,
        at now: Instant, into arrivals: inout [Input]
    ) {
        switch decision {
        case .discard: break
        case .hold: for held in admission.hold(bytes, from: origin, now: now) { refuse(held, into: &arrivals) }
        case .refuse(let refusal): arrivals.append(.refused(refusal))
        case .explain(let peer, let error):
            explain(error, to: origin.route)
            arrivals.append(.refused(.malformed(peer, error)))
        case .acceptFrames(let peer): acceptFrames(bytes, of: peer, from: origin, at: now, into: &arrivals)
        case .acceptFirstFrames(let named): acceptFirstFrames(bytes, of: named, from: origin, at: now, into: &arrivals)
        case .switchToRing(let peer): switchToRing(bytes, of: peer, from: origin, into: &arrivals)
        case .open(let named): open(origin, as: named, into: &arrivals)
        case .openAndWelcome(let named):
            open(origin, as: named, into: &arrivals)
            welcome(named.peer, answering: bytes, on: origin)
        case .welcome(let named): welcome(named.peer, answering: bytes, on: origin)
        case .notifyBan: sendOutsideLink(.refused("hung up on for what it has sent"), on: origin.route)
        case .hangUp(let refusal, let lost): hangUp(on: origin, refusal, losing: lost, into: &arrivals)
        case .replace(let peer):
            sendOutsideLink(.refused("another process has joined with this key"), on: origin.route)
            arrivals.append(.peerLost(peer))
        case .reportLoss(let peer): arrivals.append(.peerLost(peer))
        case .end:
            // This kernel does not know processes of another machine.
            guard gate == nil else { return connectionGuard.hangUp(origin.descriptor) }
            endConnection(on: origin.descriptor, of: origin.sender)
        }
    }

    func carryOutConsequences(into arrivals: inout [Input]) {
        for consequence in admission.takeConsequences() {
            let origin = consequence.origin
            forget(origin.route)
            carryOut(consequence.decision, about: Self.emptyPacket, from: origin, at: .boot, into: &arrivals)
        }
    }

    private func acceptFrames(
        _ bytes: UnsafeRawBufferPointer, of peer: Peer, from origin: PeerAdmission.Origin, at now: Instant,
        into arrivals: inout [Input]
    ) {
        let first = arrivals.count
        decoder.decode(bytes, from: peer, into: &arrivals)
        countFrames(since: first, from: origin, at: now, into: &arrivals)
        explainMalformed(at: first, in: arrivals, to: origin.route)
    }

    private func acceptFirstFrames(
        _ bytes: UnsafeRawBufferPointer, of named: NamedPeer, from origin: PeerAdmission.Origin, at now: Instant,
        into arrivals: inout [Input]
    ) {
        let first = arrivals.count
        var firstFrame = first
        decoder.decode(bytes, from: named.peer, into: &arrivals) { arrivals in
            let decision = admission.permit(origin, as: named, now: now)
            carryOut(decision, about: bytes, from: origin, at: now, into: &arrivals)
            firstFrame = arrivals.count
        }
        countFrames(since: firstFrame, from: origin, at: now, into: &arrivals)
        explainMalformed(at: first, in: arrivals, to: origin.route)
    }

    /// Counts the frames of one packet beyond its first one. If they exceed the limit, none of them is kept.
    ///
    /// - Parameter first: The index in `arrivals` of the first arrival of the packet.
    private func countFrames(
        since first: Int, from origin: PeerAdmission.Origin, at now: Instant, into arrivals: inout [Input]
    ) {
        let more = arrivals.count - first - 1
        guard let decision = admission.count(frames: more, from: origin, now: now) else { return }
        arrivals.removeSubrange(first...)
        carryOut(decision, about: Self.emptyPacket, from: origin, at: now, into: &arrivals)
    }

    private func explainMalformed(at first: Int, in arrivals: [Input], to route: RouteID) {
        if arrivals.count > first, case .refused(.malformed(_, let error)) = arrivals[first] {
            explain(error, to: route)
        }
    }

    /// Tells a peer of another version which version this end uses, in a frame that every version can read.
    private func explain(_ error: WireError, to route: RouteID) {
        if case .version = error { sendOutsideLink(.refused("\(error)"), on: route) }
    }

    private func open(_ origin: PeerAdmission.Origin, as named: NamedPeer, into arrivals: inout [Input]) {
        connectionGuard.markProved(origin.descriptor)
        carryOutConsequences(into: &arrivals)
        rings?.request(for: named.peer, on: origin)
        arrivals.append(.connected(named.peer))
    }

    /// Answers the hello of an app of another machine with its identity and the server's time.
    private func welcome(_ peer: Peer, answering bytes: UnsafeRawBufferPointer, on origin: PeerAdmission.Origin) {
        // The time of the drain's beginning would be wrong: the hello may have arrived since.
        let received = now()
        guard let hello = try? RemoteHello(bytes),
            let order = remoteApps?.welcome(peer, hello, from: TCPAddress(peerOf: origin.descriptor))
        else { return }
        let welcome = Welcome(order: order, sent: hello.sent, received: received, answered: now())
        _ = sendNow(welcome.packet, to: origin.route)
    }

    private func hangUp(
        on origin: PeerAdmission.Origin, _ refusal: Refusal, losing lost: Peer?, into arrivals: inout [Input]
    ) {
        carryOutConsequences(into: &arrivals)
        forget(origin.route)
        let frame = Self.packet(.refused("\(refusal)"))
        if sendNow(frame, to: origin.route) == .full { _ = pending.append(frame, for: origin.route) }
        if let lost { arrivals.append(.peerLost(lost)) }
        arrivals.append(.refused(refusal))
    }

    private func refuse(_ held: UnlistedPackets.WaitingPacket, into arrivals: inout [Input]) {
        arrivals.append(.refused(.notOnRoster(pid: held.sender.pid, uid: held.sender.uid)))
    }

    /// Replaces the roster. Connections of processes that it no longer lists are lost. Packets of processes that it now
    /// lists are received.
    func update(_ roster: Roster, into arrivals: inout [Input]) {
        // No remote process may join as an app that the supervisor starts.
        gate?.children = roster.apps
        let now = now()
        let waiting = admission.update(roster, now: now)
        carryOutConsequences(into: &arrivals)
        if !waiting.isEmpty { readMonitor() }
        for held in waiting {
            held.packet.withUnsafeBytes { bytes in
                let decision = admission.receive(held, bytes, now: now)
                carryOut(decision, about: bytes, from: held.origin, at: held.arrived, into: &arrivals)
            }
        }
    }

    /// Stops reading from this peer's process. Packets of all its connections are dropped unread until the roster lists
    /// another process for the peer.
    func hangUp(on peer: Peer) {
        admission.hangUp(on: peer, now: now())
        // The core itself has hung up, so it receives no loss for it.
        for closed in admission.takeConsequences() { forget(closed.origin.route) }
    }

    /// Drops what waits for a connection that has ended, and its ring.
    private func forget(_ route: RouteID) {
        pending.forget(route)
        rings?.forget(route)
    }

    /// The time at which `expire` has work to do although nothing arrives.
    var deadline: Instant? { admission.deadline }

    func expire(at now: Instant, into arrivals: inout [Input]) {
        guard let deadline, deadline <= now else { return }
        readMonitor()
        let late = admission.expire(now: now)
        carryOutConsequences(into: &arrivals)
        for held in late { refuse(held, into: &arrivals) }
    }

    // MARK: Sending

    func serves(_ peer: Peer) -> Bool {
        // Most apps run on this machine, so a listener for others is asked for the connection itself.
        if gate != nil { return admission.connection(of: peer) != nil }
        return peer.role == admission.policy.role
    }

    /// Notes that `count` frames go to this peer that it has to answer, or that answer its requests.
    func returnTokens(_ count: Int, to peer: Peer) { admission.returnTokens(count, to: peer) }

    /// Sends a packet, or keeps it while the peer's queue is full.
    ///
    /// A packet for a peer that is not connected is dropped: the core has received the loss of the peer, or will.
    func send(_ bytes: [UInt8], to peer: Peer, into arrivals: inout [Input]) {
        guard let origin = admission.connection(of: peer) else { return }
        if let channel = rings?.channel(for: origin.route) {
            return send(bytes, through: channel, on: origin, into: &arrivals)
        }
        sendOverSocket(bytes, on: origin.route, into: &arrivals)
    }

    func sendOverSocket(_ bytes: [UInt8], on route: RouteID, into arrivals: inout [Input]) {
        guard !pending.hasPackets(for: route) else { return enqueue(bytes, for: route, into: &arrivals) }
        switch sendNow(bytes, to: route) {
        case .done: break
        case .full: enqueue(bytes, for: route, into: &arrivals)
        case .unreachable: closeConnection(route, into: &arrivals)
        }
    }

    /// Keeps a packet until libzmq has room.
    private func enqueue(_ bytes: [UInt8], for route: RouteID, into arrivals: inout [Input]) {
        switch pending.append(bytes, for: route) {
        case nil: break
        case .packets: closeConnection(route, into: &arrivals)
        case .bytes(of: let largest, let kept, let limit):
            admission.hangUpOnUnread(largest, keeping: kept, of: limit, now: now())
            carryOutConsequences(into: &arrivals)
        }
    }

    func closeConnection(_ route: RouteID, into arrivals: inout [Input]) {
        pending.forget(route)
        admission.closeLost(route, now: now())
        carryOutConsequences(into: &arrivals)
    }

    /// Whether packets wait for room in libzmq or in a ring. Neither reports that there is room again, so the host
    /// retries.
    var hasPending: Bool { !pending.isEmpty || rings?.hasPending == true }

    func retry(into arrivals: inout [Input]) {
        retryRings(into: &arrivals)
        for route in pending.routes {
            var sent = 0
            retrying: for bytes in pending.packets(for: route) {
                switch sendNow(bytes, to: route) {
                case .done: sent += 1
                case .full: break retrying
                case .unreachable:
                    closeConnection(route, into: &arrivals)
                    sent = 0
                    break retrying
                }
            }
            pending.removeFirst(sent, for: route)
        }
    }

    /// Sends a message outside any link to a connection, whatever its peer is.
    private func sendOutsideLink(_ message: Message, on route: RouteID) { _ = sendNow(Self.packet(message), to: route) }

    private static func packet(_ message: Message) -> [UInt8] {
        Frame(epoch: 0, generation: 0, sequence: .zero, message: message).encoded()
    }

    private func sendNow(_ bytes: [UInt8], to id: RouteID) -> Socket.SendResult {
        hasSent = true
        var outcome = id.withBytes { socket.send($0, more: true) }
        if outcome != .done {
            // A send processes news of room only once a millisecond; a query of the socket processes it at once.
            _ = socket.isReadable
            outcome = id.withBytes { socket.send($0, more: true) }
        }
        guard outcome == .done else { return outcome }
        return bytes.withUnsafeBytes { socket.send($0) }
    }

    /// Adds the transport of each peer; and the apps of other machines, with the offsets of their clocks from the
    /// server's.
    func addRows(to report: inout Report) {
        if decoder.receiver == .systemServer { addTransports(to: &report) }
        remoteApps?.addRows(of: admission.peers, to: &report)
    }

    /// Lets the socket send for 50 ms when it closes, so that an answer just before an orderly exit is not lost.
    func lingerAtEnd() { try? socket.linger(50) }
}
