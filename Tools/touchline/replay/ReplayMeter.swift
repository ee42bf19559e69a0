// ReplayMeter.swift: the progress of a replay on a terminal: an hour of journals takes minutes.

import Basics
import Scenarios

/// The progress of a replay.
struct ReplayMeter {
    private var bar: ProgressBar
    private var origin: Instant?
    private let isQuiet: Bool

    /// - Parameters:
    ///   - isQuiet: Whether nothing is shown.
    ///   - linePeriod: The interval of lines where stderr is no terminal; nil for none.
    init(isQuiet: Bool = false, linesEvery linePeriod: Duration? = nil) {
        (self.isQuiet, bar) = (isQuiet, ProgressBar(linesEvery: linePeriod))
    }

    mutating func show(_ steps: UInt64, at moment: Instant) {
        guard !isQuiet else { return }
        let began = origin ?? moment
        origin = began
        // Reading the clock at every step would cost as much as the step.
        guard steps & 0x3FF == 0 else { return }
        bar.show("replaying: \(steps) steps, \(fixedText(began.duration(to: moment).seconds, digits: 1)) s of the run")
    }

    func clear() { if !isQuiet { bar.clear() } }
}
