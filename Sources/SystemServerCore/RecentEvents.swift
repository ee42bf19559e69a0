// RecentEvents.swift: what the server has said to whom lately and what became of it, for whoever asks.
//
//    each step ─▶ frames in, frames out ─▶ the last hundred of each app · drops by reason · refusals · hang-ups · acts
//
// It looks on: nothing is decided here, and nothing of it is heard by anybody until `touchline dump` asks. All rings are
// made once; a frame costs a few stores and no allocation.
//
// Station   router
// Fed by    SystemServerCore: every input, and the effects it had
// Feeds     ServerDetail.swift
// Knows     frames, as they pass. No finger, no window.
//
// Sources   invented, after `dumpsys input`

import Basics
import HID
import Hosting
import Wire

/// One frame to an app that asks for an answer, and what is known of it.
struct RecentEvent: Equatable, Sendable {
    enum Kind: UInt8, Sendable { case touches, input, lifeCycle }

    enum Fate: Equatable, Sendable {
        /// No answer yet; a change of life asks for none.
        case sent
        case delivered
        /// It went with a later one: its receipt counts nothing.
        case coalesced
        case dropped(Receipt.Reason)
    }

    /// Its number on the app's link.
    var sequence: SequenceNumber
    var kind: Kind
    var fate = Fate.sent
    /// Touches per phase, of `touches`; of `input` all 0.
    var began: UInt8 = 0
    var moved: UInt8 = 0
    var ended: UInt8 = 0
    var cancelled: UInt8 = 0
    /// The first touch that did not rest; of a change of life, which.
    var subject: UInt32 = 0
    var at: Instant
    /// When its fate was known.
    var settledAt = Instant.boot
}

/// The last of something; a place is taken over by the newest.
struct LastOf<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var next = 0
    let capacity: Int

    init(_ capacity: Int) {
        self.capacity = capacity
        elements.reserveCapacity(capacity)
    }

    var count: Int { elements.count }

    mutating func append(_ element: Element) {
        if elements.count < capacity { elements.append(element) } else { elements[next] = element }
        next = next + 1 == capacity ? 0 : next + 1
    }

    /// From 0, the newest, on: changed where it is.
    subscript(back place: Int) -> Element {
        get { elements[index(place)] }
        set { elements[index(place)] = newValue }
    }

    private func index(_ place: Int) -> Int {
        let index = next - 1 - place
        return index >= 0 ? index : index + elements.count
    }

    /// Oldest first.
    var inOrder: [Element] { (0..<count).reversed().map { self[back: $0] } }
}

struct RecentEvents: Sendable {
    /// How many of each app are kept.
    static let eventLimit = 100
    private static let refusalLimit = 32
    private static let actLimit = 16

    struct App: Sendable {
        var events = LastOf<RecentEvent>(RecentEvents.eventLimit)
        /// By `Receipt.Reason`, as it said or as was said for it.
        var drops = [UInt64](repeating: 0, count: Receipt.Reason.allCases.count)
        var sent: UInt64 = 0
        var delivered: UInt64 = 0
        /// Links that were opened.
        var links: UInt64 = 0
        var linkedAt = Instant.boot
        /// When the link was lost; nil while there is one.
        var lostAt: Instant?
    }

    struct HangUp: Sendable {
        var misconduct: Misconduct
        var at: Instant
    }

    private(set) var apps = PerApp<App>()
    /// Of scans: what input-kit was told, by reason.
    private(set) var drops = [UInt64](repeating: 0, count: Receipt.Reason.allCases.count)
    private(set) var refusals = LastOf<(refusal: Refusal, at: Instant)>(refusalLimit)
    private(set) var hangUps = LastOf<HangUp>(refusalLimit)
    private(set) var acts = LastOf<(act: SystemAct, at: Instant)>(actLimit)

    /// Records one step of the core: its input and the effects it had.
    mutating func record(_ input: Input, _ effects: ArraySlice<Effect>, at now: Instant) {
        if case .frame(let frame, from: let peer) = input { received(frame, from: peer, at: now) }
        if case .refused(let refusal) = input { refusals.append((refusal, now)) }
        for case .send(let frame, to: let peer) in effects { sent(frame, to: peer, at: now) }
    }

    private mutating func received(_ frame: Frame, from peer: Peer, at now: Instant) {
        switch peer.role {
        case .app: received(frame, from: AppID(peer.instance), at: now)
        case .supervisor: if case .act(let act) = frame.message { acts.append((act, now)) }
        case .inputKit, .systemServer, .controller: return
        }
    }

    private mutating func sent(_ frame: Frame, to peer: Peer, at now: Instant) {
        switch peer.role {
        case .app:
            guard let message = ServerToApp(frame.message) else { return }
            sent(message, as: frame.sequence, to: AppID(peer.instance), at: now)
        case .inputKit:
            guard case .handled(let receipt) = ServerToInputKit(frame.message), receipt.reason != .none else { return }
            drops[Int(receipt.reason.rawValue)] &+= 1
        case .supervisor:
            guard case .misconduct(let misconduct) = ServerToSupervisor(frame.message) else { return }
            hangUps.append(HangUp(misconduct: misconduct, at: now))
        case .systemServer, .controller: return
        }
    }

    /// An app's link is down: what it had not answered it never will.
    mutating func lost(_ app: AppID, at now: Instant) {
        guard let place = apps.place(of: app) else { return }
        apps.values[place].lostAt = now
        for back in 0..<apps.values[place].events.count
        where apps.values[place].events[back: back].fate == .sent
            && apps.values[place].events[back: back].kind != .lifeCycle
        {
            settle(place, back, .dropped(.ownerDied), at: now)
        }
    }

    /// The oldest frame it has and has not answered; nil for none.
    func oldestUnanswered(by app: AppID) -> RecentEvent? {
        guard let place = apps.place(of: app) else { return nil }
        let events = apps.values[place].events
        for back in (0..<events.count).reversed() {
            let event = events[back: back]
            if event.fate == .sent, event.kind != .lifeCycle { return event }
        }
        return nil
    }

    private mutating func sent(_ message: ServerToApp, as sequence: SequenceNumber, to app: AppID, at now: Instant) {
        let event: RecentEvent?
        switch message {
        case .touches(let touches): event = RecentEvent(sequence, of: touches, at: now)
        case .input(let input): event = RecentEvent(sequence, of: input, at: now)
        case .lifeCycle(let change):
            var told = RecentEvent(sequence: sequence, kind: .lifeCycle, at: now)
            told.subject = UInt32(change.rawValue)
            event = told
        case .hello: event = nil
        case .link, .scene, .screenshot, .open, .opened, .observe, .refused: return
        }
        if apps.place(of: app) == nil {
            apps.set(App(), for: app)
            apps.keepLast(Conduct.peerLimit)
        }
        guard let place = apps.place(of: app) else { return }
        if let event {
            apps.values[place].events.append(event)
            apps.values[place].sent &+= 1
        } else if apps.values[place].links == 0 || apps.values[place].lostAt != nil {
            // An answer to a hello that is repeated opens no link.
            apps.values[place].links &+= 1
            (apps.values[place].linkedAt, apps.values[place].lostAt) = (now, nil)
        }
    }

    /// Settles the events that a frame answers. A receipt settles one event; an answer to a probe settles all lost ones.
    private mutating func received(_ frame: Frame, from app: AppID, at now: Instant) {
        guard let place = apps.place(of: app) else { return }
        if case .handled(let receipt) = frame.message {
            // Mostly it is among the newest.
            for back in 0..<apps.values[place].events.count
            where apps.values[place].events[back: back].sequence == receipt.frame {
                guard apps.values[place].events[back: back].fate == .sent else { return }
                let counted = receipt.began | receipt.moved | receipt.stationary | receipt.ended | receipt.cancelled
                let isOfTouches = apps.values[place].events[back: back].kind == .touches
                let fate: RecentEvent.Fate =
                    receipt.outcome == .dropped
                    ? .dropped(receipt.reason) : isOfTouches && counted == 0 ? .coalesced : .delivered
                return settle(place, back, fate, at: now)
            }
        } else if case .link(.heard(let oldest, missed: _)) = frame.message {
            for back in 0..<apps.values[place].events.count {
                let event = apps.values[place].events[back: back]
                guard event.fate == .sent, event.kind != .lifeCycle, event.sequence <= frame.ack,
                    oldest == .zero || event.sequence < oldest
                else { continue }
                settle(place, back, .dropped(.lostOnLink), at: now)
            }
        }
    }

    private mutating func settle(_ place: Int, _ back: Int, _ fate: RecentEvent.Fate, at now: Instant) {
        apps.values[place].events[back: back].fate = fate
        apps.values[place].events[back: back].settledAt = now
        switch fate {
        case .dropped(let reason): apps.values[place].drops[Int(reason.rawValue)] &+= 1
        case .delivered, .coalesced: apps.values[place].delivered &+= 1
        case .sent: break
        }
    }
}

extension PerApp {
    /// Ascending.
    var numbers: [AppID] { values.indices.map { app(at: $0) } }
}

extension RecentEvent {
    fileprivate init(_ sequence: SequenceNumber, of touches: TouchFrame, at now: Instant) {
        self.init(sequence: sequence, kind: .touches, at: now)
        if let first = touches.contacts.first(where: { $0.phase != .stationary }) { subject = first.touch.rawValue }
        for contact in touches.contacts {
            switch contact.phase {
            case .began: began &+= 1
            case .moved: moved &+= 1
            case .ended: ended &+= 1
            case .cancelled: cancelled &+= 1
            case .stationary: break
            }
        }
    }

    fileprivate init(_ sequence: SequenceNumber, of input: DeviceEvent<SceneSpace>, at now: Instant) {
        self.init(sequence: sequence, kind: .input, at: now)
        switch input.input.phase {
        case .began, .once: began = 1
        case .changed: moved = 1
        case .ended: ended = 1
        case .cancelled: cancelled = 1
        }
    }
}
