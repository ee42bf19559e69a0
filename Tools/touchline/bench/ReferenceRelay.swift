// ReferenceRelay.swift: a run of the barest relay of two hops over one transport (CReference).
//
//    measure ─▶ three processes of this program, each `bench relay` and the words of its plan ─▶ samples, counts
//
// The processes inherit the memory of the results and, except for libzmq, their connections. So nothing is left behind
// in the file system, and libzmq's two sockets are removed here.

import Basics
import CReference
import CSystem
import Foundation
import HID
import Wire
import ZeroMQHost

/// A way in which the processes of a reference relay are connected.
enum ReferenceTransport: String, CaseIterable, Codable {
    /// libzmq over ipc, a dealer and a router on each hop, as in the group.
    case zmq
    /// A pair of unix sockets of the type SOCK_SEQPACKET.
    case seqpacket
    /// Rings in shared memory with a futex.
    case ring

    var title: String {
        switch self {
        case .zmq: "libzmq relay"
        case .seqpacket: "SOCK_SEQPACKET relay"
        case .ring: "shared-memory ring"
        }
    }

    fileprivate var raw: reference_transport {
        switch self {
        case .zmq: CReference.reference_zmq
        case .seqpacket: CReference.reference_seqpacket
        case .ring: CReference.reference_ring
        }
    }
}

/// The parameters of a run.
struct ReferencePlan: Hashable {
    enum Role: String, CaseIterable {
        case source, middle, sink

        /// The position on the way.
        var position: Int {
            switch self {
            case .source: 0
            case .middle: 1
            case .sink: 2
            }
        }
    }

    var transport: ReferenceTransport
    /// The folder for libzmq's sockets. It exists already and only the caller uses it.
    var folder: String
    /// The number of measured packets, after `warmUp` others.
    var frames: Int
    var warmUp: Int
    /// The time between two bursts in nanoseconds; nil for a closed loop.
    var period: UInt64?
    /// The number of packets that are due at once.
    var burst = 1
    /// The number of events of which a packet has the size; more than 1 over libzmq only.
    var batch = 1
    /// As the settings `host.affinity` and `host.spin`.
    var affinity = ""
    var spins = false
    /// The priority of the source under SCHED_FIFO; 0 for the ordinary scheduler.
    var priority: Int32 = 0
    /// The id of the tracepoint of system calls; 0 to count none.
    var tracepoint: UInt64 = 0

    init(_ transport: ReferenceTransport, in folder: String, frames: Int, warmUp: Int, period: UInt64?) {
        (self.transport, self.folder, self.frames, self.warmUp) = (transport, folder, frames, warmUp)
        self.period = period
    }

    /// The words after `bench relay` for a role.
    func arguments(for role: Role) -> [String] {
        [
            role.rawValue, transport.rawValue, folder, "\(frames)", "\(warmUp)", "\(period ?? 0)", "\(burst)",
            affinity.isEmpty ? "-" : affinity, spins ? "spin" : "sleep", "\(priority)", "\(tracepoint)", "\(batch)",
        ]
    }

    static func parse(_ words: [String]) -> (Role, ReferencePlan)? {
        guard words.count == 12, let role = Role(rawValue: words[0]),
            let transport = ReferenceTransport(rawValue: words[1]), let frames = Int(words[3]), frames > 0,
            let warmUp = Int(words[4]), warmUp >= 0, let period = UInt64(words[5]), let burst = Int(words[6]),
            burst > 0, let priority = Int32(words[9]), let tracepoint = UInt64(words[10]), let batch = Int(words[11]),
            batch > 0
        else { return nil }
        var plan = ReferencePlan(
            transport, in: words[2], frames: frames, warmUp: warmUp, period: period == 0 ? nil : period)
        (plan.burst, plan.affinity, plan.spins) = (burst, words[7] == "-" ? "" : words[7], words[8] == "spin")
        (plan.priority, plan.tracepoint, plan.batch) = (priority, tracepoint, batch)
        return (role, plan)
    }

    fileprivate func socket(_ hop: String) -> String { "\(folder)/relay-\(hop).sock" }

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

/// The results of a run.
struct ReferenceResult {
    /// The times of one packet.
    struct Sample: Hashable {
        /// The scheduled time of sending; in a closed loop, the actual time.
        var due: Instant
        var sent: Instant
        var received: Instant
    }

    /// A sample for every measured packet, in order.
    var samples: [Sample]
    /// The sums over the three processes, for the measured packets.
    var counts: EventCounts
    /// The CPUs on which the three processes ran at the end.
    var cpus: Set<Int>

    /// Packets per second, from the first that was sent to the last that was received.
    var rate: Double {
        guard let first = samples.first, let last = samples.last else { return 0 }
        return Double(samples.count) / max(1e-9, first.sent.duration(to: last.received).seconds)
    }
}

// MARK: Running all three

extension ReferencePlan {
    /// Runs a relay and waits for its end.
    ///
    /// - Parameters:
    ///   - program: This executable. Started with `arguments` and then the arguments of a role, it calls `play` with the
    ///     latter.
    ///   - limit: The time after which the processes are killed.
    /// - Throws: `Failure` with exit code 3 if a process fails or the time is over. No process is left then.
    func measure(program: String, arguments: [String], within limit: Duration) throws -> ReferenceResult {
        let results = try Self.owned(reference_results_create(Int64(frames)), "memfd_create")
        let (input, output) = (try connection("input"), try connection("output"))
        defer {
            withExtendedLifetime((input, output)) {}
            for hop in ["input", "output"] { unlink(socket(hop)) }
        }
        var children: [ReferenceProcess] = []
        for (role, ends) in [
            (Role.middle, [input.middle, output.middle]), (.sink, [output.other]), (.source, [input.other]),
        ] {
            children.append(
                try ReferenceProcess(
                    role, program, arguments + self.arguments(for: role),
                    inheriting: ([results] + ends.compactMap(\.self)).map(\.fileDescriptor)))
        }
        let deadline = monotonicNow().advanced(by: limit)
        // If one process fails, the others wait for it. So the loop handles whichever ends first.
        while !children.isEmpty {
            var items = children.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let left = monotonicNow().duration(to: deadline).nanoseconds / 1_000_000
            guard left > 0 else { throw Failure.group("the \(transport.title) has not ended after \(limit.seconds) s") }
            poll(&items, nfds_t(items.count), Int32(clamping: left))
            for index in items.indices.reversed() where items[index].revents != 0 {
                let child = children.remove(at: index)
                if let failure = child.waitForEnd() {
                    throw Failure.group("the \(child.role.rawValue) of the \(transport.title) ended with \(failure)")
                }
            }
        }
        return try read(results)
    }

    /// Makes one connection: the middle's end, and for a transport without addresses the other end.
    private func connection(_ hop: String) throws -> (middle: FileHandle?, other: FileHandle?) {
        if transport == .zmq {
            unlink(socket(hop))
            return (try Self.owned(system_unix_listen(socket(hop), 16), "bind \(socket(hop))"), nil)
        }
        var ends: [Int32] = [-1, -1]
        guard reference_connect(transport.raw, &ends) == 0 else { throw Self.failure("connect") }
        return (try Self.owned(ends[0], "connect"), try Self.owned(ends[1], "connect"))
    }

    private static func owned(_ descriptor: Int32, _ call: String) throws -> FileHandle {
        guard descriptor >= 0 else { throw failure(call) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    fileprivate static func failure(_ call: String, _ error: Int32 = errno) -> Failure {
        Failure.group("\(call): \(String(cString: strerror(error)))")
    }

    private func read(_ results: FileHandle) throws -> ReferenceResult {
        let data = Data(try results.readToEnd() ?? Data())
        let head = MemoryLayout<reference_counts>.stride * Role.allCases.count
        guard data.count == head + frames * MemoryLayout<reference_sample>.stride else {
            throw Failure.group("the \(transport.title) left \(data.count) bytes of results")
        }
        return data.withUnsafeBytes { bytes in
            let counts = UnsafeRawBufferPointer(rebasing: bytes[..<head]).bindMemory(to: reference_counts.self)
            let samples = UnsafeRawBufferPointer(rebasing: bytes[head...]).bindMemory(to: reference_sample.self)
            return ReferenceResult(
                samples: samples.map { sample in
                    ReferenceResult.Sample(
                        due: Instant(nanoseconds: sample.due), sent: Instant(nanoseconds: sample.sent),
                        received: Instant(nanoseconds: sample.received))
                },
                counts: EventCounts(
                    wakeUps: counts.reduce(0) { $0 + $1.voluntary },
                    preemptions: counts.reduce(0) { $0 + $1.involuntary },
                    systemCalls: tracepoint == 0 ? nil : counts.reduce(0) { $0 + $1.system_calls }),
                cpus: Set(counts.map { Int($0.cpu) }))
        }
    }
}

// MARK: One of the three

extension ReferencePlan {
    /// Plays one role: the body of the hidden subcommand that `measure` starts three times.
    ///
    /// - Returns: The status to exit with.
    static func play(_ arguments: [String]) -> Int32 {
        guard let (role, plan) = parse(arguments) else {
            printError("relay: these arguments are not `measure`'s")
            return 2
        }
        system_die_with_parent()
        do {
            try plan.play(role)
            return 0
        } catch {
            printError("relay, \(role.rawValue): \(error)")
            return 3
        }
    }

    private func play(_ role: Role) throws {
        try pinThread(to: affinity)
        if priority > 0 {
            var scheduling = reference_scheduling()
            reference_scheduling_get(0, &scheduling)
            scheduling.policy = reference_policy_fifo()
            scheduling.priority = Tuning.priority(from: priority, at: role.position)
            guard reference_scheduling_set(0, &scheduling) == 0 else { throw Self.failure("sched_setscheduler") }
        }
        // `measure` passes the results as descriptor 3, and then the ends of this role.
        let firstEnd: Int32 = 4
        // The reference is plain libzmq.
        libzmq_calls_pass()
        var failed: UnsafePointer<CChar>?
        let result = "ipc://\(socket("input"))".withCString { input in
            "ipc://\(socket("output"))".withCString { output in
                var plan = reference_plan()
                plan.transport = transport.raw
                plan.role = role.raw
                (plan.frames, plan.warm_up, plan.burst) = (Int64(frames), Int64(warmUp), Int64(burst))
                plan.period = Int64(clamping: period ?? 0)
                plan.spins = spins ? 1 : 0
                plan.input_size = UInt32(Self.sizes.input * batch)
                plan.output_size = UInt32(Self.sizes.touches * batch)
                (plan.input_address, plan.output_address) = (input, output)
                (plan.input, plan.output) = (firstEnd, role == .middle ? firstEnd + 1 : firstEnd)
                plan.results = firstEnd - 1
                plan.tracepoint = tracepoint
                return reference_play(&plan, &failed)
            }
        }
        guard result == 0 else { throw Self.failure(failed.map { String(cString: $0) } ?? "play") }
    }
}

extension ReferencePlan.Role {
    fileprivate var raw: reference_role {
        switch self {
        case .source: CReference.reference_source
        case .middle: CReference.reference_middle
        case .sink: CReference.reference_sink
        }
    }
}

/// One of the three processes. It is killed when this object is destroyed.
private final class ReferenceProcess {
    let role: ReferencePlan.Role
    private let handle: Int32
    private var hasEnded = false

    init(
        _ role: ReferencePlan.Role, _ program: String, _ arguments: [String], inheriting descriptors: [Int32]
    ) throws {
        self.role = role
        var pid: Int32 = 0
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let failure = system_spawn(program, words, environ, descriptors, Int32(descriptors.count), -1, &pid)
        guard failure == 0 else { throw ReferencePlan.failure("start \(program)", failure) }
        handle = system_pidfd_open(pid)
        guard handle >= 0 else { throw ReferencePlan.failure("pidfd_open") }
    }

    /// A descriptor that is readable once the process has ended.
    var descriptor: Int32 { handle }

    /// - Returns: How the process failed: `status 3`, `signal 9`; nil if it did not.
    func waitForEnd() -> String? {
        var item = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        var wasSignalled: Int32 = 0
        var code: Int32 = 0
        while system_pidfd_reap(handle, &wasSignalled, &code) == 0 { poll(&item, 1, -1) }
        hasEnded = true
        return code == 0 ? nil : "\(wasSignalled != 0 ? "signal" : "status") \(code)"
    }

    deinit {
        if !hasEnded {
            system_pidfd_signal(handle, SIGKILL)
            _ = waitForEnd()
        }
        close(handle)
    }
}
