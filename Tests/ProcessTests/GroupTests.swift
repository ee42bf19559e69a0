import CSystem
import Foundation
import Testbed
import Testing

/// The tests are serial: each runs a whole group of processes, and machines have two cores.
@Suite("A live group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct GroupTests {
    @Test(
        "a group starts, reports readiness, and leaves nothing after a stop signal", arguments: [SIGTERM, SIGINT])
    func startAndStop(signal: Int32) throws {
        let group = try LiveGroup(["--apps", "2"])
        #expect(group.pids.keys.sorted() == ["app1", "app2", "input-kit", "system-server"])
        let (isReady, processes) = try group.status()
        #expect(isReady)
        #expect(processes.map(\.name) == ["input-kit", "system-server", "app1", "app2"])
        #expect(processes.allSatisfy { $0.state == "ready" && $0.generation == 1 && $0.epoch == 1 })
        #expect(processes.allSatisfy { $0.pid == Int(group.pids[$0.name] ?? 0) })
        group.program.signal(signal)
        #expect(try group.program.wait() == 0)
        try group.expectNothingLeft()
    }

    @Test("`touchline down` stops a group and returns when nothing is left")
    func down() throws {
        let group = try LiveGroup()
        let result = try group.run("down", "--json")
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect(object?["hasEnded"] as? Bool == true && object?["pid"] as? Int == Int(group.program.pid))
        #expect(try group.program.wait() == 0)
        try group.expectNothingLeft()
        let again = try group.run("down")
        #expect(again.status == 3)
        #expect(again.err.contains("no group is running on \(group.runDirectory)"))
        #expect(try group.run("status").status == 3)
    }

    @Test(
        "several stop signals in a row end `touchline up` with 0",
        arguments: [(SIGTERM, SIGTERM), (SIGINT, SIGTERM), (SIGHUP, SIGTERM), (SIGTERM, SIGINT), (SIGHUP, SIGHUP)])
    func severalSignals(first: Int32, second: Int32) throws {
        // The second signal arrives in each part of the stop: the first steps, the end of the children, the exit
        // itself.
        for pause in stride(from: 0, through: 24, by: 4) {
            let group = try LiveGroup(["--apps", "0"])
            group.isAudited = false
            group.program.signal(first)
            usleep(UInt32(pause) * 1000)
            group.program.signal(second)
            #expect(try group.program.wait() == 0, "\(pause) ms between the signals")
            try group.expectNothingLeft()
        }
    }

    @Test("a stop signal during start ends `touchline up` with 0", arguments: [SIGTERM, SIGINT, SIGHUP])
    func earlySignal(signal: Int32) throws {
        // The signal arrives while libraries are loaded, settings are read, the first files are made, and children are
        // started.
        for pause in [0, 1, 2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60] {
            let folder = LiveGroup.newFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let program = try Program(["up", "--apps", "0", "--run-dir", folder])
            try waitUntilHandled(signal, by: program.pid)
            usleep(UInt32(pause) * 1000)
            program.signal(signal)
            #expect(try program.wait() == 0, "\(pause) ms after the first instruction: \(program.err)")
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            #expect(left.isEmpty || left == ["journal"], "\(pause) ms after the first instruction")
        }
    }

    /// Waits until the program's own code runs. Before that, no program can handle a signal.
    private func waitUntilHandled(_ signal: Int32, by pid: Int32) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while Date() < deadline {
            let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
            let masks = status.split(separator: "\n").filter { $0.hasPrefix("SigCgt:") || $0.hasPrefix("SigBlk:") }
            for mask in masks.compactMap({ UInt64($0.split(separator: "\t").last ?? "", radix: 16) })
            where mask & 1 << UInt64(signal - 1) != 0 { return }
            usleep(200)
        }
        throw TestFailure("pid \(pid) does not handle signal \(signal)")
    }

    @Test("the demo says how to find the commands it recommends")
    func demo() throws {
        let files = ["Config/Recordings/tap-and-drag.evemu", "Config/Scenes/Demo.yaml"].map {
            Repository.root.appending(path: $0).path
        }
        let result = try Program.run(["demo", files[0], "--scene", files[1]])
        #expect(result.status == 0, "\(result.err)")
        let folder = Programs.folder.resolvingSymlinksInPath().path
        #expect(result.out.contains("\nWhere to look next, after: export PATH=\(folder):$PATH\n"))
        #expect(result.out.contains("Sent      3 began"))
        let json = try Program.run(["demo", files[0], "--scene", files[1], "--json"])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any], "\(json.out)\(json.err)")
        #expect(json.status == 0 && object["lost"] as? Bool == false)
        #expect((object["sent"] as? [String: Any])?["began"] as? Int == 3)
        #expect((object["tap"] as? [String])?.first?.contains("down at") == true)
        #expect((object["hops"] as? [[String: Any]])?.count == 5)
    }

    @Test("the run directory and its sockets are private to the user")
    func folder() throws {
        let group = try LiveGroup()
        let attributes = try FileManager.default.attributesOfItem(atPath: group.runDirectory)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        for name in ["control.sock", "input.sock", "app.sock"] {
            let file = try FileManager.default.attributesOfItem(atPath: "\(group.runDirectory)/\(name)")
            #expect(file[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("F20: a second group on one folder gets the first's pid")
    func second() throws {
        let group = try LiveGroup()
        let result = try Program.run(["up", "--run-dir", group.runDirectory])
        #expect(result.status == 3)
        #expect(result.out == "")
        #expect(result.err.contains("already running"))
        #expect(result.err.contains("pid \(group.program.pid)"))
        #expect(result.err.split(separator: "\n").count == 1)
        let (isReady, processes) = try group.status()
        #expect(isReady)
        #expect(processes.allSatisfy { $0.pid == Int(group.pids[$0.name] ?? 0) })
    }

    @Test("F14: a killed supervisor's children end, and its folder can be reused")
    func supervisorKilled() throws {
        let first = try LiveGroup()
        first.program.signal(SIGKILL)
        #expect(try first.program.wait() == 128 + SIGKILL)
        for (_, pid) in first.pids { try waitForEnd(of: pid) }
        let second = try LiveGroup(on: first.runDirectory)
        // The journals of the first group are set aside by now.
        first.isAudited = false
        #expect(try second.status().isReady)
        second.program.signal(SIGTERM)
        #expect(try second.program.wait() == 0)
    }

    @Test(
        "F1 to F3: a killed child is restarted alone",
        arguments: ["input-kit", "system-server", "app1", "app2"])
    func childKilled(name: String) throws {
        let group = try LiveGroup(["--apps", "2"])
        let pid = try #require(group.pids[name])
        kill(pid, SIGKILL)
        let processes = try group.wait { $0.contains { $0.name == name && $0.generation == 2 } }
        for process in processes where process.name == name {
            #expect(process.pid != Int(pid))
            #expect(process.lastExit == "signal 9")
            #expect(process.epoch == (name == "system-server" ? 2 : 1))
        }
        for process in processes where process.name != name {
            #expect(process.generation == 1)
            #expect(process.pid == Int(group.pids[process.name] ?? 0))
        }
        #expect(group.program.err.contains("\(name) died (signal 9); starts again in 50.000 ms"))
        try expectWholeReplay(into: group)
    }

    @Test("F10: excess callers do not keep a restarted input-kit out")
    func flood() throws {
        let group = try LiveGroup(openFiles: 64)
        var calls: [Int32] = []
        defer { for call in calls { close(call) } }
        for _ in 0..<200 {
            let call = system_unix_connect("\(group.runDirectory)/input.sock")
            if call >= 0 { calls.append(call) }
        }
        #expect(calls.count > 100)
        kill(try #require(group.pids["input-kit"]), SIGKILL)
        let processes = try group.wait {
            $0.contains { $0.name == "input-kit" && $0.generation == 2 && $0.state == "ready" }
        }
        #expect(processes.first { $0.name == "system-server" }?.generation == 1)
        try expectWholeReplay(into: group)
    }

    @Test("commands name a supervisor that hangs and how to end it")
    func hungSupervisor() throws {
        let group = try LiveGroup()
        group.program.signal(SIGSTOP)
        for verb in ["status", "down"] {
            let answer = try group.run(verb)
            #expect(answer.status == 3)
            #expect(answer.out == "")
            #expect(answer.err.hasPrefix("the supervisor on \(group.runDirectory), pid \(group.program.pid), has not"))
            #expect(answer.err.hasSuffix("`kill -9 \(group.program.pid)` ends it and everything it started\n"))
        }
        group.program.signal(SIGCONT)
        #expect(try group.run("down").status == 0)
        try group.expectNothingLeft()
    }

    @Test("a crashing supervisor ends at once with its children, without stack trace")
    func crash() throws {
        let group = try LiveGroup()
        group.program.signal(SIGABRT)
        #expect(try group.program.wait() == 128 + SIGABRT)
        for (_, pid) in group.pids { try waitForEnd(of: pid) }
        #expect(group.program.err.split(separator: "\n").count == 1, "\(group.program.err)")
    }

    @Test("output to closed streams does not go into other files")
    func closedStreams() throws {
        let runDirectory = LiveGroup.newFolder()
        defer { try? FileManager.default.removeItem(atPath: runDirectory) }
        let script = "exec \(Programs.path(of: "touchline")) up --run-dir \(runDirectory) <&- >&- 2>&-"
        let program = try Program(["-c", script], of: "sh", in: URL(filePath: "/bin"))
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while try Program.run(["status", "--run-dir", runDirectory]).status != 0, Date() < deadline {}
        let pid = try String(contentsOfFile: "\(runDirectory)/supervisor.pid", encoding: .utf8)
        #expect(pid == "\(program.pid)\n")
        #expect(try Program.run(["down", "--run-dir", runDirectory]).status == 0)
        #expect(try program.wait() == 0)
    }

    @Test("a missing program ends the start at once with its path")
    func missingProgram() throws {
        let files = FileManager.default
        // The folder is beside the programs and holds hard links. A copy could still be open for writing in a child
        // that another test starts meanwhile, and could not be executed then.
        let folder = Programs.folder.appending(path: "tl-\(UUID().uuidString.prefix(8))")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        for name in ["touchline", "input-kit", "system-server"] {
            try files.linkItem(at: URL(filePath: Programs.path(of: name)), to: folder.appending(path: name))
        }
        let runDirectory = LiveGroup.newFolder()
        let program = try Program(["up", "--run-dir", runDirectory], in: folder)
        #expect(try program.wait() == 3)
        let lines = program.err.split(separator: "\n")
        #expect(lines.last == "app1 cannot be started: No such file or directory: \(folder.path)/app")
        #expect(lines.count == 3, "\(program.err)")
        #expect(try files.contentsOfDirectory(atPath: runDirectory) == ["journal"])
        try files.removeItem(atPath: runDirectory)
    }

    @Test("Ctrl-C during a replay ends its play and cancels its touches")
    func endedReplay() throws {
        let group = try LiveGroup()
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
        defer { try? FileManager.default.removeItem(at: file) }
        try "down f1 (100,200) @0\nup f1 @1000".write(to: file, atomically: true, encoding: .utf8)
        let replay = try Program(["replay", "--run-dir", group.runDirectory, file.path])
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 }
        replay.signal(SIGINT)
        #expect(try replay.wait() == 128 + SIGINT)
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 0 && $0["cancelled"] as? Int == 1 }
        try expectWholeReplay(into: group)
    }

    @Test("app.eventFetch=thread gives an app its own fetch thread")
    func fetchThread() throws {
        let group = try LiveGroup(["--set", "app.eventFetch=thread"])
        let pid = try #require(group.pids["app1"])
        #expect(try threads(of: pid).contains { $0.name == "event fetch" })
        try expectWholeReplay(into: group)
        kill(pid, SIGKILL)
        try group.wait { $0.contains { $0.name == "app1" && $0.generation == 2 } }
        try expectWholeReplay(into: group)
    }

    @Test("host.affinity pins every thread of a group")
    func pinned() throws {
        let cpu = try #require(try threads(of: getpid()).first?.cpus.prefix { $0.isNumber })
        let group = try LiveGroup(["--set", "host.affinity=\(cpu)", "--set", "host.spin=true"])
        for pid in group.pids.values {
            let threads = try threads(of: pid)
            #expect(threads.contains { $0.name.contains("ZMQbg/IO") })
            #expect(threads.allSatisfy { $0.cpus == cpu })
        }
        try expectWholeReplay(into: group)
    }

    @Test("a group whose sockets or folder are removed reports it and recovers")
    func removed() throws {
        for whole in [false, true] {
            let group = try LiveGroup(["--set", "host.trace=file"])
            // The group's journals may be removed.
            group.isAudited = false
            let app = try #require(group.pids["app1"])
            let folder = group.runDirectory
            let gone = whole ? [folder] : ["\(folder)/app.sock", "\(folder)/input.sock"]
            for path in gone { try FileManager.default.removeItem(atPath: path) }
            if whole {
                try waitForError(" was removed or replaced", of: group)
                kill(app, SIGKILL)
                try waitForError("app1 is ready again", of: group)
                for words in ["app1 goes on without a journal", "it goes on without a trace"] {
                    #expect(group.program.err.contains(words), "\(group.program.err)")
                }
            } else {
                for path in gone { try waitForError("\(path) was removed or replaced", of: group) }
                kill(app, SIGKILL)
                let processes = try group.wait {
                    $0.contains { $0.name == "app1" && $0.generation == 2 && $0.state == "ready" }
                }
                #expect(processes.allSatisfy { $0.state == "ready" })
                try expectWholeReplay(into: group)
            }
            group.program.signal(SIGTERM)
            #expect(try group.program.wait() == 0)
        }
    }

    @Test("a group whose run directory is moved continues there")
    func moved() throws {
        let group = try LiveGroup()
        let away = group.runDirectory + ".away"
        defer { try? FileManager.default.moveItem(atPath: away, toPath: group.runDirectory) }
        #expect(rename(group.runDirectory, away) == 0)
        for name in ["app1", "input-kit"] {
            kill(try #require(group.pids[name]), SIGKILL)
            try waitForError("\(name) is ready again", of: group)
            let journal = "\(away)/journal/\(name)/\(name).2.0.journal"
            #expect(FileManager.default.fileExists(atPath: journal), "\(group.program.err)")
        }
        #expect(rename(away, group.runDirectory) == 0)
        try expectWholeReplay(into: group)
    }

    @Test("a group whose stderr is a full pipe keeps supervising")
    func unreadErrors() throws {
        // A process holds the pipe and never reads it, and the pipe is full before the group starts.
        let full = "exec 2> >(exec sleep 120); head -c 65536 /dev/zero >&2; exec \"$@\""
        let group = try LiveGroup(
            ["--set", "supervisor.restartLimit=1000", "--set", "supervisor.backoffLimit=0.05"],
            behind: ["/bin/bash", "-c", full, "bash"])
        for generation in 2...60 {
            let app = try #require(
                try group.wait { $0.contains { $0.name == "app1" && $0.state == "ready" } }
                    .first { $0.name == "app1" })
            kill(pid_t(app.pid), SIGKILL)
            try group.wait { $0.contains { $0.name == "app1" && $0.generation == generation && $0.state == "ready" } }
        }
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
    }

    private func waitForError(_ text: String, of group: LiveGroup) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while !group.program.err.contains(text), Date() < deadline { usleep(10_000) }
        #expect(group.program.err.contains(text), "\(group.program.err)")
    }

    @Test("every thread of a group has the slice of host.timeSlice")
    func slice() throws {
        // Linux before 6.12 has no slices. There the test checks only that the group starts.
        let group = try LiveGroup(["--set", "host.timeSlice=0.0005"])
        for pid in group.pids.values {
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
                let slice = system_slice(try #require(Int32(thread)))
                #expect(slice == 500_000 || (slice == 0 && Self.hasNoSlices), "thread \(thread) of \(pid)")
            }
        }
        try expectWholeReplay(into: group)
    }

    /// Whether the kernel has no slices, from its answer for a thread that has asked for none.
    private static var hasNoSlices: Bool { system_slice(0) == 0 }

    @Test(
        "T1: another user reaches no socket of the group",
        .enabled(if: geteuid() == 0, "skipped: only root can be another user"))
    func anotherUser() throws {
        let group = try LiveGroup()
        let words = ["--reuid", "65534", "--clear-groups", Programs.path(of: "touchline")]
        let stranger = try Program(
            words + ["status", "--run-dir", group.runDirectory], of: "setpriv", in: URL(filePath: "/usr/bin"))
        let status = try stranger.wait()
        // Where the build folder itself is closed to other users, this test cannot check anything.
        guard status != 126, status != 127 else { return }
        #expect(status == 3)
        #expect(
            stranger.err.hasPrefix(
                "connect \(group.runDirectory)/control.sock: Permission denied; it belongs to another user"))
        #expect(try group.status().isReady)
    }

    @Test("`touchline dump` contains the report of every process")
    func dump() throws {
        let group = try LiveGroup()
        let (status, object) = try group.json("dump")
        #expect(status == 0)
        let processes = object["processes"] as? [[String: Any]] ?? []
        #expect(processes.map { $0["name"] as? String } == ["input-kit", "system-server", "app1"])
        for process in processes {
            #expect(process["responding"] as? Bool == true)
            #expect((process["report"] as? [String: Any])?.isEmpty == false)
        }
        let text = try group.run("dump")
        #expect(text.status == 0)
        #expect(text.out.contains("system-server"))
    }
}

/// The threads of a process, and the CPUs each may use, as `/proc` writes them: `0-1`. A thread that ends while it is
/// read is not included.
func threads(of pid: Int32) throws -> [(name: String, cpus: String, state: String)] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").compactMap { thread in
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8) else {
            return nil
        }
        func field(_ name: String) -> String {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        return (field("Name"), field("Cpus_allowed_list"), String(field("State").prefix(1)))
    }
}

/// Plays a script of three touches into the group, one of them a stroke, and expects that it arrives whole.
func expectWholeReplay(into group: LiveGroup) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
    defer { try? FileManager.default.removeItem(at: file) }
    try """
    tap f1 (100,200) @0
    tap f2 (200,300) @0.05
    stroke f1 (20,20) (220,420) @0.5 1.0 step 1/60
    """.write(to: file, atomically: true, encoding: .utf8)
    let (status, object) = try group.json("replay", "--speed", "max", file.path)
    let sent = object["sent"] as? [String: Int]
    #expect(status == 0)
    try expectWhole(object)
    #expect(sent?["began"] == 3)
    #expect(sent?["ended"] == 3)
    #expect((sent?["moved"] ?? 0) >= 30)
}
