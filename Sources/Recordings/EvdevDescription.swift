// EvdevDescription.swift: what the kernel says of an input device, or a recording's header in its stead.
//
// Station   device
// Fed by    headers of recordings, the kernel's answers about a live device
// Feeds     DeviceDescription, EvdevTracker
// Knows     codes of axes, keys and properties. Asks nobody.
//
// Sources   documented  input-event-codes.h; kernel multi-touch-protocol.rst
//           observed    udev's input_id takes a device of one or more fingers that is not on the glass for a touchpad

public import HID

public struct EvdevDescription: Hashable, Sendable {
    /// As the device calls itself, or empty.
    public var name = ""
    /// As the kernel numbers them; 0 when nobody says.
    public var bus: UInt16 = 0
    public var vendor: UInt16 = 0
    public var product: UInt16 = 0
    public var version: UInt16 = 0

    private var axes: [Axis] = []
    /// Codes of EV_ABS listed as bits, which are fewer than 64; nil until a list was seen.
    private var absoluteCodes: UInt64?
    private var keys: Traits = []
    private var properties: Traits = []
    /// Bytes of bits taken so far: lines of one kind append.
    private var absoluteBytes = 0
    private var keyBytes = 0
    private var propertyBytes = 0

    private struct Axis: Hashable {
        var code: UInt16
        var axis: DeviceAxis
    }

    /// The few keys and properties that tell something.
    private struct Traits: OptionSet, Hashable {
        var rawValue: UInt8
        static let touch = Self(rawValue: 1)
        static let toolFinger = Self(rawValue: 2)
        static let toolPen = Self(rawValue: 4)
        static let pointer = Self(rawValue: 8)
        static let direct = Self(rawValue: 16)
    }

    /// Codes EV_ABS may have.
    public static let axisLimit = 64

    public init() {}

    // MARK: What is said of it

    /// Sets what is known of an axis; said twice, the last counts. Codes of `axisLimit` and more are nobody's.
    public mutating func describe(axis code: UInt16, as axis: DeviceAxis) {
        guard code < Self.axisLimit else { return }
        if let index = axes.firstIndex(where: { $0.code == code }) {
            axes[index].axis = axis
        } else {
            axes.append(Axis(code: code, axis: axis))
        }
    }

    /// Sets that the device lists a code of EV_KEY (1) or EV_ABS (3); other types tell nothing.
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

    // MARK: What that makes it

    /// Nil for an axis nobody described.
    public func axis(_ code: UInt16) -> DeviceAxis? { axes.first { $0.code == code }?.axis }

    private func has(_ code: UInt16) -> Bool {
        axis(code) != nil || (absoluteCodes ?? 0) & 1 << UInt64(code) != 0
    }

    /// How its events are to be read; nil when only they can tell.
    ///
    /// Axes alone may have been cut down to those somebody cared for: without a slot among them, the events decide.
    public var dialect: ContactProtocol? {
        if has(Code.slot) { return .slots }
        guard absoluteCodes != nil else { return nil }
        if has(Code.touchX) { return .groups }
        return has(Code.x) ? .single : nil
    }

    /// Whether it is a touch device at all: one with multi-touch axes, or with a place and a touch.
    public var touches: Bool {
        hasMultiTouch || has(Code.x) && has(Code.y) && keys.contains(.touch)
    }

    /// Whether it has axes of multi-touch.
    var hasMultiTouch: Bool { has(Code.touchX) || has(Code.slot) }

    /// Whether it takes a pen, which touches too.
    var takesPen: Bool { keys.contains(.toolPen) }

    /// 1...`EvdevTracker.slotLimit`, which it is also when the device names no last slot.
    public var slotCount: Int {
        guard let last = lastSlot else { return EvdevTracker.slotLimit }
        return Int(min(last, Int32(EvdevTracker.slotLimit) - 1)) + 1
    }

    /// Nil when it is not said, or said to be −1.
    private var lastSlot: Int32? {
        guard let last = axis(Code.slot)?.maximum, last >= 0 else { return nil }
        return last
    }

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
