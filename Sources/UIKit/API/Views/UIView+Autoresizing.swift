// UIView+Autoresizing.swift: how subviews follow the size of their superview.
//
//     |<- left margin ->|<- width ->|<- right margin ->|
//
// A change of the superview's width is divided among the flexible parts of this line, in proportion to their lengths. If these
// have no length together, they share it equally. The height is divided in the same way.
//
// Sources   documented  UIView.AutoresizingMask: the proportional division
//           inferred    equal shares of parts without length; a transform is left out: the untransformed view is resized

public import Foundation

extension UIView {
    /// The distances and sizes that change with the size of the superview.
    public struct AutoresizingMask: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1 << 0)
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2)
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    /// In `intrinsicContentSize`: the view has no size of its own in this direction.
    public class var noIntrinsicMetric: CGFloat { -1 }

    final func resizeSubviews(from old: CGSize) {
        let size = space.bounds.size
        for child in children where child.appearance.autoresizing != 0 { child.superviewDidResize(from: old, to: size) }
    }

    private final func superviewDidResize(from old: CGSize, to new: CGSize) {
        let mask = autoresizingMask
        let (bounds, anchor) = (space.bounds, space.anchor)
        let left = space.center.x - bounds.width * anchor.x
        let top = space.center.y - bounds.height * anchor.y
        let (x, width) = Self.divide(
            new.width - old.width, left, bounds.width, old.width - left - bounds.width,
            mask.contains(.flexibleLeftMargin), mask.contains(.flexibleWidth), mask.contains(.flexibleRightMargin))
        let (y, height) = Self.divide(
            new.height - old.height, top, bounds.height, old.height - top - bounds.height,
            mask.contains(.flexibleTopMargin), mask.contains(.flexibleHeight), mask.contains(.flexibleBottomMargin))
        let size = CGSize(width: width, height: height)
        if size != bounds.size { self.bounds = CGRect(origin: bounds.origin, size: size) }
        let center = CGPoint(x: x + width * anchor.x, y: y + height * anchor.y)
        if center != space.center { self.center = center }
    }

    /// The new start and length of a line's middle part, after the line has grown by `growth`.
    private static func divide(
        _ growth: CGFloat, _ before: CGFloat, _ length: CGFloat, _ after: CGFloat, _ flexesBefore: Bool, _ flexes: Bool,
        _ flexesAfter: Bool
    ) -> (start: CGFloat, length: CGFloat) {
        let count = [flexesBefore, flexes, flexesAfter].count { $0 }
        guard growth != 0, count > 0 else { return (before, length) }
        let total = (flexesBefore ? before : 0) + (flexes ? length : 0) + (flexesAfter ? after : 0)
        func share(_ part: CGFloat) -> CGFloat { total == 0 ? growth / CGFloat(count) : growth * part / total }
        return (before + (flexesBefore ? share(before) : 0), max(0, length + (flexes ? share(length) : 0)))
    }
}
