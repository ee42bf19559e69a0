// AxisMotion.swift: where content goes that a finger has let go of, on one axis.
//
// Station   gesture
// Fed by    ScrollMotion
//
//     within its bounds  ──▶ glides, and at an edge either stops or is caught by a spring
//     beyond them        ──▶ is brought back by a spring, or glides in by itself if it is fast enough
//
// Both are closed forms: see Glide.swift.
//
// Sources   inferred    a flick inward from beyond an edge goes on as a glide

package import Foundation

package struct AxisMotion: Equatable, Sendable {
    private enum Course: Equatable, Sendable {
        case still(CGFloat)
        case glide(Glide)
        case spring(Spring)

        func position(after time: TimeInterval) -> CGFloat {
            switch self {
            case .still(let place): place
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

        func duration(within resolution: CGFloat) -> TimeInterval {
            switch self {
            case .still: 0
            case .glide(let glide): glide.duration(within: resolution)
            case .spring(let spring): spring.duration(within: resolution)
            }
        }
    }

    private let first: Course
    /// What follows, and when.
    private let turn: (at: TimeInterval, Course)?
    /// Where it comes to rest.
    package let end: CGFloat
    /// Seconds.
    package let duration: TimeInterval
    private let rate, resolution: CGFloat

    /// - Parameters:
    ///   - velocity: Points per second.
    ///   - range: Where content may rest.
    ///   - rate: Of the speed that is left after a millisecond.
    ///   - bounces: Whether an edge is a spring or a wall.
    ///   - resolution: Points that nobody sees: half a pixel.
    package init(
        from: CGFloat, velocity: CGFloat, in range: ClosedRange<CGFloat>, rate: CGFloat, bounces: Bool,
        resolution: CGFloat
    ) {
        self.init(Glide(from: from, velocity: velocity, rate: rate), range, bounces: bounces, resolution: resolution)
    }

    /// At the speed that ends at `target`, whatever speed it had.
    package init(
        from: CGFloat, to target: CGFloat, in range: ClosedRange<CGFloat>, rate: CGFloat, bounces: Bool,
        resolution: CGFloat
    ) {
        self.init(Glide(from: from, to: target, rate: rate), range, bounces: bounces, resolution: resolution)
    }

    /// - Parameter isSprung: Beyond an edge, it has been left to a spring already.
    private init(
        _ glide: Glide, _ range: ClosedRange<CGFloat>, bounces: Bool, resolution: CGFloat, isSprung: Bool = false
    ) {
        (rate, self.resolution) = (glide.rate, resolution)
        let edge = min(max(glide.from, range.lowerBound), range.upperBound)
        let isBeyond = edge != glide.from
        // The edge the glide would leave by: never the one it comes in by.
        let last = min(max(glide.to, range.lowerBound), range.upperBound)
        if isBeyond, isSprung || (glide.to - edge) * (glide.from - edge) >= 0 {
            end = edge
            let course: Course =
                bounces ? .spring(Spring(from: glide.from, to: edge, velocity: glide.velocity(after: 0))) : .still(edge)
            (first, turn, duration) = (course, nil, course.duration(within: resolution))
            return
        }
        first = .glide(glide)
        end = last
        guard last != glide.to, let crossing = glide.time(reaching: last) else {
            (turn, duration) = (nil, glide.duration(within: resolution))
            return
        }
        let then: Course =
            bounces
            ? .spring(Spring(from: last, to: last, velocity: glide.velocity(after: crossing))) : .still(last)
        turn = (crossing, then)
        duration = crossing + then.duration(within: resolution)
    }

    /// Once it is over, exactly `end`.
    package func position(after time: TimeInterval) -> CGFloat {
        if time >= duration { return end }
        if let turn, time >= turn.at { return turn.1.position(after: time - turn.at) }
        return first.position(after: time)
    }

    /// Points per second.
    package func velocity(after time: TimeInterval) -> CGFloat {
        if time >= duration { return 0 }
        if let turn, time >= turn.at { return turn.1.velocity(after: time - turn.at) }
        return first.velocity(after: time)
    }

    /// What is left of it after so many seconds, `way` points from where it was to be, in the range there is now.
    ///
    /// It goes on as fast; only what a spring was bringing back, and is within the range now, has arrived.
    package func rest(
        after time: TimeInterval, movedBy way: CGFloat, in range: ClosedRange<CGFloat>, bounces: Bool
    ) -> AxisMotion {
        let before = position(after: time)
        let place = before + way
        var speed = velocity(after: time)
        let course = turn.map { time >= $0.at ? $0.1 : first } ?? first
        var isSprung = false
        if case .spring(let spring) = course {
            isSprung = true
            if range.contains(place), (spring.to - before) * speed > 0 { speed = 0 }
        }
        return AxisMotion(
            Glide(from: place, velocity: speed, rate: rate), range, bounces: bounces, resolution: resolution,
            isSprung: isSprung)
    }

    package static func == (a: AxisMotion, b: AxisMotion) -> Bool {
        a.first == b.first && a.turn?.at == b.turn?.at && a.turn?.1 == b.turn?.1 && a.end == b.end
            && a.duration == b.duration
    }
}
