import Audit
import Basics
import Faults
import HID
import Hosting
import Recordings
import Settings
import Simulator
import SystemServerCore
import Testbed
import Testing
import Trace
import Wire

@Suite("Simulated runs")
struct SimulatedRunTests {

    /// Some faults of every kind within a few seconds.
    private static let profile = FaultProfile([
        FaultRule(.kill, chance: 0.4, targets: [.apps, .peer(.inputKit), .peer(.systemServer)], every: 1...4),
        FaultRule(
            .stop, chance: 0.3, targets: [.apps, .peer(.inputKit), .peer(.systemServer)], every: 1...4, length: 0.01...1
        ),
        FaultRule(.slow, chance: 0.3, targets: [.apps], every: 1...4, amount: 1...10, length: 0.1...1),
        FaultRule(.loss, chance: 0.3, targets: [.apps, .peer(.inputKit), .peer(.systemServer)], amount: 0.01...0.1),
        FaultRule(
            .duplicate, chance: 0.3, targets: [.apps, .peer(.inputKit), .peer(.systemServer)], amount: 0.01...0.1),
        FaultRule(.reorder, chance: 0.3, targets: [.apps, .peer(.inputKit), .peer(.systemServer)], amount: 0.01...0.1),
        FaultRule(.suspend, chance: 0.2, targets: [.apps, .peer(.supervisor)], every: 1...4, amount: 10...1500),
    ])

    private func options(_ seconds: Int64 = 3) -> SimulationOptions {
        var options = SimulationOptions()
        (options.length, options.faults) = (.seconds(seconds), .profile(Self.profile))
        return options
    }

    @Test("a run without faults ends every touch and breaks no law")
    func faultless() {
        var options = options()
        options.faults = .plan(FaultPlan())
        for seed in UInt64(1)...6 {
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(result.violations.isEmpty, "seed \(seed): \(result.violations.map(\.text))")
            #expect(result.audit.fingers > 0 && result.audit.liveTouches == 0)
        }
    }

    @Test("a contact that is down at the end lifts before the tap")
    func longAtTheEnd() throws {
        var options = options(1)
        options.faults = .plan(FaultPlan())
        options.script = try FingerScript(parsing: "down f1 (100,100) @0.5\nup f1 @6\n").lines
        var run = SimulatedRun(seed: 1, options: options)
        let result = run.run()
        #expect(result.violations.map(\.text) == [])
        #expect(result.wasProbed && result.audit.fingers == 2)
    }

    @Test("every URL is opened or answered, whatever dies meanwhile")
    func links() {
        var (asked, ended) = (0, UInt64(0))
        for seed in UInt64(1)...16 {
            var options = options(6)
            if seed % 2 == 0 { options.faults = .plan(FaultPlan()) }
            options.extras.opensURLs = true
            #expect(throws: Never.self) { try options.settings.set(.groupSchemes, to: "link1=1 link2=2") }
            options.keepsJournals = true
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(result.violations.isEmpty, "seed \(seed): \(result.violations.prefix(3).map(\.text))")
            ended += result.audit[.opened]
            for journal in result.journals where journal.process.peer.role == .app {
                asked += journal.inputs.count { input in
                    guard case .frame(let frame, from: .systemServer) = input.input else { return false }
                    return frame.message.kind == .open
                }
            }
        }
        #expect(asked > 16 && ended > 0, "\(asked) told, \(ended) touches lost to another app's URL")
    }

    @Test("only visible apps receive screenshots of drawn chords")
    func screenshots() {
        var heard = 0
        for seed in UInt64(1)...16 {
            var options = options(12)
            if seed % 2 == 0 { options.faults = .plan(FaultPlan()) }
            (options.extras.hasChords, options.keepsJournals) = (true, true)
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            #expect(result.violations.isEmpty, "seed \(seed): \(result.violations.prefix(3).map(\.text))")
            for journal in result.journals where journal.process.peer.role == .app {
                heard += journal.inputs.count { input in
                    guard case .frame(let frame, from: .systemServer) = input.input else { return false }
                    return frame.message.kind == .screenshot
                }
            }
        }
        #expect(heard > 8, "\(heard) told")
    }

    @Test("24 seeds with faults break no law, and taps work afterwards")
    func faulty() {
        var probed = 0
        for seed in 1...Sanitizer.seeds(24) {
            var run = SimulatedRun(seed: seed, options: options())
            let result = run.run()
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
            probed += result.wasProbed ? 1 : 0
        }
        // The other seeds have lost their server for good.
        #expect(probed >= Int(Sanitizer.seeds(12)))
    }

    @Test("a seed repeats its effects, faults and trace")
    func digests() {
        var options = options()
        options.isTraced = true
        func result(_ seed: UInt64) -> SimulationResult {
            var run = SimulatedRun(seed: seed, options: options)
            return run.run()
        }
        let (first, again, other) = (result(11), result(11), result(12))
        #expect(first.digest == again.digest && first.trace == again.trace && first.faults == again.faults)
        #expect(first.digest != other.digest)
    }

    @Test("a seed's script and faults as text repeat its run")
    func asText() throws {
        var drawn = SimulatedRun(seed: 5, options: options())
        let first = drawn.run()
        var options = options()
        options.script = try FingerScript(parsing: first.script.text).lines
        options.faults = .plan(try FaultPlan(parsing: first.faults.lines.joined(separator: "\n")))
        var written = SimulatedRun(seed: 5, options: options)
        #expect(written.run().digest == first.digest)
    }

    @Test("journals hold every input of every process generation in order")
    func journals() {
        var options = options(1)
        options.keepsJournals = true
        var run = SimulatedRun(seed: 3, options: options)
        let result = run.run()
        #expect(result.journals.reduce(0) { $0 + UInt64($1.inputs.count) } == result.coreEvents)
        for journal in result.journals {
            #expect(journal.inputs.first?.input == .started)
            #expect(zip(journal.inputs, journal.inputs.dropFirst()).allSatisfy { $0.at <= $1.at })
        }
    }

    @Test("a child in a crash loop is quarantined, and no law breaks")
    func crashLoop() throws {
        var options = options(15)
        options.faults = .plan(FaultPlan([try Fault(parsing: "100ms crash-loop app2 10 for 14000ms")]))
        options.isTraced = true
        var run = SimulatedRun(seed: 1, options: options)
        let result = run.run()
        #expect(result.violations.isEmpty, "\(result.violations.map(\.text))")
        #expect(result.trace.contains { $0.process == "supervisor" && $0.text.contains("app2 quarantined") })
    }

    @Test("an app that crashes within its restart limit is not quarantined")
    func shortCrashLoop() throws {
        var options = options(6)
        options.apps = 1
        options.faults = .plan(FaultPlan([try Fault(parsing: "100ms crash-loop app1 10 for 300ms")]))
        options.isTraced = true
        var run = SimulatedRun(seed: 1, options: options)
        let result = run.run()
        #expect(result.violations.isEmpty, "\(result.violations.map(\.text))")
        #expect(result.trace.contains { $0.process == "supervisor" && $0.text.contains("app1 died") })
        #expect(!result.trace.contains { $0.text.contains("quarantined") })
    }

    @Test("no process survives the supervisor, and a new group works")
    func supervisorDies() throws {
        var options = options(4)
        options.faults = .plan(FaultPlan([try Fault(parsing: "1500ms kill supervisor")]))
        options.keepsJournals = true
        var run = SimulatedRun(seed: 2, options: options)
        let result = run.run()
        #expect(result.violations.isEmpty, "\(result.violations.map(\.text))")
        #expect(result.journals.filter { $0.ended == .signalled(9) }.count == 5)
        #expect(result.journals.count == 10)
    }

    @Test(
        "a simulated run reports a server with a planted flaw",
        arguments: [FlawedServer.Flaw.losesReceipts, .losesEnds, .answersForEver])
    func broken(flaw: FlawedServer.Flaw) {
        var options = options()
        options.faults = .plan(FaultPlan())
        options.replacement = { order in
            guard order.peer == .systemServer else { return nil }
            return FlawedServer(core: SystemServerCore(settings: Settings(), order: order), flaw: flaw)
        }
        var run = SimulatedRun(seed: 1, options: options)
        #expect(!run.run().violations.isEmpty)
    }
}

/// A server with a flaw.
struct FlawedServer: ProcessCore {
    enum Flaw: CaseIterable, Sendable {
        /// Every 20th receipt is lost.
        case losesReceipts
        /// No app receives the lift of a contact.
        case losesEnds
        /// The server arms its own timer without end.
        case answersForEver
    }

    var core: SystemServerCore
    let flaw: Flaw
    private var outbox = Outbox()
    private var receipts = 0

    init(core: SystemServerCore, flaw: Flaw) { (self.core, self.flaw) = (core, flaw) }

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        if flaw == .answersForEver, case .timerFired(TimerID(250)) = input {
            return outbox.append(.arm(TimerID(250), at: now))
        }
        core.handle(input, at: now, into: &self.outbox)
        for effect in self.outbox.drain() where !isLost(effect) { outbox.append(effect) }
        self.outbox.trace.removeFacts()
        if flaw == .answersForEver, case .frame(_, from: .inputKit) = input {
            outbox.append(.arm(TimerID(250), at: now))
        }
    }

    private mutating func isLost(_ effect: Effect) -> Bool {
        guard case .send(let frame, to: _) = effect else { return false }
        switch (flaw, frame.message) {
        case (.losesReceipts, .handled):
            receipts += 1
            return receipts % 20 == 0
        case (.losesEnds, .touches(let touches)): return touches.contacts.contains { $0.phase == .ended }
        default: return false
        }
    }
}
