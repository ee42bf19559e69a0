// AuditCommand.swift: `touchline audit`: the fate of every event of a run, and every broken law, from its journals.

import ArgumentParser
import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Scenarios

/// The command `touchline audit`.
struct AuditCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check every event of a group's run against the laws of the audit, from its journals.",
        discussion: """
            A run leaves its journals in <run-dir>/journal. The audit replays the inputs of every process in the same \
            cores, and checks the inputs and effects against nine laws (Docs/Internals/Audit.md):

              I1  a touch begins once and ends once
              I2  the end of a touch is prompt
              I3  every frame is legal for its sender and its receiver
              I4  injected = delivered + coalesced + dropped + cancelled
                  + rejected, and nothing is in flight at the end
              I5  a fault in one app does not affect another
              I6  queues keep their bounds
              I7  frames of an older epoch have no effect
              I8  the end of every touch has one cause
              I9  the cores answer as in the run

            While the group runs, scans are in flight. Audit the run after `touchline down`.

            An app with a program of its own is replayed by that program, which --app-executable names.

            --json has scans and frames with their balance, and touches by the cause of their end. Each violation has its \
            law, the expected and the found value, the time, and the steps that show it.

            Exits 0 when every law was kept, 1 when a law was broken or the journals are incomplete, 2 when the folder has \
            no readable journals.
            """)

    @Argument(help: ArgumentHelp("A run directory, or its folder of journals.", valueName: "folder"))
    var folder: String

    @OptionGroup var replayed: ReplayProgramsOption
    @OptionGroup var result: ResultOptions
    @OptionGroup var timing: TimingOption

    func run() throws {
        let audited = try audited()
        if result.json { try printJSON(audited.json) } else { for line in audited.text { printLine(line) } }
        for complaint in audited.complaints where !result.json { printError(complaint) }
        if let failure = audited.failure { throw Failure.negativeResult("\(folder): \(failure)") }
    }

    private func audited() throws -> AuditedRun {
        let inside = "\(folder)/journal"
        let folder = FileManager.default.fileExists(atPath: inside) ? inside : folder
        var options = AuditOptions.live
        if timing.noTiming { options.ignoreTiming() }
        var replay: AuditedReplay
        do throws(ReplayError) {
            replay = try AuditedReplay(folder: folder, options: options, programs: replayed.programs)
        } catch {
            throw Failure.badInput("\(error)")
        }
        let report = replay.run()
        return AuditedRun(folder: folder, report: report, digests: replay.digests, complaints: replay.complaints)
    }
}
