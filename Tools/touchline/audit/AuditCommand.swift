// AuditCommand.swift: every event of a run accounted for, and every law that was broken, from its journals.

import ArgumentParser
import Audit
import Basics
import Faults
import Foundation
import Glibc
import Hosting
import Scenarios
import Wire

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Account for every event of a group's run, from its journals.",
        discussion: """
            A run leaves its journals in <run-dir>/journal. What every process was given is given to the same cores \
            again, and what they were given and answered is held to nine laws (Docs/Audit.md):

            I1 a touch begins once and ends once · I2 its end is prompt · I3 every frame is legal where it is sent and \
            where it is heard · I4 injected = delivered + coalesced + dropped + cancelled + rejected, nothing in flight \
            at the end · I5 what is done to one app is not felt in another · I6 queues keep their bounds · I7 nothing \
            comes of frames of an older time · I8 every touch's end has one cause · I9 the cores answer as they did.

            While the group runs, scans are under way: it is audited after `touchline down`.

            --json prints one object: scans and frames with their balance, touches by the cause of their end, and for \
            each violation its law, what was expected and found, when, and the steps that show it.

            Exits 0 when every law was kept, 1 when one was broken or journals are not whole, 2 when the folder \
            holds no journals.
            """)

    @Argument(help: ArgumentHelp("A run directory, or the journals' own.", valueName: "dir"))
    var folder: String

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Flag(
        help: "Leave out what a busy machine breaks by itself: how prompt ends are (I2), and isolation (I5).")
    var noTiming = false

    func run() throws {
        var replayed = try ReplayedRun(folder, noTiming: noTiming)
        let audited = replayed.run()
        if json { try printJSON(audited.json) } else { for line in audited.text { say(line) } }
        for complaint in audited.complaints where !json { complain(complaint) }
        if let failure = audited.failure { throw Failure.no("\(folder): \(failure)") }
    }
}

/// A run done again and audited as it goes.
private struct ReplayedRun {
    private let folder: String
    private var group: ReplayedGroup
    private var audit: Audit
    private var end = Instant.boot

    init(_ folder: String, noTiming: Bool) throws {
        let inside = "\(folder)/journal"
        self.folder = FileManager.default.fileExists(atPath: inside) ? inside : folder
        do throws(ReplayError) { group = try ReplayedGroup(folder: self.folder) } catch {
            throw Failure.badInput("\(error)")
        }
        var options = AuditOptions.live
        options.isReplayed = true
        if noTiming { options.ignoreTiming() }
        audit = Audit(options)
    }

    mutating func run() -> AuditedRun {
        while let occurrence = group.next() {
            switch occurrence {
            case .began(_, let moment), .ended(_, let moment, _): end = max(end, moment)
            case .step(let step):
                end = max(end, step.at)
                if case .frame(let frame, from: .supervisor) = step.input, case .chaos(let line) = frame.message {
                    disturb(line, at: step.at)
                }
            case .lost: break
            }
            audit.take(occurrence)
        }
        if let difference = group.difference {
            audit.note(
                Violation(
                    .determinism, "\(difference)", at: difference.at,
                    evidence: [
                        Violation.Evidence(
                            life: difference.life, step: difference.step, at: difference.at,
                            text: "the first step whose effects differ, or the last that its digest is about")
                    ]))
        }
        return AuditedRun(
            folder: folder, report: audit.finish(at: end), digests: group.digests, complaints: group.complaints)
    }

    /// What was done to somebody on purpose lasts a little longer than its fault: a process has to come back.
    private mutating func disturb(_ line: String, at moment: Instant) {
        guard let fault = try? Fault(parsing: line) else { return }
        let end = moment.advanced(by: fault.at).advanced(by: fault.length).advanced(by: .milliseconds(500))
        audit.disturb(AuditOptions.Disturbance(from: moment, until: end, peer: fault.target))
    }
}
