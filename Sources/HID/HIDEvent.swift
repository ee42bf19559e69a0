// HIDEvent.swift: one scan of a touch screen as IOKit tells it: a hand, and its fingers.
//
//     HIDEvent ─┬─ hand: DigitizerEvent, a collection ── OR of the masks, centroid of those that touch
//               ├─ fingers: DigitizerEvent each ─┬─ mask     what changed
//               │                                ├─ options  what holds
//               │                                └─ orientation: tilt, polar or quality, one of the three
//               └─ scanTime: the device's own clock, a VendorDefined child
//
// Station   hid
// Input     FrameAssembler, for every frame of a recording, a script or a live device. Off the pipeline also DigitizerDriver
//           (what IOKit makes of a report) and HIDEventRecord (IOKit's bytes)
// Output    Wire, which decodes it again in the system server, for the router
// Knows     normalised device positions. No screen, no app, no view.
//
// Sources   documented  IOHIDFamily 1915.140.3: IOHIDEventTypes.h, IOHIDEventData.h (fields, masks, options)
//           observed    WebKit HIDEventGenerator.mm: parent Hand with Finger children, index = identity

public import Basics

/// What one transducer did, as bits (`kIOHIDDigitizerEvent…`).
public struct DigitizerEventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bit says that a property *changed* in this scan; the property itself is in `options`.
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
    /// The value is a guess, and a later event may correct it (`willUpdateMask`).
    public static let estimatedAltitude = DigitizerEventMask(rawValue: 1 << 28)
    public static let estimatedAzimuth = DigitizerEventMask(rawValue: 1 << 29)
    public static let estimatedPressure = DigitizerEventMask(rawValue: 1 << 30)
    static let estimates: DigitizerEventMask = [.estimatedAltitude, .estimatedAzimuth, .estimatedPressure]
}

/// Which properties an event announces to correct, or corrects: a bit is `1 << (field's offset)`
/// (`kIOHIDDigitizerEventUpdate…Mask`).
public struct DigitizerUpdateMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let pressure = DigitizerUpdateMask(rawValue: 1 << 10)
    public static let altitude = DigitizerUpdateMask(rawValue: 1 << 15)
    public static let azimuth = DigitizerUpdateMask(rawValue: 1 << 16)
}

/// What holds now (`kIOHIDEventOption…`, every event's, and `kIOHIDTransducer…`, the digitizer's own).
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

public enum DigitizerTransducer: UInt8, Sendable, CaseIterable { case stylus, puck, finger, hand }

/// How a transducer lies, in one of three vocabularies. Lengths in millimetres.
public enum DigitizerOrientation: Hashable, Sendable {
    /// Raw values as `kIOHIDDigitizerOrientationType…`.
    public enum Kind: UInt8, Sendable, CaseIterable { case tilt, polar, quality }

    /// Degrees, −90...90: a positive x leans right, a positive y towards the person.
    public struct Tilt: Hashable, Sendable {
        public var x, y: Fixed
        public init(x: Fixed = .zero, y: Fixed = .zero) { (self.x, self.y) = (x, y) }
    }

    /// Radians: a pencil's.
    public struct Polar: Hashable, Sendable {
        /// From upright: π/2 less `UITouch.altitudeAngle`.
        public var altitude: Fixed
        /// A full turn less `UITouch.azimuthAngle`.
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

    /// A finger's. All but the radii are 0...1.
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

    /// All zero: `kIOHIDDigitizerOrientationTypeTilt`, which a fresh event has.
    public static let none = DigitizerOrientation.tilt(Tilt())
}

/// One transducer's record: the hand, or one of its fingers.
public struct DigitizerEvent: Hashable, Sendable {
    public var transducer: DigitizerTransducer
    /// The path: which finger this is for as long as it stays down. The hand's is 0, fingers count from 1.
    public var index: UInt32
    public var identity: UInt32
    public var mask: DigitizerEventMask
    /// What the children of a collection did.
    public var childMask: DigitizerEventMask
    public var options: DigitizerOptions
    public var position: Point<DigitizerSpace>
    /// Above the panel.
    public var z: Fixed
    public var buttonMask: UInt32
    /// 0...1; zero on panels that do not measure it.
    public var pressure: Fixed
    public var barrel = Barrel()
    public var orientation: DigitizerOrientation
    /// How often the device has been opened: a finger of an older generation is not this device's finger.
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

    /// Millimetres; zero when unknown, or when the orientation has none.
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

    /// What the finger did: its mask says what changed, its options what holds. Nil for one that hovers.
    ///
    /// A finger that only pressed harder has moved: the app hears of it no other way.
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

    /// 100 µs each on panels for Windows; wraps at its width.
    public var ticks: UInt32
    /// How many bytes the device gives it: 1...4.
    public var width: UInt8

    public init(ticks: UInt32, width: UInt8) { (self.ticks, self.width) = (ticks, width) }

    /// A clock that no longer wraps, in 100 µs and four bytes.
    init(unwrapped time: Duration) {
        let (seconds, attoseconds) = time.components
        let ticks = seconds &* 10_000 &+ attoseconds / 100_000_000_000_000
        self.init(ticks: UInt32(truncatingIfNeeded: ticks), width: 4)
    }
}

/// One scan: every finger that is down or has just left.
public struct HIDEvent: Hashable, Sendable {
    /// When the device saw it.
    public var timeStamp: Instant
    /// Which device, among those input-kit has open.
    public var senderID: UInt64
    public var hand: DigitizerEvent
    /// The assembler's are in ascending index, the driver's in the descriptor's order.
    public var fingers: [DigitizerEvent]
    public var scanTime: DigitizerScanTime?
    /// How wide the panel is across x, in millimetres; zero when nobody says. In IOKit the sender's property, not the
    /// event's: it travels along for the router, which knows no devices.
    public var panelWidth = Fixed.zero
    /// Over which display the panel lies: 1 is the main one. The sender's too, and travels for the same reason (inferred).
    public var display = DisplayID.main

    /// No panel here reports more; a longer list is refused wherever it is decoded.
    public static let fingerLimit = 32

    public init(
        timeStamp: Instant, senderID: UInt64, hand: DigitizerEvent, fingers: [DigitizerEvent],
        scanTime: DigitizerScanTime? = nil
    ) {
        (self.timeStamp, self.senderID) = (timeStamp, senderID)
        (self.hand, self.fingers, self.scanTime) = (hand, fingers, scanTime)
    }

    /// An event all of whose records are of one generation.
    public init(
        timeStamp: Instant, senderID: UInt64, generationCount: UInt32, hand: DigitizerEvent,
        fingers: [DigitizerEvent]
    ) {
        self.init(timeStamp: timeStamp, senderID: senderID, hand: hand, fingers: fingers)
        self.generationCount = generationCount
    }

    /// The hand's; its fingers' are the same.
    public var generationCount: UInt32 {
        get { hand.generationCount }
        set {
            hand.generationCount = newValue
            for i in fingers.indices { fingers[i].generationCount = newValue }
        }
    }
}
