// DeviceFacts.swift: what a live device says of itself when it is opened, as the kernel answers it.
//
// Nothing is concluded here that the answers do not say: bits stay bits, so that a recorder can write all of them
// down; what a touch device needs is drawn from them below.
//
// Station   device
// Fed by    the host: ioctls of a device, or their equivalents (Docs/Decisions/Devices.md)
// Feeds     InputKitCore, `touchline devices`, `touchline record`
// Knows     numbers of event types, codes and properties. No file.
//
// Sources   documented  kernel input.h, input-event-codes.h, hidraw.h, multi-touch-protocol.rst

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

/// Who a device says it is.
public struct DeviceIdentity: Hashable, Sendable {
    public var name: String
    /// Where it is plugged in, as the driver calls the place; empty when it does not.
    public var place: String
    public var bus, vendor, product: UInt16
    /// Evdev only.
    public var version: UInt16

    public init(
        name: String = "", place: String = "", bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0,
        version: UInt16 = 0
    ) {
        (self.name, self.place, self.bus, self.vendor) = (name, place, bus, vendor)
        (self.product, self.version) = (product, version)
    }

    /// Whether two nodes may be one panel: the kernel's own reading of it (evdev), and the reports it reads (hidraw).
    ///
    /// The place decides; where the driver names none, the numbers do.
    public func isSamePanel(as other: DeviceIdentity) -> Bool {
        (bus, vendor, product) == (other.bus, other.vendor, other.product) && place == other.place
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
    /// Which codes of one event type it can send.
    public struct Codes: Hashable, Sendable {
        /// `EV_…`; 0 stands for the list of types itself, as in EVIOCGBIT.
        public var type: UInt16
        /// Bit n of byte k is code 8k + n.
        public var bits: [UInt8]

        public init(type: UInt16, bits: [UInt8]) { (self.type, self.bits) = (type, bits) }
    }

    public struct Axis: Hashable, Sendable {
        /// `ABS_…`
        public var code: UInt16
        /// Now.
        public var value: Int32
        public var axis: DeviceAxis

        public init(code: UInt16, value: Int32, axis: DeviceAxis) {
            (self.code, self.value, self.axis) = (code, value, axis)
        }
    }

    public var identity: DeviceIdentity
    /// `INPUT_PROP_…`, as `Codes.bits`.
    public var properties: [UInt8]
    /// In ascending type.
    public var codes: [Codes]
    /// In ascending code.
    public var axes: [Axis]
    /// What its slots held when it was opened: fingers that were there before us.
    public var slots: DeviceSlots?
    /// Whether its stamps are on the clock moments are told by.
    public var stampsAreMoments: Bool

    public init(
        identity: DeviceIdentity, properties: [UInt8] = [], codes: [Codes] = [], axes: [Axis] = [],
        slots: DeviceSlots? = nil, stampsAreMoments: Bool = false
    ) {
        (self.identity, self.properties, self.codes, self.axes) = (identity, properties, codes, axes)
        (self.slots, self.stampsAreMoments) = (slots, stampsAreMoments)
    }
}

/// What every slot of a device holds: the answers to EVIOCGMTSLOTS, and ABS_MT_SLOT's value.
public struct DeviceSlots: Hashable, Sendable {
    public struct Axis: Hashable, Sendable {
        /// `ABS_MT_…`
        public var code: UInt16
        /// By slot.
        public var values: [Int32]

        public init(code: UInt16, values: [Int32]) { (self.code, self.values) = (code, values) }
    }

    /// The slot that the next events are about.
    public var current: Int32
    /// In ascending code.
    public var axes: [Axis]

    public init(current: Int32, axes: [Axis]) { (self.current, self.axes) = (current, axes) }

    /// - Returns: Nil for a slot or an axis nobody spoke of.
    public func value(of code: UInt16, in slot: Int) -> Int32? {
        guard let axis = axes.first(where: { $0.code == code }), axis.values.indices.contains(slot) else { return nil }
        return axis.values[slot]
    }
}

extension EvdevFacts {
    public enum Kind: String, Sendable { case touchscreen, touchpad, pen, other }

    /// `EV_…`, `ABS_…`, `BTN_…` and `INPUT_PROP_…` that say what a device is.
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

    /// Whether it can send this code.
    public func has(_ type: UInt16, _ code: UInt16) -> Bool {
        codes.first { $0.type == type }.map { Self.isSet(Int(code), in: $0.bits) } ?? false
    }

    private static func isSet(_ bit: Int, in bits: [UInt8]) -> Bool {
        bits.indices.contains(bit / 8) && bits[bit / 8] & 1 << UInt8(bit % 8) != 0
    }

    public func axis(_ code: UInt16) -> Axis? { axes.first { $0.code == code } }

    private func hasAxis(_ code: UInt16) -> Bool { has(Number.absolute, code) || axis(code) != nil }

    /// What it is for: how its properties and tools say it, as udev's `input_id` reads them.
    ///
    /// A device without properties (old kernels, recordings) that has a finger's tool but no direct bit is a pad.
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

    /// Which protocol its fingers come in; nil for a device that has none.
    public var dialect: ContactProtocol? {
        guard kind != .other else { return nil }
        if hasAxis(Number.touchX), hasAxis(Number.touchY) { return hasAxis(Number.slot) ? .slots : .groups }
        return .single
    }

    /// As far as a touch needs it.
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
        let isSingle = dialect == .single
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

    /// From its slots' numbers; nil without slots.
    public var slotCount: Int? {
        guard let axis = axis(Number.slot)?.axis, axis.maximum >= 0 else { return nil }
        return Int(axis.maximum) + 1
    }
}
