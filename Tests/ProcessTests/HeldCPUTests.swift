import Foundation
import Testbed
import Testing

/// host.awake in a live group.
@Suite("The CPU that a touch holds") struct HeldCPUTests {
    /// A stroke that lasts longer than the test.
    private static let script = "stroke f1 (20,20) (220,420) @0 600 step 1/60\n"

    private func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while try !isSo() {
            guard Date() < deadline else {
                Issue.record("never: \(what)")
                return
            }
            usleep(10_000)
        }
    }

    /// The CPUs of the thread that runs a process's loop.
    private func cpus(of pid: Int32) throws -> String? {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return status.firstMatch(of: /Cpus_allowed_list:\s*(\S+)/).map { String($0.1) }
    }

    /// The state of the thread that keeps the CPU awake; nil if the process has none.
    private func spinnerState(of pid: Int32) throws -> String? {
        try threads(of: pid).first { $0.name == "awake" }?.state
    }

    private func startStroke(in group: LiveGroup) throws -> (Program, URL) {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
        try Self.script.write(to: file, atomically: true, encoding: .utf8)
        return (try Program(["replay", "--run-dir", group.runDirectory, file.path]), file)
    }

    @Test("a finger holds one CPU of its group, kept awake, until after the lift", arguments: ["lent", "own"])
    func held(ioThread: String) throws {
        let before = try #require(try cpus(of: getpid()))
        let last = String(
            before[(before.lastIndex { !$0.isNumber }.map { before.index(after: $0) } ?? before.startIndex)...])
        let group = try LiveGroup(["--set", "host.awake=whileTouched", "--set", "host.ioThread=\(ioThread)"])
        let inputKit = try #require(group.pids["input-kit"])
        // On a busy machine a new thread gets its name and first sleeps after the group is ready.
        try wait("the CPU may sleep before a touch") { try spinnerState(of: inputKit) == "S" }
        let (replay, file) = try startStroke(in: group)
        defer { try? FileManager.default.removeItem(at: file) }
        for (name, pid) in group.pids { try wait("\(name) is on one CPU") { try cpus(of: pid) == last } }
        // A thread whose loop is lent sleeps.
        if Sanitizer.kind == nil, ioThread == "own" {
            try wait("libzmq's threads follow") {
                try group.pids.values.allSatisfy {
                    try threads(of: $0).filter { $0.name.contains("ZMQbg/IO") }.allSatisfy { $0.cpus == last }
                }
            }
        }
        try wait("the CPU is kept awake") { try spinnerState(of: inputKit) == "R" }
        replay.signal(SIGINT)
        #expect(try replay.wait() == 128 + SIGINT)
        for (name, pid) in group.pids { try wait("\(name) is on any CPU") { try cpus(of: pid) == before } }
        try wait("the CPU may sleep") { try spinnerState(of: inputKit) == "S" }
        for (name, pid) in group.pids where name != "input-kit" { #expect(try spinnerState(of: pid) == nil) }
        try expectWholeReplay(into: group)
    }

    @Test("a CPU is given back when input-kit dies with a finger down")
    func killed() throws {
        let before = try #require(try cpus(of: getpid()))
        let group = try LiveGroup(["--set", "host.awake=whileTouched"])
        let inputKit = try #require(group.pids["input-kit"])
        let (replay, file) = try startStroke(in: group)
        defer { try? FileManager.default.removeItem(at: file) }
        try wait("the CPU is kept awake") { try spinnerState(of: inputKit) == "R" }
        kill(inputKit, SIGKILL)
        let processes = try group.wait {
            $0.contains { $0.name == "input-kit" && $0.generation == 2 && $0.state == "ready" }
        }
        _ = try replay.wait()
        for process in processes {
            try wait("\(process.name) is on any CPU") { try cpus(of: Int32(process.pid)) == before }
        }
        let next = Int32(try #require(processes.first { $0.name == "input-kit" }).pid)
        try wait("the CPU may sleep after the restart") { try spinnerState(of: next) == "S" }
        try expectWholeReplay(into: group)
    }

    @Test("a group without host.awake keeps its CPUs during a touch")
    func never() throws {
        let before = try #require(try cpus(of: getpid()))
        let group = try LiveGroup()
        for pid in group.pids.values { #expect(try spinnerState(of: pid) == nil) }
        try expectWholeReplay(into: group)
        for pid in group.pids.values { #expect(try cpus(of: pid) == before) }
    }
}
