// SimulatedContent.swift: the default content of simulated apps: one window in which every point reacts to a touch.
//
// Sources   invented

public import UIKit

/// One window with a button of three screens' height in a scroll view, with two gesture recognizers.
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

    /// The value of `SimulationOptions.content` by default.
    public static func show(in application: UIApplication) { application.keptDelegate = SimulatedContent() }
}

/// A view controller above the content of an app that defers the system's gestures.
final class DeferringController: UIViewController {
    private let edges: UIRectEdge

    init(_ edges: UIRectEdge) {
        self.edges = edges
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { edges }

    /// Adds the controller to an app, in a window above all others that takes no touch.
    static func install(_ application: UIApplication, _ edges: UIRectEdge) {
        let window = UIWindow(frame: application.screen.bounds)
        window.windowLevel = UIWindow.Level(rawValue: 1_000_000)
        window.isUserInteractionEnabled = false
        window.rootViewController = DeferringController(edges)
        window.isHidden = false
    }
}

/// A recognizer that observes the touches of an app, and opens a URL at the end of every seventh touch.
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

    /// Opens at the end: an app that opens a URL while a finger is down loses the touch.
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        state = .failed
        ended += 1
        guard ended % 7 == 0 else { return }
        UIApplication.shared.open(url) { _ in }
    }

    /// Adds the recognizer to the first window of the app.
    static func install(_ application: UIApplication, _ url: String) {
        guard let url = URL(string: url) else { return }
        application.windows.first?.addGestureRecognizer(OpeningRecognizer(url))
    }
}
