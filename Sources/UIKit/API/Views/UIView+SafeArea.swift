// UIView+SafeArea.swift: the parts of a view that bars cover, and the margins of its content.
//
// The safe area of a view is what its superview's safe area leaves of it. A controller adds `additionalSafeAreaInsets` to the
// safe area of its view. The screens here have no notch, so that a window's safe area is all of it.
//
// Sources   documented  UIView.safeAreaInsets, layoutMargins (8 pt), insetsLayoutMarginsFromSafeArea
//           invented    no screen covers a part of a window

public import Foundation

/// Distances from the edges in the direction of reading.
public struct NSDirectionalEdgeInsets: Hashable, Sendable {
    public var top, leading, bottom, trailing: CGFloat

    public init(top: CGFloat = 0, leading: CGFloat = 0, bottom: CGFloat = 0, trailing: CGFloat = 0) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    public static let zero = NSDirectionalEdgeInsets()
}

extension UIView {
    /// The distances from the edges to the part that nothing covers, in points.
    public var safeAreaInsets: UIEdgeInsets {
        var insets = UIEdgeInsets.zero
        if let parent {
            let (outer, frame, bounds) = (parent.safeAreaInsets, frame, parent.bounds)
            if outer != .zero {
                insets = UIEdgeInsets(
                    top: max(0, bounds.minY + outer.top - frame.minY),
                    left: max(0, bounds.minX + outer.left - frame.minX),
                    bottom: max(0, frame.maxY - bounds.maxY + outer.bottom),
                    right: max(0, frame.maxX - bounds.maxX + outer.right))
            }
        }
        guard let added = controller?.additionalSafeAreaInsets else { return insets }
        return UIEdgeInsets(
            top: insets.top + added.top, left: insets.left + added.left, bottom: insets.bottom + added.bottom,
            right: insets.right + added.right)
    }

    /// Notifies the view and the views in it, and asks for their layout.
    final func notifySafeAreaChange() {
        safeAreaInsetsDidChange()
        controller?.viewSafeAreaInsetsDidChange()
        setNeedsLayout()
        for child in children { child.notifySafeAreaChange() }
    }

    /// The distances from the edges to the content, in points: 8 unless others are set, and the safe area in addition.
    public var layoutMargins: UIEdgeInsets {
        get {
            let own = values?.layoutMargins ?? UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
            guard insetsLayoutMarginsFromSafeArea else { return own }
            let safe = safeAreaInsets
            return UIEdgeInsets(
                top: own.top + safe.top, left: own.left + safe.left, bottom: own.bottom + safe.bottom,
                right: own.right + safe.right)
        }
        set {
            ownValues.layoutMargins = newValue
            layoutMarginsDidChange()
            setNeedsLayout()
        }
    }

    /// The layout margins, in the direction of reading: from left to right here.
    public var directionalLayoutMargins: NSDirectionalEdgeInsets {
        get {
            let margins = layoutMargins
            return NSDirectionalEdgeInsets(
                top: margins.top, leading: margins.left, bottom: margins.bottom, trailing: margins.right)
        }
        set {
            layoutMargins = UIEdgeInsets(
                top: newValue.top, left: newValue.leading, bottom: newValue.bottom, right: newValue.trailing)
        }
    }

    /// Whether `layoutMargins` contains the safe area.
    public var insetsLayoutMarginsFromSafeArea: Bool {
        get { values?.insetsLayoutMarginsFromSafeArea ?? true }
        set { ownValues.insetsLayoutMarginsFromSafeArea = newValue }
    }

    /// No effect here.
    public var preservesSuperviewLayoutMargins: Bool {
        get { values?.preservesSuperviewLayoutMargins ?? false }
        set { ownValues.preservesSuperviewLayoutMargins = newValue }
    }
}
