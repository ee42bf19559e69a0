// UIKeyCommand.swift: a key with modifiers that runs an action of a responder.
//
// Station   responder → action
// Input     PressTracker, before the key becomes a press
//
// Sources   documented  UIKeyCommand; the search goes up the chain from the first responder (B14)

public import Foundation

/// A key with modifiers that runs an action while the responder that offers it is in the first responder's chain.
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

    /// The character that the key prints without modifiers, or one of the names above.
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

    /// Whether the key has this input and exactly these modifiers. Caps lock and the numeric pad do not count as modifiers.
    final func matches(_ key: UIKey) -> Bool {
        input?.lowercased() == key.charactersIgnoringModifiers.lowercased()
            && modifierFlags.subtracting([.alphaShift, .numericPad])
                == key.modifierFlags.subtracting([.alphaShift, .numericPad])
    }
}

/// A responder that receives typed text while it is first responder.
public protocol UIKeyInput: AnyObject {
    var hasText: Bool { get }
    func insertText(_ text: String)
    func deleteBackward()
}
