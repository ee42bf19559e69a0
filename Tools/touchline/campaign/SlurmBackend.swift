// SlurmBackend.swift: the shards of a campaign as tasks of Slurm's job arrays.
//
// Slurm starts a task again when its node dies (`--requeue`). The coordinator hands in a shard again only if Slurm no longer
// has it and no result file exists. While the controller does not answer, nothing changes. A controller that answers and
// refuses the first array ends the campaign: its options cannot be used.
//
// Sources   documented  sbatch(1), squeue(1)

import Basics
import Campaigns
import Foundation
import Glibc

/// The job arrays of a campaign.
final class SlurmBackend: CampaignBackend {
    private let folder: CampaignFolder
    private let options: [String]
    /// Identifies plan and folder in the names of jobs.
    private let campaign: String
    /// Whether the controller has, or has had, a task of this campaign.
    private var hasTasks = false
    /// The text of the last refusal, which is printed once; empty after an array was accepted.
    private var lastRefusal = ""

    /// - Parameter options: Options of the site for `sbatch`.
    init(_ folder: CampaignFolder, options: [String]) {
        (self.folder, self.options) = (folder, options)
        var digest = TextDigest()
        digest.add(folder.plan.identity)
        digest.add(folder.path)
        campaign = digest.text
    }

    var interval: Int { 1000 }
    /// Slurm has a queue of its own.
    var room: Int { 20 * SlurmJob.size }

    func submit(_ numbers: [Int], of list: SlurmJob.List) throws -> [Int] {
        var accepted: [Int] = []
        let command = shellCommand([thisProgram.path] + shardWords(of: folder))
        for job in SlurmJob.jobs(list, numbers: numbers) {
            let words = job.words(of: campaign, log: folder.log, options: options)
            let answer = run(words, input: job.script(command: command))
            guard answer.status == 0 else {
                let refusal = "sbatch: \(answer.text)"
                if !hasTasks, self.numbers(of: list) != nil { throw Failure.group(refusal) }
                // A controller that restarts, or a limit of the site: the coordinator tries again.
                if refusal != lastRefusal { printError("campaign: \(refusal): trying again") }
                lastRefusal = refusal
                break
            }
            (hasTasks, lastRefusal) = (true, "")
            accepted += job.tasks.map { job.offset + $0 }
        }
        return accepted
    }

    func numbers(of list: SlurmJob.List) -> Set<Int>? {
        let words = ["squeue", "--noheader", "--array", "--me", "--format=\(SlurmJob.queueFormat)"]
        let answer = run(words, input: "")
        guard answer.status == 0 else { return nil }
        let found = SlurmJob.numbers(list, of: campaign, in: answer.text)
        if !found.isEmpty { hasTasks = true }
        return Set(found)
    }

    /// Runs a command of Slurm.
    ///
    /// - Returns: Its status, and its output, or with another status than 0 the last line of its errors.
    private func run(_ words: [String], input: String) -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        let (questions, answers) = (Pipe(), Pipe())
        process.standardInput = questions
        process.standardOutput = answers
        let errors = FileManager.default.temporaryDirectory.appending(path: "touchline-\(getpid())-slurm.err")
        let file = open(errors.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        process.standardError = file >= 0 ? FileHandle(fileDescriptor: file, closeOnDealloc: true) : nil
        defer { unlink(errors.path) }
        do { try process.run() } catch { return (127, error.localizedDescription) }
        try? questions.fileHandleForReading.close()
        try? questions.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? questions.fileHandleForWriting.close()
        try? answers.fileHandleForWriting.close()
        let output = (try? answers.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        let status = process.terminationStatus
        guard status != 0 else { return (0, String(decoding: output ?? Data(), as: UTF8.self)) }
        let text = String(decoding: FileManager.default.contents(atPath: errors.path) ?? Data(), as: UTF8.self)
        return (status, text.split(separator: "\n").last.map(String.init) ?? "status \(status)")
    }

    /// Whether the commands of Slurm are there.
    static var isInstalled: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            access("\($0)/sbatch", X_OK) == 0
        }
    }
}
