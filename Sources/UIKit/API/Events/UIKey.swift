// UIKey.swift: a key of a keyboard and its characters.
//
// Station   event
//
// Sources   documented  UIKey, UIKeyModifierFlags; UIKeyboardHIDUsage is page 0x07 of the HID usage tables
//           invented    the layout is that of a US keyboard

public import Foundation

/// A key of a keyboard, with its characters and the modifiers that were held.
open class UIKey: NSObject {
    public let keyCode: UIKeyboardHIDUsage
    public let modifierFlags: UIKeyModifierFlags
    /// The characters of the key with the modifiers applied: `A` with shift. Empty for a key that prints nothing.
    public let characters: String
    /// The characters without modifiers: `a` even with shift. For keys with a name, the inputs of UIKeyCommand.
    public let charactersIgnoringModifiers: String

    package init(_ keyCode: UIKeyboardHIDUsage, modifierFlags: UIKeyModifierFlags = []) {
        (self.keyCode, self.modifierFlags) = (keyCode, modifierFlags)
        let (plain, shifted) = KeyboardLayout.characters(of: keyCode)
        charactersIgnoringModifiers = plain
        let isLetter = plain.count == 1 && plain >= "a" && plain <= "z"
        let isShifted = modifierFlags.contains(.shift) != (isLetter && modifierFlags.contains(.alphaShift))
        characters = isShifted ? shifted : plain
    }
}

/// The HID usage of a key. A structure, where Apple has an open enumeration.
public struct UIKeyboardHIDUsage: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init?(rawValue: Int) { self.rawValue = rawValue }
    init(_ rawValue: Int) { self.rawValue = rawValue }

    public static let keyboardA = UIKeyboardHIDUsage(0x04)
    public static let keyboardB = UIKeyboardHIDUsage(0x05)
    public static let keyboardC = UIKeyboardHIDUsage(0x06)
    public static let keyboardD = UIKeyboardHIDUsage(0x07)
    public static let keyboardE = UIKeyboardHIDUsage(0x08)
    public static let keyboardF = UIKeyboardHIDUsage(0x09)
    public static let keyboardG = UIKeyboardHIDUsage(0x0a)
    public static let keyboardH = UIKeyboardHIDUsage(0x0b)
    public static let keyboardI = UIKeyboardHIDUsage(0x0c)
    public static let keyboardJ = UIKeyboardHIDUsage(0x0d)
    public static let keyboardK = UIKeyboardHIDUsage(0x0e)
    public static let keyboardL = UIKeyboardHIDUsage(0x0f)
    public static let keyboardM = UIKeyboardHIDUsage(0x10)
    public static let keyboardN = UIKeyboardHIDUsage(0x11)
    public static let keyboardO = UIKeyboardHIDUsage(0x12)
    public static let keyboardP = UIKeyboardHIDUsage(0x13)
    public static let keyboardQ = UIKeyboardHIDUsage(0x14)
    public static let keyboardR = UIKeyboardHIDUsage(0x15)
    public static let keyboardS = UIKeyboardHIDUsage(0x16)
    public static let keyboardT = UIKeyboardHIDUsage(0x17)
    public static let keyboardU = UIKeyboardHIDUsage(0x18)
    public static let keyboardV = UIKeyboardHIDUsage(0x19)
    public static let keyboardW = UIKeyboardHIDUsage(0x1a)
    public static let keyboardX = UIKeyboardHIDUsage(0x1b)
    public static let keyboardY = UIKeyboardHIDUsage(0x1c)
    public static let keyboardZ = UIKeyboardHIDUsage(0x1d)
    public static let keyboard1 = UIKeyboardHIDUsage(0x1e)
    public static let keyboard2 = UIKeyboardHIDUsage(0x1f)
    public static let keyboard3 = UIKeyboardHIDUsage(0x20)
    public static let keyboard4 = UIKeyboardHIDUsage(0x21)
    public static let keyboard5 = UIKeyboardHIDUsage(0x22)
    public static let keyboard6 = UIKeyboardHIDUsage(0x23)
    public static let keyboard7 = UIKeyboardHIDUsage(0x24)
    public static let keyboard8 = UIKeyboardHIDUsage(0x25)
    public static let keyboard9 = UIKeyboardHIDUsage(0x26)
    public static let keyboard0 = UIKeyboardHIDUsage(0x27)
    public static let keyboardReturnOrEnter = UIKeyboardHIDUsage(0x28)
    public static let keyboardEscape = UIKeyboardHIDUsage(0x29)
    public static let keyboardDeleteOrBackspace = UIKeyboardHIDUsage(0x2a)
    public static let keyboardTab = UIKeyboardHIDUsage(0x2b)
    public static let keyboardSpacebar = UIKeyboardHIDUsage(0x2c)
    public static let keyboardHyphen = UIKeyboardHIDUsage(0x2d)
    public static let keyboardEqualSign = UIKeyboardHIDUsage(0x2e)
    public static let keyboardOpenBracket = UIKeyboardHIDUsage(0x2f)
    public static let keyboardCloseBracket = UIKeyboardHIDUsage(0x30)
    public static let keyboardBackslash = UIKeyboardHIDUsage(0x31)
    public static let keyboardSemicolon = UIKeyboardHIDUsage(0x33)
    public static let keyboardQuote = UIKeyboardHIDUsage(0x34)
    public static let keyboardGraveAccentAndTilde = UIKeyboardHIDUsage(0x35)
    public static let keyboardComma = UIKeyboardHIDUsage(0x36)
    public static let keyboardPeriod = UIKeyboardHIDUsage(0x37)
    public static let keyboardSlash = UIKeyboardHIDUsage(0x38)
    public static let keyboardCapsLock = UIKeyboardHIDUsage(0x39)
    public static let keyboardF1 = UIKeyboardHIDUsage(0x3a)
    public static let keyboardF2 = UIKeyboardHIDUsage(0x3b)
    public static let keyboardF3 = UIKeyboardHIDUsage(0x3c)
    public static let keyboardF4 = UIKeyboardHIDUsage(0x3d)
    public static let keyboardF5 = UIKeyboardHIDUsage(0x3e)
    public static let keyboardF6 = UIKeyboardHIDUsage(0x3f)
    public static let keyboardF7 = UIKeyboardHIDUsage(0x40)
    public static let keyboardF8 = UIKeyboardHIDUsage(0x41)
    public static let keyboardF9 = UIKeyboardHIDUsage(0x42)
    public static let keyboardF10 = UIKeyboardHIDUsage(0x43)
    public static let keyboardF11 = UIKeyboardHIDUsage(0x44)
    public static let keyboardF12 = UIKeyboardHIDUsage(0x45)
    public static let keyboardHome = UIKeyboardHIDUsage(0x4a)
    public static let keyboardPageUp = UIKeyboardHIDUsage(0x4b)
    public static let keyboardDeleteForward = UIKeyboardHIDUsage(0x4c)
    public static let keyboardEnd = UIKeyboardHIDUsage(0x4d)
    public static let keyboardPageDown = UIKeyboardHIDUsage(0x4e)
    public static let keyboardRightArrow = UIKeyboardHIDUsage(0x4f)
    public static let keyboardLeftArrow = UIKeyboardHIDUsage(0x50)
    public static let keyboardDownArrow = UIKeyboardHIDUsage(0x51)
    public static let keyboardUpArrow = UIKeyboardHIDUsage(0x52)
    public static let keyboardLeftControl = UIKeyboardHIDUsage(0xe0)
    public static let keyboardLeftShift = UIKeyboardHIDUsage(0xe1)
    public static let keyboardLeftAlt = UIKeyboardHIDUsage(0xe2)
    public static let keyboardLeftGUI = UIKeyboardHIDUsage(0xe3)
    public static let keyboardRightControl = UIKeyboardHIDUsage(0xe4)
    public static let keyboardRightShift = UIKeyboardHIDUsage(0xe5)
    public static let keyboardRightAlt = UIKeyboardHIDUsage(0xe6)
    public static let keyboardRightGUI = UIKeyboardHIDUsage(0xe7)
}

extension UIKeyModifierFlags {
    /// The modifier of a key while it is held; nil for a key that is not a held modifier.
    init?(held key: UIKeyboardHIDUsage) {
        switch key {
        case .keyboardLeftShift, .keyboardRightShift: self = .shift
        case .keyboardLeftControl, .keyboardRightControl: self = .control
        case .keyboardLeftAlt, .keyboardRightAlt: self = .alternate
        case .keyboardLeftGUI, .keyboardRightGUI: self = .command
        default: return nil
        }
    }
}

/// The layout of a US keyboard.
enum KeyboardLayout {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
    private static let digits = (plain: Array("1234567890"), shifted: Array("!@#$%^&*()"))
    /// The characters of the usages from 0x2D on. No US keyboard has the usage 0x32.
    private static let signs = (plain: Array("-=[]\\#;'`,./"), shifted: Array("_+{}|~:\"~<>?"))

    /// The characters of a key, alone and with shift.
    static func characters(of key: UIKeyboardHIDUsage) -> (plain: String, shifted: String) {
        let usage = key.rawValue
        switch usage {
        case 0x04...0x1D:
            let letter = String(letters[usage - 0x04])
            return (letter, letter.uppercased())
        case 0x1E...0x27: return (String(digits.plain[usage - 0x1E]), String(digits.shifted[usage - 0x1E]))
        case 0x2D...0x38: return (String(signs.plain[usage - 0x2D]), String(signs.shifted[usage - 0x2D]))
        default: break
        }
        let named =
            switch key {
            case .keyboardReturnOrEnter: "\r"
            case .keyboardEscape: UIKeyCommand.inputEscape
            case .keyboardDeleteOrBackspace: UIKeyCommand.inputDelete
            case .keyboardTab: "\t"
            case .keyboardSpacebar: " "
            case .keyboardHome: UIKeyCommand.inputHome
            case .keyboardEnd: UIKeyCommand.inputEnd
            case .keyboardPageUp: UIKeyCommand.inputPageUp
            case .keyboardPageDown: UIKeyCommand.inputPageDown
            case .keyboardUpArrow: UIKeyCommand.inputUpArrow
            case .keyboardDownArrow: UIKeyCommand.inputDownArrow
            case .keyboardLeftArrow: UIKeyCommand.inputLeftArrow
            case .keyboardRightArrow: UIKeyCommand.inputRightArrow
            case .keyboardF1: UIKeyCommand.f1
            case .keyboardF2: UIKeyCommand.f2
            case .keyboardF3: UIKeyCommand.f3
            case .keyboardF4: UIKeyCommand.f4
            case .keyboardF5: UIKeyCommand.f5
            case .keyboardF6: UIKeyCommand.f6
            case .keyboardF7: UIKeyCommand.f7
            case .keyboardF8: UIKeyCommand.f8
            case .keyboardF9: UIKeyCommand.f9
            case .keyboardF10: UIKeyCommand.f10
            case .keyboardF11: UIKeyCommand.f11
            case .keyboardF12: UIKeyCommand.f12
            default: ""
            }
        return (named, named)
    }
}

/// A set of modifier keys.
public struct UIKeyModifierFlags: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let alphaShift = UIKeyModifierFlags(rawValue: 1 << 16)
    public static let shift = UIKeyModifierFlags(rawValue: 1 << 17)
    public static let control = UIKeyModifierFlags(rawValue: 1 << 18)
    public static let alternate = UIKeyModifierFlags(rawValue: 1 << 19)
    public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
    public static let numericPad = UIKeyModifierFlags(rawValue: 1 << 21)
}
