import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("An app that is turned")
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
        _ = stage.give(.frame(stage.order(.act(act)), from: .supervisor))
        return told
    }

    /// What apps were just told: `1: began 12.5,333.5`, `2: scene 375×667 at 0,0, landscapeLeft`.
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

    // Of 375 by 667 points: 0.25 of the panel is 93.75, 0.5 is 187.5 or 333.5, 0.75 is 281.25.

    @Test("one that starts in landscape is told so before it is active, and of places as it has them")
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

    @Test("who is upright hears nothing of it, and the report does not speak of it")
    mutating func upright() throws {
        self = try OrientationTests([], apps: [])
        _ = stage.appSaysHello(1)
        #expect(told == ["1: didBecomeActive"])
        #expect(stage.report()["app1.orientation"] == nil)
        #expect(act(.orientation(app: 1, .portrait)) == [])
    }

    @Test("a turn takes no finger: it goes on in the space in which it landed, and the next lands in the new one")
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

    @Test("the first line of the display is on the last step of an interface that counts from the other side")
    mutating func firstLine() {
        act(.orientation(app: 1, .landscapeRight))
        _ = stage.scans(down(1, 0, 0.5))
        #expect(told == ["1: began 333.5,\(375 - 1.0 / 65536)"])
        _ = stage.scans(lifted(1))
        _ = stage.scans(down(1, 1, 0.5))
        #expect(told == ["1: began 333.5,\(1.0 / 64)"])
    }

    @Test("what its Info.plist does not name it is never, and what it starts as it can be")
    mutating func supported() throws {
        let possible = Setting(key: "app.orientations", value: "landscapeLeft,landscapeRight")
        self = try OrientationTests([possible], apps: [])
        _ = stage.appSaysHello(1)
        #expect(told.first == "1: scene 375×667 at 0,0, landscapeLeft")
        #expect(act(.orientation(app: 1, .portrait)) == [])
        #expect(act(.orientation(app: 1, .landscapeRight)) == ["1: scene 375×667 at 0,0, landscapeRight"])
    }

    @Test("each app is as its own place in the topology says")
    mutating func topology() throws {
        let text = "1\napp.orientation=landscapeRight\n2"
        self = try OrientationTests([Setting(key: "group.topology", value: text)])
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["1: began 333.5,281.25"])
        #expect(act(.foreground(app: 2)).contains { $0.hasPrefix("2: scene") } == false)
        _ = stage.scans(down(2, 0.25, 0.5))
        #expect(told == ["2: began 93.75,333.5"])
    }

    @Test("of two side by side each is turned in its own half, and a finger that wanders out is outside it")
    mutating func halves() {
        act(.split(app: 1, with: 2))
        #expect(act(.orientation(app: 2, .landscapeLeft)) == ["2: scene 187.5×667 at 187.5,0, landscapeLeft"])
        _ = stage.scans(down(1, 0.25, 0.5), down(2, 0.75, 0.5))
        #expect(told == ["1: began 93.75,333.5", "2: began 333.5,93.75"])
        _ = stage.scans(moved(2, 0.25, 0.5), held(1, 0.25, 0.5))
        #expect(told == ["2: moved 333.5,-93.75"])
    }

    @Test("one in the back is turned when it is shown, and one whose link was lost when it is back")
    mutating func later() {
        #expect(act(.orientation(app: 2, .landscapeLeft)) == [])
        #expect(act(.foreground(app: 2)).contains("2: scene 375×667 at 0,0, landscapeLeft"))
        _ = stage.give(.peerLost(.app(2)))
        act(.orientation(app: 2, .portrait))
        _ = stage.appSaysHelloAgain(2)
        #expect(told.first == "2: scene 375×667 at 0,0")
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["2: began 93.75,333.5"])
    }

    @Test("one that was never told where it is, and is turned while its link is lost, is told when it is back")
    mutating func firstTold() {
        _ = stage.give(.peerLost(.app(1)))
        act(.orientation(app: 1, .landscapeLeft))
        _ = stage.appSaysHelloAgain(1)
        #expect(told.first == "1: scene 375×667 at 0,0, landscapeLeft")
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["1: began 333.5,93.75"])
    }

    @Test("a window is where its app's interface has it, and a finger beside it goes to what is behind")
    mutating func windows() {
        act(.orientation(app: 1, .landscapeLeft))
        // On the left and on top as a person sees it: the display's lower left corner.
        let window = SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: 100, height: 100))
        let diff = WindowsDiff(number: 1, isWhole: true, changes: [.put(window)])
        _ = stage.give(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
        _ = stage.scans(down(1, 0.25, 0.875))
        #expect(told == ["1: began 83.375,93.75"])
        _ = stage.scans(held(1, 0.25, 0.875), down(2, 0.25, 0.125))
        #expect(told == [], "the upper left one is the home screen's")
    }

    @Test("edges that begin system gestures are the display's, and an app defers the edge it has there")
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
                    let diff = WindowsDiff(number: 1, isWhole: true, changes: [.put(window)])
                    _ = stage.give(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
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

    @Test("a pencil leans the same way seen from the interface, and a pointer is where it has it")
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
        let hover = stage.says(.began, .hover(Point(0.25, 0.5)))
        guard case .input(let event)? = hover.first?.message else {
            Issue.record("expected a pointer, found \(hover)")
            return
        }
        #expect(event.input.position == Point(333.5, 93.75))
    }

    @Test("moves that wait for the display's frame, and where fingers were at it, are of the space they landed in")
    mutating func waiting() throws {
        self = try OrientationTests([Setting(key: "server.display", value: "60"), Self.starting(.landscapeLeft)])
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
