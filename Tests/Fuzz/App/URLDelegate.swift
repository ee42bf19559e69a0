// URLDelegate.swift: an app that opens the URLs it is told, and has others open some, with what it heard of either.
//
// Fed by    UIApplication
// Feeds     AppStage: what must hold of the record
//
// Sources   Docs/Decisions/OpeningURLs.md

import Foundation
import FuzzDriver
import UIKit

/// The application's delegate, and the scene's where there is one.
final class URLDelegate: UIResponder, UIApplicationDelegate, UIWindowSceneDelegate {
    var window: UIWindow?
    private var opened: [String] = []
    /// Completions that the app waits for.
    private(set) var waiting = 0

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        opens(url)
        ask(for: "other:1")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { ask(for: "nobody:1") }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        for context in connectionOptions.urlContexts { opens(context.url) }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts { opens(context.url) }
        // One of its own, and one that is none.
        ask(for: "own:1")
        ask(for: "\u{7F}")
    }

    func sceneDidBecomeActive(_ scene: UIScene) { ask(for: "other:2") }

    /// A legal server's URLs have an authority, each another.
    private func opens(_ url: URL) {
        let text = url.absoluteString
        expect(!opened.contains(text) || !text.hasPrefix("own://"), "\(text) is opened twice")
        opened.append(text)
    }

    private func ask(for text: String) {
        guard let url = URL(string: text) else { return }
        waiting += 1
        UIApplication.shared.open(url) { [unowned self] _ in
            expect(waiting > 0, "a completion is called twice")
            waiting -= 1
        }
    }
}
