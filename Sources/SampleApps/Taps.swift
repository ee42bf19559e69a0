// Taps.swift: an app that distinguishes single and double taps without a long wait.
//
// A single tap that requires a double tap to fail waits for it, 0.35 s after the finger lifts. The double tap here
// fails 0.2 s after a finger lands, unless it is recognized before, so the wait is short. The view around the card
// recognizes taps too, but not on the card: its tap requires both taps of the card to fail. A touch outside of the card
// reaches neither of these, so its tap does not wait.

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
    private let tapsLabel = UILabel()
    private let targets = ClosureTargets()

    override func viewDidLoad() {
        super.viewDidLoad()
        tapsLabel.accessibilityIdentifier = "heard"
        card.accessibilityIdentifier = "card"
        card.backgroundColor = .systemYellow
        view.addSubview(tapsLabel)
        view.addSubview(card)

        let outside = targets.add(UITapGestureRecognizer(), to: view) { [unowned self] _ in note("outside") }
        let single = targets.add(UITapGestureRecognizer(), to: card) { [unowned self] _ in note("single") }
        let double = targets.add(ShortTapGestureRecognizer(), to: card) { [unowned self] _ in note("double") }
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        outside.require(toFail: single)
        outside.require(toFail: double)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        tapsLabel.frame = CGRect(x: 20, y: 40, width: view.bounds.width - 40, height: 40)
        card.frame = CGRect(x: view.bounds.midX - 100, y: view.bounds.midY - 100, width: 200, height: 200)
    }

    private func note(_ word: String) {
        tapsLabel.text = [tapsLabel.text, word].compactMap { $0 }.joined(separator: " ")
    }
}

/// A tap that fails unless it is recognized within 0.2 s of a landing.
final class ShortTapGestureRecognizer: UITapGestureRecognizer {
    private static let maxDelay: TimeInterval = 0.2

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        // The call of an earlier attempt has no effect on a recognizer at rest. It may also end a later attempt early,
        // which is then at most 0.2 s old.
        ClosureTarget { [weak self] in
            guard let self, state == .possible else { return }
            state = .failed
        }
        .run(after: Self.maxDelay)
    }
}
