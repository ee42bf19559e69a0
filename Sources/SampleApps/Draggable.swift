// Draggable.swift: an app with a view that follows the finger on it.
//
// The present and the previous location of the touch are taken in the view's own coordinates. Their difference is added
// to the view's transform, so the view does not need its position.

import UIKit

final class DraggableAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = DraggableViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class DraggableViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        let moved = MovedView(frame: CGRect(x: 100, y: 100, width: 80, height: 80))
        moved.accessibilityIdentifier = "moved"
        moved.backgroundColor = .systemBlue
        view.addSubview(moved)
    }
}

final class MovedView: UIView {
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first else { return }
        let (here, there) = (touch.location(in: self), touch.previousLocation(in: self))
        transform = transform.translatedBy(x: here.x - there.x, y: here.y - there.y)
    }
}
