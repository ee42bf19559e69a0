import Audit
import Basics
import Faults
import Recordings
import Settings
import Simulator
import Testing
import Wire

@Suite("Draws of a seed other than touches and faults")
struct SimulationDrawTests {
    private func options(_ seconds: Int64 = 3, faults: String = "") throws -> SimulationOptions {
        var options = SimulationOptions()
        (options.length, options.faults) = (.seconds(seconds), .plan(try FaultPlan(parsing: faults)))
        return options
    }

    @Test("a seed draws the same few settings each time, some extreme")
    func settings() throws {
        var options = try options()
        (options.drawsSettings, options.drawsApps) = (true, true)
        var windows: [Int] = []
        var apps: [UInt32] = []
        for seed in UInt64(1)...200 {
            let drawn = options.drawn(for: seed)
            #expect(drawn.settings.changed == options.drawn(for: seed).settings.changed)
            #expect(drawn.settings.changed.count <= 30 && !drawn.drawsSettings)
            windows.append(drawn.settings[.appInboxCapacity])
            apps.append(drawn.apps)
        }
        #expect(windows.contains(1) && windows.contains(16))
        #expect((30...100).contains(windows.count { $0 == 256 }))
        #expect(apps.contains(1) && apps.contains(2) && apps.contains(3))
    }

    @Test("some seeds vary the standard fault profile; given profiles stay")
    func shapes() throws {
        var options = try options(20)
        options.drawsSettings = true
        func profiles(_ given: FaultProfile) -> [FaultProfile] {
            options.faults = .profile(given)
            return (UInt64(1)...100).compactMap { seed in
                if case .profile(let profile) = options.drawn(for: seed).faults { profile } else { nil }
            }
        }
        let kills = profiles(.standard).compactMap { profile in profile.rules.first { $0.kind == .kill } }
        #expect((15...45).contains(kills.count { $0.targets == [.apps] }))
        #expect(kills.contains { $0.targets.count == 4 } && Set(kills.map(\.chance)).count == 3)
        let own = FaultProfile([FaultRule(.kill, chance: 0.1, targets: [.apps, .peer(.systemServer)], every: 1...2)])
        #expect(profiles(own) == Array(repeating: own, count: 100))
    }

    @Test("a seed's draw keeps the settings that are given")
    func given() throws {
        var options = try options()
        (options.drawsSettings, options.apps) = (true, 5)
        try options.settings.set("app.inboxCapacity", to: "77")
        for seed in UInt64(1)...50 {
            let drawn = options.drawn(for: seed)
            #expect(drawn.settings[.appInboxCapacity] == 77 && drawn.apps == 5)
        }
    }

    @Test("drawn settings and faults break no law in 24 seeds")
    func lawful() throws {
        var options = try options()
        (options.drawsSettings, options.drawsApps, options.faults) = (true, true, .profile(.standard))
        for seed in UInt64(1)...24 {
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
        }
    }

    @Test("a plugged-in panel touches apps, also when its clock goes back")
    func panel() throws {
        var digests: [UInt64] = []
        for faults in ["", "700ms device-time input-kit 5000", "900ms kill input-kit"] {
            var options = try options(faults: faults)
            (options.extras.hasPanel, options.script) = (true, [])
            var run = SimulatedRun(seed: 4, options: options)
            let result = run.run()
            #expect(result.violations.isEmpty, "\(faults): \(result.violations.map(\.text))")
            #expect(result.audit.fingers > 2 && result.audit.touches > 2)
            digests.append(result.digest)
        }
        #expect(Set(digests).count == 3)
    }

    @Test("a full disk changes only the journal, which counts missing inputs")
    func fullDisk() throws {
        var digests: [UInt64] = []
        for (ring, faults) in [
            ("4096", ""), ("4096", "400ms disk-full app1 for 1500ms"), ("1", "400ms disk-full app1 for 1500ms"),
        ] {
            var options = try options(faults: faults)
            try options.settings.set("journal.ringCapacity", to: ring)
            var run = SimulatedRun(seed: 4, options: options)
            let result = run.run()
            #expect(result.violations.isEmpty, "\(result.violations.map(\.text))")
            #expect((result.missingInputs > 0) == (ring == "1"))
            digests.append(result.audit.scans.injected)
        }
        #expect(Set(digests).count == 1)
    }
}
