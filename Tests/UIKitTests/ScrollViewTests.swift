import Basics
import Foundation
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("A scroll view's content")
struct ScrollViewTests {
    private let content = ScrollContent()
    private var stage: Stage { content.stage }
    private var witness: ScrollWitness { content.witness }
    private var scroll: LoggingScrollView { content.scroll }
    private var lines: [String] { content.stage.log.drain() }

    @Test("the defaults of UIScrollView are Apple's")
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

    @Test("each change of contentOffset calls didScroll once, and bounds changes never")
    func offset() {
        witness.logsScroll = true
        scroll.contentOffset = CGPoint(x: 0, y: 100)
        #expect(scroll.bounds.origin == CGPoint(x: 0, y: 100) && lines == ["didScroll"])
        scroll.contentOffset = CGPoint(x: 0, y: 100)
        #expect(lines == [])
        scroll.bounds.origin.y = 50
        #expect(scroll.contentOffset.y == 50 && lines == [])
        let child = stage.run { stage.view("child", 0, 60, 10, 10, in: scroll) }
        #expect(child.convert(CGPoint.zero, to: stage.window) == CGPoint(x: 0, y: 10))
    }

    @Test("scrollRectToVisible scrolls only as far as needed")
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

    @Test("an animated scroll ends exactly at its target and reports it")
    func animated() {
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 300), animated: true) }
        #expect(scroll.contentOffset.y == 0)
        stage.wait(until: 0.15)
        #expect(scroll.contentOffset.y > 50 && scroll.contentOffset.y < 250)
        stage.wait(until: 0.4)
        #expect(scroll.contentOffset.y == 300 && lines == ["didEndScrollingAnimation"])
        #expect(stage.timerCount == 0 && stage.modeChanges == [])
        // A scroll to the current offset is no animation.
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 300), animated: true) }
        stage.wait(1)
        #expect(lines == [])
    }

    @Test("content that rests at the edge follows a changed inset")
    func insets() {
        stage.run { scroll.contentInset = UIEdgeInsets(top: 40, left: 0, bottom: 10, right: 0) }
        #expect(scroll.contentOffset.y == -40 && scroll.adjustedContentInset.bottom == 10)
        scroll.scrollRectToVisible(CGRect(x: 0, y: 2990, width: 1, height: 10), animated: false)
        #expect(scroll.contentOffset.y == 2410)
        scroll.contentOffset.y = 5
        stage.run { scroll.contentInset = .zero }
        #expect(scroll.contentOffset.y == 5)
    }

    @Test("a scroll view out of its window leaves nothing behind", arguments: ["dragging", "gliding", "held"])
    func removed(phase: String) {
        stage.run { stage.view("child", 0, 0, 375, 3000, in: scroll) }
        stage.down(100, 500, at: 0)
        if phase != "held" { stage.drag(from: 100, 500, by: 0, -12, frames: 4) }
        if phase == "gliding" { stage.up(at: stage.now + 1.0 / 60) }
        stage.run { scroll.removeFromSuperview() }
        #expect(stage.mode == .default && stage.timerCount == 0)
        #expect(!scroll.isDragging && !scroll.isDecelerating && !scroll.isTracking)
        if phase != "gliding" { stage.up(at: 1) }
        stage.wait(2)
        #expect(stage.mode == .default && stage.timerCount == 0)
        #expect(stage.app.touchTracker.liveTouches.isEmpty)
        // The scroll view works again when it comes back.
        stage.add(scroll)
        _ = lines
        stage.down(100, 500, at: 10)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        #expect(scroll.isDragging && lines == ["willBeginDragging"])
        stage.up(at: 11)
    }

    @Test("a released scroll view removes its timer and its mode")
    func gone() {
        let stage = Stage()
        weak var seen: UIScrollView?
        do {
            let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
            view.contentSize.height = 2000
            stage.add(view)
            seen = view
            stage.down(100, 200, at: 0)
            stage.drag(from: 100, 200, by: 0, -12, frames: 4)
            stage.up(at: stage.now + 1.0 / 60)
            #expect(stage.timerCount == 1 && stage.mode == .tracking)
            stage.run { view.removeFromSuperview() }
        }
        #expect(seen == nil && stage.timerCount == 0 && stage.mode == .default)
    }

    @Test("content that becomes shorter moves the offset within its end")
    func shorter() {
        scroll.contentOffset.y = 2400
        scroll.contentSize.height = 1000
        #expect(scroll.contentOffset.y == 400)
        scroll.contentOffset.y = 900
        scroll.contentSize.height = 990
        #expect(scroll.contentOffset.y == 900)
    }

    @Test("a scroll view that grows shows no more beyond its content")
    func viewGrows() {
        scroll.frame.size.height = 400
        scroll.contentOffset.y = 2600
        scroll.frame.size.height = 600
        #expect(scroll.contentOffset.y == 2400)
        scroll.contentOffset.y = 2500
        scroll.bounds.size.height = 700
        #expect(scroll.contentOffset.y == 2500)
    }

    @Test("an animated scroll beyond content that shrank ends at its end")
    func animatedBeyond() {
        stage.run { scroll.setContentOffset(CGPoint(x: 0, y: 2400), animated: true) }
        stage.wait(0.1)
        stage.run { scroll.contentSize.height = 1000 }
        stage.wait(2)
        #expect(scroll.contentOffset.y == 400 && lines == ["didEndScrollingAnimation"])
    }
}
