// DeviceDescription.swift: what is known of a touch device besides its touches.
//
// Station   device
// Fed by    recordings' headers, HID report descriptors, the kernel's answers about a live device
// Feeds     FrameAssembler (ranges), writers, `touchline devices`, `touchline decode`

/// One of a device's axes, in its own units.
public struct DeviceAxis: Hashable, Sendable {
    public var minimum, maximum: Int32
    /// Units a millimetre; 0 when nobody says. Of an angle: units a radian.
    public var resolution: Double
    /// As evdev describes it: what the kernel's filter and dead zone were.
    public var fuzz, flat: Int32

    public init(minimum: Int32, maximum: Int32, resolution: Double = 0, fuzz: Int32 = 0, flat: Int32 = 0) {
        (self.minimum, self.maximum, self.resolution) = (minimum, maximum, resolution)
        (self.fuzz, self.flat) = (fuzz, flat)
    }

    /// Nil for one without any width, which describes nothing.
    public var range: ClosedRange<Int32>? { maximum > minimum ? minimum...maximum : nil }
}

/// How a device names its fingers.
public enum ContactProtocol: String, Sendable {
    /// Slots, groups, a single finger: `EvdevTracker` draws them.
    case slots = "B"
    case groups = "A"
    case single = "S"
    /// Reports of HID's digitizer page.
    case hid
}

/// How many of its contacts a HID device puts into one report.
public enum ReportingMode: String, Sendable {
    case parallel, serial, hybrid
    case singleFinger = "single-finger"
}

@dynamicMemberLookup
public struct DeviceDescription: Hashable, Sendable {
    public enum Kind: String, Sendable { case touchscreen, touchpad }

    /// What identifies a model, as the kernel numbers it; 0 if unknown.
    public struct Numbers: Hashable, Sendable {
        public var bus, vendor, product, version: UInt16

        public init(bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0) {
            (self.bus, self.vendor, self.product, self.version) = (bus, vendor, product, version)
        }

        /// In the order in which every format writes them: bus, vendor, product, version.
        public var all: [UInt16] { [bus, vendor, product, version] }
    }

    /// As the device calls itself, or empty.
    public var name = ""
    public var numbers = Numbers()
    /// Nil when nothing tells.
    public var kind: Kind?
    /// Nil: not described.
    public var x, y: DeviceAxis?
    /// Read and written as `description.pressure`.
    public var contact = ContactAxes()
    /// How many slots or contacts it says it has. Some lie (Docs/Spec/Input.md section 1.3): never a limit.
    public var contactCount: Int?

    public init() {}

    public subscript(dynamicMember path: WritableKeyPath<ContactAxes, DeviceAxis?>) -> DeviceAxis? {
        get { contact[keyPath: path] }
        set { contact[keyPath: path] = newValue }
    }

    /// Both axes, if both are described and have any width.
    public var ranges: AxisRanges? {
        guard let x = x?.range, let y = y?.range else { return nil }
        return AxisRanges(x: x, y: y)
    }
}
