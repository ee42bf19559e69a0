// SimulationDraw.swift: what a seed draws besides fingers and faults: the settings of its group, and its person.
//
//    seed ─▶ which settings leave their default, and their values ─▶ SimulationOptions of this one run
//
// Swarm testing, as in FaultProfile: most seeds keep most settings and take the changed ones to an extreme. Any gesture
// fills a window of two frames. No gesture of a person fills one of 256.
//
// A failure that takes three or four conditions at once is rare where a seed has each with a chance of a quarter. So
// seeds differ in the number of conditions as well. A quarter of the seeds draws with these chances, a quarter with
// twice, half with three times. Faults at every process keep none in one state for long. So in half of the seeds the
// faults concern apps alone, or one other process alone.
//
// A setting that was set, or an option that was given, stays.
//
// Sources   invented; documented  Groce et al., "Swarm testing" (ISSTA 2012)

import Basics
import Faults
import Recordings
import Settings
import Synthesis
import UIKit
import Wire

extension SimulationOptions {
    /// Returns these options as the run of this seed has them. Options that are drawn already stay.
    public func drawn(for seed: UInt64) -> SimulationOptions {
        guard drawsSettings else { return self }
        var options = self
        (options.drawsSettings, options.extras.requestsReports) = (false, true)
        var seeds = SeededGenerator(seed: seed ^ 0x5E77_1265_5E77_1265)
        let crowding = seeds.one(of: [1.0, 2, 3, 3])
        options.drawFaults(crowding, &seeds)
        // Each has a generator of its own, so that one more draw changes nothing in the others.
        func next() -> Chance { Chance(seed: seeds.next(), crowding: crowding) }
        var group = next()
        var windows = next()
        var app = next()
        var time = next()
        var person = next()
        var flow = next()
        var display = next()
        var edges = next()
        var turns = next()
        var monitors = next()
        var links = next()
        var chords = next()
        var others = next()
        var pace = next()
        let isLaidOut = !options.settings[.groupTopology].isEmpty
        if options.drawsApps { options.apps = group.one(of: [1, 2, 2, 2, 3, 3]) }
        if options.settings[.deviceOpen].isEmpty { options.extras.hasPanel = group.happens(0.5) }
        options.drawWindows(&windows)
        options.drawApp(&app)
        options.drawTime(&time)
        options.drawFlow(&flow)
        options.drawDisplay(&display)
        options.drawEdges(&edges)
        options.drawTurns(&turns)
        if !isLaidOut { options.drawOthers(&others) }
        options.drawTouchMonitors(&monitors)
        options.drawLinks(&links)
        options.drawChords(&chords)
        if pace.happens(0.3) { options.extras.playsAtMaximumPace = true }
        if options.monkey == .standard { options.monkey = .drawn(&person) }
        return options
    }

    /// Draws the target of the faults and their number of words. A given profile stays.
    private mutating func drawFaults(_ crowding: Double, _ seeds: inout SeededGenerator) {
        let (server, inputKit) = (FaultTarget.peer(.systemServer), FaultTarget.peer(.inputKit))
        let focus = seeds.one(of: [nil, nil, nil, nil, nil, .apps, .apps, .apps, server, inputKit])
        guard case .profile(var profile) = faults, profile == .standard else { return }
        if let focus { profile = profile.focused(on: focus) }
        // With more conditions fewer faults last.
        faults = .profile(profile.withChances(multipliedBy: (1 + crowding) / 2))
    }

    /// Draws the limits of frames in transit, and of journal records that wait for a full disk.
    private mutating func drawWindows(_ chance: inout Chance) {
        if chance.happens(0.4) { draw(.appInboxCapacity, chance.one(of: ["1", "2", "3", "4", "8", "16", "32"])) }
        if chance.happens(0.25) { draw(.serverInFlightLimit, chance.one(of: ["1", "2", "4", "16", "64"])) }
        if chance.happens(0.5) { draw(.journalRingCapacity, chance.one(of: ["1", "16", "256"])) }
    }

    /// Draws how an app fetches and delivers its events.
    private mutating func drawApp(_ chance: inout Chance) {
        if chance.happens(0.3) { draw(.appEventFetch, chance.one(of: ["main", "thread"])) }
        if chance.happens(0.25) { draw(.appDelivery, "frameAligned") }
        if chance.happens(0.25) { draw(.appLowLatencyBegan, "true") }
        if chance.happens(0.2) { draw(.orderMode, "ios") }
        if chance.happens(0.4) { draw(.appDeclaresWindows, "true") }
    }

    /// Draws when peers give a process up, and when it gives itself up: never before the peers do
    /// (Docs/Decisions/Lease.md).
    private mutating func drawTime(_ chance: inout Chance) {
        if chance.happens(0.3) { draw(.hostHeartbeatTimeout, chance.one(of: ["0.05", "0.1", "0.2", "0.6"])) }
        if chance.happens(0.25) { draw(.serverSuspensionLimit, chance.one(of: ["0.9", "1.5", "5"])) }
        if chance.happens(0.15) { draw(.deviceSuspensionLimit, chance.one(of: ["0.5", "2"])) }
    }

    /// Draws the window of an app, the age at which a move is stale, and the time an app may leave frames unanswered.
    private mutating func drawFlow(_ chance: inout Chance) {
        if chance.happens(0.35) { draw(.serverCreditWindow, chance.one(of: ["1", "2", "4", "8", "16", "64", "256"])) }
        if chance.happens(0.3) { draw(.serverStaleMoveAge, chance.one(of: ["0", "0.01", "0.05", "1"])) }
        if chance.happens(0.35) { draw(.serverResponseTimeout, chance.one(of: ["0", "0.05", "0.15", "2"])) }
        if chance.happens(0.25) { draw(.serverLifecycleTimeout, chance.one(of: ["0", "0.5", "2"])) }
        if chance.happens(0.2) { draw(.appTurnTimeout, chance.one(of: ["0", "0.1", "2"])) }
    }

    /// Draws whether moves are aligned to a display's frames, and whether they are resampled.
    private mutating func drawDisplay(_ chance: inout Chance) {
        if chance.happens(0.3) { draw(.serverDisplayRate, chance.one(of: ["60", "60", "120", "24", "1000"])) }
        if chance.happens(0.5) { draw(.serverResample, "true") }
    }

    /// Draws whether the system takes swipes from the edges, whether the person makes any, and which edges apps defer.
    private mutating func drawEdges(_ chance: inout Chance) {
        guard chance.happens(0.4) else { return }
        draw(.systemGestureEnabled, "true")
        extras.hasEdgeSwipes = chance.happens(0.85)
        if chance.happens(0.4) { extras.deferredEdges = chance.one(of: [.bottom, .top, .all]) }
        if chance.happens(0.3) { draw(.systemGestureRecognitionTimeout, chance.one(of: ["0.05", "0.2", "3"])) }
        if chance.happens(0.3) { draw(.systemGestureDeferralTimeout, chance.one(of: ["0.001", "0.005", "0.5"])) }
        if chance.happens(0.3) { draw(.systemGestureSwitcherHoldDuration, chance.one(of: ["0.02", "0.1", "1"])) }
        if chance.happens(0.2) { draw(.systemGestureSecondSwipeTimeout, chance.one(of: ["0.5", "30"])) }
        if chance.happens(0.2) { draw(.systemGestureZone, chance.one(of: ["1", "60", "200"])) }
        if chance.happens(0.3) { draw(.gateEdgeDelayMax, chance.one(of: ["0", "0.05", "5"])) }
    }

    /// Draws each app's first orientation, its possible ones, and whether the person turns apps.
    private mutating func drawTurns(_ chance: inout Chance) {
        guard chance.happens(0.35) else { return }
        extras.hasTurns = chance.happens(0.7)
        let all = InterfaceOrientation.allCases
        let topology = Topology(
            (0..<apps).map { _ in
                var appSettings = [Setting(key: "app.orientation", value: "\(chance.one(of: all))")]
                if chance.happens(0.3) {
                    let possible = all.filter { _ in chance.happens(0.5) }.map(\.description).joined(separator: ",")
                    appSettings.append(Setting(key: "app.orientations", value: possible.isEmpty ? "all" : possible))
                }
                return appSettings
            })
        draw(.groupTopology, topology.text)
    }

    /// Draws whether there are other displays, the apps on them, and the display of the panel.
    private mutating func drawOthers(_ chance: inout Chance) {
        guard chance.happens(0.25) else { return }
        let sizes = chance.one(of: ["1024x768", "1024x768@2", "200x300@3", "375x667@2 800x600"])
        draw(.screenOthers, sizes)
        let count = Displays(settings).all.count
        draw(.deviceDisplays, "\(Self.panelPath)=\(chance.number(1...count))")
        var topology = (try? Topology(text: settings[.groupTopology])) ?? Topology()
        while topology.apps.count < apps { topology.apps.append([]) }
        // Each on any display, or most on one that is not the main one.
        let shared = chance.happens(0.5) ? chance.number(2...count) : nil
        for app in topology.apps.indices where chance.happens(shared == nil ? 0.6 : 0.85) {
            topology.apps[app].append(Setting(key: "app.display", value: "\(shared ?? chance.number(1...count))"))
        }
        try? settings.set(.groupTopology, to: topology.text)
    }

    /// Draws the number of touch monitors. Five are one more than the supervisor allows.
    private mutating func drawTouchMonitors(_ chance: inout Chance) {
        guard extras.touchMonitors == 0, chance.happens(0.25) else { return }
        extras.touchMonitors = chance.one(of: [1, 1, 2, 3, 5])
    }

    /// Draws whether the person and the apps open URLs, and the limit for an opening.
    private mutating func drawLinks(_ chance: inout Chance) {
        guard apps > 0, chance.happens(0.4) else { return }
        // At times the last of several apps has no scheme.
        let owners = chance.happens(0.2) ? max(1, apps - 1) : apps
        draw(.groupSchemes, (1...owners).map { "link\($0)=\($0)" }.joined(separator: " "))
        extras.opensURLs = true
        if chance.happens(0.3) { draw(.serverOpenURLTimeout, chance.one(of: ["0.05", "0.5", "3"])) }
    }

    /// Draws whether the person presses power and volume up, and the window between the two.
    private mutating func drawChords(_ chance: inout Chance) {
        guard chance.happens(0.3) else { return }
        extras.hasChords = true
        if chance.happens(0.3) { draw(.screenshotMaxInterval, chance.one(of: ["0", "0.02", "1"])) }
    }

    fileprivate mutating func draw<Value>(_ key: Settings.Key<Value>, _ value: String) {
        guard !settings.isChanged(key) else { return }
        do throws(SettingsError) { try settings.set(key, to: value) } catch {
            preconditionFailure("a setting that is drawn: \(error)")
        }
    }
}

extension MonkeyProfile {
    /// Draws a person that prefers some gestures to others.
    fileprivate static func drawn(_ chance: inout Chance) -> MonkeyProfile {
        var profile = MonkeyProfile.standard
        profile.human = chance.happens(0.8)
        profile.rate = chance.one(of: [30, 60, 60, 60, 120])
        profile.deviceShare = chance.one(of: [0, 0.05, 0.05, 0.3, 0.8])
        profile.multitouchShare = chance.one(of: [0, 0.15, 0.15, 0.6])
        profile.pause = chance.one(of: [
            profile.pause, profile.pause, .zero ... .milliseconds(10), .milliseconds(400) ... .milliseconds(2000),
            .milliseconds(1000) ... .milliseconds(4000),
        ])
        return profile
    }
}

/// The generator of one group of settings, with the crowding of its seed.
private struct Chance {
    private var generator: SeededGenerator
    private let crowding: Double

    init(seed: UInt64, crowding: Double) { (generator, self.crowding) = (SeededGenerator(seed: seed), crowding) }

    /// - Parameter share: 0...1, for a crowding of 1. A crowding of more multiplies it, up to 0.75.
    mutating func happens(_ share: Double) -> Bool { generator.happens(max(share, min(0.75, share * crowding))) }

    mutating func one<Value>(of values: [Value]) -> Value { generator.one(of: values) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { generator.number(range) }
}

extension SeededGenerator {
    /// - Parameter share: 0...1.
    mutating func happens(_ share: Double) -> Bool { Double(next() >> 11) * 0x1p-53 < share }

    mutating func one<Value>(of values: [Value]) -> Value { values[Int(next() % UInt64(values.count))] }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}

extension SimulationOptions {
    static let panelPath = "/dev/input/event0"

    /// Makes input-kit read the plugged panel.
    mutating func plugPanel() {
        draw(.deviceOpen, "all")
        draw(.deviceDirectory, "/dev/input")
    }
}
