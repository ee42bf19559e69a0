// ClassNames.swift: which class names a scenario may use.
//
// Fed by    UIKit's list, and the registry of classes the seeds' demos define
// Feeds     ScenarioParser (spelling), SceneBuilder (making)
// Knows     words only

/// UIKit's classes that a scene can hold, or will.
enum ClassNames {
    static let views = [
        "UIView", "UIControl", "UIButton", "UIWindow", "UITextField", "UIImageView", "UILabel",
    ]
    /// Apple's, and not there yet: a scenario that shows one is skipped, and says so.
    static let laterViews = [
        "UIScrollView", "UITableView", "UITableViewCell", "UICollectionView", "UISwitch", "UISlider", "UIStepper",
        "UISegmentedControl", "UIPageControl", "UITextView", "UIStackView", "UINavigationBar", "UITabBar",
        "UIToolbar", "UIProgressView", "UIActivityIndicatorView", "UIDatePicker", "UIPickerView", "UIVisualEffectView",
        "UISearchBar", "UIRefreshControl",
    ]
    static let controllers = ["UIViewController"]
    static let laterControllers = ["UITableViewController", "UITabBarController", "UINavigationController"]
    static let gestures = ["UIGestureRecognizer"]
    static let laterGestures = [
        "UITapGestureRecognizer", "UIPanGestureRecognizer", "UILongPressGestureRecognizer",
        "UISwipeGestureRecognizer", "UIPinchGestureRecognizer", "UIRotationGestureRecognizer",
        "UIScreenEdgePanGestureRecognizer", "UIHoverGestureRecognizer", "UIShortTapGestureRecognizer",
    ]

    /// The full name of a class written in full or short: `Pan`, `Button`.
    static func viewClass(_ word: String) -> String? {
        full(word, prefix: "UI", suffix: "", among: views + laterViews + SceneClasses.names)
    }

    static func controllerClass(_ word: String) -> String? {
        full(word, prefix: "UI", suffix: "", among: controllers + laterControllers)
    }

    static func gestureClass(_ word: String) -> String? {
        full(word, prefix: "UI", suffix: "GestureRecognizer", among: gestures + laterGestures)
    }

    /// What a misspelt class name probably meant, written in full or short.
    static func suggestion(for word: String, among known: [String], suffix: String = "") -> String {
        let short = known.map {
            $0.hasPrefix("UI") && $0.hasSuffix(suffix) ? $0.dropFirst(2).dropLast(suffix.count) : ""
        }
        return Scenarios.suggestion(for: word, among: known + short.filter { !$0.isEmpty }.map(String.init))
    }

    private static func full(_ word: String, prefix: String, suffix: String, among known: [String]) -> String? {
        known.first { $0 == word } ?? known.first { $0 == prefix + word + suffix }
            ?? known.first { $0 == prefix + word }
    }
}
