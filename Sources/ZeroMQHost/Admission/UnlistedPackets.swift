// UnlistedPackets.swift: the packets of processes that no roster lists yet.
//
// Input     packets with their times, and each roster
// Output    the packets that a roster admits, and the packets that have waited too long
// Knows     credentials and times. No sockets, no clock.
//
// A child's packets and the roster that lists it travel to the server on different links, so the packets may arrive
// first. They wait for one second for a roster that lists the process. After that they are refused.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2 and F8

import Basics
import Wire

/// Packets of processes that no roster lists, bounded in number, bytes and time.
struct UnlistedPackets {
    /// One waiting packet.
    struct WaitingPacket: Equatable {
        let packet: [UInt8]
        let sender: Credentials
        let route: RouteID
        let connection: Int32
        let arrived: Instant

        var origin: PeerAdmission.Origin {
            PeerAdmission.Origin(route: route, sender: sender, descriptor: connection)
        }
    }

    static let packetsPerPID = 64
    static let bytesPerPID = Frame.packetLimit
    static let pidLimit = 16
    static let waitLimit = Duration.seconds(1)

    private let waitLimit: Duration
    /// One group for each process, in order of first arrival; packets in order of arrival.
    private var groups: [(sender: Credentials, packets: [WaitingPacket])] = []

    init(waitLimit: Duration = Self.waitLimit) { self.waitLimit = waitLimit }

    /// Adds a packet.
    ///
    /// - Returns: The packets that are refused instead. A sender at its limit loses this packet; if there are too many
    ///   senders, the oldest one loses all its packets. The newest sender may be a child that has just started.
    mutating func hold(_ held: WaitingPacket) -> [WaitingPacket] {
        if let index = groups.firstIndex(where: { $0.sender == held.sender }) {
            let bytes = groups[index].packets.reduce(0) { $0 + $1.packet.count } + held.packet.count
            guard groups[index].packets.count < Self.packetsPerPID, bytes <= Self.bytesPerPID else { return [held] }
            groups[index].packets.append(held)
            return []
        }
        groups.append((held.sender, [held]))
        return groups.count > Self.pidLimit ? groups.removeFirst().packets : []
    }

    /// Removes and returns the packets of processes that the roster lists.
    mutating func removeAdmitted(by roster: Roster) -> [WaitingPacket] {
        let listed = groups.filter { roster.entry(for: $0.sender) != nil }
        groups.removeAll { roster.entry(for: $0.sender) != nil }
        return listed.flatMap(\.packets)
    }

    /// Removes and returns all packets of each sender that has waited too long.
    ///
    /// They are removed together: a pass opens nothing for packets that were refused, and frames are refused without
    /// their pass.
    mutating func removeExpired(at now: Instant) -> [WaitingPacket] {
        guard let deadline, deadline <= now else { return [] }
        let isLate = { (group: (sender: Credentials, packets: [WaitingPacket])) in
            group.packets[0].arrived.advanced(by: waitLimit) <= now
        }
        let overdue = groups.filter(isLate)
        groups.removeAll(where: isLate)
        return overdue.flatMap(\.packets)
    }

    /// The time at which the next packet will have waited too long.
    var deadline: Instant? {
        // The loop asks in every turn, and in almost all turns no packet waits.
        guard !groups.isEmpty else { return nil }
        return groups.map { $0.packets[0].arrived }.min()?.advanced(by: waitLimit)
    }
}
