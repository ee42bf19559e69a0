// ZoomMotion.swift: the way a scale takes by itself: to where code wants it, or back to a limit.
//
// Station   gesture
// Fed by    UIScrollView+Zooming.swift
//
// Sources   invented    0.3 s, slowly at both ends, like an animated scroll

package import Foundation

package struct ZoomMotion: Equatable, Sendable {
    /// Seconds.
    package static let duration: TimeInterval = 0.3

    package let from, to: CGFloat
    /// Content offset at the beginning and at the end.
    package let fromOffset, toOffset: CGPoint
    /// Back from beyond a limit, after fingers.
    package let isBounce: Bool

    package init(from: CGFloat, to: CGFloat, fromOffset: CGPoint, toOffset: CGPoint, isBounce: Bool) {
        (self.from, self.to, self.isBounce) = (from, to, isBounce)
        (self.fromOffset, self.toOffset) = (fromOffset, toOffset)
    }

    package func scale(after time: TimeInterval) -> CGFloat {
        let part = ScrollMotion.eased(time / Self.duration)
        return part >= 1 ? to : from + (to - from) * part
    }

    package func offset(after time: TimeInterval) -> CGPoint {
        let part = ScrollMotion.eased(time / Self.duration)
        guard part < 1 else { return toOffset }
        return CGPoint(
            x: fromOffset.x + (toOffset.x - fromOffset.x) * part,
            y: fromOffset.y + (toOffset.y - fromOffset.y) * part)
    }
}
