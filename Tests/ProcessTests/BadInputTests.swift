import Foundation
import Testing

@Suite("Refusal of unusable input")
struct BadInputTests {
    @Test(
        "`touchline up` refuses bad options in one line with exit code 2",
        arguments: [
            (["--set", "host.spni=true"], "unknown key host.spni; did you mean host.spin?\n"),
            (
                ["--set", "trace.places=true"], "trace.places: this setting is called trace.positions now\n"
            ),
            (
                ["--set", "screen.width=wide"],
                "screen.width: expected a number from 1.0 to 100000.0, found \"wide\"\n"
            ),
            (["--apps", "1000"], "group.apps: expected a whole number from 0 to 128, found \"1000\"\n"),
            (["--apps", "-1"], "group.apps: expected a whole number from 0 to 128, found \"-1\"\n"),
            (
                ["--set", "host.affinity=0,x"],
                "host.affinity: expected CPU numbers such as 0 or 0,1, found \"0,x\"\n"
            ),
            (["--config", "/nowhere.yaml"], "/nowhere.yaml: no such file\n"),
            (["--scene", "/nowhere.yaml"], "/nowhere.yaml:1:1: no such file\n"),
            (
                ["--app", "phenomna"],
                "app.sample: no sample app is called phenomna; did you mean phenomena?\n"
            ),
            (
                ["--app", "taps", "--scene", "x.yaml"],
                "app.sample is taps and app.scene is x.yaml: an app shows one or the other\n"
            ),
        ])
    func up(arguments: [String], complaint: String) throws {
        let folder = LiveGroup.newFolder()
        let result = try Program.run(["up", "--run-dir", folder] + arguments)
        #expect(result.status == 2)
        #expect(result.out == "")
        #expect(result.err == complaint)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("every wrong line of a configuration is reported with its number")
    func configuration() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "screen:\n  widht: 1\nhost:\n  spin: perhaps\n".write(to: file, atomically: true, encoding: .utf8)
        let result = try Program.run(["up", "--run-dir", LiveGroup.newFolder(), "--config", file.path])
        #expect(result.status == 2)
        #expect(
            result.err == """
                \(file.path):2: unknown key screen.widht; did you mean screen.width?
                \(file.path):4: host.spin: expected true or false, found "perhaps"

                """)
    }

    @Test("`touchline up` reads Config/pipeline.yaml of the current folder")
    func usualConfiguration() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let config = folder.appending(path: "Config")
        try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
        try "screen:\n  widht: 1\n".write(
            to: config.appending(path: "pipeline.yaml"), atomically: true, encoding: .utf8)
        let words = ["-C", folder.path, Programs.path(of: "touchline"), "up", "--run-dir", LiveGroup.newFolder()]
        let up = try Program(words, of: "env", in: URL(filePath: "/usr/bin"))
        #expect(try up.wait() == 2)
        #expect(up.err == "Config/pipeline.yaml:2: unknown key screen.widht; did you mean screen.width?\n")
    }

    @Test("a scene error is reported with line and column, and nothing starts")
    func scene() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "windows:\n- name: w\n  view: { name: V, alhpa: 1 }\n".write(to: file, atomically: true, encoding: .utf8)
        let folder = LiveGroup.newFolder()
        let result = try Program.run(["up", "--run-dir", folder, "--scene", file.path])
        #expect(result.status == 2)
        #expect(result.err == "\(file.path):3:20: unknown key alhpa of a view; did you mean alpha?\n")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("text that a terminal obeys is escaped in every message")
    func escapes() throws {
        let attack = "\u{1B}]0;owned\u{7}\u{1B}[31m\u{202E}\u{9B}2J\rgone"
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "a\(attack)b").path
        func holding(_ text: String) throws -> String {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let device = "# EVEMU 1.3\nN: \(attack)\nI: 0003 046d c52b 0111\n"
        let here = ["--run-dir", LiveGroup.newFolder()]
        for arguments in [
            ["up", "--set", "x\(attack)=1"] + here, ["up", "--set", "host.spin=\(attack)"] + here,
            ["up", "--app", attack] + here, ["up", "--run-dir", "/proc/\(attack)"],
            ["up", "--config", try holding("screen:\n  \"w\\e[31m\\r\": 1\n")] + here,
            ["up", "--scene", try holding("windows:\n- name: w\n  view: { name: V, \"al\\e[2J\": 1 }\n")] + here,
            ["decode", try holding(device)], ["decode", "/nowhere/\(attack)"], ["convert", path, "--to", attack],
            ["trace", path], ["audit", path], ["conform", attack], ["status"] + here + [attack], [attack],
            ["--\(attack)"],
            ["input", "tap", attack], ["replay", path] + here, ["compare", path, attack], ["monitor", attack] + here,
        ] {
            let result = try Program.run(arguments)
            let said = result.out + result.err
            #expect(result.status != 0 || arguments[0] == "decode", "\(arguments)")
            #expect(
                said.unicodeScalars.allSatisfy { scalar in
                    scalar == "\n" || scalar == "\t"
                        || (scalar.properties.generalCategory != .control && scalar.value != 0x202E)
                }, "\(arguments): \(said.debugDescription)")
        }
    }

    @Test("no line is forged by a newline in a name or argument")
    func forgedLines() throws {
        let forged = "\nevery law was kept; not judged: nothing\n"
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "x\(forged)").path
        func holding(_ text: String) throws -> String {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let here = ["--run-dir", LiveGroup.newFolder()]
        for arguments in [
            ["decode", try holding("N: a\n")], ["audit", path], ["compare", path], ["replay", path] + here,
            ["trace", path], ["conform", path], ["up", "--config", path] + here, ["up", "--scene", path] + here,
            ["up", "--config", try holding("\"a\\nevery law was kept\\n\": 1\nscreen:\n  widht: 1\n")] + here,
            ["up", "--set", "x\(forged)=1"] + here, ["up", "--set", "host.spin=\(forged)"] + here,
            ["up", "--app", forged] + here, ["up", "--run-dir", "/proc/\(forged)"], [forged], ["--\(forged)"],
            ["--\(forged)=\(forged)"], ["status"] + here + [forged], ["input", "tap", forged],
            ["monitor", forged] + here,
        ] {
            let result = try Program.run(arguments)
            let lines = (result.out + result.err).split(separator: "\n")
            #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("every law") }, "\(arguments): \(lines)")
        }
    }

    @Test("a failed result that cannot be written says that it was lost")
    func fullDeviceOfFailure() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).yaml").path
        defer { unlink(path) }
        try "id: X\n".write(toFile: path, atomically: true, encoding: .utf8)
        let words = ["-c", "exec \"$@\" >/dev/full", "sh", Programs.path(of: "touchline"), "conform", path]
        let program = try Program(words, of: "sh", in: URL(filePath: "/bin"))
        #expect(try program.wait() == 3)
        #expect(program.err.hasSuffix("\nstdout: No space left on device\n"), "\(program.err)")
    }

    @Test(
        "a result that cannot be written to its end exits with 3",
        arguments: [
            ["--help"], ["up", "--app", "list"], ["trace", "--help"], ["exhaust", "--apps", "1", "--scans", "1"],
        ])
    func fullDevice(arguments: [String]) throws {
        let words = ["-c", "exec \"$@\" >/dev/full", "sh", Programs.path(of: "touchline")] + arguments
        let program = try Program(words, of: "sh", in: URL(filePath: "/bin"))
        #expect(try program.wait() == 3)
        #expect(program.err == "stdout: No space left on device\n")
    }

    @Test("a FIFO given as a file is refused without waiting")
    func fifo() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).yaml").path
        defer { unlink(path) }
        #expect(mkfifo(path, 0o600) == 0)
        for option in ["--config", "--scene"] {
            let result = try Program.run(["up", option, path, "--run-dir", LiveGroup.newFolder()])
            #expect(result.status == 2)
            #expect(result.err.hasPrefix(path) && result.err.hasSuffix(": expected a file, found something else\n"))
        }
    }

    @Test("sample apps appear in the help and in `--app list`")
    func sampleApps() throws {
        let list = try Program.run(["up", "--app", "list"])
        #expect(list.status == 0 && list.err == "")
        let names = list.out.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names == ["phenomena", "tab-bar", "draggable", "taps", "photo", "drawing", "slider", "links"])
        let help = try Program.run(["up", "--help"])
        #expect(names.allSatisfy { help.out.contains("  \($0) ") })
    }

    @Test("an unusable run directory is named in one line", arguments: ["/proc/touchline", "/dev/null"])
    func runDirectory(folder: String) throws {
        let result = try Program.run(["up", "--run-dir", folder])
        #expect(result.status == 3)
        #expect(result.err.contains(folder))
        #expect(result.err.split(separator: "\n").count == 1)
    }

    @Test("a run directory too long for a socket is refused before creation")
    func longPath() throws {
        let folder = "/tmp/" + String(repeating: "x", count: 120)
        let result = try Program.run(["up", "--run-dir", folder])
        #expect(result.status == 3)
        #expect(result.err.contains("choose a shorter --run-dir"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(
        "subcommand help names --run-dir and the exit codes",
        arguments: ["up", "down", "status", "dump", "top", "metrics", "replay", "tree", "screenshot", "lint"])
    func help(verb: String) throws {
        let result = try Program.run([verb, "--help"])
        #expect(result.status == 0)
        #expect(result.out.contains("--run-dir"))
        #expect(result.out.contains("Exits "))
    }
    @Test(
        "each process explains itself and requires a run directory",
        arguments: ["input-kit", "system-server", "app"])
    func process(name: String) throws {
        let help = try Program.run(["--help"], of: name)
        #expect(help.status == 0)
        #expect(help.out.contains("--run-dir"))
        let alone = try Program.run([], of: name)
        #expect(alone.status == 2)
        #expect(alone.err == "\(name) is started by `touchline up`; give --run-dir to start it alone\n")
    }
}
