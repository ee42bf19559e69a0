// ViewProperties.swift: the properties of views that keys of a scene and `set` lines can set.
//
// Input     ViewSpec and Script, for names and forms; SceneBuilder and SceneActs, to set them
// Output    the views of a scene
// Knows     UIKit's name of each property. A new property is one entry here.

import UIKit

/// The table of views' properties.
enum ViewProperties {
    /// All properties, in the order in which a scene sets them: frame before bounds, and segments before the selected
    /// one.
    static let all: [Property<UIView>] = [
        Property(
            "frame", \UIView.frame,
            "the frame in the superview; by default a window fills the screen, and its view fills the window"),
        Property("bounds", \UIView.bounds, "the bounds; they are set after the frame"),
        Property("center", \UIView.center, for: .set, "the centre in the superview"),
        Property("alpha", \UIView.alpha, as: .number(0...1), "a view below 0.01 is not hit"),
        Property("hidden", \UIView.isHidden, "a hidden view is not hit; a hidden window is not shown"),
        Property(
            "userInteractionEnabled", \UIView.isUserInteractionEnabled,
            "whether the view and its subviews can be hit"),
        Property(
            "multipleTouchEnabled", \UIView.isMultipleTouchEnabled, "whether the view receives more than one touch"),
        Property(
            "exclusiveTouch", \UIView.isExclusiveTouch,
            "whether no other view receives touches while this view has some"),
        Property("clipsToBounds", \UIView.clipsToBounds, "whether subviews are clipped; hit tests ignore it"),
        Property("tag", \UIView.tag, as: .number(-1e9...1e9), for: .set, "any number"),
        Property(
            "level", .number(-1e9...1e9), of: ["UIWindow"], "the window level; a window of a higher level is in front"
        ) {
            view, value in
            if let window = view as? UIWindow, let level = CGFloat(value) { window.windowLevel = UIWindow.Level(level) }
        },
        Property(
            "secure", .flag, of: ["UIWindow"], for: .key,
            "whether facts leave out the positions of touches on the window, and view trees its content"
        ) { view, value in (view as? UIWindow)?.isSecure = value == .flag(true) },
        Property(
            "secureTextEntry", \UITextField.isSecureTextEntry, for: .key, "whether view trees leave out the text"),
        Property(
            "enabled", \UIControl.isEnabled, "whether the control is enabled; a disabled control forwards its touches"),
        Property(
            "axis", .words(Form<StackAxis>.choice(StackAxis.self).map { [$0.rawValue] }), of: ["UIStackView"],
            for: .key, "the axis of the arranged subviews; all subviews are arranged"
        ) { view, value in
            if let stack = view as? UIStackView { stack.axis = value == .words(["vertical"]) ? .vertical : .horizontal }
        },
        Property("spacing", \UIStackView.spacing, for: .key, "points between the arranged subviews"),
        Property("contentSize", \UIScrollView.contentSize, "the size of the content in points"),
        Property("contentOffset", \UIScrollView.contentOffset, "the offset of the content in points"),
        Property(
            "delaysContentTouches", \UIScrollView.delaysContentTouches,
            "whether touches wait for the decision about a drag"),
        Property(
            "canCancelContentTouches", \UIScrollView.canCancelContentTouches,
            "whether a drag cancels touches that a subview has received"),
        Property("scrollEnabled", \UIScrollView.isScrollEnabled, "whether the view scrolls"),
        Property(
            "pagingEnabled", \UIScrollView.isPagingEnabled, "whether scrolling stops at multiples of the view's size"),
        Property("bounces", \UIScrollView.bounces, "whether content scrolls beyond its edge and back"),
        Property(
            "rowHeight", \UITableView.rowHeight, as: .number(0...100_000), for: .key, "the height of a row in points"),
        Property(
            "segments", .count(0...100), of: ["UISegmentedControl"], for: .key,
            "the number of segments; the first is selected"
        ) {
            view, value in
            guard let control = view as? UISegmentedControl, let count = Int(value) else { return }
            for index in 0..<count { control.insertSegment(withTitle: "\(index)", at: index, animated: false) }
            if count > 0 { control.selectedSegmentIndex = 0 }
        },
        Property("pages", \UIPageControl.numberOfPages, as: .count(0...100), for: .key, "the number of pages"),
        Property(
            "value", .number(-1e9...1e9), of: SceneClasses.withValue.map(\.name), for: .key,
            SceneClasses.valueMeanings
        ) { view, value in
            guard let number = Double(value) else { return }
            for row in SceneClasses.uikit { row.value?.set(view, number) }
        },
    ]

    /// The properties of views other than windows.
    static let ofViews = all.filter { $0.classes != ["UIWindow"] }

    static let settable = all.filter(\.isSettable).map { (name: $0.name, kind: $0.kind) }

    enum StackAxis: String, CaseIterable, Sendable { case horizontal, vertical }
}
