// UISwipeGestureRecognizer.swift: recognizes touches that move straight in one direction within half a second.
//
// Station   gesture
// Input     GestureEnvironment
// Output    SwipeMachine, which decides
//
// Sources   documented  UISwipeGestureRecognizer
//           invented    the direction right does not change with the direction of text (E16)

import Basics
public import Foundation
import Gestures

/// Recognizes touches that move straight in one direction within a short time.
open class UISwipeGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    /// A set of directions of a swipe.
    public struct Direction: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let right = Direction(rawValue: 1)
        public static let left = Direction(rawValue: 2)
        public static let up = Direction(rawValue: 4)
        public static let down = Direction(rawValue: 8)
    }

    @exclusivity(unchecked) final var machine = SwipeMachine()
    @exclusivity(unchecked) final var machineContext = MachineContext()

    /// The directions that the recognizer recognizes.
    @exclusivity(unchecked) open var direction = Direction.right
    @exclusivity(unchecked) open var numberOfTouchesRequired = 1

    final func rules(_ settings: GestureSettings) -> SwipeMachine.Rules {
        SwipeMachine.Rules(
            fingers: numberOfTouchesRequired, directions: SwipeDirections(rawValue: direction.rawValue), settings)
    }

    /// The position at which the swipe started: the center of its touches when they landed.
    open override func location(in view: UIView?) -> CGPoint {
        guard let start = machine.start else { return super.location(in: view) }
        return converted(CGPoint(start), to: view)
    }

    /// The position at which the touch landed.
    open override func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
        converted(touch(at: touchIndex).landing, to: view)
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.began, touches: touches, for: event)
    }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.moved, touches: touches, for: event)
    }
    override func receiveMove(of touch: UITouch, as samples: [Sample], at now: Instant, in event: UIEvent) {
        passStateToMachine()
        applyMove(machine.handle(.moved, samples, at: now))
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.ended, touches: touches, for: event)
    }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        handle(.cancelled, touches: touches, for: event)
    }

    open override func ignore(_ touch: UITouch, for event: UIEvent) {
        super.ignore(touch, for: event)
        forget(touch)
    }

    open override func reset() {
        super.reset()
        resetMachine()
    }

    override var traceKind: String { machine.kind }
    override var traceTraits: [String] {
        let ways: [(Direction, String)] = [(.right, "right"), (.left, "left"), (.up, "up"), (.down, "down")]
        let allowed = ways.filter { direction.contains($0.0) }.map(\.1).joined(separator: " or ")
        return (allowed.isEmpty ? [] : [allowed]) + Self.traits(touches: numberOfTouchesRequired)
    }
}
