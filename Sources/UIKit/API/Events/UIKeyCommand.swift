// UIKeyCommand.swift: a key that stands for an action, wherever the first responder is below whoever offers it.
//
// Station   responder → action
// Fed by    PressTracker, before the press is anybody's
//
// Sources   documented  UIKeyCommand; the chain is searched from the first responder up (B14)

public import Foundation

open class UIKeyCommand: NSObject {
    public static let inputUpArrow = "UIKeyInputUpArrow"
    public static let inputDownArrow = "UIKeyInputDownArrow"
    public static let inputLeftArrow = "UIKeyInputLeftArrow"
    public static let inputRightArrow = "UIKeyInputRightArrow"
    public static let inputEscape = "UIKeyInputEscape"
    public static let inputPageUp = "UIKeyInputPageUp"
    public static let inputPageDown = "UIKeyInputPageDown"
    public static let inputHome = "UIKeyInputHome"
    public static let inputEnd = "UIKeyInputEnd"
    public static let inputDelete = "\u{8}"
    public static let f1 = "UIKeyInputF1"
    public static let f2 = "UIKeyInputF2"
    public static let f3 = "UIKeyInputF3"
    public static let f4 = "UIKeyInputF4"
    public static let f5 = "UIKeyInputF5"
    public static let f6 = "UIKeyInputF6"
    public static let f7 = "UIKeyInputF7"
    public static let f8 = "UIKeyInputF8"
    public static let f9 = "UIKeyInputF9"
    public static let f10 = "UIKeyInputF10"
    public static let f11 = "UIKeyInputF11"
    public static let f12 = "UIKeyInputF12"

    /// What the key prints without modifiers, or one of the names above.
    public let input: String?
    public let modifierFlags: UIKeyModifierFlags
    public let action: Selector?
    public let propertyList: Any?
    open var title = ""
    open var discoverabilityTitle: String?

    public init(
        input: String, modifierFlags: UIKeyModifierFlags, action: Selector, propertyList: Any? = nil
    ) {
        (self.input, self.modifierFlags, self.action) = (input, modifierFlags, action)
        self.propertyList = propertyList
    }

    /// Exactly these modifiers: caps lock is none.
    final func matches(_ key: UIKey) -> Bool {
        input?.lowercased() == key.charactersIgnoringModifiers.lowercased()
            && modifierFlags.subtracting([.alphaShift, .numericPad])
                == key.modifierFlags.subtracting([.alphaShift, .numericPad])
    }
}

/// What takes typed text while it is first responder.
public protocol UIKeyInput: AnyObject {
    var hasText: Bool { get }
    func insertText(_ text: String)
    func deleteBackward()
}
