// ProcessCore.swift: the contract between a process's decisions and its operating system.
//
// A host owns the clock, the sockets, the files and the children. It gives the core one input at a time, with
// the moment it happened, and empties the outbox before the next. What arrived by a moment comes before the
// timers of that moment, as in CFRunLoop. The core does nothing else: no reads, no sleeps, no threads, no
// chance it was not handed.
//
// There are two hosts: `ZeroMQHost`, which is real, and `Simulator`, which is fast and repeatable. Neither
// may appear in a core's imports.

public import Basics
public import Trace
public import Wire

/// A whole process, minus the operating system.
public protocol ProcessCore {
    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox)
}

/// Everything that can happen to a process.
public enum Input: Hashable, Sendable {
    /// First, once. Links may not be up yet.
    case started
    /// The link to this peer is up: what is sent now can arrive. For the server: a frame from a newly seen peer
    /// is always preceded by this.
    case connected(Peer)
    /// One frame, in the order the peer sent it. The host has checked who sent it (pid and uid against the
    /// roster) and that its role may say this; the core checks epoch, generation and sequence.
    case frame(Frame, from: Peer)
    /// The link is down: nothing more will come from this generation of the peer.
    case peerLost(Peer)
    /// A frame, or what should have been one, that the host refused. Nothing of it was used.
    case refused(Refusal)
    case timerFired(TimerID)

    /// The answer to `read`: the file's next bytes, empty at its end.
    case fileBytes(FileID, [UInt8])
    case fileFailed(FileID, reason: String)

    /// About live devices; input-kit only.
    case device(DeviceNews)

    /// A child was started, or could not be.
    case childStarted(Peer, pid: Int32)
    case childFailed(Peer, reason: String)
    /// A child is gone: every pid started gets exactly one.
    case childExited(Peer, pid: Int32, status: ExitStatus)
    /// A child does not run, and its program is another file than the one that was started last. Told before an act of a
    /// controller, which may want the child.
    case programReplaced(Peer)
    /// Somebody asked this process to end (SIGTERM, SIGINT, the supervisor's `shutdown` or its death).
    case stopRequested
}

/// Everything a process can ask of the world.
public enum Effect: Hashable, Sendable {
    /// Hand this frame to the peer's link. Frames for one peer in one outbox travel as one packet where they fit.
    /// The host appends the moment of handing over to the frame's ledger.
    case send(Frame, to: Peer)
    /// One timer per id: arming again moves it.
    case arm(TimerID, at: Instant)
    case disarm(TimerID)

    /// Opens a file for reading by `read`; failure comes as `fileFailed`.
    case open(FileID, path: String)
    /// Asks for the next at most `limit` bytes. Answered once.
    case read(FileID, limit: Int)
    case close(FileID)

    /// About live devices; input-kit only.
    case device(DeviceOrder)

    /// Starts a child as this peer with this order waiting on its link.
    case spawn(Peer, LaunchOrder)
    /// Signals a child. Ignored when it is already gone.
    case signal(Peer, ChildSignal)

    /// Ends the link to this peer: nothing more of what it has sent or will send is wanted, as long as it lives.
    case hangUp(Peer)

    /// Ends this process once everything before has been carried out.
    case exit(status: Int32)
}

public enum ChildSignal: UInt8, Sendable { case terminate, kill }

public enum ExitStatus: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

extension ExitStatus {
    /// Of a server that was stopped for longer than its lease: nothing is wrong with it, and it is started again at
    /// once. EX_TEMPFAIL.
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

/// Why a host took nothing from a packet. Blame: the peer, or whoever posed as one.
public enum Refusal: Hashable, Sendable {
    /// Not on the roster.
    case stranger(pid: Int32, uid: UInt32)
    case malformed(Peer, WireError)
    /// A role that may not say this (`Message.mayGo`).
    case forbidden(Peer, MessageKind)
    /// Who it is by pid and uid, on a connection on which it has not shown its pass. What an honest peer sends while its
    /// link is being renewed may go this way.
    case unproven(Peer)
    /// It showed a pass, and not the one it was given for this life: a guess, another's, or one of a life that is over.
    case wrongPass(Peer)
    /// It sent more packets a second than anybody has asked it for; the host takes nothing more of it.
    case flooding(Peer, limit: UInt32)
    /// So many connections of this process, 0 where the kernel names none, were refused or ended before anything was heard.
    case turnedAway(pid: Int32, uid: UInt32, calls: UInt32, TurnedAway)
    /// So many calls at the door to other machines showed no key: they spoke plainly, or no ZMTP at all.
    case keyless(calls: UInt32)
    /// It holds the secret of this public key, in Z85, which is nobody's here, or not any more.
    case unknownKey(String, address: String)
    /// It does not read what it has asked for: so many bytes are kept for it, or for all like it; the host keeps nothing more.
    case unread(Peer, bytes: UInt32, limit: UInt32)
}

/// Why a connection was refused, or ended, by what stands before the transport. A limit is the one that was reached.
public enum TurnedAway: Hashable, Sendable {
    /// A process of the group, at the door of controllers.
    case child
    /// Its process has as many connections as one may have.
    case processShare(UInt32)
    /// The door has as many connections as it may have, all of them in use.
    case doorShare(UInt32)
    /// The door had as many connections as it may have; this one had said nothing that it is there for.
    case evicted(UInt32)
    /// The process, or the machine, had no descriptor left.
    case noDescriptors
    /// It does not speak ZMTP 3.
    case noZMTP
    /// It chose its own routing id, which are the listener's to give.
    case namedItself
    /// A message of several parts: no frame is.
    case multipart
    /// It sent more bytes than have been read.
    case backlog(UInt64)
}

extension TurnedAway: CustomStringConvertible {
    public var description: String {
        switch self {
        case .child: "a process of the group is no controller"
        case .processShare(let limit): "more than \(limit) connections of one process"
        case .doorShare(let limit): "more than \(limit) connections"
        case .evicted(let limit): "more than \(limit) connections, and it had not shown what it is"
        case .noDescriptors: "no descriptor was left"
        case .noZMTP: "it does not speak ZMTP 3"
        case .namedItself: "it chose its own routing id"
        case .multipart: "a message of more than one part"
        case .backlog(let limit): "more than \(limit) bytes that had not been read"
        }
    }
}

extension Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stranger(let pid, let uid): "pid \(pid) uid \(uid) is not on the roster"
        case .malformed(let peer, let error): "\(peer) sent bytes that are no frame: \(error)"
        case .forbidden(let peer, let kind): "\(peer) may not send \(kind)"
        case .unproven(let peer): "\(peer) has not shown its pass on this connection"
        case .wrongPass(let peer): "\(peer) has shown a pass that is not its own"
        case .flooding(let peer, let limit):
            "\(peer) sent more than \(limit) packets a second that nobody had asked for"
        case .turnedAway(let pid, let uid, let calls, let why):
            (pid > 0 ? "pid \(pid) uid \(uid)" : "a process of another machine")
                + " was turned away\(calls == 1 ? "" : " \(calls) times"): \(why)"
        case .keyless(let calls): "\(calls) \(calls == 1 ? "call" : "calls") over tcp without a key"
        case .unknownKey(let key, let address): "\(address) has a key that is on no list: \(key)"
        case .unread(let peer, let bytes, let limit):
            "\(peer) does not read what it asks for: \(bytes) bytes are kept, limit \(limit)"
        }
    }
}

public struct TimerID: Hashable, Sendable {
    public let rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

extension TimerID {
    /// The server's, by which time passes for its own gestures: whoever reads its steps has to know which.
    public static let systemGestures = TimerID(4)
}

public struct FileID: Hashable, Sendable {
    public let rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Effects in the order the core decided them, and the facts it noted. The host drains both after every input.
///
/// One outbox lives as long as its core: names that facts mention are defined in its `trace` once.
public struct Outbox: Sendable {
    public private(set) var effects: [Effect] = []
    public var trace = TraceLog()

    public init() {}

    public mutating func append(_ effect: consuming Effect) { effects.append(effect) }

    public mutating func drain() -> [Effect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// The same for a host that keeps the array: the two change places, so that neither is ever allocated again.
    public mutating func drain(into emptied: inout [Effect]) {
        if !emptied.isEmpty { emptied.removeAll(keepingCapacity: true) }
        swap(&effects, &emptied)
    }
}
