// SocketReadiness.swift: which sockets of the inspector's server are ready, by poll(2).
//
//     add, remove ─▶ interests ─▶ poll(2) ─▶ notifications          a byte in the pipe: the interests have changed
//
// The queue of FlyingSocks 0.27.1 for epoll remembers a socket that was closed while a read waited on it. The next
// connection with the same descriptor is then not watched, and never answered. poll(2) remembers nothing: a descriptor that
// is closed is an error of its waiters, and one that is used again is watched again.
//
// Input     FlyingFox's pool: the events that its tasks wait for
// Output    notifications of sockets
// Knows     descriptors. There are at most as many as the gate has connections.
//
// Sources   documented  poll(2)

import FlyingSocks
import Glibc
import Synchronization

/// The readiness of sockets by poll(2).
struct SocketReadiness: EventQueue {
    private final class Shared: Sendable {
        let interests = Mutex<[Int32: Socket.Events]>([:])
        let pipe: (read: Int32, write: Int32)

        init() throws {
            var ends: [Int32] = [0, 0]
            guard Glibc.pipe(&ends) == 0 else { throw SocketError.makeFailed("pipe") }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            pipe = (ends[0], ends[1])
        }

        deinit {
            Glibc.close(pipe.read)
            Glibc.close(pipe.write)
        }

        func wake() {
            var byte: UInt8 = 0
            // A full pipe wakes as well.
            _ = Glibc.write(pipe.write, &byte, 1)
        }
    }

    private var shared: Shared?

    mutating func open() throws { shared = try Shared() }

    mutating func stop() {
        shared?.interests.withLock { $0 = [:] }
        shared?.wake()
    }

    mutating func close() { shared = nil }

    mutating func addEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) throws {
        guard let shared else { throw SocketError.disconnected }
        shared.interests.withLock { $0[socket.rawValue, default: []].formUnion(events) }
        shared.wake()
    }

    mutating func removeEvents(_ events: Socket.Events, for socket: Socket.FileDescriptor) {
        shared?.interests.withLock { interests in
            let left = (interests[socket.rawValue] ?? []).subtracting(events)
            interests[socket.rawValue] = left.isEmpty ? nil : left
        }
    }

    /// Waits until a socket is ready or the interests have changed.
    func getNotifications() throws -> [EventNotification] {
        guard let shared else { throw SocketError.disconnected }
        let interests = shared.interests.withLock { $0 }
        var items = [pollfd(fd: shared.pipe.read, events: Int16(POLLIN), revents: 0)]
        items += interests.map { pollfd(fd: $0.key, events: Self.events(of: $0.value), revents: 0) }
        guard poll(&items, UInt(items.count), -1) >= 0 else {
            guard errno == EINTR || errno == EAGAIN else { throw SocketError.makeFailed("poll") }
            return []
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(shared.pipe.read, &bytes, bytes.count) > 0 {}
        return items.dropFirst().compactMap { item in
            guard item.revents != 0 else { return nil }
            return Self.notification(of: item, interests[item.fd] ?? [])
        }
    }

    private static func events(of interests: Socket.Events) -> Int16 {
        Int16((interests.contains(.read) ? POLLIN : 0) | (interests.contains(.write) ? POLLOUT : 0))
    }

    private static func notification(of item: pollfd, _ interests: Socket.Events) -> EventNotification {
        let result = Int32(item.revents)
        var events: Socket.Events = []
        if result & POLLIN != 0 { events.insert(.read) }
        if result & POLLOUT != 0 { events.insert(.write) }
        // Without an event of its own an error concerns everyone who waits.
        let isError = events.isEmpty || result & (POLLERR | POLLNVAL) != 0
        return EventNotification(
            file: Socket.FileDescriptor(rawValue: item.fd), events: events.isEmpty ? interests : events,
            errors: isError ? [.error] : [])
    }
}
