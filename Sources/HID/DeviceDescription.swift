// DeviceDescription.swift: the description of a touch device: its name, its numbers, its axes.
//
// Station   device
// Input     the headers of recordings, HID report descriptors, the kernel's answers about a live device
// Output    ranges for FrameAssembler; descriptions for writers, `touchline devices` and `touchline decode`
//
// Sources   invented

/// One axis of a device, in its own units.
public struct DeviceAxis: Hashable, Sendable {
    public var minimum, maximum: Int32
    /// Units per millimeter, or per radian for an angle; 0 if unknown.
    public var resolution: Double
    /// The noise filter and the dead zone of the kernel, as evdev describes them.
    public var fuzz, flat: Int32

    public init(minimum: Int32, maximum: Int32, resolution: Double = 0, fuzz: Int32 = 0, flat: Int32 = 0) {
        (self.minimum, self.maximum, self.resolution) = (minimum, maximum, resolution)
        (self.fuzz, self.flat) = (fuzz, flat)
    }

    /// Nil for an axis without width, which describes nothing.
    public var range: ClosedRange<Int32>? { maximum > minimum ? minimum...maximum : nil }
}

/// The protocol in which a device reports its contacts.
public enum ContactProtocol: String, Sendable {
    /// Slots, groups, a single finger: `EvdevTracker` has their drawings.
    case slots = "B"
    case groups = "A"
    case single = "S"
    /// Reports of the HID digitizer page.
    case hid
}

/// The number of contacts that a HID device puts into one report.
public enum ReportingMode: String, Sendable {
    case parallel, serial, hybrid
    case singleFinger = "single-finger"
}

/// The description of a touch device.
@dynamicMemberLookup
public struct DeviceDescription: Hashable, Sendable {
    /// The kind of a touch device.
    public enum Kind: String, Sendable { case touchscreen, touchpad }

    /// The kernel's numbers of a device model; 0 if unknown.
    public struct Numbers: Hashable, Sendable {
        public var bus, vendor, product, version: UInt16

        public init(bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0) {
            (self.bus, self.vendor, self.product, self.version) = (bus, vendor, product, version)
        }

        /// In the order of every format: bus, vendor, product, version.
        public var all: [UInt16] { [bus, vendor, product, version] }
    }

    /// The device's own name, or empty.
    public var name = ""
    public var numbers = Numbers()
    /// Nil if unknown.
    public var kind: Kind?
    /// Nil if the device does not describe the axis.
    public var x, y: DeviceAxis?
    /// The axes of contact fields, accessible as `description.pressure`.
    public var contact = ContactAxes()
    /// The device's own number of slots or contacts. It may be wrong (Docs/Spec/Input.md section 1.3), so it is no limit.
    public var contactCount: Int?

    public init() {}

    public subscript(dynamicMember path: WritableKeyPath<ContactAxes, DeviceAxis?>) -> DeviceAxis? {
        get { contact[keyPath: path] }
        set { contact[keyPath: path] = newValue }
    }

    /// Both axes, if both are described and have a width.
    public var ranges: AxisRanges? {
        guard let x = x?.range, let y = y?.range else { return nil }
        return AxisRanges(x: x, y: y)
    }
}
