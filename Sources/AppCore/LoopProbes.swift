/// The activities of a loop that are noted as lines of the conformance language: `loop <word>`. The default is none.
///
/// - Source: Docs/Spec/Semantics.md S84b, S85, S90, S91 for the words.
package struct LoopProbes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The event port woke its loop.
    package static let source1 = LoopProbes(rawValue: 1)
    /// The fetch loop has woken the main loop. This never happens if the main loop serves the port.
    package static let wake = LoopProbes(rawValue: 2)
    /// The main loop calls its event source.
    package static let source0 = LoopProbes(rawValue: 4)
    /// The main loop starts to call the timers that are due.
    package static let timers = LoopProbes(rawValue: 8)
    package static let entry = LoopProbes(rawValue: 16)
    package static let beforeTimers = LoopProbes(rawValue: 32)
    package static let beforeSources = LoopProbes(rawValue: 64)
    package static let beforeWaiting = LoopProbes(rawValue: 128)
    package static let afterWaiting = LoopProbes(rawValue: 256)
    package static let exit = LoopProbes(rawValue: 512)
    /// The main loop starts to drain the main queue.
    package static let mainQueue = LoopProbes(rawValue: 1024)
    /// The loop has ended its run in one mode and runs in another: `loop mode=tracking`. It has no entry in `names`.
    package static let mode = LoopProbes(rawValue: 2048)

    /// Every word, in the order of a turn.
    package static let names: [(word: String, probe: LoopProbes)] = [
        ("source1", .source1), ("wake", .wake), ("entry", .entry), ("beforeTimers", .beforeTimers),
        ("beforeSources", .beforeSources), ("source0", .source0), ("beforeWaiting", .beforeWaiting),
        ("afterWaiting", .afterWaiting), ("timers", .timers), ("mainQueue", .mainQueue), ("exit", .exit),
    ]

    /// Nil if the word is unknown.
    package init?(name: String) {
        guard let probe = Self.names.first(where: { $0.word == name })?.probe else { return nil }
        self = probe
    }
}
