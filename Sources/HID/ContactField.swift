// ContactField.swift: what a panel can measure of a contact besides its position, in the panel's own units.
//
//     ReportField ──▶ ContactAttributes   one value for each field
//                     ContactAxes         one axis for each field: its range and resolution
//
// Station   device → frame
// Fed by    TouchReportDecoder, and every reader of recordings
// Feeds     PanelMeasures, which gives a field its unit; the writers of recordings
// Knows     the fields. A new one is declared here; the compiler then names each switch that must handle it.
//
// Sources   documented  the kernel's multi-touch-protocol; HID Usage Tables 1.5, Digitizers

public enum ContactField: String, Sendable, CaseIterable {
    case pressure, major, minor, orientation, distance, azimuth, tiltX, tiltY

    public var value: WritableKeyPath<ContactAttributes, Int32?> {
        switch self {
        case .pressure: \.pressure
        case .major: \.major
        case .minor: \.minor
        case .orientation: \.orientation
        case .distance: \.distance
        case .azimuth: \.azimuth
        case .tiltX: \.tiltX
        case .tiltY: \.tiltY
        }
    }

    public var axis: WritableKeyPath<DeviceDescription, DeviceAxis?> {
        switch self {
        case .pressure: \.pressure
        case .major: \.major
        case .minor: \.minor
        case .orientation: \.orientation
        case .distance: \.distance
        case .azimuth: \.azimuth
        case .tiltX: \.tiltX
        case .tiltY: \.tiltY
        }
    }
}

/// What else a panel says of a finger, in the panel's own units (`DeviceDescription` has their ranges); nil for what it
/// does not say.
public struct ContactAttributes: Hashable, Sendable {
    public enum Tool: UInt8, Sendable, CaseIterable { case finger, pen, palm }

    /// A palm is what a panel calls so (ABS_MT_TOOL_TYPE) or has no confidence in (HID Confidence 0).
    public var tool = Tool.finger
    public var pressure: Int32?
    /// The touching ellipse's longer and shorter diameter: ABS_MT_TOUCH_MAJOR and MINOR, HID's larger and smaller of
    /// Width and Height.
    public var major, minor: Int32?
    public var orientation: Int32?
    /// Above the glass.
    public var distance: Int32?
    public var azimuth: Int32?
    public var tiltX, tiltY: Int32?

    public init() {}
}

/// The axes of these values; nil for what the panel does not describe.
public struct ContactAxes: Hashable, Sendable {
    public var pressure, major, minor, orientation, distance: DeviceAxis?
    public var azimuth, tiltX, tiltY: DeviceAxis?
}
