import Audit
import Basics
import Faults
import Hosting
import Settings
import Simulator
import Testbed
import Testing
import UIKit
import Wire

@Suite("Touch monitors in simulated runs")
struct TouchMonitorTests {
    private func options(_ settings: KeyValuePairs<String, String> = [:], faults: String = "") throws
        -> SimulationOptions
    {
        var options = SimulationOptions()
        (options.length, options.extras.touchMonitors) = (.seconds(6), 4)
        options.faults = .plan(try FaultPlan(parsing: faults))
        options.keepsJournals = true
        for (key, value) in settings { try options.settings.set(key, to: value) }
        return options
    }

    /// All pages for touch monitors, as the supervisor passed them on.
    private func pages(_ result: SimulationResult) -> [TouchMonitorPage] {
        result.journals.filter { $0.process.peer == .supervisor }.flatMap(\.inputs).compactMap { entry in
            guard case .frame(let frame, from: .systemServer) = entry.input, case .monitorPage(let page) = frame.message
            else { return nil }
            return page
        }
    }

    @Test("touch monitors break no law, with and without faults")
    func lawful() throws {
        var (taken, lagged, died) = (0, 0, 0)
        for (settings, faults) in [
            (["trace.positions": "true"], ""), (["systemGesture.enabled": "true", "server.displayRate": "60"], ""),
            (["app.declaresWindows": "true"], "1000ms kill system-server; 2000ms kill input-kit; 3000ms kill app1"),
        ] as [(KeyValuePairs<String, String>, String)] {
            for seed in 1...Sanitizer.seeds(6) {
                var options = try options(settings, faults: faults.replacing("; ", with: "\n"))
                options.extras.hasEdgeSwipes = true
                var run = SimulatedRun(seed: seed, options: options)
                let result = run.run()
                #expect(result.violations.isEmpty, "\(seed): \(result.violations.map(\.text).prefix(3))")
                let pages = pages(result)
                #expect(!pages.isEmpty)
                let takes = pages.count { if case .verdict(_, .taken) = $0.content { true } else { false } }
                // A pilfered touch counts in the audit only if its app received it and has answered.
                #expect(result.audit[.touchMonitor] <= UInt64(takes))
                taken += Int(result.audit[.touchMonitor])
                lagged += pages.count { $0.omission.count > 0 }
                died += Int(result.audit.deaths)
            }
        }
        // One seed of each group, as under ThreadSanitizer, shows too little of this.
        let isVaried = taken > 10 && lagged > 0 && died > 10
        #expect(isVaried || Sanitizer.kind == "thread", "\(taken), \(lagged), \(died)")
    }

    @Test("T5: no monitor receives a position on a secure window")
    func secrets() throws {
        for isSecure in [true, false] {
            var (places, shown) = (0, 0)
            for seed in UInt64(1)...4 {
                var options = try options(["app.declaresWindows": "true"], faults: "2000ms kill system-server")
                options.content = { _ in
                    { application in
                        SimulatedContent.show(in: application)
                        for window in application.windows { window.isSecure = isSecure }
                    }
                }
                var run = SimulatedRun(seed: seed, options: options)
                for page in pages(run.run()) {
                    guard case .scan(let scan) = page.content else { continue }
                    shown += scan.contacts.count
                    places += scan.contacts.count { $0.location != nil }
                }
            }
            #expect(shown > 0)
            #expect((places > 0) == !isSecure)
        }
    }
}
