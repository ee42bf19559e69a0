// Explanation+Text.swift: an interaction as text for a person.
//
//    finger 1 at 10.0,20.0, down for 80.000 ms: app1, UIButton "plus" in UIWindow "window"
//      held for the display frame 4 times, at most 14.200 ms
//      tap on UIView "panel"  failed: excluded by pan on UIView "root"
//      touchUpInside of UIButton "plus" → Counter.add
//      so: touchUpInside of UIButton "plus" called Counter.add
//
// Sources   invented

import Basics

extension Interaction {
    /// A line for the interaction, one for each recognizer and each action, and last the cause.
    public var lines: [String] {
        var lines = [head]
        if let held {
            lines.append("  held for the display frame \(held.frames) times, at most \(held.longest.milliseconds)")
        }
        let width = recognizers.map(\.name.count).max() ?? 0
        for recognizer in recognizers {
            let space = String(repeating: " ", count: width - recognizer.name.count)
            lines.append("  \(recognizer.name)\(space)  \(recognizer.sentence)")
        }
        var shown: [Action] = []
        for action in actions where !shown.contains(action) {
            shown.append(action)
            let count = actions.count { $0 == action }
            lines.append("  \(action.trigger) → \(action.target)" + (count > 1 ? ", \(count) times" : ""))
        }
        if let cancelledBy, cause != .cancelled(by: cancelledBy) { lines.append("  cancelled: \(cancelledBy)") }
        lines.append("  \(cause.isAction ? "so" : "nothing"): \(cause)")
        return lines
    }

    private var head: String {
        let name =
            switch subject {
            case .finger(let contact, _): "finger \(contact)"
            case .input(let word): word
            }
        let spot = hit.position.map { " at \(fixedText($0.x, digits: 1)),\(fixedText($0.y, digits: 1))" } ?? ""
        let time = ended.map { ", down for \(began.duration(to: $0).milliseconds)" } ?? ", still down"
        let owner = process ?? recipient ?? "no recipient"
        let target = hit.view.map { ", \($0)" + (hit.window.map { " in \($0)" } ?? "") } ?? ""
        return name + spot + time + ": " + owner + target
    }
}

extension Interaction.Recognizer {
    /// `acted: began, changed, ended` · `failed: moved 50.0 pt, limit 10.0 pt`
    public var sentence: String {
        acted.isEmpty ? "\(verdict)" : "acted: \(acted.joined(separator: ", "))"
    }
}
