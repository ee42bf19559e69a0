// ClassNames.swift: which class names a scenario may use.
//
// Fed by    the tables of classes in SceneClasses and GestureClasses
// Feeds     the keys `class:` (spelling), SceneBuilder (making)
// Knows     words only

/// UIKit's classes that a scene can hold.
enum ClassNames {
    static let views = SceneClasses.uikit.map(\.name)
    static let controllers = ["UIViewController"]
    /// UIKit's, the seed's short tap, and Touchline's own that does what its scenario says.
    static let gestures = GestureClasses.all.map(\.name)

    /// The full name of a class written in full or short: `Pan`, `Button`.
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

    /// - Parameter className: One of UIKit's, in full.
    static func isKind(_ className: String, of ancestor: String) -> Bool {
        className == ancestor || superclasses[className].map { isKind($0, of: ancestor) } == true
    }

    /// What a misspelt class name probably meant, written in full or short.
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
