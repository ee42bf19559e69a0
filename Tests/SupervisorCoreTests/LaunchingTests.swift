import Basics
import Hosting
import Settings
import Testing
import Wire

@testable import SupervisorCore

@Suite("Launches for a URL")
struct LaunchingTests {
    private let request = OpenRequest(id: 7, url: try! URLText("two://x"))

    private func group(_ settings: [Setting] = []) throws -> SupervisorStage {
        let nursery = try SupervisorStage(apps: 2, settings: settings)
        nursery.start()
        nursery.handle(.connected(Peer(.controller, 1)))
        nursery.run(for: .seconds(1))
        return nursery
    }

    private func wants(_ app: AppID, lives: UInt32 = 0, comesToFront: Bool = true) -> Message {
        .launchRequest(
            LaunchRequest(app: app, comesToFront: comesToFront, deliveredGenerations: lives, openRequest: request))
    }

    private func terminated() throws -> SupervisorStage {
        let nursery = try group()
        nursery.ask(.act(.terminate(app: 2)))
        nursery.kill(.app(2), .exited(0))
        nursery.run(for: .seconds(1))
        nursery.forgetEffects()
        return nursery
    }

    @Test("an app that is down is launched with its URL once")
    func cold() throws {
        let nursery = try terminated()
        nursery.receive(wants(2), from: .systemServer)
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(2)).map(\.openRequest) == [request])
        nursery.kill(.app(2))
        nursery.run(for: .seconds(1))
        #expect(
            nursery.launches(of: .app(2)).map(\.openRequest) == [request, nil],
            "it was ready: the server tells the next")
    }

    @Test("a running app is not launched, and a new server shows it")
    func warm() throws {
        let nursery = try group()
        nursery.forgetEffects()
        nursery.receive(wants(2), from: .systemServer)
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(2)).isEmpty)
        nursery.kill(.systemServer)
        nursery.run(for: .seconds(1))
        #expect(nursery.messages(to: .systemServer).contains(.act(.foreground(app: 2))))
    }

    @Test("an app that dies early gets its URL at most twice")
    func crashing() throws {
        let nursery = try terminated()
        nursery.startBehavior = { _ in .dies(after: .milliseconds(5), .signalled(11)) }
        nursery.receive(wants(2), from: .systemServer)
        nursery.run(for: .seconds(2))
        #expect(Array(nursery.launches(of: .app(2)).map(\.openRequest).prefix(3)) == [request, request, nil])
        let over = OpenAnswer(id: 7, app: 2, outcome: .died)
        #expect(nursery.messages(to: .systemServer).filter { $0.kind == .opened } == [.opened(over)])
    }

    @Test("an app that died twice with a URL is not launched again")
    func spent() throws {
        let nursery = try terminated()
        nursery.receive(wants(2, lives: 2), from: .systemServer)
        nursery.receive(wants(99), from: .systemServer)
        nursery.run(for: .seconds(1))
        #expect(nursery.launches(of: .app(2)).isEmpty)
        #expect(nursery.messages(to: .systemServer).count { $0.kind == .opened } == 2)
    }

    @Test("a URL request reaches the server under its controller's number")
    func asking() throws {
        let nursery = try group()
        nursery.ask(.open(OpenRequest(asker: 55, id: 3, url: request.url)))
        #expect(nursery.messages(to: .systemServer).last == .open(OpenRequest(asker: 1, id: 3, url: request.url)))
        let answer = OpenAnswer(asker: 1, id: 3, app: 2, outcome: .opened)
        nursery.receive(.opened(answer), from: .systemServer)
        #expect(nursery.messages(to: Peer(.controller, 1)).last == .opened(answer))
        nursery.ask(.open(OpenRequest(id: 4, url: request.url)))
        nursery.kill(.systemServer)
        #expect(nursery.messages(to: Peer(.controller, 1)).last == .refused("system-server died"))
        nursery.ask(.open(OpenRequest(id: 5, url: request.url)))
        #expect(nursery.messages(to: Peer(.controller, 1)).last == .refused("system-server is not ready"))
    }

    @Test("every child receives the table of URL schemes")
    func told() throws {
        let topology = Topology([[], [Setting(key: "app.schemes", value: "two")]]).text
        let nursery = try group([Setting(key: "group.topology", value: topology)])
        for peer in [Peer.systemServer, .app(1), .app(2)] {
            let told = nursery.launches(of: peer)[0].settings
            #expect(told.contains(Setting(key: "group.schemes", value: "two=2")), "\(peer)")
        }
    }
}
