// ReportField.swift: what a HID report holds of a contact besides its id, its switches and its position.
//
//     usage ──TouchReportLayout──▶ ReportBits ──▶ ReportFieldPlans ──a report──▶ ContactAttributes
//                                      └──▶ axes of the DeviceDescription
//
// Station   device
// Input     TouchReportLayout, for the usages; TouchReportPlan, once per contact of a report
// Output    ContactAttributes, for ContactTracker
// Knows     the fields' usages, and how ContactAttributes has them. A new one is declared here.
//
// Sources   documented  HID Usage Tables 1.5, Digitizers

/// In the order of bits in `ReportFieldPlans.present`.
enum ReportField: Int, Sendable, CaseIterable {
    case width, height, pressure, azimuth, tiltX, tiltY

    /// In the digitizer page.
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

    /// As `touchline decode --descriptor` calls it; nil for what it leaves out.
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
    /// Takes the axes of one contact's fields.
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

/// Where the fields of one contact are in a report, in the form that is fastest to read.
struct ReportFieldPlans: Sendable {
    private var plans = InlineArray<8, BitPlan>(repeating: BitPlan(nil))
    /// One bit for each field that the report has.
    private var present: UInt8 = 0
    /// What a full turn is in an azimuth's units, at least 1.
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
                // Counted against the clock from 0 to a full turn; an orientation goes with it, half a turn either way.
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
    /// The range of whichever of two values is the larger, or the smaller.
    fileprivate func spanning(_ other: DeviceAxis) -> DeviceAxis {
        var axis = self
        axis.minimum = min(minimum, other.minimum)
        axis.maximum = max(maximum, other.maximum)
        return axis
    }
}
