// SceneClasses.swift: which Swift class a scene's `class:` names.
//
// Fed by    SceneBuilder
// Feeds     nobody: the views it makes stand in the app's tree
// Knows     UIKit's classes as probes, the seeds' classes by name, and the small classes below

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
        ("ZTWindow", "UIWindow"),
    ]
    private static let ours: [(name: String, make: @Sendable (Probe) -> UIView)] = [
        ("SelfDisablingView", { SelfDisablingView($0) }),
        ("TimerView", { TimerView($0) }),
        ("TrackingView", { TrackingView($0) }),
        ("BusyView", { BusyView($0) }),
    ]

    static let names: [String] = seeds.map(\.name) + ours.map(\.name)

    static func isWindow(_ className: String) -> Bool { base(of: className) == "UIWindow" }

    private static func base(of className: String) -> String {
        seeds.first { $0.name == className }?.base ?? className
    }

    /// - Returns: Nil for a class that is not there yet.
    static func make(_ className: String, _ probe: Probe) -> UIView? {
        if let own = ours.first(where: { $0.name == className }) { return own.make(probe) }
        return switch base(of: className) {
        case "UIView": ProbeView(probe)
        case "UIControl": ProbeControl(probe)
        case "UIButton": ProbeButton(probe)
        case "UIWindow": ProbeWindow(probe)
        case "UITextField": ProbeTextField(probe)
        case "UILabel": ProbeLabel(probe)
        case "UIImageView": ProbeImageView(probe)
        default: nil
        }
    }
}

/// Switches itself off while it is asked for a point, as the demo of seed 2 does (S13, E10). Bad practice, on purpose.
final class SelfDisablingView: ProbeView {
    override func hitSuper(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        isUserInteractionEnabled = false
        return super.hitSuper(point, with: event)
    }
}

/// Runs two 10 Hz timers from the moment it is touched until a while after: one in the default mode, one in the
/// common modes. Prints `timer V default` and `timer V common` (S92).
///
/// With `TrackingView` it stands in for a UIScrollView and an app's timers until there is one (SEMANTICS C4).
class TimerView: ProbeView {
    private var timers: [UInt64] = []
    private static let period = Duration.milliseconds(100)
    /// How long after the last finger has lifted.
    private static let rest = Duration.milliseconds(200)

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        guard timers.isEmpty else { return }
        start("default", in: [.default])
        start("common", in: [.default, .tracking])
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesEnded(touches, with: event)
        rest()
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesCancelled(touches, with: event)
        rest()
    }

    private func start(_ name: String, in modes: [RunLoop.Mode]) {
        let application = UIApplication.shared
        let first = application.now.advanced(by: Self.period)
        let timer = application.mainLoop?.schedule(at: first, every: Self.period, modes: modes) { [probe] in
            probe.print("timer \(probe.name) \(name)", .action)
        }
        if let timer { timers.append(timer) }
    }

    private func rest() {
        let application = UIApplication.shared
        let end = application.now.advanced(by: Self.rest)
        _ = application.mainLoop?.schedule(at: end, every: nil, modes: [.default, .tracking]) { [weak self] in
            guard let self else { return }
            for timer in timers { UIApplication.shared.mainLoop?.invalidate(timer) }
            timers = []
        }
    }
}

/// Puts the main loop into the tracking mode from the first move of a finger until it lifts, as a scroll view does
/// while it is dragged.
final class TrackingView: TimerView {
    private var isTracking = false

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesMoved(touches, with: event)
        guard !isTracking else { return }
        isTracking = true
        UIApplication.shared.mainLoop?.pushMode(.tracking)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesEnded(touches, with: event)
        stop()
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesCancelled(touches, with: event)
        stop()
    }

    private func stop() {
        guard isTracking else { return }
        isTracking = false
        UIApplication.shared.mainLoop?.popMode(.tracking)
    }
}

/// Keeps the main thread busy for a tenth of a second whenever a finger lands on it: what arrives meanwhile is queued
/// (S90). Nothing sleeps: the loop is told that the callout takes so long.
final class BusyView: ProbeView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        let application = UIApplication.shared
        let loop = application.mainLoop as? MainLoop
        loop?.busy(until: application.now.advanced(by: .milliseconds(100)))
    }
}
