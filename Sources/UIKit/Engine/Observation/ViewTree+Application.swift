// ViewTree+Application.swift: the windows and views of an application as a value.
//
// Station   app
// Input     AppCore, when a command asks for the tree; runs of scenarios
// Output    ViewTree
// Knows     every view class whose state a person sees. It changes no view, except that it numbers views.
//
// Nothing here runs for a touch. With `touchTargets` the walk makes hit tests, as a landing does.
//
// Sources   invented; secure windows and fields after threat T5

import Basics
import Foundation
import Gestures
import HID
package import ViewTrees

extension UIApplication {
    /// Returns the shown windows with their views.
    ///
    /// - Parameter touchTargets: Whether views with an identifier get the position at which a touch would reach them.
    package final func viewTree(touchTargets: Bool = false) -> ViewTree {
        let state: ViewTree.AppState =
            switch applicationState {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            }
        var tree = ViewTree(
            state: state, display: UInt32(settings.display.ownIndex + 1), sceneFrame: ViewTree.Frame(sceneFrame),
            orientation: orientation, deferredEdges: UInt8(deferredEdges.rawValue),
            times: ViewTree.Times(
                tapInterval: settings.gestures.tap.maxInterval,
                contentTouchDelay: settings.gestures.scroll.contentTouchDelay))
        // A finger that landed on a secure window may outlast it, as in the trace.
        for touch in touchTracker.liveTouches where !hadSecureWindow {
            let position = touch.ownWindow?.pointToSuperview(touch.location(in: nil)) ?? .zero
            tree.touches.append(
                ViewTree.Touch(
                    id: touch.id.rawValue, position: ViewTree.Position(position), phase: "\(touch.phase)"))
        }
        for window in windows { append(window, placed: .identity, depth: 0, touchTargets, to: &tree) }
        return tree
    }

    /// - Parameter outer: Converts the superview's coordinates to the interface's.
    private func append(
        _ view: UIView, placed outer: CGAffineTransform, depth: Int, _ touchTargets: Bool, to tree: inout ViewTree
    ) {
        let placed = view.space.transformToSuperview.concatenating(outer)
        var node = ViewTree.View(
            identity: UInt32(truncatingIfNeeded: identity(of: view)), depth: depth,
            className: shortened(view.traceClass),
            kind: view.uikitClass, frame: ViewTree.Frame(view.bounds.applying(placed)))
        if placed.b != 0 || placed.c != 0 || placed.a < 0 || placed.d < 0 {
            node.corners = view.bounds.corners.map { ViewTree.Position($0.applying(placed)) }
        }
        node.identifier = view.accessibilityIdentifier.map(shortened)
        node.alpha = Double(view.alpha)
        node.isHidden = view.isHidden
        node.isUserInteractionEnabled = view.isUserInteractionEnabled
        node.clipsToBounds = view.clipsToBounds
        node.backgroundColor = view.backgroundColor.map(ViewTree.Color.init)
        if (view as? UIWindow)?.isSecure == true {
            node.isSecure = true
            tree.views.append(node)
            return
        }
        node.hasOwnHitTest =
            HitTestOverrides.areIn(type(of: view)) || view.behavior?.hitTest != nil
            || view.behavior?.pointInside != nil
        node.tintColor = view.values?.tintColor.map(ViewTree.Color.init)
        if let layer = view.backingLayer {
            node.cornerRadius = Double(layer.cornerRadius)
            node.borderWidth = Double(layer.borderWidth)
            if layer.borderWidth > 0 {
                node.borderColor = layer.borderColor.map { ViewTree.Color(UIColor(cgColor: $0)) }
            }
        }
        describe(view, in: &node)
        node.recognizers = view.recognizers.map { described($0, on: view) }
        if touchTargets, view.accessibilityIdentifier != nil {
            node.touchTarget =
                touchObstacle(to: view).map { .obstacle($0) }
                ?? .position(ViewTree.Position(interfacePoint(of: view)))
        }
        tree.views.append(node)
        for child in view.children { append(child, placed: placed, depth: depth + 1, touchTargets, to: &tree) }
    }

    private func identity(of view: UIView) -> Int64 {
        if view.naming.identity == 0 {
            gestures.lastViewIdentity += 1
            view.naming.identity = gestures.lastViewIdentity
        }
        return view.naming.identity
    }

    // MARK: Kinds of views

    /// Adds what the view's class has beside UIView's properties.
    private func describe(_ view: UIView, in node: inout ViewTree.View) {
        node.text = view.shownText.map(shortened)
        switch view {
        case let label as UILabel:
            (node.textColor, node.fontSize) = (label.textColor.map(ViewTree.Color.init), Double(label.font.pointSize))
            node.isTextCentered = label.textAlignment == .center
        case let button as UIButton:
            node.textColor = button.titleColor(for: button.state).map(ViewTree.Color.init)
            (node.fontSize, node.isTextCentered) = (17, true)
        case let field as UITextField:
            if field.isSecureTextEntry { (node.text, node.isSecure) = (nil, true) }
            node.textColor = field.textColor.map(ViewTree.Color.init)
            node.fontSize = Double(field.font?.pointSize ?? 17)
            node.isTextCentered = field.textAlignment == .center
        case let scroll as UIScrollView:
            var shown = ViewTree.Scroll(
                contentOffset: ViewTree.Position(scroll.contentOffset),
                contentWidth: rounded(scroll.contentSize.width), contentHeight: rounded(scroll.contentSize.height))
            (shown.isScrollEnabled, shown.delaysContentTouches) = (scroll.isScrollEnabled, scroll.delaysContentTouches)
            node.scroll = shown
        default: break
        }
        if let control = view as? UIControl { node.control = described(control) }
    }

    private func described(_ control: UIControl) -> ViewTree.Control {
        var shown = ViewTree.Control()
        (shown.isEnabled, shown.isHighlighted) = (control.isEnabled, control.isHighlighted)
        (shown.isSelected, shown.hasActions) = (control.isSelected, !control.allControlEvents.isEmpty)
        func setRange(_ value: Double, _ minimum: Double, _ maximum: Double) {
            (shown.value, shown.minimum, shown.maximum) = (rounded(value), rounded(minimum), rounded(maximum))
        }
        switch control {
        case let toggle as UISwitch: shown.value = toggle.isOn ? 1 : 0
        case let slider as UISlider:
            setRange(Double(slider.value), Double(slider.minimumValue), Double(slider.maximumValue))
        case let stepper as UIStepper: setRange(stepper.value, stepper.minimumValue, stepper.maximumValue)
        case let segments as UISegmentedControl:
            (shown.value, shown.parts) = (Double(segments.selectedSegmentIndex), segments.numberOfSegments)
        case let pages as UIPageControl: (shown.value, shown.parts) = (Double(pages.currentPage), pages.numberOfPages)
        default: break
        }
        return shown
    }

    // MARK: Recognizers

    private func described(_ recognizer: UIGestureRecognizer, on view: UIView) -> ViewTree.Recognizer {
        func identity(_ recognizer: UIGestureRecognizer) -> UInt32 {
            UInt32(truncatingIfNeeded: gestures.identity(of: recognizer))
        }
        var shown = ViewTree.Recognizer(
            identity: identity(recognizer), className: shortened("\(type(of: recognizer))"),
            kind: recognizer.uikitClass, label: shortened(recognizer.traceOwnName), state: "\(recognizer.stage)")
        shown.isEnabled = recognizer.isEnabled
        let scroll = view as? UIScrollView
        shown.isOfUIKit = recognizer.onlyHoldsTouches || scroll?.ownRecognizers?.owns(recognizer) == true
        shown.isSubclass = !recognizer.ownClass.isOfUIKit
        shown.hasDelegate = recognizer.delegate != nil
        shown.requiredToFail = recognizer.requirements.lasting.prefix(64).compactMap { $0.recognizer.map(identity) }
        switch recognizer {
        case let tap as UITapGestureRecognizer:
            (shown.taps, shown.touches) = (tap.numberOfTapsRequired, tap.numberOfTouchesRequired)
        case let press as UILongPressGestureRecognizer:
            (shown.taps, shown.touches) = (press.numberOfTapsRequired, press.numberOfTouchesRequired)
            shown.duration = press.minimumPressDuration
        case let swipe as UISwipeGestureRecognizer:
            (shown.directions, shown.touches) = (Int(swipe.direction.rawValue), swipe.numberOfTouchesRequired)
        case let edge as UIScreenEdgePanGestureRecognizer:
            (shown.directions, shown.touches) = (Int(edge.edges.rawValue), edge.minimumNumberOfTouches)
        case let pan as UIPanGestureRecognizer: shown.touches = pan.minimumNumberOfTouches
        case is UIPinchGestureRecognizer, is UIRotationGestureRecognizer: shown.touches = 2
        default: break
        }
        let most = (recognizer as? UIPanGestureRecognizer)?.maximumNumberOfTouches
        shown.mostTouches = min(most ?? shown.touches, 1 << 16)
        return shown
    }
}

/// A text of at most `ViewTree.textLimit` letters.
private func shortened(_ text: String) -> String {
    guard text.utf8.count > ViewTree.textLimit else { return text }
    return text.count > ViewTree.textLimit ? "\(text.prefix(ViewTree.textLimit))…" : text
}

/// A number to a thousandth of a point, so that equal positions have equal texts; 0 if it is not finite.
private func rounded(_ number: Double) -> Double {
    guard number.isFinite else { return 0 }
    return number.magnitude < 1e12 ? (number * 1000).rounded() / 1000 : number
}

extension ViewTree.Position {
    init(_ point: CGPoint) { self.init(x: rounded(Double(point.x)), y: rounded(Double(point.y))) }
}

extension ViewTree.Frame {
    init(_ rect: CGRect) {
        self.init(
            x: rounded(Double(rect.origin.x)), y: rounded(Double(rect.origin.y)),
            width: rounded(Double(rect.size.width)), height: rounded(Double(rect.size.height)))
    }
}

extension ViewTree.Color {
    init(_ color: UIColor) {
        func byte(_ part: CGFloat) -> UInt8 { UInt8(min(max(part * 255, 0), 255).rounded()) }
        let color = color.cgColor
        self.init(byte(color.red), byte(color.green), byte(color.blue), byte(color.alpha))
    }
}

extension UIView {
    /// The most special class of UIKit that the view's class is, or is derived from.
    fileprivate var uikitClass: String {
        switch self {
        case is UIWindow: "UIWindow"
        case is UIButton: "UIButton"
        case is UISwitch: "UISwitch"
        case is UISlider: "UISlider"
        case is UIStepper: "UIStepper"
        case is UISegmentedControl: "UISegmentedControl"
        case is UIPageControl: "UIPageControl"
        case is UITextField: "UITextField"
        case is UIControl: "UIControl"
        case is UITableView: "UITableView"
        case is UIScrollView: "UIScrollView"
        case is UITableViewCell: "UITableViewCell"
        case is UILabel: "UILabel"
        case is UIImageView: "UIImageView"
        case is UIStackView: "UIStackView"
        default: "UIView"
        }
    }
}

extension UIGestureRecognizer {
    /// The most special class of UIKit that the recognizer's class is, or is derived from.
    fileprivate var uikitClass: String {
        switch self {
        case is UITapGestureRecognizer: "UITapGestureRecognizer"
        case is UIScreenEdgePanGestureRecognizer: "UIScreenEdgePanGestureRecognizer"
        case is UIPanGestureRecognizer: "UIPanGestureRecognizer"
        case is UILongPressGestureRecognizer: "UILongPressGestureRecognizer"
        case is UISwipeGestureRecognizer: "UISwipeGestureRecognizer"
        case is UIPinchGestureRecognizer: "UIPinchGestureRecognizer"
        case is UIRotationGestureRecognizer: "UIRotationGestureRecognizer"
        case is UIHoverGestureRecognizer: "UIHoverGestureRecognizer"
        default: "UIGestureRecognizer"
        }
    }
}

extension ViewSpace {
    /// Converts the view's coordinates to the superview's.
    fileprivate var transformToSuperview: CGAffineTransform {
        let anchor = bounds.point(at: anchor)
        let toAnchor = CGAffineTransform(translationX: -anchor.x, y: -anchor.y)
        let fromAnchor = CGAffineTransform(translationX: center.x, y: center.y)
        guard isTransformed else { return CGAffineTransform(translationX: center.x - anchor.x, y: center.y - anchor.y) }
        return toAnchor.concatenating(transform).concatenating(fromAnchor)
    }
}
