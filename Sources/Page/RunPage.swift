// RunPage.swift: a run as one HTML file.
//
//     RunRecord ─JSON─┐
//     Components ─────┼─▶ one text: styles, data, script
//     PageWord ───────┘
//
// The file loads nothing. Its policy allows exactly the styles and the script inside, by their digests, and the data is
// JSON, which is not executed. Each script of Components is a module of its own; here they are joined to one.
//
// Input     `touchline report`
// Output    a text
// Knows     no run, no clock, no file
//
// Sources   documented  HTML; Content Security Policy Level 3, section 6.7.2

public import Explain
import Wire

/// A page about a run.
public struct RunPage: Sendable {
    /// The name of the run, as a person wrote it.
    public var name: String
    public var record: RunRecord
    public var language: Language

    public init(_ record: RunRecord, name: String, language: Language = .english) {
        (self.record, self.name, self.language) = (record, name, language)
    }

    /// The whole file.
    public var html: String {
        let (style, script) = (Self.style, Self.script)
        let policy =
            "default-src 'none'; script-src '\(Self.digest(script))'; style-src '\(Self.digest(style))'; "
            + "base-uri 'none'; form-action 'none'"
        let words = PageWord.allCases.map { ($0.rawValue, JSONText.string($0.text(in: language))) }
        let data = JSONText.object([
            ("name", .string(name)), ("language", .string(language.rawValue)), ("words", .object(words)),
            ("run", record.json(in: language)),
        ])
        let title = "\(PageWord.title.text(in: language)): \(name)"
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(Self.escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <main id="page"><noscript><p>\(Self.escaped(PageWord.noScript.text(in: language)))</p></noscript></main>
            <script type="application/json" id="data">\(data.text)</script>
            <script type="module">\(script)</script>
            </body>
            </html>

            """
    }

    // MARK: Components

    /// The scripts, each after those that it imports.
    package static let modules: [(name: String, text: String)] = [
        ("markup.js", text(PackageResources.markup_js)), ("run.js", text(PackageResources.run_js)),
        ("playback.js", text(PackageResources.playback_js)), ("screen.js", text(PackageResources.screen_js)),
        ("phone.js", text(PackageResources.phone_js)),
        ("timeline.js", text(PackageResources.timeline_js)), ("explanation.js", text(PackageResources.explanation_js)),
        ("latency.js", text(PackageResources.latency_js)), ("facts.js", text(PackageResources.facts_js)),
        ("page.js", text(PackageResources.page_js)),
    ]

    package static let style = text(PackageResources.page_css)

    /// All modules as one. A module has one line for each import and `export` only at the beginning of a line.
    package static let script: String = modules.map { module in
        module.text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> Substring? in
            if line.hasPrefix("import ") { return nil }
            return line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
        }.joined(separator: "\n")
    }.joined(separator: "\n")

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Text

    /// `sha256-` and the digest in base 64.
    package static func digest(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bytes = SHA256.digest(of: Array(text.utf8)).flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                out.append(
                    place <= group.count
                        ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return "sha256-" + String(decoding: out, as: UTF8.self)
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
