import AppCore
import Basics
import HID
import Hosting
import Links
import Testing
import UIKit
import Wire

@Suite("An app's interface orientation")
struct OrientationTests {
    private func says(_ stage: Stage, _ orientation: InterfaceOrientation) {
        let frame = Rect<DisplaySpace>(x: 0, y: 0, width: 375, height: 667)
        let state = SceneState(frame: frame, scale: Fixed(2), orientation: orientation, acknowledgedDeclaration: 0)
        stage.deliver(.frame(stage.server.frame(.scene(state)), from: .systemServer))
    }

    private func size(_ stage: Stage) -> [CGFloat] {
        let window = stage.application.windows[0]
        #expect(window.frame == window.screen.bounds && stage.application.screen.bounds == window.frame)
        #expect(window.screen.nativeBounds == CGRect(x: 0, y: 0, width: 750, height: 1334))
        return [window.frame.size.width, window.frame.size.height]
    }

    @Test("an app starts in its configured orientation before any server connects")
    func starting() throws {
        let stage = try Stage([Setting("app.orientation", "landscapeLeft")], isConnected: false)
        #expect(size(stage) == [667, 375])
        #expect(stage.application.windowScene.interfaceOrientation == .landscapeLeft)
        #expect(stage.report()?["orientation"] == .text("landscapeLeft"))
    }

    @Test("a turn swaps the sides of the screen and its full windows")
    func turned() throws {
        let stage = try Stage()
        #expect(size(stage) == [375, 667])
        #expect(stage.report()?["orientation"] == nil)
        says(stage, .landscapeRight)
        #expect(size(stage) == [667, 375])
        #expect(stage.application.windowScene.interfaceOrientation == .landscapeRight)
        stage.view.frame = stage.application.windows[0].bounds
        stage.touch(.began, 600, 300)
        stage.touch(.ended, 600, 300)
        stage.run(until: 20)
        #expect(stage.log.lines.contains("began"), "what is beyond an upright window's side is in this one")
        says(stage, .portraitUpsideDown)
        #expect(size(stage) == [375, 667])
        #expect(stage.application.windowScene.interfaceOrientation == .portraitUpsideDown)
        stage.deliver(.peerLost(.systemServer))
        stage.connect(epoch: 8)
        #expect(stage.application.windowScene.interfaceOrientation == .portrait)
    }

    @Test("a turn of the interface neither cancels nor moves a touch")
    func midTouch() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 100)
        says(stage, .landscapeLeft)
        stage.run(until: 20)
        #expect(stage.application.touchTracker.liveTouches.count == 1)
        stage.touch(.moved, 110, 100)
        stage.touch(.ended, 110, 100)
        stage.run(until: 40)
        #expect(stage.log.lines.filter { $0 != "layout" } == ["began", "moved", "ended"])
    }

    @Test("an app starts in the first orientation that it supports")
    func supported() throws {
        #expect(try Stage().application.supportedInterfaceOrientations(for: nil) == .all)
        let stage = try Stage([Setting("app.orientations", "landscapeLeft,landscapeRight")])
        #expect(stage.application.supportedInterfaceOrientations(for: nil) == .landscape)
        #expect(stage.application.windowScene.interfaceOrientation == .landscapeLeft)
        #expect(UIInterfaceOrientation.landscapeRight.isLandscape && UIInterfaceOrientation.portrait.isPortrait)
        #expect(UIInterfaceOrientationMask.all.rawValue == 30)
    }

    @Test("declared windows have the interface's orientation")
    func declared() throws {
        let stage = try Stage(
            [Setting("app.declaresWindows", "true"), Setting("app.orientation", "landscapeRight")], isConnected: false)
        stage.connect()
        let diffs = stage.sent(to: .systemServer).compactMap {
            if case .windows(let diff) = $0.message { diff } else { nil }
        }
        let window = SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: 667, height: 375))
        #expect(diffs == [WindowsDiff(number: 1, isWhole: true, changes: [.set(window)])])
    }

    @Test("a gate at the display's edge follows the interface's deferred edges")
    func gates() throws {
        for (edges, isDelayed) in [(UIRectEdge.left, false), (.bottom, true)] {
            let stage = try Stage([Setting("app.orientation", "landscapeLeft")], isConnected: false)
            stage.connect()
            stage.lifeCycle(.didBecomeActive)
            let controller = Deferring()
            controller.edges = edges
            stage.application.windows[0].rootViewController = controller
            controller.view.isUserInteractionEnabled = false
            stage.run(until: 10)
            stage.log.lines = []
            // In this orientation the display's lower edge is on the interface's left.
            stage.touch(.began, 5, 200, isGated: true)
            stage.run(until: 30)
            #expect(stage.log.lines.contains("began") != isDelayed)
        }
    }
}

private final class Deferring: UIViewController {
    var edges: UIRectEdge = []
    override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { edges }
}
