// AppDelegate.swift: an app as a user's package has it, which ProcessTests starts with `touchline up --app-executable`.
//
// The entry is the delegate's class, as in an app for iOS. An executable that Tools/new-app makes has the other form.

import TouchlineApp
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = CardViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

/// Shows a card that counts the taps on it. A long press ends the app, as a mistake of its developer does.
final class CardViewController: UIViewController {
    private let card = UILabel()
    private var tapCount = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        card.accessibilityIdentifier = "card"
        card.isUserInteractionEnabled = true
        card.addGestureRecognizer(
            UITapGestureRecognizer(target: self, action: Selector("tapped", CardViewController.tapped)))
        card.addGestureRecognizer(
            UILongPressGestureRecognizer(target: self, action: Selector("crash", CardViewController.crash)))
        view.addSubview(card)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        card.frame = CGRect(x: view.bounds.midX - 100, y: view.bounds.midY - 100, width: 200, height: 200)
    }

    private func tapped() {
        tapCount += 1
        card.text = "tapped \(tapCount)"
        print("card tapped, \(tapCount) so far")
        if tapCount == 1 { tellTime() }
        if tapCount == 2 { startThread() }
    }

    /// Lets each of the app's clocks print a line.
    private func tellTime() {
        Timer.scheduledTimer(withTimeInterval: 0.02, repeats: false) { _ in print("clock: timer") }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) { print("clock: queue") }
        DispatchQueue.global().async { DispatchQueue.main.async { print("clock: global queue") } }
        Task {
            try? await Task.sleep(for: .milliseconds(20))
            print("clock: task, \(UIApplication.shared.applicationState == .active)")
        }
        UIView.animate(withDuration: 0.02, animations: { self.card.alpha = 0.5 }) { _ in print("clock: animation") }
        perform(Selector("delayed", CardViewController.delayed), with: nil, afterDelay: 0.02)
    }

    /// Lets another thread reach the app. What a thread does is in no journal, so that a replay differs from here on.
    private func startThread() {
        Thread.detachNewThread {
            let (main, loop) = (DispatchQueue.main, RunLoop.main)
            main.async { print("clock: thread, async") }
            main.asyncAfter(deadline: .now() + 0.02) { print("clock: thread, after") }
            loop.perform { print("clock: thread, loop") }
            loop.add(Timer(timeInterval: 0.02, repeats: false) { _ in print("clock: thread, timer") }, forMode: .common)
            print("clock: thread, sync \(main.sync { UIApplication.shared.applicationState == .active })")
        }
    }

    private func delayed() { print("clock: perform") }

    private func crash() { fatalError("the card was pressed") }
}
