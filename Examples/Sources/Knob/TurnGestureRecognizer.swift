import UIKit.UIGestureRecognizerSubclass

/// Recognizes one finger that moves around the center of its view. Fails for a finger that moves towards the center.
public final class TurnGestureRecognizer: UIGestureRecognizer {
    /// The angle in radians by which the finger has turned since the last time it was set to zero.
    public var angle: CGFloat = 0
    private var last: CGFloat?
    private var first: (angle: CGFloat, radius: CGFloat)?

    private func polar(_ touch: UITouch) -> (angle: CGFloat, radius: CGFloat) {
        guard let view = view else { return (0, 0) }
        let point = touch.location(in: view)
        let (x, y) = (point.x - view.bounds.midX, point.y - view.bounds.midY)
        return (atan2(y, x), (x * x + y * y).squareRoot())
    }

    public override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesBegan(touches, with: event)
        guard first == nil, let touch = touches.first, numberOfTouches == 1 else {
            if state == .possible { state = .failed }
            return
        }
        first = polar(touch)
        last = first?.angle
    }

    public override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesMoved(touches, with: event)
        guard let touch = touches.first, let start = first, let before = last else { return }
        let now = polar(touch)
        if state == .possible {
            if abs(now.radius - start.radius) > 20 {
                state = .failed
            } else if abs(difference(now.angle, start.angle)) * start.radius > 10 {
                state = .began
            }
        } else if state == .began || state == .changed {
            angle += difference(now.angle, before)
            state = .changed
        }
        last = now.angle
    }

    public override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesEnded(touches, with: event)
        state = state == .possible ? .failed : .ended
    }

    public override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesCancelled(touches, with: event)
        state = .cancelled
    }

    public override func reset() {
        super.reset()
        (angle, last, first) = (0, nil, nil)
    }

    private func difference(_ a: CGFloat, _ b: CGFloat) -> CGFloat {
        var difference = a - b
        if difference > .pi { difference -= 2 * .pi }
        if difference < -.pi { difference += 2 * .pi }
        return difference
    }
}
