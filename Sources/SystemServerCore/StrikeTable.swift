// StrikeTable.swift: the strikes against each peer, and when they are too many.
//
//     strike, strike, strike ──▶ misconduct: the link is ended, and hellos of this generation are ignored
//     a new generation on the roster ──▶ no strikes
//
// Station   process
// Input     SystemServerCore: refusals, numbers that no correct peer sends, the supervisor's roster
// Output    the message to the supervisor that ends a peer; whether a hello is accepted
// Knows     peers and counts. No frame.
//
// Sources   invented, after fault F7

import Wire

/// The strikes against each peer.
struct StrikeTable: Sendable {
    private struct Record: Sendable {
        let peer: Peer
        var generation: UInt32
        var strikes = 0
        var isExcluded = false
        /// The reason of the last strike.
        var reason = ""
    }

    let limit: Int
    /// In order of first mention. A roster adds its peers. A server without a supervisor gives each connection a new
    /// number, so its newest peers are last.
    private var records: [Record] = []

    /// The limit of records, which is larger than any group.
    static let peerLimit = 256

    init(limit: Int) { self.limit = limit }

    /// Adopts the supervisor's roster: a new process generation starts without strikes.
    mutating func adopt(_ roster: [RosterEntry]) {
        for entry in roster {
            guard let index = records.firstIndex(where: { $0.peer == entry.peer }) else {
                records.append(Record(peer: entry.peer, generation: entry.generation))
                continue
            }
            guard records[index].generation != entry.generation else { continue }
            records[index] = Record(peer: entry.peer, generation: entry.generation)
        }
    }

    /// Whether the supervisor has listed the peer as one of its children.
    func isOnRoster(_ peer: Peer) -> Bool { records.contains { $0.peer == peer && $0.generation > 0 } }

    /// Counts a strike against a peer.
    ///
    /// - Parameter isLast: Whether this strike alone excludes the peer.
    /// - Returns: The message to the supervisor, if this strike excludes the peer.
    mutating func strike(_ peer: Peer, _ reason: String, isLast: Bool = false) -> StrikeReport? {
        // A server without a supervisor has no roster. It accepts every process that connects to the socket of a role.
        if !records.contains(where: { $0.peer == peer }) {
            records.append(Record(peer: peer, generation: 0))
            if records.count > Self.peerLimit, let oldest = records.firstIndex(where: { $0.generation == 0 }) {
                records.remove(at: oldest)
            }
        }
        guard let index = records.firstIndex(where: { $0.peer == peer }), !records[index].isExcluded else { return nil }
        records[index].strikes += 1
        records[index].reason = String(reason.prefix(Self.reasonLimit))
        guard isLast || records[index].strikes >= limit else { return nil }
        records[index].isExcluded = true
        return StrikeReport(
            peer: peer, generation: records[index].generation, strikes: UInt32(clamping: records[index].strikes),
            reason: String(reason.prefix(200)))
    }

    /// What the server makes of a hello, by its generation.
    enum HelloVerdict: Equatable, Sendable {
        case accepted
        /// The process was excluded.
        case excluded
        /// The hello is from an earlier process.
        case outdated
        /// The hello claims a generation that has not started. If it were accepted, the real process would count as late.
        case impostor
    }

    /// The limits for a report, which is one packet: characters of a reason, and peers.
    private static let reasonLimit = 100
    private static let reportedPeers = 64

    /// Adds strike counts to the report; peers without strikes are omitted.
    func addRows(to report: inout Report) {
        for record in records.filter({ $0.strikes > 0 }).suffix(Self.reportedPeers) {
            report.add("\(record.peer).strikes", record.strikes)
            report.add("\(record.peer).lastStrike", text: record.reason)
            if record.isExcluded { report.add("\(record.peer).excluded", flag: true) }
        }
    }

    /// Judges the sender of a hello. Without a roster every generation is accepted.
    func judge(_ peer: Peer, _ generation: UInt32) -> HelloVerdict {
        guard let record = records.first(where: { $0.peer == peer }) else { return .accepted }
        if record.isExcluded { return .excluded }
        guard record.generation > 0, generation != record.generation else { return .accepted }
        return generation < record.generation ? .outdated : .impostor
    }
}

/// What the server keeps of a peer after its link is gone.
struct PeerRecords: Sendable {
    var strikes: StrikeTable
    /// The lost links of apps. A link that opens again continues with the numbers of the lost one.
    var former = PerApp<FormerConnection>()

    init(_ conduct: StrikeTable) { self.strikes = conduct }
}
