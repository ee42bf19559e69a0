// Down.swift: `touchline down`: ends a group and returns when nothing of it is left.

import ArgumentParser
import CSystem
import Glibc
import Wire
import ZeroMQHost

/// The command `touchline down`.
struct Down: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop the group and wait until nothing of it is left.",
        discussion: "Exits 0 when it has ended, 1 when it has not within 3 s, 3 when no group is running.")

    @OptionGroup var runDirectory: RunDirectory

    /// A group that stops by its own deadlines takes less than 1 s.
    private static let stopLimit: Int32 = 3000  // ms

    func run() throws {
        let client = try runDirectory.connect()
        let group = try GroupReport(from: client)
        let handle = system_pidfd_open(group.pid)
        // The supervisor has ended since its answer.
        guard handle >= 0 else { return }
        defer { close(handle) }
        try client.ask(.shutdown)
        // The socket closes shortly before the process ends, so the process is awaited. Its parent may leave it a
        // zombie for any time.
        var item = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, Self.stopLimit) == 1 else {
            throw Failure.negativeResult(
                "pid \(group.pid) has not ended within \(Self.stopLimit) ms; `kill -9 \(group.pid)` ends it and "
                    + "everything it started")
        }
    }
}
