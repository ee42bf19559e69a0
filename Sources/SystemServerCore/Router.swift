// Router.swift: one scan of the glass, split by owner.
//
// Station   router
// Fed by    SystemServerCore: HID events in order, and everything that takes touches away
// Feeds     SystemServerCore: a TouchFrame for each recipient, in order of its first finger
// Knows     fingers, screen geometry, who is in front when a finger lands. No links, no receipts.
//
// Every scan lists every finger that is down, so a scan is also a state frame: a finger it does not list is gone,
// and a finger nobody saw land is nobody's (PIPELINE 2, "state-frame resync").

import Basics
import HID

struct Router: Sendable {
    /// What one scan means for one recipient.
    struct Delivery: Equatable, Sendable {
        var recipient: Recipient
        var frame: TouchFrame
    }

    /// A routing decision worth a line: one per finger that landed.
    struct Landing: Equatable, Sendable {
        var finger: UInt32
        var touch: TouchID
        var recipient: Recipient?
    }

    struct Outcome: Equatable, Sendable {
        var deliveries: [Delivery] = []
        var landings: [Landing] = []
        /// Fingers whose news reached nobody, by reason, in order.
        var drops: [ContactRoute.Reason] = []
    }

    private struct Finger: Sendable {
        let index: UInt32
        var touch: TouchID
        var route = ContactRoute()
        var x = Fixed.zero
        var y = Fixed.zero
    }

    private let geometry: ScreenGeometry
    /// Ascending by index; a finger's place is kept while it is on the glass.
    private var fingers: [Finger] = []
    private var nextTouch: UInt32 = 0

    init(geometry: ScreenGeometry) { self.geometry = geometry }

    /// Fingers that somebody owns.
    var liveTouches: Int { fingers.count { if case .owned = $0.route.state { true } else { false } } }

    /// Fingers on the glass, dead ones too.
    var fingersDown: Int { fingers.count }

    func touches(ownedBy recipient: Recipient) -> Int { fingers.count { $0.route.state == .owned(recipient) } }

    /// Routes one scan.
    ///
    /// - Parameter front: Who gets a finger that lands now; nil drops it.
    mutating func route(_ event: HIDEvent, to front: Recipient?) -> Outcome {
        var outcome = Outcome()
        revokeAbsent(from: event, into: &outcome)
        for child in event.fingers { route(child, to: front, at: event.timeStamp, into: &outcome) }
        fingers.removeAll { $0.route.state == .lifted }
        outcome.deliveries.removeAll { delivery in delivery.frame.contacts.allSatisfy { $0.phase == .stationary } }
        return outcome
    }

    /// Takes the touches of one recipient, or everybody's, away: their owners hear `cancelled` once.
    mutating func revoke(_ recipient: Recipient? = nil, at now: Instant) -> [Delivery] {
        var outcome = Outcome()
        for i in fingers.indices where recipient == nil || fingers[i].route.state == .owned(recipient!) {
            revoke(i, at: now, into: &outcome)
        }
        return outcome.deliveries
    }

    /// The owner is gone: nobody is told, and its fingers are dead until they lift.
    mutating func forget(_ dead: Recipient) -> Int {
        var lost = 0
        for i in fingers.indices where fingers[i].route.handle(.died(dead)) == .drop(.ownerDied) { lost += 1 }
        return lost
    }

    /// The device is gone, and every finger with it.
    mutating func clear(at now: Instant) -> [Delivery] {
        defer { fingers.removeAll() }
        return revoke(at: now)
    }

    // MARK: One finger

    private mutating func route(
        _ child: DigitizerEvent, to front: Recipient?, at time: Instant, into outcome: inout Outcome
    ) {
        let place = geometry.screenPoint(x: child.x, y: child.y)
        let (x, y) = (Fixed(place.x), Fixed(place.y))
        switch child.phase {
        case .began:
            if let stale = fingers.firstIndex(where: { $0.index == child.index }) {
                revoke(stale, at: time, into: &outcome)
                fingers.remove(at: stale)
            }
            var finger = Finger(index: child.index, touch: TouchID(rawValue: nextTouch))
            nextTouch &+= 1
            (finger.x, finger.y) = (x, y)
            let decision = finger.route.handle(.down(hit: front))
            outcome.landings.append(Landing(finger: child.index, touch: finger.touch, recipient: front))
            carryOut(decision, .began, finger, at: time, into: &outcome)
            fingers.insert(finger, at: fingers.firstIndex { $0.index > child.index } ?? fingers.endIndex)
        case .moved: follow(child.index, .held, .moved, to: (x, y), at: time, into: &outcome)
        case .stationary: follow(child.index, .held, .stationary, to: nil, at: time, into: &outcome)
        case .ended: follow(child.index, .up, .ended, to: nil, at: time, into: &outcome)
        case .cancelled: follow(child.index, .cancelled, .cancelled, to: nil, at: time, into: &outcome)
        case nil: break
        }
    }

    private mutating func follow(
        _ index: UInt32, _ input: ContactRoute.Input, _ phase: TouchContact.Phase, to place: (Fixed, Fixed)?,
        at time: Instant, into outcome: inout Outcome
    ) {
        guard let i = fingers.firstIndex(where: { $0.index == index }) else {
            outcome.drops.append(.unknownFinger)
            return
        }
        if let place { (fingers[i].x, fingers[i].y) = place }
        let decision = fingers[i].route.handle(input)
        carryOut(decision, phase, fingers[i], at: time, into: &outcome)
    }

    private mutating func revoke(_ i: Int, at time: Instant, into outcome: inout Outcome) {
        let decision = fingers[i].route.handle(.revoked)
        carryOut(decision, .cancelled, fingers[i], at: time, into: &outcome)
    }

    private mutating func revokeAbsent(from event: HIDEvent, into outcome: inout Outcome) {
        for i in fingers.indices where !event.fingers.contains(where: { $0.index == fingers[i].index }) {
            revoke(i, at: event.timeStamp, into: &outcome)
            _ = fingers[i].route.handle(.up)
        }
    }

    private func carryOut(
        _ decision: ContactRoute.Decision, _ phase: TouchContact.Phase, _ finger: Finger, at time: Instant,
        into outcome: inout Outcome
    ) {
        switch decision {
        case .deliver(let recipient), .cancel(let recipient):
            let contact = TouchContact(touch: finger.touch, phase: phase, x: finger.x, y: finger.y)
            if let i = outcome.deliveries.firstIndex(where: { $0.recipient == recipient }) {
                outcome.deliveries[i].frame.contacts.append(contact)
            } else {
                let frame = TouchFrame(timeStamp: time, contacts: [contact])
                outcome.deliveries.append(Delivery(recipient: recipient, frame: frame))
            }
        case .drop(let reason): outcome.drops.append(reason)
        case .nothing: break
        }
    }
}
