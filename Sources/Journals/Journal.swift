// Journal.swift: what a journal says, record by record.
//
//    header | step step … digest | step … | ended         a file that was cut is read to its last whole record
//
// A journal holds what a process was given, not what it did: its core answers the same again.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3

public import Basics
public import Hosting
public import Wire

/// The first record of every file of a journal.
public struct JournalHeader: Hashable, Sendable {
    /// Who the process was, and all it was told at its start.
    public var order: LaunchOrder
    /// `Frame.version` of the program that wrote it.
    public var wireVersion: UInt8
    /// `Journal.behaviour` of the program that wrote it.
    public var behaviour: UInt32
    /// CRC32C of the file an app shows (`app.scene`); 0 for none.
    public var content: UInt32
    /// Which file of the journal this is, from 0, and the index of its first step.
    public var segment: UInt32
    public var firstStep: UInt64
    /// When the life began; of later files, when the file did.
    public var at: Instant
    /// How many apps a supervisor was made with; 0 for others.
    public var apps: UInt32
    public var pid: Int32
    public var uid: UInt32

    public init(
        order: LaunchOrder, wireVersion: UInt8 = Frame.version, behaviour: UInt32 = Journal.behaviour,
        content: UInt32 = 0, segment: UInt32 = 0, firstStep: UInt64 = 0, at: Instant, apps: UInt32 = 0,
        pid: Int32 = 0, uid: UInt32 = 0
    ) {
        (self.order, self.wireVersion, self.behaviour, self.content) = (order, wireVersion, behaviour, content)
        (self.segment, self.firstStep, self.at) = (segment, firstStep, at)
        (self.apps, self.pid, self.uid) = (apps, pid, uid)
    }

    public var life: Life { Life(order.peer, epoch: order.epoch, generation: order.generation) }
}

public enum JournalRecord: Hashable, Sendable {
    case header(JournalHeader)
    /// What the core was given, and when; and of all effects of the steps before it the digest's lower half, so that
    /// the first step that differs can be named.
    case step(Instant, Input, before: UInt32)
    /// Of all effects since the life began, after so many steps: every `Journal.digestPeriod`, and at the end.
    case digest(steps: UInt64, UInt64)
    /// A frame this process sent that a fault kept from `to`.
    case lost(sequence: SequenceNumber, kind: MessageKind, to: Peer, Instant)
    /// So many steps are not here: the disk was full, and the ring with it.
    case skipped(UInt64)
    /// The process ended by its own will.
    case ended(status: Int32, Instant)
}

extension JournalRecord {
    /// When it was written; nil of records that say no moment.
    public var moment: Instant? {
        switch self {
        case .header(let header): header.at
        case .step(let moment, _, before: _), .lost(_, _, _, let moment), .ended(_, let moment): moment
        case .digest, .skipped: nil
        }
    }
}

public enum Journal {
    /// Raised with every change of what any core answers to the same inputs; a test of one run's digest reminds.
    public static let behaviour: UInt32 = 7
    public static let digestPeriod: UInt64 = 1024
    /// Some 73 years after a boot. A file from outside may say any moment, and no core is asked about later ones.
    public static let lastMoment = Instant(nanoseconds: .max / 4)
    /// No record's payload is longer, whoever writes it: whole files come in reads of at most 1 MiB.
    public static let recordLimit = 4 << 20

    /// `app1.2.0.journal`: the first file of app1's second life.
    public static func fileName(_ peer: Peer, generation: UInt32, segment: UInt32) -> String {
        "\(peer).\(generation).\(segment).journal"
    }

    /// - Returns: Nil for a name that is no journal's.
    public static func parse(fileName: some StringProtocol) -> (peer: Peer, generation: UInt32, segment: UInt32)? {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3] == "journal", let peer = Peer(parts[0]), let generation = UInt32(parts[1]),
            let segment = UInt32(parts[2])
        else { return nil }
        return (peer, generation, segment)
    }

    /// The same of a file in the folder of a process.
    ///
    /// A process writes into its own folder, and calls a file there what it likes. So a file is believed to be the journal of
    /// the process that the folder is named after, and of no other.
    ///
    /// - Returns: Nil also for a name that is another process's.
    public static func parse(
        fileName: some StringProtocol, inFolderOf folder: some StringProtocol
    ) -> (peer: Peer, generation: UInt32, segment: UInt32)? {
        guard let found = parse(fileName: fileName), "\(found.peer)" == folder else { return nil }
        return found
    }
}
