// RecordedRun+Sources.swift: the sources of a run with its screens.
//
// Input     `touchline report`
// Output    RecordedRun
// Knows     the sources of a run. No page.
//
// Sources   invented

public import Basics
public import Runs
import Settings

extension RecordedRun {
    /// Plays a scenario on a virtual clock.
    ///
    /// - Throws: `PlaybackFailure`, or the error of a setting.
    public init(of scenario: Scenario) throws {
        let recording = RunRecording()
        var play = try SimulatedPlay(scenario)
        play.recording = recording
        let observed = try play.observe()
        self.init(
            observed, recording, isVirtual: true, width: scenario.scene.screen.width,
            height: scenario.scene.screen.height)
    }

    /// Replays the journals of a group.
    ///
    /// - Parameters:
    ///   - folder: A run directory, or the folder of the journals.
    ///   - joined: The run directories of apps of other machines, copied to this one.
    ///   - programs: The programs of users that may be started.
    ///   - onStep: Receives the number of steps so far and the time, after each step.
    /// - Throws: `ReplayError` for a folder without journals, or of another version.
    public init(
        journals folder: String, joined: [String] = [], programs: ReplayPrograms = ReplayPrograms(),
        onStep: (UInt64, Instant) -> Void = { _, _ in }
    ) throws(ReplayError) {
        let recording = RunRecording()
        let observed = try ObservedRun(
            journals: folder, joined: joined, programs: programs, recording: recording, onStep: onStep)
        let settings = observed.settings ?? Settings()
        self.init(
            observed, recording, isVirtual: false, width: settings[.screenWidth], height: settings[.screenHeight])
        // Apps of other machines are replayed after the group. Changes of one time keep their order.
        screens = screens.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }
}
