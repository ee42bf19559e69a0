/// A line of text that takes the keyboard: a tap makes it first responder.
open class UITextField: UIControl {
    open var text: String? = ""
    open var placeholder: String?

    open override var canBecomeFirstResponder: Bool { isEnabled }
    open var isEditing: Bool { isFirstResponder }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        let was = isFirstResponder
        guard super.becomeFirstResponder() else { return false }
        if !was { sendActions(for: .editingDidBegin) }
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        let was = isFirstResponder
        guard super.resignFirstResponder() else { return false }
        if was { sendActions(for: .editingDidEnd) }
        return true
    }

    override func wasTapped(_ event: UIEvent?) { becomeFirstResponder() }
}
