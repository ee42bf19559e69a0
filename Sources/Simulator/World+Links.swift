// World+Links.swift: the behavior of libzmq and the kernel between two hosts, as measured in Docs/Spec/Pipeline.md section 1.
//
//     client ──connect──▶ waiting (no server listens, or it stands still)
//               └───────▶ connected ──frames──▶ in the roster? ──▶ a route: connected(peer), frames
//                                                    └▶ unnamed: kept for a second, then refused
//
// For its sender every send succeeds. Frames to a dead process are lost, and so are frames beyond the capacity of a
// link to a stopped process. Frames that a dead process had sent arrive, and its end is noticed only after them. A
// client connects again after the end of its link. The next server accepts it, because the listening socket outlives
// the server.
//
// Inherited links hold all frames, in order, while both ends live.

import Basics
import Faults
import Hosting
import Wire

extension World {
    // MARK: Sending

    mutating func send(_ frame: consuming Frame, from process: SimulatedProcess, to receiver: Peer, leaving: Int64) {
        if frame.ledger.count > 0 { frame.ledger.append(Instant(nanoseconds: leaving)) }
        guard process.peer.isClient(of: receiver) || receiver.isClient(of: process.peer) else {
            return sendOverControl(frame, from: process, to: receiver, leaving: leaving)
        }
        guard let slot = slot(of: receiver), slot < population.slots.count, population.slots[slot].starts > 0 else {
            return noteOutsideFrame(to: receiver, from: process.peer, frame)
        }
        if slot < process.links.faultyLinks.count || population.slots[process.slot].hasLinkFaults {
            pass(frame, from: process, to: slot, leaving: leaving)
        } else {
            transmit(frame, from: process, to: slot, leaving: leaving)
        }
    }

    /// Passes a frame over a faulty link. A delayed frame is held in the sender's host.
    private mutating func pass(_ frame: consuming Frame, from process: SimulatedProcess, to slot: Int, leaving: Int64) {
        while process.links.faultyLinks.count <= slot { process.links.faultyLinks.append(nil) }
        if process.links.faultyLinks[slot] == nil {
            guard population.slots[process.slot].hasLinkFaults else {
                return transmit(frame, from: process, to: slot, leaving: leaving)
            }
            let seed = chance.next()
            process.links.faultyLinks[slot] = FaultyLink(seed: seed)
            process.links.delaysDuplicates = seed & 1 == 0
        }
        process.links.faultyLinks[slot]?.faults = population.slots[process.slot].linkFaults
        guard let passage = process.links.faultyLinks[slot]?.passage(at: Instant(nanoseconds: leaving)) else { return }
        switch passage {
        case .lost: lose(frame, of: process.serial, to: population.slots[slot].peer, .fault)
        case .once(let delay): hold(frame, from: process, to: slot, leaving: leaving, for: delay.nanoseconds)
        case .twice(let first, let second):
            hold(copy frame, from: process, to: slot, leaving: leaving, for: first.nanoseconds)
            var later = second.nanoseconds
            // Half of all links repeat frames late enough to reach the next server as well.
            if process.links.delaysDuplicates {
                let (least, most) = (FaultyLink.lateEcho.lowerBound, FaultyLink.lateEcho.upperBound)
                later = max(later, least + Int64(chance.next() % UInt64(most - least)))
            }
            hold(frame, from: process, to: slot, leaving: leaving, for: later)
        }
    }

    private mutating func hold(
        _ frame: consuming Frame, from process: SimulatedProcess, to slot: Int, leaving: Int64, for delay: Int64
    ) {
        guard delay > 0 else { return transmit(frame, from: process, to: slot, leaving: leaving) }
        let receiver = population.slots[slot].peer
        let payload = storePayload(
            .frame(frame, from: process.peer),
            PayloadRoute(
                sender: process.serial, receiver: receiver,
                connection: process.isServer ? route(of: process, to: slot) : nil))
        schedule.insert(
            ScheduledEntry(
                at: leaving + delay, kind: .release, slot: Int32(process.slot), serial: process.serial,
                subject: payload, detail: UInt32(slot)))
    }

    mutating func release(_ due: ScheduledEntry, by process: SimulatedProcess) {
        let waited = payloadRoute(due.subject)
        guard case .frame(let frame, from: _) = removeInput(due.subject) else { return }
        // A router's frame is for one connection. A dealer's frame is for the server that is at the other end by then.
        if process.isServer, waited.connection != route(of: process, to: Int(due.detail)) {
            return lose(frame, of: process.serial, to: waited.receiver, .receiverGone)
        }
        transmit(frame, from: process, to: Int(due.detail), leaving: now.nanoseconds)
    }

    private mutating func transmit(
        _ frame: consuming Frame, from process: SimulatedProcess, to slot: Int, leaving: Int64
    ) {
        let index = process.isServer ? route(of: process, to: slot) : process.links.connection
        guard let index, let receiver = population.processes[slot] else {
            return lose(frame, of: process.serial, to: population.slots[slot].peer, .receiverGone)
        }
        let isToServer = receiver.isServer
        let expected = isToServer ? connections[index].serverSerial : connections[index].clientSerial
        guard receiver.serial == expected else {
            return lose(frame, of: process.serial, to: receiver.peer, .receiverGone)
        }
        let held = isToServer ? connections[index].heldForServer : connections[index].heldForClient
        if receiver.pace.stops > 0 && held >= links.capacity {
            return lose(frame, of: process.serial, to: receiver.peer, .full)
        }
        var at = leaving + links.data.draw(&chance)
        if isToServer {
            at = max(at, connections[index].lastToServer)
            connections[index].lastToServer = at
            connections[index].heldForServer += 1
        } else {
            at = max(at, connections[index].lastToClient)
            connections[index].lastToClient = at
            connections[index].heldForClient += 1
        }
        let payload = storePayload(
            .frame(consume frame, from: process.peer),
            PayloadRoute(sender: process.serial, receiver: receiver.peer))
        schedule.insert(
            ScheduledEntry(
                at: at, kind: .frame, slot: Int32(slot), serial: receiver.serial, subject: payload,
                detail: UInt32(index)))
    }

    private mutating func sendOverControl(
        _ frame: consuming Frame, from process: SimulatedProcess, to receiver: Peer, leaving: Int64
    ) {
        guard let other = self.process(receiver) else {
            if let slot = slot(of: receiver), slot < population.slots.count, population.slots[slot].starts > 0 {
                return lose(frame, of: process.serial, to: receiver, .receiverGone)
            }
            return noteOutsideFrame(to: receiver, from: process.peer, frame)
        }
        var at = leaving + links.control.draw(&chance)
        if receiver == .supervisor {
            at = max(at, process.links.lastControl.toSupervisor)
            process.links.lastControl.toSupervisor = at
        } else {
            at = max(at, other.links.lastControl.toChild)
            other.links.lastControl.toChild = at
        }
        let detail: UInt32 = Self.concernsHost(frame.message.kind) ? 1 : 0
        let payload = storePayload(
            .frame(consume frame, from: process.peer), PayloadRoute(sender: process.serial, receiver: receiver))
        schedule.insert(
            ScheduledEntry(
                at: at, kind: .control, slot: Int32(other.slot), serial: other.serial, subject: payload,
                detail: detail))
    }

    private mutating func lose(_ frame: Frame, of serial: UInt32, to receiver: Peer, _ cause: LossCause) {
        guard let observer else { return }
        observer(
            .lost(
                sequence: frame.sequence, kind: frame.message.kind, from: population.instances[Int(serial)],
                to: receiver,
                at: now,
                cause))
    }

    /// Discards an entry of a process that is gone.
    mutating func discard(_ due: ScheduledEntry) {
        switch due.kind {
        case .input: _ = removeInput(due.subject)
        case .release:
            let route = payloadRoute(due.subject)
            // The frame never left the host of its dead sender.
            if case .frame(let frame, from: _) = removeInput(due.subject) {
                lose(frame, of: route.sender, to: route.receiver, .fault)
            }
        case .frame, .control:
            let route = payloadRoute(due.subject)
            if case .frame(let frame, from: _) = removeInput(due.subject), route.sender != 0 {
                lose(frame, of: route.sender, to: route.receiver, .receiverGone)
            }
        case .start, .timer, .connect, .ended, .silence, .wake, .faultBegins, .faultEnds, .exit, .expiry, .contact:
            return
        }
    }

    // MARK: Receiving

    private func route(of server: SimulatedProcess, to slot: Int) -> Int? {
        slot < server.links.routes.count ? server.links.routes[slot] : nil
    }

    private func setRoute(of server: SimulatedProcess, to slot: Int, _ connection: Int?) {
        while server.links.routes.count <= slot { server.links.routes.append(nil) }
        server.links.routes[slot] = connection
    }

    mutating func receive(_ due: ScheduledEntry, by process: SimulatedProcess) {
        let index = Int(due.detail)
        guard process.isServer else {
            connections[index].heldForClient -= 1
            guard !connections[index].isOverAtClient else { return discard(due) }
            return deliver(removeInput(due.subject), to: process)
        }
        connections[index].heldForServer -= 1
        guard !connections[index].isOverAtServer else { return discard(due) }
        let slot = connections[index].client
        if route(of: process, to: slot) != index {
            guard !process.links.excludedSerials.contains(connections[index].clientSerial) else { return discard(due) }
            guard admit(index, to: process) else { return holdUnnamed(due, connection: index) }
            // One connection for each peer: the older one is over.
            if let older = route(of: process, to: slot) {
                connections[older].isOverAtServer = true
                setRoute(of: process, to: slot, nil)
                deliver(.peerLost(population.slots[slot].peer), to: process)
            }
            guard population.processes[process.slot] === process else { return discard(due) }
            setRoute(of: process, to: slot, index)
            deliver(.connected(population.slots[slot].peer), to: process)
            guard population.processes[process.slot] === process else { return discard(due) }
        }
        deliver(removeInput(due.subject), to: process)
    }

    /// Whether the roster names the client of this connection.
    private func admit(_ index: Int, to server: SimulatedProcess) -> Bool {
        guard let roster = server.links.roster else { return true }
        let pid = Int32(clamping: 1000 + Int64(connections[index].clientSerial))
        let peer = population.slots[connections[index].client].peer
        return roster.contains { $0.pid == pid && $0.peer == peer }
    }

    /// The limits for packets of an unnamed connection: their number, and the nanoseconds.
    private static let unnamedPacketLimit = 64
    private static let unnamedPacketTime: Int64 = 1_000_000_000

    private mutating func holdUnnamed(_ due: ScheduledEntry, connection index: Int) {
        guard connections[index].unnamedPackets.count < Self.unnamedPacketLimit else { return refuse(due) }
        if connections[index].unnamedPackets.isEmpty {
            schedule.insert(
                ScheduledEntry(
                    at: now.nanoseconds + Self.unnamedPacketTime, kind: .expiry, slot: due.slot,
                    subject: UInt32(index)))
        }
        connections[index].unnamedPackets.append(due)
    }

    mutating func expire(connection index: Int) {
        for due in connections[index].unnamedPackets { refuse(due) }
        connections[index].unnamedPackets = []
    }

    private mutating func refuse(_ due: ScheduledEntry) {
        discard(due)
        guard let server = population.processes[Int(due.slot)], server.serial == due.serial else { return }
        let pid = Int32(clamping: 1000 + Int64(connections[Int(due.detail)].clientSerial))
        post(.refused(.notOnRoster(pid: pid, uid: 1000)), for: server, at: now.nanoseconds)
    }

    /// Makes the server take nothing more from this life of the peer.
    mutating func hangUp(on peer: Peer, by server: SimulatedProcess) {
        guard server.isServer, let slot = slot(of: peer), let index = route(of: server, to: slot) else { return }
        connections[index].isOverAtServer = true
        setRoute(of: server, to: slot, nil)
        server.links.excludedSerials.append(connections[index].clientSerial)
    }

    /// Applies the supervisor's roster. Peers that are no longer in it are lost. Peers that are in it now may have sent
    /// packets before.
    mutating func update(roster entries: [RosterEntry], of server: SimulatedProcess) {
        server.links.roster = entries
        for slot in server.links.routes.indices {
            guard let index = server.links.routes[slot], !admit(index, to: server) else { continue }
            connections[index].isOverAtServer = true
            server.links.routes[slot] = nil
            // Before any waiting input: a slow server may have the hello of the successor there already.
            deliver(.peerLost(population.slots[slot].peer), to: server)
            guard population.processes[server.slot] === server else { return }
        }
        for index in connections.indices
        where !connections[index].unnamedPackets.isEmpty && connections[index].serverSerial == server.serial
            && admit(index, to: server)
        {
            for due in connections[index].unnamedPackets {
                connections[index].heldForServer += 1
                var due = due
                due.at = now.nanoseconds
                schedule.insert(due)
            }
            connections[index].unnamedPackets = []
        }
    }

    /// Announces a client that is not in this world and that a test speaks for, as a host would.
    mutating func announce(_ input: Input, to process: SimulatedProcess) {
        guard process.isServer, case .frame(_, from: let sender) = input, sender.isClient(of: process.peer),
            self.process(sender) == nil, !process.links.announced.contains(sender),
            slot(of: sender).map({ $0 >= population.slots.count || population.slots[$0].starts == 0 }) ?? true
        else { return }
        process.links.announced.append(sender)
        deliver(.connected(sender), to: process)
    }

    // MARK: Connections

    mutating func scheduleConnect(_ client: SimulatedProcess, at moment: Int64) {
        schedule.insert(ScheduledEntry(at: moment, kind: .connect, slot: Int32(client.slot), serial: client.serial))
    }

    /// Connects a client. A listening server accepts at once; otherwise the call waits in the kernel.
    mutating func connect(_ client: SimulatedProcess) {
        guard client.links.connection == nil else { return }
        guard Self.serverSlot < population.processes.count, let server = population.processes[Self.serverSlot],
            server.pace.hasStarted,
            server.pace.stops == 0
        else {
            client.links.isWaiting = true
            return
        }
        client.links.isWaiting = false
        client.links.connection = connections.count
        connections.append(
            Connection(client: client.slot, clientSerial: client.serial, serverSerial: server.serial))
        // The I/O thread has connected. The process gets the input when it handles its arrivals.
        if client.pace.halts > 0 || client.pace.busyUntil > now.nanoseconds || client.waiting.count > 0 {
            post(.connected(.systemServer), for: client, at: now.nanoseconds)
        } else {
            deliver(.connected(.systemServer), to: client)
        }
    }

    mutating func acceptWaitingClients(at moment: Int64) {
        for process in population.processes {
            guard let process, process.links.isWaiting else { continue }
            process.links.isWaiting = false
            scheduleConnect(process, at: moment)
        }
    }

    /// Schedules the notice of a process's end at its connected peers.
    mutating func hangUp(_ process: SimulatedProcess) {
        if process.isClient {
            guard let index = process.links.connection, let server = population.processes[Self.serverSlot],
                server.serial == connections[index].serverSerial
            else { return }
            let at = max(now.nanoseconds + links.notice.draw(&chance), connections[index].lastToServer)
            scheduleEnd(of: index, for: server, at: at)
        } else if process.isServer {
            for client in population.processes {
                guard let client, let index = client.links.connection,
                    connections[index].serverSerial == process.serial
                else { continue }
                let at = max(now.nanoseconds + links.notice.draw(&chance), connections[index].lastToClient)
                scheduleEnd(of: index, for: client, at: at)
            }
        }
    }

    private mutating func scheduleEnd(of index: Int, for process: SimulatedProcess, at moment: Int64) {
        schedule.insert(
            ScheduledEntry(
                at: moment, kind: .ended, slot: Int32(process.slot), serial: process.serial,
                subject: UInt32(index)))
    }

    mutating func noticeEnd(of index: Int, by process: SimulatedProcess) {
        if process.isServer {
            guard !connections[index].isOverAtServer else { return }
            connections[index].isOverAtServer = true
            let slot = connections[index].client
            guard route(of: process, to: slot) == index else { return }
            setRoute(of: process, to: slot, nil)
            deliver(.peerLost(population.slots[slot].peer), to: process)
        } else {
            guard !connections[index].isOverAtClient, process.links.connection == index else { return }
            connections[index].isOverAtClient = true
            process.links.connection = nil
            deliver(.peerLost(.systemServer), to: process)
            guard population.processes[process.slot] === process else { return }
            scheduleConnect(process, at: now.nanoseconds + links.connect.draw(&chance))
        }
    }

    // MARK: Stopped processes

    /// Starts the heartbeat's time at the I/O threads of the peers.
    mutating func expectSilence(of process: SimulatedProcess) {
        let at = now.nanoseconds + links.heartbeat.nanoseconds
        func expect(_ index: Int, by other: Int, _ world: inout World) {
            world.schedule.insert(
                ScheduledEntry(
                    at: at, kind: .silence, slot: Int32(other), serial: process.serial, subject: UInt32(index),
                    detail: process.pace.stopNumber))
        }
        if process.isClient, let index = process.links.connection {
            expect(index, by: Self.serverSlot, &self)
        } else if process.isServer {
            for client in population.processes {
                if let client, let index = client.links.connection, connections[index].serverSerial == process.serial {
                    expect(index, by: client.slot, &self)
                }
            }
        }
    }

    /// The awake end closes the connection. The stopped end notices after it wakes, behind the frames it was sent.
    mutating func noticeSilence(_ due: ScheduledEntry) {
        let index = Int(due.subject)
        let connection = connections[index]
        guard let noticing = population.processes[Int(due.slot)] else { return }
        let isServer = noticing.isServer
        guard noticing.serial == (isServer ? connection.serverSerial : connection.clientSerial) else { return }
        let other = population.processes[isServer ? connection.client : Self.serverSlot]
        guard let other, other.serial == due.serial, other.pace.stops > 0, other.pace.stopNumber == due.detail else {
            return
        }
        scheduleEnd(of: index, for: noticing, at: now.nanoseconds)
        scheduleEnd(of: index, for: other, at: now.nanoseconds)
    }
}

extension Peer {
    /// Whether this peer connects to the other for data: input-kit and apps connect to the server.
    func isClient(of other: Peer) -> Bool {
        other.role == .systemServer && (role == .inputKit || role == .app)
    }
}
