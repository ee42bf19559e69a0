// DeviceFacts.swift: the kernel's description of a live device when it is opened.
//
// Station   device
// Input     the host: ioctls of a device, or their equivalents (Docs/Decisions/Devices.md)
// Output    facts for InputKitCore, `touchline devices` and `touchline record`
// Knows     numbers of event types, codes and properties. No file.
//
// The values are the kernel's own answers: bits stay bits, so that a recorder can write all of them. The extension at
// the end derives what a touch device needs.
//
// Sources   documented  kernel input.h, input-event-codes.h, hidraw.h, multi-touch-protocol.rst

/// The kernel's description of a device.
public enum DeviceFacts: Hashable, Sendable {
    case evdev(EvdevFacts)
    case hidraw(HIDRawFacts)

    public var identity: DeviceIdentity {
        switch self {
        case .evdev(let facts): facts.identity
        case .hidraw(let facts): facts.identity
        }
    }
}

/// The identity of a device.
public struct DeviceIdentity: Hashable, Sendable {
    public var name: String
    /// The driver's name of the connector (the physical path); empty if there is none.
    public var physicalPath: String
    public var bus, vendor, product: UInt16
    /// Only evdev has a version.
    public var version: UInt16

    public init(
        name: String = "", physicalPath: String = "", bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0,
        version: UInt16 = 0
    ) {
        (self.name, self.physicalPath, self.bus, self.vendor) = (name, physicalPath, bus, vendor)
        (self.product, self.version) = (product, version)
    }

    /// Whether two nodes may be one panel: the events that the kernel parsed (evdev), and the raw reports (hidraw).
    ///
    /// The numbers and the place must be equal. If neither driver names a place, only the numbers decide.
    public func isSamePanel(as other: DeviceIdentity) -> Bool {
        (bus, vendor, product) == (other.bus, other.vendor, other.product) && physicalPath == other.physicalPath
    }
}

/// A hidraw device.
public struct HIDRawFacts: Hashable, Sendable {
    public var identity: DeviceIdentity
    /// The report descriptor.
    public var descriptor: [UInt8]

    public init(identity: DeviceIdentity, descriptor: [UInt8]) {
        (self.identity, self.descriptor) = (identity, descriptor)
    }
}

/// An evdev device.
public struct EvdevFacts: Hashable, Sendable {
    /// The codes of one event type that a device can send.
    public struct Codes: Hashable, Sendable {
        /// `EV_…`; 0 stands for the list of types itself, as in EVIOCGBIT.
        public var type: UInt16
        /// Bit n of byte k is code 8k + n.
        public var bits: [UInt8]

        public init(type: UInt16, bits: [UInt8]) { (self.type, self.bits) = (type, bits) }
    }

    /// One absolute axis of a device.
    public struct Axis: Hashable, Sendable {
        /// `ABS_…`
        public var code: UInt16
        /// The current value.
        public var value: Int32
        public var axis: DeviceAxis

        public init(code: UInt16, value: Int32, axis: DeviceAxis) {
            (self.code, self.value, self.axis) = (code, value, axis)
        }
    }

    public var identity: DeviceIdentity
    /// `INPUT_PROP_…`, as `Codes.bits`.
    public var properties: [UInt8]
    /// In ascending order of type.
    public var codes: [Codes]
    /// In ascending order of code.
    public var axes: [Axis]
    /// The slots when the device was opened: contacts that were already down.
    public var slots: DeviceSlots?
    /// Whether its stamps are CLOCK_MONOTONIC, on which `Instant` is based.
    public var stampsAreMonotonic: Bool

    public init(
        identity: DeviceIdentity, properties: [UInt8] = [], codes: [Codes] = [], axes: [Axis] = [],
        slots: DeviceSlots? = nil, stampsAreMonotonic: Bool = false
    ) {
        (self.identity, self.properties, self.codes, self.axes) = (identity, properties, codes, axes)
        (self.slots, self.stampsAreMonotonic) = (slots, stampsAreMonotonic)
    }
}

/// The values of all slots of a device: the answers to EVIOCGMTSLOTS, and the value of ABS_MT_SLOT.
public struct DeviceSlots: Hashable, Sendable {
    /// The values of one axis in all slots.
    public struct Axis: Hashable, Sendable {
        /// `ABS_MT_…`
        public var code: UInt16
        /// By slot.
        public var values: [Int32]

        public init(code: UInt16, values: [Int32]) { (self.code, self.values) = (code, values) }
    }

    /// The slot of the next events.
    public var current: Int32
    /// In ascending order of code.
    public var axes: [Axis]

    public init(current: Int32, axes: [Axis]) { (self.current, self.axes) = (current, axes) }

    /// - Returns: Nil for a slot or an axis without a value.
    public func value(of code: UInt16, in slot: Int) -> Int32? {
        guard let axis = axes.first(where: { $0.code == code }), axis.values.indices.contains(slot) else { return nil }
        return axis.values[slot]
    }
}

extension EvdevFacts {
    /// The kind of an evdev device.
    public enum Kind: String, Sendable { case touchscreen, touchpad, pen, other }

    /// The `EV_…`, `ABS_…`, `BTN_…` and `INPUT_PROP_…` numbers that determine the kind of a device.
    private enum Number {
        static let key: UInt16 = 1
        static let absolute: UInt16 = 3
        static let x: UInt16 = 0
        static let y: UInt16 = 1
        static let pressure: UInt16 = 0x18
        static let slot: UInt16 = 0x2F
        static let touchMajor: UInt16 = 0x30
        static let touchMinor: UInt16 = 0x31
        static let orientation: UInt16 = 0x34
        static let touchX: UInt16 = 0x35
        static let touchY: UInt16 = 0x36
        static let touchPressure: UInt16 = 0x3A
        static let touchDistance: UInt16 = 0x3B
        static let penTool: UInt16 = 0x140
        static let fingerTool: UInt16 = 0x145
        static let touchButton: UInt16 = 0x14A
        static let pointer = 0
        static let direct = 1
    }

    /// Whether the device can send this code.
    public func has(_ type: UInt16, _ code: UInt16) -> Bool {
        codes.first { $0.type == type }.map { Self.isSet(Int(code), in: $0.bits) } ?? false
    }

    private static func isSet(_ bit: Int, in bits: [UInt8]) -> Bool {
        bits.indices.contains(bit / 8) && bits[bit / 8] & 1 << UInt8(bit % 8) != 0
    }

    /// The axis with this `ABS_…` code.
    public func axis(_ code: UInt16) -> Axis? { axes.first { $0.code == code } }

    private func hasAxis(_ code: UInt16) -> Bool { has(Number.absolute, code) || axis(code) != nil }

    /// The kind of the device by its properties and tools, as udev's `input_id` decides.
    ///
    /// A device without properties (old kernels, recordings) with a finger tool and without a pen tool is a touchpad.
    public var kind: Kind {
        let speaksOfTouch = hasAxis(Number.touchX) && hasAxis(Number.touchY)
        let isSingle = hasAxis(Number.x) && hasAxis(Number.y) && has(Number.key, Number.touchButton)
        guard speaksOfTouch || isSingle else { return .other }
        let isDirect = Self.isSet(Number.direct, in: properties)
        if !speaksOfTouch, has(Number.key, Number.penTool) { return .pen }
        if Self.isSet(Number.pointer, in: properties) { return .touchpad }
        if isDirect { return .touchscreen }
        return has(Number.key, Number.fingerTool) && !has(Number.key, Number.penTool) ? .touchpad : .touchscreen
    }

    /// The protocol of its contacts; nil for a device without contacts.
    public var contactProtocol: ContactProtocol? {
        guard kind != .other else { return nil }
        if hasAxis(Number.touchX), hasAxis(Number.touchY) { return hasAxis(Number.slot) ? .slots : .groups }
        return .single
    }

    /// The part of the facts that touches need.
    public var description: DeviceDescription {
        var description = DeviceDescription()
        description.name = identity.name
        description.numbers = DeviceDescription.Numbers(
            bus: identity.bus, vendor: identity.vendor, product: identity.product, version: identity.version)
        switch kind {
        case .touchscreen: description.kind = .touchscreen
        case .touchpad: description.kind = .touchpad
        case .pen, .other: description.kind = nil
        }
        let isSingle = contactProtocol == .single
        description.x = axis(isSingle ? Number.x : Number.touchX)?.axis
        description.y = axis(isSingle ? Number.y : Number.touchY)?.axis
        description.pressure = axis(isSingle ? Number.pressure : Number.touchPressure)?.axis
        description.major = axis(Number.touchMajor)?.axis
        description.minor = axis(Number.touchMinor)?.axis
        description.orientation = axis(Number.orientation)?.axis
        description.distance = axis(Number.touchDistance)?.axis
        description.contactCount = slotCount ?? (isSingle ? 1 : nil)
        return description
    }

    /// The number of slots by the range of ABS_MT_SLOT; nil without slots.
    public var slotCount: Int? {
        guard let axis = axis(Number.slot)?.axis, axis.maximum >= 0 else { return nil }
        return Int(axis.maximum) + 1
    }
}
