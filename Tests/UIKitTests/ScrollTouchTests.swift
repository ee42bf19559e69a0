import Basics
import Foundation
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Touches in a scroll view")
struct ScrollTouchTests {
    private let content = ScrollContent()
    private var stage: Stage { content.stage }
    private var scroll: LoggingScrollView { content.scroll }
    private var lines: [String] { content.stage.log.drain() }

    @Test("E2.8: a touch on the scroll view itself waits like content touches")
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

    @Test("a scroll view passes touches on only if scrolling is disabled")
    func chain() {
        let back = stage.run { stage.view("back", 0, 0, 375, 667) }
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

    @Test("S28: a held button keeps its touch and the scroll does not begin")
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

    @Test("a drag cancels content touches only if canCancelContentTouches allows")
    func cancelling() {
        stage.run { stage.view("child", 0, 0, 375, 3000, in: scroll) }
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
}
