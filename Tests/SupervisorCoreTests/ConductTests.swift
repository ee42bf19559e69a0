import Basics
import Hosting
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: what children do to each other")
struct SupervisedConductTests {

    @Test("F7: a child the server complains of is killed and not started again, with the reason")
    func misconduct() throws {
        let nursery = try Nursery(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        let complaint = Misconduct(peer: .app(1), generation: 1, strikes: 3, reason: "app1 may not send digitizer")
        nursery.say(.misconduct(complaint), as: .systemServer)
        #expect(nursery.effects.contains(.signal(.app(1), .kill)))
        nursery.run(for: .seconds(60))
        #expect(nursery.launches(of: .app(1)).count == 1)
        let status = nursery.status(.app(1))
        #expect(status.isQuarantined)
        #expect(status.lastExit == "signal 9: 3 strikes: app1 may not send digitizer")
        #expect(nursery.status(.app(2)).restarts == 0)
    }

    @Test("a complaint of an earlier generation, or by anybody but the server, changes nothing")
    func late() throws {
        let nursery = try Nursery(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.kill(.app(1))
        nursery.run(for: .seconds(1))
        let complaint = Misconduct(peer: .app(1), generation: 1, strikes: 3, reason: "")
        nursery.say(.misconduct(complaint), as: .systemServer)
        nursery.say(.misconduct(Misconduct(peer: .app(1), generation: 2, strikes: 3, reason: "")), as: .app(2))
        nursery.run(for: .seconds(1))
        #expect(nursery.status(.app(1)).isReady)
    }

    @Test("F12: a server that ends because it was stopped is started at once in a new epoch, however often")
    func lease() throws {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        for _ in 0..<10 {
            nursery.run(for: .seconds(1))
            nursery.kill(.systemServer, .exited(ExitStatus.leaseExpired))
            nursery.run(for: .milliseconds(11))
            #expect(nursery.status(.systemServer).isReady)
        }
        #expect(nursery.launches(of: .systemServer).map(\.epoch) == Array(7...17))
    }

    @Test(
        "F13: whoever says so and cannot have been stopped has died like anybody else",
        arguments: [Peer.systemServer, .inputKit, .app(1)])
    func leaseOfNobody(peer: Peer) throws {
        let nursery = try Nursery(apps: 1)
        nursery.birth = {
            $0 == peer ? .dies(after: .milliseconds(20), .exited(ExitStatus.leaseExpired)) : .ready(after: .zero)
        }
        nursery.start()
        nursery.run(for: .seconds(60))
        #expect(nursery.status(peer).isQuarantined)
        #expect(nursery.launches(of: peer).count == 6)
    }

    @Test("a new server hears what the phone is before it hears who is there: the end of one unlocks no screen")
    func acts() throws {
        let nursery = try Nursery(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.give(.connected(Peer(.controller, 1)))
        let acts: [SystemAct] = [.foreground(app: 2), .interrupt, .resume, .home, .lock, .foreground(app: 1)]
        for act in acts { nursery.ask(.act(act)) }
        let before = nursery.heard(by: .systemServer).count
        nursery.kill(.systemServer)
        nursery.run(for: .milliseconds(100))
        let heard = nursery.heard(by: .systemServer).dropFirst(before)
        #expect(Array(heard.prefix(2)) == [.act(.foreground(app: 1)), .act(.lock)])
        guard case .roster? = heard.dropFirst(2).first else {
            Issue.record("expected the roster next, found \(heard)")
            return
        }
    }
}
