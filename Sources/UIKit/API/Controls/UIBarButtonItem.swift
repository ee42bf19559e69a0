// UIBarButtonItem.swift: the items of a navigation bar or a toolbar, as values.
//
// Station   action
// Input     view controllers
// Output    what a test or an app reads: titles, targets, actions
// Knows     no bar: navigation controllers here show none. An item's action runs when code sends it, as
//           `UIApplication.shared.sendAction(item.action!, to: item.target, from: item, for: nil)`.
//
// Sources   documented  UIBarItem, UIBarButtonItem, UINavigationItem

public import Foundation

/// What all items of bars have.
open class UIBarItem: NSObject {
    open var title: String?
    open var image: UIImage?
    open var isEnabled = true
    open var tag = 0
    open var accessibilityIdentifier: String?

    public override init() { super.init() }
}

/// A button of a bar.
open class UIBarButtonItem: UIBarItem {
    public enum Style: Int, Sendable { case plain, bordered, done }
    public enum SystemItem: Int, Sendable {
        case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks,
            search
        case refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo, close
    }

    open var style = Style.plain
    open var width: CGFloat = 0
    open var customView: UIView?
    open weak var target: AnyObject?
    open var action: Selector?
    /// Comes before the target's action.
    open var primaryAction: UIAction?

    public override init() { super.init() }

    public init(title: String?, style: Style, target: Any?, action: Selector?) {
        super.init()
        self.title = title
        (self.style, self.target, self.action) = (style, target as AnyObject?, action)
    }

    public init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        super.init()
        self.image = image
        (self.style, self.target, self.action) = (style, target as AnyObject?, action)
    }

    public convenience init(
        image: UIImage?, landscapeImagePhone: UIImage?, style: Style, target: Any?, action: Selector?
    ) { self.init(image: image, style: style, target: target, action: action) }

    /// Makes an item with the title that the system item has in English.
    public init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        super.init()
        title = Self.title(of: systemItem)
        (style, self.target, self.action) = (systemItem == .done ? .done : .plain, target as AnyObject?, action)
    }

    public init(customView: UIView) {
        super.init()
        self.customView = customView
    }

    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction?) {
        super.init()
        self.title = title ?? primaryAction?.title
        self.image = image
        self.primaryAction = primaryAction
    }

    private static func title(of item: SystemItem) -> String? {
        switch item {
        case .flexibleSpace, .fixedSpace: nil
        default: "\(item)".prefix(1).uppercased() + "\(item)".dropFirst()
        }
    }
}

/// What a navigation bar shows for a view controller.
open class UINavigationItem: NSObject {
    open var title: String?
    open var titleView: UIView?
    open var prompt: String?
    open var hidesBackButton = false
    open var backBarButtonItem: UIBarButtonItem?
    /// From the edge inwards.
    open var leftBarButtonItems: [UIBarButtonItem]?
    /// From the edge inwards.
    open var rightBarButtonItems: [UIBarButtonItem]?

    public init(title: String) {
        super.init()
        self.title = title
    }

    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }
}

nonisolated(unsafe) private var itemKey: UInt8 = 0

extension UIViewController {
    /// What a navigation bar would show for this controller; it begins with the controller's title.
    public var navigationItem: UINavigationItem {
        if let item = objc_getAssociatedObject(self, &itemKey) as? UINavigationItem { return item }
        let item = UINavigationItem(title: title ?? "")
        objc_setAssociatedObject(self, &itemKey, item, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return item
    }
}
