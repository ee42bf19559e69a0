// ScriptMonkey.swift: gestures from a seed, one after another, up to a number or the first failure.
//
//     seed ─▶ MonkeyScript ─▶ stage ─▶ finding? ─▶ ScriptShrinking, each try on a stage in its first state ─▶ script
//
// A running group cannot be made again. The monkey waits until every process is ready again. If the group does not
// recover, it prints what it knows.

import Basics
import Foundation
import Recordings
import Synthesis
import Wire

/// The monkey on a stage.
struct ScriptMonkey {
    let seed: UInt64
    let events: Int
    let options: MonkeyGestureOptions
    let profile: MonkeyProfile
    /// The limit of scripts that the reduction of a failure may play.
    let tries: Int
    let rehearsal: MonkeyRehearsal?
    var stage: any MonkeyStage

    /// The newest steps: the reduction searches the failure in these.
    private var played: [MonkeyStep] = []
    private var gestures = 0
    private static let memory = 50_000
    private var totalReport = PlayReport(id: 0)

    init(
        seed: UInt64, events: Int, options: MonkeyGestureOptions, profile: MonkeyProfile, tries: Int,
        rehearsal: MonkeyRehearsal?, stage: any MonkeyStage
    ) {
        (self.seed, self.events, self.options, self.profile) = (seed, events, options, profile)
        (self.tries, self.rehearsal, self.stage) = (tries, rehearsal, stage)
    }

    mutating func run(_ progress: (String) -> Void) throws -> MonkeyOutcome {
        var steps: any IteratorProtocol<MonkeyStep> =
            try options.script.map { try [Self.step(of: $0)].makeIterator() as any IteratorProtocol<MonkeyStep> }
            ?? MonkeyScript(seed: seed, profile: profile, screen: stage.screen)
        let isGiven = options.script != nil
        let begun = ContinuousClock.now
        var finding = try stage.begin()
        var done = 0
        while finding == nil, isGiven || done < events {
            // The stage plays as many steps at once as its limit allows.
            var batch: [MonkeyStep] = []
            var size = 0
            repeat {
                guard let step = steps.next() else { break }
                batch.append(step)
                done += step.events
                size += step.lines.count * 50
            } while size < stage.scriptBytesAtOnce && (isGiven || done < events)
            guard !batch.isEmpty else { break }
            gestures += batch.count
            if played.count > 2 * Self.memory { played.removeFirst(played.count - Self.memory) }
            played += batch
            finding = try play(batch.lines)
            progress("gesture \(gestures), \(done) of \(isGiven ? done : events) events")
        }
        let isOver = finding == nil
        if isOver { finding = try stage.checkRest() }
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        var outcome = MonkeyOutcome(
            seed: seed, gestures: gestures, report: totalReport, events: done, seconds: seconds, options: options,
            rehearsal: rehearsal)
        if let finding { outcome.failure = try failure(finding, isAtRest: isOver, progress) }
        return outcome
    }

    private mutating func play(_ lines: [FingerScript.Line]) throws -> MonkeyFinding? {
        let (report, finding) = try stage.play(lines, length: lines.last?.time ?? .zero)
        totalReport = totalReport + report
        if finding == nil, rehearsal == .law, lines.hasPinch {
            return MonkeyFinding(law: "rehearsal", text: "a rehearsal")
        }
        return finding
    }

    /// Makes one step of a given script.
    private static func step(of file: String) throws -> MonkeyStep {
        let (name, text) = try readScript(file)
        do {
            let script = try FingerScript(parsing: text, file: name)
            if let line = script.lines.first(where: { !$0.act.isInput }) {
                throw Failure.badInput(
                    "\(name):\(line.number): expected input of fingers, keys or pointers, "
                        + "found \"\(line.act)\"")
            }
            return MonkeyStep(
                number: 1, name: "script", pause: .zero, lines: script.lines, length: script.duration)
        } catch let error as RecordingError { throw Failure.badInput("\(error)") }
    }

    // MARK: Reduction of a failure

    private mutating func failure(
        _ finding: MonkeyFinding, isAtRest: Bool, _ progress: (String) -> Void
    ) throws -> MonkeyOutcome.Broken {
        let last = played.last
        var failure = MonkeyOutcome.Broken(
            finding: finding, gesture: gestures, name: last?.name ?? "nothing", isAtRest: isAtRest)
        guard tries > 0, !played.isEmpty else { return failure }
        var shrinking = ScriptShrinking(limit: tries)
        do {
            failure.script = try shrinking.shortest(of: played) { lines in
                progress("\(finding.law): reducing the failure, try \(shrinkingTries + 1), \(lines.count) lines")
                shrinkingTries += 1
                if let missing = try stage.begin() { throw StageLost(why: missing.text) }
                let found = try play(lines) ?? stage.checkRest()
                return found?.law == finding.law
            }
            failure.remark = failure.script == nil ? "the failure did not occur again in \(shrinking.tries) tries" : ""
        } catch let lost as StageLost {
            failure.remark = "the reduction stopped: \(lost.why)"
        }
        failure.tries = shrinkingTries
        return failure
    }

    private var shrinkingTries = 0

    private struct StageLost: Error {
        var why: String
    }
}

/// The result of a run, for a person or a program.
struct MonkeyOutcome {
    /// A failure.
    struct Broken {
        var finding: MonkeyFinding
        /// The number of gestures played, and the name of the last one.
        var gesture: Int
        var name: String
        /// Whether it showed at rest, not after one gesture.
        var isAtRest: Bool
        /// The shortest failing script; nil when none is known.
        var script: [FingerScript.Line]?
        var tries = 0
        /// The reason for a missing script.
        var remark = ""
    }

    var seed: UInt64
    var gestures: Int
    var report: PlayReport
    var events: Int
    var seconds: Double
    var options: MonkeyGestureOptions
    var rehearsal: MonkeyRehearsal?
    var failure: Broken?

    func printResult(asJSON: Bool) throws {
        if let script = failure?.script, let file = options.scriptOutput { try write(script, to: file) }
        guard !asJSON else { return try printJSON(json) }
        if let failure { printFailure(failure) }
        let rate = seconds > 0 ? Double(report.sent) / seconds : 0
        printLine(
            "\(name): \(counted(gestures, "gesture")), \(counted(Int(report.sent), "event")), "
                + "\(counted(Int(report.arrivedTouches.began), "touch", "touches")) in \(fixedText(seconds, digits: 1)) s, "
                + "\(fixedText(rate, digits: 0)) events/s: \(failure == nil ? "all laws hold" : "failed")")
    }

    /// The source of the input.
    private var name: String { options.script ?? "seed \(seed)" }

    private func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? "\(one)s")"
    }

    private func printFailure(_ failure: Broken) {
        let occasion = "\(failure.isAtRest ? "at rest, " : "")after gesture \(failure.gesture)"
        printLine("\(name): \(failure.finding.law): \(failure.finding.text); \(occasion) (\(failure.name))")
        guard let script = failure.script else {
            if !failure.remark.isEmpty { printLine(failure.remark) }
            return
        }
        printLine("\(script.count) lines still fail, found in \(counted(failure.tries, "try", "tries")):")
        for line in script { printLine("\(line)") }
        printText("\nagain: \(commandToRepeat(script))")
    }

    /// The shell command that plays the shortest script again.
    private func commandToRepeat(_ script: [FingerScript.Line]) -> String {
        let words =
            ["touchline", "monkey", "gestures"] + options.words
            + (rehearsal.map { ["--rehearse", $0.rawValue] } ?? [])
        let folder = options.isSimulated ? nil : options.runDirectory.givenPath
        let command = shellCommand(words + (folder.map { ["--run-dir", $0] } ?? []))
        if let file = options.scriptOutput { return "\(command) --script \(shellCommand([file]))" }
        return "\(command) --script - <<'END'\n" + script.map { "\($0)\n" }.joined() + "END"
    }

    private func write(_ script: [FingerScript.Line], to path: String) throws {
        do { try Data(script.map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: path)) } catch {
            throw Failure.badInput("\(path): cannot be written: \(error.localizedDescription)")
        }
    }

    private var json: [String: Any] {
        var object: [String: Any] = [
            "seed": seed, "gestures": gestures, "events": Int(report.sent), "touches": Int(report.arrivedTouches.began),
            "seconds": seconds, "eventsPerSecond": seconds > 0 ? Double(report.sent) / seconds : 0,
        ]
        object["failures"] =
            failure.map { failure in
                [
                    [
                        "law": failure.finding.law, "what": failure.finding.text, "gesture": failure.gesture,
                        "name": failure.name, "atRest": failure.isAtRest, "tries": failure.tries,
                        "remark": failure.remark,
                        "script": failure.script?.map { "\($0)" } ?? [],
                    ] as [String: Any]
                ]
            } ?? []
        return object
    }
}
