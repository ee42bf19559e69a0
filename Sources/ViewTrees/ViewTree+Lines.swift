// ViewTree+Lines.swift: a view tree as lines of text and back, for the way from an app to a command.
//
//     tree ⇥ 1 ⇥ active ⇥ portrait ⇥ 1 ⇥ 0,0,375,667 ⇥ 0 ⇥ 0.35 ⇥ 0.15
//     touch ⇥ 3 ⇥ began ⇥ 187.5,333.5
//     view ⇥ 4 ⇥ 2 ⇥ UIButton ⇥ UIButton ⇥ 147.5,293.5,80,80 ⇥ id=plus ⇥ control=eA
//     recognizer ⇥ 7 ⇥ UITapGestureRecognizer ⇥ UITapGestureRecognizer ⇥ tap ⇥ possible ⇥ taps=2
//
// A recognizer belongs to the view before it. Fields with a name are absent where they have their usual value. Tabs, line
// breaks and backslashes in texts are escaped. The reader takes lines of any process: it refuses what it does not know.
//
// Input     AppCore, `touchline tree`
// Knows     the fields of a tree
//
// Sources   invented

import Basics

/// Lines that are no view tree. At fault: the process that sent them.
public enum ViewTreeError: Error, Hashable, Sendable {
    case noHeader
    case version(String)
    case badField(line: Int, String)
    case depth(line: Int, Int)
}

extension ViewTreeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noHeader: "view tree: expected a line that begins with `tree`, found none"
        case .version(let found): "view tree: expected version \(ViewTree.version), found \(found)"
        case .badField(let line, let field): "view tree: line \(line): \(field)"
        case .depth(let line, let depth): "view tree: line \(line): a view of depth \(depth) without one around it"
        }
    }
}

extension ViewTree {
    static let version = "1"
    /// The most letters of an identifier or a text in a tree. A longer text ends with `…`.
    public static let textLimit = 256

    // MARK: Writing

    /// The tree as lines without line breaks.
    public var lines: [String] {
        var lines = [
            joined([
                "tree", Self.version, state.rawValue, "\(orientation)", "\(display)", sceneFrame.text,
                "\(deferredEdges)", shortText(times.tapInterval), shortText(times.contentTouchDelay),
            ])
        ]
        for touch in touches { lines.append(joined(["touch", "\(touch.id)", touch.phase, touch.position.text])) }
        for view in views {
            lines.append(joined(view.fields))
            for recognizer in view.recognizers { lines.append(joined(recognizer.fields)) }
        }
        return lines
    }

    // MARK: Reading

    /// Reads lines that `lines` wrote.
    public init(lines: some Sequence<String>) throws(ViewTreeError) {
        var read: ViewTree?
        var number = 0
        for line in lines {
            number += 1
            var fields = FieldReader(line, number)
            let word = try fields.text()
            guard var tree = read else {
                guard word == "tree" else { throw .noHeader }
                read = try ViewTree(header: &fields)
                continue
            }
            // The tree moves out and back, so that its arrays are not copied.
            read = nil
            switch word {
            case "touch":
                let (id, phase) = (try fields.number(UInt32.self), try fields.text())
                tree.touches.append(Touch(id: id, position: try fields.position(), phase: phase))
            case "view":
                let view = try View(&fields)
                guard view.depth >= 0, view.depth <= (tree.views.last.map { $0.depth + 1 } ?? 0) else {
                    throw .depth(line: number, view.depth)
                }
                tree.views.append(view)
            case "recognizer":
                guard !tree.views.isEmpty else { throw fields.error("a recognizer without a view") }
                tree.views[tree.views.count - 1].recognizers.append(try Recognizer(&fields))
            default: throw fields.error("an unknown word")
            }
            read = tree
        }
        guard let read else { throw .noHeader }
        self = read
    }

    private init(header fields: inout FieldReader) throws(ViewTreeError) {
        let version = try fields.text()
        guard version == Self.version else { throw .version(String(version.prefix(16))) }
        guard let state = AppState(rawValue: try fields.text()) else { throw fields.error("an unknown state") }
        guard let orientation = InterfaceOrientation(name: try fields.text()) else {
            throw fields.error("an unknown orientation")
        }
        let display = try fields.number(UInt32.self)
        let frame = try fields.frame()
        self.init(
            state: state, display: display, sceneFrame: frame, orientation: orientation,
            deferredEdges: try fields.number(UInt8.self),
            times: Times(tapInterval: try fields.double(), contentTouchDelay: try fields.double()))
    }
}

// MARK: Views

extension ViewTree.View {
    fileprivate var fields: [String] {
        var fields = ["view", "\(identity)", "\(depth)", className, kind, frame.text]
        func add(_ name: String, _ value: String?) { if let value { fields.append("\(name)=\(value)") } }
        add("id", identifier)
        add("text", text)
        add("corners", corners.map { $0.map(\.text).joined(separator: ",") })
        if alpha != 1 { add("alpha", shortText(alpha)) }
        let flags =
            (isHidden ? "h" : "") + (isUserInteractionEnabled ? "" : "u") + (clipsToBounds ? "c" : "")
            + (isSecure ? "s" : "") + (hasOwnHitTest ? "o" : "") + (isTextCentered ? "m" : "")
        if !flags.isEmpty { add("flags", flags) }
        add("background", backgroundColor?.text)
        add("color", textColor?.text)
        add("tint", tintColor?.text)
        add("font", fontSize.map(shortText))
        if cornerRadius != 0 { add("radius", shortText(cornerRadius)) }
        if borderWidth != 0 { add("border", shortText(borderWidth)) }
        add("borderColor", borderColor?.text)
        if let scroll {
            let numbers = [scroll.contentOffset.x, scroll.contentOffset.y, scroll.contentWidth, scroll.contentHeight]
            add("scroll", numbers.map(shortText).joined(separator: ","))
            add("scrolls", (scroll.isScrollEnabled ? "e" : "") + (scroll.delaysContentTouches ? "d" : ""))
        }
        if let control {
            add(
                "control",
                (control.isEnabled ? "e" : "") + (control.isHighlighted ? "h" : "") + (control.isSelected ? "s" : "")
                    + (control.hasActions ? "a" : ""))
            add("value", control.value.map(shortText))
            add("minimum", control.minimum.map(shortText))
            add("maximum", control.maximum.map(shortText))
            add("parts", control.parts.map { "\($0)" })
        }
        switch touchTarget {
        case .position(let position): add("target", position.text)
        case .obstacle(let reason): add("obstacle", reason)
        case nil: break
        }
        return fields
    }

    fileprivate init(_ fields: inout FieldReader) throws(ViewTreeError) {
        let (identity, depth) = (try fields.number(UInt32.self), try fields.number(Int.self))
        let (className, kind) = (try fields.text(), try fields.text())
        self.init(identity: identity, depth: depth, className: className, kind: kind, frame: try fields.frame())
        while let (name, value) = try fields.named() {
            switch name {
            case "id": identifier = value
            case "text": text = value
            case "corners":
                let numbers = try fields.doubles(value, count: 8)
                corners = stride(from: 0, to: 8, by: 2).map {
                    ViewTree.Position(x: numbers[$0], y: numbers[$0 + 1])
                }
            case "alpha": alpha = min(max(try fields.double(value), 0), 1)
            case "flags":
                isHidden = value.contains("h")
                isUserInteractionEnabled = !value.contains("u")
                clipsToBounds = value.contains("c")
                isSecure = value.contains("s")
                hasOwnHitTest = value.contains("o")
                isTextCentered = value.contains("m")
            case "background": backgroundColor = try fields.color(value)
            case "color": textColor = try fields.color(value)
            case "tint": tintColor = try fields.color(value)
            case "font": fontSize = try fields.double(value)
            case "radius": cornerRadius = try fields.double(value)
            case "border": borderWidth = try fields.double(value)
            case "borderColor": borderColor = try fields.color(value)
            case "scroll":
                let numbers = try fields.doubles(value, count: 4)
                scroll = ViewTree.Scroll(
                    contentOffset: ViewTree.Position(x: numbers[0], y: numbers[1]), contentWidth: numbers[2],
                    contentHeight: numbers[3])
            case "scrolls":
                scroll?.isScrollEnabled = value.contains("e")
                scroll?.delaysContentTouches = value.contains("d")
            case "control":
                var read = ViewTree.Control()
                read.isEnabled = value.contains("e")
                read.isHighlighted = value.contains("h")
                read.isSelected = value.contains("s")
                read.hasActions = value.contains("a")
                control = read
            case "value": control?.value = try fields.double(value)
            case "minimum": control?.minimum = try fields.double(value)
            case "maximum": control?.maximum = try fields.double(value)
            case "parts": control?.parts = try fields.number(value, Int.self)
            case "target":
                let numbers = try fields.doubles(value, count: 2)
                touchTarget = .position(ViewTree.Position(x: numbers[0], y: numbers[1]))
            case "obstacle": touchTarget = .obstacle(value)
            default: throw fields.error("an unknown field \(name.prefix(16))")
            }
        }
    }
}

extension ViewTree.Recognizer {
    fileprivate var fields: [String] {
        var fields = ["recognizer", "\(identity)", className, kind, label, state]
        func add(_ name: String, _ value: Int, unless usual: Int) {
            if value != usual { fields.append("\(name)=\(value)") }
        }
        let flags =
            (isEnabled ? "" : "d") + (isOfUIKit ? "k" : "") + (isSubclass ? "s" : "") + (hasDelegate ? "a" : "")
        if !flags.isEmpty { fields.append("flags=\(flags)") }
        add("taps", taps, unless: 1)
        add("touches", touches, unless: 1)
        add("mostTouches", mostTouches, unless: 1)
        add("directions", directions, unless: 0)
        if duration != 0 { fields.append("duration=\(shortText(duration))") }
        if !requiredToFail.isEmpty {
            fields.append("requires=" + requiredToFail.map { "\($0)" }.joined(separator: ","))
        }
        return fields
    }

    fileprivate init(_ fields: inout FieldReader) throws(ViewTreeError) {
        let identity = try fields.number(UInt32.self)
        let (className, kind) = (try fields.text(), try fields.text())
        let (label, state) = (try fields.text(), try fields.text())
        self.init(identity: identity, className: className, kind: kind, label: label, state: state)
        while let (name, value) = try fields.named() {
            switch name {
            case "flags":
                isEnabled = !value.contains("d")
                isOfUIKit = value.contains("k")
                isSubclass = value.contains("s")
                hasDelegate = value.contains("a")
            case "taps": taps = try fields.number(value, Int.self)
            case "touches": touches = try fields.number(value, Int.self)
            case "mostTouches": mostTouches = try fields.number(value, Int.self)
            case "directions": directions = try fields.number(value, Int.self)
            case "duration": duration = try fields.double(value)
            case "requires":
                for word in value.split(separator: ",") {
                    requiredToFail.append(try fields.number(String(word), UInt32.self))
                }
            default: throw fields.error("an unknown field \(name.prefix(16))")
            }
        }
    }
}

// MARK: Fields

/// A number without `.0`.
func shortText(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number))" : "\(number)"
}

extension ViewTree.Position {
    fileprivate var text: String { "\(shortText(x)),\(shortText(y))" }
}

extension ViewTree.Frame {
    fileprivate var text: String { [x, y, width, height].map(shortText).joined(separator: ",") }
}

extension ViewTree.Color {
    /// `#FF8000`, with two more digits unless the color is opaque.
    public var text: String {
        let digits = Array("0123456789ABCDEF")
        return (alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]).reduce(into: "#") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}

private func joined(_ fields: [String]) -> String { fields.map(escaped).joined(separator: "\t") }

private func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 || $0 == 92 }) else { return text }
    return text.unicodeScalars.reduce(into: "") { out, scalar in
        switch scalar {
        case "\t": out += "\\t"
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\\": out += "\\\\"
        default: out.unicodeScalars.append(scalar)
        }
    }
}

/// The fields of one line, read from left to right.
private struct FieldReader {
    private let fields: [Substring]
    private var index = 0
    private let line: Int

    init(_ text: String, _ line: Int) {
        fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        self.line = line
    }

    func error(_ problem: String) -> ViewTreeError { .badField(line: line, problem) }

    mutating func text() throws(ViewTreeError) -> String {
        guard index < fields.count else { throw error("a field is missing") }
        defer { index += 1 }
        return try unescaped(fields[index])
    }

    mutating func named() throws(ViewTreeError) -> (String, String)? {
        guard index < fields.count else { return nil }
        let field = try text()
        guard let sign = field.firstIndex(of: "=") else { throw error("a field without =") }
        return (String(field[..<sign]), String(field[field.index(after: sign)...]))
    }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(ViewTreeError) -> Number {
        try number(try text(), type)
    }

    func number<Number: FixedWidthInteger>(_ text: String, _ type: Number.Type) throws(ViewTreeError) -> Number {
        guard let number = Number(text) else { throw error("expected a number, found \(text.prefix(16))") }
        return number
    }

    mutating func double() throws(ViewTreeError) -> Double { try double(try text()) }

    func double(_ text: String) throws(ViewTreeError) -> Double {
        guard let number = Double(text), number.isFinite else {
            throw error("expected a number, found \(text.prefix(16))")
        }
        return number
    }

    func doubles(_ text: String, count: Int) throws(ViewTreeError) -> [Double] {
        let words = text.split(separator: ",")
        guard words.count == count else { throw error("expected \(count) numbers, found \(words.count)") }
        var numbers: [Double] = []
        for word in words { numbers.append(try double(String(word))) }
        return numbers
    }

    mutating func frame() throws(ViewTreeError) -> ViewTree.Frame {
        let numbers = try doubles(try text(), count: 4)
        return ViewTree.Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    mutating func position() throws(ViewTreeError) -> ViewTree.Position {
        let numbers = try doubles(try text(), count: 2)
        return ViewTree.Position(x: numbers[0], y: numbers[1])
    }

    func color(_ text: String) throws(ViewTreeError) -> ViewTree.Color {
        guard text.hasPrefix("#"), text.utf8.count == 7 || text.utf8.count == 9,
            let bits = UInt32(text.dropFirst(), radix: 16)
        else { throw error("expected a color, found \(text.prefix(16))") }
        let rgba = text.utf8.count == 7 ? bits << 8 | 255 : bits
        return ViewTree.Color(
            UInt8(rgba >> 24), UInt8(rgba >> 16 & 255), UInt8(rgba >> 8 & 255), UInt8(rgba & 255))
    }

    private func unescaped(_ field: Substring) throws(ViewTreeError) -> String {
        guard field.utf8.contains(92) else { return String(field) }
        var out = ""
        var isEscaped = false
        for scalar in field.unicodeScalars {
            guard isEscaped else {
                if scalar == "\\" { isEscaped = true } else { out.unicodeScalars.append(scalar) }
                continue
            }
            isEscaped = false
            switch scalar {
            case "t": out += "\t"
            case "n": out += "\n"
            case "r": out += "\r"
            case "\\": out += "\\"
            default: throw error("an unknown escape")
            }
        }
        if isEscaped { throw error("an unfinished escape") }
        return out
    }
}
