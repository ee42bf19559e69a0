// Expectation.swift: the expected lines, as a small regular language over lines.
//
// Input     ExpectationParser
// Output    Checker
// Knows     the operators of Docs/Spec/Semantics.md section 0.3. No scenario, no trace.
//
//     line            SET{ a | b }         each once, contiguous, in any order
//     OPT{ a ; b }    SETG{ (a;b) | c }    the same with groups: an element may be anything
//     REP{ a }        REP+{ a }            NOT{ a* }   nowhere in the scenario
//     ALT{ a | b }    one of them
//     IOSSET{ a | b } in this order; in any order if the run shuffles what iOS leaves open
//     IOS{ a | b }    the first; the second if the run shuffles what iOS leaves open
//
// Sources   documented  Docs/Spec/Semantics.md section 0.3; invented: ALT, IOSSET, IOS

import Basics

/// The lines that a scenario expects and forbids.
public struct Expectation: Sendable {
    /// All nodes, children before parents.
    var nodes: [Node]
    var root: Int
    /// The lines that must not occur anywhere.
    var forbidden: [LinePattern]

    /// Makes an expectation of no lines that forbids none.
    init() { (nodes, root, forbidden) = ([.sequence([])], 0, []) }

    enum Node: Sendable {
        case line(LinePattern)
        case sequence([Int])
        case set([Int])
        case optional(Int)
        case repeated(Int, atLeastOnce: Bool)
        case choice([Int])
        /// A sequence in deterministic order; a set otherwise.
        case openSet([Int])
        case byOrder(deterministic: Int, ios: Int)
    }
}

/// How orders that iOS does not specify are decided.
public enum DeliveryOrder: Hashable, Sendable {
    /// Always the same order.
    case deterministic
    /// An order shuffled by this seed.
    case ios(seed: UInt64)
}

/// One expected line.
public struct LinePattern: Hashable, Sendable {
    /// The words, separated by one space.
    public var text: String
    var time: TimeBound?
    var location: FileLocation

    init(_ text: String, time: TimeBound? = nil, at location: FileLocation) {
        (self.text, self.time, self.location) = (text, time, location)
    }
}

/// `@t≈x`: the time of a line, counted from the first landing.
public struct TimeBound: Hashable, Sendable {
    var at: Duration
    var early: Duration
    var late: Duration

    /// Half of the last written digit counts as exact, because 1/60 s is neither 0.016 nor 0.017.
    init(at: Duration, early: Duration = .zero, late: Duration = .milliseconds(20)) {
        (self.at, self.early, self.late) = (at, early, late)
    }

    /// - Parameter slack: How much later a line of real processes may come than on a virtual clock.
    func admits(_ time: Duration, slack: Duration) -> Bool { at - early <= time && time <= at + late + slack }
}

/// An observed line with its time since the first landing.
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

    /// Whether this line of NOT{} forbids an observed one. A `*` stands for any characters.
    func forbids(_ line: ObservedLine, slack: Duration) -> Bool {
        wildcard(Array(text.unicodeScalars), matches: Array(line.text.unicodeScalars))
            && (time?.admits(line.time, slack: slack) ?? true)
    }
}

extension TimeBound: CustomStringConvertible {
    public var description: String { "@t≈\(fixedText(at.seconds, digits: 3))" }
}

/// Matches greedily with one point of return, which suffices because only `*` is special.
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
