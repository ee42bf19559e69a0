// ViewTree+Text.swift: a view tree as indented lines for a person.
//
//     UIWindow "window"  375×667 at 0,0
//       UIButton "plus" "+"  80×80 at 147.5,293.5  highlighted
//         tap (2 taps): possible, requires tap to fail
//
// Input     `touchline tree`
// Knows     the fields of a tree. Names and texts are quoted, because an app may write anything into them.
//
// Sources   invented

import Basics

extension ViewTree {
    /// The tree as lines: the app's state, then each window, view and recognizer.
    public var textLines: [String] {
        var lines = ["\(state), \(bounds.shown)" + (orientation == .portrait ? "" : ", \(orientation)")]
        if deferredEdges != 0 { lines[0] += ", defers system gestures at \(Self.edgeNames(deferredEdges))" }
        for touch in touches {
            lines.append(
                "touch \(touch.id) \(touch.phase) at \(shownNumber(touch.position.x)),\(shownNumber(touch.position.y))")
        }
        var labels: [UInt32: String] = [:]
        for view in views {
            for recognizer in view.recognizers { labels[recognizer.identity] = recognizer.label }
        }
        for view in views {
            let indent = String(repeating: "  ", count: min(view.depth, 64))
            lines.append(indent + view.shown)
            for recognizer in view.recognizers { lines.append("\(indent)  · \(recognizer.shown(labels))") }
        }
        return lines
    }

    /// `top, left`
    public static func edgeNames(_ edges: UInt8) -> String {
        [(1, "top"), (2, "left"), (4, "bottom"), (8, "right")].filter { edges & $0.0 != 0 }.map(\.1)
            .joined(separator: ", ")
    }
}

/// A number with at most two digits after the point.
public func shownNumber(_ number: Double) -> String {
    var text = fixedText(number, digits: 2)
    while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
    return text
}

extension ViewTree.Frame {
    /// `80×80 at 147.5,293.5`
    public var shown: String { "\(shownNumber(width))×\(shownNumber(height)) at \(shownNumber(x)),\(shownNumber(y))" }
}

extension ViewTree.View {
    /// One line without indent.
    var shown: String {
        var parts = [quotedLabel + (text.map { " \(quoted($0))" } ?? ""), frame.shown]
        if corners != nil { parts.append("turned") }
        if isHidden { parts.append("hidden") }
        if alpha != 1 { parts.append("alpha \(shownNumber(alpha))") }
        if !isUserInteractionEnabled { parts.append("no interaction") }
        if clipsToBounds { parts.append("clips") }
        if isSecure { parts.append("secure, content omitted") }
        if let scroll {
            let (x, y) = (shownNumber(scroll.contentOffset.x), shownNumber(scroll.contentOffset.y))
            let (width, height) = (shownNumber(scroll.contentWidth), shownNumber(scroll.contentHeight))
            parts.append("offset \(x),\(y) of \(width)×\(height)")
        }
        if let control {
            if !control.isEnabled { parts.append("disabled") }
            if control.isHighlighted { parts.append("highlighted") }
            if control.isSelected { parts.append("selected") }
            if let value = control.value { parts.append("value \(shownNumber(value))") }
        }
        if let backgroundColor { parts.append(backgroundColor.text) }
        return parts.joined(separator: "  ")
    }

    private var quotedLabel: String { identifier.map { "\(className) \(quoted($0))" } ?? className }
}

extension ViewTree.Recognizer {
    /// One line without indent: the name, the state, and what differs from a plain recognizer.
    func shown(_ labels: [UInt32: String]) -> String {
        var parts = [state]
        if !isEnabled { parts.append("disabled") }
        for identity in requiredToFail {
            parts.append("requires \(labels[identity] ?? "recognizer \(identity)") to fail")
        }
        return "\(label): " + parts.joined(separator: ", ")
    }
}
