// UISceneDelegate.swift: the methods of a scene's delegate, and the objects that they receive.
//
// Station   app
// Input     UIApplication: launch, life cycle and URLs
//
// Sources   documented  UISceneDelegate, UISceneSession, UIOpenURLContext
public import Foundation

/// Receives the life cycle and the URLs of a scene. Every method has a default implementation.
///
/// If an app has a scene delegate, its application delegate does not receive `applicationDidBecomeActive` and the other
/// changes of a scene's life cycle, nor `application(_:open:options:)`.
///
/// - Source: documented, UISceneDelegate; "Preparing your UI to run in the foreground".
public protocol UISceneDelegate: NSObjectProtocol {
    /// - Parameters:
    ///   - scene: The scene that was made; a `UIWindowScene`.
    ///   - session: The session that the scene belongs to.
    ///   - connectionOptions: Contains the URL with which the app was launched, if there is one.
    ///     `scene(_:openURLContexts:)` does not receive that URL.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// A scene delegate that holds a window.
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

/// One of an app's scenes, which can outlive the `UIScene` object. Here an app has one session.
open class UISceneSession: NSObject {
    public internal(set) weak var scene: UIScene?
}

/// A URL to open and what is known of its origin.
open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options = UIScene.OpenURLOptions()

    init(_ url: URL) { self.url = url }
}

extension UIScene {
    /// The reasons why the system made a scene.
    open class ConnectionOptions: NSObject {
        public let urlContexts: Set<UIOpenURLContext>

        init(_ contexts: Set<UIOpenURLContext>) { urlContexts = contexts }
    }

    /// The options of a URL. They have no content, because the opened app does not learn which app asked.
    open class OpenURLOptions: NSObject {
        public let sourceApplication: String? = nil
        public let annotation: Any? = nil
        public let openInPlace = false
    }
}
