// Runner.swift: one scenario, played in one mode and judged.
//
// Input     `touchline conform`, `touchline trace`, the conformance tests
// Output    an outcome
// Knows     the Playback of a play. DirectPlay, SimulatedPlay and the real group make it.

public import Basics
import Recordings
import Settings
public import Trace
public import Wire

/// The trace of one play of a scenario.
public struct Playback: Sendable {
    public var trace: [TraceLine]
    /// The facts of a simulated play; empty otherwise.
    public var facts: [ResolvedFact] = []
    /// The ledgers of a simulated play that keeps them; empty otherwise.
    public var ledgers: [Ledger] = []
    /// The moment of the first landing, or of the first other input. Expected times count from here.
    public var zero: Instant
    /// The beginning of the script. Earlier lines belong to the setup of the scene.
    public var begin: Instant
    /// The end of the play. Later lines belong to its teardown.
    public var end: Instant
    /// Whether each line of an app begins with the app's name.
    public var namesApps = false

    public init(trace: [TraceLine], zero: Instant, begin: Instant, end: Instant = .never) {
        (self.trace, self.zero, self.begin, self.end) = (trace, zero, begin, end)
    }

    /// The conformance lines between the beginning and the end.
    public var lines: [ObservedLine] {
        trace.filter { $0.isProbe && $0.at >= begin && $0.at < end }
            .map { ObservedLine(text(of: $0), at: zero.duration(to: $0.at)) }
    }

    private func text(of line: TraceLine) -> String {
        guard namesApps, Peer(line.process)?.role == .app else { return line.text }
        return "\(line.process) \(line.text)"
    }
}

/// The reason why a scenario could not be played to its end.
public struct PlaybackFailure: Error, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
}

/// The result of a scenario in one mode.
public enum ScenarioOutcome: Sendable {
    case passed
    case failed([String])
    case skipped(String)
}

extension Scenario {
    /// The reason why the scenario cannot be played in this mode; nil if it can.
    public func reasonToSkip(in mode: Mode) -> String? {
        guard modes.contains(mode) else {
            return "not a scenario for \(mode.rawValue), only for \(modes.map(\.rawValue).joined(separator: ", "))"
        }
        if mode == .direct, display > 1 || !apps.isEmpty {
            return "apps and displays of their own need a system server"
        }
        for line in script.lines.lines {
            guard mode == .direct, line.act.needsServer else { continue }
            return "\(line.act) needs a system server"
        }
        if mode == .processes, let app = appBackFromCrash {
            return "not yet: app\(app) started again after its crash, in processes"
        }
        return nil
    }

    /// The first app that the script launches or brings to the front after it has crashed.
    private var appBackFromCrash: UInt32? {
        var crashed: [UInt32] = []
        for line in script.lines.lines {
            switch line.act {
            case .crash(let app): crashed.append(app)
            case .launch(let app), .foreground(let app): if crashed.contains(app) { return app }
            default: continue
            }
        }
        return nil
    }

    private var hasCrash: Bool {
        script.lines.lines.contains { if case .crash = $0.act { true } else { false } }
    }

    /// The title up to its first comma, as one word: `tap-on-yellow`.
    public var slug: String {
        let head = title.prefix { $0 != "," }.lowercased()
        return head.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    /// How much later than on a virtual clock a line may come in this mode.
    public func slack(in mode: Mode) -> Duration { mode == .processes ? .milliseconds(50) : .zero }

    /// Compares a playback with the expectation.
    public func judge(_ playback: Playback, in mode: Mode) -> ScenarioOutcome {
        let verdict = expectation.verdict(on: playback.lines, slack: slack(in: mode), order: order)
        return verdict.passed ? .passed : .failed(verdict.difference)
    }

    /// The settings of the group that differ from the defaults.
    public var settings: [Setting] {
        var settings = config
        func set(_ key: String, _ value: String) { settings.append(Setting(key: key, value: value)) }
        set("screen.width", formatNumber(scene.screen.width))
        set("screen.height", formatNumber(scene.screen.height))
        // The objects of the scene print the other lines.
        let coreWords = probes.filter { [.app, .server, .loop, .input].contains($0) }
        if !coreWords.isEmpty { set("probes", coreWords.map(\.rawValue).joined(separator: ",")) }
        if case .ios(let seed) = order {
            set("order.mode", "ios")
            set("order.seed", "\(seed)")
        }
        if !apps.isEmpty { set("group.topology", Topology(apps).text) }
        // An app that crashed stays terminated (D9) until the script launches it.
        if hasCrash { set("supervisor.restartLimit", "0") }
        return settings
    }

    /// The number of apps. A scenario without windows has none, and the home screen is in front.
    public var appCount: Int {
        guard !scene.windows.isEmpty else { return 0 }
        let named = script.lines.lines.flatMap { line -> [UInt32] in
            switch line.act {
            case .foreground(app: let app), .launch(app: let app), .crash(app: let app): [app]
            case .screen(let act): act.apps
            default: []
            }
        }
        return max(Int(named.max() ?? 1), apps.count)
    }

    /// Plays the scenario on a virtual clock.
    ///
    /// - Parameter mode: `direct` or `simulated`. The caller starts real processes.
    public func play(in mode: Mode) throws -> Playback {
        var playback: Playback
        switch mode {
        case .direct:
            var play = try DirectPlay(self)
            playback = try play.run()
        case .simulated:
            var play = try SimulatedPlay(self)
            playback = try play.run()
        case .processes: preconditionFailure("a group is played by touchline conform")
        }
        playback.namesApps = namesApps
        return playback
    }

    /// Whether lines of apps must begin with the app's name.
    public var namesApps: Bool { probes.contains(.process) }
}

/// Returns `375` or `187.5`.
func formatNumber(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number))" : "\(number)"
}
