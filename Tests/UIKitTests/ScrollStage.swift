// ScrollStage.swift: a stage with the main loop of tests, for content that is dragged.

import Basics
import Foundation
import Testbed
import UIKit

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
