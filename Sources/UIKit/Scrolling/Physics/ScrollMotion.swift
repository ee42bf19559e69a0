// ScrollMotion.swift: the way a scroll view's content takes by itself, both axes together.
//
// Station   gesture
// Fed by    UIScrollView, as a drag ends or an animated scroll is asked for
//
// Sources   invented    an animated scroll takes 0.3 s, slowly at both ends

package import Foundation

package struct ScrollMotion: Equatable, Sendable {
    private enum Course: Equatable, Sendable {
        case free(x: AxisMotion, y: AxisMotion)
        case animated(from: CGPoint, to: CGPoint)
    }

    /// Seconds that an animated scroll takes, however far it goes.
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

    /// Where the content is after so many seconds.
    package func offset(after time: TimeInterval) -> CGPoint {
        switch course {
        case .free(let x, let y): return CGPoint(x: x.position(after: time), y: y.position(after: time))
        case .animated(let from, let to):
            let part = Self.eased(time / Self.animation)
            return part >= 1 ? to : CGPoint(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
        }
    }

    package var end: CGPoint { offset(after: duration) }

    /// What is left of it after so many seconds, when the content was put `way` points further, or may rest elsewhere
    /// than before. An animated scroll goes where it was to go.
    package func rest(after time: TimeInterval, movedBy way: CGPoint, x: ScrollAxis, y: ScrollAxis) -> ScrollMotion {
        guard case .free(let alongX, let alongY) = course else { return self }
        return ScrollMotion(
            x: alongX.rest(after: time, movedBy: way.x, in: x.range, bounces: x.bounces),
            y: alongY.rest(after: time, movedBy: way.y, in: y.range, bounces: y.bounces))
    }

    /// Of the way, when so much of the time has passed.
    package static func eased(_ part: CGFloat) -> CGFloat {
        let part = min(max(part, 0), 1)
        return part * part * (3 - 2 * part)
    }
}
