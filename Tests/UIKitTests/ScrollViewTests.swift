import Basics
import Foundation
import Testbed
import Testing
import Trace
import UIKit

private final class Content: UIScrollView {
    var log: Log!
    var cancels: Bool?
    override func touchesShouldCancel(in view: UIView) -> Bool {
        let answer = cancels ?? super.touchesShouldCancel(in: view)
        log.add("touchesShouldCancel \(view.accessibilityIdentifier ?? "?") \(answer)")
        return answer
    }
}

@Suite("A scroll view's content")
struct ScrollViewTests {
    let stage = ScrollStage()
    let witness: ScrollWitness
    private let scroll: Content

    init() {
        witness = ScrollWitness(stage.log)
        scroll = Content(frame: CGRect(x: 0, y: 0, width: 375, height: 600))
        scroll.log = stage.log
        scroll.contentSize = CGSize(width: 375, height: 3000)
        scroll.delegate = witness
        stage.add(scroll)
    }

    private var lines: [String] { stage.log.take() }

    @Test("defaults are Apple's")
    func defaults() {
        let view = UIScrollView()
        #expect(view.bounces && view.isScrollEnabled && view.delaysContentTouches && view.canCancelContentTouches)
        #expect(!view.alwaysBounceVertical && !view.isPagingEnabled && !view.isDirectionalLockEnabled)
        #expect(view.minimumZoomScale == 1 && view.maximumZoomScale == 1 && view.zoomScale == 1 && view.bouncesZoom)
        #expect(view.decelerationRate == .normal && view.decelerationRate.rawValue == 0.998)
        #expect(view.clipsToBounds && view.pinchGestureRecognizer == nil)
        #expect(view.panGestureRecognizer.view === view && UITableView().alwaysBounceVertical)
        #expect(UIImageView().isUserInteractionEnabled == false && UILabel().isUserInteractionEnabled == false)
    }

    @Test("every change of the content offset calls didScroll once, assigning bounds never")
    func offset() {
        witness.logsScroll = true
        scroll.contentOffset = CGPoint(x: 0, y: 100)
        #expect(scroll.bounds.origin == CGPoint(x: 0, y: 100) && lines == ["didScroll"])
        scroll.contentOffset = CGPoint(x: 0, y: 100)
        #expect(lines == [])
        scroll.bounds.origin.y = 50
        #expect(scroll.contentOffset.y == 50 && lines == [])
        let child = stage.run { stage.stage.view("child", 0, 60, 10, 10, in: scroll) }
        #expect(child.convert(CGPoint.zero, to: stage.stage.window) == CGPoint(x: 0, y: 10))
    }

    @Test("code may put content anywhere, and only as far as needed to show a rectangle")
    func showing() {
        scroll.contentOffset.y = -500
        #expect(scroll.contentOffset.y == -500)
        scroll.contentOffset.y = 0
        func shows(_ y: CGFloat, _ height: CGFloat) -> CGFloat {
            scroll.scrollRectToVisible(CGRect(x: 0, y: y, width: 10, height: height), animated: false)
            return scroll.contentOffset.y
        }
        #expect(shows(100, 100) == 0)
        #expect(shows(700, 100) == 200)
        #expect(shows(50, 20) == 50)
        #expect(shows(2990, 100) == 2400)
        #expect(shows(100, 2000) == 1500)
    }

    @Test("an animated scroll takes its time, ends exactly there, and says so")
    func animated() {
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 300), animated: true) }
        #expect(scroll.contentOffset.y == 0)
        stage.wait(until: 0.15)
        #expect(scroll.contentOffset.y > 50 && scroll.contentOffset.y < 250)
        stage.wait(until: 0.4)
        #expect(scroll.contentOffset.y == 300 && lines == ["didEndScrollingAnimation"])
        #expect(stage.loop.timerCount == 0 && stage.loop.changes == [])
        // Going nowhere is no animation.
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 300), animated: true) }
        stage.wait(1)
        #expect(lines == [])
    }

    @Test("an inset is room to scroll into, and content that rests at the edge follows it")
    func insets() {
        stage.run { scroll.contentInset = UIEdgeInsets(top: 40, left: 0, bottom: 10, right: 0) }
        #expect(scroll.contentOffset.y == -40 && scroll.adjustedContentInset.bottom == 10)
        scroll.scrollRectToVisible(CGRect(x: 0, y: 2990, width: 1, height: 10), animated: false)
        #expect(scroll.contentOffset.y == 2410)
        scroll.contentOffset.y = 5
        stage.run { scroll.contentInset = .zero }
        #expect(scroll.contentOffset.y == 5)
    }

    @Test("content starts at the tenth point, and follows the finger one to one")
    func oneToOne() {
        stage.down(100, 500, at: 0)
        #expect(scroll.isTracking && !scroll.isDragging)
        stage.move(100, 488, at: 1.0 / 60)
        #expect(scroll.contentOffset.y == 2 && scroll.isDragging)
        stage.move(100, 450, at: 2.0 / 60)
        #expect(scroll.contentOffset.y == 40)
        #expect(lines == ["willBeginDragging"])
    }

    @Test("B12.6: the delegate's calls come in their order, and the mode is tracking from drag to rest")
    func order() {
        witness.logsScroll = true
        stage.down(100, 500, at: 0)
        #expect(stage.loop.changes == [])
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        #expect(stage.loop.modes.last == .tracking)
        #expect(lines == ["willBeginDragging"] + Array(repeating: "didScroll", count: 4))
        let dragged = scroll.contentOffset.y
        stage.frame(.upAt(1, 100, 440), at: stage.now + 1.0 / 60)
        #expect(lines == ["didScroll", "willEndDragging", "didEndDragging true", "willBeginDecelerating"])
        #expect(scroll.isDecelerating && !scroll.isDragging && !scroll.isTracking)
        #expect(abs(witness.velocity.y - 0.72) < 0.001 && witness.velocity.x == 0)
        let expected = witness.expected.y
        #expect(expected > dragged + 300 && stage.loop.modes.last == .tracking)
        stage.wait(10)
        let rest = lines
        #expect(rest.dropLast().allSatisfy { $0 == "didScroll" } && rest.last == "didEndDecelerating")
        #expect(scroll.contentOffset.y == expected && !scroll.isDecelerating)
        #expect(stage.loop.changes == ["push tracking", "pop tracking"] && stage.loop.timerCount == 0)
    }

    @Test("content stays where a slow drag ends")
    func still() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -4, frames: 12)
        stage.up(at: stage.now + 1.0 / 60)
        #expect(witness.velocity == .zero && witness.expected.y == 38)
        #expect(lines == ["willBeginDragging", "willEndDragging", "didEndDragging false"])
        #expect(scroll.contentOffset.y == 38 && stage.loop.changes == ["push tracking", "pop tracking"])
    }

    @Test("a finger that rests before it lifts keeps the velocity of its last move")
    func restedRelease() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 0.5)
        #expect(abs(witness.velocity.y - 0.72) < 0.001 && scroll.isDecelerating)
        stage.wait(5)
        #expect(abs(scroll.contentOffset.y - (38 + 710 * 0.499)) <= 0.5)
    }

    @Test("the delegate may choose another place to rest")
    func otherTarget() {
        witness.target = CGPoint(x: 0, y: 777)
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(10)
        #expect(scroll.contentOffset.y == 777 && lines.last == "didEndDecelerating")
    }

    @Test("beyond the edge content follows reluctantly, and comes back when it is let go of")
    func rubberBand() {
        stage.down(100, 100, at: 0)
        stage.drag(from: 100, 100, by: 0, 20, frames: 10)
        let pulled = scroll.contentOffset.y
        #expect(pulled < -60 && pulled > -190)
        stage.up(at: stage.now + 0.3)
        #expect(lines.suffix(2) == ["didEndDragging true", "willBeginDecelerating"])
        stage.wait(3)
        #expect(scroll.contentOffset.y == 0 && lines == ["didEndDecelerating"])
        scroll.bounces = false
        stage.down(100, 100, at: 10)
        stage.drag(from: 100, 100, by: 0, 20, frames: 10)
        #expect(scroll.contentOffset.y == 0 && scroll.isDragging)
        stage.up(at: 11)
    }

    @Test("content that is flung at its end goes beyond it and comes back")
    func flung() {
        scroll.contentSize.height = 700
        var lowest: CGFloat = 0
        witness.onScroll = { lowest = max(lowest, $0.contentOffset.y) }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -20, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(10)
        #expect(lowest > 101 && scroll.contentOffset.y == 100)
    }

    @Test("a finger that lands on moving content stops it, and is nothing to what is under it")
    func caught() {
        stage.run { stage.stage.view("child", 0, 0, 375, 3000, in: scroll) }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(0.2)
        _ = lines
        stage.down(100, 300, at: stage.now + 0.001)
        let place = scroll.contentOffset.y
        #expect(lines == ["didEndDecelerating"] && stage.loop.modes == [.default] && scroll.isTracking)
        stage.up(at: stage.now + 0.3)
        stage.wait(2)
        #expect(lines == [] && scroll.contentOffset.y == place && !scroll.isTracking)
        // The next one is the content's again.
        stage.down(100, 300, at: stage.now)
        stage.up(at: stage.now + 0.05)
        #expect(lines == ["touchesBegan child", "touchesEnded child"])
    }

    @Test("content that is caught beyond its edge comes back once the finger is up")
    func caughtBeyond() {
        stage.down(100, 100, at: 0)
        stage.drag(from: 100, 100, by: 0, 20, frames: 10)
        stage.up(at: stage.now + 0.3)
        stage.wait(0.05)
        stage.down(100, 100, at: stage.now)
        stage.wait(1)
        #expect(scroll.contentOffset.y < -10)
        stage.up(at: stage.now)
        stage.wait(3)
        #expect(scroll.contentOffset.y == 0 && stage.loop.timerCount == 0 && stage.loop.modes == [.default])
    }

    @Test("a page is turned at a time")
    func paging() {
        scroll.isPagingEnabled = true
        scroll.contentSize = CGSize(width: 375 * 3, height: 600)
        stage.down(300, 300, at: 0)
        stage.drag(from: 300, 300, by: -12, 0, frames: 6)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(5)
        #expect(scroll.contentOffset == CGPoint(x: 375, y: 0))
        // Slowly, and less than half way: back it goes.
        stage.down(300, 300, at: 10)
        stage.drag(from: 300, 300, by: -4, 0, frames: 18)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(5)
        #expect(scroll.contentOffset == CGPoint(x: 375, y: 0))
    }

    @Test("what does not scroll along the drag, does not begin it")
    func otherAxis() {
        stage.down(100, 300, at: 0)
        stage.drag(from: 100, 300, by: -12, 3, frames: 4)
        #expect(!scroll.isDragging && lines == [])
        #expect(
            stage.stage.facts(.gesture).contains {
                $0.contains("nothing to scroll sideways, 375.0 pt of content, room for 375.0 pt")
            })
        stage.up(at: 1)
        scroll.alwaysBounceHorizontal = true
        stage.down(100, 300, at: 2)
        stage.drag(from: 100, 300, by: -12, 0, frames: 4)
        #expect(scroll.isDragging && scroll.contentOffset.x > 0)
        stage.up(at: 3)
    }

    @Test("E2.8: a touch on the scroll view itself waits like one on its content")
    func ownTouches() {
        final class Own: UIScrollView {
            var log: Log!
            override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { log.add("began") }
        }
        let own = Own(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        own.log = stage.log
        stage.add(own)
        stage.down(50, 50, at: 0)
        #expect(lines == [])
        stage.wait(until: 0.15)
        #expect(lines == ["began"])
        stage.up(at: 0.2)
    }

    @Test("touches on a scroll view end there, and go up the chain where it does not scroll")
    func chain() {
        let back = stage.run { stage.stage.view("back", 0, 0, 375, 667) }
        stage.add(scroll, to: back)
        stage.down(100, 300, at: 0)
        stage.up(at: 0.3)
        #expect(lines == [])
        scroll.isScrollEnabled = false
        stage.down(100, 300, at: 2)
        #expect(lines == ["touchesBegan back"])
        stage.drag(from: 100, 300, by: 0, -12, frames: 1)
        #expect(lines == ["touchesMoved back"] && scroll.contentOffset.y == 0 && !scroll.isTracking)
        stage.up(at: 2.3)
        #expect(lines == ["touchesEnded back"])
    }

    @Test("S28: a button that is held keeps its touch, and the scroll view does not begin")
    func heldButton() {
        let button = UIButton(frame: CGRect(x: 20, y: 20, width: 100, height: 40))
        button.accessibilityIdentifier = "button"
        stage.add(button, to: scroll)
        stage.down(50, 40, at: 0)
        #expect(!button.isTracking)
        stage.wait(until: 0.2)
        #expect(button.isTracking)
        stage.drag(from: 50, 40, by: 0, -4, frames: 4)
        #expect(lines == ["touchesShouldCancel button false"] && !scroll.isDragging && button.isTracking)
        stage.up(at: 1)
        #expect(lines == [] && !scroll.isTracking)
    }

    @Test("content that may not be cancelled keeps its touch, and one that may loses it after the drag has begun")
    func cancelling() {
        stage.run { stage.stage.view("child", 0, 0, 375, 3000, in: scroll) }
        scroll.canCancelContentTouches = false
        stage.down(100, 300, at: 0)
        stage.wait(until: 0.2)
        stage.drag(from: 100, 300, by: 0, -12, frames: 2)
        #expect(lines == ["touchesBegan child", "touchesMoved child", "touchesMoved child"] && !scroll.isDragging)
        stage.up(at: 1)
        scroll.canCancelContentTouches = true
        _ = lines
        stage.down(100, 300, at: 2)
        stage.wait(until: 2.2)
        stage.drag(from: 100, 300, by: 0, -12, frames: 2)
        #expect(
            lines == [
                "touchesBegan child", "touchesShouldCancel child true", "willBeginDragging", "touchesCancelled child",
            ])
        stage.up(at: 3)
        stage.wait(until: 5.9)
        // Content that has not received the touch yet is not asked.
        _ = lines
        stage.down(100, 300, at: 6)
        stage.drag(from: 100, 300, by: 0, -4, frames: 6)
        stage.up(at: 7)
        #expect(lines == ["willBeginDragging", "willEndDragging", "didEndDragging false"])
    }

    @Test("B12.7: of two that scroll the same way the inner one scrolls, and the outer where the inner cannot")
    func nested() {
        let inner = UIScrollView(frame: CGRect(x: 0, y: 0, width: 375, height: 300))
        inner.contentSize = CGSize(width: 2000, height: 300)
        stage.add(inner, to: scroll)
        stage.down(100, 200, at: 0)
        stage.drag(from: 100, 200, by: -4, 0, frames: 12)
        #expect(inner.contentOffset.x == 38 && scroll.contentOffset == .zero && !scroll.isDragging)
        stage.up(at: 1)
        stage.down(100, 200, at: 2)
        stage.drag(from: 100, 200, by: 0, -4, frames: 12)
        #expect(inner.contentOffset.x == 38 && scroll.contentOffset.y == 38 && !inner.isDragging)
        stage.up(at: 3)
        inner.contentSize.height = 1000
        stage.down(100, 200, at: 4)
        stage.drag(from: 100, 200, by: 0, -4, frames: 12)
        #expect(inner.contentOffset.y == 38 && scroll.contentOffset.y == 38)
        stage.up(at: 5)
    }

    @Test("S92: a timer of the default mode waits while content is dragged, one of the common modes does not")
    func modes() {
        var (inDefault, inCommon) = (0, 0)
        _ = stage.loop.schedule(at: .init(seconds: 0.1), every: .init(seconds: 0.1), modes: [.default]) {
            inDefault += 1
        }
        _ = stage.loop.schedule(at: .init(seconds: 0.1), every: .init(seconds: 0.1), modes: [.common]) {
            inCommon += 1
        }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -4, frames: 4)
        stage.drag(from: 100, 484, by: 0, -4, frames: 60)
        #expect(inDefault == 0 && inCommon == 10)
        stage.up(at: stage.now + 0.5)
        stage.wait(1)
        #expect(inDefault > 0)
    }

    @Test("an interruption ends a drag where it is, and a pull beyond the edge comes back")
    func interrupted() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.run { stage.stage.app.touchTracker.cancelAll() }
        #expect(lines == ["willBeginDragging", "willEndDragging", "didEndDragging false"])
        #expect(scroll.contentOffset.y == 38 && stage.loop.modes == [.default] && !scroll.isTracking)
        scroll.contentOffset.y = 0
        stage.down(100, 100, at: 2)
        stage.drag(from: 100, 100, by: 0, 12, frames: 4)
        stage.run { stage.stage.app.touchTracker.cancelAll() }
        stage.wait(2)
        #expect(scroll.contentOffset.y == 0 && stage.loop.modes == [.default] && stage.loop.timerCount == 0)
    }

    @Test("turning scrolling off in the middle of a drag ends it")
    func disabled() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.run { scroll.isScrollEnabled = false }
        #expect(lines.last == "didEndDragging false" && stage.loop.modes == [.default] && !scroll.isTracking)
        stage.drag(from: 100, 452, by: 0, -12, frames: 4)
        #expect(scroll.contentOffset.y == 38)
        stage.up(at: 2)
    }

    @Test("a scroll view that leaves its window leaves nothing behind", arguments: ["dragging", "gliding", "held"])
    func removed(phase: String) {
        stage.run { stage.stage.view("child", 0, 0, 375, 3000, in: scroll) }
        stage.down(100, 500, at: 0)
        if phase != "held" { stage.drag(from: 100, 500, by: 0, -12, frames: 4) }
        if phase == "gliding" { stage.up(at: stage.now + 1.0 / 60) }
        stage.run { scroll.removeFromSuperview() }
        #expect(stage.loop.modes == [.default] && stage.loop.timerCount == 0)
        #expect(!scroll.isDragging && !scroll.isDecelerating && !scroll.isTracking)
        if phase != "gliding" { stage.up(at: 1) }
        stage.wait(2)
        #expect(stage.loop.modes == [.default] && stage.loop.timerCount == 0)
        #expect(stage.stage.app.touchTracker.liveTouches.isEmpty)
        // It works as ever when it comes back.
        stage.add(scroll)
        _ = lines
        stage.down(100, 500, at: 10)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        #expect(scroll.isDragging && lines == ["willBeginDragging"])
        stage.up(at: 11)
    }

    @Test("a scroll view that goes for good takes its timer and its mode with it")
    func gone() {
        let stage = ScrollStage()
        weak var seen: UIScrollView?
        do {
            let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
            view.contentSize.height = 2000
            stage.add(view)
            seen = view
            stage.down(100, 200, at: 0)
            stage.drag(from: 100, 200, by: 0, -12, frames: 4)
            stage.up(at: stage.now + 1.0 / 60)
            #expect(stage.loop.timerCount == 1 && stage.loop.modes == [.default, .tracking])
            stage.stage.run(at: stage.now) { view.removeFromSuperview() }
        }
        stage.settle()
        #expect(seen == nil && stage.loop.timerCount == 0 && stage.loop.modes == [.default])
    }

    @Test("code that moves gliding content moves what is still to come; code that puts it somewhere stops it")
    func moved() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(0.1)
        let end = witness.expected.y
        stage.run { scroll.contentOffset.y += 1000 }
        stage.wait(10)
        #expect(scroll.contentOffset.y == end + 1000)
        stage.down(100, 500, at: 20)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(0.1)
        _ = lines
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 5), animated: false) }
        #expect(lines == ["didEndDecelerating"])
        stage.wait(2)
        #expect(scroll.contentOffset.y == 5 && stage.loop.modes == [.default])
    }

    @Test("two fingers zoom the view the delegate names, about the point between them, and its limits bounce")
    func pinch() {
        let photo = stage.run { stage.stage.view("photo", 0, 0, 375, 600, in: scroll) }
        photo.logsTouches = false
        scroll.contentSize = photo.frame.size
        witness.zooms = photo
        scroll.maximumZoomScale = 2
        #expect(scroll.pinchGestureRecognizer?.view === scroll)
        stage.frame(.down(1, 100, 300), .down(2, 200, 300), at: 0)
        for step in 1...5 {
            let spread = Double(step) * 10
            stage.frame(.move(1, 100 - spread, 300), .move(2, 200 + spread, 300), at: stage.now + 1.0 / 60)
        }
        #expect(scroll.isZooming && scroll.zoomScale > 1.3 && scroll.zoomScale < 2)
        #expect(scroll.contentSize == photo.frame.size && photo.frame.origin == .zero)
        #expect(photo.frame.width == 375 * scroll.zoomScale)
        for step in 6...20 {
            let spread = Double(step) * 10
            stage.frame(.move(1, 100 - spread, 300), .move(2, 200 + spread, 300), at: stage.now + 1.0 / 60)
        }
        #expect(scroll.zoomScale > 2)
        stage.frame(.up(1), .up(2), at: stage.now + 0.3)
        #expect(scroll.isZoomBouncing && !scroll.isZooming)
        stage.wait(1)
        #expect(scroll.zoomScale == 2 && !scroll.isZoomBouncing && scroll.contentSize.width == 750)
        let told = lines
        #expect(told.first { $0.contains("Zooming") } == "willBeginZooming" && told.contains("didEndZooming 2.0"))
        #expect(stage.loop.timerCount == 0 && stage.loop.modes == [.default])
        // What shows is content.
        #expect(scroll.contentOffset.x >= 0 && scroll.contentOffset.x <= 375)
    }

    @Test("without a view to zoom, or a range, two fingers do not zoom")
    func noZoom() {
        scroll.maximumZoomScale = 2
        stage.frame(.down(1, 100, 300), .down(2, 200, 300), at: 0)
        stage.frame(.move(1, 50, 300), .move(2, 250, 300), at: 0.1)
        #expect(!scroll.isZooming && scroll.zoomScale == 1)
        stage.frame(.up(1), .up(2), at: 1)
        scroll.zoomScale = 1.5
        #expect(scroll.zoomScale == 1)
    }

    @Test("code zooms about the middle, within the limits, at once or in a while")
    func zoomByCode() {
        let photo = stage.run { stage.stage.view("photo", 0, 0, 375, 600, in: scroll) }
        scroll.contentSize = photo.frame.size
        witness.zooms = photo
        scroll.maximumZoomScale = 4
        stage.run { scroll.zoomScale = 2 }
        #expect(scroll.contentOffset == CGPoint(x: 187.5, y: 300) && scroll.contentSize.height == 1200)
        stage.run { scroll.setZoomScale(9, animated: true) }
        stage.wait(1)
        #expect(scroll.zoomScale == 4 && lines == ["willBeginZooming", "didEndZooming 4.0"])
        stage.run { scroll.zoom(to: CGRect(x: 0, y: 0, width: 375, height: 600), animated: false) }
        #expect(scroll.zoomScale == 1 && scroll.contentOffset == .zero && photo.transform.isIdentity)
    }

    @Test("a finger too many is nothing to a scroll view's pan, even before the drag")
    func fingerTooMany() {
        scroll.panGestureRecognizer.maximumNumberOfTouches = 1
        stage.down(100, 300, at: 0)
        stage.frame(.down(2, 200, 300), at: 0.02)
        stage.drag(from: 100, 300, by: 0, -12, frames: 4)
        #expect(scroll.isDragging && scroll.contentOffset.y == 38)
        stage.frame(.up(1), .up(2), at: 1)
    }

    @Test("a second finger that joins a drag is nothing to the content")
    func secondFinger() {
        stage.run { stage.stage.view("child", 0, 0, 375, 3000, in: scroll) }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -4, frames: 12)
        _ = lines
        stage.frame(.down(2, 200, 200), at: stage.now + 0.01)
        stage.wait(0.5)
        stage.frame(.up(1), .up(2), at: stage.now)
        #expect(lines == ["willEndDragging", "didEndDragging false"])
    }

    @Test("content that becomes shorter does not show what is no more, unless code wants it so")
    func shorter() {
        scroll.contentOffset.y = 2400
        scroll.contentSize.height = 1000
        #expect(scroll.contentOffset.y == 400)
        scroll.contentOffset.y = 900
        scroll.contentSize.height = 990
        #expect(scroll.contentOffset.y == 900)
    }

    /// A flick of the content up the screen, or down it, let go of at once.
    private func flick(at seconds: Double = 0, by way: Double = -12, frames: Int = 4) {
        stage.down(100, 300, at: seconds)
        stage.drag(from: 100, 300, by: 0, way, frames: frames)
        stage.up(at: stage.now + 1.0 / 60)
    }

    @Test("content that grows as it is flung goes on into what has come")
    func grows() {
        scroll.contentSize.height = 700
        witness.onScroll = { if $0.contentOffset.y > $0.contentSize.height - 650 { $0.contentSize.height += 100 } }
        flick(by: -20)
        let before = witness.expected.y
        stage.wait(10)
        #expect(before <= 200 && scroll.contentOffset.y > 450)
        #expect(lines.last == "didEndDecelerating" && stage.loop.timerCount == 0)
    }

    @Test("content that is on its way back to its end, and has grown by then, does not run away")
    func growsAsItComesBack() {
        scroll.contentSize.height = 700
        flick(by: -30)
        var last = 0.0
        while scroll.contentOffset.y >= last || scroll.contentOffset.y <= 100 {
            last = scroll.contentOffset.y
            stage.wait(1.0 / 60)
        }
        let place = scroll.contentOffset.y
        stage.run { scroll.contentSize.height = 3000 }
        stage.wait(5)
        #expect(abs(scroll.contentOffset.y - place) < 20 && !scroll.isDecelerating)
    }

    @Test("an inset that a pull brings about is where content comes back to", arguments: [false, true])
    func refresh(late: Bool) {
        let widen: (UIScrollView) -> Void = { $0.contentInset.top = 60 }
        if late { witness.onBeginDecelerating = widen } else { witness.onEndDragging = widen }
        stage.down(100, 100, at: 0)
        stage.drag(from: 100, 100, by: 0, 30, frames: 12)
        #expect(scroll.contentOffset.y < -80)
        stage.up(at: stage.now + 0.3)
        stage.wait(5)
        #expect(scroll.contentOffset.y == -60)
        stage.run { scroll.contentInset.top = 0 }
        #expect(scroll.contentOffset.y == 0)
    }

    @Test("a view that grows shows no more beyond its content's end than before")
    func viewGrows() {
        scroll.frame.size.height = 400
        scroll.contentOffset.y = 2600
        scroll.frame.size.height = 600
        #expect(scroll.contentOffset.y == 2400)
        scroll.contentOffset.y = 2500
        scroll.bounds.size.height = 700
        #expect(scroll.contentOffset.y == 2500)
    }

    @Test("an animated scroll to what is no more when it comes there ends at the end")
    func animatedBeyond() {
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 2400), animated: true) }
        stage.wait(0.1)
        stage.run { scroll.contentSize.height = 1000 }
        stage.wait(2)
        #expect(scroll.contentOffset.y == 400 && lines == ["didEndScrollingAnimation"])
    }

    @Test("content that its delegate does not let beyond the top rests at the top")
    func noTopBounce() {
        scroll.contentOffset.y = 60
        witness.onScroll = { if $0.contentOffset.y < 0 { $0.contentOffset.y = 0 } }
        flick(by: 20, frames: 3)
        stage.wait(10)
        #expect(scroll.contentOffset.y == 0 && !scroll.isDecelerating && lines.last == "didEndDecelerating")
    }

    @Test("content that code moves while it glides goes on as fast")
    func recentred() {
        scroll.contentOffset.y = 1000
        flick(by: -30)
        stage.wait(10)
        let end = scroll.contentOffset.y
        scroll.contentOffset.y = 1000
        flick(at: stage.now + 1, by: -30)
        stage.wait(0.1)
        stage.run { scroll.contentOffset.y -= 500 }
        stage.wait(10)
        #expect(scroll.contentOffset.y == end - 500)
        scroll.contentOffset.y = 1800
        flick(at: stage.now + 1, by: -30)
        #expect(witness.expected.y == 2400)
        stage.wait(0.1)
        stage.run { scroll.contentOffset.y += 300 }
        stage.wait(10)
        #expect(scroll.contentOffset.y == 2400)
    }

    @Test("content that is put elsewhere as it is let go of goes on from there", arguments: [false, true])
    func putAsItIsLetGo(late: Bool) {
        let put: (UIScrollView) -> Void = { $0.contentOffset.y += 1000 }
        if late { witness.onBeginDecelerating = put } else { witness.onEndDragging = put }
        flick()
        let end = witness.expected.y
        #expect(scroll.contentOffset.y > 1000)
        stage.wait(10)
        #expect(scroll.contentOffset.y == end + 1000)
    }

    @Test("a page that a finger stops half way is turned, or turned back, once the finger is up")
    func caughtPage() {
        scroll.isPagingEnabled = true
        scroll.contentSize = CGSize(width: 375 * 3, height: 600)
        stage.down(300, 300, at: 0)
        stage.drag(from: 300, 300, by: -12, 0, frames: 6)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(0.1)
        stage.down(300, 300, at: stage.now + 0.001)
        let place = scroll.contentOffset.x
        #expect(place > 70 && place < 370)
        stage.wait(0.5)
        #expect(scroll.contentOffset.x == place)
        stage.up(at: stage.now)
        stage.wait(5)
        #expect(scroll.contentOffset.x == (place > 187.5 ? 375 : 0) && lines.last == "didEndDecelerating")
    }

    @Test("to be scrolled slowly to where it is, content stops")
    func animatedNowhere() {
        flick()
        stage.wait(0.1)
        _ = lines
        let place = scroll.contentOffset.y
        stage.run { scroll.setContentOffset(scroll.contentOffset, animated: true) }
        #expect(lines == ["didEndDecelerating"])
        stage.wait(2)
        #expect(scroll.contentOffset.y == place && stage.loop.timerCount == 0)
    }

    @Test("a pulled scroll view that leaves its window ends its drag, is within its bounds, and that was all")
    func removedBeyond() {
        stage.down(100, 100, at: 0)
        stage.drag(from: 100, 100, by: 0, 20, frames: 10)
        stage.run { scroll.removeFromSuperview() }
        stage.up(at: 1)
        stage.wait(2)
        #expect(lines == ["willBeginDragging", "didEndDragging false"] && scroll.contentOffset.y == 0)
    }

    @Test("where there is no time content is at its end at once, unless its delegate stops it on the way")
    func noTime() {
        stage.stage.app.mainLoop = nil
        var isStopped = false
        witness.onScroll = { view in
            guard view.isDecelerating, !isStopped else { return }
            isStopped = true
            view.setContentOffset(CGPoint(x: 0, y: 7), animated: false)
        }
        flick()
        #expect(isStopped && scroll.contentOffset.y == 7 && lines.last == "didEndDecelerating")
    }

    @Test("its own recognisers have no name, and the one that holds touches back is asked about by nobody")
    func outOfSight() {
        final class Curious: NSObject, UIGestureRecognizerDelegate {
            var others: Set<ObjectIdentifier> = []
            func gestureRecognizer(
                _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
            ) -> Bool {
                others.insert(ObjectIdentifier(other))
                return false
            }
        }
        let (curious, tap) = (Curious(), UITapGestureRecognizer())
        tap.delegate = curious
        scroll.addGestureRecognizer(tap)
        stage.down(100, 300, at: 0)
        stage.up(at: 0.05)
        #expect(curious.others == [ObjectIdentifier(scroll.panGestureRecognizer)])
        #expect(scroll.gestureRecognizers?.allSatisfy { $0.name == nil } == true)
    }

    @Test("an app that takes the pan's delegate away is told so and ends")
    func stolenDelegate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIScrollView().panGestureRecognizer.delegate = nil
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("UIScrollView: its pan must have it as its delegate"))
    }

    @Test("a pan that was given to another view scrolls its scroll view still")
    func borrowedPan() {
        let other = stage.run { stage.stage.view("other", 0, 600, 375, 67) }
        other.logsTouches = false
        stage.run { other.addGestureRecognizer(scroll.panGestureRecognizer) }
        stage.down(100, 660, at: 0)
        stage.drag(from: 100, 660, by: 0, -12, frames: 4)
        #expect(scroll.contentOffset.y == 38 && scroll.isDragging)
        stage.up(at: 1)
    }

    @Test("a subclass may be a delegate of recognisers, and is asked about its own")
    func subclassDelegate() {
        final class Generous: UIScrollView, UIGestureRecognizerDelegate {
            func gestureRecognizer(
                _ gestureRecognizer: UIGestureRecognizer,
                shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
            ) -> Bool { true }
        }
        let inner = Generous(frame: CGRect(x: 0, y: 0, width: 375, height: 300))
        inner.contentSize = CGSize(width: 375, height: 1000)
        stage.add(inner, to: scroll)
        stage.down(100, 200, at: 0)
        stage.drag(from: 100, 200, by: 0, -12, frames: 4)
        #expect(inner.isDragging && scroll.isDragging)
        stage.up(at: 1)
    }
}
