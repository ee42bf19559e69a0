// Lives.swift: which life of its app a process of another machine is.
//
// Fed by    RemoteApps, with every knock
// Knows     numbers. No key, no link; and no more apps than keys may stand for.
//
// Sources   invented

import Wire

struct Lives {
    /// By app: the latest life anybody was told of, or says that it is.
    private var latest: [(app: AppID, generation: UInt32)] = []

    /// What an app may say that it has had: half of what there are, so that it has as many left whatever it says. A server
    /// believes one life only to have been before another by its number: an app that has had the last one could never join
    /// again.
    static let claimLimit = Knock.livesLimit / 2

    /// - Returns: The one it was told that it is, or the next after all that anybody knows of. Of an app that says that it is
    ///   one that nobody here has told it, though this server has told it another, or one beyond `claimLimit`: the next, too.
    mutating func life(of app: AppID, _ knock: Knock) -> UInt32 {
        let place = latest.firstIndex { $0.app == app } ?? latest.count
        if place == latest.count { latest.append((app, 0)) }
        let known = latest[place].generation
        if knock.lives < Self.claimLimit { latest[place].generation = max(known, knock.lives) }
        if knock.generation > 0 {
            if knock.generation <= known { return knock.generation }
            // A server that was started anew has told nobody anything.
            if knock.generation < Self.claimLimit, known == 0 || knock.generation == known + 1 {
                latest[place].generation = max(latest[place].generation, knock.generation)
                return knock.generation
            }
        }
        latest[place].generation = min(latest[place].generation + 1, Knock.livesLimit - 1)
        return latest[place].generation
    }
}
