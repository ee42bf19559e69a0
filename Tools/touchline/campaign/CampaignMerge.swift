// CampaignMerge.swift: reads result files into the store, and keeps the sum.
//
//     results/*.json ─▶ CampaignStore (a transaction each) ─▶ CampaignSum
//
// Merging again changes nothing, and a merge that was broken off goes on where it stopped.

import Campaigns
import CampaignStore

/// The store of a campaign with its sum.
struct CampaignMerge {
    let folder: CampaignFolder
    private let store: CampaignStore
    private(set) var sum: CampaignSum
    /// The names of the files in the store.
    private var known: Set<String>
    /// Files that are no results.
    private(set) var unreadable: [String] = []

    /// Opens the store.
    ///
    /// - Throws: `Failure` with exit code 3.
    init(_ folder: CampaignFolder) throws {
        self.folder = folder
        store = try folder.openStore()
        sum = CampaignSum(plan: folder.plan)
        do {
            known = Set(try store.files())
            for result in try store.results() { sum.add(result) }
        } catch { throw Failure(error) }
    }

    /// Reads the files that are not in the store yet.
    ///
    /// - Returns: The ids of their shards, without those of results that belong to another plan.
    /// - Throws: `Failure` with exit code 3. The files so far are in the store.
    mutating func readNewFiles() throws -> [String] {
        var shards: [String] = []
        for file in try folder.resultFiles() where !known.contains(file) {
            guard let result = folder.result(in: file) else {
                known.insert(file)
                unreadable.append(file)
                continue
            }
            do { try store.add(result, file: file) } catch { throw Failure(error) }
            known.insert(file)
            if sum.add(result) != .foreign { shards.append(result.shard.id) }
        }
        return shards
    }

    /// Prints the names of files that are no results.
    func printUnreadable() {
        for file in unreadable { printError("campaign: \(file): expected a result, found something else") }
    }
}
