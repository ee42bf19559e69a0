// PeerListener.swift: the serving end of an endpoint: a ROUTER on a listening socket somebody else has bound.
//
//    monitor ──ended──▶ lost(peer)                        packet ─▶ who sent it? ─▶ its pass shown: judge ─▶ frames
//    roster  ──no longer lists it──▶ lost(peer)                           │
//                                                                         └▶ not named yet: wait 1 s, then refused
//
// With a roster the first packet of a connection is the pass that its process was given (Wire/Pass.swift); nothing of a
// connection without one is decoded. Every packet is counted before it is looked at (UnaskedPackets.swift).
//
// A router may hear of a peer twice under different names, and two connections may use one descriptor one after
// the other. So a connection is known by its route id, its descriptor and which use of that descriptor it was.
// The I/O thread, of which there is one, reports in order: the end of a connection, then the next use of its number.

import Basics
import Hosting
import Settings
import Wire

final class PeerListener {
    enum Admission {
        /// Those on the supervisor's roster, of this role.
        case roster(Role)
        /// Anybody of this process's user, as this role: the `touchline` command, processes started by hand.
        case sameUser(Role)
        /// Apps of other machines, by their keys.
        case keys
    }

    /// Packets kept for a peer whose queue in libzmq is full. More, and it is not reading at all.
    private static let pendingLimit = 256
    /// How long a peer that is hung up on has to read why.
    private static let farewell = Duration.seconds(1)

    /// Bytes kept for controllers whose queue in libzmq is full: what they ask for may be large.
    struct Backlog {
        var each = 16 << 20
        var all = 32 << 20
        /// Packets of 64 KiB in libzmq, for each controller: to it, and of it.
        static let queues: (sent: Int32, received: Int32) = (4, 64)
    }

    /// Of a server that apps of other machines may join; one that has fewer gives each of them no more than that.
    private static let doors = 3

    private struct Route {
        let peer: Peer
        let generation: UInt32
        let sender: Credentials
        let id: RouteID
        let descriptor: Int32
        /// Which use of that descriptor.
        let use: Int
        var unasked: TokenBucket
        var pending: [[UInt8]] = []
        var pendingBytes = 0
        /// It is being hung up on, until then: nothing more is taken of it.
        var endsAt: Instant?
        /// What its machine says of the two clocks.
        var knock: Knock?
    }

    private let socket: Socket
    private let monitor: Socket
    /// In front of libzmq.
    private let outer: Guard
    private let packet = Packet()
    private let scratch = Packet()
    private let receiver: Role
    private let user: UInt32
    private let limits: TokenBucket.Limits
    /// Of controllers; nil for others, whose packets are counted.
    private let backlog: Backlog?

    private var door: Door
    /// Of processes that have no connection that counts; the oldest of too many is nobody again.
    private var callers: [(sender: Credentials, unasked: TokenBucket)] = []
    private var admission: Admission { door.admission }
    private var antechamber: Antechamber
    private var routes: [Route] = []
    /// By descriptor: how often it was accepted.
    private var uses: [Int32: Int] = [:]
    private var ended: [(descriptor: Int32, use: Int)] = []
    /// Connections that are hung up on: a flooder's, and another machine's app's whose key another process has joined
    /// with since. Each has a moment to read why.
    private var ending: [(descriptor: Int32, use: Int, sender: Credentials, endsAt: Instant)] = []
    /// Connections that are gone; what libzmq still hands over of them is nobody's.
    private var gone = Ring<RouteID>(capacity: 64)
    private var wasSent = false
    private var rhythm = Rhythm()
    /// At the door to other machines.
    private var gate: Gate?
    private let far: (order: LaunchOrder, told: (UInt32) -> [Setting])?
    private var lives = Lives()
    /// Calls without a key, since they were last told of.
    private var keyless: UInt32 = 0

    /// The door to other machines.
    ///
    /// - Parameters:
    ///   - listener: A listening tcp socket; owned from here on.
    ///   - order: The server's own, which says what group an app joins.
    ///   - told: What of the group's settings is this app's too.
    init(
        at address: String, listener: Int32, key: SecretKey, allowing folder: String, order: LaunchOrder,
        told: @escaping (UInt32) -> [Setting], in context: Context, heartbeat: Duration,
        limits: TokenBucket.Limits = .init(Settings())
    ) throws(HostError) {
        (receiver, user, self.limits) = (.systemServer, Credentials.elsewhere, limits)
        backlog = nil
        antechamber = Antechamber()
        door = Door(admitting: .keys, user: Credentials.elsewhere)
        far = (order, told)
        // It has to be there before anybody can call: libzmq lets in whom nobody can be asked about.
        gate = try Gate(folder, in: context, at: Instant(nanoseconds: clock()))
        let socket = try Socket(.router, on: address, in: context, heartbeat: heartbeat, secured: .server(key))
        monitor = try socket.monitor()
        outer = try Guard(listener, Guard.Limits(doors: Self.doors, each: 0, user: nil))
        try socket.adopt(listener: listener)
        self.socket = socket
    }

    /// - Parameters:
    ///   - listener: A listening socket; owned from here on.
    ///   - patience: How long who is on no roster yet may wait for one.
    init(
        _ endpoint: String, listener: Int32, admitting admission: Admission, for receiver: Role, user: UInt32,
        in context: Context, heartbeat: Duration = .zero, allowing limits: TokenBucket.Limits = .init(Settings()),
        patience: Duration = Antechamber.patience, keeping backlog: Backlog = Backlog()
    ) throws(HostError) {
        (self.receiver, self.user, self.limits) = (receiver, user, limits)
        var isForControllers = false
        if case .sameUser(.controller) = admission { isForControllers = true }
        self.backlog = isForControllers ? backlog : nil
        antechamber = Antechamber(patience: patience)
        door = Door(admitting: admission, user: user)
        far = nil
        let socket = try Socket(.router, on: endpoint, in: context, heartbeat: heartbeat)
        if isForControllers { try socket.limitQueues(sent: Backlog.queues.sent, received: Backlog.queues.received) }
        monitor = try socket.monitor()
        outer = try Guard(
            listener, Guard.Limits(doors: Self.doors, each: admission.connectionsOfOneProcess, user: user))
        try socket.adopt(listener: listener)
        self.socket = socket
    }

    /// Readable when packets may have arrived, and when connections came or went.
    var descriptors: (packets: Int32, connections: Int32) { (socket.descriptor, monitor.descriptor) }

    /// Readable when connections were refused.
    var guardDescriptor: Int32 { outer.descriptor }

    /// Lets nobody in while something is done, and from then on none of these processes.
    func refuse(after work: () -> [Int32]) { outer.refuse(after: work) }

    /// Readable when somebody wants to come in, at the door to other machines.
    var gateDescriptor: Int32? { gate?.descriptor }

    /// Reads which connections came or went, before the next drain.
    func connectionsChanged() {
        gate?.answer(at: Instant(nanoseconds: clock()))
        readMonitor()
    }

    /// Takes what has arrived.
    ///
    /// - Returns: Whether there may be more.
    func drain(budget: Int, at now: Instant, into arrivals: inout [Arrival]) -> Bool {
        wasSent = false
        outer.takeRefusals(into: &arrivals)
        if let gate { takeRefusals(of: gate, into: &arrivals) }
        let limit = rhythm.limit(of: budget)
        var taken = 0
        // What a connection said before it ended comes before its end.
        while taken < limit || !ended.isEmpty {
            guard socket.receive(into: packet) else {
                rhythm.drained(taken)
                outer.tookAll()
                for end in ended { lose(at: end, into: &arrivals) }
                ended.removeAll()
                return false
            }
            taken += 1
            takePacket(at: now, into: &arrivals)
        }
        return true
    }

    /// Whether something arrived while something was sent; asked before sleeping.
    var hasMore: Bool {
        guard wasSent else { return false }
        wasSent = false
        return socket.isReadable
    }

    private func readMonitor() {
        while let event = ConnectionEvent.next(from: monitor, into: scratch) {
            switch event {
            case .accepted(let descriptor): uses[descriptor, default: 0] += 1
            case .ended(let descriptor): ended.append((descriptor, uses[descriptor, default: 0]))
            case .unspoken: if gate != nil { keyless &+= 1 }
            case .up, .retried, .denied: break
            }
        }
    }

    private func takeRefusals(of gate: Gate, into arrivals: inout [Arrival]) {
        gate.takeRefusals(into: &arrivals)
        guard keyless > 0 else { return }
        arrivals.append(.refused(.keyless(calls: keyless)))
        keyless = 0
    }

    private func takePacket(at now: Instant, into arrivals: inout [Arrival]) {
        let id = RouteID(packet.bytes)
        guard packet.hasMore, socket.receive(into: packet) else { return }
        let connection = packet.connection
        outer.took(packet.bytes.count, of: connection)
        let sender = (gate == nil ? packet.sender : packet.keyHolder) ?? Credentials(pid: 0, uid: .max)
        let hasMore = packet.hasMore
        defer {
            var more = hasMore
            while more, socket.receive(into: packet) { more = packet.hasMore }
        }
        guard let id, sender.pid > 0 else {
            arrivals.append(.refused(.stranger(pid: sender.pid, uid: sender.uid)))
            return
        }
        if let place = routes.firstIndex(where: { $0.id == id }), routes[place].sender == sender, !hasMore {
            return takeMore(packet.bytes, on: place, at: now, into: &arrivals)
        }
        guard !door.isBanished(sender, on: id) else {
            // A child learns it by its end; whoever holds a key has to be told.
            if gate != nil, Knock.isMeant(by: packet.bytes) { say(.refused("hung up on for what it has sent"), on: id) }
            // A child's next connection is kept: libzmq would make one that ended anew at once.
            if backlog != nil { endLater(connection, of: sender) }
            return
        }
        guard !gone.elements.contains(id) else { return }
        guard allows(sender, at: now) else {
            guard let (peer, _) = door.name(of: sender, on: id) else {
                // Said once; what is banished is thrown away unread.
                door.banish(sender)
                return arrivals.append(.refused(.stranger(pid: sender.pid, uid: sender.uid)))
            }
            return flooded(by: peer, sender, on: id, connection, into: &arrivals)
        }
        guard let (peer, generation) = door.name(of: sender, on: id) else {
            let held = Antechamber.Held(
                packet: Array(packet.bytes), sender: sender, route: id, connection: connection, arrived: now)
            if case .roster = admission, sender.uid == user, !hasMore {
                for refused in antechamber.hold(held) { refuse(refused, into: &arrivals) }
            } else {
                refuse(held, into: &arrivals)
            }
            return
        }
        guard !hasMore else {
            arrivals.append(.refused(.malformed(peer, .trailingBytes(packet.bytes.count))))
            return
        }
        take(packet.bytes, from: peer, generation, sender, id, connection, into: &arrivals)
    }

    /// Of a connection that counts: its peer is on the roster still, `update` strikes those that no longer are.
    private func takeMore(
        _ bytes: UnsafeRawBufferPointer, on place: Int, at now: Instant, into arrivals: inout [Arrival]
    ) {
        let (peer, sender, id) = (routes[place].peer, routes[place].sender, routes[place].id)
        guard routes[place].endsAt == nil else { return }
        guard routes[place].unasked.take(at: now) else {
            let route = routes[place]
            return flooded(by: peer, sender, on: id, route.descriptor, into: &arrivals)
        }
        if gate != nil, Knock.isMeant(by: bytes) {
            // Not when we began to look: it may have come since.
            let moment = Instant(nanoseconds: clock())
            return takeKnock(bytes, of: peer, on: id, at: moment, into: &arrivals) {}
        }
        if Pass.isMeant(by: bytes), case .roster = admission {
            return shownAgain(bytes, by: peer, sender, into: &arrivals)
        }
        let first = arrivals.count
        judge(bytes, from: peer, for: receiver, into: &arrivals)
        takeRequests(since: first, on: place, at: now, into: &arrivals)
        if arrivals.count > first, case .refused(.malformed(_, let error)) = arrivals[first] {
            explain(error, to: id)
        }
    }

    /// Counts what a packet has asked beyond its first request: a packet of a controller may be a thousand requests.
    ///
    /// - Parameter first: Where in `arrivals` those of the packet begin. Of a flood none is kept.
    private func takeRequests(since first: Int, on place: Int, at now: Instant, into arrivals: inout [Arrival]) {
        let more = arrivals.count - first - 1
        guard backlog != nil, more > 0, !routes[place].unasked.take(more, at: now) else { return }
        arrivals.removeSubrange(first...)
        let route = routes[place]
        flooded(by: route.peer, route.sender, on: route.id, route.descriptor, into: &arrivals)
    }

    /// Whether a process without a connection that counts may say one more thing.
    private func allows(_ sender: Credentials, at now: Instant) -> Bool {
        if let place = callers.firstIndex(where: { $0.sender == sender }) {
            return callers[place].unasked.take(at: now)
        }
        if callers.count == Door.callerLimit { callers.removeFirst() }
        callers.append((sender, TokenBucket(limits)))
        return callers[callers.count - 1].unasked.take(at: now)
    }

    /// It is told, nothing more is taken of it, and its connection ends.
    private func flooded(
        by peer: Peer, _ sender: Credentials, on id: RouteID, _ connection: Int32, into arrivals: inout [Arrival]
    ) {
        let refusal = Refusal.flooding(peer, limit: UInt32(clamping: Int(limits.rate)))
        say(.refused("\(refusal)"), on: id)
        if routes.contains(where: { $0.peer == peer }) { arrivals.append(.lost(peer)) }
        hangUp(on: peer)
        door.banish(sender)
        gone.overwrite(with: id)
        endLater(connection, of: sender)
        arrivals.append(.refused(refusal))
    }

    /// Ends a connection once its peer has had a moment to read why.
    private func endLater(_ connection: Int32, of sender: Credentials) {
        readMonitor()
        let use = uses[connection, default: 0]
        guard !ending.contains(where: { $0.descriptor == connection && $0.use == use }) else { return }
        let end = Instant(nanoseconds: clock()).advanced(by: Self.farewell)
        ending.append((connection, use, sender, end))
    }

    /// A client whose link was renewed faster than it saw may show its pass twice on one connection.
    private func shownAgain(
        _ bytes: UnsafeRawBufferPointer, by peer: Peer, _ sender: Credentials, into arrivals: inout [Arrival]
    ) {
        if case .pass(let pass) = Pass.read(bytes), let entry = door.roster.entry(for: sender), pass.opens(entry.seal) {
            return
        }
        arrivals.append(.refused(.wrongPass(peer)))
    }

    /// One of another version learns which one is spoken here, in a frame that every version reads.
    private func explain(_ error: WireError, to id: RouteID) {
        if case .version = error { say(.refused("\(error)"), on: id) }
    }

    /// To a connection, whoever it is.
    private func say(_ message: Message, on id: RouteID) {
        let frame = Frame(epoch: 0, generation: 0, sequence: 0, message: message)
        _ = handOver(frame.encoded(), to: id)
    }

    /// The first packet of a connection.
    private func take(
        _ bytes: UnsafeRawBufferPointer, from peer: Peer, _ generation: UInt32, _ sender: Credentials, _ id: RouteID,
        _ connection: Int32, into arrivals: inout [Arrival]
    ) {
        guard peer.role == admission.role else {
            // An app at input-kit's door: whatever it says there, it may not. A pass says nothing.
            guard !Pass.isMeant(by: bytes) else { return }
            let kind = (try? Frame.decode(packet: Array(bytes)))?.first?.message.kind
            arrivals.append(.refused(kind.map { .forbidden(peer, $0) } ?? .stranger(pid: sender.pid, uid: sender.uid)))
            return
        }
        switch admission {
        case .roster: return takePass(bytes, from: peer, generation, sender, id, connection, into: &arrivals)
        case .keys:
            guard Knock.isMeant(by: bytes) else { return arrivals.append(.refused(.unproven(peer))) }
            return takeKnock(bytes, of: peer, on: id, at: Instant(nanoseconds: clock()), into: &arrivals) {
                [self] in
                // Two with one key: the later one is the app, and the earlier one hears why it no longer is.
                for route in routes where route.peer == peer {
                    say(.refused("another process has joined with this key"), on: route.id)
                }
            } opening: { [self] arrivals in
                open(to: peer, generation, sender, id, connection, into: &arrivals)
            }
        case .sameUser: break
        }
        // A process that was started by hand has no pass, and a server that was has nothing to know one by.
        guard !Pass.isMeant(by: bytes) else { return }
        let first = arrivals.count
        var asked = first
        judge(bytes, from: peer, for: receiver, into: &arrivals) { arrivals in
            open(to: peer, generation, sender, id, connection, into: &arrivals)
            asked = arrivals.count
        }
        if let place = routes.firstIndex(where: { $0.id == id }) {
            takeRequests(since: asked, on: place, at: Instant(nanoseconds: clock()), into: &arrivals)
        }
        if arrivals.count > first, case .refused(.malformed(_, let error)) = arrivals[first] { explain(error, to: id) }
    }

    /// What a connection has to begin with, where a roster says by what a pass is known.
    private func takePass(
        _ bytes: UnsafeRawBufferPointer, from peer: Peer, _ generation: UInt32, _ sender: Credentials, _ id: RouteID,
        _ connection: Int32, into arrivals: inout [Arrival]
    ) {
        switch Pass.read(bytes) {
        case .pass(let pass):
            guard pass.opens(door.roster.entry(for: sender)?.seal ?? .none) else {
                return arrivals.append(.refused(.wrongPass(peer)))
            }
            open(to: peer, generation, sender, id, connection, into: &arrivals)
        case .version(let version):
            let error = WireError.version(version, known: Frame.version)
            explain(error, to: id)
            arrivals.append(.refused(.malformed(peer, error)))
        case .none:
            // One of before there were passes: it is not heard, and learns why.
            do throws(WireError) {
                _ = try Frame.decode(packet: bytes)
            } catch {
                if case .version = error {
                    explain(error, to: id)
                    return arrivals.append(.refused(.malformed(peer, error)))
                }
            }
            arrivals.append(.refused(.unproven(peer)))
        }
    }

    /// What an app of another machine says first, and goes on saying: who it was, and what time it is there.
    private func takeKnock(
        _ bytes: UnsafeRawBufferPointer, of peer: Peer, on id: RouteID, at now: Instant,
        into arrivals: inout [Arrival], before: () -> Void, opening: (inout [Arrival]) -> Void = { _ in }
    ) {
        guard let far else { return }
        let knock: Knock
        do throws(WireError) { knock = try Knock(bytes) } catch {
            explain(error, to: id)
            return arrivals.append(.refused(.malformed(peer, error)))
        }
        before()
        opening(&arrivals)
        guard let place = routes.firstIndex(where: { $0.id == id }) else { return }
        routes[place].knock = knock
        let order = LaunchOrder(
            peer: peer, epoch: far.order.epoch, generation: lives.life(of: peer.instance, knock), runDirectory: "",
            settings: far.told(peer.instance))
        let welcome = Welcome(
            order: order, sent: knock.sent, received: now, answered: Instant(nanoseconds: clock()))
        _ = handOver(welcome.packet, to: id)
    }

    private func open(
        to peer: Peer, _ generation: UInt32, _ sender: Credentials, _ id: RouteID, _ connection: Int32,
        into arrivals: inout [Arrival]
    ) {
        readMonitor()
        outer.prove(connection)
        // One voice a peer, and a descriptor is used by one connection at a time.
        for route in routes where route.peer == peer || route.descriptor == connection {
            arrivals.append(.lost(route.peer))
            gone.overwrite(with: route.id)
            // One connection a key: a key that joins again and again would hold the door.
            guard gate != nil, route.descriptor != connection else { continue }
            endLater(route.descriptor, of: route.sender)
        }
        routes.removeAll { $0.peer == peer || $0.descriptor == connection }
        routes.append(
            Route(
                peer: peer, generation: generation, sender: sender, id: id, descriptor: connection,
                use: uses[connection, default: 0], unasked: TokenBucket(limits)))
        arrivals.append(.connected(peer))
    }

    private func refuse(_ held: Antechamber.Held, into arrivals: inout [Arrival]) {
        arrivals.append(.refused(.stranger(pid: held.sender.pid, uid: held.sender.uid)))
    }

    private func lose(at end: (descriptor: Int32, use: Int), into arrivals: inout [Arrival]) {
        for route in routes where route.descriptor == end.descriptor && route.use == end.use {
            if route.endsAt == nil { arrivals.append(.lost(route.peer)) }
            gone.overwrite(with: route.id)
        }
        routes.removeAll { $0.descriptor == end.descriptor && $0.use == end.use }
    }

    // MARK: The roster

    /// Takes the supervisor's word: who is no longer on it is lost, and who now is may have been heard already.
    func update(_ roster: Roster, into arrivals: inout [Arrival]) {
        // Whom the supervisor starts nobody joins as.
        gate?.children = roster.apps
        guard case .roster = admission else { return }
        door.update(roster)
        for route in routes where !isListed(route) {
            arrivals.append(.lost(route.peer))
            gone.overwrite(with: route.id)
        }
        routes.removeAll { !isListed($0) }
        for held in antechamber.admitted(by: roster) {
            held.packet.withUnsafeBytes { takeHeld(held, $0, into: &arrivals) }
        }
    }

    /// What waited is taken as if it came now: a pass first, and by it what was said after.
    private func takeHeld(_ held: Antechamber.Held, _ bytes: UnsafeRawBufferPointer, into arrivals: inout [Arrival]) {
        if let place = routes.firstIndex(where: { $0.id == held.route }), routes[place].sender == held.sender {
            return takeMore(bytes, on: place, at: held.arrived, into: &arrivals)
        }
        guard !door.isBanished(held.sender, on: held.route), !gone.elements.contains(held.route),
            let entry = door.roster.entry(for: held.sender)
        else { return }
        take(bytes, from: entry.peer, entry.generation, held.sender, held.route, held.connection, into: &arrivals)
    }

    private func isListed(_ route: Route) -> Bool {
        guard let entry = door.roster.entry(for: route.sender) else { return false }
        return entry.peer == route.peer && entry.generation == route.generation
    }

    /// When this listener wants to be looked at though nothing arrives.
    var deadline: Instant? {
        let waiting = backlog == nil ? antechamber.deadline : routes.compactMap(\.endsAt).min()
        guard let end = ending.first?.endsAt else { return waiting }
        return waiting.map { min($0, end) } ?? end
    }

    func expire(at now: Instant, into arrivals: inout [Arrival]) {
        for route in routes where route.endsAt.map({ $0 <= now }) ?? false { shutDown(route) }
        routes.removeAll { $0.endsAt.map { $0 <= now } ?? false }
        while let first = ending.first, first.endsAt <= now {
            end(first.descriptor, first.use, of: first.sender)
            ending.removeFirst()
        }
        for held in antechamber.expired(at: now) { refuse(held, into: &arrivals) }
    }

    // MARK: Sending

    func serves(_ peer: Peer) -> Bool {
        // Most apps are this machine's.
        if gate != nil { return routes.contains { $0.peer == peer } }
        return peer.role == admission.role
    }

    /// So many frames go to this peer that it is to answer, or that answer what it has said.
    func earned(_ count: Int, by peer: Peer) {
        guard let place = routes.firstIndex(where: { $0.peer == peer }) else { return }
        routes[place].unasked.giveBack(count)
    }

    /// Hands a packet over, or keeps it while the peer's queue is full. For a peer that is not connected it is
    /// dropped: whoever sends to it has been told, or will be.
    func send(_ bytes: [UInt8], to peer: Peer, into arrivals: inout [Arrival]) {
        guard let index = routes.firstIndex(where: { $0.peer == peer }), routes[index].endsAt == nil else { return }
        guard routes[index].pending.isEmpty else { return keep(bytes, for: index, into: &arrivals) }
        switch handOver(bytes, to: routes[index].id) {
        case .done: break
        case .full: keep(bytes, for: index, into: &arrivals)
        case .unreachable: drop(index, into: &arrivals)
        }
    }

    /// Keeps a packet until libzmq has room.
    private func keep(_ bytes: [UInt8], for index: Int, into arrivals: inout [Arrival]) {
        routes[index].pendingBytes += bytes.count
        guard let backlog else {
            routes[index].pending.append(bytes)
            if routes[index].pending.count > Self.pendingLimit { drop(index, into: &arrivals) }
            return
        }
        // Few large packets: what libzmq keeps is counted in packets.
        if let last = routes[index].pending.indices.last,
            routes[index].pending[last].count + bytes.count <= Frame.packetLimit
        {
            routes[index].pending[last] += bytes
        } else {
            routes[index].pending.append(bytes)
        }
        let kept = routes[index].pendingBytes
        if kept > backlog.each { return giveUp(index, keeping: kept, of: backlog.each, into: &arrivals) }
        let all = routes.reduce(0) { $0 + $1.pendingBytes }
        guard all > backlog.all,
            let largest = routes.indices.max(by: { routes[$0].pendingBytes < routes[$1].pendingBytes })
        else { return }
        giveUp(largest, keeping: all, of: backlog.all, into: &arrivals)
    }

    /// Hangs up on a controller that does not read: it has a moment to read why, then its connection ends.
    private func giveUp(_ index: Int, keeping bytes: Int, of limit: Int, into arrivals: inout [Arrival]) {
        let peer = routes[index].peer
        let refusal = Refusal.unread(peer, bytes: UInt32(clamping: bytes), limit: UInt32(clamping: limit))
        let frame = Frame(epoch: 0, generation: 0, sequence: 0, message: .refused("\(refusal)")).encoded()
        (routes[index].pending, routes[index].pendingBytes) = ([frame], frame.count)
        routes[index].endsAt = Instant(nanoseconds: clock()).advanced(by: Self.farewell)
        arrivals += [.lost(peer), .refused(refusal)]
    }

    /// libzmq has no way to close one connection of a router, but its descriptor is this process's.
    private func shutDown(_ route: Route) {
        gone.overwrite(with: route.id)
        end(route.descriptor, route.use, of: route.sender)
    }

    private func end(_ connection: Int32, _ use: Int, of sender: Credentials) {
        readMonitor()
        // It may have ended by itself, and its number be another's.
        guard uses[connection, default: 0] == use else { return }
        // No kernel of ours knows the process of another machine.
        if gate == nil { endConnection(on: connection, of: sender) } else { outer.hangUp(connection) }
    }

    /// Whether packets wait for room in libzmq; it says nothing when there is room again, so they are tried in turn.
    var hasPending: Bool { routes.contains { !$0.pending.isEmpty } }

    func retry(into arrivals: inout [Arrival]) {
        for index in routes.indices.reversed() {
            var sent = 0
            retrying: for bytes in routes[index].pending {
                switch handOver(bytes, to: routes[index].id) {
                case .done: sent += 1
                case .full: break retrying
                case .unreachable:
                    drop(index, into: &arrivals)
                    sent = 0
                    break retrying
                }
            }
            guard sent > 0 else { continue }
            routes[index].pendingBytes -= routes[index].pending[..<sent].reduce(0) { $0 + $1.count }
            routes[index].pending.removeFirst(sent)
        }
    }

    private func handOver(_ bytes: [UInt8], to id: RouteID) -> Socket.Sent {
        wasSent = true
        var outcome = id.withBytes { socket.send($0, more: true) }
        if outcome != .done {
            // A send takes in news of room only once a millisecond; being asked, it does so at once.
            _ = socket.isReadable
            outcome = id.withBytes { socket.send($0, more: true) }
        }
        guard outcome == .done else { return outcome }
        return bytes.withUnsafeBytes { socket.send($0) }
    }

    /// Takes nothing more of this peer's process: what it says on this connection or another is thrown away unread until
    /// the roster has another in its place.
    func hangUp(on peer: Peer) {
        var senders: [Credentials] = []
        for route in routes where route.peer == peer {
            senders.append(route.sender)
            gone.overwrite(with: route.id)
        }
        routes.removeAll { $0.peer == peer }
        door.hangUp(on: peer, and: senders)
    }

    private func drop(_ index: Int, into arrivals: inout [Arrival]) {
        if routes[index].endsAt == nil { arrivals.append(.lost(routes[index].peer)) }
        gone.overwrite(with: routes[index].id)
        routes.remove(at: index)
    }

    /// Of apps of other machines: that they have joined, as which life; by how much their clocks are before the server's, in microseconds, and how sure that is.
    func addRows(to report: inout Report) {
        guard gate != nil else { return }
        report.add("remote.apps", routes.count)
        for route in routes {
            guard let knock = route.knock else { continue }
            report.add("\(route.peer).joined", knock.generation)
            guard knock.error >= 0 else { continue }
            // It is said from there: how far the server's is before the app's.
            report.add(
                "\(route.peer).clock.offset", text: millisecondsText(knock.offset == .min ? .max : -knock.offset))
            report.add("\(route.peer).clock.error", text: "± " + millisecondsText(knock.error))
        }
    }

    /// Waits a moment at its end for what is on its way: an answer just before an orderly exit.
    func lingerAtEnd() { try? socket.linger(50) }
}

extension PeerListener.Admission {
    /// A child has one connection, and for a moment two when its link is renewed; a person's command may have several.
    fileprivate var connectionsOfOneProcess: UInt32 {
        switch self {
        case .roster, .keys: 8
        case .sameUser: 64
        }
    }

    fileprivate var role: Role {
        switch self {
        case .roster(let role), .sameUser(let role): role
        case .keys: .app
        }
    }
}
