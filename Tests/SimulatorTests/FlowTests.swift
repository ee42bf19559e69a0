import Audit
import Basics
import Faults
import Recordings
import Settings
import Simulator
import Testbed
import Testing
import Trace
import UIKit
import Wire

/// Docs/Spec/Pipeline.md section 4, F4 and F5, with their criteria, on a whole simulated group.
@Suite("Slow and unresponsive apps, simulated")
struct FlowTests {

    private final class Seen {
        var began = 0
        var ended = 0
        var cancelled = 0
        var samples = 0
        var mostSamples = 0
        /// The greatest age of a landing or move that an app received, and the times at which apps received landings.
        var oldest = 0.0
        var landings: [Double] = []
    }

    private func run(
        _ script: [String], _ faults: [String], seconds: Int64, _ settings: [Setting] = []
    ) throws -> (SimulationResult, Seen) {
        let seen = Seen()
        var options = SimulationOptions()
        (options.length, options.apps) = (.seconds(seconds), 1)
        options.settings = try Settings(settings)
        options.script = try FingerScript(parsing: script.joined(separator: "\n")).lines
        options.faults = .plan(FaultPlan(try faults.map { try Fault(parsing: $0) }))
        options.content = { _ in { $0.keptDelegate = Watcher(seen) } }
        var run = SimulatedRun(seed: 5, options: options)
        let result = run.run()
        #expect(result.violations.map(\.text) == [])
        return (result, seen)
    }

    @Test("F5: a slow app at 1 kHz has at most 32 frames")
    func slowApp() throws {
        let script = (0..<4).map { stroke in
            "stroke f1 (20,\(100 + stroke)) (350,600) @\(stroke).1 \(stroke).8 step 1/1000"
        }
        let (result, seen) = try run(script, ["0ms slow app1 20 for 6000ms"], seconds: 7)
        #expect(result.audit.queues.mostOutstanding <= 32 && result.audit.queues.mostOutstanding >= 24)
        #expect(result.audit.queues.stalls == 0)
        // The four strokes, and the tap that a run ends with.
        #expect(seen.began == 5 && seen.ended == 5 && seen.cancelled == 0)
        #expect(result.audit.queues.historySamples > 1000)
        #expect(seen.samples >= 2000 && seen.mostSamples > 10)
        #expect(result.audit.scans[.dropped] == 0 && result.audit.scans[.coalesced] > 1000)
    }

    @Test(
        "F4: a hung app is reported once and receives no old input",
        arguments: [1000, 5000, 30_000])
    func stuckApp(milliseconds: Int) throws {
        let length = Int64(milliseconds / 1000)
        // One contact is down when the app hangs; others land while it hangs, and one after.
        var script = ["stroke f1 (20,100) (350,600) @0.1 2.0 step 1/250"]
        for tap in 3..<7 { script.append("stroke f1 (50,\(100 + tap)) (60,200) @\(tap).0 \(tap).2 step 1/120") }
        let last = Double(max(8, length + 3))
        script.append("stroke f1 (20,100) (350,600) @\(last) \(last + 0.3) step 1/120")
        let (result, seen) = try run(
            script, ["500ms suspend app1 \(milliseconds)"], seconds: Int64(last) + 2)
        #expect(result.audit.queues.stalls == 1)
        #expect(seen.cancelled == 1)
        #expect(seen.oldest <= 0.25)
        #expect(seen.began == seen.ended + seen.cancelled)
        #expect(result.audit.scans[.notResponding] >= 1)
        // The app works again.
        #expect(seen.landings.contains { $0 > last - 1 })
    }

    @Test("an app that hangs for 450 ms loses nothing")
    func shortHang() throws {
        let (result, seen) = try run(
            ["stroke f1 (20,100) (350,600) @0.1 2.0 step 1/250"], ["500ms suspend app1 450"], seconds: 4)
        #expect(result.audit.queues.stalls == 0 && seen.cancelled == 0)
        #expect(result.audit.scans[.dropped] == 0)
    }

    @Test("hangs and slowness break no law in 60 seeds")
    func swarm() {
        let profile = FaultProfile([
            FaultRule(.suspend, chance: 0.8, targets: [.apps], every: 0.5...4, amount: 10...2500),
            FaultRule(.slow, chance: 0.6, targets: [.apps], every: 1...4, amount: 1...60, length: 0.2...3),
            FaultRule(.kill, chance: 0.3, targets: [.apps, .peer(.inputKit)], every: 1...6),
            FaultRule(.loss, chance: 0.2, targets: [.apps, .peer(.systemServer)], amount: 0.01...0.1),
            FaultRule(.clog, chance: 0.2, targets: [.apps, .peer(.systemServer)], every: 1...6, length: 0.01...1),
        ])
        var stalls: UInt64 = 0
        for seed in 1...Sanitizer.seeds(60) {
            var options = SimulationOptions()
            (options.length, options.faults, options.drawsSettings) = (.seconds(6), .profile(profile), true)
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            stalls += result.audit.queues.stalls
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
        }
        #expect(stalls > Sanitizer.seeds(10))
    }

    /// A window of one view that counts the touches it receives.
    private final class Watcher: UIResponder, UIApplicationDelegate {
        let window: UIWindow

        init(_ seen: Seen) {
            window = UIWindow(frame: UIScreen.main.bounds)
            super.init()
            let view = Counter(frame: window.bounds)
            view.seen = seen
            view.isMultipleTouchEnabled = true
            window.addSubview(view)
            window.makeKeyAndVisible()
        }
    }

    private final class Counter: UIView {
        var seen: Seen?

        private func ages(_ touches: Set<UITouch>) {
            let now = UIApplication.shared.now.seconds
            for touch in touches { seen?.oldest = max(seen?.oldest ?? 0, now - touch.timestamp) }
        }

        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
            ages(touches)
            seen?.began += touches.count
            seen?.landings.append(UIApplication.shared.now.seconds)
        }

        override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
            ages(touches)
            for touch in touches {
                let samples = event?.coalescedTouches(for: touch)?.count ?? 0
                seen?.samples += samples
                seen?.mostSamples = max(seen?.mostSamples ?? 0, samples)
            }
        }

        override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { seen?.ended += touches.count }

        override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
            seen?.cancelled += touches.count
        }
    }

    @Test("edge swipes belong to the system or the app in 12 seeds")
    func swipes() throws {
        var (taken, lifted, deferred) = (UInt64(0), UInt64(0), 0)
        for seed in UInt64(1)...12 {
            var options = SimulationOptions()
            (options.length, options.extras.hasEdgeSwipes, options.isTraced) = (.seconds(12), true, true)
            options.extras.deferredEdges = seed % 2 == 0 ? .all : []
            try options.settings.set("systemGesture.enabled", to: "true")
            if seed % 4 == 0 { try options.settings.set("app.declaresWindows", to: "true") }
            if seed % 5 == 0 { try options.settings.set("app.delivery", to: "frameAligned") }
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
            taken += result.audit[.gesture]
            lifted += result.audit[.lifted]
            deferred += result.trace.count { $0.text.contains("the app defers the edge") }
        }
        #expect(taken > 0 && lifted > taken && deferred > 0)
    }
}
