import Audit
import Basics
import Faults
import Recordings
import Settings
import Simulator
import Testbed
import Testing
import Trace
import Wire

@Suite("Turning apps in a simulated group")
struct OrientationTests {
    private static let topology = "1\napp.orientation=landscapeLeft\n2\napp.orientations=portrait,portraitUpsideDown"

    @Test("turning apps under touches and faults breaks no law")
    func lawful() throws {
        for seed in 1...Sanitizer.seeds(24) {
            var options = SimulationOptions()
            (options.length, options.faults, options.extras.hasTurns) = (.seconds(4), .profile(.standard), true)
            options.extras.hasEdgeSwipes = seed % 3 == 0
            try options.settings.set("group.topology", to: Self.topology)
            if seed % 2 == 0 { try options.settings.set("app.declaresWindows", to: "true") }
            if seed % 3 == 0 { try options.settings.set("systemGesture.enabled", to: "true") }
            if seed % 4 == 0 { try options.settings.set("server.displayRate", to: "60") }
            if seed % 8 == 0 { try options.settings.set("server.resample", to: "true") }
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
        }
    }

    @Test("an app in landscape by topology receives turned positions at once")
    func starting() throws {
        var options = SimulationOptions()
        (options.length, options.isTraced) = (.seconds(1), true)
        options.script = try FingerScript(parsing: "tap f1 (100,600) @0.5\n", file: "turned").lines
        try options.settings.set("group.topology", to: Self.topology)
        var run = SimulatedRun(seed: 1, options: options)
        let result = run.run()
        #expect(result.violations.isEmpty)
        #expect(result.trace.contains { $0.process == "app1" && $0.text.contains("began at (67.0, 100.0)") })
    }

    @Test("some seeds draw turned topologies, and some turn running apps")
    func drawn() {
        var options = SimulationOptions()
        (options.length, options.drawsSettings, options.drawsApps) = (.seconds(5), true, true)
        let drawn = (UInt64(1)...60).map { options.drawn(for: $0) }
        #expect((20...57).contains(drawn.count { !$0.settings[.groupTopology].isEmpty }))
        let turning = drawn.enumerated().filter { $0.element.extras.hasTurns }
        #expect((8...40).contains(turning.count))
        for (index, options) in turning.prefix(5) {
            let lines = options.playedScript(of: UInt64(index + 1))
            #expect(lines.contains { if case .screen(.orientation) = $0.act { true } else { false } })
        }
    }
}
