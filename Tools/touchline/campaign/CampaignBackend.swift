// CampaignBackend.swift: where the shards of a campaign run: worker processes of this machine, or a cluster.
//
// A backend starts `touchline campaign shard FOLDER --list LIST --number N` somewhere, and reports which shards it still
// has. It reports no results: a result is a file in the campaign's folder, whoever wrote it.

import Campaigns
import Foundation
import Glibc

/// Where shards run.
protocol CampaignBackend: AnyObject {
    /// How many more shards it accepts now.
    var room: Int { get }
    /// The interval in which the coordinator asks, in milliseconds.
    var interval: Int { get }

    /// Starts shards.
    ///
    /// - Parameter numbers: Ascending.
    /// - Returns: Those that were accepted; the coordinator tries the others again.
    func submit(_ numbers: [Int], of list: SlurmJob.List) throws -> [Int]

    /// The numbers of the shards that wait or run, whichever coordinator started them.
    ///
    /// - Returns: Nil when the backend does not answer now.
    func numbers(of list: SlurmJob.List) -> Set<Int>?
}

/// The words of a worker's command line up to the list and the number.
func shardWords(of folder: CampaignFolder) -> [String] { ["campaign", "shard", folder.path] }

/// Worker processes of this machine, which end with this process (CoordinatorWatch).
final class LocalBackend: CampaignBackend {
    private let folder: CampaignFolder
    private let jobs: Int
    private var workers: [(list: SlurmJob.List, number: Int, process: Process)] = []
    private let watched: CoordinatorWatch.Pipe

    /// - Throws: `Failure` with exit code 3 when the system refuses a pipe.
    init(_ folder: CampaignFolder, jobs: Int) throws {
        (self.folder, self.jobs) = (folder, jobs)
        watched = try CoordinatorWatch.Pipe()
    }

    var interval: Int { 50 }

    var room: Int {
        workers.removeAll { !$0.process.isRunning }
        return jobs - workers.count
    }

    func submit(_ numbers: [Int], of list: SlurmJob.List) throws -> [Int] {
        try numbers.map { number in
            let process = Process()
            process.executableURL = thisProgram
            process.arguments =
                shardWords(of: folder) + ["--list", list.rawValue, "--number", "\(number)", CoordinatorWatch.option]
            process.standardInput = watched.end
            process.standardOutput = FileHandle.nullDevice
            process.standardError = log() ?? FileHandle.nullDevice
            do { try process.run() } catch {
                throw Failure.group("a worker process cannot be started: \(error.localizedDescription)")
            }
            workers.append((list, number, process))
            return number
        }
    }

    func numbers(of list: SlurmJob.List) -> Set<Int>? {
        workers.removeAll { !$0.process.isRunning }
        return Set(workers.filter { $0.list == list }.map(\.number))
    }

    /// The file of the errors of all workers; nil if it cannot be written.
    private func log() -> FileHandle? {
        let file = open("\(folder.log)/local.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        return file >= 0 ? FileHandle(fileDescriptor: file, closeOnDealloc: true) : nil
    }
}
