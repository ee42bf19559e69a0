import Basics
import CSystem
import Foundation
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import ZeroMQHost

@Suite("The supervisor's host") struct SupervisorTests {
    let scratch = Scratch()

    /// A supervisor with these programs in place of the real ones.
    func supervisor(
        programs: [String: String] = [:],
        answer: @escaping @Sendable (Input, Instant, inout Outbox) -> Void = { _, _, _ in }
    ) throws -> RecordedInputs {
        for (name, script) in programs {
            try writeProgram("#!/bin/sh\n\(script)\n", at: "\(scratch.folder)/\(name)")
        }
        let folder = scratch.folder
        let pages = RecordedInputs()
        let begun = RecordedInputs()
        Thread.detachNewThread {
            do {
                let host = try ZeroMQHost.supervisor(
                    SupervisorOptions(runDirectory: "\(folder)/run", executables: folder))
                begun.append(.started)
                var core = RecordingCore(recorded: pages) { input, now, outbox in
                    answer(input, now, &outbox)
                    if case .frame(let frame, _) = input, frame.message == .shutdown { outbox.append(.exit(status: 0)) }
                }
                pages.finish(host.run(&core))
            } catch {
                Issue.record(error)
                begun.append(.started)
            }
        }
        begun.wait("the supervisor's start") { !$0.isEmpty }
        return pages
    }

    var directory: String { "\(scratch.folder)/run" }

    func order(_ peer: Peer) -> LaunchOrder {
        LaunchOrder(peer: peer, epoch: 1, generation: 1, runDirectory: directory, settings: [])
    }

    @Test("a child's exit is reported once, after all its frames")
    func child() throws {
        let order = order(.app(1))
        let supervisor = try supervisor(programs: ["app": "exit 7"]) { input, _, outbox in
            if input == .started { outbox.append(.spawn(.app(1), order)) }
        }
        let inputs = supervisor.wait("the exit") { inputs in
            inputs.contains { if case .childExited = $0 { true } else { false } }
        }
        guard case .childStarted(.app(1), let pid) = inputs[1] else {
            Issue.record("\(inputs)")
            return
        }
        #expect(
            inputs == [
                .started, .childStarted(.app(1), pid: pid), .peerLost(.app(1)),
                .childExited(.app(1), pid: pid, status: .exited(7)),
            ])
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
    }

    @Test("T9: a child that connects to control.sock is refused by its pid")
    func childAtControl() throws {
        let order = order(.app(1))
        // The child connects many times from its start on, and reports the result by its exit status.
        let attack = """
            exec perl -MSocket -e 'for (1..50) { socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 3;
            connect(S, sockaddr_un("\(directory)/control.sock")) or exit 4;
            my $count = sysread(S, my $greeting, 1); exit 5 if $count; close S } exit 9'
            """
        let supervisor = try supervisor(programs: ["app": attack]) { input, _, outbox in
            if input == .started { outbox.append(.spawn(.app(1), order)) }
        }
        let inputs = supervisor.wait("the exit") { inputs in
            inputs.contains { if case .childExited = $0 { true } else { false } }
        }
        let pids = inputs.compactMap { input -> Int32? in
            if case .childStarted(.app(1), let pid) = input { pid } else { nil }
        }
        let pid = try #require(pids.first)
        #expect(inputs.contains(.childExited(.app(1), pid: pid, status: .exited(9))))
        let refusals = supervisor.wait("all refusals") { inputs in
            inputs.refusals.reduce(0) {
                guard case .connectionsRefused(pid: pid, uid: me.uid, let calls, .child) = $1 else { return $0 }
                return $0 + Int(calls)
            } == 50
        }
        #expect(!refusals.isEmpty)
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
    }

    @Test("a child inherits only its links, listeners and journals, no blocked signals")
    func inheritance() throws {
        let order = order(.systemServer)
        let report = "\(scratch.folder)/report"
        let script = """
            grep -E 'Sig(Blk|Ign)' /proc/self/status >\(report).signals
            echo $$ $(cut -d' ' -f5 /proc/$$/stat) >\(report).group
            exec ls /proc/self/fd >\(report).fds
            """
        let supervisor = try supervisor(programs: ["system-server": script]) { input, _, outbox in
            if input == .started { outbox.append(.spawn(.systemServer, order)) }
        }
        supervisor.wait("the exit") { inputs in inputs.contains { if case .childExited = $0 { true } else { false } } }
        func words(_ name: String) throws -> [String] {
            try String(contentsOfFile: "\(report).\(name)", encoding: .utf8).split { $0.isWhitespace }.map(String.init)
        }
        // The last descriptor is the listing's own.
        #expect(try words("fds") == ["0", "1", "2", "3", "4", "5", "6", "7"])
        #expect(try Set(words("group")).count == 1)
        // Signals 32 and 33 belong to the C library, which does not let a program change them.
        let masks = try words("signals").compactMap { UInt64($0, radix: 16) }
        #expect(masks.count == 2 && masks.allSatisfy { $0 & 0x7FFF_FFFF == 0 })
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
    }

    @Test("a missing program fails its child with path and reason")
    func missing() throws {
        let order = order(.inputKit)
        let supervisor = try supervisor { input, _, outbox in
            if input == .started { outbox.append(.spawn(.inputKit, order)) }
        }
        let inputs = supervisor.wait("the failure") { $0.count == 2 }
        let why = "No such file or directory: \(scratch.folder)/input-kit"
        #expect(inputs == [.started, .childFailed(.inputKit, reason: why)])
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
    }

    @Test("no child outlives the supervisor, and only its journal stays")
    func end() throws {
        let order = order(.app(1))
        let supervisor = try supervisor(programs: ["app": "trap '' TERM; while :; do sleep 1; done"]) {
            input, _, outbox in
            switch input {
            case .started: outbox.append(.spawn(.app(1), order))
            case .childStarted: outbox.append(.exit(status: 4))
            default: break
            }
        }
        #expect(supervisor.waitForExit() == 4)
        guard case .childStarted(_, let pid)? = supervisor.inputs.last else {
            Issue.record("\(supervisor.inputs)")
            return
        }
        #expect(kill(pid, 0) != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["journal"])
    }

    func ask(_ message: Message) throws {
        let client = try ControlClient(runDirectory: directory)
        try client.send(message)
        #expect(throws: HostError.groupEnded(runDirectory: directory)) {
            while let answer = try client.receive(timeout: .seconds(10)) { Issue.record("\(answer)") }
        }
    }

    @Test("each command is a peer that is answered and later lost")
    func control() throws {
        let supervisor = try supervisor { input, _, outbox in
            switch input {
            case .frame(let asked, let peer) where asked.message == .reportRequest:
                outbox.append(.send(frame(.report(Report(peer: .supervisor))), to: peer))
            default: break
            }
        }
        for number in 1...2 {
            let client = try ControlClient(runDirectory: directory)
            try client.send(.reportRequest)
            guard case .report(let report)? = try client.receive(timeout: .seconds(5)) else {
                Issue.record("no report")
                return
            }
            #expect(report.peer == .supervisor && report["journal.state"] == .text("writing"))
            #expect(try client.receive(timeout: .milliseconds(1)) == nil)
            #expect(supervisor.inputs.contains(.connected(Peer(.controller, UInt32(number)))))
            _ = consume client
            supervisor.wait("the end of command \(number)", until: isLost(Peer(.controller, UInt32(number))))
        }
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
    }

    @Test("the supervisor's last messages arrive after its exit")
    func lastWords() throws {
        let supervisor = try supervisor { input, _, outbox in
            guard case .frame(_, let peer) = input else { return }
            for number in 1...20 { outbox.append(.send(frame(.refused("\(number)")), to: peer)) }
        }
        let client = try ControlClient(runDirectory: directory)
        try client.send(.shutdown)
        #expect(supervisor.waitForExit() == 0)
        var heard: [Message] = []
        #expect(throws: HostError.groupEnded(runDirectory: directory)) {
            while let message = try client.receive(timeout: .seconds(10)) { heard.append(message) }
        }
        #expect(heard == (1...20).map { .refused("\($0)") })
    }

    @Test("a second supervisor on a run directory gets the first one's pid")
    func second() throws {
        let supervisor = try supervisor()
        #expect(throws: HostError.alreadyRunning(pid: getpid(), runDirectory: directory)) {
            _ = try ZeroMQHost.supervisor(SupervisorOptions(runDirectory: directory))
        }
        #expect(FileManager.default.fileExists(atPath: RunPaths(directory).control))
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
    }

    @Test("a command that meets a full control socket says so")
    func crowded() throws {
        let supervisor = try supervisor()
        let path = RunPaths(directory).control
        var calls = try (0..<64).map { _ in try RawConnection(path) }
        for call in calls { call.send(RawConnection.greeting() + RawConnection.ready([RawConnection.dealer])) }
        for call in calls { #expect(call.waitForText("READY")) }
        do {
            _ = try ControlClient(runDirectory: directory, timeout: .milliseconds(500))
            Issue.record("it was let in")
        } catch {
            #expect(error == .tooManyControllers(runDirectory: directory, pid: getpid()))
            let line = "\(error)"
            #expect(!line.contains("kill") && !line.contains("no group") && line.contains("try again"))
        }
        calls.removeAll()
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
        #expect(!"\(HostError.alreadyRunning(pid: 0, runDirectory: "/x"))".contains("pid"))
    }

    @Test("an ended child's pid is remembered for one second")
    func endedChild() {
        var ended = EndedProcesses()
        ended.add(7, at: .boot)
        ended.add(8, at: .boot.advanced(by: .milliseconds(500)))
        #expect(!ended.expire(at: .boot.advanced(by: .milliseconds(999))) && ended.pids == [7, 8])
        #expect(ended.deadline == .boot.advanced(by: .seconds(1)))
        #expect(ended.expire(at: .boot.advanced(by: .seconds(1))) && ended.pids == [8])
        #expect(ended.expire(at: .boot.advanced(by: .seconds(2))) && ended.pids == [] && ended.deadline == nil)
    }

    @Test(
        "a child has its parent's environment without the crash handler, and keeps the user's glibc tunables",
        arguments: [
            (["A=1"], ["A=1", "GLIBC_TUNABLES=glibc.malloc.tcache_count=256"]),
            (["SWIFT_BACKTRACE=enable=yes"], ["GLIBC_TUNABLES=glibc.malloc.tcache_count=256"]),
            (
                ["GLIBC_TUNABLES=glibc.malloc.check=1", "A=1"],
                ["GLIBC_TUNABLES=glibc.malloc.check=1:glibc.malloc.tcache_count=256", "A=1"]
            ),
            (
                ["GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.check=1"],
                ["GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.check=1"]
            ),
        ] as [([String], [String])])
    func childEnvironment(parent: [String], expected: [String]) {
        #expect(Child.environment(of: parent) == expected + ["SWIFT_BACKTRACE=enable=no"])
    }

    @Test("remains of a killed supervisor stop no later supervisor and no command")
    func leftovers() throws {
        mkdir(directory, 0o700)
        let paths = RunPaths(directory)
        for path in [paths.input, paths.app, paths.control] {
            close(try scratch.listen(path))
        }
        try Data("1\n".utf8).write(to: URL(filePath: paths.pid))
        #expect(throws: HostError.noGroup(runDirectory: directory)) { _ = try ControlClient(runDirectory: directory) }
        let supervisor = try supervisor()
        try ask(.shutdown)
        #expect(supervisor.waitForExit() == 0)
        // The folder existed before; the supervisor removes its contents all the same.
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["journal"])
    }

    @Test("a second supervisor takes no folder whose pid file was replaced")
    func removedPid() throws {
        let paths = RunPaths(directory)
        let first = try RunDirectory(directory)
        let listener = try first.listen(paths.control)
        for replacement in [nil, "1\n", "\(getpid())\n"] {
            try FileManager.default.removeItem(atPath: paths.pid)
            if let replacement { try Data(replacement.utf8).write(to: URL(filePath: paths.pid)) }
            do throws(HostError) {
                _ = try RunDirectory(directory)
                Issue.record("the folder was taken")
            } catch {
                guard case .alreadyRunning(_, directory) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
            if replacement == nil { try Data().write(to: URL(filePath: paths.pid)) }
        }
        #expect(first.removals() == [paths.pid] && first.removals() == [])
        _ = consume listener
        _ = consume first
    }

    @Test("a new group's sockets survive the end of the removed group")
    func removedFolder() throws {
        let paths = RunPaths(directory)
        var first: RunDirectory? = try RunDirectory(directory)
        close(try first!.listen(paths.control).release())
        try FileManager.default.removeItem(atPath: directory)
        let second = try RunDirectory(directory)
        close(try second.listen(paths.control).release())
        first = nil
        #expect(FileManager.default.fileExists(atPath: paths.control))
        #expect(throws: HostError.alreadyRunning(pid: getpid(), runDirectory: directory)) {
            _ = try RunDirectory(directory)
        }
        _ = consume second
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test("an obstacle in the run directory is named, and no folder left")
    func inTheWay() throws {
        let paths = RunPaths(directory)
        try FileManager.default.createDirectory(atPath: paths.input, withIntermediateDirectories: true)
        chmod(directory, 0o700)
        #expect(throws: HostError.system(call: "remove", subject: paths.input, errno: EISDIR)) {
            _ = try RunDirectory(directory)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["input.sock"])
    }

    @Test("a supervisor whose journals cannot be set aside does not start")
    func noJournals() throws {
        let paths = RunPaths(directory)
        mkdir(directory, 0o700)
        let tree = paths.previousJournals + String(repeating: "/d", count: 80)
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
        mkdir(paths.journals, 0o700)
        #expect(throws: HostError.system(call: "remove", subject: paths.previousJournals, errno: ENOTEMPTY)) {
            _ = try ZeroMQHost.supervisor(SupervisorOptions(runDirectory: directory))
        }
    }

    @Test("journals stay with the opened run directory after it is moved")
    func movedJournals() throws {
        let first = try RunDirectory(directory)
        let away = "\(scratch.folder)/away"
        #expect(rename(directory, away) == 0)
        let moved = try first.journals(of: .app(1))
        #expect(FileManager.default.fileExists(atPath: "\(away)/journal/app1"))
        // A removed folder is made again. A symbolic link in its place is refused.
        try FileManager.default.removeItem(atPath: "\(away)/journal")
        _ = try first.journals(of: .app(1))
        try FileManager.default.removeItem(atPath: "\(away)/journal/app1")
        #expect(symlink(scratch.folder, "\(away)/journal/app1") == 0)
        #expect(throws: HostError.self) { _ = try first.journals(of: .app(1)) }
        try FileManager.default.removeItem(atPath: away)
        #expect(throws: HostError.system(call: "mkdir", subject: RunPaths(directory).journals, errno: ENOENT)) {
            _ = try first.journals(of: .app(1))
        }
        _ = consume moved
        _ = consume first
    }

    @Test("host.spin applies to children and not to the supervisor", arguments: [true, false])
    func spinning(isSupervisor: Bool) throws {
        let settings = try Settings([Setting(key: "host.spin", value: "true")])
        let host = try ZeroMQHost(
            order: order(isSupervisor ? .supervisor : .app(1)), settings: settings, parts: ZeroMQHost.Parts())
        #expect(host.spins == !isSupervisor)
    }

    @Test("an unsuitable run directory is refused with advice")
    func folders() throws {
        let open = "\(scratch.folder)/open"
        mkdir(open, 0o755)
        chmod(open, 0o755)
        let file = "\(scratch.folder)/file"
        try Data().write(to: URL(filePath: file))
        // The link points to a suitable folder. A user who may change the link can make it point elsewhere later.
        let (link, target) = ("\(scratch.folder)/link", "\(scratch.folder)/target")
        mkdir(target, 0o700)
        #expect(symlink(target, link) == 0)
        let long = "\(scratch.folder)/" + String(repeating: "x", count: 100)
        for (path, words) in [
            (open, "is open to other users (mode 755): choose another --run-dir"),
            (file, "is no folder: choose another --run-dir"),
            (link, "is no folder: choose another --run-dir"), (link + "/", "is no folder: choose another --run-dir"),
            (link + "//", "is no folder"), (link + "/.", "is no folder"), (link + "/./", "is no folder"),
            (long, "choose a shorter --run-dir"), ("/nowhere/at/all", "No such file or directory"),
        ] {
            do {
                _ = try ZeroMQHost.supervisor(SupervisorOptions(runDirectory: path))
                Issue.record("\(path) was taken")
            } catch {
                #expect("\(error)".contains(words))
            }
        }
        #expect(throws: HostError.noGroup(runDirectory: "/nowhere/at/all")) {
            _ = try ControlClient(runDirectory: "/nowhere/at/all")
        }
    }
}
