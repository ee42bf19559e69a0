// LiveDevices.swift: the messages between a host and input-kit about devices that are plugged in.
//
// Input     DeviceOrder, from input-kit to its host
// Output    DeviceNotice, from the host to input-kit
// Knows     paths and bytes. No contacts.
//
//    watch ─▶ appeared ─▶ open ─▶ opened ─▶ bytes … ─▶ lost            unplugged: the device itself reports it
//                          └────▶ failed      │        vanished        its path is gone, before or after `lost`
//                                             └ resync ─▶ slots        after SYN_DROPPED
//
// Sources   documented  kernel input.rst, event-codes.rst (SYN_DROPPED), hidraw.rst

public import HID

/// One opening of a device. A device that is opened again has another identifier.
public struct DeviceID: Hashable, Sendable {
    public let rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Everything that can happen to devices.
public enum DeviceNotice: Hashable, Sendable {
    /// A device exists, or an attribute changed that may let it be opened now (its permissions).
    case appeared(path: String)
    /// The path of a device is gone. An open device also reports `lost`, before this or after it.
    case vanished(path: String)
    /// The folder cannot be watched: no device will appear there.
    case unwatched(folder: String, reason: String)
    /// The answer to `open`: reading has begun.
    case opened(DeviceID, DeviceFacts)
    /// The result of one read: whole `input_event`s of 24 bytes, or one HID report with its number, if it has one.
    case bytes(DeviceID, [UInt8])
    /// The answer to `resync`; nil if the device has no slots to ask for (a FIFO).
    case slots(DeviceID, DeviceSlots?)
    /// The other answer to `open`. The reason is for a person, and names a remedy if there is one.
    case failed(DeviceID, reason: String)
    /// The device was unplugged. No more bytes follow, and it needs no `close`.
    case lost(DeviceID, reason: String)
}

/// Everything that input-kit asks of its host about devices.
public enum DeviceOrder: Hashable, Sendable {
    /// Reports the devices of a folder: those that exist, and from then on those that appear and vanish.
    ///
    /// - Parameter names: The only names to report. If empty, every name of a device is reported (`event3`, `hidraw0`).
    case watch(folder: String, names: [String])
    /// Opens a device and reads it until it is closed or lost.
    ///
    /// - Parameter grab: Whether an evdev device sends its events to this process only.
    case open(DeviceID, path: String, grab: Bool)
    /// Asks for the contents of every slot (EVIOCGMTSLOTS). Bytes that were read earlier are reported before the answer.
    case resync(DeviceID)
    /// Ends the reading of a device. No more bytes follow.
    case close(DeviceID)
}
