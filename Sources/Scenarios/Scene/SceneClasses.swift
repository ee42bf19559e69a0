// SceneClasses.swift: the Swift class for a view's `class:`.
//
// Input     SceneBuilder; ClassNames, for the names; ViewProperties, for the values of controls
// Output    the views of a scene
// Knows     UIKit's classes, the seeds' classes by name, and the small classes below

import AppCore
import Basics
import Trace
import UIKit

/// A class of UIKit that a scene may name.
struct ViewClass: Sendable {
    let name: String
    /// The superclass, if it is not UIView.
    let superclass: String?
    /// The control's value, which the key `value` sets and the probe `value` prints.
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
    /// The meaning of the number that the key `value` has.
    let meaning: String
    /// Returns nil for a control of another class.
    let text: @Sendable (UIControl) -> String?
    /// Ignores a view of another class.
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

/// The table of view classes.
enum SceneClasses {
    /// UIKit's views and controls. A new class is one entry here.
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
                "the value", { (control: UISlider) in numberText(CGFloat(control.value)) },
                set: { $0.value = Float($1) })
        ) { UISlider(frame: .zero) },
        ViewClass(
            "UIStepper", of: "UIControl",
            value: ControlValue(
                "the value", { (control: UIStepper) in numberText(CGFloat(control.value)) }, set: { $0.value = $1 })
        ) { UIStepper(frame: .zero) },
        ViewClass(
            "UISegmentedControl", of: "UIControl",
            value: ControlValue(
                "the selected segment, from 0", { (control: UISegmentedControl) in "\(control.selectedSegmentIndex)" },
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

    /// The classes that the seeds' demos define. They differ from their UIKit class only in their name: the scene's
    /// keys describe what they override.
    private static let seeds: [(name: String, base: String)] = [
        ("YellowView", "UIView"), ("BlueView", "UIView"), ("BackView", "UIView"), ("MovedView", "UIView"),
        ("TouchView", "UIView"), ("CustomeTabBar", "UIView"), ("CircleButton", "UIButton"), ("GLButton", "UIButton"),
        ("CLButton", "UIButton"), ("FButton", "UIButton"), ("CustomButton", "UIButton"), ("MyControl", "UIControl"),
        ("ZTWindow", "UIWindow"), ("GLTableView", "UITableView"),
    ]
    private static let ownClasses: [(name: String, make: @Sendable (Probe) -> UIView)] = [
        ("SelfDisablingView", { _ in SelfDisablingView(frame: .zero) }),
        ("TimerView", { TimerView($0) }),
        ("BusyView", { _ in BusyView(frame: .zero) }),
    ]

    static let names: [String] = seeds.map(\.name) + ownClasses.map(\.name)

    static func isWindow(_ className: String) -> Bool { base(of: className) == "UIWindow" }

    /// Returns the UIKit class that a seed's class is derived from.
    static func base(of className: String) -> String {
        seeds.first { $0.name == className }?.base ?? className
    }

    /// Whether views of the class print or act at a UIKit event without a key: `select` lines, timers.
    static func needsEvents(_ className: String) -> Bool {
        base(of: className) == "UITableView" || className == "TimerView"
    }

    /// - Returns: Nil for an unknown class.
    static func make(_ className: String, _ probe: Probe) -> UIView? {
        if let own = ownClasses.first(where: { $0.name == className }) { return own.make(probe) }
        let base = base(of: className)
        return uikit.first { $0.name == base }?.make()
    }
}

/// A view that disables its interaction during a hit test, as the demo of seed 2 does (S13, E10). This is bad practice,
/// on purpose.
final class SelfDisablingView: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        isUserInteractionEnabled = false
        return super.hitTest(point, with: event)
    }
}

/// A view that runs two 10 Hz timers for 1.35 s from the first landing: one in the default mode, one in the common
/// modes. It prints `timer V default` and `timer V common` (S92).
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

/// A view that keeps the main thread busy for 100 ms at each landing, so that later events are queued (S90). No thread
/// sleeps: the loop receives the length of the callout.
final class BusyView: UIView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        let application = UIApplication.shared
        let loop = application.mainLoop as? MainLoop
        loop?.busy(until: application.now.advanced(by: .milliseconds(100)))
    }
}
