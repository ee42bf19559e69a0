import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("The orientation of an app")
struct OrientationTests {
    var stage: Stage

    init() throws { try self.init([]) }

    private init(_ settings: [Setting], apps: [AppID] = [1, 2]) throws {
        stage = Stage(try Settings(settings))
        _ = stage.inputKitSaysHello()
        for app in apps { _ = stage.appSaysHello(app) }
    }

    private static func starting(_ orientation: InterfaceOrientation) -> Setting {
        Setting(key: "app.orientation", value: "\(orientation)")
    }

    @discardableResult
    private mutating func act(_ act: SystemAct) -> [String] {
        _ = stage.handle(.frame(stage.order(.act(act)), from: .supervisor))
        return told
    }

    /// What apps just received: `1: began 12.5,333.5`, `2: scene 375×667 at 0,0, landscapeLeft`.
    private var told: [String] {
        stage.lastSent.flatMap { peer, frame -> [String] in
            guard peer.role == .app else { return [] }
            switch frame.message {
            case .touches(let touches):
                return touches.contacts.map {
                    "\(peer.instance): \($0.phase) \($0.position.x.double),\($0.position.y.double)"
                }
            case .scene(let scene):
                return ["\(peer.instance): scene \(SceneGeometry(frame: scene.frame, orientation: scene.orientation))"]
            case .lifeCycle(let word): return ["\(peer.instance): \(word)"]
            default: return []
            }
        }
    }

    // The display has 375 by 667 points: 0.25 of the panel is 93.75, 0.5 is 187.5 or 333.5, 0.75 is 281.25.

    @Test("a turned app receives its scene before activation and turned positions")
    mutating func starting() throws {
        for (orientation, place) in [
            (InterfaceOrientation.landscapeLeft, "333.5,93.75"), (.landscapeRight, "333.5,281.25"),
            (.portraitUpsideDown, "281.25,333.5"),
        ] {
            self = try OrientationTests([Self.starting(orientation)], apps: [])
            _ = stage.appSaysHello(1)
            #expect(told == ["1: scene 375×667 at 0,0, \(orientation)", "1: didBecomeActive"])
            _ = stage.scans(down(1, 0.25, 0.5))
            #expect(told == ["1: began \(place)"])
            #expect(stage.report()["app1.orientation"] == .text("\(orientation)"))
        }
    }

    @Test("a portrait app receives no orientation")
    mutating func upright() throws {
        self = try OrientationTests([], apps: [])
        _ = stage.appSaysHello(1)
        #expect(told == ["1: didBecomeActive"])
        #expect(stage.report()["app1.orientation"] == nil)
        #expect(act(.orientation(app: 1, .portrait)) == [])
    }

    @Test("a touch keeps the space it landed in when its app turns")
    mutating func midTouch() {
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["1: began 93.75,333.5"])
        #expect(act(.orientation(app: 1, .landscapeLeft)) == ["1: scene 375×667 at 0,0, landscapeLeft"])
        _ = stage.scans(moved(1, 0.5, 0.5))
        #expect(told == ["1: moved 187.5,333.5"])
        _ = stage.scans(held(1, 0.5, 0.5), down(2, 0.25, 0.5))
        #expect(told == ["1: stationary 187.5,333.5", "1: began 333.5,93.75"])
        _ = stage.scans(lifted(1), moved(2, 0.5, 0.5))
        #expect(told == ["1: ended 187.5,333.5", "1: moved 333.5,187.5"])
        #expect(act(.lock).prefix(1) == ["1: cancelled 333.5,187.5"], "exactly once, where it was")
    }

    @Test("a mirrored interface keeps the display's first row within its bounds")
    mutating func firstLine() {
        act(.orientation(app: 1, .landscapeRight))
        _ = stage.scans(down(1, 0, 0.5))
        #expect(told == ["1: began 333.5,\(375 - 1.0 / 65536)"])
        _ = stage.scans(lifted(1))
        _ = stage.scans(down(1, 1, 0.5))
        #expect(told == ["1: began 333.5,\(1.0 / 64)"])
    }

    @Test("an app turns only to orientations that its settings list")
    mutating func supported() throws {
        let possible = Setting(key: "app.orientations", value: "landscapeLeft,landscapeRight")
        self = try OrientationTests([possible], apps: [])
        _ = stage.appSaysHello(1)
        #expect(told.first == "1: scene 375×667 at 0,0, landscapeLeft")
        #expect(act(.orientation(app: 1, .portrait)) == [])
        #expect(act(.orientation(app: 1, .landscapeRight)) == ["1: scene 375×667 at 0,0, landscapeRight"])
    }

    @Test("each app has the orientation that its topology entry gives")
    mutating func topology() throws {
        let text = "1\napp.orientation=landscapeRight\n2"
        self = try OrientationTests([Setting(key: "group.topology", value: text)])
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["1: began 333.5,281.25"])
        #expect(act(.foreground(app: 2)).contains { $0.hasPrefix("2: scene") } == false)
        _ = stage.scans(down(2, 0.25, 0.5))
        #expect(told == ["2: began 93.75,333.5"])
    }

    @Test("split apps turn within their halves; touches may leave their half")
    mutating func halves() {
        act(.split(app: 1, with: 2))
        #expect(act(.orientation(app: 2, .landscapeLeft)) == ["2: scene 187.5×667 at 187.5,0, landscapeLeft"])
        _ = stage.scans(down(1, 0.25, 0.5), down(2, 0.75, 0.5))
        #expect(told == ["1: began 93.75,333.5", "2: began 333.5,93.75"])
        _ = stage.scans(moved(2, 0.25, 0.5), held(1, 0.25, 0.5))
        #expect(told == ["2: moved 333.5,-93.75"])
    }

    @Test("a background app receives its new orientation when it is shown")
    mutating func later() {
        #expect(act(.orientation(app: 2, .landscapeLeft)) == [])
        #expect(act(.foreground(app: 2)).contains("2: scene 375×667 at 0,0, landscapeLeft"))
        _ = stage.handle(.peerLost(.app(2)))
        act(.orientation(app: 2, .portrait))
        _ = stage.appSaysHelloAgain(2)
        #expect(told.first == "2: scene 375×667 at 0,0")
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["2: began 93.75,333.5"])
    }

    @Test("an app turned during a lost link receives its scene on reconnect")
    mutating func firstTold() {
        _ = stage.handle(.peerLost(.app(1)))
        act(.orientation(app: 1, .landscapeLeft))
        _ = stage.appSaysHelloAgain(1)
        #expect(told.first == "1: scene 375×667 at 0,0, landscapeLeft")
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["1: began 333.5,93.75"])
    }

    @Test("a turned app's windows are hit in the interface's own space")
    mutating func windows() {
        act(.orientation(app: 1, .landscapeLeft))
        // The window is at the top left as a person sees it: the lower left corner of the display.
        let window = SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: 100, height: 100))
        let diff = WindowsDiff(number: 1, isWhole: true, changes: [.set(window)])
        _ = stage.handle(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
        _ = stage.scans(down(1, 0.25, 0.875))
        #expect(told == ["1: began 83.375,93.75"])
        _ = stage.scans(held(1, 0.25, 0.875), down(2, 0.25, 0.125))
        #expect(told == [], "the upper left one is the home screen's")
    }

    @Test("an app defers a system gesture at its own orientation's edge")
    mutating func edges() throws {
        for (orientation, edges, isLetBe) in [
            (InterfaceOrientation.portrait, 4, true), (.landscapeLeft, 2, true), (.landscapeLeft, 4, false),
            (.landscapeRight, 8, true), (.portraitUpsideDown, 1, true), (.portraitUpsideDown, 4, false),
        ] as [(InterfaceOrientation, UInt8, Bool)] {
            for isDeclared in [false, true] {
                self = try OrientationTests([Setting(key: "systemGesture.enabled", value: "true")])
                act(.orientation(app: 1, orientation))
                if isDeclared {
                    let frame = Rect<SceneSpace>(x: 0, y: 0, width: 667, height: 667)
                    let window = SceneWindow(id: 1, frame: frame, deferredEdges: edges)
                    let diff = WindowsDiff(number: 1, isWhole: true, changes: [.set(window)])
                    _ = stage.handle(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
                }
                let sent = stage.scans(down(1, 0.5, 0.99))
                let frame = try #require(sent.first { $0.message.kind == .touches })
                if !isDeclared { _ = stage.appHandles(1, frame, began: 1, deferring: edges) }
                _ = stage.scans(moved(1, 0.5, 0.9))
                let isTaken = told.contains { $0.hasPrefix("1: cancelled") }
                #expect(isTaken != isLetBe, "\(orientation) \(edges) \(isDeclared)")
            }
        }
    }

    @Test("a pencil's azimuth and a pointer's position are in the interface's space")
    mutating func pencil() {
        act(.orientation(app: 1, .landscapeLeft))
        var pen = down(1, 0.5, 0.5)
        pen.transducer = .stylus
        pen.orientation = .polar(.init(altitude: Fixed(0.5), azimuth: Fixed(2 * .pi - 1)))
        let sent = stage.scans(pen)
        guard case .touches(let touches)? = sent.first?.message else {
            Issue.record("expected touches, found \(sent)")
            return
        }
        let azimuth = touches.contacts[0].angles?.azimuth.double ?? 0
        #expect(abs(azimuth - (1 + .pi / 2)) < 0.0001)
        let hover = stage.inputKitSends(.began, .hover(Point(0.25, 0.5)))
        guard case .input(let event)? = hover.first?.message else {
            Issue.record("expected a pointer, found \(hover)")
            return
        }
        #expect(event.input.position == Point(333.5, 93.75))
    }

    @Test("moves held for a display frame stay in their landing's space")
    mutating func waiting() throws {
        self = try OrientationTests([Setting(key: "server.displayRate", value: "60"), Self.starting(.landscapeLeft)])
        _ = stage.scans(down(1, 0.25, 0.5))
        _ = stage.scans(moved(1, 0.5, 0.5))
        act(.orientation(app: 1, .portrait))
        _ = stage.scans(moved(1, 0.75, 0.5))
        let shown = stage.pass(20)
        let frames = shown.compactMap { if case .touches(let frame) = $0.message { frame } else { nil } }
        #expect(
            frames.flatMap { $0.contacts.map { [$0.position.x.double, $0.position.y.double] } } == [[333.5, 281.25]])
        #expect(frames.flatMap(\.history).flatMap { $0.contacts.map(\.position.y.double) } == [187.5])
    }
}
