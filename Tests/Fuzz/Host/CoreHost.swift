// CoreHost.swift: the host of one core: its time, its timers and its end.
//
// `Stage` receives all other effects of the core and plays its peers.

import Basics
import FuzzDriver
import Hosting

public struct CoreHost<Core: ProcessCore> {
    private var core: Core
    private var outbox = Outbox()
    /// Reused for every input.
    private var effects: [Effect] = []
    private var timers: [(id: TimerID, at: Instant)] = []
    /// More effects than any one input may have.
    private let effectLimit: Int

    public private(set) var now = Instant(nanoseconds: 1_000_000)
    public private(set) var hasEnded = false

    public init(_ core: Core, effectLimit: Int) { (self.core, self.effectLimit) = (core, effectLimit) }

    /// Whether the core notes facts. The facts are discarded.
    public var isTraced: Bool {
        get { outbox.trace.isEnabled }
        set { outbox.trace.isEnabled = newValue }
    }

    /// Starts the core and ignores its effects.
    public mutating func begin() { _ = answer(.started) }

    /// The effects of this input, in order; none after the core's exit.
    mutating func answer(_ input: Input) -> [Effect] {
        guard !hasEnded else { return [] }
        core.handle(input, at: now, into: &outbox)
        outbox.trace.removeFacts()
        outbox.drain(into: &effects)
        expect(effects.count <= effectLimit, "\(effects.count) effects of one input")
        for effect in effects {
            switch effect {
            case .arm(let id, let moment):
                timers.removeAll { $0.id == id }
                timers.append((id, moment))
            case .disarm(let id): timers.removeAll { $0.id == id }
            case .exit: hasEnded = true
            case .send, .open, .read, .close, .device, .spawn, .signal, .hangUp: break
            }
        }
        return effects
    }

    /// Advances the time to the next timer and removes it, if it is due by `end`.
    mutating func expireTimer(by end: Instant) -> TimerID? {
        guard !hasEnded, let next = timers.min(by: { $0.at < $1.at }), next.at <= end else { return nil }
        timers.removeAll { $0.id == next.id }
        now = max(now, next.at)
        return next.id
    }

    /// Whether a timer is overdue.
    public var isDue: Bool { timers.contains { $0.at < now } && !hasEnded }

    /// Advances the time without firing timers. The time never goes back.
    public mutating func leap(to moment: Instant) { now = max(now, moment) }
}
