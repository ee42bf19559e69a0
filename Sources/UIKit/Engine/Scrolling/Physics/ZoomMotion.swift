// ZoomMotion.swift: how a scale changes by itself: to the scale code asks for, or back to a limit.
//
// Station   gesture
// Input     UIScrollView+Zooming.swift
// Output    the scale and the content offset after any number of seconds
//
// Sources   invented    a scale that code asks for takes 0.3 s, slowly at both ends, like an animated scroll
//           inferred    a scale beyond a limit comes back like content beyond an edge, released at rest (B12.12)

package import Foundation

package struct ZoomMotion: Equatable, Sendable {
    /// How the way is divided over time.
    package enum Course: Equatable, Sendable {
        /// Slowly at both ends, over so many seconds.
        case eased(over: TimeInterval)
        /// Back from beyond a limit, as fast as what is left of the way, times `root` per second. It is over when no
        /// point of the content is half a point from where it ends, `extent` points from the content's corner.
        case bounce(root: CGFloat, extent: CGFloat)
    }

    package let from, to: CGFloat
    /// Content offset at the beginning and at the end.
    package let fromOffset, toOffset: CGPoint
    private let course: Course

    package init(from: CGFloat, to: CGFloat, fromOffset: CGPoint, toOffset: CGPoint, _ course: Course) {
        (self.from, self.to, self.course) = (from, to, course)
        (self.fromOffset, self.toOffset) = (fromOffset, toOffset)
    }

    /// Whether it leads back from beyond a limit.
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

    /// The part of the way that is done: exactly 1 once it is over.
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
