// LiveDevices.swift: what a host and input-kit say to each other about devices that are plugged in.
//
//    watch ─▶ appeared ─▶ open ─▶ opened ─▶ bytes … ─▶ lost            unplugged: the device says it first
//                          └────▶ failed      │        vanished        its name goes, before or after
//                                             └ resync ─▶ slots        after SYN_DROPPED
//
// Sources   documented  kernel input.rst, event-codes.rst (SYN_DROPPED), hidraw.rst

public import HID

/// One opening of a device: a device that is opened again has another.
public struct DeviceID: Hashable, Sendable {
    public let rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Everything that can happen to devices.
public enum DeviceNews: Hashable, Sendable {
    /// A device is there, or something about it has changed that may let it be opened now (its permissions).
    case appeared(path: String)
    /// Its name is gone. An open device is lost by a news of its own, before this or after.
    case vanished(path: String)
    /// A folder cannot be watched: nobody will appear there.
    case unwatched(folder: String, reason: String)
    /// The answer to `open`: reading has begun.
    case opened(DeviceID, DeviceFacts)
    /// What one read gave: whole `input_event`s of 24 bytes, or one HID report with its number, if it has one.
    case bytes(DeviceID, [UInt8])
    /// The answer to `resync`; nil where nobody can be asked (a FIFO).
    case slots(DeviceID, DeviceSlots?)
    /// The other answer to `open`. The reason is for a person, and says what to do where something can be done.
    case failed(DeviceID, reason: String)
    /// Unplugged: nothing comes from it after this, and it needs no closing.
    case lost(DeviceID, reason: String)
}

/// Everything that can be asked about devices.
public enum DeviceOrder: Hashable, Sendable {
    /// Tells of devices in a folder: those that are there, and from then on whoever comes and goes.
    ///
    /// - Parameter names: Those alone; when empty, every name that is a device's (`event3`, `hidraw0`).
    case watch(folder: String, names: [String])
    /// Opens a device and reads it until it is closed or lost.
    ///
    /// - Parameter grab: Nobody else gets an evdev device's events.
    case open(DeviceID, path: String, grab: Bool)
    /// Asks what every slot holds now (EVIOCGMTSLOTS). Bytes that came before the answer are told before it.
    case resync(DeviceID)
    /// Nothing comes from it after this.
    case close(DeviceID)
}
