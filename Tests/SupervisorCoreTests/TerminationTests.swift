import Basics
import Hosting
import Testing
import Wire

@testable import SupervisorCore

@Suite("Termination of an app")
struct TerminationTests {
    private func group() throws -> SupervisorStage {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.handle(.connected(Peer(.controller, 1)))
        nursery.run(for: .seconds(1))
        return nursery
    }

    private func state(of peer: Peer, _ nursery: SupervisorStage) -> String? {
        nursery.core.children.first { $0.peer == peer }?.state
    }

    private func kills(of peer: Peer, _ nursery: SupervisorStage) -> Int {
        nursery.effects.count { if case .signal(peer, .kill) = $0 { true } else { false } }
    }

    @Test("a terminated app stays down until shown, and is no death")
    func staysDown() throws {
        let nursery = try group()
        nursery.ask(.act(.terminate(app: 2)))
        #expect(state(of: .app(2), nursery) == "terminating")
        nursery.kill(.app(2), .exited(0))
        nursery.run(for: .seconds(30))
        #expect(nursery.launches(of: .app(2)).count == 1)
        #expect(state(of: .app(2), nursery) == "terminated")
        #expect(nursery.core.isReady)
        for act in [SystemAct.home, .foreground(app: 1), .suspend(app: 2), .lock, .unlock] { nursery.ask(.act(act)) }
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(2)).count == 1)
        nursery.ask(.act(.split(app: 1, with: 2)))
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(2)).map(\.generation) == [1, 2])
        #expect(state(of: .app(2), nursery) == "ready")
        #expect(nursery.launches(of: .app(1)).count == 1)
    }

    @Test("a terminated app that does not exit in time is killed")
    func stubborn() throws {
        let nursery = try group()
        nursery.stopBehavior = { _ in .stubborn }
        nursery.ask(.act(.terminate(app: 2)))
        nursery.run(for: .milliseconds(5900))
        #expect(kills(of: .app(2), nursery) == 0)
        nursery.run(for: .milliseconds(200))
        #expect(kills(of: .app(2), nursery) >= 1)
    }

    @Test("an app launched during its termination restarts without a counted death")
    func launchedWhileEnding() throws {
        let nursery = try group()
        for times in 1...10 {
            nursery.ask(.act(.terminate(app: 2)))
            nursery.ask(.act(.foreground(app: 2)))
            #expect(state(of: .app(2), nursery) == "terminating")
            nursery.kill(.app(2), .exited(0))
            #expect(nursery.launches(of: .app(2)).count == times + 1)
            nursery.run(for: .milliseconds(100))
            #expect(state(of: .app(2), nursery) == "ready")
        }
        let child = try #require(nursery.core.children.first { $0.peer == .app(2) })
        #expect(child.restarts == 0 && child.generation == 11)
    }

    @Test("an app that is launched and terminated again stays down")
    func terminatedOnceMore() throws {
        let nursery = try group()
        for act in [SystemAct.terminate(app: 2), .foreground(app: 2), .terminate(app: 2)] { nursery.ask(.act(act)) }
        nursery.kill(.app(2), .exited(0))
        nursery.run(for: .seconds(10))
        #expect(nursery.launches(of: .app(2)).count == 1)
        #expect(state(of: .app(2), nursery) == "terminated")
    }

    @Test("only restarts after a death are counted, not launches")
    func restarts() throws {
        let nursery = try group()
        func restarts() -> Int? { nursery.core.children.first { $0.peer == .app(2) }?.restarts }
        nursery.ask(.act(.terminate(app: 2)))
        nursery.kill(.app(2), .exited(0))
        nursery.ask(.act(.foreground(app: 2)))
        nursery.run(for: .seconds(1))
        #expect(state(of: .app(2), nursery) == "ready")
        #expect(restarts() == 0)
        nursery.kill(.app(2))
        nursery.run(for: .seconds(1))
        #expect(state(of: .app(2), nursery) == "ready")
        #expect(restarts() == 1)
    }

    @Test("an app terminated during its restart delay is not restarted")
    func terminatedWhileDown() throws {
        let nursery = try group()
        nursery.kill(.app(2))
        nursery.run(for: .milliseconds(10))
        nursery.ask(.act(.terminate(app: 2)))
        nursery.run(for: .seconds(10))
        #expect(nursery.launches(of: .app(2)).count == 1)
        #expect(state(of: .app(2), nursery) == "terminated")
    }

    @Test("a terminated app does not delay the group's end")
    func stops() throws {
        let nursery = try group()
        nursery.ask(.act(.terminate(app: 2)))
        nursery.kill(.app(2), .exited(0))
        nursery.handle(.stopRequested)
        nursery.run(for: .seconds(2))
        #expect(nursery.exitStatus == 0)
    }
}
