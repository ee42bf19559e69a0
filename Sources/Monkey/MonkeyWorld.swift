// MonkeyWorld.swift: one app with its views and recognizers, and the script of its touches, as a value.
//
// Input     a seed (Invention.swift), or a shrinker that leaves elements out (Shrinking.swift)
// Output    MonkeyRun, which builds and plays it
// Knows     numbers and words. No view, no recognizer: each run makes its own.
//
// Views and recognizers are named by their index, and keep it when others are left out: an element that is left out
// stays in its list (`isAbsent`). So a smaller world describes the rest with the same names.
//
// Sources   invented

package import UIKit

/// One world: views, recognizers, their relations, hooks and a script.
package struct MonkeyWorld: Equatable, Sendable {
    /// One view of a world.
    package struct View: Equatable, Sendable {
        package var kind: Kind
        /// The index of an earlier view; nil for the window.
        package var parent: Int?
        package var frame: CGRect
        package var isMultiple = false
        package var isExclusive = false
        package var isHidden = false
        package var isInteractive = true
        /// Whether a plain view passes its touches on, as UIView does.
        package var forwards = true
        /// Properties of a scroll view.
        package var delaysContent = true
        package var cancelsContent = true
        package var pages = false
        package var isAbsent = false
    }

    /// One recognizer of a world.
    package struct Recognizer: Equatable, Sendable {
        package var kind: Kind
        /// The index of a view; nil for the window.
        package var view: Int?
        package var cancels = true
        package var delaysBegan = false
        package var delaysEnded = true
        package var isAbsent = false
    }

    /// A relation between two recognizers, or a recognizer and a view. The first recognizer is the one that is asked.
    package enum Relation: Equatable, Sendable {
        case requires(Int, Int)
        case shouldRequire(Int, Int)
        case shouldBeRequired(Int, Int)
        case simultaneous(Int, Int)
        /// Only for an app's subclass; UIKit's recognizers have their own answers.
        case cannotPrevent(Int, Int)
        case cannotBePrevented(Int, Int)
        case refusesEvent(Int)
        /// Refuses every touch with an odd number.
        case refusesTouch(Int)
        case refusesBegin(Int)
        case viewRefusesBegin(view: Int, Int)
        /// Has no delegate, so that no question is asked.
        case noDelegate(Int)
    }

    /// A change that an app makes to its own view tree.
    package enum Change: Equatable, Sendable {
        case disable(Int), enable(Int)
        case detach(Int)
        case attach(Int, to: Int)
        case removeView(Int)
        case restoreView(Int)
        case hide(Int), show(Int)
        case forbidInteraction(Int), allowInteraction(Int)
        case disableControl(Int), enableControl(Int)
        case require(Int, Int)
        case ignoreEvents, endIgnoringEvents
        case shift(Int)
    }

    /// A change during a callback of the app, made once.
    package struct Hook: Equatable, Sendable {
        /// The callback in which the change is made.
        package enum Moment: Equatable, Sendable {
            case acts(Int)
            case recognizerReceives(Int, UITouch.Phase)
            case viewReceives(view: Int, UITouch.Phase)
            case begins(Int)
            case resets(Int)
        }
        package var moment: Moment
        package var change: Change
    }

    /// One act of a step.
    package enum Act: Equatable, Sendable {
        case down(Int, CGPoint)
        case move(Int, by: CGPoint)
        case up(Int)
        /// The system cancels the touch.
        case cancel(Int)
        case change(Change)
    }

    /// The acts of one frame. Changes come before the frame, as from a block of the main queue.
    package struct Step: Equatable, Sendable {
        /// The time since the previous step.
        package var milliseconds: Int
        package var acts: [Act]
    }

    package var views: [View] = []
    package var recognizers: [Recognizer] = []
    package var relations: [Relation] = []
    package var hooks: [Hook] = []
    package var script: [Step] = []
    /// The seed that shuffles the orders that iOS leaves open; nil for the deterministic order.
    package var disorder: UInt64?

    package init() {}
}

// MARK: - Text

extension MonkeyWorld: CustomStringConvertible {
    /// The elements and the script, as a person needs them to understand a failure.
    package var description: String {
        var lines: [String] = []
        for (index, view) in views.enumerated() where !view.isAbsent { lines.append("v\(index)  \(view)") }
        for (index, recognizer) in recognizers.enumerated() where !recognizer.isAbsent {
            lines.append("g\(index)  \(recognizer)")
        }
        lines += relations.map { "    \($0)" }
        lines += hooks.map { "    when \($0.moment): \($0.change)" }
        if let disorder { lines.append("    order: ios, seed \(disorder)") }
        var time = 0
        for step in script {
            time += step.milliseconds
            for act in step.acts { lines.append("\(padded("\(time)", 6)) ms  \(act)") }
        }
        return lines.joined(separator: "\n")
    }
}

private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}

private func ownerName(_ view: Int?) -> String { view.map { "v\($0)" } ?? "window" }

private func rounded(_ value: CGFloat) -> String { "\(Int(value))" }

extension MonkeyWorld.View: CustomStringConvertible {
    package var description: String {
        var words = [
            kind.rawValue, "in", ownerName(parent),
            "(\(rounded(frame.minX)),\(rounded(frame.minY)),\(rounded(frame.width)),\(rounded(frame.height)))",
        ]
        if isMultiple { words.append("multiple") }
        if isExclusive { words.append("exclusive") }
        if isHidden { words.append("hidden") }
        if !isInteractive { words.append("not interactive") }
        if kind == .plain, !forwards { words.append("keeps its touches") }
        if kind == .scroll {
            if !delaysContent { words.append("delaysContentTouches=false") }
            if !cancelsContent { words.append("canCancelContentTouches=false") }
            if pages { words.append("paging") }
        }
        return words.joined(separator: " ")
    }
}

extension MonkeyWorld.Recognizer: CustomStringConvertible {
    package var description: String {
        var words = kind.words
        words.append("on \(ownerName(view))")
        if !cancels { words.append("cancelsTouchesInView=false") }
        if delaysBegan { words.append("delaysTouchesBegan") }
        if !delaysEnded { words.append("delaysTouchesEnded=false") }
        return words.joined(separator: ", ")
    }
}

extension MonkeyWorld.Relation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .requires(let a, let b): "g\(a) requires g\(b) to fail"
        case .shouldRequire(let a, let b): "g\(a)'s delegate: should require failure of g\(b)"
        case .shouldBeRequired(let a, let b): "g\(a)'s delegate: should be required to fail by g\(b)"
        case .simultaneous(let a, let b): "g\(a)'s delegate: simultaneously with g\(b)"
        case .cannotPrevent(let a, let b): "g\(a) cannot prevent g\(b)"
        case .cannotBePrevented(let a, let b): "g\(a) cannot be prevented by g\(b)"
        case .refusesEvent(let a): "g\(a)'s delegate: no events"
        case .refusesTouch(let a): "g\(a)'s delegate: no odd-numbered touches"
        case .refusesBegin(let a): "g\(a)'s delegate: should not begin"
        case .viewRefusesBegin(let view, let a): "v\(view): g\(a) should not begin"
        case .noDelegate(let a): "g\(a) has no delegate"
        }
    }
}

extension MonkeyWorld.Change: CustomStringConvertible {
    package var description: String {
        switch self {
        case .disable(let g): "disable g\(g)"
        case .enable(let g): "enable g\(g)"
        case .detach(let g): "remove g\(g) from its view"
        case .attach(let g, let view): "add g\(g) to v\(view)"
        case .removeView(let view): "remove v\(view) from its superview"
        case .restoreView(let view): "restore v\(view)"
        case .hide(let view): "hide v\(view)"
        case .show(let view): "show v\(view)"
        case .forbidInteraction(let view): "v\(view).isUserInteractionEnabled = false"
        case .allowInteraction(let view): "v\(view).isUserInteractionEnabled = true"
        case .disableControl(let view): "disable v\(view)"
        case .enableControl(let view): "enable v\(view)"
        case .require(let a, let b): "g\(a).require(toFail: g\(b))"
        case .ignoreEvents: "begin ignoring interaction events"
        case .endIgnoringEvents: "end ignoring interaction events"
        case .shift(let view): "move v\(view) by 10 points"
        }
    }
}

extension MonkeyWorld.Hook.Moment: CustomStringConvertible {
    package var description: String {
        switch self {
        case .acts(let g): "g\(g) acts"
        case .recognizerReceives(let g, let phase): "g\(g) receives \(phase)"
        case .viewReceives(let view, let phase): "v\(view) receives \(phase)"
        case .begins(let g): "g\(g) asks whether to begin"
        case .resets(let g): "g\(g) is reset"
        }
    }
}

extension MonkeyWorld.Act: CustomStringConvertible {
    package var description: String {
        switch self {
        case .down(let finger, let point): "finger \(finger) down  \(rounded(point.x)) \(rounded(point.y))"
        case .move(let finger, let by): "finger \(finger) moves by  \(rounded(by.x)) \(rounded(by.y))"
        case .up(let finger): "finger \(finger) up"
        case .cancel(let finger): "finger \(finger) is cancelled by the system"
        case .change(let change): "\(change)"
        }
    }
}
