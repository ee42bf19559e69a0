// ReportField.swift: the fields of a contact in a HID report, apart from its id, its switches and its position.
//
// Station   device
// Input     TouchReportLayout, for the usages; TouchReportPlan, once per contact of a report
// Output    ContactAttributes, for ContactTracker
// Knows     the fields' usages, and their counterparts in ContactAttributes. A new field is declared here.
//
//     usage ──TouchReportLayout──▶ ReportBits ──▶ ReportFieldPlans ──a report──▶ ContactAttributes
//                                      └──▶ axes of the DeviceDescription
//
// Sources   documented  HID Usage Tables 1.5, Digitizers

/// A field of a contact, in the order of the bits in `ReportFieldPlans.present`.
enum ReportField: Int, Sendable, CaseIterable {
    case width, height, pressure, azimuth, tiltX, tiltY

    /// The usage on the digitizer page.
    var usage: UInt16 {
        switch self {
        case .width: 0x48
        case .height: 0x49
        case .pressure: 0x30
        case .azimuth: 0x3F
        case .tiltX: 0x3D
        case .tiltY: 0x3E
        }
    }

    /// The name in `touchline decode --descriptor`; nil for a field that it does not list.
    var name: String? {
        switch self {
        case .width: "w"
        case .height: "h"
        case .pressure: "p"
        case .azimuth, .tiltX, .tiltY: nil
        }
    }

    init?(_ usage: HIDUsage) {
        guard usage.page == HIDUsage.digitizerPage, let field = Self.allCases.first(where: { $0.usage == usage.usage })
        else { return nil }
        self = field
    }
}

extension DeviceDescription {
    /// Sets the axes from the fields of one contact.
    mutating func describe(_ fields: [ReportField: ReportBits]) {
        for field in ReportField.allCases {
            guard let axis = fields[field]?.axis else { continue }
            switch field {
            case .width, .height:
                guard let other = contact.major else {
                    contact.major = axis
                    continue
                }
                contact.major = other.spanning(axis)
                contact.minor = contact.major
                contact.orientation = DeviceAxis(minimum: 0, maximum: 1)
            case .pressure: contact.pressure = axis
            case .azimuth:
                contact.azimuth = axis
                let quarter = max(1, axis.maximum / 4)
                contact.orientation = DeviceAxis(minimum: -quarter, maximum: quarter, resolution: axis.resolution)
            case .tiltX: contact.tiltX = axis
            case .tiltY: contact.tiltY = axis
            }
        }
    }
}

/// The positions of one contact's fields in a report, in the form that is fastest to read.
struct ReportFieldPlans: Sendable {
    private var plans = InlineArray<8, BitPlan>(repeating: BitPlan(nil))
    /// One bit for each field of the report.
    private var present: UInt8 = 0
    /// A full turn in an azimuth's units, at least 1.
    private let fullTurn: Int32

    var isEmpty: Bool { present == 0 }

    init(_ fields: [ReportField: ReportBits]) {
        fullTurn = fields[.azimuth].map { max(1, $0.axis.maximum) } ?? 1
        for field in ReportField.allCases {
            guard let bits = fields[field] else { continue }
            plans[field.rawValue] = BitPlan(bits)
            present |= 1 << field.rawValue
        }
    }

    func attributes(in report: Span<UInt8>) -> ContactAttributes {
        var attributes = ContactAttributes()
        var (width, height): (Int32?, Int32?)
        var left = present
        while left != 0 {
            let index = left.trailingZeroBitCount
            left &= left - 1
            guard let field = ReportField(rawValue: index) else {
                preconditionFailure("a report has no field \(index)")
            }
            let value = plans[index].coordinate(in: report)
            switch field {
            case .width: width = value
            case .height: height = value
            case .pressure: attributes.pressure = value
            case .azimuth:
                attributes.azimuth = value
                // An azimuth counts anticlockwise from 0 to a full turn. The orientation has half a turn in either direction.
                let (value, turn) = (Int64(value), Int64(fullTurn))
                attributes.orientation = Int32(clamping: value > turn / 2 ? turn - value : -value)
            case .tiltX: attributes.tiltX = value
            case .tiltY: attributes.tiltY = value
            }
        }
        if let width, let height {
            (attributes.major, attributes.minor) = (max(width, height), min(width, height))
            attributes.orientation = attributes.orientation ?? (width > height ? 1 : 0)
        } else {
            attributes.major = width ?? height
        }
        return attributes
    }
}

extension DeviceAxis {
    /// The range of the larger, or the smaller, of two values.
    fileprivate func spanning(_ other: DeviceAxis) -> DeviceAxis {
        var axis = self
        axis.minimum = min(minimum, other.minimum)
        axis.maximum = max(maximum, other.maximum)
        return axis
    }
}
