// Fingers.swift: the fingers that a machine counts, in order of landing.
//
// Station   gesture
// Input     samples, from a machine
// Output    landings, positions, their centroid and the largest movement
// Knows     the landing and the position of each finger. No gesture.
//
// Sources   invented

package import Basics

/// One finger that a machine counts.
package struct Finger: Equatable, Sendable {
    package let id: FingerID
    package let landing: Point<WindowSpace>
    package let landedAt: Instant
    package var position: Point<WindowSpace>
    package var time: Instant

    init(_ sample: Sample) {
        (id, landing, landedAt) = (sample.finger, sample.position, sample.time)
        (position, time) = (sample.position, sample.time)
    }

    /// Updates the position and the time.
    mutating func update(with sample: Sample) { (position, time) = (sample.position, sample.time) }
}

/// The fingers that a machine counts, in order of landing.
package struct Fingers: Equatable, Sendable {
    package private(set) var all: [Finger] = []

    package var count: Int { all.count }
    package var isEmpty: Bool { all.isEmpty }

    package func contains(_ id: FingerID) -> Bool { all.contains { $0.id == id } }

    /// Adds a finger. A finger that is already counted starts again.
    mutating func land(_ sample: Sample) {
        if contains(sample.finger) { all.removeAll { $0.id == sample.finger } }
        all.append(Finger(sample))
    }

    /// Moves a finger. A finger that is not counted is ignored.
    ///
    /// - Returns: Whether the finger is counted.
    @inline(__always)
    @discardableResult
    mutating func move(_ sample: Sample) -> Bool {
        for index in all.indices where all[index].id == sample.finger {
            all[index].update(with: sample)
            return true
        }
        return false
    }

    /// Removes a finger.
    ///
    /// - Returns: Whether the finger was counted.
    @discardableResult
    mutating func lift(_ id: FingerID) -> Bool {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
        if index == all.count - 1 { all.removeLast() } else { all.remove(at: index) }
        return true
    }

    /// Removes all fingers and keeps the capacity, because a machine is used repeatedly.
    mutating func removeAll() { all.removeEach() }

    /// The mean of the positions; the origin if there are no fingers.
    package var centroid: Point<WindowSpace> {
        guard let first = all.first else { return Point(0, 0) }
        guard all.count > 1 else { return first.position }
        var (x, y) = (0.0, 0.0)
        for finger in all { (x, y) = (x + finger.position.x, y + finger.position.y) }
        return Point(x / Double(all.count), y / Double(all.count))
    }

    /// The largest distance, in points, between a finger and its landing. (E2.7; the centroid has moved no further.)
    package var largestMovement: Double {
        var largest = 0.0
        for index in all.indices { largest = max(largest, all[index].landing.distance(to: all[index].position)) }
        return largest
    }
}

extension Array {
    /// Removes all elements and keeps the capacity: `removeAll(keepingCapacity:)` for short arrays, without its generic
    /// replacement of a range.
    package mutating func removeEach() {
        while !isEmpty { removeLast() }
    }
}
