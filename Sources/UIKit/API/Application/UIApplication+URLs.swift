// UIApplication+URLs.swift: URLs that an app is opened with, and URLs that an app asks the system to open.
//
// Station   app
// Input     AppCore: the URL of a launch request, URLs from the server, answers; the app's own code
// Output    the scene's delegate or the application's; AppCore, which takes the app's requests after each turn
// Knows     schemes and delegates. No peer.
//
//     launched   willFinishLaunching, didFinishLaunching ─┬─ scene(_:willConnectTo:options:) with urlContexts
//                                                         └─ [.url], then application(_:open:options:) if both are true
//     running    willEnterForeground ─▶ scene(_:openURLContexts:) or application(_:open:options:) ─▶ didBecomeActive
//
// Sources   documented  UISceneDelegate: a launch passes URLs in the connection's options only; launching methods: if
//                       one of the two returns false, the URL is not handled; `open` and `canOpenURL`
//           observed    application(_:open:options:) precedes applicationDidBecomeActive, launched or running, on iOS 12
//                       (recoursive.com, "guide to UIApplicationDelegate method invocation order")
//           inferred    so scene(_:openURLContexts:) precedes sceneDidBecomeActive; a scene's app finds no [.url] among
//                       its launch options
//           invented    at most sixteen requests wait for an answer; the opened app does not learn the sender

public import Foundation

/// The URLs that an app asked to open and whose outcome it does not know yet.
struct URLRequests {
    fileprivate var last: UInt32 = 0
    /// Requests that AppCore has not taken yet.
    fileprivate var untaken: [(id: UInt32, url: String)] = []
    fileprivate var waiting: [(id: UInt32, completion: ((Bool) -> Void)?)] = []
    /// The schemes that apps of the group declare, in lower case.
    fileprivate var schemes: [String] = []

    fileprivate static let limit = 16
}

extension UIApplication.LaunchOptionsKey {
    /// The URL with which the app was launched, of type `URL`.
    public static let url = UIApplication.LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
}

extension UIApplication {
    /// The keys of the options of `application(_:open:options:)`. No key is defined.
    public struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The keys of the options of `UIApplication.open`. No key is defined.
    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Asks the system to open a URL with the app that declares its scheme.
    ///
    /// The system refuses if this app is not active, if no app of the group declares the scheme, or if sixteen requests
    /// wait. `completion` then receives false.
    ///
    /// - Parameters:
    ///   - url: The URL; its scheme decides which app opens it.
    ///   - options: No effect here.
    ///   - completion: Called later on the main queue, when the other app received the URL or the request failed.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: ((Bool) -> Void)? = nil
    ) {
        guard urlRequests.waiting.count < URLRequests.limit else {
            if let completion { mainLoop?.async({ completion(false) }) }
            return
        }
        urlRequests.last &+= 1
        urlRequests.untaken.append((urlRequests.last, url.absoluteString))
        urlRequests.waiting.append((urlRequests.last, completion))
    }

    /// Whether an app of the group declares the URL's scheme.
    ///
    /// iOS answers only for schemes in the `LSApplicationQueriesSchemes` of the app that asks. Here an app may ask for any.
    public func canOpenURL(_ url: URL) -> Bool {
        url.scheme.map { urlRequests.schemes.contains($0.lowercased()) } ?? false
    }

    // MARK: Of this project

    /// Sets the schemes that apps of the group declare.
    package final func setDeclaredSchemes(_ schemes: [String]) { urlRequests.schemes = schemes }

    /// The requests since the last call, which the application forgets.
    package final func takeURLRequests() -> [(id: UInt32, url: String)] {
        guard !urlRequests.untaken.isEmpty else { return [] }
        defer { urlRequests.untaken = [] }
        return urlRequests.untaken
    }

    /// Whether a request to open a URL waits for its answer.
    package final var awaitsURLAnswers: Bool { !urlRequests.waiting.isEmpty }

    /// Calls the completion of the request `id`, or of every waiting request if `id` is nil.
    package final func answerURLRequest(_ id: UInt32? = nil, isOpen: Bool) {
        for (one, completion) in urlRequests.waiting where one == id || id == nil {
            if let completion { mainLoop?.async({ completion(isOpen) }) }
        }
        urlRequests.waiting.removeAll { $0.id == id || id == nil }
    }

    /// Launches the app. The delegates receive the URL, if there is one, where iOS passes it.
    package final func launch(opening text: String?) {
        let url = text.flatMap { URL(string: $0) }
        emit(.app(.launched(url)))
        applicationDidLaunch()
        let maker = makeSceneDelegate
        let options = maker == nil ? url.map { [LaunchOptionsKey.url: $0 as Any] } : nil
        let will = delegate?.application(self, willFinishLaunchingWithOptions: options) ?? true
        emit(.app(.didFinishLaunching(maker == nil ? url : nil)))
        let did = delegate?.application(self, didFinishLaunchingWithOptions: options) ?? true
        if let maker {
            let scene = windowScene
            scene.delegate = maker()
            let contexts = Set(url.map { [UIOpenURLContext($0)] } ?? [])
            emit(.app(.sceneConnects(scene, url)))
            scene.delegate?.scene(scene, willConnectTo: scene.session, options: UIScene.ConnectionOptions(contexts))
        } else if let url, will, did {
            emit(.app(.opens(url, nil)))
            _ = delegate?.application(self, open: url, options: [:])
        }
    }

    /// Opens a URL in this running app: the delegate of the scene receives it, or the application's delegate.
    package final func openURL(text: String) {
        let url = URL(string: text)
        emit(.app(.asksToOpen(url)))
        guard let url else { return }
        if let scene = connectedScene, let delegate = scene.delegate {
            emit(.app(.opens(url, scene)))
            delegate.scene(scene, openURLContexts: [UIOpenURLContext(url)])
        } else {
            emit(.app(.opens(url, nil)))
            _ = delegate?.application(self, open: url, options: [:])
        }
    }
}
