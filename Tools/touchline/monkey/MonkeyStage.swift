// MonkeyStage.swift: the stages of the monkey: the running group, or a simulated one in a process of its own.
//
// Both are checked by the same data: the report of a play, and the report of every process. The simulated group is also
// checked by its trace (TraceLaws), which a running group writes only on request.

import Basics
import Foundation
import Glibc
import Recordings
import Scenarios
import Synthesis
import Wire
import ZeroMQHost

/// A broken law.
struct MonkeyFinding {
    var law: String
    var text: String
}

/// A group that the monkey plays into.
protocol MonkeyStage {
    var screen: Rect<ScreenSpace> { get }
    /// The bytes of script that it takes at once; 0 for one gesture at a time.
    var scriptBytesAtOnce: Int { get }

    /// Brings the stage to the state before any play.
    ///
    /// - Returns: What prevents it; nil when all is well.
    mutating func begin() throws -> MonkeyFinding?
    mutating func play(_ lines: [FingerScript.Line], length: Duration) throws -> (PlayReport, MonkeyFinding?)
    /// Checks the group at rest, when no touch is left.
    mutating func checkRest() throws -> MonkeyFinding?
}

extension PlayReport {
    /// The law that a play report breaks, whatever was played; nil when none.
    var finding: MonkeyFinding? {
        if !failure.isEmpty { return MonkeyFinding(law: "played", text: "stopped early: \(failure)") }
        if answered != sent {
            return MonkeyFinding(
                law: "answered", text: "\(sent - min(sent, answered)) of \(sent) frames were not answered")
        }
        if dropped > 0 { return MonkeyFinding(law: "answered", text: "\(dropped) of \(sent) frames were dropped") }
        // Touch monitors and system gestures of the group may take touches. That is an answer and an end.
        if !isPaired {
            let touches = arrivedTouches
            return MonkeyFinding(
                law: "paired",
                text: "\(touches.began) touches began, \(touches.ended) ended and \(touches.cancelled) were cancelled")
        }
        return nil
    }
}

/// Rows of a process's report that are zero at rest, and rows that never grow.
enum MonkeyRows {
    static func held(by process: String) -> [String] {
        switch process {
        case "input-kit": ["contacts.live", "inputs.held", "play.unanswered"]
        case "system-server": ["touches.live", "contacts.down", "inputs.held", "inFlight"]
        default: ["touches.live", "contacts.down", "inputs.held", "inbox.depth", "queue.depth"]
        }
    }

    static func faults(of process: String) -> [String] {
        switch process {
        case "input-kit": ["refused", "faults.device", "receipts.stray", "frames.missing"]
        case "system-server": ["frames.refused", "frames.missing", "frames.duplicate", "dropped.overLimit"]
        default: ["refused", "dropped", "frames.missing", "frames.duplicate"]
        }
    }

    /// Returns the first of these rows with a wrong value.
    static func finding(
        _ process: String, _ rows: [Report.Row], since baseline: (String) -> Int64, isAtRest: Bool
    ) -> MonkeyFinding? {
        func value(_ key: String) -> Int64 {
            guard case .number(let number)? = rows.first(where: { $0.key == key })?.value else { return 0 }
            return number
        }
        // The check of a row that is missing or renamed would always pass.
        for key in held(by: process) + faults(of: process) where !rows.contains(where: { $0.key == key }) {
            return MonkeyFinding(law: "faults", text: "\(process) does not report \(key)")
        }
        for key in isAtRest ? held(by: process) : [] where value(key) != 0 {
            return MonkeyFinding(law: "rest", text: "\(process): \(key) is \(value(key)) at rest, expected 0")
        }
        for key in faults(of: process) where value(key) != baseline(key) {
            return MonkeyFinding(law: "faults", text: "\(process): \(key) was \(baseline(key)), is \(value(key))")
        }
        return nil
    }
}

// MARK: The running group

/// The running group as a stage.
struct RunningStage: MonkeyStage {
    let screen: Rect<ScreenSpace>
    private let speed: PlaySpeed
    private let client: ControlClient
    private var player: GroupPlayer
    private var baseline: GroupReport

    /// The limit for a group that is busy, or restarts processes.
    private static let waitLimit = Duration.seconds(20)
    /// The limit until a play is over in every process.
    private static let quietAfter = Duration.seconds(5)
    /// Microseconds between two reports.
    private static let pause: UInt32 = 50_000
    /// Microseconds after the death of a process. The supervisor quarantines a process that dies too often
    /// (supervisor.restartLimit).
    private static let recovery: UInt32 = 2_500_000

    init(client: ControlClient, speed: PlaySpeed) throws {
        (self.client, self.speed) = (client, speed)
        player = GroupPlayer(client: client, waitLimit: Self.waitLimit)
        baseline = try GroupReport(from: client)
        guard baseline.isReady else { throw Failure.group("not every process of the group is ready") }
        guard let screen = baseline.screen else {
            throw Failure.group("the report of system-server has no screen size")
        }
        self.screen = screen
    }

    /// At full speed a gesture takes less time than the way to the group and back.
    var scriptBytesAtOnce: Int { if case .max = speed { PlayOrder.scriptLimit / 2 } else { 0 } }

    mutating func begin() throws -> MonkeyFinding? {
        let deadline = monotonicNow().advanced(by: Self.waitLimit)
        while true {
            let report = try GroupReport(from: client)
            if report.isReady {
                let hasRecovered = Self.death(in: report, since: baseline) == nil
                if !hasRecovered { usleep(Self.recovery) }
                baseline = try GroupReport(from: client)
                if baseline.isReady { return nil }
            }
            guard monotonicNow() < deadline else {
                let missing = report.processes.first { $0.state != "ready" || !$0.isResponding }
                return MonkeyFinding(
                    law: "process",
                    text: "\(missing?.name ?? "the group") did not become ready again: \(missing?.reason ?? "")")
            }
            usleep(Self.pause)
        }
    }

    mutating func play(_ lines: [FingerScript.Line], length: Duration) throws -> (PlayReport, MonkeyFinding?) {
        var sum = PlayReport(id: 0)
        for piece in try ScriptPiece.pieces(of: lines) {
            let report: PlayReport
            do {
                report = try InputPlay.play(
                    piece, by: &player, pace: speed.pace,
                    length: speed.duration(of: piece.length, repeats: 1))
            } catch let failure as Failure where failure.line.hasPrefix("refused") {
                return (sum, try death() ?? MonkeyFinding(law: "played", text: failure.line))
            }
            sum = sum + report
            if let finding = report.finding {
                // A dead process is the cause, and its finding has more details.
                return (sum, try death() ?? finding)
            }
        }
        let now = try GroupReport(from: client)
        return (sum, Self.death(in: now, since: baseline) ?? faults(in: now, isAtRest: false))
    }

    mutating func checkRest() throws -> MonkeyFinding? {
        let deadline = monotonicNow().advanced(by: Self.quietAfter)
        while true {
            let now = try GroupReport(from: client)
            guard let finding = Self.death(in: now, since: baseline) ?? faults(in: now, isAtRest: true) else {
                return nil
            }
            guard monotonicNow() < deadline else { return finding }
            usleep(Self.pause)
        }
    }

    private func death() throws -> MonkeyFinding? { Self.death(in: try GroupReport(from: client), since: baseline) }

    private static func death(in now: GroupReport, since before: GroupReport) -> MonkeyFinding? {
        for old in before.processes {
            guard let new = now.processes.first(where: { $0.name == old.name }) else {
                return MonkeyFinding(law: "process", text: "\(old.name) is no longer in the group")
            }
            if new.pid != old.pid || new.generation != old.generation {
                let how = new.lastExit.isEmpty ? "" : " (\(new.lastExit))"
                return MonkeyFinding(
                    law: "process",
                    text:
                        "\(old.name), pid \(old.pid), died\(how), \(shown(old.age, now.age - before.age)) after its start"
                )
            }
            if !new.isResponding { return MonkeyFinding(law: "process", text: "\(old.name) does not answer") }
        }
        return nil
    }

    private static func shown(_ age: Duration, _ more: Duration) -> String {
        "\(fixedText((age + more).seconds, digits: 1)) s"
    }

    private func faults(in now: GroupReport, isAtRest: Bool) -> MonkeyFinding? {
        if now.refused != baseline.refused {
            return MonkeyFinding(
                law: "faults", text: "supervisor: refused was \(baseline.refused), is \(now.refused)")
        }
        for process in now.processes {
            let old = baseline.processes.first { $0.name == process.name }
            func before(_ key: String) -> Int64 {
                guard case .number(let number)? = old?.rows.first(where: { $0.key == key })?.value else { return 0 }
                return number
            }
            if let finding = MonkeyRows.finding(process.name, process.rows, since: before, isAtRest: isAtRest) {
                return finding
            }
        }
        return nil
    }
}

// MARK: The simulated group

/// A simulated group in another process: a failure that ends the process is noticed.
struct SimulatedStage: MonkeyStage {
    let screen: Rect<ScreenSpace>
    private let options: MonkeyGestureOptions
    private let rehearses: MonkeyRehearsal?
    private var worker: WorkerProcess?

    private let answerLimit: Duration

    init(options: MonkeyGestureOptions, rehearses: MonkeyRehearsal?, answerLimit: Duration) throws {
        (self.options, self.rehearses, self.answerLimit) = (options, rehearses, answerLimit)
        // A bad scene is reported here, not by a worker.
        let settings = try SimulationWorker.settings(options)
        screen = Rect(x: 0, y: 0, width: settings.width, height: settings.height)
    }

    var scriptBytesAtOnce: Int { 0 }

    mutating func begin() throws -> MonkeyFinding? {
        if worker == nil {
            worker = try WorkerProcess(
                arguments: ["monkey", "gestures", "--worker"] + options.words
                    + (rehearses.map { $0 == .law ? [] : ["--rehearse", $0.rawValue] } ?? []),
                answerLimit: answerLimit)
        }
        return try answer(to: "begin").1
    }

    mutating func play(_ lines: [FingerScript.Line], length: Duration) throws -> (PlayReport, MonkeyFinding?) {
        var sum = PlayReport(id: 0)
        for piece in try ScriptPiece.pieces(of: lines) {
            let text = piece.text.split(separator: "\n").joined(separator: "\t")
            let (report, finding) = try answer(to: "play\t\(piece.length.nanoseconds)\t\(text)")
            sum = sum + report
            if let finding { return (sum, finding) }
        }
        return (sum, nil)
    }

    mutating func checkRest() throws -> MonkeyFinding? { try answer(to: "rest").1 }

    private mutating func answer(to question: String) throws -> (PlayReport, MonkeyFinding?) {
        var report = PlayReport(id: 0)
        guard let answer = worker?.ask(question) else {
            let ending = worker?.ending() ?? (law: "trap", text: "the worker process is not running")
            worker = nil
            return (report, MonkeyFinding(law: ending.law, text: ending.text))
        }
        let parts = answer.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        let numbers = parts.first?.split(separator: " ").compactMap { UInt64($0) } ?? []
        guard parts.count == 3, numbers.isEmpty || numbers.count == 9 else {
            throw Failure.group("expected counts and a finding of a simulation, found \"\(answer)\"")
        }
        if numbers.count == 9 {
            (report.sent, report.answered, report.delivered) = (numbers[0], numbers[1], numbers[2])
            (report.home, report.dropped) = (numbers[3], numbers[4])
            report.arrivedTouches = PhaseCounts(
                began: numbers[5], moved: numbers[6], ended: numbers[7], cancelled: numbers[8])
        }
        return (report, parts[1].isEmpty ? nil : MonkeyFinding(law: String(parts[1]), text: String(parts[2])))
    }
}
