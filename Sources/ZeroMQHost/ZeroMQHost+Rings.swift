// ZeroMQHost+Rings.swift: the rings of a process (host.transport=ring): asked for, made, given, waited for.
//
//     server: connection opened ─▶ request ─▶ supervisor: memory, bells, token ─▶ grants ─▶ client and server: attach
//
// Input     Poller: bells, and the supervisor's link
// Output    PeerListener, ServerLink: rings; ChildProcesses: requests
//
// Sources   invented, after Docs/Decisions/Ring.md

import Basics
import Hosting
import Wire

extension ZeroMQHost {
    /// Asks the supervisor for a ring for each connection that has opened.
    func requestRings(of listener: PeerListener) {
        for request in listener.removeRingRequests() {
            guard let link = parts.supervisor else { return }
            link.send(request.packet, into: &mail.arrivals)
            watchForWriting(link, as: .link)
        }
    }

    /// Gives a child and the server the rings that the server has asked for.
    func grantRings() {
        for (child, grant) in children.makeRings(at: now()) {
            child.channel.grant(grant, into: &mail.arrivals)
            watchForWriting(child.channel, as: .childLink(child.pid))
        }
    }

    /// Takes the rings that the supervisor has given this process. A ring that cannot be used is dropped, and its link
    /// stays on ZeroMQ.
    func attachRings(of link: PacketChannel) {
        for grant in link.removeRings() {
            do throws(HostError) { try attach(grant) } catch {
                printError("\(peer): \(error): the link to \(grant.peer) stays on ZeroMQ")
            }
        }
    }

    private func attach(_ grant: RingGrant) throws(HostError) {
        let isServer = peer.role == .systemServer
        let channel = try RingChannel(grant, as: isServer ? .server : .client)
        // The bell is watched before the other end learns that it may ring.
        try poller.watch(channel.descriptor, as: PollSource.bell(channel.number).token, isEdge: true)
        guard isServer else {
            _ = parts.server?.attach(channel)
            return
        }
        _ = parts.listeners.first { $0.serves(grant.peer) }?.offer(channel, pid: grant.pid, into: &mail.arrivals)
    }

    func wakeRing(_ number: UInt32) {
        parts.server?.bellRang()
        for listener in parts.listeners { listener.bellRang(number) }
    }

    /// Prepares the wait for all rings.
    ///
    /// - Returns: Whether the process may wait; false if a ring has a packet.
    func sleepRings() -> Bool {
        var maySleep = parts.server?.sleepRing() ?? true
        for listener in parts.listeners where !listener.sleepRings() { maySleep = false }
        return maySleep
    }
}
