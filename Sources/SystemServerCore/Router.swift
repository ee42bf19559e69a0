// Router.swift: every finger and its owner; one scan of the glass, split by owner.
//
// Station   router
// Input     TouchDispatcher: scans in order; the core: what takes touches from their owners
// Output    a TouchFrame for each recipient, in order of its first finger
// Knows     fingers of every device, geometry of every display, the recipient of a landing. No links, no receipts.
//
// A scan lists every finger that is down on its device, so it is a state frame of that device: a finger that it does not
// list is gone, and a finger whose landing was lost has no owner (Docs/Spec/Pipeline.md section 2, "state-frame resync"). A finger is known by
// its device, by the count of that device's openings, and by its index. A device that is opened again has lost its earlier
// fingers, and a scan of an earlier opening is fenced.
//
// A finger's owner is decided where it lands and keeps it until it lifts (D3, D4). Each owner receives positions in its own
// space, as that was when the finger landed: where the scene begins, and which way up. A finger is on the display over
// which its panel lay when it landed. An app's frame lists all its fingers; those of other devices rest.
//
// Sources   invented  a millimetre's points where the panel does not say how wide it is: a phone's, 163 to the inch

import Basics
import HID
import Hosting
import Settings
import Wire

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
        var position = Point<DisplaySpace>.zero
        var display: DisplayID = 1
        /// Whether its owner has said that it defers the edge it landed at.
        var defers: Bool?
        /// Of its owner's interface.
        var orientation = InterfaceOrientation.portrait
        /// The app at the point does not respond, and receives nothing of the finger.
        var isRefused = false
    }

    struct Outcome: Equatable, Sendable {
        var deliveries: [Delivery] = []
        var landings: [Landing] = []
        /// Fingers whose news reached nobody, by reason, in order.
        var drops: [ContactRoute.Reason] = []
        /// Fingers that moved or left the glass after they had been taken.
        var takenByMonitor: UInt16 = 0
        var takenBySystem: UInt16 = 0
        /// How each finger went, whoever got it; empty while nobody looks on.
        var seen: [Seen] = []
        /// The device's newer generation, when the scan is of an older one: nothing else came of it.
        var fencedBy: UInt32?

        /// Why nobody gets the scan, when nobody does: the first finger's that reached nobody.
        var reason: Receipt.Reason {
            if fencedBy != nil { return .fenced }
            return drops.first.map(Receipt.Reason.init) ?? .nothingNew
        }
    }

    /// One finger of one scan, for those who look on.
    struct Seen: Equatable, Sendable {
        var touch: TouchID
        var phase: ContactPhase
        /// Nil of one that is dead.
        var owner: Recipient?
        var position: Point<DisplaySpace>
        var display: DisplayID
        var watches: [SpyTable.Watch]
    }

    /// Where a touch is with its owner.
    enum Standing: Equatable, Sendable {
        /// It is over, or never was.
        case gone
        case dead
        case owned(Recipient)
    }

    /// One device, as last heard of.
    private struct Device: Sendable {
        let id: UInt64
        var generation: UInt32
    }

    struct Finger: Sendable {
        let device: UInt64
        let index: UInt32
        let display: DisplayID
        var touch: TouchID
        var route = ContactRoute()
        /// When its owner became its owner, or it lost it: as its device has it.
        var since = Instant.boot
        /// Its owner's, as it was when it landed.
        var scene = SceneGeometry.display
        /// In its owner's scene.
        var position = Point<SceneSpace>.zero
        var measures = Measures()
        /// The system may take it yet.
        var isGated = false
        /// In which frame its owner was told that it landed; nil while it has not been.
        var toldIn: SequenceNumber?
        /// The contest between a system gesture and the owner; nil of a finger that no system gesture follows.
        var contest: SystemGestures.Contest?
        /// What touch monitors have said of it; empty of a finger that none is shown.
        var watches: [SpyTable.Watch] = []
    }

    private let displays: Displays
    /// Somebody looks on: what is seen is told.
    var isWatched = false
    /// Ascending by device, then by index; a finger's place is kept while it is on the glass.
    var fingers: [Finger] = []
    /// In the order they were first heard of.
    private var devices: [Device] = []
    private var nextTouch: UInt32 = 0

    init(_ displays: Displays) { self.displays = displays }

    /// Fingers that somebody owns.
    var liveTouches: Int { fingers.count(where: \.isOwned) }

    /// Fingers on the glass, dead ones too.
    var fingersDown: Int { fingers.count }

    /// Every finger on the glass and whose it is.
    var shownFingers: [Finger.Shown] { fingers.map(\.shown) }

    func touches(ownedBy recipient: Recipient) -> Int { fingers.count { $0.route.state == .owned(recipient) } }

    /// How many devices' generations are remembered; beyond it the one without fingers heard of first is forgotten, and
    /// when there is none the scan is dropped.
    static let deviceLimit = 64

    /// Routes one scan.
    ///
    /// - Parameters:
    ///   - ground: The recipient of a finger that lands now.
    ///   - stalled: Recipients that do not respond: a finger that lands there has no owner.
    mutating func route(_ event: HIDEvent, over ground: some Ground, refusing stalled: [Recipient] = []) -> Outcome {
        var outcome = Outcome()
        guard admit(event, into: &outcome) else { return outcome }
        revokeAbsent(from: event, into: &outcome)
        for child in event.fingers { route(child, of: event, over: ground, refusing: stalled, into: &outcome) }
        fingers.removeAll { $0.route.state == .lifted }
        outcome.deliveries.removeAll { delivery in delivery.frame.contacts.allSatisfy { $0.phase == .stationary } }
        if devices.count > 1 { listOtherDevices(than: event.senderID, in: &outcome) }
        return outcome
    }

    /// Whether the scan is of its device as it is now; one opened anew takes the fingers of before away.
    ///
    /// - Returns: False when it is not routed; the outcome then says why.
    private mutating func admit(_ event: HIDEvent, into outcome: inout Outcome) -> Bool {
        let generation = event.generationCount
        guard let place = devices.firstIndex(where: { $0.id == event.senderID }) else {
            if devices.count >= Self.deviceLimit {
                let idle = devices.firstIndex { device in !fingers.contains { $0.device == device.id } }
                guard let idle else {
                    outcome.drops.append(.tooMany(limit: Self.deviceLimit))
                    return false
                }
                devices.remove(at: idle)
            }
            devices.append(Device(id: event.senderID, generation: generation))
            return true
        }
        let known = devices[place].generation
        guard generation != known else { return true }
        guard generation > known else {
            outcome.fencedBy = known
            return false
        }
        devices[place].generation = generation
        for i in fingers.indices where fingers[i].device == event.senderID {
            revoke(i, at: event.timeStamp, into: &outcome)
        }
        fingers.removeAll { $0.device == event.senderID }
        return true
    }

    /// A recipient hears of all its fingers in every frame, in order of landing whichever device the frame is of: an app
    /// merges frames that list the same touches.
    private func listOtherDevices(than device: UInt64, in outcome: inout Outcome) {
        for place in outcome.deliveries.indices {
            let owned = ContactRoute.State.owned(outcome.deliveries[place].recipient)
            let others = fingers.filter { $0.device != device && $0.route.state == owned }
            guard !others.isEmpty else { continue }
            outcome.deliveries[place].frame.contacts += others.map { $0.contact(.stationary) }
            outcome.deliveries[place].frame.contacts.sort { $0.touch < $1.touch }
        }
    }

    /// Takes the touches of one recipient, or everybody's, away: their owners hear `cancelled` once.
    mutating func revoke(_ recipient: Recipient? = nil, at now: Instant) -> [Delivery] {
        var outcome = Outcome()
        for i in fingers.indices where recipient == nil || fingers[i].route.state == .owned(recipient!) {
            revoke(i, at: now, into: &outcome)
        }
        return outcome.deliveries
    }

    /// What an app lets go of that has not heard a frame, or not in time: of fingers that it was told of by then. Those that
    /// land after it are whole.
    ///
    /// - Returns: One frame of all its touches, in which those are cancelled; none where there are none.
    mutating func revoke(_ recipient: Recipient, toldBy frame: SequenceNumber, at now: Instant) -> [Delivery] {
        let lost = fingers.filter { finger in
            finger.route.state == .owned(recipient) && finger.toldIn.map { $0 <= frame } ?? false
        }
        return take(lost.map(\.touch), by: .revoked, at: now)
    }

    /// The owner is told of landings in this frame. It answers a contest with the receipt of the frame.
    mutating func told(_ touches: TouchFrame, in frame: SequenceNumber) {
        for contact in touches.contacts where contact.phase == .began {
            for i in fingers.indices where fingers[i].touch == contact.touch { fingers[i].toldIn = frame }
        }
    }

    // MARK: System gestures

    func standing(of touch: TouchID) -> Standing {
        guard let finger = fingers.first(where: { $0.touch == touch }) else { return .gone }
        if case .owned(let owner) = finger.route.state { return .owned(owner) }
        return .dead
    }

    /// No gesture takes them any more: from here on their apps are told so.
    mutating func open(_ touches: [TouchID]) {
        for i in fingers.indices where touches.contains(fingers[i].touch) { fingers[i].isGated = false }
    }

    /// Takes touches for a touch monitor or a system gesture: their owners hear `cancelled` once, and no app receives
    /// anything of the fingers until they lift.
    ///
    /// - Parameter others: Whose owners are to hear how they stand though nothing is taken from them.
    /// - Returns: For each owner concerned one frame, of all its touches.
    mutating func pilfer(
        _ touches: [TouchID], by taker: ContactRoute.Taker, telling others: [TouchID] = [], at now: Instant
    ) -> [Delivery] {
        take(touches, by: .taken(by: taker), telling: others, at: now)
    }

    private mutating func take(
        _ touches: [TouchID], by loss: ContactRoute.Input, telling others: [TouchID] = [], at now: Instant
    ) -> [Delivery] {
        var outcome = Outcome()
        var owners: [Recipient] = []
        for finger in fingers where touches.contains(finger.touch) || others.contains(finger.touch) {
            guard case .owned(let owner) = finger.route.state, !owners.contains(owner) else { continue }
            // What the server keeps for itself need not be told that it keeps it.
            let isApps = if case .app = owner { true } else { false }
            if isApps || touches.contains(finger.touch) { owners.append(owner) }
        }
        for owner in owners {
            for i in fingers.indices where fingers[i].route.state == .owned(owner) {
                if touches.contains(fingers[i].touch) {
                    revoke(i, by: loss, at: now, into: &outcome)
                } else {
                    carryOut(.deliver(owner), .stationary, fingers[i], at: now, into: &outcome)
                }
            }
        }
        // A finger without an owner is taken too, and no app receives anything for it.
        for i in fingers.indices where fingers[i].route.state == .orphaned && touches.contains(fingers[i].touch) {
            _ = fingers[i].route.handle(loss)
        }
        for place in outcome.deliveries.indices {
            outcome.deliveries[place].frame.contacts.sort { $0.touch < $1.touch }
        }
        return outcome.deliveries
    }

    /// The owner is gone: nobody is told, and its fingers are dead until they lift.
    mutating func forget(_ dead: Recipient) -> Int {
        var lost = 0
        for i in fingers.indices where fingers[i].route.handle(.died(dead)) == .drop(.ownerDied) { lost += 1 }
        return lost
    }

    /// Whoever reads the devices is gone, and every finger with it. What comes back counts its openings anew.
    mutating func clear(at now: Instant) -> [Delivery] {
        defer {
            fingers.removeAll()
            devices.removeAll()
        }
        return revoke(at: now)
    }

    // MARK: One finger

    private mutating func route(
        _ child: DigitizerEvent, of event: HIDEvent, over ground: some Ground, refusing stalled: [Recipient],
        into outcome: inout Outcome
    ) {
        let (device, time) = (event.senderID, event.timeStamp)
        let display = display(of: child, event)
        let geometry = displays.geometry(of: display)
        let position = geometry.displayPosition(child.position)
        switch child.phase {
        case .began:
            if let stale = find(child.index, of: device) {
                revoke(stale, at: time, into: &outcome)
                fingers.remove(at: stale)
            }
            var finger = Finger(
                device: device, index: child.index, display: display, touch: TouchID(rawValue: nextTouch))
            nextTouch &+= 1
            let target = ground.target(at: position, on: display)
            if let target { finger.scene = target.scene }
            finger.position = finger.scene.scenePosition(position)
            finger.since = time
            finger.measures = Measures(child, on: event.panelWidth, geometry).seen(as: finger.scene.orientation)
            finger.isGated = target?.isGated ?? false
            let isRefused = target.map { stalled.contains($0.recipient) } ?? false
            let decision = finger.route.handle(isRefused ? .refused : .down(hit: target?.recipient))
            outcome.landings.append(
                Landing(
                    finger: child.index, touch: finger.touch, recipient: target?.recipient, position: position,
                    display: display, defers: target?.defers, orientation: finger.scene.orientation,
                    isRefused: isRefused))
            carryOut(decision, .began, finger, at: time, into: &outcome)
            let next = fingers.firstIndex { ($0.device, $0.index) > (device, child.index) }
            fingers.insert(finger, at: next ?? fingers.endIndex)
        case .moved:
            let measures = Measures(child, on: event.panelWidth, geometry)
            follow(child.index, of: event, .held, .moved, to: (position, measures), into: &outcome)
        case .stationary: follow(child.index, of: event, .held, .stationary, to: nil, into: &outcome)
        case .ended: follow(child.index, of: event, .up, .ended, to: nil, into: &outcome)
        case .cancelled: follow(child.index, of: event, .cancelled, .cancelled, to: nil, into: &outcome)
        case nil: break
        }
    }

    /// A finger that is down stays on its display, wherever its panel is said to lie since.
    private func display(of child: DigitizerEvent, _ event: HIDEvent) -> DisplayID {
        guard displays.all.count > 1 else { return 1 }
        if child.phase != .began, let known = find(child.index, of: event.senderID) { return fingers[known].display }
        return displays.contains(event.display) ? event.display : 1
    }

    private func find(_ index: UInt32, of device: UInt64) -> Int? {
        fingers.firstIndex { $0.index == index && $0.device == device }
    }

    private mutating func follow(
        _ index: UInt32, of event: HIDEvent, _ input: ContactRoute.Input, _ phase: TouchContact.Phase,
        to place: (Point<DisplaySpace>, Measures)?, into outcome: inout Outcome
    ) {
        guard let i = find(index, of: event.senderID) else {
            outcome.drops.append(.unknownFinger)
            return
        }
        if let (position, measures) = place {
            fingers[i].position = fingers[i].scene.scenePosition(position)
            fingers[i].measures = measures.seen(as: fingers[i].scene.orientation)
        }
        let decision = fingers[i].route.handle(input)
        carryOut(decision, phase, fingers[i], at: event.timeStamp, into: &outcome)
    }

    private mutating func revoke(
        _ i: Int, by loss: ContactRoute.Input = .revoked, at time: Instant, into outcome: inout Outcome
    ) {
        let decision = fingers[i].route.handle(loss)
        if case .cancel = decision { fingers[i].since = time }
        carryOut(decision, .cancelled, fingers[i], at: time, into: &outcome)
    }

    private mutating func revokeAbsent(from event: HIDEvent, into outcome: inout Outcome) {
        for i in fingers.indices where fingers[i].device == event.senderID {
            guard !event.fingers.contains(where: { $0.index == fingers[i].index }) else { continue }
            revoke(i, at: event.timeStamp, into: &outcome)
            _ = fingers[i].route.handle(.up)
        }
    }

    private func carryOut(
        _ decision: ContactRoute.Decision, _ phase: TouchContact.Phase, _ finger: Finger, at time: Instant,
        into outcome: inout Outcome
    ) {
        if isWatched { outcome.seen.append(finger.seen(phase, decision)) }
        switch decision {
        case .deliver(let recipient), .cancel(let recipient):
            let contact = finger.contact(phase)
            if let i = outcome.deliveries.firstIndex(where: { $0.recipient == recipient }) {
                outcome.deliveries[i].frame.contacts.append(contact)
            } else {
                let frame = TouchFrame(timeStamp: time, contacts: [contact])
                outcome.deliveries.append(Delivery(recipient: recipient, frame: frame))
            }
        case .drop(let reason):
            // A landing that is refused is the reason that the receipt gives, whatever else nobody received.
            outcome.drops.insert(reason, at: reason == .notResponding ? 0 : outcome.drops.endIndex)
            guard phase != .stationary, case .taken(let taker) = reason else { return }
            switch taker {
            case .monitor: outcome.takenByMonitor &+= 1
            case .system: outcome.takenBySystem &+= 1
            }
        case .nothing: break
        }
    }
}

extension Router.Finger {
    /// A finger as `touchline dump` shows it.
    struct Shown: Equatable, Sendable {
        var device: UInt64
        var contact: UInt32
        var display: DisplayID
        var touch: TouchID
        /// `app:1`, `home`; `a touch monitor` or `a system gesture` of one that was taken, `nobody` of one that is dead
        /// until it lifts.
        var owner: String
        var since: Instant
    }

    fileprivate var shown: Shown {
        let owner =
            switch route.state {
            case .owned(let recipient): "\(recipient)"
            case .taken(let taker): "\(taker)"
            case .lifted, .orphaned: "nobody"
            }
        return Shown(device: device, contact: index, display: display, touch: touch, owner: owner, since: since)
    }

    var isOwned: Bool { if case .owned = route.state { true } else { false } }

    fileprivate func seen(_ phase: ContactPhase, _ decision: ContactRoute.Decision) -> Router.Seen {
        let owner: Recipient? =
            switch decision {
            case .deliver(let owner), .cancel(let owner): owner
            case .drop, .nothing: nil
            }
        return Router.Seen(
            touch: touch, phase: phase, owner: owner, position: scene.displayPosition(position), display: display,
            watches: watches)
    }

    fileprivate func contact(_ phase: TouchContact.Phase) -> TouchContact {
        // A finger that leaves presses no more; its last size stays its size.
        let isPressing = phase != .ended && phase != .cancelled
        return TouchContact(
            touch: touch, phase: phase, at: position, majorRadius: measures.radius,
            pressure: isPressing ? measures.pressure : .zero, tool: measures.tool, angles: measures.angles,
            isGated: isPressing && isGated)
    }
}
