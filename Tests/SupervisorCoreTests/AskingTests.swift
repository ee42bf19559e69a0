import Basics
import Hosting
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: unlimited questions of controllers")
struct AskingTests {
    private let person = Peer(.controller, 1)

    private func ready(apps: UInt32 = 1, controllers: UInt32 = 2) throws -> SupervisorStage {
        let nursery = try SupervisorStage(apps: apps)
        nursery.start()
        nursery.run(for: .seconds(1))
        for controller in 1...controllers { nursery.handle(.connected(Peer(.controller, controller))) }
        nursery.forgetEffects()
        return nursery
    }

    private func details(_ nursery: SupervisorStage) -> [DetailRequest] {
        nursery.messages(to: .systemServer).compactMap {
            if case .detailRequest(let request) = $0 { request } else { nil }
        }
    }

    @Test("T6: the server has one question per controller, and the last follows")
    func details() throws {
        let nursery = try ready()
        for number: UInt32 in 1...10_000 { nursery.ask(.detailRequest(DetailRequest(id: 0, from: number))) }
        #expect(details(nursery) == [DetailRequest(id: 1, from: 1)])
        // Another controller does not wait for these questions.
        nursery.ask(.detailRequest(DetailRequest(id: 0, from: 7)), as: 2)
        #expect(details(nursery).last == DetailRequest(id: 2, from: 7))
        nursery.receive(.detail(DetailPage(id: 1, next: 2)), from: .systemServer)
        #expect(details(nursery).last == DetailRequest(id: 1, from: 10_000))
        nursery.receive(.detail(DetailPage(id: 1)), from: .systemServer)
        #expect(details(nursery).count == 3)
        #expect(nursery.messages(to: person).map(\.kind) == [.detail, .detail])
        nursery.ask(.reportRequest)
        nursery.run(for: .milliseconds(10))
        guard case .report(let report)? = nursery.messages(to: person).first(where: { $0.kind == .report }) else {
            Issue.record("no report")
            return
        }
        #expect(report["requests.replaced"] == .number(9998))
    }

    @Test("T6: each process has one page request per controller at once")
    func pages() throws {
        let nursery = try ready(apps: 2)
        func pages(_ peer: Peer) -> [UInt64] {
            nursery.messages(to: peer).compactMap { if case .observe(let page) = $0 { page.from } else { nil } }
        }
        for number: UInt64 in 1...10_000 {
            for app: AppID in 1...2 {
                nursery.ask(.observe(Observation(id: 0, kind: .page, of: .app(app), from: number)))
            }
        }
        #expect(pages(.app(1)) == [1] && pages(.app(2)) == [1])
        nursery.receive(.facts(FactPage(answering: Observation(id: 1, kind: .page), from: .app(1))), from: .app(1))
        #expect(pages(.app(1)) == [1, 10_000] && pages(.app(2)) == [1])
    }

    @Test("T6: a handled page request without an answer does not block the next")
    func lostAnswer() throws {
        let nursery = try ready()
        // An app of another machine that has left: its server sends no answer.
        for number: UInt64 in 1...3 {
            nursery.ask(.observe(Observation(id: 0, kind: .page, of: .app(9), from: number)))
            nursery.run(for: .milliseconds(10))
        }
        let asked = nursery.messages(to: .systemServer).compactMap {
            if case .observe(let page) = $0 { page.from } else { nil }
        }
        #expect(asked == [1, 2, 3])
    }

    @Test("T6: toggling observation ten thousand times sends a stopped process few frames")
    func observers() throws {
        let nursery = try ready()
        nursery.answers = { $0 != .app(1) }
        for _ in 0..<10_000 {
            nursery.ask(.observe(Observation(id: 0, kind: .begin)))
            nursery.ask(.observe(Observation(id: 0, kind: .end)))
        }
        nursery.ask(.observe(Observation(id: 0, kind: .begin)))
        nursery.run(for: .seconds(1))
        #expect(nursery.messages(to: .app(1)).count < 64)
        func last(_ peer: Peer) -> Observation.Kind? {
            nursery.messages(to: peer).compactMap { if case .observe(let word) = $0 { word.kind } else { nil } }.last
        }
        // A process that reads its link receives the final state. A stopped process receives it when it continues.
        #expect(last(.systemServer) == .begin)
        nursery.ask(.observe(Observation(id: 0, kind: .end)))
        nursery.answers = { _ in true }
        for _ in 0..<4 {
            nursery.receive(.report(Report(peer: .app(1))), from: .app(1))
            nursery.run(for: .milliseconds(10))
        }
        #expect(last(.app(1)) == .end && last(.systemServer) == .end)
    }

    @Test("T6: reconnecting controllers have no more open requests than a staying one")
    func reconnecting() throws {
        let nursery = try ready()
        nursery.answers = { $0 != .systemServer }
        for controller: UInt32 in 10...5000 {
            let peer = Peer(.controller, controller)
            nursery.handle(.connected(peer))
            nursery.ask(.detailRequest(DetailRequest(id: 0)), as: controller)
            nursery.ask(.observe(Observation(id: 0, kind: .begin)), as: controller)
            nursery.ask(.act(.home), as: controller)
            nursery.handle(.peerLost(peer))
        }
        #expect(nursery.messages(to: .systemServer).count < 200)
        #expect(nursery.status(.systemServer).isReady)
    }

    @Test("T6: acts beyond an unresponsive server's limit are refused and counted")
    func acts() throws {
        let nursery = try ready()
        nursery.answers = { $0 != .systemServer }
        for _ in 0..<1000 { nursery.ask(.act(.home)) }
        let sent = nursery.messages(to: .systemServer).count { $0 == .act(.home) }
        let refused = nursery.messages(to: person).count { $0.kind == .refused }
        #expect(sent == 32 && sent + refused == 1000)
        #expect(
            nursery.messages(to: person).last
                == .refused("system-server has not come to 32 requests of this controller, or 128 of all"))
        // Another controller's acts are accepted.
        nursery.ask(.act(.lock), as: 2)
        #expect(nursery.messages(to: .systemServer).last == .act(.lock))
        // The server answers again.
        nursery.receive(.report(Report(peer: .systemServer)), from: .systemServer)
        nursery.ask(.act(.home))
        #expect(nursery.messages(to: .systemServer).count { $0 == .act(.home) } == 33)
    }

    @Test("T6: a server that answers receives any number of acts in order")
    func manyActs() throws {
        let nursery = try ready()
        for _ in 0..<1000 {
            for _ in 0..<8 { nursery.ask(.act(.home)) }
            nursery.run(for: .milliseconds(5))
        }
        #expect(nursery.messages(to: .systemServer).count { $0 == .act(.home) } == 8000)
        #expect(!nursery.messages(to: person).contains { $0.kind == .refused })
    }

    @Test("T6: repeated status requests send a stopped process eight questions")
    func reports() throws {
        let nursery = try ready()
        nursery.answers = { $0 != .app(1) }
        for _ in 0..<1000 {
            nursery.ask(.reportRequest)
            nursery.run(for: .milliseconds(350))
        }
        #expect(nursery.messages(to: .app(1)).count { $0 == .reportRequest } == 8)
        #expect(nursery.messages(to: person).count { $0.kind == .report } == 4000)
    }

    @Test("T6: input-kit has at most 64 plays of all controllers")
    func plays() throws {
        let nursery = try ready()
        for _ in 0..<20 {
            for id: UInt32 in 1...10 { nursery.ask(.play(PlayOrder(id: id, source: .marker, pace: .max))) }
            nursery.run(for: .milliseconds(10))
        }
        #expect(nursery.messages(to: .inputKit).count { $0.kind == .play } == 64)
        #expect(nursery.messages(to: person).last == .refused("more than 64 plays at once"))
    }
}
