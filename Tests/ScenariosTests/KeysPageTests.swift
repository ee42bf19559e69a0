import Foundation
import Recordings
@testable import Scenarios
import Testbed
import Testing

/// Sections of Docs/Reference/Scenarios.md are generated from the tables of keys and classes.
@Suite("Docs/Reference/Scenarios.md")
struct KeysPageTests {
    private static let path = "Docs/Reference/Scenarios.md"

    @Test("the section Keys of Docs/Reference/Scenarios.md matches the tables of keys")
    func section() throws { try expectSection("## Keys", of: Self.path, equals: Self.text) }

    @Test("the class names of Docs/Reference/Scenarios.md match the tables of classes")
    func classes() throws {
        func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
        let recognizers = GestureClasses.all.map(\.name)
        let rows = [
            ["views and controls of UIKit", list(SceneClasses.uikit.map(\.name))],
            ["controllers of UIKit", "`UIViewController`"],
            ["recognizers", list(recognizers)],
            ["views of this project", list(SceneClasses.names)],
        ]
        try expectSection("### Class names", of: Self.path, equals: markdownTable(["of", "names for `class:`"], rows))
    }

    @Test("each finger line of Docs/Reference/Scenarios.md can be parsed")
    func fingerLines() throws {
        let lines = try WrittenCells(of: Self.path).firstCells(below: "## Script lines")
        #expect(lines.count == 8)
        for line in lines {
            let text = line.replacing("`", with: "")
            let before =
                text.hasPrefix("down") || text.hasPrefix("axes") || text.hasPrefix("scan") ? "" : "down f1 (1,1) @0\n"
            let isStart = text.hasPrefix("tap") || text.hasPrefix("stroke")
            #expect(throws: Never.self) { try FingerScript(parsing: isStart ? text : before + text) }
        }
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
            A test writes this section from the tables in `Sources/Scenarios/Keys`. An absent key without a default changes nothing; an absent
            property of UIKit has the default of its class. *set* marks the properties that a `set` line of the script can change. A key of a
            view has no effect on a class that *classes* does not list. An unknown key is an error, which names the nearest known key or all
            keys.

            ### Scenario

            \(table(ScenarioDocument.keys))

            A scene file in `Config/Scenes` has these keys: \(sceneKeys). The first four have no effect there.

            ### App

            \(table(AppSpec.keys))

            ### Window

            A window has the keys of a [view](#view), and these:

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

            A key that the class of the recognizer does not have is an error.

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
        return markdownTable(["key", "value", "default", "classes", "*set*", "meaning"], rows)
    }
}
