public import Foundation

/// What a scene's delegate is told of its life, and of URLs. Every method may be left out.
///
/// Where an app has one, its application delegate hears no `applicationDidBecomeActive` and the like, and no
/// `application(_:open:options:)`.
///
/// - Source: documented, UISceneDelegate; "Preparing your UI to run in the foreground".
public protocol UISceneDelegate: NSObjectProtocol {
    /// - Parameter connectionOptions: The URL the app was launched with, if it was: `openURLContexts` is not told of it.
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

public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

/// One of an app's scenes, for longer than the scene. There is one here.
open class UISceneSession: NSObject {
    public internal(set) weak var scene: UIScene?
}

/// A URL, and what is known of where it is from.
open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options = UIScene.OpenURLOptions()

    init(_ url: URL) { self.url = url }
}

extension UIScene {
    /// Why a scene was made.
    open class ConnectionOptions: NSObject {
        public let urlContexts: Set<UIOpenURLContext>

        init(_ contexts: Set<UIOpenURLContext>) { urlContexts = contexts }
    }

    /// Nothing: who asked is not told here.
    open class OpenURLOptions: NSObject {
        public let sourceApplication: String? = nil
        public let annotation: Any? = nil
        public let openInPlace = false
    }
}
