import Basics
import Faults
import Hosting
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: requested faults")
struct ChaosTests {
    private let person = Peer(.controller, 1)

    private func nursery(allowed: Bool) throws -> SupervisorStage {
        let settings = allowed ? [Setting(key: "chaos.allowed", value: "true")] : []
        let nursery = try SupervisorStage(apps: 1, settings: settings)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.handle(.connected(person))
        nursery.forgetEffects()
        return nursery
    }

    private func ask(_ line: String, _ nursery: SupervisorStage) {
        nursery.handle(.frame(Frame(epoch: 0, generation: 0, sequence: 1, message: .chaos(line)), from: person))
    }

    @Test("T9: a group without --allow-chaos refuses every fault")
    func refused() throws {
        let nursery = try nursery(allowed: false)
        ask("0ms malformed app1 10", nursery)
        #expect(nursery.messages(to: .app(1)).isEmpty)
        #expect(nursery.messages(to: person) == [.refused("this group was not started with --allow-chaos")])
    }

    @Test("a fault goes only to its target and echoes to its controller")
    func passedOn() throws {
        let nursery = try nursery(allowed: true)
        ask("0ms malformed app1 10", nursery)
        #expect(nursery.messages(to: .app(1)) == [.chaos("0ms malformed app1 10")])
        #expect(nursery.messages(to: .inputKit).isEmpty)
        #expect(nursery.messages(to: person) == [.chaos("0ms malformed app1 10")])
        nursery.forgetEffects()
        ask("0ms malfromed app1 10", nursery)
        ask("0ms slow app9 10 for 5ms", nursery)
        #expect(nursery.messages(to: .app(1)).isEmpty)
        #expect(nursery.messages(to: person).count == 2)
        #expect(nursery.messages(to: person).last == .refused("chaos: app9 is not running"))
    }

    @Test(
        "a fault that no host applies is refused with its reason",
        arguments: [
            ("0ms kill app1", "kill is a signal"), ("0ms stop app1 for 5ms", "stop is a signal"),
            ("0ms suspend supervisor 10", "suspend: expected input-kit"),
            ("0ms device-time input-kit 5", "device-time can only be applied in simulated runs"),
            ("0ms wall-time app1 5", "wall-time can only be applied in simulated runs"),
            ("1200ms slow app1 5 for 10ms", "a running group applies a fault at once: expected 0ms"),
            ("0ms malformed system-server 5", "malformed: expected input-kit or an app"),
            ("0ms clog supervisor for 10ms", "clog: expected input-kit, system-server or an app"),
        ])
    func notDone(line: String, reason: String) throws {
        let nursery = try nursery(allowed: true)
        ask(line, nursery)
        for child in [Peer.app(1), .inputKit, .systemServer] { #expect(nursery.messages(to: child).isEmpty) }
        guard case .refused(let text)? = nursery.messages(to: person).last else {
            Issue.record("\(nursery.messages(to: person))")
            return
        }
        #expect(text.hasPrefix("chaos: \(reason)") && nursery.messages(to: person).count == 1)
    }

    @Test(
        "every fault that hosts apply is passed on to its target",
        arguments: FaultKind.allCases.filter { ![.kill, .stop, .suspend, .deviceTime, .wallTime].contains($0) })
    func done(word: FaultKind) throws {
        let nursery = try nursery(allowed: true)
        let fault = Fault(at: .zero, word, .app(1), amount: word.amount == .nothing ? 0 : 1, for: .milliseconds(5))
        ask("\(fault)", nursery)
        #expect(nursery.messages(to: .app(1)) == [.chaos("\(fault)")])
        #expect(nursery.messages(to: person) == [.chaos("\(fault)")])
    }

    @Test("F13: each new process of a crash loop receives the fault")
    func crashLoop() throws {
        let nursery = try nursery(allowed: true)
        let line = "0ms crash-loop app1 10 for 200ms"
        ask(line, nursery)
        nursery.forgetEffects()
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(100))
        #expect(nursery.messages(to: .app(1)).contains(.chaos(line)))
        nursery.run(for: .milliseconds(200))
        nursery.forgetEffects()
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(500))
        #expect(nursery.status(.app(1)).isReady)
        #expect(!nursery.messages(to: .app(1)).contains(.chaos(line)))
    }
}
