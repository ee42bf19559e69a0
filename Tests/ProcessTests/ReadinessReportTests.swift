import Foundation
import Glibc
import Testbed
import Testing

@Suite("Readiness of a group for a service manager", .serialized, .timeLimit(Sanitizer.timeLimit))
struct ReadinessReportTests {
    @Test("a group reports its readiness once to NOTIFY_SOCKET", arguments: [false, true])
    func report(isAbstract: Bool) throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/tl-notify-\(UUID().uuidString.prefix(8))"
        let manager = try #require(Manager(path, isAbstract: isAbstract))
        defer { if !isAbstract { unlink(path) } }
        let group = try LiveGroup(behind: ["/usr/bin/env", "NOTIFY_SOCKET=\(isAbstract ? "@" : "")\(path)"])
        #expect(manager.receive(waiting: true) == "READY=1")
        #expect(try group.run("down").status == 0)
        #expect(manager.receive(waiting: false) == nil)
        #expect(!group.program.err.contains("NOTIFY_SOCKET"), "\(group.program.err)")
    }

    @Test("a report that does not arrive is one line, and the group runs")
    func unreachable() throws {
        let group = try LiveGroup(behind: ["/usr/bin/env", "NOTIFY_SOCKET=/nowhere/notify"])
        let line = group.program.line(inErrors: "NOTIFY_SOCKET", seconds: Programs.waitLimit)
        #expect(line == "NOTIFY_SOCKET /nowhere/notify: No such file or directory")
        #expect(try group.status().isReady)
    }
}

/// The socket of a service manager.
private final class Manager {
    private let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

    init?(_ name: String, isAbstract: Bool) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
        }
        guard isBound else { return nil }
    }

    deinit { close(socket) }

    /// The next message; nil if none arrives in time, or none is there and the caller does not wait.
    func receive(waiting: Bool) -> String? {
        var item = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, waiting ? Int32(Programs.waitLimit * 1000) : 0) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
