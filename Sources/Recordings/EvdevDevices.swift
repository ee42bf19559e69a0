// EvdevDevices.swift: several devices in one recording, of which the first that touches is the recording.
//
// Until one has touched, the events of each are kept, so that none of the one that will is lost. A touch is an axis of
// multi-touch or BTN_TOUCH: an accelerometer has an X and a Y as well. BTN_TOUCH is a pen's too: where a device may be
// one, or another is described that has multi-touch, it waits for the other's touch until the end.
//
// Station   device
// Fed by    GeteventReader, LibinputRecordReader
// Feeds     EvdevRecording

import Basics
import HID

struct EvdevDevices: Sendable {
    private struct Device: Sendable {
        /// The number in /dev/input/event….
        var number: Int
        var recording: EvdevRecording
        var hasEvents = false
        var hasPen = false
        /// Has pressed BTN_TOUCH, and waits whether another one speaks of multi-touch.
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
    private var chosen: Int?
    /// The one spoken of last, which is nearly always the one spoken of next.
    private var current = 0

    static let deviceLimit = 64
    static let pendingLimit = 4096
    /// Of one that has touched; then it is the one.
    static let candidateLimit = 1 << 16
    /// Of a recording that does not name its only device.
    static let onlyDevice = -1

    init(_ options: RecordingOptions) { self.options = options }

    /// Makes a device the one `describe` and `take` mean.
    ///
    /// - Returns: False when there are too many.
    mutating func select(_ number: Int) -> Bool {
        if current < devices.count, devices[current].number == number { return true }
        if let index = devices.firstIndex(where: { $0.number == number }) {
            current = index
            return true
        }
        guard devices.count < Self.deviceLimit else { return false }
        current = devices.count
        devices.append(Device(number: number, recording: EvdevRecording(options)))
        // The only device that speaks is the one that was described, if one was.
        if number == Self.onlyDevice,
            let described = devices.first(where: { $0.recording.description.touches })?.recording.description
        {
            devices[current].recording.describe { $0 = described }
        }
        return true
    }

    mutating func describe(_ body: (inout EvdevDescription) -> Void) {
        if current < devices.count { devices[current].recording.describe(body) }
    }

    mutating func take(
        _ type: UInt16, _ code: UInt16, _ value: Int32, stamp: Int64, into frames: inout [ContactFrame]
    ) {
        guard current < devices.count else { return }
        if current == chosen {
            devices[current].recording.take(type, code, value, stamp: stamp, into: &frames)
            return
        }
        devices[current].hasEvents = true
        guard chosen == nil else { return }
        // So much of something else, and the one that touches will not need its beginning.
        if !devices[current].isCandidate, devices[current].pending.count >= Self.pendingLimit {
            devices[current].pending.removeAll()
        }
        devices[current].pending.append(Pending(type: type, code: code, value: value, stamp: stamp))
        switch (type, code) {
        case (3, Code.slot), (3, Code.touchAxes): choose(current, into: &frames)
        case (1, Code.toolPen): devices[current].hasPen = true
        case (1, Code.touch):
            devices[current].isCandidate = true
            if isSurelyTouched(current) { choose(current, into: &frames) }
        default: break
        }
        if devices[current].isCandidate, chosen == nil, devices[current].pending.count >= Self.candidateLimit {
            choose(current, into: &frames)
        }
    }

    /// Of one whose BTN_TOUCH was pressed: whether nobody else can be meant.
    private func isSurelyTouched(_ index: Int) -> Bool {
        let device = devices[index]
        if device.number == Self.onlyDevice || device.recording.description.hasMultiTouch { return true }
        guard !device.hasPen, !device.recording.description.takesPen else { return false }
        return !devices.contains { $0.recording.description.hasMultiTouch }
    }

    private mutating func choose(_ index: Int, into frames: inout [ContactFrame]) {
        chosen = index
        let pending = devices[index].pending
        for device in devices.indices { devices[device].pending = [] }
        for event in pending {
            devices[index].recording.take(event.type, event.code, event.value, stamp: event.stamp, into: &frames)
        }
    }

    /// The device has gone.
    ///
    /// - Parameter frames: Gets whoever was down on it, cancelled.
    mutating func unplug(_ number: Int, into frames: inout [ContactFrame]) {
        guard let chosen, devices[chosen].number == number else { return }
        if let frame = devices[chosen].recording.finish(into: &frames) { frames.append(frame) }
    }

    /// - Returns: Who is still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? {
        if chosen == nil, let best = likeliest ?? devices.indices.first { choose(best, into: &frames) }
        guard let chosen else { return nil }
        return devices[chosen].recording.finish(into: &frames)
    }

    /// While none is chosen.
    private var likeliest: Int? {
        devices.firstIndex { $0.isCandidate } ?? devices.firstIndex { $0.recording.description.touches }
    }

    func add(to facts: inout RecordingFacts) {
        guard let index = chosen ?? likeliest else { return }
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
