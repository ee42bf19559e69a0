// PeerAdmission.swift: accepts, refuses and ends the connections of a listener.
//
// Station   process
// Input     PeerListener: each packet, with its connection, its process and its time; connections that opened or ended;
//           the roster; the core's orders
// Output    Decision: the fate of the packet. Consequences: the fate of other connections.
// Knows     connections by their names, processes by pid and user. No socket, no clock; `PeerRegistry` calls a closure for
//           start times.
//
//     packet ─▶ open: counted ─▶ pass, hello or frames ────────────────────────────────┐
//        └────▶ not open ─▶ banned? closed? ─▶ counted ─▶ named? ─▶ proof or frames ───┴─▶ transition ─▶ Decision
//
// PeerAdmission+Machine.swift has the table of `State`. The facts about a process are its name (`PeerRegistry`, `Roster`), its
// ban (`PeerRegistry`), and its packets that wait for a roster (`UnlistedPackets`). input-kit's `Admission` is another type.
//
// libzmq uses one descriptor for one connection after another. So a connection is identified by its route id, its
// descriptor and the use number of the descriptor.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2, T6, F7, F8

import Basics
import Hosting
import Settings
import Wire

/// The admission of one listener.
struct PeerAdmission: ~Copyable {
    /// The processes that a listener accepts.
    enum Policy {
        /// The processes of this role on the supervisor's roster.
        case roster(Role)
        /// Any process of this process's user, as this role: the `touchline` command, or processes started by hand.
        case sameUser(Role)
        /// Apps of other machines, by their keys.
        case keys
    }

    /// The connection that a packet came by, and its process.
    struct Origin: Equatable {
        let route: RouteID
        let sender: Credentials
        let descriptor: Int32
    }

    /// A decision about a connection that follows from a packet or the end of another connection.
    struct Consequence: Equatable {
        let origin: Origin
        let decision: Decision
    }

    private struct Connection {
        let origin: Origin
        /// The use number of its descriptor.
        let use: Int
        var state: State
        var unsolicited: TokenBucket

        var peer: Peer? {
            if case .open(let named) = state { named.peer } else { nil }
        }
    }

    /// The time that a peer has to read why its connection ends.
    static let endingDuration = Duration.seconds(1)

    private let user: UInt32
    private let limits: TokenBucket.Limits
    private var registry: PeerRegistry
    private var unlistedPackets: UnlistedPackets
    /// Connections that are open or ending.
    private var connections: [Connection] = []
    /// The latest closed connections: libzmq may still return packets of them.
    private var closed: [RouteID] = []
    private static let closedLimit = 64
    /// The rate limits of processes without an open connection. Beyond the limit, the oldest entry is removed.
    private var processRates: [(sender: Credentials, unasked: TokenBucket)] = []
    /// By descriptor: the number of times that it was accepted.
    private var uses: [Int32: Int] = [:]
    private var endedConnections: [(descriptor: Int32, use: Int)] = []
    private var consequences: [Consequence] = []

    /// - Parameters:
    ///   - user: The user that local processes must have.
    ///   - limits: The limits on unsolicited packets of a peer.
    ///   - waitLimit: How long packets wait for a roster that lists their process.
    ///   - start: Returns the start time of the process with this pid.
    init(
        admitting policy: Policy, user: UInt32, allowing limits: TokenBucket.Limits,
        waitLimit: Duration = UnlistedPackets.waitLimit, start: @escaping (Int32) -> UInt64?
    ) {
        (self.user, self.limits) = (user, limits)
        registry = PeerRegistry(admitting: policy, user: user, start: start)
        unlistedPackets = UnlistedPackets(waitLimit: waitLimit)
    }

    var policy: Policy { registry.policy }

    // MARK: Packets

    /// The index of a packet's connection in the table; nil if it is neither open nor ending.
    func connectionIndex(of origin: Origin) -> Int? {
        connections.firstIndex { $0.origin.route == origin.route && $0.origin.sender == origin.sender }
    }

    /// Decides about a packet, which is counted before it is decoded.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the packet has one part, as each packet of the protocol has.
    ///   - place: The result of `connectionIndex(of:)`. Before the first packet of a connection, `noteAccepted` has been
    ///     called for it.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, isWhole: Bool = true, from origin: Origin, at place: Int?, now: Instant
    ) -> Decision {
        guard let place else {
            let (state, input) = firstInput(bytes, isWhole: isWhole, from: origin, at: now)
            return advance(origin, at: nil, from: state, on: input, now: now)
        }
        let input = nextInput(bytes, isWhole: isWhole, at: place, now: now)
        return advance(origin, at: place, from: connections[place].state, on: input, now: now)
    }

    /// Decides about a packet that has waited for the roster. It was counted when it arrived.
    mutating func receive(_ held: UnlistedPackets.WaitingPacket, _ bytes: UnsafeRawBufferPointer, now: Instant)
        -> Decision
    {
        if let index = connectionIndex(of: held.origin) {
            let input = nextInput(bytes, isWhole: true, at: index, now: held.arrived)
            return advance(held.origin, at: index, from: connections[index].state, on: input, now: now)
        }
        let (state, input) = firstInput(bytes, isWhole: true, from: held.origin, at: nil)
        return advance(held.origin, at: nil, from: state, on: input, now: now)
    }

    /// Opens a connection: its first packet has a frame that its peer may send.
    mutating func permit(_ origin: Origin, as named: NamedPeer, now: Instant) -> Decision {
        advance(origin, at: nil, from: .unproven, on: .permitted(named), now: now)
    }

    /// Counts the frames of a packet beyond its first one: a packet may contain hundreds of them.
    ///
    /// - Returns: The decision about a flood; nil if the frames are within the limit.
    mutating func count(frames: Int, from origin: Origin, now: Instant) -> Decision? {
        guard frames > 0, let index = connectionIndex(of: origin), let peer = connections[index].peer,
            !connections[index].unsolicited.takeTokens(frames, at: now)
        else { return nil }
        return advance(origin, at: index, from: connections[index].state, on: floodInput(by: peer), now: now)
    }

    /// Counts a signal of a ring's bell for which there was no packet.
    ///
    /// - Returns: The decision about a flood; nil if the peer is within its limit.
    mutating func countEmptySignal(of origin: Origin, now: Instant) -> Decision? {
        guard let index = connectionIndex(of: origin), let peer = connections[index].peer,
            !connections[index].unsolicited.takeTokens(at: now)
        else { return nil }
        return advance(origin, at: index, from: connections[index].state, on: floodInput(by: peer), now: now)
    }

    /// Keeps a packet until a roster lists its process.
    ///
    /// - Returns: The packets that are refused instead, this one or others.
    mutating func hold(_ bytes: UnsafeRawBufferPointer, from origin: Origin, now: Instant) -> [UnlistedPackets
        .WaitingPacket]
    {
        unlistedPackets.hold(
            UnlistedPackets.WaitingPacket(
                packet: Array(bytes), sender: origin.sender, route: origin.route, connection: origin.descriptor,
                arrived: now))
    }

    /// The input for a packet of a connection that is open or ending.
    private mutating func nextInput(
        _ bytes: UnsafeRawBufferPointer, isWhole: Bool, at place: Int, now: Instant
    ) -> Input {
        guard case .open(let named) = connections[place].state else {
            let origin = connections[place].origin
            if banNotification(for: bytes) == .reason, registry.isBanned(origin.sender, on: origin.route) {
                return .banned(.reason)
            }
            return .unexamined
        }
        guard connections[place].unsolicited.takeTokens(at: now) else { return floodInput(by: named.peer) }
        guard isWhole else { return .wrong(.malformed(named.peer, .trailingBytes(bytes.count))) }
        switch policy {
        case .roster:
            if RingPacket.matches(bytes) { return .ring(named) }
            guard Pass.matches(bytes) else { return .frames(named, needProof: false) }
            if case .pass(let pass) = Pass.read(bytes), isPassValid(pass, of: connections[place].origin.sender) {
                return .pass(named)
            }
            return .wrong(.wrongPass(named.peer))
        case .keys: return RemoteHello.matches(bytes) ? helloInput(bytes, of: named) : .frames(named, needProof: false)
        case .sameUser: return .frames(named, needProof: false)
        }
    }

    /// The input for a packet of a connection that is not in the table.
    ///
    /// - Parameter now: Nil if the packet was counted before.
    private mutating func firstInput(
        _ bytes: UnsafeRawBufferPointer, isWhole: Bool, from origin: Origin, at now: Instant?
    ) -> (State, Input) {
        let sender = origin.sender
        let state = closed.contains(origin.route) ? State.closed : .unproven
        guard !registry.isBanned(sender, on: origin.route) else { return (state, .banned(banNotification(for: bytes))) }
        guard state == .unproven else { return (state, .unexamined) }
        let isFlood = now.map { !takeToken(of: sender, at: $0) } ?? false
        guard let (peer, generation) = registry.identifyPeer(of: sender, on: origin.route) else {
            // Refused once; later packets of the banned process are dropped unread.
            if isFlood { registry.ban(sender) }
            if case .roster = policy, !isFlood, isWhole, sender.uid == user { return (state, .unnamed) }
            return (state, .wrong(.notOnRoster(pid: sender.pid, uid: sender.uid)))
        }
        if isFlood { return (state, floodInput(by: peer)) }
        guard isWhole else { return (state, .wrong(.malformed(peer, .trailingBytes(bytes.count)))) }
        return (state, unprovenInput(bytes, of: NamedPeer(peer: peer, generation: generation), sender))
    }

    /// The input for a packet of a named process, on a connection that is not open.
    private func unprovenInput(_ bytes: UnsafeRawBufferPointer, of named: NamedPeer, _ sender: Credentials) -> Input {
        let peer = named.peer
        guard peer.role == policy.role else {
            // An app at input-kit's listener may send no frame there. A pass is not a frame.
            guard !Pass.matches(bytes) else { return .needlessPass }
            let kind = (try? Frame.decode(packet: bytes))?.first?.message.kind
            return .wrong(kind.map { .forbidden(peer, $0) } ?? .notOnRoster(pid: sender.pid, uid: sender.uid))
        }
        switch policy {
        case .roster:
            switch Pass.read(bytes) {
            case .pass(let pass): return isPassValid(pass, of: sender) ? .pass(named) : .wrong(.wrongPass(peer))
            case .version(let version): return .unreadable(peer, .version(version, known: Frame.version))
            case .none: break
            }
            // A peer of a version without passes is told this process's version.
            do throws(WireError) { _ = try Frame.decode(packet: bytes) } catch {
                if case .version = error { return .unreadable(peer, error) }
            }
            return .frames(named, needProof: true)
        case .keys: return RemoteHello.matches(bytes) ? helloInput(bytes, of: named) : .frames(named, needProof: true)
        // A process that was started by hand has no pass, and its server has no seal to verify one.
        case .sameUser: return Pass.matches(bytes) ? .needlessPass : .frames(named, needProof: false)
        }
    }

    private func helloInput(_ bytes: UnsafeRawBufferPointer, of named: NamedPeer) -> Input {
        do throws(WireError) { _ = try RemoteHello(bytes) } catch { return .unreadable(named.peer, error) }
        return .remoteHello(named)
    }

    private func isPassValid(_ pass: Pass, of sender: Credentials) -> Bool {
        pass.opens(registry.roster.entry(for: sender)?.seal ?? .none)
    }

    private func banNotification(for bytes: UnsafeRawBufferPointer) -> BanNotification {
        switch policy {
        case .roster: .none
        case .keys: RemoteHello.matches(bytes) ? .reason : .none
        case .sameUser: isForControllers ? .end : .none
        }
    }

    private func floodInput(by peer: Peer) -> Input { .flooded(peer, limit: UInt32(clamping: Int(limits.rate))) }

    private var isForControllers: Bool {
        if case .sameUser(.controller) = policy { true } else { false }
    }

    /// Whether a process without an open connection may send one more packet.
    private mutating func takeToken(of sender: Credentials, at now: Instant) -> Bool {
        if let index = processRates.firstIndex(where: { $0.sender == sender }) {
            return processRates[index].unasked.takeTokens(at: now)
        }
        if processRates.count == PeerRegistry.unlistedConnectionLimit { processRates.removeFirst() }
        processRates.append((sender, TokenBucket(limits)))
        return processRates[processRates.count - 1].unasked.takeTokens(at: now)
    }

    // MARK: The states of connections

    private mutating func advance(
        _ origin: Origin, at place: Int?, from state: State, on input: Input, now: Instant
    ) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input, at: now) else {
            preconditionFailure("a connection cannot take \(input) while \(state)")
        }
        if next != state { enter(next, origin, at: place, now: now) }
        if case .flooded(let peer, _) = input { ban(peer, for: origin, now: now) }
        return decision
    }

    private mutating func enter(_ state: State, _ origin: Origin, at place: Int?, now: Instant) {
        switch state {
        case .unproven: preconditionFailure("no connection becomes unproven")
        case .open(let named):
            closeOthers(than: origin, of: named.peer, now: now)
            append(origin, state)
        case .ending:
            if let place { connections[place].state = state } else { append(origin, state) }
        case .closed:
            if let place { connections.remove(at: place) }
            closed.append(origin.route)
            if closed.count > Self.closedLimit { closed.removeFirst() }
        }
    }

    private mutating func append(_ origin: Origin, _ state: State) {
        let use = uses[origin.descriptor, default: 0]
        connections.append(Connection(origin: origin, use: use, state: state, unsolicited: TokenBucket(limits)))
    }

    /// Replaces connections of the same peer or the same descriptor: each has one connection.
    private mutating func closeOthers(than origin: Origin, of peer: Peer, now: Instant) {
        var isNotified = false
        // A key that joins repeatedly would occupy the listener, so the earlier connection ends.
        if case .keys = policy { isNotified = true }
        let others = connections.filter { $0.peer == peer || $0.origin.descriptor == origin.descriptor }
        for other in others.map(\.origin) {
            advanceOther(
                other, on: .replaced(isNotified: isNotified && other.descriptor != origin.descriptor), now: now)
        }
    }

    /// Decides about a connection other than the one of the current packet.
    private mutating func advanceOther(_ origin: Origin, on input: Input, now: Instant) {
        guard let index = connectionIndex(of: origin) else { return }
        let decision = advance(origin, at: index, from: connections[index].state, on: input, now: now)
        consequences.append(Consequence(origin: origin, decision: decision))
    }

    /// Removes and returns the decisions about other connections. They precede the decision that was returned last.
    mutating func takeConsequences() -> [Consequence] {
        guard !consequences.isEmpty else { return [] }
        defer { consequences.removeAll() }
        return consequences
    }

    private func origins(of peer: Peer) -> [Origin] { connections.filter { $0.peer == peer }.map(\.origin) }

    private mutating func ban(_ peer: Peer, for origin: Origin, now: Instant) {
        let others = origins(of: peer)
        for other in others { advanceOther(other, on: .disowned, now: now) }
        registry.ban(peer, and: others.map(\.sender))
        registry.ban(origin.sender)
    }

    // MARK: Ends

    mutating func noteAccepted(_ descriptor: Int32) { uses[descriptor, default: 0] += 1 }

    mutating func noteEnded(_ descriptor: Int32) { endedConnections.append((descriptor, uses[descriptor, default: 0])) }

    /// The number of connections that are open or ending.
    var connectionCount: Int { connections.count }

    /// Whether a connection has ended that is not closed yet.
    var hasEndedConnections: Bool { !endedConnections.isEmpty }

    /// Closes the connections that have ended, after all their packets have been handled.
    mutating func closeEndedConnections(now: Instant) {
        for end in endedConnections {
            let lost = connections.filter { $0.origin.descriptor == end.descriptor && $0.use == end.use }
            for connection in lost { advanceOther(connection.origin, on: .lost, now: now) }
        }
        endedConnections.removeAll()
    }

    /// Whether the connection has ended and is not closed yet.
    func hasEnded(_ origin: Origin) -> Bool {
        connections.contains { connection in
            connection.origin == origin
                && endedConnections.contains { $0.descriptor == origin.descriptor && $0.use == connection.use }
        }
    }

    /// Ends a connection because of what its peer has written to the ring.
    mutating func breakRing(of origin: Origin, _ error: WireError, now: Instant) {
        guard let index = connectionIndex(of: origin), connections[index].peer != nil else { return }
        advanceOther(origin, on: .brokenRing(error), now: now)
    }

    /// Closes a connection that libzmq no longer has.
    mutating func closeLost(_ route: RouteID, now: Instant) {
        guard let connection = connections.first(where: { $0.origin.route == route }) else { return }
        advanceOther(connection.origin, on: .lost, now: now)
    }

    /// Bans the process of this peer, over any connection, until the roster lists another process for the peer.
    mutating func hangUp(on peer: Peer, now: Instant) {
        let all = origins(of: peer)
        for origin in all { advanceOther(origin, on: .hungUp, now: now) }
        registry.ban(peer, and: all.map(\.sender))
    }

    /// Hangs up on a peer that does not read.
    mutating func hangUpOnUnread(_ route: RouteID, keeping bytes: Int, of limit: Int, now: Instant) {
        guard let connection = connections.first(where: { $0.origin.route == route && $0.peer != nil }) else { return }
        let input = Input.unread(bytes: UInt32(clamping: bytes), limit: UInt32(clamping: limit))
        advanceOther(connection.origin, on: input, now: now)
    }

    /// Replaces the roster. Connections of processes that it no longer lists are closed.
    ///
    /// - Returns: The packets that waited for it, in the order in which to receive them.
    mutating func update(_ roster: Roster, now: Instant) -> [UnlistedPackets.WaitingPacket] {
        guard case .roster = policy else { return [] }
        registry.update(roster)
        for connection in connections {
            guard case .open(let named) = connection.state else { continue }
            let entry = roster.entry(for: connection.origin.sender)
            guard entry?.peer != named.peer || entry?.generation != named.generation else { continue }
            advanceOther(connection.origin, on: .disowned, now: now)
        }
        return unlistedPackets.removeAdmitted(by: roster)
    }

    /// The time at which `expire` has work to do.
    var deadline: Instant? {
        var first = unlistedPackets.deadline
        for connection in connections {
            if case .ending(let end) = connection.state { first = min(first ?? end, end) }
        }
        return first
    }

    /// Ends the connections that have no time left. Before this call, `noteAccepted` has been called for each
    /// accepted connection.
    ///
    /// - Returns: The packets that have waited too long for a roster.
    mutating func expire(now: Instant) -> [UnlistedPackets.WaitingPacket] {
        for connection in connections {
            guard case .ending(let end) = connection.state, end <= now else { continue }
            // The connection may have ended by itself, and its descriptor may belong to another connection.
            let isSameUse = uses[connection.origin.descriptor, default: 0] == connection.use
            advanceOther(connection.origin, on: isSameUse ? .deadlinePassed : .lost, now: now)
        }
        return unlistedPackets.removeExpired(at: now)
    }

    // MARK: Open connections

    /// The open connection of this peer.
    func connection(of peer: Peer) -> Origin? { connections.first { $0.peer == peer }?.origin }

    /// The peers that have an open connection, in the order of opening.
    var peers: [Peer] { connections.compactMap(\.peer) }

    /// Returns tokens to a peer: `count` frames went to it that it has to answer, or that answer it.
    mutating func returnTokens(_ count: Int, to peer: Peer) {
        guard let index = connections.firstIndex(where: { $0.peer == peer }) else { return }
        connections[index].unsolicited.returnTokens(count)
    }
}

extension PeerAdmission.Policy {
    /// A child has one connection, and for a moment two when its link is renewed; a person's command may have several.
    var connectionsOfOneProcess: UInt32 {
        switch self {
        case .roster, .keys: 8
        case .sameUser: 64
        }
    }

    /// The inputs after which a turn of the host takes no more packets: a packet may contain hundreds of frames. A controller
    /// that floods is noticed sooner if its packets are taken at once, and the limit on its frames bounds a turn.
    var inputsOfOneTurn: Int {
        switch self {
        case .roster, .keys: 1024
        case .sameUser: 16_384
        }
    }

    var role: Role {
        switch self {
        case .roster(let role), .sameUser(let role): role
        case .keys: .app
        }
    }
}
