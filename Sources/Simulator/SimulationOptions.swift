// SimulationOptions.swift: the options of a simulated run, and what they and a seed result in.
//
//     options + seed ─▶ SimulationDraw ─▶ script, faults, cores
//
// Input     `touchline simulate`, tests
// Output    SimulatedRun
//
// Sources   invented, after Docs/Spec/Pipeline.md section 4

import AppCore
import Basics
public import Faults
public import Hosting
import InputKitCore
public import Recordings
public import Settings
public import Synthesis
import SystemServerCore
public import UIKit
public import Wire

/// The options of a simulated run, besides its seed.
public struct SimulationOptions {
    /// The source of the faults of a run.
    public enum Faults: Sendable {
        /// Drawn from the run's seed.
        case profile(FaultProfile)
        /// The same plan for every seed.
        case plan(FaultPlan)
    }

    /// Events of a run besides its script and its faults, drawn from its seed.
    public struct Extras: Equatable, Sendable {
        /// Whether a command requests reports at times.
        public var requestsReports = false
        /// Whether a touch screen is plugged in, with contacts that are independent of the script.
        public var hasPanel = false
        /// Whether the person swipes from the screen's edges at times, besides the drawn gestures.
        public var hasEdgeSwipes = false
        /// Whether the person turns an app at times.
        public var hasTurns = false
        /// Whether the person presses power and volume up at times, within the window and outside it.
        public var hasChords = false
        /// The number of commands that monitor touches of the group.
        public var touchMonitors = 0
        /// Edges at which apps with odd numbers defer the system's gestures.
        public var deferredEdges: UIRectEdge = []
        /// Whether the person and the apps open URLs at times.
        public var opensURLs = false
        /// Whether scripts are played as fast as credit allows at times, so that scans share frames.
        public var playsAtMaximumPace = false

        public init() {}
    }

    /// The time of fingers and faults. The start and the settling come on top.
    public var length = Duration.seconds(60)
    public var apps: UInt32 = 2
    public var faults = Faults.plan(FaultPlan())
    /// The script of every seed; nil to draw it from the seed.
    public var script: [FingerScript.Line]?
    /// The profile from which a script is drawn.
    public var monkey = MonkeyProfile.standard
    public var settings = Settings()
    /// Whether each seed draws the settings that are not set, and the profile of its person.
    public var drawsSettings = false
    /// With `drawsSettings`: whether each seed draws the number of apps as well.
    public var drawsApps = false
    /// Events besides the script.
    public var extras = Extras()
    /// Makes the content of an app.
    public var content: (UInt32) -> (UIApplication) -> Void = { _ in SimulatedContent.show }
    public var links = LinkModel.measured
    /// Whether facts become text.
    public var isTraced = false
    /// Whether the run collects what it reaches (RunCoverage).
    public var collectsCoverage = false
    /// Whether every input is kept, as a host's journal keeps it.
    public var keepsJournals = false
    /// Replaces a production core; nil leaves it.
    public var replacement: ((LaunchOrder) -> (any ProcessCore)?)?

    public init() {}
}

extension SimulationOptions {
    /// Returns the script of a run of this seed: the given one, or the drawn one.
    public func playedScript(of seed: UInt64) -> [FingerScript.Line] {
        guard !drawsSettings else { return drawn(for: seed).playedScript(of: seed) }
        let screen = Rect<ScreenSpace>(
            x: 0, y: 0, width: settings[.screenWidth], height: settings[.screenHeight])
        return script
            ?? SimulationScript.drawn(
                seed: seed, length: length, apps: apps, profile: monkey, screen: screen, swipes: extras.hasEdgeSwipes,
                turns: extras.hasTurns,
                chords: extras.hasChords)
    }

    /// Returns the faults of a run of this seed.
    public func faultPlan(of seed: UInt64) -> FaultPlan {
        guard !drawsSettings else { return drawn(for: seed).faultPlan(of: seed) }
        return switch faults {
        case .plan(let plan): plan
        case .profile(let profile): profile.plan(seed: seed, length: length, apps: apps)
        }
    }

    /// Makes the core of a child, as its program would.
    func core(_ order: LaunchOrder) -> (any ProcessCore)? {
        if let core = replacement?(order) { return core }
        // With a topology the apps differ, and each launch order has the app's own settings.
        let isAlike = settings[.groupTopology].isEmpty
        let settings = isAlike ? settings : (try? Settings(order.settings)) ?? settings
        switch order.peer.role {
        case .systemServer: return SystemServerCore(settings: settings, order: order)
        case .inputKit: return InputKitCore(settings: settings, order: order)
        case .app:
            let (shows, edges) = (content(order.peer.instance), extras.deferredEdges)
            let (defers, opens) = (!edges.isEmpty && order.peer.instance % 2 == 1, extras.opensURLs)
            guard defers || opens else { return AppCore(order: order, settings: settings, content: shows) }
            let next = order.peer.instance % apps + 1
            return AppCore(order: order, settings: settings) { application in
                shows(application)
                if defers { DeferringController.install(application, edges) }
                if opens { OpeningRecognizer.install(application, "link\(next)://from/\(order.peer.instance)") }
            }
        case .supervisor, .controller: return nil
        }
    }
}
