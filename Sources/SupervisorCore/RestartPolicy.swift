// RestartPolicy.swift: how long a child that died waits, and when it has died once too often.
//
// Station   process
// Input     DeathRecord: the moment of a death
// Output    DeathRecord: the wait before the next start, or none
// Knows     the moments of one child's restarts. No pid, no reason but its own.
//
// Sources   invented, fault F13: 50 ms doubling to 5 s, at most 5 restarts in 10 s

import Basics
import Settings

struct RestartPolicy {
    var first: Duration
    var limit: Duration
    var restartLimit: Int
    var window: Duration

    /// When restarts were decided, oldest first. Those older than the window no longer count, once a start has led
    /// to readiness: a child that only ever times out takes longer than a window to do so.
    private var restarts: [Instant] = []

    init(_ settings: Settings) {
        first = settings[.supervisorBackoffFirst]
        limit = settings[.supervisorBackoffLimit]
        restartLimit = settings[.supervisorRestartLimit]
        window = settings[.supervisorRestartWindow]
    }

    /// After a death that is not held against the child.
    ///
    /// - Parameter last: How long it waited before its last start.
    func delay(afterAbortWith last: Duration) -> Duration { min(max(first, last + last), limit) }

    /// Judges a death.
    ///
    /// - Parameter wasReady: Whether the child that died had ever announced readiness.
    /// - Returns: How long to wait before starting again; nil when it has had its chances.
    mutating func delay(afterDeathAt now: Instant, wasReady: Bool) -> Duration? {
        if wasReady { restarts.removeAll { $0.duration(to: now) >= window } }
        guard restarts.count < restartLimit else { return nil }
        // Restarts already made within the window are what doubles the wait: a child that has behaved for a
        // whole window starts again at once.
        var delay = first
        for _ in restarts where delay < limit { delay += delay }
        restarts.append(now)
        return min(delay, limit)
    }
}
