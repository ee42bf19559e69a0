// UITextField.swift: a line of text, as far as the first responder goes.
//
// Fed by    UIControl's tracking: a tap asks to become first responder
// Feeds     its delegate, editingDidBegin and editingDidEnd
// Knows     whether it may begin and end. There is no keyboard here: `text` is what the app sets.
//
// Sources   documented  the order: shouldBeginEditing, first responder, didBeginEditing; shouldEndEditing, no first
//                       responder, didEndEditing
//           inferred    the delegate is told before the control event is sent

public import Foundation

/// Asked and told about a text field's editing. Every method may be left out.
public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    /// - Parameters:
    ///   - range: What is to be replaced, in UTF-16 units of the text as it is.
    ///   - string: What by; empty to delete.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
    /// - Returns: Whether the return key does what it does; no to ignore it.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}

open class UITextField: UIControl {
    open var text: String? = ""
    open var placeholder: String?
    open weak var delegate: (any UITextFieldDelegate)?

    open override var canBecomeFirstResponder: Bool { isEnabled }
    open var isEditing: Bool { isFirstResponder }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        guard mayBecomeFirstResponder, cachedWindow != nil, delegate?.textFieldShouldBeginEditing(self) ?? true,
            super.becomeFirstResponder()
        else { return false }
        delegate?.textFieldDidBeginEditing(self)
        send(.editingDidBegin, nil)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder, delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder()
        else { return false }
        delegate?.textFieldDidEndEditing(self)
        send(.editingDidEnd, nil)
        return true
    }

    /// A text field that is switched off stops editing.
    open override var isEnabled: Bool {
        didSet { if !isEnabled { resignFirstResponder() } }
    }

    override func wasTapped(_ event: UIEvent?) { becomeFirstResponder() }
}
