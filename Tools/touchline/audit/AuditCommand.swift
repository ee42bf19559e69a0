// AuditCommand.swift: `touchline audit`: the fate of every event of a run, and every broken law, from its journals.

import ArgumentParser
import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Scenarios

/// The command `touchline audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Account for every event of a group's run, from its journals.",
        discussion: """
            A run leaves its journals in <run-dir>/journal. What every process was given is given to the same cores \
            again, and what they were given and answered is held to nine laws (Docs/Internals/Audit.md):

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
        let audited = try audited()
        if json { try printJSON(audited.json) } else { for line in audited.text { printLine(line) } }
        for complaint in audited.complaints where !json { printError(complaint) }
        if let failure = audited.failure { throw Failure.negativeResult("\(folder): \(failure)") }
    }

    private func audited() throws -> AuditedRun {
        let inside = "\(folder)/journal"
        let folder = FileManager.default.fileExists(atPath: inside) ? inside : folder
        var options = AuditOptions.live
        if noTiming { options.ignoreTiming() }
        var replay: AuditedReplay
        do throws(ReplayError) { replay = try AuditedReplay(folder: folder, options: options) } catch {
            throw Failure.badInput("\(error)")
        }
        let report = replay.run()
        return AuditedRun(folder: folder, report: report, digests: replay.digests, complaints: replay.complaints)
    }
}
