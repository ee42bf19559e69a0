// SceneClasses.swift: which Swift class a scene's `class:` names.
//
// Fed by    SceneBuilder; ClassNames, for the names; ViewProperties, for the values of controls
// Feeds     nobody: the views it makes stand in the app's tree
// Knows     UIKit's classes, the seeds' classes by name, and the small classes below

import AppCore
import Basics
import Trace
import UIKit

/// A class of UIKit's that a scene may name.
struct ViewClass: Sendable {
    let name: String
    /// The superclass, if it is not UIView.
    let superclass: String?
    /// A control's value, which the key `value` sets and the probe `value` prints.
    let value: ControlValue?
    fileprivate let make: @Sendable () -> UIView

    fileprivate init(
        _ name: String, of superclass: String? = nil, value: ControlValue? = nil,
        _ make: @escaping @Sendable () -> UIView
    ) {
        (self.name, self.superclass, self.value, self.make) = (name, superclass, value, make)
    }
}

/// How a scene reads and writes the value of one class of controls.
struct ControlValue: Sendable {
    /// Of the number that the key `value` takes.
    let meaning: String
    /// Nil for a control of another class.
    let text: @Sendable (UIControl) -> String?
    /// Does nothing to a view of another class.
    let set: @Sendable (UIView, Double) -> Void

    fileprivate init<Control: UIControl & SendableMetatype>(
        _ meaning: String, _ text: @escaping @Sendable (Control) -> String,
        set: @escaping @Sendable (Control, Double) -> Void
    ) {
        self.meaning = meaning
        self.text = { ($0 as? Control).map(text) }
        self.set = { view, number in if let control = view as? Control { set(control, number) } }
    }
}

enum SceneClasses {
    /// The one list of UIKit's views and controls. A new class is one entry here.
    static let uikit: [ViewClass] = [
        ViewClass("UIView") { UIView(frame: .zero) },
        ViewClass("UIControl") { UIControl(frame: .zero) },
        ViewClass("UIButton", of: "UIControl") { UIButton(frame: .zero) },
        ViewClass("UIWindow") { UIWindow(frame: .zero) },
        ViewClass("UITextField", of: "UIControl") { UITextField(frame: .zero) },
        ViewClass("UIImageView") { UIImageView(frame: .zero) },
        ViewClass("UILabel") { UILabel(frame: .zero) },
        ViewClass(
            "UISwitch", of: "UIControl",
            value: ControlValue(
                "1 is on", { (control: UISwitch) in control.isOn ? "on" : "off" }, set: { $0.isOn = $1 == 1 })
        ) { UISwitch(frame: .zero) },
        ViewClass(
            "UISlider", of: "UIControl",
            value: ControlValue(
                "its value", { (control: UISlider) in numberText(CGFloat(control.value)) },
                set: { $0.value = Float($1) })
        ) { UISlider(frame: .zero) },
        ViewClass(
            "UIStepper", of: "UIControl",
            value: ControlValue(
                "its value", { (control: UIStepper) in numberText(CGFloat(control.value)) }, set: { $0.value = $1 })
        ) { UIStepper(frame: .zero) },
        ViewClass(
            "UISegmentedControl", of: "UIControl",
            value: ControlValue(
                "the chosen segment, from 0", { (control: UISegmentedControl) in "\(control.selectedSegmentIndex)" },
                set: { $0.selectedSegmentIndex = Int($1) })
        ) { UISegmentedControl(frame: .zero) },
        ViewClass(
            "UIPageControl", of: "UIControl",
            value: ControlValue(
                "the current page, from 0", { (control: UIPageControl) in "\(control.currentPage)" },
                set: { $0.currentPage = Int($1) })
        ) { UIPageControl(frame: .zero) },
        ViewClass("UIScrollView") { UIScrollView(frame: .zero) },
        ViewClass("UITableView", of: "UIScrollView") { UITableView(frame: .zero, style: .plain) },
        ViewClass("UIStackView") { UIStackView(frame: .zero) },
    ]

    static let withValue = uikit.filter { $0.value != nil }

    /// `UISwitch: 1 is on; UISlider: its value`
    static let valueMeanings = withValue.map { "\($0.name): \($0.value?.meaning ?? "")" }.joined(separator: "; ")

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
        let base = base(of: className)
        return uikit.first { $0.name == base }?.make()
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
