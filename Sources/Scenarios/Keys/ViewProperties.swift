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
        Property("frame", \UIView.frame, "in the superview; a window's default is the screen, its view's the window"),
        Property("bounds", \UIView.bounds, "after the frame"),
        Property("center", \UIView.center, for: .set, "in the superview"),
        Property("alpha", \UIView.alpha, as: .number(0...1), "a view below 0.01 is not hit"),
        Property("hidden", \UIView.isHidden, "a hidden view is not hit; a hidden window is not shown"),
        Property(
            "userInteractionEnabled", \UIView.isUserInteractionEnabled,
            "without it neither the view nor its subviews are hit"),
        Property(
            "multipleTouchEnabled", \UIView.isMultipleTouchEnabled, "whether the view receives more than one touch"),
        Property("exclusiveTouch", \UIView.isExclusiveTouch, "no other view receives touches meanwhile"),
        Property("clipsToBounds", \UIView.clipsToBounds, "of no effect on hit tests"),
        Property("tag", \UIView.tag, as: .number(-1e9...1e9), for: .set, "a number of the app's"),
        Property("level", .number(-1e9...1e9), of: ["UIWindow"], "windows of a higher level are in front") {
            view, value in
            if let window = view as? UIWindow, let level = CGFloat(value) { window.windowLevel = UIWindow.Level(level) }
        },
        Property("enabled", \UIControl.isEnabled, "a disabled control forwards its touches"),
        Property(
            "axis", .words(Form<StackAxis>.choice(StackAxis.self).map { [$0.rawValue] }), of: ["UIStackView"],
            for: .key, "of the arranged subviews, which its subviews are"
        ) { view, value in
            if let stack = view as? UIStackView { stack.axis = value == .words(["vertical"]) ? .vertical : .horizontal }
        },
        Property("spacing", \UIStackView.spacing, for: .key, "points between the arranged subviews"),
        Property("contentSize", \UIScrollView.contentSize, "points"),
        Property("contentOffset", \UIScrollView.contentOffset, "points"),
        Property(
            "delaysContentTouches", \UIScrollView.delaysContentTouches,
            "whether it holds touches until they are no drag"),
        Property(
            "canCancelContentTouches", \UIScrollView.canCancelContentTouches,
            "whether a drag takes touches that a subview has received"),
        Property("scrollEnabled", \UIScrollView.isScrollEnabled, "whether it scrolls"),
        Property("pagingEnabled", \UIScrollView.isPagingEnabled, "whether it stops at multiples of its size"),
        Property("bounces", \UIScrollView.bounces, "whether it scrolls beyond its content and back"),
        Property("rowHeight", \UITableView.rowHeight, as: .number(0...100_000), for: .key, "points"),
        Property("segments", .count(0...100), of: ["UISegmentedControl"], for: .key, "how many; the first is chosen") {
            view, value in
            guard let control = view as? UISegmentedControl, let count = Int(value) else { return }
            for index in 0..<count { control.insertSegment(withTitle: "\(index)", at: index, animated: false) }
            if count > 0 { control.selectedSegmentIndex = 0 }
        },
        Property("pages", \UIPageControl.numberOfPages, as: .count(0...100), for: .key, "how many"),
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
