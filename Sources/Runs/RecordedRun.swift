// RecordedRun.swift: a run with what its apps showed and the way of each scan.
//
// Input     Scenarios, TouchlineTesting
// Output    pages of runs
// Knows     what RunRecording has collected. No page.
//
// Sources   invented

/// The facts of a run, what its apps showed, and the ways of its scans.
public struct RecordedRun: Sendable {
    public var observed: ObservedRun
    public var screens: [ScreenChange]
    /// The number of changes of the screen beyond the limit.
    public var omittedScreenCount: Int
    public var ways: [EventWay]
    /// The size of the main display in points.
    public var width, height: Double
    /// Whether the times are those of a simulator, in which no step takes time.
    public var isVirtual: Bool

    /// - Parameters:
    ///   - observed: The facts of the run.
    ///   - recording: It has seen every occurrence of the run, and the last trees.
    ///   - isVirtual: Whether the times are those of a simulator.
    ///   - width: The width of the main display in points.
    ///   - height: Its height in points.
    public init(
        _ observed: ObservedRun, _ recording: RunRecording, isVirtual: Bool, width: Double, height: Double
    ) {
        self.observed = observed
        (screens, omittedScreenCount) = (recording.screens.changes, recording.screens.omittedCount)
        ways = recording.ways
        (self.width, self.height, self.isVirtual) = (width, height, isVirtual)
    }

    /// Makes a run of values that were gathered elsewhere, as from a running group.
    public init(
        _ observed: ObservedRun, screens: [ScreenChange] = [], ways: [EventWay] = [], isVirtual: Bool = false,
        width: Double, height: Double
    ) {
        (self.observed, self.screens, self.ways, omittedScreenCount) = (observed, screens, ways, 0)
        (self.width, self.height, self.isVirtual) = (width, height, isVirtual)
    }
}
