// Router.swift: the owner of every finger, and one scan split by owner.
//
// Station   router
// Input     TouchDispatcher: scans in order; the core: what takes touches from their owners
// Output    a TouchFrame for each recipient, in order of its first finger
// Knows     fingers of every device, geometry of every display, the recipient of a landing. No links, no receipts.
//
// A scan lists every finger that is down on its device, so it is a state frame of that device. A finger that it does
// not list is gone. A finger whose landing was lost has no owner (Docs/Spec/Pipeline.md section 2, "state-frame
// resync"). A finger is identified by its device, the device's generation, and its index. A device that is opened again
// has lost its earlier fingers, and scans of earlier generations are fenced.
//
// The recipient at the landing owns the finger until it lifts (D3, D4). Each owner receives positions in its own space
// as that was at the landing: origin and orientation. A finger belongs to the display over which its panel lay at the
// landing. An app's frame lists all its fingers; those of other devices rest.
//
// Sources   invented  163 points per inch if the panel does not report its width: the density of most phones

import Basics
import HID
import Hosting
import Settings
import Wire

/// The fingers of all devices, and their owners.
struct Router: Sendable {
    /// The part of one scan for one recipient.
    struct Delivery: Equatable, Sendable {
        var recipient: Recipient
        var frame: TouchFrame

        /// Whether the frame has no news for its recipient.
        fileprivate var isStill: Bool { frame.contacts.allSatisfy { $0.phase == .stationary } }
    }

    /// The routing decision for one finger that landed.
    struct Landing: Equatable, Sendable {
        var finger: UInt32
        var touch: TouchID
        var recipient: Recipient?
        var position = Point<DisplaySpace>.zero
        var display: DisplayID = 1
        /// Whether the owner has declared that it defers the edge of the landing; nil if it has declared nothing.
        var defers: Bool?
        /// The orientation of the owner's interface.
        var orientation = InterfaceOrientation.portrait
        /// Whether the app at the position is unresponsive. It then receives nothing of the finger.
        var isRefused = false
    }

    /// The result of one scan.
    struct Outcome: Equatable, Sendable {
        var deliveries: [Delivery] = []
        var landings: [Landing] = []
        /// The reasons of the contacts that reached no recipient, in order.
        var drops: [ContactRoute.Reason] = []
        /// The numbers of fingers that moved or lifted after a touch monitor, or a system gesture, had taken them.
        var takenByMonitor: UInt16 = 0
        var takenBySystem: UInt16 = 0
        /// Each finger of the scan, with its position before redaction; empty while no touch monitor observes.
        var seen: [TouchMonitorTable.ObservedTouch] = []
        /// The device's newer generation, if the scan is of an older one. The scan then has no other effect.
        var fencedBy: UInt32?

        /// The reason in the receipt of a scan without recipients: that of its first drop.
        var reason: Receipt.Reason {
            if fencedBy != nil { return .fenced }
            return drops.first.map(Receipt.Reason.init) ?? .nothingNew
        }
    }

    /// Where a touch stands with its owner.
    enum Ownership: Equatable, Sendable {
        /// The touch has ended, or never existed.
        case gone
        /// The touch is ignored until it lifts.
        case ignored
        case owned(Recipient)
    }

    /// One device with its newest generation.
    private struct Device: Sendable {
        let id: UInt64
        var generation: UInt32
    }

    /// One finger on the glass.
    struct Finger: Sendable {
        let device: UInt64
        let index: UInt32
        let display: DisplayID
        var touch: TouchID
        var route = ContactRoute()
        /// The moment when the owner received the finger or lost it, by the device's time.
        var since = Instant.boot
        /// The owner's scene at the landing.
        var scene = SceneGeometry.display
        /// The position in the owner's scene.
        var position = Point<SceneSpace>.zero
        var measures = Measures()
        /// Whether a system gesture may still take the finger.
        var isGated = false
        /// The frame in which the owner received the landing; nil while it was not sent.
        var landingFrame: SequenceNumber?
        /// The contest between a system gesture and the owner; nil if no system gesture follows the finger.
        var contest: SystemGestures.Contest?
        /// The state of the finger with each touch monitor that observes it.
        var watches: [TouchMonitorTable.Watch] = []
    }

    private let displays: Displays
    /// Whether a touch monitor observes. `Outcome.seen` is filled only then.
    var isWatched = false
    /// The fingers, ascending by device and index. The order is kept while a finger is on the glass.
    var fingers: [Finger] = []
    /// The devices, in order of their first scan.
    private var devices: [Device] = []
    private var nextTouch: UInt32 = 0
    /// The lists of the last scan. Mostly its frames are gone when the next scan comes, whose lists then take the same memory.
    private var lastDeliveries: [Delivery] = []
    private var lastContacts: [TouchContact] = []

    init(_ displays: Displays) { self.displays = displays }

    /// The number of fingers that have an owner.
    var liveTouches: Int { fingers.count(where: \.isOwned) }

    /// The number of fingers on the glass, with those that are ignored.
    var fingersDown: Int { fingers.count }

    func touches(ownedBy recipient: Recipient) -> Int { fingers.count { $0.route.state == .owned(recipient) } }

    /// The number of devices whose generations are remembered. Beyond it, the oldest device without fingers is
    /// forgotten. If every device has fingers, the scan is dropped.
    static let deviceLimit = 64

    /// Routes one scan.
    ///
    /// - Parameters:
    ///   - ground: Finds the recipient of a finger that lands.
    ///   - stalled: Unresponsive recipients. A finger that lands there has no owner.
    mutating func route(_ event: HIDEvent, over ground: some TargetResolver, refusing stalled: [Recipient] = [])
        -> Outcome
    {
        var outcome = Outcome()
        swap(&outcome.deliveries, &lastDeliveries)
        outcome.deliveries.removeAll(keepingCapacity: true)
        guard admit(event, into: &outcome) else { return outcome }
        revokeAbsent(from: event, into: &outcome)
        for child in event.fingers { route(child, of: event, over: ground, refusing: stalled, into: &outcome) }
        // Most scans lift no finger and bring news to each recipient, and a removal of nothing is expensive.
        if fingers.contains(where: \.hasLifted) { fingers.removeAll(where: \.hasLifted) }
        if outcome.deliveries.contains(where: \.isStill) { outcome.deliveries.removeAll(where: \.isStill) }
        if devices.count > 1 { listOtherDevices(than: event.senderID, in: &outcome) }
        lastDeliveries = outcome.deliveries
        if let first = lastDeliveries.first { lastContacts = first.frame.contacts }
        return outcome
    }

    /// Routes scans in which each finger only moves, and all fingers have one owner, as `route` does one by one. Most scans of
    /// a shared frame are of this kind, and their outcome has nothing but the owner's part.
    ///
    /// - Parameter start: The index of the first scan to route.
    /// - Returns: The owner and its part of each scan; nil if the scans are of another kind.
    mutating func routeMoves(_ scans: ScanMoves, from start: Int) -> (owner: Recipient, touches: TouchMoves)? {
        guard !isWatched, devices.count == 1, case .owned(let owner)? = fingers.first?.route.state,
            fingers.allSatisfy({ $0.route.state == .owned(owner) }), onlyMoves(scans.first)
        else { return nil }
        var contacts: [TouchContact] = []
        contacts.reserveCapacity(fingers.count)
        let moves = start..<scans.times.count
        var positions = [Point<SceneSpace>](repeating: .zero, count: moves.count * fingers.count)
        for i in fingers.indices {
            let geometry = displays.geometry(of: fingers[i].display)
            func position(inMove move: Int) -> Point<SceneSpace> {
                fingers[i].scene.scenePosition(geometry.displayPosition(scans.position(ofFinger: i, inMove: move)))
            }
            move(i, to: scans.first.fingers[i], on: scans.first.panelWidth, geometry)
            if start > 0 { fingers[i].position = position(inMove: start - 1) }
            contacts.append(contact(i, .moved))
            for move in moves { positions[(move - start) * fingers.count + i] = position(inMove: move) }
        }
        for (i, position) in zip(fingers.indices, positions.suffix(fingers.count)) { fingers[i].position = position }
        let first = TouchFrame(timeStamp: scans.time(at: start), contacts: contacts)
        let times = start == 0 ? scans.times : Array(scans.times[moves])
        return (owner, TouchMoves(first, times: times, positions: positions))
    }

    /// Whether a scan of the only device moves each of its fingers, in their order, and changes nothing else.
    private func onlyMoves(_ scan: borrowing HIDEvent) -> Bool {
        guard scan.senderID == devices[0].id, scan.generationCount == devices[0].generation,
            scan.fingers.count == fingers.count
        else { return false }
        for i in fingers.indices where scan.fingers[i].index != fingers[i].index || scan.fingers[i].phase != .moved {
            return false
        }
        return true
    }

    /// Compares the scan's generation with its device's. A newer generation revokes the fingers of the older one.
    ///
    /// - Returns: False if the scan is not routed. The outcome then contains the reason.
    private mutating func admit(_ event: HIDEvent, into outcome: inout Outcome) -> Bool {
        let generation = event.generationCount
        guard let deviceIndex = devices.firstIndex(where: { $0.id == event.senderID }) else {
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
        let known = devices[deviceIndex].generation
        guard generation != known else { return true }
        guard generation > known else {
            outcome.fencedBy = known
            return false
        }
        devices[deviceIndex].generation = generation
        for i in fingers.indices where fingers[i].device == event.senderID {
            revoke(i, at: event.timeStamp, into: &outcome)
        }
        fingers.removeAll { $0.device == event.senderID }
        return true
    }

    /// Adds the resting fingers of other devices to each frame, in order of landing. An app merges frames that list the
    /// same touches.
    private func listOtherDevices(than device: UInt64, in outcome: inout Outcome) {
        guard fingers.contains(where: { $0.device != device }) else { return }
        for index in outcome.deliveries.indices {
            let owned = ContactRoute.State.owned(outcome.deliveries[index].recipient)
            let others = fingers.indices.filter { fingers[$0].device != device && fingers[$0].route.state == owned }
            guard !others.isEmpty else { continue }
            outcome.deliveries[index].frame.contacts += others.map { contact($0, .stationary) }
            outcome.deliveries[index].frame.contacts.sort { $0.touch < $1.touch }
        }
    }

    /// Revokes the touches of one recipient, or of all: each owner receives `cancelled` once.
    mutating func revoke(_ recipient: Recipient? = nil, at now: Instant) -> [Delivery] {
        var outcome = Outcome()
        for i in fingers.indices where recipient == nil || fingers[i].route.state == .owned(recipient!) {
            revoke(i, at: now, into: &outcome)
        }
        return outcome.deliveries
    }

    /// Revokes the touches that an app ended because it missed a frame, or received it too late: those that were sent
    /// up to this frame. Later touches are whole.
    ///
    /// - Returns: One frame of all the app's touches, in which these are cancelled; empty if there are none.
    mutating func revoke(_ recipient: Recipient, toldBy frame: SequenceNumber, at now: Instant) -> [Delivery] {
        let lost = fingers.filter { finger in
            finger.route.state == .owned(recipient) && finger.landingFrame.map { $0 <= frame } ?? false
        }
        return withdraw(lost.map(\.touch), by: .revoked, at: now)
    }

    /// Notes the frame in which the owner receives landings. The receipt of that frame answers a contest.
    mutating func noteSent(_ touches: TouchFrame, in frame: SequenceNumber) {
        for contact in touches.contacts where contact.phase == .began {
            for i in fingers.indices where fingers[i].touch == contact.touch { fingers[i].landingFrame = frame }
        }
    }

    // MARK: System gestures

    /// The owner of a touch, if it is still on the glass.
    func ownership(of touch: TouchID) -> Ownership {
        guard let finger = fingers.first(where: { $0.touch == touch }) else { return .gone }
        if case .owned(let owner) = finger.route.state { return .owned(owner) }
        return .ignored
    }

    /// Opens the gates of touches that no gesture takes any more. Their apps receive this with the next frame.
    mutating func openGates(of touches: [TouchID]) {
        for i in fingers.indices where touches.contains(fingers[i].touch) { fingers[i].isGated = false }
    }

    /// Takes touches for a touch monitor or a system gesture. Their owners receive `cancelled` once, and no app
    /// receives anything of these fingers until they lift.
    ///
    /// - Parameter others: Touches that are not taken, and whose owners receive a state frame too.
    /// - Returns: One frame of all its touches for each owner concerned.
    mutating func pilfer(
        _ touches: [TouchID], by taker: ContactRoute.Taker, restating others: [TouchID] = [], at now: Instant
    ) -> [Delivery] {
        withdraw(touches, by: .taken(by: taker), restating: others, at: now)
    }

    private mutating func withdraw(
        _ touches: [TouchID], by loss: ContactRoute.Input, restating others: [TouchID] = [], at now: Instant
    ) -> [Delivery] {
        var outcome = Outcome()
        var owners: [Recipient] = []
        for finger in fingers where touches.contains(finger.touch) || others.contains(finger.touch) {
            guard case .owned(let owner) = finger.route.state, !owners.contains(owner) else { continue }
            // The server's own scenes need no state frame for touches that stay with them.
            let isApps = if case .app = owner { true } else { false }
            if isApps || touches.contains(finger.touch) { owners.append(owner) }
        }
        for owner in owners {
            for i in fingers.indices where fingers[i].route.state == .owned(owner) {
                if touches.contains(fingers[i].touch) {
                    revoke(i, by: loss, at: now, into: &outcome)
                } else {
                    carryOut(.deliver(owner), .stationary, i, at: now, into: &outcome)
                }
            }
        }
        // A finger without an owner is taken too, and no app receives a message for it.
        for i in fingers.indices where fingers[i].route.state == .ignored && touches.contains(fingers[i].touch) {
            _ = fingers[i].route.handle(loss)
        }
        for index in outcome.deliveries.indices {
            outcome.deliveries[index].frame.contacts.sort { $0.touch < $1.touch }
        }
        return outcome.deliveries
    }

    /// Forgets an owner that is gone. No message is sent, and its fingers are ignored until they lift.
    mutating func forget(_ dead: Recipient) -> Int {
        var lost = 0
        for i in fingers.indices where fingers[i].route.handle(.died(dead)) == .drop(.ownerDied) { lost += 1 }
        return lost
    }

    /// Cancels every finger, because input-kit is gone. A new input-kit counts its generations from the beginning.
    mutating func clear(at now: Instant) -> [Delivery] {
        defer {
            fingers.removeAll()
            devices.removeAll()
        }
        return revoke(at: now)
    }

    // MARK: One finger

    private mutating func route(
        _ child: DigitizerEvent, of event: HIDEvent, over ground: some TargetResolver, refusing stalled: [Recipient],
        into outcome: inout Outcome
    ) {
        let (device, time) = (event.senderID, event.timeStamp)
        let known = find(child.index, of: device)
        let display = display(of: child, known, event)
        let geometry = displays.geometry(of: display)
        switch child.phase {
        case .began:
            let position = geometry.displayPosition(child.position)
            if let stale = known {
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
            let next = fingers.firstIndex { ($0.device, $0.index) > (device, child.index) } ?? fingers.endIndex
            fingers.insert(finger, at: next)
            carryOut(decision, .began, next, at: time, into: &outcome)
        case .moved:
            if let known { move(known, to: child, on: event.panelWidth, geometry) }
            update(known, .held, .moved, at: time, into: &outcome)
        case .stationary: update(known, .held, .stationary, at: time, into: &outcome)
        case .ended: update(known, .up, .ended, at: time, into: &outcome)
        case .cancelled: update(known, .cancelled, .cancelled, at: time, into: &outcome)
        case nil: break
        }
    }

    /// The display of a finger. A finger that is down stays on its display, even if its panel is assigned elsewhere meanwhile.
    private func display(of child: DigitizerEvent, _ known: Int?, _ event: HIDEvent) -> DisplayID {
        guard displays.all.count > 1 else { return 1 }
        if child.phase != .began, let known { return fingers[known].display }
        return displays.contains(event.display) ? event.display : 1
    }

    private func find(_ index: UInt32, of device: UInt64) -> Int? {
        fingers.firstIndex { $0.index == index && $0.device == device }
    }

    /// Moves the finger at an index to the position of its record.
    @inline(__always)
    private mutating func move(
        _ i: Int, to child: borrowing DigitizerEvent, on panelWidth: Fixed, _ geometry: ScreenGeometry
    ) {
        fingers[i].position = fingers[i].scene.scenePosition(geometry.displayPosition(child.position))
        fingers[i].measures = Measures(child, on: panelWidth, geometry).seen(as: fingers[i].scene.orientation)
    }

    private mutating func update(
        _ i: Int?, _ input: ContactRoute.Input, _ phase: TouchContact.Phase, at time: Instant,
        into outcome: inout Outcome
    ) {
        guard let i else {
            outcome.drops.append(.unknownFinger)
            return
        }
        let decision = fingers[i].route.handle(input)
        carryOut(decision, phase, i, at: time, into: &outcome)
    }

    private mutating func revoke(
        _ i: Int, by loss: ContactRoute.Input = .revoked, at time: Instant, into outcome: inout Outcome
    ) {
        let decision = fingers[i].route.handle(loss)
        if case .cancel = decision { fingers[i].since = time }
        carryOut(decision, .cancelled, i, at: time, into: &outcome)
    }

    private mutating func revokeAbsent(from event: HIDEvent, into outcome: inout Outcome) {
        for i in fingers.indices where fingers[i].device == event.senderID {
            guard !event.fingers.contains(where: { $0.index == fingers[i].index }) else { continue }
            revoke(i, at: event.timeStamp, into: &outcome)
            _ = fingers[i].route.handle(.up)
        }
    }

    /// Carries out a decision about the finger at an index.
    private mutating func carryOut(
        _ decision: ContactRoute.Decision, _ phase: TouchContact.Phase, _ i: Int, at time: Instant,
        into outcome: inout Outcome
    ) {
        // Lists that grow with each finger would be copied several times for a scan.
        if isWatched {
            if outcome.seen.isEmpty { outcome.seen.reserveCapacity(fingers.count) }
            outcome.seen.append(seen(i, phase, decision))
        }
        switch decision {
        case .deliver(let recipient), .cancel(let recipient):
            let contact = contact(i, phase)
            if let i = outcome.deliveries.firstIndex(where: { $0.recipient == recipient }) {
                outcome.deliveries[i].frame.contacts.append(contact)
            } else {
                var contacts: [TouchContact] = []
                swap(&contacts, &lastContacts)
                contacts.removeAll(keepingCapacity: true)
                contacts.reserveCapacity(fingers.count)
                contacts.append(contact)
                let frame = TouchFrame(timeStamp: time, contacts: contacts)
                outcome.deliveries.append(Delivery(recipient: recipient, frame: frame))
            }
        case .drop(let reason):
            // A refused landing determines the reason in the receipt, whatever else was dropped.
            if outcome.drops.isEmpty { outcome.drops.reserveCapacity(fingers.count) }
            if reason == .notResponding { outcome.drops.insert(reason, at: 0) } else { outcome.drops.append(reason) }
            guard phase != .stationary, case .taken(let taker) = reason else { return }
            switch taker {
            case .monitor: outcome.takenByMonitor &+= 1
            case .system: outcome.takenBySystem &+= 1
            }
        case .nothing: break
        }
    }

    // MARK: A finger by its index

    // These functions read the properties that they need. A method of the finger would copy the whole finger, with its
    // watches.

    @inline(__always)
    private func seen(
        _ i: Int, _ phase: ContactPhase, _ decision: ContactRoute.Decision
    ) -> TouchMonitorTable.ObservedTouch {
        let owner: Recipient? =
            switch decision {
            case .deliver(let owner), .cancel(let owner): owner
            case .drop, .nothing: nil
            }
        let position = fingers[i].scene.displayPosition(fingers[i].position)
        return TouchMonitorTable.ObservedTouch(
            touch: fingers[i].touch, phase: phase, owner: TouchOwner(owner),
            position: MonitoredLocation(position, on: fingers[i].display), watches: fingers[i].watches)
    }

    @inline(__always)
    private func contact(_ i: Int, _ phase: TouchContact.Phase) -> TouchContact {
        // A finger that lifts has no pressure, and keeps its last radius.
        let isPressing = phase != .ended && phase != .cancelled
        let measures = fingers[i].measures
        return TouchContact(
            touch: fingers[i].touch, phase: phase, at: fingers[i].position, majorRadius: measures.radius,
            pressure: isPressing ? measures.pressure : .zero, tool: measures.tool, angles: measures.angles,
            isGated: isPressing && fingers[i].isGated)
    }
}

extension Router.Finger {
    var isOwned: Bool { if case .owned = route.state { true } else { false } }
    fileprivate var hasLifted: Bool { route.state == .lifted }
}
