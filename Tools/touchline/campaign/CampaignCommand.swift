// CampaignCommand.swift: `touchline campaign`: many seeds of many searches on many machines.
//
// CampaignRun and CampaignResume run a campaign, CampaignStatus and CampaignReportCommand read it, and CampaignShard is the
// worker.

public import ArgumentParser
public import Campaigns
import Configuration
import Foundation

/// The command `touchline campaign`.
struct CampaignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Run searches with many seeds on many machines, and report what they found.",
        discussion: """
            A plan (Docs/Reference/Campaigns.md) lists searches: simulate, monkey, conform, exhaust, fuzz, mutants. The \
            seeds are cut into shards, which worker processes of this machine or a cluster run. Results are files in \
            the campaign's folder and rows in its store, each counted once. A campaign that was broken off goes on where \
            it stopped.

            Exits 0 when no seed failed, 1 when a seed failed or a shard has no result, 2 when an option or a file cannot \
            be used, 3 when a folder, a process or a cluster refuses.
            """,
        subcommands: [
            CampaignRun.self, CampaignResume.self, CampaignStatus.self, CampaignReportCommand.self, CampaignShard.self,
        ], defaultSubcommand: CampaignRun.self)
}

/// The options that say where shards run.
struct CampaignBackendOptions: ParsableArguments {
    /// The backends, by the word of --backend.
    enum Backend: String, CaseIterable, ExpressibleByArgument { case local, slurm }

    @Option(
        help: ArgumentHelp(
            "Where shards run: worker processes of this machine (local), or tasks of job arrays (slurm).",
            valueName: "name"))
    var backend: Backend = .local

    @OptionGroup var jobs: JobsOption

    @Option(
        name: .customLong("sbatch"), parsing: .singleValue,
        help: ArgumentHelp(
            "An option for sbatch, such as --sbatch=--partition=night; may be repeated.", valueName: "text"))
    var sbatch: [String] = []

    func validate() throws {
        guard sbatch.isEmpty || backend == .slurm else {
            throw ValidationError("--sbatch: expected with --backend slurm")
        }
        guard jobs.jobs == nil || backend == .local else {
            throw ValidationError("--jobs: expected with --backend local; Slurm has limits of its own")
        }
    }

    /// Runs a campaign to its end and prints its report.
    func run(_ folder: CampaignFolder, _ result: ResultOptions) throws {
        guard backend == .local || SlurmBackend.isInstalled else {
            throw Failure.group("--backend slurm: expected sbatch in PATH, found none")
        }
        try check(folder.plan)
        guard let lock = try folder.lock() else {
            throw Failure.group(
                "\(folder.path): another process runs this campaign, or reads its results at this moment")
        }
        defer { withExtendedLifetime(lock) {} }
        let chosen: any CampaignBackend =
            switch backend {
            case .local: try LocalBackend(folder, jobs: jobs.count)
            case .slurm: SlurmBackend(folder, options: sbatch)
            }
        var coordinator = try CampaignCoordinator(folder, chosen)
        try coordinator.run()
        coordinator.merge.printUnreadable()
        let report = CampaignReport(simulated: coordinator.merge.sum)
        try report.printResult(asJSON: result.json)
        if !coordinator.abandoned.isEmpty {
            printError(
                "campaign: \(coordinator.abandoned.count) shards have no result; the errors of their workers are in "
                    + "\(folder.log); `touchline campaign resume` tries them again")
        }
        if !report.isComplete || report.failed > 0 || !report.conflicts.isEmpty { throw ExitCode(1) }
    }

    /// Checks the options of each search before a worker does.
    private func check(_ plan: CampaignPlan) throws {
        for search in plan.searches {
            do {
                switch search.kind {
                case .simulate: _ = try SimulateInput.parse(search.words).options()
                case .monkey: _ = try MonkeyWorlds.parse(search.words)
                case .conform: try Conform.parse(["--order", "ios"] + search.words).checkFiles()
                case .exhaust: _ = try Exhaust.parse(search.words)
                case .fuzz, .mutants:
                    let program = absolute(search.program ?? "")
                    guard FileManager.default.isExecutableFile(atPath: program) else {
                        throw Failure.badInput("\(program): expected a program, found none")
                    }
                }
            } catch let failure as Failure {
                throw Failure(code: 2, line: "\(search.name): \(failure.line)", isText: failure.isText)
            } catch {
                throw Failure.badInput("\(search.name): \(Simulate.message(for: error))")
            }
        }
    }
}

/// The command `touchline campaign run`, which is also `touchline campaign FILE`.
struct CampaignRun: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the plan of a file to its end.",
        discussion: """
            Makes the campaign's folder, runs all shards of seeds, then reduces failing seeds, and prints a report. In a \
            folder of the same plan the campaign goes on where it stopped. With --backend slurm the folder must be on \
            storage that all nodes share.

            With --emit kubernetes nothing runs: the command makes the folder and prints an Indexed Job whose pods run \
            the shards. `touchline campaign report` then reads their results.

            Exits 0 when no seed failed, 1 when a seed failed or a shard has no result, 2 when an option or a file cannot \
            be used, 3 when a folder, a process or a cluster refuses.

            EXAMPLES
              touchline campaign Config/Campaigns/nightly.yaml
              touchline campaign run nightly.yaml --folder /shared/nightly --backend slurm --sbatch=--partition=night
              touchline campaign run nightly.yaml --emit kubernetes --image registry/touchline:1 --claim campaigns
            """)

    /// The manifests of --emit.
    enum Manifest: String, CaseIterable, ExpressibleByArgument { case kubernetes }

    @Argument(help: ArgumentHelp("The plan.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "The campaign's folder (default: campaign-NAME, with the name of the plan).", valueName: "folder"))
    var folder: String?

    @OptionGroup var place: CampaignBackendOptions

    @Option(help: ArgumentHelp("Print a manifest of this kind and run nothing.", valueName: "name"))
    var emit: Manifest?

    @Option(help: ArgumentHelp("With --emit: the image with touchline in its PATH.", valueName: "text"))
    var image: String?

    @Option(
        help: ArgumentHelp("With --emit: the claim of the volume that has the campaign's folder.", valueName: "name"))
    var claim: String?

    @Option(help: ArgumentHelp("With --emit: pods at a time (default: 8).", valueName: "count"))
    var parallelism: Int?

    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--parallelism", parallelism, in: 1...100_000)
        guard emit == nil || image != nil && claim != nil else {
            throw ValidationError("--emit: expected --image and --claim")
        }
        guard emit != nil || image == nil && claim == nil && parallelism == nil else {
            throw ValidationError("--image, --claim, --parallelism: expected with --emit")
        }
    }

    func run() throws {
        let plan: CampaignPlan
        do throws(InvalidConfiguration) { plan = try CampaignPlan(contentsOf: file) } catch {
            throw Failure.badInput(error)
        }
        let name = String(plan.name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : "-" })
        let folder = try CampaignFolder(self.folder ?? "campaign-\(name)", of: plan)
        // A campaign that goes on finds the plan's files where its workers find them.
        folder.enterDirectory()
        guard let emit else { return try place.run(folder, result) }
        switch emit {
        case .kubernetes: printText(manifest(folder, image: image ?? "", claim: claim ?? ""))
        }
    }

    /// The job of the seeds or, when these are done, of the reductions.
    private func manifest(_ folder: CampaignFolder, image: String, claim: String) -> String {
        let reductions = folder.reductions().count
        let (list, count): (SlurmJob.List, Int) =
            reductions > 0 ? (.reductions, reductions) : (.seeds, folder.plan.shards.count)
        return KubernetesJob(
            campaign: folder.plan.identity, list: list, completions: count, parallelism: min(count, parallelism ?? 8),
            attempts: folder.plan.attempts, image: image, claim: claim
        ).manifest
    }
}

/// The command `touchline campaign resume`.
struct CampaignResume: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on with a campaign that was broken off.",
        discussion: """
            Shards with a result are not run again. Worker processes of this machine have ended with their command; tasks \
            that Slurm still has go on. Shards that were given up are tried again.

            Exits 0 when no seed failed, 1 when a seed failed or a shard has no result, 2 when an option or the folder \
            cannot be used, 3 when a folder, a process or a cluster refuses.

            EXAMPLES
              touchline campaign resume campaign-nightly
            """)

    @Argument(help: ArgumentHelp("The campaign's folder.", valueName: "folder"))
    var folder: String

    @OptionGroup var place: CampaignBackendOptions

    @OptionGroup var result: ResultOptions

    func run() throws {
        let folder = try CampaignFolder(folder)
        folder.enterDirectory()
        try place.run(folder, result)
    }
}

extension CampaignFolder {
    /// Changes to the folder in which the files of the plan are found; a machine without it keeps its own.
    func enterDirectory() { _ = FileManager.default.changeCurrentDirectoryPath(contents.directory) }
}

/// The command `touchline campaign shard`, which backends start.
struct CampaignShard: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shard",
        abstract: "Run one shard of a campaign, as its backends do.",
        discussion: """
            Writes the result as a file into the campaign's folder. The same shard may run any number of times, on any \
            machine: its result counts once.

            Exits 0 when the result is written, whether or not a seed failed; 2 when an option or a file cannot be used; \
            3 when the result cannot be written or a process cannot be started. The shard then has no result.

            EXAMPLES
              touchline campaign shard campaign-nightly --list seeds --number 0
            """)

    @Argument(help: ArgumentHelp("The campaign's folder.", valueName: "folder"))
    var folder: String

    @Option(
        help: ArgumentHelp("The list of the shard: seeds, or reductions of failing seeds.", valueName: "name"))
    var list: SlurmJob.List = .seeds

    @Option(help: ArgumentHelp("The shard's number in its list, from 0.", valueName: "count"))
    var number: Int

    @Flag(name: .customLong(CoordinatorWatch.optionName), help: .hidden)
    var watchesCoordinator = false

    func run() throws {
        if watchesCoordinator { CoordinatorWatch.begin() }
        let folder = try CampaignFolder(folder)
        let shards = folder.shards(list)
        guard !shards.isEmpty else {
            throw Failure.badInput("--list \(list.rawValue): expected a list with shards, found an empty one")
        }
        guard shards.indices.contains(number) else {
            throw Failure.badInput("--number: expected 0 to \(shards.count - 1), found \(number)")
        }
        folder.enterDirectory()
        try folder.write(ShardRunner(folder, shards[number]).run())
    }
}

extension SlurmJob.List: ExpressibleByArgument {}
