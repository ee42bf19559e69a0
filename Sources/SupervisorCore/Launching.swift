// Launching.swift: an app that is launched with a URL: what it is told, and in how many lives.
//
//     none ──wish──▶ due ──spawn──▶ due, one life more ──ready──▶ known
//                     ▲                    │                        │
//                     └────── died ────────┴──── died, wish ────────┘     after two lives: failed
//
// Fed by    SupervisorCore: the server's wishes, spawns, readiness, deaths
// Feeds     SupervisorCore: what stands in the next launch order, and whether the server must hear that it is over
// Knows     one app's URL, and how many lives were told of it. The server tells whoever was alive already.
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
