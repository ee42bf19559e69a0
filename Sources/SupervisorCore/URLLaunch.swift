// URLLaunch.swift: an app that is launched with a URL: the processes that receive the URL, and their limit.
//
//     none ──request──▶ due ──spawn──▶ due, one process more ──ready──▶ known
//                        ▲                    │                        │
//                        └────── died ────────┴─── died, request ──────┘     after two processes: failed
//
// Station   process
// Input     ChildTable: the server's launch requests, spawns, readiness, deaths
// Output    ChildTable: the URL of the next launch order, and whether the server must learn that the launch failed
// Knows     one app's URL, and how many of its processes received it. The server sends it to a process that runs
//           already.
//
// Sources   invented, with SystemServerCore/Openings.swift

import Wire

/// The launch of one app with a URL.
struct URLLaunch: Sendable {
    private(set) var request: OpenRequest
    /// The number of processes that have received the URL or were launched with it.
    private(set) var deliveredGenerations: UInt32
    /// Whether the next process is launched with it.
    private(set) var isDue = false

    init(_ wish: LaunchRequest, before: URLLaunch?) {
        (request, deliveredGenerations) = (wish.openRequest, wish.deliveredGenerations)
        if let before, before.request.id == wish.openRequest.id {
            deliveredGenerations = max(deliveredGenerations, before.deliveredGenerations)
        }
    }

    var isSpent: Bool { deliveredGenerations >= LaunchRequest.generationLimit }

    /// Plans the next launch with the URL.
    ///
    /// - Parameter isAlive: Whether the app runs or is being started without the URL: then the server sends it.
    mutating func planLaunch(isAlive: Bool) { isDue = !isAlive && !isSpent }

    /// The URL for the launch order of a process that starts now.
    mutating func requestForSpawn() -> OpenRequest? {
        guard isDue, !isSpent else { return nil }
        deliveredGenerations += 1
        return request
    }

    /// Ends the launch, because the launched process is ready or the URL is given up: no later process is launched with
    /// it.
    mutating func endLaunch() { isDue = false }
}

extension Child {
    /// Notes the server's launch request.
    ///
    /// - Returns: False if the app cannot be launched with this URL any more.
    mutating func requestLaunch(_ wish: LaunchRequest) -> Bool {
        var request = URLLaunch(wish, before: urlLaunch)
        defer { urlLaunch = request }
        guard !request.isSpent else { return false }
        switch state {
        case .quarantined, .expelled, .gone, .stopping: return false
        case .spawning, .starting, .ready: request.planLaunch(isAlive: true)
        case .waiting, .condemned, .dismissed, .dormant, .backingOff: request.planLaunch(isAlive: false)
        }
        return true
    }

    /// Decides after a death whether the launch has failed.
    ///
    /// - Returns: The request that no later process is launched with; nil if the launch continues.
    mutating func endFailedLaunch() -> OpenRequest? {
        guard let urlLaunch, urlLaunch.isDue else { return nil }
        var isOver = urlLaunch.isSpent
        if case .quarantined = state { isOver = true }
        guard isOver else { return nil }
        self.urlLaunch?.endLaunch()
        return urlLaunch.request
    }
}
