// Expectation.swift: the lines that must be observed, as a small regular language over lines.
//
// Fed by    ExpectationParser
// Feeds     Checker
// Knows     operators of Docs/Spec/Semantics.md section 0.3. No scenario, no trace.
//
//     line            SET{ a | b }         each once, contiguous, any order
//     OPT{ a ; b }    SETG{ (a;b) | c }    the same with groups: an element may be anything
//     REP{ a }        REP+{ a }            NOT{ a* }   nowhere in the scenario
//     ALT{ a | b }    one of them
//     IOSSET{ a | b } in this order; where iOS leaves it open and so does the run, in any
//     IOS{ a | b }    the first; where the run leaves open what iOS does, the second

import Basics

public struct Expectation: Sendable {
    /// All patterns, children before parents.
    var nodes: [Node]
    var root: Int
    /// What must not occur anywhere.
    var forbidden: [LinePattern]

    /// No lines, and none forbidden.
    init() { (nodes, root, forbidden) = ([.sequence([])], 0, []) }

    enum Node: Sendable {
        case line(LinePattern)
        case sequence([Int])
        case set([Int])
        case optional(Int)
        case repeated(Int, atLeastOnce: Bool)
        case choice([Int])
        /// A sequence in deterministic order, a set otherwise.
        case openSet([Int])
        case byOrder(deterministic: Int, ios: Int)
    }
}

/// What becomes of an order that iOS does not specify.
public enum DeliveryOrder: Hashable, Sendable {
    /// Always the same.
    case deterministic
    /// Shuffled, by this seed.
    case ios(seed: UInt64)
}

/// One line that is expected.
public struct LinePattern: Hashable, Sendable {
    /// Words with one space between.
    public var text: String
    var time: TimeBound?
    var place: Place

    init(_ text: String, time: TimeBound? = nil, at place: Place) {
        (self.text, self.time, self.place) = (text, time, place)
    }
}

/// `@t≈x`: when a line must come, counted from the first down.
public struct TimeBound: Hashable, Sendable {
    var at: Duration
    var early: Duration
    var late: Duration

    /// Half of the last digit written counts as exact: 1/60 s is neither 0.016 nor 0.017.
    init(at: Duration, early: Duration = .zero, late: Duration = .milliseconds(20)) {
        (self.at, self.early, self.late) = (at, early, late)
    }

    /// - Parameter slack: What real processes may be later than a virtual clock.
    func admits(_ time: Duration, slack: Duration) -> Bool { at - early <= time && time <= at + late + slack }
}

/// A line that was observed, with its time since the first down.
public struct ObservedLine: Hashable, Sendable {
    public var text: String
    public var time: Duration

    public init(_ text: String, at time: Duration = .zero) {
        self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self.time = time
    }
}

extension LinePattern: CustomStringConvertible {
    public var description: String { time.map { "\(text) \($0)" } ?? text }

    func admits(_ line: ObservedLine, slack: Duration) -> Bool {
        line.text == text && (time?.admits(line.time, slack: slack) ?? true)
    }

    /// As a line of NOT{}: a `*` stands for any run of characters.
    func forbids(_ line: ObservedLine, slack: Duration) -> Bool {
        wildcard(Array(text.unicodeScalars), matches: Array(line.text.unicodeScalars))
            && (time?.admits(line.time, slack: slack) ?? true)
    }
}

extension TimeBound: CustomStringConvertible {
    public var description: String { "@t≈\(fixedText(at.seconds, digits: 3))" }
}

/// Greedy with one point of return, which is enough when only `*` is special.
private func wildcard(_ pattern: [Unicode.Scalar], matches text: [Unicode.Scalar]) -> Bool {
    var (p, t) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while t < text.count {
        if p < pattern.count, pattern[p] == "*" {
            star = (p, t)
            p += 1
        } else if p < pattern.count, pattern[p] == text[t] {
            (p, t) = (p + 1, t + 1)
        } else if let (starP, starT) = star {
            star = (starP, starT + 1)
            (p, t) = (starP + 1, starT + 1)
        } else {
            return false
        }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
}
