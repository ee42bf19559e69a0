// UIHoverGestureRecognizer.swift: a pointer over a view, touching nothing.
//
// Station   gesture
// Fed by    hover events
//
// It begins as the pointer comes, changes as it moves and ends as it goes; there is nothing to decide.
//
// Sources   documented  UIHoverGestureRecognizer

public import Foundation
import Gestures

open class UIHoverGestureRecognizer: UIGestureRecognizer {
    /// In the window's coordinates; the last there was, until it is reset.
    @exclusivity(unchecked) private final var pointer: CGPoint?

    open override func location(in view: UIView?) -> CGPoint { converted(pointer ?? .zero, to: view) }

    /// Fingers are none of its business: it would only keep their ends from its view.
    open override func shouldReceive(_ event: UIEvent) -> Bool {
        event.type == .hover && super.shouldReceive(event)
    }

    open override func reset() {
        super.reset()
        pointer = nil
    }

    override var traceKind: String { "hover" }

    /// The pointer came, moved or went.
    ///
    /// - Parameter location: In the window's coordinates.
    package final func hovered(at location: CGPoint, phase: UITouch.Phase) {
        guard !stage.isFinal else { return }
        pointer = location
        switch phase {
        case .began, .regionEntered: state = .began
        case .moved, .regionMoved: state = .changed
        case .ended, .regionExited: state = .ended
        case .cancelled: state = .cancelled
        case .stationary: break
        }
    }
}
