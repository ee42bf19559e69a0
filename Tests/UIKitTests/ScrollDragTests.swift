import Basics
import Foundation
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Drags of a scroll view")
struct ScrollDragTests {
    private let content = ScrollContent()
    private var stage: Stage { content.stage }
    private var witness: ScrollWitness { content.witness }
    private var scroll: LoggingScrollView { content.scroll }
    private var lines: [String] { content.stage.log.drain() }

    @Test("a drag begins after 10 pt and then follows the finger")
    func oneToOne() {
        stage.down(100, 500, at: 0)
        #expect(scroll.isTracking && !scroll.isDragging)
        stage.move(100, 488, at: 1.0 / 60)
        #expect(scroll.contentOffset.y == 2 && scroll.isDragging)
        stage.move(100, 450, at: 2.0 / 60)
        #expect(scroll.contentOffset.y == 40)
        #expect(lines == ["willBeginDragging"])
    }

    @Test("B12.6: delegate calls come in order, and tracking mode lasts until rest")
    func order() {
        witness.logsScroll = true
        stage.down(100, 500, at: 0)
        #expect(stage.modeChanges == [])
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        #expect(stage.mode == .tracking)
        #expect(lines == ["willBeginDragging"] + Array(repeating: "didScroll", count: 4))
        let dragged = scroll.contentOffset.y
        stage.move(100, 440, at: stage.now + 1.0 / 60)
        stage.up(at: stage.now)
        #expect(lines == ["didScroll", "willEndDragging", "didEndDragging true", "willBeginDecelerating"])
        #expect(scroll.isDecelerating && !scroll.isDragging && !scroll.isTracking)
        #expect(abs(witness.velocity.y - 0.72) < 0.001 && witness.velocity.x == 0)
        let expected = witness.expected.y
        #expect(expected > dragged + 300 && stage.mode == .tracking)
        stage.wait(10)
        let rest = lines
        #expect(rest.dropLast().allSatisfy { $0 == "didScroll" } && rest.last == "didEndDecelerating")
        #expect(scroll.contentOffset.y == expected && !scroll.isDecelerating)
        #expect(stage.modeChanges == ["tracking", "default"] && stage.timerCount == 0)
    }

    @Test("content stays where a slow drag ends")
    func still() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -4, frames: 12)
        stage.up(at: stage.now + 1.0 / 60)
        #expect(witness.velocity == .zero && witness.expected.y == 38)
        #expect(lines == ["willBeginDragging", "willEndDragging", "didEndDragging false"])
        #expect(scroll.contentOffset.y == 38 && stage.modeChanges == ["tracking", "default"])
    }

    @Test("content pulled beyond its edge resists and returns on release")
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

    @Test("a drag along an axis that cannot scroll does not begin")
    func otherAxis() {
        stage.down(100, 300, at: 0)
        stage.drag(from: 100, 300, by: -12, 3, frames: 4)
        #expect(!scroll.isDragging && lines == [])
        #expect(
            stage.facts(.gesture).contains {
                $0.contains("nothing to scroll sideways, 375.0 pt of content, room for 375.0 pt")
            })
        stage.up(at: 1)
        scroll.alwaysBounceHorizontal = true
        stage.down(100, 300, at: 2)
        stage.drag(from: 100, 300, by: -12, 0, frames: 4)
        #expect(scroll.isDragging && scroll.contentOffset.x > 0)
        stage.up(at: 3)
    }

    @Test("B12.7: the inner of two nested scroll views scrolls where it can")
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

    @Test("S92: default-mode timers wait during a drag, and common-mode timers fire")
    func modes() {
        var (inDefault, inCommon) = (0, 0)
        stage.run {
            UIKit.RunLoop.main.add(
                UIKit.Timer(timeInterval: 0.1, repeats: true) { _ in inDefault += 1 }, forMode: .default)
            UIKit.RunLoop.main.add(
                UIKit.Timer(timeInterval: 0.1, repeats: true) { _ in inCommon += 1 }, forMode: .common)
        }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -4, frames: 4)
        stage.drag(from: 100, 484, by: 0, -4, frames: 60)
        #expect(inDefault == 0 && inCommon == 10)
        stage.up(at: stage.now + 0.5)
        stage.wait(1)
        #expect(inDefault > 0)
    }

    @Test("an interruption ends a drag in place, and a pull returns")
    func interrupted() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.phone.receiveCall()
        #expect(lines == ["willBeginDragging", "willEndDragging", "didEndDragging false"])
        #expect(scroll.contentOffset.y == 38 && stage.mode == .default && !scroll.isTracking)
        scroll.contentOffset.y = 0
        stage.up(at: 1)
        stage.phone.endCall()
        stage.down(100, 100, at: 2)
        stage.drag(from: 100, 100, by: 0, 12, frames: 4)
        stage.phone.receiveCall()
        stage.wait(2)
        #expect(scroll.contentOffset.y == 0 && stage.mode == .default && stage.timerCount == 0)
    }

    @Test("disabling scrolling during a drag ends the drag")
    func disabled() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.run { scroll.isScrollEnabled = false }
        #expect(lines.last == "didEndDragging false" && stage.mode == .default && !scroll.isTracking)
        stage.drag(from: 100, 452, by: 0, -12, frames: 4)
        #expect(scroll.contentOffset.y == 38)
        stage.up(at: 2)
    }

    @Test("an extra finger does not fail a scroll view's pan")
    func fingerTooMany() {
        scroll.panGestureRecognizer.maximumNumberOfTouches = 1
        stage.down(100, 300, at: 0)
        stage.frame(.down(2, 200, 300), at: 0.02)
        stage.drag(from: 100, 300, by: 0, -12, frames: 4)
        #expect(scroll.isDragging && scroll.contentOffset.y == 38)
        stage.frame(.up(1), .up(2), at: 1)
    }

    @Test("a second finger during a drag does not reach the content")
    func secondFinger() {
        stage.run { stage.view("child", 0, 0, 375, 3000, in: scroll) }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -4, frames: 12)
        _ = lines
        stage.frame(.down(2, 200, 200), at: stage.now + 0.01)
        stage.wait(0.5)
        stage.frame(.up(1), .up(2), at: stage.now)
        #expect(lines == ["willEndDragging", "didEndDragging false"])
    }

    @Test("removing a pulled scroll view ends its drag within its bounds")
    func removedBeyond() {
        stage.down(100, 100, at: 0)
        stage.drag(from: 100, 100, by: 0, 20, frames: 10)
        stage.run { scroll.removeFromSuperview() }
        stage.up(at: 1)
        stage.wait(2)
        #expect(lines == ["willBeginDragging", "didEndDragging false"] && scroll.contentOffset.y == 0)
    }
}
