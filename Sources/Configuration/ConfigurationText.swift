// ConfigurationText.swift: the table of keys as a YAML file for people to copy. A test keeps Config/pipeline.yaml equal
// to this text.

import Settings

extension Configuration {
    /// Every key at its default, below its meaning and its source.
    public static var defaultText: String {
        var text = """
            # Everything a group can be configured with, each key at its default.
            #
            # Written by ConfigurationTests from Sources/Settings. `touchline up` reads it when it is given in this
            # project's folder; elsewhere, copy it, keep the lines you change, and start with `touchline up --config FILE`,
            # or change single keys with `touchline up --set key=value`.

            group:
              # how many apps are started
              apps: 1

            """
        var section = "group"
        for key in Settings.keys {
            let words = key.name.split(separator: ".", maxSplits: 1).map(String.init)
            let (home, word) = words.count == 2 ? (words[0], words[1]) : ("", words[0])
            if home != section {
                section = home
                text += home.isEmpty ? "\n" : "\n\(home):\n"
            }
            let indent = home.isEmpty ? "" : "  "
            text += "\(indent)# \(key.meaning)"
            switch key.kind {
            case .number(let range): text += "; \(short(range.lowerBound)) to \(short(range.upperBound))"
            case .word(let words) where words.count > 1: text += "; \(words.joined(separator: ", "))"
            case .words(let words): text += "; all, or some of \(words.joined(separator: ","))"
            case .word, .flag, .text, .cpus, .schemes, .displays, .panels: break
            }
            if key.source != "invented" { text += " (\(key.source))" }
            text += "\n\(indent)\(word): \(key.standard.isEmpty ? "\"\"" : key.standard)\n"
        }
        return text
    }
}
