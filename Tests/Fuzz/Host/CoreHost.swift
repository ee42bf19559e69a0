// CoreHost.swift: plays the host of one core: its time, its timers and its end are kept here, and nothing else.
//
// What the core asks for beyond that goes to whoever plays its peers: Stage.

import Basics
import FuzzDriver
import Hosting

public struct CoreHost<Core: ProcessCore> {
    private var core: Core
    private var outbox = Outbox()
    /// Kept, and filled anew by every input.
    private var effects: [Effect] = []
    private var timers: [(id: TimerID, at: Instant)] = []
    /// More than any one input may lead to.
    private let effectLimit: Int

    public private(set) var now = Instant(nanoseconds: 1_000_000)
    public private(set) var hasEnded = false

    public init(_ core: Core, effectLimit: Int) { (self.core, self.effectLimit) = (core, effectLimit) }

    /// Whether the core's notes are made; they are thrown away.
    public var isTraced: Bool {
        get { outbox.trace.isEnabled }
        set { outbox.trace.isEnabled = newValue }
    }

    /// Tells the core that it has started, whatever it asks for then.
    public mutating func begin() { _ = answer(.started) }

    /// What the core asks for at this input, in order; nothing once it has ended.
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

    /// Time goes on to when the next timer is due, if that is by `end`.
    mutating func expireTimer(by end: Instant) -> TimerID? {
        guard !hasEnded, let next = timers.min(by: { $0.at < $1.at }), next.at <= end else { return nil }
        timers.removeAll { $0.id == next.id }
        now = max(now, next.at)
        return next.id
    }

    /// Whether a timer should have fired.
    public var isDue: Bool { timers.contains { $0.at < now } && !hasEnded }

    /// Time goes on, and no timer fires before the next input; it does not go back.
    public mutating func leap(to moment: Instant) { now = max(now, moment) }
}
