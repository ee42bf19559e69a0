// ViewValues.swift: values that few views have, in one object, so that other views have only one empty field.
//
// Input     UIView's setters

import Foundation

final class ViewValues {
    /// The tint color that was set on this view.
    var tintColor: UIColor?
    var tintAdjustmentMode = UIView.TintAdjustmentMode.automatic
    var contentMode = UIView.ContentMode.scaleToFill
    var contentScaleFactor: CGFloat?
    var mask: UIView?
    var layoutMargins: UIEdgeInsets?
    var insetsLayoutMarginsFromSafeArea = true
    var preservesSuperviewLayoutMargins = false
    var clearsContextBeforeDrawing = true
    /// The part of the view that waits for `draw(_:)`; nil for all of it.
    var invalidRect: CGRect?
    var semanticContentAttribute = UISemanticContentAttribute.unspecified
    var restorationIdentifier: String?
    /// The animations of the view's properties, in the order of their numbers.
    var animations: [PropertyAnimation] = []
    var interactions: [any UIInteraction] = []
    var accessibility = AccessibilityValues()
}

/// What an app states about a view for assistive technologies.
struct AccessibilityValues {
    var isElement: Bool?
    var label: String?
    var hint: String?
    var value: String?
    var traits: UIAccessibilityTraits?
    var frame: CGRect?
    var path: UIBezierPath?
    var activationPoint: CGPoint?
    var language: String?
    var elements: [Any]?
    var elementsHidden = false
    var isModal = false
    var groupsChildren = false
    var customActions: [UIAccessibilityCustomAction]?
}

extension UIView {
    /// The view's values, made when one is first set.
    final var ownValues: ViewValues {
        if let values { return values }
        let made = ViewValues()
        values = made
        return made
    }
}
