// Conduct.swift: what the server holds against each peer, and when that is enough.
//
//     strike, strike, strike ──▶ misconduct: hung up on, and no hello of this generation is heard any more
//     a new generation on the roster ──▶ nothing is held against it
//
// Station   process
// Fed by    SystemServerCore: refusals, numbers no honest peer sends, the supervisor's roster
// Feeds     SystemServerCore: the message that ends it
// Knows     peers and counts. No frame.
//
// Sources   invented, after fault F7

import Wire

struct Conduct: Sendable {
    private struct Record: Sendable {
        let peer: Peer
        var generation: UInt32
        var strikes = 0
        var isOut = false
        /// What the last strike was for.
        var reason = ""
    }

    let limit: Int
    /// In the order they were first heard of: those of the roster, or of a server by itself, which numbers every
    /// connection anew, the latest.
    private var records: [Record] = []

    /// More than a group has.
    static let peerLimit = 256

    init(limit: Int) { self.limit = limit }

    mutating func take(_ roster: [RosterEntry]) {
        for entry in roster {
            guard let place = records.firstIndex(where: { $0.peer == entry.peer }) else {
                records.append(Record(peer: entry.peer, generation: entry.generation))
                continue
            }
            guard records[place].generation != entry.generation else { continue }
            records[place] = Record(peer: entry.peer, generation: entry.generation)
        }
    }

    /// Whether the supervisor has said that the peer is one of its children.
    func isOnRoster(_ peer: Peer) -> Bool { records.contains { $0.peer == peer && $0.generation > 0 } }

    /// - Parameter isLast: Whether this one is enough by itself.
    /// - Returns: What to tell the supervisor, with the strike that is the last one.
    mutating func strike(_ peer: Peer, _ reason: String, isLast: Bool = false) -> Misconduct? {
        // A server by itself has no roster: who comes by a socket of this role is the peer.
        if !records.contains(where: { $0.peer == peer }) {
            records.append(Record(peer: peer, generation: 0))
            if records.count > Self.peerLimit, let oldest = records.firstIndex(where: { $0.generation == 0 }) {
                records.remove(at: oldest)
            }
        }
        guard let place = records.firstIndex(where: { $0.peer == peer }), !records[place].isOut else { return nil }
        records[place].strikes += 1
        records[place].reason = String(reason.prefix(Self.reasonLimit))
        guard isLast || records[place].strikes >= limit else { return nil }
        records[place].isOut = true
        return Misconduct(
            peer: peer, generation: records[place].generation, strikes: UInt32(clamping: records[place].strikes),
            reason: String(reason.prefix(200)))
    }

    /// What a hello's sender is, by the generation it says it is.
    enum Judgement: Equatable, Sendable {
        case welcome
        /// Hung up on.
        case out
        /// Of a process that is no more.
        case late
        /// Of one that is yet to come: were it believed, the one that does come would be late.
        case impostor
    }

    /// Characters of a reason in a report, and peers of whom there is one: a report is one packet.
    private static let reasonLimit = 100
    private static let reportedPeers = 64

    /// What is held against whom, for a person: nothing of those against whom nothing is.
    func addRows(to report: inout Report) {
        for record in records.filter({ $0.strikes > 0 }).suffix(Self.reportedPeers) {
            report.add("\(record.peer).strikes", record.strikes)
            report.add("\(record.peer).lastStrike", text: record.reason)
            if record.isOut { report.add("\(record.peer).hungUp", flag: true) }
        }
    }

    /// A server by itself has no roster, and believes what it is told.
    func judge(_ peer: Peer, _ generation: UInt32) -> Judgement {
        guard let record = records.first(where: { $0.peer == peer }) else { return .welcome }
        if record.isOut { return .out }
        guard record.generation > 0, generation != record.generation else { return .welcome }
        return generation < record.generation ? .late : .impostor
    }
}

/// What the server keeps of peers whose links are gone.
struct PeerRecords: Sendable {
    var conduct: Conduct
    /// A link that opens again goes on with the numbers of the one before.
    var former = PerApp<FormerConnection>()

    init(_ conduct: Conduct) { self.conduct = conduct }
}
