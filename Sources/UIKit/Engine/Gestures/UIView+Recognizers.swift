// UIView+Recognizers.swift: adds recognizers to a view and removes them.
//
// Station   gesture
// Input     UIView.addGestureRecognizer, removeGestureRecognizer, gestureRecognizers
// Output    UIGestureRecognizer.attachedView and index

extension UIView {
    /// This view if it has recognizers, otherwise the nearest superview that has some. The search counts no reference.
    final var nearestWithRecognizers: UIView? {
        var view = Unmanaged.passUnretained(self)
        while view._withUnsafeGuaranteedRef({ $0.recognizers.isEmpty }) {
            guard let parent = view._withUnsafeGuaranteedRef({ $0.parentReference }) else { return nil }
            view = parent
        }
        return view.takeUnretainedValue()
    }

    final func attach(_ recognizer: UIGestureRecognizer) {
        recognizer.attachedView?.removeGestureRecognizer(recognizer)
        recognizer.index = recognizers.count
        recognizers.append(recognizer)
        recognizer.attachedView = self
    }

    /// Removes a recognizer. An active one gives up; if it had begun, its action reports the cancellation. (B5.7)
    final func detach(_ recognizer: UIGestureRecognizer) {
        guard recognizer.attachedView === self else { return }
        recognizer.abandonAttempt()
        recognizers.removeAll { $0 === recognizer }
        for (index, left) in recognizers.enumerated() { left.index = index }
        recognizer.attachedView = nil
    }

    final func replaceRecognizers(with new: [UIGestureRecognizer]) {
        for recognizer in recognizers where !new.contains(where: { $0 === recognizer }) {
            removeGestureRecognizer(recognizer)
        }
        for recognizer in new where !recognizers.contains(where: { $0 === recognizer }) {
            addGestureRecognizer(recognizer)
        }
        recognizers = new
        for (index, recognizer) in recognizers.enumerated() { recognizer.index = index }
    }
}
