// CoreRig.swift: the production cores of one group with nothing around them: no link, no clock, no world.
//
//     input-kit ──▶ system server ──▶ app      every frame is passed at once, in the order it was sent;
//         ◀──────────── receipts ─────┘        between two moments only the earliest timer is searched
//
// The rig can keep the inputs of each core, so that each core can be measured alone later. The same inputs at the same
// moments make a new core do the same.
//
// Knows     effects: send, arm, disarm. It stamps what a host stamps.

import AppCore
import Basics
import Hosting
import InputKitCore
import Links
import Scenarios
import Settings
import SystemServerCore
import Trace
import UIKit
import Wire

/// The cores of one group.
struct CoreRig {
    enum Part: String, CaseIterable, Codable { case inputKit, systemServer, app }

    struct TimedInput {
        let at: Instant
        let input: Input
    }

    /// One core with what a host keeps for it.
    private struct Slot {
        let peer: Peer
        var core: any ProcessCore
        var outbox = Outbox()
        var effects: [Effect] = []
        var timers: [(id: TimerID, at: Instant)] = []
        var givenInputs: [TimedInput] = []

        mutating func handle(_ input: Input, at now: Instant) {
            core.handle(input, at: now, into: &outbox)
            outbox.trace.removeFacts()
            outbox.drain(into: &effects)
        }
    }

    private let settings: Settings
    private let content: (UIApplication) -> Void
    private let isTraced: Bool
    private let keepsInputs: Bool
    private var slots: [Slot]
    private var waiting: [(to: Int, input: Input)] = []
    private var now = Instant.boot
    private(set) var handled = 0
    /// The play report that the supervisor received; nil before it.
    private(set) var report: PlayReport?

    /// - Parameter keeps: Whether to keep the inputs of each core for `given(to:)`.
    /// - Throws: One line for a person when the settings name nothing to show.
    init(settings: Settings, isTraced: Bool, keeps: Bool = false) throws {
        (self.settings, self.isTraced, self.keepsInputs) = (settings, isTraced, keeps)
        content = try chosenContent(settings)
        slots = []
        for part in Part.allCases { slots.append(Slot(peer: part.peer, core: core(part))) }
        for place in slots.indices { slots[place].outbox.trace.isEnabled = isTraced }
        for place in slots.indices { deliver(.started, to: place) }
        deliver(.connected(.inputKit), to: 1)
        deliver(.connected(.app(1)), to: 1)
        deliver(.connected(.systemServer), to: 0)
        deliver(.connected(.systemServer), to: 2)
        settle()
    }

    /// Makes a new core of this part, as it was when the rig was made.
    func core(_ part: Part) -> any ProcessCore {
        let order = LaunchOrder(
            peer: part.peer, epoch: 1, generation: 1, runDirectory: "", settings: settings.changed)
        return switch part {
        case .inputKit: InputKitCore(settings: settings, order: order)
        case .systemServer: SystemServerCore(settings: settings, order: order)
        case .app: AppCore(order: order, settings: settings, content: content)
        }
    }

    /// Plays one finger at 120 Hz, which lifts every hundred frames, until its report arrives.
    ///
    /// - Returns: The number of inputs that cores handled.
    mutating func play(frames: UInt32, id: UInt32 = 1) -> Int {
        report = nil
        let before = handled
        let order = PlayOrder(id: id, source: .synthetic(frames: frames), pace: .every(8_333_333))
        var link = LinkNumbers(epoch: 1, generation: 1)
        waiting.append((0, .frame(link.frame(.play(order)), from: .supervisor)))
        settle()
        while report == nil, let (place, timer) = earliest() {
            let due = slots[place].timers.remove(at: timer)
            now = max(now, due.at)
            waiting.append((place, .timerFired(due.id)))
            settle()
        }
        return handled - before
    }

    /// Returns the kept inputs of a core from the first one on.
    func inputs(to part: Part) -> [TimedInput] { slots[Part.allCases.firstIndex(of: part)!].givenInputs }

    private func earliest() -> (slot: Int, timer: Int)? {
        var found: (slot: Int, timer: Int, at: Instant)?
        for place in slots.indices {
            for index in slots[place].timers.indices where slots[place].timers[index].at < found?.at ?? .never {
                found = (place, index, slots[place].timers[index].at)
            }
        }
        return found.map { ($0.slot, $0.timer) }
    }

    private mutating func settle() {
        var head = 0
        while head < waiting.count {
            let (place, input) = waiting[head]
            head += 1
            deliver(input, to: place)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func deliver(_ input: Input, to place: Int) {
        handled += 1
        if keepsInputs { slots[place].givenInputs.append(TimedInput(at: now, input: input)) }
        slots[place].handle(input, at: now)
        // Taken out meanwhile: an effect can change any slot.
        var effects: [Effect] = []
        swap(&effects, &slots[place].effects)
        for effect in effects { carryOut(effect, of: place) }
        swap(&effects, &slots[place].effects)
    }

    private mutating func carryOut(_ effect: Effect, of place: Int) {
        switch effect {
        case .send(var frame, let receiver):
            if frame.ledger.count > 0 { frame.ledger.append(now) }
            if let other = slots.firstIndex(where: { $0.peer == receiver }) {
                waiting.append((other, .frame(frame, from: slots[place].peer)))
            } else if case .played(let report) = frame.message {
                self.report = report
            }
        case .arm(let id, let moment):
            slots[place].timers.removeAll { $0.id == id }
            if moment != .never { slots[place].timers.append((id, moment)) }
        case .disarm(let id): slots[place].timers.removeAll { $0.id == id }
        case .open, .read, .close, .device, .spawn, .signal, .hangUp, .exit: break
        }
    }
}

extension CoreRig.Part {
    var peer: Peer {
        switch self {
        case .inputKit: .inputKit
        case .systemServer: .systemServer
        case .app: .app(1)
        }
    }
}
