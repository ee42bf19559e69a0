// StreamVerifier.swift: checks that the frames at one end of a data link follow the protocol.
//
//     input-kit ──scans──▶ server ──touches──▶ app          one verifier at each end of each link:
//         ▲───receipts────────┘ ▲────receipts────┘          it sees what that end sends and receives
//
// What its own end sends must satisfy every rule. The numbers have no holes. Acknowledgements name received frames.
// Moves stay within the credit window. Fingers begin before they move, and end once. Lists are complete. Each frame
// that asks for a receipt gets one. Received frames may have holes, repeat, arrive late or be of an older epoch,
// because links do that to correct ends. Any other violation is the sender's fault.
//
// Fed by    ZeroMQHost (in debug builds, or with host.verify), and Audit
// Knows     numbers and phases. No decisions of the cores.
//
// Sources   Docs/Spec/Pipeline.md section 3: I3, I6, I7

public import Basics
public import HID
public import Wire

/// The checker of one end of one data link.
public struct StreamVerifier: Sendable {
    public let role: Role
    public let peer: Role
    /// Whether both ends have one clock, so that a ledger's stamps ascend.
    public var hasOneClock = true
    /// Whether this end is closing: waiting frames may then leave whatever the credit.
    public var isClosing = false

    /// The number of the last frame that this end sent. Numbers never start again.
    public private(set) var sent = SequenceNumber.zero
    /// The verdict on the last received frame.
    public private(set) var verdict = Verdict.fresh
    /// Whether a frame was missing since the link opened.
    public private(set) var hadGap = false
    /// The number of frames missing before the last received frame, if its verdict is `gap`.
    public private(set) var missing: UInt64 = 0
    /// Whether this server's last hello opened the link. A repeated hello does not.
    public private(set) var hasWelcomed = false

    private var own = OwnEnd()
    private var other = OtherEnd()
    private var credit = Credit()
    private var receipts = ReceiptAccount()
    private var content = StreamContent()

    /// The numbers of this end.
    private struct OwnEnd: Sendable {
        var generation: UInt32?
        var newestEpoch: UInt32 = 0
        /// The number of the client's hello that opened the link, or will open it.
        var opening = SequenceNumber.zero
        /// The number of the server's hello that answered it.
        var answering = SequenceNumber.zero
    }

    /// What this end has received of the other end.
    private struct OtherEnd: Sendable {
        var isOpen = false
        var epoch: UInt32 = 0
        var generation: UInt32 = 0
        /// The newest number on this link (`received`), and on any link so far (`everReceived`).
        var received = SequenceNumber.zero
        var everReceived = SequenceNumber.zero
        /// The client's hello that this server has not answered.
        var unansweredHello: ClientHello?

        mutating func receive(_ sequence: SequenceNumber) {
            received = sequence
            everReceived = max(everReceived, sequence)
        }
    }

    /// How many frames the other end accepts.
    private struct Credit: Sendable {
        /// The newest frame of this end that the peer has acknowledged, and the peer's credit at that time.
        var acknowledged = SequenceNumber.zero
        var frames: UInt32 = 256
        /// The highest credit of an app since its hello: the number of frames that may be unanswered.
        var window = 256
    }

    /// How the receiving end treats a frame.
    public enum Verdict: UInt8, Hashable, Sendable {
        case fresh
        /// The first frame behind missing ones.
        case gap
        /// The frame, or a later one, was received before.
        case duplicate
        /// The frame has an older epoch or generation, or precedes any hello.
        case fenced
        /// A client's hello. The server decides whether it answers.
        case clientHello
        /// The server's hello that opens the link.
        case opened
        /// A server's hello that changes nothing.
        case oldHello
        case forbidden
    }

    /// A client's hello, with the numbers that an answer adopts.
    private struct ClientHello: Sendable {
        var generation: UInt32
        var sequence, ack: SequenceNumber
        var credit: UInt32
    }

    /// - Returns: Nil for two roles that have no data link.
    public init?(of role: Role, to peer: Role) {
        switch (role, peer) {
        case (.inputKit, .systemServer), (.systemServer, .inputKit), (.app, .systemServer), (.systemServer, .app):
            (self.role, self.peer) = (role, peer)
        default: return nil
        }
    }

    /// The number of fingers that are down, in the frames sent or received here.
    public var fingersDown: Int { content.devices.fingersDown }
    /// Keys and pointers of devices that have begun and not ended, in the frames sent or received here.
    public var inputsHeld: HeldInputs<DigitizerSpace> { content.deviceInputs }
    /// The scans in frames that this end has sent and that have no receipt. Another frame that asks for a receipt counts
    /// as one.
    public var unanswered: Int { receipts.unanswered }
    /// The number of frames that the app at the other end accepts without a receipt.
    public var creditWindow: Int { credit.window }

    // MARK: Sending

    /// Checks a frame that the core has made, before the link carries it.
    ///
    /// - Returns: The rule that the frame breaks, or nil. The frame counts as sent in both cases.
    public mutating func checkSent(_ frame: Frame) -> StreamFault? {
        let kind = frame.message.kind
        guard kind.isAllowed(from: role, to: peer) else { return .forbidden(kind) }
        // A client repeats one hello until the server answers, and a server repeats one answer.
        if kind == .hello, frame.sequence == (role == .systemServer ? own.answering : own.opening),
            frame.sequence > .zero
        {
            return checkRepeatedHello() ?? numbersFault(frame, kind)
        }
        let expected = sent.next
        if frame.sequence != expected {
            sent = frame.sequence
            return .sequence(frame.sequence, expected: expected)
        }
        let unheard = sent.distance(from: min(sent, credit.acknowledged))
        sent = frame.sequence
        if kind == .hello {
            if let fault = checkNewHello() { return fault }
        } else if !other.isOpen {
            return .beforeHello(kind)
        }
        if let fault = numbersFault(frame, kind) { return fault }
        if hasOneClock, let fault = ledgerFault(frame.ledger) { return fault }
        let unanswered = receipts.unanswered
        if kind.asksForReceipt { receipts.didSend(frame.sequence, scans: frame.message.scanCount) }
        switch frame.message {
        case .digitizer(let event):
            let fault = content.fault(of: event.value, frame.ledger, isStrict: true)
            return creditFault(hasEdge: event.value.hasTouchEdge, unheard) ?? fault
        case .scans(let events):
            let fault = content.fault(of: events, frame.ledger, isStrict: true)
            return creditFault(hasEdge: false, unheard) ?? fault
        case .device(let event): return content.fault(of: event.input, isStrict: true)
        case .input(let event): return content.fault(of: event.input, isStrict: true)
        case .touches(let touchFrame):
            // The window does not bind frames that end a touch, nor frames without a ledger, which the server makes
            // itself. After a loss this end does not know how many frames the app still holds.
            let isBound = !touchFrame.endsTouch && frame.ledger.count > 0 && !hadGap
            let fault = content.fault(of: touchFrame, isStrict: true)
            return isBound && unanswered >= credit.window
                ? .beyondCredit(unanswered: unanswered, credit: credit.window) : fault
        case .severalTouches(let frames):
            let fault = content.fault(of: frames, isStrict: true)
            let isOver = !hadGap && unanswered + frames.count > credit.window
            return isOver ? .beyondCredit(unanswered: unanswered, credit: credit.window) : fault
        case .handled(let receipt): return receipts.fault(ofOwn: receipt, received: other.received)
        default: return nil
        }
    }

    /// Judges the credit for scans that this end sends.
    ///
    /// - Parameters:
    ///   - hasEdge: Whether a finger lands or lifts in the scans, which may then be sent in any case.
    ///   - unheard: The number of frames that the peer has not acknowledged.
    private func creditFault(hasEdge: Bool, _ unheard: UInt64) -> StreamFault? {
        guard unheard >= UInt64(credit.frames), !isClosing, !hasEdge else { return nil }
        return .beyondCredit(unanswered: Int(clamping: unheard), credit: Int(credit.frames))
    }

    /// Notes that a link has lost a frame of this end: no receipt will arrive.
    public mutating func noteLoss(of sequence: SequenceNumber) { receipts.didLose(sequence) }

    /// Checks a hello with the number of an earlier hello. A server repeats one only for the hello that it answered.
    private mutating func checkRepeatedHello() -> StreamFault? {
        hasWelcomed = false
        guard role == .systemServer, let hello = other.unansweredHello else { return nil }
        other.unansweredHello = nil
        guard other.isOpen else { return .beforeHello(.hello) }
        guard hello.generation == other.generation else {
            return .generation(hello.generation, expected: other.generation)
        }
        return hello.sequence == own.opening ? nil : .answeredOldHello(hello.sequence, newest: own.opening)
    }

    /// Checks a new hello of this end: a client's opens or renews the link, a server's answers one.
    private mutating func checkNewHello() -> StreamFault? {
        hasWelcomed = false
        if role == .systemServer {
            guard let hello = other.unansweredHello else { return nil }
            other.unansweredHello = nil
            if hello.generation < other.generation {
                return .generation(hello.generation, expected: other.generation)
            }
            if hello.generation == other.generation {
                if hello.sequence < own.opening { return .answeredOldHello(hello.sequence, newest: own.opening) }
                if hello.sequence == own.opening, other.isOpen { return .sequence(sent, expected: own.answering) }
            }
            hasWelcomed = true
            (other.isOpen, hadGap, own.answering) = (true, false, sent)
            (own.opening, other.generation) = (hello.sequence, hello.generation)
            other.receive(hello.sequence)
            (credit.acknowledged, credit.frames) = (hello.ack, hello.credit)
            credit.window = max(1, Int(hello.credit))
        } else {
            (other.isOpen, hadGap, own.opening) = (false, false, sent)
        }
        forgetContent()
        return nil
    }

    /// Forgets the content of the frames so far, because the link opens again.
    private mutating func forgetContent() {
        receipts.removeAll()
        content.removeAll()
    }

    /// Checks the generation, the epoch and the acknowledgement of a frame that this end sends.
    private mutating func numbersFault(_ frame: Frame, _ kind: MessageKind) -> StreamFault? {
        if let generation = own.generation, frame.generation != generation {
            return .generation(frame.generation, expected: generation)
        }
        own.generation = frame.generation
        if role == .systemServer {
            if kind == .hello, frame.epoch >= own.newestEpoch {
                (other.epoch, own.newestEpoch) = (frame.epoch, frame.epoch)
            }
            if frame.epoch != other.epoch { return .epoch(frame.epoch, expected: other.epoch) }
        } else if kind != .hello {
            if frame.epoch < own.newestEpoch { return .epoch(frame.epoch, expected: own.newestEpoch) }
            own.newestEpoch = frame.epoch
            if other.isOpen, frame.epoch != other.epoch { return .epoch(frame.epoch, expected: other.epoch) }
        }
        // The acknowledged number may belong to the peer's earlier process, whose numbers may have been higher.
        guard frame.ack <= other.everReceived else { return .acknowledged(frame.ack, sent: other.everReceived) }
        return nil
    }

    // MARK: Receiving

    /// Checks a received frame before the core handles it.
    ///
    /// - Returns: The rule that the frame breaks and that no link can explain, or nil.
    public mutating func checkReceived(_ frame: Frame) -> StreamFault? {
        let kind = frame.message.kind
        guard kind.isAllowed(from: peer, to: role) else {
            verdict = .forbidden
            return .forbidden(kind)
        }
        if kind == .hello, !other.isOpen || role == .systemServer || hasSentOnlyHello && frame.epoch > other.epoch {
            verdict = receiveHello(frame)
            return nil
        }
        // A frame of another epoch or generation, or before the hello, changes nothing.
        guard other.isOpen, frame.epoch == other.epoch, frame.generation == other.generation else {
            verdict = .fenced
            return nil
        }
        guard frame.sequence > other.received else {
            // The frame was received before, or counts as lost.
            verdict = .duplicate
            return nil
        }
        verdict = .fresh
        if frame.sequence != other.received.next {
            (verdict, hadGap, missing) = (.gap, true, frame.sequence.distance(from: other.received.next))
            // The missing frames may have changed the received touches and inputs, but not the sent ones.
            content.missedFrames(of: peer, by: role)
        }
        other.receive(frame.sequence)
        guard frame.ack <= sent else { return .acknowledged(frame.ack, sent: sent) }
        credit.acknowledged = max(credit.acknowledged, frame.ack)
        credit.frames = frame.credit
        credit.window = max(credit.window, Int(frame.credit))
        if hasOneClock, let fault = ledgerFault(frame.ledger) { return fault }
        if kind.asksForReceipt { receipts.didReceive(frame.sequence) }
        switch frame.message {
        case .digitizer(let event): return content.fault(of: event.value, frame.ledger, isStrict: !hadGap)
        case .scans(let events): return content.fault(of: events, frame.ledger, isStrict: !hadGap)
        case .device(let event): return content.fault(of: event.input, isStrict: !hadGap)
        case .input(let event): return content.fault(of: event.input, isStrict: !hadGap)
        case .touches(let touchFrame): return content.fault(of: touchFrame, isStrict: !hadGap)
        case .severalTouches(let frames): return content.fault(of: frames, isStrict: !hadGap)
        case .handled(let receipt): return receipts.fault(ofPeers: receipt, sent: sent, hadGap: hadGap)
        case .link(.received(let oldest, _)):
            // The peer has received these frames, does not hold them as unanswered, and will not answer them any more.
            receipts.didAbandon(through: oldest > .zero ? min(frame.ack, oldest.previous) : frame.ack)
            return nil
        default: return nil
        }
    }

    /// Notes that the link is down: this end forgets everything about the peer except its numbers.
    public mutating func linkLost() {
        (other.isOpen, other.unansweredHello) = (false, nil)
        forgetContent()
    }

    /// Whether this client has sent nothing but its hello. Another server that received the hello may then open the link.
    private var hasSentOnlyHello: Bool { role != .systemServer && sent == own.opening }

    private mutating func receiveHello(_ frame: Frame) -> Verdict {
        if role == .systemServer {
            other.unansweredHello = ClientHello(
                generation: frame.generation, sequence: frame.sequence, ack: frame.ack, credit: frame.credit)
            other.everReceived = max(other.everReceived, frame.sequence)
            return .clientHello
        }
        // The hello answers an earlier hello, or is from an earlier server.
        guard own.opening > .zero, frame.ack >= own.opening, frame.epoch >= own.newestEpoch else { return .oldHello }
        (other.isOpen, hadGap) = (true, false)
        (other.epoch, own.newestEpoch, other.generation) = (frame.epoch, frame.epoch, frame.generation)
        other.receive(frame.sequence)
        (credit.acknowledged, credit.frames) = (frame.ack, frame.credit)
        forgetContent()
        return .opened
    }

    // MARK: Ledgers

    private func ledgerFault(_ ledger: Ledger) -> StreamFault? {
        guard !ledger.isAscending, var last = ledger[.device] else { return nil }
        for hop in Ledger.Hop.allCases.dropFirst() {
            guard let stamp = ledger[hop] else { return nil }
            if stamp < last { return .ledger(hop: hop, stamp, before: last) }
            last = stamp
        }
        return nil
    }
}

extension MessageKind {
    /// Whether each frame of this kind gets one receipt.
    public var asksForReceipt: Bool {
        switch self {
        case .digitizer, .scans, .device, .touches, .severalTouches, .input: true
        default: false
        }
    }
}

extension TouchFrame {
    /// Whether a touch ends in this frame.
    fileprivate var endsTouch: Bool { contacts.contains { $0.phase == .ended || $0.phase == .cancelled } }
}
