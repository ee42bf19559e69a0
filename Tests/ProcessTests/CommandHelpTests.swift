import Foundation
import Testbed
import Testing

@testable import touchline

@Suite("Help and common options of `touchline`")
struct CommandHelpTests {
    @Test("every command has an abstract and its exit codes")
    func abstracts() throws {
        let commands = try CommandHelp.read().visible
        #expect(commands.count > 40)
        for command in commands {
            #expect(command.abstract?.isEmpty == false, "\(command.path): no abstract")
            let discussion = (command.discussion ?? "").replacing("\n", with: " ")
            #expect(
                discussion.contains(#/(^|[.:] |  )Exits 0 when /#),
                "\(command.path): no sentence that begins with \"Exits 0 when\"")
        }
    }

    @Test("no default value prints a Swift value")
    func defaults() throws {
        for command in try CommandHelp.read().visible {
            for argument in command.arguments ?? [] {
                guard let text = argument.defaultValue else { continue }
                let isSwift =
                    text.contains("(") || text.contains("[") || text.contains("nil") || text.contains("Optional")
                #expect(!isSwift, "\(command.path): \(argument.valueName ?? ""): default \(text)")
            }
        }
    }

    /// The value name of each option that several commands have; nil for a flag.
    private static let valueNames: [String: String?] = [
        "seed": "N|A..B", "json": nil, "output": "file", "run-dir": "folder", "screen": "WxH", "repeat": "count",
        "seconds": "seconds", "minutes": "minutes", "timeout": "seconds", "jobs": "count", "format": "name",
        "to": "name", "script-output": "file", "no-timing": nil, "keep": nil, "human": nil, "traced": nil,
        "set": "key=value", "scene": "file", "app": "name", "apps": "count", "rate": "Hz", "display": "number",
    ]
    /// `keys new` writes two files to a folder; the app of `monitor`, `tree` and `input` is one that
    /// runs; some commands run one seed; `bench
    /// start` takes several numbers of apps.
    private static let exceptions = [
        "keys new output": "folder", "monitor app": "number", "tree app": "number", "screenshot app": "number",
        "lint app": "number", "input tap app": "number", "input doubleTap app": "number",
        "input longPress app": "number", "input swipe app": "number", "input pan app": "number",
        "input drag app": "number", "monkey gestures seed": "N", "monkey kills seed": "N",
        "chaos seed": "N", "soak seed": "N", "bench windows seed": "N", "bench hit-test seed": "N",
        "bench start apps": "count,...",
    ]
    /// Options whose help is the same everywhere, because they have one declaration.
    private static let sharedOptions = ["json", "run-dir", "jobs", "no-timing", "keep", "display"]
    private static let formerNames = [
        "seeds", "loop", "times", "repeats", "rounds", "patience", "wait", "out", "places", "formats", "questions",
    ]

    @Test("an option has one spelling and one value name in all commands")
    func options() throws {
        var helps: [String: Set<String>] = [:]
        for command in try CommandHelp.read().visible {
            for (name, argument) in command.options {
                #expect(
                    argument.kind == "flag" || !Self.formerNames.contains(name),
                    "\(command.path): --\(name) has another name now")
                if Self.sharedOptions.contains(name) { helps[name, default: []].insert(argument.abstract ?? "") }
                guard let expected = Self.valueNames[name] else { continue }
                let isHandSeed = name == "seed" && command.path.hasPrefix("input ")
                let valueName = isHandSeed ? "N" : Self.exceptions["\(command.path) \(name)"] ?? expected
                #expect(argument.kind == (valueName == nil ? "flag" : "option"), "\(command.path): --\(name)")
                if let valueName { #expect(argument.valueName == valueName, "\(command.path): --\(name)") }
            }
        }
        #expect(helps["json"]?.count == 1)
        for (name, texts) in helps { #expect(texts.count == 1, "--\(name): \(texts)") }
    }

    @Test("help texts have no words that the glossary replaces")
    func words() throws {
        let script = try String(contentsOf: Repository.root.appending(path: "Tools/words"), encoding: .utf8)
        let words = try #require(script.firstMatch(of: /(?m)^words='([^']+)'$/)).1
        let formerWords = try Regex("\\b(?:\(words))\\b").ignoresCase()
        let help = try CommandHelp.read()
        for command in [help] + help.visible {
            let texts = [command.abstract, command.discussion].compactMap { $0 }
            for text in texts + (command.arguments ?? []).filter(\.shouldDisplay).flatMap(\.texts) {
                let line = text.replacing("\n", with: " ")
                let found = line.firstMatch(of: formerWords)
                #expect(found == nil, "\(command.path): \(found.map { line[$0.range] } ?? "") in \(line)")
            }
        }
    }

    @Test("`touchline --help` lists every command by task")
    func tasks() throws {
        let result = try Program.run(["--help"])
        #expect(result.status == 0 && result.err == "")
        let lines = result.out.split(separator: "\n").map(String.init)
        let headings = [
            "RUN A GROUP:", "LOOK AT THE SCREEN:", "TEST AGAINST IOS:", "EXPLAIN A RUN:", "DEVICES AND RECORDINGS:",
            "SEARCH FOR ERRORS:",
            "MEASURE:",
        ].map { lines.firstIndex(of: $0) }
        #expect(
            headings.allSatisfy { $0 != nil } && headings.compactMap(\.self) == headings.compactMap(\.self).sorted())
        for command in try CommandHelp.read().visible where !command.path.contains(" ") {
            #expect(lines.contains { $0.hasPrefix("  \(command.path) ") }, "\(command.path)")
        }
        #expect(!result.out.contains("hostile-controller"))
    }

    @Test("`touchline --version` prints one line with the versions of the program, the wire, the journals and Swift")
    func version() throws {
        let result = try Program.run(["--version"])
        #expect(result.status == 0 && result.err == "")
        let line =
            #/touchline \d+\.\d+\.\d+(, commit [0-9a-f]{7,12})?, wire \d+, journal \d+, Swift \d+\.\d+( or later)?\n/#
        #expect(result.out.wholeMatch(of: line) != nil, "\(result.out)")
    }

    @Test(
        "former names of commands and options are refused",
        arguments: [
            (["spy"], "spy"), (["replay", "x.evemu", "--loop", "2"], "nknown option '--loop'"),
            (["input", "tap", "--wait", "1"], "nknown option '--wait'"),
            (["input", "tap", "--print", "--human", "7"], "7"),
            (["keys", "new", "--out", "."], "nknown option '--out'"),
            (["convert", "--from", "evemu", "a.evemu", "b.json"], "nknown option '--from'"),
            (["bench", "latency", "--rounds", "1"], "nknown option '--rounds'"),
            (["bench", "cores", "--repeats", "3"], "nknown option '--repeats'"),
            (["bench", "latency", "--json", "figures.json"], "figures.json"),
        ])
    func formerOptions(words: [String], complaint: String) throws {
        let result = try Program.run(words)
        #expect(result.status == 2 && result.out == "", "\(result)")
        #expect(result.err.contains(complaint), "\(result.err)")
    }

    @Test("a seed needs --human, and --human takes one seed")
    func handSeed() throws {
        let alone = try Program.run(["input", "tap", "--print", "--seed", "7"])
        #expect(alone.status == 2 && alone.err.contains("--seed: expected --human too, found none\n"), "\(alone.err)")
        let several = try Program.run(["input", "tap", "--print", "--human", "--seed", "1..3"])
        #expect(
            several.status == 2 && several.err.contains("--seed: expected one seed, found 1..3\n"), "\(several.err)")
    }

    @Test("`--output` receives what a command prints on stdout otherwise")
    func outputFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path
        for words in [["decode", recording], ["decode", "--json", recording], ["input", "tap", "--print"]] {
            let printed = try Program.run(words)
            let written = try Program.run(words + ["--output", file])
            #expect(written.status == 0 && written.out == "" && !printed.out.isEmpty, "\(words): \(written)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == printed.out, "\(words)")
        }
        // The options stand before the word, and belong to it.
        let before = try Program.run(["input", "--output", file, "tap", "--print", "--screen", "100x100"])
        #expect(before.status == 0 && before.out == "", "\(before)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("(50.0,50.0)"))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: recording, toPath: file)
        let same = try Program.run(["decode", file, "--output", file])
        #expect(same.status == 2 && same.err.contains("expected a file that no other argument names"), "\(same)")
        #expect(FileManager.default.contentsEqual(atPath: file, andPath: recording))
        let joined = try Program.run(["decode", file, "--output=\(file)"])
        #expect(joined.status == 2 && joined.err.contains("expected a file that no other argument names"), "\(joined)")
        #expect(FileManager.default.contentsEqual(atPath: file, andPath: recording))
        let refused = try Program.run(["decode", recording, "--output", "/nowhere/file"])
        #expect(refused.status == 2 && refused.out == "")
        #expect(refused.err == "/nowhere/file: cannot be written: No such file or directory\n")
    }

    @Test("an input with its option in one word is no file of --output")
    func inputs() throws {
        func isInput(_ words: String...) -> Bool { ResultOptions.isNamedTwice("after.json", in: words) }
        #expect(!isInput("bench", "cores", "--output", "after.json"))
        #expect(!isInput("bench", "cores", "--output=after.json", "--baseline=before.json"))
        #expect(isInput("bench", "compare", "before.json", "after.json", "--output=after.json"))
        #expect(isInput("bench", "cores", "--baseline=after.json", "--output", "after.json"))
        #expect(isInput("bench", "cores", "--baseline=after.json", "--output=after.json"))
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data().write(to: URL(filePath: file))
        let other = file.replacing("/tl-", with: "/./tl-")
        #expect(ResultOptions.isNamedTwice(file, in: ["--baseline=\(other)", "--output=\(file)"]))
    }
}
