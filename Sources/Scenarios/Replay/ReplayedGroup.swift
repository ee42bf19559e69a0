// ReplayedGroup.swift: what a group did, done again: its journals through the production cores.
//
//    folder ─▶ one life a journal ─▶ its core, made as it was ─▶ steps of all lives, by time and cause ─▶ occurrences
//                                          │
//                                          └ every effect digested, and compared with what the journal says
//
// Moments are of one clock, so what came first is first. Two steps nearer than clocks of two CPUs can tell go by cause:
// a frame is received after the step that sent it.
//
// A process that was killed says nothing of its end: the supervisor's journal knows it, or whoever lost its link.
//
// Fed by    `touchline replay --journal`, `touchline audit`, tests
// Feeds     Audit, traces
// Knows     all four cores, what apps show. No process, no socket.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3

public import Basics
import Configuration
import Foundation
public import Hosting
public import Journals
public import Settings
public import Trace
import Wire

/// A folder that cannot be replayed at all. Blame: whoever named it, or the program that is too old or too new for it.
public enum ReplayError: Error, Sendable {
    case noFolder(String, reason: String)
    /// There are none in it.
    case noJournals(String)
    case journal(file: String, JournalError)
    /// Other code than this answered these inputs.
    case behaviour(file: String, UInt32, known: UInt32)
    case unreadable(file: String, reason: String)
}

extension ReplayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noFolder(let path, let reason): "\(path): \(reason)"
        case .noJournals(let path): "\(path): expected journals of a group (<run-dir>/journal), found none"
        case .journal(let file, let error): "\(file): \(error)"
        case .behaviour(let file, let found, let known):
            "\(file): written by cores of behaviour \(found), this program's are of \(known): "
                + "replay them with the touchline that wrote them"
        case .unreadable(let file, let reason): "\(file): \(reason)"
        }
    }
}

/// The first thing that came out otherwise than it did.
public struct ReplayDifference: Hashable, Sendable {
    public var life: Life
    /// The step whose effects differ; when only a digest tells, the last of those it is about.
    public var step: UInt64
    public var at: Instant
    /// Digests, the journal's and this run's.
    public var expected, found: UInt64
}

extension ReplayDifference: CustomStringConvertible {
    public var description: String {
        "\(life) step \(step) at \(at): expected effects of digest \(String(expected, radix: 16)), "
            + "found \(String(found, radix: 16))"
    }
}

public struct ReplayedGroup {
    /// One file of a journal.
    public struct File {
        public var name: String
        /// Its bytes; asked for when they are needed, and again when the group is replayed again.
        public var read: () throws -> [UInt8]

        public init(name: String, read: @escaping () throws -> [UInt8]) { (self.name, self.read) = (name, read) }
    }

    /// All there are journals of, in the order they began; those that cannot be replayed are not among them.
    public private(set) var lives: [Life] = []
    /// What is missing from the picture, a line each: journals whose beginning is gone, damage, scenes that have changed.
    public private(set) var complaints: [String] = []
    /// Set once something came out otherwise; nothing is told after that.
    public private(set) var difference: ReplayDifference?
    /// Replayed and compared so far.
    public private(set) var steps: UInt64 = 0
    public private(set) var digests: UInt64 = 0
    /// What the group was told, by whoever of it left a journal; nil when nobody did.
    public private(set) var settings: Settings?
    /// How the group was started; nil when its supervisor's journal is not there.
    public private(set) var supervisor: JournalHeader?
    /// What the last step noted; empty unless the group is traced.
    public private(set) var facts: [TraceLine] = []

    private var waiting: [ReplayedLife] = []
    private var running: [ReplayedLife] = []
    /// Their journals are over, and nobody has told of their end yet.
    private var silent: [ReplayedLife] = []
    /// What comes before anything else: what several things at one moment were turned into.
    private var queue: [Occurrence] = []
    /// By the step that is in the queue.
    private var noted: [TraceLine] = []
    private var children = ReplayedChildren()
    private let isTraced: Bool

    /// Of one file: as much as `journal.segment` can be, and a record that is longer.
    private static let fileLimit = 2 << 30

    /// Clocks of two CPUs agree this well, and better.
    private static let skew = Duration.milliseconds(1)

    /// The files of journals in a folder and, as each process of a live group has one of its own, in the folders in it.
    public static func journals(in path: String) throws(ReplayError) -> [String] {
        try foundJournals(in: path).believed
    }

    /// - Returns: The files of journals, and those that are in the folder of one process and called another's.
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

    /// Reads a folder of journals. What in it is not called a journal is none of its business.
    public init(folder path: String, isTraced: Bool = false) throws(ReplayError) {
        let found = try Self.foundJournals(in: path)
        let files = found.believed.map { file in
            File(name: file) { try bytes(ofFile: file, limit: Self.fileLimit) }
        }
        guard !files.isEmpty else { throw .noJournals(path) }
        try self.init(files, isTraced: isTraced)
        for file in found.others {
            complaints.append("\(file): is in the folder of one process and called another's: left out")
        }
    }

    /// - Parameters:
    ///   - isTraced: Whether facts are noted, which costs more than all the rest.
    ///   - comparesDigests: Whether cores have to answer as they did. Where they have not, a run that somebody has changed is
    ///     gone through to its end.
    /// - Throws: `ReplayError` for files that are no journals, or of another version. Damage comes as a complaint when
    ///   it is reached.
    public init(_ files: [File], isTraced: Bool = false, comparesDigests: Bool = true) throws(ReplayError) {
        self.isTraced = isTraced
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
            guard header.behaviour == Journal.behaviour else {
                throw .behaviour(file: file.name, header.behaviour, known: Journal.behaviour)
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
            guard let name = file.parsed, (name.peer, name.generation) == (header.life.peer, header.life.generation)
            else {
                complaints.append("\(file.name): is the journal of \(header.life) and called another's: left out")
                continue
            }
            guard header.segment == 0, header.firstStep == 0 else {
                complaints.append("\(header.life): its first \(header.firstStep) steps are gone: cannot be replayed")
                continue
            }
            waiting.append(ReplayedLife(header, segments.map(\.file), comparesDigests: comparesDigests))
        }
        for child in children.ready where !pids.contains(child.pid) {
            complaints.append("\(child.peer), pid \(child.pid): expected a journal of it, found none")
        }
        // Later ones first, so that the next is taken from the end.
        waiting.sort { Self.order($1) < Self.order($0) }
        lives = waiting.reversed().map(\.life)
    }

    private static func order(_ life: ReplayedLife) -> (Instant, Peer, UInt32) {
        (life.header.at, life.life.peer, life.life.generation)
    }

    /// The files of each journal, in order.
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

    // MARK: One occurrence

    /// What happened next; nil at the end, and after a difference.
    public mutating func next() -> Occurrence? {
        facts.removeAll(keepingCapacity: true)
        while queue.isEmpty {
            guard difference == nil, let life = nextLife() else { return nil }
            if life.state == .waiting { begin(life) } else { advance(life) }
        }
        let occurrence = queue.removeFirst()
        if case .step = occurrence { swap(&facts, &noted) }
        return occurrence
    }

    /// Whose turn it is.
    private func nextLife() -> ReplayedLife? {
        var earliest = waiting.last
        for life in running where life.nextMoment < earliest?.nextMoment ?? .never { earliest = life }
        guard var life = earliest else { return running.first }
        // At most every other life has to go before it.
        for _ in running.indices {
            guard let before = sender(awaitedBy: life) else { break }
            life = before
        }
        return life
    }

    /// Whoever has yet to send the frame that this life's next step is about, and will within what clocks may differ by.
    private func sender(awaitedBy life: ReplayedLife) -> ReplayedLife? {
        guard case .step(let moment, .frame(let frame, from: let peer), before: _)? = life.pending else { return nil }
        return running.first { other in
            other.life.peer == peer && other.life.generation == frame.generation && other !== life
                && other.hasSent(to: life.life.peer) < frame.sequence
                && other.nextMoment <= moment.advanced(by: Self.skew)
        }
    }

    private mutating func begin(_ life: ReplayedLife) {
        waiting.removeLast()
        let earlier = silent.filter { $0.life.peer == life.life.peer }
        for other in earlier { end(other, at: life.header.at) }
        do {
            try life.begin(isTraced: isTraced)
        } catch {
            complaints.append("\(life.life): cannot be replayed: \(error)")
            return
        }
        queue.append(.began(life.life, at: life.header.at))
        running.append(life)
        fetch(life)
    }

    private mutating func advance(_ life: ReplayedLife) {
        switch life.pending {
        case .step(let moment, let input, before: _)?:
            noteEnds(knownBy: input, at: moment)
            let step = life.replay(input, at: moment, facts: &noted)
            steps += 1
            queue.append(.step(step))
        case .lost(let sequence, let kind, let peer, let moment)?:
            queue.append(.lost(sequence: sequence, kind: kind, from: life.life, to: peer, at: moment, .fault))
        case .ended(let status, let moment)?:
            queue.append(.ended(life.life, at: moment, .exited(status)))
            running.removeAll { $0 === life }
            return
        case .header, .digest, .skipped, nil: preconditionFailure("\(life.life) has nothing that happens")
        }
        fetch(life)
    }

    /// Has a life's next record ready, or finds that there is none.
    private mutating func fetch(_ life: ReplayedLife) {
        let found = life.fetch()
        digests += found.digests
        if let found = found.difference { difference = difference ?? found }
        if let complaint = found.complaint { complaints.append(complaint) }
        guard life.pending == nil else { return }
        if found.complaint == nil, found.difference == nil { expectKilled(life) }
        running.removeAll { $0 === life }
        silent.append(life)
    }

    /// Only those who were killed leave a journal without an end: whoever exits by its core's word writes it.
    private mutating func expectKilled(_ life: ReplayedLife) {
        guard children.endedByItself(life.header.pid) else { return }
        complaints.append(
            "\(life.life): its journal ends after \(life.taken) steps, before its exit: a part of it is missing")
    }

    /// Whoever hears that a process is gone knows that it ended before.
    private mutating func noteEnds(knownBy input: Input, at moment: Instant) {
        guard !silent.isEmpty else { return }
        switch input {
        case .childExited(_, let pid, _):
            if let life = silent.first(where: { $0.header.pid == pid }) { end(life, at: moment) }
        case .peerLost(let peer):
            let gone = silent.first { life in
                life.life.peer == peer && (!children.isKnown || children.exits[life.header.pid] != nil)
            }
            if let gone { end(gone, at: moment) }
        default: return
        }
    }

    private mutating func end(_ life: ReplayedLife, at moment: Instant) {
        silent.removeAll { $0 === life }
        queue.append(.ended(life.life, at: moment, children.exits[life.header.pid]))
    }
}

/// The children of a group and how each ended, which only its supervisor's journal says.
private struct ReplayedChildren {
    /// Whether there is such a journal.
    var isKnown = false
    private(set) var exits: [Int32: ExitStatus] = [:]
    /// Children that were ready, and so must have kept a journal.
    private(set) var ready: [(peer: Peer, pid: Int32)] = []

    /// Reads one file of the supervisor's journal.
    mutating func note(_ file: ReplayedGroup.File) {
        // What is wrong with the file is said when it is replayed.
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

    /// Whether this child ended by its core's word.
    func endedByItself(_ pid: Int32) -> Bool {
        guard let status = exits[pid] else { return false }
        return status == .exited(0) || status == .exited(ExitStatus.leaseExpired)
    }
}

extension ReplayedGroup.File {
    /// What its name says.
    fileprivate var parsed: (peer: Peer, generation: UInt32, segment: UInt32)? {
        Journal.parse(fileName: name.split(separator: "/").last ?? "")
    }

    func reader() throws(ReplayError) -> JournalReader {
        let bytes: [UInt8]
        do { bytes = try read() } catch { throw .unreadable(file: name, reason: "\(error)") }
        do throws(JournalError) { return try JournalReader(bytes) } catch { throw .journal(file: name, error) }
    }
}
