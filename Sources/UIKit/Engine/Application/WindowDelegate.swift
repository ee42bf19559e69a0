// WindowDelegate.swift: the delegate of an app that shows one view controller or one view.
//
// Input     TouchlineApp and TouchlineTesting, for an app without a delegate of its own
// Output    one window of the screen's size
//
// Sources   documented  an app without a scene makes its window when launching has finished (UIApplicationDelegate)

/// The delegate of an app that shows one view or one controller.
package final class WindowDelegate: UIResponder, UIApplicationDelegate {
    package var window: UIWindow?
    private let makeWindow: () -> UIWindow

    /// - Parameter fill: Gives a new window of the screen's size its content.
    package init(filling fill: @escaping (UIWindow) -> Void) {
        makeWindow = {
            let window = UIWindow(frame: UIScreen.main.bounds)
            fill(window)
            return window
        }
    }

    /// - Parameter make: Makes the view. A view without a size fills the screen. A window is shown as it is.
    package init(showing make: @escaping () -> UIView) {
        makeWindow = {
            let view = make()
            if let window = view as? UIWindow { return window }
            let window = UIWindow(frame: UIScreen.main.bounds)
            let controller = UIViewController()
            // A window takes the view that its root controller has when it becomes root.
            if view.frame.isEmpty { controller.view = view } else { controller.view.addSubview(view) }
            window.rootViewController = controller
            return window
        }
    }

    package func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = makeWindow()
        self.window = window
        window.makeKeyAndVisible()
        return true
    }
}
