import Basics
import Hosting
import Settings
import SupervisorCore
import Testing
import Wire

@Suite("SupervisorCore: misconduct, leases and standing acts")
struct SupervisedConductTests {

    @Test("F7: a child that the server reports is killed and quarantined")
    func misconduct() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        let complaint = StrikeReport(peer: .app(1), generation: 1, strikes: 3, reason: "app1 may not send digitizer")
        nursery.receive(.tooManyStrikes(complaint), from: .systemServer)
        #expect(nursery.effects.contains(.signal(.app(1), .kill)))
        nursery.run(for: .seconds(60))
        #expect(nursery.launches(of: .app(1)).count == 1)
        let status = nursery.status(.app(1))
        #expect(status.isQuarantined)
        #expect(status.lastExit == "signal 9: 3 strikes: app1 may not send digitizer")
        #expect(nursery.status(.app(2)).restarts == 0)
    }

    @Test("an app that overruns a life-cycle limit is killed and restarted")
    func watchdog() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        let overrun = Overrun(app: 1, generation: 1, change: .didEnterBackground, limit: .seconds(10))
        nursery.receive(.overran(overrun), from: .systemServer)
        #expect(nursery.effects.contains(.signal(.app(1), .kill)))
        nursery.run(for: .seconds(1))
        let status = nursery.status(.app(1))
        #expect(status.isReady)
        #expect(status.restarts == 1)
        #expect(status.lastExit == "signal 9: watchdog: didEnterBackground not done within 10 s")
        #expect(nursery.status(.app(2)).restarts == 0)
    }

    @Test("an overrun of an earlier generation, or from another peer, is ignored")
    func lateWatchdog() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.kill(.app(1))
        nursery.run(for: .seconds(1))
        for (generation, sender) in [(UInt32(1), Peer.systemServer), (2, .app(2)), (2, .inputKit)] {
            let overrun = Overrun(app: 1, generation: generation, change: .didEnterBackground, limit: .seconds(10))
            nursery.receive(.overran(overrun), from: sender)
        }
        nursery.receive(
            .overran(Overrun(app: 9, generation: 1, change: .willResignActive, limit: .seconds(10))),
            from: .systemServer)
        nursery.run(for: .seconds(1))
        #expect(!nursery.effects.contains(.signal(.app(1), .kill)))
        #expect(nursery.status(.app(1)).isReady)
        #expect(nursery.status(.app(1)).restarts == 1)
        #expect(nursery.status(.app(2)).restarts == 0)
    }

    @Test("a misconduct report of an earlier generation or another peer is ignored")
    func late() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.kill(.app(1))
        nursery.run(for: .seconds(1))
        let complaint = StrikeReport(peer: .app(1), generation: 1, strikes: 3, reason: "")
        nursery.receive(.tooManyStrikes(complaint), from: .systemServer)
        nursery.receive(
            .tooManyStrikes(StrikeReport(peer: .app(1), generation: 2, strikes: 3, reason: "")), from: .app(2))
        nursery.run(for: .seconds(1))
        #expect(nursery.status(.app(1)).isReady)
    }

    @Test("F12: a server whose lease expired restarts at once, however often")
    func lease() throws {
        let nursery = try SupervisorStage(apps: 1)
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
        "F13: an expired lease without cause counts as a death",
        arguments: [Peer.systemServer, .inputKit, .app(1)])
    func leaseWithoutProcess(peer: Peer) throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.startBehavior = {
            $0 == peer ? .dies(after: .milliseconds(20), .exited(ExitStatus.leaseExpired)) : .ready(after: .zero)
        }
        nursery.start()
        nursery.run(for: .seconds(60))
        // The group cannot run without its server.
        #expect(nursery.status(peer).isQuarantined == (peer != .systemServer))
        #expect((nursery.core.failure != nil) == (peer == .systemServer))
        #expect(nursery.launches(of: peer).count == 6)
    }

    @Test("a new server receives the acts in force before the roster")
    func acts() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.handle(.connected(Peer(.controller, 1)))
        let acts: [SystemAct] = [.foreground(app: 2), .interrupt, .resume, .home, .lock, .foreground(app: 1)]
        for act in acts { nursery.ask(.act(act)) }
        let before = nursery.messages(to: .systemServer).count
        nursery.kill(.systemServer)
        nursery.run(for: .milliseconds(100))
        let heard = nursery.messages(to: .systemServer).dropFirst(before)
        #expect(Array(heard.prefix(2)) == [.act(.foreground(app: 1)), .act(.lock)])
        guard case .roster? = heard.dropFirst(2).first else {
            Issue.record("expected the roster next, found \(heard)")
            return
        }
    }

    @Test("a server that libzmq aborts is never quarantined and waits longer")
    func abort() throws {
        let nursery = try SupervisorStage(apps: 2)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        for _ in 0..<20 {
            nursery.kill(.systemServer, .signalled(6))
            nursery.run(for: Settings()[.supervisorBackoffLimit] + .seconds(1))
            #expect(nursery.status(.systemServer).isReady)
        }
        #expect(nursery.launches(of: .systemServer).count == 21)
        #expect(nursery.status(.app(1)).restarts == 0 && nursery.status(.app(2)).restarts == 0)
        // A trap counts against the server itself.
        for _ in 0..<7 {
            nursery.kill(.systemServer, .signalled(4))
            nursery.run(for: .seconds(1))
        }
        #expect(nursery.core.failure == "died after 5 restarts in 10 s, and there is no group without it")
    }

    @Test("apps receive their own settings only, and the server scene settings only")
    func placing() throws {
        let text = "1\napp.sample=taps\n2\napp.orientation=landscapeLeft"
        let nursery = try SupervisorStage(apps: 2, settings: [Setting(key: "group.topology", value: text)])
        nursery.start()
        nursery.run(for: .milliseconds(50))
        func told(_ peer: Peer) -> [Setting]? { nursery.launches(of: peer).first?.settings }
        let placing = Setting(key: "group.topology", value: "1\n2\napp.orientation=landscapeLeft")
        #expect(told(.systemServer) == [placing])
        #expect(told(.inputKit) == [])
        #expect(told(.app(1)) == [Setting(key: "app.sample", value: "taps")])
        #expect(told(.app(2)) == [Setting(key: "app.orientation", value: "landscapeLeft")])
    }

    @Test("a new server receives the remaining scene acts in order")
    func scenes() throws {
        let frame = Rect<DisplaySpace>(x: 10, y: 10, width: 100, height: 100)
        let cases: [([SystemAct], [SystemAct])] = [
            (
                [.alert, .split(app: 1, with: 2), .overlay(app: 3, frame: frame)],
                [.split(app: 1, with: 2), .overlay(app: 3, frame: frame), .alert]
            ),
            ([.split(app: 1, with: 2), .suspend(app: 1)], [.foreground(app: 2)]),
            ([.foreground(app: 2), .overlay(app: 1, frame: frame), .terminate(app: 1)], [.foreground(app: 2)]),
            ([.foreground(app: 2), .suspend(app: 2)], [.home]),
            ([.overlay(app: 1, frame: frame), .home], [.home]),
            ([.interrupt, .alert, .display(isOn: false), .resume, .keyboard(height: .one)], [.display(isOn: false)]),
            ([.display(isOn: false), .display(isOn: true)], []),
            (
                [
                    .orientation(app: 2, .landscapeLeft), .split(app: 1, with: 2), .orientation(app: 1, .portrait),
                    .orientation(app: 2, .landscapeRight), .overlay(app: 3, frame: frame),
                ],
                [
                    .split(app: 1, with: 2), .overlay(app: 3, frame: frame), .orientation(app: 1, .portrait),
                    .orientation(app: 2, .landscapeRight),
                ]
            ),
        ]
        for (acts, left) in cases {
            let nursery = try SupervisorStage(apps: 3)
            nursery.start()
            nursery.run(for: .milliseconds(50))
            nursery.handle(.connected(Peer(.controller, 1)))
            for act in acts { nursery.ask(.act(act)) }
            let before = nursery.messages(to: .systemServer).count
            nursery.kill(.systemServer)
            nursery.run(for: .milliseconds(100))
            let heard = nursery.messages(to: .systemServer).dropFirst(before)
            #expect(heard.prefix { if case .act = $0 { true } else { false } } == left.map { .act($0) }[...])
        }
    }

    @Test("a new server receives each display's shown app, or its suspension")
    func displays() throws {
        let settings = [
            Setting(key: "screen.others", value: "800x600"),
            Setting(key: "group.topology", value: "1\n2\n3\napp.display=2\n4\napp.display=2"),
        ]
        let cases: [([SystemAct], [SystemAct])] = [
            ([.foreground(app: 3), .foreground(app: 2)], [.foreground(app: 2), .foreground(app: 3)]),
            ([.foreground(app: 3), .foreground(app: 4), .home], [.home, .foreground(app: 4)]),
            (
                [.foreground(app: 3), .split(app: 1, with: 2), .suspend(app: 3)],
                [
                    .suspend(app: 3), .split(app: 1, with: 2),
                ]
            ),
            ([.suspend(app: 3), .suspend(app: 4)], [.suspend(app: 3)]),
            ([.suspend(app: 3), .foreground(app: 4), .suspend(app: 3)], [.foreground(app: 4)]),
        ]
        for (acts, left) in cases {
            let nursery = try SupervisorStage(apps: 4, settings: settings)
            nursery.start()
            nursery.run(for: .milliseconds(50))
            nursery.handle(.connected(Peer(.controller, 1)))
            for act in acts { nursery.ask(.act(act)) }
            let before = nursery.messages(to: .systemServer).count
            nursery.kill(.systemServer)
            nursery.run(for: .milliseconds(100))
            let heard = nursery.messages(to: .systemServer).dropFirst(before)
            #expect(heard.prefix { if case .act = $0 { true } else { false } } == left.map { .act($0) }[...])
        }
    }

    @Test("acts that share a secondary display are refused")
    func sharing() throws {
        let settings = [
            Setting(key: "screen.others", value: "800x600"),
            Setting(key: "group.topology", value: "1\n2\napp.display=2"),
        ]
        let nursery = try SupervisorStage(apps: 2, settings: settings)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        nursery.handle(.connected(Peer(.controller, 1)))
        let frame = Rect<DisplaySpace>(x: 0, y: 0, width: 10, height: 10)
        for act in [SystemAct.split(app: 1, with: 2), .overlay(app: 2, frame: frame)] {
            nursery.ask(.act(act))
            #expect(
                nursery.messages(to: Peer(.controller, 1)).last
                    == .refused("app 2 lives on display 2: apps share the main display alone"))
        }
        #expect(!nursery.messages(to: .systemServer).contains { if case .act = $0 { true } else { false } })
    }

    @Test("T9: excess report requests are refused; other controllers get answers")
    func questions() throws {
        let nursery = try SupervisorStage(apps: 1)
        nursery.start()
        nursery.run(for: .milliseconds(50))
        for controller in UInt32(1)...2 { nursery.handle(.connected(Peer(.controller, controller))) }
        for _ in 0..<10_000 { nursery.ask(.reportRequest) }
        nursery.ask(.reportRequest, as: 2)
        nursery.run(for: .seconds(1))
        let answers = nursery.messages(to: Peer(.controller, 1))
        #expect(answers.count { $0.kind == .refused } > 9000)
        #expect(answers.count { $0.kind == .report } <= 65 * 4)
        #expect(nursery.messages(to: Peer(.controller, 2)).map(\.kind) == [.report, .report, .report, .report])
    }
}
