// UIPanGestureRecognizer.swift: recognizes touches that drag.
//
// Station   gesture
// Input     GestureEnvironment; scroll events of the kinds that are allowed
// Output    EdgePanMachine, which decides and measures the translation
//
// Sources   documented  UIPanGestureRecognizer
//           observed    setting the translation keeps the velocity, although the header says otherwise: code that sets it
//                       to zero at every change still reads the velocity at the end

import Basics
public import Foundation
import Gestures

/// A set of kinds of scroll events.
public struct UIScrollTypeMask: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Scrolls of a wheel with notches.
    public static let discrete = UIScrollTypeMask(rawValue: 1)
    /// Scrolls of a track pad or a smooth wheel.
    public static let continuous = UIScrollTypeMask(rawValue: 2)
    public static let all: UIScrollTypeMask = [.discrete, .continuous]
}

/// Recognizes touches that drag, and scroll events.
open class UIPanGestureRecognizer: UIGestureRecognizer, MachineRecognizer {
    @exclusivity(unchecked) final var machine = EdgePanMachine()
    @exclusivity(unchecked) final var machineContext = MachineContext()
    /// The position of the pointer in the coordinates of the window while it scrolls; otherwise nil.
    @exclusivity(unchecked) private final var pointerPosition: CGPoint?

    @exclusivity(unchecked) open var minimumNumberOfTouches = 1
    @exclusivity(unchecked) open var maximumNumberOfTouches = Int.max
    /// The kinds of scroll events that the recognizer receives; none by default.
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

    /// The edges of which the drag has to cross one; nil for a pan that begins anywhere.
    var edgesToCross: ScreenEdges? { nil }
    /// Whether extra touches are ignored while the recognizer is possible. Otherwise they fail it. (B9.3)
    var ignoresExtraTouches: Bool { false }

    // MARK: Translation

    /// The translation since the recognizer began, in the coordinates of the view.
    open func translation(in view: UIView?) -> CGPoint { converted(machine.pan.translation, to: view) }

    /// Sets the translation, from which later movement counts.
    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        passStateToMachine()
        machine.setTranslation(travel(translation, in: view))
    }

    /// In points per second, in the coordinates of the view.
    open func velocity(in view: UIView?) -> CGPoint { converted(machine.pan.velocity, to: view) }

    /// Sets the translation to zero: movement while the recognizer had to wait does not count. (B7.7)
    override func requirementCleared() {
        super.requirementCleared()
        passStateToMachine()
        machine.setTranslation(.zero)
    }

    open override func location(in view: UIView?) -> CGPoint {
        guard let pointerPosition else { return super.location(in: view) }
        return converted(pointerPosition, to: view)
    }

    // MARK: Touches

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
        pointerPosition = nil
        resetMachine()
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

    /// Handles a scroll of a pointing device.
    ///
    /// - Parameters:
    ///   - translation: Since the previous scroll event, in the coordinates of the window.
    ///   - location: Of the pointer, in the coordinates of the window.
    package final func handleScroll(by translation: CGPoint, phase: UITouch.Phase, at location: CGPoint) {
        guard !stage.isFinal, let phase = SamplePhase(pointer: phase), let application else { return }
        if stage == .possible { updateRules() }
        pointerPosition = location
        passStateToMachine()
        apply(machine.scrolled(by: Travel(translation), phase: phase, at: application.now))
    }
}

extension SamplePhase {
    /// The phase of a pointer's event; nil for a pointer that rests.
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
