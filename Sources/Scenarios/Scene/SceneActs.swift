// SceneActs.swift: script lines the program does to itself: set, remove, disable.
//
// Station   app
// Fed by    ShownScene: when the app has become active, and when the first input comes
// Feeds     the views and recognisers of the scene, from timers of the main loop
// Knows     the script's time zero, which the first input's own time gives: so the lines come at the same moment
//           whether the clock is virtual or real
//
// Sources   invented    lines before the first input's are done when the app has become active; a line at the very
//                       moment of a frame comes after it

import Basics
import Recordings
import UIKit

final class SceneActs {
    private var waiting: [FingerScript.Line]
    private let firstInput: Duration?
    private let hasFingers: Bool

    init(_ script: Script?) {
        waiting = script?.lines.lines.filter(\.act.isInsideApp) ?? []
        firstInput = script?.firstInput
        hasFingers = script?.firstDown != nil
    }

    func appBecameActive(in scene: ShownScene) {
        guard let application = UIApplication.current else { return }
        guard let firstInput else {
            schedule(from: application.now, in: scene)
            return
        }
        let early = waiting.filter { $0.time < firstInput }
        waiting.removeAll { $0.time < firstInput }
        for line in early { scene.perform(line.act) }
    }

    func fingerLanded(at time: Instant, in scene: ShownScene) { firstInputCame(at: time, in: scene) }

    /// A key or a pointer counts where no finger does.
    func deviceSpoke(at time: Instant, in scene: ShownScene) {
        if !hasFingers { firstInputCame(at: time, in: scene) }
    }

    private func firstInputCame(at time: Instant, in scene: ShownScene) {
        guard let firstInput, !waiting.isEmpty else { return }
        schedule(from: time.advanced(byNanoseconds: -firstInput.nanoseconds), in: scene)
    }

    private func schedule(from zero: Instant, in scene: ShownScene) {
        let lines = waiting
        waiting = []
        for line in lines {
            _ = UIApplication.current?.mainLoop?.schedule(
                at: zero.advanced(by: line.time), every: nil, modes: [.default, .tracking]
            ) { [weak scene] in scene?.perform(line.act) }
        }
    }
}

extension ShownScene {
    func perform(_ act: FingerScript.Act) {
        switch act {
        case .set(let name, let property, let value):
            if let recognizer = recognizer(at: name) {
                set(recognizer, property, value)
            } else if let view = view(named: name) {
                set(view, property, value)
            }
        case .remove(let name): view(named: name)?.removeFromSuperview()
        case .disable(let path): recognizer(at: path)?.isEnabled = false
        case .down, .move, .up, .cancel, .scan, .interrupt, .resume, .launch, .foreground, .home, .crash, .screen,
            .open, .lock, .unlock, .device:
            preconditionFailure("\(act) is not the program's own doing")
        }
    }

    private func set(_ recognizer: UIGestureRecognizer, _ property: String, _ value: String) {
        let flag = flagWord(value) ?? false
        switch property {
        case "enabled": recognizer.isEnabled = flag
        case "cancelsTouchesInView": recognizer.cancelsTouchesInView = flag
        case "delaysTouchesBegan": recognizer.delaysTouchesBegan = flag
        case "delaysTouchesEnded": recognizer.delaysTouchesEnded = flag
        default: break
        }
    }

    private func set(_ view: UIView, _ property: String, _ value: String) {
        let flag = flagWord(value) ?? false
        let numbers = ScriptValue.numbers(value)
        switch property {
        case "hidden": view.isHidden = flag
        case "alpha": view.alpha = CGFloat(numbers.first ?? 1)
        case "userInteractionEnabled": view.isUserInteractionEnabled = flag
        case "multipleTouchEnabled": view.isMultipleTouchEnabled = flag
        case "exclusiveTouch": view.isExclusiveTouch = flag
        case "clipsToBounds": view.clipsToBounds = flag
        case "enabled": (view as? UIControl)?.isEnabled = flag
        case "frame": view.frame = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        case "bounds": view.bounds = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        case "center": view.center = CGPoint(x: numbers[0], y: numbers[1])
        case "level": (view as? UIWindow)?.windowLevel = UIWindow.Level(CGFloat(numbers[0]))
        case "tag": view.tag = Int(numbers[0])
        default: set(view as? UIScrollView, property, flag, numbers)
        }
    }

    private func set(_ view: UIScrollView?, _ property: String, _ flag: Bool, _ numbers: [Double]) {
        switch property {
        case "contentOffset": view?.contentOffset = CGPoint(x: numbers[0], y: numbers[1])
        case "contentSize": view?.contentSize = CGSize(width: numbers[0], height: numbers[1])
        case "delaysContentTouches": view?.delaysContentTouches = flag
        case "canCancelContentTouches": view?.canCancelContentTouches = flag
        case "scrollEnabled": view?.isScrollEnabled = flag
        case "pagingEnabled": view?.isPagingEnabled = flag
        case "bounces": view?.bounces = flag
        default: break
        }
    }
}

/// The value of a `set` line.
enum ScriptValue {
    enum Kind { case flag, numbers(Int) }

    /// What each property takes, by name.
    static let kinds: [(property: String, kind: Kind)] =
        ofViews + ofWindows + ofControls + ofScrollViews + ofRecognizers

    static let ofViews: [(property: String, kind: Kind)] = [
        ("hidden", .flag), ("alpha", .numbers(1)), ("userInteractionEnabled", .flag), ("multipleTouchEnabled", .flag),
        ("exclusiveTouch", .flag), ("clipsToBounds", .flag), ("frame", .numbers(4)), ("bounds", .numbers(4)),
        ("center", .numbers(2)), ("tag", .numbers(1)),
    ]
    static let ofWindows: [(property: String, kind: Kind)] = [("level", .numbers(1))]
    static let ofControls: [(property: String, kind: Kind)] = [("enabled", .flag)]
    static let ofScrollViews: [(property: String, kind: Kind)] = [
        ("contentOffset", .numbers(2)), ("contentSize", .numbers(2)), ("delaysContentTouches", .flag),
        ("canCancelContentTouches", .flag), ("scrollEnabled", .flag), ("pagingEnabled", .flag), ("bounces", .flag),
    ]
    static let ofRecognizers: [(property: String, kind: Kind)] = [
        ("enabled", .flag), ("cancelsTouchesInView", .flag), ("delaysTouchesBegan", .flag),
        ("delaysTouchesEnded", .flag),
    ]

    /// Those that a view of this class has.
    static func properties(ofClass className: String) -> [String] {
        var properties = ofViews
        switch SceneClasses.base(of: className) {
        case "UIWindow": properties += ofWindows
        case "UIScrollView", "UITableView": properties += ofScrollViews
        case "UIControl", "UIButton", "UISwitch", "UISlider", "UIStepper", "UISegmentedControl", "UIPageControl",
            "UITextField":
            properties += ofControls
        default: break
        }
        return properties.map(\.property)
    }

    /// `0.5`, `(10,20)`, `[0, 0, 10, 10]`.
    static func numbers(_ text: String) -> [Double] {
        text.split(whereSeparator: { "()[], ".contains($0) }).compactMap { Double($0) }.filter { $0.magnitude < 1e9 }
    }

    /// What was expected instead; nil when the value will do.
    static func complaint(about value: String, for property: String) -> String? {
        switch kinds.first(where: { $0.property == property })?.kind {
        case .flag: flagWord(value) == nil ? "yes or no" : nil
        case .numbers(1): numbers(value).count == 1 ? nil : "a number"
        case .numbers(let count): numbers(value).count == count ? nil : "\(count) numbers"
        case nil: nil
        }
    }
}
