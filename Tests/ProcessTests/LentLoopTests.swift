import Foundation
import Testbed
import Testing

@testable import touchline

/// host.ioThread in a live group: who runs the loop of libzmq's I/O thread.
@Suite("The loop of libzmq's I/O thread", .serialized, .timeLimit(.minutes(5)))
struct LentLoopTests {
    /// One finger that moves sixty times in a second.
    private static let script = "stroke f1 (20,20) (220,420) @0 1.0 step 1/60\n"

    private func script() throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
        try Self.script.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private func play(into group: LiveGroup) throws {
        let file = try script()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (status, object) = try group.json("replay", file)
        #expect(status == 0)
        try expectWhole(object)
        #expect(((object["sent"] as? [String: Int])?["moved"] ?? 0) >= 50)
    }

    /// How often the I/O thread of each process has waited.
    private func waits(in group: LiveGroup) throws -> [String: UInt64] {
        try group.pids.mapValues { pid in
            let tasks = "/proc/\(pid)/task"
            let statuses = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
                try? String(contentsOfFile: "\(tasks)/\($0)/status", encoding: .utf8)
            }
            let io = try #require(statuses.first { $0.contains("ZMQbg/IO") })
            return EventCounter.switches(in: io).voluntary
        }
    }

    /// Without heartbeats libzmq has no timers, so only frames wake its threads.
    private func waitsOfAStroke(_ settings: String...) throws -> [String: UInt64] {
        let group = try LiveGroup((["host.heartbeatTimeout=0"] + settings).flatMap { ["--set", $0] })
        // The first frames find the threads in their own loops.
        try play(into: group)
        let before = try waits(in: group)
        try play(into: group)
        return try waits(in: group).merging(before, uniquingKeysWith: -)
    }

    @Test("a frame wakes no I/O thread by default", .enabled(if: Sanitizer.kind == nil))
    func lent() throws {
        for (name, count) in try waitsOfAStroke() { #expect(count < 10, "\(name)") }
    }

    @Test("a frame wakes the I/O threads with host.ioThread=own")
    func own() throws {
        for (name, count) in try waitsOfAStroke("host.ioThread=own") { #expect(count > 50, "\(name)") }
    }

    @Test("the loss of the server ends no process that runs the loop itself")
    func serverLoss() throws {
        let group = try LiveGroup(["--set", "supervisor.restartLimit=1000", "--set", "supervisor.backoffLimit=0.05"])
        for generation: UInt32 in 2...6 {
            // Each process sends to a server that has ended: its answers to touches, and heartbeats.
            let file = try script()
            defer { try? FileManager.default.removeItem(atPath: file) }
            let replay = try Program(["replay", "--run-dir", group.runDirectory, file])
            let server = try #require(try group.status().processes.first { $0.name == "system-server" })
            kill(pid_t(server.pid), SIGKILL)
            try group.wait { processes in
                processes.contains { $0.name == "system-server" && $0.generation == generation && $0.state == "ready" }
            }
            _ = try replay.wait()
        }
        for process in try group.status().processes where process.name != "system-server" {
            #expect(process.generation == 1, "\(process.name)")
        }
        try play(into: group)
    }
}
