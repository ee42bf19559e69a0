// TouchReportLayout.swift: the positions of contacts in a touch device's reports, from its descriptor alone.
//
// Station   device
// Input     ReportDescriptor
// Output    layouts for TouchReportDecoder and `touchline decode --descriptor`
//
// A report of a touch application (0D:04 touch screen, 0D:05 touch pad) has several contacts, each a run of values:
//
//     Tip  In Range  Confidence  Contact ID  X  Y  Width  Height …  Tip  In Range …        Contact Count  Scan Time
//     └──────────────────── one contact ───────────────────────┘    └─ the next ─ …        └─ the whole report's ─┘
//
// The next contact begins where a usage repeats, or in another Finger collection once the last contact is complete.
// Devices nest X and Y in collections of their own, so the depth decides nothing. A second X and Y in the same Finger
// collection are its center, besides the touching point. Pens and settings in the application are no contacts.
//
// Sources   documented  HID Usage Tables 1.5, Digitizers; Microsoft, touchscreen required HID top-level collections
//           observed    Linux hid-multitouch: a usage that repeats begins a contact, an X right after an X is a center;
//                       recordings: X and Y in an extra Physical collection; panels that write in³ and mean inches

/// One input report that has contacts.
public struct TouchReportLayout: Hashable, Sendable {
    /// Nil if the device's reports have no ids.
    public internal(set) var reportID: UInt8?
    /// The length in bytes, with the id.
    public internal(set) var reportBytes = 0
    public internal(set) var application: DeviceDescription.Kind
    /// The index of the report's touch application, from 0 in order of declaration.
    public internal(set) var applicationIndex: Int
    /// The values of its contacts: sorted, of `cid conf h inrange p tip w x y`.
    public internal(set) var usages: [String] = []
    /// The axes of the first contact.
    public internal(set) var x, y: DeviceAxis
    /// The ranges as declared. An axis ends where a position does, at 32 bits and a sign.
    public internal(set) var logicalX, logicalY: LogicalRange

    /// The declared range of a value; the minimum may be the larger one.
    public struct LogicalRange: Hashable, Sendable {
        public var minimum, maximum: Int64
    }

    /// In report order.
    var slots: [ContactSlot] = []
    var contactCount: ReportBits?
    var scanTime: ReportBits?
    /// The duration of one tick of the scan time, in nanoseconds.
    var scanTick: Int64 = 100_000
    /// The number at which the scan time wraps.
    var scanModulus: Int64 = 1 << 16

    public var contactsPerReport: Int { slots.count }
    public var hasContactCount: Bool { contactCount != nil }
    public var hasScanTime: Bool { scanTime != nil }
}

/// The touch reports of a descriptor.
public struct TouchReportLayouts: Hashable, Sendable {
    /// In order of declaration.
    public private(set) var reports: [TouchReportLayout] = []
    /// The device's own number of contacts: the logical maximum of Contact Count Maximum. It may be wrong.
    public private(set) var contactCountMax: Int?
    /// Whether it has the blob that identifies a Windows 8 device.
    public private(set) var isWindows8 = false
    /// The description of the first report.
    public private(set) var description = DeviceDescription()

    /// The number of touch applications that have a report with contacts.
    public var applicationCount: Int { reports.reduce(0) { max($0, $1.applicationIndex + 1) } }

    /// The largest number of contacts in a report.
    static let contactLimit = 256
    /// The largest number of values of one field, and of one report, that are read.
    static let valueLimit = 4096
    /// The largest number of values of all reports. Real devices have hundreds.
    static let allValuesLimit = 65_536
    /// The largest number of usages of one feature that are read.
    static let featureLimit = 256
    /// The largest number of touch applications that are read.
    static let applicationLimit = 16

    public init(of descriptor: ReportDescriptor) {
        for field in descriptor.fields where field.kind == .feature {
            for usage in field.usages(first: Self.featureLimit, repeatsLast: false) {
                if usage == .contactCountMaximum, contactCountMax == nil {
                    contactCountMax = Int(field.logicalMaximum)
                }
                if usage == .windows8Blob { isWindows8 = true }
            }
        }
        var valuesLeft = Self.allValuesLimit
        for application in Self.applications(of: descriptor) {
            // An application whose reports have no contacts has no number.
            let index = applicationCount
            for report in application.reports {
                var builder = TouchReportBuilder(
                    descriptor: descriptor, application: application.collection, reportID: report.id,
                    fields: report.fields, valuesLeft: valuesLeft)
                if let report = builder.build(application.kind, index) { reports.append(report) }
                valuesLeft = builder.valuesLeft
            }
        }
        describe()
    }

    private mutating func describe() {
        description.contactCount = contactCountMax
        guard let first = reports.first, let slot = first.slots.first else { return }
        description.kind = first.application
        (description.x, description.y) = (first.x, first.y)
        description.describe(slot.fields)
    }

    private struct Application {
        struct Report {
            var id: UInt8?
            /// The indices of its fields in the descriptor, as declared.
            var fields: [Int]
        }

        var collection: Int
        var kind: DeviceDescription.Kind
        /// Its input reports, as declared.
        var reports: [Report] = []
    }

    private static func applications(of descriptor: ReportDescriptor) -> [Application] {
        var found: [Application] = []
        // The index in `found` for each collection, and the index in its `reports` for each application and report id.
        var places: [Int: Int] = [:]
        for (index, collection) in descriptor.collections.enumerated()
        where collection.type == ReportDescriptor.Collection.application && found.count < applicationLimit {
            switch collection.usage {
            case .touchScreen: found.append(Application(collection: index, kind: .touchscreen))
            case .touchPad: found.append(Application(collection: index, kind: .touchpad))
            default: continue
            }
            places[index] = found.count - 1
        }
        var reports = [Int?](repeating: nil, count: found.count * 256)
        for (index, field) in descriptor.fields.enumerated() where field.kind == .input {
            guard let collection = descriptor.application(of: field.collection), let place = places[collection] else {
                continue
            }
            let key = place * 256 + Int(field.reportID ?? 0)
            if let report = reports[key] {
                found[place].reports[report].fields.append(index)
            } else {
                reports[key] = found[place].reports.count
                found[place].reports.append(Application.Report(id: field.reportID, fields: [index]))
            }
        }
        return found
    }
}

extension ReportDescriptor {
    /// The innermost application collection around a collection; nil outside all of them.
    func application(of collection: Int?) -> Int? {
        var next = collection
        while let index = next, collections[index].type != Collection.application { next = collections[index].parent }
        return next
    }

    /// The contents of a descriptor without touch, for a person: `keyboard (01:06), vendor page FF00`.
    public var contents: String {
        var names: [String] = []
        for collection in collections where collection.parent == nil {
            let name = collection.usage.applicationName
            if !names.contains(name) { names.append(name) }
        }
        let shown = names.prefix(8).joined(separator: ", ")
        return names.isEmpty ? "no collection" : names.count > 8 ? shown + " and others" : shown
    }
}

extension HIDUsage {
    static let digitizerPage: UInt16 = 0x0D

    fileprivate static func digitizer(_ usage: UInt16) -> HIDUsage { HIDUsage(page: digitizerPage, usage: usage) }

    static let touchScreen = digitizer(0x04)
    static let touchPad = digitizer(0x05)
    static let contactCount = digitizer(0x54)
    static let contactCountMaximum = digitizer(0x55)
    static let scanTime = digitizer(0x56)
    static let windows8Blob = HIDUsage(page: 0xFF00, usage: 0xC5)
    fileprivate static let finger = digitizer(0x22)
    /// Pen, stylus and puck; device configuration and settings.
    fileprivate static let excludedCollections = [0x02, 0x20, 0x21, 0x0E, 0x23].map { digitizer($0) }

    fileprivate var applicationName: String {
        func hex(_ number: UInt16, _ digits: Int) -> String {
            let text = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        if page >= 0xFF00 { return "vendor page \(hex(page, 4))" }
        let name =
            switch (page, usage) {
            case (0x01, 0x02): "mouse"
            case (0x01, 0x04), (0x01, 0x05): "game controller"
            case (0x01, 0x06), (0x01, 0x07): "keyboard"
            case (0x01, 0x80): "system control"
            case (0x0C, 0x01): "consumer control"
            case (0x0D, 0x02): "pen"
            case (0x0D, 0x04): "touch screen"
            case (0x0D, 0x05): "touch pad"
            case (0x0D, 0x0E): "touch configuration"
            default: "usage"
            }
        return "\(name) (\(hex(page, 2)):\(hex(usage, 2)))"
    }
}

/// The position of one value in a report, with what its extraction needs.
struct ReportBits: Hashable, Sendable {
    /// The distance from the report's first bit, its id included.
    var offset: Int
    /// 1...32: of a wider value the lowest bits.
    var size: Int
    var isSigned: Bool
    var axis: DeviceAxis
    var logical: TouchReportLayout.LogicalRange

    /// The first bit after the value.
    var end: Int { offset + size }
}

/// The positions of one contact's values in a report; nil for a value that the report does not have.
struct ContactSlot: Hashable, Sendable {
    /// Tip Switch, or the nearest value that the device has.
    var tip: ReportBits
    var x, y: ReportBits
    /// Nil if the position in the report identifies the contact.
    var id: ReportBits?
    var confidence: ReportBits?
    /// This dictionary is only looked up and never iterated.
    var fields: [ReportField: ReportBits] = [:]
    /// The largest end of its values.
    var end = 0
}

/// Collects the values of one report into contacts.
private struct TouchReportBuilder {
    /// The meaning of a value.
    enum Role: Hashable, CaseIterable {
        case tip, touch, inRange, confidence, id, x, y
        case field(ReportField)

        static let allCases: [Role] =
            [.tip, .touch, .inRange, .confidence, .id, .x, .y] + ReportField.allCases.map(Role.field)

        init?(_ usage: HIDUsage) {
            switch (usage.page, usage.usage) {
            case (0x01, 0x30): self = .x
            case (0x01, 0x31): self = .y
            case (0x0D, 0x32): self = .inRange
            case (0x0D, 0x33): self = .touch
            case (0x0D, 0x42): self = .tip
            case (0x0D, 0x47): self = .confidence
            case (0x0D, 0x51): self = .id
            default:
                guard let field = ReportField(usage) else { return nil }
                self = .field(field)
            }
        }

        /// The name in `touchline decode --descriptor`; nil for a value that it does not list.
        var name: String? {
            switch self {
            case .tip: "tip"
            case .inRange: "inrange"
            case .confidence: "conf"
            case .id: "cid"
            case .x: "x"
            case .y: "y"
            case .touch: nil
            case .field(let field): field.name
            }
        }
    }

    struct Value {
        var role: Role
        var bits: ReportBits
        /// The enclosing Finger collection, or the field's own collection if there is none.
        var finger: Int
    }

    let descriptor: ReportDescriptor
    let application: Int
    let reportID: UInt8?
    /// The indices of its input fields in the descriptor.
    let fields: [Int]
    /// The number of values that may still be read.
    private(set) var valuesLeft: Int

    private var values: [Value] = []
    private var contactCount, scanTime: ReportBits?
    private var scanField: ReportDescriptor.Field?

    init(descriptor: ReportDescriptor, application: Int, reportID: UInt8?, fields: [Int], valuesLeft: Int) {
        (self.descriptor, self.application, self.reportID) = (descriptor, application, reportID)
        (self.fields, self.valuesLeft) = (fields, valuesLeft)
    }

    mutating func build(_ kind: DeviceDescription.Kind, _ index: Int) -> TouchReportLayout? {
        gather()
        let contacts = group()
        guard let first = contacts.first else { return nil }
        var layout = TouchReportLayout(
            application: kind, applicationIndex: index, x: first.slot.x.axis, y: first.slot.y.axis,
            logicalX: first.slot.x.logical, logicalY: first.slot.y.logical)
        layout.reportID = reportID
        layout.reportBytes = descriptor.reportBytes(.input, id: reportID)
        layout.slots = contacts.map(\.slot)
        var names: [String] = []
        for contact in contacts {
            for name in contact.names where !names.contains(name) { names.append(name) }
        }
        layout.usages = names.sorted()
        (layout.contactCount, layout.scanTime) = (contactCount, scanTime)
        if let scanTime, let scanField {
            layout.scanTick = scanField.tick
            let wrap = scanField.logicalMaximum &+ 1
            let capacity = Int64(1) << Int64(scanTime.size)
            // A wide field may count to 65535 only, as the 16-bit fields do that it replaces.
            layout.scanModulus = wrap >= 1 << 16 && wrap < capacity ? wrap : capacity
        }
        return layout
    }

    private mutating func gather() {
        for index in fields {
            let field = descriptor.fields[index]
            guard field.flags.contains(.variable), !field.flags.contains(.constant),
                field.usages.contains(where: { $0.page == 0x01 || $0.page == HIDUsage.digitizerPage }),
                let finger = finger(around: field.collection)
            else { continue }
            let usages = field.usages(first: min(valuesLeft, TouchReportLayouts.valueLimit), repeatsLast: true)
            valuesLeft -= usages.count
            for (index, usage) in usages.enumerated() {
                let bits = field.bits(at: index, afterID: descriptor.hasReportIDs)
                if usage == .contactCount {
                    contactCount = contactCount ?? bits
                } else if usage == .scanTime, scanTime == nil {
                    (scanTime, scanField) = (bits, field)
                } else if let role = Role(usage), values.count < TouchReportLayouts.valueLimit {
                    values.append(Value(role: role, bits: bits, finger: finger))
                }
            }
        }
    }

    /// The Finger collection around a collection, or the collection itself; nil inside a pen or a setting.
    private func finger(around collection: Int?) -> Int? {
        var next = collection
        var found: Int?
        while let index = next, index != application {
            let usage = descriptor.collections[index].usage
            if HIDUsage.excludedCollections.contains(usage) { return nil }
            if found == nil, usage == .finger { found = index }
            next = descriptor.collections[index].parent
        }
        return found ?? collection ?? application
    }

    /// The number of values of each kind in one Finger collection.
    private struct ValueCounts {
        var (places, tips, ids) = (0, 0, 0)

        /// Whether it has two positions for each contact: the touching point, and the center.
        var hasCenters: Bool { places >= 2 && places >= 2 * max(tips, ids, 1) }
    }

    /// The counts of each Finger collection.
    private func countValues() -> [Int: ValueCounts] {
        var mentions: [Int: ValueCounts] = [:]
        for value in values {
            switch value.role {
            case .x: mentions[value.finger, default: ValueCounts()].places += 1
            case .tip: mentions[value.finger, default: ValueCounts()].tips += 1
            case .id: mentions[value.finger, default: ValueCounts()].ids += 1
            default: continue
            }
        }
        return mentions
    }

    private struct Contact {
        var slot: ContactSlot
        var names: [String]
    }

    private func group() -> [Contact] {
        var contacts: [Contact] = []
        var current: [Role: Value] = [:]
        let mentions = countValues()
        func close() {
            if contacts.count < TouchReportLayouts.contactLimit, let contact = Self.contact(current) {
                contacts.append(contact)
            }
            current = [:]
        }
        for value in values {
            let isPlace = value.role == .x || value.role == .y
            if let before = current[value.role] {
                if isPlace, before.finger == value.finger, mentions[value.finger]?.hasCenters == true { continue }
                close()
            } else if let x = current[.x], current[.y] != nil, x.finger != value.finger,
                descriptor.collections[value.finger].usage == .finger
            {
                close()
            }
            current[value.role] = value
        }
        close()
        return contacts
    }

    /// The contact of some values; nil without a position or without a value for the touch itself.
    private static func contact(_ values: [Role: Value]) -> Contact? {
        func bits(_ role: Role) -> ReportBits? { values[role]?.bits }
        guard let x = bits(.x), let y = bits(.y),
            let tip = bits(.tip) ?? bits(.touch) ?? bits(.inRange) ?? bits(.field(.pressure))
        else { return nil }
        var slot = ContactSlot(tip: tip, x: x, y: y)
        (slot.id, slot.confidence) = (bits(.id), bits(.confidence))
        for field in ReportField.allCases { slot.fields[field] = bits(.field(field)) }
        slot.end = Role.allCases.reduce(0) { max($0, values[$1]?.bits.end ?? 0) }
        return Contact(slot: slot, names: Role.allCases.compactMap { values[$0] == nil ? nil : $0.name })
    }
}

extension ReportDescriptor.Field {
    fileprivate func bits(at index: Int, afterID hasID: Bool) -> ReportBits {
        ReportBits(
            offset: (hasID ? 8 : 0) + bitOffset + index * bitSize, size: min(bitSize, 32),
            isSigned: logicalMinimum < 0, axis: axis,
            logical: TouchReportLayout.LogicalRange(minimum: logicalMinimum, maximum: logicalMaximum))
    }

    private var axis: DeviceAxis {
        DeviceAxis(
            minimum: Int32(clamping: logicalMinimum), maximum: Int32(clamping: logicalMaximum), resolution: resolution)
    }

    /// Units per millimeter, or per radian of an angle; 0 if the unit is neither, or a range is missing.
    var resolution: Double {
        let (logical, physical) = (logicalMaximum - logicalMinimum, physicalMaximum - physicalMinimum)
        guard logical > 0, physical > 0, unit >> 8 == 0, unit & 0xF0 != 0, abs(unitExponent) <= 16 else { return 0 }
        let millimetresOrRadians: Double
        switch unit & 0xF {
        case 1: millimetresOrRadians = 10
        case 2: millimetresOrRadians = 1
        case 3: millimetresOrRadians = 25.4
        case 4: millimetresOrRadians = .pi / 180
        default: return 0
        }
        var size = Double(physical) * millimetresOrRadians
        for _ in 0..<abs(unitExponent) { size = unitExponent < 0 ? size / 10 : size * 10 }
        return Double(logical) / size
    }

    /// The duration of one unit in nanoseconds: from the unit if it is plausible, otherwise 100 µs, as Scan Time is defined.
    fileprivate var tick: Int64 {
        let isSeconds = unit == 0x1001 || unit == 0x1003
        switch (isSeconds, unitExponent) {
        case (true, -3): return 1_000_000
        case (true, -5): return 10_000
        case (true, -6): return 1_000
        default: return 100_000
        }
    }
}
