// Velocity.swift: how fast a quantity changes, from its last 50 milliseconds.
//
// Station   gesture
// Input     PanMachine with a way, PinchMachine with a distance, RotationMachine with an angle
// Output    a velocity along both axes
//
// The velocity is the way from the oldest sample of the last 50 ms to the newest, divided by the time between them. It
// is zero with one sample, or with less than a millisecond between the two.
//
// Sources   invented    the window of 50 ms (B9.9)
//           observed    a lift where the finger last was adds no sample, and time spent resting takes nothing away:
//                       scroll traces recorded on iOS 26.1 keep 625 pt/s after a hold of 0.3 s (B9.9)
//           inferred    nor does any other sample where the finger last was: a panel that reports a resting finger
//                       changes nothing

import Basics

struct Velocity: Equatable, Sendable {
    private struct Entry: Equatable {
        var position: Travel
        var time: Instant
    }

    private var entries: [Entry] = []

    init() {}

    /// How far back samples count.
    private static let window = Duration.milliseconds(50)
    /// The division says nothing below this.
    private static let shortest = Duration.milliseconds(1)

    /// Adds a sample, unless it is where the last one was. The last sample of one moment counts; a clock that runs
    /// backwards starts the samples again.
    mutating func add(_ position: Travel, at time: Instant) {
        if let last = entries.last {
            if last.position == position { return }
            if last.time > time {
                entries.removeAll(keepingCapacity: true)
            } else if last.time == time {
                entries.removeLast()
            }
        }
        var old = 0
        while old < entries.count, entries[old].time.duration(to: time) > Self.window { old += 1 }
        if old > 0 { entries.removeFirst(old) }
        entries.append(Entry(position: position, time: time))
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Per second, along both axes.
    var perSecond: Travel {
        guard let first = entries.first, let last = entries.last else { return .zero }
        let duration = first.time.duration(to: last.time)
        guard duration >= Self.shortest else { return .zero }
        let way = last.position - first.position
        return Travel(way.dx / duration.seconds, way.dy / duration.seconds)
    }
}
