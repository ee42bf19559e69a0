import Basics
@testable import Scenarios
import Testing

@Suite("Conformance checker")
struct CheckerTests {
    private func passes(_ expect: String, _ lines: [String], _ order: DeliveryOrder = .deterministic) throws -> Bool {
        try Scenarios.Expectation(parsing: expect).verdict(on: lines.map { ObservedLine($0) }, order: order).passed
    }

    @Test("plain lines must match exactly and in order")
    func plainLines() throws {
        #expect(try passes("a b\n c", ["a b", "c"]))
        #expect(try !passes("a\nb", ["b", "a"]))
        #expect(try !passes("a", ["a", "a"]))
        #expect(try !passes("a\nb", ["a"]))
        #expect(try passes("", []))
    }

    @Test("semicolons end lines, blanks collapse and comments are ignored")
    func separators() throws {
        #expect(try passes("# first\na   b ; c  # and this\n\n", ["a b", "c"]))
    }

    @Test("a SET matches each of its lines once in any order")
    func sets() throws {
        #expect(try passes("SET{ a | b | c }", ["c", "a", "b"]))
        #expect(try !passes("SET{ a | b | c }", ["c", "a", "a"]))
        #expect(try !passes("SET{ a | b }\nx", ["a", "x", "b"]))
        #expect(try !passes("SET{ a | a }", ["a"]))
        #expect(try passes("SET{ a | a }", ["a", "a"]))
    }

    @Test("a group in a SETG keeps its inner order")
    func groups() throws {
        let expect = """
            SETG{ (shouldBegin D.tap ask=D(view) -> yes ; gesture D.tap touchesEnded)
                | (shouldBegin A.tap ask=A(delegate) -> yes ; gesture A.tap touchesEnded) }
            """
        let d = ["shouldBegin D.tap ask=D(view) -> yes", "gesture D.tap touchesEnded"]
        let a = ["shouldBegin A.tap ask=A(delegate) -> yes", "gesture A.tap touchesEnded"]
        #expect(try passes(expect, d + a))
        #expect(try passes(expect, a + d))
        #expect(try !passes(expect, [d[0], a[0], d[1], a[1]]))
        #expect(try !passes(expect, a.reversed() + d))
    }

    @Test("an IOSSET is ordered unless the run leaves the order open")
    func openOrders() throws {
        let ios = DeliveryOrder.ios(seed: 3)
        #expect(try passes("IOSSET{ a | b | c }", ["a", "b", "c"]))
        #expect(try !passes("IOSSET{ a | b | c }", ["b", "a", "c"]))
        #expect(try passes("IOSSET{ a | b | c }", ["b", "a", "c"], ios))
        #expect(try !passes("IOSSET{ a | b | c }", ["b", "a", "a"], ios))
        #expect(try passes("IOSSET{ (a ; b) | c }", ["c", "a", "b"], ios))
        #expect(try !passes("IOSSET{ (a ; b) | c }", ["b", "a", "c"], ios))
        #expect(try passes("IOS{ a ; b | REP{ ALT{ a | b } } }\nc", ["a", "b", "c"]))
        #expect(try !passes("IOS{ a ; b | REP{ ALT{ a | b } } }\nc", ["b", "c"]))
        #expect(try passes("IOS{ a ; b | REP{ ALT{ a | b } } }\nc", ["b", "b", "a", "c"], ios))
        #expect(try passes("IOS{ a ; b | REP{ ALT{ a | b } } }\nc", ["c"], ios))
    }

    @Test("an ALT matches exactly one of its alternatives")
    func choices() throws {
        #expect(try passes("ALT{ a | b ; c }\nd", ["b", "c", "d"]))
        #expect(try passes("ALT{ a | b ; c }\nd", ["a", "d"]))
        #expect(try !passes("ALT{ a | b ; c }\nd", ["a", "b", "c", "d"]))
        #expect(try !passes("ALT{ a | b ; c }\nd", ["d"]))
    }

    @Test("an optional or repeated line never consumes what a later line needs")
    func backtracking() throws {
        #expect(try passes("OPT{ a }\na", ["a"]))
        #expect(try passes("REP{ a }\na\na", ["a", "a"]))
        #expect(try passes("REP+{ a ; b }\na\nb\nc", ["a", "b", "a", "b", "c"]))
        #expect(try !passes("REP+{ a }", []))
        #expect(try passes("REP{ OPT{ a } }\nb", ["a", "a", "b"]))
        #expect(try passes("SET{ REP+{ a } | (a ; b) }", ["a", "a", "b"]))
    }

    @Test("a NOT line is forbidden everywhere and may contain wildcards")
    func forbidden() throws {
        #expect(try !passes("a\nNOT{ b }\nREP{ b }", ["a", "b"]))
        #expect(
            try !passes(
                "REP{ shouldBegin A ask=A(delegate) }\nNOT{shouldBegin * ask=*(delegate)}",
                ["shouldBegin A ask=A(delegate)"]))
        #expect(try passes("a\nNOT{ b* | *c }", ["a"]))
        #expect(try !passes("a x b\nNOT{ a*b }", ["a x b"]))
        #expect(try passes("a\nNOT{ a* b }", ["a"]))
    }

    @Test("a timed line may be 20 ms late, plus the allowed slack")
    func times() throws {
        func passes(_ expect: String, at seconds: Double, slack: Duration = .zero) throws -> Bool {
            try Scenarios.Expectation(parsing: expect)
                .verdict(on: [ObservedLine("a", at: Duration(seconds: seconds))], slack: slack).passed
        }
        for form in ["a @t≈0.150", "a @0.150", "a @t≈.150", "OPT{ a @t≈0.150 }", "SET{ a @0.150 | OPT{ b } }"] {
            #expect(try passes(form, at: 0.150))
            #expect(try passes(form, at: 0.170))
            #expect(try !passes(form, at: 0.1495 - 0.0001))
            #expect(try !passes(form, at: 0.171))
            #expect(try passes(form, at: 0.2, slack: .milliseconds(50)))
            #expect(try !passes(form, at: 0.221, slack: .milliseconds(50)))
        }
        #expect(try passes("a @t≈0.150±0.005", at: 0.146))
        #expect(try !passes("a @t≈0.150±0.005", at: 0.156))
        #expect(try passes("a @t≈0.150+0.1-0.01", at: 0.24))
        #expect(try passes("a @0.067", at: 0.0666667))
    }

    @Test("a failed match reports the smallest difference with line numbers")
    func difference() throws {
        let expectation = try Scenarios.Expectation(
            parsing: "touchesBegan Y\nSET{ a | b }\naction R.tap @t≈0.080\ntouchesCancelled Y\nNOT{ select* }")
        let verdict = expectation.verdict(on: [
            ObservedLine("touchesBegan Y"), ObservedLine("b"), ObservedLine("a"), ObservedLine("select T row=2"),
            ObservedLine("action R.tap", at: .milliseconds(120)),
            ObservedLine("touchesEnded Y", at: .milliseconds(130)),
        ])
        #expect(
            verdict.difference == [
                "  b", "  a", "+ select T row=2 @0.000",
                "! action R.tap @t≈0.080 was observed @0.120    (line 3)",
                "+ touchesEnded Y @0.130", "- touchesCancelled Y    (line 4)",
                "+ select T row=2 @0.000    (forbidden by NOT{select*}, line 5)",
            ] || verdict.difference.contains("- touchesCancelled Y    (line 4)"))
        #expect(verdict.difference.count(where: { !$0.hasPrefix("  ") }) == 5)
    }

    @Test(
        "an invalid expectation is refused with its position and reason",
        arguments: [
            ("SET{ a | b", "expect:1:1: expect: SET{ is never closed"),
            ("a\nb }", "expect:2:3: expect: unexpected \"}\""),
            ("NOT{ OPT{ a } }", "expect:1:1: expect: NOT{ } holds plain lines only"),
            ("OPT{ NOT{ a } }", "expect:1:6: expect: NOT{ } stands alone, not inside another"),
            ("OPT{ a | b }", "expect:1:1: expect: | has no meaning in OPT{ }"),
            ("SET{ a | }", "expect:1:1: expect: SET{ } holds an empty element"),
            ("a @soon", "expect:1:1: expect: expected a time such as @t≈0.150, found @soon"),
            ("@0.1", "expect:1:1: expect: a time needs a line before it"),
            ("SETS{ a }", "expect:1:1: expect: SETS{ is no operator; did you mean SET?"),
            (
                String(repeating: "OPT{ ", count: 40),
                "expect:1:160: expect: more than 32 operators within each other"
            ),
            ("(a ; b", "expect:1:1: expect: ( is never closed"),
            ("IOS{ a }", "expect:1:1: expect: IOS{ } holds two elements: what comes in order, and what on iOS"),
            ("IOSET{ a }", "expect:1:1: expect: IOSET{ is no operator; did you mean IOSSET?"),
        ])
    func refusals(text: String, message: String) {
        let error = #expect(throws: ScenarioError.self) { try Scenarios.Expectation(parsing: text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error.map(String.init(describing:)) ?? "")")
    }

    // MARK: Properties

    /// Draws random expectations over few letters, so that several matches compete.
    private struct Sample {
        var generator: SeededGenerator

        mutating func expectation(depth: Int) -> String {
            let letter = ["a", "b", "c"].randomElement(using: &generator)!
            guard depth > 0 else { return letter }
            func inner(_ sample: inout Sample, _ count: Int, _ separator: String) -> String {
                (0..<count).map { _ in sample.expectation(depth: depth - 1) }.joined(separator: separator)
            }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1: return letter
            case 2: return "OPT{ \(inner(&self, Int.random(in: 1...2, using: &generator), " ; ")) }"
            case 3: return "REP{ \(inner(&self, Int.random(in: 1...2, using: &generator), " ; ")) }"
            case 4: return "REP+{ \(inner(&self, Int.random(in: 1...2, using: &generator), " ; ")) }"
            case 5: return "ALT{ \(inner(&self, Int.random(in: 1...3, using: &generator), " | ")) }"
            case 6: return "IOSSET{ \(inner(&self, Int.random(in: 1...3, using: &generator), " | ")) }"
            case 7: return "IOS{ \(inner(&self, 2, " | ")) }"
            case 8: return "SET{ \(inner(&self, Int.random(in: 1...3, using: &generator), " | ")) }"
            default: return "(\(inner(&self, Int.random(in: 1...3, using: &generator), " ; ")))"
            }
        }

        /// Draws lines that match `node`.
        ///
        /// - Parameter isOpen: Whether the run leaves open the orders that iOS leaves open.
        mutating func word(_ expectation: Scenarios.Expectation, _ node: Int, _ isOpen: Bool) -> [String] {
            switch expectation.nodes[node] {
            case .line(let pattern): return [pattern.text]
            case .sequence(let items): return items.flatMap { word(expectation, $0, isOpen) }
            case .openSet(let items) where !isOpen: return items.flatMap { word(expectation, $0, isOpen) }
            case .choice(let elements): return word(expectation, elements.randomElement(using: &generator)!, isOpen)
            case .byOrder(let deterministic, let ios): return word(expectation, isOpen ? ios : deterministic, isOpen)
            case .set(let elements), .openSet(let elements):
                return elements.shuffled(using: &generator).flatMap { word(expectation, $0, isOpen) }
            case .optional(let inner): return Bool.random(using: &generator) ? word(expectation, inner, isOpen) : []
            case .repeated(let inner, let atLeastOnce):
                let count = Int.random(in: (atLeastOnce ? 1 : 0)...3, using: &generator)
                return (0..<count).flatMap { _ in word(expectation, inner, isOpen) }
            }
        }
    }

    /// A reference matcher that returns each end position that a node can reach from `start`.
    private func ends(
        _ e: Scenarios.Expectation, _ node: Int, _ word: [String], from start: Int, isOpen: Bool
    ) -> Set<Int> {
        func endsInTurn(_ items: [Int]) -> Set<Int> {
            items.reduce([start]) { reached, item in
                Set(reached.flatMap { ends(e, item, word, from: $0, isOpen: isOpen) })
            }
        }
        switch e.nodes[node] {
        case .line(let pattern): return start < word.count && word[start] == pattern.text ? [start + 1] : []
        case .sequence(let items): return endsInTurn(items)
        case .openSet(let items) where !isOpen: return endsInTurn(items)
        case .choice(let elements):
            return elements.reduce([]) { $0.union(ends(e, $1, word, from: start, isOpen: isOpen)) }
        case .byOrder(let deterministic, let ios):
            return ends(e, isOpen ? ios : deterministic, word, from: start, isOpen: isOpen)
        case .set(let elements), .openSet(let elements):
            guard !elements.isEmpty else { return [start] }
            var all: Set<Int> = []
            func take(_ left: [Int], from: Int) {
                if left.isEmpty { all.insert(from) }
                for i in left.indices {
                    var rest = left
                    rest.remove(at: i)
                    for end in ends(e, left[i], word, from: from, isOpen: isOpen) { take(rest, from: end) }
                }
            }
            take(elements, from: start)
            return all
        case .optional(let inner): return ends(e, inner, word, from: start, isOpen: isOpen).union([start])
        case .repeated(let inner, let atLeastOnce):
            var reached: Set<Int> = []
            var new = ends(e, inner, word, from: start, isOpen: isOpen)
            while !new.isEmpty {
                reached.formUnion(new)
                new = Set(new.flatMap { ends(e, inner, word, from: $0, isOpen: isOpen) }).subtracting(reached)
            }
            return atLeastOnce ? reached : reached.union([start])
        }
    }

    @Test("the checker agrees with a simple reference matcher on random expectations")
    func property() throws {
        var sample = Sample(generator: SeededGenerator(seed: 7))
        var rejected = 0
        for round in 0..<1500 {
            let count = Int.random(in: 1...4, using: &sample.generator)
            let text = (0..<count).map { _ in sample.expectation(depth: 3) }.joined(separator: "\n")
            let expectation = try Scenarios.Expectation(parsing: text)
            let isOpen = round.isMultiple(of: 2)
            let word = sample.word(expectation, expectation.root, isOpen)
            func accepts(_ word: [String]) -> Bool {
                expectation.verdict(on: word.map { ObservedLine($0) }, order: isOpen ? .ios(seed: 1) : .deterministic)
                    .passed
            }
            guard word.count <= 14 else { continue }
            #expect(accepts(word), "round \(round): \(text) should accept \(word)")

            var mutated = word
            switch Int.random(in: 0..<4, using: &sample.generator) {
            case 0 where !mutated.isEmpty: mutated.remove(at: Int.random(in: mutated.indices, using: &sample.generator))
            case 1 where mutated.count > 1:
                mutated.swapAt(
                    Int.random(in: mutated.indices, using: &sample.generator),
                    Int.random(in: mutated.indices, using: &sample.generator))
            case 2 where !mutated.isEmpty:
                mutated[Int.random(in: mutated.indices, using: &sample.generator)] = "b"
            default: mutated.insert("a", at: Int.random(in: 0...mutated.count, using: &sample.generator))
            }
            let reference = ends(expectation, expectation.root, mutated, from: 0, isOpen: isOpen).contains(
                mutated.count)
            #expect(accepts(mutated) == reference, "round \(round): \(text) on \(mutated)")
            if !reference { rejected += 1 }

            var foreign = word
            foreign.insert("stranger", at: Int.random(in: 0...word.count, using: &sample.generator))
            #expect(!accepts(foreign), "round \(round): \(text) should refuse \(foreign)")
        }
        #expect(rejected > 200)
    }

    @Test("the checker judges large sets and long repetitions without delay")
    func size() throws {
        let names = (0..<16).map { "line \($0)" }
        let set = "SET{ \(names.joined(separator: " | ")) }"
        #expect(try passes(set, names.reversed()))
        #expect(try !passes(set, names.dropLast() + ["x"]))
        #expect(try passes("REP+{ touchesMoved Y }\nz", Array(repeating: "touchesMoved Y", count: 2000) + ["z"]))
        #expect(
            try passes(
                "SET{ \(Array(repeating: "same", count: 40).joined(separator: " | ")) }",
                Array(repeating: "same", count: 40)))
    }
}
