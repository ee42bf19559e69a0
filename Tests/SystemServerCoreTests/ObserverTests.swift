import Basics
import Hosting
import Testing
import Wire

@testable import SystemServerCore

@Suite("Observing apps of other machines")
struct ObserverTests {
    var stage = Stage()

    /// App 1 is a child of the supervisor. App 9 joined from another machine.
    init() {
        _ = stage.inputKitSaysHello()
        for app in [1, 9] as [AppID] { _ = stage.appSaysHello(app) }
        let child = RosterEntry(peer: .app(1), pid: 4, uid: 0, generation: 1, isReady: true)
        _ = stage.handle(.frame(stage.order(.roster([child])), from: .supervisor))
    }

    private mutating func ask(_ observation: Observation) {
        _ = stage.handle(.frame(stage.order(.observe(observation)), from: .supervisor))
    }

    /// The observations that apps were just asked for.
    private var asked: [String] {
        stage.lastSent.compactMap { peer, frame in
            guard case .observe(let observation) = frame.message else { return nil }
            return "\(peer): \(observation.id) \(observation.kind) \(observation.from)"
        }
    }

    /// The senders of the pages that the supervisor just received.
    private var pages: [Peer] {
        stage.lastSent.compactMap { peer, frame in
            guard peer == .supervisor, case .facts(let page) = frame.message else { return nil }
            return page.peer
        }
    }

    @Test("the server passes observations to joined apps, not to supervised ones")
    mutating func passedOn() {
        ask(Observation(id: 3, kind: .begin))
        #expect(asked == ["app9: 3 begin 0"] && pages == [.systemServer])
        ask(Observation(id: 3, kind: .page, of: .systemServer))
        #expect(asked == [] && pages == [.systemServer])
        ask(Observation(id: 3, kind: .page, of: .app(9), from: 7))
        #expect(asked == ["app9: 3 page 7"] && pages == [])
        ask(Observation(id: 3, kind: .page, of: .app(1), from: 7))
        #expect(asked == [] && pages == [])
        ask(Observation(id: 3, kind: .end))
        #expect(asked == ["app9: 3 end 0"])
    }

    @Test("a joined app's tree reaches the supervisor once for each request, without an observer")
    mutating func tree() {
        let page = FactPage(answering: Observation(id: 3, kind: .tree), from: .app(9))
        ask(Observation(id: 3, kind: .tree, of: .app(9)))
        #expect(asked == ["app9: 3 tree 0"])
        _ = stage.appSays(9, .facts(page))
        #expect(pages == [.app(9)])
        _ = stage.appSays(9, .facts(page))
        #expect(pages == [])
    }

    @Test("an app that joins during an observation is observed too")
    mutating func joinsLater() {
        ask(Observation(id: 3, kind: .begin))
        _ = stage.appSaysHello(8)
        #expect(asked == ["app8: 3 begin 0"])
        ask(Observation(id: 3, kind: .end))
        _ = stage.appSaysHello(7)
        #expect(asked == [])
    }

    @Test("a joined app's page reaches the supervisor while an observer is there")
    mutating func answers() {
        let page = FactPage(answering: Observation(id: 3, kind: .page), from: .app(1))
        _ = stage.appSays(9, .facts(page))
        #expect(pages == [])
        ask(Observation(id: 3, kind: .begin))
        _ = stage.appSays(9, .facts(page))
        #expect(pages == [.app(9)])
        // A child of the supervisor sends its own pages to the supervisor.
        _ = stage.appSays(1, .facts(page))
        #expect(pages == [])
    }
}
