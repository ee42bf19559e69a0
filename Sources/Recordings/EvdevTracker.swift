// EvdevTracker.swift: converts Linux input events of one touch device to contacts.
//
// Station   device
// Input     EvdevRecording, and the reader of a live device
// Output    ContactFrame
// Knows     event types and codes. No file, no clock.
//
// Sources   documented  kernel multi-touch-protocol.rst, event-codes.rst
//           observed    recordings: an id that changes inside a scan is a lift and a touch-down; the coordinates of a
//                       lift are not the contact's; groups that resend only changed values
//           inferred    a palm that becomes a finger again is still a palm: Android cancels it for good

public import HID

/// Tracks the contacts of one evdev device, which uses one of three protocols.
///
///     slots    (B)  ABS_MT_SLOT selects a slot; ABS_MT_TRACKING_ID ≥ 0 begins a contact in it, −1 ends it. Values
///                   that are not sent stay, also from one contact to the next. The first slot is implied.
///     groups   (A)  every scan lists its contacts, each closed by SYN_MT_REPORT. Missing contacts have ended.
///     single   (S)  ABS_X, ABS_Y, BTN_TOUCH: one contact. Panels of the other protocols send these too, as a mouse.
///
/// The description determines the protocol; without one the first events do, and none of them is lost meanwhile.
/// SYN_REPORT commits a scan.
///
/// After SYN_DROPPED the kernel has lost events, and up to the next SYN_REPORT only the selected slot counts. A
/// recording then cancels all contacts. A finger becomes a contact again when it touches down again. A live device is
/// asked for its slots (`resynchronize`).
public struct EvdevTracker: Sendable {
    /// The response to events that the kernel has lost.
    public enum Loss: Sendable {
        /// Cancel all contacts, because the device cannot be asked.
        case cancel
        /// Set `needsState`, and ignore all events until `resynchronize`.
        case ask
    }

    public private(set) var contactProtocol: ContactProtocol?
    /// The number of ignored contacts: touch-downs beyond 32 contacts, impossible slots, contacts that began and ended
    /// in one scan.
    public private(set) var ignoredContacts = 0
    /// The number of palms: contacts that never began, or were cancelled when they became palms.
    public private(set) var palmCount = 0
    /// The number of times that the kernel reported lost events.
    public private(set) var lossCount = 0
    /// Whether `resynchronize` is due: events were lost, and their scan is over.
    ///
    /// The caller first reads and discards all pending events, because they are older than the state.
    public private(set) var needsState = false

    private let cancelsPalms: Bool
    private let loss: Loss
    private var slots: SlotTracker
    private var groups = GroupTracker()
    private var undecided = Undecided()
    private var isDropping = false
    /// Whether no event has arrived since the last SYN_REPORT.
    private var isScanEmpty = true
    /// In order of touch-down.
    private var liveContacts: [LiveContact] = []
    /// The number of contacts that began.
    private(set) var landingCount: Int64 = 0
    private var deviceClock = DeviceClock()

    /// The events before the protocol is known.
    private struct Undecided {
        var events: [EvdevEvent] = []
        var scans = 0
        var hasTouchEvents = false
        /// Whether the protocol is only the default because no event indicated another one. A multi-touch event then
        /// still changes it.
        var isPresumed = false
    }

    /// The most slots that a device may have.
    public static let slotLimit = 256
    /// Scans without a multi-touch event after which a device without a description counts as single-touch.
    static let scansToDecide = 16
    static let undecidedLimit = 4096

    /// - Parameters:
    ///   - contactProtocol: Nil to determine it from the events.
    ///   - slotCount: 1...`slotLimit`.
    ///   - palms: The treatment of contacts that the panel marks as palms.
    ///   - loss: The response to events that the kernel has lost.
    public init(
        contactProtocol: ContactProtocol? = nil, slotCount: Int = EvdevTracker.slotLimit,
        palms: RecordingOptions.Palms = .cancel, onLoss loss: Loss = .cancel
    ) {
        (self.contactProtocol, self.loss, cancelsPalms) = (contactProtocol, loss, palms != .keep)
        slots = SlotTracker(slotCount: max(1, min(slotCount, Self.slotLimit)))
    }

    public init(
        _ description: EvdevDescription, palms: RecordingOptions.Palms = .cancel, onLoss loss: Loss = .cancel
    ) {
        self.init(
            contactProtocol: description.contactProtocol, slotCount: description.slotCount, palms: palms, onLoss: loss)
    }

    /// Processes one event; a SYN_REPORT makes a frame, even without contacts.
    ///
    /// - Parameters:
    ///   - event: Its time becomes the frame's: the time since the first event, which never decreases (`EvdevClock`).
    ///   - frames: Receives the frame.
    public mutating func handle(_ event: EvdevEvent, into frames: inout [ContactFrame]) {
        if contactProtocol != nil {
            process(event.type, event.code, event.value, at: event.nanoseconds, into: &frames)
        } else {
            decide(by: event, into: &frames)
        }
    }

    /// Processes events up to the first that makes a frame or that needs an answer of the caller.
    ///
    /// - Parameters:
    ///   - events: The events of one read.
    ///   - next: The index of the first event; then the index behind the last event that was processed.
    ///   - frames: Receives the frame. It is empty before.
    /// - Returns: `lossCount` and `needsState` behind these events.
    public mutating func handle(
        _ events: [EvdevEvent], from next: inout Int, into frames: inout [ContactFrame]
    ) -> (lossCount: Int, needsState: Bool) {
        while next < events.count {
            handle(events[next], into: &frames)
            next += 1
            if needsState || !frames.isEmpty { break }
        }
        return (lossCount, needsState)
    }

    private mutating func decide(by event: EvdevEvent, into frames: inout [ContactFrame]) {
        undecided.events.append(event)
        if event.isReport { undecided.scans += 1 }
        if event.type == .absolute, Code.touchAxes.contains(event.code) { undecided.hasTouchEvents = true }
        contactProtocol =
            switch (event.type, event.code) {
            case (.absolute, Code.slot): .slots
            case (.synchronize, Code.groupReport): .groups
            // A scan of multi-touch axes without a separator uses slots, with the slot implied.
            case (.synchronize, Code.report) where undecided.hasTouchEvents: .slots
            default: nil
            }
        if contactProtocol == nil,
            undecided.scans >= Self.scansToDecide || undecided.events.count >= Self.undecidedLimit
        {
            if undecided.hasTouchEvents { contactProtocol = .slots } else { presumeSingle() }
        }
        if contactProtocol != nil { replayUndecided(into: &frames) }
    }

    /// Ends the recording, or handles the removal of the device.
    ///
    /// Events since the last SYN_REPORT were never committed and are dropped.
    ///
    /// - Parameters:
    ///   - time: The time of the end, since the first event.
    ///   - frames: Receives the frames that waited for the protocol.
    /// - Returns: The contacts that are still down, cancelled at their last positions; nil without any.
    public mutating func finish(at time: Duration, into frames: inout [ContactFrame]) -> ContactFrame? {
        if contactProtocol == nil {
            if undecided.hasTouchEvents { contactProtocol = .slots } else { presumeSingle() }
            replayUndecided(into: &frames)
        }
        slots.clearContacts()
        groups.resetScan()
        return liveContacts.isEmpty ? nil : ContactFrame(time: time, contacts: cancelAll())
    }

    private mutating func presumeSingle() { (contactProtocol, undecided.isPresumed) = (.single, true) }

    private mutating func replayUndecided(into frames: inout [ContactFrame]) {
        let events = undecided.events
        (undecided.events, undecided.scans, undecided.hasTouchEvents) = ([], 0, false)
        for event in events { process(event.type, event.code, event.value, at: event.nanoseconds, into: &frames) }
    }

    /// Processes one event of the known protocol.
    ///
    /// - Parameter time: Nanoseconds; the time of the frame if the event makes one.
    mutating func process(
        _ type: EvdevEvent.Kind, _ code: UInt16, _ value: Int32, at time: Int64, into frames: inout [ContactFrame]
    ) {
        if isDropping || needsState { return processWhileDropping(type, code, value, at: time, into: &frames) }
        let wasScanEmpty = isScanEmpty
        isScanEmpty = false
        switch type {
        case .absolute:
            if undecided.isPresumed, liveContacts.isEmpty, code == Code.slot || Code.touchAxes.contains(code) {
                // The panel was no single-touch panel, only untouched so far.
                slots.clearContacts()
                (contactProtocol, undecided.isPresumed) = (nil, false)
                let event = EvdevEvent(nanoseconds: time, type: 3, code: code, value: value)
                return decide(by: event, into: &frames)
            }
            setAxis(code, value)
        case .synchronize:
            switch code {
            case Code.report:
                if wasScanEmpty, contactProtocol == .groups { groups.recordEmptyScan() }
                isScanEmpty = true
                let contacts = commit()
                frames.append(
                    ContactFrame(
                        time: .nanoseconds(time), contacts: contacts, scanTime: deviceClock.convertScan(at: time)))
            case Code.groupReport: if contactProtocol == .groups { groups.closeGroup() }
            case Code.dropped: (isDropping, lossCount) = (true, lossCount + 1)
            default: break
            }
        case .key:
            switch (code, contactProtocol) {
            case (Code.touch, .single):
                let id = slots.pendingID
                slots.setID(value == 0 ? -1 : id >= 0 ? id : Int32(truncatingIfNeeded: landingCount & 0x7FFF_FFFF))
            case (Code.touch, .groups): groups.setTouchButton(isDown: value != 0)
            case (Code.toolPen, .single): slots.setTool(value == 0 ? .finger : .pen)
            default: break
            }
        case .miscellaneous: if code == Code.timestamp { deviceClock.stamp = UInt32(bitPattern: value) }
        case .other: break
        }
    }

    private mutating func processWhileDropping(
        _ type: EvdevEvent.Kind, _ code: UInt16, _ value: Int32, at time: Int64, into frames: inout [ContactFrame]
    ) {
        // The selected slot counts, because the device will not repeat it.
        if type == .absolute, code == Code.slot { setAxis(code, value) }
        guard isDropping, type == .synchronize, code == Code.report else {
            if type == .synchronize, code == Code.dropped { (isDropping, lossCount) = (true, lossCount + 1) }
            return
        }
        (isDropping, isScanEmpty) = (false, true)
        groups.resetScan()
        if loss == .ask {
            needsState = true
        } else {
            slots.clearContacts()
            frames.append(ContactFrame(time: .nanoseconds(time), contacts: cancelAll()))
        }
    }

    private mutating func setAxis(_ code: UInt16, _ value: Int32) {
        switch contactProtocol {
        case .slots:
            switch code {
            case Code.touchX: slots.setX(value)
            case Code.touchY: slots.setY(value)
            case Code.slot: if !slots.selectSlot(value) { ignoredContacts += 1 }
            case Code.trackingID: slots.setID(value)
            case Code.touchAxes: slots.set(code, value)
            // ABS_X and similar axes repeat slot 0 for single-touch readers, or belong to a pen.
            default: break
            }
        case .groups:
            if code == Code.pressure {
                if value == 0 { groups.setTouchButton(isDown: false) }
            } else if Code.touchAxes.contains(code) {
                groups.set(code, value)
            }
        case .single:
            switch code {
            case Code.x: slots.setX(value)
            case Code.y: slots.setY(value)
            case Code.pressure: slots.set(Code.touchPressure, value)
            default: break
            }
        case .hid, nil: break
        }
    }

    private mutating func cancelAll() -> [DeviceContact] {
        defer { liveContacts.removeAll(keepingCapacity: true) }
        return liveContacts.map { $0.contact(.cancelled) }
    }

    private mutating func commit() -> [DeviceContact] {
        switch contactProtocol {
        case .groups: commitGroups()
        case .slots, .single, .hid, nil: commitSlots()
        }
    }

    /// Contacts that stayed or ended, in order of touch-down; new contacts follow.
    private mutating func commitSlots() -> [DeviceContact] {
        var contacts: [DeviceContact] = []
        contacts.reserveCapacity(liveContacts.count + slots.changedSlots.count)
        var staying = 0
        for index in liveContacts.indices {
            if slots.removeNews(of: liveContacts[index].slot) {
                let slot = slots[liveContacts[index].slot]
                let isPalm = cancelsPalms && (slot.hasLifted ? slot.liftedAsPalm : slot.attributes.tool == .palm)
                if isPalm { palmCount += 1 }
                guard !slot.hasLifted, !isPalm else {
                    contacts.append(liveContacts[index].contact(isPalm ? .cancelled : .ended))
                    continue
                }
                contacts.append(liveContacts[index].update(x: slot.x, y: slot.y, slot.attributes))
            } else {
                contacts.append(liveContacts[index].contact(.stationary))
            }
            if staying != index { liveContacts.swapAt(staying, index) }
            staying += 1
        }
        if staying < liveContacts.count { liveContacts.removeSubrange(staying...) }
        guard !slots.changedSlots.isEmpty else { return contacts }
        for index in slots.changedSlots where slots[index].landingID >= 0 {
            let slot = slots[index]
            let isPalm = cancelsPalms && slot.attributes.tool == .palm
            // A palm keeps its slot, so that it does not begin when its id is sent again.
            slots.settleLanding(
                index, isAccepted: beginContact(slot, in: index, id: slot.landingID, isPalm, into: &contacts) || isPalm)
        }
        ignoredContacts += slots.fleetingContacts
        slots.beginScan()
        return contacts
    }

    /// Begins a contact.
    ///
    /// - Returns: Whether the contact is down now.
    private mutating func beginContact(
        _ slot: SlotTracker.Slot, in index: Int, id: Int32, _ isPalm: Bool, into contacts: inout [DeviceContact]
    ) -> Bool {
        if isPalm {
            palmCount += 1
            return false
        }
        guard liveContacts.count < HIDEvent.fingerLimit, !liveContacts.contains(where: { $0.id == Int64(id) }) else {
            ignoredContacts += 1
            return false
        }
        beginContact(
            LiveContact(id: Int64(id), slot: index, x: slot.x, y: slot.y, attributes: slot.attributes), into: &contacts)
        return true
    }

    private mutating func commitGroups() -> [DeviceContact] {
        guard groups.closeScan() else { return liveContacts.map { $0.contact(.stationary) } }
        groups.match(with: liveContacts)
        defer { groups.resetScan() }
        var contacts: [DeviceContact] = []
        contacts.reserveCapacity(max(liveContacts.count, groups.scan.count))
        var staying = 0
        for index in liveContacts.indices {
            let partner = groups.groupOfContact[index]
            if partner < 0 {
                contacts.append(liveContacts[index].contact(.ended))
                continue
            }
            let group = groups.scan[partner]
            if cancelsPalms, group.attributes.tool == .palm {
                palmCount += 1
                contacts.append(liveContacts[index].contact(.cancelled))
                continue
            }
            contacts.append(liveContacts[index].update(x: group.x, y: group.y, group.attributes))
            if staying != index { liveContacts.swapAt(staying, index) }
            staying += 1
        }
        if staying < liveContacts.count { liveContacts.removeSubrange(staying...) }
        for index in groups.scan.indices where !groups.isMatched(index) {
            let group = groups.scan[index]
            if cancelsPalms, group.attributes.tool == .palm { continue }
            guard liveContacts.count < HIDEvent.fingerLimit else {
                ignoredContacts += 1
                continue
            }
            // Assigned ids begin above every tracking id, which has 32 bits.
            let id = group.id >= 0 ? Int64(group.id) : (1 << 32) + landingCount
            beginContact(
                LiveContact(id: id, slot: 0, x: group.x, y: group.y, attributes: group.attributes), into: &contacts)
        }
        return contacts
    }

    private mutating func beginContact(_ contact: LiveContact, into contacts: inout [DeviceContact]) {
        liveContacts.append(contact)
        landingCount += 1
        contacts.append(contact.contact(.began))
    }
}

// MARK: Resynchronization

/// The content of one slot, as EVIOCGMTSLOTS returns it axis by axis. For a single-touch device, slot 0 is its contact.
public struct EvdevSlot: Hashable, Sendable {
    public var slot: Int
    /// Negative for a free slot.
    public var trackingID: Int32
    public var x, y: Int32
    public var attributes: ContactAttributes

    public init(
        slot: Int, trackingID: Int32, x: Int32, y: Int32, attributes: ContactAttributes = ContactAttributes()
    ) {
        (self.slot, self.trackingID, self.x, self.y, self.attributes) = (slot, trackingID, x, y, attributes)
    }
}

extension EvdevTracker {
    /// Replaces the tracked contacts by the device's state: after lost events, or when reading starts during a touch.
    ///
    /// A contact that is still in its slot has stayed, and has moved if its position differs. Any other tracked contact
    /// ended at an unknown position and is cancelled. Any other contact that is down now begins, except palms.
    ///
    /// - Parameters:
    ///   - states: The slots; missing ones are free. Empty for protocol A, which has no state.
    ///   - chosen: The slot of the next events: the value of ABS_MT_SLOT.
    ///   - time: The time of the frame.
    ///   - frames: Receives one frame.
    public mutating func resynchronize(
        slots states: [EvdevSlot], chosen: Int, at time: Duration, into frames: inout [ContactFrame]
    ) {
        (isDropping, needsState) = (false, false)
        if contactProtocol == nil { (contactProtocol, undecided.events) = (.slots, []) }
        var contacts: [DeviceContact] = []
        var staying: [LiveContact] = []
        for var contact in liveContacts {
            let state = states.last { $0.slot == contact.slot && $0.trackingID >= 0 }
            let isPalm = cancelsPalms && state?.attributes.tool == .palm
            let hasStayed = contactProtocol == .single || state?.trackingID == slots[contact.slot].id
            if let state, contactProtocol != .groups, hasStayed, !isPalm {
                contacts.append(contact.update(x: state.x, y: state.y, state.attributes))
                staying.append(contact)
            } else {
                if isPalm { palmCount += 1 }
                contacts.append(contact.contact(.cancelled))
            }
        }
        liveContacts = staying
        let before = slots
        slots.clearContacts()
        groups.resetScan()
        for state in states where contactProtocol != .groups {
            guard slots.overwrite(state), state.trackingID >= 0,
                !liveContacts.contains(where: { $0.slot == state.slot })
            else {
                continue
            }
            // It was down before without a contact, so it is a palm.
            if before.holds(state.trackingID, in: state.slot) { continue }
            let isPalm = cancelsPalms && state.attributes.tool == .palm
            let slot = SlotTracker.Slot(x: state.x, y: state.y, attributes: state.attributes)
            if !beginContact(slot, in: state.slot, id: state.trackingID, isPalm, into: &contacts), !isPalm {
                slots.settleLanding(state.slot, isAccepted: false)
            }
        }
        if !slots.selectSlot(Int32(clamping: chosen)) { ignoredContacts += 1 }
        frames.append(ContactFrame(time: time, contacts: contacts))
    }
}

/// Event codes, as `input-event-codes.h` numbers them.
enum Code {
    static let report: UInt16 = 0
    static let groupReport: UInt16 = 2
    static let dropped: UInt16 = 3

    static let toolPen: UInt16 = 0x140
    static let toolFinger: UInt16 = 0x145
    static let touch: UInt16 = 0x14A

    static let timestamp: UInt16 = 5

    static let x: UInt16 = 0x00
    static let y: UInt16 = 0x01
    static let pressure: UInt16 = 0x18
    static let slot: UInt16 = 0x2F
    static let touchMajor: UInt16 = 0x30
    static let touchMinor: UInt16 = 0x31
    static let touchWidth: UInt16 = 0x32
    static let orientation: UInt16 = 0x34
    static let touchX: UInt16 = 0x35
    static let touchY: UInt16 = 0x36
    static let toolType: UInt16 = 0x37
    static let trackingID: UInt16 = 0x39
    static let touchPressure: UInt16 = 0x3A
    static let touchDistance: UInt16 = 0x3B
    /// All axes of a contact.
    static let touchAxes: ClosedRange<UInt16> = 0x30...0x3D
}

/// A contact that is down, as of the last commit.
struct LiveContact: Sendable {
    var id: Int64
    var slot: Int
    var x, y: Int32
    var attributes = ContactAttributes()

    mutating func update(x: Int32, y: Int32, _ attributes: ContactAttributes) -> DeviceContact {
        let phase: DeviceContact.Phase = x == self.x && y == self.y ? .stationary : .moved
        (self.x, self.y, self.attributes) = (x, y, attributes)
        return contact(phase)
    }

    func contact(_ phase: DeviceContact.Phase) -> DeviceContact {
        DeviceContact(id: id, phase: phase, x: x, y: y, attributes: attributes)
    }
}
