// Socket.swift: owned wrappers of libzmq's context, socket and message. Apart from error texts and the reference relay
// of `touchline bench` (CReference), no other file calls libzmq's sockets.
//
// The measurements of libzmq 4.3.4 in Docs/Spec/Pipeline.md section 1 decide every option set here. Sockets and packets cannot be copied,
// so each is closed exactly once. A socket keeps its context alive, because ending a context before its sockets would
// block for ever.

import Basics
import CSystem
import CZeroMQ
import Glibc
import Wire

/// libzmq's context: one in a process, made after exec, with one I/O thread.
final class Context: @unchecked Sendable {
    // Any thread may use a libzmq context; only one thread at a time may use a socket.
    fileprivate let raw: UnsafeMutableRawPointer

    init() throws(HostError) {
        // libzmq numbers a router's peers from rand() on and never seeds it. A peer that chooses the next number would
        // end the process.
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

/// One socket of libzmq, closed when it is destroyed.
struct Socket: ~Copyable {
    enum Kind {
        case router
        /// A link of the group: a packet queued for a dead server must not reach its successor.
        ///
        /// The price, found by measuring: when the server closes, packets that it sent and that are not read yet are
        /// lost.
        case dealer
        /// A command line tool, which has one conversation and must receive all of it.
        case tool
        /// The reading end of a monitor.
        case monitor
        /// The socket over which libzmq asks whether to accept a key.
        case gate
    }

    /// The encryption of a socket.
    enum Security {
        /// None: within this machine, where the kernel identifies peers.
        case none
        /// CURVE, between machines: only for peers that have a key and that the gate accepts.
        case server(SecretKey)
        case client(SecretKey, server: PublicKey)
    }

    enum SendResult {
        case done
        /// Not now: the peer's queue is full, or no peer is connected.
        case full
        /// A router has no such peer.
        case unreachable
    }

    private let handle: Handle
    let endpoint: String
    // The context is the last property, because properties are destroyed in order: a socket closes before its context
    // ends.
    private let context: Context

    /// Makes a socket and sets its options.
    ///
    /// - Parameter heartbeat: The longest silence of the other end's I/O thread before it counts as gone; zero for no
    ///   limit.
    init(
        _ kind: Kind, on endpoint: String, in context: Context, heartbeat: Duration = .zero,
        secured security: Security = .none
    ) throws(HostError) {
        let number =
            switch kind {
            case .router: ZMQ_ROUTER
            case .dealer, .tool: ZMQ_DEALER
            case .monitor: ZMQ_PAIR
            case .gate: ZMQ_REP
            }
        guard let raw = zmq_socket(context.raw, number) else {
            throw .zeroMQ(call: "zmq_socket", endpoint: endpoint, errno: zmq_errno())
        }
        let handle = Handle(raw: raw, endpoint: endpoint)
        // A process exits without waiting for unsent packets.
        try handle.set(ZMQ_LINGER, "ZMQ_LINGER", Int32(0))
        switch kind {
        case .monitor, .tool, .gate: break
        case .router: try handle.set(ZMQ_ROUTER_MANDATORY, "ZMQ_ROUTER_MANDATORY", Int32(1))
        case .dealer: try handle.set(ZMQ_IMMEDIATE, "ZMQ_IMMEDIATE", Int32(1))
        }
        try Self.secure(handle, security)
        if number != ZMQ_PAIR && number != ZMQ_REP {
            // Without a limit, one frame grew a server to a gigabyte.
            try handle.set(ZMQ_MAXMSGSIZE, "ZMQ_MAXMSGSIZE", Int64(Frame.packetLimit))
            try handle.set(ZMQ_HANDSHAKE_IVL, "ZMQ_HANDSHAKE_IVL", Int32(1000))
            // A restarted server is found within a display frame or two; libzmq's default is 100 ms.
            try handle.set(ZMQ_RECONNECT_IVL, "ZMQ_RECONNECT_IVL", Int32(security.isBetweenMachines ? 100 : 20))
            let timeout = Int32(clamping: heartbeat.nanoseconds / 1_000_000)
            if timeout > 0 {
                // A stopped process closes no connection; only its silence shows. The timeout is the one of the end
                // that pings.
                try handle.set(ZMQ_HEARTBEAT_IVL, "ZMQ_HEARTBEAT_IVL", Self.heartbeatInterval(timeout: timeout))
                try handle.set(ZMQ_HEARTBEAT_TIMEOUT, "ZMQ_HEARTBEAT_TIMEOUT", timeout)
            }
        }
        (self.endpoint, self.context) = (endpoint, context)
        self.handle = handle
    }

    /// The milliseconds between two pings: about a third of the timeout, 97 of 300.
    ///
    /// 100 ms would be 24 scans at 240 Hz and 12 at 120 Hz: where one ping delays a scan, every later one would too.
    private static func heartbeatInterval(timeout: Int32) -> Int32 { max(1, Int32(Int64(timeout) * 97 / 300)) }

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
            // An unplugged cable gives no answer; the system would try for two minutes.
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

    /// Sets how long closing waits for unsent packets, in milliseconds.
    func linger(_ milliseconds: Int32) throws(HostError) { try handle.set(ZMQ_LINGER, "ZMQ_LINGER", milliseconds) }

    /// Sets how many packets libzmq queues for each peer in each direction. Only before the first connection.
    func limitQueues(sent: Int32, received: Int32) throws(HostError) {
        try handle.set(ZMQ_SNDHWM, "ZMQ_SNDHWM", sent)
        try handle.set(ZMQ_RCVHWM, "ZMQ_RCVHWM", received)
    }

    /// Serves a listening socket that another function has bound. libzmq owns the descriptor from here on, and never
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

    /// Connects to another address of the same peer, or to the first one.
    func connect(to address: TCPAddress) throws(HostError) {
        // libzmq reads the option for each connection.
        try handle.set(ZMQ_IPV6, "ZMQ_IPV6", Int32(address.isIPv6 ? 1 : 0))
        guard zmq_connect(raw, address.endpoint) == 0 else {
            throw .zeroMQ(call: "zmq_connect", endpoint: address.endpoint, errno: zmq_errno())
        }
    }

    /// Ends the connection to an address, or the attempts. Does nothing for an address that has none.
    func disconnect(from address: TCPAddress) { _ = zmq_disconnect(raw, address.endpoint) }

    /// Ends the connection to an endpoint with all packets that wait for it, and begins another.
    func reconnect(to endpoint: String) {
        _ = zmq_disconnect(raw, endpoint)
        _ = zmq_connect(raw, endpoint)
    }

    /// A socket that receives the connection events of this one.
    func monitor() throws(HostError) -> Socket {
        // Every socket of the process has its own name: its address is unique while it exists.
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

    /// A descriptor that is readable when `isReadable` may have changed; never written to. libzmq's descriptor is
    /// edge-triggered, so once it is readable the socket itself must be asked.
    var descriptor: Int32 { value(of: ZMQ_FD) }

    /// Whether a packet waits. The query also processes news of the I/O thread, so that the next send uses it.
    var isReadable: Bool { value(of: ZMQ_EVENTS) & ZMQ_POLLIN != 0 }

    /// Receives the next part of a packet; false if no part waits.
    func receive(into packet: borrowing Packet) -> Bool {
        while true {
            if zmq_msg_recv(packet.raw, raw, ZMQ_DONTWAIT) >= 0 { return true }
            switch zmq_errno() {
            case EAGAIN: return false
            case EINTR: continue
            // Neither the context nor the socket can be closed: this value holds both.
            case let other: preconditionFailure("zmq_msg_recv on \(endpoint): \(zeroMQText(other))")
            }
        }
    }

    /// Sends one part without waiting.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) -> SendResult {
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

    /// Waits until the socket is readable.
    ///
    /// - Returns: False if nothing arrived within the time.
    func wait(milliseconds: Int) -> Bool {
        var item = zmq_pollitem_t(socket: raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        return zmq_poll(&item, 1, milliseconds) > 0
    }

    /// Waits until one of two sockets is readable.
    ///
    /// - Returns: False if nothing arrived within the time.
    static func wait(_ a: borrowing Socket, _ b: borrowing Socket, milliseconds: Int) -> Bool {
        withUnsafeTemporaryAllocation(of: zmq_pollitem_t.self, capacity: 2) { items in
            items[0] = zmq_pollitem_t(socket: a.raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
            items[1] = zmq_pollitem_t(socket: b.raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
            return zmq_poll(items.baseAddress, 2, milliseconds) > 0
        }
    }
}

/// One received part of a packet; its storage is reused.
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

    /// The bytes of the part, valid until the next receive.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
    }

    var hasMore: Bool { zmq_msg_more(raw) != 0 }

    /// The sender as the kernel reports it; for a client's packets, the process that called listen.
    var sender: Credentials? { zmq_msg_gets(raw, "Peer-Address").flatMap(Credentials.init(peerAddress:)) }

    /// The app of the key that the connection was made with, as the gate set it; nil without a key.
    var keyHolder: Credentials? { zmq_msg_gets(raw, "User-Id").flatMap(Credentials.init(keyHolder:)) }

    /// The descriptor of the connection, which the monitor reports when the connection ends.
    var connection: Int32 { zmq_msg_get(raw, ZMQ_SRCFD) }
}

/// A connection event of libzmq's monitor.
enum ConnectionEvent {
    case accepted(descriptor: Int32)
    /// Both ends have completed the handshake: packets can travel.
    case connected
    case ended(descriptor: Int32)
    /// No process listened; libzmq tries again.
    case retried
    /// An attempt that failed in the handshake: no key, another mechanism, or no ZMTP at all.
    case handshakeFailed
    /// An attempt that was refused for its key; the gate has noted why.
    case keyRefused

    /// The next event; nil if no event waits.
    static func next(from monitor: borrowing Socket, into packet: borrowing Packet) -> ConnectionEvent? {
        while monitor.receive(into: packet) {
            let bytes = packet.bytes
            guard bytes.count >= 6 else { continue }
            let event = Int32(bytes.loadUnaligned(as: UInt16.self))
            let value = Int32(bitPattern: bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
            // The second part names the endpoint, which is always this socket's.
            while packet.hasMore, monitor.receive(into: packet) {}
            switch event {
            case ZMQ_EVENT_ACCEPTED: return .accepted(descriptor: value)
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .connected
            case ZMQ_EVENT_DISCONNECTED: return .ended(descriptor: value)
            case ZMQ_EVENT_CONNECT_RETRIED: return .retried
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: return .handshakeFailed
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .keyRefused
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
