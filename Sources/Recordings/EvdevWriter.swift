// EvdevWriter.swift: writes contacts as the events of a Linux touch screen: protocol B, in any of four text formats.
//
//     lands      ABS_MT_SLOT n, ABS_MT_TRACKING_ID id, position, other known values
//     moves      ABS_MT_SLOT n, changed values
//     lifts      ABS_MT_SLOT n, ABS_MT_TRACKING_ID -1
//     cancelled  ABS_MT_SLOT n, ABS_MT_TOOL_TYPE palm, ABS_MT_TRACKING_ID -1
//     frame      … BTN_TOUCH when the first lands and the last leaves, MSC_TIMESTAMP, SYN_REPORT
//
// Station   device
// Input     RecordingWriter
// Output    a file of evemu's, evtest's, getevent's or libinput record's format
// Knows     event types and codes; not their text.
//
// Sources   documented  Docs/Spec/Input.md section 3.5, kernel multi-touch-protocol.rst
//           inferred    a cancelled contact becomes a palm, which Android and libinput cancel. It lifts in the same
//                       frame, so that a reader without palms has the right time; Android takes that for a lift

import Basics
import HID

/// Writes evdev events.
///
/// ABS_MT_SLOT is written when it changes. All events of a frame have the frame's time. The first event of the file has
/// the time 0, so that a recording with a later first frame keeps its times.
struct EvdevWriter: FrameWriter {
    struct Event: Sendable {
        var type, code: UInt16
        var value: Int32
    }

    /// One axis of the heading.
    struct Axis: Sendable {
        var code: UInt16
        var minimum, maximum: Int32
        var fuzz: Int32 = 0
        var flat: Int32 = 0
        var resolution: Int32 = 0
    }

    /// The values that were last written for a slot.
    private struct Slot: Sendable {
        var x, y: Int32
        var attributes: ContactAttributes
    }

    let format: RecordingFormat
    let device: DeviceDescription
    let axes: [Axis]
    /// Whether the ranges of x and y are assumed, because the device does not describe them.
    let rangesAreAssumed: Bool
    private var numbers: FingerNumbers
    private var slots: [Slot?] = []
    private var currentSlot = 0
    private var lastTime: Int64 = 0
    private var isFirst = true
    private var events: [Event] = []

    /// SYN_CONFIG.
    private static let configuration: UInt16 = 1
    static let tools = DeviceAxis(minimum: 0, maximum: 2)
    /// Tracking ids increase up to here and then restart at 0.
    private static let idLimit = 65536

    init(_ format: RecordingFormat, device: DeviceDescription, ranges: AxisRanges, contactsAtOnce: Int?) {
        (self.format, self.device) = (format, device)
        let contactLimit = max(device.contactCount ?? 0, contactsAtOnce ?? 2 * HIDEvent.fingerLimit)
        let slotCount = max(1, min(EvdevTracker.slotLimit, contactLimit))
        numbers = FingerNumbers(limit: slotCount)
        rangesAreAssumed = device.ranges == nil
        func position(_ described: DeviceAxis?, _ range: ClosedRange<Int32>) -> DeviceAxis {
            described.flatMap { $0.range == nil ? nil : $0 }
                ?? DeviceAxis(minimum: range.lowerBound, maximum: range.upperBound)
        }
        let all: [(UInt16, DeviceAxis?)] = [
            (Code.slot, DeviceAxis(minimum: 0, maximum: Int32(slotCount - 1))),
            (Code.touchMajor, device.major), (Code.touchMinor, device.minor), (Code.orientation, device.orientation),
            (Code.touchX, position(device.x, ranges.x)), (Code.touchY, position(device.y, ranges.y)),
            (Code.toolType, Self.tools),
            (Code.trackingID, DeviceAxis(minimum: 0, maximum: Int32(Self.idLimit - 1))),
            (Code.touchPressure, device.pressure), (Code.touchDistance, device.distance),
        ]
        axes = all.compactMap { code, axis in
            axis.map {
                Axis(
                    code: code, minimum: $0.minimum, maximum: max($0.minimum, $0.maximum), fuzz: $0.fuzz,
                    flat: $0.flat, resolution: Int32(clamping: Int64(clamping: $0.resolution)))
            }
        }
    }

    func begin(into bytes: inout [UInt8]) {
        switch format {
        case .evtest: appendEvtestHeading(to: &bytes)
        case .getevent: appendGeteventHeading(to: &bytes)
        case .libinputRecord: appendLibinputHeading(to: &bytes)
        case .evemu, .hidRecorder, .webdriverActions, .script, .journal: appendEvemuHeading(to: &bytes)
        }
    }

    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        makeEvents(of: frame)
        // Rounded to the nearest, so that errors never add up.
        let nanoseconds = max(0, frame.time.nanoseconds)
        lastTime = max(lastTime, nanoseconds / 1000 + (nanoseconds % 1000 >= 500 ? 1 : 0))
        if isFirst, lastTime > 0, events.count == 1 {
            // No other event can have the time 0. The kernel never sends this one, and readers skip it.
            events.insert(Event(type: 0, code: Self.configuration, value: 0), at: 0)
        }
        let time = lastTime
        if format == .libinputRecord { bytes.append("  - evdev:\n") }
        for event in events {
            let stamp = isFirst && !event.isReport ? 0 : time
            isFirst = false
            switch format {
            case .evtest: append(evtest: event, at: stamp, to: &bytes)
            case .getevent: append(getevent: event, at: stamp, to: &bytes)
            case .libinputRecord: append(libinput: event, at: stamp, to: &bytes)
            case .evemu, .hidRecorder, .webdriverActions, .script, .journal:
                append(evemu: event, at: stamp, to: &bytes)
            }
        }
    }

    func finish(at time: Duration?, into bytes: inout [UInt8]) {}

    private mutating func appendEvent(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        events.append(Event(type: type, code: code, value: value))
    }

    private mutating func selectSlot(_ slot: Int) {
        guard slot != currentSlot else { return }
        currentSlot = slot
        appendEvent(3, Code.slot, Int32(truncatingIfNeeded: slot))
    }

    private mutating func makeEvents(of frame: ContactFrame) {
        events.removeAll(keepingCapacity: true)
        let before = numbers.down
        for step in numbers.update(with: frame) {
            switch step.change {
            case .land:
                selectSlot(step.number)
                appendEvent(3, Code.trackingID, Int32(step.landing % Self.idLimit))
                appendContact(step, isNew: true)
            case .move, .rest: appendContact(step, isNew: false)
            case .lift:
                selectSlot(step.number)
                appendEvent(3, Code.trackingID, -1)
            case .cancel:
                selectSlot(step.number)
                slots[step.number]?.attributes.tool = .palm
                appendEvent(3, Code.toolType, Int32(ContactAttributes.Tool.palm.rawValue))
                appendEvent(3, Code.trackingID, -1)
            }
        }
        if (before == 0) != (numbers.down == 0) { appendEvent(1, Code.touch, numbers.down == 0 ? 0 : 1) }
        if let scanTime = frame.scanTime {
            appendEvent(4, Code.timestamp, Int32(truncatingIfNeeded: scanTime.nanoseconds / 1000))
        }
        appendEvent(0, Code.report, 0)
    }

    /// Writes the changed values of a contact. A new contact writes all, because not every reader keeps a slot's
    /// earlier values.
    private mutating func appendContact(_ step: FingerNumbers.Step, isNew: Bool) {
        while slots.count <= step.number { slots.append(nil) }
        let contact = step.contact
        let before = slots[step.number]
        func changed(_ value: Int32?, _ old: Int32?) -> Int32? { isNew || value != old ? value : nil }
        if isNew || contact.x != before?.x { appendEvent(for: step, Code.touchX, contact.x) }
        if isNew || contact.y != before?.y { appendEvent(for: step, Code.touchY, contact.y) }
        let (now, then) = (contact.attributes, before?.attributes ?? ContactAttributes())
        if now.tool != then.tool { appendEvent(for: step, Code.toolType, Int32(now.tool.rawValue)) }
        if let value = changed(now.major, then.major) { appendEvent(for: step, Code.touchMajor, value) }
        if let value = changed(now.minor, then.minor) { appendEvent(for: step, Code.touchMinor, value) }
        if let value = changed(now.orientation, then.orientation) { appendEvent(for: step, Code.orientation, value) }
        if let value = changed(now.pressure, then.pressure) { appendEvent(for: step, Code.touchPressure, value) }
        if let value = changed(now.distance, then.distance) { appendEvent(for: step, Code.touchDistance, value) }
        slots[step.number] = Slot(x: contact.x, y: contact.y, attributes: now)
    }

    private mutating func appendEvent(for step: FingerNumbers.Step, _ code: UInt16, _ value: Int32) {
        selectSlot(step.number)
        appendEvent(3, code, value)
    }
}

extension EvdevWriter.Event {
    var isReport: Bool { type == 0 && code == Code.report }
}

extension EvdevWriter {
    /// The kernel's name of a type that is written.
    static func typeName(_ type: UInt16) -> StaticString {
        switch type {
        case 0: "EV_SYN"
        case 1: "EV_KEY"
        case 3: "EV_ABS"
        default: "EV_MSC"
        }
    }

    static func codeName(_ type: UInt16, _ code: UInt16) -> StaticString {
        switch (type, code) {
        case (0, Code.report): "SYN_REPORT"
        case (0, _): "SYN_CONFIG"
        case (1, _): "BTN_TOUCH"
        case (3, Code.slot): "ABS_MT_SLOT"
        case (3, Code.touchMajor): "ABS_MT_TOUCH_MAJOR"
        case (3, Code.touchMinor): "ABS_MT_TOUCH_MINOR"
        case (3, Code.orientation): "ABS_MT_ORIENTATION"
        case (3, Code.touchX): "ABS_MT_POSITION_X"
        case (3, Code.touchY): "ABS_MT_POSITION_Y"
        case (3, Code.toolType): "ABS_MT_TOOL_TYPE"
        case (3, Code.trackingID): "ABS_MT_TRACKING_ID"
        case (3, Code.touchPressure): "ABS_MT_PRESSURE"
        case (3, _): "ABS_MT_DISTANCE"
        default: "MSC_TIMESTAMP"
        }
    }

    /// The remark for a person about ranges that no description contains.
    static let assumption: StaticString = "no source describes the axes of x and y: their ranges are assumed"
}
