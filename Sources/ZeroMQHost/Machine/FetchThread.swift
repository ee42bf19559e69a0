// FetchThread.swift: the app's event port on a thread of its own (`app.eventFetch: thread`).
//
//    link ─▶ epoll ─▶ decode ─▶ ┌ arrivals ┐ ─eventfd─▶ the host's loop
//    link ◀────────────────────  └ outgoing ┘ ◀─eventfd─ the host's loop
//
// The thread costs one hand-off in each direction. It exists because an iOS app has it (C2.1), to measure
// that cost.

import CSystem
import Glibc
import Hosting
import Synchronization

/// The thread that reads an app's link to the server.
final class FetchThread: @unchecked Sendable {
    // The link and the poller belong to the thread while it runs; both threads use only `shared`.
    private struct Shared {
        var arrivals: [Input] = []
        var outgoing: [[UInt8]] = []
        var isStopping = false
        /// Whether the link keeps packets for which libzmq has no room.
        var isLinkFull = false
    }

    /// The packets that may wait here before the host must wait too.
    private static let packetLimit = 64

    private let shared = Mutex(Shared())
    private let link: ServerLink
    private let poller: Poller
    private let arrivalEvent: Descriptor
    private let wakeEvent: Descriptor
    private let spins: Bool
    private var thread = pthread_t()

    init(_ link: ServerLink, spins: Bool) throws(HostError) {
        (self.link, self.spins) = (link, spins)
        arrivalEvent = try Descriptor(system_eventfd_create(), from: "eventfd", "")
        wakeEvent = try Descriptor(system_eventfd_create(), from: "eventfd", "")
        poller = try Poller()
        try poller.watch(wakeEvent.number, as: 0)
        try poller.watch(link.descriptors.packets, as: 1)
        try poller.watch(link.descriptors.connections, as: 2)
        let failure = pthread_create(
            &thread, nil,
            { pointer in
                Unmanaged<FetchThread>.fromOpaque(pointer!).takeRetainedValue().work()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard failure == 0 else { throw .system(call: "pthread_create", subject: "event fetch", errno: failure) }
    }

    /// A descriptor that is readable when something has arrived.
    var descriptor: Int32 { arrivalEvent.number }

    func drain(into arrivals: inout [Input]) {
        system_eventfd_clear(arrivalEvent.number)
        arrivals += shared.withLock { shared in
            defer { shared.arrivals.removeAll(keepingCapacity: true) }
            return shared.arrivals
        }
    }

    func send(_ bytes: [UInt8]) {
        shared.withLock { $0.outgoing.append(bytes) }
        system_eventfd_signal(wakeEvent.number)
    }

    /// Whether the host should send nothing more: further packets would wait here and could exceed the link's limit.
    var isFull: Bool { shared.withLock { $0.isLinkFull || $0.outgoing.count >= Self.packetLimit } }

    /// Ends the thread and waits for it.
    func stop() {
        shared.withLock { $0.isStopping = true }
        system_eventfd_signal(wakeEvent.number)
        pthread_join(thread, nil)
    }

    private func work() {
        // The name that `ps -T` and a debugger show.
        system_name_thread("event fetch")
        var arrivals: [Input] = []
        var hasMore = true
        var wasLinkFull = false
        // The monitor's descriptor is edge-triggered, so its events must be read once before the first wait.
        link.readConnectionEvents(into: &arrivals)
        while true {
            let pause: Int32 = hasMore || spins ? 0 : link.hasPending ? 2 : -1
            poller.wait(milliseconds: pause) { ready in
                switch ready.token {
                case 0: system_eventfd_clear(wakeEvent.number)
                case 2: link.readConnectionEvents(into: &arrivals)
                default: break
                }
            }
            let (outgoing, isStopping) = shared.withLock { shared in
                defer { shared.outgoing.removeAll(keepingCapacity: true) }
                return (shared.outgoing, shared.isStopping)
            }
            if link.hasPending { link.retry(into: &arrivals) }
            for bytes in outgoing { link.send(bytes, into: &arrivals) }
            guard !isStopping else { return }
            let isLinkFull = link.hasPending
            if isLinkFull != wasLinkFull { shared.withLock { $0.isLinkFull = isLinkFull } }
            wasLinkFull = isLinkFull
            hasMore = link.drain(budget: 64, into: &arrivals)
            if !arrivals.isEmpty {
                shared.withLock { $0.arrivals += arrivals }
                arrivals.removeAll(keepingCapacity: true)
                system_eventfd_signal(arrivalEvent.number)
            } else if spins {
                sched_yield()
            }
        }
    }
}
