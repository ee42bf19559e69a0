// SceneClasses.swift: which Swift class a scene's `class:` names.
//
// Fed by    SceneBuilder
// Feeds     nobody: the views it makes stand in the app's tree
// Knows     UIKit's classes, the seeds' classes by name, and the small classes below

import AppCore
import Basics
import Trace
import UIKit

enum SceneClasses {
    /// The classes the seeds' demos define. They differ from their UIKit class in name alone: what they override is
    /// written in the scene, key by key.
    private static let seeds: [(name: String, base: String)] = [
        ("YellowView", "UIView"), ("BlueView", "UIView"), ("BackView", "UIView"), ("MovedView", "UIView"),
        ("TouchView", "UIView"), ("CustomeTabBar", "UIView"), ("CircleButton", "UIButton"), ("GLButton", "UIButton"),
        ("CLButton", "UIButton"), ("FButton", "UIButton"), ("CustomButton", "UIButton"), ("MyControl", "UIControl"),
        ("ZTWindow", "UIWindow"), ("GLTableView", "UITableView"),
    ]
    private static let ours: [(name: String, make: @Sendable (Probe) -> UIView)] = [
        ("SelfDisablingView", { _ in SelfDisablingView(frame: .zero) }),
        ("TimerView", { TimerView($0) }),
        ("BusyView", { _ in BusyView(frame: .zero) }),
    ]

    static let names: [String] = seeds.map(\.name) + ours.map(\.name)

    static func isWindow(_ className: String) -> Bool { base(of: className) == "UIWindow" }

    /// The UIKit class that stands behind a seed's.
    static func base(of className: String) -> String {
        seeds.first { $0.name == className }?.base ?? className
    }

    /// Whether views of the class print or act at an event without a key that says so: `select` lines, timers.
    static func needsEvents(_ className: String) -> Bool {
        base(of: className) == "UITableView" || className == "TimerView"
    }

    /// - Returns: Nil for a class that is not there yet.
    static func make(_ className: String, _ probe: Probe) -> UIView? {
        if let own = ours.first(where: { $0.name == className }) { return own.make(probe) }
        return switch base(of: className) {
        case "UIView": UIView(frame: .zero)
        case "UIControl": UIControl(frame: .zero)
        case "UIButton": UIButton(frame: .zero)
        case "UIWindow": UIWindow(frame: .zero)
        case "UITextField": UITextField(frame: .zero)
        case "UILabel": UILabel(frame: .zero)
        case "UIImageView": UIImageView(frame: .zero)
        case "UISwitch": UISwitch(frame: .zero)
        case "UISlider": UISlider(frame: .zero)
        case "UIStepper": UIStepper(frame: .zero)
        case "UISegmentedControl": UISegmentedControl(frame: .zero)
        case "UIPageControl": UIPageControl(frame: .zero)
        case "UIScrollView": UIScrollView(frame: .zero)
        case "UITableView": UITableView(frame: .zero, style: .plain)
        case "UIStackView": UIStackView(frame: .zero)
        default: nil
        }
    }
}

/// Switches itself off while it is asked for a point, as the demo of seed 2 does (S13, E10). Bad practice, on purpose.
final class SelfDisablingView: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        isUserInteractionEnabled = false
        return super.hitTest(point, with: event)
    }
}

/// Runs two 10 Hz timers from the first finger's landing on, for 1.35 s: one in the default mode, one in the common
/// modes. Prints `timer V default` and `timer V common` (S92).
final class TimerView: UIView {
    private let probe: Probe
    private var isStarted = false
    private static let period = Duration.milliseconds(100)
    private static let length = Duration.milliseconds(1350)

    init(_ probe: Probe) {
        self.probe = probe
        super.init(frame: .zero)
    }

    required init?(coder: NSCoder) { nil }

    func start(from landing: Instant) {
        guard !isStarted else { return }
        isStarted = true
        let timers = [start("default", in: [.default], landing), start("common", in: [.common], landing)]
        schedule(at: landing.advanced(by: Self.length), every: nil, in: [.common]) {
            for timer in timers { UIApplication.shared.mainLoop?.invalidate(timer) }
        }
    }

    private func start(_ name: String, in modes: [RunLoop.Mode], _ landing: Instant) -> UInt64 {
        schedule(at: landing.advanced(by: Self.period), every: Self.period, in: modes) { [probe] in
            probe.print("timer \(probe.name) \(name)", .action)
        }
    }

    @discardableResult
    private func schedule(
        at moment: Instant, every period: Duration?, in modes: [RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64 {
        UIApplication.shared.mainLoop?.schedule(at: moment, every: period, modes: modes, fire) ?? 0
    }
}

/// Keeps the main thread busy for a tenth of a second whenever a finger lands on it: what arrives meanwhile is queued
/// (S90). Nothing sleeps: the loop is told that the callout takes so long.
final class BusyView: UIView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        let application = UIApplication.shared
        let loop = application.mainLoop as? MainLoop
        loop?.busy(until: application.now.advanced(by: .milliseconds(100)))
    }
}
