// SceneText.swift: the text of a scene, in which numbers can be changed one at a time.
//
//     text ─▶ scene, thresholds ─▶ dials
//     dial, value ─▶ the one scalar in the text ─▶ text ─▶ parsed: the value is there, and all else is equal
//
// The edit keeps comments, order and spacing: it replaces the number where it stands, or adds its key to the mapping of
// the recognizer or to `config:`. A number that the text shares with another view (an anchor) or that another file has is
// refused, because the parsed result is not the expected one.
//
// Input     the inspector: the text of a scene as a person edits it
// Output    the changed text; dials
// Knows     places in a text. SceneNumber knows the numbers.
//
// Sources   invented

import Basics
import Settings
public import Wire

/// A number of a scene that a person can change.
public struct SceneDial: Equatable, Sendable {
    /// Unique in the scene: `view/plus/frame width`, `gesture/card.tap/taps`, `setting/tap.maxDuration`.
    public var id: String
    /// The name for a person: `plus frame width`.
    public var label: String
    /// The view that has the number, or whose recognizer has it; nil for a threshold.
    public var view: String?
    public var value: Double
    public var range: ClosedRange<Double>
    /// The difference between two values of a slider.
    public var step: Double
    /// `seconds`, `points`, `count` or `number`.
    public var unit: String
}

/// A change that a scene does not allow. At fault: the person who asked for it.
public enum DialError: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case outside(value: Double, range: ClosedRange<Double>, dial: String)
    /// The number is not written in this text alone.
    case shared(String)

    public var description: String {
        switch self {
        case .unknown(let id): "no dial of the scene is called \(quoted(id))"
        case .outside(let value, let range, let dial):
            "\(dial): expected \(SceneNumber.text(of: range.lowerBound)) to \(SceneNumber.text(of: range.upperBound)), "
                + "found \(value)"
        case .shared(let dial): "\(dial): expected a number that this text contains once, found a shared one"
        }
    }
}

/// A scene with its text.
public struct SceneText: Sendable {
    public let text: String
    public let file: String
    /// The title of the scene; empty without one.
    public let title: String
    private let scenario: Scenario
    private let root: YAMLNode

    /// The most dials that are listed.
    public static let dialLimit = 500

    /// - Parameters:
    ///   - text: The scenario or scene, as YAML.
    ///   - file: The name of the text in errors, and the path from which `scene:` is searched.
    /// - Throws: `ScenarioError` with line, column and reason.
    public init(parsing text: String, file: String) throws(ScenarioError) {
        root = try YAMLNode(parsing: text, file: file)
        (self.text, self.file) = (text, file)
        title = root.value("title")?.scalar ?? ""
        var scenario = Scenario(file: file)
        scenario.scene = try Scene(parsed: root, file: file)
        if let config = root.value("config") { scenario.config = try Scenario.config(of: config) }
        self.scenario = scenario
    }

    /// - Throws: `ScenarioError` with file, line, column and reason.
    public init(contentsOf path: String) throws(ScenarioError) {
        try self.init(parsing: try readText(path), file: path)
    }

    /// The thresholds of gestures that the text sets under `config:`. Other settings there have no effect.
    public var thresholds: [Setting] { scenario.config.filter { $0.key.isThreshold } }

    /// `key=value` of a group that shows the scene: the size of its screen, and its thresholds.
    public var settings: [String] {
        let (width, height) = scenario.scene.screen
        let size = [("screen.width", width), ("screen.height", height)]
        return size.map { "\($0)=\(SceneNumber.text(of: $1))" } + thresholds.map { "\($0.key)=\($0.value)" }
    }

    // MARK: Dials

    /// The numbers that can be changed: of recognizers, thresholds of their kinds, and of views.
    private var numbers: [SceneNumber] {
        var (gestures, views): ([SceneNumber], [SceneNumber]) = ([], [])
        var groups: [String] = []
        for path in ViewPath.all(in: scenario.scene) {
            let spec = path.spec(in: scenario.scene)
            groups += SceneNumber.thresholdGroups(of: spec)
            for (index, gesture) in spec.gestures.enumerated() {
                gestures += SceneNumber.numbers(of: gesture, of: spec, at: path, index, in: scenario)
            }
            views += SceneNumber.numbers(of: spec, at: path, in: scenario.scene)
        }
        return gestures + SceneNumber.thresholds(of: groups, in: scenario) + views
    }

    /// The dials, those of recognizers first. At most `dialLimit`.
    public var dials: [SceneDial] {
        Array(numbers.lazy.filter { edit(of: $0, to: "0") != nil }.map(Self.dial).prefix(Self.dialLimit))
    }

    private static func dial(_ number: SceneNumber) -> SceneDial {
        let kind: String
        switch number.place {
        case .view: kind = "view"
        case .gesture: kind = "gesture"
        case .setting: kind = "setting"
        }
        let view = kind == "setting" ? nil : String(number.subject.prefix { $0 != "." })
        let parts = [number.subject, number.name].filter { !$0.isEmpty }
        return SceneDial(
            id: ([kind] + parts).joined(separator: "/"), label: parts.joined(separator: " "), view: view,
            value: number.value, range: number.range, step: number.resolution, unit: number.unit.rawValue)
    }

    /// Returns the scene with one number changed.
    ///
    /// - Parameters:
    ///   - id: The identifier of the dial.
    ///   - value: It is rounded to the dial's step.
    /// - Throws: `DialError`; `ScenarioError` when the scene is not valid with that value.
    public func setting(_ id: String, to value: Double) throws -> SceneText {
        guard let number = numbers.first(where: { Self.dial($0).id == id }) else { throw DialError.unknown(id) }
        guard number.range.contains(value) else {
            throw DialError.outside(value: value, range: number.range, dial: Self.dial(number).label)
        }
        let steps = (value / number.resolution).rounded() * number.resolution
        let text = SceneNumber.text(of: min(max(steps, number.range.lowerBound), number.range.upperBound))
        guard let edited = edit(of: number, to: text) else { throw DialError.shared(Self.dial(number).label) }
        let changed = try SceneText(parsing: edited, file: file)
        var expected = scenario
        number.set(Double(text) ?? value, in: &expected)
        guard changed.scenario.scene.isEqual(to: expected.scene),
            Self.inOrder(changed.scenario.config) == Self.inOrder(expected.config)
        else { throw DialError.shared(Self.dial(number).label) }
        return changed
    }

    private static func inOrder(_ settings: [Setting]) -> [String] {
        settings.map { "\($0.key)=\($0.value)" }.sorted()
    }

    // MARK: The text

    /// Returns the text with one number replaced; nil if the text does not contain its place.
    private func edit(of number: SceneNumber, to value: String) -> String? {
        switch number.place {
        case .view(let path, let property, let index):
            let spec = path.spec(in: scenario.scene)
            for node in [root.value("views")?.value(spec.name), root.mapping(at: spec.location)] {
                guard let written = node?.value(property) else { continue }
                if case .sequence(let items) = written.content {
                    return items.indices.contains(index) ? replacing(items[index], by: value) : nil
                }
                return replacing(written, by: value)
            }
            return nil
        case .gesture(let path, let index, let property):
            let gesture = path.spec(in: scenario.scene).gestures[index]
            guard let node = root.mapping(at: gesture.location) else { return nil }
            if let written = node.value(property) { return replacing(written, by: value) }
            return adding("\(property): \(value)", to: node)
        case .setting(let key):
            guard let config = root.value("config") else { return adding("config: { \(key): \(value) }", to: root) }
            if let written = config.value(key) { return replacing(written, by: value) }
            return adding("\(key): \(value)", to: config)
        }
    }

    private func replacing(_ node: YAMLNode, by value: String) -> String? {
        guard let old = node.scalar, let start = index(of: node.location) else { return nil }
        let scalars = text.unicodeScalars
        var (from, written) = (start, old)
        // A quoted number has no escapes.
        if scalars[start] == "\"" || scalars[start] == "'" {
            let quote = scalars[start]
            (from, written) = (start, "\(quote)\(old)\(quote)")
        }
        guard scalars[from...].starts(with: written.unicodeScalars) else { return nil }
        let end = scalars.index(from, offsetBy: written.unicodeScalars.count)
        return String(scalars[..<from]) + value + String(scalars[end...])
    }

    /// Adds a key before the first one of a mapping, in the mapping's own style.
    private func adding(_ entry: String, to node: YAMLNode) -> String? {
        guard case .mapping(let entries) = node.content, !entries.isEmpty, let start = index(of: node.location) else {
            return nil
        }
        let scalars = text.unicodeScalars
        if scalars[start] == "{" {
            let inside = scalars.index(after: start)
            return String(scalars[...start]) + " \(entry)," + String(scalars[inside...])
        }
        let indentation = String(repeating: " ", count: node.location.column - 1)
        return String(scalars[..<start]) + "\(entry)\n\(indentation)" + String(scalars[start...])
    }

    /// The index of a place in this text; nil for one of another file.
    private func index(of location: FileLocation) -> String.UnicodeScalarView.Index? {
        guard location.file == file else { return nil }
        let scalars = text.unicodeScalars
        var (line, index) = (1, scalars.startIndex)
        while line < location.line {
            guard index < scalars.endIndex else { return nil }
            let isEnd = scalars[index] == "\n" || (scalars[index] == "\r" && !isLineFeed(after: index))
            if isEnd { line += 1 }
            index = scalars.index(after: index)
        }
        guard let found = scalars.index(index, offsetBy: location.column - 1, limitedBy: scalars.endIndex),
            found < scalars.endIndex
        else { return nil }
        return found
    }

    private func isLineFeed(after index: String.UnicodeScalarView.Index) -> Bool {
        let next = text.unicodeScalars.index(after: index)
        return next < text.unicodeScalars.endIndex && text.unicodeScalars[next] == "\n"
    }
}

extension YAMLNode {
    /// The mapping that begins at a place; nil without one.
    fileprivate func mapping(at place: FileLocation) -> YAMLNode? {
        switch content {
        case .scalar: return nil
        case .sequence(let items):
            for item in items { if let found = item.mapping(at: place) { return found } }
            return nil
        case .mapping(let entries):
            if location == place { return self }
            for entry in entries { if let found = entry.value.mapping(at: place) { return found } }
            return nil
        }
    }
}

/// The thresholds of an app without a text, as dials.
public struct ThresholdDials: Sendable {
    private let scenario: Scenario

    /// - Parameter settings: The thresholds that are set already.
    public init(_ settings: [Setting]) {
        var scenario = Scenario(file: "")
        scenario.config = settings
        self.scenario = scenario
    }

    private var numbers: [SceneNumber] {
        SceneNumber.thresholds(of: SceneNumber.allThresholdGroups, in: scenario)
    }

    /// Thresholds of every kind of recognizer, because the recognizers of an app are not known.
    public var dials: [SceneDial] {
        numbers.map {
            SceneDial(
                id: "setting/\($0.subject)", label: $0.subject, view: nil, value: $0.value, range: $0.range,
                step: $0.resolution, unit: $0.unit.rawValue)
        }
    }

    /// Returns the settings with one threshold changed.
    public func setting(_ id: String, to value: Double) throws(DialError) -> [Setting] {
        guard let number = numbers.first(where: { "setting/\($0.subject)" == id }) else { throw .unknown(id) }
        guard number.range.contains(value) else {
            throw .outside(value: value, range: number.range, dial: number.subject)
        }
        var changed = scenario
        number.set(value, in: &changed)
        return changed.config
    }
}
