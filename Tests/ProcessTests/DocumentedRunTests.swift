import Foundation
import Testbed
import Testing

/// Runs the command lines that README and Docs show, in a folder with the files that they name. An exit code above 1 means
/// that a reader cannot use the line as it is shown. Long runs are shortened, in the options that only set their length.
@Suite("Documented command lines that run", .serialized, .timeLimit(Sanitizer.timeLimit))
struct DocumentedRunTests {
    @Test("every documented command without a group can be used as shown")
    func alone() throws {
        let reader = try Reader()
        let commands = try Reader.commands { Reader.needs($0) == .nothing }
        #expect(commands.count > 60)
        for command in commands { try reader.expectUsable(command) }
    }

    @Test("every documented command for a running group can be used as shown")
    func running() throws {
        let reader = try Reader()
        let commands = try Reader.commands { Reader.needs($0) == .group }
        #expect(commands.count > 30)
        let group = try reader.group(["--app", "links", "--allow-chaos", "--set", "app.schemes=touchline-demo"])
        for command in commands { try reader.expectUsable(command) }
        #expect(try group.status().isReady)
    }

    @Test("every documented command for the journals of a run can be used as shown")
    func ended() throws {
        let reader = try Reader()
        let commands = try Reader.commands { Reader.needs($0) == .journals }
        #expect(commands.count > 4)
        let group = try reader.group([])
        #expect(try group.run("input", "tap", "100,100").status == 0)
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        for command in commands { try reader.expectUsable(command) }
    }

    @Test("every documented way to start a group starts one")
    func started() throws {
        let reader = try Reader()
        let commands = try Reader.commands { Reader.needs($0) == .start }
        #expect(commands.count > 4)
        for command in commands {
            do {
                let group = try reader.group(Array(command.arguments.dropFirst()))
                #expect(try group.status().isReady, "\(command)")
                #expect(try reader.run("touchline down").status == 0, "\(command)")
            }
            reader.endGroups()
        }
    }

    @Test("a served recording is recorded as the guide shows")
    func devices() throws {
        let reader = try Reader()
        let commands = try Reader.commands { Reader.needs($0) == .device }
        let server = try #require(commands.first { $0.text.contains("--serve") })
        let recorder = try #require(commands.first { $0.text.contains("touchline record") })
        #expect(commands.count == 2)
        let serving = try reader.start(server.text)
        _ = try serving.line(beginning: "plugged in: ")
        let recorded = try reader.run(recorder.text)
        #expect(recorded.status == 0, "\(recorder): \(recorded)")
        serving.signal(SIGINT)
    }

    @Test("each documented command runs, or a suite runs it")
    func complete() throws {
        let elsewhere = try Reader.commands { if case .elsewhere = Reader.needs($0) { true } else { false } }
        #expect(elsewhere.count < 25, "\(elsewhere)")
    }
}

/// A reader of the documents, with a folder for the files that they name.
private final class Reader {
    enum Needs: Equatable {
        case nothing, group, journals, start, device
        /// The suite that runs such commands, or the reason why none can.
        case elsewhere(String)
    }

    let folder: String
    private var groups: [LiveGroup] = []

    init() throws {
        folder = LiveGroup.newFolder()
        let files = FileManager.default
        for name in ["run", "tmp/dev", "Tests", "Sources", ".build/debug"] {
            try files.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for name in ["Config", "Tests/Conformance", "Sources/SampleApps"] {
            try files.copyItem(atPath: Repository.root.appending(path: name).path, toPath: "\(folder)/\(name)")
        }
        let card = try Self.blocks(of: "Docs/Tutorial/3-WriteAScenario.md").prefix(2).joined()
        let slip = try Self.blocks(of: "Docs/Tutorial/4-AskWhyATapFailed.md")[0]
        let script = try #require(slip.range(of: "script:"))
        let windows = try #require(card.range(of: "screen:"))
        let end = try #require(card.range(of: "script:"))
        let head = slip.split(separator: "\n").prefix(2).joined(separator: "\n")
        try write("card.yaml", card)
        try write("slip.yaml", "\(head)\n\(card[windows.lowerBound..<end.lowerBound])\(slip[script.lowerBound...])")
        try write("tiny.yaml", "name: tiny\nsearches:\n  - { kind: simulate, seeds: 1..2, minutes: 0.02 }\n")
        try write("FILE", "tap f1 (100,200) @0\n")
        let figure = #"{ "group": "windows", "case": "heap-search", "metric": "p50", "unit": "ns", "values": [1e15] }"#
        for name in ["before.json", "after.json"] { try write(name, #"{ "figures": [\#(figure)] }"#) }
        // The app of the package that the guides make.
        try files.createSymbolicLink(
            atPath: "\(folder)/.build/debug/CardsApp", withDestinationPath: Programs.path(of: "own-app"))
        let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path
        try files.copyItem(atPath: recording, toPath: "\(folder)/mine.evemu")
    }

    deinit {
        endGroups()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Ends the groups, whose run directories are in the folder.
    func endGroups() { groups = [] }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    /// The YAML blocks of a page.
    private static func blocks(of page: String) throws -> [String] {
        let text = try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    // MARK: Commands

    /// The documented commands, each once.
    static func commands(_ isWanted: (DocumentedCommand) -> Bool) throws -> [DocumentedCommand] {
        var texts: Set<String> = []
        return try DocumentedCommand.all().filter { isWanted($0) && texts.insert($0.text).inserted }
    }

    static func needs(_ command: DocumentedCommand) -> Needs {
        let words = command.arguments
        func has(_ texts: String...) -> Bool { texts.contains { command.text.contains($0) } }
        switch words[0] {
        case "up": return has("10.0.0.1") ? .elsewhere("RemoteProcessTests") : .start
        case "audit", "compare": return .journals
        case "explain":
            if has("--also") { return .elsewhere("RemoteProcessTests") }
            return has("--last", "RUN-DIR") ? .journals : .nothing
        case "export", "plot": return has("RUN-DIR") ? .journals : .nothing
        case "metrics": return .elsewhere("MetricsTests")
        case "inspect": return .elsewhere("InspectTests")
        case "report": return has("Config/", " S") ? .nothing : .journals
        case "replay": return has("--journal") ? .journals : .group
        case "record": return has("/tmp/dev/event0") ? .device : .elsewhere("a device of the reader")
        case "devices": return has("--serve") ? .device : .nothing
        case "input":
            if has("--print") { return .nothing }
            if has("app9") { return .elsewhere("RemoteProcessTests") }
            if has("--display 2") { return .elsewhere("DisplaysProcessTests") }
            return has("script -") ? .elsewhere("InputTests") : .group
        case "open", "monitor", "status", "dump", "top": return .group
        case "tree", "screenshot", "lint":
            return has("Config/", " S", "RUN-DIR") ? has("RUN-DIR") ? .journals : .nothing : .group
        case "down": return .elsewhere("started")
        case "monkey": return words[1] == "gestures" && !has("--simulated") ? .group : .nothing
        case "chaos":
            if words[1] == "list" { return .nothing }
            return words[1] == "F1" ? .group : .elsewhere("ChaosTests")
        case "soak": return .elsewhere("LongChaosTests")
        case "campaign":
            return has("--backend slurm") ? .elsewhere("Tools/check-campaign, which starts a cluster") : .nothing
        case "decode": return has("FILE.hid") ? .elsewhere("DecodeTests") : .nothing
        default: return .nothing
        }
    }

    /// The options that set the length of a run only, with their shorter values.
    private static let shorterValues = [
        "simulate": ["tries": "5"], "bench": ["seconds": "0.2"],
        "monkey": ["events": "60", "minutes": "0.02", "apps": "2"], "monitor": ["seconds": "0.2"],
        "record": ["seconds": "1"], "chaos": ["repeat": "1"],
    ]

    /// The command with shorter values, options that shorten it, and its files below the reader's folder.
    private func shortened(_ text: String) -> String {
        var text = text.replacing("/tmp/docs-rt/touchline", with: "RUN-DIR")
            .replacing("/run/user/1000/touchline", with: "RUN-DIR").replacing(" /tmp/", with: " \(folder)/tmp/")
            .replacing("RUN-DIR", with: "\(folder)/run/touchline")
            .replacing("NAME.yaml", with: "action-without-a-target.yaml")
        let words = text.split(separator: " ").map(String.init)
        for (option, value) in (Self.shorterValues[words[1]] ?? [:]).sorted(by: { $0.key < $1.key }) {
            text = text.replacing(try! Regex("--\(option) [^ ]+"), with: "--\(option) \(value)")
        }
        text = text.replacing(#/--seed 1\.\.\d+/#, with: "--seed 1..2")
        func add(_ option: String, _ value: String = "") {
            if !text.contains(option) { text += " \(option) \(value)" }
        }
        switch (words[1], words[2...].first) {
        case ("simulate", _): add("--minutes", "0.05")
        case ("top", _):
            add("--count", "1")
            add("--interval", "0.2")
        case ("conform", _):
            add("--mode", "direct")
            // All scenarios in real processes take minutes.
            if text.hasSuffix("host.transport=ring") { text += " S01" }
        case ("campaign", _):
            // The plans as they are would take minutes in a debug build. The first command of the guide makes the folder.
            text = text.replacing(#/(Config/Campaigns/)?(nightly|short)\.yaml/#, with: "tiny.yaml")
                .replacing(#/campaign-nightly|/mnt/campaigns/#, with: "\(folder)/tmp/campaign-short")
        case ("exhaust", _): text = "touchline exhaust --scans 1 --steps 4"
        case ("monkey", "gestures"):
            add("--events", "60")
            add("--shrink", "0")
        case ("monkey", "kills"):
            add("--minutes", "0.02")
            add("--no-timing")
        case ("bench", "cores"): text += " --frames 100 --repeat 1"
        case ("bench", "dispatch"):
            add("--case", "a")
            text = text.replacing("--case b", with: "--case a") + " --no-instructions --repeat 1 --seconds 0.001"
        case ("bench", "latency"):
            add("--seconds", "0.2")
            add("--repeat", "1")
        case ("bench", "hit-test"): text += " --views 100 --repeat 1 --seconds 0.001"
        case ("bench", "windows"): text += " --windows 100 --searches 1000"
        case ("bench", "all"):
            // The whole run takes minutes; BenchCommandTests runs one benchmark of it.
            text = text.replacing(#/ --quick| --tuned| --only [a-z -]+?(?= --|$)/#, with: "")
            text += " --only cores" + (text.contains("--counts") ? "" : " --counts")
            text = text.replacing(#/ --budgets [^ ]+/#, with: "")
        case ("bench", "growth"):
            // The axes of groups take minutes; BenchCommandTests runs one of them shortly.
            text = text.replacing(#/ --quick| --axis [a-z ]+?(?= --|$)/#, with: "")
            text += " --axis recognizers --quick --seconds 0.05"
        case ("bench", "counts"): text += " --frames 50 --repeat 1 --no-syscalls"
        case ("bench", "start"): add("--repeat", "1")
        case ("bench", "simulation"):
            text = text.replacing(#/--seed [^ ]+/#, with: "--seed 1")
            add("--seed", "1")
            text += " --minutes 0.02 --repeat 1"
        case ("bench", "throughput"): add("--seconds", "0.05")
        case ("bench", "decode"): text += " --megabytes 1 --repeat 1"
        default: break
        }
        return text
    }

    // MARK: Runs

    /// What the reader's shell starts with.
    private var prefix: [String] {
        ["/usr/bin/env", "-C", folder, "XDG_RUNTIME_DIR=\(folder)/run", "PATH=\(Programs.folder.path):/usr/bin:/bin"]
    }

    func start(_ text: String) throws -> Program {
        try Program(["-c", shortened(text)], of: "sh", in: URL(filePath: "/bin"), behind: prefix)
    }

    func run(_ text: String) throws -> (status: Int32, out: String, err: String) {
        let program = try start(text)
        return (try program.wait(seconds: 120), program.out, program.err)
    }

    /// The lines that are shown with their refusal.
    private static let refused = [
        "input tap 400,10", "input swipe --duration 2", "input swipe --distance 20 --duration 0.1",
        "input pinch 40,40 --scale 3",
    ]

    func expectUsable(_ command: DocumentedCommand) throws {
        let result = try run(command.text)
        if Self.refused.contains(command.arguments.joined(separator: " ")) {
            #expect(result.status == 2, "\(command): \(result)")
            return
        }
        #expect(
            result.status <= 1, "\(command): \(shortened(command.text)): \(result.status) \(result.err)\(result.out)")
    }

    /// Starts a group in the run directory that commands use without --run-dir.
    func group(_ arguments: [String]) throws -> LiveGroup {
        let group = try LiveGroup(arguments, on: "\(folder)/run/touchline", behind: prefix)
        if arguments.contains("--app-executable") {
            group.auditArguments = ["--app-executable", "\(folder)/.build/debug/CardsApp"]
        }
        groups.append(group)
        return group
    }
}
