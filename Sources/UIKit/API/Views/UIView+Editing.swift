// UIView+Editing.swift: ends the editing of text.
//
// Sources   documented  UIView.endEditing

extension UIView {
    /// Makes the first responder resign if it is this view or a view inside it.
    ///
    /// - Parameter force: Whether a first responder that refuses loses its state all the same.
    /// - Returns: Whether no view inside this one is first responder now.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard let window = cachedWindow, let editor = window.firstResponder as? UIView, editor.isInside(self) else {
            return true
        }
        if editor.resignFirstResponder() { return true }
        if force { window.firstResponder = nil }
        return force
    }
}
