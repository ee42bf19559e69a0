// TabBar.swift: an app with a tab bar whose raised middle button is hit outside of the bar.
//
// A hit test never reaches the subviews of a view at a point outside of its bounds. The bar therefore answers that a
// point on its raised button is inside the bar.

import UIKit

final class TabBarAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = TabBarViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class TabBarViewController: UIViewController {
    private let list = UIScrollView()
    private let bar = RaisedTabBar()
    private let shown = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        list.accessibilityIdentifier = "list"
        view.addSubview(list)
        shown.accessibilityIdentifier = "shown"
        shown.text = "Home"
        list.addSubview(shown)
        bar.onSelect = { [unowned self] in shown.text = $0 }
        view.addSubview(bar)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let (width, height) = (view.bounds.width, view.bounds.height)
        bar.frame = CGRect(x: 0, y: height - 49, width: width, height: 49)
        list.frame = CGRect(x: 0, y: 0, width: width, height: height - 49)
        list.contentSize = CGSize(width: width, height: height * 2)
        shown.frame = CGRect(x: 20, y: 40, width: width - 40, height: 40)
    }
}

final class RaisedTabBar: UIView {
    var onSelect: (String) -> Void = { _ in }
    private let raised = CircleButton(type: .custom)
    private let sides = ["Home", "Me"].map { title in
        let button = UIButton(type: .system)
        button.setTitle(title, for: .normal)
        button.accessibilityIdentifier = title
        return button
    }

    override init(frame: CGRect) {
        super.init(frame: frame)
        accessibilityIdentifier = "bar"
        raised.accessibilityIdentifier = "raised"
        raised.setTitle("New", for: .normal)
        for button in sides + [raised] {
            button.addAction(
                UIAction { [unowned self, unowned button] _ in onSelect(button.title(for: .normal) ?? "") },
                for: .touchUpInside)
            addSubview(button)
        }
    }

    required init?(coder: NSCoder) { fatalError("no archive holds a tab bar") }

    override func layoutSubviews() {
        super.layoutSubviews()
        raised.frame = CGRect(x: bounds.width / 2 - 30, y: -20, width: 60, height: 60)
        sides[0].frame = CGRect(x: 0, y: 0, width: bounds.width / 3, height: bounds.height)
        sides[1].frame = CGRect(x: bounds.width * 2 / 3, y: 0, width: bounds.width / 3, height: bounds.height)
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        super.point(inside: point, with: event) || raised.point(inside: convert(point, to: raised), with: event)
    }
}

/// A round button, also for hit testing.
final class CircleButton: UIButton {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        let (dx, dy) = (point.x - bounds.midX, point.y - bounds.midY)
        let radius = min(bounds.width, bounds.height) / 2
        return dx * dx + dy * dy <= radius * radius
    }
}
