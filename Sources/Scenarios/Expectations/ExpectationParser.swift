// ExpectationParser.swift: the parser of the text of `expect:`.
//
//     sequence := item { (newline | ";") item }
//     item     := OPERATOR "{" elements "}" | "(" sequence ")" | line
//     elements := sequence { "|" sequence }          several only in sets, choices and NOT
//     line     := words [ "@" ["t"] ["≈"] seconds ["±" seconds | "+" seconds ["-" seconds]] ]
//
// Input     the text, with its place in the file
// Output    Expectation, or a ScenarioError
//
// Brackets inside a line (`ask=D(view)`) belong to the line if they are closed again. `#` begins a comment at the start
// of a line or after a space.
//
// Sources   documented  Docs/Spec/Semantics.md section 0.3; invented: ALT, IOSSET, IOS

import Basics

extension Expectation {
    /// - Throws: `ScenarioError` at the wrong operator.
    init(parsing text: String, at location: FileLocation = FileLocation(file: "expect", line: 1, column: 1))
        throws(ScenarioError)
    {
        var parser = ExpectationParser(text, at: location)
        let top = try parser.sequence(inside: nil)
        guard parser.isAtEnd else { throw parser.error("unexpected \(parser.rest)") }
        nodes = parser.nodes
        nodes.append(.sequence(top))
        root = nodes.count - 1
        forbidden = parser.forbidden
    }
}

private struct ExpectationParser {
    private let text: [Character]
    private var index = 0
    private var line: Int
    private var lineStart = 0
    private var depth = 0
    private let origin: FileLocation
    var nodes: [Expectation.Node] = []
    var forbidden: [LinePattern] = []

    /// The brackets around the sequence that is read.
    enum Enclosure { case braces(Operator), group }
    enum Operator: String, CaseIterable {
        case set = "SET", setg = "SETG", opt = "OPT", rep = "REP", repPlus = "REP+", not = "NOT"
        case alt = "ALT", iosSet = "IOSSET", ios = "IOS"
    }

    init(_ text: String, at location: FileLocation) {
        (self.text, origin, line) = (Array(text), location, location.line)
    }

    var isAtEnd: Bool { index >= text.count }
    var rest: String { isAtEnd ? "the end" : "\"\(text[index])\"" }
    private var location: FileLocation {
        FileLocation(file: origin.file, line: line, column: origin.column + index - lineStart)
    }
    func error(_ reason: String) -> ScenarioError { ScenarioError(location, "expect: \(reason)") }

    private mutating func advance() {
        if text[index].isNewline {
            line += 1
            lineStart = index + 1
        }
        index += 1
    }

    /// Skips spaces, line ends, `;` and comments.
    private mutating func skipSeparators() {
        while !isAtEnd {
            if text[index].isWhitespace || text[index] == ";" {
                advance()
            } else if startsComment {
                while !isAtEnd, !text[index].isNewline { advance() }
            } else {
                return
            }
        }
    }

    private var startsComment: Bool {
        text[index] == "#" && (index == 0 || text[index - 1].isWhitespace)
    }

    /// The limit of nested operators; people write two or three.
    private static let depthLimit = 32

    mutating func sequence(inside enclosure: Enclosure?) throws(ScenarioError) -> [Int] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw error("more than \(Self.depthLimit) operators within each other") }
        var items: [Int] = []
        while true {
            skipSeparators()
            if isAtEnd { return items }
            switch (text[index], enclosure) {
            case ("}", .braces?), ("|", .braces?), (")", .group?): return items
            case ("}", _), ("|", _), (")", _): throw error("unexpected \(rest)")
            default: break
            }
            if let item = try item(inside: enclosure) { items.append(item) }
        }
    }

    /// - Returns: Nil for NOT, which is not part of the order.
    private mutating func item(inside enclosure: Enclosure?) throws(ScenarioError) -> Int? {
        let start = location
        if let op = operatorHere() {
            if op == .not, enclosure != nil {
                throw ScenarioError(start, "expect: NOT{ } stands alone, not inside another")
            }
            var elements = [try sequence(inside: .braces(op))]
            while !isAtEnd, text[index] == "|" {
                advance()
                elements.append(try sequence(inside: .braces(op)))
            }
            guard !isAtEnd else { throw ScenarioError(start, "expect: \(op.rawValue){ is never closed") }
            advance()
            return try node(op, elements, at: start)
        }
        if text[index] == "(" {
            advance()
            let inner = try sequence(inside: .group)
            guard !isAtEnd else { throw ScenarioError(start, "expect: ( is never closed") }
            advance()
            return add(.sequence(inner))
        }
        return add(.line(try pattern(inside: enclosure)))
    }

    private mutating func node(_ op: Operator, _ elements: [[Int]], at start: FileLocation) throws(ScenarioError)
        -> Int?
    {
        if elements.contains(where: \.isEmpty) {
            throw ScenarioError(start, "expect: \(op.rawValue){ } holds an empty element")
        }
        switch op {
        case .set, .setg:
            guard elements.count <= 64 else { throw ScenarioError(start, "expect: a set holds at most 64 elements") }
            return add(.set(elements.map { single($0) }))
        case .iosSet:
            guard elements.count <= 64 else { throw ScenarioError(start, "expect: a set holds at most 64 elements") }
            return add(.openSet(elements.map { single($0) }))
        case .alt: return add(.choice(elements.map { single($0) }))
        case .ios:
            guard elements.count == 2 else {
                throw ScenarioError(start, "expect: IOS{ } holds two elements: what comes in order, and what on iOS")
            }
            return add(.byOrder(deterministic: single(elements[0]), ios: single(elements[1])))
        case .not:
            for item in elements.joined() {
                guard case .line(let pattern) = nodes[item] else {
                    throw ScenarioError(start, "expect: NOT{ } holds plain lines only")
                }
                forbidden.append(pattern)
            }
            return nil
        case .opt, .rep, .repPlus:
            guard elements.count == 1 else {
                throw ScenarioError(start, "expect: | has no meaning in \(op.rawValue){ }")
            }
            let inner = single(elements[0])
            switch op {
            case .opt: return add(.optional(inner))
            default: return add(.repeated(inner, atLeastOnce: op == .repPlus))
            }
        }
    }

    private mutating func single(_ items: [Int]) -> Int { items.count == 1 ? items[0] : add(.sequence(items)) }

    private mutating func add(_ node: Expectation.Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// Consumes `SET{`, with or without spaces before the brace.
    private mutating func operatorHere() -> Operator? {
        var end = index
        while end < text.count, text[end].isUppercase || text[end] == "+" { end += 1 }
        guard let op = Operator(rawValue: String(text[index..<end])) else { return nil }
        while end < text.count, text[end] == " " { end += 1 }
        guard end < text.count, text[end] == "{" else { return nil }
        index = end + 1
        return op
    }

    private mutating func pattern(inside enclosure: Enclosure?) throws(ScenarioError) -> LinePattern {
        let start = location
        var depth = 0
        var taken = ""
        while !isAtEnd, !text[index].isNewline, text[index] != ";", !startsComment {
            switch (text[index], enclosure) {
            case ("}", .braces?), ("|", .braces?): return try finished(taken, at: start)
            case ("}", _), ("|", _): throw error("unexpected \(rest)")
            case ("{", _):
                let word = taken.split(separator: " ").last.map(String.init) ?? ""
                let hint = suggestion(for: word, among: Operator.allCases.map(\.rawValue))
                throw ScenarioError(start, "expect: \(word){ is no operator\(hint)")
            case ("(", _): depth += 1
            case (")", .group?) where depth == 0: return try finished(taken, at: start)
            case (")", _): depth -= 1
            default: break
            }
            taken.append(text[index])
            advance()
        }
        return try finished(taken, at: start)
    }

    private func finished(_ taken: String, at start: FileLocation) throws(ScenarioError) -> LinePattern {
        var words = taken.split(whereSeparator: \.isWhitespace)
        var time: TimeBound?
        if let last = words.last, last.hasPrefix("@") {
            guard let bound = TimeBound(String(last.dropFirst())) else {
                throw ScenarioError(start, "expect: expected a time such as @t≈0.150, found \(last)")
            }
            time = bound
            words.removeLast()
        }
        guard !words.isEmpty else { throw ScenarioError(start, "expect: a time needs a line before it") }
        return LinePattern(words.joined(separator: " "), time: time, at: start)
    }
}

extension TimeBound {
    /// Parses `t≈0.150`, `0.080`, `t≈0.150±0.005`, `t≈0.150+0.010-0.002`.
    init?(_ text: String) {
        var text = Substring(text)
        if text.first == "t" { text.removeFirst() }
        if let sign = text.first, "≈~=".contains(sign) { text.removeFirst() }
        var parts: [(sign: Character, number: Substring)] = []
        while !text.isEmpty {
            var sign: Character = " "
            if let first = text.first, "±+-−".contains(first) {
                guard !parts.isEmpty else { return nil }
                sign = first
                text.removeFirst()
            }
            let number = text.prefix { $0.isNumber || $0 == "." }
            guard !number.isEmpty else { return nil }
            parts.append((sign, number))
            text = text[number.endIndex...]
        }
        guard let first = parts.first, let at = Double(first.number), at < 1e6 else { return nil }
        let digits = first.number.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
        var halfDigit = 0.5
        for _ in 0..<min(digits, 9) { halfDigit /= 10 }
        self.init(at: Duration(seconds: at), early: Duration(seconds: min(halfDigit, 0.0005)))
        for part in parts.dropFirst() {
            guard let number = Double(part.number), number < 1e6 else { return nil }
            let tolerance = Duration(seconds: number)
            switch part.sign {
            case "±": (early, late) = (tolerance, tolerance)
            case "+": late = tolerance
            default: early = tolerance
            }
        }
    }
}
