// LoopbackListener.swift: a listening TCP socket on 127.0.0.1.

import Glibc

/// Listens on 127.0.0.1.
///
/// - Parameter wanted: The port; 0 for any free one.
/// - Returns: The socket, which the caller closes, and its port.
/// - Throws: `Failure` with exit code 2 for a port that cannot be used.
func loopbackListener(port wanted: UInt16, backlog: Int32) throws -> (socket: Int32, port: UInt16) {
    func failure() -> Failure { .badInput("--port \(wanted): \(String(cString: strerror(errno)))") }
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw failure() }
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, size) == 0 && listen(socket, backlog) == 0 && getsockname(socket, $0, &size) == 0
        }
    }
    guard isBound else {
        let failure = failure()
        close(socket)
        throw failure
    }
    return (socket, UInt16(bigEndian: address.sin_port))
}
