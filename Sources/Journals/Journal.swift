// Journal.swift: the records of a journal.
//
//    header | step step … digest | step … | ended         a file that was cut is read to its last whole record
//
// Input     JournalWriter, JournalReader
// Output    replay, audit
//
// A journal contains the inputs of a process, not its effects: the core produces the same effects again.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3

public import Basics
public import Hosting
public import Wire

/// The first record of every file of a journal.
public struct JournalHeader: Hashable, Sendable {
    /// The launch order of the process: its identity and its settings.
    public var order: LaunchOrder
    /// `Frame.version` of the program that wrote the journal.
    public var wireVersion: UInt8
    /// `Journal.behaviorVersion` of the program that wrote the journal.
    public var behaviorVersion: UInt32
    /// CRC32C of the file that an app shows (`app.scene`); 0 for none.
    public var content: UInt32
    /// The number of this file in the journal, from 0, and the index of its first step.
    public var segment: UInt32
    public var firstStep: UInt64
    /// The start of the process; of later files, the beginning of the file.
    public var at: Instant
    /// The number of apps that a supervisor was made with; 0 for other roles.
    public var apps: UInt32
    public var pid: Int32
    public var uid: UInt32

    public init(
        order: LaunchOrder, wireVersion: UInt8 = Frame.version, behaviorVersion: UInt32 = Journal.behaviorVersion,
        content: UInt32 = 0, segment: UInt32 = 0, firstStep: UInt64 = 0, at: Instant, apps: UInt32 = 0,
        pid: Int32 = 0, uid: UInt32 = 0
    ) {
        (self.order, self.wireVersion, self.behaviorVersion, self.content) = (
            order, wireVersion, behaviorVersion, content
        )
        (self.segment, self.firstStep, self.at) = (segment, firstStep, at)
        (self.apps, self.pid, self.uid) = (apps, pid, uid)
    }

    /// The process generation that the journal belongs to.
    public var process: ProcessInstance {
        ProcessInstance(order.peer, epoch: order.epoch, generation: order.generation)
    }
}

/// One record of a journal.
public enum JournalRecord: Hashable, Sendable {
    case header(JournalHeader)
    /// One input with its time. `before` is the lower half of the digest of all earlier effects, so that the first
    /// differing step can be found.
    case step(Instant, Input, before: UInt32)
    /// The digest of all effects since the process started, after this many steps: every `Journal.digestPeriod` steps
    /// and at the end.
    case digest(steps: UInt64, UInt64)
    /// A frame that this process sent to `to` and that a fault discarded.
    case lost(sequence: SequenceNumber, kind: MessageKind, to: Peer, Instant)
    /// The number of steps that are missing here, because the disk and the ring were full.
    case skipped(UInt64)
    /// The process ended itself.
    case ended(status: Int32, Instant)
}

extension JournalRecord {
    /// The time of the record; nil for records without one.
    public var moment: Instant? {
        switch self {
        case .header(let header): header.at
        case .step(let moment, _, before: _), .lost(_, _, _, let moment), .ended(_, let moment): moment
        case .digest, .skipped: nil
        }
    }
}

/// The constants of journals, and the names of their files.
public enum Journal {
    /// The version of the cores' behavior. It rises with every change of the effects for the same inputs; a test of one
    /// run's digest fails until it does.
    public static let behaviorVersion: UInt32 = 13
    public static let digestPeriod: UInt64 = 1024
    /// A moment some 73 years after a boot. A file may contain any moment, and later ones are refused before a core
    /// receives them.
    public static let lastMoment = Instant(nanoseconds: .max / 4)
    /// The greatest length of a record's payload in bytes. Whole files arrive in reads of at most 1 MiB.
    public static let recordLimit = 4 << 20

    /// Returns `app1.2.0.journal` for the first file of app1's second process generation.
    public static func fileName(_ peer: Peer, generation: UInt32, segment: UInt32) -> String {
        "\(peer).\(generation).\(segment).journal"
    }

    /// - Returns: Nil if the name is no journal's.
    public static func parse(fileName: some StringProtocol) -> (peer: Peer, generation: UInt32, segment: UInt32)? {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3] == "journal", let peer = Peer(parts[0]), let generation = UInt32(parts[1]),
            let segment = UInt32(parts[2])
        else { return nil }
        return (peer, generation, segment)
    }

    /// Parses the name of a file in the directory of a process.
    ///
    /// A process writes into its own directory and may name files there as it likes. A file is therefore accepted only
    /// as a journal of the process that the directory is named after.
    ///
    /// - Returns: Nil also if the name belongs to another process.
    public static func parse(
        fileName: some StringProtocol, inFolderOf folder: some StringProtocol
    ) -> (peer: Peer, generation: UInt32, segment: UInt32)? {
        guard let found = parse(fileName: fileName), "\(found.peer)" == folder else { return nil }
        return found
    }
}
