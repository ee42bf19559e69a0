// Occurrence.swift: the events of a whole group's run, live or simulated.
//
//    live       journals ─▶ replayed through the same cores ─┐
//    simulated  World's observer ────────────────────────────┴▶ occurrences, in causal order ─▶ Audit
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 3 and 6

public import Basics
public import Wire

/// One process of a peer, with its process generation.
public struct ProcessInstance: Hashable, Sendable {
    public var peer: Peer
    /// The epoch of its launch order. The links of the process may have moved to a later epoch since.
    public var epoch: UInt32
    public var generation: UInt32

    public init(_ peer: Peer, epoch: UInt32, generation: UInt32) {
        (self.peer, self.epoch, self.generation) = (peer, epoch, generation)
    }
}

extension ProcessInstance: CustomStringConvertible {
    /// `app1.2`: the second process of app1.
    public var description: String { "\(peer).\(generation)" }
}

/// One step of a core: its input, the moment, and all its effects.
public struct Step: Sendable {
    public var process: ProcessInstance
    /// The number of the step in this process, from 0.
    public var index: UInt64
    public var at: Instant
    public var input: Input
    public var effects: [Effect]

    public init(process: ProcessInstance, index: UInt64, at: Instant, input: Input, effects: [Effect]) {
        (self.process, self.index, self.at, self.input, self.effects) = (process, index, at, input, effects)
    }
}

/// Why a frame that was sent never arrived, if the cause is known: a fault, or the links of the simulator.
public enum LossCause: UInt8, Hashable, Sendable, CaseIterable {
    /// A fault made the link lossy.
    case fault
    /// The receiver was dead, or died before it read the frame. To the sender such a send succeeds.
    case receiverGone
    /// The link was full, because its receiver was stopped.
    case full
}

/// One event of a run, as the audit reads it.
public enum Occurrence: Sendable {
    /// The process has started. This precedes its first step.
    case began(ProcessInstance, at: Instant)
    case step(Step)
    /// The link did not carry a frame of `from` to `to`.
    case lost(sequence: SequenceNumber, kind: MessageKind, from: ProcessInstance, to: Peer, at: Instant, LossCause)
    /// The process has exited, was killed, or its host ended. No step of this process follows.
    case ended(ProcessInstance, at: Instant, ExitStatus?)
}
