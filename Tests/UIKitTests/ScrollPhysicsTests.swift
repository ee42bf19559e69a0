import Foundation
import Testbed
import Testing
import UIKit

@Suite("How content moves by itself")
struct ScrollPhysicsTests {
    private func isNear(_ a: CGFloat, _ b: CGFloat, within tolerance: CGFloat = 1e-6) -> Bool {
        abs(a - b) <= tolerance
    }

    @Test("a glide loses two thousandths of its speed every millisecond")
    func glideSlows() {
        let glide = Glide(from: 100, velocity: 1000, rate: 0.998)
        #expect(isNear(glide.velocity(after: 0), 1000))
        #expect(isNear(glide.velocity(after: 0.001), 998))
        #expect(isNear(glide.velocity(after: 0.002), 998 * 0.998))
        // The speed is what the place changes by.
        let (a, b) = (glide.position(after: 0.5), glide.position(after: 0.500_001))
        #expect(isNear((b - a) / 0.000_001, glide.velocity(after: 0.5), within: 0.01))
    }

    @Test("a glide of 1000 points per second goes half a thousand points, and says when it passes a place")
    func glideReaches() throws {
        let glide = Glide(from: 100, velocity: 1000, rate: 0.998)
        #expect(isNear(glide.to, 100 + 499.4998, within: 0.001))
        let time = try #require(glide.time(reaching: 400))
        #expect(isNear(glide.position(after: time), 400))
        #expect(glide.time(reaching: 50) == nil && glide.time(reaching: 700) == nil)
        #expect(isNear(abs(glide.position(after: glide.duration(within: 0.5)) - glide.to), 0.5))
        #expect(Glide(from: 0, velocity: 0, rate: 0.998).duration(within: 0.5) == 0)
    }

    @Test("a rate that would never end, or end at once, is brought within reason", arguments: [-1, 0, 1, 2])
    func absurdRates(rate: Double) {
        let glide = Glide(from: 0, velocity: 500, rate: CGFloat(rate))
        #expect(glide.to.isFinite && glide.to > 0 && glide.duration(within: 0.5).isFinite)
    }

    @Test("a spring comes back without swinging through, and is as near as it says when it says")
    func spring() {
        let spring = Spring(from: 60, to: 0, velocity: 0)
        var last: CGFloat = 60
        for step in 1...200 {
            let place = spring.position(after: Double(step) / 100)
            #expect(place >= 0 && place <= last)
            last = place
        }
        let end = spring.duration(within: 0.25)
        for step in 0...100 { #expect(abs(spring.position(after: end + Double(step) / 100)) <= 0.25) }
        let (a, b) = (spring.position(after: 0.1), spring.position(after: 0.100_001))
        #expect(isNear((b - a) / 0.000_001, spring.velocity(after: 0.1), within: 0.01))
    }

    @Test("a spring that is hit goes further first")
    func pushedSpring() {
        let spring = Spring(from: 0, to: 0, velocity: 2000)
        #expect(spring.position(after: 0.05) > 50)
        #expect(abs(spring.position(after: spring.duration(within: 0.25))) <= 0.25)
    }

    @Test("a rubber band gives 0.55 of the first point, ever less of more, and never the view's length")
    func rubberBand() {
        #expect(isNear(RubberBand.stretch(0.001, length: 500) / 0.001, 0.55, within: 0.001))
        #expect(RubberBand.stretch(100, length: 500) < 55)
        #expect(RubberBand.stretch(1e9, length: 500) < 500)
        #expect(RubberBand.stretch(10, length: 0) == 0)
        for pull in [1, 10, 100, 1000] as [CGFloat] {
            let stretch = RubberBand.stretch(pull, length: 500)
            #expect(isNear(RubberBand.pull(stretching: stretch, length: 500), pull, within: 0.001))
        }
        #expect(RubberBand.shown(50, in: 0...100, length: 500) == 50)
        #expect(RubberBand.shown(-20, in: 0...100, length: 500) == -RubberBand.stretch(20, length: 500))
        #expect(RubberBand.shown(120, in: 0...100, length: 500) == 100 + RubberBand.stretch(20, length: 500))
    }

    @Test("content within its bounds glides, and stops at a wall")
    func wall() {
        let motion = AxisMotion(
            from: 0, velocity: 1000, in: 0...300, rate: 0.998, bounces: false, resolution: 0.25)
        #expect(motion.end == 300 && motion.position(after: motion.duration) == 300)
        for step in 0...200 { #expect(motion.position(after: Double(step) / 100) <= 300) }
    }

    @Test("with a spring at the edge it goes beyond, and comes back to it")
    func bounce() {
        let motion = AxisMotion(from: 0, velocity: 2000, in: 0...300, rate: 0.998, bounces: true, resolution: 0.25)
        let places = (0...400).map { motion.position(after: Double($0) / 100) }
        #expect(places.max()! > 310 && motion.end == 300 && places.last! == 300)
        // It passes the edge without a jump.
        for (a, b) in zip(places, places.dropFirst()) { #expect(abs(a - b) < 25) }
    }

    @Test("from beyond an edge it comes back to it, however slowly it was let go of")
    func comesBack() {
        for velocity in [-500, 0, 20] as [CGFloat] {
            let motion = AxisMotion(
                from: -40, velocity: velocity, in: 0...300, rate: 0.998, bounces: true, resolution: 0.25)
            #expect(motion.end == 0)
        }
    }

    @Test("a hard flick from beyond an edge goes on into the content")
    func flickInward() {
        let motion = AxisMotion(from: -40, velocity: 400, in: 0...300, rate: 0.998, bounces: true, resolution: 0.25)
        #expect(isNear(motion.end, -40 + 400 * 0.4995, within: 0.1))
        let through = AxisMotion(from: -40, velocity: 4000, in: 0...300, rate: 0.998, bounces: true, resolution: 0.25)
        #expect(through.end == 300)
    }

    @Test("asked at other moments, it says the same")
    func closedForm() {
        let motion = AxisMotion(from: 0, velocity: 1500, in: 0...300, rate: 0.998, bounces: true, resolution: 0.25)
        let once = motion.position(after: 0.4)
        for step in 0...40 { _ = motion.position(after: Double(step) / 100) }
        #expect(motion.position(after: 0.4) == once)
    }

    @Test("a page is turned by a flick, and by nothing less than half its way")
    func paging() {
        func page(_ offset: CGFloat, _ velocity: CGFloat) -> CGFloat {
            Paging.target(from: offset, velocity: velocity, page: 300, in: 0...700)
        }
        #expect(page(310, 0) == 300 && page(460, 0) == 600 && page(440, 0) == 300)
        #expect(page(310, 201) == 600 && page(590, -201) == 300 && page(310, 199) == 300)
        // The last page may be cut short.
        #expect(page(660, 500) == 700 && page(20, -500) == 0)
        #expect(Paging.target(from: -30, velocity: 0, page: 300, in: -50...700) == -50)
        #expect(Paging.target(from: 12, velocity: 0, page: 0, in: 0...700) == 12)
    }

    @Test("a scale beyond its limits follows by the root, and is asked for by the square")
    func zoomRange() {
        let zoom = ZoomRange(minimum: 1, maximum: 4)
        #expect(zoom.shown(2) == 2 && zoom.shown(16) == 8 && zoom.shown(0.25) == 0.5)
        for scale in [0.3, 1, 3, 9] as [CGFloat] { #expect(isNear(zoom.asked(zoom.shown(scale)), scale)) }
        let stiff = ZoomRange(minimum: 1, maximum: 4, bounces: false)
        #expect(stiff.shown(16) == 4 && stiff.shown(0.25) == 1)
        #expect(zoom.canZoom && !ZoomRange().canZoom)
    }

    @Test("content follows the finger within its bounds, the rubber band beyond them, and not at all across")
    func drag() {
        let across = ScrollAxis(range: 0...0, length: 300, bounces: false)
        let along = ScrollAxis(range: 0...1000, length: 500, bounces: true)
        let drag = ScrollDrag(from: .zero, x: across, y: along, way: CGPoint(x: 0, y: -12), locks: false)
        func place(_ x: CGFloat, _ y: CGFloat) -> CGPoint {
            drag.offset(after: CGPoint(x: x, y: y), from: .zero, x: across, y: along)
        }
        #expect(place(-30, -50) == CGPoint(x: 0, y: 50))
        #expect(place(0, 50).y == -RubberBand.stretch(50, length: 500))
        // Taken hold of beyond the bounds, it does not jump.
        let beyond = ScrollDrag(
            from: CGPoint(x: 0, y: -20), x: across, y: along, way: CGPoint(x: 0, y: 12), locks: false)
        #expect(isNear(beyond.offset(after: .zero, from: .zero, x: across, y: along).y, -20))
    }

    @Test("a locked drag stays on the axis it began along, unless it began between the two")
    func lock() {
        let axis = ScrollAxis(range: 0...1000, length: 500, bounces: true)
        func follows(_ x: CGFloat, _ y: CGFloat, _ locks: Bool) -> [Bool] {
            let drag = ScrollDrag(from: .zero, x: axis, y: axis, way: CGPoint(x: x, y: y), locks: locks)
            return [drag.followsX, drag.followsY]
        }
        #expect(follows(12, 3, true) == [true, false])
        #expect(follows(-3, -12, true) == [false, true])
        #expect(follows(10, 9, true) == [true, true])
        #expect(follows(0, 0, true) == [true, true])
        #expect(follows(12, 3, false) == [true, true])
    }

    @Test("what moves a scroll view is one table")
    func activity() {
        expectMachineTable(
            "ScrollActivity", states: ScrollActivity.State.allCases, inputs: ScrollActivity.Input.allCases
        ) { state, input in
            ScrollActivity.transition(from: state, on: input).map { next, decisions in
                (next, decisions.isEmpty ? "nothing" : decisions.map(\.words).joined(separator: ", then "))
            }
        }
    }
}

extension ScrollActivity.Decision {
    fileprivate var words: String {
        switch self {
        case .beginDrag: "begin the drag"
        case .endDrag(let decelerates): decelerates ? "end the drag, decelerating" : "end the drag"
        case .beginDeceleration: "begin deceleration"
        case .endDeceleration: "end deceleration"
        case .beginAnimation: "begin the animation"
        case .endAnimation: "end the animation"
        case .jump: "jump"
        }
    }
}
