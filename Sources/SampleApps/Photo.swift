// Photo.swift: an app with a photo that two fingers pinch, rotate and move at the same time.
//
// Three recognizers on one view would exclude each other, but their delegate allows them together. Each recognizer is
// reset to its neutral value after every change, so that its next value is the change since then.

import UIKit

final class PhotoAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = PhotoViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class PhotoViewController: UIViewController, UIGestureRecognizerDelegate {
    private let photo = UIImageView(frame: CGRect(x: 0, y: 0, width: 240, height: 160))
    private let targets = ClosureTargets()

    override func viewDidLoad() {
        super.viewDidLoad()
        photo.accessibilityIdentifier = "photo"
        photo.backgroundColor = .systemGreen
        photo.isUserInteractionEnabled = true
        photo.isMultipleTouchEnabled = true
        photo.center = CGPoint(x: view.bounds.midX, y: view.bounds.midY)
        view.addSubview(photo)

        targets.add(UIPinchGestureRecognizer(), to: photo) { [unowned self] pinch in
            photo.transform = photo.transform.scaledBy(x: pinch.scale, y: pinch.scale)
            pinch.scale = 1
        }
        .delegate = self
        targets.add(UIRotationGestureRecognizer(), to: photo) { [unowned self] rotation in
            photo.transform = photo.transform.rotated(by: rotation.rotation)
            rotation.rotation = 0
        }
        .delegate = self
        targets.add(UIPanGestureRecognizer(), to: photo) { [unowned self] pan in
            let way = pan.translation(in: view)
            photo.center = CGPoint(x: photo.center.x + way.x, y: photo.center.y + way.y)
            pan.setTranslation(.zero, in: view)
        }
        .delegate = self
    }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { gestureRecognizer.view === otherGestureRecognizer.view }
}
