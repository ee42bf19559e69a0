// RestartPolicy.swift: the wait after a death, and the death after which a child is not restarted.
//
// Station   process
// Input     DeathRecord: the time of a death
// Output    DeathRecord: the wait before the next start, or nil
// Knows     the times of one child's restarts. No pid.
//
// Sources   invented, fault F13: 50 ms doubling to 5 s, at most 5 restarts in 10 s

import Basics
import Settings

/// The restarts of one child and their limits.
struct RestartPolicy {
    var firstDelay: Duration
    var delayLimit: Duration
    var restartLimit: Int
    var window: Duration

    /// The times at which restarts were decided, oldest first. Restarts older than the window no longer count once a
    /// start has led to readiness. A child that only ever exceeds the start deadline takes longer than a window to do
    /// so.
    private var restarts: [Instant] = []

    init(_ settings: Settings) {
        firstDelay = settings[.supervisorBackoffFirst]
        delayLimit = settings[.supervisorBackoffLimit]
        restartLimit = settings[.supervisorRestartLimit]
        window = settings[.supervisorRestartWindow]
    }

    /// The wait after a death that does not count.
    ///
    /// - Parameter last: The wait before the last start.
    func delay(afterAbortWith last: Duration) -> Duration { min(max(firstDelay, last + last), delayLimit) }

    /// Judges a death.
    ///
    /// - Parameter wasReady: Whether the process that died had announced readiness.
    /// - Returns: The wait before the next start; nil if the restarts are used up.
    mutating func delay(afterDeathAt now: Instant, wasReady: Bool) -> Duration? {
        if wasReady { restarts.removeAll { $0.duration(to: now) >= window } }
        guard restarts.count < restartLimit else { return nil }
        // Restarts within the window double the wait. After a whole window without a death, it is the shortest again.
        var delay = firstDelay
        for _ in restarts where delay < delayLimit { delay += delay }
        restarts.append(now)
        return min(delay, delayLimit)
    }
}
