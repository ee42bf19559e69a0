// ProcessCore.swift: the contract between a process's core and its host.
//
// Input     a host: one input at a time, with the moment it happened
// Output    effects and facts, which the host drains after every input
// Knows     messages, timers and file identifiers. No operating system.
//
// A host owns the clock, the sockets, the files and the children. The host empties the outbox before it passes the next
// input. Inputs that arrived by a moment precede the timers of that moment, as in CFRunLoop. A core reads no files and
// no clock, starts no threads, does not sleep, and has no randomness but the seeds that it receives.
//
// There are two hosts: `ZeroMQHost` runs real processes, and `Simulator` is fast and repeatable. A core may import neither.

public import Basics
public import Trace
public import Wire

/// A whole process without an operating system.
public protocol ProcessCore {
    /// Handles one input, and appends its effects and facts to the outbox.
    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox)

    /// Reads the present states of the core's machines.
    ///
    /// - Parameter read: Receives the name of a machine as in Docs/Reference/Machines, the number of one of several
    ///   machines of that name, and the name of its state without payload. All names are literals.
    func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void)
}

/// Everything that can happen to a process.
public enum Input: Hashable, Sendable {
    /// The process has started. This input comes first, once; links may not be up yet.
    case started
    /// The link to this peer is up: a frame that is sent now can arrive. The server receives this before the first
    /// frame of each new peer.
    case connected(Peer)
    /// One frame, in the order in which the peer sent its frames. The host has checked the sender (pid and uid against
    /// the roster) and its permission for the message. The core checks epoch, generation and sequence number.
    case frame(Frame, from: Peer)
    /// The link is down: no more frames of this process of the peer will arrive.
    case peerLost(Peer)
    /// The host refused a packet. The core receives nothing of it.
    case refused(Refusal)
    case timerFired(TimerID)

    /// The answer to `read`: the file's next bytes, empty at its end.
    case fileBytes(FileID, [UInt8])
    case fileFailed(FileID, reason: String)

    /// News of live devices; for input-kit only.
    case device(DeviceNotice)

    /// A child was started, or (`childFailed`) could not be started.
    case childStarted(Peer, pid: Int32)
    case childFailed(Peer, reason: String)
    /// A child has exited. Each started pid gets exactly one such input.
    case childExited(Peer, pid: Int32, status: ExitStatus)
    /// The program file of a child that does not run has changed since its last start. This precedes an act of a
    /// controller, which may need the child.
    case programReplaced(Peer)
    /// The process has to end, because of SIGTERM, SIGINT, the supervisor's `shutdown` or the supervisor's death.
    case stopRequested
}

/// Everything that a core asks of its host.
public enum Effect: Hashable, Sendable {
    /// Passes the frame to the peer's link. Frames for one peer in one outbox travel as one packet if they fit. The
    /// host appends the moment to the frame's ledger.
    case send(Frame, to: Peer)
    /// Arms a timer. There is one timer for each identifier: arming it again moves it.
    case arm(TimerID, at: Instant)
    case disarm(TimerID)

    /// Opens a file for `read`. A failure is reported as `fileFailed`.
    case open(FileID, path: String)
    /// Asks for at most `limit` further bytes. The host answers once.
    case read(FileID, limit: Int)
    case close(FileID)

    /// A request about live devices; for input-kit only.
    case device(DeviceOrder)

    /// Starts a child as this peer. The order waits on the child's link.
    case spawn(Peer, LaunchOrder)
    /// Signals a child. The host ignores this if the child has exited.
    case signal(Peer, ChildSignal)

    /// Ends the link to this process of the peer. The host discards what the process has sent and will send.
    case hangUp(Peer)

    /// Ends this process once all earlier effects have been carried out.
    case exit(status: Int32)
}

/// A signal that a host can send to a child.
public enum ChildSignal: UInt8, Sendable { case terminate, kill }

/// How a process ended.
public enum ExitStatus: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

extension ExitStatus {
    /// The exit code of a server that was stopped for longer than its lease (EX_TEMPFAIL). The server is not at fault,
    /// and is started again at once.
    public static let leaseExpired: Int32 = 75
}

extension ExitStatus: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exited(let code): "exit \(code)"
        case .signalled(let signal): "signal \(signal)"
        }
    }
}

/// Why a host refused a packet or a connection. At fault: the peer, or a process that pretends to be the peer.
public enum Refusal: Hashable, Sendable {
    /// The sender is not on the roster.
    case notOnRoster(pid: Int32, uid: UInt32)
    case malformed(Peer, WireError)
    /// The role may not send this message (`Message.isAllowed`).
    case forbidden(Peer, MessageKind)
    /// The sender's pid and uid are known, but this connection has not shown the pass. Packets of a correct peer may be
    /// refused so while its link is being renewed.
    case passNotShown(Peer)
    /// The pass is not the one of this process: a guess, another peer's, or an earlier process's.
    case wrongPass(Peer)
    /// The peer sent too many unrequested frames in one second. The host accepts nothing more of it.
    case flooding(Peer, limit: UInt32)
    /// A number of connections of one process were refused, or ended before any frame arrived. The pid is 0 if the
    /// kernel names none.
    case connectionsRefused(pid: Int32, uid: UInt32, count: UInt32, ConnectionRefusal)
    /// A number of connections to the listener for other machines showed no key: plain ZMTP, or no ZMTP at all.
    case keyless(connections: UInt32)
    /// The connection holds the secret of this public key (Z85), which is not or no longer on a list.
    case unknownKey(String, address: String)
    /// The peer does not read what it asks for. The host keeps this number of bytes for it, or for all its kind, and no more.
    case unread(Peer, bytes: UInt32, limit: UInt32)
}

/// Why a connection was refused or ended before its first frame. A payload is the limit that was reached.
public enum ConnectionRefusal: Hashable, Sendable {
    /// A process of the group connected to the listener of controllers.
    case child
    /// One process has as many connections as it may have.
    case processLimit(UInt32)
    /// The listener has as many connections as it may have, all of them in use.
    case listenerLimit(UInt32)
    /// The listener was full, and this connection had not shown what it is.
    case evicted(UInt32)
    /// The process or the machine had no descriptor left.
    case noDescriptors
    /// The connection does not speak ZMTP 3.
    case noZMTP
    /// The connection chose its own routing id, which only the listener may assign.
    case choseRoutingID
    /// The message has several parts. A frame has one.
    case multipart
    /// More bytes than the limit arrived and were not read.
    case backlog(UInt64)
}

extension ConnectionRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .child: "a process of the group is no controller"
        case .processLimit(let limit): "more than \(limit) connections of one process"
        case .listenerLimit(let limit): "more than \(limit) connections"
        case .evicted(let limit): "more than \(limit) connections, and it had not shown what it is"
        case .noDescriptors: "no descriptor was left"
        case .noZMTP: "it does not speak ZMTP 3"
        case .choseRoutingID: "it chose its own routing id"
        case .multipart: "a message of more than one part"
        case .backlog(let limit): "more than \(limit) bytes that had not been read"
        }
    }
}

extension Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notOnRoster(let pid, let uid): "pid \(pid) uid \(uid) is not on the roster"
        case .malformed(let peer, let error): "\(peer) sent bytes that are no frame: \(error)"
        case .forbidden(let peer, let kind): "\(peer) may not send \(kind)"
        case .passNotShown(let peer): "\(peer) has not shown its pass on this connection"
        case .wrongPass(let peer): "\(peer) has shown a pass that is not its own"
        case .flooding(let peer, let limit):
            "\(peer) sent more than \(limit) frames a second that no process had asked for"
        case .connectionsRefused(let pid, let uid, let calls, let why):
            (pid > 0 ? "pid \(pid) uid \(uid)" : "a process of another machine")
                + " was turned away\(calls == 1 ? "" : " \(calls) times"): \(why)"
        case .keyless(let calls): "\(calls) \(calls == 1 ? "call" : "calls") over tcp without a key"
        case .unknownKey(let key, let address): "\(address) has a key that is on no list: \(key)"
        case .unread(let peer, let bytes, let limit):
            "\(peer) does not read what it asks for: \(bytes) bytes are kept, limit \(limit)"
        }
    }
}

/// Identifies one timer of a core.
public struct TimerID: Hashable, Sendable {
    public let rawValue: UInt32
    @inlinable
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    @inlinable
    public static func == (a: TimerID, b: TimerID) -> Bool { a.rawValue == b.rawValue }
}

extension TimerID {
    /// The server's timer of its system gestures. The audit reads it in the server's steps.
    @inlinable public static var systemGestures: TimerID { TimerID(4) }
}

/// Identifies one open file of a core.
public struct FileID: Hashable, Sendable {
    public let rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// The effects of a core in the order in which it decided them, and the facts that it noted.
///
/// The host drains both after every input. One outbox lives as long as its core, so that `trace` defines each name once.
public struct Outbox: Sendable {
    public private(set) var effects: [Effect] = []
    public var trace = TraceLog()

    public init() {}

    public mutating func append(_ effect: consuming Effect) { effects.append(effect) }

    /// Removes and returns the effects.
    public mutating func drain() -> [Effect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// Removes the effects and leaves them in `emptied`. The two arrays are swapped, so neither is allocated again.
    public mutating func drain(into emptied: inout [Effect]) {
        if !emptied.isEmpty { emptied.removeAll(keepingCapacity: true) }
        swap(&effects, &emptied)
    }
}
