// ReadinessReport.swift: the readiness of a group, for a service manager that waits for it.
//
// Input     SupervisorPrinter, when all processes are ready
// Output    one datagram to the socket that NOTIFY_SOCKET names
// Knows     the address. No process of the group.
//
// Sources   documented  sd_notify(3): the text READY=1; an address that begins with @ is abstract

import Glibc

/// Reports to the service manager that started this process, such as systemd with `Type=notify`.
struct ReadinessReport {
    /// The manager's socket; nil if no manager waits.
    private let address: String?

    /// Reads the address and removes it from the environment, because no child may report for the group.
    init() {
        address = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
        unsetenv("NOTIFY_SOCKET")
    }

    /// Sends the report. A failure is printed: the manager would wait, and then end the group.
    func send() {
        guard let address else { return }
        let isAbstract = address.hasPrefix("@")
        guard isAbstract || address.hasPrefix("/") else {
            return printError("NOTIFY_SOCKET: expected a path or a name after @, found \(address)")
        }
        var remote = sockaddr_un()
        remote.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(address.utf8)
        let limit = MemoryLayout.size(ofValue: remote.sun_path)
        guard bytes.count < limit else {
            return printError("NOTIFY_SOCKET: expected at most \(limit - 1) bytes, found \(bytes.count)")
        }
        withUnsafeMutableBytes(of: &remote.sun_path) { path in
            path.copyBytes(from: bytes)
            if isAbstract { path[0] = 0 }
        }
        // The length of an abstract name is in the size alone; a path ends with a zero.
        let size = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count + (isAbstract ? 0 : 1)
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return printError("NOTIFY_SOCKET: \(String(cString: strerror(errno)))") }
        defer { close(socket) }
        let message = Array("READY=1".utf8)
        let sent = withUnsafePointer(to: &remote) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, message, message.count, Int32(MSG_NOSIGNAL), $0, socklen_t(size))
            }
        }
        if sent != message.count { printError("NOTIFY_SOCKET \(address): \(String(cString: strerror(errno)))") }
    }
}
