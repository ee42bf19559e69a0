import Configuration
import Foundation
import Settings
import Testbed
import Testing

/// Docs/Reference/Settings.md is generated from the declarations of Sources/Settings.
@Suite("Docs/Reference/Settings.md")
struct SettingsPageTests {
    @Test("Docs/Reference/Settings.md matches the declared settings")
    func page() {
        var sections = ["group"]
        for key in Settings.keys where !sections.contains(Self.section(of: key.name)) {
            sections.append(Self.section(of: key.name))
        }
        var text = Self.head
        text += "\n| section | settings of |\n| --- | --- |\n"
        for section in sections {
            text += "| [\(section)](#\(section.lowercased())) | \(Self.subjects[section] ?? "") |\n"
        }
        for section in sections {
            let keys = Settings.keys.filter { Self.section(of: $0.name) == section }
            let apps = ["`group.apps`", "whole number", "", "1", "0 to 128", "how many apps are started", "invented"]
            let rows = (section == "group" ? [apps] : []) + keys.map(Self.row)
            let titles = ["setting", "type", "unit", "default", "values", "meaning", "source"]
            text += "\n## \(section)\n\n\(markdownTable(titles, rows))\n"
        }
        expectDocument("Docs/Reference/Settings.md", equals: text)
    }

    @Test("each setting has a meaning, and each section a subject")
    func complete() throws {
        for key in Settings.keys {
            #expect(key.meaning.count > key.unit.count + 3, "\(key.name) has no meaning")
            #expect(Self.subjects[Self.section(of: key.name)] != nil, "section \(Self.section(of: key.name))")
        }
        let page = try WrittenCells(of: "Docs/Reference/Settings.md")
        let rows = Set(Self.subjects.keys.flatMap { page.firstCells(below: "## \($0)") })
        #expect(rows == Set(Configuration.names.map { "`\($0)`" }), "a setting is missing on the page")
    }

    @Test("no document or configuration shows the former name of a setting")
    func formerNames() throws {
        let folder = Repository.root.appending(path: "Docs")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(pages.count > 100)
        for path in pages.map({ "Docs/\($0)" }) + ["README.md", "Config/pipeline.yaml", "Config/topology.yaml"] {
            let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
            for name in Settings.renamed.map(\.key) {
                let isShown = text.range(
                    of: "(?<![\\w.])\(NSRegularExpression.escapedPattern(for: name))(?![\\w.])",
                    options: .regularExpression)
                #expect(isShown == nil, "\(path): \(name) has another name now")
            }
        }
    }

    private static let head = """
        # Settings

        Written by a test, from the declarations in `Sources/Settings`. A setting configures a group of processes or a played scenario.
        These commands and files change a setting. `--set` wins over the configuration file. For one app, its keys in the topology win over both.

        | where | form | example |
        | --- | --- | --- |
        | `touchline up --config FILE` | a YAML file with some of the keys of [Config/pipeline.yaml](../../Config/pipeline.yaml) | `server: { displayRate: 60 }` |
        | `touchline up --topology FILE` | settings of one app: the keys of section [app](#app) without `app.` ([Supervision](../Internals/Supervision.md#apps-of-a-group)) | `- { sample: photo, display: 2 }` |
        | `touchline up --set KEY=VALUE` | one setting; the option can be repeated | `--set server.displayRate=60` |
        | `config:` of a scenario | settings of the played group ([Scenarios](Scenarios.md#keys)) | `config: { hitTest.passes: 2 }` |

        `touchline up` reads `Config/pipeline.yaml` when it is started in the folder of this project. An unknown key and a value outside
        the listed values are errors, which name the nearest key or the expected values.

        The column *source* says how the default is known: a rule of the [specification](../Spec/README.md), a fault or threat of
        [Pipeline](../Spec/Pipeline.md), Apple's name for it, or *invented*. [Fidelity](Fidelity.md#numbers) lists the settings that imitate
        iOS. Probabilities of faults and gestures are no settings: they are in profiles
        ([Simulation](../Internals/Simulation.md#fault-profiles), [Monkey](../Internals/Monkey.md)).

        """

    private static let subjects = [
        "group": "the group as a whole: its apps and their URL schemes",
        "screen": "the size, scale and rotation of the displays",
        "frame": "the rate of an app's display frames",
        "app": "one app: its content, its orientation, the delivery of input",
        "hitTest": "the search for the view under a touch",
        "responder": "the responder chain",
        "touch": "the counting of taps of a touch",
        "control": "tracking by controls: switches, steppers",
        "tap": "`UITapGestureRecognizer`",
        "longPress": "`UILongPressGestureRecognizer`",
        "shortDoubleTap": "`UIShortTapGestureRecognizer`",
        "pan": "`UIPanGestureRecognizer`",
        "swipe": "`UISwipeGestureRecognizer`",
        "pinch": "`UIPinchGestureRecognizer`",
        "rotation": "`UIRotationGestureRecognizer`",
        "edgePan": "`UIScreenEdgePanGestureRecognizer`",
        "gesture": "all recognizers",
        "delay": "touches that recognizers hold back from their view",
        "scroll": "scroll views: content touches, deceleration, bouncing",
        "order": "orders that iOS leaves open",
        "table": "table views",
        "device": "live touch devices that input-kit reads",
        "server": "the system server: flow control, display frames, unresponsive apps",
        "systemGesture": "the server's own gestures: home, app switcher, centres",
        "screenshot": "the screenshot's chord of keys",
        "gate": "an app's wait for the server's decision about an edge",
        "probes": "conformance lines of the processes",
        "trace": "what facts may reveal",
        "remote": "apps on other machines",
        "host": "every process of the group: threads, limits, files",
        "journal": "the recorded inputs of each process",
        "chaos": "faults of a running group",
        "supervisor": "starts, restarts and ends of processes",
    ]

    private static func section(of name: String) -> String { String(name.prefix { $0 != "." }) }

    private static func row(_ key: Settings.Declaration) -> [String] {
        let (type, values) = form(of: key)
        let standard = key.standard.isEmpty ? "empty" : key.standard
        return ["`\(key.name)`", type, key.unit, standard, values, key.meaning, key.source]
    }

    /// The type of a setting's value and the values that it allows.
    private static func form(of key: Settings.Declaration) -> (type: String, values: String) {
        switch key.kind {
        case .number(let range):
            (
                key.isWhole ? "whole number" : "number",
                "\(number(range.lowerBound)) to \(number(range.upperBound))"
            )
        case .word(let words): ("word", words.map { "`\($0)`" }.joined(separator: ", "))
        case .words(let words):
            ("list of words", "`all`, or some of " + words.map { "`\($0)`" }.joined(separator: ", "))
        case .flag: ("flag", "`true`, `false`")
        case .text: ("text", "")
        case .cpus: ("list of CPUs", "`0` or `0,1`")
        case .schemes: ("list of URL schemes", "")
        case .displays: ("list of displays", "`1024x768@2`")
        case .panels: ("list of devices", "`Wacom=2`")
        }
    }

    /// A number without a fraction of zero.
    private static func number(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}
