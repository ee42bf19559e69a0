// Links.swift: an app that shows the URLs that it was opened with, and a view that opens another URL.
//
// The URL that launches an app is only in its scene's connection options. A URL that arrives while the app runs is
// delivered to the scene's delegate before the scene is active again. Both are shown in the same way here.
//
// On a phone, Info.plist names the scene's delegate and the app's schemes.

import UIKit

final class LinksAppDelegate: UIResponder, UIApplicationDelegate {}

final class LinksSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let controller = LinksViewController()

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = controller
        window.makeKeyAndVisible()
        self.window = window
        for context in connectionOptions.urlContexts { controller.show("launched by \(context.url.absoluteString)") }
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts { controller.show("opened by \(context.url.absoluteString)") }
    }

    func sceneDidBecomeActive(_ scene: UIScene) { controller.show("active") }
}

final class LinksViewController: UIViewController {
    /// The URL that a tap on the card opens.
    static let link = "touchline-demo://from/links"

    private let eventsLabel = UILabel()
    private let answerLabel = UILabel()
    private let card = UIView()
    private let targets = ClosureTargets()

    override func viewDidLoad() {
        super.viewDidLoad()
        eventsLabel.accessibilityIdentifier = "heard"
        answerLabel.accessibilityIdentifier = "answered"
        card.accessibilityIdentifier = "card"
        card.backgroundColor = .systemYellow
        for view in [eventsLabel, answerLabel, card] { self.view.addSubview(view) }
        targets.add(UITapGestureRecognizer(), to: card) { [unowned self] _ in
            guard let url = URL(string: Self.link) else { return }
            guard UIApplication.shared.canOpenURL(url) else { return answerLabel.text = "no app opens that" }
            UIApplication.shared.open(url) { [weak self] isOpen in self?.answerLabel.text = isOpen ? "open" : "refused"
            }
        }
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        eventsLabel.frame = CGRect(x: 20, y: 40, width: view.bounds.width - 40, height: 40)
        answerLabel.frame = CGRect(x: 20, y: 90, width: view.bounds.width - 40, height: 40)
        card.frame = CGRect(x: view.bounds.midX - 100, y: view.bounds.midY - 100, width: 200, height: 200)
    }

    func show(_ line: String) { eventsLabel.text = [eventsLabel.text, line].compactMap { $0 }.joined(separator: ", ") }
}
