@testable import AppCore
import Basics
import HID
import Hosting
import Links
import Testing
import UIKit
import Wire

@Suite("An app's scene and windows")
struct SceneTests {
    private func declared(_ stage: Stage) -> [WindowsDiff] {
        stage.sent(to: .systemServer).compactMap { if case .windows(let diff) = $0.message { diff } else { nil } }
    }

    private func says(
        _ stage: Stage, heard: UInt32, frame: Rect<DisplaySpace> = Rect(x: 0, y: 0, width: 375, height: 667)
    ) {
        let state = SceneState(frame: frame, scale: Fixed(2), acknowledgedDeclaration: heard)
        stage.deliver(.frame(stage.server.frame(.scene(state)), from: .systemServer))
    }

    private var declaring: Stage {
        get throws {
            let stage = try Stage([Setting("app.declaresWindows", "true")], isConnected: false)
            stage.connect()
            return stage
        }
    }

    private func window(_ width: Double) -> SceneWindow {
        SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: width, height: 667))
    }

    @Test("an app declares no windows by default")
    func silent() throws {
        let stage = try Stage(isConnected: false)
        stage.connect()
        #expect(declared(stage) == [])
    }

    @Test("an app declares all windows at first and then only changes")
    func changes() throws {
        let stage = try declaring
        #expect(declared(stage) == [WindowsDiff(number: 1, isWhole: true, changes: [.set(window(375))])])
        says(stage, heard: 1)
        stage.touch(.began)
        stage.touch(.ended)
        #expect(declared(stage).count == 1)
        stage.application.windows[0].frame.size.width = 200
        stage.deliver(.timerFired(AppCore.loopTimer))
        #expect(declared(stage).last == WindowsDiff(number: 2, isWhole: false, changes: [.set(window(200))]))
        stage.application.windows[0].isHidden = true
        stage.deliver(.timerFired(AppCore.loopTimer))
        #expect(declared(stage).last == WindowsDiff(number: 3, isWhole: false, changes: [.remove(1)]))
    }

    @Test("an app repeats unacknowledged window declarations whole")
    func lost() throws {
        let stage = try declaring
        stage.at(100)
        stage.deliver(.timerFired(AppCore.windowsTimer))
        #expect(declared(stage).map(\.number) == [1, 2])
        #expect(declared(stage).last?.isWhole == true)
        says(stage, heard: 2)
        stage.at(200)
        stage.deliver(.timerFired(AppCore.windowsTimer))
        #expect(declared(stage).count == 2)
        stage.deliver(.peerLost(.systemServer))
        stage.connect(epoch: 8)
        #expect(declared(stage).last == WindowsDiff(number: 3, isWhole: true, changes: [.set(window(375))]))
    }

    @Test("a window that fills its scene follows the scene's new frame")
    func resized() throws {
        let stage = try declaring
        says(stage, heard: 1, frame: Rect(x: 187.5, y: 0, width: 187.5, height: 667))
        #expect(stage.application.windows[0].frame == CGRect(x: 0, y: 0, width: 187.5, height: 667))
        #expect(declared(stage).last?.changes == [.set(window(187.5))])
        #expect(stage.report()?["scene"] == .text("187.5 0.0 187.5 667.0"))
        stage.deliver(.peerLost(.systemServer))
        stage.connect(epoch: 8)
        #expect(
            stage.application.windows[0].frame == CGRect(x: 0, y: 0, width: 375, height: 667),
            "a server that has said nothing means the whole screen")
    }

    @Test("a terminated app handles earlier events, notifies its delegate and exits")
    func termination() throws {
        let stage = try Stage()
        stage.touch(.began)
        stage.touch(.cancelled)
        stage.lifeCycle(.willResignActive)
        stage.lifeCycle(.didEnterBackground)
        stage.lifeCycle(.willTerminate)
        #expect(stage.log.lines.suffix(4) == ["cancelled", "willResignActive", "didEnterBackground", "willTerminate"])
        #expect(stage.effects.contains { if case .exit(status: 0) = $0 { true } else { false } })
    }
}
