// Socket.swift: libzmq's three things, owned. The only file that calls it, but for its words for errors.
//
// What Docs/Spec/Pipeline.md section 1 measured of libzmq 4.3.4 decides every option set here. Sockets and packets cannot be copied,
// so each is closed exactly once; a socket keeps its context alive, so a context is never ended under a socket,
// which would wait for ever.

import Basics
import CSystem
import CZeroMQ
import Glibc
import Wire

/// One a process, made after exec, with one I/O thread.
final class Context: @unchecked Sendable {
    // libzmq's contexts may be used by any thread; its sockets by one at a time.
    fileprivate let raw: UnsafeMutableRawPointer

    init() throws(HostError) {
        // libzmq numbers a router's peers from rand() on, and nothing seeds that: a peer that takes the next number ends
        // the process.
        var seed: UInt32 = 0
        guard system_random(&seed, MemoryLayout.size(ofValue: seed)) == 0 else {
            throw .system(call: "getrandom", subject: "libzmq's seed", errno: errno)
        }
        srand(seed)
        guard let raw = zmq_ctx_new() else {
            throw .zeroMQ(call: "zmq_ctx_new", endpoint: "this process", errno: zmq_errno())
        }
        self.raw = raw
        zmq_ctx_set(raw, ZMQ_IO_THREADS, 1)
    }

    deinit {
        while zmq_ctx_term(raw) != 0 && zmq_errno() == EINTR {}
    }
}

struct Socket: ~Copyable {
    enum Kind {
        case router
        /// A link of the group: what is queued for a dead server must not reach its successor. The price, found by
        /// measuring: when the server hangs up, what it said and nobody has read yet is gone.
        case dealer
        /// A person's command, which has one conversation and wants all of it.
        case caller
        /// The reading end of a monitor.
        case monitor
        /// Where libzmq asks whom to let in.
        case gate
    }

    /// What is said over it, in what kind of envelope.
    enum Security {
        /// Within this machine, where the kernel says who is there.
        case none
        /// Between machines: only to and from those who have a key (CURVE), and whom the gate lets in.
        case server(SecretKey)
        case client(SecretKey, server: PublicKey)
    }

    enum Sent {
        case done
        /// Not now: the peer's queue is full, or nobody is connected.
        case full
        /// A router's peer that is not there.
        case unreachable
    }

    private let handle: Handle
    let endpoint: String
    // Last, because it goes last: a socket is closed before its context ends.
    private let context: Context

    /// - Parameter heartbeat: After so long without a word of the other end's I/O thread it is gone; zero for never.
    init(
        _ kind: Kind, on endpoint: String, in context: Context, heartbeat: Duration = .zero,
        secured security: Security = .none
    ) throws(HostError) {
        let number =
            switch kind {
            case .router: ZMQ_ROUTER
            case .dealer, .caller: ZMQ_DEALER
            case .monitor: ZMQ_PAIR
            case .gate: ZMQ_REP
            }
        guard let raw = zmq_socket(context.raw, number) else {
            throw .zeroMQ(call: "zmq_socket", endpoint: endpoint, errno: zmq_errno())
        }
        let handle = Handle(raw: raw, endpoint: endpoint)
        // An exit waits for nobody.
        try handle.set(ZMQ_LINGER, "ZMQ_LINGER", Int32(0))
        switch kind {
        case .monitor, .caller, .gate: break
        case .router: try handle.set(ZMQ_ROUTER_MANDATORY, "ZMQ_ROUTER_MANDATORY", Int32(1))
        case .dealer: try handle.set(ZMQ_IMMEDIATE, "ZMQ_IMMEDIATE", Int32(1))
        }
        try Self.secure(handle, security)
        if number != ZMQ_PAIR && number != ZMQ_REP {
            // Unlimited otherwise: one frame grew a server to a gigabyte.
            try handle.set(ZMQ_MAXMSGSIZE, "ZMQ_MAXMSGSIZE", Int64(Frame.packetLimit))
            try handle.set(ZMQ_HANDSHAKE_IVL, "ZMQ_HANDSHAKE_IVL", Int32(1000))
            // A restarted server is found again within a frame or two; the default is 100 ms.
            try handle.set(ZMQ_RECONNECT_IVL, "ZMQ_RECONNECT_IVL", Int32(security.isBetweenMachines ? 100 : 20))
            let patience = Int32(clamping: heartbeat.nanoseconds / 1_000_000)
            if patience > 0 {
                // A process that is stopped closes nothing: only its silence tells. Its timeout is the pinger's own.
                try handle.set(ZMQ_HEARTBEAT_IVL, "ZMQ_HEARTBEAT_IVL", max(1, patience / 3))
                try handle.set(ZMQ_HEARTBEAT_TIMEOUT, "ZMQ_HEARTBEAT_TIMEOUT", patience)
            }
        }
        (self.endpoint, self.context) = (endpoint, context)
        self.handle = handle
    }

    private static func secure(_ handle: borrowing Handle, _ security: Security) throws(HostError) {
        let key: SecretKey
        switch security {
        case .none: return
        case .server(let secret):
            key = secret
            try handle.set(ZMQ_CURVE_SERVER, "ZMQ_CURVE_SERVER", Int32(1))
            try handle.set(ZMQ_ZAP_DOMAIN, "ZMQ_ZAP_DOMAIN", bytes: Array(Gate.domain.utf8))
        case .client(let secret, let server):
            key = secret
            try handle.set(ZMQ_CURVE_SERVERKEY, "ZMQ_CURVE_SERVERKEY", bytes: server.bytes)
            try handle.set(ZMQ_CURVE_PUBLICKEY, "ZMQ_CURVE_PUBLICKEY", bytes: secret.publicKey.bytes)
            // A cable that is pulled answers nothing; the system would try for two minutes.
            try handle.set(ZMQ_CONNECT_TIMEOUT, "ZMQ_CONNECT_TIMEOUT", Int32(1000))
        }
        try handle.set(ZMQ_CURVE_SECRETKEY, "ZMQ_CURVE_SECRETKEY", bytes: key.bytes)
        if handle.endpoint.contains("[") { try handle.set(ZMQ_IPV6, "ZMQ_IPV6", Int32(1)) }
    }

    private var raw: UnsafeMutableRawPointer { handle.raw }

    private struct Handle: ~Copyable {
        let raw: UnsafeMutableRawPointer
        let endpoint: String

        deinit { zmq_close(raw) }

        func set<Value: FixedWidthInteger>(_ option: Int32, _ name: String, _ value: Value) throws(HostError) {
            var value = value
            guard zmq_setsockopt(raw, option, &value, MemoryLayout<Value>.size) == 0 else {
                throw .zeroMQ(call: "zmq_setsockopt \(name)", endpoint: endpoint, errno: zmq_errno())
            }
        }

        func set(_ option: Int32, _ name: String, bytes: [UInt8]) throws(HostError) {
            guard zmq_setsockopt(raw, option, bytes, bytes.count) == 0 else {
                throw .zeroMQ(call: "zmq_setsockopt \(name)", endpoint: endpoint, errno: zmq_errno())
            }
        }
    }

    private func value(of option: Int32) -> Int32 {
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        let result = zmq_getsockopt(raw, option, &value, &size)
        precondition(result == 0, "\(endpoint): option \(option): \(zeroMQText(zmq_errno()))")
        return value
    }

    /// How long closing waits for what is still on its way, in milliseconds.
    func linger(_ milliseconds: Int32) throws(HostError) { try handle.set(ZMQ_LINGER, "ZMQ_LINGER", milliseconds) }

    /// How many packets wait in libzmq for each peer, and of each peer for us. Before the first connection.
    func limitQueues(sent: Int32, received: Int32) throws(HostError) {
        try handle.set(ZMQ_SNDHWM, "ZMQ_SNDHWM", sent)
        try handle.set(ZMQ_RCVHWM, "ZMQ_RCVHWM", received)
    }

    /// Serves a listening socket somebody else has bound. libzmq owns the descriptor from here on, and never
    /// unlinks its path.
    func adopt(listener: Int32) throws(HostError) {
        try handle.set(ZMQ_USE_FD, "ZMQ_USE_FD", listener)
        try bind()
    }

    func bind() throws(HostError) {
        guard zmq_bind(raw, endpoint) == 0 else {
            throw .zeroMQ(call: "zmq_bind", endpoint: endpoint, errno: zmq_errno())
        }
    }

    func connect() throws(HostError) {
        guard zmq_connect(raw, endpoint) == 0 else {
            throw .zeroMQ(call: "zmq_connect", endpoint: endpoint, errno: zmq_errno())
        }
    }

    /// A socket that tells of this one's connections.
    func monitor() throws(HostError) -> Socket {
        // A name of its own for every socket of the process: its address is unique while it lives.
        let endpoint = "inproc://monitor-\(UInt(bitPattern: raw))"
        let events =
            ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_CONNECT_RETRIED
            | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        guard zmq_socket_monitor(raw, endpoint, Int32(events)) == 0 else {
            throw .zeroMQ(call: "zmq_socket_monitor", endpoint: self.endpoint, errno: zmq_errno())
        }
        let monitor = try Socket(.monitor, on: endpoint, in: context)
        try monitor.connect()
        return monitor
    }

    /// Readable when `isReadable` may have changed; never written to. Watched until readable, then the socket is
    /// asked, because the descriptor tells of an edge only.
    var descriptor: Int32 { value(of: ZMQ_FD) }

    /// Whether a packet waits. Takes in what the I/O thread has to say, so that a send right after knows it too.
    var isReadable: Bool { value(of: ZMQ_EVENTS) & ZMQ_POLLIN != 0 }

    /// The next part of a packet, or false when there is none.
    func receive(into packet: borrowing Packet) -> Bool {
        while true {
            if zmq_msg_recv(packet.raw, raw, ZMQ_DONTWAIT) >= 0 { return true }
            switch zmq_errno() {
            case EAGAIN: return false
            case EINTR: continue
            // Neither the context nor the socket can have been closed: both are held here.
            case let other: preconditionFailure("zmq_msg_recv on \(endpoint): \(zeroMQText(other))")
            }
        }
    }

    /// Waits for the next part.
    func receiveBlocking(into packet: borrowing Packet) {
        while zmq_msg_recv(packet.raw, raw, 0) < 0 {
            precondition(zmq_errno() == EINTR, "zmq_msg_recv on \(endpoint): \(zeroMQText(zmq_errno()))")
        }
    }

    /// Hands over one part. Never waits.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) -> Sent {
        while true {
            if zmq_send(raw, bytes.baseAddress, bytes.count, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)) >= 0 {
                return .done
            }
            switch zmq_errno() {
            case EAGAIN: return .full
            case EHOSTUNREACH: return .unreachable
            case EINTR: continue
            case let other: preconditionFailure("zmq_send on \(endpoint): \(zeroMQText(other))")
            }
        }
    }

    /// Waits until readable.
    ///
    /// - Returns: False when nothing came in so many milliseconds.
    func wait(milliseconds: Int) -> Bool {
        var item = zmq_pollitem_t(socket: raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        return zmq_poll(&item, 1, milliseconds) > 0
    }

    /// Either of two, whichever is readable first.
    static func wait(_ a: borrowing Socket, _ b: borrowing Socket, milliseconds: Int) -> Bool {
        withUnsafeTemporaryAllocation(of: zmq_pollitem_t.self, capacity: 2) { items in
            items[0] = zmq_pollitem_t(socket: a.raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
            items[1] = zmq_pollitem_t(socket: b.raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
            return zmq_poll(items.baseAddress, 2, milliseconds) > 0
        }
    }
}

/// One part as received; used again and again.
struct Packet: ~Copyable {
    fileprivate let raw: UnsafeMutablePointer<zmq_msg_t>

    init() {
        raw = .allocate(capacity: 1)
        zmq_msg_init(raw)
    }

    deinit {
        zmq_msg_close(raw)
        raw.deallocate()
    }

    /// Valid until the next receive.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
    }

    var hasMore: Bool { zmq_msg_more(raw) != 0 }

    /// Who sent it, as the kernel says; for what a client receives, who called listen.
    var sender: Credentials? { zmq_msg_gets(raw, "Peer-Address").flatMap(Credentials.init(peerAddress:)) }

    /// Whose key the connection was made with, as the gate has said; nil where there is none.
    var keyHolder: Credentials? { zmq_msg_gets(raw, "User-Id").flatMap(Credentials.init(keyHolder:)) }

    /// The connection it came by: the number the monitor gives when that ends.
    var connection: Int32 { zmq_msg_get(raw, ZMQ_SRCFD) }
}

/// What libzmq says of a connection.
enum ConnectionEvent {
    case accepted(descriptor: Int32)
    /// Both ends have shaken hands: packets can travel.
    case up
    case ended(descriptor: Int32)
    /// Nobody listened; it will be tried again.
    case retried
    /// A call that never became a connection: of one without a key, or with another mechanism; or nothing that is ZMTP.
    case unspoken
    /// A call that was refused for its key: the gate knows why.
    case denied

    /// The next one.
    static func next(from monitor: borrowing Socket, into packet: borrowing Packet) -> ConnectionEvent? {
        while monitor.receive(into: packet) {
            let bytes = packet.bytes
            guard bytes.count >= 6 else { continue }
            let event = Int32(bytes.loadUnaligned(as: UInt16.self))
            let value = Int32(bitPattern: bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
            // The second part names the endpoint, which is this socket's.
            while packet.hasMore, monitor.receive(into: packet) {}
            switch event {
            case ZMQ_EVENT_ACCEPTED: return .accepted(descriptor: value)
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .up
            case ZMQ_EVENT_DISCONNECTED: return .ended(descriptor: value)
            case ZMQ_EVENT_CONNECT_RETRIED: return .retried
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: return .unspoken
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .denied
            default: continue
            }
        }
        return nil
    }
}

extension Socket.Security {
    var isBetweenMachines: Bool {
        switch self {
        case .none: false
        case .server, .client: true
        }
    }
}
