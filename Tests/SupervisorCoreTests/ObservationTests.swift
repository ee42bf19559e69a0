import Basics
import Hosting
import Settings
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: who looks on, and how children died")
struct ObservationTests {

    private let person = Peer(.controller, 1)

    private func ready(apps: UInt32 = 2) throws -> Nursery {
        let nursery = try Nursery(apps: apps)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.give(.connected(person))
        nursery.give(.connected(Peer(.controller, 2)))
        nursery.forgetEffects()
        return nursery
    }

    private func observations(_ nursery: Nursery, by peer: Peer) -> [Observation] {
        nursery.heard(by: peer).compactMap { if case .observe(let observation) = $0 { observation } else { nil } }
    }

    @Test("everybody is told that a person looks on, under that person's number, and a page is one process's")
    func passedOn() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 99, word: .begin)))
        for peer in [Peer.inputKit, .systemServer, .app(1), .app(2)] {
            #expect(observations(nursery, by: peer) == [Observation(id: 1, word: .begin)])
        }
        #expect(nursery.heard(by: person).map(\.kind) == [.facts])
        nursery.forgetEffects()
        nursery.ask(.observe(Observation(id: 0, word: .page, of: .app(2), from: 7)))
        #expect(observations(nursery, by: .app(1)).isEmpty)
        #expect(observations(nursery, by: .app(2)) == [Observation(id: 1, word: .page, of: .app(2), from: 7)])
    }

    @Test("a page of an app that joined is asked of the server, which may speak for it")
    func joined() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 0, word: .begin)))
        nursery.forgetEffects()
        nursery.ask(.observe(Observation(id: 0, word: .page, of: .app(9), from: 7)))
        #expect(observations(nursery, by: .systemServer) == [Observation(id: 1, word: .page, of: .app(9), from: 7)])
        nursery.forgetEffects()
        for (claimed, told) in [(Peer.app(9), Peer.app(9)), (.app(2), .systemServer)] {
            nursery.say(.facts(FactPage(answering: Observation(id: 1, word: .page), from: claimed)), as: .systemServer)
            guard case .facts(let page)? = nursery.heard(by: person).last else {
                Issue.record("no page")
                return
            }
            #expect(page.peer == told)
        }
    }

    @Test("a page goes to who asked for it, as the one's it is, whatever it says")
    func answers() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 0, word: .begin)))
        nursery.forgetEffects()
        let page = FactPage(answering: Observation(id: 2, word: .page), from: .systemServer)
        nursery.say(.facts(page), as: .app(1))
        #expect(nursery.heard(by: person).isEmpty)
        guard case .facts(let told)? = nursery.heard(by: Peer(.controller, 2)).first else {
            Issue.record("nobody was told")
            return
        }
        #expect(told.peer == .app(1))
        // Somebody who is not there any more.
        nursery.forgetEffects()
        nursery.say(.facts(FactPage(answering: Observation(id: 77, word: .page), from: .app(1))), as: .app(1))
        #expect(nursery.effects.isEmpty)
    }

    @Test("who leaves without a word looks on no more; what is started meanwhile is looked at too")
    func leaving() throws {
        let nursery = try ready()
        nursery.ask(.observe(Observation(id: 0, word: .begin)))
        nursery.kill(.app(1))
        nursery.run(for: .seconds(1))
        #expect(observations(nursery, by: .app(1)).map(\.word) == [.begin, .begin])
        nursery.forgetEffects()
        nursery.give(.peerLost(person))
        #expect(observations(nursery, by: .app(1)).map(\.word) == [.end])
        #expect(observations(nursery, by: .systemServer).map(\.word) == [.end])
    }

    @Test("what the server knows is asked of the server alone, and refused while there is none")
    func detail() throws {
        let nursery = try ready()
        nursery.ask(.detailRequest(DetailRequest(id: 5, from: 3)))
        #expect(nursery.heard(by: .systemServer) == [.detailRequest(DetailRequest(id: 1, from: 3))])
        nursery.say(.detail(DetailPage(id: 1, next: 4)), as: .systemServer)
        #expect(nursery.heard(by: person) == [.detail(DetailPage(id: 1, next: 4))])
        nursery.forgetEffects()
        nursery.kill(.systemServer)
        nursery.ask(.detailRequest(DetailRequest(id: 5)))
        #expect(nursery.heard(by: person) == [.refused("system-server is not running")])
    }

    @Test("deaths are told apart by how, the most frequent first; an end that was asked for is none")
    func tally() throws {
        let nursery = try ready()
        for status in [ExitStatus.exited(1), .signalled(9), .signalled(9)] {
            nursery.kill(.app(1), status)
            nursery.run(for: .seconds(20))
        }
        nursery.ask(.reportRequest)
        nursery.run(for: .milliseconds(10))
        let reports = nursery.heard(by: person).compactMap { if case .report(let report) = $0 { report } else { nil } }
        #expect(reports[0]["app1.deaths"] == .text("signal 9 ×2, exit 1 ×1"))
        #expect(reports[0]["app2.deaths"] == nil)
    }

    @Test("an app is started with what is its own of the topology")
    func topology() throws {
        let text = Topology([[], [Setting(key: "app.sample", value: "taps")]]).text
        let nursery = try Nursery(apps: 2, settings: [Setting(key: "group.topology", value: text)])
        nursery.start()
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(1))[0].settings.isEmpty)
        #expect(nursery.launches(of: .app(2))[0].settings == [Setting(key: "app.sample", value: "taps")])
        #expect(nursery.launches(of: .systemServer)[0].settings.isEmpty)
    }
}
