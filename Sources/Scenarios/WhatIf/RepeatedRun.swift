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
        let apps = run.facts.reduce(into: [String]()) { apps, fact in
            if Peer(fact.process)?.role == .app, !apps.contains(fact.process) { apps.append(fact.process) }
        }
        guard apps.count == 1 else {
            throw UnrepeatableRun("what if: expected a run of one app, found \(apps.count)")
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

    /// Makes the script of the touches that the app received, in the space of its scene, which fills the display. The
    /// facts of devices have no positions unless `trace.positions` is set.
    private mutating func repeatFingers(of run: ObservedRun) throws {
        var lines: [String] = []
        var zero: Instant?
        /// The numbers of the touches that are down; the index is the finger.
        var down: [Int64?] = []
        /// The touch of each contact. A touch that was taken from the app ends there, and its finger lifts later.
        var touches: [Int64: Int64] = [:]
        func lift(_ touch: Int64?, at moment: Instant) {
            guard let touch, let finger = down.firstIndex(of: touch), let zero else { return }
            down[finger] = nil
            lines.append("up f\(finger + 1) @\(zero.duration(to: moment).seconds)")
        }
        for fact in run.events {
            if fact.template == "act: {a:n}" {
                guard let zero else { continue }
                let act = fact.word(at: 0)
                guard ["interrupt", "resume", "home", "lock", "unlock", "alert"].contains(act) else {
                    throw UnrepeatableRun("what if: expected a run without the act \(act)")
                }
                let word = act == "interrupt" ? "interrupt call" : act
                lines.append("\(word) @\(zero.duration(to: fact.at).seconds)")
                continue
            }
            switch fact.template {
            case "contact {a} → {b:n}, until it lifts: touch {c}": touches[fact.number(at: 0)] = fact.number(at: 2)
            case "contact {a} up at ({b:f}, {c:f})", "contact {a} cancelled at ({b:f}, {c:f})":
                lift(touches.removeValue(forKey: fact.number(at: 0)), at: fact.at)
            default: break
            }
            guard fact.station == .event, fact.template.hasPrefix("touch {a} ") else { continue }
            let touch = fact.number(at: 0)
            let verb: String
            switch fact.template {
            case "touch {a} began at ({b:p}, {c:p})": verb = "down"
            case "touch {a} moved to ({b:p}, {c:p})": verb = "move"
            default: continue
            }
            zero = zero ?? fact.at
            let time = (zero ?? fact.at).duration(to: fact.at).seconds
            if verb == "down" {
                if let free = down.firstIndex(of: nil) { down[free] = touch } else { down.append(touch) }
            }
            guard let finger = down.firstIndex(of: touch) else { continue }
            guard !Fact.isHidden(fact.number(at: 1)) else {
                throw UnrepeatableRun("what if: expected positions, found hidden ones: a window is secure")
            }
            let (x, y) = (points(fact.number(at: 1)), points(fact.number(at: 2)))
            lines.append("\(verb) f\(finger + 1) (\(x),\(y)) @\(time)")
        }
        script = try Script(parsing: lines.joined(separator: "\n"), at: .nowhere)
    }

    private func points(_ bits: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: bits)) }
}

extension String {
    /// Whether the setting is a threshold of gestures, of touches or of the server's gestures.
    fileprivate var isThreshold: Bool {
        let groups = [
            "touch", "tap", "longPress", "shortDoubleTap", "pan", "swipe", "pinch", "rotation", "edgePan", "gesture",
            "scroll", "systemGesture", "app",
        ]
        return groups.contains { hasPrefix("\($0).") } && !["app.scene", "app.sample", "app.executable"].contains(self)
    }
}
