// Timers.swift: armed timers by time. No clock of its own.

import Basics
import Hosting

/// The timers of a core.
struct Timers {
    private struct Armed {
        let id: TimerID
        let at: Instant
    }

    /// Sorted by time; timers of the same time are in the order of arming.
    private var armed: [Armed] = []

    mutating func arm(_ id: TimerID, at moment: Instant) {
        disarm(id)
        guard moment != .never else { return }
        let index = armed.firstIndex { $0.at > moment } ?? armed.count
        armed.insert(Armed(id: id, at: moment), at: index)
    }

    mutating func disarm(_ id: TimerID) {
        if let index = armed.firstIndex(where: { $0.id == id }) { armed.remove(at: index) }
    }

    var count: Int { armed.count }
    var next: Instant? { armed.first?.at }

    mutating func removeFirst(dueBy moment: Instant) -> TimerID? {
        guard let first = armed.first, first.at <= moment else { return nil }
        armed.removeFirst()
        return first.id
    }
}
