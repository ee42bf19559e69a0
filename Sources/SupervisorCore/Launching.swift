// Launching.swift: an app that is launched with a URL: what it is told, and in how many lives.
//
//     none ──wish──▶ due ──spawn──▶ due, one life more ──ready──▶ known
//                     ▲                    │                        │
//                     └────── died ────────┴──── died, wish ────────┘     after two lives: failed
//
// Station   process
// Input     ChildTable: the server's launch requests, spawns, readiness, deaths
// Output    ChildTable: the URL of the next launch order, and whether the server must hear that the launch failed
// Knows     one app's URL, and how many of its processes were told. The server tells a process that was alive already.
//
// Sources   invented, with SystemServerCore/Openings.swift

import Wire

struct Launching: Sendable {
    private(set) var request: OpenRequest
    /// That have been told, or launched with it.
    private(set) var lives: UInt32
    /// The next life is launched with it.
    private(set) var isDue = false

    init(_ wish: Wish, before: Launching?) {
        (request, lives) = (wish.opens, wish.lives)
        if let before, before.request.id == wish.opens.id { lives = max(lives, before.lives) }
    }

    var isSpent: Bool { lives >= Wish.livesLimit }

    /// - Parameter isAlive: It is there, or being started without it: then its server tells it.
    mutating func await(isAlive: Bool) { isDue = !isAlive && !isSpent }

    /// What a life that begins now is launched with.
    mutating func spawned() -> OpenRequest? {
        guard isDue, !isSpent else { return nil }
        lives += 1
        return request
    }

    /// The life that was launched with the URL is ready, or the URL is given up: no later life is launched with it.
    mutating func endDue() { isDue = false }
}

extension Child {
    /// - Returns: False when the app cannot be launched with this URL, or no more.
    mutating func requestLaunch(_ wish: Wish) -> Bool {
        var request = Launching(wish, before: launching)
        defer { launching = request }
        guard !request.isSpent else { return false }
        switch state {
        case .quarantined, .expelled, .gone, .stopping: return false
        case .spawning, .starting, .ready: request.await(isAlive: true)
        case .waiting, .condemned, .dismissed, .dormant, .backingOff: request.await(isAlive: false)
        }
        return true
    }

    /// The child has died.
    ///
    /// - Returns: The request that no later process is launched with, if there is one.
    mutating func giveUpLaunch() -> OpenRequest? {
        guard let launching, launching.isDue else { return nil }
        var isOver = launching.isSpent
        if case .quarantined = state { isOver = true }
        guard isOver else { return nil }
        self.launching?.endDue()
        return launching.request
    }
}
