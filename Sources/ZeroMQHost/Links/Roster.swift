// Roster.swift: who may speak, and what was said by those nobody has named yet.
//
// Knows     the supervisor's list. No sockets, no clock but the moments it is handed.
//
// A child just started may be heard before the roster that names it, because they come by different ways. So the
// packets of a pid nobody has named wait a while: a roster with its name lets them in, and after that they are
// refused.
//
// Sources   invented, after PIPELINE.md T2 and F8

import Basics
import Wire

struct Roster {
    private var entries: [Credentials: RosterEntry] = [:]

    init() {}

    init(_ entries: [RosterEntry]) {
        for entry in entries { self.entries[Credentials(pid: entry.pid, uid: entry.uid)] = entry }
    }

    func entry(for sender: Credentials) -> RosterEntry? { entries[sender] }

    /// Apps that are children of this group's supervisor, in no order.
    var apps: [UInt32] { entries.values.filter { $0.peer.role == .app }.map(\.peer.instance) }

    /// One, unless somebody is listed twice.
    func senders(of peer: Peer) -> [Credentials] { entries.filter { $0.value.peer == peer }.map(\.key) }
}

/// Packets of pids that no roster has named, bounded in number, bytes and time.
struct Antechamber {
    struct Held: Equatable {
        let packet: [UInt8]
        let sender: Credentials
        let route: RouteID
        let connection: Int32
        let arrived: Instant
    }

    static let packetsPerPID = 64
    static let bytesPerPID = Frame.packetLimit
    static let pids = 16
    static let patience = Duration.seconds(1)

    private let patience: Duration
    /// By pid in order of first arrival, each in order of arrival.
    private var groups: [(sender: Credentials, packets: [Held])] = []

    init(patience: Duration = Self.patience) { self.patience = patience }

    /// - Returns: Those refused for it: this one when its sender has had its share, somebody else's when there are
    ///   too many senders. The newest sender is never the one to go: a child just started is the newest.
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

    /// Takes out what those have said who have waited too long: a pass is worth nothing without what follows it, nor
    /// the other way round.
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
        // Asked in every turn of the loop, and there is nobody here in almost all of them.
        guard !groups.isEmpty else { return nil }
        return groups.map { $0.packets[0].arrived }.min()?.advanced(by: patience)
    }
}

/// The name a router gives a connection.
///
/// Ours never choose one, so libzmq does: a zero and four bytes. A peer that chooses a longer one is no peer of ours.
struct RouteID: Hashable {
    private let packed: UInt64

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard (1...7).contains(bytes.count) else { return nil }
        var packed = UInt64(bytes.count)
        for byte in bytes { packed = packed << 8 | UInt64(byte) }
        self.packed = packed << (8 * (7 - UInt64(bytes.count)))
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: packed.bigEndian) { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes[1..<(1 + Int(bytes[0]))]))
        }
    }
}
