import Basics
import HID
import Hosting
import Settings
import Testing
import Wire

@testable import SystemServerCore

/// Shorthands for tests of one display of 400 by 800 points.
extension SceneTable {
    static var phone: SceneTable { SceneTable(Displays(main: ScreenGeometry(width: 400, height: 800, rotation: 0))) }

    mutating func act(_ act: SystemAct) -> [Step] { handle(.system(act)) }

    /// The owner of a contact that lands there.
    func owner(_ x: Double, _ y: Double, on display: DisplayID = 1) -> Recipient? {
        target(at: Point(x, y), on: display)?.recipient
    }

    /// The owner of a contact that lands in the middle.
    var recipient: Recipient? { owner(200, 400) }
}

@Suite("The scenes on the screen")
struct SceneTableTests {

    var scenes = SceneTable.phone
    let left = Rect<DisplaySpace>(x: 0, y: 0, width: 200, height: 800)
    let right = Rect<DisplaySpace>(x: 200, y: 0, width: 200, height: 800)

    private mutating func launch(_ apps: AppID...) {
        for app in apps { _ = scenes.handle(.launched(app)) }
    }

    // MARK: One app

    @Test("app 1 launches to front; other apps wait for a request")
    mutating func launching() {
        #expect(scenes.handle(.launched(2)) == [])
        #expect(scenes.recipient == .home)
        #expect(scenes.handle(.launched(1)) == [.sendLifeCycle(1, .didBecomeActive)])
        #expect(scenes.recipient == .app(1))
    }

    @Test("a call revokes touches before willResignActive; resume only restores active state")
    mutating func interruption() {
        launch(1)
        #expect(scenes.act(.interrupt) == [.revoke(.app(1)), .sendLifeCycle(1, .willResignActive)])
        #expect(scenes.act(.interrupt) == [])
        #expect(scenes.recipient == .overlay)
        #expect(scenes.act(.resume) == [.sendLifeCycle(1, .didBecomeActive)])
    }

    @Test("a switch backgrounds one app completely before the other is activated")
    mutating func switching() {
        launch(1, 2)
        #expect(
            scenes.act(.foreground(app: 2)) == [
                .revoke(.app(1)), .sendLifeCycle(1, .willResignActive), .sendLifeCycle(1, .didEnterBackground),
                .sendLifeCycle(2, .willEnterForeground), .sendLifeCycle(2, .didBecomeActive),
            ])
        #expect(scenes.act(.foreground(app: 2)) == [])
    }

    @Test("an app requested before it runs comes to front at its hello")
    mutating func awaited() {
        #expect(scenes.act(.foreground(app: 3)) == [])
        #expect(scenes.handle(.launched(3)).last == .sendLifeCycle(3, .didBecomeActive))
        #expect(scenes.recipient == .app(3))
    }

    @Test("home stays in front until an app is requested; crashes show home")
    mutating func home() {
        launch(1)
        _ = scenes.handle(.died(1))
        #expect(scenes.recipient == .home)
        launch(1)
        #expect(scenes.recipient == .app(1))
        #expect(
            scenes.act(.home) == [
                .revoke(.app(1)), .sendLifeCycle(1, .willResignActive), .sendLifeCycle(1, .didEnterBackground),
            ])
        _ = scenes.handle(.died(1))
        launch(1)
        #expect(scenes.recipient == .home)
    }

    @Test("contacts on a locked or dark screen have no owner")
    mutating func dark() {
        launch(1)
        for (ends, begins) in [
            (SystemAct.lock, SystemAct.unlock), (.display(isOn: false), .display(isOn: true)),
        ] {
            #expect(
                scenes.act(ends) == [
                    .revoke(.app(1)), .sendLifeCycle(1, .willResignActive), .sendLifeCycle(1, .didEnterBackground),
                ])
            #expect(scenes.recipient == nil)
            #expect(
                scenes.act(begins) == [.sendLifeCycle(1, .willEnterForeground), .sendLifeCycle(1, .didBecomeActive)])
        }
        _ = scenes.act(.display(isOn: false))
        #expect(scenes.act(.lock) == [], "it is dark already")
        #expect(scenes.act(.display(isOn: true)) == [], "it is locked still")
    }

    // MARK: Split screen

    @Test("split apps receive their halves before activation, and both are active")
    mutating func split() {
        launch(1, 2)
        #expect(
            scenes.act(.split(app: 1, with: 2)) == [
                .revoke(.app(1)), .placeScene(1, left), .placeScene(2, right), .sendLifeCycle(2, .willEnterForeground),
                .sendLifeCycle(2, .didBecomeActive),
            ])
        #expect(
            scenes.target(at: Point(199.5, 10), on: 1)
                == Target(recipient: .app(1), scene: SceneGeometry(frame: left)))
        #expect(
            scenes.target(at: Point(200, 10), on: 1)
                == Target(recipient: .app(2), scene: SceneGeometry(frame: right)))
        #expect(
            scenes.act(.interrupt) == [
                .revoke(.app(1)), .revoke(.app(2)), .sendLifeCycle(1, .willResignActive),
                .sendLifeCycle(2, .willResignActive),
            ])
        #expect(scenes.act(.resume) == [.sendLifeCycle(1, .didBecomeActive), .sendLifeCycle(2, .didBecomeActive)])
    }

    @Test("leaving a split cancels touches, resizes the remaining app, keeps it active")
    mutating func unsplit() {
        launch(1, 2)
        _ = scenes.act(.split(app: 1, with: 2))
        #expect(
            scenes.act(.foreground(app: 2)) == [
                .revoke(.app(1)), .revoke(.app(2)), .sendLifeCycle(1, .willResignActive),
                .sendLifeCycle(1, .didEnterBackground),
                .placeScene(2, scenes.screen),
            ])
    }

    @Test("a death in a split leaves the other app's half and touches")
    mutating func deathInSplit() {
        launch(1, 2)
        _ = scenes.act(.split(app: 1, with: 2))
        #expect(scenes.handle(.died(1)) == [])
        #expect(scenes.owner(10, 10) == .home)
        #expect(scenes.owner(300, 10) == .app(2))
        #expect(scenes.handle(.linked(1)) == [.revoke(.home)], "its process was not gone")
        #expect(scenes.owner(10, 10) == .app(1))
        _ = scenes.handle(.died(1))
        #expect(scenes.handle(.launched(1)) == [], "another process waits to be asked for")
        #expect(scenes.owner(10, 10) == .home)
        #expect(scenes.assumedScene(of: 1).frame == scenes.screen, "and knows of no half")
    }

    @Test("a split with an app that is not running awaits its launch")
    mutating func awaitedSplit() {
        launch(1)
        #expect(scenes.act(.split(app: 1, with: 2)) == [])
        #expect(scenes.recipient == .app(1))
        #expect(scenes.handle(.launched(2)).contains(.placeScene(2, right)))
        #expect(scenes.owner(10, 10) == .app(1))
        #expect(scenes.owner(300, 10) == .app(2))
    }

    @Test("an awaited layout precedes an awaited floating app in any launch order")
    mutating func awaitedFloating() {
        let frame = Rect<DisplaySpace>(x: 50, y: 50, width: 100, height: 100)
        _ = scenes.act(.foreground(app: 1))
        _ = scenes.act(.overlay(app: 2, frame: frame))
        #expect(scenes.handle(.launched(2)) == [])
        _ = scenes.handle(.launched(1))
        #expect(scenes.owner(60, 60) == .app(2))
        #expect(scenes.owner(10, 10) == .app(1))
    }

    // MARK: Floating apps

    @Test("a floating app owns its frame, revokes nothing, leaves with its layout")
    mutating func floating() {
        launch(1, 2)
        let frame = Rect<DisplaySpace>(x: 300, y: 100, width: 500, height: 200)
        let visible = Rect<DisplaySpace>(x: 300, y: 100, width: 100, height: 200)
        #expect(
            scenes.act(.overlay(app: 2, frame: frame)) == [
                .placeScene(2, visible), .sendLifeCycle(2, .willEnterForeground), .sendLifeCycle(2, .didBecomeActive),
            ])
        #expect(
            scenes.target(at: Point(310, 150), on: 1)
                == Target(recipient: .app(2), scene: SceneGeometry(frame: visible)))
        #expect(scenes.owner(299, 150) == .app(1))
        #expect(scenes.focus?.recipient == .app(1))
        #expect(
            scenes.act(.home) == [
                .revoke(.app(1)), .revoke(.app(2)), .sendLifeCycle(1, .willResignActive),
                .sendLifeCycle(1, .didEnterBackground),
                .sendLifeCycle(2, .willResignActive), .sendLifeCycle(2, .didEnterBackground),
            ])
        #expect(scenes.act(.overlay(app: 2, frame: Rect(x: 400, y: 0, width: 9, height: 9))) == [], "off screen")
    }

    @Test("a split app that begins to float leaves its half to home")
    mutating func floatingOutOfSplit() {
        launch(1, 2)
        _ = scenes.act(.split(app: 1, with: 2))
        let frame = Rect<DisplaySpace>(x: 0, y: 0, width: 100, height: 100)
        #expect(scenes.act(.overlay(app: 2, frame: frame)) == [.revoke(.app(2)), .placeScene(2, frame)])
        #expect(scenes.owner(10, 10) == .app(2))
        #expect(scenes.owner(10, 110) == .app(1))
        #expect(scenes.owner(300, 10) == .home)
    }

    @Test("the keyboard owns contacts on it and ends with its layout")
    mutating func keyboard() {
        #expect(scenes.act(.keyboard(height: Fixed(300))) == [])
        #expect(scenes.owner(10, 700) == .home, "no keyboard is shown")
        launch(1, 2)
        #expect(scenes.owner(10, 700) == .keyboard)
        #expect(scenes.owner(10, 499) == .app(1))
        _ = scenes.act(.foreground(app: 2))
        #expect(scenes.owner(10, 700) == .app(2))
        #expect(scenes.act(.keyboard(height: Fixed(20_000))) == [])
        #expect(scenes.owner(10, 10) == .keyboard, "no higher than the screen")
        #expect(scenes.act(.alert) == [.revoke(.app(2)), .revoke(.keyboard), .sendLifeCycle(2, .willResignActive)])
    }

    @Test("alert, call and lock cover each other in order and revoke touches")
    mutating func order() {
        launch(1)
        #expect(scenes.act(.alert) == [.revoke(.app(1)), .sendLifeCycle(1, .willResignActive)])
        #expect(scenes.recipient == .alert)
        #expect(scenes.act(.interrupt) == [.revoke(.alert)])
        #expect(scenes.recipient == .overlay)
        #expect(scenes.act(.lock) == [.sendLifeCycle(1, .didEnterBackground), .revoke(.overlay)].reversed())
        #expect(scenes.recipient == nil)
        #expect(scenes.act(.unlock) == [.sendLifeCycle(1, .willEnterForeground)])
        #expect(scenes.act(.resume) == [.sendLifeCycle(1, .didBecomeActive)], "both are over")
        #expect(scenes.sceneNames(of: 1) == "app1 home")
    }

    @Test("a suspended or terminated app leaves the screen with its pending requests")
    mutating func leaving() {
        launch(1, 2)
        _ = scenes.act(.foreground(app: 3))
        _ = scenes.act(.suspend(app: 3))
        #expect(scenes.handle(.launched(3)) == [])
        #expect(
            scenes.act(.suspend(app: 1)) == [
                .revoke(.app(1)), .sendLifeCycle(1, .willResignActive), .sendLifeCycle(1, .didEnterBackground),
            ])
        #expect(scenes.recipient == .home)
        _ = scenes.act(.foreground(app: 2))
        #expect(
            scenes.act(.terminate(app: 2)) == [
                .revoke(.app(2)), .sendLifeCycle(2, .willResignActive), .sendLifeCycle(2, .didEnterBackground),
                .sendLifeCycle(2, .willTerminate),
            ])
        _ = scenes.handle(.died(2))
        #expect(scenes.act(.terminate(app: 2)) == [])
        launch(1)
        #expect(scenes.recipient == .home, "app 1 was put away")
    }

    @Test("an app requested during its termination is shown in its next process")
    mutating func wantedWhileEnding() {
        launch(1, 2)
        _ = scenes.act(.terminate(app: 1))
        #expect(scenes.act(.foreground(app: 1)) == [])
        #expect(scenes.recipient == .home)
        _ = scenes.handle(.died(1))
        #expect(scenes.handle(.linked(1)) == [], "a link that comes back is no new life")
        _ = scenes.handle(.died(1))
        #expect(
            scenes.handle(.launched(1)) == [
                .revoke(.home), .sendLifeCycle(1, .willEnterForeground), .sendLifeCycle(1, .didBecomeActive),
            ])
        #expect(scenes.recipient == .app(1))
        #expect(scenes.act(.terminate(app: 1)).last == .sendLifeCycle(1, .willTerminate))
        #expect(scenes.act(.split(app: 1, with: 2)) == [])
        _ = scenes.handle(.died(1))
        _ = scenes.handle(.launched(1))
        #expect(scenes.owner(10, 10) == .app(1) && scenes.owner(300, 10) == .app(2))
    }

    @Test("life-cycle steps are legal and touches revoked once, in 500 seeds")
    func lives() {
        for seed in 0..<500 {
            var scenes = SceneTable.phone
            var chance = SeededGenerator(seed: UInt64(seed))
            var told: [AppID: LifeCycleChange] = [:]
            for _ in 0..<80 {
                let steps = scenes.handle(.drawn(&chance, running: scenes.running, &told))
                var revoked: [Recipient] = []
                for step in steps {
                    switch step {
                    case .revoke(let recipient):
                        #expect(!revoked.contains(recipient), "seed \(seed)")
                        revoked.append(recipient)
                    case .placeScene: continue
                    case .sendLifeCycle(_, .willTerminate): continue
                    case .sendLifeCycle(let app, let word):
                        let allowed: [LifeCycleChange?] =
                            switch word {
                            case .didBecomeActive: [nil, .willResignActive, .willEnterForeground, .didEnterBackground]
                            case .willResignActive: [.didBecomeActive]
                            // An app that launched beneath a call has received nothing yet.
                            case .didEnterBackground: [nil, .willResignActive, .willEnterForeground]
                            case .willEnterForeground: [nil, .didEnterBackground]
                            case .willTerminate: []
                            }
                        #expect(allowed.contains(told[app]), "seed \(seed): app \(app), \(word)")
                        if word == .willResignActive { #expect(revoked.contains(.app(app)), "seed \(seed)") }
                        told[app] = word
                    }
                }
                // Every app that can be touched is active and has received `didBecomeActive`.
                for app in scenes.running where scenes.lifeCycleRestatement(of: app) == [.didBecomeActive] {
                    #expect(told[app] == .didBecomeActive, "seed \(seed): app \(app)")
                }
                if let owner = scenes.owner(Double(chance.next() % 400), Double(chance.next() % 800)),
                    case .app(let app) = owner
                {
                    #expect(scenes.lifeCycleRestatement(of: app) == [.didBecomeActive], "seed \(seed)")
                }
            }
        }
    }
}

extension SceneTable.Act {
    fileprivate static func drawn(
        _ chance: inout SeededGenerator, running: [AppID], _ told: inout [AppID: LifeCycleChange]
    ) -> SceneTable.Act {
        let (app, other) = (AppID(index: Int(chance.next() % 3)), AppID(index: Int(chance.next() % 3)))
        let edge = Double(chance.next() % 400)
        switch chance.next() % 16 {
        case 0, 1, 2:
            guard running.contains(app) else {
                told[app] = nil
                return .launched(app)
            }
            return .died(app)
        case 3: return .system(.home)
        case 4: return .system(.foreground(app: app))
        case 5, 6: return .system(.split(app: app, with: other))
        case 7:
            let frame = Rect<DisplaySpace>(x: edge - 100, y: edge, width: edge, height: 300)
            return .system(.overlay(app: app, frame: frame))
        case 8: return .system(chance.next() % 2 == 0 ? .suspend(app: app) : .terminate(app: app))
        case 9: return .system(.interrupt)
        case 10: return .system(.alert)
        case 11: return .system(.resume)
        case 12: return .system(chance.next() % 3 == 0 ? .lock : .unlock)
        case 13: return .system(.display(isOn: chance.next() % 3 > 0))
        case 14: return .system(.keyboard(height: Fixed(edge)))
        default: return .system(.unlock)
        }
    }
}
