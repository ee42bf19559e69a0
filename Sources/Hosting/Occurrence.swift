// Occurrence.swift: what a run of a group consists of, whoever ran it.
//
//    live       journals ─▶ replayed through the same cores ─┐
//    simulated  World's observer ────────────────────────────┴▶ occurrences, in causal order ─▶ Audit
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 3 and 6

public import Basics
public import Wire

/// One life of one process: who, and which start of it.
public struct Life: Hashable, Sendable {
    public var peer: Peer
    /// As its launch order said; links may have moved to a later one since.
    public var epoch: UInt32
    public var generation: UInt32

    public init(_ peer: Peer, epoch: UInt32, generation: UInt32) {
        (self.peer, self.epoch, self.generation) = (peer, epoch, generation)
    }
}

extension Life: CustomStringConvertible {
    /// `app1.2`: its second life.
    public var description: String { "\(peer).\(generation)" }
}

/// One turn of a core: what it was given and when, and all it answered.
public struct Step: Sendable {
    public var life: Life
    /// From 0, in this life.
    public var index: UInt64
    public var at: Instant
    public var input: Input
    public var effects: [Effect]

    public init(life: Life, index: UInt64, at: Instant, input: Input, effects: [Effect]) {
        (self.life, self.index, self.at, self.input, self.effects) = (life, index, at, input, effects)
    }
}

/// Why a frame that was sent never came, where somebody knows it: faults on purpose, and a simulator's own links.
public enum LossCause: UInt8, Hashable, Sendable, CaseIterable {
    /// A link that a fault made lossy.
    case fault
    /// Its receiver was dead, or died before it took it: to the sender such a send succeeds.
    case receiverGone
    /// Its link had all it holds: a stopped receiver's.
    case full
}

/// What happened, as whoever judges a run is told it.
public enum Occurrence: Sendable {
    /// A process is there. Before its first step.
    case began(Life, at: Instant)
    case step(Step)
    /// A frame of `from` that its link did not carry to `to`.
    case lost(sequence: SequenceNumber, kind: MessageKind, from: Life, to: Peer, at: Instant, LossCause)
    /// The process is gone: it exited, was killed, or its host ended. Nothing of this life follows.
    case ended(Life, at: Instant, ExitStatus?)
}
