// ReplayedProcess.swift: the replay of one process: its journal's files, its core, and its effects so far.
//
//     waiting ──begin──▶ running ──end of the journal──▶ over
//
// Input     ReplayedGroup
// Output    steps, differences, complaints
//
// Sources   invented

import AppCore
import Basics
import Configuration
import Hosting
import InputKitCore
import Journals
import Settings
import SupervisorCore
import SystemServerCore
import Trace
import ViewTrees
import Wire

/// The replay of one process.
final class ReplayedProcess {
    enum State { case waiting, running, over }

    let header: JournalHeader
    let process: ProcessInstance
    private(set) var state = State.waiting
    /// The next record of the process: a step, a loss or its end. Nil before the beginning and after the end.
    private(set) var pending: JournalRecord?

    private let files: [ReplayedGroup.File]
    private var segment = 0
    private var reader: JournalReader?
    private var core: (any ProcessCore)?
    /// Runs the core of an app with a program of its own, instead of `core`.
    private var program: ReplayedProgram?
    /// The end of the program. It is expected if the journal ends there too: then the app crashed in the run.
    private var programEnd: String?
    private var outbox = Outbox()
    private var digest = EffectDigest()
    private var contract = HostContract()
    private var steps: UInt64 = 0
    private var latest = Instant.boot
    /// The last frame sent to each peer.
    private var sent: [(peer: Peer, sequence: SequenceNumber)] = []

    private let comparesDigests: Bool

    /// - Parameter comparesDigests: Whether the digests must equal those of the journal.
    init(_ header: JournalHeader, _ files: [ReplayedGroup.File], comparesDigests: Bool) {
        (self.header, self.files, self.comparesDigests) = (header, files, comparesDigests)
        process = header.process
    }

    /// The moment of the next record.
    var nextMoment: Instant {
        switch pending {
        case .step(let moment, _, before: _), .lost(_, _, _, let moment), .ended(_, let moment): moment
        case .header, .digest, .skipped, nil: state == .waiting ? header.at : .never
        }
    }

    /// The number of steps replayed so far.
    var replayedSteps: UInt64 { steps }

    /// The view tree of an app that is replayed in this program; nil for another process, and for a program of a user.
    var viewTree: ViewTree? { (core as? AppCore)?.viewTree() }

    func lastSent(to peer: Peer) -> SequenceNumber { sent.first { $0.peer == peer }?.sequence ?? .zero }

    // MARK: The core

    /// The reason why the core cannot be made.
    private enum Unmade: Error, CustomStringConvertible {
        case contentChanged(String)
        case noCore(Peer)
        case noProgram(String)

        var description: String {
            switch self {
            case .contentChanged(let path): "its file \(path) is missing or has changed"
            case .noCore(let peer): "a \(peer) has no core"
            case .noProgram(let path):
                "its program is \(path): name it with --app-executable, or one that was built from the same sources"
            }
        }
    }

    /// - Parameters:
    ///   - programs: The programs of users that may be started.
    ///   - contentFolder: A folder with copies of scenes that are missing at their own paths.
    func begin(isTraced: Bool, programs: ReplayPrograms, contentFolder: String? = nil) throws {
        if let path = try ownProgram(among: programs) {
            program = try ReplayedProgram(at: path, header, isTraced: isTraced)
        } else {
            core = try makeCore(contentFolder)
        }
        outbox.trace.isEnabled = isTraced
        state = .running
    }

    /// Returns the program with the app's code; nil for a process whose code is here.
    private func ownProgram(among programs: ReplayPrograms) throws -> String? {
        guard header.order.peer.role == .app else { return nil }
        let named = try Settings(header.order.settings)[.appExecutable]
        guard !named.isEmpty else { return nil }
        guard let path = programs.path(for: named) else { throw Unmade.noProgram(named) }
        return path
    }

    private func makeCore(_ contentFolder: String?) throws -> any ProcessCore {
        let order = header.order
        let settings = try Settings(order.settings)
        switch order.peer.role {
        case .inputKit: return InputKitCore(settings: settings, order: order)
        case .systemServer: return SystemServerCore(settings: settings, order: order)
        case .app:
            // The core has the settings of the run, although the scene may be a copy.
            var contentSettings = settings
            let scene = settings[.appScene]
            // The path comes from the journal. A process without content names no file that may be opened here.
            if !scene.isEmpty {
                guard header.content != 0, let path = shownFile(scene, contentFolder) else {
                    throw Unmade.contentChanged(scene)
                }
                try contentSettings.set(Settings.name(of: .appScene), to: path)
            }
            return AppCore(order: order, settings: settings, content: try chosenContent(contentSettings))
        case .supervisor:
            return SupervisorCore(
                settings: settings, order: order, apps: header.apps, pid: header.pid, uid: header.uid)
        case .controller: throw Unmade.noCore(order.peer)
        }
    }

    /// Returns the file that the app showed, by its checksum: at its own path or in the folder of copies.
    private func shownFile(_ scene: String, _ contentFolder: String?) -> String? {
        let name = scene.split(separator: "/").last.map(String.init) ?? scene
        return ([scene] + (contentFolder.map { ["\($0)/\(name)"] } ?? [])).first { path in
            guard let shown = try? bytes(ofFile: path, limit: sceneLimit) else { return false }
            return CRC32C.of(shown) == header.content
        }
    }

    /// Gives the core its next input.
    func replay(_ input: Input, at moment: Instant, facts: inout [ResolvedFact]) -> Step {
        let effects = effects(of: input, at: moment, facts: &facts)
        contract.apply(input)
        contract.apply(effects)
        digest.combine(effects)
        for case .send(let frame, to: let peer) in effects {
            if let index = sent.firstIndex(where: { $0.peer == peer }) {
                sent[index].sequence = frame.sequence
            } else {
                sent.append((peer, frame.sequence))
            }
        }
        defer { (steps, latest) = (steps + 1, moment) }
        return Step(process: process, index: steps, at: moment, input: input, effects: effects)
    }

    private func effects(of input: Input, at moment: Instant, facts: inout [ResolvedFact]) -> [Effect] {
        guard let program else {
            core?.handle(input, at: moment, into: &outbox)
            for fact in outbox.trace.facts {
                facts.append(fact.resolved(by: "\(process.peer)", names: outbox.trace.names))
            }
            outbox.trace.removeFacts()
            return outbox.drain()
        }
        do {
            let answer = try program.answer(to: input, at: moment)
            facts += answer.facts
            return answer.effects
        } catch {
            programEnd = "\(error)"
            return []
        }
    }

    // MARK: The journal

    struct Fetched {
        var digests: UInt64 = 0
        var difference: ReplayDifference?
        var complaint: String?
    }

    /// Reads up to the next step, loss or end, and compares digests on the way.
    func fetch() -> Fetched {
        var fetched = Fetched()
        pending = nil
        while state == .running {
            do throws(ReplayError) {
                guard let record = try nextRecord() else {
                    state = .over
                    break
                }
                if let programEnd {
                    fetched.complaint = "\(process): replayed up to step \(steps): \(programEnd)"
                    state = .over
                    break
                }
                switch record {
                case .step(_, let input, let before):
                    pending = record
                    if comparesDigests, before != UInt32(truncatingIfNeeded: digest.value) {
                        fetched.difference = difference(
                            UInt64(before), UInt64(UInt32(truncatingIfNeeded: digest.value)))
                        state = .over
                    } else if let objection = contract.objection(to: input) {
                        fetched.complaint = "\(process): step \(steps) cannot be: \(objection). Replayed up to there"
                        pending = nil
                        state = .over
                    }
                    return fetched
                case .lost, .ended:
                    pending = record
                    return fetched
                case .digest(let count, let value):
                    fetched.digests += 1
                    guard comparesDigests, count != steps || value != digest.value else { continue }
                    fetched.difference = difference(value, digest.value)
                    state = .over
                case .skipped(let count):
                    fetched.complaint =
                        "\(process): after step \(steps) \(count) steps are missing: the disk was full. "
                        + "Replayed up to there"
                    state = .over
                case .header(let header):
                    guard header.firstStep != steps || header.process != process else { continue }
                    fetched.complaint =
                        "\(process): after step \(steps) a file is missing: the next begins with step \(header.firstStep)"
                    state = .over
                }
            } catch {
                fetched.complaint = "\(process): replayed up to step \(steps): \(error)"
                state = .over
            }
        }
        reader = nil
        return fetched
    }

    private func difference(_ expected: UInt64, _ found: UInt64) -> ReplayDifference {
        ReplayDifference(
            process: process, step: steps == 0 ? 0 : steps - 1, at: latest, expected: expected, found: found)
    }

    private func nextRecord() throws(ReplayError) -> JournalRecord? {
        while true {
            if reader == nil {
                guard segment < files.count else { return nil }
                reader = try files[segment].reader()
                segment += 1
            }
            do throws(JournalError) {
                if let record = try reader?.next() { return record }
            } catch {
                throw .journal(file: files[segment - 1].name, error)
            }
            reader = nil
        }
    }
}
