// ReplayedGroup.swift: the replay of a group's journals through the production cores.
//
//    folder ─▶ one process a journal ─▶ its core ─▶ steps of all processes, by time and cause ─▶ occurrences
//                                          │
//                                          └ every effect digested, and compared with the journal
//
// Input     `touchline replay --journal`, `touchline audit`, tests
// Output    Audit, traces
// Knows     all four cores and the content of apps. No running process, no socket.
//
// All moments are of one clock, so steps are ordered by time. Clocks of two CPUs differ slightly, so steps that are
// nearer are ordered by cause: a frame is received after the step that sent it.
//
// A killed process does not record its end. The supervisor's journal has it, or that of a peer that lost its link.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3

public import Basics
import Configuration
import Foundation
public import Hosting
public import Journals
public import Settings
public import Trace
import ViewTrees
import Wire

/// A folder that cannot be replayed. At fault: the person who named it, or a program of another version.
public enum ReplayError: Error, Sendable {
    case noFolder(String, reason: String)
    /// The folder contains no journals.
    case noJournals(String)
    case journal(file: String, JournalError)
    /// The journal was written by another version of the cores.
    case behavior(file: String, UInt32, known: UInt32)
    case unreadable(file: String, reason: String)
}

extension ReplayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noFolder(let path, let reason): "\(path): \(reason)"
        case .noJournals(let path): "\(path): expected journals of a group (<run-dir>/journal), found none"
        case .journal(let file, let error): "\(file): \(error)"
        case .behavior(let file, let found, let known):
            "\(file): written by cores of behaviour \(found), this program's are of \(known): "
                + "replay them with the touchline that wrote them"
        case .unreadable(let file, let reason): "\(file): \(reason)"
        }
    }
}

/// The first step or digest that differs from the journal.
public struct ReplayDifference: Hashable, Sendable {
    public var process: ProcessInstance
    /// The step whose effects differ. If only a digest shows the difference, the last step that the digest covers.
    public var step: UInt64
    public var at: Instant
    /// The digests of the journal and of this run.
    public var expected, found: UInt64
}

extension ReplayDifference: CustomStringConvertible {
    public var description: String {
        "\(process) step \(step) at \(at): expected effects of digest \(String(expected, radix: 16)), "
            + "found \(String(found, radix: 16))"
    }
}

/// The replay of one group.
public struct ReplayedGroup {
    /// One file of a journal.
    public struct File {
        public var name: String
        /// Reads the bytes of the file. It is called when they are needed, and again when the group is replayed again.
        public var read: () throws -> [UInt8]

        public init(name: String, read: @escaping () throws -> [UInt8]) { (self.name, self.read) = (name, read) }
    }

    /// The processes with journals that can be replayed, in the order of their starts.
    public private(set) var processes: [ProcessInstance] = []
    /// The incompleteness of the journals, a line for each problem: missing beginnings, damage, changed scenes.
    public private(set) var complaints: [String] = []
    /// The first difference; no occurrence follows it.
    public private(set) var difference: ReplayDifference?
    /// The numbers of replayed steps and compared digests so far.
    public private(set) var steps: UInt64 = 0
    public private(set) var digests: UInt64 = 0
    /// The settings of the group, from any process with a journal; nil without one.
    public private(set) var settings: Settings?
    /// The header of the supervisor's journal, with the launch of the group; nil without that journal.
    public private(set) var supervisor: JournalHeader?
    /// Whether the supervisor has begun and no journal contains its end, because the group still runs or was killed.
    public private(set) var isUnfinished = false
    /// The facts of the last step; empty unless the group is traced.
    public private(set) var facts: [ResolvedFact] = []

    private var waiting: [ReplayedProcess] = []
    private var running: [ReplayedProcess] = []
    /// The processes whose journals have ended and whose end is not known yet.
    private var silent: [ReplayedProcess] = []
    /// The occurrences that come next, because one record can result in several.
    private var queue: [Occurrence] = []
    /// The facts of the step in the queue.
    private var queuedFacts: [ResolvedFact] = []
    private var children = ReplayedChildren()
    private let isTraced: Bool
    private var programs: ReplayPrograms
    /// A folder with copies of the scenes that apps of another machine showed; nil for journals of this machine.
    private var contentFolder: String?

    /// The greatest size of a file in bytes: the greatest `journal.segmentSize`, and a longer record.
    private static let fileLimit = 2 << 30

    /// The greatest difference between the clocks of two CPUs.
    private static let skew = Duration.milliseconds(1)

    /// Returns the journal files in a folder and in its folders, because each process of a live group has a folder of
    /// its own.
    public static func journals(in path: String) throws(ReplayError) -> [String] {
        try foundJournals(in: path).believed
    }

    /// Returns the files of one process's journal, in order.
    static func journalFiles(of process: ProcessInstance, in path: String) throws(ReplayError) -> [File] {
        var segments: [(segment: UInt32, file: File)] = []
        for path in try foundJournals(in: path).believed {
            let file = File(name: path) { try bytes(ofFile: path, limit: fileLimit) }
            guard let name = file.parsed, name.peer == process.peer, name.generation == process.generation else {
                continue
            }
            segments.append((name.segment, file))
        }
        return segments.sorted { $0.segment < $1.segment }.map(\.file)
    }

    /// - Returns: The journal files, and those in the folder of one process with the name of another.
    private static func foundJournals(in path: String) throws(ReplayError) -> (believed: [String], others: [String]) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw .noFolder(
                path, reason: FileManager.default.fileExists(atPath: path) ? "is no folder" : "is not there")
        }
        var (believed, others): ([String], [String]) = ([], [])
        for name in names.sorted() {
            if name.hasSuffix(".journal") {
                believed.append("\(path)/\(name)")
                continue
            }
            let inside = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)")) ?? []
            for file in inside.sorted() where file.hasSuffix(".journal") {
                let isOwn = Journal.parse(fileName: file, inFolderOf: name) != nil
                let found = "\(path)/\(name)/\(file)"
                if isOwn { believed.append(found) } else { others.append(found) }
            }
        }
        return (believed, others)
    }

    /// Opens a folder of journals. Files with other names are ignored.
    ///
    /// - Parameters:
    ///   - path: The folder of the journals.
    ///   - isTraced: Whether facts are noted, which takes longer than everything else.
    ///   - programs: The programs of users that the replay may start. The app of another one is not replayed.
    ///   - contentFolder: A folder with copies of the scenes that are missing at their own paths.
    public init(
        folder path: String, isTraced: Bool = false, programs: ReplayPrograms = ReplayPrograms(),
        contentFolder: String? = nil
    ) throws(ReplayError) {
        let found = try Self.foundJournals(in: path)
        let files = found.believed.map { file in
            File(name: file) { try bytes(ofFile: file, limit: Self.fileLimit) }
        }
        guard !files.isEmpty else { throw .noJournals(path) }
        try self.init(files, isTraced: isTraced, programs: programs)
        self.contentFolder = contentFolder
        for file in found.others {
            complaints.append("\(file): is in the folder of one process and called another's: left out")
        }
    }

    /// - Parameters:
    ///   - files: The journals of the group's processes.
    ///   - isTraced: Whether facts are noted, which takes longer than everything else.
    ///   - comparesDigests: Whether the digests must equal those of the journals. Without the comparison a modified run
    ///     is replayed to its end.
    ///   - programs: The programs of users that the replay may start. The app of another one is not replayed.
    /// - Throws: `ReplayError` for files that are no journals or of another version. Damage is added to `complaints`
    ///   when the replay reaches it.
    public init(
        _ files: [File], isTraced: Bool = false, comparesDigests: Bool = true,
        programs: ReplayPrograms = ReplayPrograms()
    ) throws(ReplayError) {
        (self.isTraced, self.programs) = (isTraced, programs)
        var pids: [Int32] = []
        for segments in try Self.journals(in: files) {
            let file = segments[0].file
            var reader = try file.reader()
            let record: JournalRecord?
            do throws(JournalError) { record = try reader.next() } catch {
                guard case .damaged = error else { throw .journal(file: file.name, error) }
                complaints.append("\(file.name): \(error)")
                continue
            }
            guard case .header(let header)? = record else {
                complaints.append("\(file.name): cut before its first record")
                continue
            }
            guard header.behaviorVersion == Journal.behaviorVersion else {
                throw .behavior(file: file.name, header.behaviorVersion, known: Journal.behaviorVersion)
            }
            if header.order.peer == .supervisor {
                supervisor = header
                children.isKnown = true
                for segment in segments { children.note(segment.file) }
            }
            pids.append(header.pid)
            if settings == nil || header.order.peer == .systemServer || header.order.peer == .supervisor {
                settings = (try? Settings(header.order.settings)) ?? settings
            }
            guard let name = file.parsed,
                (name.peer, name.generation) == (header.process.peer, header.process.generation)
            else {
                complaints.append("\(file.name): is the journal of \(header.process) and called another's: left out")
                continue
            }
            guard header.segment == 0, header.firstStep == 0 else {
                complaints.append("\(header.process): its first \(header.firstStep) steps are gone: cannot be replayed")
                continue
            }
            waiting.append(ReplayedProcess(header, segments.map(\.file), comparesDigests: comparesDigests))
        }
        self.programs = programs.resolved(by: supervisor)
        for child in children.ready where !pids.contains(child.pid) {
            complaints.append("\(child.peer), pid \(child.pid): expected a journal of it, found none")
        }
        // Later ones come first, so that the next one is removed from the end.
        waiting.sort { Self.order($1) < Self.order($0) }
        processes = waiting.reversed().map(\.process)
    }

    private static func order(_ replayed: ReplayedProcess) -> (Instant, Peer, UInt32) {
        (replayed.header.at, replayed.process.peer, replayed.process.generation)
    }

    /// Returns the files of each journal in order.
    private static func journals(in files: [File]) throws(ReplayError) -> [[(segment: UInt32, file: File)]] {
        var journals: [(peer: Peer, generation: UInt32, segments: [(segment: UInt32, file: File)])] = []
        for file in files {
            guard let name = file.parsed else {
                throw .unreadable(file: file.name, reason: "expected a journal's name, such as app1.2.0.journal")
            }
            if let index = journals.firstIndex(where: { ($0.peer, $0.generation) == (name.peer, name.generation) }) {
                journals[index].segments.append((name.segment, file))
            } else {
                journals.append((name.peer, name.generation, [(name.segment, file)]))
            }
        }
        return journals.map { $0.segments.sorted { $0.segment < $1.segment } }
    }

    /// The view trees of the running apps by their numbers, without programs of users.
    var viewTrees: [ShownScreen.App] {
        (running + silent).compactMap { replayed in
            guard let app = replayed.process.peer.app, let tree = replayed.viewTree else { return nil }
            return ShownScreen.App(app: app, tree: tree)
        }
        .sorted { $0.app < $1.app }
    }

    /// The view tree of one running app; nil for another process, and for a program of a user.
    func viewTree(of app: AppID) -> ViewTree? {
        running.first { $0.process.peer == .app(app) }?.viewTree
    }

    // MARK: One occurrence

    /// Returns the next occurrence; nil at the end and after a difference.
    public mutating func next() -> Occurrence? {
        facts.removeAll(keepingCapacity: true)
        while queue.isEmpty {
            guard difference == nil, let replayed = nextProcess() else { return nil }
            if replayed.state == .waiting { begin(replayed) } else { advance(replayed) }
        }
        let occurrence = queue.removeFirst()
        switch occurrence {
        case .step: swap(&facts, &queuedFacts)
        case .began(let instance, at: _) where instance.peer == .supervisor: isUnfinished = true
        case .ended(let instance, at: _, _) where instance.peer == .supervisor: isUnfinished = false
        case .began, .ended, .lost: break
        }
        return occurrence
    }

    /// Returns the process whose record comes next.
    private func nextProcess() -> ReplayedProcess? {
        var earliest = waiting.last
        for replayed in running where replayed.nextMoment < earliest?.nextMoment ?? .never { earliest = replayed }
        guard var replayed = earliest else { return running.first }
        // At most every other process precedes it.
        for _ in running.indices {
            guard let before = sender(awaitedBy: replayed) else { break }
            replayed = before
        }
        return replayed
    }

    /// Returns the process that has yet to send the frame of this process's next step, if its next step is within the
    /// clocks' difference.
    private func sender(awaitedBy replayed: ReplayedProcess) -> ReplayedProcess? {
        guard case .step(let moment, .frame(let frame, from: let peer), before: _)? = replayed.pending else {
            return nil
        }
        return running.first { other in
            other.process.peer == peer && other.process.generation == frame.generation && other !== replayed
                && other.lastSent(to: replayed.process.peer) < frame.sequence
                && other.nextMoment <= moment.advanced(by: Self.skew)
        }
    }

    private mutating func begin(_ replayed: ReplayedProcess) {
        waiting.removeLast()
        let earlier = silent.filter { $0.process.peer == replayed.process.peer }
        for other in earlier { end(other, at: replayed.header.at) }
        do {
            try replayed.begin(isTraced: isTraced, programs: programs, contentFolder: contentFolder)
        } catch {
            complaints.append("\(replayed.process): cannot be replayed: \(error)")
            return
        }
        queue.append(.began(replayed.process, at: replayed.header.at))
        running.append(replayed)
        fetch(replayed)
    }

    private mutating func advance(_ replayed: ReplayedProcess) {
        switch replayed.pending {
        case .step(let moment, let input, before: _)?:
            noteEnds(knownBy: input, at: moment)
            let step = replayed.replay(input, at: moment, facts: &queuedFacts)
            steps += 1
            queue.append(.step(step))
        case .lost(let sequence, let kind, let peer, let moment)?:
            queue.append(.lost(sequence: sequence, kind: kind, from: replayed.process, to: peer, at: moment, .fault))
        case .ended(let status, let moment)?:
            queue.append(.ended(replayed.process, at: moment, .exited(status)))
            running.removeAll { $0 === replayed }
            return
        case .header, .digest, .skipped, nil: preconditionFailure("\(replayed.process) has nothing that happens")
        }
        fetch(replayed)
    }

    /// Reads the next record of a process, and removes the process if it has none.
    private mutating func fetch(_ replayed: ReplayedProcess) {
        let found = replayed.fetch()
        digests += found.digests
        if let found = found.difference { difference = difference ?? found }
        if let complaint = found.complaint { complaints.append(complaint) }
        guard replayed.pending == nil else { return }
        if found.complaint == nil, found.difference == nil { expectKilled(replayed) }
        running.removeAll { $0 === replayed }
        silent.append(replayed)
    }

    /// Reports a missing end. Only a killed process leaves a journal without an end; a core that exits writes it.
    private mutating func expectKilled(_ replayed: ReplayedProcess) {
        guard children.endedByItself(replayed.header.pid) else { return }
        complaints.append(
            "\(replayed.process): its journal ends after \(replayed.replayedSteps) steps, before its exit: a part of it is missing"
        )
    }

    /// Records the ends of processes that an input reveals.
    private mutating func noteEnds(knownBy input: Input, at moment: Instant) {
        guard !silent.isEmpty else { return }
        switch input {
        case .childExited(_, let pid, _):
            if let replayed = silent.first(where: { $0.header.pid == pid }) { end(replayed, at: moment) }
        case .peerLost(let peer):
            let gone = silent.first { replayed in
                replayed.process.peer == peer && (!children.isKnown || children.exits[replayed.header.pid] != nil)
            }
            if let gone { end(gone, at: moment) }
        default: return
        }
    }

    private mutating func end(_ replayed: ReplayedProcess, at moment: Instant) {
        silent.removeAll { $0 === replayed }
        queue.append(.ended(replayed.process, at: moment, children.exits[replayed.header.pid]))
    }
}

/// The children of a group and their exits, from the supervisor's journal.
private struct ReplayedChildren {
    /// Whether the supervisor has a journal.
    var isKnown = false
    private(set) var exits: [Int32: ExitStatus] = [:]
    /// The children that were ready, and so must have kept a journal.
    private(set) var ready: [(peer: Peer, pid: Int32)] = []

    /// Reads one file of the supervisor's journal.
    mutating func note(_ file: ReplayedGroup.File) {
        // The replay reports damage of the file.
        guard var reader = try? file.reader() else { return }
        var started: [Peer: Int32] = [:]
        while let record = try? reader.next() {
            guard case .step(_, let input, before: _) = record else { continue }
            switch input {
            case .childStarted(let peer, let pid): started[peer] = pid
            case .childExited(_, let pid, let status): exits[pid] = status
            case .frame(let frame, from: let peer):
                guard case .ready = frame.message, let pid = started[peer] else { continue }
                ready.append((peer, pid))
            default: continue
            }
        }
    }

    /// Whether this child exited on its core's command.
    func endedByItself(_ pid: Int32) -> Bool {
        guard let status = exits[pid] else { return false }
        return status == .exited(0) || status == .exited(ExitStatus.leaseExpired)
    }
}

extension ReplayedGroup.File {
    /// The process, generation and segment in the file's name.
    fileprivate var parsed: (peer: Peer, generation: UInt32, segment: UInt32)? {
        Journal.parse(fileName: name.split(separator: "/").last ?? "")
    }

    func reader() throws(ReplayError) -> JournalReader {
        let bytes: [UInt8]
        do { bytes = try read() } catch { throw .unreadable(file: name, reason: "\(error)") }
        do throws(JournalError) { return try JournalReader(bytes) } catch { throw .journal(file: name, error) }
    }
}
