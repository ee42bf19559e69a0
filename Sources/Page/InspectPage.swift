// InspectPage.swift: the page of `touchline inspect`, and the files that it loads.
//
//     InspectPage ─▶ html: words, one script      Components ─▶ modules and styles, one by one
//
// The page loads its modules from its own server and opens one WebSocket to it. Its policy allows nothing else.
//
// Input     the server of `touchline inspect`
// Output    texts
// Knows     no group, no socket, no token
//
// Sources   documented  HTML; Content Security Policy Level 3

public import Explain
import Trace

/// The page that a person touches a running group with.
public struct InspectPage: Sendable {
    public var language: Language

    public init(language: Language = .english) { self.language = language }

    /// The value of the header `Content-Security-Policy`.
    ///
    /// - Parameter host: Name and port of the server, as in `127.0.0.1:8650`. Not every browser counts a WebSocket of the
    ///   page's own server as `'self'`.
    public static func policy(host: String) -> String {
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws://\(host); img-src data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    /// The document. It contains the words and nothing of the group.
    public var html: String {
        let words =
            PageWord.allCases.map { ($0.rawValue, JSONText.string($0.text(in: language))) }
            + InspectWord.allCases.map { ($0.rawValue, JSONText.string($0.text(in: language))) }
        let data = JSONText.object([
            ("language", .string(language.rawValue)), ("stations", .strings(Station.allCases.map(\.rawValue))),
            ("words", .object(words)),
        ])
        let preloads = Self.modules.map { "<link rel=\"modulepreload\" href=\"/components/\($0.name)\">" }
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(RunPage.escaped(InspectWord.inspector.text(in: language))) · Touchline</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/components/page.css">
            <link rel="stylesheet" href="/components/inspect.css">
            \(preloads.joined(separator: "\n"))
            </head>
            <body class="inspect">
            <div id="page"></div>
            <noscript><p>\(RunPage.escaped(InspectWord.needsScript.text(in: language)))</p></noscript>
            <script type="application/json" id="inspector-data">\(data.text)</script>
            <script type="module" src="/components/inspect.js"></script>
            </body>
            </html>

            """
    }

    // MARK: Components

    /// The scripts, each after those that it imports.
    package static let modules: [(name: String, text: String)] =
        RunPage.modules
        + [
            ("live.js", RunPage.text(PackageResources.live_js)), ("touch.js", RunPage.text(PackageResources.touch_js)),
            ("device.js", RunPage.text(PackageResources.device_js)),
            ("tabs.js", RunPage.text(PackageResources.tabs_js)), ("tree.js", RunPage.text(PackageResources.tree_js)),
            ("layers.js", RunPage.text(PackageResources.layers_js)), ("now.js", RunPage.text(PackageResources.now_js)),
            ("distribution.js", RunPage.text(PackageResources.distribution_js)),
            ("log.js", RunPage.text(PackageResources.log_js)),
            ("editor.js", RunPage.text(PackageResources.editor_js)),
            ("controls.js", RunPage.text(PackageResources.controls_js)),
            ("inspect.js", RunPage.text(PackageResources.inspect_js)),
        ]

    /// The files that the page loads from `/components/`, by their names: modules, and style sheets that end in `.css`.
    public static let components: [(name: String, text: String)] =
        modules + [("page.css", RunPage.style), ("inspect.css", RunPage.text(PackageResources.inspect_css))]
}
