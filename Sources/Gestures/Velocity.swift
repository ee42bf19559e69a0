// Velocity.swift: the velocity of a quantity over its last 50 milliseconds.
//
// Station   gesture
// Input     PanMachine with a travel, PinchMachine with a distance, RotationMachine with an angle
// Output    a velocity along both axes
//
// The velocity is the difference between the oldest sample of the last 50 ms and the newest, divided by the time between
// them. It is zero with one sample, or with less than a millisecond between the two.
//
// Sources   invented    the window of 50 ms (B9.9)
//           observed    a lift at the finger's last position adds no sample, and time without movement takes nothing away:
//                       scroll traces recorded on iOS 26.1 keep 625 pt/s after a hold of 0.3 s (B9.9)
//           inferred    any other sample at the finger's last position adds nothing either: a panel that reports a
//                       resting finger changes nothing

import Basics

/// The recent samples of a quantity, and its velocity.
struct Velocity: Sendable {
    private struct Entry {
        var position: Travel
        var time: Instant
    }

    /// Samples in order of time. Samples that are too old to count stay until the memory is full, so that nearly every
    /// new sample is only appended.
    private var entries: [Entry] = []

    init() {}

    /// The age up to which samples count.
    private static let window = Duration.milliseconds(50)
    /// The shortest time between two samples that gives a velocity.
    private static let shortest = Duration.milliseconds(1)

    /// Adds a sample, unless it equals the last one. Of several samples of one moment the last one counts. A clock that
    /// runs backwards discards the earlier samples.
    mutating func add(_ position: Travel, at time: Instant) {
        let last = entries.count - 1
        if last >= 0 {
            if entries[last].position == position { return }
            if entries[last].time >= time { removeLast(for: time) }
        }
        if entries.count == entries.capacity { makeRoom(at: time) }
        entries.append(Entry(position: position, time: time))
    }

    /// Removes the last sample, which has the same time, or all samples, if they are later.
    private mutating func removeLast(for time: Instant) {
        if entries[entries.count - 1].time > time { entries.removeEach() } else { entries.removeLast() }
    }

    /// Removes samples that are too old to count. If most samples count, the memory doubles, so that the next removal is
    /// many samples away.
    private mutating func makeRoom(at time: Instant) {
        let start = time.advanced(by: Duration.zero - Self.window)
        let old = entries.firstIndex { $0.time >= start } ?? entries.count
        if old > 0 { entries.removeFirst(old) }
        if entries.count * 2 > entries.capacity { entries.reserveCapacity(entries.capacity * 2) }
    }

    mutating func removeAll() { entries.removeEach() }

    /// The velocity per second, along both axes.
    var perSecond: Travel {
        guard let last = entries.last,
            let first = entries.first(where: { $0.time.duration(to: last.time) <= Self.window })
        else { return .zero }
        let duration = first.time.duration(to: last.time)
        guard duration >= Self.shortest else { return .zero }
        let way = last.position - first.position
        return Travel(way.dx / duration.seconds, way.dy / duration.seconds)
    }
}
