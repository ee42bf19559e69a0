// UIApplication+URLs.swift: URLs an app is opened with, and those it has others open.
//
// Station   app
// Fed by    AppCore: the URL of its launch order, URLs of the server, answers; the app's own code
// Feeds     the scene's delegate, or the application's; AppCore, which takes what is asked after each turn
// Knows     schemes and delegates. No peer.
//
//     launched   willFinishLaunching, didFinishLaunching ─┬─ scene(_:willConnectTo:options:) with urlContexts
//                                                         └─ [.url], then application(_:open:options:) if both said true
//     running    willEnterForeground ─▶ scene(_:openURLContexts:) or application(_:open:options:) ─▶ didBecomeActive
//
// Sources   documented  UISceneDelegate: a launch hands URLs over in the connection's options and nowhere else; the
//                       launching methods: where either returns false the URL is not handled; `open` and `canOpenURL`
//           observed    the place of application(_:open:options:) before applicationDidBecomeActive, launched or not, on
//                       iOS 12 (recoursive.com, "guide to UIApplicationDelegate method invocation order")
//           inferred    and therefore that of scene(_:openURLContexts:) before sceneDidBecomeActive; that a scene's app
//                       finds no [.url] among its launch options
//           invented    sixteen that wait for an answer; who asks is not told to whom

public import Foundation

/// What an app asks to be opened, and has yet to hear of.
struct URLRequests {
    fileprivate var last: UInt32 = 0
    /// Not yet taken.
    fileprivate var asked: [(id: UInt32, url: String)] = []
    fileprivate var waiting: [(id: UInt32, completion: ((Bool) -> Void)?)] = []
    /// Those the group's apps declare, in small letters.
    fileprivate var schemes: [String] = []

    fileprivate static let limit = 16
}

extension UIApplication.LaunchOptionsKey {
    /// The URL the app was launched with: a `URL`.
    public static let url = UIApplication.LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
}

extension UIApplication {
    public struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Asks the system to have a URL opened by the app of its scheme.
    ///
    /// Refused, and `completion` told false, while this app is not active, and where no app of the group has the scheme.
    ///
    /// - Parameter completion: Called later, on the main queue, once the other app has been told or never will be.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: ((Bool) -> Void)? = nil
    ) {
        guard requests.waiting.count < URLRequests.limit else {
            if let completion { mainLoop?.async({ completion(false) }) }
            return
        }
        requests.last &+= 1
        requests.asked.append((requests.last, url.absoluteString))
        requests.waiting.append((requests.last, completion))
    }

    /// Whether an app of the group has declared the scheme.
    ///
    /// iOS answers only for schemes in the asker's `LSApplicationQueriesSchemes`; here every app may ask for any.
    public func canOpenURL(_ url: URL) -> Bool {
        url.scheme.map { requests.schemes.contains($0.lowercased()) } ?? false
    }

    // MARK: Ours

    package final func knowsSchemes(_ schemes: [String]) { requests.schemes = schemes }

    /// What has been asked since the last time.
    package final func takeRequests() -> [(id: UInt32, url: String)] {
        guard !requests.asked.isEmpty else { return [] }
        defer { requests.asked = [] }
        return requests.asked
    }

    package final var awaitsAnswers: Bool { !requests.waiting.isEmpty }

    /// What came of one; of all that wait, where no id is said.
    package final func answered(_ id: UInt32? = nil, _ isOpen: Bool) {
        for (one, completion) in requests.waiting where one == id || id == nil {
            if let completion { mainLoop?.async({ completion(isOpen) }) }
        }
        requests.waiting.removeAll { $0.id == id || id == nil }
    }

    /// The app is up; what it was launched with, if it was, is said where its delegates look for it.
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

    /// The system has this app open a URL.
    package final func open(text: String) {
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
