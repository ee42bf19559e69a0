import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("A second display")
struct DisplaysTests {
    var stage: Stage

    /// Apps 1 and 2 are on the phone. Apps 3 and 4 are on a display of 800 by 600 points beside it.
    static let settings = [
        Setting(key: "screen.others", value: "800x600@1.5 200x100"),
        Setting(key: "group.topology", value: "1\n2\n3\napp.display=2\n4\napp.display=2"),
    ]

    init() throws { try self.init([]) }

    private init(_ settings: [Setting], apps: [AppID] = [1, 2, 3, 4]) throws {
        stage = Stage(try Settings(Self.settings + settings))
        _ = stage.inputKitSaysHello()
        for app in apps { _ = stage.appSaysHello(app) }
    }

    @discardableResult
    private mutating func act(_ act: SystemAct) -> [String] {
        _ = stage.handle(.frame(stage.order(.act(act)), from: .supervisor))
        return told
    }

    private mutating func scans(of device: UInt64 = 7, on display: DisplayID, _ fingers: DigitizerEvent...) -> [String]
    {
        var event = scan()
        (event.timeStamp, event.senderID, event.fingers, event.display) = (stage.now, device, fingers, display)
        _ = stage.handle(.frame(stage.inputKitFrame(.digitizer(event)), from: .inputKit))
        return told
    }

    /// What apps just received: `3: began 400,300`, `3: scene 800×600 at 0,0`.
    private var told: [String] {
        stage.lastSent.flatMap { peer, frame -> [String] in
            guard peer.role == .app else { return [] }
            switch frame.message {
            case .touches(let touches):
                return touches.contacts.map {
                    "\(peer.instance): \($0.phase) \($0.position.x.double),\($0.position.y.double)"
                }
            case .scene(let scene):
                let space = SceneGeometry(frame: scene.frame, orientation: scene.orientation)
                return ["\(peer.instance): scene \(space), scale \(scene.scale.double)"]
            case .lifeCycle(let word): return ["\(peer.instance): \(word)"]
            default: return []
            }
        }
    }

    private mutating func scenes(of display: DisplayID) -> Report.Value? {
        stage.report()[display == 1 ? "scenes" : "scenes.\(display)"]
    }

    // MARK: Apps on the display

    @Test("the first app of a second display receives its scene before activation")
    mutating func launching() throws {
        self = try DisplaysTests([], apps: [1, 2])
        #expect(scenes(of: 2) == .text(""))
        _ = stage.appSaysHello(4)
        #expect(told == [], "another has to be asked for")
        _ = stage.appSaysHello(3)
        #expect(told == ["3: scene 800×600 at 0,0, scale 1.5", "3: didBecomeActive"])
        #expect(scenes(of: 1) == .text("app1 home"))
        #expect(scenes(of: 2) == .text("app3"))
        #expect(scenes(of: 3) == .text(""))
        #expect(stage.report()["screen.2"] == .text("800.0 600.0"))
    }

    @Test("showing an app on a second display leaves other displays unchanged")
    mutating func foreground() {
        #expect(
            act(.foreground(app: 4)) == [
                "3: willResignActive", "3: didEnterBackground", "4: scene 800×600 at 0,0, scale 1.5",
                "4: willEnterForeground", "4: didBecomeActive",
            ])
        #expect(act(.foreground(app: 2)).allSatisfy { !$0.hasPrefix("3") && !$0.hasPrefix("4") })
        #expect(act(.home) == ["2: willResignActive", "2: didEnterBackground"])
        #expect(scenes(of: 2) == .text("app4"))
    }

    @Test("a suspended app leaves its display empty, also after its restart")
    mutating func leaving() {
        #expect(act(.suspend(app: 3)) == ["3: willResignActive", "3: didEnterBackground"])
        #expect(scenes(of: 2) == .text(""))
        #expect(scans(on: 2, down(1, 0.5, 0.5)) == [], "no owner")
        _ = stage.handle(.peerLost(.app(3)))
        _ = stage.appSaysHello(3)
        #expect(told == [])
        #expect(act(.foreground(app: 3)).last == "3: didBecomeActive")
    }

    @Test("a display's awaited app is shown despite home on the main display")
    mutating func awaiting() throws {
        self = try DisplaysTests([], apps: [1, 3])
        act(.foreground(app: 4))
        act(.foreground(app: 2))
        act(.home)
        _ = stage.appSaysHello(2)
        #expect(scenes(of: 1) == .text("home"))
        _ = stage.appSaysHello(4)
        #expect(scenes(of: 2) == .text("app4"))
    }

    @Test("an app of another display is neither split nor floated")
    mutating func sharing() {
        #expect(act(.split(app: 3, with: 4)) == [])
        #expect(act(.split(app: 1, with: 3)) == [])
        #expect(act(.overlay(app: 3, frame: Rect(x: 0, y: 0, width: 100, height: 100))) == [])
        #expect(scenes(of: 1) == .text("app1 home"))
        #expect(scenes(of: 2) == .text("app3"))
    }

    @Test("an app of an unknown display is shown on the main display")
    mutating func nowhere() throws {
        stage = Stage(try Settings([Setting(key: "app.display", value: "3")]))
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        #expect(told == ["1: didBecomeActive"])
    }

    // MARK: Touches

    @Test("a touch lands on its panel's display, in that display's points")
    mutating func fingers() {
        #expect(scans(on: 2, down(1, 0.5, 0.5)) == ["3: began 400.0,300.0"])
        #expect(scans(of: 8, on: 1, down(1, 0.5, 0.5)) == ["1: began 187.5,333.5"])
        #expect(scans(on: 2, moved(1, 0.25, 0.5)) == ["3: moved 200.0,300.0"])
        #expect(scans(of: 8, on: 1, moved(1, 0.25, 0.5)) == ["1: moved 93.75,333.5"])
        #expect(scans(on: 2, lifted(1)) == ["3: ended 200.0,300.0"])
    }

    @Test("a touch stays on its display; the next landing follows the panel")
    mutating func moving() {
        #expect(scans(on: 2, down(1, 0.5, 0.5)) == ["3: began 400.0,300.0"])
        #expect(scans(on: 1, moved(1, 0.25, 0.5)) == ["3: moved 200.0,300.0"])
        #expect(scans(on: 1, held(1, 0.25, 0.5), down(2, 0.5, 0.5)) == ["1: began 187.5,333.5"])
    }

    @Test("a touch of an unknown display lands on the main display")
    mutating func unknown() {
        #expect(scans(on: 4, down(1, 0.5, 0.5)) == ["1: began 187.5,333.5"])
    }

    @Test("an app turns in the space of its own display")
    mutating func turning() {
        #expect(act(.orientation(app: 3, .landscapeLeft)) == ["3: scene 800×600 at 0,0, landscapeLeft, scale 1.5"])
        // The y coordinate is 600 less the distance from the lower edge.
        #expect(scans(on: 2, down(1, 0.5, 0.25)) == ["3: began 450.0,400.0"])
    }

    // MARK: Layers

    @Test("a call or an alert does not interrupt apps on other displays")
    mutating func interrupting() {
        _ = scans(on: 2, down(1, 0.5, 0.5))
        for word in [SystemAct.interrupt, .alert] {
            #expect(act(word).allSatisfy { $0.hasPrefix("1: ") })
        }
        #expect(scans(on: 2, moved(1, 0.25, 0.5)) == ["3: moved 200.0,300.0"])
    }

    @Test("lock and display-off cancel touches and deactivate apps on every display")
    mutating func locking() {
        for (off, on) in [(SystemAct.lock, SystemAct.unlock), (.display(isOn: false), .display(isOn: true))] {
            _ = scans(on: 2, down(1, 0.5, 0.5))
            let told = act(off).filter { $0.hasPrefix("3") }
            #expect(told == ["3: cancelled 400.0,300.0", "3: willResignActive", "3: didEnterBackground"])
            #expect(scans(of: 9, on: 2, down(1, 0.5, 0.5)) == [], "no owner")
            _ = scans(of: 9, on: 2, lifted(1))
            _ = scans(on: 2, lifted(1))
            #expect(act(on).filter { $0.hasPrefix("3") } == ["3: willEnterForeground", "3: didBecomeActive"])
        }
    }

    @Test("system gestures take no touch on a second display")
    mutating func swiping() throws {
        self = try DisplaysTests([Setting(key: "systemGesture.enabled", value: "true")])
        var event = scan()
        (event.timeStamp, event.senderID, event.display) = (stage.now, 7, 2)
        event.fingers = [down(1, 0.5, 0.999)]
        _ = stage.handle(.frame(stage.inputKitFrame(.digitizer(event)), from: .inputKit))
        let contact = stage.lastSent.lazy.compactMap { _, frame -> TouchContact? in
            if case .touches(let touches) = frame.message { touches.contacts.first } else { nil }
        }.first
        #expect(contact?.isGated == false)
        for step in 1...20 {
            #expect(scans(on: 2, moved(1, 0.5, 0.999 - Double(step) * 0.02)).count == 1)
        }
        #expect(scans(on: 2, lifted(1)).count == 1)
        #expect(scenes(of: 1) == .text("app1 home"))
    }

    @Test("keys and the keyboard belong to the main display")
    mutating func keys() {
        _ = stage.inputKitSends(.began, .key(HIDUsage(page: 7, usage: 4)))
        let heard = stage.lastSent.filter { $0.1.message.kind == .input }
        #expect(heard.map(\.0) == [.app(1)])
        #expect(act(.keyboard(height: Fixed(216))) == [])
        #expect(scans(on: 2, down(1, 0.5, 0.9)) == ["3: began 400.0,540.0"])
    }

    @Test("`touchline dump` reports the display of each touch")
    mutating func dump() {
        _ = scans(on: 2, down(1, 0.5, 0.5))
        _ = stage.handle(.frame(stage.order(.detailRequest(DetailRequest(id: 1))), from: .supervisor))
        let rows = stage.lastSent.flatMap { _, frame -> [Report.Row] in
            if case .detail(let page) = frame.message { page.rows } else { [] }
        }
        let row = rows.first { $0.key == "contact.0" }
        guard case .text(let text)? = row?.value else {
            Issue.record("no finger is shown")
            return
        }
        #expect(text.hasPrefix("device=7 display=2 contact=1 touch=0 owner=app:3"))
    }
}
