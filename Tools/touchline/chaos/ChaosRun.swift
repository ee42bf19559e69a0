// ChaosRun.swift: one row on one group: done so many times, then judged by the journals.

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Journals
import Wire

struct ChaosRun {
    let ground: ChaosGround
    let times: Int
    var verdict: ChaosVerdict
    /// What was done on purpose, and would otherwise be a broken law.
    var disturbances: [AuditOptions.Disturbance] = []
    /// In force in the group; the defaults where its journals cannot be read.
    let settings: Settings
    private let meter: ChaosMeter

    init(_ row: ChaosRow, on ground: ChaosGround, times: Int, meter: ChaosMeter) {
        (self.ground, self.times, self.meter) = (ground, times, meter)
        verdict = ChaosVerdict(row, times: times)
        settings = groupSettings(ground.runDirectory) ?? Settings()
    }

    /// Does the row's fault and judges it. The verdict stands even where the group did not.
    mutating func run() throws -> ChaosVerdict {
        let begun = monotonicNow()
        do {
            switch verdict.row {
            case .appKilled: try kills(of: ground.apps[0])
            case .serverKilled: try kills(of: .systemServer)
            case .inputKitKilled: try kills(of: .inputKit)
            case .lossyLinks: try lossyLinks()
            case .malformedFrames: try malformedFrames()
            case .clockJumps: try clockJumps()
            case .diskFull: try diskFull()
            case .stopped: try stops()
            case .crashLoop: try crashLoop()
            case .supervisorKilled: try supervisorKills()
            }
        } catch let failure as Failure where failure.code == 1 {
            // The group did not come back: that is an answer.
            verdict.violations.append("the group: \(failure.line)")
        }
        verdict.took = begun.duration(to: monotonicNow())
        meter.done()
        return verdict
    }

    func progress(_ done: Int, of all: Int? = nil) { meter.show(verdict.row, done, of: all ?? times) }

    /// The journals, once everything has come to rest: replayed, audited, and what the audit found in the verdict.
    mutating func evidence(isAtRest: Bool = true) throws -> ChaosEvidence {
        if isAtRest { try ground.awaitQuiet() }
        var options = AuditOptions.live
        options.inFlightLimit = Int(settings.number("server.inFlightLimit"))
        options.disturbances = disturbances
        options.isAtRest = isAtRest
        meter.say("\(verdict.row.id) \(verdict.row.rawValue): replaying the journals")
        let evidence = try ChaosEvidence(runDirectory: ground.runDirectory, options: options)
        verdict.violations += evidence.violations
        verdict.remarks.append("\(evidence.lives.count) lives, \(evidence.steps) steps replayed; \(evidence.balance)")
        return evidence
    }

    /// The group is as it was: one tap arrives whole.
    mutating func expectTap() throws {
        try ground.awaitReady()
        if try ground.tap() == nil { verdict.violations.append("a tap after the last fault does not arrive") }
    }

    /// Deaths closer to each other than the group's policy takes would be a crash loop, and that is another row.
    func pause(sinceLast death: Instant) throws {
        let limit = max(1, settings.number("supervisor.restartLimit"))
        let gap = settings.number("supervisor.restartWindow") / limit * 1.1
        ground.sleep(until: death.advanced(by: Duration(seconds: gap)))
    }
}

/// What the group was started with, as its supervisor's journal says; nil when there is none to read.
private func groupSettings(_ runDirectory: String) -> Settings? {
    let folder = "\(runDirectory)/journal"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where Journal.parse(fileName: name)?.peer == .supervisor {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)"),
            var reader = try? JournalReader([UInt8](bytes)), case .header(let header)? = try? reader.next()
        else { continue }
        return try? Settings(header.order.settings)
    }
    return nil
}

/// How far it is, for a person who watches.
final class ChaosMeter {
    private let isShown: Bool
    private var last = Instant.boot
    private var isOpen = false

    init(isQuiet: Bool) { isShown = !isQuiet && isatty(STDERR_FILENO) == 1 }

    func show(_ row: ChaosRow, _ done: Int, of all: Int) {
        let now = monotonicNow()
        guard isShown, done == all || last.duration(to: now) > .milliseconds(100) else { return }
        last = now
        say("\(row.id) \(row.rawValue): \(done) of \(all) \(row.unit)")
    }

    func say(_ line: String) {
        guard isShown else { return }
        isOpen = true
        complainOver("\r\u{1B}[K\(line)")
    }

    func done() {
        guard isOpen else { return }
        isOpen = false
        complainOver("\r\u{1B}[K")
    }

    private func complainOver(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
