// EvdevDescription.swift: the kernel's description of an input device, or the one in a recording's header.
//
// Station   device
// Input     headers of recordings, the kernel's answers about a live device
// Output    DeviceDescription, EvdevTracker
// Knows     codes of axes, keys and properties. It sends no request.
//
// Sources   documented  input-event-codes.h; kernel multi-touch-protocol.rst
//           observed    udev's input_id takes a device for one or more fingers that is not on a screen for a touchpad

public import HID

/// The axes, keys and properties of an evdev device.
public struct EvdevDescription: Hashable, Sendable {
    /// The device's name; may be empty.
    public var name = ""
    /// The kernel's numbers; 0 if unknown.
    public var bus: UInt16 = 0
    public var vendor: UInt16 = 0
    public var product: UInt16 = 0
    public var version: UInt16 = 0

    private var axes: [Axis] = []
    /// The listed codes of EV_ABS as bits, which are fewer than 64; nil before the first list.
    private var absoluteCodes: UInt64?
    private var keys: Traits = []
    private var properties: Traits = []
    /// Bytes of bits read so far: lines of one kind append.
    private var absoluteBytes = 0
    private var keyBytes = 0
    private var propertyBytes = 0

    private struct Axis: Hashable {
        var code: UInt16
        var axis: DeviceAxis
    }

    /// The few keys and properties that matter here.
    private struct Traits: OptionSet, Hashable {
        var rawValue: UInt8
        static let touch = Self(rawValue: 1)
        static let toolFinger = Self(rawValue: 2)
        static let toolPen = Self(rawValue: 4)
        static let pointer = Self(rawValue: 8)
        static let direct = Self(rawValue: 16)
    }

    /// The number of EV_ABS codes.
    public static let axisLimit = 64

    public init() {}

    // MARK: Describing the device

    /// Sets the description of an axis; a later one replaces it. Codes from `axisLimit` on are ignored.
    public mutating func describe(axis code: UInt16, as axis: DeviceAxis) {
        guard code < Self.axisLimit else { return }
        if let index = axes.firstIndex(where: { $0.code == code }) {
            axes[index].axis = axis
        } else {
            axes.append(Axis(code: code, axis: axis))
        }
    }

    /// Notes that the device lists a code of EV_KEY (1) or EV_ABS (3); other types are ignored.
    public mutating func list(code: UInt16, ofType type: UInt16) {
        switch (type, code) {
        case (1, Code.touch): keys.insert(.touch)
        case (1, Code.toolFinger): keys.insert(.toolFinger)
        case (1, Code.toolPen): keys.insert(.toolPen)
        case (3, 0..<UInt16(Self.axisLimit)): absoluteCodes = (absoluteCodes ?? 0) | 1 << UInt64(code)
        case (3, _): absoluteCodes = absoluteCodes ?? 0
        default: break
        }
    }

    /// Appends eight codes of EV_KEY or EV_ABS, lowest bit first: EVIOCGBIT's answer byte by byte.
    public mutating func listNext(_ bits: UInt8, ofType type: UInt16) {
        let start: Int
        switch type {
        case 1: (start, keyBytes) = (keyBytes, min(keyBytes + 1, 1 << 12))
        case 3:
            (start, absoluteBytes) = (absoluteBytes, min(absoluteBytes + 1, 1 << 12))
            absoluteCodes = absoluteCodes ?? 0
        default: return
        }
        guard bits != 0 else { return }
        for bit in 0..<8 where bits & 1 << bit != 0 { list(code: UInt16(start * 8 + bit), ofType: type) }
    }

    /// Sets an INPUT_PROP.
    public mutating func setProperty(_ number: Int) {
        if number == 0 { properties.insert(.pointer) }
        if number == 1 { properties.insert(.direct) }
    }

    /// Appends eight properties, lowest bit first: EVIOCGPROP's answer byte by byte.
    public mutating func setNextProperties(_ bits: UInt8) {
        if propertyBytes == 0 { for bit in 0..<8 where bits & 1 << bit != 0 { setProperty(bit) } }
        propertyBytes = 1
    }

    // MARK: Derived properties

    /// The description of an axis; nil if there is no description.
    public func axis(_ code: UInt16) -> DeviceAxis? { axes.first { $0.code == code }?.axis }

    private func hasAxis(_ code: UInt16) -> Bool {
        axis(code) != nil || (absoluteCodes ?? 0) & 1 << UInt64(code) != 0
    }

    /// The multi-touch protocol of the events; nil if only the events can show it.
    ///
    /// A tool may have written only some of the axes. Without a slot among described axes, the events therefore decide.
    public var contactProtocol: ContactProtocol? {
        if hasAxis(Code.slot) { return .slots }
        guard absoluteCodes != nil else { return nil }
        if hasAxis(Code.touchX) { return .groups }
        return hasAxis(Code.x) ? .single : nil
    }

    /// Whether the device is a touch device: it has multi-touch axes, or a position and BTN_TOUCH.
    public var isTouchDevice: Bool {
        hasMultiTouch || hasAxis(Code.x) && hasAxis(Code.y) && keys.contains(.touch)
    }

    /// Whether it has multi-touch axes.
    var hasMultiTouch: Bool { hasAxis(Code.touchX) || hasAxis(Code.slot) }

    /// Whether it supports a pen, which also sets BTN_TOUCH.
    var supportsPen: Bool { keys.contains(.toolPen) }

    /// The number of slots, 1...`EvdevTracker.slotLimit`. The limit is also the default without a described last slot.
    public var slotCount: Int {
        guard let last = lastSlot else { return EvdevTracker.slotLimit }
        return Int(min(last, Int32(EvdevTracker.slotLimit) - 1)) + 1
    }

    /// The last slot; nil if it is not described, or described as −1.
    private var lastSlot: Int32? {
        guard let last = axis(Code.slot)?.maximum, last >= 0 else { return nil }
        return last
    }

    /// The description in the terms of HID.
    public var device: DeviceDescription {
        var device = DeviceDescription()
        device.name = name
        device.numbers = DeviceDescription.Numbers(bus: bus, vendor: vendor, product: product, version: version)
        device.kind =
            if properties.contains(.direct) {
                .touchscreen
            } else if properties.contains(.pointer) || keys.contains(.toolFinger) && !keys.contains(.toolPen) {
                .touchpad
            } else {
                nil
            }
        let (x, y) = (axis(Code.touchX), axis(Code.touchY))
        let isWhole = x?.range != nil && y?.range != nil
        (device.x, device.y) = isWhole ? (x, y) : (axis(Code.x) ?? x, axis(Code.y) ?? y)
        device.pressure = axis(Code.touchPressure) ?? axis(Code.pressure)
        (device.major, device.minor) = (axis(Code.touchMajor), axis(Code.touchMinor))
        (device.orientation, device.distance) = (axis(Code.orientation), axis(Code.touchDistance))
        if lastSlot != nil { device.contactCount = slotCount }
        return device
    }
}
