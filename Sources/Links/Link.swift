// Link.swift: one end of the link between system-server and one of its clients (input-kit, an app).
//
// Station   process
// Input     a core: the connection is up or down, each frame of the peer, its own messages
// Output    Event: what a received frame means; frames to send
// Knows     numbers and moments. No touch, no socket; timers belong to the core.
//
//     client   closed ──connected──▶ connecting ──the server's answer──▶ open ──lost──▶ closed
//                                     └──every helloPeriod: the same hello again──┘
//     server   closed ──a new hello of the client──▶ open ──lost──▶ closed
//
// The client repeats its hello because a link may lose it or the answer, and because the server's host refuses every
// connection until the supervisor has announced the process. Docs/Internals/Links.md explains the protocol.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, laws I1 and I7, faults F2 and F6

public import Basics
public import Wire

/// One end of a link: its handshake, its numbers, and what it has to do after a loss.
public struct Link: Sendable {
    /// The part of this end in the handshake.
    public enum End: Hashable, Sendable, CaseIterable {
        case client, server
    }

    /// The state of the handshake, with what it carries.
    public enum State: Hashable, Sendable {
        case closed
        /// A client has sent this hello, and the server has not answered it.
        case connecting(hello: Frame)
        case open
    }

    /// The states without their payload.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case closed, connecting, open

        /// The name of the case, as a literal.
        package var name: StaticString {
            switch self {
            case .closed: "closed"
            case .connecting: "connecting"
            case .open: "open"
            }
        }
    }

    /// The inputs of the handshake's machine.
    public enum Input: Hashable, Sendable, CaseIterable {
        /// The connection to the server is up.
        case connected
        /// To a client: the answer to its last hello. To a server: a hello newer than every frame of the client.
        case newHello
        /// To a server: the hello that opened the link.
        case repeatedHello
        /// A hello older than the link.
        case oldHello
        /// Any other message.
        case message
        /// The connection is down.
        case lost
    }

    /// What the link does after an input.
    public enum Decision: Hashable, Sendable {
        case sendHello
        /// Adopts the numbers of the hello: the handshake is complete.
        case open
        /// Sends the answer again.
        case repeatAnswer
        /// Judges the frame by its number.
        case judge
        case close
        case refuse
        case nothing
    }

    /// What a received frame means to the core.
    public enum Event: Hashable, Sendable {
        /// The handshake is complete.
        ///
        /// - Parameter isSameProcess: Whether the peer's process generation is the one of the last link.
        case opened(isSameProcess: Bool)
        /// A client missed this server's hello, or the link repeated the client's. `answer` is due again.
        case helloRepeated
        /// The frame counts. `missing` frames right before it were lost.
        case arrived(missing: UInt64)
        /// The frame changes nothing.
        case refused(Refusal)
    }

    /// Why a frame changes nothing.
    public enum Refusal: Hashable, Sendable {
        case duplicate(sequence: SequenceNumber, last: SequenceNumber)
        /// The frame was sent before the peer or the server restarted.
        case fenced(epoch: UInt32, generation: UInt32)
        /// The link is not open.
        case beforeHello
        /// A hello older than the link.
        case oldHello(sequence: SequenceNumber, generation: UInt32)
    }

    /// Frames that this end refused, and frames that never arrived.
    public struct Counters: Hashable, Sendable {
        public var fenced: UInt64 = 0
        public var duplicates: UInt64 = 0
        public var missing: UInt64 = 0
    }

    /// The time between two hellos that the server has not answered.
    public static let helloPeriod = Duration.milliseconds(100)
    /// The largest gap for which this end sends receipts. A larger gap exceeds every credit window.
    public static let gapLimit = LinkNumbers.gapLimit

    public let end: End
    public private(set) var state = State.closed
    private var numbers: LinkNumbers
    private var probing = Probing()
    /// The epoch of the server's newest hello.
    private var newestEpoch: UInt32 = 0
    /// The oldest process generation of the peer whose hellos are accepted. Older ones are fenced.
    private var oldestPeerGeneration: UInt32 = 0
    /// The highest credit that the peer has given since the link opened: the number of frames that it accepts at rest.
    public private(set) var capacity = 0
    /// Frames of the peer that this end has not handled since the link opened: lost, late, or discarded for lack of room.
    public private(set) var missed: UInt64 = 0
    public private(set) var counters = Counters()
    /// How often the link has opened.
    public private(set) var openings: UInt32 = 0

    /// - Parameters:
    ///   - end: Which end of the link this is.
    ///   - epoch: A server's epoch; a client adopts the server's.
    ///   - generation: The generation of this end's process.
    public init(_ end: End, epoch: UInt32 = 0, generation: UInt32) {
        self.end = end
        numbers = LinkNumbers(epoch: epoch, generation: generation)
    }

    public var isOpen: Bool { phase == .open }
    public var epoch: UInt32 { numbers.epoch }
    /// The generation of the peer's process; 0 before its first frame.
    public var peerGeneration: UInt32 { numbers.peerGeneration ?? 0 }
    public var sent: SequenceNumber { numbers.sent }
    public var received: SequenceNumber { numbers.received }
    public var acknowledged: SequenceNumber { numbers.acknowledged }
    /// How many more frames the peer accepts now.
    public var credit: Int { numbers.credit }
    /// Whether a server has sent any frame on this link apart from its hello.
    public var hasSentMessages: Bool { numbers.hasSentMessages }

    // MARK: The machine

    /// The transition table, for every end, phase and input. Nil: the input cannot happen.
    public static func transition(
        of end: End, from phase: Phase, on input: Input
    ) -> (phase: Phase, decision: Decision)? {
        switch (end, phase, input) {
        case (.client, _, .connected): (.connecting, .sendHello)
        case (.client, .connecting, .newHello): (.open, .open)
        case (.client, .closed, .newHello): (.closed, .refuse)
        // The link repeated the answer. Its number decides, as it does for every frame.
        case (.client, .open, .newHello), (_, .open, .message), (.client, .open, .oldHello): (.open, .judge)
        case (.client, _, .repeatedHello): nil
        case (.client, .connecting, .lost): (.closed, .close)

        case (.server, _, .connected), (.server, .connecting, _): nil
        case (.server, .closed, .newHello): (.open, .open)
        // The core closes the link before a new hello opens it again.
        case (.server, .open, .newHello): nil
        case (.server, .open, .repeatedHello): (.open, .repeatAnswer)
        case (.server, .closed, .repeatedHello): (.closed, .refuse)
        case (.server, .open, .oldHello): (.open, .refuse)

        case (_, .closed, .oldHello), (_, .closed, .message): (.closed, .refuse)
        case (_, .connecting, .oldHello), (_, .connecting, .message): (.connecting, .refuse)
        case (_, .open, .lost): (.closed, .close)
        case (_, .closed, .lost): (.closed, .nothing)
        }
    }

    /// The state without its payload.
    public var phase: Phase {
        switch state {
        case .closed: .closed
        case .connecting: .connecting
        case .open: .open
        }
    }

    /// Passes an input through the machine.
    ///
    /// - Parameter credit: The credit of a client's hello.
    private mutating func handle(_ input: Input, credit: UInt32 = 0) -> Decision {
        guard let (next, decision) = Self.transition(of: end, from: phase, on: input) else {
            preconditionFailure("a \(end)'s link cannot take \(input) while \(phase)")
        }
        guard next != phase || decision == .sendHello else { return decision }
        state =
            switch next {
            case .closed: .closed
            case .connecting: .connecting(hello: numbers.hello(credit: credit))
            case .open: .open
            }
        return decision
    }

    // MARK: Opening and closing

    /// Notes that the connection to the server is up: the link opens again with a hello.
    ///
    /// - Parameter credit: How many frames this end accepts.
    public mutating func connected(credit: Int = 256) {
        if handle(.connected, credit: UInt32(clamping: credit)) == .sendHello { (capacity, missed) = (0, 0) }
    }

    /// The hello to send now, and again after each `helloPeriod`; nil once the server has answered.
    public var pendingHello: Frame? {
        if case .connecting(let hello) = state { hello } else { nil }
    }

    /// Notes that the connection is down.
    ///
    /// - Returns: Whether the link was opening or open.
    @discardableResult
    public mutating func lost() -> Bool { handle(.lost) == .close }

    /// Fences the hellos of older processes of the peer from now on.
    public mutating func fence(before generation: UInt32) { oldestPeerGeneration = generation }

    /// Whether a client's hello opens the link anew. The core closes an open link before it lets the link receive such
    /// a hello.
    public func isNew(hello: Frame) -> Bool { numbers.judge(hello: hello) == .new }

    /// The server's hello that answers the client's hello.
    public mutating func answer(credit: Int = 256) -> Frame { numbers.answer(credit: UInt32(clamping: credit)) }

    // MARK: Receiving

    /// Receives one frame of the peer.
    ///
    /// - Parameters:
    ///   - frame: The frame, in the order of arrival.
    ///   - now: Restarts the wait for the next probe.
    public mutating func receive(_ frame: Frame, at now: Instant) -> Event {
        if case .hello = frame.message {
            if frame.generation < oldestPeerGeneration {
                return refuse(.fenced(epoch: frame.epoch, generation: frame.generation))
            }
        } else if case .open = state {
            // Nearly every frame is one on an open link, and its number decides.
            assert(Self.transition(of: end, from: .open, on: .message)! == (.open, .judge))
            return judge(frame, at: now)
        }
        switch handle(input(frame)) {
        case .open:
            let isSameProcess = numbers.peerGeneration == frame.generation
            switch end {
            case .client:
                newestEpoch = frame.epoch
                numbers.adopt(hello: frame, epoch: frame.epoch)
            case .server: numbers.welcome(frame, epoch: numbers.epoch)
            }
            (capacity, missed, probing) = (max(1, Int(frame.credit)), 0, Probing())
            openings += 1
            probing.noteReceived(at: now, missing: false)
            return .opened(isSameProcess: isSameProcess)
        case .repeatAnswer: return .helloRepeated
        case .judge: return judge(frame, at: now)
        case .refuse:
            guard case .hello = frame.message else { return refuse(.beforeHello) }
            return refuse(.oldHello(sequence: frame.sequence, generation: frame.generation))
        case .sendHello, .close, .nothing: preconditionFailure("a frame neither connects a link nor closes it")
        }
    }

    private func input(_ frame: Frame) -> Input {
        guard case .hello = frame.message else { return .message }
        switch end {
        case .client:
            // Two servers may have received one hello: the answer of the older one is too old.
            return numbers.isAnswered(by: frame) && frame.epoch >= newestEpoch ? .newHello : .oldHello
        case .server:
            switch numbers.judge(hello: frame) {
            case .new: return .newHello
            case .repeated: return .repeatedHello
            case .old: return .oldHello
            }
        }
    }

    private mutating func judge(_ frame: Frame, at now: Instant) -> Event {
        let missing: UInt64
        switch numbers.accept(frame) {
        case .fresh: missing = 0
        case .gap(let count): missing = count
        case .duplicate(let sequence, let last): return refuse(.duplicate(sequence: sequence, last: last))
        case .fenced(let epoch, let generation): return refuse(.fenced(epoch: epoch, generation: generation))
        }
        counters.missing &+= missing
        capacity = max(capacity, Int(frame.credit))
        probing.noteReceived(at: now, missing: missing > 0, isAnswer: frame.message.isAnswer)
        return .arrived(missing: missing)
    }

    private mutating func refuse(_ refusal: Refusal) -> Event {
        switch refusal {
        case .duplicate: counters.duplicates += 1
        case .fenced: counters.fenced += 1
        case .beforeHello, .oldHello: break
        }
        return .refused(refusal)
    }

    // MARK: Sending

    /// Makes the next frame.
    ///
    /// - Parameters:
    ///   - message: The payload.
    ///   - ledger: The times of the hops so far.
    ///   - credit: How many more frames this end accepts.
    public mutating func frame(_ message: Message, ledger: Ledger = Ledger(), credit: Int = 256) -> Frame {
        numbers.frame(message, ledger: ledger, credit: UInt32(clamping: credit))
    }

    // MARK: Loss

    /// The probe that asks how far the peer has received this end's frames; nil if none is due. The core calls this
    /// while frames are outstanding.
    public mutating func probe(at now: Instant, credit: Int = 256) -> Frame? {
        probing.isDue(at: now) ? frame(.link(.probe), credit: credit) : nil
    }

    /// The answer to the peer's probe.
    ///
    /// - Parameters:
    ///   - oldest: The first frame that is received and not answered; zero for none.
    ///   - credit: How many more frames this end accepts.
    public mutating func probeAnswer(oldest: SequenceNumber, credit: Int = 256) -> Frame {
        frame(.link(.received(oldest: oldest, missed: missed)), credit: credit)
    }

    /// Counts frames of the peer that this end has not handled and answers as lost.
    public mutating func countMissed(_ count: UInt64) { missed &+= count }

    /// The receipts for frames that never arrived. Their receiver answers for them, because no other process can.
    ///
    /// - Parameters:
    ///   - missing: The number of lost frames, at most `gapLimit`.
    ///   - sequence: The number of the frame right behind them.
    /// - Returns: One receipt for each lost frame, in order.
    public mutating func receipts(forMissing missing: UInt64, before sequence: SequenceNumber) -> [Receipt] {
        guard missing > 0, missing <= Self.gapLimit, missing < sequence.rawValue else { return [] }
        countMissed(missing)
        let first = sequence.retreated(by: missing)
        return (0..<missing).map {
            Receipt(frame: first.advanced(by: $0), outcome: .dropped, reason: .lostOnLink)
        }
    }
}

extension Message {
    /// Whether the message answers a frame. Other messages do not show which frames the peer has received.
    fileprivate var isAnswer: Bool {
        switch self {
        case .handled, .link: true
        default: false
        }
    }
}
