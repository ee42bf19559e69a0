import Basics
import Hosting
import SupervisorCore
import Testbed
import Testing
import Trace
import Wire

@Suite("SupervisorCore: answers to controllers")
struct ControllerTests {
    private let controller = Peer(.controller, 1)

    private func ready(apps: UInt32 = 2) throws -> SupervisorStage {
        let nursery = try SupervisorStage(apps: apps)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.connected(controller))
        return nursery
    }

    private func reports(_ nursery: SupervisorStage, to controller: Peer = Peer(.controller, 1)) -> [Report] {
        nursery.messages(to: controller).compactMap { message in
            guard case .report(let report) = message else { return nil }
            return report
        }
    }

    @Test("a report request is answered when every child has reported")
    func gathering() throws {
        let nursery = try ready()
        nursery.kill(.app(2))
        nursery.run(for: .milliseconds(100))
        nursery.ask(.reportRequest)
        #expect(reports(nursery).isEmpty)
        nursery.run(for: .milliseconds(2))
        let answers = reports(nursery)
        #expect(answers.map(\.peer) == [.supervisor, .inputKit, .systemServer, .app(1), .app(2)])
        #expect(answers[0]["reports"] == .number(4))
        #expect(answers[0]["ready"] == .flag(true))
        #expect(answers[0]["pid"] == .number(42))
        #expect(answers[0]["app2.pid"] == .number(105))
        #expect(answers[0]["app2.state"] == .text("ready"))
        #expect(answers[0]["app2.generation"] == .number(2))
        #expect(answers[0]["app2.restarts"] == .number(1))
        #expect(answers[0]["app2.lastExit"] == .text("signal 9"))
        #expect(answers[0]["app2.since"] == .number(1_060_000_000))
        #expect(answers[0]["app1.lastExit"] == nil)
        #expect(answers[4]["turns"] == .number(2))
        #expect(answers.allSatisfy { $0["responding"] == nil })
    }

    @Test("a silent child is reported unresponsive after 300 ms")
    func mute() throws {
        let nursery = try ready()
        nursery.answers = { $0 != .app(1) }
        nursery.ask(.reportRequest)
        nursery.run(for: .milliseconds(299))
        #expect(reports(nursery).isEmpty)
        nursery.run(for: .milliseconds(1))
        #expect(reports(nursery).map(\.peer) == [.supervisor, .inputKit, .systemServer, .app(1), .app(2)])
        #expect(reports(nursery)[3].rows == [Report.Row("responding", .flag(false))])

        nursery.forgetEffects()
        nursery.answers = { _ in true }
        nursery.ask(.reportRequest)
        var old = Report(peer: .app(1))
        old.add("turns", 99)
        nursery.receive(.report(old), from: .app(1))
        nursery.run(for: .milliseconds(2))
        #expect(reports(nursery)[3]["turns"] == .number(1))
    }

    @Test("a child's death during a round does not delay the reports")
    func diesMeanwhile() throws {
        let nursery = try ready()
        nursery.answers = { $0 != .app(1) }
        nursery.ask(.reportRequest)
        nursery.run(for: .milliseconds(20))
        nursery.kill(.app(1))
        #expect(reports(nursery).count == 5)
        #expect(reports(nursery)[0]["app1.state"] == .text("backing off"))
        #expect(reports(nursery)[3]["responding"] == .flag(false))
    }

    @Test("a request during a round is answered by the next round")
    func twoAskers() throws {
        let nursery = try ready()
        let second = Peer(.controller, 2)
        nursery.handle(.connected(second))
        nursery.ask(.reportRequest)
        nursery.run(for: .milliseconds(1))
        nursery.ask(.reportRequest, as: 2)
        nursery.run(for: .milliseconds(1))
        #expect(reports(nursery).count == 5)
        #expect(reports(nursery, to: second).isEmpty)
        nursery.run(for: .milliseconds(2))
        #expect(reports(nursery).count == 5)
        #expect(reports(nursery, to: second).count == 5)
    }

    @Test("a play has a group-wide number, and its report reaches its controller")
    func play() throws {
        let nursery = try ready()
        let second = Peer(.controller, 2)
        nursery.handle(.connected(second))
        let order = PlayOrder(id: 5, source: .script("down f0 (1,1) @0"), pace: .max)
        var measuring = order
        measuring.wantsLedgers = true
        nursery.ask(.play(order))
        nursery.ask(.play(measuring), as: 2)
        let forwarded = nursery.messages(to: .inputKit).compactMap { message -> PlayOrder? in
            guard case .play(let order) = message else { return nil }
            return order
        }
        #expect(forwarded.map(\.id) == [1, 2])
        #expect(forwarded.map(\.source) == [order.source, order.source])

        nursery.receive(.measured([Ledger(device: .boot)]), from: .inputKit)
        var done = PlayReport(id: 2)
        done.sent = 3
        nursery.receive(.played(done), from: .inputKit)
        done.id = 5
        #expect(nursery.messages(to: second) == [.measured([Ledger(device: .boot)]), .played(done)])
        #expect(nursery.messages(to: controller).isEmpty)
        nursery.receive(.played(PlayReport(id: 1)), from: .inputKit)
        #expect(nursery.messages(to: controller) == [.played(PlayReport(id: 5))])
    }

    @Test("a second measurement at once is refused")
    func twoMeasurements() throws {
        let nursery = try ready()
        let order = PlayOrder(id: 1, source: .synthetic(frames: 9), pace: .closedLoop, wantsLedgers: true)
        nursery.ask(.play(order))
        nursery.ask(.play(order))
        #expect(nursery.messages(to: controller) == [.refused("another measurement is under way")])
    }

    @Test("the death of input-kit fails its plays with a reason")
    func playerDies() throws {
        let nursery = try ready()
        nursery.ask(.play(PlayOrder(id: 9, source: .file("/x"), pace: .max)))
        nursery.kill(.inputKit)
        var failed = PlayReport(id: 9)
        failed.failure = "input-kit died: signal 9"
        #expect(nursery.messages(to: controller) == [.played(failed)])
        nursery.ask(.play(PlayOrder(id: 10, source: .file("/x"), pace: .max)))
        #expect(nursery.messages(to: controller).last == .refused("input-kit is not ready"))
    }

    @Test("an act goes to the server, or is refused without one")
    func act() throws {
        let nursery = try ready()
        nursery.ask(.act(.home))
        #expect(nursery.messages(to: .systemServer).last == .act(.home))
        nursery.kill(.systemServer)
        nursery.ask(.act(.home))
        #expect(nursery.messages(to: controller) == [.refused("system-server is not ready")])
    }

    @Test("a message that a supervisor does not accept is refused by name")
    func unknown() throws {
        let nursery = try ready()
        nursery.ask(.ready)
        #expect(nursery.messages(to: controller) == [.refused("a supervisor takes no ready")])
    }

    @Test("a controller that disconnected receives no more messages")
    func gone() throws {
        let nursery = try ready()
        nursery.ask(.reportRequest)
        nursery.ask(.play(PlayOrder(id: 9, source: .file("/x"), pace: .max)))
        nursery.handle(.peerLost(controller))
        nursery.receive(.played(PlayReport(id: 1)), from: .inputKit)
        nursery.run(for: .seconds(1))
        #expect(nursery.messages(to: controller).isEmpty)
    }

    @Test("a controller's disconnection stops its own plays only")
    func stopsItsPlays() throws {
        let nursery = try ready()
        nursery.handle(.connected(Peer(.controller, 2)))
        nursery.ask(.play(PlayOrder(id: 9, source: .file("/x"), pace: .max)))
        nursery.ask(.play(PlayOrder(id: 9, source: .file("/y"), pace: .max)), as: 2)
        nursery.handle(.peerLost(controller))
        #expect(nursery.messages(to: .inputKit).filter { $0.kind == .stopPlay } == [.stopPlay(1)])
        nursery.receive(.played(PlayReport(id: 2)), from: .inputKit)
        #expect(nursery.messages(to: Peer(.controller, 2)) == [.played(PlayReport(id: 9))])
    }
}
