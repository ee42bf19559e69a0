// Lives.swift: which life of its app a process of another machine is.
//
// Fed by    PeerListener, with every knock
// Knows     numbers. No key, no link; and no more apps than keys may stand for.
//
// Sources   invented

import Wire

struct Lives {
    /// By app: the latest life anybody was told of, or says that it is.
    private var latest: [(app: UInt32, generation: UInt32)] = []

    /// - Returns: The one it was told that it is, or the next after all that anybody knows of; of an app that says it has had
    ///   as many as a knock can say, the last of those once more.
    mutating func life(of app: UInt32, _ knock: Knock) -> UInt32 {
        let place = latest.firstIndex { $0.app == app } ?? latest.count
        if place == latest.count { latest.append((app, 0)) }
        latest[place].generation = max(latest[place].generation, knock.lives, knock.generation)
        guard knock.generation == 0 else { return knock.generation }
        latest[place].generation = min(latest[place].generation + 1, Knock.livesLimit - 1)
        return latest[place].generation
    }
}
