// LocaleOption.swift: --locale, the option of every command that writes in several languages.

import ArgumentParser
import Explain

/// The language of a result.
struct LocaleOption: ParsableArguments {
    @Option(
        name: .customLong("locale"), help: ArgumentHelp("The language: en, ja or zh.", valueName: "language"),
        transform: { text in
            guard let language = Language(rawValue: text) else {
                throw ValidationError("--locale: expected en, ja or zh, found \(text)")
            }
            return language
        })
    var language = Language.english
}
