import Basics
import HID
import Hosting
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: touch monitors")
struct TouchMonitorTests {
    private let person = Peer(.controller, 1)
    private let other = Peer(.controller, 2)

    private func ready() throws -> SupervisorStage {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        for controller in [person, other] { nursery.handle(.connected(controller)) }
        nursery.forgetEffects()
        return nursery
    }

    private func requests(_ nursery: SupervisorStage) -> [TouchMonitorRequest] {
        nursery.messages(to: .systemServer).compactMap { if case .monitor(let request) = $0 { request } else { nil } }
    }

    @Test("a monitor's requests reach the server, and its pages only the monitor")
    func passedOn() throws {
        let nursery = try ready()
        nursery.ask(.monitor(TouchMonitorRequest(id: 99, .begin(TouchMonitorInterest(app: 1)))))
        nursery.ask(.monitor(TouchMonitorRequest(id: 99, .acknowledged(4))))
        #expect(
            requests(nursery) == [
                TouchMonitorRequest(id: 1, .begin(TouchMonitorInterest(app: 1))),
                TouchMonitorRequest(id: 1, .acknowledged(4)),
            ])
        let page = TouchMonitorPage(id: 1, number: 1, .begun)
        nursery.receive(.monitorPage(page), from: .systemServer)
        #expect(nursery.messages(to: person) == [.monitorPage(page)] && nursery.messages(to: other) == [])
        // One page names a controller that is no monitor; the other comes from a process that is not the server.
        nursery.forgetEffects()
        nursery.receive(.monitorPage(TouchMonitorPage(id: 2, number: 1, .begun)), from: .systemServer)
        nursery.receive(.monitorPage(page), from: .app(1))
        #expect(nursery.messages(to: person) == [] && nursery.messages(to: other) == [])
    }

    @Test("a lost controller ends its monitor; others send the server nothing")
    func leaving() throws {
        let nursery = try ready()
        nursery.ask(.monitor(TouchMonitorRequest(id: 0, .answer(TouchID(rawValue: 1), .yes))))
        #expect(requests(nursery) == [])
        nursery.ask(.monitor(TouchMonitorRequest(id: 0, .begin(TouchMonitorInterest()))))
        nursery.forgetEffects()
        nursery.handle(.peerLost(person))
        #expect(requests(nursery) == [TouchMonitorRequest(id: 1, .end)])
    }

    @Test("a new server receives the monitors that were not turned away")
    func restart() throws {
        let nursery = try ready()
        nursery.ask(.monitor(TouchMonitorRequest(id: 0, .begin(TouchMonitorInterest(app: 1)))))
        nursery.kill(.systemServer)
        nursery.run(for: .seconds(1))
        #expect(requests(nursery).suffix(1) == [TouchMonitorRequest(id: 1, .begin(TouchMonitorInterest(app: 1)))])
        nursery.receive(.monitorPage(TouchMonitorPage(id: 1, number: 0, .turnedAway(limit: 4))), from: .systemServer)
        nursery.forgetEffects()
        nursery.kill(.systemServer)
        nursery.ask(.monitor(TouchMonitorRequest(id: 0, .begin(TouchMonitorInterest()))))
        #expect(nursery.messages(to: person) == [.refused("system-server is not running")])
        nursery.run(for: .seconds(1))
        #expect(requests(nursery) == [])
    }
}
