// UIPanGestureRecognizer.swift: fingers that drag.
//
// Station   gesture
// Fed by    GestureEnvironment; scroll events, where their kind is allowed
// Feeds     EdgePanMachine, which decides, and counts the way
//
// Sources   documented  UIPanGestureRecognizer
//           observed    setting the translation does not lose the speed, whatever the header says: code that sets it to
//                       zero on every change still asks for the velocity at the end

import Basics
public import Foundation
import Gestures

/// Kinds of scroll events.
public struct UIScrollTypeMask: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A wheel with notches.
    public static let discrete = UIScrollTypeMask(rawValue: 1)
    /// A track pad or a smooth wheel.
    public static let continuous = UIScrollTypeMask(rawValue: 2)
    public static let all: UIScrollTypeMask = [.discrete, .continuous]
}

open class UIPanGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = EdgePanMachine()
    @exclusivity(unchecked) final var wear = MachineWear()
    /// Where the pointer scrolls, in the window's coordinates, while it does.
    @exclusivity(unchecked) private final var pointer: CGPoint?

    open var minimumNumberOfTouches = 1
    open var maximumNumberOfTouches = Int.max
    open var allowedScrollTypesMask: UIScrollTypeMask = []

    final func rules(_ settings: GestureSettings) -> EdgePanMachine.Rules {
        let bounds = attachedView?.cachedWindow?.bounds ?? .zero
        return EdgePanMachine.Rules(
            edges: edgesToCross,
            of: Rect(
                x: Double(bounds.minX), y: Double(bounds.minY), width: Double(bounds.width),
                height: Double(bounds.height)),
            pan: PanMachine.Rules(
                minFingers: minimumNumberOfTouches, maxFingers: maximumNumberOfTouches,
                ignoresExtraFingers: ignoresExtraTouches, settings), settings)
    }

    /// Those it has to come in over; nil for a pan from anywhere.
    var edgesToCross: ScreenEdges? { nil }
    /// Whether touches beyond the maximum are ignored even while it is possible, instead of failing it. (B9.3)
    var ignoresExtraTouches: Bool { false }

    // MARK: How far

    /// The way since it began, in the view's coordinates.
    open func translation(in view: UIView?) -> CGPoint { converted(machine.pan.translation, to: view) }

    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        keepUp()
        machine.setTranslation(travel(translation, in: view))
    }

    /// Points per second, in the view's coordinates.
    open func velocity(in view: UIView?) -> CGPoint { converted(machine.pan.velocity, to: view) }

    /// The way it went while it had to wait is no part of the translation. (B7.7)
    override func requirementCleared() {
        super.requirementCleared()
        keepUp()
        machine.setTranslation(.zero)
    }

    open override func location(in view: UIView?) -> CGPoint {
        guard let pointer else { return super.location(in: view) }
        return converted(pointer, to: view)
    }

    // MARK: Touches

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) { hear(.began, touches, event) }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) { hear(.moved, touches, event) }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { hear(.ended, touches, event) }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        hear(.cancelled, touches, event)
    }

    open override func ignore(_ touch: UITouch, for event: UIEvent) {
        super.ignore(touch, for: event)
        forget(touch)
    }

    open override func reset() {
        super.reset()
        pointer = nil
        rewind()
    }

    override var traceKind: String { machine.kind }
    override var traceTraits: [String] {
        switch (minimumNumberOfTouches, maximumNumberOfTouches) {
        case (1, .max): []
        case (let least, .max): ["\(least) touches or more"]
        case (let least, let most): least == most ? Self.traits(touches: least) : ["\(least) to \(most) touches"]
        }
    }

    // MARK: Scrolls

    /// A pointing device scrolled.
    ///
    /// - Parameters:
    ///   - translation: Since the last of these, in the window's coordinates.
    ///   - location: Of the pointer, in the window's coordinates.
    package final func scrolled(by translation: CGPoint, phase: UITouch.Phase, at location: CGPoint) {
        guard !stage.isFinal, let phase = SamplePhase(pointer: phase), let application else { return }
        if stage == .possible { prepare() }
        pointer = location
        keepUp()
        take(machine.scrolled(by: Travel(translation), phase: phase, at: application.now))
    }
}

extension SamplePhase {
    /// Nil for a pointer that rests.
    init?(pointer phase: UITouch.Phase) {
        switch phase {
        case .began, .regionEntered: self = .began
        case .moved, .regionMoved: self = .moved
        case .ended, .regionExited: self = .ended
        case .cancelled: self = .cancelled
        case .stationary: return nil
        }
    }
}
