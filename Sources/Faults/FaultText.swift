// FaultText.swift: a fault as a line of text, in both directions.
//
//    <when>ms <word> <target> [<amount>] [for <how long>ms]
//
// Times have up to six digits after the point, which are nanoseconds, so that a parsed and written line is unchanged.
//
// Input     `--script` files, repro lines, chaos messages
// Output    FaultPlan
//
// Sources   invented

import Basics
import Wire

/// A line that is no fault. At fault: its writer.
public struct FaultError: Error, Hashable, Sendable {
    /// The expected and the found text; `nothing` at the end of the line.
    public var expected: String
    public var found: String

    public init(expected: String, found: String) { (self.expected, self.found) = (expected, found) }
}

extension FaultError: CustomStringConvertible {
    /// `expected a fault word, found "kil", did you mean kill?`
    public var description: String { "expected \(expected), found \(found)" }
}

extension Fault: CustomStringConvertible {
    /// `1500ms stop system-server for 300ms`
    public var description: String {
        var text = "\(milliseconds(at)) \(kind.rawValue) \(target)"
        if kind.amount != .nothing { text += " \(plain(amount))" }
        if kind.hasLength || (kind.mayHaveLength && length > .zero) { text += " for \(milliseconds(length))" }
        return text
    }
}

extension Fault {
    /// Parses one line.
    ///
    /// - Throws: `FaultError` for the first wrong word.
    public init(parsing text: some StringProtocol) throws(FaultError) {
        var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { String($0) }[...]
        let at = try Self.time(words.popFirst(), "when, as 1500ms")
        guard let named = words.popFirst() else { throw FaultError(expected: "a fault word", found: "nothing") }
        guard let word = FaultKind(rawValue: named) else { throw Self.unknown(named) }
        let whom = words.popFirst() ?? ""
        guard let target = Peer(whom) else {
            throw FaultError(expected: "a process such as input-kit or app1", found: quoted(whom))
        }
        var amount = 0.0
        if word.amount != .nothing {
            let number = words.popFirst() ?? ""
            guard let value = Double(number), word.amount.range.contains(value) else {
                throw FaultError(expected: "\(word.rawValue): \(word.amount.expectation)", found: quoted(number))
            }
            amount = value
        }
        var length = Duration.zero
        if word.hasLength || (word.mayHaveLength && words.first == "for") {
            guard words.first == "for" else {
                throw FaultError(expected: "\(word.rawValue) … for <time>", found: quoted(words.first ?? ""))
            }
            words.removeFirst()
            length = try Self.time(words.popFirst(), "how long, as 300ms")
        }
        if let extra = words.first { throw FaultError(expected: "the line's end", found: quoted(extra)) }
        self.init(at: at, word, target, amount: amount, for: length)
    }

    static func unknown(_ word: String) -> FaultError {
        let near = nearestName(to: word, among: FaultKind.names).map { ", did you mean \($0)?" } ?? ""
        return FaultError(expected: "a fault word", found: quoted(word) + near)
    }

    private static func time(_ word: String?, _ expected: String) throws(FaultError) -> Duration {
        guard let word else { throw FaultError(expected: expected, found: "nothing") }
        guard word.hasSuffix("ms"), let time = nanoseconds(word.dropLast(2)) else {
            throw FaultError(expected: expected, found: quoted(word))
        }
        return .nanoseconds(time)
    }

    /// Parses `12.5` as nanoseconds: digits, a point, at most six more. Nine digits before the point: up to eleven
    /// days.
    private static func nanoseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, (1...9).contains(first.utf8.count), isDigits(first), let whole = Int64(first)
        else { return nil }
        guard parts.count == 2 else { return whole * 1_000_000 }
        guard (1...6).contains(parts[1].utf8.count), isDigits(parts[1]), var rest = Int64(parts[1]) else { return nil }
        for _ in parts[1].utf8.count..<6 { rest *= 10 }
        return whole * 1_000_000 + rest
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

/// `1500ms`, `0.25ms`.
private func milliseconds(_ duration: Duration) -> String {
    let nanoseconds = max(0, duration.nanoseconds)
    let (whole, rest) = (nanoseconds / 1_000_000, nanoseconds % 1_000_000)
    guard rest > 0 else { return "\(whole)ms" }
    var digits = padded(rest, to: 6)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)ms"
}

/// `300`, not `300.0`.
private func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
