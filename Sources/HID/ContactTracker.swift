// ContactTracker.swift: the contacts of one touch application, collected from its reports into frames.
//
// Station   device
// Input     TouchReportDecoder, one report at a time
// Output    the contacts of each complete frame
// Knows     plans of reports. No descriptor, no other application.
//
// Sources   as TouchReportDecoder.swift

import Basics

/// The contacts of one application, from the report that lands them to the frame that lifts them.
struct ContactTracker: Sendable {
    /// The part of the current frame that has arrived.
    private struct FrameProgress {
        /// The contacts that arrived, the contacts that the reports had room for, and the contacts that were announced.
        var received = 0
        var offered = 0
        var expected = 0
    }

    /// One contact of the device.
    struct Contact: Sendable {
        var id: Int64
        var machine = TouchReportContact()
        /// The decision of the current frame about the contact.
        var decision = TouchReportContact.Decision.nothing
        /// Whether the current frame has the contact.
        var isMentioned = false
        /// Whether a frame has reported that the contact is down.
        var isDown = false
        /// The number of landings that were reported before this one.
        var landing = 0
        /// The position in the last frame, and in the current one.
        var x, y: Int32
        var newX, newY: Int32
        var attributes: ContactAttributes

        /// Applies one report of the contact.
        mutating func apply(
            _ input: TouchReportContact.Input, x: Int32, y: Int32, _ attributes: ContactAttributes
        ) -> TouchReportContact.Decision {
            isMentioned = true
            decision = machine.handle(input)
            (newX, newY, self.attributes) = (x, y, attributes)
            return decision
        }

        /// The contact as the frame reports it; nil if the frame does not report it.
        mutating func report(_ landings: inout Int) -> DeviceContact? {
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

    /// The first contact number of the application, so that no two applications share a number.
    let base: Int64
    /// Fingers and palms in order of landing.
    var contacts: [Contact] = []
    /// The landing numbers of the contacts in the last frame, if there are other applications.
    private(set) var reportedLandings: [Int] = []
    private let hasOtherApplications: Bool
    private var progress = FrameProgress()
    private var clock = ScanClock()
    /// Whether a frame has needed more than one report of several contacts.
    private(set) var isHybrid = false
    /// Whether the device has ever reported confidence: some devices declare Confidence and never set it.
    private var isConfident = false
    private(set) var duplicates = 0
    private(set) var ignored = 0
    private(set) var palms = 0
    /// The index after the contact that was found last. Reports mostly list contacts in the same order.
    private var hint = 0

    /// The largest number of contacts that are stored, palms included. A palm beyond it is new in every report.
    private static let contactLimit = HIDEvent.fingerLimit * 2

    init(base: Int64, hasOtherApplications: Bool) {
        (self.base, self.hasOtherApplications) = (base, hasOtherApplications)
    }

    /// The number of contacts that are down.
    var downContactCount: Int { contacts.count { $0.isDown } }

    /// The device's own clock since its first report; nil if it has none.
    var scanTime: Duration? { clock.time }

    /// Whether a frame has begun and is not complete.
    var isUnfinished: Bool { progress.offered > 0 }

    /// Whether a report begins another frame although the current one is not complete.
    ///
    /// Some devices repeat the count in each report of a frame. So another frame needs another count, another scan
    /// time, or a contact that the current frame already has. Devices that send one finger at a time keep counting: for
    /// them only the repeated contact decides.
    func isInterrupted(by report: Span<UInt8>, _ plan: ReportPlan, _ slots: [SlotPlan]) -> Bool {
        let bits = report.count * 8
        guard plan.contactCount.isIn(bits) else { return false }
        let count = Int(plan.contactCount.value(in: report))
        guard count > 0 else { return false }
        if plan.slots.count > 1 {
            if count != progress.expected { return true }
            if plan.scanTime.isIn(bits), plan.scanTime.value(in: report) != clock.value { return true }
        }
        return plan.slots.prefix(count).contains { index in
            guard slots[index].end <= bits else { return false }
            let id = contactID(in: report, slots[index], at: index - plan.slots.lowerBound)
            return contacts.contains { $0.id == id && $0.isMentioned && $0.machine.state != .away }
        }
    }

    /// Adds the contacts of one report to the current frame.
    ///
    /// - Returns: Whether the frame is complete.
    mutating func add(
        _ report: Span<UInt8>, _ plan: ReportPlan, _ slots: [SlotPlan], _ options: TouchReportDecoder.Options,
        at time: Duration, isWindows8: Bool
    ) -> Bool {
        let bits = report.count * 8
        let hasNewScanTime = plan.scanTime.isIn(bits) && clock.tick(to: plan.scanTime.value(in: report), at: time, plan)
        // A count that is cut off does not count: every complete contact is taken.
        let hasCount = plan.contactCount.isIn(bits)
        let isFirst = progress.offered == 0
        if hasCount {
            let count = Int(plan.contactCount.value(in: report))
            if count > 0 {
                progress.expected = count
                if count > plan.slots.count, plan.slots.count > 1 { isHybrid = true }
            } else if isFirst, isWindows8, hasNewScanTime {
                progress.expected = 0
            } else if isFirst, plan.slots.count > 1 {
                // No report has announced more contacts.
                progress.expected = min(progress.expected, plan.slots.count)
            }
        } else if isFirst, plan.contactCount.isAbsent {
            progress.expected = 0
        }
        if !isConfident { isConfident = plan.slots.contains { slots[$0].isConfident(in: report, of: bits) } }
        let isGated = hasCount && plan.slots.count > 1
        progress.offered += plan.slots.count
        for index in plan.slots {
            if isGated, progress.received >= progress.expected { break }
            // A contact that is cut off was present.
            if slots[index].end > bits || addContact(report, slots[index], at: index - plan.slots.lowerBound, options) {
                progress.received += 1
            }
        }
        return progress.offered >= progress.expected
    }

    private func contactID(in report: Span<UInt8>, _ slot: SlotPlan, at place: Int) -> Int64 {
        base + (slot.id.isAbsent ? Int64(place) : slot.id.value(in: report) & 0xFFFF_FFFF)
    }

    /// Adds one contact of a report.
    ///
    /// - Returns: False if the frame already had this contact.
    private mutating func addContact(
        _ report: Span<UInt8>, _ slot: SlotPlan, at place: Int, _ options: TouchReportDecoder.Options
    ) -> Bool {
        let id = contactID(in: report, slot, at: place)
        guard slot.tip.value(in: report) != 0 else { return lift(id) }
        let isPalm = isConfident && !slot.confidence.isAbsent && slot.confidence.value(in: report) == 0
        var attributes = slot.fields.isEmpty ? ContactAttributes() : slot.fields.attributes(in: report)
        if isPalm { attributes.tool = .palm }
        return touch(
            id, isPalm && options.palms == .cancel ? .isPalm : .touches, x: slot.x.coordinate(in: report),
            y: slot.y.coordinate(in: report), attributes)
    }

    /// The index of the contact that has this number and has not lifted.
    private mutating func index(of id: Int64) -> Int? {
        var index = hint
        if index >= contacts.count || contacts[index].id != id || contacts[index].machine.state == .away {
            index = 0
            while index < contacts.count, contacts[index].id != id || contacts[index].machine.state == .away {
                index += 1
            }
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
        if contacts[index].apply(input, x: x, y: y, attributes) == .cancel { palms += 1 }
        return true
    }

    private mutating func land(
        _ id: Int64, _ input: TouchReportContact.Input, x: Int32, y: Int32, _ attributes: ContactAttributes
    ) {
        let touching = contacts.count { $0.machine.state == .touching }
        guard contacts.count < Self.contactLimit, touching < HIDEvent.fingerLimit || input == .isPalm else {
            ignored += 1
            return
        }
        var contact = Contact(id: id, x: x, y: y, newX: x, newY: y, attributes: attributes)
        _ = contact.apply(input, x: x, y: y, attributes)
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
        contacts[index].decision = contacts[index].machine.handle(.lifts)
        return true
    }

    /// Ends the current frame and returns its contacts.
    ///
    /// - Parameter landings: The number of reported landings, which grows by the frame's.
    mutating func commit(absentMeansLifted: Bool, _ landings: inout Int) -> [DeviceContact] {
        (progress.received, progress.offered, hint) = (0, 0, 0)
        reportedLandings.removeAll(keepingCapacity: true)
        guard !contacts.isEmpty else { return [] }
        var hasLeft = false
        let told = [DeviceContact](unsafeUninitializedCapacity: contacts.count) { told, count in
            for index in contacts.indices {
                if absentMeansLifted, !contacts[index].isMentioned {
                    contacts[index].decision = contacts[index].machine.handle(.isMissing)
                }
                if let contact = contacts[index].report(&landings) {
                    told.initializeElement(at: count, to: contact)
                    count += 1
                    if hasOtherApplications { reportedLandings.append(contacts[index].landing) }
                }
                if contacts[index].machine.state == .away { hasLeft = true }
            }
        }
        if hasLeft { contacts.removeAll { $0.machine.state == .away } }
        return told
    }

    /// Appends the contacts that are down, at their last positions.
    func appendDownContacts(to told: inout [(landing: Int, contact: DeviceContact)], as phase: DeviceContact.Phase) {
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
            (progress.received, progress.offered, hint) = (0, 0, 0)
        }
        return contacts.compactMap {
            guard $0.isDown else { return nil }
            return DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y, attributes: $0.attributes)
        }
    }
}
