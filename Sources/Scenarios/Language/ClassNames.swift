// ClassNames.swift: the class names that a scenario may use.
//
// Input     the tables of classes in SceneClasses and GestureClasses
// Output    the key `class:` (full names, suggestions), SceneBuilder
// Knows     names only

/// The names of UIKit's classes that a scene can contain.
enum ClassNames {
    static let views = SceneClasses.uikit.map(\.name)
    static let controllers = ["UIViewController"]
    /// The recognizers of UIKit, the short tap of seed 1, and the project's scripted recognizer.
    static let gestures = GestureClasses.all.map(\.name)

    /// Returns the full name of a class that is written in full or short: `Pan`, `Button`.
    static func viewClass(_ word: String) -> String? {
        full(word, prefix: "UI", suffix: "", among: views + SceneClasses.names)
    }

    static func controllerClass(_ word: String) -> String? {
        full(word, prefix: "UI", suffix: "", among: controllers)
    }

    static func gestureClass(_ word: String) -> String? {
        full(word, prefix: "UI", suffix: "GestureRecognizer", among: gestures)
    }

    private static let superclasses = Dictionary(
        uniqueKeysWithValues: SceneClasses.uikit.compactMap { row in row.superclass.map { (row.name, $0) } }
            + GestureClasses.all.compactMap { row in row.superclass.map { (row.name, $0) } })

    /// - Parameter className: The full name of one of UIKit's classes.
    static func isKind(_ className: String, of ancestor: String) -> Bool {
        className == ancestor || superclasses[className].map { isKind($0, of: ancestor) } == true
    }

    /// Returns a suggestion for a misspelt class name, in full or short.
    static func suggestion(for word: String, among known: [String], suffix: String = "") -> String {
        let short = known.map {
            $0.hasPrefix("UI") && $0.hasSuffix(suffix) ? $0.dropFirst(2).dropLast(suffix.count) : ""
        }
        return Scenarios.suggestion(for: word, among: known + short.filter { !$0.isEmpty }.map(String.init))
    }

    private static func full(_ word: String, prefix: String, suffix: String, among known: [String]) -> String? {
        known.first { $0 == word } ?? known.first { $0 == prefix + word + suffix }
            ?? known.first { $0 == prefix + word || $0 == word + suffix }
    }
}
