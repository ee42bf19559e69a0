// Conversation.swift: one link's numbers: what we say next, what we heard last, and whose time it is.
//
//     new ──hello──▶ open ──peer lost──▶ new          a frame of an older epoch or generation is fenced
//
// Numbers never start again while either process lives: a link that is renewed counts on. So whatever a link delays,
// repeats or turns round is told from news by its number alone, hellos too. Docs/Decisions/Links.md has the rest.
//
// Sources   invented, after PIPELINE.md 2, F6 and law I7

import Basics
public import Wire

public struct Conversation: Sendable {
    /// What a received frame is worth.
    public enum Verdict: Hashable, Sendable {
        /// The next one.
        case fresh
        /// Heard before; changes nothing.
        case duplicate(sequence: UInt64, last: UInt64)
        /// Some are missing between: this one counts, the missing ones, which are those right before it, are gone, and
        /// should one come after all it is a duplicate.
        case gap(missing: UInt64)
        /// From before the peer or the server was restarted; changes nothing.
        case fenced(epoch: UInt32, generation: UInt32)
    }

    /// More frames missing at once than any window lets out: nobody answers for those.
    public static let gapLimit: UInt64 = 4096

    public private(set) var epoch: UInt32
    /// Ours.
    public let generation: UInt32
    /// The peer's; nil until the supervisor's roster says it.
    public private(set) var peerGeneration: UInt32?
    public private(set) var sent: UInt64 = 0
    public private(set) var received: UInt64 = 0
    /// What the peer last said it has heard, and how many more frames it can take.
    public private(set) var acknowledged: UInt64 = 0
    public private(set) var peerCredit: UInt32
    /// The number of the hello that opened the link, or is to: the client's.
    public private(set) var opening: UInt64 = 0
    /// The number of the server's hello that answers it; 0 before it is said.
    private var answering: UInt64 = 0

    /// - Parameter credit: What to assume of the peer until it has spoken.
    public init(epoch: UInt32, generation: UInt32, peerGeneration: UInt32? = nil, credit: UInt32 = 256) {
        (self.epoch, self.generation, self.peerGeneration) = (epoch, generation, peerGeneration)
        peerCredit = credit
    }

    /// The next frame, carrying the message.
    ///
    /// - Parameter credit: How many more frames we can take.
    public mutating func frame(_ message: Message, ledger: Ledger = Ledger(), credit: UInt32 = 256) -> Frame {
        sent += 1
        return Frame(
            epoch: epoch, generation: generation, sequence: sent, ack: received, credit: credit, ledger: ledger,
            message: message)
    }

    /// The `hello` that opens a link, or renews it: of a client that does not know yet whose time it is. Until it is
    /// answered the very same frame is said again.
    public mutating func greeting(credit: UInt32 = 256) -> Frame {
        // What was heard of a server before says nothing to the one that hears this.
        (epoch, peerGeneration, received) = (0, nil, 0)
        let frame = frame(.hello, credit: credit)
        opening = frame.sequence
        return frame
    }

    /// Whether a server's `hello` answers ours: one that was said before it answers one of before.
    public func isAnswered(by hello: Frame) -> Bool { opening > 0 && hello.ack >= opening }

    /// What a server makes of a client's `hello`.
    public enum Greeting: Hashable, Sendable {
        /// Newer than anything heard of this peer: the link begins, or begins anew.
        case fresh
        /// The one that opened the link as it is: its answer was lost, or the link repeats itself.
        case again
        /// Of before.
        case late
    }

    public func judge(hello frame: Frame) -> Greeting {
        guard let peerGeneration, frame.generation <= peerGeneration else { return .fresh }
        guard frame.generation == peerGeneration, frame.sequence >= opening else { return .late }
        if frame.sequence == opening { return .again }
        return frame.sequence > received ? .fresh : .late
    }

    /// Takes a client's `hello`, as a server.
    public mutating func welcome(_ hello: Frame, epoch: UInt32) {
        (opening, answering) = (hello.sequence, 0)
        adopt(hello: hello, epoch: epoch)
    }

    /// The server's `hello` that answers the one it has welcomed, under one number however often it is said: whoever did
    /// not hear it before has dropped what came behind it, and finds that gap when the next frame comes.
    public mutating func answer(credit: UInt32 = 256) -> Frame {
        if answering == 0 {
            sent += 1
            answering = sent
        }
        return Frame(
            epoch: epoch, generation: generation, sequence: answering, ack: received, credit: credit,
            message: .hello)
    }

    /// Whether a server has said anything on this link but its `hello`.
    public var hasSpoken: Bool { sent > answering }

    /// Takes the numbers of a `hello`: from here on the link is in that frame's epoch, with that generation.
    ///
    /// A link opens so: the client (input-kit, app) is told `.connected(.systemServer)` and sends its `greeting`; the
    /// server welcomes that in its own epoch and answers with a `hello` of its own; the client adopts it, if it is the
    /// answer to its last greeting. Anything before is ignored by both.
    public mutating func adopt(hello frame: Frame, epoch: UInt32) {
        (self.epoch, peerGeneration, received) = (epoch, frame.generation, frame.sequence)
        acknowledged = min(frame.ack, sent)
        peerCredit = frame.credit
    }

    /// Judges a frame and takes its numbers.
    public mutating func accept(_ frame: Frame) -> Verdict {
        guard frame.epoch == epoch, frame.generation == peerGeneration ?? frame.generation else {
            return .fenced(epoch: frame.epoch, generation: frame.generation)
        }
        peerGeneration = frame.generation
        guard frame.sequence > received else {
            return .duplicate(sequence: frame.sequence, last: received)
        }
        let missing = frame.sequence - received - 1
        received = frame.sequence
        acknowledged = min(max(acknowledged, frame.ack), sent)
        peerCredit = frame.credit
        return missing == 0 ? .fresh : .gap(missing: missing)
    }
}
