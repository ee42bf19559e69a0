import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Test("Opening's transitions match Docs/Reference/Machines/Opening.md")
func openingMachine() {
    expectMachineTable(
        "Opening", states: Opening.State.examples, inputs: Opening.Input.examples,
        transition: { Opening.transition(from: $0, on: $1) })
}

@Suite("Opening a URL")
struct OpeningTests {
    var stage: Stage

    init() throws {
        var settings = Settings()
        try settings.set(.groupSchemes, to: "one=1 two=2")
        stage = Stage(settings)
        _ = stage.inputKitSaysHello()
    }

    private func url(_ text: String) -> URLText { try! URLText(text) }

    private mutating func asks(_ text: String, id: UInt32 = 1, at moment: Instant? = nil) -> [Message] {
        let request = OpenRequest(asker: 9, id: id, url: url(text))
        return stage.handle(.frame(stage.order(.open(request)), from: .supervisor), at: moment).map(\.message)
    }

    private mutating func app(_ app: AppID, asks text: String, id: UInt32 = 1) -> [Message] {
        let frame = stage.appFrame(app, .open(OpenRequest(id: id, url: url(text))))
        return stage.handle(.frame(frame, from: .app(app))).map(\.message)
    }

    private mutating func app(_ app: AppID, hasOpened id: UInt32) -> [Message] {
        let frame = stage.appFrame(app, .opened(OpenAnswer(id: id, outcome: .opened)))
        return stage.handle(.frame(frame, from: .app(app))).map(\.message)
    }

    private func told(_ id: UInt32, _ text: String) -> Message { .open(OpenRequest(id: id, url: url(text))) }

    private func answer(_ outcome: OpenAnswer.Outcome, app: AppID?, id: UInt32 = 1) -> Message {
        .opened(OpenAnswer(asker: 9, id: id, app: app, outcome: outcome))
    }

    private func wish(_ id: UInt32, _ text: String, app: AppID, comesToFront: Bool = true, lives: UInt32 = 0)
        -> Message
    {
        .launchRequest(
            LaunchRequest(
                app: app, comesToFront: comesToFront, deliveredGenerations: lives,
                openRequest: OpenRequest(id: id, url: url(text))))
    }

    @Test("a URL reaches a background app after willEnterForeground, before didBecomeActive")
    mutating func background() {
        _ = stage.appSaysHello(1)
        _ = stage.appSaysHello(2)
        _ = stage.scans(down(1, 0.5, 0.5))
        let said = asks("two://x")
        #expect(said.first == wish(1, "two://x", app: 2))
        #expect(said[1].kind == .touches)
        #expect(
            said.dropFirst(2) == [
                .lifeCycle(.willResignActive), .lifeCycle(.didEnterBackground), .lifeCycle(.willEnterForeground),
                told(1, "two://x"), .lifeCycle(.didBecomeActive),
            ])
        #expect(app(2, hasOpened: 1) == [answer(.opened, app: 2)])
        #expect(app(2, hasOpened: 1) == [], "an answer that is said twice")
    }

    @Test("a URL for the app in front leaves the screen unchanged")
    mutating func inFront() {
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(asks("ONE:y") == [told(1, "ONE:y")])
        #expect(app(1, hasOpened: 1) == [answer(.opened, app: 1)])
    }

    @Test("a URL for one split app leaves both on the screen")
    mutating func besideAnother() {
        _ = stage.appSaysHello(1)
        _ = stage.appSaysHello(2)
        _ = stage.handle(.frame(stage.order(.act(.split(app: 1, with: 2))), from: .supervisor))
        #expect(asks("two:x") == [told(1, "two:x")])
        #expect(app(2, hasOpened: 1) == [answer(.opened, app: 2)])
    }

    @Test("a URL for an app that is not running awaits its launch")
    mutating func launch() {
        _ = stage.appSaysHello(1)
        #expect(asks("two:x") == [wish(1, "two:x", app: 2)])
        let said = stage.appSaysHello(2).map(\.message)
        #expect(said.contains(told(1, "two:x")))
        #expect(said.last == .lifeCycle(.didBecomeActive))
        #expect(app(2, hasOpened: 1) == [answer(.opened, app: 2)])
    }

    @Test("URLs without an app, while locked, or over the limit are refused")
    mutating func refusals() {
        _ = stage.appSaysHello(1)
        #expect(asks("three:x") == [answer(.noApp, app: nil)])
        _ = stage.handle(.frame(stage.order(.act(.lock)), from: .supervisor))
        #expect(asks("one:x") == [answer(.locked, app: 1)])
        _ = stage.handle(.frame(stage.order(.act(.unlock)), from: .supervisor))
        for id in 1...16 as ClosedRange<UInt32> { #expect(!asks("two:\(id)", id: id).contains { $0.kind == .opened }) }
        #expect(asks("two:17", id: 17) == [answer(.tooMany, app: 2, id: 17)])
        let rows = stage.handle(.frame(stage.order(.detailRequest(DetailRequest(id: 1))), from: .supervisor))
        guard case .detail(let page)? = rows.first?.message else { return #expect(Bool(false), "no page") }
        let values = Dictionary(page.rows.map { ($0.key, $0.value) }) { first, _ in first }
        #expect(values["opens.noApp"] == .number(1) && values["opens.locked"] == .number(1))
        #expect(values["opens.tooMany"] == .number(1))
        guard case .text(let first)? = values["opening.0"] else { return #expect(Bool(false), "nothing is pending") }
        #expect(first.hasPrefix("open=1 app=2 state=waiting requester=controller:9 since="))
        #expect(first.hasSuffix(" url=two:1"))
    }

    @Test("an app may open URLs only while it is active")
    mutating func apps() {
        _ = stage.appSaysHello(1)
        _ = stage.appSaysHello(2)
        #expect(app(2, asks: "one:x", id: 5) == [.opened(OpenAnswer(id: 5, app: 1, outcome: .notInFront))])
        #expect(app(1, asks: "two:x", id: 6).contains(told(1, "two:x")))
        #expect(app(2, hasOpened: 1) == [.opened(OpenAnswer(id: 6, app: 2, outcome: .opened))])
        _ = stage.handle(.frame(stage.order(.act(.interrupt)), from: .supervisor))
        #expect(app(2, asks: "one:x", id: 7) == [.opened(OpenAnswer(id: 7, app: 1, outcome: .notInFront))])
    }

    @Test("an app receives the next URL after it opened the one before")
    mutating func oneByOne() {
        _ = stage.appSaysHello(1)
        #expect(asks("one:a", id: 1) == [told(1, "one:a")])
        #expect(asks("one:b", id: 2) == [])
        #expect(app(1, hasOpened: 1) == [answer(.opened, app: 1, id: 1), told(2, "one:b")])
        #expect(app(1, hasOpened: 2) == [answer(.opened, app: 1, id: 2)])
    }

    @Test("a URL is sent again after a reconnect and one restart")
    mutating func twice() {
        _ = stage.appSaysHello(1)
        _ = asks("one:a")
        #expect(
            stage.handle(.peerLost(.app(1))).map(\.message) == [wish(1, "one:a", app: 1, comesToFront: false, lives: 1)]
        )
        #expect(stage.appSaysHelloAgain(1).map(\.message).contains(told(1, "one:a")))
        _ = stage.handle(.peerLost(.app(1)))
        #expect(stage.appSaysHello(1).map(\.message).contains(told(1, "one:a")))
        _ = stage.handle(.peerLost(.app(1)))
        let third = stage.appSaysHello(1).map(\.message)
        #expect(third.contains(answer(.died, app: 1)))
        #expect(!third.contains { $0.kind == .open })
    }

    @Test("a URL ends when its app cannot be started")
    mutating func failed() {
        _ = asks("two:x")
        let word = stage.order(.opened(OpenAnswer(id: 1, app: 2, outcome: .died)))
        #expect(stage.handle(.frame(word, from: .supervisor)).map(\.message) == [answer(.died, app: 2)])
    }

    @Test("a URL that is not opened within its time limit is late")
    mutating func late() {
        _ = asks("two:x", id: 1)
        #expect(stage.pass(10_000) == [])
        _ = asks("two:y", id: 2)
        #expect(stage.pass(10_100).map(\.message) == [answer(.late, app: 2, id: 1)])
        #expect(stage.pass(10_000).map(\.message) == [answer(.late, app: 2, id: 2)])
        #expect(!stage.appSaysHello(2).contains { $0.message.kind == .open })
    }

    @Test("a URL that expires with the one before it is not sent")
    mutating func lateTogether() {
        _ = stage.appSaysHello(1)
        let moment = stage.now.advanced(by: .milliseconds(1))
        #expect(asks("one:x", id: 1, at: moment).contains { $0.kind == .open })
        #expect(asks("one:y", id: 2, at: moment) == [])
        let said = stage.pass(20_100).map(\.message).filter { $0.kind == .open || $0.kind == .opened }
        #expect(said == [answer(.late, app: 1, id: 1), answer(.late, app: 1, id: 2)])
    }

    @Test("a URL that expires in the app's queue is not sent")
    mutating func lateInQueue() {
        _ = stage.appSaysHello(1, credit: 1)
        let asked = stage.inputKitSends(.began, .shake)
        _ = stage.inputKitSends(.ended, .shake)
        #expect(asks("one:x") == [], "it keeps its place")
        let past = stage.pass(20_100).map(\.message)
        #expect(past.contains(answer(.late, app: 1)))
        #expect(!stage.appHandles(1, asked[0], began: 0).contains { $0.message.kind == .open })
    }

    @Test("an app that reports a URL it never received is struck")
    mutating func strikes() {
        _ = stage.appSaysHello(1)
        _ = stage.appSaysHello(2)
        _ = asks("one:x")
        _ = app(2, hasOpened: 1)
        _ = app(1, hasOpened: 7)
        #expect(stage.report()["app:1.strikes"] == .number(1) || stage.report()["app1.strikes"] == .number(1))
        #expect(stage.report()["app2.strikes"] == .number(1))
    }
}
