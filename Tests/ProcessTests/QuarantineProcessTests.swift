import Foundation
import Testbed
import Testing

/// Groups whose programs are in a folder of their own, so that a test can move them away and back.
@Suite("Quarantine of processes", .timeLimit(Sanitizer.timeLimit))
struct QuarantineProcessTests {
    /// A folder with each program under a path of its own, which /proc/self/exe shows: a hard link, or a copy where the
    /// folder is on another file system.
    private func programs() throws -> URL {
        let folder = URL(filePath: LiveGroup.newFolder())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["touchline", "system-server", "input-kit", "app"] {
            try runShell(
                #"ln "$1" "$2" 2>/dev/null || cp "$1" "$2""#, Programs.path(of: name),
                folder.appending(path: name).path)
        }
        return folder
    }

    @Test("a child's output is escaped and prefixed with its name")
    func childOutput() throws {
        let folder = try programs()
        let runDirectory = LiveGroup.newFolder()
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: runDirectory)
        }
        let app = folder.appending(path: "app")
        try FileManager.default.removeItem(at: app)
        let script = #"""
            #!/bin/sh
            printf '\033]0;owned\007\nready: forged\n'
            printf 'system-server is ready again, pid 1\n\033[2J' >&2
            : >/proc/self/fd/1
            printf 'last words' >&2
            exit 5
            """#
        try writeProgram(script, at: app.path)
        let log = folder.appending(path: "log").path
        let words = [
            "-c", "out=$1; shift; exec \"$@\" 2>\"$out\"", "sh", log, folder.appending(path: "touchline").path, "up",
            "--run-dir", runDirectory, "--set", "supervisor.restartLimit=0",
        ]
        let up = try Program(words, of: "sh", in: URL(filePath: "/bin"))
        #expect(try up.wait() == 1)
        #expect(up.out == "")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("starting 3 processes") == true)
        let own = lines.filter { $0.hasPrefix("app1: ") }
        #expect(
            own == [
                "app1: \\u001B]0;owned\\u0007", "app1: ready: forged", "app1: system-server is ready again, pid 1",
                "app1: \\u001B[2Jlast words",
            ])
        #expect(lines.last == "app1 cannot be started: exit 5")
    }

    /// A group of two apps whose programs are in this folder. Not every program in it writes a journal.
    private func group(of folder: URL, _ arguments: String...) throws -> LiveGroup {
        let group = try LiveGroup(["--apps", "2"] + arguments, in: folder)
        group.isAudited = false
        return group
    }

    @Test("a quarantined app starts again after its program was replaced")
    func replaced() throws {
        let folder = try programs()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (app, good) = (folder.appending(path: "app"), folder.appending(path: "app.good"))
        let group = try group(of: folder, "--set", "supervisor.restartLimit=1")
        let pid = try #require(group.pids["app2"])
        func launch() throws -> (status: Int32, out: String, err: String) {
            try group.run("input", "act", "launch", "app2")
        }
        try FileManager.default.moveItem(at: app, to: good)
        try writeProgram("#!/bin/sh\nexit 5\n", at: app.path)
        kill(pid, SIGKILL)
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        var refused = try launch()
        while !refused.err.contains("quarantined"), Date() < deadline { refused = try launch() }
        #expect(refused.status == 3 && refused.err.hasPrefix("app2 is quarantined, and is not started: "), "\(refused)")
        #expect(try launch().status == 3)
        try FileManager.default.removeItem(at: app)
        try FileManager.default.moveItem(at: good, to: app)
        let launched = try launch()
        #expect(launched.status == 0 && launched.out.hasPrefix("launch app2: app2"), "\(launched)")
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
    }

    @Test("a missing program quarantines its app, and a missing server ends `up`")
    func movedAway() throws {
        let folder = try programs()
        defer { try? FileManager.default.removeItem(at: folder) }
        let group = try group(of: folder, "--set", "supervisor.restartLimit=1", "--set", "supervisor.backoffLimit=600")
        func pid(of name: String) throws -> Int32 { try #require(group.pids[name]) }
        func launch() throws -> (status: Int32, out: String, err: String) {
            try group.run("input", "act", "launch", "app2")
        }
        let app = folder.appending(path: "app")
        let away = folder.appending(path: "app.away")
        try FileManager.default.moveItem(at: app, to: away)
        kill(try pid(of: "app2"), SIGKILL)
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        var refused = try launch()
        while refused.status != 3 || !refused.err.contains("quarantined"), Date() < deadline { refused = try launch() }
        let reason = "No such file or directory: \(app.path)"
        #expect(refused.err.hasPrefix("app2 is quarantined, and is not started: \(reason)"))
        try FileManager.default.moveItem(at: away, to: app)
        let launched = try launch()
        #expect(launched.status == 0, "\(launched.err)")
        #expect(launched.out.hasPrefix("launch app2: app2"))

        try FileManager.default.removeItem(at: folder.appending(path: "system-server"))
        kill(try pid(of: "system-server"), SIGKILL)
        #expect(try group.program.wait() == 1)
        let last = group.program.err.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("system-server is quarantined (No such file or directory: "), "\(group.program.err)")
        #expect(last.hasSuffix("there is no group without it"))
    }
}
