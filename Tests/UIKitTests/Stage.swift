// Stage.swift: an application with one window, fingers on it, and a log of the calls.

import Basics
import Testbed
import Trace
import UIKit

/// A log in the form of conformance lines, in order.
final class Log {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
    func drain() -> [String] {
        defer { lines = [] }
        return lines
    }
}

final class Stage {
    let app: UIApplication
    let log = Log()
    /// A visible window that fills the screen of 375 × 667. The application holds it, too.
    let window: UIWindow
    private var fingers = Fingers()

    init(
        window: ((CGRect) -> UIWindow)? = nil, settings: (inout UIKitSettings) -> Void = { _ in }
    ) {
        var values = UIKitSettings()
        settings(&values)
        let app = UIApplication(settings: values)
        self.app = app
        let frame = CGRect(x: 0, y: 0, width: 375, height: 667)
        self.window = UIApplication.run(as: app) {
            let made = window?(frame) ?? UIWindow(frame: frame)
            made.makeKeyAndVisible()
            return made
        }
    }

    /// Runs `body` as the application's code at the time `seconds`.
    @discardableResult
    func run<Result>(at seconds: Double = 0, _ body: () -> Result) -> Result {
        app.now = Instant(seconds: seconds)
        return UIApplication.run(as: app, body)
    }

    typealias Act = Fingers.Act

    /// Delivers one frame with these actions. The other fingers rest.
    @discardableResult
    func frame(_ acts: Act..., at seconds: Double = 0) -> TouchCounts { deliver(acts, at: seconds) }

    @discardableResult
    func deliver(_ acts: [Act], at seconds: Double) -> TouchCounts {
        let frame = fingers.frame(acts, at: Instant(seconds: seconds))
        return run(at: seconds) { app.deliver(frame) }
    }

    /// Touches down, and lifts 80 ms later.
    func tap(_ x: Double, _ y: Double, at seconds: Double = 0) {
        frame(.down(1, x, y), at: seconds)
        frame(.up(1), at: seconds + 0.08)
    }

    /// Adds a probe view with this name to `parent` or to the window.
    @discardableResult
    func view(_ name: String, _ x: Double, _ y: Double, _ w: Double, _ h: Double, in parent: UIView? = nil) -> ProbeView
    {
        let view = ProbeView(name, CGRect(x: x, y: y, width: w, height: h), log)
        (parent ?? window).addSubview(view)
        return view
    }

    /// All facts, each with its station.
    var factsWithStations: [String] { app.trace.facts.map { "\($0.station) \($0.text(names: app.trace.names))" } }

    /// Facts at these stations, without times.
    func facts(_ stations: Station...) -> [String] {
        app.trace.facts.filter { stations.contains($0.station) }.map { $0.text(names: app.trace.names) }
    }
}

/// A view that logs its calls and behaves as UIView does unless the test says otherwise.
class ProbeView: UIView {
    let log: Log
    var name: String { accessibilityIdentifier ?? "?" }
    var logsHitTest = false
    var logsTouches = true
    var forwards = true
    var onHitTest: ((CGPoint, UIEvent?) -> Void)?
    var answersInside: ((CGPoint) -> Bool)?
    var onTouches: ((Set<UITouch>, UIEvent?) -> Void)?

    init(_ name: String, _ frame: CGRect, _ log: Log) {
        self.log = log
        super.init(frame: frame)
        accessibilityIdentifier = name
    }
    required init?(coder: NSCoder) { nil }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        if logsHitTest { log.add("hitTest> \(name)") }
        onHitTest?(point, event)
        let hit = super.hitTest(point, with: event)
        if logsHitTest { log.add("hitTest< \(name) -> \(hit?.accessibilityIdentifier ?? "nil")") }
        return hit
    }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        if logsHitTest { log.add("pointInside> \(name)") }
        let inside = answersInside?(point) ?? super.point(inside: point, with: event)
        if logsHitTest { log.add("pointInside< \(name) \(inside ? "yes" : "no")") }
        return inside
    }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        if logsTouches { log.add("touchesBegan \(name)") }
        onTouches?(touches, event)
        if forwards { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        if logsTouches { log.add("touchesMoved \(name)") }
        onTouches?(touches, event)
        if forwards { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        if logsTouches { log.add("touchesEnded \(name)") }
        onTouches?(touches, event)
        if forwards { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        if logsTouches { log.add("touchesCancelled \(name)") }
        onTouches?(touches, event)
        if forwards { super.touchesCancelled(touches, with: event) }
    }
}
