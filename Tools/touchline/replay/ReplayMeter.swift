// ReplayMeter.swift: how far journals have been replayed, for who watches a terminal: an hour of them takes minutes.

import Basics
import Scenarios

struct ReplayMeter {
    private var bar: ProgressBar
    private var origin: Instant?
    private let isQuiet: Bool

    /// - Parameters:
    ///   - isQuiet: Nothing is shown, whoever watches.
    ///   - linePeriod: How often a line is printed where stderr is no terminal; nil for never.
    init(isQuiet: Bool = false, linesEvery linePeriod: Duration? = nil) {
        (self.isQuiet, bar) = (isQuiet, ProgressBar(linesEvery: linePeriod))
    }

    mutating func show(_ steps: UInt64, at moment: Instant) {
        guard !isQuiet else { return }
        let began = origin ?? moment
        origin = began
        // Asking the clock at every step would cost as much as the step.
        guard steps & 0x3FF == 0 else { return }
        bar.show("replaying: \(steps) steps, \(fixedText(began.duration(to: moment).seconds, digits: 1)) s of the run")
    }

    func clear() { if !isQuiet { bar.clear() } }
}
