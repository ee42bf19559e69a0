// RawRelay.swift: the cost of two bare libzmq hops, the reference for the group's latency.
//
//    source ──DEALER─▶ ROUTER── middle ──ROUTER─▶ DEALER── sink ──▶ samples
//       ▲                                                    │
//       └──────────────── receipts, closed loop only ────────┘
//
// Three processes with the group's socket options exchange packets as long as the frames of one touch. By default they
// wait in the plainest way: a blocking receive. There is no decoding, no check and no core. A run begins when all three
// are connected and ends when the source's last packet has been answered.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 1.1

public import Basics
import CSystem
import Glibc
import HID
import Wire

/// Measures the latency of a relay without the group's code.
public enum RawRelay {
    /// The times at which the source sends packets.
    public enum Pace: Hashable, Sendable {
        /// One packet per period, in nanoseconds, whether or not the last one has arrived.
        case every(UInt64)
        /// The next packet once the sink's receipt for the last one has returned.
        case closedLoop
    }

    /// The way in which a process waits for a packet.
    public enum Wait: String, Hashable, Sendable, CaseIterable {
        /// In `zmq_msg_recv`.
        case blocking
        /// In `epoll_wait` on `ZMQ_FD`, as the group's processes do.
        case epoll
    }

    /// The parameters of a run.
    public struct Plan: Hashable, Sendable {
        /// The folder for the sockets and the samples. It exists already and only the caller uses it.
        public var folder: String
        /// The number of measured packets, after `warmUp` others.
        public var frames: Int
        public var warmUp: Int
        public var pace: Pace
        /// As the settings `host.affinity` and `host.spin`.
        public var affinity = ""
        public var spins = false
        public var wait = Wait.blocking

        public init(folder: String, frames: Int, warmUp: Int, pace: Pace) {
            (self.folder, self.frames, self.warmUp, self.pace) = (folder, frames, warmUp, pace)
        }
    }

    /// The times of one packet.
    public struct Sample: Hashable, Sendable {
        /// The scheduled time of sending; in a closed loop, the actual time.
        public var due: Instant
        public var sent: Instant
        public var received: Instant
    }

    enum Role: String, CaseIterable { case source, middle, sink }

    /// The sizes in bytes of a moving touch's frames, from input-kit to the server and from the server to an app.
    static let sizes: (input: Int, touches: Int) = {
        let finger = DigitizerEvent(
            transducer: .finger, index: 0, identity: 1, mask: [.position], options: [.range, .touch],
            at: Point(.one, .one))
        let event = HIDEvent(
            timeStamp: .boot, senderID: 0, generationCount: 0, hand: finger, fingers: [finger])
        let contact = TouchContact(
            touch: TouchID(rawValue: 1), phase: .moved, at: Point(.one, .one), majorRadius: .zero)
        let touches = TouchFrame(timeStamp: .boot, contacts: [contact])
        func size(_ message: Message) -> Int {
            Frame(epoch: 1, generation: 1, sequence: 1, message: message).encoded().count
        }
        return (size(.digitizer(event)), size(.touches(touches)))
    }()
}

// MARK: Running all three

extension RawRelay {
    /// Runs a relay and waits for its end.
    ///
    /// - Parameters:
    ///   - program: This executable. Started with `arguments` and then the arguments of a role, it calls `run` with the
    ///     latter.
    /// - Returns: A sample for every measured packet, in order.
    /// - Throws: `HostError.relayFailed` if a process fails.
    public static func measure(_ plan: Plan, program: String, arguments: [String]) throws(HostError) -> [Sample] {
        var children: [RelayProcess] = []
        for role in [Role.middle, .sink, .source] {
            children.append(try RelayProcess(program, arguments + plan.arguments(for: role)))
        }
        // If one process fails, the others wait for it. So the loop handles whichever ends first.
        while !children.isEmpty {
            var items = children.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            poll(&items, nfds_t(items.count), -1)
            for index in items.indices.reversed() where items[index].revents != 0 {
                let status = children.remove(at: index).waitForEnd()
                guard status == 0 else { throw .relayFailed(status: status) }
            }
        }
        defer { unlink(plan.samples) }
        return try read(plan.samples)
    }

    /// Plays one role: the body of the hidden subcommand that `measure` starts three times.
    ///
    /// - Returns: The status to exit with.
    public static func run(_ arguments: [String]) -> Int32 {
        guard let (role, plan) = Plan.parse(arguments) else {
            printError("relay: these arguments are not `measure`'s")
            return 2
        }
        system_die_with_parent()
        do throws(HostError) {
            try play(role, of: plan)
            return 0
        } catch {
            printError("relay \(role.rawValue): \(error)")
            return 3
        }
    }

    static func play(_ role: Role, of plan: Plan) throws(HostError) {
        // The reference is libzmq alone, without what this program answers for it.
        libzmq_calls_pass()
        try pinThread(to: plan.affinity)
        switch role {
        case .source: try source(plan)
        case .middle: try middle(plan)
        case .sink: try sink(plan)
        }
    }
}

extension RawRelay.Plan {
    var input: String { "\(folder)/relay-input.sock" }
    var output: String { "\(folder)/relay-output.sock" }
    var samples: String { "\(folder)/relay.samples" }

    func arguments(for role: RawRelay.Role) -> [String] {
        let period =
            switch pace {
            case .every(let nanoseconds): nanoseconds
            case .closedLoop: UInt64(0)
            }
        return [
            role.rawValue, folder, "\(frames)", "\(warmUp)", "\(period)", affinity, spins ? "spin" : "sleep",
            wait.rawValue,
        ]
    }

    static func parse(_ words: [String]) -> (RawRelay.Role, RawRelay.Plan)? {
        guard words.count == 8, let role = RawRelay.Role(rawValue: words[0]), let frames = Int(words[2]),
            let warmUp = Int(words[3]), let period = UInt64(words[4]), let wait = RawRelay.Wait(rawValue: words[7])
        else { return nil }
        var plan = RawRelay.Plan(
            folder: words[1], frames: frames, warmUp: warmUp, pace: period == 0 ? .closedLoop : .every(period))
        (plan.affinity, plan.spins, plan.wait) = (words[5], words[6] == "spin", wait)
        return (role, plan)
    }
}

// MARK: The three roles

extension RawRelay {
    private static let hello: Int64 = 0
    private static let last: Int64 = -1

    private static func source(_ plan: Plan) throws(HostError) {
        let socket = try connected(to: plan.input)
        var receiver = Receiver(plan, socket)
        let packet = Packet()
        var bytes = [UInt8](repeating: 0, count: sizes.input)
        // The middle answers once the sink is connected too.
        sendFirstPacket(over: socket, bytes)
        receiver.receive(from: socket, into: packet)

        let alarm = try Alarm(spins: plan.spins)
        var due = Instant(nanoseconds: system_clock())
        for number in 1...Int64(plan.warmUp + plan.frames) {
            switch plan.pace {
            case .every(let period):
                due = due.advanced(byNanoseconds: Int64(clamping: period))
                alarm.wait(until: due)
            case .closedLoop: due = Instant(nanoseconds: system_clock())
            }
            stamp(&bytes, number, due: due.nanoseconds, sent: system_clock())
            send(bytes, over: socket)
            if plan.pace == .closedLoop { receiver.receive(from: socket, into: packet) }
        }
        stamp(&bytes, last, due: 0, sent: 0)
        send(bytes, over: socket)
        receiver.receive(from: socket, into: packet)
        try socket.linger(1000)
        send(bytes, over: socket)
    }

    private static func middle(_ plan: Plan) throws(HostError) {
        let context = try Context()
        let input = try serving(plan.input, in: context)
        let output = try serving(plan.output, in: context)
        defer {
            unlink(plan.input)
            unlink(plan.output)
        }
        let packet = Packet()
        var inputs = Receiver(plan, input)
        var outputs = Receiver(plan, output)

        let source = inputs.receiveRouted(from: input, into: packet)
        let sink = outputs.receiveRouted(from: output, into: packet)
        let answer = [UInt8](repeating: 0, count: sizes.touches)
        send(answer, to: source, over: input)
        while true {
            _ = inputs.receiveRouted(from: input, into: packet)
            let number = packet.bytes.loadUnaligned(as: Int64.self)
            // A frame to an app is shorter than the scan it came from.
            sink.withBytes { _ = output.send($0, more: true) }
            _ = output.send(UnsafeRawBufferPointer(rebasing: packet.bytes[..<sizes.touches]))
            guard plan.pace == .closedLoop || number == last else { continue }
            _ = outputs.receiveRouted(from: output, into: packet)
            guard number != last else { break }
            send(answer, to: source, over: input)
        }
        send(answer, to: source, over: input)
        // A dealer loses unread packets when its peer closes, so the source closes first.
        _ = inputs.receiveRouted(from: input, into: packet)
    }

    private static func sink(_ plan: Plan) throws(HostError) {
        let socket = try connected(to: plan.output)
        var receiver = Receiver(plan, socket)
        let packet = Packet()
        let receipt = [UInt8](repeating: 0, count: sizes.touches)
        var samples: [Int64] = []
        samples.reserveCapacity(3 * (plan.warmUp + plan.frames))
        sendFirstPacket(over: socket, receipt)
        while true {
            receiver.receive(from: socket, into: packet)
            let received = system_clock()
            let number = packet.bytes.loadUnaligned(as: Int64.self)
            guard number != last else { break }
            if number > plan.warmUp {
                samples.append(packet.bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
                samples.append(packet.bytes.loadUnaligned(fromByteOffset: 16, as: Int64.self))
                samples.append(received)
            }
            if plan.pace == .closedLoop { send(receipt, over: socket) }
        }
        try write(samples, to: plan.samples)
        try socket.linger(1000)
        send(receipt, over: socket)
    }

    private static func connected(to path: String) throws(HostError) -> Socket {
        try checkSocketPath(path)
        let socket = try Socket(.dealer, on: "ipc://\(path)", in: try Context())
        try socket.connect()
        return socket
    }

    private static func serving(_ path: String, in context: Context) throws(HostError) -> Socket {
        try checkSocketPath(path)
        unlink(path)
        let listener = try Descriptor(system_unix_listen(path, 16), from: "bind", path)
        let socket = try Socket(.router, on: "ipc://\(path)", in: context)
        try socket.adopt(listener: listener.release())
        return socket
    }

    /// Sends the first packet as soon as the other end is connected.
    private static func sendFirstPacket(over socket: borrowing Socket, _ bytes: [UInt8]) {
        var bytes = bytes
        stamp(&bytes, hello, due: 0, sent: 0)
        while bytes.withUnsafeBytes({ socket.send($0) }) != .done {
            usleep(1000)
            _ = socket.isReadable
        }
    }

    /// Sends a packet and retries while the queue is full. With a full queue the run measures nothing useful.
    private static func send(_ bytes: [UInt8], over socket: borrowing Socket) {
        while bytes.withUnsafeBytes({ socket.send($0) }) != .done {
            sched_yield()
            _ = socket.isReadable
        }
    }

    private static func send(_ bytes: [UInt8], to route: RouteID, over socket: borrowing Socket) {
        while route.withBytes({ socket.send($0, more: true) }) != .done {
            sched_yield()
            _ = socket.isReadable
        }
        _ = bytes.withUnsafeBytes { socket.send($0) }
    }

    private static func stamp(_ bytes: inout [UInt8], _ number: Int64, due: Int64, sent: Int64) {
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: number, as: Int64.self)
            bytes.storeBytes(of: due, toByteOffset: 8, as: Int64.self)
            bytes.storeBytes(of: sent, toByteOffset: 16, as: Int64.self)
        }
    }
}

/// One way to wait for one socket.
private struct Receiver: ~Copyable {
    private let wait: RawRelay.Wait
    private let spins: Bool
    private let poller: Poller?

    init(_ plan: RawRelay.Plan, _ socket: borrowing Socket) {
        (wait, spins) = (plan.wait, plan.spins)
        if plan.wait == .epoll, !plan.spins {
            let poller = try? Poller()
            _ = try? poller?.watch(socket.descriptor, as: 0)
            self.poller = poller
        } else {
            poller = nil
        }
    }

    mutating func receive(from socket: borrowing Socket, into packet: borrowing Packet) {
        if spins {
            while !socket.receive(into: packet) { sched_yield() }
        } else if wait == .blocking {
            socket.receiveBlocking(into: packet)
        } else {
            while !socket.receive(into: packet) { poller?.wait(milliseconds: -1) { _ in } }
        }
    }

    /// Receives a router's packet: its route id, and then its one part.
    mutating func receiveRouted(from socket: borrowing Socket, into packet: borrowing Packet) -> RouteID {
        receive(from: socket, into: packet)
        guard let route = RouteID(packet.bytes) else { preconditionFailure("a relay's peer with a name of its own") }
        _ = socket.receive(into: packet)
        return route
    }
}

/// Waits for a time as exactly as the kernel can.
private struct Alarm: ~Copyable {
    private let timer: Descriptor
    private let spins: Bool

    init(spins: Bool) throws(HostError) {
        self.spins = spins
        timer = try Descriptor(system_timerfd_create(), from: "timerfd_create", "")
    }

    func wait(until moment: Instant) {
        if spins {
            while system_clock() < moment.nanoseconds { sched_yield() }
            return
        }
        guard system_clock() < moment.nanoseconds else { return }
        system_timerfd_set(timer.number, moment.nanoseconds)
        var item = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
        while poll(&item, 1, -1) < 1 {}
        system_timerfd_clear(timer.number)
    }
}

// MARK: Processes and samples

/// One of the three processes.
private final class RelayProcess {
    private let handle: Descriptor

    init(_ program: String, _ arguments: [String]) throws(HostError) {
        var pid: Int32 = 0
        let failure = withArguments([program] + arguments) { arguments in
            system_spawn(program, arguments, environ, [], 0, -1, &pid)
        }
        guard failure == 0 else { throw .system(call: "start", subject: program, errno: failure) }
        handle = try Descriptor(system_pidfd_open(pid), from: "pidfd_open", program)
    }

    var descriptor: Int32 { handle.number }
    private var hasEnded = false

    func waitForEnd() -> Int32 {
        var item = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
        var wasSignalled: Int32 = 0
        var code: Int32 = 0
        while system_pidfd_reap(handle.number, &wasSignalled, &code) == 0 { poll(&item, 1, -1) }
        hasEnded = true
        return code
    }

    deinit {
        guard !hasEnded else { return }
        system_pidfd_signal(handle.number, SIGKILL)
        _ = waitForEnd()
    }
}

extension RawRelay {
    private static func write(_ samples: [Int64], to path: String) throws(HostError) {
        let file = try Descriptor(
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600), from: "open", path)
        var written = 0
        while written < samples.count * 8 {
            let count = samples.withUnsafeBytes {
                Glibc.write(file.number, $0.baseAddress! + written, $0.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .system(call: "write", subject: path, errno: errno) }
            written += count
        }
    }

    static func read(_ path: String) throws(HostError) -> [Sample] {
        let file = try Descriptor(open(path, O_RDONLY | O_CLOEXEC), from: "open", path)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .system(call: "stat", subject: path, errno: errno) }
        var numbers = [Int64](repeating: 0, count: Int(status.st_size) / 8)
        let size = numbers.count * 8
        var read = 0
        while read < size {
            let count = numbers.withUnsafeMutableBytes { Glibc.read(file.number, $0.baseAddress! + read, size - read) }
            guard count > 0 else { throw .system(call: "read", subject: path, errno: errno) }
            read += count
        }
        return stride(from: 0, to: numbers.count - 2, by: 3).map { index in
            Sample(
                due: Instant(nanoseconds: numbers[index]), sent: Instant(nanoseconds: numbers[index + 1]),
                received: Instant(nanoseconds: numbers[index + 2]))
        }
    }
}
