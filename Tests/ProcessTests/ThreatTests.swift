import CSystem
import Foundation
import Testbed
import Testing
import Wire
import ZeroMQHost

/// Docs/Spec/Pipeline.md section 5 in real processes: what they reveal, what they may still do, and which peers they
/// admit.
@Suite("Threats to a live group", .timeLimit(Sanitizer.timeLimit))
struct ThreatTests {
    private func field(_ name: String, of pid: Int32) throws -> String? {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(separator: "\t").last.map(String.init)
    }

    // MARK: T7

    @Test(
        "T7: processes of a group are confined and not readable by others",
        .enabled(if: Sanitizer.kind == nil, "a sanitizer traces its own process: host.seccomp is off in its builds"))
    func confined() throws {
        let group = try LiveGroup(["--apps", "2", "--set", "host.trace=file"])
        for (name, pid) in group.pids {
            #expect(try field("NoNewPrivs", of: pid) == "1", "\(name)")
            #expect(try field("Seccomp", of: pid) == "2", "\(name)")
            // The check covers every thread, including libzmq's.
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
                let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
                #expect(status.contains("Seccomp:\t2\n"), "\(name), thread \(thread)")
            }
            // /proc shows a process that may not be dumped as root's, for every user; its memory is protected by that.
            // The working directory is the only place where one character names the socket of its server.
            let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
            #expect((place == "/proc/\(pid)/fd") == (name != "system-server"), "\(name): \(place)")
            var owner = stat()
            #expect(stat("/proc/\(pid)/mem", &owner) == 0 && owner.st_uid == 0)
        }
        #expect(try field("Seccomp", of: group.program.pid) == "0")
        try expectWholeReplay(into: group)
        // The group ends in order, and the sandbox refused nothing that the processes needed.
        #expect(try group.run("down").status == 0)
        for (name, _) in group.pids { #expect(!group.program.err.contains("\(name):"), "\(group.program.err)") }
    }

    @Test("host.seccomp=false turns the system call filter off")
    func unconfined() throws {
        let group = try LiveGroup(["--set", "host.seccomp=false"])
        for (name, pid) in group.pids {
            #expect(try field("NoNewPrivs", of: pid) == "1", "\(name)")
            #expect(try field("Seccomp", of: pid) == "0", "\(name)")
        }
    }

    // MARK: T2

    @Test("T2: no secret is in arguments, environment, journals or traces")
    func nothingShown() throws {
        let group = try LiveGroup(["--apps", "2", "--set", "host.trace=file"])
        let inherited = Set(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        for (name, pid) in group.pids {
            let arguments = try Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline")).split(separator: 0)
            // The only argument is its name: everything else arrives on descriptor 3.
            #expect(arguments.count == 1, "\(name)")
            let variables = try Data(contentsOf: URL(filePath: "/proc/\(pid)/environ")).split(separator: 0)
                .map { String(decoding: $0, as: UTF8.self) }
            let given = ["SWIFT_BACKTRACE=", "GLIBC_TUNABLES="]
            let own = variables.filter { variable in
                !inherited.contains(variable) && !given.contains { variable.hasPrefix($0) }
            }
            #expect(own == [], "\(name)")
        }
        try expectWholeReplay(into: group)
        #expect(try group.run("down").status == 0)
        // A pass's packet begins with these bytes. No journal contains them, and journals are private to their owner.
        let mark = Data([0x54, 0x50, 4, 0])
        let folder = "\(group.runDirectory)/journal"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(names.count > 3)
        for name in names {
            if !name.contains("/") {
                var facts = stat()
                #expect(stat("\(folder)/\(name)", &facts) == 0 && facts.st_mode & 0o7777 == 0o700, "\(name)")
                continue
            }
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            #expect(bytes.range(of: mark) == nil, "\(name)")
            var facts = stat()
            #expect(stat("\(folder)/\(name)", &facts) == 0 && facts.st_mode & 0o077 == 0, "\(name)")
        }
    }

    // MARK: T1

    @Test("T1: another user makes none of a hundred connections to each socket", .enabled(if: geteuid() == 0))
    func otherUser() throws {
        let group = try LiveGroup()
        for socket in ["input", "app", "control"] {
            #expect(system_knock_as(65_534, "\(group.runDirectory)/\(socket).sock", 100) == 0)
        }
        #expect(try group.status().isReady)
    }

    @Test("T1: a command calls no socket in a folder of others", arguments: [true, false])
    func takenFolder(isForeign: Bool) throws {
        let folder = LiveGroup.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        mkdir(folder, 0o755)
        chmod(folder, 0o755)
        if isForeign {
            guard geteuid() == 0 else { return }
            chown(folder, 65_534, 65_534)
        }
        let listener = system_unix_listen("\(folder)/control.sock", 16)
        try #require(listener >= 0)
        defer { close(listener) }
        chmod("\(folder)/control.sock", 0o666)
        let why = isForeign ? "belongs to user 65534" : "is open to other users (mode 755)"
        for arguments in [
            ["open", "touchline-demo://token-4711"], ["input", "act", "home"], ["input", "tap"], ["status"], ["down"],
            ["monitor", "--seconds", "1"], ["chaos", "F1"],
        ] {
            let result = try Program.run(arguments + ["--run-dir", folder])
            #expect(result.status == 3 && result.err.hasPrefix("\(folder) \(why): choose another"), "\(result)")
        }
        // The listener in that folder has received no connection.
        #expect(accept(listener, nil, nil) == -1 && errno == EAGAIN)
    }

    @Test(
        "T1: an XDG_RUNTIME_DIR of others is refused in one line",
        arguments: ["up", "status"])
    func runtimeFolder(verb: String) throws {
        let folder = LiveGroup.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func outcome() throws -> (status: Int32, err: String) {
            let program = try Program([verb], behind: ["/usr/bin/env", "XDG_RUNTIME_DIR=\(folder)"])
            return (try program.wait(), program.err)
        }
        mkdir(folder, 0o755)
        chmod(folder, 0o755)
        let advice = ": give --run-dir, or unset it\n"
        let open = try outcome()
        #expect(open.status == 3)
        #expect(open.err == "XDG_RUNTIME_DIR: \(folder) is open to other users (mode 755)" + advice)
        guard geteuid() == 0 else { return }
        chmod(folder, 0o700)
        chown(folder, 65_534, 65_534)
        let foreign = try outcome()
        #expect(foreign.status == 3)
        #expect(foreign.err == "XDG_RUNTIME_DIR: \(folder) belongs to user 65534" + advice)
    }

    // MARK: T5

    @Test("T5: typed keys are in no output except traces under trace.keys")
    func typedKeys() throws {
        // q, z and 7 on a United States keyboard: usages 20, 29, 36. As press types they are 2000 more.
        let secrets = ["7:20", "7:29", "7:36", "2020", "2029", "2036"]
        for asked in [false, true] {
            let group = try LiveGroup(["--set", "host.trace=file", "--set", "trace.keys=\(asked)"])
            let typed = try group.run("input", "text", "qz7", "--receipt")
            #expect(typed.status == 0, "\(typed.err)")
            let dump = try group.run("dump")
            group.program.signal(SIGTERM)
            #expect(try group.program.wait() == 0)
            let replay = try Program.run(["replay", "--journal", "\(group.runDirectory)/journal", "--until", "100000"])
            #expect(replay.status == 0, "\(replay.err)")
            var traces = ""
            let folder = "\(group.runDirectory)/trace"
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                traces += try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            }
            #expect(traces.contains("press ") && traces.contains("key "))
            func isSaid(_ secret: String, in text: String) -> Bool {
                text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).contains { $0 == secret }
            }
            for secret in secrets {
                #expect(isSaid(secret, in: traces) == asked, "\(secret)")
                for text in [typed.out, dump.out, replay.out] {
                    #expect(asked || !isSaid(secret, in: text), "\(secret)")
                }
            }
        }
    }

    // MARK: T7

    @Test("T7: cut or removed journals cost no process and no touch")
    func cutJournals() throws {
        let group = try LiveGroup()
        group.isAudited = false
        let folder = "\(group.runDirectory)/journal"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".journal") }
        #expect(paths.count == 4)
        for path in paths { #expect(truncate("\(folder)/\(path)", 0) == 0) }
        let first = try group.run("input", "tap", "187,333", "--repeat", "20", "--interval", "0.02")
        #expect(first.status == 0, "\(first.err)")
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) { unlink("\(folder)/\(path)") }
        let second = try group.run("input", "tap", "187,333")
        #expect(second.status == 0, "\(second.err)")
        let processes = try group.status()
        #expect(processes.isReady)
        #expect(
            group.program.err.contains("system-server.1.0.journal was cut by another process"), "\(group.program.err)")
    }

    // MARK: T8

    @Test("T8: files that declare ten gigabytes are refused at once")
    func declaredLengths() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        /// Ten gigabytes of zeros follow these bytes; on disk they take one page.
        func huge(_ name: String, beginning text: String) throws -> String {
            let path = folder.appending(path: name).path
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(truncate(path, 10 << 30) == 0)
            return path
        }
        for (name, beginning) in [
            ("a.yaml", "screen:\n"), ("b.evemu", "N: Panel\n"), ("c.libinput", "version: 1\n"),
            ("d.json", "{\"a\": \""),
        ] {
            let path = try huge(name, beginning: beginning)
            let decoded = try Program.run(["decode", path])
            #expect(decoded.status == 2, "\(name): \(decoded.err)")
            #expect(decoded.err.split(separator: "\n").count == 1, "\(decoded.err)")
        }
        let yaml = folder.appending(path: "a.yaml").path
        for words in [["--config", yaml], ["--scene", yaml]] {
            let up = try Program.run(["up", "--run-dir", LiveGroup.newFolder()] + words)
            #expect(up.status == 2, "\(up.err)")
            #expect(up.err.contains(yaml))
        }
        // A journal record that declares the greatest possible length.
        let journals = folder.appending(path: "journal")
        try FileManager.default.createDirectory(at: journals, withIntermediateDirectories: true)
        try Data([UInt8](repeating: 0xFF, count: 64)).write(to: journals.appending(path: "app1.1.0.journal"))
        let audit = try Program.run(["audit", folder.path])
        #expect(audit.status != 0)
        #expect(audit.err.split(separator: "\n").count + audit.out.split(separator: "\n").count < 20)
    }

    // MARK: F10, F20

    @Test("F10: two thousand connections do not disturb a server with 64 descriptors")
    func crowd() throws {
        let group = try LiveGroup(openFiles: 64)
        system_raise_descriptor_limit()
        var calls: [Int32] = []
        defer { for call in calls { close(call) } }
        for _ in 0..<2000 { calls.append(try patientCall("\(group.runDirectory)/app.sock")) }
        // The connections are still open here.
        let tap = try group.run("input", "tap", "0.5", "0.5")
        #expect(tap.status == 0, "\(tap.err)")
        let processes = try group.wait { !$0.isEmpty }
        #expect(processes.allSatisfy { $0.state == "ready" && $0.generation == 1 })
        let dump = try group.run("dump")
        #expect(dump.out.contains("pid \(getpid()) uid \(geteuid()) was turned away"), "\(dump.out)")
        try expectWholeReplay(into: group)
    }

    /// Connects as soon as the listen queue has room, which the next server makes.
    private func patientCall(_ path: String) throws -> Int32 {
        let call = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(call >= 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(call, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(call, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isConnected, "\(String(cString: strerror(errno)))")
        return call
    }

    // MARK: T4, T6, T9

    @Test("T4: silent connections are closed and keep no command from its answer")
    func halfOpen() throws {
        let group = try LiveGroup()
        let paths = ["control", "input", "app"].map { "\(group.runDirectory)/\($0).sock" }
        var calls = (0..<64).flatMap { _ in paths.map { system_unix_connect($0) } }
        defer { for call in calls { close(call) } }
        #expect(calls.allSatisfy { $0 >= 0 })
        #expect(try group.status().isReady)
        try expectWholeReplay(into: group)
        // The server sends all it has to say and then closes each connection.
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        var open = calls
        var scratch = [UInt8](repeating: 0, count: 256)
        while !open.isEmpty, Date() < deadline {
            var items = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&items, nfds_t(items.count), 1000)
            open.removeAll { read($0, &scratch, scratch.count) == 0 }
        }
        #expect(open.isEmpty)
        for call in calls { close(call) }
        calls = []
    }

    @Test(
        "T6: a flooding controller ends no process and is disconnected",
        arguments: [
            [Message.detailRequest(DetailRequest(id: 0))],
            [
                .observe(Observation(id: 0, kind: .begin)), .observe(Observation(id: 0, kind: .end)),
                .observe(Observation(id: 0, kind: .begin)), .observe(Observation(id: 0, kind: .page, of: .app(1))),
                .observe(Observation(id: 0, kind: .page, of: .systemServer)),
            ],
            [.act(.home), .act(.foreground(app: 1))],
        ])
    func floodOfQuestions(questions: [Message]) throws {
        let group = try LiveGroup()
        let flooder = try RawController(group.runDirectory, within: .seconds(2))
        let packet = (0..<400).map { questions[$0 % questions.count] }
        // Ten times what a controller may send at once.
        for _ in 0..<250 { guard flooder.send(packet) else { break } }
        let processes = try group.wait { processes in
            guard let last = try? group.json("status").object["lastRefusal"] as? String else { return false }
            return last.hasPrefix("controller1 sent more than ") && processes.allSatisfy { $0.state == "ready" }
        }
        #expect(processes.allSatisfy { $0.generation == 1 && $0.lastExit.isEmpty }, "\(processes)")
        #expect(flooder.connection.waitForClose())
        try expectWholeReplay(into: group)
    }

    @Test("T6: fifty controllers that never read have bounded memory in the supervisor")
    func unreadByMany() throws {
        let group = try LiveGroup(["--apps", "8"])
        func resident() throws -> Int {
            let text = try #require(try field("VmRSS", of: group.program.pid))
            return try #require(Int(text.split(separator: " ").first ?? "")) << 10
        }
        _ = try group.status()
        let before = try resident()
        let controllers = try (0..<50).map { _ in try RawController(group.runDirectory) }
        // Each time each controller requests more than 500 KB: 250 MB in all.
        for _ in 0..<10 {
            for controller in controllers {
                controller.send([Message](repeating: .reportRequest, count: 50))
            }
            // The answer to this command comes after those.
            _ = try? group.status()
        }
        let grown = try resident() - before
        if Sanitizer.kind == "address" {
            print("under the address sanitizer freed memory is kept: how much it grew is not judged")
        } else {
            #expect(grown < 160 << 20, "\(grown >> 20) MiB")
        }
        _ = consume controllers
        let processes = try group.wait { $0.allSatisfy { $0.state == "ready" } }
        #expect(processes.allSatisfy { $0.generation == 1 })
    }

    @Test("T9: `touchline chaos` works only in a group that allows it")
    func operatorRole() throws {
        let group = try LiveGroup()
        #expect(try group.run("dump").status == 0)
        #expect(try group.run("chaos", "F6").status == 3)
        let processes = try group.status().processes
        #expect(processes.allSatisfy { $0.generation == 1 })
    }
}
