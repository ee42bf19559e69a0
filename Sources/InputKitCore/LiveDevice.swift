// LiveDevice.swift: one open device: turns its bytes into scans, and ends contacts that are stuck.
//
// Station   device
// Input     LiveDevices
// Output    scans for the ScanQueue
// Knows     one device. No path, no link, no other device.
//
//     bytes ─▶ EvdevTracker or TouchReportDecoder ─▶ scan ─▶ LiveContact, once per contact ─▶ ScanQueue
//                 ▲                                             ▲
//                 └─ slots, after events were lost              └─ silence, a contact that does not change, no server
//
// An evdev scan keeps its CLOCK_MONOTONIC stamp, clamped between the last stamp and now. A hidraw report has no such
// stamp, so the time of the read counts: a panel's scan time is in units of a drifting oscillator. hidraw and protocol A
// report positions, not landings. A contact that appears right after the opening or a loss may be older: it is ignored.
//
// Sources   documented  kernel event-codes.rst: after SYN_DROPPED everything up to SYN_REPORT is void, then ask
//           observed    Linux hid-multitouch: only panels of the Windows 8 class have a limit for silence
//           invented    the watchdogs and their times; the time for which landings are in doubt

import Basics
import HID
import Hosting
import Recordings

/// One open touch device.
struct LiveDevice: Sendable {
    /// The interpretation of a device, and the time limits of its contacts.
    struct Rules: Sendable {
        var palms: RecordingOptions.Palms
        var absentMeansLifted: Bool
        /// The longest silence of a hidraw panel that must report its contacts; nil for no limit.
        var reportSilence: Duration?
        /// The longest time for which a contact may stay unchanged; nil for no limit.
        var stuckFinger: Duration?
    }

    /// The counters of a device.
    struct Counters: Sendable {
        /// Scans of the device, without empty ones.
        var scans: UInt64 = 0
        /// Stamps that were earlier than the one before them, or later than now.
        var clamped: UInt64 = 0
        /// Requests for the device's slots.
        var resyncs: UInt64 = 0
        /// Contacts that were cancelled because no report came or none changed them.
        var stuck: UInt64 = 0
        /// Contacts that landed while the queue was full.
        var refused: UInt64 = 0
        /// Contacts that landed without a server, or that may have been down before.
        var ignored: UInt64 = 0

        static func + (a: Counters, b: Counters) -> Counters {
            Counters(
                scans: a.scans + b.scans, clamped: a.clamped + b.clamped, resyncs: a.resyncs + b.resyncs,
                stuck: a.stuck + b.stuck, refused: a.refused + b.refused, ignored: a.ignored + b.ignored)
        }
    }

    /// A contact that is down.
    private struct TrackedContact: Sendable {
        var contact: DeviceContact
        var state = LiveContact.State.up
        var changed: Instant

        /// Updates a contact that was down already, with one access to the list of contacts.
        ///
        /// - Parameters:
        ///   - reported: The contact of the scan; then the contact for the server.
        ///   - isOver: Whether the contact ends in the scan.
        ///   - now: The time of the scan.
        ///   - changesServer: Becomes true if the scan changes the server's state.
        /// - Returns: Whether the server receives the contact.
        mutating func update(
            with reported: inout DeviceContact, _ isOver: Bool, now: Instant, changesServer: inout Bool
        ) -> Bool {
            // Attributes may change without a move.
            let hasChanged =
                contact.x != reported.x || contact.y != reported.y || contact.attributes != reported.attributes
            if hasChanged { changed = now }
            if state == .reported, hasChanged || isOver { changesServer = true }
            let input: LiveContact.Input =
                switch reported.phase {
                case .began, .moved, .stationary: .held
                case .ended: .ended
                case .cancelled: .cancelled
                }
            // The coordinates of a lift are not the contact's.
            if isOver { reported = contact } else if hasChanged { contact = reported }
            return handle(input, of: &reported)
        }

        /// Applies an input.
        ///
        /// - Parameters:
        ///   - input: The input.
        ///   - reported: The contact; then with its phase for the server.
        /// - Returns: Whether the server receives the contact.
        mutating func handle(_ input: LiveContact.Input, of reported: inout DeviceContact) -> Bool {
            guard let (next, decision) = LiveContact.transition(from: state, on: input) else {
                preconditionFailure("a live finger cannot take \(input) while \(state)")
            }
            state = next
            switch decision {
            case .begin: reported.phase = .began
            case .update: if reported.phase == .began { reported.phase = .moved }
            case .end: reported.phase = .ended
            case .cancel: reported.phase = .cancelled
            case .nothing: return false
            }
            return true
        }
    }

    /// The reporting properties of a kind of device.
    private struct Traits: Sendable {
        /// Whether its stamps are CLOCK_MONOTONIC.
        let stampsAreMonotonic: Bool
        /// Whether it reports landings, and not only positions.
        let reportsLandings: Bool
        /// Whether it must report as long as a contact is down.
        let mustReport: Bool
        /// Whether a read returns whole events: true if the slots can be requested, false for a FIFO.
        let readsWholeEvents: Bool
    }

    /// What LiveDevices must do after a read.
    enum FollowUp: Equatable, Sendable { case nothing, resync }

    let id: DeviceID
    let opening: Opening
    private(set) var counters = Counters()

    private let rules: Rules
    private let traits: Traits
    /// The time until which a contact that appears may have been down before.
    private var landingsInDoubtUntil: Instant?
    // One of the two is set. They are no enum, because a payload that is taken out to be changed is copied.
    private var evdev: EvdevTracker?
    private var hid: TouchReportDecoder?
    /// The parser of evdev bytes, which keeps an incomplete event.
    private var parser = EvdevEvents()
    /// The contacts that are down, ignored ones too, in order of landing.
    private var trackedContacts: [TrackedContact] = []
    /// Whether the slots were requested and have not arrived. Reports do not count until then.
    private var isResyncing = false
    private var lastMoment = Instant.boot
    private var lastReadAt: Instant
    /// Storage of the events and frames of one read, which is kept for the next read.
    private var storage: (events: [EvdevEvent], frames: [ContactFrame]) = ([], [])

    /// A panel reports a contact every 16 ms or sooner. A touch that really lands in this time is ignored too.
    static let landingDoubtDuration = Duration.milliseconds(100)

    /// - Returns: Nil for a device without touch.
    init?(
        _ id: DeviceID, _ facts: DeviceFacts, sender: UInt64, number: UInt32, rules: Rules, display: DisplayID = 1,
        at now: Instant
    ) {
        (self.id, self.rules, lastReadAt) = (id, rules, now)
        var description: DeviceDescription
        switch facts {
        case .evdev(let facts):
            guard facts.contactProtocol != nil else { return nil }
            description = facts.description
            traits = Traits(
                stampsAreMonotonic: facts.stampsAreMonotonic, reportsLandings: facts.contactProtocol != .groups,
                mustReport: false,
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
                stampsAreMonotonic: false, reportsLandings: false, mustReport: decoder.layouts.isWindows8,
                readsWholeEvents: true)
            hid = decoder
        }
        opening = Opening(
            sender: sender, number: number, ranges: description.ranges ?? RecordingReader.assumedRanges,
            description: description, display: display)
        // Contacts that were down before the opening are ignored: their landing is unknown.
        if case .evdev(let facts) = facts, let slots = facts.slots { adopt(slots, at: now) }
        startLandingDoubt(at: now)
    }

    /// Starts the time for which landings are in doubt, for a device that does not report them.
    private mutating func startLandingDoubt(at now: Instant) {
        if !traits.reportsLandings { landingsInDoubtUntil = now.advanced(by: Self.landingDoubtDuration) }
    }

    /// Makes the tracker. After a loss it requests the slots if the device has them, and otherwise cancels its contacts.
    private static func tracker(_ facts: EvdevFacts, _ rules: Rules) -> EvdevTracker {
        EvdevTracker(
            contactProtocol: facts.contactProtocol, slotCount: facts.slotCount ?? EvdevTracker.slotLimit,
            palms: rules.palms,
            onLoss: facts.slots == nil ? .cancel : .ask)
    }

    /// The number of contacts that the server knows.
    var reportedContactCount: Int { trackedContacts.count { $0.state == .reported } }

    // MARK: Reports

    /// Handles the bytes of one read.
    ///
    /// - Parameter hasServer: Whether there is a server for contacts that land now.
    mutating func read(
        _ bytes: [UInt8], at now: Instant, hasServer: Bool, into queue: inout ScanQueue, ordinal: inout UInt64
    ) -> FollowUp {
        lastReadAt = now
        guard !isResyncing else { return .nothing }
        var (events, frames): ([EvdevEvent], [ContactFrame]) = ([], [])
        swap(&events, &storage.events)
        swap(&frames, &storage.frames)
        defer {
            events.removeAll(keepingCapacity: true)
            swap(&events, &storage.events)
            swap(&frames, &storage.frames)
        }
        if hid != nil {
            hid?.decode(bytes.span, at: .nanoseconds(now.nanoseconds), into: &frames)
            appendScans(&frames, now: now, hasServer: hasServer, into: &queue, ordinal: &ordinal)
        }
        guard let losses = evdev?.lossCount else { return .nothing }
        parser.parse(bytes, into: &events)
        if traits.readsWholeEvents { parser.discardPendingBytes() }
        var next = 0
        while next < events.count {
            let outcome = evdev?.handle(events, from: &next, into: &frames)
            if outcome?.lossCount != losses { startLandingDoubt(at: now) }
            appendScans(&frames, now: now, hasServer: hasServer, into: &queue, ordinal: &ordinal)
            guard outcome?.needsState == true else { continue }
            // The remaining events are older than the answer will be.
            isResyncing = true
            counters.resyncs += 1
            return .resync
        }
        return .nothing
    }

    private mutating func appendScans(
        _ frames: inout [ContactFrame], now: Instant, hasServer: Bool, into queue: inout ScanQueue,
        ordinal: inout UInt64
    ) {
        guard !frames.isEmpty else { return }
        for index in frames.indices {
            // The frame is moved out and becomes the scan's, so that its contacts are not copied.
            var frame = ContactFrame(time: .zero, contacts: [])
            swap(&frame, &frames[index])
            let stamp = traits.stampsAreMonotonic ? Instant(nanoseconds: frame.time.nanoseconds) : now
            appendScan(
                frame, at: moment(of: stamp, now), now: now, hasServer: hasServer, into: &queue, ordinal: &ordinal)
        }
        // Most reads have one scan. Removing it alone costs a fraction of removing all.
        if frames.count == 1 { frames.removeLast() } else { frames.removeAll(keepingCapacity: true) }
    }

    /// Clamps a stamp between the last one and now.
    private mutating func moment(of stamp: Instant, _ now: Instant) -> Instant {
        let clamped = max(lastMoment, min(stamp, now))
        if clamped != stamp { counters.clamped += 1 }
        lastMoment = clamped
        return clamped
    }

    private mutating func appendScan(
        _ frame: consuming ContactFrame, at moment: Instant, now: Instant, hasServer: Bool,
        into queue: inout ScanQueue, ordinal: inout UInt64
    ) {
        let isFull = queue.isFull
        let count = frame.contacts.count
        var (changesServer, hasLift) = (false, false)
        // The contacts that the server does not receive are removed in place.
        var reported = 0
        for index in 0..<count {
            hasLift = hasLift || frame.contacts[index].phase == .ended
            let isReported = update(
                &frame.contacts[index], place: index, now: now, hasServer: hasServer, isFull: isFull,
                changesServer: &changesServer)
            guard isReported else { continue }
            if reported < index { frame.contacts[reported] = frame.contacts[index] }
            reported += 1
        }
        if trackedContacts.contains(where: { $0.state == .up }) { trackedContacts.removeAll { $0.state == .up } }
        // All contacts that were down have lifted: a contact that appears now is a landing.
        if hasLift, trackedContacts.isEmpty { landingsInDoubtUntil = nil }
        if count > 0 { counters.scans += 1 }
        guard changesServer, reported > 0 else { return }
        if reported < count { frame.contacts.removeSubrange(reported...) }
        ordinal += 1
        queue.append(ScanQueue.Scan(frame: frame, moment: moment, opening: opening, ordinal: ordinal))
    }

    /// Updates one contact.
    ///
    /// - Parameters:
    ///   - contact: The contact of the scan; then the contact for the server.
    ///   - place: The index of the contact in the scan.
    ///   - changesServer: Becomes true if the scan changes the server's state.
    /// - Returns: Whether the server receives the contact.
    private mutating func update(
        _ contact: inout DeviceContact, place: Int, now: Instant, hasServer: Bool, isFull: Bool,
        changesServer: inout Bool
    ) -> Bool {
        let isOver = contact.phase == .ended || contact.phase == .cancelled
        // A contact that lifted in this scan is not the one that now lands with the same number.
        guard let index = trackedIndex(of: contact.id, near: place) else {
            guard !isOver else { return false }
            trackedContacts.append(TrackedContact(contact: contact, changed: now))
            let isDoubted = landingsInDoubtUntil.map { now < $0 } ?? false
            let isReported = hasServer && !isFull && !isDoubted
            if !hasServer || isDoubted { counters.ignored += 1 } else if isFull { counters.refused += 1 }
            changesServer = changesServer || isReported
            return trackedContacts[trackedContacts.count - 1].handle(
                isReported ? .landed : .landedUnreported, of: &contact)
        }
        return trackedContacts[index].update(with: &contact, isOver, now: now, changesServer: &changesServer)
    }

    /// The index of a contact that is down.
    ///
    /// - Parameter place: The index at which it mostly is: a scan lists the contacts in order of landing.
    private func trackedIndex(of id: Int64, near place: Int) -> Int? {
        if place < trackedContacts.count, trackedContacts[place].contact.id == id,
            trackedContacts[place].state != .up
        {
            return place
        }
        for index in trackedContacts.indices
        where trackedContacts[index].contact.id == id && trackedContacts[index].state != .up {
            return index
        }
        return nil
    }

    // MARK: Lost events

    /// Handles the slots that the device has after a loss; nil if they could not be read.
    mutating func resynchronize(
        _ slots: DeviceSlots?, at now: Instant, hasServer: Bool, into queue: inout ScanQueue, ordinal: inout UInt64
    ) {
        guard isResyncing else { return }
        isResyncing = false
        parser = EvdevEvents()
        startLandingDoubt(at: now)
        var frames: [ContactFrame] = []
        // Without an answer every contact is cancelled. It begins again when it lands.
        evdev?.resynchronize(
            slots: slots.map { Self.states($0) } ?? [], chosen: slots.map { Int($0.current) } ?? 0,
            at: .nanoseconds(now.nanoseconds), into: &frames)
        for frame in frames {
            appendScan(frame, at: moment(of: now, now), now: now, hasServer: hasServer, into: &queue, ordinal: &ordinal)
        }
    }

    /// Adds the contacts that were down before the opening, ignored until lift.
    private mutating func adopt(_ slots: DeviceSlots, at now: Instant) {
        var frames: [ContactFrame] = []
        evdev?.resynchronize(
            slots: Self.states(slots), chosen: Int(slots.current), at: .nanoseconds(now.nanoseconds), into: &frames)
        for contact in frames.flatMap(\.contacts) {
            counters.ignored += 1
            trackedContacts.append(TrackedContact(contact: contact, state: .ignored, changed: now))
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

    /// Lowers a moment to the next time at which a contact may be stuck. `mutating` so that it runs in place, as
    /// LiveDevices' function does.
    mutating func limitDeadline(_ next: inout Instant) {
        if traits.mustReport { limitBySilence(&next) }
        guard !trackedContacts.isEmpty, let limit = rules.stuckFinger else { return }
        var oldest = Instant.never
        for index in trackedContacts.indices where trackedContacts[index].state == .reported {
            oldest = min(oldest, trackedContacts[index].changed)
        }
        if oldest < next { next = min(next, oldest.advanced(by: limit)) }
    }

    /// A function of its own, because the decoder is copied for its number of contacts.
    @inline(never)
    private func limitBySilence(_ next: inout Instant) {
        if let silenceEnds { next = min(next, silenceEnds) }
    }

    /// The time at which the silence of a panel that must report means that its contacts are gone.
    private var silenceEnds: Instant? {
        // Only hidraw panels must report.
        guard traits.mustReport, let silence = rules.reportSilence else { return nil }
        let isUntouched = trackedContacts.isEmpty && hid?.trackedContactCount ?? 0 == 0
        return isUntouched ? nil : lastReadAt.advanced(by: silence)
    }

    /// Cancels the contacts whose time is over.
    ///
    /// - Returns: The number of cancelled contacts.
    mutating func expire(at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64) -> Int {
        let isSilent = silenceEnds.map { now >= $0 } ?? false
        let limit = rules.stuckFinger
        let count = cancel(at: now, into: &queue, ordinal: &ordinal) { finger in
            isSilent || limit.map { now >= finger.changed.advanced(by: $0) } ?? false
        }
        counters.stuck += UInt64(count)
        if isSilent {
            // No contact is down. A contact that appears now may reuse the number of one whose lift was lost.
            let _: ContactFrame? = hid?.cancelAll(at: .nanoseconds(now.nanoseconds))
            trackedContacts.removeAll()
            startLandingDoubt(at: now)
        }
        return count
    }

    /// Ends the device: contacts that the server knows are cancelled.
    mutating func end(at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64) {
        _ = cancel(at: now, into: &queue, ordinal: &ordinal) { _ in true }
        trackedContacts.removeAll()
    }

    /// Makes all contacts ignored until lift, because the server that knew of them is gone.
    ///
    /// - Returns: The number of contacts that the server knew.
    mutating func ignoreAll() -> Int {
        let count = reportedContactCount
        for index in trackedContacts.indices {
            var contact = trackedContacts[index].contact
            _ = trackedContacts[index].handle(.forgotten, of: &contact)
        }
        return count
    }

    /// Cancels all contacts after a suspension and ignores them until lift: other contacts may be down now. Landings
    /// are in doubt for a while, because the next reads return old reports.
    mutating func cancelAfterSuspension(at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64) -> Int {
        startLandingDoubt(at: now)
        return cancel(at: now, into: &queue, ordinal: &ordinal) { _ in true }
    }

    /// Cancels the contacts that satisfy a condition, in one scan with the others unchanged.
    private mutating func cancel(
        at now: Instant, into queue: inout ScanQueue, ordinal: inout UInt64, where isOver: (TrackedContact) -> Bool
    ) -> Int {
        guard trackedContacts.contains(where: { $0.state == .reported && isOver($0) }) else { return 0 }
        var contacts: [DeviceContact] = []
        var count = 0
        for index in trackedContacts.indices where trackedContacts[index].state == .reported {
            if isOver(trackedContacts[index]) {
                count += 1
                var contact = trackedContacts[index].contact
                if trackedContacts[index].handle(.givenUp, of: &contact) { contacts.append(contact) }
            } else {
                contacts.append(trackedContacts[index].contact)
                contacts[contacts.count - 1].phase = .stationary
            }
        }
        lastMoment = max(lastMoment, now)
        ordinal += 1
        let frame = ContactFrame(time: .nanoseconds(now.nanoseconds), contacts: contacts)
        queue.append(ScanQueue.Scan(frame: frame, moment: lastMoment, opening: opening, ordinal: ordinal))
        return count
    }
}
