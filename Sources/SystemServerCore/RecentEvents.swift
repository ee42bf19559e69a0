// RecentEvents.swift: the recent frames between the server and each app, with their outcome.
//
//    each step ─▶ frames in, frames out ─▶ the last hundred of each app · drops by reason · refusals · hang-ups · acts
//
// The history observes and decides nothing. Its content leaves the server only when `touchline dump` asks. The rings
// are allocated once; a frame costs a few stores and no allocation.
//
// Station   router
// Input     SystemServerCore: every input; Delivery: frames to apps, receipts to input-kit; Peers: hellos to apps, hang-ups
// Output    ServerDetail.swift
// Knows     frames, as they pass. No finger, no window.
//
// Sources   invented, after `dumpsys input`

import Basics
import HID
import Hosting
import Wire

/// One frame to an app that asks for an answer or changes its life cycle, with its outcome.
struct RecentEvent: Equatable, Sendable {
    enum Kind: UInt8, Sendable { case touches, input, lifeCycle }

    /// The outcome of a frame.
    enum Fate: Equatable, Sendable {
        /// No answer has arrived. A change of the life cycle asks for none.
        case sent
        case delivered
        /// The frame was merged into a later one: its receipt counts no touches.
        case coalesced
        case dropped(Receipt.Reason)
    }

    /// The frame's number on the app's link.
    var sequence: SequenceNumber
    var kind: Kind
    var fate = Fate.sent
    /// The touches in each phase; for `input`, one in its phase.
    var began: UInt8 = 0
    var moved: UInt8 = 0
    var ended: UInt8 = 0
    var cancelled: UInt8 = 0
    /// The first touch that did not rest; for a change of the life cycle, its raw value.
    var subject: UInt32 = 0
    var at: Instant
    /// The moment when the outcome was known.
    var settledAt = Instant.boot

    /// Whether the app still has to answer.
    var isUnanswered: Bool { fate == .sent && kind != .lifeCycle }
}

/// The last elements of a sequence. The newest one replaces the oldest.
struct RecentElements<Element: Sendable>: Sendable {
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

    /// The element at a distance from the newest, which has distance 0.
    subscript(back distance: Int) -> Element {
        get { elements[index(distance)] }
        set { elements[index(distance)] = newValue }
    }

    private func index(_ distance: Int) -> Int {
        let index = next - 1 - distance
        return index >= 0 ? index : index + elements.count
    }

    /// The elements, oldest first.
    var inOrder: [Element] { (0..<count).reversed().map { self[back: $0] } }
}

/// The history of all apps, and of refusals, strike reports and acts.
struct RecentEvents: Sendable {
    /// The number of events kept for each app.
    static let eventLimit = 100
    private static let refusalLimit = 32
    private static let actLimit = 16

    /// The history of one app.
    struct App: Sendable {
        var events = RecentElements<RecentEvent>(RecentEvents.eventLimit)
        /// Dropped frames by `Receipt.Reason`, as the app or the server gave it.
        var drops = [UInt64](repeating: 0, count: Receipt.Reason.allCases.count)
        var sent: UInt64 = 0
        var delivered: UInt64 = 0
        /// The number of times that the link was opened.
        var links: UInt64 = 0
        var linkedAt = Instant.boot
        /// The moment when the link was lost; nil while it is open.
        var lostAt: Instant?

        /// Returns the distance from the newest event of a frame that has no answer; nil if the frame is not kept or has one.
        ///
        /// The numbers of a link ascend by one or more. The search therefore begins as far back as the number lies behind
        /// the newest, where nearly every frame is.
        func unansweredEvent(_ sequence: SequenceNumber) -> Int? {
            guard events.count > 0, events[back: 0].sequence >= sequence else { return nil }
            let distance = events[back: 0].sequence.distance(from: sequence)
            for back in (0...Int(min(distance, UInt64(events.count - 1)))).reversed() {
                // The events of earlier links have their outcomes, so the others are of one link.
                guard events[back: back].isUnanswered else { continue }
                let found = events[back: back].sequence
                if found >= sequence { return found == sequence ? back : nil }
            }
            return nil
        }
    }

    /// A peer whose link was ended for its strikes.
    struct HangUp: Sendable {
        var report: StrikeReport
        var at: Instant
    }

    private(set) var apps = PerApp<App>()
    /// Scans by the reason in their receipt to input-kit.
    private(set) var drops = [UInt64](repeating: 0, count: Receipt.Reason.allCases.count)
    private(set) var refusals = RecentElements<(refusal: Refusal, at: Instant)>(refusalLimit)
    private(set) var hangUps = RecentElements<HangUp>(refusalLimit)
    private(set) var acts = RecentElements<(act: SystemAct, at: Instant)>(actLimit)

    /// Records what an input answers or requests, before the core handles it. What the core sends and decides is
    /// recorded where that happens.
    mutating func record(_ input: Input, at now: Instant) {
        switch input {
        case .frame(let frame, from: let peer): received(frame, from: peer, at: now)
        case .refused(let refusal): refusals.append((refusal, now))
        default: break
        }
    }

    /// Records the reason in the receipt of a scan.
    mutating func recordReceipt(_ reason: Receipt.Reason) {
        if reason != .none { drops[Int(reason.rawValue)] &+= 1 }
    }

    /// Records that a peer's link was ended for its strikes.
    mutating func recordHangUp(_ report: StrikeReport, at now: Instant) {
        hangUps.append(HangUp(report: report, at: now))
    }

    private mutating func received(_ frame: Frame, from peer: Peer, at now: Instant) {
        switch peer.role {
        case .app: received(frame, from: AppID(peer.instance), at: now)
        case .supervisor: if case .act(let act) = frame.message { acts.append((act, now)) }
        case .inputKit, .systemServer, .controller: return
        }
    }

    /// Notes that an app's link is down: its unanswered frames will not be answered.
    mutating func recordLoss(of app: AppID, at now: Instant) {
        guard let appIndex = apps.index(of: app) else { return }
        apps.values[appIndex].lostAt = now
        for back in 0..<apps.values[appIndex].events.count
        where apps.values[appIndex].events[back: back].isUnanswered {
            settle(appIndex, back, .dropped(.ownerDied), at: now)
        }
    }

    /// The oldest frame that the app has received and not answered; nil for none.
    func oldestUnanswered(by app: AppID) -> RecentEvent? {
        guard let appIndex = apps.index(of: app) else { return nil }
        let events = apps.values[appIndex].events
        for back in (0..<events.count).reversed() {
            let event = events[back: back]
            if event.isUnanswered { return event }
        }
        return nil
    }

    /// Records a frame to an app.
    ///
    /// - Parameters:
    ///   - message: The frame's message.
    ///   - sequence: The frame's number on the app's link.
    ///   - app: The receiver.
    ///   - now: The moment when the frame is sent.
    mutating func recordSent(
        _ message: ServerToApp, as sequence: SequenceNumber, to app: AppID, at now: Instant
    ) {
        let event: RecentEvent?
        switch message {
        case .touches(let touches): event = RecentEvent(sequence, of: touches, at: now)
        case .severalTouches(let several):
            guard let last = several.last else { return }
            var moves = RecentEvent(sequence, of: last, at: now)
            moves.moved = UInt8(clamping: several.moveCount)
            event = moves
        case .input(let input): event = RecentEvent(sequence, of: input, at: now)
        case .lifeCycle(let change):
            var lifeCycle = RecentEvent(sequence: sequence, kind: .lifeCycle, at: now)
            lifeCycle.subject = UInt32(change.rawValue)
            event = lifeCycle
        case .hello: event = nil
        case .link, .scene, .screenshot, .open, .opened, .observe, .refused: return
        }
        var known = apps.index(of: app)
        if known == nil {
            apps.set(App(), for: app)
            apps.keepLast(StrikeTable.peerLimit)
            known = apps.index(of: app)
        }
        guard let appIndex = known else { return }
        if let event {
            apps.values[appIndex].events.append(event)
            apps.values[appIndex].sent &+= 1
        } else if apps.values[appIndex].links == 0 || apps.values[appIndex].lostAt != nil {
            // A repeated answer to a hello opens no link.
            apps.values[appIndex].links &+= 1
            (apps.values[appIndex].linkedAt, apps.values[appIndex].lostAt) = (now, nil)
        }
    }

    /// Settles the events that a frame answers: a receipt settles one, an answer to a probe all whose receipts were lost.
    private mutating func received(_ frame: Frame, from app: AppID, at now: Instant) {
        guard let appIndex = apps.index(of: app) else { return }
        if case .handled(let receipt) = frame.message {
            guard let back = apps.values[appIndex].unansweredEvent(receipt.frame) else { return }
            let counted = receipt.began | receipt.moved | receipt.stationary | receipt.ended | receipt.cancelled
            let isOfTouches = apps.values[appIndex].events[back: back].kind == .touches
            let fate: RecentEvent.Fate =
                receipt.outcome == .dropped
                ? .dropped(receipt.reason) : isOfTouches && counted == 0 ? .coalesced : .delivered
            settle(appIndex, back, fate, at: now)
        } else if case .link(.received(let oldest, missed: _)) = frame.message {
            for back in 0..<apps.values[appIndex].events.count {
                let event = apps.values[appIndex].events[back: back]
                guard event.isUnanswered, event.sequence <= frame.ack,
                    oldest == .zero || event.sequence < oldest
                else { continue }
                settle(appIndex, back, .dropped(.lostOnLink), at: now)
            }
        }
    }

    private mutating func settle(_ appIndex: Int, _ back: Int, _ fate: RecentEvent.Fate, at now: Instant) {
        apps.values[appIndex].events[back: back].fate = fate
        apps.values[appIndex].events[back: back].settledAt = now
        switch fate {
        case .dropped(let reason): apps.values[appIndex].drops[Int(reason.rawValue)] &+= 1
        case .delivered, .coalesced: apps.values[appIndex].delivered &+= 1
        case .sent: break
        }
    }
}

extension PerApp {
    /// The app numbers, ascending.
    var appIDs: [AppID] { values.indices.map { app(at: $0) } }
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
