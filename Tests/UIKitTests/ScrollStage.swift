// ScrollStage.swift: a stage with a main loop on virtual time.

import Basics
import Foundation
import Testbed
import UIKit

/// A main loop on virtual time. Due timers fire in order if the current mode is one of theirs.
final class VirtualLoop: MainLoopScheduling {
    private struct Timer {
        var id: UInt64
        var at: Instant
        var every: Duration?
        var modes: [Foundation.RunLoop.Mode]
        var fire: () -> Void
    }

    private var timers: [Timer] = []
    private var nextID: UInt64 = 1
    private(set) var modes: [Foundation.RunLoop.Mode] = [.default]
    /// Every change of mode.
    var changes: [String] = []

    var timerCount: Int { timers.count }

    func schedule(
        at instant: Instant, every interval: Duration?, modes: [Foundation.RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64 {
        defer { nextID += 1 }
        timers.append(Timer(id: nextID, at: instant, every: interval, modes: modes, fire: fire))
        return nextID
    }
    func invalidate(_ timer: UInt64) { timers.removeAll { $0.id == timer } }
    func perform(modes: [Foundation.RunLoop.Mode], _ block: @escaping () -> Void) { block() }
    func async(_ block: @escaping () -> Void) { block() }
    func requestFrame() {}
    func pushMode(_ mode: Foundation.RunLoop.Mode) {
        modes.append(mode)
        changes.append("push \(mode == .tracking ? "tracking" : mode.rawValue)")
    }
    func popMode(_ mode: Foundation.RunLoop.Mode) {
        guard let index = modes.lastIndex(of: mode), index > 0 else { return }
        modes.remove(at: index)
        changes.append("pop \(mode == .tracking ? "tracking" : mode.rawValue)")
    }
    func run(mode: Foundation.RunLoop.Mode, before limit: Instant) -> MainLoopRun { .finished }

    /// Returns the next timer that is due by `limit` and may fire, after it was removed or set to its next moment.
    func removeNextTimer(by limit: Instant) -> (at: Instant, fire: () -> Void)? {
        let mode = modes.last!
        let due = timers.enumerated()
            .filter { $1.at <= limit && ($1.modes.contains(.common) || $1.modes.contains(mode)) }
            .min { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        guard let (index, timer) = due.map({ ($0.offset, $0.element) }) else { return nil }
        if let interval = timer.every {
            timers[index].at = timer.at.advanced(by: interval)
        } else {
            timers.remove(at: index)
        }
        return (timer.at, timer.fire)
    }
}

/// A stage with a virtual main loop and the current time.
final class ScrollStage {
    let stage: Stage
    let loop = VirtualLoop()
    private(set) var now = 0.0

    init(settings: (inout UIKitSettings) -> Void = { _ in }) {
        stage = Stage(settings: settings)
        stage.app.mainLoop = loop
    }

    var log: Log { stage.log }

    /// Adds the view to `parent` or to the window, and lays out.
    func add(_ view: UIView, to parent: UIView? = nil) {
        stage.run(at: now) { (parent ?? stage.window).addSubview(view) }
        settle()
    }

    @discardableResult
    func run<Result>(_ body: () -> Result) -> Result {
        defer { settle() }
        return stage.run(at: now, body)
    }

    /// Updates gestures and commits layout, as a main loop does before it waits.
    func settle() {
        stage.run(at: now) {
            stage.app.updateGestures()
            stage.app.commitLayout()
        }
    }

    /// Lets time pass and fires the timers that fall due.
    func wait(until seconds: Double) {
        let limit = Instant(seconds: seconds)
        while let (moment, fire) = loop.removeNextTimer(by: limit) {
            now = max(now, moment.seconds)
            stage.run(at: now) { fire() }
            settle()
        }
        now = max(now, seconds)
    }

    func wait(_ seconds: Double) { wait(until: now + seconds) }

    func frame(_ acts: Stage.Act..., at seconds: Double) {
        wait(until: seconds)
        switch acts.count {
        case 1: stage.frame(acts[0], at: seconds)
        case 2: stage.frame(acts[0], acts[1], at: seconds)
        default: preconditionFailure("one finger or two")
        }
        settle()
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
}

/// A delegate that logs the calls of a scroll view or a table.
final class ScrollWitness: NSObject, UITableViewDelegate {
    let log: Log
    var logsScroll = false
    var zooms: UIView?
    var target: CGPoint?
    var onScroll: ((UIScrollView) -> Void)?
    var onEndDragging: ((UIScrollView) -> Void)?
    var onBeginDecelerating: ((UIScrollView) -> Void)?
    var onDisplay: ((UITableView, IndexPath) -> Void)?
    var onEndDisplay: ((UITableView, IndexPath) -> Void)?
    var makesHeader: ((Int) -> UIView?)?
    private(set) var velocity = CGPoint.zero
    private(set) var expected = CGPoint.zero

    init(_ log: Log) { self.log = log }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        if logsScroll { log.add("didScroll") }
        onScroll?(scrollView)
    }
    func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { log.add("willBeginDragging") }
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {
        log.add("willEndDragging")
        self.velocity = velocity
        expected = targetContentOffset.pointee
        if let target { targetContentOffset.pointee = target }
    }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        log.add("didEndDragging \(decelerate)")
        onEndDragging?(scrollView)
    }
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {
        log.add("willBeginDecelerating")
        onBeginDecelerating?(scrollView)
    }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { log.add("didEndDecelerating") }
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) { log.add("didEndScrollingAnimation") }
    func viewForZooming(in scrollView: UIScrollView) -> UIView? { zooms }
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) { log.add("willBeginZooming") }
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        log.add("didEndZooming \(scale)")
    }
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        makesHeader?(section)
    }
    func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {
        onDisplay?(tableView, indexPath)
    }
    func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath) {
        onEndDisplay?(tableView, indexPath)
    }
    func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {
        log.add("highlight \(indexPath.row)")
    }
    func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {
        log.add("unhighlight \(indexPath.row)")
    }
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        log.add("select row=\(indexPath.row)")
    }
    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        log.add("deselect row=\(indexPath.row)")
    }
}
