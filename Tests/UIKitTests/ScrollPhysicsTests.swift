import Foundation
import Gestures
import Testbed
import Testing
import UIKit

@Suite("Scroll physics")
struct ScrollPhysicsTests {
    private let laws = ScrollLaws()

    private func isNear(_ a: CGFloat, _ b: CGFloat, within tolerance: CGFloat = 1e-6) -> Bool {
        abs(a - b) <= tolerance
    }

    private func glide(_ from: CGFloat, _ velocity: CGFloat, rate: CGFloat = 0.998) -> Glide {
        Glide(from: from, velocity: velocity, rate: rate, slowest: 10)
    }

    /// The motion of content that is released with a range of 0 to 300.
    private func motion(_ from: CGFloat, _ velocity: CGFloat, bounces: Bool = true) -> AxisMotion {
        AxisMotion(from: from, velocity: velocity, in: 0...300, rate: 0.998, bounces: bounces, laws)
    }

    @Test("a glide loses two thousandths of its speed every millisecond")
    func glideSlows() {
        let glide = glide(100, 1000)
        let speeds = (0...2).map { glide.velocity(after: Double($0) / 1000) }
        #expect(isNear(speeds[1] / speeds[0], 0.998) && isNear(speeds[2] / speeds[1], 0.998))
        #expect(isNear(speeds[0], 999, within: 0.1))
        let (a, b) = (glide.position(after: 0.5), glide.position(after: 0.500_001))
        #expect(isNear((b - a) / 0.000_001, glide.velocity(after: 0.5), within: 0.01))
    }

    // Figures of B12.10.
    @Test("a glide stops dead at 10 points per second", arguments: [3000, -3000, 625] as [CGFloat])
    func glideStops(velocity: CGFloat) {
        let glide = glide(5326, velocity)
        let sign: CGFloat = velocity < 0 ? -1 : 1
        #expect(isNear(glide.end, 5326 + (velocity - 10 * sign) * 0.499))
        #expect(isNear(glide.proposedEnd, 5326 + (velocity - 10 * sign) * 0.4995, within: 0.01))
        #expect(isNear(glide.duration, log(10 / abs(velocity)) / log(0.998) / 1000))
        #expect(isNear(glide.velocity(after: glide.duration - 1e-9), 9.99 * sign, within: 0.001))
        #expect(glide.velocity(after: glide.duration) == 0)
        #expect(isNear(glide.position(after: glide.duration - 1e-9), glide.end, within: 1e-6))
        #expect(glide.position(after: glide.duration + 1) == glide.end)
    }

    @Test("a glide reaches its target and gives the time of a position")
    func glideToTarget() throws {
        for target in [400, 101, 100, 99.5, -700] as [CGFloat] {
            let glide = Glide(from: 100, to: target, rate: 0.99, slowest: 10)
            #expect(isNear(glide.end, target))
        }
        let glide = glide(100, 1000)
        let time = try #require(glide.time(reaching: 400))
        #expect(isNear(glide.position(after: time), 400))
        #expect(glide.time(reaching: 50) == nil && glide.time(reaching: 595) == nil)
    }

    @Test("a speed of 10 points per second or less does not glide", arguments: [0, 10, -10] as [CGFloat])
    func tooSlowToGlide(velocity: CGFloat) {
        let glide = glide(40, velocity)
        #expect(glide.end == 40 && glide.proposedEnd == 40 && glide.duration == 0 && glide.position(after: 1) == 40)
    }

    @Test("a glide that is interrupted ends where the whole would have ended")
    func glideRemainder() {
        let whole = glide(0, 2000)
        let rest = whole.remainder(after: 0.7, from: whole.position(after: 0.7))
        #expect(isNear(rest.end, whole.end) && isNear(rest.duration, whole.duration - 0.7))
        #expect(isNear(rest.position(after: 0.3), whole.position(after: 1)))
    }

    @Test("an unusable deceleration rate is brought within bounds", arguments: [-1, 0, 1, 2] as [CGFloat])
    func absurdRates(rate: CGFloat) {
        let glide = glide(0, 500, rate: rate)
        #expect(glide.end.isFinite && glide.end > 0 && glide.duration.isFinite)
    }

    // x(t) = x₀ e^(−10t) + v (e^(−10t) − e^(−12t)) / 2, over when |x| < 0.5: B12.12, written out.
    @Test(
        "a spring follows the observed form and ends at half a point",
        arguments: [(-235, -625), (60, 0), (0, 2000), (-40, 300), (3, -4000), (0.4, 0), (0, 5)] as [(CGFloat, CGFloat)])
    func spring(distance: CGFloat, push: CGFloat) {
        let spring = Spring(from: 100 + distance, to: 100, push: push, laws)
        func observed(_ time: CGFloat) -> CGFloat {
            distance * exp(-10 * time) + push * (exp(-10 * time) - exp(-12 * time)) / 2
        }
        var lastOutside: CGFloat = 0
        for step in 0...20_000 {
            let time = CGFloat(step) / 10_000
            #expect(isNear(spring.position(after: time), 100 + observed(time), within: 1e-9))
            if abs(observed(time)) >= 0.5 { lastOutside = time }
        }
        #expect(isNear(spring.duration, lastOutside, within: 0.000_2))
        #expect(isNear(spring.velocity(after: 0), push - 10 * distance, within: 1e-6))
        let (a, b) = (spring.position(after: 0.1), spring.position(after: 0.100_001))
        #expect(isNear((b - a) / 0.000_001, spring.velocity(after: 0.1), within: 0.01))
    }

    @Test("a spring starts with the velocity that it is given")
    func springVelocity() {
        let spring = Spring(from: 20, to: 0, velocity: 700, laws)
        #expect(isNear(spring.velocity(after: 0), 700))
    }

    @Test("stiffness and damping give the spring's two roots")
    func springRoots() {
        #expect(laws.slowRoot == 10 && laws.fastRoot == 12)
        // A spring that would swing is damped until it does not.
        var settings = GestureSettings()
        settings.scroll.springDamping = 0
        let stiff = ScrollLaws(settings)
        #expect(isNear(stiff.slowRoot, 120.squareRoot(), within: 0.01) && stiff.slowRoot < stiff.fastRoot)
        let spring = Spring(from: 60, to: 0, push: 0, stiff)
        for step in 0...100 { #expect(spring.position(after: Double(step) / 100) >= 0) }
    }

    @Test("a rubber band gives less the further it is pulled")
    func rubberBand() {
        let band = RubberBand(give: 0.55, length: 500)
        #expect(isNear(band.stretch(0.001) / 0.001, 0.55, within: 0.001))
        #expect(band.stretch(100) < 55)
        #expect(band.stretch(1e9) < 500)
        #expect(RubberBand(give: 0.55, length: 0).stretch(10) == 0)
        for pull in [1, 10, 100, 1000] as [CGFloat] {
            #expect(isNear(band.pull(stretching: band.stretch(pull)), pull, within: 0.001))
        }
        #expect(band.shown(50, in: 0...100) == 50)
        #expect(band.shown(-20, in: 0...100) == -band.stretch(20))
        #expect(band.shown(120, in: 0...100) == 100 + band.stretch(20))
    }

    @Test("a release slower than 250 points per second does not glide")
    func slowRelease() {
        #expect(motion(100, 249).duration == 0 && motion(100, 249).end == 100)
        #expect(motion(100, -249).proposedEnd == 100)
        #expect(isNear(motion(100, 250).end, 100 + 240 * 0.499))
    }

    @Test("a glide stops at the edge of content that does not bounce")
    func wall() {
        let motion = motion(0, 1000, bounces: false)
        #expect(motion.end == 300 && motion.position(after: motion.duration) == 300)
        for step in 0...200 { #expect(motion.position(after: Double(step) / 100) <= 300) }
    }

    @Test("a glide that meets an edge goes beyond it and comes back")
    func bounce() throws {
        let motion = motion(0, 2000)
        let places = (0...400).map { motion.position(after: Double($0) / 100) }
        #expect(places.max()! > 310 && motion.end == 300 && motion.proposedEnd == 300 && places.last! == 300)
        // The velocity does not jump at the edge.
        let crossing = try #require(glide(0, 2000).time(reaching: 300))
        #expect(isNear(motion.velocity(after: crossing - 1e-6), motion.velocity(after: crossing), within: 0.1))
    }

    @Test("content released beyond an edge comes back with the finger's push", arguments: [-625, 0, 20] as [CGFloat])
    func comesBack(velocity: CGFloat) {
        let motion = motion(-40, velocity)
        #expect(motion.end == 0 && motion.proposedEnd == 0)
        #expect(isNear(motion.velocity(after: 0), velocity + 400))
    }

    @Test("a fast release inwards from beyond an edge glides on")
    func flickInward() {
        let motion = motion(-40, 400)
        #expect(isNear(motion.end, -40 + 390 * 0.499))
        #expect(self.motion(-40, 4000).end == 300)
    }

    @Test("a motion's position at a moment does not depend on earlier reads")
    func closedForm() {
        let motion = motion(0, 1500)
        let once = motion.position(after: 0.4)
        for step in 0...40 { _ = motion.position(after: Double(step) / 100) }
        #expect(motion.position(after: 0.4) == once)
    }

    @Test("a motion that is moved along keeps its velocity")
    func remainder() {
        // The content glides, springs at an edge, or is brought back by a spring.
        for (from, velocity, time) in [(0, 800, 0.1), (250, 2000, 0.2), (-40, 0, 0.05)] as [(CGFloat, CGFloat, Double)]
        {
            let whole = motion(from, velocity)
            let rest = whole.remainder(after: time, movedBy: 0, in: 0...300, bounces: true)
            for step in 0...10 {
                let later = Double(step) / 10
                #expect(isNear(rest.position(after: later), whole.position(after: time + later), within: 0.001))
            }
        }
        // Content on its way back that lies within the wider range rests there.
        let back = motion(-40, 0).remainder(after: 0.05, movedBy: 0, in: -100...300, bounces: true)
        #expect(back.duration == 0 && isNear(back.end, motion(-40, 0).position(after: 0.05)))
    }

    @Test("a page turns on a gliding release or past its middle")
    func paging() {
        func page(_ offset: CGFloat, _ velocity: CGFloat) -> CGFloat {
            Paging.target(from: offset, velocity: velocity, page: 300, in: 0...700)
        }
        #expect(page(310, 0) == 300 && page(460, 0) == 600 && page(440, 0) == 300)
        #expect(page(310, 250) == 600 && page(590, -250) == 300)
        // The last page may be cut short.
        #expect(page(660, 500) == 700 && page(20, -500) == 0)
        #expect(Paging.target(from: -30, velocity: 0, page: 300, in: -50...700) == -50)
        #expect(Paging.target(from: 12, velocity: 0, page: 0, in: 0...700) == 12)
    }

    @Test("a scale beyond a limit comes back like content beyond an edge")
    func zoomBounce() {
        let motion = ZoomMotion(
            from: 5, to: 4, fromOffset: CGPoint(x: 100, y: 0), toOffset: .zero, .bounce(root: 10, extent: 300))
        #expect(motion.isBounce && isNear(motion.scale(after: 0.1), 4 + exp(-1)))
        #expect(isNear(motion.offset(after: 0.1).x, 100 * exp(-1)))
        // A scale difference of one corresponds to 300 points and takes longer: 300 · e^(−10t) = 0.5.
        #expect(isNear(motion.duration, log(600) / 10))
        #expect(motion.scale(after: motion.duration) == 4 && motion.offset(after: motion.duration) == .zero)
    }

    @Test("a scale beyond its limits follows the fingers by its square root")
    func zoomRange() {
        let zoom = ZoomRange(minimum: 1, maximum: 4)
        #expect(zoom.shown(2) == 2 && zoom.shown(16) == 8 && zoom.shown(0.25) == 0.5)
        for scale in [0.3, 1, 3, 9] as [CGFloat] { #expect(isNear(zoom.asked(zoom.shown(scale)), scale)) }
        let stiff = ZoomRange(minimum: 1, maximum: 4, bounces: false)
        #expect(stiff.shown(16) == 4 && stiff.shown(0.25) == 1)
        #expect(zoom.canZoom && !ZoomRange().canZoom)
    }

    @Test("content follows the finger, and the rubber band beyond its range")
    func drag() {
        let across = ScrollAxis(range: 0...0, length: 300, bounces: false)
        let along = ScrollAxis(range: 0...1000, length: 500, bounces: true)
        let drag = ScrollDrag(from: .zero, x: across, y: along, movement: CGPoint(x: 0, y: -12), locks: false)
        func place(_ x: CGFloat, _ y: CGFloat) -> CGPoint {
            drag.offset(after: CGPoint(x: x, y: y), from: .zero, x: across, y: along)
        }
        #expect(place(-30, -50) == CGPoint(x: 0, y: 50))
        #expect(place(0, 50).y == -along.band.stretch(50))
        // A drag that begins beyond the bounds does not jump.
        let beyond = ScrollDrag(
            from: CGPoint(x: 0, y: -20), x: across, y: along, movement: CGPoint(x: 0, y: 12), locks: false)
        #expect(isNear(beyond.offset(after: .zero, from: .zero, x: across, y: along).y, -20))
    }

    @Test("a locked drag keeps the axis along which it began")
    func lock() {
        let axis = ScrollAxis(range: 0...1000, length: 500, bounces: true)
        func follows(_ x: CGFloat, _ y: CGFloat, _ locks: Bool) -> [Bool] {
            let drag = ScrollDrag(from: .zero, x: axis, y: axis, movement: CGPoint(x: x, y: y), locks: locks)
            return [drag.followsX, drag.followsY]
        }
        #expect(follows(12, 3, true) == [true, false])
        #expect(follows(-3, -12, true) == [false, true])
        #expect(follows(10, 9, true) == [true, true])
        #expect(follows(0, 0, true) == [true, true])
        #expect(follows(12, 3, false) == [true, true])
    }

    @Test("Docs/Reference/Machines/ScrollActivity.md matches the transition function")
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
