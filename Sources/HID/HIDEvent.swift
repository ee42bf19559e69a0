// HIDEvent.swift: one scan of a touch screen in IOKit's terms: a hand and its fingers.
//
// Station   hid
// Input     FrameAssembler, for every frame of a recording, a script or a live device. Outside the pipeline also
//           DigitizerDriver (IOKit's event of a report) and HIDEventRecord (IOKit's bytes)
// Output    Wire, which decodes it again in the system server, for the router
// Knows     normalized device positions. No screen, no app, no view.
//
//     HIDEvent ─┬─ hand: DigitizerEvent, a collection ── OR of the masks, centroid of those that touch
//               ├─ fingers: DigitizerEvent each ─┬─ mask     the changes
//               │                                ├─ options  the state
//               │                                └─ orientation: tilt, polar or quality, one of the three
//               └─ scanTime: the device's own clock, a VendorDefined child
//
// Sources   documented  IOHIDFamily 1915.140.3: IOHIDEventTypes.h, IOHIDEventData.h (fields, masks, options)
//           observed    WebKit HIDEventGenerator.mm: parent Hand with Finger children, index = identity

public import Basics

/// The changes of one transducer, as bits (`kIOHIDDigitizerEvent…`).
public struct DigitizerEventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bit means that a property *changed* in this scan. The property itself is in `options`.
    public static let range = DigitizerEventMask(rawValue: 1 << 0)
    public static let touch = DigitizerEventMask(rawValue: 1 << 1)
    public static let position = DigitizerEventMask(rawValue: 1 << 2)
    public static let stop = DigitizerEventMask(rawValue: 1 << 3)
    public static let peak = DigitizerEventMask(rawValue: 1 << 4)
    public static let identity = DigitizerEventMask(rawValue: 1 << 5)
    /// Pressure, radii or angles changed.
    public static let attribute = DigitizerEventMask(rawValue: 1 << 6)
    public static let cancel = DigitizerEventMask(rawValue: 1 << 7)
    public static let start = DigitizerEventMask(rawValue: 1 << 8)
    public static let resting = DigitizerEventMask(rawValue: 1 << 9)
    public static let fromEdgeFlat = DigitizerEventMask(rawValue: 1 << 10)
    public static let fromEdgeTip = DigitizerEventMask(rawValue: 1 << 11)
    public static let fromCorner = DigitizerEventMask(rawValue: 1 << 12)
    public static let swipePending = DigitizerEventMask(rawValue: 1 << 13)
    public static let fromEdgeForcePending = DigitizerEventMask(rawValue: 1 << 14)
    public static let fromEdgeForceActive = DigitizerEventMask(rawValue: 1 << 15)
    public static let tap = DigitizerEventMask(rawValue: 1 << 17)
    public static let swipeLocked = DigitizerEventMask(rawValue: 1 << 18)
    public static let swipeUp = DigitizerEventMask(rawValue: 1 << 24)
    public static let swipeDown = DigitizerEventMask(rawValue: 1 << 25)
    public static let swipeLeft = DigitizerEventMask(rawValue: 1 << 26)
    public static let swipeRight = DigitizerEventMask(rawValue: 1 << 27)
    /// The value is an estimate, and a later event may correct it (`willUpdateMask`).
    public static let estimatedAltitude = DigitizerEventMask(rawValue: 1 << 28)
    public static let estimatedAzimuth = DigitizerEventMask(rawValue: 1 << 29)
    public static let estimatedPressure = DigitizerEventMask(rawValue: 1 << 30)
    static let estimates: DigitizerEventMask = [.estimatedAltitude, .estimatedAzimuth, .estimatedPressure]
}

/// The properties that a later event will correct, or that this one corrects: a bit is `1 << (field's offset)`
/// (`kIOHIDDigitizerEventUpdate…Mask`).
public struct DigitizerUpdateMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let pressure = DigitizerUpdateMask(rawValue: 1 << 10)
    public static let altitude = DigitizerUpdateMask(rawValue: 1 << 15)
    public static let azimuth = DigitizerUpdateMask(rawValue: 1 << 16)
}

/// The state of a transducer (`kIOHIDEventOption…` of every event, and `kIOHIDTransducer…` of digitizers).
public struct DigitizerOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let isAbsolute = DigitizerOptions(rawValue: 1 << 0)
    public static let isCollection = DigitizerOptions(rawValue: 1 << 1)
    public static let isPixelUnits = DigitizerOptions(rawValue: 1 << 2)
    public static let isCenterOrigin = DigitizerOptions(rawValue: 1 << 3)
    public static let isBuiltIn = DigitizerOptions(rawValue: 1 << 4)
    public static let interpolated = DigitizerOptions(rawValue: 1 << 5)
    public static let injected = DigitizerOptions(rawValue: 1 << 6)
    public static let continuousTime = DigitizerOptions(rawValue: 1 << 7)
    public static let range = DigitizerOptions(rawValue: 0x10000)
    public static let touch = DigitizerOptions(rawValue: 0x20000)
    public static let invert = DigitizerOptions(rawValue: 0x40000)
    public static let displayIntegrated = DigitizerOptions(rawValue: 0x80000)
}

/// The kind of a transducer, with IOKit's raw values.
public enum DigitizerTransducer: UInt8, Sendable, CaseIterable { case stylus, puck, finger, hand }

/// The orientation of a transducer, in one of three forms. Lengths are in millimeters.
public enum DigitizerOrientation: Hashable, Sendable {
    /// Raw values as `kIOHIDDigitizerOrientationType…`.
    public enum Kind: UInt8, Sendable, CaseIterable { case tilt, polar, quality }

    /// In degrees, −90...90: a positive x leans right, a positive y towards the person.
    public struct Tilt: Hashable, Sendable {
        public var x, y: Fixed
        public init(x: Fixed = .zero, y: Fixed = .zero) { (self.x, self.y) = (x, y) }
    }

    /// The angles of a pencil, in radians.
    public struct Polar: Hashable, Sendable {
        /// From upright: π/2 minus `UITouch.altitudeAngle`.
        public var altitude: Fixed
        /// A full turn minus `UITouch.azimuthAngle`.
        public var azimuth: Fixed
        public var quality, density, majorRadius, minorRadius: Fixed

        public init(
            altitude: Fixed = .zero, azimuth: Fixed = .zero, quality: Fixed = .zero, density: Fixed = .zero,
            majorRadius: Fixed = .zero, minorRadius: Fixed = .zero
        ) {
            (self.altitude, self.azimuth, self.quality, self.density) = (altitude, azimuth, quality, density)
            (self.majorRadius, self.minorRadius) = (majorRadius, minorRadius)
        }
    }

    /// The properties of a finger. All but the radii are 0...1.
    public struct Quality: Hashable, Sendable {
        public var quality, density, irregularity, majorRadius, minorRadius, accuracy: Fixed

        public init(
            quality: Fixed = .zero, density: Fixed = .zero, irregularity: Fixed = .zero, majorRadius: Fixed = .zero,
            minorRadius: Fixed = .zero, accuracy: Fixed = .zero
        ) {
            (self.quality, self.density, self.irregularity) = (quality, density, irregularity)
            (self.majorRadius, self.minorRadius, self.accuracy) = (majorRadius, minorRadius, accuracy)
        }
    }

    case tilt(Tilt)
    case polar(Polar)
    case quality(Quality)

    public var kind: Kind {
        switch self {
        case .tilt: .tilt
        case .polar: .polar
        case .quality: .quality
        }
    }

    /// All zero: `kIOHIDDigitizerOrientationTypeTilt`, the orientation of a new event.
    public static var none: DigitizerOrientation { .tilt(Tilt()) }
}

/// One transducer's record: the hand, or one of its fingers.
public struct DigitizerEvent: Hashable, Sendable {
    public var transducer: DigitizerTransducer
    /// The path: the number of a finger while it is down. The hand's is 0, fingers count from 1.
    public var index: UInt32
    public var identity: UInt32
    public var mask: DigitizerEventMask
    /// The changes of a collection's children.
    public var childMask: DigitizerEventMask
    public var options: DigitizerOptions
    public var position: Point<DigitizerSpace>
    /// The height above the panel.
    public var z: Fixed
    public var buttonMask: UInt32
    /// 0...1; zero on panels that do not measure it.
    public var pressure: Fixed
    public var barrel = Barrel()
    public var orientation: DigitizerOrientation
    /// The number of the device's opening. A finger of an older generation is not a finger of this opening.
    public var generationCount: UInt32
    public var corrections = Corrections()

    /// The barrel of a stylus.
    public struct Barrel: Hashable, Sendable {
        /// 0...1; IOKit's auxiliary pressure.
        public var pressure: Fixed
        /// Degrees about the transducer's own axis.
        public var twist: Fixed

        public init(pressure: Fixed = .zero, twist: Fixed = .zero) { (self.pressure, self.twist) = (pressure, twist) }
    }

    /// The properties that a later event will correct (`willUpdateMask`), and those that this one does (`didUpdateMask`).
    public struct Corrections: Hashable, Sendable {
        public var expected, made: DigitizerUpdateMask

        public init(expected: DigitizerUpdateMask = [], made: DigitizerUpdateMask = []) {
            (self.expected, self.made) = (expected, made)
        }
    }

    public init(
        transducer: DigitizerTransducer, index: UInt32, identity: UInt32, mask: DigitizerEventMask,
        options: DigitizerOptions, at position: Point<DigitizerSpace>, pressure: Fixed = .zero,
        orientation: DigitizerOrientation = .none, generationCount: UInt32 = 0
    ) {
        (self.transducer, self.index, self.identity, self.mask) = (transducer, index, identity, mask)
        (self.options, self.position, self.pressure) = (options, position, pressure)
        (self.orientation, self.generationCount) = (orientation, generationCount)
        (childMask, z, buttonMask) = ([], .zero, 0)
    }

    public var isTouching: Bool { options.contains(.touch) }
    public var isInRange: Bool { options.contains(.range) }

    /// In millimeters; zero if unknown, or if the orientation has none.
    public var majorRadius: Fixed {
        switch orientation {
        case .tilt: .zero
        case .polar(let polar): polar.majorRadius
        case .quality(let quality): quality.majorRadius
        }
    }

    public var minorRadius: Fixed {
        switch orientation {
        case .tilt: .zero
        case .polar(let polar): polar.minorRadius
        case .quality(let quality): quality.minorRadius
        }
    }

    /// The phase of the finger, from its mask and its options; nil for a finger that hovers.
    ///
    /// A finger whose attributes changed has moved, because an app receives the change in no other way.
    public var phase: ContactPhase? {
        if mask.contains(.cancel) { return .cancelled }
        guard isTouching else { return mask.contains(.touch) ? .ended : nil }
        if mask.contains(.touch) { return .began }
        return mask.isDisjoint(with: [.position, .attribute]) ? .stationary : .moved
    }
}

/// The device's own clock at a scan, as it sent it: a VendorDefined child of the event, page 0x0D, usage 0x56.
public struct DigitizerScanTime: Hashable, Sendable {
    public static let usagePage: UInt16 = 0x0D
    public static let usage: UInt16 = 0x56

    /// 100 µs each on panels for Windows; the number wraps at its width.
    public var ticks: UInt32
    /// The number of bytes in the device's report, 1...4.
    public var width: UInt8

    public init(ticks: UInt32, width: UInt8) { (self.ticks, self.width) = (ticks, width) }

    /// Converts a clock that does not wrap to 100 µs ticks in four bytes.
    init(unwrapped time: Duration) {
        let (seconds, attoseconds) = time.components
        let ticks = seconds &* 10_000 &+ attoseconds / 100_000_000_000_000
        self.init(ticks: UInt32(truncatingIfNeeded: ticks), width: 4)
    }
}

/// One scan: every finger that is down or has just lifted.
public struct HIDEvent: Hashable, Sendable {
    /// The time at which the device saw it.
    public var timeStamp: Instant
    /// The number of the device among those that input-kit has open.
    public var senderID: UInt64
    public var hand: DigitizerEvent
    /// The assembler's fingers are in ascending order of index, the driver's in the descriptor's order.
    public var fingers: [DigitizerEvent]
    public var scanTime: DigitizerScanTime?
    /// The width of the panel across x in millimeters; zero if unknown. In IOKit it is a property of the sender. The
    /// event carries it for the router, which knows no devices.
    public var panelWidth = Fixed.zero
    /// The display under the panel; 1 is the main one. It is the sender's too, and carried for the same reason (inferred).
    public var display = DisplayID.main

    /// The largest number of fingers. No known panel reports more, and every decoder refuses a longer list.
    public static let fingerLimit = 32

    public init(
        timeStamp: Instant, senderID: UInt64, hand: DigitizerEvent, fingers: [DigitizerEvent],
        scanTime: DigitizerScanTime? = nil
    ) {
        (self.timeStamp, self.senderID) = (timeStamp, senderID)
        (self.hand, self.fingers, self.scanTime) = (hand, fingers, scanTime)
    }

    /// An event whose records are all of one generation.
    public init(
        timeStamp: Instant, senderID: UInt64, generationCount: UInt32, hand: DigitizerEvent,
        fingers: [DigitizerEvent]
    ) {
        self.init(timeStamp: timeStamp, senderID: senderID, hand: hand, fingers: fingers)
        self.generationCount = generationCount
    }

    /// Whether a finger lands, lifts or is cancelled in this scan.
    public var hasTouchEdge: Bool { fingers.haveTouchEdge }

    /// The generation of the hand, which its fingers share.
    public var generationCount: UInt32 {
        get { hand.generationCount }
        set {
            hand.generationCount = newValue
            for i in fingers.indices { fingers[i].generationCount = newValue }
        }
    }
}

extension [DigitizerEvent] {
    /// Whether a finger lands, lifts or is cancelled in these records of a scan.
    package var haveTouchEdge: Bool { contains { !$0.mask.isDisjoint(with: [.touch, .cancel]) } }
}
