// DispatchRig.swift: an application in this process with a tree of views, recognizers and one finger.
//
// Knows     views and frames; no clock: its caller measures
//
// The views are plain UIViews, so that each touch climbs the whole responder chain: every superview, the window, the
// application. The finger is on the frontmost leaf in the middle. Frames are made before. A play changes only their
// time, so the measured time is UIKit's.

import Basics
import HID
import Trace
import UIKit

/// The gesture that the finger repeats.
enum DispatchGesture: String, CaseIterable, Codable {
    /// The finger is down and circles within 2 points: no recognizer has recognized or failed.
    case moved
    /// Lands and lifts.
    case tap
    /// Lands, moves 24 points in two steps, lifts.
    case drag

    /// The number of events of one gesture.
    var events: Int {
        switch self {
        case .moved: 1
        case .tap: 2
        case .drag: 4
        }
    }
}

/// The tree of views and recognizers.
enum DispatchCase: String, CaseIterable, Codable {
    case a, b, c, d, e

    var title: String {
        switch self {
        case .a: "100 views, 5 deep"
        case .b: "100 views, 10 recognizers on the path"
        case .c: "10,000 views, 5 deep"
        case .d: "1,000 recognizers on one view"
        case .e: "10,000 recognizers on one view"
        }
    }

    /// The number of views at each depth.
    fileprivate var levels: [Int] {
        switch self {
        case .a, .b: [1, 3, 9, 27, 60]
        case .c: [1, 9, 90, 900, 9000]
        case .d, .e: [1]
        }
    }

    /// The number of recognizers on each view of the path, half of them taps and half pans.
    fileprivate var recognizers: Int {
        switch self {
        case .a, .c: 0
        case .b: 2
        case .d: 1000
        case .e: 10_000
        }
    }

    /// The two numbers of gestures in a callgrind run. They are small because the simulation of instructions is slow.
    var callgrindCounts: (few: Int, many: Int) {
        switch self {
        case .a, .b, .c: (100, 600)
        case .d: (16, 48)
        case .e: (2, 6)
        }
    }

    var gestures: [DispatchGesture] {
        switch self {
        case .a, .c: [.moved, .tap]
        case .b, .d, .e: [.moved, .tap, .drag]
        }
    }
}

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

    init(_ kind: DispatchCase, isTraced: Bool) {
        let application = UIApplication()
        application.trace.isEnabled = isTraced
        let leaf = UIApplication.run(as: application) {
            let window = UIWindow(frame: application.screen.bounds)
            let leaf = DispatchRig.grow(kind.levels, in: window)
            window.makeKeyAndVisible()
            var view: UIView? = leaf
            while let current = view, !(current is UIWindow) {
                for index in 0..<kind.recognizers {
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
