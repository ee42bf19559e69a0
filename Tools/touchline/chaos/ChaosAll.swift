// ChaosAll.swift: every row, each on groups of its own: `Tools/chaos-all`.

import Basics

struct ChaosAll {
    let rows: [ChaosRow]
    let times: Int?
    let seed: UInt64
    let keep: Bool
    let meter: ChaosMeter

    func run() throws -> [ChaosVerdict] {
        var verdicts: [ChaosVerdict] = []
        for row in rows {
            for settings in row.settings {
                let group = try ChaosGroup(settings: settings, keeps: keep)
                let ground = try ChaosGround(runDirectory: group.runDirectory, seed: seed)
                var run = ChaosRun(row, on: ground, times: count(of: row), meter: meter)
                var verdict = try run.run()
                if !settings.isEmpty { verdict.remarks.append("with \(settings.joined(separator: ", "))") }
                if keep { verdict.remarks.append("its folder: \(group.runDirectory)") }
                verdicts.append(verdict)
                tell(verdict)
            }
        }
        return verdicts
    }

    /// All rows take a quarter of an hour: what is known already is said.
    private func tell(_ verdict: ChaosVerdict) {
        let name = "\(verdict.row.id) \(verdict.row.rawValue)"
        let took = fixedText(verdict.took.seconds, digits: 1)
        complain("\(name): \(verdict.isPassed ? "passed" : "MISSED") in \(took) s")
        for demand in verdict.demands where !demand.isMet {
            complain("\(name): \(demand.what): expected \(demand.demanded), found \(demand.measured)")
        }
        for violation in verdict.violations.prefix(3) { complain("\(name): \(violation)") }
    }

    /// What was asked for is how often a thing is killed; of what is counted otherwise it is a part, as with kills.
    private func count(of row: ChaosRow) -> Int {
        guard let times else { return row.standardTimes }
        switch row {
        case .malformedFrames: return min(row.standardTimes, times * 500)
        case .appKilled, .serverKilled, .inputKitKilled, .lossyLinks, .clockJumps, .diskFull, .stopped, .crashLoop,
            .supervisorKilled:
            return min(row.standardTimes, times)
        }
    }
}
