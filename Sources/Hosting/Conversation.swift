// Conversation.swift: one link's numbers: what we say next, what we heard last, and whose time it is.
//
//     new ──hello──▶ open ──peer lost──▶ new          a frame of an older epoch or generation is fenced
//
// Sources   invented, after PIPELINE.md 2 and law I7

import Basics
public import Wire

public struct Conversation: Sendable {
    /// What a received frame is worth.
    public enum Verdict: Hashable, Sendable {
        /// The next one.
        case fresh
        /// Heard before; changes nothing.
        case duplicate(sequence: UInt64, last: UInt64)
        /// Some are missing between: this one counts, the missing ones are gone.
        case gap(missing: UInt64)
        /// From before the peer or the server was restarted; changes nothing.
        case fenced(epoch: UInt32, generation: UInt32)
    }

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

    /// Takes the numbers of a `hello`: from here on the link is in that frame's epoch, with that generation.
    ///
    /// A link opens so: the client (input-kit, app) is told `.connected(.systemServer)`, begins a conversation in
    /// epoch 0 and sends `hello`; the server, told of it, begins one in its own epoch, adopts the client's `hello`
    /// and answers with its own; the client adopts that. Anything before is ignored by both.
    public mutating func adopt(hello frame: Frame, epoch: UInt32) {
        (self.epoch, peerGeneration, received) = (epoch, frame.generation, frame.sequence)
        acknowledged = frame.ack
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
        acknowledged = max(acknowledged, frame.ack)
        peerCredit = frame.credit
        return missing == 0 ? .fresh : .gap(missing: missing)
    }
}
