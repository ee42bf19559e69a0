import Basics
import HID
import Hosting
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("Touches in several scenes")
struct SplitTouchTests {

    var stage = Stage()

    init() {
        _ = stage.inputKitSaysHello()
        for app in [1, 2] as [AppID] { _ = stage.appSaysHello(app) }
    }

    @discardableResult
    private mutating func act(_ act: SystemAct) -> [Frame] {
        stage.handle(.frame(stage.order(.act(act)), from: .supervisor))
    }

    /// The touches that each app just received: `2: began 12.5,333.5`.
    private var told: [String] {
        stage.lastSent.flatMap { peer, frame -> [String] in
            guard peer.role == .app, case .touches(let touches) = frame.message else { return [] }
            return touches.contacts.map {
                "\(peer.instance): \($0.phase) \($0.position.x.double),\($0.position.y.double)"
            }
        }
    }

    private var words: [LifeCycleChange] {
        stage.lastSent.compactMap { if case .lifeCycle(let word) = $0.1.message { word } else { nil } }
    }

    // The display has 375 by 667 points: 0.75 of the panel is 281.25, which is 93.75 from the middle.

    @Test("split apps receive their own touches, and one receipt answers the scan")
    mutating func split() {
        act(.split(app: 1, with: 2))
        let sent = stage.scans(down(1, 0.25, 0.5), down(2, 0.75, 0.5))
        #expect(told == ["1: began 93.75,333.5", "2: began 93.75,333.5"])
        #expect(stage.appHandles(1, sent[0], began: 1).isEmpty)
        #expect(
            stage.appHandles(2, sent[1], began: 1).map(\.message)
                == [.handled(Receipt(frame: 2, outcome: .delivered, began: 2))])
    }

    @Test("a touch over another scene stays in its owner's space (S88)")
    mutating func ownership() {
        act(.split(app: 1, with: 2))
        _ = stage.scans(down(1, 0.25, 0.5))
        _ = stage.scans(moved(1, 0.75, 0.5))
        #expect(told == ["1: moved 281.25,333.5"])
        _ = stage.scans(lifted(1))
        #expect(told == ["1: ended 281.25,333.5"])
        _ = stage.scans(down(1, 0.75, 0.5))
        _ = stage.scans(moved(1, 0.25, 0.5))
        #expect(told == ["2: moved -93.75,333.5"])
    }

    @Test("an app's death in a split ends its own touches only (F17)")
    func death() {
        for seed in 0..<200 {
            var test = SplitTouchTests()
            var chance = SeededGenerator(seed: UInt64(seed))
            test.act(.split(app: 1, with: 2))
            _ = test.stage.scans(down(1, 0.25, 0.5))
            _ = test.stage.scans(held(1, 0.25, 0.5), down(2, 0.75, 0.5))
            for _ in 0..<(chance.next() % 5) { _ = test.stage.scans(moved(1, 0.3, 0.4), moved(2, 0.7, 0.4)) }
            let dead: AppID = chance.next() % 2 == 0 ? 1 : 2
            let other = dead == 1 ? 2 : 1 as AppID
            _ = test.stage.handle(.peerLost(.app(dead)))
            #expect(test.told.isEmpty, "seed \(seed): no other app's touch changes")
            _ = test.stage.scans(moved(1, 0.35, 0.5), moved(2, 0.65, 0.5))
            #expect(test.told.count == 1 && test.told[0].hasPrefix("\(other): moved"), "seed \(seed): \(test.told)")
            _ = test.stage.scans(lifted(1), lifted(2))
            #expect(test.told.count == 1 && test.told[0].hasPrefix("\(other): ended"), "seed \(seed): \(test.told)")
            // Home shows in the dead app's half. A new process receives no contact from before its start.
            _ = test.stage.appSaysHello(dead)
            _ = test.stage.scans(down(1, 0.25, 0.5), down(2, 0.75, 0.5))
            #expect(test.told.count == 1 && test.told[0].hasPrefix("\(other): began"), "seed \(seed): \(test.told)")
        }
    }

    @Test("a call cancels split apps' touches once, and nothing is replayed (S80)")
    mutating func interruption() {
        act(.split(app: 1, with: 2))
        _ = stage.scans(down(1, 0.25, 0.5), down(2, 0.75, 0.5))
        act(.interrupt)
        #expect(told == ["1: cancelled 93.75,333.5", "2: cancelled 93.75,333.5"])
        #expect(words == [.willResignActive, .willResignActive])
        act(.alert)
        #expect(told.isEmpty && words.isEmpty)
        act(.resume)
        #expect(told.isEmpty)
        #expect(words == [.didBecomeActive, .didBecomeActive])
        #expect(stage.scans(moved(1, 0.3, 0.3), moved(2, 0.8, 0.3)).map(\.message.kind) == [.handled])
        _ = stage.scans(lifted(1), lifted(2))
        _ = stage.scans(down(1, 0.25, 0.5))
        #expect(told == ["1: began 93.75,333.5"])
    }

    @Test("a split cancels touches before the app receives its new frame (S86)")
    mutating func splitUnderFinger() {
        _ = stage.scans(down(1, 0.75, 0.5))
        #expect(told == ["1: began 281.25,333.5"])
        let sent = act(.split(app: 1, with: 2))
        #expect(sent.map(\.message.kind) == [.touches, .scene, .scene, .lifeCycle, .lifeCycle])
        #expect(told == ["1: cancelled 281.25,333.5"])
        guard case .scene(let scene) = sent[1].message else { return }
        #expect(scene.frame == Rect(x: 0, y: 0, width: 187.5, height: 667))
        #expect(stage.scans(moved(1, 0.8, 0.5)).map(\.message.kind) == [.handled], "it is dead for the other app too")
    }

    @Test("keyboard and floating app own new landings only")
    mutating func above() {
        _ = stage.scans(down(1, 0.75, 0.875))
        act(.keyboard(height: Fixed(300)))
        act(.overlay(app: 2, frame: Rect(x: 0, y: 0, width: 100, height: 100)))
        _ = stage.scans(moved(1, 0.8, 0.9))
        #expect(told.map { $0.prefix(8) } == ["1: moved"])
        #expect(
            stage.scans(held(1, 0.8, 0.9), down(2, 0.5, 0.875)).map(\.message)
                == [.handled(Receipt(frame: stage.lastScan, outcome: .home, began: 1))])
        _ = stage.scans(held(1, 0.8, 0.9), held(2, 0.5, 0.875), down(3, 0.125, 0.0625))
        #expect(told == ["2: began 46.875,41.6875"])
    }

    @Test("a pointer belongs to the app beneath it, keys to the first")
    mutating func pointers() {
        act(.split(app: 1, with: 2))
        let place = Point<DigitizerSpace>(0.75, 0.5)
        let sent = stage.inputKitSends(.began, .hover(place))
        #expect(stage.lastSent.map(\.0) == [.app(2)])
        guard case .input(let event)? = sent.first?.message else { return }
        #expect(event.input.position == Point(93.75, 333.5))
        _ = stage.inputKitSends(.began, .key(HIDUsage(page: 7, usage: 4)))
        #expect(stage.lastSent.map(\.0) == [.app(1)])
    }

    @Test("the server acknowledges window declarations up to the first missing number")
    mutating func declaration() {
        func heard(_ frames: [Frame]) -> [UInt32] {
            frames.compactMap { if case .scene(let scene) = $0.message { scene.acknowledgedDeclaration } else { nil } }
        }
        let window = WindowChange.set(SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: 375, height: 100)))
        func says(_ number: UInt32, _ stage: inout Stage) -> [UInt32] {
            let diff = WindowsDiff(number: number, isWhole: false, changes: [window])
            return heard(stage.handle(.frame(stage.appFrame(1, .windows(diff)), from: .app(1))))
        }
        #expect(says(1, &stage) == [1])
        #expect(says(3, &stage) == [1])
        #expect(says(2, &stage) == [2])
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(told.isEmpty, "beside its window lies the home screen")
        _ = stage.scans(held(1, 0.5, 0.5), down(2, 0.5, 0.0625))
        #expect(told.map { $0.prefix(8) } == ["1: began"])
    }

    @Test("the third illegal window declaration disconnects an app")
    mutating func hostile() {
        for strike in 1...3 {
            let diff = WindowsDiff(number: 1, isWhole: true, changes: [.remove(5)])
            let sent = stage.handle(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
            #expect(sent.contains { $0.message.kind == .tooManyStrikes } == (strike == 3))
        }
        #expect(stage.lastEffects.contains { if case .hangUp(.app(1)) = $0 { true } else { false } })
    }

    @Test("a relinked process receives its scene again; a new process does not")
    mutating func relink() {
        act(.split(app: 1, with: 2))
        _ = stage.handle(.peerLost(.app(2)))
        let again = stage.appSaysHelloAgain(2)
        let scenes = again.compactMap { if case .scene(let scene) = $0.message { scene.frame } else { nil } }
        #expect(scenes == [Rect(x: 187.5, y: 0, width: 187.5, height: 667)])
        _ = stage.handle(.peerLost(.app(2)))
        #expect(!stage.appSaysHello(2).contains { $0.message.kind == .scene })
    }
}
