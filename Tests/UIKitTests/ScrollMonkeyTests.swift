import Basics
import Foundation
import Testbed
import Testing
import TouchlineTesting
import UIKit

/// The order in which one scroll view's delegate may receive its calls.
private struct DelegateCallOrder {
    enum State { case idle, dragging, asked, leaving, decelerating }
    private(set) var state = State.idle
    private(set) var isZooming = false
    /// The first call out of order.
    private(set) var firstViolation: String?

    mutating func receive(_ call: String) {
        switch (state, call) {
        case (.idle, "willBeginDragging"), (.leaving, "willBeginDragging"): state = .dragging
        case (.dragging, "willEndDragging"): state = .asked
        // `willEndDragging` is missing if the scroll view left its window during the drag.
        case (.dragging, "didEndDragging false"), (.asked, "didEndDragging false"): state = .idle
        case (.asked, "didEndDragging true"): state = .leaving
        // There is no drag if a zoom, or a finger that only caught the content, left it beyond its edge.
        case (.leaving, "willBeginDecelerating"), (.idle, "willBeginDecelerating"): state = .decelerating
        case (.decelerating, "didEndDecelerating"): state = .idle
        case (_, "willBeginZooming") where !isZooming: isZooming = true
        case (_, "didEndZooming") where isZooming: isZooming = false
        case (_, "didEndScrollingAnimation"): break
        default: firstViolation = firstViolation ?? "\(call) while \(state)"
        }
    }
}

/// A delegate that checks its calls and sometimes changes the scroll view.
private final class InterferingDelegate: NSObject, UITableViewDelegate {
    var callOrder = DelegateCallOrder()
    var zooms: UIView?
    var meddle: ((UIScrollView) -> Void)?
    private var isMeddling = false

    private func receive(_ call: String, from view: UIScrollView) {
        callOrder.receive(call)
        guard !isMeddling else { return }
        isMeddling = true
        meddle?(view)
        isMeddling = false
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        guard !isMeddling else { return }
        isMeddling = true
        meddle?(scrollView)
        isMeddling = false
    }
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { receive("willBeginDragging", from: scrollView) }
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) { receive("willEndDragging", from: scrollView) }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        receive("didEndDragging \(decelerate)", from: scrollView)
    }
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {
        receive("willBeginDecelerating", from: scrollView)
    }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { receive("didEndDecelerating", from: scrollView) }
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
        receive("didEndScrollingAnimation", from: scrollView)
    }
    func viewForZooming(in scrollView: UIScrollView) -> UIView? { zooms }
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {
        receive("willBeginZooming", from: scrollView)
    }
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        receive("didEndZooming", from: scrollView)
    }
}

/// Counts the touches that began and have not ended.
private final class Counter: UIView {
    var open = 0
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { open += touches.count }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { open -= touches.count }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { open -= touches.count }
}

/// A scroll view with a zoomed view and another scroll view in it, a table, two fingers, and an app that changes its
/// views at random.
private final class Playground {
    let stage: Stage
    let outer = UIScrollView(frame: CGRect(x: 0, y: 0, width: 375, height: 400))
    let inner = UIScrollView(frame: CGRect(x: 20, y: 20, width: 300, height: 200))
    let table = UITableView(frame: CGRect(x: 0, y: 400, width: 375, height: 267))
    let photo = Counter(frame: CGRect(x: 0, y: 0, width: 375, height: 900))
    let button = UIButton(frame: CGRect(x: 20, y: 300, width: 200, height: 60))
    let (rows, meddlers) = (Rows(40), [InterferingDelegate(), InterferingDelegate(), InterferingDelegate()])
    var random: SeededGenerator
    private var isDown = [1: false, 2: false]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        stage = Stage(settings: [("order.mode", "ios"), ("order.seed", "\(seed)")])
        outer.contentSize = photo.frame.size
        inner.contentSize = CGSize(width: 900, height: 200)
        outer.maximumZoomScale = 3
        table.dataSource = rows
        for (view, meddler) in zip([outer, inner, table], meddlers) {
            view.delegate = meddler
            meddler.meddle = { [unowned self] in if random.next() % 40 == 0 { change($0) } }
        }
        meddlers[0].zooms = photo
        outer.addSubview(photo)
        photo.addSubview(inner)
        photo.addSubview(button)
        stage.add(outer)
        stage.add(table)
    }

    private func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    private func chance(_ part: Int) -> Bool { random.next() % UInt64(part) == 0 }

    private func change(_ view: UIScrollView) {
        let place = CGPoint(x: number(-50...400).rounded(), y: number(-50...800).rounded())
        switch random.next() % 17 {
        case 0: view.contentOffset = place
        case 1: view.setContentOffset(place, animated: true)
        case 2: view.setContentOffset(place, animated: false)
        case 3: view.isScrollEnabled.toggle()
        case 4: view.bounces.toggle()
        case 5: view.isPagingEnabled.toggle()
        case 6: view.delaysContentTouches.toggle()
        case 7: view.canCancelContentTouches.toggle()
        case 8: view.contentInset.top = number(0...60).rounded()
        case 9: view.setZoomScale(number(0.5...4), animated: chance(2))
        case 10: view.panGestureRecognizer.isEnabled.toggle()
        case 11:
            guard let parent = view.superview else { return }
            view.removeFromSuperview()
            parent.addSubview(view)
        case 12:
            guard let table = view as? UITableView else { return }
            rows.counts = [Int(number(0...80))]
            table.reloadData()
        case 13:
            guard let table = view as? UITableView, case let rows = rows, rows.counts[0] > 0 else { return }
            table.performBatchUpdates {
                table.deleteRows(at: [IndexPath(row: rows.counts[0] - 1, section: 0)], with: .none)
                table.insertRows(at: [IndexPath(row: 0, section: 0), IndexPath(row: 1, section: 0)], with: .none)
                rows.counts[0] += 1
            }
        case 14: if view !== table { view.contentSize = CGSize(width: number(200...900), height: number(100...1500)) }
        case 15: view.frame.size.height = number(100...400).rounded()
        default: stage.app.touchTracker.cancelAll()
        }
    }

    private func move(_ finger: Int) {
        let (x, y) = (number(0...375), number(0...667))
        let time = stage.now + number(0.001...0.2)
        guard isDown[finger] == true else {
            isDown[finger] = true
            stage.frame(.down(finger, x, y), at: time)
            return
        }
        switch random.next() % 8 {
        case 0:
            isDown[finger] = false
            stage.frame(.up(finger), at: time)
        case 1:
            isDown[finger] = false
            stage.frame(.cancel(finger), at: time)
        case 2: stage.frame(.move(finger, x, y), at: time)
        default:
            for step in 1...5 {
                let part = Double(step)
                stage.frame(.move(finger, x + part * number(-9...9), y + part * number(-9...9)), at: time + part / 60)
            }
        }
    }

    func play(_ steps: Int) {
        for _ in 0..<steps {
            if chance(5) {
                let view = [outer, inner, table][Int(random.next() % 3)]
                stage.run { change(view) }
            } else {
                move(chance(3) ? 2 : 1)
            }
        }
        for finger in [1, 2] where isDown[finger] == true { stage.frame(.up(finger), at: stage.now + 0.05) }
        for meddler in meddlers { meddler.meddle = nil }
        stage.wait(30)
    }

    var faults: [String] {
        var faults: [String] = []
        for (name, view, meddler) in [
            ("outer", outer, meddlers[0]), ("inner", inner, meddlers[1]), ("table", table as UIScrollView, meddlers[2]),
        ] {
            if let offence = meddler.callOrder.firstViolation { faults.append("\(name): \(offence)") }
            let recognizers = view.gestureRecognizers ?? []
            if !recognizers.allSatisfy({ $0.state == .possible && $0.numberOfTouches == 0 }) {
                faults.append("\(name) recognises still")
            }
            if view.isDragging || view.isTracking || view.isDecelerating { faults.append("\(name) moves still") }
            if view.isZooming || view.isZoomBouncing || meddler.callOrder.isZooming {
                faults.append("\(name) zooms still")
            }
            if view.zoomScale > view.maximumZoomScale || view.zoomScale < view.minimumZoomScale {
                faults.append("\(name) is scaled by \(view.zoomScale)")
            }
            if !view.contentOffset.x.isFinite || !view.contentOffset.y.isFinite { faults.append("\(name) is nowhere") }
        }
        let cells = (table.subviews.filter { $0 is UITableViewCell }).count
        if cells != table.visibleCells.count { faults.append("\(cells) cells, \(table.visibleCells.count) of rows") }
        if stage.timerCount != 0 { faults.append("\(stage.timerCount) timers") }
        if stage.mode != .default { faults.append("the main loop is in mode \(stage.mode?.rawValue ?? "none")") }
        if photo.open != 0 { faults.append("\(photo.open) touches without an end") }
        if button.isTracking { faults.append("the button tracks still") }
        if !stage.app.touchTracker.liveTouches.isEmpty { faults.append("touches are under way") }
        return faults
    }
}

@Suite("Random use of scroll views")
struct ScrollMonkeyTests {
    @Test("random scrolling comes to rest with delegate calls in order")
    func everythingEnds() {
        let last = ProcessInfo.processInfo.environment["TOUCHLINE_SEEDS"].flatMap { UInt64($0) } ?? 300
        for seed in UInt64(1)...last {
            let playground = Playground(seed: seed)
            playground.play(40)
            #expect(playground.faults == [], "seed \(seed)")
        }
    }
}
