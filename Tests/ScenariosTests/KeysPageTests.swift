import Foundation
@testable import Scenarios
import Testbed
import Testing

/// The section Keys of Docs/Reference/Scenarios.md is generated from the tables of keys.
@Suite("The section Keys of Docs/Reference/Scenarios.md")
struct KeysPageTests {
    @Test("the section Keys of Docs/Reference/Scenarios.md matches the tables of keys")
    func section() throws {
        let page = try String(
            contentsOf: Repository.root.appending(path: "Docs/Reference/Scenarios.md"), encoding: .utf8)
        let start = try #require(page.range(of: "\n## Keys\n"))
        let end = try #require(page.range(of: "\n## ", range: start.upperBound..<page.endIndex))
        let text = page[..<start.lowerBound] + Self.text + page[end.lowerBound...]
        expectDocument("Docs/Reference/Scenarios.md", equals: String(text))
    }

    @Test("each table of keys has unique keys, each with a meaning")
    func keys() {
        func check<Spec>(_ table: KeyTable<Spec>) {
            let names = table.keys.map(\.name)
            #expect(Set(names).count == names.count, "\(table.subject)")
            for key in table.keys { #expect(!key.meaning.isEmpty, "\(key.name) of \(table.subject)") }
        }
        check(ScenarioDocument.keys)
        check(SceneFields.keys)
        check(AppSpec.keys)
        check(WindowSpec.keys)
        check(ControllerSpec.keys)
        check(ViewSpec.keys)
        check(TransformSpec.keys)
        check(ControlAction.keys)
        check(GestureSpec.keys)
        check(GestureDelegateSpec.keys)
    }

    private static var text: String {
        let ofWindows = WindowSpec.keys.keys.filter { key in !ViewSpec.keys.keys.contains { $0.name == key.name } }
        let sceneKeys = SceneFields.keys.keys.map { "`\($0.name)`" }.joined(separator: ", ")
        return """

            ## Keys

            Written by a test, from the tables in `Sources/Scenarios/Keys`. A key without a default has no effect where it is absent; of a
            property of UIKit's the class's own default holds. *set* marks the properties that a script's `set` line takes as well.
            On another class than *classes* says a view's key has no effect. An unknown key is an error that names the nearest known one,
            or all of them.

            ### Scenario

            \(table(ScenarioDocument.keys))

            A scene file in `Config/Scenes` has these: \(sceneKeys); the first four have no effect in it.

            ### App

            \(table(AppSpec.keys))

            ### Window

            Those of a view, and:

            \(table(KeyTable(WindowSpec.keys.subject, start: WindowSpec.keys.start, ofWindows)))

            ### Controller

            \(table(ControllerSpec.keys))

            ### View

            \(table(ViewSpec.keys, onlySet: ViewProperties.all.filter { $0.use == .set }.map { ($0.name, $0.kind, $0.meaning) }))

            ### Transform

            \(table(TransformSpec.keys))

            ### Control action

            `on: { touchUpInside: click }` is short for `on: { touchUpInside: { action: click } }`; an event may have a list of actions. Events
            are UIControl's: \(ControlAction.events.map { "`\($0)`" }.joined(separator: ", ")).

            \(table(ControlAction.keys))

            ### Recognizer

            A key that the recognizer's class has not is an error.

            \(table(GestureSpec.keys))

            ### Delegate of a recognizer

            \(table(GestureDelegateSpec.keys))

            """
    }

    /// - Parameter onlySet: Properties that no key sets.
    private static func table<Spec>(
        _ table: KeyTable<Spec>, onlySet: [(name: String, kind: PropertyKind, meaning: String)] = []
    ) -> String {
        let keys = table.keys.map { key in
            [
                "`\(key.name)`", key.text, key.isRequired ? "required" : key.standard(table.start),
                key.classes.joined(separator: ", "), key.isSettable ? "yes" : "", key.meaning,
            ]
        }
        let properties = onlySet.map { ["`\($0.name)`", $0.kind.form.text, "", "", "only", $0.meaning] }
        let rows = keys + properties
        let titles = ["key", "value", "default", "classes", "*set*", "meaning"]
        // An empty column is left out.
        let columns = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let lines = ([titles, titles.map { _ in "---" }] + rows).map { cells in
            "| \(columns.map { cells[$0] }.joined(separator: " | ")) |"
        }
        return lines.joined(separator: "\n")
    }
}
