// UIView+Tint.swift: the tint color, which views inherit from their superviews.
//
// Sources   documented  UIView.tintColor, tintAdjustmentMode, tintColorDidChange
//           inferred    a view whose superview changes is notified if its tint color changes with it
//           invented    the dimmed color: the gray of equal brightness

import Foundation

extension UIView {
    /// Whether the tint color is dimmed, as behind an alert.
    public enum TintAdjustmentMode: Int, Sendable { case automatic, normal, dimmed }

    /// The mode that was set here, or else the superview's; `normal` if none was set.
    public var tintAdjustmentMode: TintAdjustmentMode {
        get {
            var view: UIView? = self
            while let current = view {
                if let mode = current.values?.tintAdjustmentMode, mode != .automatic { return mode }
                view = current.parent
            }
            return .normal
        }
        set { setTint { $0.tintAdjustmentMode = newValue } }
    }

    final var effectiveTintColor: UIColor {
        let color = values?.tintColor ?? inheritedTintColor ?? .systemBlue
        guard tintAdjustmentMode == .dimmed else { return color }
        let components = color.cgColor
        let gray = 0.299 * components.red + 0.587 * components.green + 0.114 * components.blue
        return UIColor(white: gray, alpha: components.alpha)
    }

    /// The tint color that the nearest view around this one has set; nil if none has.
    final var inheritedTintColor: UIColor? {
        var view = parent
        while let current = view {
            if let color = current.values?.tintColor { return color }
            view = current.parent
        }
        return nil
    }

    final func setTint(_ change: (ViewValues) -> Void) {
        let old = effectiveTintColor
        change(ownValues)
        if effectiveTintColor != old { notifyTintChange() }
    }

    /// Notifies the view and the views in it that have no tint color of their own.
    private final func notifyTintChange() {
        tintColorDidChange()
        for child in children where child.values?.tintColor == nil { child.notifyTintChange() }
    }

    /// Notifies the view if it inherits another color from its new superview.
    final func superviewDidChange(inheritedTint old: UIColor?) {
        guard values?.tintColor == nil else { return }
        let new = inheritedTintColor
        if new !== old, new ?? .systemBlue != old ?? .systemBlue { notifyTintChange() }
    }
}
