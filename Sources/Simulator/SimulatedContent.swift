// SimulatedContent.swift: what simulated apps show where nobody says: a window with something to touch everywhere.
//
// Sources   invented

public import UIKit

/// One window, all of it a button under a scroll view's and two recognisers' eyes.
public final class SimulatedContent: UIResponder, UIApplicationDelegate {
    private let window: UIWindow

    public override init() {
        window = UIWindow(frame: UIScreen.main.bounds)
        super.init()
        let scroll = UIScrollView(frame: window.bounds)
        scroll.contentSize = CGSize(width: window.bounds.width, height: window.bounds.height * 3)
        let button = UIButton(frame: CGRect(origin: .zero, size: scroll.contentSize))
        scroll.addSubview(button)
        button.addGestureRecognizer(UITapGestureRecognizer(target: nil, action: nil))
        button.addGestureRecognizer(UIPinchGestureRecognizer(target: nil, action: nil))
        window.addSubview(scroll)
        window.makeKeyAndVisible()
    }

    /// As `SimulationOptions.content` wants it.
    public static func show(in application: UIApplication) { application.keptDelegate = SimulatedContent() }
}

/// Stands above what an app shows, and defers the system's gestures.
final class DeferringController: UIViewController {
    private let edges: UIRectEdge

    init(_ edges: UIRectEdge) {
        self.edges = edges
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { edges }

    /// Above whatever the app is going to show, in a window that takes no touch.
    static func join(_ application: UIApplication, _ edges: UIRectEdge) {
        let window = UIWindow(frame: application.screen.bounds)
        window.windowLevel = UIWindow.Level(rawValue: 1_000_000)
        window.isUserInteractionEnabled = false
        window.rootViewController = DeferringController(edges)
        window.isHidden = false
    }
}

/// Looks on at an app's touches, and has another app opened with every seventh that ends.
final class OpeningRecognizer: UIGestureRecognizer {
    private let url: URL
    private var ended = 0

    init(_ url: URL) {
        self.url = url
        super.init(target: nil, action: nil)
        (cancelsTouchesInView, delaysTouchesEnded) = (false, false)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) { state = .failed }

    /// Not before: whoever opens something while a finger is down loses it.
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        state = .failed
        ended += 1
        guard ended % 7 == 0 else { return }
        UIApplication.shared.open(url) { _ in }
    }

    /// To the first of the windows that the app shows.
    static func join(_ application: UIApplication, _ url: String) {
        guard let url = URL(string: url) else { return }
        application.windows.first?.addGestureRecognizer(OpeningRecognizer(url))
    }
}
