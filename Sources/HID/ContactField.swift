// ContactField.swift: the measurements of a contact besides its position, in the panel's own units.
//
// Station   device → frame
// Input     TouchReportDecoder, and every reader of recordings
// Output    fields for PanelMeasures, which gives them IOKit's units, and for the writers of recordings
// Knows     the fields. A new field is declared here; the compiler then reports each switch that must handle it.
//
//     ReportField ──▶ ContactAttributes   one value for each field
//                     ContactAxes         one axis for each field: its range and resolution
//
// Sources   documented  the kernel's multi-touch-protocol; HID Usage Tables 1.5, Digitizers

/// A measurement that a panel may make of a contact.
public enum ContactField: String, Sendable, CaseIterable {
    case pressure, major, minor, orientation, distance, azimuth, tiltX, tiltY

    /// The field's value in the attributes of a contact.
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

    /// The field's axis in the description of a device.
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

/// The measurements of a contact, in the panel's own units (`DeviceDescription` has their ranges); nil for a value that
/// the panel does not report.
public struct ContactAttributes: Hashable, Sendable {
    /// The kind of object that touches the panel.
    public enum Tool: UInt8, Sendable, CaseIterable { case finger, pen, palm }

    /// `palm` is a contact that the panel calls a palm (ABS_MT_TOOL_TYPE) or has no confidence in (HID Confidence 0).
    public var tool = Tool.finger
    public var pressure: Int32?
    /// The longer and the shorter diameter of the contact's ellipse: ABS_MT_TOUCH_MAJOR and MINOR, or the larger and
    /// the smaller of HID's Width and Height.
    public var major, minor: Int32?
    public var orientation: Int32?
    /// The height above the panel.
    public var distance: Int32?
    public var azimuth: Int32?
    public var tiltX, tiltY: Int32?

    public init() {}
}

/// The axes of the attributes; nil for an axis that the panel does not describe.
public struct ContactAxes: Hashable, Sendable {
    public var pressure, major, minor, orientation, distance: DeviceAxis?
    public var azimuth, tiltX, tiltY: DeviceAxis?
}
