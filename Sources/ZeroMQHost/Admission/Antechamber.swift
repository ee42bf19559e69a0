// Antechamber.swift: packets of processes that no roster names yet.
//
// Input     packets with their moments, and each roster
// Output    the packets that a roster lets in, and those that have waited too long
// Knows     credentials and moments. No sockets, no clock.
//
// A child and the roster that names it take different ways to the server, so the child's first packets may arrive first.
// They wait for one second, and a roster that names the process lets them in. After that they are refused.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2 and F8

import Basics
import Wire

/// Packets of pids that no roster has named, bounded in number, bytes and time.
struct Antechamber {
    struct Held: Equatable {
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
    static let pids = 16
    static let patience = Duration.seconds(1)

    private let patience: Duration
    /// By pid in order of first arrival, each in order of arrival.
    private var groups: [(sender: Credentials, packets: [Held])] = []

    init(patience: Duration = Self.patience) { self.patience = patience }

    /// - Returns: The packets that are refused for it: this one if its sender has had its share, those of the oldest sender
    ///   if there are too many senders. The newest sender may be a child that has just started.
    mutating func hold(_ held: Held) -> [Held] {
        if let index = groups.firstIndex(where: { $0.sender == held.sender }) {
            let bytes = groups[index].packets.reduce(0) { $0 + $1.packet.count } + held.packet.count
            guard groups[index].packets.count < Self.packetsPerPID, bytes <= Self.bytesPerPID else { return [held] }
            groups[index].packets.append(held)
            return []
        }
        groups.append((held.sender, [held]))
        return groups.count > Self.pids ? groups.removeFirst().packets : []
    }

    /// Takes out what the roster now names.
    mutating func admitted(by roster: Roster) -> [Held] {
        let named = groups.filter { roster.entry(for: $0.sender) != nil }
        groups.removeAll { roster.entry(for: $0.sender) != nil }
        return named.flatMap(\.packets)
    }

    /// Takes out all packets of each sender whose first one has waited too long: a pass opens nothing for packets that were
    /// refused, and frames are not heard without their pass.
    mutating func expired(at now: Instant) -> [Held] {
        guard let deadline, deadline <= now else { return [] }
        let isLate = { (group: (sender: Credentials, packets: [Held])) in
            group.packets[0].arrived.advanced(by: patience) <= now
        }
        let late = groups.filter(isLate)
        groups.removeAll(where: isLate)
        return late.flatMap(\.packets)
    }

    /// When the next one will have waited too long.
    var deadline: Instant? {
        // The loop asks in every turn, and in almost all of them no packet waits.
        guard !groups.isEmpty else { return nil }
        return groups.map { $0.packets[0].arrived }.min()?.advanced(by: patience)
    }
}
