// PlayedDevice.swift: the device that plays are made on: sender 1, with what a play has left on the glass.
//
//     play ─▶ contacts, inputs ─▶ PlayedDevice ─▶ HIDEvent, DeviceEvent        as LiveDevice does for a panel
//
// Each play opens the device again, unless a script has left fingers on it.
//
// Station   device, hid, frame
// Input     InputKitCore: reports of the play that are due, and what ends them
// Output    events in order of time
// Knows     contacts and held inputs. No schedule, no link.
//
// Sources   invented

import Basics
import HID
import Recordings

struct PlayedDevice: Sendable {
    static let sender: UInt64 = 1

    /// The opening in use, and, between plays, the fingers a script has left on the glass.
    private var assembler: FrameAssembler?
    /// The same of keys and pointers.
    private(set) var held = HeldInputs<DigitizerSpace>()
    private var openings: UInt32 = 0
    /// Of the last event that went out: a later event is not before it.
    private var lastStamp = Instant.boot

    var touching: Int { assembler?.touching ?? 0 }

    var isOpen: Bool { assembler != nil }

    /// Opens the device as the panel that a play describes.
    mutating func open(ranges: AxisRanges, device: DeviceDescription, display: DisplayID) {
        openings += 1
        assembler = FrameAssembler(
            ranges: ranges, senderID: Self.sender, generationCount: openings, device: device, display: display)
    }

    /// - Parameter due: When the play's schedule has the scan.
    /// - Returns: Nil for a scan that says nothing that an event could tell.
    mutating func assemble(_ scan: ContactFrame, due: Instant, faults: inout [ContactFault]) -> HIDEvent? {
        assembler?.assemble(scan, at: max(due, lastStamp), faults: &faults)
    }

    /// - Returns: Nil for an input that changes nothing.
    mutating func event(for input: DeviceInput<DigitizerSpace>, due: Instant) -> DeviceEvent<DigitizerSpace>? {
        held.take(input).map { DeviceEvent(timeStamp: max(due, lastStamp), input: $0) }
    }

    /// An event of this device has gone out.
    mutating func didSend(at stamp: Instant) { lastStamp = max(lastStamp, stamp) }

    /// Where every finger is, for a server that missed something; nil before the first opening.
    func standing() -> HIDEvent? {
        guard openings > 0 else { return nil }
        let lifted = FrameAssembler(
            ranges: FingerScript.ranges, senderID: Self.sender, generationCount: openings)
        return (assembler ?? lifted).standing(at: lastStamp)
    }

    /// Cancels every finger, and ends every key and pointer.
    mutating func cancelAll(at now: Instant) -> (fingers: HIDEvent?, inputs: [DeviceEvent<DigitizerSpace>]) {
        let fingers = assembler?.cancelAll(at: now)
        return (fingers, held.cancelAll().map { DeviceEvent(timeStamp: now, input: $0) })
    }

    /// Cancels every finger after the process was suspended; what the play still says of them is ignored until they lift.
    mutating func giveUpAll(at now: Instant) -> HIDEvent? { assembler?.giveUpAll(at: now) }

    /// The next play opens the device again.
    mutating func close() { assembler = nil }

    /// The server that knew of the fingers and inputs is gone.
    mutating func forget() {
        assembler = nil
        held = HeldInputs()
    }
}
