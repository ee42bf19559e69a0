// PlayedDevice.swift: the device of all plays: sender 1, with the contacts that a script has left down.
//
// Station   device, hid, frame
// Input     InputKitCore: due reports of the play, and the ends of plays
// Output    events in order of time; moves of a shared frame, in a ScanList
// Knows     contacts and held inputs. No schedule, no link.
//
//     play ─▶ contacts, inputs ─▶ PlayedDevice ─▶ HIDEvent, DeviceEvent        as LiveDevice does for a panel
//
// Each play opens the device again, at its first scan.
//
// Sources   invented

import Basics
import HID
import Recordings

/// The device of all plays.
struct PlayedDevice: Sendable {
    static let sender: UInt64 = 1

    /// The contacts of the current opening, also after a script has left them down.
    private var assembler: FrameAssembler?
    /// The keys and pointers that are held.
    private(set) var held = HeldInputs<DigitizerSpace>()
    private var openings: UInt32 = 0
    /// The stamp of the last event. A later event is not before it.
    private var lastStamp = Instant.boot

    var contactCount: Int { assembler?.downFingerCount ?? 0 }

    var isOpen: Bool { assembler != nil }

    /// Opens the device as the panel that a play describes.
    mutating func open(ranges: AxisRanges, device: DeviceDescription, display: DisplayID) {
        openings += 1
        assembler = FrameAssembler(
            ranges: ranges, senderID: Self.sender, generationCount: openings, device: device, display: display)
    }

    /// - Parameter due: The scan's time in the play's schedule.
    /// - Returns: Nil if the scan results in no event.
    mutating func assemble(_ scan: ContactFrame, due: Instant, faults: inout [ContactFault]) -> HIDEvent? {
        assembler?.assemble(scan, at: max(due, lastStamp), faults: &faults)
    }

    /// Assembles a scan and appends its event to others.
    ///
    /// - Parameter due: The scan's time in the play's schedule.
    /// - Returns: Whether the scan results in an event.
    mutating func assemble(
        _ scan: ContactFrame, due: Instant, faults: inout [ContactFault], into events: inout [HIDEvent]
    ) -> Bool {
        assembler?.assemble(scan, at: max(due, lastStamp), faults: &faults, into: &events) ?? false
    }

    /// Appends a scan that only moves fingers to scans of this device, and records its stamp.
    ///
    /// - Parameter due: The scan's time in the play's schedule.
    /// - Returns: Whether the scan was appended. If not, it must be assembled.
    mutating func appendMove(_ scan: ContactFrame, due: Instant, to scans: inout ScanList) -> Bool {
        let stamp = max(due, lastStamp)
        guard assembler?.appendMove(scan, at: stamp, to: &scans) == true else { return false }
        didSend(at: stamp)
        return true
    }

    /// - Returns: Nil if the input changes nothing.
    mutating func event(for input: DeviceInput<DigitizerSpace>, due: Instant) -> DeviceEvent<DigitizerSpace>? {
        held.apply(input).map { DeviceEvent(timeStamp: max(due, lastStamp), input: $0) }
    }

    /// Records the stamp of an event that was sent.
    mutating func didSend(at stamp: Instant) { lastStamp = max(lastStamp, stamp) }

    /// The state frame of the device, for a server that missed a frame; nil before the first opening.
    func stateEvent() -> HIDEvent? {
        guard openings > 0 else { return nil }
        let lifted = FrameAssembler(
            ranges: FingerScript.ranges, senderID: Self.sender, generationCount: openings)
        return (assembler ?? lifted).stateEvent(at: lastStamp)
    }

    /// Cancels every contact, and ends every key and pointer.
    mutating func cancelAll(at now: Instant) -> (fingers: HIDEvent?, inputs: [DeviceEvent<DigitizerSpace>]) {
        let fingers = assembler?.cancelAll(at: now)
        return (fingers, held.cancelAll().map { DeviceEvent(timeStamp: now, input: $0) })
    }

    /// Cancels every contact after a suspension. The play's later reports of them are ignored until they lift.
    mutating func cancelAllAndIgnore(at now: Instant) -> HIDEvent? { assembler?.cancelAllAndIgnore(at: now) }

    /// Closes the device. The next play opens it again.
    mutating func close() { assembler = nil }

    /// Forgets contacts and inputs, because the server that knew of them is gone.
    mutating func forget() {
        assembler = nil
        held = HeldInputs()
    }
}
