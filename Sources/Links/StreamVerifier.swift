// StreamVerifier.swift: whether what passes over one end of one data link is what an honest group says.
//
//     input-kit ──scans──▶ server ──touches──▶ app          one verifier at each end of each link:
//         ▲───receipts────────┘ ▲────receipts────┘          it sees what that end sends and what it hears
//
// What its own end sends is held to everything: numbers without holes, acknowledgements of what was heard, moves within
// credit, fingers that begin before they move and end once, lists that leave nobody out, one receipt for each frame that
// asks. What it hears may have holes, come twice or late, and be of an older time, as links do that to the honest; what
// no link explains is the sender's fault.
//
// Fed by    ZeroMQHost (in debug builds, or with host.verify), and Audit
// Knows     numbers and phases. Not what the cores decided, and why.
//
// Sources   Docs/Spec/Pipeline.md section 3: I3, I6, I7

public import Basics
public import HID
public import Wire

public struct StreamVerifier: Sendable {
    public let role: Role
    public let peer: Role
    /// Whether both ends have one clock, so that a ledger's stamps ascend.
    public var hasOneClock = true
    /// This end is going: what waits may leave whatever the credit.
    public var isClosing = false

    /// The number of the last frame that this end sent. It never begins again.
    public private(set) var sent = SequenceNumber.zero
    /// What became of the frame heard last.
    public private(set) var verdict = Verdict.fresh
    /// Since the link opened, a frame was missing or came late.
    public private(set) var hadGap = false
    /// How many are missing before the frame heard last, whose verdict is `gap`.
    public private(set) var missing: UInt64 = 0
    /// Whether this server's last hello opened the link: one that is sent again only repeats itself.
    public private(set) var hasWelcomed = false

    private var own = OwnEnd()
    private var other = OtherEnd()
    private var credit = Credit()
    private var receipts = ReceiptAccount()
    private var content = StreamContent()

    /// How this end names itself.
    private struct OwnEnd: Sendable {
        var generation: UInt32?
        var newestEpoch: UInt32 = 0
        /// The number of the client's hello that opened the link, or is to.
        var opening = SequenceNumber.zero
        /// The number of the server's hello that answered it.
        var answering = SequenceNumber.zero
    }

    /// What this end has heard of the other.
    private struct OtherEnd: Sendable {
        var isOpen = false
        var epoch: UInt32 = 0
        var generation: UInt32 = 0
        /// The newest number on this link, and on any link before it.
        var received = SequenceNumber.zero
        var everReceived = SequenceNumber.zero
        /// A client's hello, until this server answers it.
        var greeting: Greeting?

        mutating func receive(_ sequence: SequenceNumber) {
            received = sequence
            everReceived = max(everReceived, sequence)
        }
    }

    /// How much the other end takes.
    private struct Credit: Sendable {
        /// The newest frame of this end that the peer has heard, and how many more it takes.
        var acknowledged = SequenceNumber.zero
        var frames: UInt32 = 256
        /// Of an app, in its hello: how many frames it takes without having answered.
        var window = 256
    }

    /// What a frame is worth to the end that hears it.
    public enum Verdict: UInt8, Hashable, Sendable {
        case fresh
        /// The first after some that are missing.
        case gap
        /// Heard before, or given up when a later one was heard.
        case duplicate
        /// Of an older epoch or generation, or before any hello.
        case fenced
        /// A client's, which is for the server to take or leave.
        case greeting
        /// The server's, and from here on all is new.
        case opened
        /// The server's, which changes nothing.
        case oldHello
        case forbidden
    }

    private struct Greeting: Sendable {
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

    /// Fingers that are down, as this end has said or heard.
    public var fingersDown: Int { content.devices.fingersDown }
    /// Keys and pointers of devices that have begun and not ended, as this end has said or heard.
    public var inputsHeld: HeldInputs<DigitizerSpace> { content.deviceInputs }
    /// Frames that this end has sent and that nobody has answered.
    public var unanswered: Int { receipts.unanswered }
    /// How many frames this end's app takes without having answered.
    public var offered: Int { credit.window }

    // MARK: Sending

    /// Takes a frame as its core has made it, before the link has it.
    ///
    /// - Returns: What is wrong with it. It counts as sent all the same.
    public mutating func sends(_ frame: Frame) -> StreamFault? {
        let kind = frame.message.kind
        guard frame.message.mayGo(from: role, to: peer) else { return .forbidden(kind) }
        // A client says the very same greeting until it is answered, and a server the very same answer to it.
        if kind == .hello, frame.sequence == (role == .systemServer ? own.answering : own.opening),
            frame.sequence > .zero
        {
            return repeats() ?? numbersFault(frame, kind)
        }
        let expected = sent.next
        if frame.sequence != expected {
            sent = frame.sequence
            return .sequence(frame.sequence, expected: expected)
        }
        let unheard = sent.distance(from: min(sent, credit.acknowledged))
        sent = frame.sequence
        if kind == .hello {
            if let fault = greets() { return fault }
        } else if !other.isOpen {
            return .beforeHello(kind)
        }
        if let fault = numbersFault(frame, kind) { return fault }
        if hasOneClock, let fault = ledgerFault(frame.ledger) { return fault }
        let unanswered = receipts.unanswered
        if kind.asksForReceipt { receipts.didSend(frame.sequence) }
        switch frame.message {
        case .digitizer(let event):
            let isOver = unheard >= UInt64(credit.frames) && !isClosing && !event.hasTouchEdge
            let fault = content.fault(of: event, frame.ledger, isStrict: true)
            return isOver ? .beyondCredit(unanswered: Int(clamping: unheard), credit: Int(credit.frames)) : fault
        case .device(let event): return content.fault(of: event.input, isStrict: true)
        case .input(let event): return content.fault(of: event.input, isStrict: true)
        case .touches(let touchFrame):
            // What the system takes away and what ends goes out whatever the window. After a loss this end does not know
            // how many frames the app still holds.
            let isBound = !touchFrame.endsTouch && frame.ledger.count > 0 && !hadGap
            let fault = content.fault(of: touchFrame, isStrict: true)
            return isBound && unanswered >= credit.window
                ? .beyondCredit(unanswered: unanswered, credit: credit.window) : fault
        case .handled(let receipt): return receipts.fault(ofOwn: receipt, heard: other.received)
        default: return nil
        }
    }

    /// Takes the news that a link has lost a frame of this end: no receipt will come.
    public mutating func lost(_ sequence: SequenceNumber) { receipts.didLose(sequence) }

    /// A hello under the number it had: a server's only to the greeting that it answered.
    private mutating func repeats() -> StreamFault? {
        hasWelcomed = false
        guard role == .systemServer, let greeting = other.greeting else { return nil }
        other.greeting = nil
        guard other.isOpen else { return .beforeHello(.hello) }
        guard greeting.generation == other.generation else {
            return .generation(greeting.generation, expected: other.generation)
        }
        return greeting.sequence == own.opening ? nil : .oldGreeting(greeting.sequence, newest: own.opening)
    }

    /// This end's hello: a client's opens the link or renews it, a server's answers one.
    private mutating func greets() -> StreamFault? {
        hasWelcomed = false
        if role == .systemServer {
            guard let greeting = other.greeting else { return nil }
            other.greeting = nil
            if greeting.generation < other.generation {
                return .generation(greeting.generation, expected: other.generation)
            }
            if greeting.generation == other.generation {
                if greeting.sequence < own.opening { return .oldGreeting(greeting.sequence, newest: own.opening) }
                if greeting.sequence == own.opening, other.isOpen { return .sequence(sent, expected: own.answering) }
            }
            hasWelcomed = true
            (other.isOpen, hadGap, own.answering) = (true, false, sent)
            (own.opening, other.generation) = (greeting.sequence, greeting.generation)
            other.receive(greeting.sequence)
            (credit.acknowledged, credit.frames) = (greeting.ack, greeting.credit)
            credit.window = max(1, Int(greeting.credit))
        } else {
            (other.isOpen, hadGap, own.opening) = (false, false, sent)
        }
        forget()
        return nil
    }

    /// Forgets what was sent and heard before: the link begins again.
    private mutating func forget() {
        receipts.removeAll()
        content.removeAll()
    }

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
        // Of this peer's life, or of the one before, whose numbers may have been higher.
        guard frame.ack <= other.everReceived else { return .acknowledged(frame.ack, sent: other.everReceived) }
        return nil
    }

    // MARK: Hearing

    /// Takes a frame as its core is about to get it.
    ///
    /// - Returns: What is wrong with it that no link can explain.
    public mutating func hears(_ frame: Frame) -> StreamFault? {
        let kind = frame.message.kind
        guard frame.message.mayGo(from: peer, to: role) else {
            verdict = .forbidden
            return .forbidden(kind)
        }
        if kind == .hello, !other.isOpen || role == .systemServer || isOnlyGreeted && frame.epoch > other.epoch {
            verdict = hearsHello(frame)
            return nil
        }
        // Nothing comes of what is of another time, before the hello, or known already.
        guard other.isOpen, frame.epoch == other.epoch, frame.generation == other.generation else {
            verdict = .fenced
            return nil
        }
        guard frame.sequence > other.received else {
            // A second time, or given up already.
            verdict = .duplicate
            return nil
        }
        verdict = .fresh
        if frame.sequence != other.received.next {
            (verdict, hadGap, missing) = (.gap, true, frame.sequence.distance(from: other.received.next))
            // What the missing said of touches and inputs is unknown: of those heard, not of those sent.
            content.missedFrames(of: peer, by: role)
        }
        other.receive(frame.sequence)
        guard frame.ack <= sent else { return .acknowledged(frame.ack, sent: sent) }
        credit.acknowledged = max(credit.acknowledged, frame.ack)
        credit.frames = frame.credit
        credit.window = max(credit.window, Int(frame.credit))
        if hasOneClock, let fault = ledgerFault(frame.ledger) { return fault }
        if kind.asksForReceipt { receipts.didHear(frame.sequence) }
        switch frame.message {
        case .digitizer(let event): return content.fault(of: event, frame.ledger, isStrict: !hadGap)
        case .device(let event): return content.fault(of: event.input, isStrict: !hadGap)
        case .input(let event): return content.fault(of: event.input, isStrict: !hadGap)
        case .touches(let touchFrame): return content.fault(of: touchFrame, isStrict: !hadGap)
        case .handled(let receipt): return receipts.fault(ofPeers: receipt, sent: sent, hadGap: hadGap)
        case .link(.heard(let oldest, _)):
            // What it has heard, and neither answered nor has before it, has no answer any more.
            receipts.gaveUp(through: oldest > .zero ? min(frame.ack, oldest.previous) : frame.ack)
            return nil
        default: return nil
        }
    }

    /// The link is down: this end knows nothing of the peer's any more, but for its numbers.
    public mutating func linkLost() {
        (other.isOpen, other.greeting) = (false, nil)
        forget()
    }

    /// A client that has said nothing but its greeting may yet turn to another server that has heard it.
    private var isOnlyGreeted: Bool { role != .systemServer && sent == own.opening }

    private mutating func hearsHello(_ frame: Frame) -> Verdict {
        if role == .systemServer {
            other.greeting = Greeting(
                generation: frame.generation, sequence: frame.sequence, ack: frame.ack, credit: frame.credit)
            other.everReceived = max(other.everReceived, frame.sequence)
            return .greeting
        }
        // It answers a greeting of before, or is a server's of before.
        guard own.opening > .zero, frame.ack >= own.opening, frame.epoch >= own.newestEpoch else { return .oldHello }
        (other.isOpen, hadGap) = (true, false)
        (other.epoch, own.newestEpoch, other.generation) = (frame.epoch, frame.epoch, frame.generation)
        other.receive(frame.sequence)
        (credit.acknowledged, credit.frames) = (frame.ack, frame.credit)
        forget()
        return .opened
    }

    // MARK: What frames say

    private func ledgerFault(_ ledger: Ledger) -> StreamFault? {
        guard ledger.count > 1, var last = ledger[.device] else { return nil }
        for place in 1..<ledger.count {
            guard let hop = Ledger.Hop(rawValue: place), let stamp = ledger[hop] else { return nil }
            if stamp < last { return .ledger(hop: hop, stamp, before: last) }
            last = stamp
        }
        return nil
    }
}

extension MessageKind {
    /// Whether every frame of this kind gets one receipt.
    public var asksForReceipt: Bool {
        switch self {
        case .digitizer, .device, .touches, .input: true
        default: false
        }
    }
}

extension HIDEvent {
    /// Whether a finger lands or leaves in this scan.
    fileprivate var hasTouchEdge: Bool { fingers.contains { !$0.mask.isDisjoint(with: [.touch, .cancel]) } }
}

extension TouchFrame {
    /// Whether a touch ends in this frame.
    fileprivate var endsTouch: Bool { contacts.contains { $0.phase == .ended || $0.phase == .cancelled } }
}
