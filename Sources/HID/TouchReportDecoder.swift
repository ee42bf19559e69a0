// TouchReportDecoder.swift: a HID touch device's input reports as frames of contacts.
//
//     report ──its layout──▶ contacts ──received so many as expected──▶ one frame
//
// A frame may take several reports: a device that has room for fewer contacts than are down sends the count of all in
// the first report of a frame and 0 in the others. So the frame is whole when as many came as the last count that was
// not 0 has announced. A contact that comes twice takes no other's place. A report with room for one contact is never
// held back by the count, since many devices that send one finger at a time say there how many there are.
//
// A report that begins another frame before the last one was whole ends that one: a report was lost, and what came is
// told. One that comes between frames without a count is a frame.
//
// Station   device
// Fed by    HIDRecorderReader, live hidraw devices
// Feeds     FrameAssembler, as contact frames
// Knows     layouts and bits. No vendor, no clock but the device's own.
//
// Sources   documented  Microsoft, touchscreen packet reporting modes
//           observed    Linux hid-multitouch: what completes a frame, who counts twice; recordings: counts beyond
//                       the announced maximum, contacts that vanish and are down still
//           inferred    what a lost report leaves of its frame, which the kernel mixes into the next one

import Basics

/// One frame of one of a device's touch applications.
public struct TouchScan: Hashable, Sendable {
    /// Index among the descriptor's touch applications.
    public var application: Int
    public var frame: ContactFrame

    public init(application: Int, frame: ContactFrame) { (self.application, self.frame) = (application, frame) }
}

public struct TouchReportDecoder: Sendable {
    public struct Options: Hashable, Sendable {
        /// What becomes of a contact the device has no confidence in, once it has had any in another.
        public enum Palms: Sendable {
            /// It never begins, or is cancelled when it becomes one; then nobody hears of it until it lifts.
            case cancel
            /// It is a finger like any other, but for `ContactAttributes.tool`.
            case keep
        }

        /// A contact that is not in a frame has lifted. Without it, it is where it was: most devices need that.
        public var absentMeansLifted = false
        public var palms = Palms.cancel

        public init() {}
    }

    public let descriptor: ReportDescriptor
    public let layouts: TouchReportLayouts
    /// By the descriptor: its name and numbers are the host's to fill in.
    public var description: DeviceDescription

    /// Reports of other kinds than touch, and of ids nobody declared.
    public private(set) var foreignReports = 0
    /// Reports shorter than declared.
    public private(set) var shortReports = 0
    /// Contacts that a frame already had.
    public var duplicates: Int { trackers.reduce(0) { $0 + $1.duplicates } }
    /// Contacts beyond `HIDEvent.fingerLimit`, each time they were reported.
    public var ignoredContacts: Int { trackers.reduce(0) { $0 + $1.ignored } }
    /// Contacts taken for palms.
    public var palms: Int { trackers.reduce(0) { $0 + $1.palms } }

    private let options: Options
    private let plans: [ReportPlan]
    private let slots: [SlotPlan]
    /// The first plan of a report id, or −1. Those of one id follow each other.
    private let firstPlan: [Int16]
    private var trackers: [ContactTracker]
    private var widestReport = 1
    /// Fingers told of so far, of all applications.
    private var landings = 0

    /// Never fails: a descriptor without touch gives no frames, and what of it could be read is used.
    public init(descriptor bytes: [UInt8], options: Options = Options()) {
        self.init(ReportDescriptor(asFarAsReadable: bytes), options: options)
    }

    public init(_ descriptor: ReportDescriptor, options: Options = Options()) {
        (self.descriptor, self.options) = (descriptor, options)
        layouts = TouchReportLayouts(of: descriptor)
        description = layouts.description
        var plans: [ReportPlan] = []
        var slots: [SlotPlan] = []
        var firstPlan = [Int16](repeating: -1, count: 256)
        // Sorting by insertion keeps two applications' halves of one report in order.
        let sorted = layouts.reports.enumerated().sorted {
            ($0.element.reportID ?? 0, $0.offset) < ($1.element.reportID ?? 0, $1.offset)
        }
        for (_, layout) in sorted {
            let id = Int(layout.reportID ?? 0)
            if firstPlan[id] < 0 { firstPlan[id] = Int16(plans.count) }
            plans.append(ReportPlan(layout, slots: slots.count..<slots.count + layout.slots.count))
            slots += layout.slots.map { SlotPlan($0) }
        }
        (self.plans, self.slots, self.firstPlan) = (plans, slots, firstPlan)
        let count = layouts.applicationCount
        trackers = (0..<count).map { ContactTracker(base: Int64($0) << 32, isAmongOthers: count > 1) }
        widestReport = layouts.reports.reduce(0) { max($0, $1.contactsPerReport) }
    }

    /// Whether any of its reports carries contacts.
    public var hasTouch: Bool { !plans.isEmpty }

    /// How it sends its contacts, as far as its reports have shown; nil without touch.
    public var mode: ReportingMode? {
        guard hasTouch else { return nil }
        if widestReport > 1 { return trackers.contains { $0.isHybrid } ? .hybrid : .parallel }
        return layouts.reports.contains { $0.hasContactCount } ? .singleFinger : .serial
    }

    /// How many contacts are down.
    public var touching: Int { trackers.reduce(0) { $0 + $1.touching } }

    /// Contacts that are down as far as it knows, palms too.
    public var remembered: Int { trackers.reduce(0) { $0 + $1.contacts.count } }

    /// Takes one input report, its id included if the device uses ids.
    ///
    /// - Parameters:
    ///   - time: Since the recording's first event; becomes the frame's.
    ///   - scans: Gets a frame when the report completes one: all contacts that are down and those that left.
    public mutating func take(_ report: Span<UInt8>, at time: Duration, into scans: inout [TouchScan]) {
        var index = plan(for: report)
        guard index >= 0 else { return }
        let id = plans[index].id
        while index < plans.count, plans[index].id == id {
            let application = plans[index].application
            if breaksOff(report, plans[index]) { scans.append(scan(application, at: time)) }
            if follow(report, plans[index], at: time) { scans.append(scan(application, at: time)) }
            index += 1
        }
    }

    /// The same as one device, whatever applications it has: contacts of those that did not report stay as they are.
    public mutating func take(_ report: Span<UInt8>, at time: Duration, into frames: inout [ContactFrame]) {
        var index = plan(for: report)
        guard index >= 0 else { return }
        let id = plans[index].id
        while index < plans.count, plans[index].id == id {
            let application = plans[index].application
            if breaksOff(report, plans[index]) { frames.append(frame(application, at: time)) }
            if follow(report, plans[index], at: time) { frames.append(frame(application, at: time)) }
            index += 1
        }
    }

    /// As the one above.
    public mutating func take(_ report: [UInt8], at time: Duration, into scans: inout [TouchScan]) {
        take(report.span, at: time, into: &scans)
    }

    /// As the one above.
    public mutating func take(_ report: [UInt8], at time: Duration, into frames: inout [ContactFrame]) {
        take(report.span, at: time, into: &frames)
    }

    /// The device is gone, or its recording is over: whoever is down is cancelled where last seen.
    ///
    /// What came of an unfinished frame is forgotten.
    ///
    /// - Returns: A frame for each application in which anybody was down.
    public mutating func cancelAll(at time: Duration) -> [TouchScan] {
        trackers.indices.compactMap { application in
            let contacts = trackers[application].cancelAll()
            guard !contacts.isEmpty else { return nil }
            let frame = ContactFrame(time: time, contacts: contacts, scanTime: trackers[application].scanTime)
            return TouchScan(application: application, frame: frame)
        }
    }

    /// The same as one device.
    ///
    /// - Returns: Nil when nobody was down.
    public mutating func cancelAll(at time: Duration) -> ContactFrame? {
        var all: [(landing: Int, contact: DeviceContact)] = []
        for index in trackers.indices {
            trackers[index].rest(into: &all, as: .cancelled)
            _ = trackers[index].cancelAll()
        }
        guard !all.isEmpty else { return nil }
        return ContactFrame(time: time, contacts: Self.inOrder(all))
    }

    /// -1 for one without contacts.
    private mutating func plan(for report: Span<UInt8>) -> Int {
        guard !report.isEmpty else {
            shortReports += 1
            return -1
        }
        let first = Int(firstPlan[descriptor.hasReportIDs ? Int(report[0]) : 0])
        if first < 0 { foreignReports += 1 }
        return first
    }

    private func breaksOff(_ report: Span<UInt8>, _ plan: ReportPlan) -> Bool {
        trackers[plan.application].isUnfinished && trackers[plan.application].isBrokenOff(by: report, plan, slots)
    }

    /// - Returns: Whether the frame is whole.
    private mutating func follow(_ report: Span<UInt8>, _ plan: ReportPlan, at time: Duration) -> Bool {
        if report.count < plan.bytes { shortReports += 1 }
        return trackers[plan.application].follow(
            report, plan, slots, options, at: time, isWindows8: layouts.isWindows8)
    }

    private mutating func commit(_ application: Int) -> [DeviceContact] {
        trackers[application].commit(absentMeansLifted: options.absentMeansLifted, &landings)
    }

    private mutating func scan(_ application: Int, at time: Duration) -> TouchScan {
        let scanTime = trackers[application].scanTime
        return TouchScan(
            application: application,
            frame: ContactFrame(time: time, contacts: commit(application), scanTime: scanTime))
    }

    private mutating func frame(_ application: Int, at time: Duration) -> ContactFrame {
        // Each application's clock began on its own: only the first one's is the device's.
        let scanTime = application == 0 ? trackers[0].scanTime : nil
        var contacts = commit(application)
        if trackers.count > 1 {
            var all = zip(trackers[application].toldLandings, contacts).map { (landing: $0, contact: $1) }
            for other in trackers.indices where other != application {
                trackers[other].rest(into: &all, as: .stationary)
            }
            contacts = Self.inOrder(all)
        }
        return ContactFrame(time: time, contacts: contacts, scanTime: scanTime)
    }

    private static func inOrder(_ contacts: [(landing: Int, contact: DeviceContact)]) -> [DeviceContact] {
        contacts.sorted { $0.landing < $1.landing }.map(\.contact)
    }
}

// MARK: Layouts as fast as they can be read

/// `ReportBits` in eight bytes.
private struct BitPlan: Sendable {
    var offset: UInt32 = 0
    /// 0: the report does not have it.
    var size: UInt8 = 0
    var isSigned = false

    init(_ bits: ReportBits?) {
        guard let bits else { return }
        (offset, size, isSigned) = (UInt32(bits.offset), UInt8(bits.size), bits.isSigned)
    }

    var isAbsent: Bool { size == 0 }

    /// Whether it is there, and whole in so many bits.
    func isIn(_ bits: Int) -> Bool { size > 0 && Int(offset) + Int(size) <= bits }

    /// - Parameter bytes: At least up to its end.
    @inline(__always)
    func value(in bytes: Span<UInt8>) -> Int64 {
        let start = Int(offset >> 3)
        var word: UInt64 = 0
        if start + 8 <= bytes.count {
            word = UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
        } else {
            for index in stride(from: bytes.count - 1, through: start, by: -1) {
                word = word << 8 | UInt64(bytes[index])
            }
        }
        let unused = UInt64(64 - size)
        word = (word >> UInt64(offset & 7)) << unused
        return isSigned ? Int64(bitPattern: word) >> Int64(unused) : Int64(bitPattern: word >> unused)
    }

    @inline(__always)
    func coordinate(in bytes: Span<UInt8>) -> Int32 { Int32(clamping: value(in: bytes)) }

    func attribute(in bytes: Span<UInt8>) -> Int32? { isAbsent ? nil : Int32(clamping: value(in: bytes)) }
}

private struct SlotPlan: Sendable {
    var tip, x, y, id, confidence: BitPlan
    var pressure, width, height, azimuth, tiltX, tiltY: BitPlan
    var end: Int
    var hasAttributes: Bool
    var fullTurn: Int32

    init(_ slot: ContactSlot) {
        (tip, x, y) = (BitPlan(slot.tip), BitPlan(slot.x), BitPlan(slot.y))
        (id, confidence) = (BitPlan(slot.id), BitPlan(slot.confidence))
        (pressure, width, height) = (BitPlan(slot.pressure), BitPlan(slot.width), BitPlan(slot.height))
        (azimuth, tiltX, tiltY) = (BitPlan(slot.azimuth), BitPlan(slot.tiltX), BitPlan(slot.tiltY))
        (end, hasAttributes) = (slot.end, slot.hasAttributes)
        fullTurn = slot.azimuth.map { max(1, $0.axis.maximum) } ?? 1
    }

    func isConfident(in report: Span<UInt8>, of bits: Int) -> Bool {
        confidence.isIn(bits) && confidence.value(in: report) != 0
    }

    func attributes(in report: Span<UInt8>) -> ContactAttributes {
        var attributes = ContactAttributes()
        attributes.pressure = pressure.attribute(in: report)
        let (width, height) = (width.attribute(in: report), height.attribute(in: report))
        if let width, let height {
            (attributes.major, attributes.minor) = (max(width, height), min(width, height))
            attributes.orientation = width > height ? 1 : 0
        } else {
            attributes.major = width ?? height
        }
        if let azimuth = azimuth.attribute(in: report) {
            attributes.azimuth = azimuth
            // Counted against the clock from 0 to a full turn; an orientation goes with it, half a turn either way.
            let (value, turn) = (Int64(azimuth), Int64(fullTurn))
            attributes.orientation = Int32(clamping: value > turn / 2 ? turn - value : -value)
        }
        attributes.tiltX = tiltX.attribute(in: report)
        attributes.tiltY = tiltY.attribute(in: report)
        return attributes
    }
}

private struct ReportPlan: Sendable {
    var id: UInt8
    var application: Int
    var bytes: Int
    var slots: Range<Int>
    var contactCount, scanTime: BitPlan
    /// Nanoseconds.
    var scanTick: Int64
    var scanModulus: Int64
    /// Half of what the clock counts to.
    var halfRound: Duration

    init(_ layout: TouchReportLayout, slots: Range<Int>) {
        (id, application, bytes) = (layout.reportID ?? 0, layout.applicationIndex, layout.reportBytes)
        self.slots = slots
        (contactCount, scanTime) = (BitPlan(layout.contactCount), BitPlan(layout.scanTime))
        (scanTick, scanModulus) = (layout.scanTick, layout.scanModulus)
        halfRound = .nanoseconds(scanTick * scanModulus / 2)
    }

    /// The rounds of the device's clock that a wait must have had: as many as bring it nearest to the wait.
    ///
    /// - Parameter passed: What the clock shows of it, nanoseconds.
    /// - Returns: Nanoseconds, below 2⁶³ together with `passed`.
    func roundsMissed(in wait: Duration, beside passed: Int64) -> Int64 {
        let round = scanTick * scanModulus
        // A century and a half is enough.
        let missing = min(wait.nanoseconds, .max / 2) - passed
        return missing < round / 2 ? 0 : ((missing - round / 2) / round + 1) * round
    }
}

// MARK: One application's contacts

private struct ContactTracker: Sendable {
    struct Contact: Sendable {
        var id: Int64
        var life = TouchReportContact()
        /// What the frame at hand does with it.
        var decision = TouchReportContact.Decision.nothing
        /// Whether the frame at hand has mentioned it.
        var isMentioned = false
        /// Whether a frame has told that it is down.
        var isDown = false
        /// How many fingers had been told of before it.
        var landing = 0
        /// As last told, and as the frame at hand has it.
        var x, y: Int32
        var newX, newY: Int32
        var attributes: ContactAttributes

        mutating func take(
            _ input: TouchReportContact.Input, x: Int32, y: Int32, _ attributes: ContactAttributes
        ) -> TouchReportContact.Decision {
            isMentioned = true
            decision = life.handle(input)
            (newX, newY, self.attributes) = (x, y, attributes)
            return decision
        }

        /// What the frame says of it; nil when it does not concern anybody.
        mutating func tell(_ landings: inout Int) -> DeviceContact? {
            let phase: DeviceContact.Phase
            switch decision {
            case .land:
                (phase, isDown, landing) = (.began, true, landings)
                landings += 1
            case .follow:
                phase = newX == x && newY == y ? .stationary : .moved
                (x, y) = (newX, newY)
            case .lift: (phase, isDown) = (.ended, false)
            case .cancel: (phase, isDown) = (.cancelled, false)
            case .nothing:
                isMentioned = false
                guard isDown else { return nil }
                phase = .stationary
            }
            (decision, isMentioned) = (.nothing, false)
            return DeviceContact(id: id, phase: phase, x: x, y: y, attributes: attributes)
        }
    }

    /// What the application's first contact id is here, so that no two applications share one.
    let base: Int64
    /// In order of landing: fingers and palms.
    var contacts: [Contact] = []
    /// Of those last told, if there are other applications.
    private(set) var toldLandings: [Int] = []
    private let isAmongOthers: Bool
    /// Contacts of the frame at hand, for how many its reports had room, and how many it has.
    private var received = 0
    private var offered = 0
    private var expected = 0
    /// Nanoseconds since the first scan, up to 292 years.
    private var scanned: Int64?
    /// When the clock was last told.
    private var heard = Duration.zero
    /// Whether a frame has needed more than one report of several contacts.
    private(set) var isHybrid = false
    /// Whether the device has ever been confident: some declare Confidence and never set it.
    private var isConfident = false
    private(set) var duplicates = 0
    private(set) var ignored = 0
    private(set) var palms = 0
    private var lastScan: Int64?
    /// Where the contact after the one last mentioned is: contacts are listed in much the same order every time.
    private var hint = 0

    /// Palms are remembered up to a bound, beyond which each is new every time.
    private static let contactLimit = HIDEvent.fingerLimit * 2

    init(base: Int64, isAmongOthers: Bool) { (self.base, self.isAmongOthers) = (base, isAmongOthers) }

    var touching: Int { contacts.count { $0.isDown } }

    /// The device's own clock since its first report; nil when it has none.
    var scanTime: Duration? {
        guard let scanned else { return nil }
        return Duration(
            secondsComponent: scanned / 1_000_000_000, attosecondsComponent: scanned % 1_000_000_000 * 1_000_000_000)
    }

    /// Whether a frame has begun that is not whole.
    var isUnfinished: Bool { offered > 0 }

    /// Whether a report begins another frame, though the one at hand is not whole.
    ///
    /// Some repeat the count in each report of a frame. So it takes another count or another scan time, or a contact
    /// the frame has already; devices that send one finger at a time go on counting, and only that last tells.
    func isBrokenOff(by report: Span<UInt8>, _ plan: ReportPlan, _ slots: [SlotPlan]) -> Bool {
        let bits = report.count * 8
        guard plan.contactCount.isIn(bits) else { return false }
        let count = Int(plan.contactCount.value(in: report))
        guard count > 0 else { return false }
        if plan.slots.count > 1 {
            if count != expected { return true }
            if plan.scanTime.isIn(bits), plan.scanTime.value(in: report) != lastScan { return true }
        }
        return plan.slots.prefix(count).contains { index in
            guard slots[index].end <= bits else { return false }
            let id = contactID(in: report, slots[index], at: index - plan.slots.lowerBound)
            return contacts.contains { $0.id == id && $0.isMentioned && $0.life.state != .away }
        }
    }

    /// Takes one report's contacts.
    ///
    /// - Returns: Whether the frame is whole.
    mutating func follow(
        _ report: Span<UInt8>, _ plan: ReportPlan, _ slots: [SlotPlan], _ options: TouchReportDecoder.Options,
        at time: Duration, isWindows8: Bool
    ) -> Bool {
        let bits = report.count * 8
        let hasNewScanTime = plan.scanTime.isIn(bits) && tick(to: plan.scanTime.value(in: report), at: time, plan)
        // A count that is cut off is no count: whatever came whole is taken.
        let hasCount = plan.contactCount.isIn(bits)
        let isFirst = offered == 0
        if hasCount {
            let count = Int(plan.contactCount.value(in: report))
            if count > 0 {
                expected = count
                if count > plan.slots.count, plan.slots.count > 1 { isHybrid = true }
            } else if isFirst, isWindows8, hasNewScanTime {
                expected = 0
            } else if isFirst, plan.slots.count > 1 {
                // Nobody has announced that there is more to come.
                expected = min(expected, plan.slots.count)
            }
        } else if isFirst, plan.contactCount.isAbsent {
            expected = 0
        }
        if !isConfident { isConfident = plan.slots.contains { slots[$0].isConfident(in: report, of: bits) } }
        let isGated = hasCount && plan.slots.count > 1
        offered += plan.slots.count
        for index in plan.slots {
            if isGated, received >= expected { break }
            // One that is cut off was there.
            if slots[index].end > bits || take(report, slots[index], at: index - plan.slots.lowerBound, options) {
                received += 1
            }
        }
        return offered >= expected
    }

    private func contactID(in report: Span<UInt8>, _ slot: SlotPlan, at place: Int) -> Int64 {
        base + (slot.id.isAbsent ? Int64(place) : slot.id.value(in: report) & 0xFFFF_FFFF)
    }

    /// - Returns: Whether the frame did not have this contact.
    private mutating func take(
        _ report: Span<UInt8>, _ slot: SlotPlan, at place: Int, _ options: TouchReportDecoder.Options
    ) -> Bool {
        let id = contactID(in: report, slot, at: place)
        guard slot.tip.value(in: report) != 0 else { return lift(id) }
        let isPalm = isConfident && !slot.confidence.isAbsent && slot.confidence.value(in: report) == 0
        var attributes = slot.hasAttributes ? slot.attributes(in: report) : ContactAttributes()
        if isPalm { attributes.tool = .palm }
        return touch(
            id, isPalm && options.palms == .cancel ? .isPalm : .touches, x: slot.x.coordinate(in: report),
            y: slot.y.coordinate(in: report), attributes)
    }

    /// - Returns: Whether the device's clock has moved.
    private mutating func tick(to value: Int64, at time: Duration, _ plan: ReportPlan) -> Bool {
        let waited = time - heard
        heard = time
        guard let last = lastScan else {
            (lastScan, scanned) = (value, 0)
            return true
        }
        guard value != last else { return false }
        lastScan = value
        var ticks = value - last
        if ticks < 0 { ticks += plan.scanModulus }
        // Beyond where it should have begun anew, or from one report's field to another's.
        if ticks < 0 || ticks >= plan.scanModulus {
            ticks = (ticks % plan.scanModulus + plan.scanModulus) % plan.scanModulus
        }
        // At most 2³² ticks of a millisecond: only the sums can be too much.
        var passed = ticks * plan.scanTick
        if waited >= plan.halfRound { passed += plan.roundsMissed(in: waited, beside: passed) }
        let sum = (scanned ?? 0).addingReportingOverflow(passed)
        scanned = sum.overflow ? .max : sum.partialValue
        return true
    }

    /// Who has this id and has not lifted.
    private mutating func index(of id: Int64) -> Int? {
        var index = hint
        if index >= contacts.count || contacts[index].id != id || contacts[index].life.state == .away {
            index = 0
            while index < contacts.count, contacts[index].id != id || contacts[index].life.state == .away { index += 1 }
            guard index < contacts.count else { return nil }
        }
        hint = index + 1
        return index
    }

    private mutating func touch(
        _ id: Int64, _ input: TouchReportContact.Input, x: Int32, y: Int32, _ attributes: ContactAttributes
    ) -> Bool {
        guard let index = index(of: id) else {
            land(id, input, x: x, y: y, attributes)
            return true
        }
        guard !contacts[index].isMentioned else {
            duplicates += 1
            return false
        }
        if contacts[index].take(input, x: x, y: y, attributes) == .cancel { palms += 1 }
        return true
    }

    private mutating func land(
        _ id: Int64, _ input: TouchReportContact.Input, x: Int32, y: Int32, _ attributes: ContactAttributes
    ) {
        let touching = contacts.count { $0.life.state == .touching }
        guard contacts.count < Self.contactLimit, touching < HIDEvent.fingerLimit || input == .isPalm else {
            ignored += 1
            return
        }
        var contact = Contact(id: id, x: x, y: y, newX: x, newY: y, attributes: attributes)
        _ = contact.take(input, x: x, y: y, attributes)
        if input == .isPalm { palms += 1 }
        contacts.append(contact)
    }

    private mutating func lift(_ id: Int64) -> Bool {
        guard let index = index(of: id) else { return true }
        guard !contacts[index].isMentioned else {
            duplicates += 1
            return false
        }
        contacts[index].isMentioned = true
        contacts[index].decision = contacts[index].life.handle(.lifts)
        return true
    }

    /// - Parameter landings: Goes on with those the frame tells of.
    mutating func commit(absentMeansLifted: Bool, _ landings: inout Int) -> [DeviceContact] {
        (received, offered, hint) = (0, 0, 0)
        toldLandings.removeAll(keepingCapacity: true)
        guard !contacts.isEmpty else { return [] }
        var hasLeft = false
        let told = [DeviceContact](unsafeUninitializedCapacity: contacts.count) { told, count in
            for index in contacts.indices {
                if absentMeansLifted, !contacts[index].isMentioned {
                    contacts[index].decision = contacts[index].life.handle(.isMissing)
                }
                if let contact = contacts[index].tell(&landings) {
                    told.initializeElement(at: count, to: contact)
                    count += 1
                    if isAmongOthers { toldLandings.append(contacts[index].landing) }
                }
                if contacts[index].life.state == .away { hasLeft = true }
            }
        }
        if hasLeft { contacts.removeAll { $0.life.state == .away } }
        return told
    }

    /// Adds whoever is down, where last told.
    func rest(into told: inout [(landing: Int, contact: DeviceContact)], as phase: DeviceContact.Phase) {
        for contact in contacts where contact.isDown {
            told.append(
                (
                    contact.landing,
                    DeviceContact(
                        id: contact.id, phase: phase, x: contact.x, y: contact.y, attributes: contact.attributes)
                ))
        }
    }

    mutating func cancelAll() -> [DeviceContact] {
        defer {
            contacts.removeAll(keepingCapacity: true)
            (received, offered, hint) = (0, 0, 0)
        }
        return contacts.compactMap {
            guard $0.isDown else { return nil }
            return DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y, attributes: $0.attributes)
        }
    }
}
