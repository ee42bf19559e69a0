// Poller.swift: one epoll instance and the descriptors that it watches.

import CSystem
import Glibc

/// An epoll instance.
struct Poller: ~Copyable {
    struct Ready {
        let token: UInt64
        let isReadable: Bool
        let isWritable: Bool
    }

    private let epoll: Descriptor
    private let ready: UnsafeMutablePointer<system_ready>
    private static let capacity = 64

    init() throws(HostError) {
        epoll = try Descriptor(system_epoll_create(), from: "epoll_create", "")
        ready = .allocate(capacity: Self.capacity)
    }

    deinit { ready.deallocate() }

    /// Watches a descriptor for reading.
    ///
    /// - Parameter isEdge: Whether it is reported once for each time that it becomes readable, so that it need not be
    ///   read; otherwise as long as it is readable.
    /// - Returns: False for a file that is always ready, such as a regular file.
    @discardableResult
    func watch(_ descriptor: Int32, as token: UInt64, isEdge: Bool = false) throws(HostError) -> Bool {
        let events = UInt32(system_readable) | (isEdge ? system_edge : 0)
        if system_epoll_add(epoll.number, descriptor, events, token) == 0 { return true }
        guard errno == EPERM else {
            throw .system(call: "epoll_ctl", subject: "descriptor \(descriptor)", errno: errno)
        }
        return false
    }

    /// Sets whether to report room for writing too.
    func setWriting(_ writing: Bool, _ descriptor: Int32, as token: UInt64) {
        let events = UInt32(system_readable) | (writing ? UInt32(system_writable) : 0)
        system_epoll_modify(epoll.number, descriptor, events, token)
    }

    func forget(_ descriptor: Int32) { system_epoll_remove(epoll.number, descriptor) }

    /// Waits for ready descriptors and calls `each` for each of them.
    ///
    /// - Parameter milliseconds: The longest wait; -1 for no limit.
    /// - Returns: Whether these are all that are ready.
    @discardableResult
    func wait(milliseconds: Int32, each: (Ready) -> Void) -> Bool {
        let count = system_epoll_wait(epoll.number, ready, Int32(Self.capacity), milliseconds)
        precondition(count >= 0, "epoll_wait: \(systemText(errno))")
        for index in 0..<Int(count) {
            let events = ready[index].events
            // Errors and hang-ups count as readable: the next read finds them.
            each(
                Ready(
                    token: ready[index].token,
                    isReadable: events & ~UInt32(system_writable) != 0,
                    isWritable: events & UInt32(system_writable) != 0))
        }
        return count < Self.capacity
    }
}
