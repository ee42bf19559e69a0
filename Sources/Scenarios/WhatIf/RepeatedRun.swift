// RepeatedRun.swift: the fingers of an observed run, as a scenario that the simulator can play with changes.
//
//     device facts of a run ─▶ finger script ┐
//     its scene or sample app ───────────────┴▶ Scenario ─▶ WhatIf
//
// Input     a live group's journals, or a recording on a scene
// Output    a scenario with one app
// Knows     facts of contacts and of system acts. No key, no pointer: those are not repeated.
//
// Sources   invented

import Basics
import Explain
import Recordings
public import Runs
import Settings
import Trace
import Wire

/// A run that cannot be repeated with changes. At fault: the person who asked for it.
public struct UnrepeatableRun: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}

extension Scenario {
    /// Makes a scenario of a run's fingers and of the app that it showed.
    ///
    /// - Throws: `UnrepeatableRun` for a run of several apps, of a user's program, on a turned panel, or with hidden
    ///   positions; the scene's `ScenarioError`.
    public init(repeating run: ObservedRun) throws {
        guard let settings = run.settings else { throw UnrepeatableRun("expected the settings of the run, found none") }
        guard settings[.appExecutable].isEmpty else {
            throw UnrepeatableRun(
                "what if: expected a scene or a sample app, found the program \(settings[.appExecutable])")
        }
        // Apps without a touch have no part in what the fingers did.
        let apps = run.facts.reduce(into: [String]()) { apps, fact in
            if RepeatedFingers.isLanding(fact), !apps.contains(fact.process) { apps.append(fact.process) }
        }
        guard apps.count == 1 else {
            throw UnrepeatableRun("what if: expected touches in one app, found \(apps.count) apps")
        }
        guard settings[.screenRotation] == 0 else {
            throw UnrepeatableRun("what if: expected a panel that is not turned")
        }
        let path = settings[.appScene]
        if path.isEmpty {
            self.init(file: "run")
            sample = settings[.appSample].isEmpty ? nil : settings[.appSample]
        } else {
            try self.init(showing: path)
        }
        (id, title, modes) = ("run", "run", [.simulated])
        scene.screen = (settings[.screenWidth], settings[.screenHeight])
        config = settings.changed.filter { $0.key.isThreshold }
        try repeatFingers(of: run)
    }

    /// Makes a scenario of the fingers of a recording that was played on this scenario.
    public func repeating(_ run: ObservedRun) throws -> Scenario {
        var scenario = self
        scenario.recording = nil
        try scenario.repeatFingers(of: run)
        return scenario
    }

    private mutating func repeatFingers(of run: ObservedRun) throws {
        var fingers = RepeatedFingers()
        for fact in run.events { try fingers.add(fact) }
        script = try Script(parsing: fingers.lines.joined(separator: "\n"), at: .nowhere)
    }
}

extension String {
    /// Whether the setting is a threshold of gestures, of touches or of the server's gestures.
    var isThreshold: Bool {
        let groups = [
            "touch", "tap", "longPress", "shortDoubleTap", "pan", "swipe", "pinch", "rotation", "edgePan", "gesture",
            "scroll", "systemGesture", "app",
        ]
        return groups.contains { hasPrefix("\($0).") } && !["app.scene", "app.sample", "app.executable"].contains(self)
    }
}
