// DigitizerDriver.swift: the events that Apple's own driver makes of a HID touch device's reports.
//
// Station   device → hid
// Input     reports, from HIDRecorderReader
// Output    events as IOKit would have them. The pipeline itself uses TouchReportDecoder and FrameAssembler, which follow
//           contacts. This driver follows collections; a contact may change its collection from report to report.
// Knows     elements and transducers. No contact, no scan: each report is its own event.
//
//     report ─▶ elements ─┬─ not changed: does not count
//                         └─ changed ─▶ transducers ─┬─ collection dispatch: a child each ─▶ one event, their OR
//                                                    └─ transducer dispatch: an event each, around its own copy
//
// A transducer is a collection of the descriptor with its elements: a finger, a stylus, the whole screen. A child's mask
// has the changes since the transducer's last child, and its options the state. A child without touch and range is omitted.
//
// Sources   documented  IOHIDFamily 1915.140.3 IOHIDEventDriver.cpp (elements, masks, centroid, scan time), IOHIDEvent.cpp
//                       (identity, radii), 1446.140.2 IOHIDEventService.cpp (dispatch of one transducer on a phone)
//           inferred    a value outside its null-state range counts; z is kept like x and y, though the driver forgets it
//           invented    the limits; Apple's vendor page (a cancel of all touches) is not read

public import Basics

/// Apple's driver for HID digitizers.
public struct DigitizerDriver: Sendable {
    /// The distribution of transducers over events.
    public enum Dispatch: Sendable {
        /// One event has all transducers of a report.
        case collection
        /// Each transducer has its own event, as on phones for devices without Untouch.
        case transducer
    }

    public let dispatch: Dispatch
    public let senderID: UInt64
    public let generationCount: UInt32

    private let usesReportIDs: Bool
    private var elements: [DigitizerElement] = []
    private var transducers: [Transducer] = []
    /// The index of the scan time in `elements`.
    private var scanTime: Int?
    private var centroid = Point<DigitizerSpace>.zero
    /// The state of the service, which all transducers share.
    private var service = Transducer.State()

    /// The largest number of elements of all transducers. No known device has as many.
    static let elementLimit = 4096

    /// - Parameters:
    ///   - descriptor: The descriptor of the device.
    ///   - dispatch: Nil for the one that the descriptor implies: by collections if it has Untouch.
    ///   - senderID: The number of the device in its events.
    ///   - generationCount: The number of the opening in its events.
    public init(
        _ descriptor: ReportDescriptor, dispatch: Dispatch? = nil, senderID: UInt64 = 0, generationCount: UInt32 = 0
    ) {
        usesReportIDs = descriptor.hasReportIDs
        (self.senderID, self.generationCount) = (senderID, generationCount)
        var hasUntouch = false
        // The index in `transducers` for each collection.
        var places: [Int: Int] = [:]
        var valuesLeft = TouchReportLayouts.allValuesLimit
        for field in descriptor.fields where field.kind == .input && field.flags.contains(.variable) {
            guard let owner = Transducer.collection(of: field.collection, in: descriptor) else { continue }
            let usage = descriptor.collections[owner].usage
            let isSettings = usage.usage == DigitizerUsage.deviceSettings
            guard !isSettings, usage.usage != DigitizerUsage.gestureCharacter else { continue }
            let usages = field.usages(first: min(valuesLeft, TouchReportLayouts.valueLimit), repeatsLast: true)
            valuesLeft -= usages.count
            for (index, value) in usages.enumerated() where elements.count < Self.elementLimit {
                guard let element = DigitizerElement(field, index: index, value) else { continue }
                if element.role == .untouch { hasUntouch = true }
                if element.role == .scanTime { scanTime = elements.count }
                if let known = places[owner] {
                    transducers[known].elements.append(elements.count)
                } else {
                    places[owner] = transducers.count
                    transducers.append(
                        Transducer(collection: owner, kind: .of(usage.usage), elements: [elements.count]))
                }
                elements.append(element)
            }
        }
        self.dispatch = dispatch ?? (hasUntouch ? .collection : .transducer)
    }

    /// Whether the descriptor has any transducer.
    public var hasTransducers: Bool { !transducers.isEmpty }

    /// Handles one report.
    ///
    /// - Parameters:
    ///   - report: One report, with its id if the device uses ids. A value that is cut off does not change.
    ///   - moment: The time stamp of the events.
    ///   - events: Receives the events of the report, if any.
    public mutating func handle(_ report: Span<UInt8>, at moment: Instant, into events: inout [HIDEvent]) {
        var (id, start) = (UInt8(0), 0)
        if usesReportIDs {
            guard report.count > 0 else { return }
            (id, start) = (report[0], 1)
        }
        for index in elements.indices where elements[index].reportID == id {
            elements[index].read(report, from: start)
        }
        switch dispatch {
        case .collection:
            if let event = collectionEvent(ofReport: id, at: moment) { events.append(event) }
        case .transducer:
            for index in transducers.indices {
                if let event = transducerEvent(index, ofReport: id, at: moment) { events.append(event) }
            }
        }
    }

    /// Returns the event of one report. With several transducers on transducer dispatch, it is the first one's.
    public mutating func handle(_ report: [UInt8], at moment: Instant) -> HIDEvent? {
        var events: [HIDEvent] = []
        handle(report.span, at: moment, into: &events)
        return events.first
    }

    // MARK: All transducers in one event

    private mutating func collectionEvent(ofReport id: UInt8, at moment: Instant) -> HIDEvent? {
        var children: [DigitizerEvent] = []
        for index in transducers.indices where children.count < HIDEvent.fingerLimit {
            if let child = child(of: index, ofReport: id) { children.append(child) }
        }
        guard !children.isEmpty else { return nil }
        var parent = Self.made(.finger, index: 0, generation: generationCount)
        parent.options.insert(.isCollection)
        var touching = Sum()
        var near = Sum()
        for child in children {
            parent.mask.formUnion(child.mask)
            parent.options.formUnion(child.options.intersection([.range, .touch]))
            parent.buttonMask |= child.buttonMask
            if child.isTouching { touching.add(child) }
            if child.isInRange { near.add(child) }
        }
        centroid = touching.mean ?? near.mean ?? centroid
        parent.position = centroid
        return HIDEvent(
            timeStamp: moment, senderID: senderID, hand: parent, fingers: children,
            scanTime: scanTime.flatMap { elements[$0].asScanTime })
    }

    private mutating func child(of index: Int, ofReport id: UInt8) -> DigitizerEvent? {
        let reading = Reading(transducers[index], elements, report: id)
        guard reading.isHandled, reading.isValid else { return nil }
        let last = transducers[index].state
        var state = Transducer.State(
            isTouching: reading.isTouching,
            isInRange: reading.inRange ?? (reading.isTouching && !reading.isUntouched),
            position: last.position, z: last.z)
        var child = Self.made(
            transducers[index].kind.transducer(isConfident: reading.isConfident), index: reading.index,
            generation: generationCount)
        (child.position, child.z, child.buttonMask) = (reading.position, reading.z, reading.buttons)
        child.pressure = reading.pressure
        child.barrel = DigitizerEvent.Barrel(pressure: reading.barrelPressure, twist: reading.twist)
        if state.isInRange { child.options.insert(.range) }
        if state.isTouching { child.options.insert(.touch) }
        if state.isTouching != last.isTouching { child.mask.insert(.touch) }
        if state.isTouching, reading.isUntouched { child.mask.insert(.cancel) }
        if state.isInRange {
            if (reading.position, reading.z) != (last.position, last.z) { child.mask.insert(.position) }
            (state.position, state.z) = (reading.position, reading.z)
        }
        if state.isInRange != last.isInRange { child.mask.insert(.range) }
        transducers[index].state = state
        // The end of touch and range is reported once; later reports omit the child.
        return !state.isTouching && !last.isTouching && !state.isInRange ? nil : child
    }

    /// The mean of positions, with the division of IOKit's fixed numbers.
    private struct Sum {
        private var (x, y, count) = (Int64(0), Int64(0), Int64(0))

        mutating func add(_ event: DigitizerEvent) {
            let position = event.position
            (x, y, count) = (x + Int64(position.x.rawValue), y + Int64(position.y.rawValue), count + 1)
        }

        var mean: Point<DigitizerSpace>? {
            count == 0 ? nil : Point(Fixed(rawValue: Int32(x / count)), Fixed(rawValue: Int32(y / count)))
        }
    }

    // MARK: An event for each transducer

    private mutating func transducerEvent(_ index: Int, ofReport id: UInt8, at moment: Instant) -> HIDEvent? {
        let reading = Reading(transducers[index], elements, report: id)
        guard reading.isHandled, reading.isValid else { return nil }
        let isInRange = reading.inRange ?? true
        // A touching tip is the first button. Out of range no button is pressed.
        let tip: UInt32 = reading.isTouching ? 1 : 0
        let buttons = isInRange ? reading.buttons & ~1 | tip : 0
        let pressure = isInRange ? reading.pressure : .zero
        var child = Self.made(
            transducers[index].kind.transducer, index: reading.index, generation: generationCount)
        (child.position, child.z, child.buttonMask) = (reading.position, reading.z, buttons)
        child.pressure = pressure
        child.barrel = DigitizerEvent.Barrel(pressure: reading.barrelPressure, twist: reading.twist)
        if reading.isInverted { child.options.insert(.invert) }
        if isInRange { child.options.insert(.range) }
        // Full pressure is the first button, too.
        let pressed = buttons | UInt32(bitPattern: pressure.rawValue >> 16) & 1
        let isTouching = pressure != .zero || pressed & 1 != 0
        if isTouching { child.options.insert(.touch) }
        if isTouching != service.isTouching { child.mask.insert(.touch) }
        if isInRange != service.isInRange {
            child.mask.insert(.range)
            if isInRange {
                child.mask.insert(.identity)
                service.position = reading.position
            }
        }
        if isInRange, (reading.position, reading.z) != (service.position, service.z) { child.mask.insert(.position) }
        service = Transducer.State(
            isTouching: isTouching, isInRange: isInRange, position: reading.position, z: reading.z)
        var parent = child
        parent.buttonMask = pressed
        parent.options.insert(.isCollection)
        return HIDEvent(timeStamp: moment, senderID: senderID, hand: parent, fingers: [child])
    }

    /// An event as IOKit's constructor makes it.
    private static func made(_ transducer: DigitizerTransducer, index: UInt32, generation: UInt32) -> DigitizerEvent {
        var event = DigitizerEvent(
            transducer: transducer, index: index, identity: 0, mask: [], options: .isAbsolute, at: .zero,
            generationCount: generation)
        guard transducer == .finger else { return event }
        // The identity 2, "a finger", is the same for all fingers. The constructor writes the radii twice, first into
        // the quality and then into the polar orientation. The second write changes the quality's accuracy.
        event.identity = 2
        let five = Fixed(5)
        event.orientation = .quality(
            DigitizerOrientation.Quality(majorRadius: five, minorRadius: five, accuracy: five))
        return event
    }
}
