// TouchReportDecoder.swift: decodes the input reports of a HID touch device into frames of contacts.
//
// Station   device
// Input     HIDRecorderReader, live hidraw devices
// Output    contact frames for FrameAssembler
// Knows     layouts and bits. No vendor, no clock but the device's own.
//
//     report ──its layout──▶ contacts ──as many as expected──▶ one frame
//
// A frame may take several reports. A device with room for fewer contacts than are down sends the count of all in the
// first report and 0 in the others. The frame is complete when as many contacts came as the last count that was not 0.
// A repeated contact does not count. A report of one contact never waits for the count, which many devices misuse.
// A report that begins another frame ends an incomplete one, because a report was lost; its contacts are reported.
// A report that comes between frames without a count is a frame.
//
// Sources   documented  Microsoft, touchscreen packet reporting modes
//           observed    Linux hid-multitouch: the completion of a frame, repeated contacts; recordings: counts beyond
//                       the announced maximum, contacts that vanish and are down still
//           inferred    what a lost report leaves of its frame, which the kernel mixes into the next one

import Basics

/// One frame of one of a device's touch applications.
public struct TouchScan: Hashable, Sendable {
    /// The index among the descriptor's touch applications.
    public var application: Int
    public var frame: ContactFrame

    public init(application: Int, frame: ContactFrame) { (self.application, self.frame) = (application, frame) }
}

/// The decoder of one device's reports.
public struct TouchReportDecoder: Sendable {
    /// The interpretation of contacts that reports leave open.
    public struct Options: Hashable, Sendable {
        /// The treatment of a contact without confidence, once the device has reported confidence in any contact.
        public enum Palms: Sendable {
            /// It never begins, or is cancelled when it becomes a palm. Then it is ignored until lift.
            case cancel
            /// It counts as a finger, and `ContactAttributes.tool` is `palm`.
            case keep
        }

        /// Whether a contact that is missing from a frame has lifted. Most devices need false: the contact stays.
        public var absentMeansLifted = false
        public var palms = Palms.cancel

        public init() {}
    }

    public let descriptor: ReportDescriptor
    public let layouts: TouchReportLayouts
    /// The description by the descriptor. The host adds name and numbers.
    public var description: DeviceDescription

    /// The number of reports that have no contacts, or an undeclared id.
    public private(set) var foreignReports = 0
    /// The number of reports that are shorter than declared.
    public private(set) var shortReports = 0
    /// The number of contacts that a frame already had.
    public var duplicates: Int { trackers.reduce(0) { $0 + $1.duplicates } }
    /// The number of reported contacts beyond `HIDEvent.fingerLimit`.
    public var ignoredContacts: Int { trackers.reduce(0) { $0 + $1.ignored } }
    /// The number of contacts that were palms.
    public var palms: Int { trackers.reduce(0) { $0 + $1.palms } }

    private let options: Options
    private let plans: [ReportPlan]
    private let slots: [SlotPlan]
    /// The index of the first plan of a report id, or −1. Plans of one id are adjacent.
    private let firstPlan: [Int16]
    private var trackers: [ContactTracker]
    private var widestReport = 1
    /// The number of reported landings of all applications.
    private var landings = 0

    /// Makes a decoder for a descriptor, of which the readable part is used. Without touch it decodes no frames.
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
        // The order of declaration keeps two applications' halves of one report in order.
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
        trackers = (0..<count).map { ContactTracker(base: Int64($0) << 32, hasOtherApplications: count > 1) }
        widestReport = layouts.reports.reduce(0) { max($0, $1.contactsPerReport) }
    }

    /// Whether any report has contacts.
    public var hasTouch: Bool { !plans.isEmpty }

    /// The reporting mode as far as the reports have shown it; nil without touch.
    public var mode: ReportingMode? {
        guard hasTouch else { return nil }
        if widestReport > 1 { return trackers.contains { $0.isHybrid } ? .hybrid : .parallel }
        return layouts.reports.contains { $0.hasContactCount } ? .singleFinger : .serial
    }

    /// The number of contacts that are down.
    public var downContactCount: Int { trackers.reduce(0) { $0 + $1.downContactCount } }

    /// The number of contacts that are down as far as known, palms included.
    public var trackedContactCount: Int { trackers.reduce(0) { $0 + $1.contacts.count } }

    /// Decodes one input report, with its id if the device uses ids.
    ///
    /// - Parameters:
    ///   - report: One input report.
    ///   - time: The time of the frame, since the recording's first event.
    ///   - scans: Receives a frame when the report completes one: all contacts that are down and those that have lifted.
    public mutating func decode(_ report: Span<UInt8>, at time: Duration, into scans: inout [TouchScan]) {
        var index = plan(for: report)
        guard index >= 0 else { return }
        let id = plans[index].id
        while index < plans.count, plans[index].id == id {
            let application = plans[index].application
            if isInterrupted(by: report, plans[index]) { scans.append(scan(application, at: time)) }
            if add(report, plans[index], at: time) { scans.append(scan(application, at: time)) }
            index += 1
        }
    }

    /// Decodes one report for all applications as one device: contacts of the applications without a report stay.
    public mutating func decode(_ report: Span<UInt8>, at time: Duration, into frames: inout [ContactFrame]) {
        var index = plan(for: report)
        guard index >= 0 else { return }
        let id = plans[index].id
        while index < plans.count, plans[index].id == id {
            let application = plans[index].application
            if isInterrupted(by: report, plans[index]) { frames.append(frame(application, at: time)) }
            if add(report, plans[index], at: time) { frames.append(frame(application, at: time)) }
            index += 1
        }
    }

    /// Decodes one report given as an array.
    public mutating func decode(_ report: [UInt8], at time: Duration, into scans: inout [TouchScan]) {
        decode(report.span, at: time, into: &scans)
    }

    /// Decodes one report given as an array, for all applications as one device.
    public mutating func decode(_ report: [UInt8], at time: Duration, into frames: inout [ContactFrame]) {
        decode(report.span, at: time, into: &frames)
    }

    /// Cancels every contact at its last position, because the device is gone or its recording is over.
    ///
    /// The contacts of an incomplete frame are dropped.
    ///
    /// - Returns: A frame for each application with a contact that was down.
    public mutating func cancelAll(at time: Duration) -> [TouchScan] {
        trackers.indices.compactMap { application in
            let contacts = trackers[application].cancelAll()
            guard !contacts.isEmpty else { return nil }
            let frame = ContactFrame(time: time, contacts: contacts, scanTime: trackers[application].scanTime)
            return TouchScan(application: application, frame: frame)
        }
    }

    /// Cancels every contact, for all applications as one device.
    ///
    /// - Returns: Nil if no contact was down.
    public mutating func cancelAll(at time: Duration) -> ContactFrame? {
        var all: [(landing: Int, contact: DeviceContact)] = []
        for index in trackers.indices {
            trackers[index].appendDownContacts(to: &all, as: .cancelled)
            _ = trackers[index].cancelAll()
        }
        guard !all.isEmpty else { return nil }
        return ContactFrame(time: time, contacts: Self.inOrder(all))
    }

    /// The first plan of a report; −1 for a report without contacts.
    private mutating func plan(for report: Span<UInt8>) -> Int {
        guard !report.isEmpty else {
            shortReports += 1
            return -1
        }
        let first = Int(firstPlan[descriptor.hasReportIDs ? Int(report[0]) : 0])
        if first < 0 { foreignReports += 1 }
        return first
    }

    private func isInterrupted(by report: Span<UInt8>, _ plan: ReportPlan) -> Bool {
        trackers[plan.application].isUnfinished && trackers[plan.application].isInterrupted(by: report, plan, slots)
    }

    /// - Returns: Whether the frame is complete.
    private mutating func add(_ report: Span<UInt8>, _ plan: ReportPlan, at time: Duration) -> Bool {
        if report.count < plan.bytes { shortReports += 1 }
        return trackers[plan.application].add(
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
        // Each application's clock began at its own time: only the first one's is the device's.
        let scanTime = application == 0 ? trackers[0].scanTime : nil
        var contacts = commit(application)
        if trackers.count > 1 {
            var all = zip(trackers[application].reportedLandings, contacts).map { (landing: $0, contact: $1) }
            for other in trackers.indices where other != application {
                trackers[other].appendDownContacts(to: &all, as: .stationary)
            }
            contacts = Self.inOrder(all)
        }
        return ContactFrame(time: time, contacts: contacts, scanTime: scanTime)
    }

    private static func inOrder(_ contacts: [(landing: Int, contact: DeviceContact)]) -> [DeviceContact] {
        contacts.sorted { $0.landing < $1.landing }.map(\.contact)
    }
}
