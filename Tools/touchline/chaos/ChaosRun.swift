// ChaosRun.swift: one row on one group: repeated `times` times, then judged by the journals.

import Audit
import Basics
import Foundation
import Glibc
import Journals
import Scenarios
import Settings
import Wire

/// A run of one row.
struct ChaosRun {
    let target: ChaosTarget
    let times: Int
    var verdict: ChaosVerdict
    /// The faults that the row applied, which the audit excuses.
    var disturbances: [AuditOptions.Disturbance] = []
    /// The settings of the group; the defaults where its journals cannot be read.
    let settings: Settings
    private let meter: ChaosMeter
    private let ownGroupSettings: [String]

    /// - Parameters:
    ///   - row: The fault and its criterion.
    ///   - ground: The group that suffers it.
    ///   - times: The number of repetitions.
    ///   - meter: Shows progress.
    ///   - judgesTimes: Whether durations are judged.
    ///   - ownGroupSettings: `key=value`, as for `--set`: settings of the groups that the row starts itself.
    init(
        _ row: ChaosRow, on ground: ChaosTarget, times: Int, meter: ChaosMeter, judgesTimes: Bool,
        ownGroupSettings: [String] = []
    ) {
        (self.target, self.times, self.meter) = (ground, times, meter)
        self.ownGroupSettings = ownGroupSettings
        verdict = ChaosVerdict(row, times: times, judgesTimes: judgesTimes)
        settings = groupSettings(ground.runDirectory) ?? Settings()
    }

    /// Makes a run of the same row on another group with its own journals.
    func sibling(on other: ChaosTarget) -> ChaosRun {
        ChaosRun(
            verdict.row, on: other, times: 1, meter: meter, judgesTimes: verdict.judgesTimes,
            ownGroupSettings: ownGroupSettings)
    }

    /// Starts a group for this row alone.
    ///
    /// - Parameters:
    ///   - settings: `key=value`: settings that the row needs, whatever those of `--set` are.
    ///   - apps: The number of its apps.
    ///   - runDirectory: The folder of an earlier group; nil for a new folder.
    ///   - more: Further arguments of `up`.
    ///   - environment: Variables that its processes receive beside those of this process.
    ///   - keeps: Whether its folder is kept.
    func startGroup(
        settings: [String] = [], apps: Int, on runDirectory: String? = nil, arguments more: [String] = [],
        environment: [String: String] = [:], keeps: Bool = false
    ) throws -> OwnGroup {
        try OwnGroup(
            allowsChaos: true, settings: ownGroupSettings + settings, apps: apps, on: runDirectory, arguments: more,
            environment: environment, keeps: keeps)
    }

    /// Adds the findings in another group's journals to this row.
    mutating func addFindings(of other: ChaosRun, _ what: String) {
        verdict.violations += other.verdict.violations.map { "\(what): \($0)" }
        for law in other.verdict.laws where !verdict.laws.contains(law) { verdict.laws.append(law) }
        verdict.laws.sort { $0.rawValue < $1.rawValue }
    }

    /// Applies the row's fault and judges it. There is a verdict even if the group fails.
    mutating func run() throws -> ChaosVerdict {
        let begun = monotonicNow()
        defer { meter.done() }
        do {
            try target.awaitReady()
            try target.bringToFront(target.apps[0])
            switch verdict.row {
            case .appKilled: try kills(of: target.apps[0])
            case .serverKilled: try kills(of: .systemServer)
            case .inputKitKilled: try kills(of: .inputKit)
            case .stuckApp: try hangs()
            case .slowApp: try slowness()
            case .lossyLinks: try lossyLinks()
            case .malformedFrames: try malformedFrames()
            case .clockJumps: try clockJumps()
            case .diskFull: try diskFull()
            case .stopped: try stops()
            case .crashLoop: try crashLoop()
            case .supervisorKilled: try supervisorKills()
            case .hundredApps: try hundredApps()
            case .twoFingers: try twoFingers()
            case .takenAway: try takenAway()
            case .badHandlers: try badHandlers()
            case .intruders: try intruders()
            case .crowd: try crowd()
            case .secondGroup: try secondGroups()
            case .deviceStorm: try deviceStorm()
            case .otherVersions: try otherVersions()
            }
        } catch let failure as Failure where failure.code == 2 {
            throw failure
        } catch {
            // A group that does not recover, or without a supervisor, is a result. Its journals are judged as well.
            verdict.violations.append("the group: \(error)")
            if verdict.laws.isEmpty { try? judge(evidence(isAtRest: false)) }
        }
        verdict.elapsed = begun.duration(to: monotonicNow())
        return verdict
    }

    func progress(_ done: Int, of all: Int? = nil) { meter.show(verdict.row, done, of: all ?? times) }

    /// Replays and audits the journals once the group is at rest.
    ///
    /// - Parameter dead: The process that the fault has left dead.
    func evidence(isAtRest: Bool = true, without dead: Peer? = nil) throws -> ChaosEvidence {
        if isAtRest { try target.awaitQuiet(without: dead) }
        var options = AuditOptions.live
        options.disturbances = disturbances
        options.isAtRest = isAtRest
        if !verdict.judgesTimes { options.ignoreTiming() }
        meter.done()
        return try ChaosEvidence(
            runDirectory: target.runDirectory, options: options,
            meter: ReplayMeter(isQuiet: !meter.isShown, linesEvery: .seconds(10)))
    }

    /// Adds the audit's findings to this row.
    mutating func judge(_ evidence: ChaosEvidence) {
        verdict.violations += evidence.violations
        verdict.laws = evidence.report.lawsJudged
        verdict.remarks.append(
            "\(evidence.processes.count) process instances, \(evidence.steps) steps replayed; \(evidence.balance)")
    }

    /// Demands that the group has recovered: one tap arrives whole.
    ///
    /// - Parameter dead: The process that the fault has left dead.
    mutating func expectTap(without dead: Peer? = nil) throws {
        try target.awaitReady(without: dead)
        if try target.tap() == nil { verdict.violations.append("a tap after the last fault did not arrive") }
    }

    /// Waits so long that the next death does not complete a crash loop, which is another row.
    func pause(sinceLast death: Instant) throws {
        let limit = max(1, Double(settings[.supervisorRestartLimit]))
        let gap = settings[.supervisorRestartWindow].seconds / limit * 1.1
        target.sleep(until: death.advanced(by: Duration(seconds: gap)))
    }
}

/// Returns the settings in the supervisor's journal; nil without a readable one.
private func groupSettings(_ runDirectory: String) -> Settings? {
    for path in (try? ReplayedGroup.journals(in: "\(runDirectory)/journal")) ?? [] {
        guard Journal.parse(fileName: String(path.split(separator: "/").last ?? ""))?.peer == .supervisor,
            let bytes = FileManager.default.contents(atPath: path),
            var reader = try? JournalReader([UInt8](bytes)), case .header(let header)? = try? reader.next()
        else { continue }
        return try? Settings(header.order.settings)
    }
    return nil
}

/// Shows progress to a person.
final class ChaosMeter {
    /// Whether any progress is shown.
    let isShown: Bool
    private var bar = ProgressBar(linesEvery: .seconds(10))

    init(isQuiet: Bool) { isShown = !isQuiet }

    func show(_ row: ChaosRow, _ done: Int, of all: Int) {
        guard isShown else { return }
        bar.show(Double(done) / Double(max(1, all)), "\(row.id) \(row.rawValue): \(done) of \(all) \(row.unit)")
    }

    func done() { if isShown { bar.clear() } }
}
