import CSystem
import Foundation
import Testing
import Wire

@testable import ZeroMQHost

/// The calls of libzmq that this program answers without the kernel.
@Suite("libzmq's calls to the kernel") struct LibzmqCallTests {
    let scratch = Scratch()

    @Test("libzmq in this program calls this program's functions", .enabled(if: system_is_sanitized() == 0))
    func isInPlace() { #expect(libzmq_calls_are_answered() == 1) }

    @Test("getpid is the kernel's, also in a forked process")
    func process() { #expect(libzmq_process_is_known() == 1) }

    private func isReadable(_ descriptor: Int32) -> Bool { libzmq_kernel_has_signals(descriptor) == 1 }

    // Expectations cannot capture sockets, so these functions return what is expected.

    private func receive(_ socket: borrowing Socket, _ packet: borrowing Packet, parts: Int = 1) -> Bool {
        for _ in 0..<parts { guard socket.receive(into: packet) else { return false } }
        return true
    }

    /// Waits for a packet and receives all of its parts.
    private func receiveNext(_ socket: borrowing Socket, _ packet: borrowing Packet, parts: Int = 1) -> Bool {
        socket.wait(milliseconds: 60_000) && receive(socket, packet, parts: parts)
    }

    private func send(_ number: Int, over socket: borrowing Socket, to route: RouteID? = nil) -> Bool {
        if let route, route.withBytes({ socket.send($0, more: true) }) != .done { return false }
        return [number].withUnsafeBytes { socket.send($0) } == .done
    }

    /// A router and a dealer that have exchanged their first packets.
    private func pair(
        limitedTo packets: Int32? = nil, body: (borrowing Socket, borrowing Socket, RouteID) throws -> Void
    ) throws {
        let path = scratch.paths.input
        let router = try Socket(.router, on: "ipc://\(path)", in: try Context())
        let dealer = try Socket(.tool, on: "ipc://\(path)", in: try Context())
        if let packets {
            try router.limitQueues(sent: packets, received: packets)
            try dealer.limitQueues(sent: packets, received: packets)
        }
        try router.adopt(listener: try scratch.listen(path))
        try dealer.connect()
        let packet = Packet()
        let isSent = send(1, over: dealer)
        try #require(isSent)
        let isThere = receiveNext(router, packet)
        try #require(isThere)
        let route = try #require(RouteID(packet.bytes))
        let isWhole = receive(router, packet)
        #expect(isWhole)
        try body(router, dealer, route)
    }

    @Test("the counted signals of a mailbox are what the kernel has", .enabled(if: system_is_sanitized() == 0))
    func signals() throws {
        try pair { router, dealer, route in
            let packet = Packet()
            let mailboxes = [router.descriptor, dealer.descriptor]
            for mailbox in mailboxes { #expect(libzmq_is_mailbox(mailbox) == 1) }
            var isComplete = true
            for number in 0..<2000 {
                isComplete = send(number, over: router, to: route) && isComplete
                // Every other packet is taken and answered at once.
                guard number.isMultiple(of: 2) else { continue }
                isComplete = receiveNext(dealer, packet) && send(number, over: dealer) && isComplete
                isComplete = receiveNext(router, packet, parts: 2) && isComplete
            }
            for _ in 0..<1000 { isComplete = receiveNext(dealer, packet) && isComplete }
            #expect(isComplete)
            let isMore = receive(dealer, packet) || receive(router, packet)
            #expect(!isMore)
            // An I/O thread may be about to signal.
            for mailbox in mailboxes {
                let isCounted = (0..<10_000).contains { _ in
                    sched_yield() == 0 && (libzmq_signals(mailbox) > 0) == isReadable(mailbox)
                }
                #expect(isCounted)
            }
        }
    }

    @Test("a mailbox that waits in the kernel is woken by each packet")
    func wakeUps() throws {
        try pair { router, dealer, route in
            let packet = Packet()
            var numbers: [Int] = []
            for number in 0..<500 {
                // Nothing waits, so the next receive asks the kernel.
                let isMore = receive(dealer, packet)
                let isThere = send(number, over: router, to: route) && receiveNext(dealer, packet)
                try #require(!isMore && isThere)
                numbers.append(packet.bytes.loadUnaligned(as: Int.self))
            }
            #expect(numbers == Array(0..<500))
        }
    }

    @Test("packets that found no room arrive in order once there is room")
    func room() throws {
        let content = [UInt8](repeating: 7, count: 60_000)
        try pair(limitedTo: 4) { router, dealer, _ in
            var (sent, received) = (0, 0)
            let packet = Packet()
            for _ in 0..<40 {
                // Until libzmq's queues and the kernel's buffers are full.
                var isFull = false
                while !isFull {
                    var bytes = content
                    bytes.withUnsafeMutableBytes { $0.storeBytes(of: sent, as: Int.self) }
                    isFull = bytes.withUnsafeBytes { dealer.send($0) } == .full
                    if !isFull { sent += 1 }
                    // The query processes news of room.
                    _ = dealer.isReadable
                }
                let target = received + (sent - received + 1) / 2
                while received < target {
                    let isThere = receiveNext(router, packet, parts: 2)
                    try #require(isThere && packet.bytes.loadUnaligned(as: Int.self) == received)
                    received += 1
                }
            }
            while received < sent {
                let isThere = receiveNext(router, packet, parts: 2)
                try #require(isThere && packet.bytes.loadUnaligned(as: Int.self) == received)
                received += 1
            }
            #expect(received > 40)
        }
    }

    @Test("descriptors of other libraries are watched by the kernel")
    func others() throws {
        var ends: [Int32] = [0, 0]
        #expect(system_packet_pair(&ends) == 0)
        let first = Descriptor(ends[0])
        let second = Descriptor(ends[1])
        let poller = try Poller()
        try poller.watch(first.number, as: 1)
        poller.setWriting(true, first.number, as: 2)
        var tokens: [UInt64] = []
        poller.wait(milliseconds: 0) { tokens.append($0.isWritable ? $0.token : 0) }
        poller.setWriting(false, first.number, as: 3)
        poller.wait(milliseconds: 0) { tokens.append($0.token) }
        #expect(write(second.number, "12345678", 8) == 8)
        poller.wait(milliseconds: 0) { tokens.append($0.token) }
        #expect(tokens == [2, 3])
        let event = Descriptor(system_eventfd_create())
        #expect(libzmq_is_mailbox(event.number) == 0 && !isReadable(event.number))
        system_eventfd_signal(event.number)
        var item = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&item, 1, 0) == 1)
    }

    @Test("an edge-triggered descriptor is reported once for each change")
    func edges() throws {
        let event = Descriptor(system_eventfd_create())
        let poller = try Poller()
        try poller.watch(event.number, as: 5, isEdge: true)
        func count() -> Int {
            var count = 0
            poller.wait(milliseconds: 0) { _ in count += 1 }
            return count
        }
        var counts = [count()]
        for _ in 0..<2 {
            system_eventfd_signal(event.number)
            counts += [count(), count()]
        }
        #expect(counts == [0, 1, 0, 1, 0])
    }
}
