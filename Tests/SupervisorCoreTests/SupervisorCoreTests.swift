import Basics
import Hosting
import SupervisorCore
import Testbed
import Testing
import Trace
import Wire

@Suite("SupervisorCore: starting")
struct StartTests {
    @Test("a group starts in order, without one waiting for another's readiness, and says when all of it is ready")
    func order() throws {
        let nursery = try Nursery(apps: 2)
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

    @Test("every child is launched as who it is, with the group's folder, epoch and settings")
    func launchOrders() throws {
        let settings = [Setting(key: "screen.width", value: "414")]
        let nursery = try Nursery(apps: 1, settings: settings)
        nursery.start()
        nursery.run(for: .milliseconds(1))
        for peer in [Peer.inputKit, .systemServer, .app(1)] {
            #expect(
                nursery.launches(of: peer) == [
                    LaunchOrder(peer: peer, epoch: 7, generation: 1, runDirectory: "/run/group", settings: settings)
                ])
        }
    }

    @Test("everybody who lives is told of everybody who lives: who lets others in at once, apps within 10 ms")
    func roster() throws {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        let all = (0..<3).map { index in
            RosterEntry(
                peer: [.inputKit, .systemServer, .app(1)][index], pid: 101 + Int32(index), uid: 1000, generation: 1,
                isReady: true)
        }
        for peer in [Peer.inputKit, .systemServer, .app(1)] {
            #expect(nursery.heard(by: peer).last == .roster(all))
            #expect(
                nursery.frames(to: peer).map(\.sequence.rawValue) == Array(1...UInt64(nursery.frames(to: peer).count)))
        }
        nursery.forgetEffects()
        nursery.kill(.inputKit)
        // Down to its closed link, then its end: two changes.
        #expect(nursery.heard(by: .systemServer).last == .roster(Array(all.dropFirst())))
        #expect(nursery.heard(by: .inputKit).isEmpty)
        #expect(nursery.heard(by: .app(1)).isEmpty)
        nursery.run(for: .milliseconds(10))
        #expect(nursery.heard(by: .app(1)) == [.roster(Array(all.dropFirst()))])
    }

    @Test("F16: a hundred apps start with a roster each to hear a few times, not two hundred")
    func manyApps() throws {
        let nursery = try Nursery(apps: 100)
        nursery.start()
        nursery.run(for: .seconds(1))
        #expect(nursery.status(.app(100)).isReady)
        #expect(nursery.heard(by: .app(1)).count <= 3)
    }

    @Test("a child that never announces readiness is killed at the deadline and started again")
    func deadline() throws {
        let nursery = try Nursery(apps: 1, settings: [Setting(key: "supervisor.startDeadline", value: "2")])
        nursery.birth = { $0 == .app(1) ? .mute : .ready(after: .milliseconds(1)) }
        nursery.start()
        nursery.run(for: .milliseconds(1999))
        #expect(nursery.status(.app(1)).state == "starting")
        nursery.birth = { _ in .ready(after: .milliseconds(1)) }
        nursery.run(for: .milliseconds(200))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.status(.app(1)).lastExit == "signal 9: not ready within 2 s")
        #expect(nursery.status(.app(1)).generation == 2)
    }
}

@Suite("SupervisorCore: starts that lead nowhere")
struct MuteChildTests {
    @Test("a child that is never ready is given up, though each try outlasts the window restarts are counted in")
    func neverReady() throws {
        let nursery = try Nursery(apps: 1)
        nursery.birth = { $0 == .app(1) ? .mute : .ready(after: .milliseconds(1)) }
        nursery.start()
        nursery.run(for: .seconds(90))
        #expect(nursery.status(.app(1)).isQuarantined)
        #expect(nursery.status(.app(1)).generation == 6, "5 restarts")
    }
}

@Suite("SupervisorCore: deaths")
struct DeathTests {
    @Test("a child that died is started again after 50 ms, as a new generation")
    func restart() throws {
        let nursery = try Nursery(apps: 1)
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

    @Test("a system server's restart is a new epoch, and everybody hears of it")
    func epoch() throws {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.kill(.systemServer)
        nursery.run(for: .milliseconds(100))
        #expect(nursery.launches(of: .systemServer).map(\.epoch) == [7, 8])
        #expect(nursery.frames(to: .app(1)).last?.epoch == 8)
        #expect(nursery.frames(to: .inputKit).last?.epoch == 8)
        guard case .roster(let entries) = nursery.heard(by: .app(1)).last else {
            Issue.record("no roster")
            return
        }
        #expect(entries.map(\.generation) == [1, 2, 1])
        // Who is started later is started into it.
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(100))
        #expect(nursery.launches(of: .app(1)).map(\.epoch) == [7, 8])
    }

    @Test("F13: an app that dies 10 ms after each start is started 6 times in a minute, then quarantined")
    func crashLoop() throws {
        let nursery = try Nursery(apps: 2)
        nursery.birth = {
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

    @Test("the wait doubles up to its limit, and an hour of good behaviour forgets the past")
    func backoff() throws {
        let nursery = try Nursery(
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

    @Test("a program that cannot be started at all is quarantined with the reason")
    func noProgram() throws {
        let nursery = try Nursery(apps: 1)
        nursery.birth = { $0 == .app(1) ? .fails("no such file: /x/app") : .ready(after: .zero) }
        nursery.start()
        nursery.run(for: .seconds(60))
        #expect(nursery.status(.app(1)).isQuarantined)
        #expect(nursery.status(.app(1)).lastExit == "no such file: /x/app")
        #expect(nursery.status(.app(1)).pid == nil)
    }

    @Test("a child that says it cannot use what it was given is not asked again")
    func unusable() throws {
        let nursery = try Nursery(apps: 1)
        nursery.birth = {
            $0 == .app(1) ? .dies(after: .milliseconds(10), .exited(2)) : .ready(after: .milliseconds(10))
        }
        nursery.start()
        nursery.run(for: .seconds(60))
        #expect(nursery.launches(of: .app(1)).count == 1)
        #expect(nursery.status(.app(1)).isQuarantined)
    }

    @Test("a child that closes its link and lives on is killed after a moment")
    func closedLink() throws {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.give(.peerLost(.app(1)))
        #expect(nursery.status(.app(1)).state == "dying")
        nursery.run(for: .milliseconds(199))
        #expect(nursery.alive.count == 3)
        nursery.run(for: .milliseconds(100))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.status(.app(1)).generation == 2)
    }

    @Test("what an older generation still says changes nothing")
    func fenced() throws {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.birth = { _ in .mute }
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(60))
        nursery.say(.ready, as: .app(1), generation: 1)
        #expect(nursery.status(.app(1)).state == "starting")
        nursery.say(.ready, as: .app(1), generation: 2)
        #expect(nursery.status(.app(1)).isReady)
    }
}

@Suite("SupervisorCore: stopping")
struct StopTests {
    @Test("a polite group goes in the reverse of its order, and the supervisor last")
    func polite() throws {
        let nursery = try Nursery(apps: 2)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.forgetEffects()
        nursery.give(.stopRequested)
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

    @Test("who does not hear is told by signal at half the deadline, who does not listen is killed at its end")
    func stubborn() throws {
        let nursery = try Nursery(apps: 2)
        nursery.manners = { $0 == .app(1) ? .deaf : $0 == .app(2) ? .stubborn : .polite }
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.give(.stopRequested)
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

    @Test("a group told to stop while a child is being started, or waits to be, ends as well")
    func midStart() throws {
        let nursery = try Nursery(apps: 2)
        nursery.birth = { $0 == .app(2) ? .dies(after: .milliseconds(1), .exited(1)) : .mute }
        nursery.start()
        // The host has been asked for the first child and has not yet said its pid; the others are not asked for.
        nursery.give(.stopRequested)
        nursery.run(for: .milliseconds(10))
        #expect(nursery.alive.isEmpty)
        #expect(nursery.exitStatus == 0)

        let waiting = try Nursery(apps: 1)
        waiting.birth = { $0 == .app(1) ? .dies(after: .milliseconds(1), .exited(1)) : .ready(after: .zero) }
        waiting.start()
        waiting.run(for: .milliseconds(20))
        #expect(waiting.status(.app(1)).state == "backing off")
        waiting.give(.stopRequested)
        waiting.run(for: .milliseconds(10))
        #expect(waiting.exitStatus == 0)
    }

    @Test("a stopping group starts nobody again and needs no second telling")
    func noRestart() throws {
        let nursery = try Nursery(apps: 1)
        nursery.manners = { _ in .stubborn }
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.give(.stopRequested)
        nursery.give(.stopRequested)
        nursery.kill(.app(1))
        nursery.run(for: .milliseconds(500))
        #expect(nursery.launches(of: .app(1)).count == 1)
        #expect(nursery.heard(by: .inputKit).filter { $0 == .shutdown }.count == 1)
    }

    @Test("the command's shutdown stops the group as a signal does")
    func byController() throws {
        let nursery = try Nursery(apps: 1)
        nursery.start()
        nursery.run(for: .seconds(1))
        nursery.give(.connected(Peer(.controller, 1)))
        nursery.ask(.shutdown)
        nursery.run(for: .milliseconds(5))
        #expect(nursery.exitStatus == 0)
    }
}
