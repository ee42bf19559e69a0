// Fingers.swift: the fingers a machine counts, in order of landing.
//
// Station   gesture
// Knows     where each landed, and where it is. Not what that means.

package import Basics

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

    mutating func take(_ sample: Sample) { (position, time) = (sample.position, sample.time) }
}

package struct Fingers: Equatable, Sendable {
    package private(set) var all: [Finger] = []

    package var count: Int { all.count }
    package var isEmpty: Bool { all.isEmpty }

    package func contains(_ id: FingerID) -> Bool { all.contains { $0.id == id } }

    /// A finger that is there already starts again.
    mutating func land(_ sample: Sample) {
        all.removeAll { $0.id == sample.finger }
        all.append(Finger(sample))
    }

    /// One that is not counted is passed over.
    mutating func move(_ sample: Sample) {
        guard let index = all.firstIndex(where: { $0.id == sample.finger }) else { return }
        all[index].take(sample)
    }

    /// - Returns: Whether it was counted.
    @discardableResult
    mutating func lift(_ id: FingerID) -> Bool {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
        all.remove(at: index)
        return true
    }

    /// Keeps the room: a machine is used again and again.
    mutating func removeAll() { all.removeAll(keepingCapacity: true) }

    /// The middle of the fingers; the origin when there is none.
    package var centroid: Point<WindowSpace> {
        guard let first = all.first else { return Point(0, 0) }
        guard all.count > 1 else { return first.position }
        var (x, y) = (0.0, 0.0)
        for finger in all { (x, y) = (x + finger.position.x, y + finger.position.y) }
        return Point(x / Double(all.count), y / Double(all.count))
    }

    /// Points the finger that strayed furthest is from where it landed. (E2.7; the centroid strays no further.)
    package var strayed: Double { all.reduce(0) { max($0, $1.landing.distance(to: $1.position)) } }
}
