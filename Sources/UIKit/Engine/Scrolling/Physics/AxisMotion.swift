// AxisMotion.swift: the motion of released content on one axis, from the release to rest.
//
// Station   gesture
// Input     ScrollMotion
// Output    the position and velocity after any number of seconds, and the position of rest
//
//     within its range  ──▶ glides; at an edge it stops, or a spring catches it
//     beyond an edge    ──▶ a spring brings it back, or it glides in if its glide ends within the range
//
// Both are closed forms: see Glide.swift and Spring.swift.
//
// Sources   observed    the push of a spring: a release's own velocity, a glide's velocity at the edge (B12.12)
//           inferred    a fast release inwards from beyond an edge continues as a glide

package import Foundation

/// The motion of content on one axis.
package struct AxisMotion: Equatable, Sendable {
    private enum Course: Equatable, Sendable {
        case still(CGFloat)
        case glide(Glide)
        case spring(Spring)

        func position(after time: TimeInterval) -> CGFloat {
            switch self {
            case .still(let position): position
            case .glide(let glide): glide.position(after: time)
            case .spring(let spring): spring.position(after: time)
            }
        }

        func velocity(after time: TimeInterval) -> CGFloat {
            switch self {
            case .still: 0
            case .glide(let glide): glide.velocity(after: time)
            case .spring(let spring): spring.velocity(after: time)
            }
        }

        var duration: TimeInterval {
            switch self {
            case .still: 0
            case .glide(let glide): glide.duration
            case .spring(let spring): spring.duration
            }
        }
    }

    /// A course, and the seconds from the release to its beginning.
    private struct Stretch: Equatable, Sendable {
        var start: TimeInterval
        var course: Course
    }

    private let first: Course
    private let second: Stretch?
    /// The position of rest.
    package let end: CGFloat
    /// The position of rest that `scrollViewWillEndDragging` receives, up to some points beyond `end`.
    package let proposedEnd: CGFloat
    /// Seconds.
    package let duration: TimeInterval
    private let laws: ScrollLaws
    private let rate: CGFloat

    /// The motion of content that a finger releases.
    ///
    /// - Parameters:
    ///   - velocity: Points per second. Within the range, a release slower than the slowest does not move.
    ///   - range: Where content may rest.
    ///   - rate: The part of the speed that is left after a millisecond.
    ///   - bounces: Whether an edge is a spring or a wall.
    package init(
        from: CGFloat, velocity: CGFloat, in range: ClosedRange<CGFloat>, rate: CGFloat, bounces: Bool,
        _ laws: ScrollLaws
    ) {
        let glide = Glide(
            from: from, velocity: laws.glideVelocity(ofRelease: velocity), rate: rate, slowest: laws.slowestGlide)
        self.init(glide, push: velocity, range, bounces: bounces, laws)
    }

    /// The motion of content that a finger releases and that stops at `target`, at the velocity that this needs.
    ///
    /// - Parameter velocity: The velocity of the release, which is the push of a spring if `target` is not within the
    ///   range.
    package init(
        from: CGFloat, to target: CGFloat, velocity: CGFloat, in range: ClosedRange<CGFloat>, rate: CGFloat,
        bounces: Bool, _ laws: ScrollLaws
    ) {
        let glide = Glide(from: from, to: target, rate: rate, slowest: laws.slowestGlide)
        self.init(glide, proposing: target, push: velocity, range, bounces: bounces, laws)
    }

    /// The motion that begins as a glide.
    ///
    /// - Parameters:
    ///   - proposed: The end of the glide without edges, for the delegate; nil for the glide's own.
    ///   - push: The push of the spring, if the content is beyond an edge and does not glide in.
    private init(
        _ glide: Glide, proposing proposed: CGFloat? = nil, push: CGFloat, _ range: ClosedRange<CGFloat>, bounces: Bool,
        _ laws: ScrollLaws
    ) {
        let edge = min(max(glide.from, range.lowerBound), range.upperBound)
        guard edge == glide.from || (glide.end - edge) * (glide.from - edge) < 0 else {
            let spring = Spring(from: glide.from, to: edge, push: push, laws)
            self.init(Plan(bounces ? .spring(spring) : .still(edge), until: edge), glide.rate, laws)
            return
        }
        // The edge at which the glide would leave the range; never the edge at which it enters.
        let last = min(max(glide.end, range.lowerBound), range.upperBound)
        var way = Plan(.glide(glide), until: last)
        way.proposedEnd = min(max(proposed ?? glide.proposedEnd, range.lowerBound), range.upperBound)
        if last != glide.end, let crossing = glide.time(reaching: last) {
            let spring = Spring(from: last, to: last, push: glide.velocity(after: crossing), laws)
            way.second = Stretch(start: crossing, course: bounces ? .spring(spring) : .still(last))
        }
        self.init(way, glide.rate, laws)
    }

    /// The stored properties of a motion, without its constants.
    private struct Plan {
        var first: Course
        var second: Stretch?
        var end: CGFloat
        var proposedEnd: CGFloat

        init(_ first: Course, until end: CGFloat) { (self.first, self.end, proposedEnd) = (first, end, end) }
    }

    private init(_ way: Plan, _ rate: CGFloat, _ laws: ScrollLaws) {
        (first, second, end, proposedEnd) = (way.first, way.second, way.end, way.proposedEnd)
        duration = way.second.map { $0.start + $0.course.duration } ?? way.first.duration
        (self.rate, self.laws) = (rate, laws)
    }

    /// Whether a spring catches the content at an edge. The content then moves even if it ends where it began.
    package var meetsEdge: Bool { (second?.course.duration ?? 0) > 0 }

    private func stretch(at time: TimeInterval) -> Stretch {
        if let second, time >= second.start { return second }
        return Stretch(start: 0, course: first)
    }

    /// The position `time` seconds after the release: exactly `end` once the motion is over.
    package func position(after time: TimeInterval) -> CGFloat {
        let stretch = stretch(at: time)
        return time >= duration ? end : stretch.course.position(after: time - stretch.start)
    }

    /// Points per second.
    package func velocity(after time: TimeInterval) -> CGFloat {
        let stretch = stretch(at: time)
        return time >= duration ? 0 : stretch.course.velocity(after: time - stretch.start)
    }

    /// The rest of the motion `time` seconds after the release, displaced by `way` points, in the present range.
    ///
    /// The velocity stays the same. Only content that a spring was bringing back, and that is now within the range, has
    /// arrived.
    package func remainder(
        after time: TimeInterval, movedBy way: CGFloat, in range: ClosedRange<CGFloat>, bounces: Bool
    ) -> AxisMotion {
        let (position, velocity) = (position(after: time), velocity(after: time))
        let place = position + way
        let edge = min(max(place, range.lowerBound), range.upperBound)
        let course = time >= duration ? .still(end) : stretch(at: time).course
        let push = velocity + laws.slowRoot * (place - edge)
        switch course {
        case .still:
            return AxisMotion(
                Glide(from: place, velocity: 0, rate: rate, slowest: laws.slowestGlide), push: 0, range,
                bounces: bounces, laws)
        case .glide(let glide):
            return AxisMotion(glide.remainder(after: time, from: place), push: push, range, bounces: bounces, laws)
        case .spring(let spring):
            guard edge == place else {
                let spring = Spring(from: place, to: edge, push: push, laws)
                return AxisMotion(Plan(bounces ? .spring(spring) : .still(edge), until: edge), rate, laws)
            }
            let returns = (spring.to - position) * velocity > 0
            return AxisMotion(
                Glide(from: place, velocity: returns ? 0 : velocity, rate: rate, slowest: laws.slowestGlide), push: 0,
                range, bounces: bounces, laws)
        }
    }
}
