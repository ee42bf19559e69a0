import Basics
import Hosting
import Settings
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: observation and tallies of deaths")
struct ObservationTests {

    private let person = Peer(.controller, 1)

    private func ready(apps: UInt32 = 2) throws -> SupervisorStage {
        let nursery = try SupervisorStage(apps: apps)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.connected(person))
        nursery.handle(.connected(Peer(.controller, 2)))
        nursery.forgetEffects()
        return nursery
    }

    private func observations(_ nursery: SupervisorStage, by peer: Peer) -> [Observation] {
        nursery.messages(to: peer).compactMap { if case .observe(let observation) = $0 { observation } else { nil } }
    }

    @Test("an observation reaches every process, a page request only its process")
    func passedOn() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 99, kind: .begin)))
        for peer in [Peer.inputKit, .systemServer, .app(1), .app(2)] {
            #expect(observations(nursery, by: peer) == [Observation(id: 1, kind: .begin)])
        }
        #expect(nursery.messages(to: person).map(\.kind) == [.facts])
        nursery.forgetEffects()
        nursery.ask(.observe(Observation(id: 0, kind: .page, of: .app(2), from: 7)))
        #expect(observations(nursery, by: .app(1)).isEmpty)
        #expect(observations(nursery, by: .app(2)) == [Observation(id: 1, kind: .page, of: .app(2), from: 7)])
    }

    @Test("a request for a tree reaches its app without an observation, and is refused if the app is not running")
    func tree() throws {
        let nursery = try ready()
        let request = Observation(id: 0, kind: .tree, of: .app(2))
        nursery.ask(.observe(request))
        #expect(observations(nursery, by: .app(2)) == [Observation(id: 1, kind: .tree, of: .app(2))])
        #expect(observations(nursery, by: .app(1)).isEmpty)
        var page = FactPage(answering: Observation(id: 1, kind: .tree), from: .app(2))
        let isAppended = page.append(line: "tree")
        #expect(isAppended)
        nursery.forgetEffects()
        nursery.receive(.facts(page), from: .app(2))
        #expect(nursery.messages(to: person) == [.facts(page)])
        nursery.forgetEffects()
        nursery.ask(.observe(Observation(id: 0, kind: .tree, of: .supervisor)))
        #expect(nursery.messages(to: person) == [.refused("supervisor is not running")])
    }

    @Test("a page request for a joined app goes to the server")
    func joined() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 0, kind: .begin)))
        nursery.forgetEffects()
        nursery.ask(.observe(Observation(id: 0, kind: .page, of: .app(9), from: 7)))
        #expect(observations(nursery, by: .systemServer) == [Observation(id: 1, kind: .page, of: .app(9), from: 7)])
        nursery.forgetEffects()
        for (claimed, told) in [(Peer.app(9), Peer.app(9)), (.app(2), .systemServer)] {
            nursery.receive(
                .facts(FactPage(answering: Observation(id: 1, kind: .page), from: claimed)), from: .systemServer)
            guard case .facts(let page)? = nursery.messages(to: person).last else {
                Issue.record("no page")
                return
            }
            #expect(page.peer == told)
        }
    }

    @Test("a page goes to its controller with its true sender")
    func answers() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 0, kind: .begin)))
        nursery.forgetEffects()
        let page = FactPage(answering: Observation(id: 2, kind: .page), from: .systemServer)
        nursery.receive(.facts(page), from: .app(1))
        #expect(nursery.messages(to: person).isEmpty)
        guard case .facts(let told)? = nursery.messages(to: Peer(.controller, 2)).first else {
            Issue.record("no frame was sent")
            return
        }
        #expect(told.peer == .app(1))
        // The controller of this page is not connected any more.
        nursery.forgetEffects()
        nursery.receive(.facts(FactPage(answering: Observation(id: 77, kind: .page), from: .app(1))), from: .app(1))
        #expect(nursery.effects.isEmpty)
    }

    @Test("a lost controller's observation ends; restarted processes are observed too")
    func leaving() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 0, kind: .begin)))
        nursery.kill(.app(1))
        nursery.run(for: .seconds(1))
        #expect(observations(nursery, by: .app(1)).map(\.kind) == [.begin, .begin])
        nursery.forgetEffects()
        nursery.handle(.peerLost(person))
        #expect(observations(nursery, by: .app(1)).map(\.kind) == [.end])
        #expect(observations(nursery, by: .systemServer).map(\.kind) == [.end])
    }

    @Test("detail requests go to the server, or are refused without one")
    func detail() throws {
        let nursery = try ready()
        nursery.ask(.detailRequest(DetailRequest(id: 5, from: 3)))
        #expect(nursery.messages(to: .systemServer) == [.detailRequest(DetailRequest(id: 1, from: 3))])
        nursery.receive(.detail(DetailPage(id: 1, next: 4)), from: .systemServer)
        #expect(nursery.messages(to: person) == [.detail(DetailPage(id: 1, next: 4))])
        nursery.forgetEffects()
        nursery.kill(.systemServer)
        nursery.ask(.detailRequest(DetailRequest(id: 5)))
        #expect(nursery.messages(to: person) == [.refused("system-server is not running")])
    }

    @Test("deaths are counted by kind, most frequent first, without requested ends")
    func tally() throws {
        let nursery = try ready()
        for status in [ExitStatus.exited(1), .signalled(9), .signalled(9)] {
            nursery.kill(.app(1), status)
            nursery.run(for: .seconds(20))
        }
        nursery.ask(.reportRequest)
        nursery.run(for: .milliseconds(10))
        let reports = nursery.messages(to: person).compactMap {
            if case .report(let report) = $0 { report } else { nil }
        }
        #expect(reports[0]["app1.deaths"] == .text("signal 9 ×2, exit 1 ×1"))
        #expect(reports[0]["app2.deaths"] == nil)
    }

    @Test("an app starts with its own settings of the topology")
    func topology() throws {
        let text = Topology([[], [Setting(key: "app.sample", value: "taps")]]).text
        let nursery = try SupervisorStage(apps: 2, settings: [Setting(key: "group.topology", value: text)])
        nursery.start()
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(1))[0].settings.isEmpty)
        #expect(nursery.launches(of: .app(2))[0].settings == [Setting(key: "app.sample", value: "taps")])
        #expect(nursery.launches(of: .systemServer)[0].settings.isEmpty)
    }
}
