import Basics
import Hosting
import SupervisorCore
import Testbed
import Testing
import Trace
import Wire

@Suite("SupervisorCore: starts")
struct StartTests {
    @Test("children start in order without waiting for each other's readiness")
    func order() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        expectTrace(
            nursery.lines,
            matches: """
                    0.000 ms  process    input-kit started, pid 101, generation 1
                    0.000 ms  process    system-server started, pid 102, generation 1
                    0.000 ms  process    app1 started, pid 103, generation 1
                    0.000 ms  process    app2 started, pid 104, generation 1
                   10.000 ms  process    input-kit ready, pid 101, after 10.000 ms
                   10.000 ms  process    system-server ready, pid 102, after 10.000 ms
                   10.000 ms  process    app1 ready, pid 103, after 10.000 ms
                   10.000 ms  process    app2 ready, pid 104, after 10.000 ms
                   10.000 ms  process    group ready, 4 processes, after 10.000 ms
                """)
    }

    @Test("each launch order has its peer, run directory, epoch and settings")
    func launchOrders() throws {
        let settings = [Setting(key: "screen.width", value: "414")]
        let nursery = try SupervisorStage(apps: 1, settings: settings)
        nursery.start()
        nursery.run(for: .milliseconds(1))
        for peer in [Peer.inputKit, .systemServer, .app(1)] {
            #expect(
                nursery.launches(of: peer) == [
                    LaunchOrder(peer: peer, epoch: 7, generation: 1, runDirectory: "/run/group", settings: settings)
                ])
        }
    }

    @Test("the roster reaches server and input-kit at once, apps within 10 ms")
    func roster() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        let all = (0..<3).map { index in
            RosterEntry(
                peer: [.inputKit, .systemServer, .app(1)][index], pid: 101 + Int32(index), uid: 1000, generation: 1,
                isReady: true)
        }
        for peer in [Peer.inputKit, .systemServer, .app(1)] {
            #expect(nursery.messages(to: peer).last == .roster(all))
            #expect(
                nursery.frames(to: peer).map(\.sequence.rawValue) == Array(1...UInt64(nursery.frames(to: peer).count)))
        }
        nursery.forgetEffects()
        nursery.kill(.inputKit)
        // First the closed link, then the exit: two changes of the roster.
        #expect(nursery.messages(to: .systemServer).last == .roster(Array(all.dropFirst())))
        #expect(nursery.messages(to: .inputKit).isEmpty)
        #expect(nursery.messages(to: .app(1)).isEmpty)
        nursery.run(for: .milliseconds(10))
        #expect(nursery.messages(to: .app(1)) == [.roster(Array(all.dropFirst()))])
    }

    @Test("F16: the first of a hundred apps receives at most three messages")
    func manyApps() throws {
        let nursery = try SupervisorStage(apps: 100)
        nursery.start()
        nursery.run(for: .seconds(1))
        #expect(nursery.status(.app(100)).isReady)
        #expect(nursery.messages(to: .app(1)).count <= 3)
    }

    @Test("a child without readiness at its deadline is killed and restarted")
    func deadline() throws {
        let nursery = try SupervisorStage(apps: 1, settings: [Setting(key: "supervisor.startDeadline", value: "2")])
        nursery.startBehavior = { $0 == .app(1) ? .neverReady : .ready(after: .milliseconds(1)) }
        nursery.start()
        nursery.run(for: .milliseconds(1999))
        #expect(nursery.status(.app(1)).state == "starting")
        nursery.startBehavior = { _ in .ready(after: .milliseconds(1)) }
        nursery.run(for: .milliseconds(200))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.status(.app(1)).lastExit == "signal 9: not ready within 2 s")
        #expect(nursery.status(.app(1)).generation == 2)
    }
}

@Suite("SupervisorCore: children that are never ready")
struct MuteChildTests {
    @Test("a child that is never ready is quarantined despite slow attempts")
    func neverReady() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.startBehavior = { $0 == .app(1) ? .neverReady : .ready(after: .milliseconds(1)) }
        nursery.start()
        nursery.run(for: .seconds(90))
        #expect(nursery.status(.app(1)).isQuarantined)
        #expect(nursery.status(.app(1)).generation == 6, "5 restarts")
    }
}

@Suite("SupervisorCore: deaths")
struct DeathTests {
    @Test("a child that died restarts after 50 ms with a new generation")
    func restart() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.kill(.app(1))
        #expect(nursery.status(.app(1)).state == "backing off")
        #expect(nursery.status(.app(1)).restartsIn == .milliseconds(50))
        nursery.run(for: .milliseconds(49))
        #expect(nursery.launches(of: .app(1)).count == 1)
        nursery.run(for: .milliseconds(11))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.launches(of: .app(1)).map(\.generation) == [1, 2])
        #expect(nursery.launches(of: .app(1)).map(\.epoch) == [7, 7])
        #expect(nursery.launches(of: .systemServer).count == 1)
    }

    @Test("a server's restart begins a new epoch for every process")
    func epoch() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.kill(.systemServer)
        nursery.run(for: .milliseconds(100))
        #expect(nursery.launches(of: .systemServer).map(\.epoch) == [7, 8])
        #expect(nursery.frames(to: .app(1)).last?.epoch == 8)
        #expect(nursery.frames(to: .inputKit).last?.epoch == 8)
        guard case .roster(let entries) = nursery.messages(to: .app(1)).last else {
            Issue.record("no roster")
            return
        }
        #expect(entries.map(\.generation) == [1, 2, 1])
        // A child that starts later starts in the new epoch.
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(100))
        #expect(nursery.launches(of: .app(1)).map(\.epoch) == [7, 8])
    }

    @Test("F13: an app in a crash loop starts 6 times, then quarantine")
    func crashLoop() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.startBehavior = {
            $0 == .app(1) ? .dies(after: .milliseconds(10), .exited(3)) : .ready(after: .milliseconds(10))
        }
        nursery.start()
        nursery.run(for: .seconds(60))
        #expect(nursery.launches(of: .app(1)).count == 6)
        #expect(nursery.status(.app(1)).isQuarantined)
        #expect(nursery.status(.app(1)).lastExit == "exit 3")
        #expect(nursery.status(.app(2)).isReady)
        #expect(nursery.status(.app(2)).generation == 1)
        expectTrace(
            nursery.lines.filter { $0.text.hasPrefix("app1 ") && !$0.text.contains("started") },
            matches: """
                   10.000 ms  process    app1 died, pid 103: exit 3; starts again in 50.000 ms
                   70.000 ms  process    app1 died, pid 105: exit 3; starts again in 100.000 ms
                  180.000 ms  process    app1 died, pid 106: exit 3; starts again in 200.000 ms
                  390.000 ms  process    app1 died, pid 107: exit 3; starts again in 400.000 ms
                  800.000 ms  process    app1 died, pid 108: exit 3; starts again in 800.000 ms
                 1610.000 ms  process    app1 quarantined, pid 109: exit 3
                """)
    }

    @Test("the restart delay doubles to its limit and resets after an hour")
    func backoff() throws {
        let nursery = try SupervisorStage(
            apps: 1,
            settings: [
                Setting(key: "supervisor.backoffLimit", value: "0.3"),
                Setting(key: "supervisor.restartLimit", value: "100"),
            ])
        nursery.start()
        nursery.run(for: .seconds(1))
        var waits: [Duration?] = []
        for _ in 0..<5 {
            nursery.kill(.app(1))
            waits.append(nursery.status(.app(1)).restartsIn)
            nursery.run(for: .milliseconds(500))
        }
        #expect(
            waits == [
                .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(300), .milliseconds(300),
            ])
        nursery.run(for: .seconds(3600))
        nursery.kill(.app(1))
        #expect(nursery.status(.app(1)).restartsIn == .milliseconds(50))
    }

    @Test("a program that cannot be started is quarantined with the reason")
    func noProgram() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.startBehavior = { $0 == .app(1) ? .fails("no such file: /x/app") : .ready(after: .zero) }
        nursery.start()
        nursery.run(for: .seconds(60))
        #expect(nursery.status(.app(1)).isQuarantined)
        #expect(nursery.status(.app(1)).lastExit == "no such file: /x/app")
        #expect(nursery.status(.app(1)).pid == nil)
    }

    @Test("a child that exits with status 2 is not restarted")
    func unusable() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.startBehavior = {
            $0 == .app(1) ? .dies(after: .milliseconds(10), .exited(2)) : .ready(after: .milliseconds(10))
        }
        nursery.start()
        nursery.run(for: .seconds(60))
        #expect(nursery.launches(of: .app(1)).count == 1)
        #expect(nursery.status(.app(1)).isQuarantined)
    }

    @Test("a child that closes its link and lives on is killed")
    func closedLink() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.peerLost(.app(1)))
        #expect(nursery.status(.app(1)).state == "dying")
        nursery.run(for: .milliseconds(199))
        #expect(nursery.alive.count == 3)
        nursery.run(for: .milliseconds(100))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.status(.app(1)).generation == 2)
    }

    @Test("a frame of an older generation changes nothing")
    func fenced() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.startBehavior = { _ in .neverReady }
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(60))
        nursery.receive(.ready, from: .app(1), generation: 1)
        #expect(nursery.status(.app(1)).state == "starting")
        nursery.receive(.ready, from: .app(1), generation: 2)
        #expect(nursery.status(.app(1)).isReady)
    }
}

@Suite("SupervisorCore: stops")
struct StopTests {
    @Test("a stop reaches children in reverse order, the supervisor last")
    func polite() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.forgetEffects()
        nursery.handle(.stopRequested)
        let told = nursery.effects.compactMap { effect -> Peer? in
            guard case .send(let frame, let peer) = effect, frame.message == .shutdown else { return nil }
            return peer
        }
        #expect(told == [.app(2), .app(1), .systemServer, .inputKit])
        #expect(nursery.exitStatus == nil)
        nursery.run(for: .milliseconds(5))
        #expect(nursery.exitStatus == 0)
        #expect(nursery.alive.isEmpty)
    }

    @Test("a stop signals silent children at half the deadline, then kills")
    func stubborn() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.stopBehavior = { $0 == .app(1) ? .deaf : $0 == .app(2) ? .stubborn : .polite }
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.stopRequested)
        nursery.run(for: .milliseconds(349))
        #expect(nursery.alive.map(\.peer) == [.app(1), .app(2)])
        nursery.run(for: .milliseconds(1))
        #expect(nursery.alive.map(\.peer) == [.app(2)])
        nursery.run(for: .milliseconds(349))
        #expect(nursery.exitStatus == nil)
        nursery.run(for: .milliseconds(1))
        #expect(nursery.alive.isEmpty)
        #expect(nursery.exitStatus == 0)
    }

    @Test("a stop during a start or restart delay ends the group")
    func midStart() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.startBehavior = { $0 == .app(2) ? .dies(after: .milliseconds(1), .exited(1)) : .neverReady }
        nursery.start()
        // The host has the order for the first child and has not reported its pid. The other children are not ordered
        // yet.
        nursery.handle(.stopRequested)
        nursery.run(for: .milliseconds(10))
        #expect(nursery.alive.isEmpty)
        #expect(nursery.exitStatus == 0)

        let waiting = try SupervisorStage(apps: 1)
        waiting.startBehavior = { $0 == .app(1) ? .dies(after: .milliseconds(1), .exited(1)) : .ready(after: .zero) }
        waiting.start()
        waiting.run(for: .milliseconds(20))
        #expect(waiting.status(.app(1)).state == "backing off")
        waiting.handle(.stopRequested)
        waiting.run(for: .milliseconds(10))
        #expect(waiting.exitStatus == 0)
    }

    @Test("a stopping group restarts no child and ignores further stop requests")
    func noRestart() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.stopBehavior = { _ in .stubborn }
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.stopRequested)
        nursery.handle(.stopRequested)
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(500))
        #expect(nursery.launches(of: .app(1)).count == 1)
        #expect(nursery.messages(to: .inputKit).filter { $0 == .shutdown }.count == 1)
    }

    @Test("a controller's shutdown stops the group as a signal does")
    func byController() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.handle(.connected(Peer(.controller, 1)))
        nursery.ask(.shutdown)
        nursery.run(for: .milliseconds(5))
        #expect(nursery.exitStatus == 0)
    }
}
