// CampaignFolder.swift: the folder of a campaign, which the coordinator and all workers share.
//
//     campaign.json      the plan, and the folder in which commands run       written once, by `campaign run`
//     reductions.json    the failing seeds to reduce                          written by the coordinator
//     results/           a file for each run of a shard                       written by workers
//     log/               the errors of workers
//     store.sqlite       the rows of all results                              written by the coordinator alone
//     lock               held by the coordinator
//
// A file is written under another name, flushed to the disk, and renamed. So a name in `results` always has whole contents,
// and a full disk leaves no name. Two runs of one shard have two names.

import Campaigns
import CampaignStore
import Foundation
import Glibc

/// The folder of a campaign.
struct CampaignFolder {
    let path: String
    let contents: Contents

    /// The file `campaign.json`.
    struct Contents: Codable {
        var plan: CampaignPlan
        /// The folder in which the files of the plan are found.
        var directory: String
    }

    var plan: CampaignPlan { contents.plan }
    var results: String { "\(path)/results" }
    var log: String { "\(path)/log" }
    var store: String { "\(path)/store.sqlite" }

    /// Opens a folder.
    ///
    /// - Throws: `Failure` with exit code 2 when it has no campaign.
    init(_ path: String) throws {
        self.path = absolute(path)
        do {
            let data = try Data(contentsOf: URL(filePath: "\(path)/campaign.json"))
            contents = try JSONDecoder().decode(Contents.self, from: data)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            throw Failure.badInput("\(path): expected the folder of a campaign, found no campaign.json")
        } catch is DecodingError {
            throw Failure.badInput("\(path)/campaign.json: expected the plan of a campaign, found something else")
        } catch {
            throw Failure.badInput("\(path)/campaign.json: cannot be read: \(error.localizedDescription)")
        }
    }

    /// Makes the folder of a plan, or opens the one that it has. What a plan may change without being another one, the
    /// number of attempts, is taken from the new plan.
    ///
    /// - Throws: `Failure` with exit code 2 when the folder belongs to another plan or cannot be made.
    init(_ path: String, of plan: CampaignPlan) throws {
        if FileManager.default.fileExists(atPath: "\(path)/campaign.json") {
            let known = try CampaignFolder(path)
            guard known.plan.identity == plan.identity else {
                throw Failure.badInput(
                    "\(path): expected a folder of this plan, found one of another plan: choose another --folder")
            }
            self.path = known.path
            contents = Contents(plan: plan, directory: known.contents.directory)
            if known.plan != plan { try Self.write(contents, to: "\(self.path)/campaign.json") }
            return
        }
        do {
            for folder in [path, "\(path)/results", "\(path)/log"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
        } catch { throw Failure.badInput("\(path): cannot be made: \(error.localizedDescription)") }
        self.path = absolute(path)
        contents = Contents(plan: plan, directory: FileManager.default.currentDirectoryPath)
        try Self.write(contents, to: "\(self.path)/campaign.json")
    }

    // MARK: Results

    /// Writes the result of a shard.
    ///
    /// - Throws: `Failure` with exit code 3 when the disk refuses it. The shard is then not done.
    func write(_ result: ShardResult) throws {
        let run = "\(result.cost.host)-\(getpid())-\(String(UInt64(Date().timeIntervalSince1970 * 1e6), radix: 36))"
        let host = String(run.map { $0.isLetter || $0.isNumber || "-.".contains($0) ? $0 : "_" })
        try Self.write(result, to: "\(results)/\(result.shard.id)~\(host).json")
    }

    /// The names of all result files, sorted.
    func resultFiles() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: results)
                .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
        } catch { throw Failure.group("\(results): cannot be read: \(error.localizedDescription)") }
    }

    /// - Returns: Nil for a file that is no result.
    func result(in file: String) -> ShardResult? {
        guard let data = FileManager.default.contents(atPath: "\(results)/\(file)") else { return nil }
        return try? JSONDecoder().decode(ShardResult.self, from: data)
    }

    // MARK: Reductions

    /// The failing seeds to reduce, in the order of their numbers; empty before they are known.
    func reductions() -> [Shard] {
        guard let data = FileManager.default.contents(atPath: "\(path)/reductions.json") else { return [] }
        return (try? JSONDecoder().decode([Shard].self, from: data)) ?? []
    }

    func write(reductions: [Shard]) throws { try Self.write(reductions, to: "\(path)/reductions.json") }

    /// The shards of a list, in the order of their numbers.
    func shards(_ list: SlurmJob.List) -> [Shard] {
        switch list {
        case .seeds: plan.shards
        case .reductions: reductions()
        }
    }

    // MARK: Files

    /// Writes a file so that it has all its contents or is not there.
    ///
    /// - Throws: `Failure` with exit code 3.
    private static func write(_ value: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(value) + Data("\n".utf8)
        let url = URL(filePath: path)
        let folder = url.deletingLastPathComponent().path
        let part = "\(folder)/.\(url.lastPathComponent).\(getpid()).part"
        let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw refused(path) }
        var failure: Int32 = 0
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty, failure == 0 {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno != EINTR { failure = errno }
                if count == 0 { failure = ENOSPC }
                if count > 0 { rest = rest.dropFirst(count) }
            }
        }
        // A network folder may report a full disk here first.
        if failure == 0, fsync(file) != 0 { failure = errno }
        if close(file) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(part, path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(part)
            errno = failure
            throw refused(path)
        }
        // The name, too, must survive a crash of the machine.
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            fsync(directory)
            close(directory)
        }
    }

    private static func refused(_ path: String) -> Failure {
        Failure.group("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }

    /// Takes the lock of the coordinator, which is released with the returned value or when this process ends.
    ///
    /// - Returns: Nil if another process has it.
    func lock() throws -> Lock? {
        let file = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Self.refused("\(path)/lock") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        return Lock(file)
    }

    /// The lock of a coordinator.
    final class Lock {
        private let file: Int32
        fileprivate init(_ file: Int32) { self.file = file }
        deinit { close(file) }
    }

    func openStore() throws -> CampaignStore {
        do { return try CampaignStore(file: store, plan: plan.identity) } catch { throw Failure(error) }
    }
}

extension Failure {
    init(_ error: CampaignStoreError) {
        let advice =
            error.isFull
            ? ": nothing is lost; make room, then `touchline campaign resume`"
            : error.isUnusable ? ": nothing is lost; remove this file, and it is made again from the results" : ""
        self = .group("\(error)\(advice)")
    }
}
