// JournalReplay.swift: the replay of a group's run, in full or step by step.
//
// A step back replays from the beginning: an app consists of objects and cannot be copied.

import ArgumentParser
import Basics
import Glibc
import Hosting
import Scenarios
import Trace
import Wire

/// The replay of a group's run.
struct JournalReplay {
    /// The end of a replay.
    enum Limit: ExpressibleByArgument {
        /// The time since the first process began.
        case time(Duration)
        /// The number of steps of all processes together.
        case steps(UInt64)

        init?(argument: String) {
            if let count = UInt64(argument) {
                self = .steps(count)
                return
            }
            let unit = argument.hasSuffix("ms") ? "ms" : "s"
            guard argument.hasSuffix(unit), let number = Double(argument.dropLast(unit.count)), number >= 0 else {
                return nil
            }
            self = .time(Duration(seconds: unit == "ms" ? number / 1000 : number))
        }
    }

    private let folder: String
    private let until: Limit?
    private let only: Peer?
    private let isTraced: Bool
    private let programs: ReplayPrograms
    private var group: ReplayedGroup
    /// The moment when the first process began.
    private var origin: Instant?
    private var digests: UInt64 { group.digests }
    /// The steps within the limit.
    private var shownSteps: UInt64 = 0
    /// The numbers of the chosen process's steps that have passed; only for a walk.
    private var passedSteps: [UInt64] = []

    /// - Parameters:
    ///   - folder: A run directory, or the folder of the journals.
    ///   - programs: The programs of users that may be started.
    init(folder: String, until: Limit?, only: Peer?, isTraced: Bool, programs: ReplayPrograms) throws {
        var status = stat()
        let inside = "\(folder)/journal"
        let isRunDirectory = stat(inside, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        self.folder = isRunDirectory ? inside : folder
        (self.until, self.only, self.isTraced, self.programs) = (until, only, isTraced, programs)
        group = try Self.group(self.folder, isTraced: isTraced, programs)
    }

    private static func group(
        _ folder: String, isTraced: Bool, _ programs: ReplayPrograms
    ) throws -> ReplayedGroup {
        do throws(ReplayError) {
            return try ReplayedGroup(folder: folder, isTraced: isTraced, programs: programs)
        } catch {
            throw Failure.badInput("\(error)")
        }
    }

    // MARK: In full

    /// - Parameter latency: Whether the latencies of the answered scans are printed after the trace.
    mutating func run(json: Bool, latency: Bool = false) throws {
        var wasCut = false
        var latencies = HopLatencies()
        // A terminal that shows the run itself needs no progress.
        var meter = ReplayMeter(isQuiet: !json && isatty(STDOUT_FILENO) == 1)
        while let occurrence = next() {
            if isBeyondLimit(occurrence) {
                wasCut = true
                break
            }
            if case .step(let step) = occurrence {
                shownSteps += 1
                meter.show(shownSteps, at: step.at)
                if let ledger = step.answeredLedger { latencies.record(ledger) }
            }
            if !json { printOccurrence(occurrence) }
        }
        meter.clear()
        if json { try printJSON(result(wasCut: wasCut).merging(latency ? latencies.json : [:]) { $1 }) }
        for complaint in group.complaints where !json { printError(complaint) }
        try judge(shownSteps)
        guard !json else { return }
        if latency { printText("\n\(latencies.table)\n") }
        printLine("identical\(wasCut ? " so far" : ""): \(shownSteps) steps, \(digests) digests")
    }

    /// - Throws: `Failure` with exit code 1 when a core answered differently, and for incomplete journals.
    private func judge(_ steps: UInt64) throws {
        if let difference = group.difference {
            throw Failure.negativeResult(
                "differs: \(difference.process) step \(difference.step) at \(time(difference.at)): \(difference)")
        }
        guard group.complaints.isEmpty else {
            throw Failure.negativeResult(
                "\(folder): journals are incomplete: \(steps) steps replayed, \(digests) digests identical")
        }
    }

    private mutating func next() -> Occurrence? {
        let occurrence = group.next()
        if origin == nil, case .began(_, let moment)? = occurrence { origin = moment }
        return occurrence
    }

    private func isBeyondLimit(_ occurrence: Occurrence) -> Bool {
        switch (until, occurrence) {
        case (.steps(let count), .step): group.steps > count
        case (.time(let time), .step(let step)): (origin ?? step.at).duration(to: step.at) > time
        default: false
        }
    }

    private func printOccurrence(_ occurrence: Occurrence) {
        switch occurrence {
        case .began(let process, let moment): printProcess(process, moment, "begins")
        case .ended(let process, let moment, let status):
            printProcess(process, moment, status.map { "ends: \($0)" } ?? "ends")
        case .lost(let sequence, let kind, let process, let peer, let moment, let cause):
            printProcess(process, moment, "\(kind) \(sequence) to \(peer) is lost: \(cause)")
        case .step(let step):
            guard only == nil || step.process.peer == only else { return }
            for fact in group.facts {
                printLine("\(padded(fact.process))\(fact.line(since: origin ?? .boot).text(since: origin ?? .boot))")
            }
        }
    }

    private func printProcess(_ process: ProcessInstance, _ moment: Instant, _ what: String) {
        guard only == nil || process.peer == only else { return }
        let line = TraceLine(
            at: moment, process: "\(process.peer)", station: .process, isProbe: false, text: "\(process) \(what)")
        printLine("\(padded(line.process))\(line.text(since: origin ?? .boot))")
    }

    private func padded(_ name: String) -> String { name + String(repeating: " ", count: max(1, 14 - name.count)) }

    private func time(_ moment: Instant) -> String { (origin ?? .boot).duration(to: moment).milliseconds }

    private func result(wasCut: Bool) -> [String: Any] {
        var object: [String: Any] = [
            "folder": folder, "steps": Int(clamping: shownSteps), "digests": Int(clamping: digests),
            "processes": group.processes.map { "\($0)" }, "missing": group.complaints, "toTheEnd": !wasCut,
            "identical": group.difference == nil && group.complaints.isEmpty,
        ]
        if let difference = group.difference {
            object["difference"] = [
                "process": "\(difference.process)", "step": Int(clamping: difference.step),
                "at": difference.at.nanoseconds, "expected": String(difference.expected, radix: 16),
                "found": String(difference.found, radix: 16),
            ]
        }
        return object
    }

    // MARK: Step by step

    /// Reads orders from stdin, one on each line.
    mutating func walk() throws {
        // The number among the steps of all processes, from 1.
        var wanted: UInt64 = 1
        var from: Duration?
        switch until {
        case .steps(let count)?: wanted = max(1, count)
        case .time(let time)?: from = time
        case nil: break
        }
        var shown: UInt64 = 0
        while true {
            if let found = try seek(wanted, from: from) {
                for line in StepText.lines(found, facts: group.facts, number: group.steps, origin: origin ?? .boot) {
                    printLine(line)
                }
                shown = group.steps
            } else if let difference = group.difference {
                printLine("differs: \(difference)")
            } else {
                printLine(
                    "end of the run: \(group.steps) steps of \(group.processes.count) processes, \(digests) digests identical"
                )
                for complaint in group.complaints { printLine(complaint) }
            }
            from = nil
            var isUnderstood = false
            while !isUnderstood {
                guard let line = readLine()?.split(separator: " ").joined() else { return try judge(group.steps) }
                isUnderstood = true
                switch line {
                case "", "n": wanted = shown + 1
                case "p": wanted = passedSteps.last { $0 < shown } ?? passedSteps.first ?? 1
                case "q": return try judge(group.steps)
                default:
                    if let number = UInt64(line), number > 0 {
                        wanted = number
                    } else {
                        printLine("expected n, p, a step's number or q, found \(line)")
                        isUnderstood = false
                    }
                }
            }
        }
    }

    /// - Parameter from: The time since the first process began; earlier steps are skipped.
    /// - Returns: The step of this number, or the first later one of the chosen process; nil after the end.
    private mutating func seek(_ number: UInt64, from: Duration?) throws -> Step? {
        if group.steps >= number { group = try Self.group(folder, isTraced: isTraced, programs) }
        var meter = ReplayMeter()
        defer { meter.clear() }
        while let occurrence = next() {
            guard case .step(let step) = occurrence else { continue }
            meter.show(group.steps, at: step.at)
            guard only == nil || step.process.peer == only else { continue }
            if group.steps > passedSteps.last ?? 0 { passedSteps.append(group.steps) }
            guard group.steps >= number, from.map({ isReached($0, by: step) }) ?? true else { continue }
            return step
        }
        return nil
    }

    private func isReached(_ time: Duration, by step: Step) -> Bool {
        (origin ?? step.at).duration(to: step.at) >= time
    }
}
