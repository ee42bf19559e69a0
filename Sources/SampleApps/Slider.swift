// Slider.swift: an app with a slider inside a scroll view that scrolls in the same direction.
//
// A drag from the knob moves the slider, at once or after a rest. A drag from anywhere else scrolls.

import UIKit

final class SliderAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = SliderViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class SliderViewController: UIViewController, UIScrollViewDelegate {
    private let scroll = UIScrollView()
    private let slider = UISlider()
    private let value = UILabel()
    private let offset = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        scroll.accessibilityIdentifier = "scroll"
        scroll.delegate = self
        view.addSubview(scroll)
        slider.accessibilityIdentifier = "slider"
        slider.maximumValue = 100
        slider.addAction(
            UIAction { [unowned self] _ in value.text = "\(Int(slider.value.rounded()))" }, for: .valueChanged)
        value.accessibilityIdentifier = "value"
        offset.accessibilityIdentifier = "offset"
        for part in [slider, value, offset] { scroll.addSubview(part) }
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        scroll.frame = view.bounds
        scroll.contentSize = CGSize(width: view.bounds.width * 2, height: view.bounds.height)
        slider.frame = CGRect(x: 40, y: 300, width: 231, height: 31)
        value.frame = CGRect(x: 40, y: 200, width: 200, height: 40)
        offset.frame = CGRect(x: 40, y: 250, width: 200, height: 40)
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        offset.text = "\(Int(scrollView.contentOffset.x.rounded()))"
    }
}
