// UITextField.swift: a line of text that can be edited while the field is first responder.
//
// Station   action
// Input     UIControl's tracking: a tap makes the field first responder
// Output    its delegate, editingDidBegin and editingDidEnd
// Knows     whether editing may begin and end. There is no keyboard on screen: the app or a hardware keyboard sets `text`.
//
// Sources   documented  the order: shouldBeginEditing, first responder, didBeginEditing; shouldEndEditing, no first
//                       responder, didEndEditing
//           inferred    the delegate's method runs before the control event is sent

public import Foundation

/// Permits and observes the editing of a text field. Every method has a default implementation.
public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    /// - Parameters:
    ///   - textField: The field whose text would change.
    ///   - range: The characters that would be replaced, in UTF-16 units of the current text.
    ///   - string: The characters that would replace them; empty for a deletion.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
    /// - Returns: Whether the return key ends the editing; false ignores the key.
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

/// A control with a line of text that can be edited.
open class UITextField: UIControl {
    open var text: String? = ""
    open var placeholder: String?
    open weak var delegate: (any UITextFieldDelegate)?

    // MARK: Look, which is not drawn

    /// The look of the border. No effect here.
    public enum BorderStyle: Int, Sendable { case none, line, bezel, roundedRect }
    /// When a view at an edge is shown. No effect here.
    public enum ViewMode: Int, Sendable { case never, whileEditing, unlessEditing, always }

    open var font: UIFont? = .systemFont(ofSize: 17)
    open var textColor: UIColor? = .black
    open var textAlignment = NSTextAlignment.natural
    open var attributedPlaceholder: NSAttributedString?
    open var borderStyle = BorderStyle.none
    open var clearButtonMode = ViewMode.never
    /// Kept, and not shown; the same holds for `rightView`.
    open var leftView: UIView?
    open var leftViewMode = ViewMode.never
    open var rightView: UIView?
    open var rightViewMode = ViewMode.never
    open var adjustsFontSizeToFitWidth = false
    open var minimumFontSize: CGFloat = 0

    // MARK: Keyboard, which does not exist

    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    open var keyboardAppearance = UIKeyboardAppearance.default
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    open var autocorrectionType = UITextAutocorrectionType.default
    open var spellCheckingType = UITextSpellCheckingType.default
    open var enablesReturnKeyAutomatically = false
    open var isSecureTextEntry = false
    open var clearsOnBeginEditing = false
    /// Kept, and not shown; the same holds for `inputAccessoryView`.
    open var inputView: UIView?
    open var inputAccessoryView: UIView?

    open override var canBecomeFirstResponder: Bool { isEnabled }
    /// Whether the field is first responder.
    open var isEditing: Bool { isFirstResponder }

    /// Begins editing, if the delegate permits it and the field is in a window.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        guard mayBecomeFirstResponder, cachedWindow != nil, delegate?.textFieldShouldBeginEditing(self) ?? true,
            super.becomeFirstResponder()
        else { return false }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin, with: nil)
        return true
    }

    /// Ends editing, if the delegate permits it.
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard canResignFirstResponder, delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder()
        else { return false }
        delegate?.textFieldDidEndEditing(self)
        sendActions(for: .editingDidEnd, with: nil)
        return true
    }

    /// Whether the field accepts touches. Disabling it ends the editing.
    open override var isEnabled: Bool {
        didSet { if !isEnabled { resignFirstResponder() } }
    }

    override func touchUpInsideWasSent(_ event: UIEvent?) { becomeFirstResponder() }
}
