// ScrollMotion.swift: the motion of a scroll view's content without a finger, on both axes.
//
// Station   gesture
// Input     UIScrollView, at the end of a drag or for an animated scroll
// Output    the offset after any number of seconds
//
// Sources   invented    an animated scroll takes 0.3 s, slowly at both ends: no recording of one is known

package import Foundation

/// A motion of content on both axes: released by a finger, or animated.
package struct ScrollMotion: Equatable, Sendable {
    private enum Course: Equatable, Sendable {
        case free(x: AxisMotion, y: AxisMotion)
        case animated(from: CGPoint, to: CGPoint)
    }

    /// The seconds of an animated scroll, for every distance.
    package static let animation: TimeInterval = 0.3

    private let course: Course

    package init(x: AxisMotion, y: AxisMotion) { course = .free(x: x, y: y) }
    package init(from: CGPoint, to: CGPoint) { course = .animated(from: from, to: to) }

    /// Seconds.
    package var duration: TimeInterval {
        switch course {
        case .free(let x, let y): max(x.duration, y.duration)
        case .animated: Self.animation
        }
    }

    /// Whether a spring catches the content at an edge. The content then moves even if it ends where it began.
    package var meetsEdge: Bool {
        switch course {
        case .free(let x, let y): x.meetsEdge || y.meetsEdge
        case .animated: false
        }
    }

    /// The content offset after `time` seconds.
    package func offset(after time: TimeInterval) -> CGPoint {
        switch course {
        case .free(let x, let y): return CGPoint(x: x.position(after: time), y: y.position(after: time))
        case .animated(let from, let to):
            let part = Self.eased(time / Self.animation)
            return part >= 1 ? to : CGPoint(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
        }
    }

    package var end: CGPoint { offset(after: duration) }

    /// The end that the delegate receives as the target content offset.
    package var proposedEnd: CGPoint {
        switch course {
        case .free(let x, let y): CGPoint(x: x.proposedEnd, y: y.proposedEnd)
        case .animated(_, let to): to
        }
    }

    /// The rest of the motion after `time` seconds, when code has moved the content by `way`, or its range has changed.
    /// An animated scroll keeps its target.
    package func remainder(
        after time: TimeInterval, movedBy way: CGPoint, x: ScrollAxis, y: ScrollAxis
    ) -> ScrollMotion {
        guard case .free(let alongX, let alongY) = course else { return self }
        return ScrollMotion(
            x: alongX.remainder(after: time, movedBy: way.x, in: x.range, bounces: x.bounces),
            y: alongY.remainder(after: time, movedBy: way.y, in: y.range, bounces: y.bounces))
    }

    /// The part of the distance that an animated scroll has covered after this part of its time.
    package static func eased(_ part: CGFloat) -> CGFloat {
        let part = min(max(part, 0), 1)
        return part * part * (3 - 2 * part)
    }
}
