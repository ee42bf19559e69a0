import Basics
import HID
import Hosting
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: touch monitors")
struct SpyTests {
    private let person = Peer(.controller, 1)
    private let other = Peer(.controller, 2)

    private func ready() throws -> Nursery {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        for controller in [person, other] { nursery.give(.connected(controller)) }
        nursery.forgetEffects()
        return nursery
    }

    private func requests(_ nursery: Nursery) -> [SpyRequest] {
        nursery.heard(by: .systemServer).compactMap { if case .spy(let request) = $0 { request } else { nil } }
    }

    @Test("a monitor's requests reach the server, and its pages only the monitor")
    func passedOn() throws {
        let nursery = try ready()
        nursery.ask(.spy(SpyRequest(id: 99, .begin(SpyInterest(app: 1)))))
        nursery.ask(.spy(SpyRequest(id: 99, .took(4))))
        #expect(requests(nursery) == [SpyRequest(id: 1, .begin(SpyInterest(app: 1))), SpyRequest(id: 1, .took(4))])
        let page = SpyPage(id: 1, number: 1, .begun)
        nursery.say(.spied(page), as: .systemServer)
        #expect(nursery.heard(by: person) == [.spied(page)] && nursery.heard(by: other) == [])
        // One page names a controller that is no monitor; the other comes from a process that is not the server.
        nursery.forgetEffects()
        nursery.say(.spied(SpyPage(id: 2, number: 1, .begun)), as: .systemServer)
        nursery.say(.spied(page), as: .app(1))
        #expect(nursery.heard(by: person) == [] && nursery.heard(by: other) == [])
    }

    @Test("a lost controller ends its monitor; others send the server nothing")
    func leaving() throws {
        let nursery = try ready()
        nursery.ask(.spy(SpyRequest(id: 0, .answer(TouchID(rawValue: 1), .yes))))
        #expect(requests(nursery) == [])
        nursery.ask(.spy(SpyRequest(id: 0, .begin(SpyInterest()))))
        nursery.forgetEffects()
        nursery.give(.peerLost(person))
        #expect(requests(nursery) == [SpyRequest(id: 1, .end)])
    }

    @Test("a new server receives the monitors that were not turned away")
    func restart() throws {
        let nursery = try ready()
        nursery.ask(.spy(SpyRequest(id: 0, .begin(SpyInterest(app: 1)))))
        nursery.kill(.systemServer)
        nursery.run(for: .seconds(1))
        #expect(requests(nursery).suffix(1) == [SpyRequest(id: 1, .begin(SpyInterest(app: 1)))])
        nursery.say(.spied(SpyPage(id: 1, number: 0, .turnedAway(limit: 4))), as: .systemServer)
        nursery.forgetEffects()
        nursery.kill(.systemServer)
        nursery.ask(.spy(SpyRequest(id: 0, .begin(SpyInterest()))))
        #expect(nursery.heard(by: person) == [.refused("system-server is not running")])
        nursery.run(for: .seconds(1))
        #expect(requests(nursery) == [])
    }
}
