// URLDelegate.swift: an app that opens the URLs it receives and asks for others, and a record of both.
//
// Input     UIApplication
// Output    AppStage: the laws of the record
//
// Sources   Docs/Decisions/OpeningURLs.md

import Foundation
import FuzzDriver
import UIKit

/// The application's delegate, and its scene's delegate if there is one.
final class URLDelegate: UIResponder, UIApplicationDelegate, UIWindowSceneDelegate {
    var window: UIWindow?
    private var opened: [String] = []
    /// The number of completions that the app waits for.
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
        // One URL of its own scheme, and one that is invalid.
        ask(for: "own:1")
        ask(for: "\u{7F}")
    }

    func sceneDidBecomeActive(_ scene: UIScene) { ask(for: "other:2") }

    /// The URLs of a legal server have an authority, and each differs from the others.
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
