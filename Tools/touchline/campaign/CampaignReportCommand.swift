// CampaignReportCommand.swift: `touchline campaign report` and `touchline campaign status`.

import ArgumentParser
import Campaigns
import Foundation
import Glibc

/// The command `touchline campaign report`.
struct CampaignReportCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print what a campaign has found so far, or write it as a page.",
        discussion: """
            Reads result files that are not in the store yet, unless a coordinator does that. The figures do not depend \
            on the order of results. When all seeds are done, the list of failing seeds to reduce is written for \
            `touchline campaign run --emit kubernetes`.

            Exits 0 when no seed failed, 1 when a seed failed, 2 when an option or the folder cannot be used, 3 when the \
            store cannot be written.

            EXAMPLES
              touchline campaign report campaign-nightly
              touchline campaign report campaign-nightly --page nightly.html
            """)

    @Argument(help: ArgumentHelp("The campaign's folder.", valueName: "folder"))
    var folder: String

    @Option(help: ArgumentHelp("Write the report as one HTML page into this file.", valueName: "file"))
    var page: String?

    @OptionGroup var result: ResultOptions

    func run() throws {
        let folder = try CampaignFolder(folder)
        var merge = try CampaignMerge(folder)
        if let lock = try folder.lock() {
            defer { withExtendedLifetime(lock) {} }
            _ = try merge.readNewFiles()
            merge.printUnreadable()
            let wanted = merge.sum.wantedReductions
            let isOver = merge.sum.results.count == folder.plan.shards.count
            if isOver, wanted != folder.reductions() { try folder.write(reductions: wanted) }
        }
        // The plan's files are found in another folder.
        let page = page.map(absolute)
        folder.enterDirectory()
        let report = CampaignReport(simulated: merge.sum)
        if let page {
            do { try Data(CampaignPage(report).html.utf8).write(to: URL(filePath: page)) } catch {
                throw Failure.badInput("\(page): cannot be written: \(error.localizedDescription)")
            }
        }
        try report.printResult(asJSON: result.json)
        if report.failed > 0 || !report.conflicts.isEmpty { throw ExitCode(1) }
    }
}

/// The command `touchline campaign status`.
struct CampaignStatus: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print how far a campaign is.",
        discussion: """
            Counts result files and changes nothing, so it can be called at any time and on any machine with the folder.

            Exits 0 when every shard has a result, 1 when some have none, 2 when an option or the folder cannot be used.

            EXAMPLES
              touchline campaign status campaign-nightly
            """)

    @Argument(help: ArgumentHelp("The campaign's folder.", valueName: "folder"))
    var folder: String

    @OptionGroup var result: ResultOptions

    /// The counts of one list.
    private struct Count: Encodable {
        var list: String
        var shards: Int
        var done: Int
    }

    func run() throws {
        let folder = try CampaignFolder(folder)
        let files = try folder.resultFiles()
        let found = Set(files.map { String($0.prefix { $0 != "~" }) })
        let counts = SlurmJob.List.allCases.map { list in
            let shards = folder.shards(list)
            return Count(list: list.rawValue, shards: shards.count, done: shards.count { found.contains($0.id) })
        }
        if result.json {
            try printJSON(["lists": counts])
        } else {
            for count in counts where count.list == "seeds" || count.shards > 0 {
                printLine("\(count.list): \(count.done) of \(count.shards) shards have a result")
            }
        }
        if counts.contains(where: { $0.done < $0.shards }) { throw ExitCode(1) }
    }
}
