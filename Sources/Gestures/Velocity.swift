// Velocity.swift: how fast something goes, from its last 50 milliseconds.
//
// Station   gesture
// Fed by    PanMachine with points, PinchMachine with a distance, RotationMachine with an angle
//
// Sources   invented (B9.9): from the oldest sample of the last 50 ms to the newest, divided by their time; nothing
//           with one sample or within a millisecond. A finger that rested before it lifted has one fresh sample only,
//           and so no speed.

package import Basics

package struct Velocity: Equatable, Sendable {
    private struct Entry: Equatable {
        var at: Travel
        var time: Instant
    }

    private var entries: [Entry] = []

    package init() {}

    /// How far back samples count.
    private static let window = Duration.milliseconds(50)
    /// Below this the division says nothing.
    private static let shortest = Duration.milliseconds(1)

    /// Of one moment the last word counts; a device whose clock runs backwards starts anew.
    package mutating func add(_ place: Travel, at time: Instant) {
        if let last = entries.last, last.time >= time {
            if last.time > time { entries.removeAll(keepingCapacity: true) } else { entries.removeLast() }
        }
        var old = 0
        while old < entries.count, entries[old].time.duration(to: time) > Self.window { old += 1 }
        if old > 0 { entries.removeFirst(old) }
        entries.append(Entry(at: place, time: time))
    }

    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Per second, along both axes.
    package var perSecond: Travel {
        guard let first = entries.first, let last = entries.last else { return .zero }
        let duration = first.time.duration(to: last.time)
        guard duration >= Self.shortest else { return .zero }
        let way = last.at - first.at
        return Travel(way.dx / duration.seconds, way.dy / duration.seconds)
    }
}
