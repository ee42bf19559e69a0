// LiveDevice.swift: one open device: its bytes as scans, and what becomes of its fingers as time passes.
//
//     bytes ─▶ EvdevTracker or TouchReportDecoder ─▶ scan ─▶ LiveFinger, once per contact ─▶ ScanQueue
//                 ▲                                             ▲
//                 └─ slots, after events were lost              └─ silence, a finger that does not change, no server
//
// Evdev stamps are CLOCK_MONOTONIC's, which moments are told by: a scan keeps its own, never before the last one nor
// after now. A hidraw report has no stamp: it happened when it was read. Its scan time would say how far two reports
// lie apart, but in units a panel's oscillator makes up, and every panel's drifts; arrival is what a hand can tell.
//
// hidraw and protocol A say of a finger where it is, never that it lands: one that appears right after the device was
// opened, or after something was lost, may have been there before, and is dead until it lifts.
//
// Station   device
// Fed by    LiveDevices
// Feeds     ScanQueue
// Knows     one device. No path, no link, no other device.
//
// Sources   documented  kernel event-codes.rst: after SYN_DROPPED everything up to SYN_REPORT is void, then ask
//           observed    Linux hid-multitouch: only panels of the Windows 8 class are judged by their silence
//           invented    the watchdogs and their times; how long it is doubted who has landed

import Basics
import HID
import Hosting
import Recordings

struct LiveDevice: Sendable {
    /// What a device is read as, and how long its fingers are believed.
    struct Rules: Sendable {
        var palms: RecordingOptions.Palms
        var absentMeansLifted: Bool
        /// Of a hidraw device with fingers down that has to report them; nil for never.
        var reportSilence: Duration?
        /// Of a finger nothing changes about; nil for never.
        var stuckFinger: Duration?
    }

    struct Counters: Sendable {
        /// Scans of the device, empty ones aside.
        var scans: UInt64 = 0
        /// Stamps that lay before the one ahead of them, or after now.
        var clamped: UInt64 = 0
        /// How often its slots were asked for.
        var resyncs: UInt64 = 0
        /// Fingers given up because nothing came or nothing changed.
        var stuck: UInt64 = 0
        /// Fingers that landed while the queue was full.
        var refused: UInt64 = 0
        /// Fingers that landed where nobody could hear of them, or were down, as far as one can tell.
        var unheard: UInt64 = 0

        static func + (a: Counters, b: Counters) -> Counters {
            Counters(
                scans: a.scans + b.scans, clamped: a.clamped + b.clamped, resyncs: a.resyncs + b.resyncs,
                stuck: a.stuck + b.stuck, refused: a.refused + b.refused, unheard: a.unheard + b.unheard)
        }
    }

    private struct Finger: Sendable {
        var contact: DeviceContact
        var state = LiveFinger.State.up
        var changed: Instant
    }

    /// How a device of its kind reports.
    private struct Traits: Sendable {
        let stampsAreMoments: Bool
        /// Whether it says that a finger lands, and not only where one is.
        let tellsLandings: Bool
        /// Whether it has to report as long as anything touches it.
        let mustReport: Bool
        /// Whether a read gives whole events: of a device that can be asked, not of a FIFO.
        let readsWholeEvents: Bool
    }

    /// What the rest of the process must do about it.
    enum Need: Equatable, Sendable { case nothing, resync }

    let id: DeviceID
    let opening: Opening
    private(set) var counters = Counters()

    private let rules: Rules
    private let traits: Traits
    /// Until then whoever appears may have been there before.
    private var doubtUntil: Instant?
    // One of the two; not an enum's, since what is taken out of one to be changed is copied.
    private var evdev: EvdevTracker?
    private var hid: TouchReportDecoder?
    /// Of an evdev device: where one event ends.
    private var parser = EvdevEvents()
    /// Whoever is down, dead or not, in order of landing.
    private var fingers: [Finger] = []
    /// Between asking for the slots and the answer nothing counts.
    private var isResyncing = false
    private var lastMoment = Instant.boot
    private var heard: Instant

    /// Under a finger a panel reports every 16 ms or sooner. A touch that does land so early is lost with the others.
    static let doubt = Duration.milliseconds(100)

    /// - Returns: Nil for a device without touch.
    init?(
        _ id: DeviceID, _ facts: DeviceFacts, sender: UInt64, number: UInt32, rules: Rules, display: DisplayID = 1,
        at now: Instant
    ) {
        (self.id, self.rules, heard) = (id, rules, now)
        var description: DeviceDescription
        switch facts {
        case .evdev(let facts):
            guard facts.dialect != nil else { return nil }
            description = facts.description
            traits = Traits(
                stampsAreMoments: facts.stampsAreMoments, tellsLandings: facts.dialect != .groups, mustReport: false,
                readsWholeEvents: facts.slots != nil)
            evdev = Self.tracker(facts, rules)
        case .hidraw(let facts):
            var options = TouchReportDecoder.Options()
            options.absentMeansLifted = rules.absentMeansLifted
            options.palms = rules.palms == .cancel ? .cancel : .keep
            let decoder = TouchReportDecoder(descriptor: facts.descriptor, options: options)
            guard decoder.hasTouch else { return nil }
            description = decoder.description
            description.name = facts.identity.name
            (description.numbers.bus, description.numbers.vendor) = (facts.identity.bus, facts.identity.vendor)
            description.numbers.product = facts.identity.product
            traits = Traits(
                stampsAreMoments: false, tellsLandings: false, mustReport: decoder.layouts.isWindows8,
                readsWholeEvents: true)
            hid = decoder
        }
        opening = Opening(
            sender: sender, number: number, ranges: description.ranges ?? RecordingReader.assumedRanges,
            description: description, display: display)
        // Fingers that were there before us are nobody's: nobody knows where they landed.
        if case .evdev(let facts) = facts, let slots = facts.slots { adopt(slots, at: now) }
        doubtLandings(at: now)
    }

    private mutating func doubtLandings(at now: Instant) {
        if !traits.tellsLandings { doubtUntil = now.advanced(by: Self.doubt) }
    }

    /// A device whose slots can be asked for is; of any other, a loss cancels its fingers.
    private static func tracker(_ facts: EvdevFacts, _ rules: Rules) -> EvdevTracker {
        EvdevTracker(
            dialect: facts.dialect, slotCount: facts.slotCount ?? EvdevTracker.slotLimit, palms: rules.palms,
            onLoss: facts.slots == nil ? .cancel : .ask)
    }

    var touching: Int { fingers.count { $0.state == .told } }

    // MARK: What it says

    /// Takes one read's bytes.
    ///
    /// - Parameter canHear: Whether there is a server to tell of fingers that land now.
    mutating func take(
        _ bytes: [UInt8], at now: Instant, canHear: Bool, into queue: inout ScanQueue, ordinal: inout UInt64
    ) -> Need {
        heard = now
        guard !isResyncing else { return .nothing }
        var frames: [ContactFrame] = []
        hid?.take(bytes.span, at: .nanoseconds(now.nanoseconds), into: &frames)
        take(&frames, now: now, canHear: canHear, into: &queue, ordinal: &ordinal)
        guard let losses = evdev?.losses else { return .nothing }
        var events: [EvdevEvent] = []
        parser.parse(bytes, into: &events)
        if traits.readsWholeEvents { parser = EvdevEvents() }
        for event in events {
            evdev?.take(event, into: &frames)
            if evdev?.losses != losses { doubtLandings(at: now) }
            take(&frames, now: now, canHear: canHear, into: &queue, ordinal: &ordinal)
            guard evdev?.needsState == true else { continue }
            // What follows is older than the answer will be.
            isResyncing = true
            counters.resyncs += 1
            return .resync
        }
        return .nothing
    }

    private mutating func take(
        _ frames: inout [ContactFrame], now: Instant, canHear: Bool, into queue: inout ScanQueue, ordinal: inout UInt64
    ) {
        guard !frames.isEmpty else { return }
        for frame in frames {
            let stamp = traits.stampsAreMoments ? Instant(nanoseconds: frame.time.nanoseconds) : now
            take(frame, at: moment(of: stamp, now), now: now, canHear: canHear, into: &queue, ordinal: &ordinal)
        }
        frames.removeAll(keepingCapacity: true)
    }

    private mutating func moment(of stamp: Instant, _ now: Instant) -> Instant {
        let clamped = max(lastMoment, min(stamp, now))
        if clamped != stamp { counters.clamped += 1 }
        lastMoment = clamped
        return clamped
    }

    private mutating func take(
        _ frame: ContactFrame, at moment: Instant, now: Instant, canHear: Bool, into queue: inout ScanQueue,
        ordinal: inout UInt64
    ) {
        var told = frame
        told.contacts.removeAll(keepingCapacity: true)
        var saysSomething = false
        for contact in frame.contacts {
            let heard = follow(contact, now: now, canHear: canHear, isFull: queue.isFull, saysSomething: &saysSomething)
            if let heard { told.contacts.append(heard) }
        }
        fingers.removeAll { $0.state == .up }
        // Whoever was there has lifted: from here on landings are.
        if fingers.isEmpty, frame.contacts.contains(where: { $0.phase == .ended }) { doubtUntil = nil }
        if !frame.contacts.isEmpty { counters.scans += 1 }
        guard saysSomething, !told.contacts.isEmpty else { return }
        ordinal += 1
        queue.append(ScanQueue.Scan(frame: told, moment: moment, opening: opening, ordinal: ordinal))
    }

    /// - Parameter saysSomething: Becomes true when what the server hears is not what it knows.
    /// - Returns: What the server hears of it in this scan.
    private mutating func follow(
        _ contact: DeviceContact, now: Instant, canHear: Bool, isFull: Bool, saysSomething: inout Bool
    ) -> DeviceContact? {
        let isOver = contact.phase == .ended || contact.phase == .cancelled
        // One that has left in this scan is another finger than one that now lands by the same name.
        guard let index = fingers.firstIndex(where: { $0.contact.id == contact.id && $0.state != .up }) else {
            guard !isOver else { return nil }
            fingers.append(Finger(contact: contact, changed: now))
            let isDoubted = doubtUntil.map { now < $0 } ?? false
            let isHeard = canHear && !isFull && !isDoubted
            if !canHear || isDoubted { counters.unheard += 1 } else if isFull { counters.refused += 1 }
            saysSomething = saysSomething || isHeard
            return handle(isHeard ? .landed : .landedUnheard, fingers.count - 1)
        }
        let old = fingers[index].contact
        // What else a finger says of itself changes without a move.
        let hasChanged = (old.x, old.y) != (contact.x, contact.y) || old.attributes != contact.attributes
        if hasChanged { fingers[index].changed = now }
        if fingers[index].state == .told, hasChanged || isOver { saysSomething = true }
        // A lift's coordinates are not the finger's.
        if !isOver { fingers[index].contact = contact }
        let input: LiveFinger.Input =
            switch contact.phase {
            case .began, .moved, .stationary: .held
            case .ended: .ended
            case .cancelled: .cancelled
            }
        return handle(input, index)
    }

    /// - Returns: What the server hears of it.
    private mutating func handle(_ input: LiveFinger.Input, _ index: Int) -> DeviceContact? {
        guard let (state, decision) = LiveFinger.transition(from: fingers[index].state, on: input) else {
            preconditionFailure("a live finger cannot take \(input) while \(fingers[index].state)")
        }
        fingers[index].state = state
        var contact = fingers[index].contact
        switch decision {
        case .begin: contact.phase = .began
        case .follow: if contact.phase == .began { contact.phase = .moved }
        case .end: contact.phase = .ended
        case .cancel: contact.phase = .cancelled
        case .nothing: return nil
        }
        return contact
    }

    // MARK: Lost events

    /// Takes what its slots hold; nil where nobody could say.
    mutating func resynchronise(
        _ slots: DeviceSlots?, at now: Instant, canHear: Bool, into queue: inout ScanQueue, ordinal: inout UInt64
    ) {
        guard isResyncing else { return }
        isResyncing = false
        parser = EvdevEvents()
        doubtLandings(at: now)
        var frames: [ContactFrame] = []
        // Without an answer everybody is cancelled, and begins again by landing.
        evdev?.resynchronise(
            slots: slots.map { Self.states($0) } ?? [], chosen: slots.map { Int($0.current) } ?? 0,
            at: .nanoseconds(now.nanoseconds), into: &frames)
        for frame in frames {
            take(frame, at: moment(of: now, now), now: now, canHear: canHear, into: &queue, ordinal: &ordinal)
        }
    }

    private mutating func adopt(_ slots: DeviceSlots, at now: Instant) {
        var frames: [ContactFrame] = []
        evdev?.resynchronise(
            slots: Self.states(slots), chosen: Int(slots.current), at: .nanoseconds(now.nanoseconds), into: &frames)
        for contact in frames.flatMap(\.contacts) {
            counters.unheard += 1
            fingers.append(Finger(contact: contact, state: .dead, changed: now))
        }
    }

    private static func states(_ slots: DeviceSlots) -> [EvdevSlot] {
        let count = slots.axes.reduce(0) { max($0, $1.values.count) }
        return (0..<min(count, EvdevTracker.slotLimit)).map { slot in
            func value(_ axis: Axis) -> Int32? { slots.value(of: axis.rawValue, in: slot) }
            var attributes = ContactAttributes()
            attributes.pressure = value(.pressure)
            (attributes.major, attributes.minor) = (value(.major), value(.minor))
            (attributes.orientation, attributes.distance) = (value(.orientation), value(.distance))
            attributes.tool = value(.tool).flatMap { UInt8(exactly: $0) }.flatMap { .init(rawValue: $0) } ?? .finger
            return EvdevSlot(
                slot: slot, trackingID: value(.trackingID) ?? -1, x: value(.x) ?? 0, y: value(.y) ?? 0,
                attributes: attributes)
        }
    }

    /// `ABS_MT_…`
    private enum Axis: UInt16 {
        case major = 0x30
        case minor = 0x31
        case orientation = 0x34
        case x = 0x35
        case y = 0x36
        case tool = 0x37
        case trackingID = 0x39
        case pressure = 0x3A
        case distance = 0x3B
    }

    // MARK: Time, and the end

    /// When to look at its fingers, if nothing is heard until then. `mutating` as LiveDevices' is.
    mutating func deadline() -> Instant? {
        var next: Instant?
        func consider(_ moment: Instant) { next = min(next ?? .never, moment) }
        if let silenceEnds { consider(silenceEnds) }
        if let limit = rules.stuckFinger {
            for finger in fingers where finger.state == .told { consider(finger.changed.advanced(by: limit)) }
        }
        return next
    }

    /// When a panel that must report whatever touches it has said nothing of what did for so long that it is gone.
    private var silenceEnds: Instant? {
        guard traits.mustReport, let silence = rules.reportSilence, let hid else { return nil }
        return fingers.isEmpty && hid.remembered == 0 ? nil : heard.advanced(by: silence)
    }

    /// Gives up the fingers whose time has run out.
    ///
    /// - Returns: How many.
    mutating func expire(at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64) -> Int {
        let isSilent = silenceEnds.map { now >= $0 } ?? false
        let limit = rules.stuckFinger
        let count = giveUp(at: now, into: &queue, ordinal: &ordinal) { finger in
            isSilent || limit.map { now >= finger.changed.advanced(by: $0) } ?? false
        }
        counters.stuck += UInt64(count)
        if isSilent {
            // Nobody is there: a finger that comes now is not the one whose lift was lost, though it has its number.
            let _: ContactFrame? = hid?.cancelAll(at: .nanoseconds(now.nanoseconds))
            fingers.removeAll()
            doubtLandings(at: now)
        }
        return count
    }

    /// The device is gone: whoever was told of is cancelled, and nobody is left.
    mutating func end(at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64) {
        _ = giveUp(at: now, into: &queue, ordinal: &ordinal) { _ in true }
        fingers.removeAll()
    }

    /// Nobody knows of its fingers any more: they are dead until they lift.
    mutating func forget() -> Int {
        let count = touching
        for index in fingers.indices { _ = handle(.forgotten, index) }
        return count
    }

    /// Nobody looked for so long that who is down now need not be who was: they are cancelled, and dead until they lift;
    /// and what is read in the next moment has waited since.
    mutating func wasAway(at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64) -> Int {
        doubtLandings(at: now)
        return giveUp(at: now, into: &queue, ordinal: &ordinal) { _ in true }
    }

    private mutating func giveUp(
        at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64, who isOver: (Finger) -> Bool
    ) -> Int {
        var contacts: [DeviceContact] = []
        var count = 0
        for index in fingers.indices where fingers[index].state == .told {
            if isOver(fingers[index]) {
                count += 1
                if let contact = handle(.givenUp, index) { contacts.append(contact) }
            } else {
                contacts.append(fingers[index].contact)
                contacts[contacts.count - 1].phase = .stationary
            }
        }
        guard count > 0 else { return 0 }
        lastMoment = max(lastMoment, now)
        ordinal += 1
        let frame = ContactFrame(time: .nanoseconds(now.nanoseconds), contacts: contacts)
        queue.append(ScanQueue.Scan(frame: frame, moment: lastMoment, opening: opening, ordinal: ordinal))
        return count
    }
}
