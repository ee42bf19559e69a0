// UITextField+Typing.swift: changes of a text field's text by keys.
//
// Station   responder
// Input     PressTracker, after the press
// Output    the delegate, which is asked first; then editingChanged, or the events of the return key
//
// Sources   documented  UIKeyInput; textFieldShouldReturn: false ignores the key; shouldChangeCharactersIn: false changes
//                       nothing; editingChanged; editingDidEndOnExit for the return key
//           inferred    the return key changes no characters; primaryActionTriggered comes after editingDidEndOnExit

import Foundation

extension UITextField: UIKeyInput {
    public var hasText: Bool { text?.isEmpty == false }

    /// Appends text, if the delegate permits it. A line break is the return key, and appends nothing.
    public func insertText(_ text: String) {
        guard text != "\n" else { return enterReturn() }
        let old = self.text ?? ""
        guard mayReplace(NSRange(location: old.utf16.count, length: 0), by: text) else { return }
        self.text = old + text
        sendActions(for: .editingChanged)
    }

    /// Deletes the last character, if the delegate permits it.
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
