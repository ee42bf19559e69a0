// ZoomMotion.swift: a change of scale without fingers: to the scale that code asks for, or back to a limit.
//
// Station   gesture
// Input     UIScrollView+Zooming.swift
// Output    the scale and the content offset after any number of seconds
//
// Sources   invented    a scale that code asks for takes 0.3 s, slowly at both ends, like an animated scroll
//           inferred    a scale beyond a limit comes back like content beyond an edge, released at rest (B12.12)

package import Foundation

/// A change of scale, with the content offset that belongs to it.
package struct ZoomMotion: Equatable, Sendable {
    /// The relation of progress and time.
    package enum Course: Equatable, Sendable {
        /// Slow at both ends, over this number of seconds.
        case eased(over: TimeInterval)
        /// Back from beyond a limit, at a speed that is the rest of the distance times `root` per second. The motion
        /// ends when every point of the content, up to `extent` points from its corner, is within half a point of its
        /// end.
        case bounce(root: CGFloat, extent: CGFloat)
    }

    package let from, to: CGFloat
    /// The content offset at the beginning and at the end.
    package let fromOffset, toOffset: CGPoint
    private let course: Course

    package init(from: CGFloat, to: CGFloat, fromOffset: CGPoint, toOffset: CGPoint, _ course: Course) {
        (self.from, self.to, self.course) = (from, to, course)
        (self.fromOffset, self.toOffset) = (fromOffset, toOffset)
    }

    /// Whether the motion leads back from beyond a limit.
    package var isBounce: Bool {
        switch course {
        case .eased: false
        case .bounce: true
        }
    }

    /// Seconds.
    package var duration: TimeInterval {
        switch course {
        case .eased(let duration): return duration
        case .bounce(let root, let extent):
            let way = max(
                abs(to - from) * extent, abs(toOffset.x - fromOffset.x), abs(toOffset.y - fromOffset.y))
            return way > ScrollLaws.arrival ? log(way / ScrollLaws.arrival) / root : 0
        }
    }

    /// The part of the motion that is done: exactly 1 at its end.
    private func part(after time: TimeInterval) -> CGFloat {
        if time >= duration { return 1 }
        switch course {
        case .eased(let duration): return ScrollMotion.eased(time / duration)
        case .bounce(let root, _): return 1 - exp(-root * time)
        }
    }

    package func scale(after time: TimeInterval) -> CGFloat {
        let part = part(after: time)
        return part >= 1 ? to : from + (to - from) * part
    }

    package func offset(after time: TimeInterval) -> CGPoint {
        let part = part(after: time)
        guard part < 1 else { return toOffset }
        return CGPoint(
            x: fromOffset.x + (toOffset.x - fromOffset.x) * part,
            y: fromOffset.y + (toOffset.y - fromOffset.y) * part)
    }
}
