import Audit
import Basics
import HID
import Hosting
import Links
import Settings
import Testbed
import Testing
import Wire

@Suite("The audit of turned apps")
struct OrientationTests {
    private func options(_ settings: [Setting] = []) throws -> AuditOptions {
        var options = AuditOptions.live
        options.apply(try Settings(settings))
        return options
    }

    /// The server turns the app and sends it its scene, with a wrong orientation if `told` is given.
    private func turns(_ run: TinyRun, _ orientation: InterfaceOrientation, told: InterfaceOrientation? = nil) {
        let frame = Rect<DisplaySpace>(x: 0, y: 0, width: 375, height: 667)
        let state = SceneState(
            frame: frame, scale: Fixed(2), orientation: told ?? orientation, acknowledgedDeclaration: 0)
        let scene = run.toApp.frame(.scene(state))
        run.serverReceives(.orientation(app: 1, orientation), [.send(scene, to: .app(1))])
        _ = run.fromApp.accept(scene)
        run.step(run.app, .frame(scene, from: .systemServer))
    }

    // A contact that lands is in the middle of the panel: at 187.5, 333.5 of 375 by 667.

    @Test("the audit knows a turned app's positions and finds unturned ones")
    func places() throws {
        for (orientation, x, y) in [
            (InterfaceOrientation.landscapeLeft, 333.5, 187.5), (.landscapeRight, 333.5, 187.5),
            (.portraitUpsideDown, 187.5, 333.5), (.portrait, 187.5, 333.5),
        ] {
            for isStart in [false, true] {
                let start = Setting(key: "app.orientation", value: isStart ? "\(orientation)" : "portrait")
                let run = TinyRun(try options([start]))
                if !isStart { turns(run, orientation) }
                let down = run.sends(landed(1))
                let told = run.routes(down, contact(1, .began, x: x, y: y))
                run.settles(run.handles(told, began: 1), of: down)
                #expect(run.finish().violations.map(\.text) == [], "\(orientation)")
            }
        }
        let run = TinyRun(try options())
        turns(run, .landscapeLeft)
        let down = run.sends(landed(1))
        run.settles(run.handles(run.routes(down, contact(1, .began, x: 187.5, y: 333.5)), began: 1), of: down)
        expect(run.finish(), .conservation, "touch 1 at 187.5,333.5, expected contact 1 of device 1 at 333.5,187.5")
    }

    @Test("the audit finds a touch whose space changed with its app's turn")
    func midTouch() throws {
        for (x, y, isFound) in [(187.5, 333.5, false), (333.5, 187.5, true)] {
            let run = TinyRun(try options())
            let down = run.sends(landed(1))
            run.settles(run.handles(run.routes(down, contact(1, .began, x: 187.5, y: 333.5)), began: 1), of: down)
            turns(run, .landscapeRight)
            let move = run.sends(moved(1))
            run.settles(run.handles(run.routes(move, contact(1, .moved, x: x, y: y)), moved: 1), of: move)
            let report = run.finish()
            if isFound {
                expect(report, .conservation, "touch 1 at 333.5,187.5, expected contact 1 of device 1 at 187.5,333.5")
            } else {
                #expect(report.violations.map(\.text) == [])
            }
        }
    }

    @Test("the audit finds a touch in an app with a wrong orientation")
    func untold() throws {
        let run = TinyRun(try options())
        turns(run, .landscapeLeft, told: .portrait)
        let down = run.sends(landed(1))
        run.settles(run.handles(run.routes(down, contact(1, .began, x: 333.5, y: 187.5)), began: 1), of: down)
        expect(
            run.finish(), .conservation,
            "lands in a scene that is 375×667 at 0,0, landscapeLeft, and the scene last sent to app1 is 375×667 at 0,0")
    }

    @Test("the audit knows that an app refuses an unlisted orientation")
    func impossible() throws {
        let run = TinyRun(try options([Setting(key: "app.orientations", value: "portrait")]))
        run.serverReceives(.orientation(app: 1, .landscapeLeft))
        let down = run.sends(landed(1))
        run.settles(run.handles(run.routes(down, contact(1, .began, x: 187.5, y: 333.5)), began: 1), of: down)
        #expect(run.finish().violations.map(\.text) == [])
    }
}
