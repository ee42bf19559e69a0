// JoinedReplay.swift: the journals of an app of another machine, replayed on the clock of the group's server.
//
//     frame 7 in the server's replay   device 9.000 s, received 9.001 s ─┐
//     frame 7 in the app's journal     device 2.000 s, received 2.001 s ─┴▶ the app's clock is 7.000 s behind
//
// Input     ObservedRun+Sources: the steps of the group; a folder from the other machine
// Output    facts and steps of the app, at times of the server's clock
// Knows     ledgers and moments. No link, no clock.
//
// The app's host converted the times of each frame when it arrived, all by one offset. So two journals that both have a
// frame also have the offset in force, to the nanosecond, and a frame of another run does not fit by chance. A step is
// never earlier than the step of the server that sent its frame, although the offset has an error.
//
// Sources   invented (Docs/Decisions/RemoteApps.md)

import Basics
import Foundation
import Hosting
import Journals
import Runs
import Trace
import Wire

/// The frames with times that a server has sent to apps of other machines.
struct FramesToJoinedApps {
    /// A frame by the link that carried it.
    private struct Key: Hashable {
        var app: AppID
        var epoch, generation: UInt32
        var sequence: SequenceNumber

        init(_ frame: Frame, to app: AppID) {
            (self.app, epoch, generation, sequence) = (app, frame.epoch, frame.generation, frame.sequence)
        }
    }

    private struct Sent {
        var ledger: Ledger
        var at: Instant
    }

    private var frames: [Key: Sent] = [:]
    /// The apps whose frames are not noted, because they are processes of the group.
    private let local: Set<AppID>

    init(besides local: Set<AppID>) { self.local = local }

    mutating func note(_ step: Step) {
        guard step.process.peer == .systemServer else { return }
        for case .send(let frame, to: let peer) in step.effects {
            guard let app = peer.app, !local.contains(app), frame.ledger.count > 0 else { continue }
            frames[Key(frame, to: app)] = Sent(ledger: frame.ledger, at: step.at)
        }
    }

    /// A moment at which both clocks are known.
    struct Anchor {
        /// The moment of the app's step, on its own clock.
        var at: Instant
        /// How far the server's clock was ahead, in nanoseconds.
        var offset: Int64
        /// The moment of the server's step that sent the frame, on the server's clock.
        var sentAt: Instant
    }

    enum Comparison {
        case anchor(Anchor)
        /// The group's journals do not have the frame, or have it with other times.
        case foreign
        case withoutTimes
    }

    /// Compares a frame that an app has received with the one that the server has sent.
    func compare(_ frame: Frame, receivedBy app: AppID, at moment: Instant) -> Comparison {
        guard frame.ledger.count > 0 else { return .withoutTimes }
        guard let sent = frames[Key(frame, to: app)] else { return .foreign }
        var offset: Int64?
        // The host appends the time of sending after the core's step.
        for hop in Ledger.Hop.allCases.prefix(min(sent.ledger.count, frame.ledger.count)) {
            guard let ours = sent.ledger[hop], let theirs = frame.ledger[hop] else { continue }
            let difference = ours.nanoseconds &- theirs.nanoseconds
            guard offset == nil || offset == difference else { return .foreign }
            offset = difference
        }
        guard let offset else { return .withoutTimes }
        return .anchor(Anchor(at: moment, offset: offset, sentAt: sent.at))
    }
}

/// The replay of one folder of an app of another machine.
struct JoinedReplay {
    /// The facts of the apps in this folder, by time of the server's clock.
    private(set) var facts: [ResolvedFact] = []
    /// The missing parts, a line for each.
    private(set) var gaps: [String] = []
    /// The apps whose facts are complete enough to be read.
    private(set) var apps: [String] = []

    /// The anchors of one process, in the order of its steps.
    private struct Clock {
        var anchors: [FramesToJoinedApps.Anchor] = []
        var foreignCount = 0
        /// The index of the anchor in force, and the last converted moment.
        var index = 0
        var latest = Instant.boot

        /// Converts the moment of a step to the server's clock. Steps come in their order.
        mutating func convert(_ moment: Instant) -> Instant {
            while index + 1 < anchors.count, anchors[index + 1].at <= moment { index += 1 }
            let anchor = anchors[index]
            var converted = moment.advanced(byNanoseconds: anchor.offset)
            if moment >= anchor.at { converted = max(converted, anchor.sentAt) }
            latest = max(latest, converted)
            return latest
        }
    }

    private var clocks: [(process: ProcessInstance, clock: Clock)] = []

    /// Replays a folder.
    ///
    /// - Parameters:
    ///   - folder: The run directory of the app, or its folder of journals. It may also have the scene that the app
    ///     showed, if this machine does not have it at the same path.
    ///   - frames: All frames of the group's server.
    ///   - recording: Collects what the apps show.
    /// - Throws: `ReplayError` for a folder without journals, or of another version.
    init(
        _ folder: String, frames: FramesToJoinedApps, local: Set<String>, programs: ReplayPrograms,
        recording: RunRecording?, onStep: (UInt64, Instant) -> Void
    ) throws(ReplayError) {
        let journals = journalFolder(of: folder)
        var group = try ReplayedGroup(
            folder: journals, isTraced: true, programs: programs, contentFolder: folder)
        for process in group.processes {
            guard let app = process.peer.app, !local.contains("\(process.peer)") else {
                gaps.append("\(folder): \(process) is no app of another machine: left out")
                continue
            }
            let clock = try Self.clock(of: process, app, in: journals, frames)
            if clock.foreignCount > 0 {
                gaps.append(
                    "\(folder): \(clock.foreignCount) of \(clock.foreignCount + clock.anchors.count) touch frames of "
                        + "\(process) are not in the group's journals: expected the folder of the same run")
            }
            // Without a touch there is nothing to explain.
            if !clock.anchors.isEmpty { clocks.append((process, clock)) }
        }
        while let occurrence = group.next() {
            replay(occurrence, of: &group, recording, onStep)
        }
        recording?.captureLastTrees { group.viewTree(of: $0) }
        gaps += group.complaints.map { "\(folder): \($0)" }
        if let difference = group.difference {
            gaps.append("\(folder): the replay differs from the run: \(difference)")
        }
        facts.sort { $0.at < $1.at }
    }

    private mutating func replay(
        _ occurrence: Occurrence, of group: inout ReplayedGroup, _ recording: RunRecording?,
        _ onStep: (UInt64, Instant) -> Void
    ) {
        switch occurrence {
        case .step(var step):
            guard let index = clocks.firstIndex(where: { $0.process == step.process }) else { return }
            step.at = clocks[index].clock.convert(step.at)
            facts += group.facts.map { fact in
                var fact = fact
                fact.at = step.at
                return fact
            }
            let name = "\(step.process.peer)"
            if !apps.contains(name) { apps.append(name) }
            recording?.add(.step(step))
            recording?.captureTrees(at: step.at) { group.viewTree(of: $0) }
            onStep(group.steps, step.at)
        case .ended(let instance, at: let moment, let status):
            guard let index = clocks.firstIndex(where: { $0.process == instance }) else { return }
            recording?.add(.ended(instance, at: clocks[index].clock.convert(moment), status))
        case .began, .lost: return
        }
    }

    /// Reads the offsets of one process from its journal.
    private static func clock(
        of process: ProcessInstance, _ app: AppID, in folder: String, _ frames: FramesToJoinedApps
    ) throws(ReplayError) -> Clock {
        var clock = Clock()
        for file in try ReplayedGroup.journalFiles(of: process, in: folder) {
            // The replay reports damage of the file.
            guard var reader = try? file.reader() else { continue }
            while let record = try? reader.next() {
                guard case .step(let moment, .frame(let frame, from: .systemServer), before: _) = record else {
                    continue
                }
                switch frames.compare(frame, receivedBy: app, at: moment) {
                case .anchor(let anchor): clock.anchors.append(anchor)
                case .foreign: clock.foreignCount += 1
                case .withoutTimes: continue
                }
            }
        }
        return clock
    }
}

/// Returns the folder of journals in a run directory, or the folder itself if it is none.
func journalFolder(of folder: String) -> String {
    var isFolder: ObjCBool = false
    let inside = "\(folder)/journal"
    let hasInside = FileManager.default.fileExists(atPath: inside, isDirectory: &isFolder) && isFolder.boolValue
    return hasInside ? inside : folder
}
