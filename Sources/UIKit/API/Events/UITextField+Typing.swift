// UITextField+Typing.swift: a first responder's text, as keys change it.
//
// Station   responder
// Fed by    PressTracker, after the press
// Feeds     the delegate, asked first; then editingChanged, or what the return key sends
//
// Sources   documented  UIKeyInput; textFieldShouldReturn, no to ignore the key; shouldChangeCharactersIn, no to change
//                       nothing; editingChanged, editingDidEndOnExit for the return key
//           inferred    the return key is no change of characters; primaryActionTriggered comes after its event

import Foundation

extension UITextField: UIKeyInput {
    public var hasText: Bool { text?.isEmpty == false }

    /// At the end. A line break ends the editing rather than the line.
    public func insertText(_ text: String) {
        guard text != "\n" else { return enterReturn() }
        let old = self.text ?? ""
        guard mayReplace(NSRange(location: old.utf16.count, length: 0), by: text) else { return }
        self.text = old + text
        sendActions(for: .editingChanged)
    }

    public func deleteBackward() {
        guard let old = text, let last = old.last else { return }
        let length = last.utf16.count
        guard mayReplace(NSRange(location: old.utf16.count - length, length: length), by: "") else { return }
        text = String(old.dropLast())
        sendActions(for: .editingChanged)
    }

    private func mayReplace(_ range: NSRange, by string: String) -> Bool {
        delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: string) ?? true
    }

    private func enterReturn() {
        guard delegate?.textFieldShouldReturn(self) ?? true else { return }
        sendActions(for: .editingDidEndOnExit)
        sendActions(for: .primaryActionTriggered)
    }
}
