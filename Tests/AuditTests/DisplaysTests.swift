import Audit
import Basics
import HID
import Hosting
import Links
import Settings
import Testbed
import Testing
import Wire

@Suite("The audit of a second display")
struct DisplaysTests {
    /// The only app is on a display of 800 by 600 points, or on the main display.
    private func run(isElsewhere: Bool) throws -> TinyRun {
        var options = AuditOptions.live
        options.apply(
            try Settings([
                Setting(key: "screen.others", value: "800x600"),
                Setting(key: "group.topology", value: isElsewhere ? "1\napp.display=2" : "1"),
            ]))
        return TinyRun(options)
    }

    // A contact that lands is in the middle of its panel.

    @Test("the audit knows a touch's owner and position by its display")
    func places() throws {
        for (isElsewhere, x, y) in [(true, 400.0, 300.0), (false, 187.5, 333.5)] {
            let run = try run(isElsewhere: isElsewhere)
            let down = run.sends(all: [landed(1)], on: isElsewhere ? 2 : 1)
            run.settles(run.handles(run.routes(down, contact(1, .began, x: x, y: y)), began: 1), of: down)
            #expect(run.finish().violations.map(\.text) == [])
        }
    }

    @Test("the audit finds a touch in another display's points")
    func wrongPoints() throws {
        let run = try run(isElsewhere: true)
        let down = run.sends(all: [landed(1)], on: 2)
        run.settles(run.handles(run.routes(down, contact(1, .began, x: 187.5, y: 333.5)), began: 1), of: down)
        let text = "touch 1 at 187.5,333.5, expected contact 1 of device 1 at 400.0,300.0"
        #expect(run.finish().violations.contains { $0.law == .conservation && $0.text.contains(text) })
    }

    @Test("the audit finds a touch sent to another display's app")
    func wrongApp() throws {
        for (isElsewhere, display) in [(true, DisplayID.main), (false, 2)] {
            let run = try run(isElsewhere: isElsewhere)
            let down = run.sends(all: [landed(1)], on: display)
            run.settles(run.handles(run.routes(down, contact(1, .began, x: 400, y: 300)), began: 1), of: down)
            #expect(!run.finish().violations.isEmpty)
        }
    }

    @Test("the audit accepts that a replaced app is not shown again")
    func replaced() throws {
        var options = AuditOptions.live
        options.apply(
            try Settings([
                Setting(key: "screen.others", value: "800x600"),
                Setting(key: "group.topology", value: "1\napp.display=2\n2\napp.display=2"),
            ]))
        let run = TinyRun(options, isLinked: false)
        run.inputKitSendsHello()
        var second = LinkNumbers(epoch: 0, generation: 1)
        var toSecond = LinkNumbers(epoch: 1, generation: 1)
        func secondGreets() {
            let hello = second.hello(credit: 32)
            toSecond.welcome(hello, epoch: 1)
            run.step(run.server, .frame(hello, from: .app(2)), [.send(toSecond.answer(), to: .app(2))])
        }
        secondGreets()
        run.serverReceives(.foreground(app: 2))
        run.step(run.server, .peerLost(.app(2)))
        // The first app of that display comes to front by itself, while app 2 kept running.
        run.appSendsHello()
        secondGreets()
        let down = run.sends(all: [landed(1)], on: 2)
        run.settles(run.handles(run.routes(down, contact(1, .began, x: 400, y: 300)), began: 1), of: down)
        #expect(run.finish().violations.map(\.text) == [])
    }
}
