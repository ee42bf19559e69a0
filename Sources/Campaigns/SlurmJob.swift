// SlurmJob.swift: the texts by which a campaign and Slurm talk: job arrays, their script, the queue.
//
// A job array has a task for each shard. The number of a shard is the offset of its array and the number of its task, so
// the name of the job and the number of the task identify the shard. A coordinator that starts again finds the tasks of
// an earlier one by the names of jobs.
//
// Input     the Slurm backend
// Output    command lines, a script, the numbers in a queue
// Knows     texts. No processes.
//
// Sources   documented  sbatch(1), squeue(1), slurm.conf(5) MaxArraySize

/// A job array of a campaign.
public struct SlurmJob: Hashable, Sendable {
    /// The lists that shards are numbered in.
    public enum List: String, CaseIterable, Sendable { case seeds, reductions }

    public var list: List
    /// The number of the array's first shard.
    public var offset: Int
    /// The numbers of the tasks, ascending, each below `size`.
    public var tasks: [Int]

    /// The tasks of one array: below Slurm's own limit, which is 1001 by default.
    public static let size = 1000

    /// Cuts shards into arrays.
    ///
    /// - Parameters:
    ///   - list: The list that the shards belong to.
    ///   - numbers: Ascending.
    public static func jobs(_ list: List, numbers: [Int]) -> [SlurmJob] {
        var jobs: [SlurmJob] = []
        for number in numbers {
            let offset = number / size * size
            if jobs.last?.offset == offset {
                jobs[jobs.count - 1].tasks.append(number - offset)
            } else {
                jobs.append(SlurmJob(list: list, offset: offset, tasks: [number - offset]))
            }
        }
        return jobs
    }

    /// The value of `sbatch --array`: `0-3,7`.
    public var array: String {
        var ranges: [(first: Int, last: Int)] = []
        for task in tasks {
            if let last = ranges.last, last.last + 1 == task {
                ranges[ranges.count - 1].last = task
            } else {
                ranges.append((task, task))
            }
        }
        return ranges.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }.joined(separator: ",")
    }

    /// The name of the job: `touchline-0123456789abcdef-seeds-1000`.
    ///
    /// - Parameter campaign: Digits that identify plan and folder.
    public func name(of campaign: String) -> String { "touchline-\(campaign)-\(list.rawValue)-\(offset)" }

    /// The words of `sbatch`, which reads the script from stdin.
    ///
    /// - Parameters:
    ///   - campaign: The name of the campaign.
    ///   - log: The folder of the tasks' output.
    ///   - options: Options of the site, such as `--partition=night`; they come last and win.
    public func words(of campaign: String, log: String, options: [String]) -> [String] {
        [
            "sbatch", "--parsable", "--requeue", "--job-name=\(name(of: campaign))", "--array=\(array)",
            "--output=\(log)/%x-%a.log", "--open-mode=append",
        ] + options
    }

    /// The script of a task.
    ///
    /// - Parameter command: The quoted command line of the worker up to `--number`.
    public func script(command: String) -> String {
        """
        #!/bin/sh
        # A shard of a campaign of touchline. Any number of tasks may run one shard: its result counts once.
        exec \(command) --list \(list.rawValue) --number $((\(offset) + SLURM_ARRAY_TASK_ID))

        """
    }

    /// The format of `squeue` that `numbers` reads.
    public static let queueFormat = "%j|%K|%T"

    /// Reads the numbers of the shards of a list that Slurm has, waiting or running.
    ///
    /// - Parameters:
    ///   - list: The list that the numbers belong to.
    ///   - campaign: The name of the campaign.
    ///   - queue: The output of `squeue --noheader --array --format=%j|%K|%T`. Tasks that have ended are left out of
    ///     it, or have a state in which Slurm will not run them again.
    public static func numbers(_ list: List, of campaign: String, in queue: String) -> [Int] {
        let prefix = "touchline-\(campaign)-\(list.rawValue)-"
        return queue.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0].hasPrefix(prefix), let offset = Int(fields[0].dropFirst(prefix.count)),
                let task = Int(fields[1]), !ended.contains(String(fields[2]))
            else { return nil }
            return offset + task
        }
    }

    /// The states of a job that has ended.
    private static let ended = [
        "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
        "REVOKED", "TIMEOUT",
    ]
}
