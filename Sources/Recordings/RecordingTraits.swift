// RecordingTraits.swift: the properties of a recording besides its contacts, and the formats that can store them.
//
// Every format keeps the contacts: their order, their frames, their ends. The traits are all other properties.
//
// Station   device
// Input     RecordingWriter, frame by frame
// Output    the losses that `touchline convert` reports, and the table of Docs/Reference/Recordings.md
//
// Sources   documented  Docs/Spec/Input.md sections 3.1 to 3.11

import HID

/// A set of properties of a recording.
public struct RecordingTraits: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Positions in exact units of the panel.
    public static let units = RecordingTraits(rawValue: 1 << 0)
    /// Times finer than a millisecond, and finer than a microsecond.
    public static let microseconds = RecordingTraits(rawValue: 1 << 1)
    public static let nanoseconds = RecordingTraits(rawValue: 1 << 2)
    /// Scans in which no contact changes, and scans without contacts.
    public static let restingScans = RecordingTraits(rawValue: 1 << 3)
    public static let emptyScans = RecordingTraits(rawValue: 1 << 4)
    /// The device's own clock: in units of 100 µs, and finer.
    public static let scanTime = RecordingTraits(rawValue: 1 << 5)
    public static let fineScanTime = RecordingTraits(rawValue: 1 << 6)
    public static let pressure = RecordingTraits(rawValue: 1 << 7)
    /// Major and minor axes.
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
    /// The resolution of x and y.
    public static let resolution = RecordingTraits(rawValue: 1 << 16)
    /// The device's number of contacts.
    public static let contactCount = RecordingTraits(rawValue: 1 << 17)
    /// Keys, shakes, scrolls: a script's inputs besides fingers.
    public static let otherInputs = RecordingTraits(rawValue: 1 << 18)
    public static let version = RecordingTraits(rawValue: 1 << 19)

    /// All traits with their texts, in the order of reports.
    public static let all: [(trait: RecordingTraits, text: String)] = [
        (.units, "positions in the panel's own units"),
        (.microseconds, "times finer than 1 ms"),
        (.nanoseconds, "times finer than 1 µs"),
        (.restingScans, "scans in which no contact moves"),
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

    /// The texts of this set, in the order of `all`.
    public var texts: [String] { Self.all.filter { contains($0.trait) }.map(\.text) }

    /// `times finer than 1 ms, pressure`; empty for none.
    public var text: String { texts.joined(separator: ", ") }
}

extension RecordingFormat {
    /// The largest file in bytes that is read; nil without a limit.
    public var sizeLimit: Int? {
        switch self {
        case .script: FingerScript.textLimit
        case .webdriverActions: WebDriverReader.textLimit
        case .evemu, .evtest, .getevent, .libinputRecord, .hidRecorder, .journal: nil
        }
    }

    /// The traits that RecordingWriter's files of this format preserve exactly.
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
        let numbers = device.numbers
        if (numbers.bus, numbers.vendor, numbers.product) != (0, 0, 0) { insert(.identifiers) }
        if numbers.version != 0 { insert(.version) }
        if (device.x?.resolution ?? 0) != 0 || (device.y?.resolution ?? 0) != 0 { insert(.resolution) }
        if device.contactCount != nil { insert(.contactCount) }
    }

    init(neededBy frame: ContactFrame) {
        self = []
        let (seconds, attoseconds) = frame.time.components
        // A negative time is invalid: it is written as zero.
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
            if attributes.tool == .pen { insert(.pens) }
            for field in ContactField.allCases where !contains(field.trait) {
                if attributes[keyPath: field.value] != nil { insert(field.trait) }
            }
        }
    }
}

extension ContactField {
    /// What a format without words for the field loses.
    var trait: RecordingTraits {
        switch self {
        case .pressure: .pressure
        case .major, .minor: .size
        case .orientation: .orientation
        case .distance: .distance
        case .azimuth: .azimuth
        case .tiltX, .tiltY: .tilt
        }
    }

    /// In touchline's own journal.
    var letter: UInt8 {
        switch self {
        case .pressure: UInt8(ascii: "p")
        case .major: UInt8(ascii: "j")
        case .minor: UInt8(ascii: "n")
        case .orientation: UInt8(ascii: "o")
        case .distance: UInt8(ascii: "d")
        case .azimuth: UInt8(ascii: "a")
        case .tiltX: UInt8(ascii: "u")
        case .tiltY: UInt8(ascii: "v")
        }
    }
}
