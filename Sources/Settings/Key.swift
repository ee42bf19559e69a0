// Key.swift: the declaration of one setting: name, type, unit, default, range, meaning, source.
//
//     Settings.Key<Duration>.seconds("server.suspensionLimit", 0.9, in: 0...3600, "a scan may …", source: "fault F12")
//         ├─▶ settings[.serverSuspensionLimit]    a Duration
//         └─▶ Settings.Declaration      Config/pipeline.yaml, Docs/Reference/Settings.md, error messages
//
// Values are text in files, on the wire and in journals; a key defines the allowed text and parses it.

import Basics

extension Settings {
    /// One setting, with the type of its value.
    public struct Key<Value>: Sendable {
        public let declaration: Declaration
        /// Parses a text that `declaration.kind` allows.
        let read: @Sendable (String) -> Value

        public var name: String { declaration.name }
    }

    /// One setting, for files and messages.
    public struct Declaration: Sendable {
        /// Dotted; the file nests it.
        public let name: String
        public let kind: Kind
        /// Whether the value is a whole number: a fraction is cut off.
        public let isWhole: Bool
        /// The unit of a number; empty without one.
        public let unit: String
        /// The meaning without the unit.
        let phrase: String
        public let source: String
        let standardValue: StandardValue

        /// The default, as a person would write it. A number is written when it is read: keys are made at each access.
        public var standard: String {
            switch standardValue {
            case .text(let text): text
            case .number(let number): short(number)
            }
        }

        /// One phrase, which begins with the unit. It is made when it is read: keys are made at each access.
        public var meaning: String { unit.isEmpty ? phrase : phrase.isEmpty ? unit : "\(unit) \(phrase)" }
    }

    /// The default of a setting.
    enum StandardValue: Sendable {
        case text(String)
        case number(Double)
    }

    /// The text that a setting allows.
    public enum Kind: Sendable {
        case number(ClosedRange<Double>)
        case word([String])
        /// One or more of them, with commas between; or `all`.
        case words([String])
        case flag
        case text
        /// CPU numbers with commas between; none for any.
        case cpus
        /// URL schemes, with blanks between.
        case schemes
        /// Sizes, with blanks between.
        case displays
        /// Devices and their displays, with commas between.
        case panels
    }

    enum Unit: String {
        case seconds, points, degrees
        case pointsPerSecond = "points per second"
        case hertz = "Hz"
        case mebibytes = "MiB"
    }
}

extension Settings.Kind {
    /// The expected text instead of `value`; nil if the value is allowed.
    func complaint(about value: String) -> String? {
        switch self {
        case .number(let range):
            guard let number = Double(value), range.contains(number) else {
                return "a number from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .word(let words): return words.contains(value) ? nil : words.joined(separator: " or ")
        case .words(let words):
            let found = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            return value == "all" || found.allSatisfy { words.contains(String(Substring($0))) }
                ? nil : "all, or some of \(words.joined(separator: ",")) with commas between"
        case .flag: return ["true", "false", "yes", "no", "on", "off"].contains(value) ? nil : "true or false"
        case .text: return nil
        case .schemes: return Schemes.complaint(about: value)
        case .displays: return Displays.complaint(about: value)
        case .panels: return PanelDisplays.complaint(about: value)
        case .cpus:
            let numbers = value.isEmpty ? [] : value.split(separator: ",", omittingEmptySubsequences: false)
            let areCPUs = numbers.allSatisfy { number in Int(number).map { (0..<1024).contains($0) } ?? false }
            return areCPUs ? nil : "CPU numbers such as 0 or 0,1"
        }
    }
}

// MARK: Kinds of settings

extension Settings.Key {
    private init(
        _ name: String, _ standard: Settings.StandardValue, _ kind: Settings.Kind, isWhole: Bool = false,
        unit: Settings.Unit? = nil,
        _ meaning: String, _ source: String, read: @escaping @Sendable (String) -> Value
    ) {
        declaration = Settings.Declaration(
            name: name, kind: kind, isWhole: isWhole, unit: unit?.rawValue ?? "", phrase: meaning, source: source,
            standardValue: standard)
        self.read = read
    }
}

// Every process makes all keys when it starts. An interpolation of a value, and `is` with a protocol, search the
// conformances of the whole program; a constraint finds the witness at compile time.

extension Settings.Key where Value: RawRepresentable & SendableMetatype, Value.RawValue == String {
    /// A setting with a few words.
    static func choice(
        _ name: String, _ standard: Value, of values: some Sequence<Value> & Sendable, _ meaning: String,
        source: String = "invented"
    ) -> Self {
        Self(name, .text(standard.rawValue), .word(values.map(\.rawValue)), meaning, source) { text in
            values.first { $0.rawValue == text }!
        }
    }
}

extension Settings.Key where Value: CustomStringConvertible & SendableMetatype {
    /// A setting with a few values, written as their descriptions.
    static func choice(
        _ name: String, _ standard: Value, _ unit: Settings.Unit? = nil, of values: some Sequence<Value> & Sendable,
        _ meaning: String, source: String = "invented"
    ) -> Self {
        Self(name, .text(standard.description), .word(values.map(\.description)), unit: unit, meaning, source) { text in
            values.first { $0.description == text }!
        }
    }
}

extension Settings.Key<Double> {
    static func number(
        _ name: String, _ standard: Double, _ unit: Settings.Unit? = nil, in range: ClosedRange<Double>,
        _ meaning: String, source: String = "invented"
    ) -> Self {
        Self(name, .number(standard), .number(range), unit: unit, meaning, source) { Double($0)! }
    }
}

extension Settings.Key<Duration> {
    /// - Parameters:
    ///   - standard: In seconds.
    ///   - range: In seconds.
    static func seconds(
        _ name: String, _ standard: Double, in range: ClosedRange<Double>, _ meaning: String,
        source: String = "invented"
    ) -> Self {
        Self(name, .number(standard), .number(range), unit: .seconds, meaning, source) {
            Duration(seconds: Double($0)!)
        }
    }
}

extension Settings.Key where Value: BinaryInteger & SendableMetatype {
    /// A number with an ignored fraction.
    static func whole(
        _ name: String, _ standard: Value, _ unit: Settings.Unit? = nil, in range: ClosedRange<Value>,
        _ meaning: String, source: String = "invented"
    ) -> Self {
        let range = Double(range.lowerBound)...Double(range.upperBound)
        return Self(name, .number(Double(standard)), .number(range), isWhole: true, unit: unit, meaning, source) {
            Value(Double($0)!)
        }
    }
}

extension Settings.Key<Bool> {
    static func flag(_ name: String, _ standard: Bool, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(standard ? "true" : "false"), .flag, meaning, source) { ["true", "yes", "on"].contains($0) }
    }
}

extension Settings.Key<String> {
    static func text(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .text, meaning, source) { $0 }
    }

    static func cpus(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .cpus, meaning, source) { $0 }
    }
}

extension Settings.Key<Instant?> {
    /// A moment in nanoseconds; nil for another text.
    static func moment(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .text, meaning, source) { Int64($0).map { Instant(nanoseconds: $0) } }
    }
}

extension Settings.Key<[String]> {
    /// Any words, with commas between.
    static func words(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .text, meaning, source) { $0.split(separator: ",").map(String.init) }
    }

    static func schemes(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .schemes, meaning, source) { $0.split(separator: " ").map(String.init) }
    }
}

extension Settings.Key<[InterfaceOrientation]> {
    /// Several of a few values, in the written order; all of them by default, and never empty.
    static func all(
        _ name: String, of values: [InterfaceOrientation], _ meaning: String, source: String = "invented"
    ) -> Self {
        Self(name, .text("all"), .words(values.map(\.description)), meaning, source) { text in
            if text == "all" { return values }
            let found = text.split(separator: ",").compactMap { InterfaceOrientation(name: $0) }
            return found.isEmpty ? values : found
        }
    }
}

extension Settings.Key<[Displays.Display]> {
    static func displays(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .displays, meaning, source) {
            $0.utf8.split(separator: UInt8(ascii: " ")).compactMap { Displays.Display(text: Substring($0)) }
        }
    }
}

extension Settings.Key<[PanelDisplays.Entry]> {
    static func panels(_ name: String, _ meaning: String, source: String = "invented") -> Self {
        Self(name, .text(""), .panels, meaning, source) { PanelDisplays.entries($0) ?? [] }
    }
}

/// A number without `.0`, as a person writes it.
private func short(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
