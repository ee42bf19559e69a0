import Configuration
import Foundation
import Settings
import Testbed
import Testing
import Wire

@Suite("The configuration")
struct ConfigurationTests {
    private func problems(_ yaml: String) -> String {
        do throws(InvalidConfiguration) {
            _ = try Configuration(yaml: yaml, file: "p.yaml")
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("nested YAML keys equal dotted ones, and missing keys keep defaults")
    func nested() throws {
        let configuration = try Configuration(
            yaml: """
                group: { apps: 3 }
                screen:
                  width: 414
                supervisor.backoffLimit: 2.5
                host:
                  spin: yes
                """, file: "p.yaml")
        #expect(configuration.apps == 3)
        #expect(configuration.settings[.screenWidth] == 414)
        #expect(configuration.settings[.screenHeight] == 667)
        #expect(configuration.settings[.supervisorBackoffLimit] == .milliseconds(2500))
        #expect(configuration.settings[.hostSpin])
        #expect(configuration.settings.changed.map(\.key) == ["screen.width", "host.spin", "supervisor.backoffLimit"])
    }

    private func doublings(_ count: Int) -> [String] {
        ["a0: &a0 {}"] + (1...count).map { "a\($0): &a\($0) {p: *a\($0 - 1), q: *a\($0 - 1)}" }
    }

    @Test("T8: nested YAML anchors are refused at a limit", .timeLimit(Sanitizer.timeLimit))
    func anchors() {
        let many = doublings(15).joined(separator: "\n")
        #expect(problems(many).hasSuffix("expected at most 10000 values, found more"))
        let tooMany = doublings(40).joined(separator: "\n")
        #expect(problems(tooMany) == "p.yaml:18: expected at most 32 aliases (*name) in one file, found more")
    }

    @Test("T8: nested YAML anchors in keys are refused at a limit", .timeLimit(Sanitizer.timeLimit))
    func anchorsInKeys() {
        #expect(problems((doublings(40) + ["? *a40", ": x"]).joined(separator: "\n")).hasSuffix("found more"))
        #expect(problems((doublings(15) + ["? *a15", ": x"]).joined(separator: "\n")).hasSuffix("found more"))
    }

    @Test("a key may appear once, quoted or not")
    func sameKey() {
        #expect(problems("7: a\n\"7\": b") == "p.yaml:1: expected each key once, found again: 7")
    }

    @Test("an empty file or one of comments is a configuration", arguments: ["", "\n", "# nothing\n", "---\n"])
    func empty(yaml: String) { #expect(problems(yaml) == "") }

    @Test(
        "a wrong configuration line is named with expectation and finding",
        arguments: [
            ("screen:\n  widht: 3", "p.yaml:2: unknown key screen.widht; did you mean screen.width?"),
            ("scren:\n  width: 3", "p.yaml:2: unknown key scren.width; did you mean screen.width?"),
            ("gruop: {apps: 1}", "p.yaml:1: unknown key gruop.apps; did you mean group.apps?"),
            ("colour: red", "p.yaml:1: unknown key colour"),
            (
                "screen:\n  width: wide",
                "p.yaml:2: screen.width: expected a number from 1.0 to 100000.0, found \"wide\""
            ),
            (
                "screen:\n  width:",
                "p.yaml:2: screen.width: expected a number from 1.0 to 100000.0, found nothing"
            ),
            ("screen:\n  rotation: 45", "p.yaml:2: screen.rotation: expected 0 or 90 or 180 or 270, found \"45\""),
            ("host:\n  spin: maybe", "p.yaml:2: host.spin: expected true or false, found \"maybe\""),
            ("group:\n  apps: 1.5", "p.yaml:2: group.apps: expected a whole number from 0 to 128, found \"1.5\""),
            ("group:\n  apps: 4000", "p.yaml:2: group.apps: expected a whole number from 0 to 128, found \"4000\""),
            ("screen:\n  width: [1]", "p.yaml:2: screen.width: expected a value, found a list"),
            ("screen: 5", "p.yaml:1: screen: expected a section of keys (screen.width, …), found \"5\""),
            ("- screen", "p.yaml:1: expected a value, found a list"),
            ("just words", "p.yaml:1: expected sections of keys, found \"just words\""),
        ])
    func wrong(yaml: String, line: String) { #expect(problems(yaml) == line) }

    @Test("all configuration errors are reported at once in file order")
    func several() {
        #expect(
            problems("screen:\n  width: wide\n  hight: 3\nhost: {spinn: no}").split(separator: "\n") == [
                "p.yaml:2: screen.width: expected a number from 1.0 to 100000.0, found \"wide\"",
                "p.yaml:3: unknown key screen.hight; did you mean screen.height?",
                "p.yaml:4: unknown key host.spinn; did you mean host.spin?",
            ])
    }

    @Test("invalid YAML is reported by line", arguments: ["screen:\n\twidth: 3", "a: [1", "a: 1\na: 2", "\"", "*x"])
    func noYAML(yaml: String) {
        let text = problems(yaml)
        #expect(text.hasPrefix("p.yaml:"))
        #expect(!text.contains("\n"))
    }

    @Test("an unreadable configuration file is reported in one line")
    func files() throws {
        func problem(_ path: String) -> String {
            do throws(InvalidConfiguration) {
                _ = try Configuration(contentsOf: path)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(problem("/nowhere/p.yaml") == "/nowhere/p.yaml: no such file")
        #expect(problem("/") == "/: expected a file, found a folder")
        #expect(problem("/dev/zero") == "/dev/zero: expected a file, found something else")
        let file = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        // No process writes into the FIFO, so a reader that waits would wait for ever.
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(problem(file.path) == "\(file.path): expected a file, found something else")
        unlink(file.path)
        try Data([0xff, 0xfe, 0x41]).write(to: file)
        #expect(problem(file.path) == "\(file.path): expected UTF-8 text, found other bytes")
    }

    @Test("old keys of a file are refused with the new names")
    func renamed() {
        #expect(
            problems("trace:\n  places: true\nserver.lease: 1")
                == "p.yaml:2: trace.places: this setting is called trace.positions now\n"
                + "p.yaml:3: server.lease: this setting is called server.suspensionLimit now")
    }

    @Test("--set accepts the same keys with the same error messages")
    func assignments() throws {
        var configuration = Configuration()
        try configuration.set(assignment: "host.affinity=1")
        try configuration.set(assignment: "app.scene=a=b")
        try configuration.set(assignment: "group.apps=2")
        #expect(configuration.settings[.hostAffinity] == "1")
        #expect(configuration.settings[.appScene] == "a=b")
        #expect(configuration.apps == 2)
        #expect(throws: SettingsError.unknown("host.spni", nearest: "host.spin")) {
            try configuration.set(assignment: "host.spni=1")
        }
        #expect(throws: SettingsError.renamed("trace.places", to: "trace.positions")) {
            try configuration.set(assignment: "trace.places=true")
        }
        #expect(throws: SettingsError.badValue(key: "--set", value: "\"host.spin\"", expected: "key=value")) {
            try configuration.set(assignment: "host.spin")
        }
    }

    @Test("Config/pipeline.yaml contains every key with its default")
    func complete() throws {
        expectDocument("Config/pipeline.yaml", equals: Configuration.defaultText)
        let read = try Configuration(contentsOf: Repository.root.appending(path: "Config/pipeline.yaml").path)
        #expect(read.settings.changed.isEmpty)
        #expect(read.apps == 1)
        for name in Configuration.names {
            let word = name.split(separator: ".").last!
            let indent = name.contains(".") ? "  " : ""
            #expect(Configuration.defaultText.contains("\n\(indent)\(word): "))
        }
    }
}
