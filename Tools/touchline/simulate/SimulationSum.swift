// SimulationSum.swift: the sum of many runs: speed, the fates of scans, failures.

import Basics
import Foundation
import Glibc
import ZeroMQHost

/// The sum of many runs.
struct SimulationSum {
    struct Failed {
        var seed: UInt64
        var answer: SimulationAnswer
    }

    let jobs: Int
    let started = monotonicNow()
    private(set) var runs: UInt64 = 0
    private(set) var coreEvents: UInt64 = 0
    private(set) var simulated: Int64 = 0
    private(set) var balance = SimulationAnswer.Balance.nothing
    private(set) var failed: [Failed] = []

    init(jobs: Int) { self.jobs = jobs }

    mutating func add(_ seed: UInt64, _ answer: SimulationAnswer) {
        runs += 1
        coreEvents += answer.coreEvents
        simulated += answer.simulated
        balance = balance + answer.balance
        if answer.law != nil { failed.append(Failed(seed: seed, answer: answer)) }
    }

    /// The seconds so far.
    var seconds: Double { max(1e-9, Double(started.duration(to: monotonicNow()).nanoseconds) / 1e9) }

    func text(_ seconds: Double) -> [String] {
        let rate = Double(coreEvents) / seconds / 1e6
        let speed =
            "\(fixedText(Double(runs) / seconds, digits: 1)) seeds/s, \(fixedText(rate, digits: 2)) M core events/s"
        let verdict = failed.isEmpty ? "all laws hold" : "\(failed.count) failed"
        return [
            "\(balance.injected) scans = \(balance.delivered) delivered + \(balance.coalesced) coalesced + "
                + "\(balance.dropped) dropped + \(balance.cancelled) cancelled + \(balance.rejected) rejected"
                + " + \(balance.inFlight) in flight",
            "\(runs) \(runs == 1 ? "seed" : "seeds"), \(fixedText(Double(simulated) / 60e9, digits: 1)) simulated minutes "
                + "in \(fixedText(seconds, digits: 1)) s, \(jobs) \(jobs == 1 ? "job" : "jobs"), \(speed): \(verdict)",
        ]
    }

    func json(_ seconds: Double) -> [String: Any] {
        [
            "seeds": runs, "coreEvents": coreEvents, "simulatedSeconds": Double(simulated) / 1e9, "seconds": seconds,
            "jobs": jobs, "coreEventsPerSecond": Double(coreEvents) / seconds,
            "seedsPerSecond": Double(runs) / seconds,
            "scans": [
                "injected": balance.injected, "delivered": balance.delivered, "coalesced": balance.coalesced,
                "dropped": balance.dropped, "cancelled": balance.cancelled, "rejected": balance.rejected,
                "inFlight": balance.inFlight,
            ],
        ]
    }
}

/// A line that is rewritten in place on a terminal.
struct ProgressBar {
    private let isShown = Output.isWatched
    private var last = Instant.boot
    private static let period = Duration.milliseconds(100)
    private static let width = 24
    /// The interval of lines where stderr is no terminal; nil for no lines.
    private let linePeriod: Duration?

    /// - Parameter linePeriod: For a command that runs for minutes: the interval of lines where stderr is no terminal.
    init(linesEvery linePeriod: Duration? = nil) { self.linePeriod = linePeriod }

    /// - Parameter share: 0...1.
    mutating func show(_ share: Double, _ text: @autoclosure () -> String) {
        guard isDue() else { return }
        guard isShown else { return printError(text()) }
        let full = Int(min(1, max(0, share)) * Double(Self.width))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
        progress("[\(bar)] \(text())")
    }

    mutating func show(_ text: @autoclosure () -> String) {
        guard isDue() else { return }
        if isShown { progress(text()) } else { printError(text()) }
    }

    private mutating func isDue() -> Bool {
        guard let period = isShown ? Self.period : linePeriod, last.duration(to: monotonicNow()) >= period else {
            return false
        }
        last = monotonicNow()
        return true
    }

    /// Removes the line, before a permanent one.
    func clear() {
        progress("")
    }
}
