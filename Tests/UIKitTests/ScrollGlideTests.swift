import Basics
import Foundation
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Scrolling after the finger lifts")
struct ScrollGlideTests {
    private let content = ScrollContent()
    private var stage: Stage { content.stage }
    private var witness: ScrollWitness { content.witness }
    private var scroll: LoggingScrollView { content.scroll }
    private var lines: [String] { content.stage.log.drain() }

    @Test("a finger that rests before it lifts keeps its last velocity")
    func restedRelease() {
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 0.5)
        #expect(abs(witness.velocity.y - 0.72) < 0.001 && scroll.isDecelerating)
        stage.wait(5)
        #expect(abs(scroll.contentOffset.y - (38 + 710 * 0.499)) <= 0.5)
    }

    @Test("a scroll view's delegate may choose another place to rest")
    func otherTarget() {
        witness.target = CGPoint(x: 0, y: 777)
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(10)
        #expect(scroll.contentOffset.y == 777 && lines.last == "didEndDecelerating")
    }

    @Test("content that is flung at its end bounces back")
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

    @Test("a finger that lands on gliding content only stops it")
    func caught() {
        stage.run { stage.view("child", 0, 0, 375, 3000, in: scroll) }
        stage.down(100, 500, at: 0)
        stage.drag(from: 100, 500, by: 0, -12, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(0.2)
        _ = lines
        stage.down(100, 300, at: stage.now + 0.001)
        let place = scroll.contentOffset.y
        #expect(lines == ["didEndDecelerating"] && stage.mode == .default && scroll.isTracking)
        stage.up(at: stage.now + 0.3)
        stage.wait(2)
        #expect(lines == [] && scroll.contentOffset.y == place && !scroll.isTracking)
        // The next touch reaches the content again.
        stage.down(100, 300, at: stage.now)
        stage.up(at: stage.now + 0.05)
        #expect(lines == ["touchesBegan child", "touchesEnded child"])
    }

    @Test("content caught beyond its edge returns after the finger lifts")
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
        #expect(scroll.contentOffset.y == 0 && stage.timerCount == 0 && stage.mode == .default)
    }

    @Test("a paging scroll view turns one page at a time")
    func paging() {
        scroll.isPagingEnabled = true
        scroll.contentSize = CGSize(width: 375 * 3, height: 600)
        stage.down(300, 300, at: 0)
        stage.drag(from: 300, 300, by: -12, 0, frames: 6)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(5)
        #expect(scroll.contentOffset == CGPoint(x: 375, y: 0))
        // A slow drag over less than half a page goes back.
        stage.down(300, 300, at: 10)
        stage.drag(from: 300, 300, by: -4, 0, frames: 18)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(5)
        #expect(scroll.contentOffset == CGPoint(x: 375, y: 0))
    }

    @Test("a changed offset shifts a glide, and setContentOffset stops it")
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
        #expect(scroll.contentOffset.y == 5 && stage.mode == .default)
    }

    /// Flicks the content by `way` points in each frame and lifts the finger one frame later.
    private func flick(at seconds: Double = 0, by way: Double = -12, frames: Int = 4) {
        stage.down(100, 300, at: seconds)
        stage.drag(from: 100, 300, by: 0, way, frames: frames)
        stage.up(at: stage.now + 1.0 / 60)
    }

    @Test("a glide continues into content that grows")
    func grows() {
        scroll.contentSize.height = 700
        witness.onScroll = { if $0.contentOffset.y > $0.contentSize.height - 650 { $0.contentSize.height += 100 } }
        flick(by: -20)
        let before = witness.expected.y
        stage.wait(10)
        #expect(before <= 200 && scroll.contentOffset.y > 450)
        #expect(lines.last == "didEndDecelerating" && stage.timerCount == 0)
    }

    @Test("content that grows during its bounce does not run away")
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

    @Test("content returns to an inset that a pull sets", arguments: [false, true])
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

    @Test("content that its delegate keeps at the top rests there")
    func noTopBounce() {
        scroll.contentOffset.y = 60
        witness.onScroll = { if $0.contentOffset.y < 0 { $0.contentOffset.y = 0 } }
        flick(by: 20, frames: 3)
        stage.wait(10)
        #expect(scroll.contentOffset.y == 0 && !scroll.isDecelerating && lines.last == "didEndDecelerating")
    }

    @Test("gliding content that code moves keeps its velocity")
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

    @Test("content that is moved at its release glides on from there", arguments: [false, true])
    func putAsItIsLetGo(late: Bool) {
        let put: (UIScrollView) -> Void = { $0.contentOffset.y += 1000 }
        if late { witness.onBeginDecelerating = put } else { witness.onEndDragging = put }
        flick()
        let end = witness.expected.y
        #expect(scroll.contentOffset.y > 1000)
        stage.wait(10)
        #expect(scroll.contentOffset.y == end + 1000)
    }

    @Test("a page caught halfway settles once the finger lifts")
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

    @Test("an animated scroll to the current offset stops a glide")
    func animatedNowhere() {
        flick()
        stage.wait(0.1)
        _ = lines
        let place = scroll.contentOffset.y
        stage.run { scroll.setContentOffset(scroll.contentOffset, animated: true) }
        #expect(lines == ["didEndDecelerating"])
        stage.wait(2)
        #expect(scroll.contentOffset.y == place && stage.timerCount == 0)
    }
}
