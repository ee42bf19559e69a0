// Checker.swift: the comparison of observed lines with an expectation, and their smallest difference.
//
// Input     an Expectation, and the lines that a runner observed
// Output    a Verdict: the runners, `touchline conform`
// Knows     patterns and lines. No scenario, no mode.
//
// One shortest-path search does both. A state is the stack of expected nodes and the number of used lines. An edge uses
// a line or expands an operator. It costs nothing if pattern and line agree, and something if a line is missing,
// unexpected or at the wrong time. The cheapest path is the difference, and a path without cost is a match. The search
// considers every path, so OPT and REP never use a line that a later pattern needs.
//
// Sources   invented

import Basics

/// The result of a comparison.
public struct Verdict: Hashable, Sendable {
    /// One step from the expected to the observed lines.
    public enum Edit: Hashable, Sendable {
        case agrees(ObservedLine)
        /// The line was expected here and not observed.
        case missing(LinePattern)
        /// The line was observed and not expected here.
        case unexpected(ObservedLine)
        case wrongTime(LinePattern, ObservedLine)
    }
    /// The cheapest path from the expected to the observed lines, in order.
    public var edits: [Edit]
    /// The observed lines that NOT{} forbids.
    public var forbidden: [Forbidden]

    /// An observed line with the pattern that forbids it.
    public struct Forbidden: Hashable, Sendable {
        public var pattern: LinePattern
        public var line: ObservedLine
    }

    public var passed: Bool {
        forbidden.isEmpty && edits.allSatisfy { if case .agrees = $0 { true } else { false } }
    }
}

extension Expectation {
    /// Compares observed lines with this expectation.
    ///
    /// - Parameters:
    ///   - lines: The observed lines in order.
    ///   - slack: How much later than on a virtual clock a line with a time may come.
    ///   - order: The order of the run. It decides `IOSSET` and `IOS`.
    public func verdict(
        on lines: [ObservedLine], slack: Duration = .zero, order: DeliveryOrder = .deterministic
    ) -> Verdict {
        var forbiddenLines: [Verdict.Forbidden] = []
        for pattern in forbidden {
            for line in lines where pattern.forbids(line, slack: slack) {
                forbiddenLines.append(Verdict.Forbidden(pattern: pattern, line: line))
            }
        }
        var search = Search(expectation: self, lines: lines, slack: slack, isOpen: order != .deterministic)
        return Verdict(edits: search.run(), forbidden: forbiddenLines)
    }
}

private struct Search {
    /// An expected node; the last one of a stack comes first.
    enum Task: Hashable {
        case node(Int)
        /// The elements of a set that have not occurred yet, as bits.
        case remaining(Int, UInt64)
        /// A repetition that may end.
        case loop(Int)
    }
    struct State: Hashable {
        var stack: [Task]
        var used: Int
    }
    struct Step {
        var parent: Int
        var edit: Verdict.Edit?
        var state: State
        var cost: Int
    }

    let expectation: Expectation
    let lines: [ObservedLine]
    let slack: Duration
    /// Whether the run shuffled the orders that iOS leaves open.
    let isOpen: Bool

    var steps: [Step] = []
    var best: [State: Int] = [:]
    /// The steps to expand, by their cost.
    var waiting: [[Int]] = [[]]

    /// The limit of states. Beyond it the difference is still true but not minimal.
    static let stateLimit = 200_000

    init(expectation: Expectation, lines: [ObservedLine], slack: Duration, isOpen: Bool) {
        (self.expectation, self.lines, self.slack, self.isOpen) = (expectation, lines, slack, isOpen)
    }

    mutating func run() -> [Verdict.Edit] {
        push(State(stack: [.node(expectation.root)], used: 0), cost: 0, parent: -1, edit: nil)
        var cost = 0
        var furthest = 0
        while cost < waiting.count {
            while let index = waiting[cost].popLast() {
                let state = steps[index].state
                guard best[state] == cost, steps[index].cost == cost else { continue }
                if state.stack.isEmpty, state.used == lines.count { return edits(upTo: index) }
                if steps[furthest].state.used < state.used { furthest = index }
                // A match costs nothing, so the limit does not apply to the search for one.
                if cost > 0, best.count > Self.stateLimit {
                    return edits(upTo: furthest) + lines[steps[furthest].state.used...].map { .unexpected($0) }
                }
                expand(state, cost: cost, from: index)
            }
            cost += 1
        }
        preconditionFailure("every line can be missing or unexpected, so there is always a way")
    }

    private mutating func expand(_ state: State, cost: Int, from parent: Int) {
        if state.used < lines.count {
            let skipped = State(stack: state.stack, used: state.used + 1)
            push(skipped, cost: cost + 2, parent: parent, edit: .unexpected(lines[state.used]))
        }
        guard let top = state.stack.last else { return }
        var rest = state.stack
        rest.removeLast()
        func free(_ tasks: [Task]) -> State { State(stack: rest + tasks, used: state.used) }

        switch top {
        case .remaining(let set, let bits):
            let elements = expectation.elements(ofSet: set)
            if bits == 0 { return push(free([]), cost: cost, parent: parent, edit: nil) }
            var tried: [Int] = []
            for (i, element) in elements.enumerated() where bits & (1 << UInt64(i)) != 0 {
                // The first of equal elements stands for all, because their permutations would multiply the states.
                if tried.contains(where: { expectation.isSame($0, element) }) { continue }
                tried.append(element)
                let left = bits & ~(1 << UInt64(i))
                push(free([.remaining(set, left), .node(element)]), cost: cost, parent: parent, edit: nil)
            }
        case .loop(let inner):
            push(free([]), cost: cost, parent: parent, edit: nil)
            push(free([.loop(inner), .node(inner)]), cost: cost, parent: parent, edit: nil)
        case .node(let index):
            switch expectation.nodes[index] {
            case .sequence(let items):
                push(free(items.reversed().map { .node($0) }), cost: cost, parent: parent, edit: nil)
            case .openSet(let items) where !isOpen:
                push(free(items.reversed().map { .node($0) }), cost: cost, parent: parent, edit: nil)
            case .set(let elements), .openSet(let elements):
                let all = elements.count == 64 ? UInt64.max : (1 << UInt64(elements.count)) - 1
                push(free([.remaining(index, all)]), cost: cost, parent: parent, edit: nil)
            case .optional(let inner):
                push(free([]), cost: cost, parent: parent, edit: nil)
                push(free([.node(inner)]), cost: cost, parent: parent, edit: nil)
            case .choice(let elements):
                for element in elements { push(free([.node(element)]), cost: cost, parent: parent, edit: nil) }
            case .byOrder(let deterministic, let ios):
                push(free([.node(isOpen ? ios : deterministic)]), cost: cost, parent: parent, edit: nil)
            case .repeated(let inner, let atLeastOnce):
                push(
                    free(atLeastOnce ? [.loop(inner), .node(inner)] : [.loop(inner)]), cost: cost, parent: parent,
                    edit: nil)
            case .line(let pattern):
                push(State(stack: rest, used: state.used), cost: cost + 2, parent: parent, edit: .missing(pattern))
                guard state.used < lines.count, lines[state.used].text == pattern.text else { return }
                let line = lines[state.used]
                let isRight = pattern.admits(line, slack: slack)
                push(
                    State(stack: rest, used: state.used + 1), cost: isRight ? cost : cost + 1, parent: parent,
                    edit: isRight ? .agrees(line) : .wrongTime(pattern, line))
            }
        }
    }

    private mutating func push(_ state: State, cost: Int, parent: Int, edit: Verdict.Edit?) {
        if let known = best[state], known <= cost { return }
        best[state] = cost
        while waiting.count <= cost { waiting.append([]) }
        steps.append(Step(parent: parent, edit: edit, state: state, cost: cost))
        waiting[cost].append(steps.count - 1)
    }

    private func edits(upTo last: Int) -> [Verdict.Edit] {
        var edits: [Verdict.Edit] = []
        var index = last
        while index >= 0 {
            if let edit = steps[index].edit { edits.append(edit) }
            index = steps[index].parent
        }
        return edits.reversed()
    }
}

extension Expectation {
    /// Whether two patterns of the same shape accept the same lines.
    fileprivate func isSame(_ a: Int, _ b: Int) -> Bool {
        func all(_ a: [Int], _ b: [Int]) -> Bool { a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) } }
        switch (nodes[a], nodes[b]) {
        case (.line(let x), .line(let y)): return x.text == y.text && x.time == y.time
        case (.sequence(let x), .sequence(let y)), (.set(let x), .set(let y)), (.choice(let x), .choice(let y)),
            (.openSet(let x), .openSet(let y)):
            return all(x, y)
        case (.byOrder(let a, let b), .byOrder(let c, let d)): return isSame(a, c) && isSame(b, d)
        case (.optional(let x), .optional(let y)): return isSame(x, y)
        case (.repeated(let x, let m), .repeated(let y, let n)): return m == n && isSame(x, y)
        case (.line, _), (.sequence, _), (.set, _), (.optional, _), (.repeated, _), (.choice, _), (.openSet, _),
            (.byOrder, _):
            return false
        }
    }

    fileprivate func elements(ofSet index: Int) -> [Int] {
        switch nodes[index] {
        case .set(let elements), .openSet(let elements): elements
        default: preconditionFailure("\(index) is no set")
        }
    }
}

extension Verdict {
    /// One line for each difference with two lines of context: `-` expected, `+` observed, `!` at another time.
    public var difference: [String] {
        let isChange = edits.map { if case .agrees = $0 { false } else { true } }
        var out: [String] = []
        var skipping = false
        for (i, edit) in edits.enumerated() {
            let near = isChange[max(0, i - 2)...min(edits.count - 1, i + 2)].contains(true)
            guard near else {
                if !skipping { out.append("  …") }
                skipping = true
                continue
            }
            skipping = false
            switch edit {
            case .agrees(let line): out.append("  \(line.text)")
            case .missing(let pattern): out.append("- \(pattern)    (line \(pattern.location.line))")
            case .unexpected(let line): out.append("+ \(line.text) \(line.timeText)")
            case .wrongTime(let pattern, let line):
                out.append("! \(pattern) was observed \(line.timeText)    (line \(pattern.location.line))")
            }
        }
        for bad in forbidden {
            out.append(
                "+ \(bad.line.text) \(bad.line.timeText)    (forbidden by NOT{\(bad.pattern)}, line \(bad.pattern.location.line))"
            )
        }
        return out
    }
}

extension ObservedLine {
    var timeText: String { "@\(fixedText(time.seconds, digits: 3))" }
}
