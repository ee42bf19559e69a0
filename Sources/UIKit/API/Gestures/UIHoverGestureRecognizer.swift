// UIHoverGestureRecognizer.swift: recognizes a pointer over a view without a touch.
//
// Station   gesture
// Input     hover events
//
// The recognizer begins when the pointer enters, changes when it moves and ends when it leaves. No machine decides.
//
// Sources   documented  UIHoverGestureRecognizer

public import Foundation
import Gestures

/// Recognizes a pointer over a view without a touch.
open class UIHoverGestureRecognizer: UIGestureRecognizer {
    /// The last position of the pointer in the coordinates of the window; nil after a reset.
    @exclusivity(unchecked) private final var pointerPosition: CGPoint?

    open override func location(in view: UIView?) -> CGPoint { converted(pointerPosition ?? .zero, to: view) }

    /// Refuses events of other kinds. A recognizer that accepted touches would hold their ends from the view.
    open override func shouldReceive(_ event: UIEvent) -> Bool {
        event.type == .hover && super.shouldReceive(event)
    }

    open override func reset() {
        super.reset()
        pointerPosition = nil
    }

    override var traceKind: String { "hover" }

    /// Handles a pointer that entered, moved or left.
    ///
    /// - Parameter location: In the coordinates of the window.
    package final func handleHover(at location: CGPoint, phase: UITouch.Phase) {
        guard !stage.isFinal else { return }
        pointerPosition = location
        switch phase {
        case .began, .regionEntered: state = .began
        case .moved, .regionMoved: state = .changed
        case .ended, .regionExited: state = .ended
        case .cancelled: state = .cancelled
        case .stationary: break
        }
    }
}
