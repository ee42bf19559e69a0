// UIView+Recognizers.swift: the recognizers of a view, which come and go.
//
// Station   gesture
// Fed by    UIView.addGestureRecognizer, removeGestureRecognizer, gestureRecognizers
// Feeds     UIGestureRecognizer.attachedView and index

extension UIView {
    final func attach(_ recognizer: UIGestureRecognizer) {
        recognizer.attachedView?.removeGestureRecognizer(recognizer)
        recognizer.index = recognizers.count
        recognizers.append(recognizer)
        recognizer.attachedView = self
    }

    /// One that is at work gives up, and its action says so where it had begun. (B5.7)
    final func detach(_ recognizer: UIGestureRecognizer) {
        guard recognizer.attachedView === self else { return }
        recognizer.giveUp()
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
