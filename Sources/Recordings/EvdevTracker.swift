// EvdevTracker.swift: Linux input events of one touch device as contacts.
//
// Three dialects carry fingers over evdev, and a device speaks one of them:
//
//     slots    (B)  ABS_MT_SLOT chooses a slot, ABS_MT_TRACKING_ID ≥ 0 lands a finger in it, −1 lifts it. Nothing is
//                   said twice: what is not sent keeps its value, across fingers too. The first slot is implied.
//     groups   (A)  every scan lists its fingers, each list entry closed by SYN_MT_REPORT. Who is not listed is gone.
//     single   (S)  ABS_X, ABS_Y, BTN_TOUCH: one finger. Panels of the other two send these as well, as a mouse's.
//
// The description tells which; without one, the first events do, and none of them is lost while it is undecided.
// SYN_REPORT commits a scan. SYN_DROPPED says the kernel lost some: all fingers are cancelled, and a finger is one
// again when it lands again. Of the scan that was cut, only the slot it chose is kept.
//
// Station   device
// Fed by    EvemuReader
// Feeds     ContactFrame
// Knows     event types and codes. No file, no time but the one it is told.
//
// Sources   documented  kernel multi-touch-protocol.rst, event-codes.rst
//           observed    recordings: an id that changes inside a scan is a lift and a landing; a lift's coordinates
//                       are not the finger's; groups that resend only what changed

public import HID

public enum EvdevProtocol: String, Sendable { case slots = "B", groups = "A", single = "S" }

public struct EvdevTracker: Sendable {
    public private(set) var dialect: EvdevProtocol?
    /// Landings not taken because 32 fingers were down, slots that cannot be, fingers that came and went in one scan.
    public private(set) var ignored = 0

    private var slots = SlotTracker(slotCount: EvdevTracker.slotLimit)
    private var groups = GroupTracker()
    /// What came before the dialect was known.
    private var undecided: [EvdevEvent] = []
    private var undecidedScans = 0
    private var isDropping = false
    /// In order of landing.
    private var live: [LiveContact] = []
    private var landings: Int64 = 0

    /// No device is believed to have more slots.
    public static let slotLimit = 256
    /// Scans without a word of multi-touch after which a device without a description is taken for single-touch.
    static let scansToDecide = 16
    static let undecidedLimit = 4096

    /// - Parameters:
    ///   - dialect: Nil to find out from the events.
    ///   - slotCount: 1...`slotLimit`.
    public init(dialect: EvdevProtocol? = nil, slotCount: Int = EvdevTracker.slotLimit) {
        self.dialect = dialect
        slots = SlotTracker(slotCount: max(1, min(slotCount, Self.slotLimit)))
    }

    /// Takes one event; a SYN_REPORT gives a frame, one without contacts too.
    public mutating func take(_ event: EvdevEvent, into frames: inout [ContactFrame]) {
        guard dialect == nil else { return follow(event, into: &frames) }
        undecided.append(event)
        if event.isReport { undecidedScans += 1 }
        dialect = Self.dialect(spokenIn: event, after: undecided)
        if dialect == nil, undecidedScans >= Self.scansToDecide || undecided.count >= Self.undecidedLimit {
            dialect = .single
        }
        if dialect != nil { replayUndecided(into: &frames) }
    }

    /// The recording has ended.
    ///
    /// Events since the last SYN_REPORT were never committed, and are not.
    ///
    /// - Parameter frames: Gets what was held back while the dialect was unknown.
    /// - Returns: Whoever is still down, cancelled where they were last seen; nil when nobody is.
    public mutating func finish(at time: Duration, into frames: inout [ContactFrame]) -> ContactFrame? {
        if dialect == nil {
            dialect = .single
            replayUndecided(into: &frames)
        }
        return live.isEmpty ? nil : ContactFrame(time: time, contacts: cancelAll())
    }

    private mutating func replayUndecided(into frames: inout [ContactFrame]) {
        let events = undecided
        undecided = []
        for event in events { follow(event, into: &frames) }
    }

    /// What one event gives away; a scan of bare MT axes closed by SYN_REPORT is slots with the slot implied.
    private static func dialect(spokenIn event: EvdevEvent, after events: [EvdevEvent]) -> EvdevProtocol? {
        switch (event.type, event.code) {
        case (.absolute, Code.slot): .slots
        case (.synchronise, Code.groupReport): .groups
        case (.synchronise, Code.report):
            events.contains { $0.type == .absolute && Code.touchAxes.contains($0.code) } ? .slots : nil
        default: nil
        }
    }

    private mutating func follow(_ event: EvdevEvent, into frames: inout [ContactFrame]) {
        if event.type == .synchronise, event.code == Code.dropped {
            isDropping = true
            return
        }
        if isDropping {
            // Not a finger's news but where the next ones belong: the device will not say it again.
            if event.type == .absolute, event.code == Code.slot { takeAxis(event.code, event.value) }
            guard event.isReport else { return }
            isDropping = false
            slots.forgetFingers()
            groups.forgetScan()
            frames.append(ContactFrame(time: event.time, contacts: cancelAll()))
            return
        }
        switch (event.type, event.code) {
        case (.synchronise, Code.report):
            frames.append(ContactFrame(time: event.time, contacts: commit()))
        case (.synchronise, Code.groupReport):
            if dialect == .groups { groups.close() }
        case (.absolute, let code): takeAxis(code, event.value)
        case (.key, Code.touch):
            switch dialect {
            case .single: slots.setID(event.value == 0 ? -1 : slots.pendingID ?? Int32(truncatingIfNeeded: landings))
            case .groups: groups.touchButton(isDown: event.value != 0)
            case .slots, nil: break
            }
        case (.synchronise, _), (.key, _), (.other, _): break
        }
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        switch (dialect, code) {
        case (.slots, Code.slot): slots.choose(value, ignored: &ignored)
        case (.slots, Code.trackingID): slots.setID(value)
        case (.slots, Code.touchX), (.single, Code.x): slots.setX(value)
        case (.slots, Code.touchY), (.single, Code.y): slots.setY(value)
        case (.groups, Code.pressure): if value == 0 { groups.touchButton(isDown: false) }
        case (.groups, let code) where Code.touchAxes.contains(code): groups.set(code, value)
        case (.slots, _), (.groups, _), (.single, _), (nil, _): break
        }
    }

    private mutating func cancelAll() -> [DeviceContact] {
        defer { live.removeAll(keepingCapacity: true) }
        return live.map { DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y) }
    }

    private mutating func commit() -> [DeviceContact] {
        switch dialect {
        case .groups: commitGroups()
        case .slots, .single, nil: commitSlots()
        }
    }

    /// Who stayed or lifted, in order of landing; who landed follows.
    private mutating func commitSlots() -> [DeviceContact] {
        var contacts: [DeviceContact] = []
        var staying: [LiveContact] = []
        for var contact in live {
            let slot = slots[contact.slot]
            if slot.hasLifted {
                contacts.append(DeviceContact(id: contact.id, phase: .ended, x: contact.x, y: contact.y))
            } else {
                contacts.append(contact.follow(x: slot.x, y: slot.y))
                staying.append(contact)
            }
        }
        live = staying
        for index in slots.touched {
            guard let id = slots[index].landing else { continue }
            let isTaken = live.count < HIDEvent.fingerLimit && !live.contains { $0.id == Int64(id) }
            if isTaken {
                land(LiveContact(id: Int64(id), slot: index, x: slots[index].x, y: slots[index].y), into: &contacts)
            } else {
                ignored += 1
            }
            slots.settle(index, isTaken: isTaken)
        }
        ignored += slots.beginScan()
        return contacts
    }

    private mutating func commitGroups() -> [DeviceContact] {
        guard let listed = groups.takeScan() else {
            return live.map { DeviceContact(id: $0.id, phase: .stationary, x: $0.x, y: $0.y) }
        }
        let partner = groups.match(listed, with: live)
        var contacts: [DeviceContact] = []
        var staying: [LiveContact] = []
        for (index, var contact) in live.enumerated() {
            if let group = partner.firstIndex(of: index) {
                contacts.append(contact.follow(x: listed[group].x, y: listed[group].y))
                staying.append(contact)
            } else {
                contacts.append(DeviceContact(id: contact.id, phase: .ended, x: contact.x, y: contact.y))
            }
        }
        live = staying
        for (index, group) in listed.enumerated() where partner[index] == nil {
            guard live.count < HIDEvent.fingerLimit else {
                ignored += 1
                continue
            }
            // Numbers of our own begin above every tracking id, which is 32 bit.
            let id = group.id.map { Int64($0) } ?? (1 << 32) + landings
            land(LiveContact(id: id, slot: 0, x: group.x, y: group.y), into: &contacts)
        }
        return contacts
    }

    private mutating func land(_ contact: LiveContact, into contacts: inout [DeviceContact]) {
        live.append(contact)
        landings += 1
        contacts.append(DeviceContact(id: contact.id, phase: .began, x: contact.x, y: contact.y))
    }
}

/// One `input_event`.
public struct EvdevEvent: Hashable, Sendable {
    public enum Kind: UInt8, Sendable { case synchronise, key, absolute, other }

    /// Since the recording's first event.
    public var time: Duration
    public var type: Kind
    public var code: UInt16
    public var value: Int32

    /// - Parameter type: As `EV_…` numbers it; those that carry no touch become `other`.
    public init(time: Duration, type: UInt16, code: UInt16, value: Int32) {
        (self.time, self.code, self.value) = (time, code, value)
        switch type {
        case 0: self.type = .synchronise
        case 1: self.type = .key
        case 3: self.type = .absolute
        default: self.type = .other
        }
    }

    var isReport: Bool { type == .synchronise && code == Code.report }
}

/// Event codes, as `input-event-codes.h` numbers them.
enum Code {
    static let report: UInt16 = 0
    static let groupReport: UInt16 = 2
    static let dropped: UInt16 = 3

    static let touch: UInt16 = 0x14A

    static let x: UInt16 = 0x00
    static let y: UInt16 = 0x01
    static let pressure: UInt16 = 0x18
    static let slot: UInt16 = 0x2F
    static let touchX: UInt16 = 0x35
    static let touchY: UInt16 = 0x36
    static let trackingID: UInt16 = 0x39
    /// Everything a finger can say of itself.
    static let touchAxes: ClosedRange<UInt16> = 0x30...0x3D
    /// The axes whose description is used.
    static let described: [UInt16] = [x, y, slot, touchX, touchY]
}

/// A finger that is down, as last committed.
struct LiveContact: Sendable {
    var id: Int64
    var slot: Int
    var x, y: Int32

    mutating func follow(x: Int32, y: Int32) -> DeviceContact {
        let phase: DeviceContact.Phase = x == self.x && y == self.y ? .stationary : .moved
        (self.x, self.y) = (x, y)
        return DeviceContact(id: id, phase: phase, x: x, y: y)
    }
}
