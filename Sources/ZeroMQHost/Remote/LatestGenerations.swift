// LatestGenerations.swift: assigns process generations to the apps of other machines.
//
// Input     RemoteApps, with every knock
// Knows     numbers. No key, no link. Apps are bounded by the number of keys.
//
// Sources   invented

import Wire

/// The latest process generation of each app of another machine.
struct LatestGenerations {
    /// By app: the latest generation that this server has assigned or that the app has claimed.
    private var latest: [(app: AppID, generation: UInt32)] = []

    /// The upper bound of generations that an app may claim, half of the range, so that half always remains.
    ///
    /// A server orders two generations of an app by their numbers. An app that has had the last number could therefore
    /// never join again.
    static let claimLimit = RemoteHello.generationLimit / 2

    /// The generation for a process that knocks.
    ///
    /// - Returns: The generation that the process already has, or the next one after all known. A process also receives
    ///   the next one if it claims a generation that this server did not assign, or one beyond `claimLimit`.
    mutating func generation(for app: AppID, _ knock: RemoteHello) -> UInt32 {
        let index = latest.firstIndex { $0.app == app } ?? latest.count
        if index == latest.count { latest.append((app, 0)) }
        let known = latest[index].generation
        if knock.latestGeneration < Self.claimLimit { latest[index].generation = max(known, knock.latestGeneration) }
        if knock.generation > 0 {
            if knock.generation <= known { return knock.generation }
            // A restarted server has assigned nothing yet.
            if knock.generation < Self.claimLimit, known == 0 || knock.generation == known + 1 {
                latest[index].generation = max(latest[index].generation, knock.generation)
                return knock.generation
            }
        }
        latest[index].generation = min(latest[index].generation + 1, RemoteHello.generationLimit - 1)
        return latest[index].generation
    }
}
