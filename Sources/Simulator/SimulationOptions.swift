// SimulationOptions.swift: what a simulated run is given beside its seed, and what the two of them make of it.
//
//     options + seed ─▶ SimulationDraw ─▶ script, faults, cores
//
// Fed by    `touchline simulate`, tests
// Feeds     SimulatedRun
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

/// What a simulated run is given beside its seed.
public struct SimulationOptions {
    public enum Faults: Sendable {
        /// Drawn from the run's seed.
        case profile(FaultProfile)
        /// These, whatever the seed.
        case plan(FaultPlan)
    }

    /// What happens in a run besides its script and its faults, now and then, out of its seed.
    public struct Extras: Equatable, Sendable {
        /// Whether a command asks, now and then, how each process is.
        public var asksAround = false
        /// Whether a touch screen is plugged in, with a hand on it that knows nothing of the script.
        public var hasPanel = false
        /// Whether the person swipes from the screen's edges now and then, besides what is drawn otherwise.
        public var swipes = false
        /// Whether the person turns an app now and then.
        public var turns = false
        /// Whether the person presses power and volume up now and then, in time and out of it.
        public var chords = false
        /// How many commands spy on it.
        public var spies = 0
        /// Edges at which apps with odd numbers defer the system's gestures.
        public var deferring: UIRectEdge = []
        /// Whether URLs are opened now and then, by the person and by apps.
        public var opens = false

        public init() {}
    }

    /// Of fingers and faults; what comes before and after them is on top.
    public var length = Duration.seconds(60)
    public var apps: UInt32 = 2
    public var faults = Faults.plan(FaultPlan())
    /// Nil: drawn from the seed.
    public var script: [FingerScript.Line]?
    /// What is drawn.
    public var monkey = MonkeyProfile.standard
    public var settings = Settings()
    /// Whether each seed draws what else there is to draw: settings that are not set, and how its person is.
    public var draws = false
    /// With `draws`: how many apps, too.
    public var drawsApps = false
    /// What happens besides the script.
    public var extras = Extras()
    /// Makes what an app shows.
    public var content: (UInt32) -> (UIApplication) -> Void = { _ in SimulatedContent.show }
    public var links = LinkModel.measured
    /// Whether facts become text.
    public var isTraced = false
    /// Whether every input is kept, as a host's journal keeps it.
    public var keepsJournals = false
    /// Puts another core in a production core's place; nil leaves it.
    public var replacement: ((LaunchOrder) -> (any ProcessCore)?)?

    public init() {}
}

extension SimulationOptions {
    /// What a run of this seed plays: what was given, or what the seed draws.
    public func playedScript(of seed: UInt64) -> [FingerScript.Line] {
        guard !draws else { return drawn(for: seed).playedScript(of: seed) }
        let screen = Rect<ScreenSpace>(
            x: 0, y: 0, width: settings[.screenWidth], height: settings[.screenHeight])
        return script
            ?? SimulationScript.drawn(
                seed: seed, length: length, apps: apps, profile: monkey, screen: screen, swipes: extras.swipes,
                turns: extras.turns,
                chords: extras.chords)
    }

    /// What goes wrong in it.
    public func faultPlan(of seed: UInt64) -> FaultPlan {
        guard !draws else { return drawn(for: seed).faultPlan(of: seed) }
        return switch faults {
        case .plan(let plan): plan
        case .profile(let profile): profile.plan(seed: seed, length: length, apps: apps)
        }
    }

    /// A child's core, as its program would make it.
    func core(_ order: LaunchOrder) -> (any ProcessCore)? {
        if let core = replacement?(order) { return core }
        // Apps are not all alike then, and each has been told what it is.
        let isAlike = settings[.groupTopology].isEmpty
        let settings = isAlike ? settings : (try? Settings(order.settings)) ?? settings
        switch order.peer.role {
        case .systemServer: return SystemServerCore(settings: settings, order: order)
        case .inputKit: return InputKitCore(settings: settings, order: order)
        case .app:
            let (shows, edges) = (content(order.peer.instance), extras.deferring)
            let (defers, opens) = (!edges.isEmpty && order.peer.instance % 2 == 1, extras.opens)
            guard defers || opens else { return AppCore(order: order, settings: settings, content: shows) }
            let next = order.peer.instance % apps + 1
            return AppCore(order: order, settings: settings) { application in
                shows(application)
                if defers { DeferringController.join(application, edges) }
                if opens { OpeningRecognizer.join(application, "link\(next)://from/\(order.peer.instance)") }
            }
        case .supervisor, .controller: return nil
        }
    }
}
