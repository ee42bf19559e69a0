// HIDEvent.swift: one scan of a touch screen as IOKit tells it: a hand, and its fingers.
//
// Station   hid
// Fed by    FrameAssembler
// Feeds     Wire, then the system server's router
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
    public static let attribute = DigitizerEventMask(rawValue: 1 << 6)
    public static let cancel = DigitizerEventMask(rawValue: 1 << 7)
    public static let start = DigitizerEventMask(rawValue: 1 << 8)
    public static let resting = DigitizerEventMask(rawValue: 1 << 9)
}

/// What holds now (`kIOHIDEventOption…` and the digitizer's own).
public struct DigitizerOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let isAbsolute = DigitizerOptions(rawValue: 1 << 0)
    public static let isCollection = DigitizerOptions(rawValue: 1 << 1)
    public static let range = DigitizerOptions(rawValue: 0x10000)
    public static let touch = DigitizerOptions(rawValue: 0x20000)
    public static let displayIntegrated = DigitizerOptions(rawValue: 0x80000)
}

public enum DigitizerTransducer: UInt8, Sendable { case stylus, puck, finger, hand }

/// One transducer's record: the hand, or one of its fingers.
public struct DigitizerEvent: Hashable, Sendable {
    public var transducer: DigitizerTransducer
    /// The path: which finger this is for as long as it stays down. The hand's is 0, fingers count from 1.
    public var index: UInt32
    public var identity: UInt32
    public var mask: DigitizerEventMask
    public var options: DigitizerOptions
    /// 0...1 across the panel.
    public var x, y: Fixed
    /// 0...1; zero on panels that do not measure it.
    public var pressure: Fixed
    /// Millimetres; zero when unknown.
    public var majorRadius, minorRadius: Fixed

    public init(
        transducer: DigitizerTransducer, index: UInt32, identity: UInt32, mask: DigitizerEventMask,
        options: DigitizerOptions, x: Fixed, y: Fixed, pressure: Fixed = .zero, majorRadius: Fixed = .zero,
        minorRadius: Fixed = .zero
    ) {
        (self.transducer, self.index, self.identity, self.mask) = (transducer, index, identity, mask)
        (self.options, self.x, self.y, self.pressure) = (options, x, y, pressure)
        (self.majorRadius, self.minorRadius) = (majorRadius, minorRadius)
    }

    public var isTouching: Bool { options.contains(.touch) }

    /// What the finger did: its mask says what changed, its options what holds. Nil for one that hovers.
    public var phase: ContactPhase? {
        if mask.contains(.cancel) { return .cancelled }
        guard isTouching else { return mask.contains(.touch) ? .ended : nil }
        return mask.contains(.touch) ? .began : mask.contains(.position) ? .moved : .stationary
    }
}

/// One scan: every finger that is down or has just left.
public struct HIDEvent: Hashable, Sendable {
    /// When the device saw it.
    public var timeStamp: Instant
    /// Which device, among those input-kit has open.
    public var senderID: UInt64
    /// How often that device has been opened: a finger of an older generation is not this device's finger.
    public var generationCount: UInt32
    public var hand: DigitizerEvent
    /// In ascending index.
    public var fingers: [DigitizerEvent]

    /// No panel here reports more; a longer list is refused wherever it is decoded.
    public static let fingerLimit = 32

    public init(
        timeStamp: Instant, senderID: UInt64, generationCount: UInt32, hand: DigitizerEvent,
        fingers: [DigitizerEvent]
    ) {
        (self.timeStamp, self.senderID, self.generationCount) = (timeStamp, senderID, generationCount)
        (self.hand, self.fingers) = (hand, fingers)
    }
}
