// TranslatedWord.swift: a text of a page in every language.
//
// Input     PageWord, InspectWord
// Output    text
//
// Sources   invented

package import Explain

/// A text that a page shows in the language of its reader.
package protocol TranslatedWord {
    /// English, Japanese and Chinese.
    var words: (String, String, String) { get }
}

extension TranslatedWord {
    package func text(in language: Language) -> String {
        let (english, japanese, chinese) = words
        switch language {
        case .english: return english
        case .japanese: return japanese
        case .chinese: return chinese
        }
    }
}
