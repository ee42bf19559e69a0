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

@Suite("A second display in a simulated group")
struct DisplaysTests {
    private static let settings = [
        ("screen.others", "800x600"), ("group.topology", "1\n2\napp.display=2\n3\napp.display=2"),
    ]

    private func options(_ length: Duration) throws -> SimulationOptions {
        var options = SimulationOptions()
        (options.length, options.apps) = (length, 3)
        for (key, value) in Self.settings { try options.settings.set(key, to: value) }
        return options
    }

    @Test("two displays break no law under faults in 24 seeds")
    func lawful() throws {
        for seed in 1...Sanitizer.seeds(24) {
            var options = try options(.seconds(4))
            (options.faults, options.extras.hasTurns) = (.profile(.standard), seed % 3 == 0)
            (options.extras.hasEdgeSwipes, options.extras.touchMonitors, options.extras.hasPanel) = (
                seed % 2 == 0, seed % 4 == 0 ? 2 : 0, seed % 2 == 1
            )
            try options.settings.set("device.displays", to: "/dev/input/event0=2")
            if seed % 2 == 0 { try options.settings.set("systemGesture.enabled", to: "true") }
            if seed % 3 == 0 { try options.settings.set("app.declaresWindows", to: "true") }
            if seed % 5 == 0 { try options.settings.set("server.displayRate", to: "60") }
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
        }
    }

    @Test("a panel mapped to the second display touches that display's app")
    func panel() throws {
        var options = try options(.seconds(4))
        (options.extras.hasPanel, options.isTraced, options.script) = (true, true, [])
        try options.settings.set("device.displays", to: "/dev/input/event0=2")
        var run = SimulatedRun(seed: 3, options: options)
        let result = run.run()
        #expect(result.violations.isEmpty)
        #expect(result.trace.contains { $0.process == "input-kit" && $0.text.contains("over display 2") })
        let owners = result.trace.filter { $0.process == "system-server" && $0.text.contains("until it lifts") }
        // The last contact is the tap at the end of the run, on any app that is ready.
        #expect(owners.count > 2 && owners.dropLast().allSatisfy { $0.text.contains("→ app:2") })
    }

    @Test("some seeds draw displays, apps on them and panels")
    func drawn() {
        var options = SimulationOptions()
        (options.length, options.drawsSettings, options.drawsApps) = (.seconds(5), true, true)
        let drawn = (UInt64(1)...60).map { options.drawn(for: $0).settings }.filter { Displays($0).all.count > 1 }
        #expect((12...40).contains(drawn.count))
        #expect(drawn.contains { settings in (1...3).contains { Displays(settings).display(of: $0) > 1 } })
        #expect(drawn.contains { PanelDisplays($0).display(ofDevice: "/dev/input/event0", called: "") > 1 })
    }
}
