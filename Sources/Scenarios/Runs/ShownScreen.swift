// ShownScreen.swift: the view trees of the apps of one run at one moment.
//
//     scene ───────────────────▶ World, before the first input ─┐
//     scenario, recording ─────▶ World, until a moment ─────────┼─▶ display, view trees by app
//     journals of a group ─────▶ ReplayedGroup, until a moment ─┘
//
// Input     the commands tree, screenshot and lint
// Output    ShownScreen
// Knows     the three sources of a run. No picture.
//
// Sources   invented

public import Basics
import Foundation
import Hosting
import Settings
public import ViewTrees
public import Wire

/// What the apps of a run show at one moment.
public struct ShownScreen: Sendable {
    /// The tree of one app.
    public struct App: Sendable {
        public var app: AppID
        public var tree: ViewTree

        public init(app: AppID, tree: ViewTree) { (self.app, self.tree) = (app, tree) }
    }

    /// The size of the main display in points.
    public var width, height: Double
    /// The apps by their numbers.
    public var apps: [App]
    /// The missing parts of the run, a line for each.
    public var gaps: [String] = []

    public init(width: Double, height: Double, apps: [App]) {
        (self.width, self.height, self.apps) = (width, height, apps)
    }

    /// Plays a scenario on a virtual clock.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; a draft has no expected lines.
    ///   - moment: The time since the first input; nil for the end, at which nothing happens any more.
    /// - Throws: `PlaybackFailure`, or the error of a setting.
    public init(of scenario: Scenario, at moment: Duration?) throws {
        var play = try SimulatedPlay(scenario)
        _ = try play.observe(until: moment)
        self.init(scenario, apps: play.viewTrees)
    }

    /// Shows the scene of a scenario before the first input.
    ///
    /// - Throws: `PlaybackFailure`, or the error of a setting.
    public init(before scenario: Scenario) throws {
        var scenario = scenario
        (scenario.script, scenario.recording) = (Script(), nil)
        var play = try SimulatedPlay(scenario)
        _ = try play.run()
        self.init(scenario, apps: play.viewTrees)
    }

    private init(_ scenario: Scenario, apps: [App]) {
        self.init(width: scenario.scene.screen.width, height: scenario.scene.screen.height, apps: apps)
    }

    /// Replays the journals of a group.
    ///
    /// - Parameters:
    ///   - folder: A run directory, or the folder of the journals.
    ///   - moment: The time since the start of the group. At the end of a run no app shows anything.
    ///   - programs: The programs of users that the replay may start. The app of another one is not replayed.
    ///   - onStep: Receives the number of steps so far and the time, after each step.
    /// - Throws: `ReplayError` for a folder without journals, or of another version.
    public init(
        journals folder: String, at moment: Duration, programs: ReplayPrograms = ReplayPrograms(),
        onStep: (UInt64, Instant) -> Void = { _, _ in }
    ) throws(ReplayError) {
        var isFolder: ObjCBool = false
        let inside = "\(folder)/journal"
        let hasInside = FileManager.default.fileExists(atPath: inside, isDirectory: &isFolder) && isFolder.boolValue
        var group = try ReplayedGroup(folder: hasInside ? inside : folder, programs: programs)
        var zero: Instant?
        replay: while let occurrence = group.next() {
            switch occurrence {
            case .began(_, at: let start): zero = zero ?? start
            case .step(let step):
                if let zero, step.at > zero.advanced(by: moment) { break replay }
                onStep(group.steps, step.at)
            case .ended, .lost: continue
            }
        }
        let apps = group.viewTrees
        let settings = group.settings ?? Settings()
        self.init(width: settings[.screenWidth], height: settings[.screenHeight], apps: apps)
        gaps = group.complaints
        if let difference = group.difference { gaps.append("the replay differs from the run: \(difference)") }
    }
}
