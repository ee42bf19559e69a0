// LinkNumbers.swift: the numbers of one end of a link: what was sent, what was received, and of which processes.
//
// Station   process
// Input     Link, a checker of links, or a test that plays a peer: each frame sent and received
// Output    frames with their numbers; a verdict on each frame received
// Knows     sequence numbers, epochs, process generations. No state of a handshake, no message, no clock.
//
// Sequence numbers never start again while the process lives: a link that opens again continues them. So the number
// alone distinguishes a new frame or hello from one that a link has delayed, repeated or reordered.
// Docs/Internals/Links.md explains the protocol, Docs/Decisions/Links.md argues it.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, F6 and law I7

import Basics
public import Wire

/// The numbers of one end of a link.
public struct LinkNumbers: Sendable {
    /// How a received frame compares with the numbers so far.
    public enum Verdict: Hashable, Sendable {
        /// The next frame.
        case fresh
        /// This frame or a later one was received before. It changes nothing.
        case duplicate(sequence: SequenceNumber, last: SequenceNumber)
        /// The frame counts. The `missing` frames right before it were lost; one that arrives later is a duplicate.
        case gap(missing: UInt64)
        /// Sent before the peer or the server restarted. It changes nothing.
        case fenced(epoch: UInt32, generation: UInt32)
    }

    /// The largest gap for which an end sends receipts. A larger gap exceeds every credit window.
    public static let gapLimit: UInt64 = 4096

    public private(set) var epoch: UInt32
    /// This end's process generation.
    public let generation: UInt32
    /// The peer's process generation; nil before its first frame.
    public private(set) var peerGeneration: UInt32?
    /// The number of the last frame sent, and of the last frame received.
    public private(set) var sent = SequenceNumber.zero
    public private(set) var received = SequenceNumber.zero
    /// The number of the last frame that the peer has acknowledged, and how many more frames it accepts.
    public private(set) var acknowledged = SequenceNumber.zero
    public private(set) var peerCredit: UInt32
    /// The number of the client's hello that opened the link, or will open it.
    public private(set) var opening = SequenceNumber.zero
    /// The number of the server's hello that answers it; zero before the answer.
    private var answering = SequenceNumber.zero

    /// - Parameters:
    ///   - epoch: The server's epoch.
    ///   - generation: The generation of this end's process.
    ///   - peerGeneration: The generation of the peer's process; nil until its hello.
    ///   - credit: The peer's credit until its first frame.
    public init(epoch: UInt32, generation: UInt32, peerGeneration: UInt32? = nil, credit: UInt32 = 256) {
        (self.epoch, self.generation, self.peerGeneration) = (epoch, generation, peerGeneration)
        peerCredit = credit
    }

    /// How many more frames the peer accepts: its last credit, less the frames that are unacknowledged since.
    public var credit: Int {
        let unacknowledged = sent.distance(from: min(sent, acknowledged))
        return max(0, Int(peerCredit) - Int(clamping: unacknowledged))
    }

    /// Whether a server has sent anything on this link apart from its hello.
    public var hasSentMessages: Bool { sent > answering }

    // MARK: Sending

    /// Makes the next frame.
    ///
    /// - Parameters:
    ///   - message: The payload.
    ///   - ledger: The times of the hops so far.
    ///   - credit: How many more frames this end accepts.
    public mutating func frame(_ message: Message, ledger: Ledger = Ledger(), credit: UInt32 = 256) -> Frame {
        sent = sent.next
        return Frame(
            epoch: epoch, generation: generation, sequence: sent, ack: received, credit: credit, ledger: ledger,
            message: message)
    }

    /// Makes the client's hello that opens a link. The client sends the same frame again until the server answers it.
    public mutating func hello(credit: UInt32 = 256) -> Frame {
        // The server that receives the hello may be another one than before.
        (epoch, peerGeneration, received) = (0, nil, .zero)
        let frame = frame(.hello, credit: credit)
        opening = frame.sequence
        return frame
    }

    /// Makes the server's hello that answers the client's last one. The answer has one number, however often it is sent:
    /// a client that missed it has ignored the frames behind it, and finds the gap with the next one.
    public mutating func answer(credit: UInt32 = 256) -> Frame {
        if answering == .zero {
            sent = sent.next
            answering = sent
        }
        return Frame(
            epoch: epoch, generation: generation, sequence: answering, ack: received, credit: credit,
            message: .hello)
    }

    // MARK: Receiving

    /// Whether a server's hello answers this client's last one. An older answer belongs to an earlier hello.
    public func isAnswered(by hello: Frame) -> Bool { opening > .zero && hello.ack >= opening }

    /// What a client's hello means to a server.
    public enum Hello: Hashable, Sendable {
        /// Newer than every frame of this peer: the link opens, or opens again.
        case new
        /// The hello that opened the link: the client missed the answer, or the link repeated the frame.
        case repeated
        /// Older than the link.
        case old
    }

    /// Compares a client's hello with the numbers of this server's link.
    public func judge(hello frame: Frame) -> Hello {
        guard let peerGeneration, frame.generation <= peerGeneration else { return .new }
        guard frame.generation == peerGeneration, frame.sequence >= opening else { return .old }
        if frame.sequence == opening { return .repeated }
        return frame.sequence > received ? .new : .old
    }

    /// Opens the link with a client's hello, as a server of this epoch.
    public mutating func welcome(_ hello: Frame, epoch: UInt32) {
        (opening, answering) = (hello.sequence, .zero)
        adopt(hello: hello, epoch: epoch)
    }

    /// Adopts the numbers of a hello: from here on the peer's frames have this epoch and the hello's generation.
    public mutating func adopt(hello frame: Frame, epoch: UInt32) {
        (self.epoch, peerGeneration, received) = (epoch, frame.generation, frame.sequence)
        acknowledged = min(frame.ack, sent)
        peerCredit = frame.credit
    }

    /// Judges a frame of an open link, and adopts its numbers if it counts.
    public mutating func accept(_ frame: Frame) -> Verdict {
        guard frame.epoch == epoch, frame.generation == peerGeneration ?? frame.generation else {
            return .fenced(epoch: frame.epoch, generation: frame.generation)
        }
        peerGeneration = frame.generation
        guard frame.sequence > received else {
            return .duplicate(sequence: frame.sequence, last: received)
        }
        let missing = frame.sequence.distance(from: received.next)
        received = frame.sequence
        acknowledged = min(max(acknowledged, frame.ack), sent)
        peerCredit = frame.credit
        return missing == 0 ? .fresh : .gap(missing: missing)
    }
}
