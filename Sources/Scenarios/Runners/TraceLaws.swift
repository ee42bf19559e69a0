// TraceLaws.swift: the laws of touches in any trace of a whole group.
//
//     routed    a touch goes to one recipient, and is known nowhere else
//     paired    a touch that began has one end, ended or cancelled, and nothing after it
//     forward   the time of a process does not go back
//     at rest   no touch is live when all fingers are up and everything has run
//
// Input     `touchline monkey gestures --simulated`: the trace of a SimulatedGroup, line by line
// Output    violations, each returned for the line that shows it
// Knows     the text of facts at the stations router, event and hitTest. No core.
//
// Sources   documented  Docs/Spec/Semantics.md B1, D2: a touch keeps its app and its view until it ends

import Basics
public import Trace

/// A fold over trace lines that finds violations of the laws.
public struct TraceLaws: Sendable {
    /// A broken law.
    public struct Violation: Hashable, Sendable, CustomStringConvertible {
        /// A law of the touches in a trace.
        public enum Law: String, Sendable, CaseIterable { case routed, paired, forward, atRest }

        public var law: Law
        public var text: String
        public var description: String { "\(law.rawValue): \(text)" }
    }

    private enum TouchState { case live, dropped, over }

    /// The recipient of each touch, and its state in the app. Ended touches are removed in time.
    private var routes: [Int: String] = [:]
    private var states: [Int: TouchState] = [:]
    private var oldest = 0
    private var latest: [String: Instant] = [:]

    /// The number of touches that are remembered after their end.
    private static let memory = 1000

    public init() {}

    /// - Returns: The violation that this line shows; nil for none.
    public mutating func add(_ line: TraceLine) -> Violation? {
        defer { latest[line.process] = line.at }
        if let before = latest[line.process], before > line.at {
            return Violation(law: .forward, text: "\(line.process) noted \(line.at) after \(before): \(line.text)")
        }
        guard !line.isProbe else { return nil }
        let words = line.text.split(separator: " ")
        switch line.station {
        case .router: return routed(words, line)
        case .event: return handleTouchLine(words, line)
        case .hitTest:
            guard words.count > 3, words[0] == "touch", let touch = Int(words[1]) else { return nil }
            if words[2] == "dropped:" || words[3] == "nothing," { states[touch] = .dropped }
            return nil
        default: return nil
        }
    }

    /// Handles `contact 1 → app:1, until it lifts: touch 12`.
    private mutating func routed(_ words: [Substring], _ line: TraceLine) -> Violation? {
        guard words.count == 9, words[0] == "contact", words[2] == "→", let touch = Int(words[8]) else { return nil }
        // The recipient in the form of a process's name.
        let recipient = words[3].dropLast().filter { $0 != ":" }
        if let known = routes[touch] {
            return Violation(law: .routed, text: "touch \(touch) went to \(known), and then to \(recipient)")
        }
        routes[touch] = recipient
        forget(before: touch - Self.memory)
        return nil
    }

    private mutating func handleTouchLine(_ words: [Substring], _ line: TraceLine) -> Violation? {
        guard words.count > 2, words[0] == "touch", let touch = Int(words[1]), touch >= oldest else { return nil }
        if let recipient = routes[touch], recipient != line.process {
            return Violation(
                law: .routed, text: "touch \(touch) is \(recipient)'s, and \(line.process) says: \(line.text)")
        }
        let state = states[touch]
        switch words[2] {
        case "began":
            states[touch] = .live
            guard let state else { return nil }
            return Violation(law: .paired, text: "touch \(touch) began, and is \(state)")
        case "dropped:":
            // The touch may have landed on no view. The app then notes that at every later phase.
            guard state == .live, line.text.contains("never began") else {
                states[touch] = .dropped
                return nil
            }
            return Violation(law: .paired, text: line.text)
        case "moved", "ended", "cancelled":
            if words[2] != "moved" { states[touch] = .over }
            guard state != .live else { return nil }
            return Violation(
                law: .paired, text: "touch \(touch) \(words[2]), and is \(state.map { "\($0)" } ?? "unknown")")
        default: return nil
        }
    }

    private mutating func forget(before touch: Int) {
        while oldest < touch {
            routes[oldest] = nil
            if states[oldest] != .live { states[oldest] = nil }
            oldest += 1
        }
    }

    /// Returns the violations of a trace that should be at rest.
    public func atRest() -> [Violation] {
        states.filter { $0.value == .live }.keys.sorted().map {
            Violation(law: .atRest, text: "touch \($0) began and has no end")
        }
    }
}
