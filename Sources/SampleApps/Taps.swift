// Taps.swift: one tap does one thing, two do another, and one tap need not wait long to know that it is alone.
//
// A single tap that requires a double tap to fail waits for it: 0.35 s after the finger lifts. The double tap here
// gives up 0.2 s after a finger lands, which is as long as anybody takes who means two, and so the wait is short.
// The view around the card is tapped too, but not by taps on the card: it waits for both of the card's, which do not
// keep it waiting when the finger is elsewhere.

import UIKit

final class TapsAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = TapsViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class TapsViewController: UIViewController {
    private let card = UIView()
    private let heard = UILabel()
    private let deeds = Deeds()

    override func viewDidLoad() {
        super.viewDidLoad()
        heard.accessibilityIdentifier = "heard"
        card.accessibilityIdentifier = "card"
        card.backgroundColor = .systemYellow
        view.addSubview(heard)
        view.addSubview(card)

        let outside = deeds.add(UITapGestureRecognizer(), to: view) { [unowned self] _ in note("outside") }
        let single = deeds.add(UITapGestureRecognizer(), to: card) { [unowned self] _ in note("single") }
        let double = deeds.add(ShortTapGestureRecognizer(), to: card) { [unowned self] _ in note("double") }
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        outside.require(toFail: single)
        outside.require(toFail: double)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        heard.frame = CGRect(x: 20, y: 40, width: view.bounds.width - 40, height: 40)
        card.frame = CGRect(x: view.bounds.midX - 100, y: view.bounds.midY - 100, width: 200, height: 200)
    }

    private func note(_ word: String) {
        heard.text = [heard.text, word].compactMap { $0 }.joined(separator: " ")
    }
}

/// A tap that gives up unless it is recognised within 0.2 s of a finger's landing.
final class ShortTapGestureRecognizer: UITapGestureRecognizer {
    private static let patience: TimeInterval = 0.2

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        // A deed of an earlier attempt finds the recogniser at rest, which takes no notice, or at a later attempt,
        // which is then as old as this one's first finger at most.
        Deed { [weak self] in
            guard let self, state == .possible else { return }
            state = .failed
        }
        .run(after: Self.patience)
    }
}
