// RecordingTraits.swift: what a recording can say beyond where its contacts were, and which format has words for it.
//
// Every format keeps the contacts: their order, their frames, how each one ended. This is the rest.
//
// Station   device
// Fed by    RecordingWriter, frame by frame
// Feeds     what `touchline convert` says it could not keep, and the table of Docs/Recordings.md
//
// Sources   documented  Docs/Spec/Input.md sections 3.1 to 3.11

import HID

public struct RecordingTraits: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Positions exactly as the panel numbers them.
    public static let units = RecordingTraits(rawValue: 1 << 0)
    /// Times that are no whole milliseconds, no whole microseconds.
    public static let microseconds = RecordingTraits(rawValue: 1 << 1)
    public static let nanoseconds = RecordingTraits(rawValue: 1 << 2)
    /// Scans in which everybody rests, and in which nobody is there.
    public static let restingScans = RecordingTraits(rawValue: 1 << 3)
    public static let emptyScans = RecordingTraits(rawValue: 1 << 4)
    /// The device's own clock: in its 100 µs, and finer.
    public static let scanTime = RecordingTraits(rawValue: 1 << 5)
    public static let fineScanTime = RecordingTraits(rawValue: 1 << 6)
    public static let pressure = RecordingTraits(rawValue: 1 << 7)
    /// Major and minor.
    public static let size = RecordingTraits(rawValue: 1 << 8)
    public static let orientation = RecordingTraits(rawValue: 1 << 9)
    public static let distance = RecordingTraits(rawValue: 1 << 10)
    /// Pens among fingers.
    public static let pens = RecordingTraits(rawValue: 1 << 11)
    public static let azimuth = RecordingTraits(rawValue: 1 << 12)
    public static let tilt = RecordingTraits(rawValue: 1 << 13)
    public static let name = RecordingTraits(rawValue: 1 << 14)
    /// Bus, vendor, product.
    public static let identifiers = RecordingTraits(rawValue: 1 << 15)
    /// Of the two axes.
    public static let resolution = RecordingTraits(rawValue: 1 << 16)
    /// How many contacts the device says it has.
    public static let contactCount = RecordingTraits(rawValue: 1 << 17)
    /// Keys, shakes, scrolls: what a script has besides fingers.
    public static let otherInputs = RecordingTraits(rawValue: 1 << 18)
    public static let version = RecordingTraits(rawValue: 1 << 19)

    /// Everything, in the order a person is told it.
    public static let all: [(trait: RecordingTraits, text: String)] = [
        (.units, "positions in the panel's own units"),
        (.microseconds, "times finer than 1 ms"),
        (.nanoseconds, "times finer than 1 µs"),
        (.restingScans, "scans in which nobody moves"),
        (.emptyScans, "scans without contacts"),
        (.scanTime, "the device's own clock"),
        (.fineScanTime, "the device's own clock finer than 100 µs"),
        (.pressure, "pressure"),
        (.size, "major and minor"),
        (.orientation, "orientation"),
        (.distance, "distance"),
        (.pens, "pens among fingers"),
        (.azimuth, "azimuth"),
        (.tilt, "tilt"),
        (.name, "the device's name"),
        (.identifiers, "bus, vendor and product"),
        (.version, "the device's version"),
        (.resolution, "units per millimetre"),
        (.contactCount, "the device's contact count"),
        (.otherInputs, "keys, shakes and pointers"),
    ]

    /// In their order.
    public var texts: [String] { Self.all.filter { contains($0.trait) }.map(\.text) }

    /// `times finer than 1 ms, pressure`; empty for none.
    public var text: String { texts.joined(separator: ", ") }
}

extension RecordingFormat {
    /// Bytes of a file beyond which it is not read; nil when there is no such limit.
    public var sizeLimit: Int? {
        switch self {
        case .script: FingerScript.textLimit
        case .webdriverActions: WebDriverReader.textLimit
        case .evemu, .evtest, .getevent, .libinputRecord, .hidRecorder, .journal: nil
        }
    }

    /// What a file of this format, as RecordingWriter writes it, gives back exactly.
    ///
    /// - Parameter onScreen: Whether positions are written as points of a screen.
    public func traits(onScreen: Bool = false) -> RecordingTraits {
        let evdev: RecordingTraits = [
            .units, .microseconds, .restingScans, .emptyScans, .scanTime, .fineScanTime, .pressure, .size,
            .orientation, .distance, .pens, .name, .identifiers, .version, .resolution, .contactCount,
        ]
        return switch self {
        case .evemu, .libinputRecord: evdev
        case .evtest: evdev
        case .getevent: evdev
        case .hidRecorder:
            [
                .units, .microseconds, .restingScans, .emptyScans, .scanTime, .pressure, .size, .name, .identifiers,
                .contactCount,
            ]
        case .webdriverActions:
            onScreen
                ? [.restingScans, .pens]
                : [.units, .restingScans, .pressure, .size, .pens, .name, .identifiers, .version]
        case .script:
            onScreen
                ? [.microseconds, .nanoseconds, .restingScans, .emptyScans]
                : [.units, .microseconds, .nanoseconds, .restingScans, .emptyScans]
        case .journal: RecordingTraits(rawValue: .max).subtracting(.otherInputs)
        }
    }
}

extension RecordingTraits {
    init(neededBy device: DeviceDescription) {
        self = .units
        if !device.name.isEmpty { insert(.name) }
        if (device.bus, device.vendor, device.product) != (0, 0, 0) { insert(.identifiers) }
        if device.version != 0 { insert(.version) }
        if (device.x?.resolution ?? 0) != 0 || (device.y?.resolution ?? 0) != 0 { insert(.resolution) }
        if device.contactCount != nil { insert(.contactCount) }
    }

    init(neededBy frame: ContactFrame) {
        self = []
        let (seconds, attoseconds) = frame.time.components
        // A negative time is none: it is written as zero.
        if seconds >= 0, attoseconds >= 0 {
            if attoseconds % 1_000_000_000_000_000 != 0 { insert(.microseconds) }
            if attoseconds % 1_000_000_000_000 != 0 { insert(.nanoseconds) }
        }
        if let scanTime = frame.scanTime {
            insert(.scanTime)
            if scanTime.components.attoseconds % 100_000_000_000_000 != 0 { insert(.fineScanTime) }
        }
        if frame.contacts.isEmpty { insert(.emptyScans) }
        if !frame.contacts.isEmpty, frame.contacts.allSatisfy({ $0.phase == .stationary }) { insert(.restingScans) }
        for contact in frame.contacts {
            let attributes = contact.attributes
            if attributes.pressure != nil { insert(.pressure) }
            if attributes.major != nil || attributes.minor != nil { insert(.size) }
            if attributes.orientation != nil { insert(.orientation) }
            if attributes.distance != nil { insert(.distance) }
            if attributes.tool == .pen { insert(.pens) }
            if attributes.azimuth != nil { insert(.azimuth) }
            if attributes.tiltX != nil || attributes.tiltY != nil { insert(.tilt) }
        }
    }
}
