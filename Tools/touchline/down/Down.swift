// Down.swift: `touchline down`: ends a group and returns when nothing of it is left.

import ArgumentParser
import Basics
import CSystem
import Glibc
import Wire
import ZeroMQHost

/// The command `touchline down`.
struct Down: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Stop the group and wait until nothing of it is left.",
        discussion: """
            Without --json the command prints nothing when the group has ended.

            Exits 0 when the group has ended, 1 when it has not ended within 3 s, 2 when an option cannot be used, 3 when \
            no group is running.
            """)

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    /// A group that stops by its own deadlines takes less than 1 s.
    private static let stopLimit: Int32 = 3000  // ms

    func run() throws {
        let client = try runDirectory.connect()
        let group = try GroupReport(from: client)
        let begun = monotonicNow()
        let hasEnded = try Self.stop(group, by: client)
        if result.json {
            try printJSON([
                "runDirectory": runDirectory.path, "pid": Int(group.pid), "hasEnded": hasEnded,
                "seconds": begun.duration(to: monotonicNow()).seconds,
            ])
        }
        guard hasEnded else {
            throw Failure.negativeResult(
                "pid \(group.pid) has not ended within \(Self.stopLimit) ms; `kill -9 \(group.pid)` ends it and "
                    + "everything it started")
        }
    }

    /// Requests the stop and waits for the end of the supervisor.
    ///
    /// - Returns: Whether the supervisor has ended within the limit.
    private static func stop(_ group: GroupReport, by client: ControlClient) throws -> Bool {
        let handle = system_pidfd_open(group.pid)
        // The supervisor has ended since its answer.
        guard handle >= 0 else { return true }
        defer { close(handle) }
        try client.ask(.shutdown)
        // The socket closes shortly before the process ends, so the process is awaited. Its parent may leave it a
        // zombie for any time.
        var item = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, stopLimit) == 1
    }
}
