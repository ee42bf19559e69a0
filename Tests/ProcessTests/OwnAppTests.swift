import Foundation
import Testbed
import Testing

@Suite("An app of a user's package in a live group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct OwnAppTests {
    private static let app = Programs.path(of: "own-app")

    @Test("a user's app takes taps, starts again after a kill, and is replayed")
    func life() throws {
        let group = try LiveGroup(["--app-executable", Self.app, "--trace"])
        group.auditArguments = ["--app-executable", Self.app]
        try expectTap(in: group)
        // A line of `print` arrives at once, and is not lost with the process.
        #expect(group.program.line(inErrors: "app1: card tapped, 1 so far") != nil)

        let pid = try #require(group.pids["app1"])
        kill(pid, SIGKILL)
        let restarted = try group.wait { processes in
            processes.contains { $0.name == "app1" && $0.state == "ready" && $0.generation == 2 }
        }
        #expect(restarted.first { $0.name == "app1" }?.lastExit == "signal 9")
        try expectTap(in: group)
        #expect(try group.run("down").status == 0)

        let trace = try String(contentsOfFile: "\(group.runDirectory)/trace/app1.trace", encoding: .utf8)
        #expect(trace.contains("→ CardViewController.tapped"))
        let replay = try Program.run(
            ["replay", "--journal", group.runDirectory, "--process", "app1", "--app-executable", Self.app])
        #expect(replay.status == 0, "\(replay.err)")
        #expect(replay.out.components(separatedBy: "→ CardViewController.tapped").count == 3, "\(replay.out)")
        #expect(replay.out.contains("app1.1 ends: signal 9") && replay.out.contains("identical: "), "\(replay.out)")
    }

    @Test("timers, queues, tasks and animations run in a live app")
    func clocks() throws {
        let group = try LiveGroup(["--app-executable", Self.app])
        group.auditArguments = ["--app-executable", Self.app]
        try expectTap(in: group)
        for clock in ["timer", "queue", "global queue", "task, true", "animation", "perform"] {
            #expect(group.program.line(inErrors: "app1: clock: \(clock)") != nil, "\(clock)")
        }
        #expect(try group.run("down").status == 0)
        let replay = try Program.run(
            ["replay", "--journal", group.runDirectory, "--process", "app1", "--app-executable", Self.app])
        #expect(replay.status == 0 && replay.out.contains("identical: "), "\(replay.out)\(replay.err)")
    }

    @Test("other threads of a live app reach its loop")
    func threads() throws {
        let group = try LiveGroup(["--app-executable", Self.app])
        group.isAudited = false
        for _ in 1...2 { try expectTap(in: group) }
        for clock in ["async", "after", "loop", "timer", "sync true"] {
            #expect(group.program.line(inErrors: "app1: clock: thread, \(clock)") != nil, "\(clock)")
        }
    }

    private func expectTap(in group: LiveGroup, at location: SourceLocation = #_sourceLocation) throws {
        let tap = try group.run("input", "tap", "187,333", "--receipt")
        #expect(tap.status == 0, "\(tap.err)", sourceLocation: location)
        let cause = "  so: tap on UILabel \"card\" was recognized, ended: CardViewController.tapped\n"
        #expect(tap.out.hasSuffix(cause), "\(tap.out)", sourceLocation: location)
    }

    @Test(
        "a user's app that crashed is replayed up to its crash",
        .enabled(if: Sanitizer.kind == nil, "a sanitizer reports the crash"))
    func crash() throws {
        let group = try LiveGroup(["--app-executable", Self.app])
        group.auditArguments = ["--app-executable", Self.app]
        _ = try group.run("input", "longPress", "187,333")
        let restarted = try group.wait { processes in
            processes.contains { $0.name == "app1" && $0.state == "ready" && $0.generation == 2 }
        }
        let lastExit = restarted.first { $0.name == "app1" }?.lastExit ?? ""
        #expect(lastExit.hasPrefix("signal "), "\(lastExit)")
        #expect(group.program.line(inErrors: "app1: ")?.contains("the card was pressed") == true)
        try expectTap(in: group)
    }

    @Test("several programs are an app each, also beside a sample app")
    func several() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let second = folder.appending(path: "second")
        try FileManager.default.createSymbolicLink(atPath: second.path, withDestinationPath: Self.app)
        let group = try LiveGroup(["--app-executable", Self.app, "--app-executable", second.path])
        group.auditArguments = ["--app-executable", Self.app, "--app-executable", second.path]
        #expect(try programs(of: group, ["app1", "app2"]) == [Self.app, second.path])

        let topology = folder.appending(path: "topology.yaml")
        try "apps:\n  - { sample: taps }\n  - { executable: \(second.path) }\n"
            .write(to: topology, atomically: true, encoding: .utf8)
        let mixed = try LiveGroup(["--topology", topology.path])
        mixed.auditArguments = ["--app-executable", Self.app, "--app-executable", second.path]
        #expect(try programs(of: mixed, ["app1", "app2"]) == [Programs.path(of: "app"), second.path])
    }

    /// The first argument of each process: the path by which it was started.
    private func programs(of group: LiveGroup, _ names: [String]) throws -> [String] {
        try names.map { name in
            let arguments = try Data(contentsOf: URL(filePath: "/proc/\(try #require(group.pids[name]))/cmdline"))
            return String(decoding: arguments.split(separator: 0).first ?? Data(), as: UTF8.self)
        }
    }

    @Test("an audit without the program names it and the option")
    func unnamed() throws {
        let group = try LiveGroup(["--app-executable", Self.app])
        group.isAudited = false
        #expect(try group.run("down").status == 0)
        let audit = try Program.run(["audit", group.runDirectory])
        #expect(audit.status == 1)
        #expect(
            audit.err.hasPrefix(
                "app1.1: cannot be replayed: its program is \(Self.app): name it with --app-executable"), "\(audit.err)"
        )
        // A program of the same name that does not answer.
        let other = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: other) }
        try FileManager.default.createSymbolicLink(
            atPath: other.appending(path: "own-app").path, withDestinationPath: "/bin/true")
        let wrong = try Program.run(
            ["audit", group.runDirectory, "--app-executable", other.appending(path: "own-app").path])
        #expect(wrong.status == 1)
        #expect(wrong.err.contains("own-app has ended: exit 0"), "\(wrong.err)")
    }

    @Test(
        "`touchline up` refuses a path that is no program, and names the way out",
        arguments: [
            (
                ["--app-executable", "/nowhere/MyApp"],
                "app.executable: expected a program, found No such file or directory: /nowhere/MyApp; build it with "
                    + "`swift build`; `swift build --show-bin-path` prints its folder\n"
            ),
            (
                ["--app-executable", "/usr"],
                "app.executable: expected a program, found a folder: /usr; give the path of the program, such as "
                    + ".build/debug/MyApp\n"
            ),
            (
                ["--set", "app.executable=/etc/passwd"],
                "app.executable: expected a program, found a file that this user may not execute: /etc/passwd; give "
                    + "the path of the program, such as .build/debug/MyApp\n"
            ),
            (
                ["--app-executable", "/bin/true", "--app", "taps"],
                "app.executable is /bin/true and app.sample is taps: an app shows one or the other\n"
            ),
            (
                ["--app-executable", "/bin/true", "--app-executable", "/bin/false", "--apps", "3"],
                "--app-executable: 2 programs: expected --apps 2 or no --apps, found --apps 3\n"
            ),
        ])
    func refusals(arguments: [String], complaint: String) throws {
        let folder = LiveGroup.newFolder()
        let result = try Program.run(["up", "--run-dir", folder] + arguments)
        #expect(result.status == 2)
        #expect(result.err == complaint)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("`touchline up` ends when a user's program exits at once or cannot be executed")
    func endsAtOnce() throws {
        let advice = "; expected a program that is made with TouchlineApp and keeps running (Docs/HowTo/RunMyApp.md)\n"
        let folder = LiveGroup.newFolder()
        let over = try Program.run(["up", "--run-dir", folder, "--app-executable", "/bin/true"])
        #expect(over.status == 1)
        #expect(over.err.hasSuffix("app1 cannot be started: exit 0: /bin/true\(advice)"), "\(over.err)")

        let text = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try "no program".write(to: text, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: text) }
        #expect(chmod(text.path, 0o755) == 0)
        let unusable = try Program.run(["up", "--run-dir", folder, "--app-executable", text.path])
        #expect(unusable.status == 3)
        #expect(
            unusable.err.hasSuffix("app1 cannot be started: Exec format error: \(text.path)\(advice)"),
            "\(unusable.err)")
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("a user's program has the options of an app")
    func options() throws {
        let alone = try Program.run([], of: "own-app")
        #expect(alone.status == 2)
        #expect(
            alone.err
                == "own-app is started by `touchline up --app-executable \(Self.app)`; give --run-dir to start it alone\n"
        )
        let help = try Program.run(["--help"], of: "own-app")
        #expect(help.status == 0)
        for option in ["--run-dir", "--instance", "--join", "--key", "--server-key", "--set"] {
            #expect(help.out.contains("  \(option) <"), "\(option)")
        }
        #expect(!help.out.contains("--scene"))
        let wrong = try Program.run(["--scene", "x.yaml"], of: "own-app")
        #expect(wrong.status == 2)
        #expect(wrong.err.hasPrefix("Error: Unknown option '--scene'"), "\(wrong.err)")
    }
}
