// DispatchRig.swift: an application in this process with a tree of views, recognizers and one finger.
//
// Knows     views, frames and, in `measure`, the clock
//
// The views are plain UIViews, so that each touch climbs the whole responder chain: every superview, the window, the
// application. The finger is on the frontmost leaf in the middle. Frames are made before. A play changes only their
// time, so the measured time is UIKit's.

import Basics
import CAllocations
import CSystem
import HID
import Trace
import UIKit

/// An application with one finger.
final class DispatchRig {
    private let application: UIApplication
    private let leaf: UIView
    private let position: CGPoint
    /// One frame for each step of the circle.
    @exclusivity(unchecked) private var circle: [TouchFrame] = []
    @exclusivity(unchecked) private var step = 0
    @exclusivity(unchecked) private var clock = Instant(seconds: 1)
    /// A frame for one contact, for all other gestures.
    @exclusivity(unchecked) private var single: TouchFrame
    @exclusivity(unchecked) private var nextTouch: UInt32 = 0
    /// Events with facts still in the trace.
    @exclusivity(unchecked) private var traced = 0

    convenience init(_ load: DispatchLoad, isTraced: Bool) {
        switch load {
        case .one(let kind):
            self.init(recognizers: kind.recognizers, isTraced: isTraced) { DispatchRig.grow(kind.levels, in: $0) }
        case .views(let tree, let count):
            self.init(recognizers: 0, isTraced: isTraced) { window in
                let views = tree.grow(count, in: window, seed: 1)
                return tree == .nested ? views[count - 1] : views[count / 2]
            }
        case .recognizers(let count):
            self.init(recognizers: count, isTraced: isTraced) { DispatchRig.grow([1], in: $0) }
        }
    }

    /// - Parameters:
    ///   - recognizers: The number of recognizers on each view of the path, half of them taps and half pans.
    ///   - grow: Adds views to the window and returns the view under the finger.
    private init(recognizers: Int, isTraced: Bool, grow: (UIWindow) -> UIView) {
        let application = UIApplication()
        application.trace.isEnabled = isTraced
        let leaf = UIApplication.run(as: application) {
            let window = UIWindow(frame: application.screen.bounds)
            let leaf = grow(window)
            window.makeKeyAndVisible()
            var view: UIView? = leaf
            while let current = view, !(current is UIWindow) {
                for index in 0..<recognizers {
                    let isTap = index % 2 == 0
                    current.addGestureRecognizer(isTap ? UITapGestureRecognizer() : UIPanGestureRecognizer())
                }
                view = current.superview
            }
            return leaf
        }
        (self.application, self.leaf) = (application, leaf)
        position = leaf.convert(CGPoint(x: leaf.bounds.midX, y: leaf.bounds.midY), to: nil)
        single = TouchFrame(timeStamp: clock, contacts: [DispatchRig.contact(0, .began, position)])
        for index in 0..<64 {
            let angle = Double(index) / 64 * 2 * Double.pi
            let point = CGPoint(x: position.x + 2 * cos(angle), y: position.y + 2 * sin(angle))
            circle.append(TouchFrame(timeStamp: clock, contacts: [DispatchRig.contact(0, .moved, point)]))
        }
    }

    /// Distributes each level's views evenly over the level above, side by side or one below the other in turn.
    ///
    /// - Returns: The last view of the last level of the middle branch.
    private static func grow(_ levels: [Int], in window: UIWindow) -> UIView {
        var above: [UIView] = [window]
        for (depth, count) in levels.enumerated() {
            var next: [UIView] = []
            for (index, parent) in above.enumerated() {
                let share = count * (index + 1) / above.count - count * index / above.count
                let isRow = depth % 2 == 1
                let size = CGSize(
                    width: isRow ? parent.bounds.width / CGFloat(max(1, share)) : parent.bounds.width,
                    height: isRow ? parent.bounds.height : parent.bounds.height / CGFloat(max(1, share)))
                for place in 0..<share {
                    let origin = CGPoint(
                        x: isRow ? CGFloat(place) * size.width : 0, y: isRow ? 0 : CGFloat(place) * size.height)
                    let view = UIView(frame: CGRect(origin: origin, size: size))
                    parent.addSubview(view)
                    next.append(view)
                }
            }
            above = next
        }
        return above[above.count / 2]
    }

    private static func contact(_ touch: UInt32, _ phase: TouchContact.Phase, _ point: CGPoint) -> TouchContact {
        TouchContact(
            touch: TouchID(rawValue: touch), phase: phase, at: Point(Double(point.x), Double(point.y)))
    }

    /// Runs `body` as code of the application. All other calls of the rig belong inside.
    func run<Result>(_ body: () -> Result) -> Result { UIApplication.run(as: application, body) }

    func play(_ gesture: DispatchGesture, count: Int) {
        switch gesture {
        case .moved: for _ in 0..<count { moveOnCircle() }
        case .tap: for _ in 0..<count { tap() }
        case .drag: for _ in 0..<count { drag() }
        }
    }

    /// Puts the finger down for `moved`; `finish` lifts it.
    func prepare(for gesture: DispatchGesture) {
        guard gesture == .moved else { return }
        send(.began, at: position)
        let id = TouchID(rawValue: nextTouch)
        for index in circle.indices { circle[index].contacts[0].touch = id }
    }

    func finish(_ gesture: DispatchGesture) {
        guard gesture == .moved else { return }
        send(.ended, at: position)
        nextTouch += 1
    }

    // MARK: Measuring

    /// Nanoseconds and allocations for one event, a value for each repeat.
    struct Measure {
        /// The gestures of a repeat.
        var count: Int
        var times: [Double] = []
        var allocations: [Double] = []
        /// Nanoseconds of the lift of a tap, a value for each repeat; empty for other gestures.
        var lifts: [Double] = []
    }

    /// - Parameter meanwhile: Called before each repeat, outside the measurement.
    func measure(_ gesture: DispatchGesture, repeats: Int, seconds: Double, meanwhile: () -> Void) -> Measure {
        prepare(for: gesture)
        meanwhile()
        var measure = Measure(count: gesturesFilling(seconds, of: gesture))
        let events = measure.count * gesture.events
        measure.times.reserveCapacity(repeats)
        measure.allocations.reserveCapacity(repeats)
        measure.lifts.reserveCapacity(repeats)
        for _ in 0..<repeats {
            meanwhile()
            let (held, start) = (allocations_count(), system_clock())
            play(gesture, count: measure.count)
            let (end, holds) = (system_clock(), allocations_count())
            measure.times.append(Double(end - start) / Double(events))
            measure.allocations.append(Double(holds - held) / Double(events))
        }
        for _ in 0..<repeats where gesture == .tap {
            meanwhile()
            measure.lifts.append(liftTime(taps: measure.count))
        }
        finish(gesture)
        return measure
    }

    /// Returns the nanoseconds of the lift of a tap, in which its recognizers decide: the mean of several taps.
    private func liftTime(taps count: Int) -> Double {
        var total: Int64 = 0
        for _ in 0..<count {
            send(.began, at: position)
            let start = system_clock()
            send(.ended, at: position)
            total += system_clock() - start
            rest()
        }
        return Double(total) / Double(count)
    }

    /// Returns the number of gestures that fill `seconds`. The trial also warms everything up.
    private func gesturesFilling(_ seconds: Double, of gesture: DispatchGesture) -> Int {
        var count = 64
        while true {
            let start = system_clock()
            play(gesture, count: count)
            let elapsed = Double(max(1, system_clock() - start)) / 1e9
            if elapsed >= seconds / 2 { return max(1, Int(Double(count) * seconds / elapsed)) }
            count *= 2
        }
    }

    // MARK: Gestures

    private func moveOnCircle() {
        step = (step + 1) & 63
        tick(8_333_333)
        circle[step].timeStamp = clock
        _ = application.deliver(circle[step])
        clear()
    }

    private func tap() {
        send(.began, at: position)
        send(.ended, at: position)
        rest()
    }

    private func drag() {
        send(.began, at: position)
        send(.moved, at: CGPoint(x: position.x + 12, y: position.y))
        send(.moved, at: CGPoint(x: position.x + 24, y: position.y))
        send(.ended, at: CGPoint(x: position.x + 24, y: position.y))
        rest()
    }

    private func send(_ phase: TouchContact.Phase, at point: CGPoint) {
        tick(8_333_333)
        single.timeStamp = clock
        single.contacts[0] = DispatchRig.contact(nextTouch, phase, point)
        _ = application.deliver(single)
        clear()
    }

    /// Passes one second, so that the next landing is no second tap.
    private func rest() {
        nextTouch += 1
        tick(1_000_000_000)
    }

    private func tick(_ nanoseconds: Int64) {
        clock = clock.advanced(byNanoseconds: nanoseconds)
        application.now = clock
    }

    /// Removes facts at intervals, as a host does.
    private func clear() {
        traced += 1
        guard traced == 64 else { return }
        traced = 0
        application.trace.removeFacts()
    }
}
