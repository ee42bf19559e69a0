// LatestGenerations.swift: assigns process generations to the apps of other machines.
//
// Input     RemoteApps, with every hello
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

    /// The generation for a process that sends a hello.
    ///
    /// - Returns: The generation that the process already has, or the next one after all known. A process also receives
    ///   the next one if it claims a generation that this server did not assign, or one beyond `claimLimit`.
    mutating func generation(for app: AppID, _ hello: RemoteHello) -> UInt32 {
        let index = latest.firstIndex { $0.app == app } ?? latest.count
        if index == latest.count { latest.append((app, 0)) }
        let known = latest[index].generation
        if hello.latestGeneration < Self.claimLimit { latest[index].generation = max(known, hello.latestGeneration) }
        if hello.generation > 0 {
            if hello.generation <= known { return hello.generation }
            // A restarted server has assigned nothing yet.
            if hello.generation < Self.claimLimit, known == 0 || hello.generation == known + 1 {
                latest[index].generation = max(latest[index].generation, hello.generation)
                return hello.generation
            }
        }
        latest[index].generation = min(latest[index].generation + 1, RemoteHello.generationLimit - 1)
        return latest[index].generation
    }
}
