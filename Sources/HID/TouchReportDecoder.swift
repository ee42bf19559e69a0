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
