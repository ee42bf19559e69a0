/// Which of a loop's doings are noted as lines of the conformance language: `loop <word>`. None by default.
///
/// - Source: Docs/Spec/Semantics.md S84b, S85, S90, S91 for the words.
package struct LoopProbes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The event port woke its loop.
    package static let source1 = LoopProbes(rawValue: 1)
    /// The fetch loop has woken the main loop. Never with one loop only.
    package static let wake = LoopProbes(rawValue: 2)
    /// The main loop's event source is called.
    package static let source0 = LoopProbes(rawValue: 4)
    /// The main loop begins to call the timers that are due.
    package static let timers = LoopProbes(rawValue: 8)
    package static let entry = LoopProbes(rawValue: 16)
    package static let beforeTimers = LoopProbes(rawValue: 32)
    package static let beforeSources = LoopProbes(rawValue: 64)
    package static let beforeWaiting = LoopProbes(rawValue: 128)
    package static let afterWaiting = LoopProbes(rawValue: 256)
    package static let exit = LoopProbes(rawValue: 512)
    /// The main loop begins to drain the main queue.
    package static let mainQueue = LoopProbes(rawValue: 1024)
    /// The loop has ended its run in one mode and goes on in another: `loop mode=tracking`. None of `words`.
    package static let mode = LoopProbes(rawValue: 2048)

    /// Every word, in the order of a turn.
    package static let words: [(word: String, probe: LoopProbes)] = [
        ("source1", .source1), ("wake", .wake), ("entry", .entry), ("beforeTimers", .beforeTimers),
        ("beforeSources", .beforeSources), ("source0", .source0), ("beforeWaiting", .beforeWaiting),
        ("afterWaiting", .afterWaiting), ("timers", .timers), ("mainQueue", .mainQueue), ("exit", .exit),
    ]

    /// Nil when the word is none of them.
    package init?(word: String) {
        guard let probe = Self.words.first(where: { $0.word == word })?.probe else { return nil }
        self = probe
    }
}
