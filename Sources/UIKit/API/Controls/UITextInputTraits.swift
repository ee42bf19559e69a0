// UITextInputTraits.swift: properties of a text and of the keyboard that edits it. There is no keyboard on screen here.
//
// Sources   documented  UITextInputTraits: names

/// The keys of a keyboard. No effect here.
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
    case decimalPad, twitter, webSearch, asciiCapableNumberPad
}

/// The title of the return key. No effect here.
public enum UIReturnKeyType: Int, Sendable {
    case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
}

/// Whether letters become capital letters. No effect here.
public enum UITextAutocapitalizationType: Int, Sendable { case none, words, sentences, allCharacters }

/// Whether text is corrected. No effect here.
public enum UITextAutocorrectionType: Int, Sendable { case `default`, no, yes }

/// Whether the spelling is checked. No effect here.
public enum UITextSpellCheckingType: Int, Sendable { case `default`, no, yes }

/// The appearance of a keyboard. No effect here.
public enum UIKeyboardAppearance: Int, Sendable { case `default`, dark, light }
