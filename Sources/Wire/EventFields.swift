// EventFields.swift: the fields of events, touches and receipts, under their names in Docs/Reference/Wire.md.
//
// Input     Message.encode and Message.init, through a FieldCoder
// Output    the order, the widths and the limits of the fields
//
// Sources   invented

import Basics
package import HID

extension HIDEvent: FieldCodable {
    private static let hasPanelWidth: UInt8 = 8
    private static let isElsewhere: UInt8 = 16

    private var parts: UInt8 {
        (scanTime?.width ?? 0) | (panelWidth == .zero ? 0 : Self.hasPanelWidth)
            | (display == .main ? 0 : Self.isElsewhere)
    }

    @inline(__always)
    package init<Coder: FieldCoder>(coding value: HIDEvent?, with coder: inout Coder) throws(Coder.Failure) {
        let time = try coder.field(value?.timeStamp, "time stamp, ns")
        let sender = try coder.field(value?.senderID, "sender")
        let generation = try coder.field(value?.generationCount, "device generation")
        let parts = try coder.field(
            value?.parts, "bytes of the device's scan time, 0...4, 0: it has none; 8 panel width; 16 display")
        let width = parts & ~(Self.hasPanelWidth | Self.isElsewhere)
        try coder.require(width <= 4, else: .badValue("event parts", UInt64(parts)))
        let scanTime =
            width == 0
            ? nil
            : DigitizerScanTime(
                ticks: try coder.field(value?.scanTime?.ticks, "scan time: in the device's own ticks"), width: width)
        let hasWidth = parts & Self.hasPanelWidth != 0
        let panelWidth = hasWidth ? try coder.field(value?.panelWidth, "panel width: 16.16 mm") : .zero
        let isElsewhere = parts & Self.isElsewhere != 0
        let display =
            isElsewhere
            ? try coder.display(value?.display, "display, if not the main one: from 2", from: 2) : .main
        let hand = try DigitizerEvent(coding: value?.hand, generation: generation, with: &coder)
        let fingers = try coder.list(
            value?.fingers, "fingers", of: "fingers", size: DigitizerEvent.leastSize, limit: Self.fingerLimit,
            in: coder.memory?.takeFingers() ?? []
        ) { (finger, coder) throws(Coder.Failure) in
            try DigitizerEvent(coding: finger, generation: generation, with: &coder)
        }
        self.init(timeStamp: time, senderID: sender, hand: hand, fingers: fingers, scanTime: scanTime)
        (self.panelWidth, self.display) = (panelWidth, display)
    }
}

extension DigitizerEvent {
    /// The smallest number of bytes of a digitizer event: a position without any measure.
    static let leastSize = 26

    /// The bits of the flag byte that tell which optional fields follow. Two more bits are the kind of the orientation.
    private enum Part {
        static let pressure: UInt8 = 1 << 0
        static let radii: UInt8 = 1 << 1
        static let orientation: UInt8 = 1 << 2
        static let pen: UInt8 = 1 << 3
        static let updates: UInt8 = 1 << 4
        static let kind: UInt8 = 5
        static let unknown: UInt8 = 1 << 7
    }

    @inline(__always)
    private func parts(generation: UInt32) -> UInt8 {
        var parts = orientation.kind.rawValue << Part.kind
        if pressure != .zero { parts |= Part.pressure }
        if majorRadius != .zero || minorRadius != .zero { parts |= Part.radii }
        let lie = orientation.measures
        if lie.0 != .zero || lie.1 != .zero || lie.2 != .zero || lie.3 != .zero { parts |= Part.orientation }
        if z != .zero || buttonMask != 0 || barrel != Barrel() { parts |= Part.pen }
        if generationCount != generation || childMask != [] || corrections != Corrections() {
            parts |= Part.updates
        }
        return parts
    }

    /// - Parameter generation: The generation of the parent event. A child with the same generation has no field for
    ///   it.
    @inline(__always)
    init<Coder: FieldCoder>(
        coding value: DigitizerEvent?, generation: UInt32, with coder: inout Coder
    ) throws(Coder.Failure) {
        let transducer = try coder.field(
            value?.transducer, "transducer: 0 stylus, 1 puck, 2 finger, 3 hand", as: "transducer")
        let parts = try coder.field(
            value?.parts(generation: generation),
            "parts: 1 pressure, 2 radii, 4 lie, 8 pen, 16 updates; 32 × orientation: 0 tilt, 1 polar, 2 quality")
        guard parts & Part.unknown == 0,
            let kind = DigitizerOrientation.Kind(rawValue: (parts >> Part.kind) & 3),
            kind != .tilt || parts & Part.radii == 0
        else { throw coder.failure(.badValue("digitizer parts", UInt64(parts))) }
        self.init(
            transducer: transducer, index: try coder.field(value?.index, "index"),
            identity: try coder.field(value?.identity, "identity"), mask: try coder.field(value?.mask, "event mask"),
            options: try coder.field(value?.options, "options"),
            at: try coder.field(value?.position, x: "x, 16.16 of the panel", y: "y, 16.16 of the panel"),
            generationCount: generation)
        if parts & Part.pressure != 0 { pressure = try coder.field(value?.pressure, "pressure: 16.16") }
        orientation = try DigitizerOrientation(
            coding: value?.orientation, kind, hasRadii: parts & Part.radii != 0, hasLie: parts & Part.orientation != 0,
            with: &coder)
        if parts & Part.pen != 0 {
            z = try coder.field(value?.z, "pen: z, 16.16")
            buttonMask = try coder.field(value?.buttonMask, "pen: buttons")
            barrel.pressure = try coder.field(value?.barrel.pressure, "pen: pressure of the barrel, 16.16")
            barrel.twist = try coder.field(value?.barrel.twist, "pen: twist, 16.16 degrees")
        }
        if parts & Part.updates != 0 {
            generationCount = try coder.field(value?.generationCount, "updates: generation")
            childMask = try coder.field(value?.childMask, "updates: event mask of the children")
            corrections.expected = try coder.field(
                value?.corrections.expected, "updates: fields that a later event corrects")
            corrections.made = try coder.field(value?.corrections.made, "updates: fields that this event corrects")
        }
    }
}

extension DigitizerOrientation {
    /// All values except the radii, in the order of their bytes.
    fileprivate var measures: (Fixed, Fixed, Fixed, Fixed) {
        switch self {
        case .tilt(let tilt): (tilt.x, tilt.y, .zero, .zero)
        case .polar(let polar): (polar.altitude, polar.azimuth, polar.quality, polar.density)
        case .quality(let quality): (quality.quality, quality.density, quality.irregularity, quality.accuracy)
        }
    }

    private var radii: (Fixed, Fixed) {
        switch self {
        case .tilt: (.zero, .zero)
        case .polar(let polar): (polar.majorRadius, polar.minorRadius)
        case .quality(let quality): (quality.majorRadius, quality.minorRadius)
        }
    }

    @inline(__always)
    fileprivate init<Coder: FieldCoder>(
        coding value: DigitizerOrientation?, _ kind: Kind, hasRadii: Bool, hasLie: Bool, with coder: inout Coder
    ) throws(Coder.Failure) {
        var radii = (Fixed.zero, Fixed.zero)
        if hasRadii {
            radii.0 = try coder.field(value?.radii.0, "radii: major, 16.16 mm")
            radii.1 = try coder.field(value?.radii.1, "radii: minor, 16.16 mm")
        }
        var lie = (Fixed.zero, Fixed.zero, Fixed.zero, Fixed.zero)
        if hasLie {
            lie.0 = try coder.field(value?.measures.0, "lie: tilt x (degrees) · altitude (radians) · quality, 16.16")
            lie.1 = try coder.field(value?.measures.1, "lie: tilt y (degrees) · azimuth (radians) · density, 16.16")
            lie.2 = try coder.field(value?.measures.2, "lie: 0 · quality · irregularity, 16.16")
            lie.3 = try coder.field(value?.measures.3, "lie: 0 · density · accuracy, 16.16")
        }
        switch kind {
        case .tilt:
            try coder.require(
                lie.2 == .zero && lie.3 == .zero,
                else: .badValue("digitizer tilt", UInt64(UInt32(bitPattern: lie.2.rawValue | lie.3.rawValue))))
            self = .tilt(Tilt(x: lie.0, y: lie.1))
        case .polar:
            self = .polar(
                Polar(
                    altitude: lie.0, azimuth: lie.1, quality: lie.2, density: lie.3, majorRadius: radii.0,
                    minorRadius: radii.1))
        case .quality:
            self = .quality(
                Quality(
                    quality: lie.0, density: lie.1, irregularity: lie.2, majorRadius: radii.0, minorRadius: radii.1,
                    accuracy: lie.3))
        }
    }
}

extension TouchFrame: FieldCodable {
    package init<Coder: FieldCoder>(coding value: TouchFrame?, with coder: inout Coder) throws(Coder.Failure) {
        let time = try coder.field(value?.timeStamp, "time stamp, ns")
        let contacts = try coder.list(
            value?.contacts, "contacts", of: "contacts", size: TouchContact.leastSize, limit: Self.contactLimit,
            in: coder.memory?.takeContacts() ?? []
        ) { (contact, coder) throws(Coder.Failure) in try TouchContact(coding: contact, with: &coder) }
        coder.memory?.keep(contacts)
        self.init(timeStamp: time, contacts: contacts)
        let count = contacts.count
        let earlier = try coder.count(
            value?.history.count, "history: scans that became part of it, oldest first", of: "history",
            size: 8 + 8 * count, limit: Self.historyLimit(contacts: count))
        guard earlier > 0 else { return }
        try coder.require(
            contacts.allSatisfy(\.isContinuing), else: .badValue("history of an edge", UInt64(earlier)))
        history = try coder.touches(value?.history, count: earlier) { (earlier, _, coder) throws(Coder.Failure) in
            try TouchFrame(coding: earlier, before: contacts, with: &coder)
        } limit: { (_, _) throws(Coder.Failure) in
        }
    }

    /// Codes one earlier scan of a coalesced frame in full. It has the touches of the frame, and none of them begins or ends
    /// in it.
    ///
    /// - Parameter last: The contacts of the frame.
    private init<Coder: FieldCoder>(
        coding value: TouchFrame?, before last: [TouchContact], with coder: inout Coder
    ) throws(Coder.Failure) {
        let time = try coder.field(value?.timeStamp, "history: time stamp, ns; then the same contacts")
        let contacts = try coder.elements(value?.contacts, count: last.count) {
            (contact, coder) throws(Coder.Failure) in try TouchContact(coding: contact, with: &coder)
        }
        for (contact, later) in zip(contacts, last) {
            try coder.require(
                contact.touch == later.touch && contact.isContinuing,
                else: .badValue("touch in the history of \(later.touch)", UInt64(contact.touch.rawValue)))
        }
        self.init(timeStamp: time, contacts: contacts)
    }
}

extension TouchContact: FieldCodable {
    /// Whether the touch neither begins nor ends in this scan.
    var isContinuing: Bool { phase == .moved || phase == .stationary }

    /// The smallest number of bytes of a contact: a position without any measure.
    static let leastSize = 14

    /// The bits of the flag byte that tell which further measures follow.
    private enum Part {
        static let radius: UInt8 = 1 << 0
        static let pressure: UInt8 = 1 << 1
        static let angles: UInt8 = 1 << 2
        static let pencil: UInt8 = 1 << 3
        static let gated: UInt8 = 1 << 4
        static let all: UInt8 = 0x1F
    }

    private var parts: UInt8 {
        var parts: UInt8 = tool == .pencil ? Part.pencil : 0
        if majorRadius != .zero { parts |= Part.radius }
        if pressure != .zero { parts |= Part.pressure }
        if angles != nil { parts |= Part.angles }
        if isGated { parts |= Part.gated }
        return parts
    }

    @inline(__always)
    package init<Coder: FieldCoder>(coding value: TouchContact?, with coder: inout Coder) throws(Coder.Failure) {
        let touch = try coder.field(value?.touch, "each: touch")
        let phase = try coder.field(
            value?.phase, "each: phase: 0 began, 1 moved, 2 stationary, 3 ended, 4 cancelled", as: "phase")
        let parts = try coder.field(
            value?.parts, "each: parts: 1 radius, 2 pressure, 4 angles; 8: it is a pencil; 16: gated")
        try coder.require(parts & ~Part.all == 0, else: .badValue("contact parts", UInt64(parts)))
        self.init(
            touch: touch, phase: phase,
            at: try coder.field(value?.position, x: "each: x, 16.16 points", y: "each: y, 16.16 points"),
            tool: parts & Part.pencil != 0 ? .pencil : .direct)
        isGated = parts & Part.gated != 0
        if parts & Part.radius != 0 { majorRadius = try coder.field(value?.majorRadius, "radius: major, 16.16 points") }
        if parts & Part.pressure != 0 {
            pressure = try coder.field(value?.pressure, "pressure: 16.16 of the panel's most")
        }
        if parts & Part.angles != 0 {
            angles = PencilAngles(
                altitude: try coder.field(value?.angles?.altitude, "angles: altitude, 16.16 radians from the glass"),
                azimuth: try coder.field(
                    value?.angles?.azimuth, "angles: azimuth, 16.16 radians from the screen's x axis"))
        }
    }
}

extension DeviceEvent where In.Coordinate == Fixed {
    private typealias Parts = (kind: UInt8, page: UInt16, usage: UInt16, first: Fixed, second: Fixed)

    private var parts: Parts {
        switch input.content {
        case .key(let usage): (0, usage.page, usage.usage, .zero, .zero)
        case .shake: (1, 0, 0, .zero, .zero)
        case .remote(let command): (2, 0, UInt16(command.rawValue), .zero, .zero)
        case .scroll(_, let dx, let dy): (3, 0, 0, dx, dy)
        case .hover: (4, 0, 0, .zero, .zero)
        case .transform(_, let scale, let rotation): (5, 0, 0, scale, rotation)
        }
    }

    /// Codes all kinds of device events with the same fields, so that one drawing describes them all. A field that a
    /// kind does not use is 0.
    ///
    /// - Parameter position: The name of the first position field, which states its unit.
    init<Coder: FieldCoder>(
        coding value: DeviceEvent?, position: StaticString, with coder: inout Coder
    ) throws(Coder.Failure) {
        let time = try coder.field(value?.timeStamp, "time stamp, ns")
        let parts = value?.parts
        let kind = try coder.field(parts?.kind, "kind: 0 key, 1 shake, 2 remote, 3 scroll, 4 hover, 5 transform")
        let phase = try coder.field(
            value?.input.phase, "phase: 0 began, 1 changed, 2 ended, 3 cancelled, 4 once", as: "phase")
        let page = try coder.field(parts?.page, "key: usage page")
        let usage = try coder.field(parts?.usage, "key: usage; remote: command, 100 play … 109 end seeking forward")
        let given = value.map { $0.input.position ?? .zero }
        let place = try coder.field(given, x: position, y: "position: y")
        let first = try coder.field(parts?.first, "scroll: dx, 16.16 points; transform: scale, 16.16")
        let second = try coder.field(parts?.second, "scroll: dy, 16.16 points; transform: radians, 16.16")
        let content: DeviceInput<In>.Content
        switch kind {
        case 0: content = .key(HIDUsage(page: page, usage: usage))
        case 1: content = .shake
        case 2:
            guard let command = UInt8(exactly: usage).flatMap(RemoteCommand.init) else {
                throw coder.failure(.badValue("remote command", UInt64(usage)))
            }
            content = .remote(command)
        case 3: content = .scroll(place, dx: first, dy: second)
        case 4: content = .hover(place)
        case 5:
            // A size cannot grow from a scale of zero.
            try coder.require(
                first > .zero, else: .badValue("scale", UInt64(UInt32(bitPattern: first.rawValue))))
            content = .transform(place, scale: first, rotation: second)
        default: throw coder.failure(.badValue("device kind", UInt64(kind)))
        }
        self.init(timeStamp: time, input: DeviceInput(phase, content))
        try coder.require(input.isPossible, else: .badValue("phase", UInt64(phase.rawValue)))
        for measure in [place.x, place.y, first, second] {
            try coder.require(
                measure != .nan, else: .badValue("device measure", UInt64(UInt32(bitPattern: measure.rawValue))))
        }
    }
}

extension Receipt: FieldCodable {
    private static let notAsked: UInt8 = 255
    private static let hasCoalesced: UInt8 = 16

    @inline(__always)
    package init<Coder: FieldCoder>(coding value: Receipt?, with coder: inout Coder) throws(Coder.Failure) {
        let frame = try coder.field(value?.frame, "frame: sequence answered")
        let parts = try coder.field(
            value.map { $0.outcome.rawValue | ($0.coalesced == nil ? 0 : Self.hasCoalesced) },
            "outcome: 0 delivered, 1 home, 2 dropped; 16 a number of merged moves follows")
        guard let outcome = Outcome(rawValue: parts & ~Self.hasCoalesced) else {
            throw coder.failure(.badValue("outcome", UInt64(parts)))
        }
        self.init(
            frame: frame, outcome: outcome,
            reason: try coder.field(
                value?.reason, "reason of a drop: 0 none, else as Receipt.Reason counts", as: "reason"),
            began: try coder.field(value?.began, "began"), moved: try coder.field(value?.moved, "moved"),
            stationary: try coder.field(value?.stationary, "stationary"),
            ended: try coder.field(value?.ended, "ended"), cancelled: try coder.field(value?.cancelled, "cancelled"))
        takenByMonitor = try coder.field(
            value?.takenByMonitor, "taken by a touch monitor before: moved, ended or cancelled")
        takenBySystem = try coder.field(
            value?.takenBySystem, "taken by a system gesture before: moved, ended or cancelled")
        if parts & Self.hasCoalesced != 0 {
            coalesced = try coder.field(
                value.map { $0.coalesced ?? 0 }, "moves that were merged into later ones, if stated")
        }
        let edges = try coder.field(
            value.map { $0.deferredEdges ?? Self.notAsked },
            "deferred edges: 1 top, 2 left, 4 bottom, 8 right; 255 unknown")
        try coder.require(edges < 16 || edges == Self.notAsked, else: .badValue("deferred edges", UInt64(edges)))
        deferredEdges = edges == Self.notAsked ? nil : edges
        // A dropped frame has a reason, and no other frame has one.
        try coder.require(
            (outcome == .dropped) == (reason != .none),
            else: .badValue("reason of a receipt", UInt64(reason.rawValue)))
    }
}

extension Ledger {
    /// Codes six moments: the first `count` are stamps, the others are zero.
    ///
    /// - Parameter stamps: The name of the count field.
    @inline(__always)
    init<Coder: FieldCoder>(
        coding value: Ledger?, stamps: StaticString, with coder: inout Coder
    ) throws(Coder.Failure) {
        let count = try coder.field(value.map { UInt32($0.count) }, stamps)
        try coder.require(
            count <= UInt32(Hop.allCases.count), else: .badValue("ledger stamp count", UInt64(count)))
        let moments = (
            try coder.field(value.map { $0[.device] ?? .boot }, "ledger: device"),
            try coder.field(value.map { $0[.inputSent] ?? .boot }, "ledger: input-kit sent"),
            try coder.field(value.map { $0[.serverReceived] ?? .boot }, "ledger: system-server received"),
            try coder.field(value.map { $0[.serverSent] ?? .boot }, "ledger: system-server sent"),
            try coder.field(value.map { $0[.appReceived] ?? .boot }, "ledger: app received"),
            try coder.field(value.map { $0[.appHandled] ?? .boot }, "ledger: app handled")
        )
        self.init(count: Int(count), moments)
    }
}

extension FieldCoder {
    /// The number of a display.
    mutating func display(
        _ value: DisplayID?, _ name: StaticString, from first: DisplayID = .main
    ) throws(Failure) -> DisplayID {
        let display = try field(value, name)
        try require(
            (first...DisplayID.last).contains(display), else: .badValue("display", UInt64(display.rawValue)))
        return display
    }
}
