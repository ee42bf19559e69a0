// SimulateWorker.swift: a hidden worker that runs the simulations that lines on stdin ask for.
//
//     seed <TAB> number                   the run that the seed draws
//     given <TAB> number <TAB> lines      the seed's chances with this script and these faults, lines separated by tabs
//     drawn <TAB> number                  no run: the script and the faults that the seed draws
//
// Each answer is one line: JSON (SimulationAnswer), or for `drawn` lines separated by tabs.

import Audit
import Basics
import Faults
import Foundation
import Glibc
import Recordings
import Simulator

/// The worker's loop.
struct SimulateWorker {
    private let options: SimulationOptions
    private let rehearsal: MonkeyRehearsal?
    private let needsKill: Bool

    init(_ input: SimulateInput, collectsCoverage: Bool) throws {
        var options = try input.options()
        options.collectsCoverage = collectsCoverage
        (self.options, rehearsal, needsKill) = (options, input.rehearse, input.faults != "none")
    }

    func run() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        while let line = readLine() {
            let words = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count > 1, let seed = UInt64(words[1]) else { continue }
            switch words[0] {
            case "drawn": printLine(SimulationText(of: seed, options).lines.joined(separator: "\t"))
            case "given" where words.count == 3:
                let text = words[2].split(separator: "\t").joined(separator: "\n")
                answer(seed, options.playing(try SimulationText(parsing: text, file: "stdin")), encoder)
            default: answer(seed, options, encoder)
            }
        }
    }

    private func answer(_ seed: UInt64, _ options: SimulationOptions, _ encoder: JSONEncoder) {
        let found = rehearsed(seed, options)
        var run = SimulatedRun(seed: seed, options: options)
        var answer = SimulationAnswer(run.run())
        // A rehearsed failure replaces all others: it shows the output of a failure.
        if let found { (answer.law, answer.text, answer.violations) = (found, "a rehearsal", 1) }
        guard let data = try? encoder.encode(answer) else { preconditionFailure("no JSON for \(answer)") }
        printLine(String(decoding: data, as: UTF8.self))
    }

    private func rehearsed(_ seed: UInt64, _ options: SimulationOptions) -> String? {
        guard let rehearsal else { return nil }
        let text = SimulationText(of: seed, options)
        let hasFinger = text.script.contains { if case .down = $0.act { true } else { false } }
        guard hasFinger, !needsKill || text.faults.faults.contains(where: { $0.kind == .kill }) else { return nil }
        switch rehearsal {
        case .law: return "rehearsal"
        case .trap: fatalError("a rehearsal")
        case .hang: while true { pause() }
        }
    }
}

extension SimulationOptions {
    func playing(_ text: SimulationText) -> SimulationOptions {
        var options = self
        (options.script, options.faults) = (text.script, .plan(text.faults))
        return options
    }
}

extension SimulationText {
    /// The script and faults of a run of this seed.
    init(of seed: UInt64, _ options: SimulationOptions) {
        self.init(script: options.playedScript(of: seed), faults: options.faultPlan(of: seed))
    }
}

/// The result of one run, as the worker sends it.
struct SimulationAnswer: Codable, Sendable {
    var digest: UInt64
    var coreEvents: UInt64
    /// In nanoseconds.
    var simulated: Int64
    var violations: Int
    /// The law of the first violation; nil when all laws hold.
    var law: String?
    /// The text of the first violation, or the last output of a process.
    var text: String
    /// Nanoseconds since the script's zero.
    var at: Int64
    var balance: Balance
    /// The names of what the run reached; nil when nothing is collected.
    var features: [String]?

    /// The fates of input-kit's scans: law I4.
    struct Balance: Codable, Sendable {
        var injected, delivered, coalesced, dropped, cancelled, rejected, inFlight: UInt64

        static let nothing = Balance(
            injected: 0, delivered: 0, coalesced: 0, dropped: 0, cancelled: 0, rejected: 0, inFlight: 0)

        static func + (a: Balance, b: Balance) -> Balance {
            Balance(
                injected: a.injected + b.injected, delivered: a.delivered + b.delivered,
                coalesced: a.coalesced + b.coalesced, dropped: a.dropped + b.dropped,
                cancelled: a.cancelled + b.cancelled, rejected: a.rejected + b.rejected,
                inFlight: a.inFlight + b.inFlight)
        }
    }

    init(_ result: SimulationResult) {
        (digest, coreEvents) = (result.digest, result.coreEvents)
        simulated = result.simulated.nanoseconds
        violations = result.violations.count
        let first = result.violations.first
        law = first?.law.rawValue
        text = first?.text ?? ""
        at = first.map { $0.at.nanoseconds - result.zero.nanoseconds } ?? 0
        features = result.features.isEmpty ? nil : result.features
        let scans = result.audit.scans
        balance = Balance(
            injected: scans.injected, delivered: scans[.delivered], coalesced: scans[.coalesced],
            dropped: scans[.dropped], cancelled: scans[.cancelled], rejected: scans[.rejected],
            inFlight: scans.inFlight)
    }

    /// The answer of a run that ended its process.
    init(ending: (law: String, text: String)) {
        (digest, coreEvents, simulated, violations) = (0, 0, 0, 1)
        (law, text, at, balance, features) = (ending.law, ending.text, 0, .nothing, nil)
    }
}
