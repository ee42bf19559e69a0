// EvdevDevices.swift: selects the touch device of a recording with several devices: the first one that is touched.
//
// Until a device has been touched, the events of all are kept, so that none of the selected device is lost. A touch is
// a multi-touch axis or BTN_TOUCH; X and Y alone may be an accelerometer's. A pen sets BTN_TOUCH too. So BTN_TOUCH does
// not select a device that may be a pen, or while another described device has multi-touch. Such a device waits until
// the end for a touch on another one.
//
// Station   device
// Input     GeteventReader, LibinputRecordReader
// Output    EvdevRecording

import Basics
import HID

/// The devices of one recording.
struct EvdevDevices: Sendable {
    private struct Device: Sendable {
        /// The number in /dev/input/event….
        var number: Int
        var recording: EvdevRecording
        var hasEvents = false
        var hasPen = false
        /// Whether it has pressed BTN_TOUCH and waits for a multi-touch axis of another device.
        var isCandidate = false
        var pending: [Pending] = []
    }

    private struct Pending: Sendable {
        var type: UInt16
        var code: UInt16
        var value: Int32
        var stamp: Int64
    }

    private let options: RecordingOptions
    private var devices: [Device] = []
    private var chosenIndex: Int?
    /// The device of the last event, which is nearly always the device of the next one.
    private var currentIndex = 0

    static let deviceLimit = 64
    static let pendingLimit = 4096
    /// The kept events of a device with BTN_TOUCH after which it is selected.
    static let candidateLimit = 1 << 16
    /// The device of a recording that does not name its only device.
    static let onlyDevice = -1

    init(_ options: RecordingOptions) { self.options = options }

    /// Makes a device the target of `describe` and `handle`.
    ///
    /// - Returns: False if there are too many devices.
    mutating func select(_ number: Int) -> Bool {
        if currentIndex < devices.count, devices[currentIndex].number == number { return true }
        if let index = devices.firstIndex(where: { $0.number == number }) {
            currentIndex = index
            return true
        }
        guard devices.count < Self.deviceLimit else { return false }
        currentIndex = devices.count
        devices.append(Device(number: number, recording: EvdevRecording(options)))
        // The only device with events is the one that was described, if there is a description.
        if number == Self.onlyDevice,
            let described = devices.first(where: { $0.recording.description.isTouchDevice })?.recording.description
        {
            devices[currentIndex].recording.describe { $0 = described }
        }
        return true
    }

    mutating func describe(_ body: (inout EvdevDescription) -> Void) {
        if currentIndex < devices.count { devices[currentIndex].recording.describe(body) }
    }

    mutating func handle(
        _ type: UInt16, _ code: UInt16, _ value: Int32, stamp: Int64, into frames: inout [ContactFrame]
    ) {
        guard currentIndex < devices.count else { return }
        if currentIndex == chosenIndex {
            devices[currentIndex].recording.handle(type, code, value, stamp: stamp, into: &frames)
            return
        }
        devices[currentIndex].hasEvents = true
        guard chosenIndex == nil else { return }
        // A device with this many other events needs no early ones if it is touched later.
        if !devices[currentIndex].isCandidate, devices[currentIndex].pending.count >= Self.pendingLimit {
            devices[currentIndex].pending.removeAll()
        }
        devices[currentIndex].pending.append(Pending(type: type, code: code, value: value, stamp: stamp))
        switch (type, code) {
        case (3, Code.slot), (3, Code.touchAxes): choose(currentIndex, into: &frames)
        case (1, Code.toolPen): devices[currentIndex].hasPen = true
        case (1, Code.touch):
            devices[currentIndex].isCandidate = true
            if isSurelyTouched(currentIndex) { choose(currentIndex, into: &frames) }
        default: break
        }
        if devices[currentIndex].isCandidate, chosenIndex == nil,
            devices[currentIndex].pending.count >= Self.candidateLimit
        {
            choose(currentIndex, into: &frames)
        }
    }

    /// Whether no other device can be meant once this one has pressed BTN_TOUCH.
    private func isSurelyTouched(_ index: Int) -> Bool {
        let device = devices[index]
        if device.number == Self.onlyDevice || device.recording.description.hasMultiTouch { return true }
        guard !device.hasPen, !device.recording.description.supportsPen else { return false }
        return !devices.contains { $0.recording.description.hasMultiTouch }
    }

    private mutating func choose(_ index: Int, into frames: inout [ContactFrame]) {
        chosenIndex = index
        let pending = devices[index].pending
        for device in devices.indices { devices[device].pending = [] }
        for event in pending {
            devices[index].recording.handle(event.type, event.code, event.value, stamp: event.stamp, into: &frames)
        }
    }

    /// Handles the removal of a device.
    ///
    /// - Parameter frames: Receives its contacts, cancelled.
    mutating func unplug(_ number: Int, into frames: inout [ContactFrame]) {
        guard let chosenIndex, devices[chosenIndex].number == number else { return }
        if let frame = devices[chosenIndex].recording.finish(into: &frames) { frames.append(frame) }
    }

    /// Ends the recording.
    ///
    /// - Returns: The contacts that are still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? {
        if chosenIndex == nil, let best = likeliest ?? devices.indices.first { choose(best, into: &frames) }
        guard let chosenIndex else { return nil }
        return devices[chosenIndex].recording.finish(into: &frames)
    }

    /// The likeliest device while none is selected.
    private var likeliest: Int? {
        devices.firstIndex { $0.isCandidate } ?? devices.firstIndex { $0.recording.description.isTouchDevice }
    }

    func add(to facts: inout RecordingFacts) {
        guard let index = chosenIndex ?? likeliest else { return }
        devices[index].recording.add(to: &facts)
        let others = devices.indices.filter { $0 != index && devices[$0].hasEvents }
        guard !others.isEmpty else { return }
        let names = others.prefix(4).map { other in
            let name = devices[other].recording.description.name
            return "event\(devices[other].number)" + (name.isEmpty ? "" : " \(quoted(name))")
        }
        facts.remarks.append(
            "left out, for event\(devices[index].number) is the touch device read: \(names.joined(separator: ", "))"
                + (others.count > 4 ? " and \(others.count - 4) more" : ""))
    }
}
