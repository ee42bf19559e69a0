// ChaosAll.swift: every row, each on groups of its own: `Tools/chaos-all`.

import Basics

/// A run of several rows.
struct ChaosAll {
    let rows: [ChaosRow]
    /// `key=value`, as for `--set`: settings of all groups. Those that a row needs are kept.
    let settings: [String]
    let repeats: Int?
    let seed: UInt64
    let keep: Bool
    let meter: ChaosMeter
    let judgesTimes: Bool

    func run() throws -> [ChaosVerdict] {
        var verdicts: [ChaosVerdict] = []
        for row in rows {
            for rowSettings in row.settings {
                let settings = self.settings + rowSettings
                var verdict = try self.verdict(on: row, with: settings)
                if !settings.isEmpty { verdict.remarks.append("with \(settings.joined(separator: ", "))") }
                verdicts.append(verdict)
                printVerdict(verdict)
            }
        }
        return verdicts
    }

    /// A group that fails to start is the failure of one row; the other rows still run.
    private func verdict(on row: ChaosRow, with settings: [String]) throws -> ChaosVerdict {
        do {
            let group = try OwnGroup(allowsChaos: true, settings: settings, openFiles: row.openFiles, keeps: keep)
            let ground = try ChaosTarget(runDirectory: group.runDirectory, seed: seed)
            var run = ChaosRun(
                row, on: ground, times: count(of: row), meter: meter, judgesTimes: judgesTimes,
                ownGroupSettings: self.settings)
            var verdict = try run.run()
            if keep { verdict.remarks.append("the group's folder: \(group.runDirectory)") }
            return verdict
        } catch let failure as Failure where failure.code != 2 {
            var verdict = ChaosVerdict(row, times: 0, judgesTimes: judgesTimes)
            verdict.violations.append("the group: \(failure)")
            return verdict
        }
    }

    /// Prints a verdict at once: all rows take half an hour.
    private func printVerdict(_ verdict: ChaosVerdict) {
        let name = "\(verdict.row.id) \(verdict.row.rawValue)"
        let took = fixedText(verdict.elapsed.seconds, digits: 1)
        printError("\(name): \(verdict.isPassed ? "passed" : "MISSED") in \(took) s")
        for demand in verdict.demands where !demand.isMet {
            printError("\(name): \(demand.what): expected \(demand.demanded), found \(demand.measured)")
        }
        for violation in verdict.violations.prefix(3) { printError("\(name): \(violation)") }
    }

    /// Returns the count of a row for `--repeat`, which counts kills. Rows with other units take a multiple of it, at
    /// most their standard count.
    private func count(of row: ChaosRow) -> Int {
        guard let repeats else { return row.standardTimes }
        switch row {
        case .malformedFrames: return min(row.standardTimes, repeats * 500)
        case .intruders: return min(row.standardTimes, repeats * 50)
        case .takenAway: return min(row.standardTimes, repeats * 200)
        case .deviceStorm: return min(row.standardTimes, repeats * 5000)
        // A smaller crowd would not fill the server.
        case .crowd: return row.standardTimes
        case .appKilled, .serverKilled, .inputKitKilled, .stuckApp, .slowApp, .lossyLinks, .clockJumps, .diskFull,
            .stopped, .crashLoop, .supervisorKilled, .hundredApps, .twoFingers, .badHandlers, .secondGroup,
            .otherVersions:
            return min(row.standardTimes, repeats)
        }
    }
}
