import Testing

/// CFRunLoop is the reference for the order: the same script gives the same log in both loops.
@Suite("Comparison with the real CFRunLoop")
struct OracleTests {
    /// - Returns: The number of lines that were compared, and the number of all lines.
    @discardableResult
    private func compare(
        _ script: Script, _ name: String, at location: SourceLocation = #_sourceLocation
    ) -> (compared: Int, all: Int) {
        let (ours, certain) = RunLoopPlayer.log(of: script)
        let theirs = OraclePlayer.log(of: script, name: name)
        if certain == ours.count ? ours != theirs : !theirs.starts(with: ours.prefix(certain)) {
            let first = zip(ours, theirs).prefix { $0 == $1 }.count
            let text = """
                \(name): line \(first + 1) differs, \(certain) lines are certain
                ours   \(ours.joined(separator: ", "))
                theirs \(theirs.joined(separator: ", "))
                """
            Issue.record(Comment(rawValue: text), sourceLocation: location)
        }
        return (certain, ours.count)
    }

    @Test("200 random scripts give the same log in RunLoop and CFRunLoop")
    func random() {
        var (compared, all) = (0, 0)
        for seed in 1...200 as ClosedRange<UInt64> {
            let lines = compare(Script(seed: seed), "seed \(seed)")
            compared += lines.compared
            all += lines.all
        }
        #expect(compared * 2 > all, "\(compared) of \(all) lines could be compared")
    }

    private static let all: UInt8 = 231

    private func observer(_ name: String, order: Int = 0, _ deeds: [[Action]] = []) -> Item {
        Item(name: name, kind: .observer(Self.all, order: order, repeats: true), mode: .both, actions: deeds)
    }

    @Test("a source0 signalled before the run is served as in CFRunLoop")
    func source0() {
        compare(
            Script(items: [observer("O"), Item(name: "S", kind: .source0(order: 0))], first: [.signal(1)]),
            "source0")
    }

    @Test("empty and emptied modes finish as in CFRunLoop")
    func emptyModes() {
        compare(Script(items: [observer("O")]), "empty")
        compare(
            Script(
                items: [observer("O"), Item(name: "S", kind: .source0(order: 0), actions: [[.invalidate(1)]])],
                first: [.signal(1)]), "emptied")
        compare(
            Script(items: [observer("O"), Item(name: "S", kind: .source0(order: 0))], mode: .second), "elsewhere")
    }

    @Test("timers fire by date while polling, as in CFRunLoop")
    func timers() {
        compare(
            Script(items: [
                observer("O"), Item(name: "late", kind: .timer(after: 9, repeats: false)),
                Item(name: "early", kind: .timer(after: 2, repeats: true)),
                Item(name: "both", kind: .timer(after: 5, repeats: false), mode: .both),
            ]), "timers")
    }

    @Test("source1, source0 and blocks are served in CFRunLoop's order")
    func sourceOneThenZero() {
        compare(
            Script(
                items: [
                    observer("early", order: -5), observer("late", order: 5),
                    Item(name: "events", kind: .source0(order: -1), actions: [[.perform("after", .first, [])]]),
                    Item(name: "port", kind: .source1, actions: [[.signal(2)]]),
                ], waitActions: [[.message(3)], [.message(3), .signal(2)]]), "source1 then source0")
    }

    @Test("nested runs in callouts behave as in CFRunLoop")
    func nestedRuns() {
        let inner = Action.run(.first, polls: true, returnsAfterSource: false)
        let other = Action.run(.second, polls: true, returnsAfterSource: true)
        compare(
            Script(
                items: [
                    observer("O", [[], [.perform("block", .first, [inner, other])], [inner], [other]]),
                    Item(name: "S", kind: .source0(order: 0), mode: .both, actions: [[.signal(1)], []]),
                    Item(name: "T", kind: .timer(after: 2, repeats: false), actions: [[.signal(1), inner]]),
                    Item(name: "U", kind: .timer(after: 5, repeats: true), mode: .both, actions: [[other]]),
                ], first: [.perform("first", .both, [.perform("second", .both, [])])]), "nested")
    }

    @Test("a wake-up before the next turn is ignored, as in CFRunLoop")
    func ignoredWakeUp() {
        compare(
            Script(
                items: [
                    observer("O"), Item(name: "S", kind: .source0(order: 0)),
                    Item(name: "P", kind: .source1, actions: [[.wakeUp]]),
                ], waitActions: [[.message(2)], [.signal(1), .wakeUp]]), "ignored wake-up")
    }

    @Test("a run that returns after a source handles one of two source0s")
    func returnsAfterSource() {
        var script = Script(
            items: [
                observer("O"), Item(name: "S", kind: .source0(order: 0)), Item(name: "R", kind: .source0(order: 1)),
            ], first: [.signal(1), .signal(2)])
        script.returnsAfterSource = true
        compare(script, "returns after source")
    }

    /// `CFRunLoop.c` remembers only whether the last source0 that it collected was handled. C1 says "any". `RunLoop`
    /// follows C1: a turn that handled a source0 does not announce a wait.
    @Test("a nested run does not make RunLoop forget a handled source0")
    func forgottenSource() {
        let script = Script(
            items: [
                observer("O"),
                Item(
                    name: "S", kind: .source0(order: 0),
                    actions: [[.run(.first, polls: true, returnsAfterSource: false)]]
                ),
                Item(name: "R", kind: .source0(order: 1)),
            ], first: [.signal(1), .signal(2)])
        let (ours, theirs) = (RunLoopPlayer.log(of: script).lines, OraclePlayer.log(of: script, name: "forgotten"))
        // Both logs agree up to the end of the nested run, which handled R.
        let end = ours.firstIndex(of: "run timedOut").map { $0 + 1 } ?? 0
        #expect(ours.prefix(end) == theirs.prefix(end))
        #expect(ours[end] == "O beforeTimers")
        #expect(theirs[end] == "O beforeWaiting")
    }
}
