// Stage.swift: a phone with one window, probe views in it, and a log of their calls.
//
//     test ─▶ Stage: acts of fingers at a time ─▶ TestPhone ─▶ the app's window ─▶ probe views ─▶ log
//
// Times are seconds since the phone was made, positions are points of its screen of 375 × 667.

import AppCore
import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
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

extension TestPhone.FingerAct {
    static func down(_ finger: Int, _ x: Double, _ y: Double) -> Self { .down(finger, CGPoint(x: x, y: y)) }
    static func move(_ finger: Int, _ x: Double, _ y: Double) -> Self { .move(finger, CGPoint(x: x, y: y)) }
}

/// A phone whose app shows one window.
final class Stage {
    typealias Act = TestPhone.FingerAct

    let phone: TestPhone
    let app: UIApplication
    let log = Log()
    /// A visible window that fills the screen. The application holds it, too.
    let window: UIWindow

    init(
        size: CGSize = CGSize(width: 375, height: 667), scale: CGFloat = 2,
        settings: [(String, String)] = [], window: ((CGRect) -> UIWindow)? = nil
    ) {
        phone = TestPhone(size: size, scale: scale, settings: settings) { _ in
            let frame = CGRect(origin: .zero, size: size)
            (window?(frame) ?? UIWindow(frame: frame)).makeKeyAndVisible()
        }
        app = phone.application
        self.window = app.windows[0]
        phone.mainLoop.probes = .mode
    }

    // MARK: Time

    /// The present, also for code of the app.
    var now: Double { Instant.boot.advanced(by: phone.time).seconds }

    /// The seconds of a time stamp of UIKit since the phone was made, to the microsecond.
    func seconds(of timestamp: TimeInterval) -> Double {
        ((timestamp - TestPhone.clockStart.seconds) * 1e6).rounded() / 1e6
    }

    /// Lets time pass until a moment. Nothing happens if it has passed.
    func wait(until seconds: Double) {
        let time = Instant.boot.duration(to: Instant(seconds: seconds))
        if time > phone.time { phone.advance(to: time) }
    }

    func wait(_ seconds: Double) { wait(until: now + seconds) }

    /// Runs `body` as the application's code, at the time `seconds` or now.
    @discardableResult
    func run<Result>(at seconds: Double = 0, _ body: () -> Result) -> Result {
        wait(until: seconds)
        return phone.run(body)
    }

    // MARK: Fingers

    /// One scan of the panel with these acts, at the time `seconds` or now. The other fingers rest.
    ///
    /// - Returns: The touches that UIKit delivered.
    @discardableResult
    func frame(_ acts: Act..., at seconds: Double = 0) -> TouchCounts { deliver(acts, at: seconds) }

    @discardableResult
    func deliver(_ acts: [Act], at seconds: Double) -> TouchCounts {
        wait(until: seconds)
        let before = phone.mainLoop.touchTotals
        do { try phone.scan(acts) } catch { Issue.record("at \(seconds) s: \(error)") }
        let after = phone.mainLoop.touchTotals
        return TouchCounts(
            began: after.began - before.began, moved: after.moved - before.moved,
            stationary: after.stationary - before.stationary, ended: after.ended - before.ended,
            cancelled: after.cancelled - before.cancelled)
    }

    /// An input of another device than the panel, at the time `seconds` or now.
    func input(_ phase: InputPhase, _ content: DeviceInput<SceneSpace>.Content, at seconds: Double = 0) {
        wait(until: seconds)
        phone.send(DeviceInput(phase, content))
    }

    /// Touches down, and lifts 80 ms later.
    func tap(_ x: Double, _ y: Double, at seconds: Double = 0) {
        frame(.down(1, x, y), at: seconds)
        frame(.up(1), at: max(now, seconds) + 0.08)
    }

    func down(_ x: Double, _ y: Double, at seconds: Double) { frame(.down(1, x, y), at: seconds) }
    func move(_ x: Double, _ y: Double, at seconds: Double) { frame(.move(1, x, y), at: seconds) }
    func up(at seconds: Double) { frame(.up(1), at: seconds) }

    /// Moves the finger by (dx, dy) points in each frame. The first frame is one frame from now.
    func drag(from x: Double, _ y: Double, by dx: Double, _ dy: Double, frames: Int) {
        for step in 1...frames {
            move(x + dx * Double(step), y + dy * Double(step), at: now + 1.0 / 60)
        }
    }

    // MARK: Views

    /// Adds a probe view with this name to `parent` or to the window.
    @discardableResult
    func view(_ name: String, _ x: Double, _ y: Double, _ w: Double, _ h: Double, in parent: UIView? = nil) -> ProbeView
    {
        let view = ProbeView(name, CGRect(x: x, y: y, width: w, height: h), log)
        (parent ?? window).addSubview(view)
        return view
    }

    /// Adds the view to `parent` or to the window as code of the app, and lays out.
    func add(_ view: UIView, to parent: UIView? = nil) { run { (parent ?? window).addSubview(view) } }

    // MARK: The application

    /// The number of timers of the main loop.
    var timerCount: Int {
        let counts = phone.mainLoop.timerCounts
        return counts.once + counts.repeating
    }
    /// The mode of the main loop.
    var mode: UIKit.RunLoop.Mode? { phone.mainLoop.currentMode }

    /// Each mode that the main loop changed to.
    var modeChanges: [String] { facts(.loop).map { String($0.trimmingPrefix("loop mode=")) } }

    private var ownFacts: [ResolvedFact] { phone.facts.filter { $0.process == "app1" } }

    /// All facts of UIKit, each with its station.
    var factsWithStations: [String] {
        let stations: [Station] = [.event, .hitTest, .gesture, .responder, .action]
        return ownFacts.filter { stations.contains($0.station) }.map { "\($0.station) \($0.text)" }
    }

    /// The app's facts at these stations, without times.
    func facts(_ stations: Station...) -> [String] {
        ownFacts.filter { stations.contains($0.station) }.map(\.text)
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
