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
// SYN_REPORT commits a scan. SYN_DROPPED says the kernel lost some, and up to the next SYN_REPORT nothing counts but
// the slot chosen. A recording then cancels all fingers, and a finger is one again when it lands again; a live device
// is asked for its slots (`resynchronise`).
//
// Station   device
// Fed by    EvdevRecording, and whoever reads a live device
// Feeds     ContactFrame
// Knows     event types and codes. No file, no time but the one it is told.
//
// Sources   documented  kernel multi-touch-protocol.rst, event-codes.rst
//           observed    recordings: an id that changes inside a scan is a lift and a landing; a lift's coordinates
//                       are not the finger's; groups that resend only what changed
//           inferred    a palm that becomes a finger again is still the palm it was: Android cancels it for good

public import HID

public struct EvdevTracker: Sendable {
    /// What to do when the kernel has lost events.
    public enum Loss: Sendable {
        /// Nobody can be asked: whoever is down is cancelled.
        case cancel
        /// `needsState` becomes true, and nothing counts until `resynchronise`.
        case ask
    }

    public private(set) var dialect: ContactProtocol?
    /// Landings not taken because 32 fingers were down, slots that cannot be, fingers that came and went in one scan.
    public private(set) var ignored = 0
    /// Contacts that were palms: never landed, or cancelled when they became one.
    public private(set) var palms = 0
    /// How often the kernel said it had lost events.
    public private(set) var losses = 0
    /// Events were lost, their scan is over, and `resynchronise` is due. First read, and throw away, what is already
    /// there to be read: it is older than the state.
    public private(set) var needsState = false

    private let cancelsPalms: Bool
    private let loss: Loss
    private var slots: SlotTracker
    private var groups = GroupTracker()
    private var undecided = Undecided()
    private var isDropping = false
    /// Whether anything came since the last SYN_REPORT.
    private var isScanEmpty = true
    /// In order of landing.
    private var live: [LiveContact] = []
    /// Contacts that began.
    private(set) var landings: Int64 = 0
    private var deviceClock = DeviceClock()

    /// What came before the dialect was known.
    private struct Undecided {
        var events: [EvdevEvent] = []
        var scans = 0
        var speaksOfTouch = false
        /// Whether the dialect is the one that is left when no event gives another away. A word of multi-touch still
        /// gives another away then.
        var isPresumed = false
    }

    /// No device is believed to have more slots.
    public static let slotLimit = 256
    /// Scans without a word of multi-touch after which a device without a description is taken for single-touch.
    static let scansToDecide = 16
    static let undecidedLimit = 4096

    /// - Parameters:
    ///   - dialect: Nil to find out from the events.
    ///   - slotCount: 1...`slotLimit`.
    public init(
        dialect: ContactProtocol? = nil, slotCount: Int = EvdevTracker.slotLimit,
        palms: RecordingOptions.Palms = .cancel, onLoss loss: Loss = .cancel
    ) {
        (self.dialect, self.loss, cancelsPalms) = (dialect, loss, palms != .keep)
        slots = SlotTracker(slotCount: max(1, min(slotCount, Self.slotLimit)))
    }

    public init(
        _ description: EvdevDescription, palms: RecordingOptions.Palms = .cancel, onLoss loss: Loss = .cancel
    ) {
        self.init(dialect: description.dialect, slotCount: description.slotCount, palms: palms, onLoss: loss)
    }

    /// Takes one event; a SYN_REPORT gives a frame, one without contacts too.
    ///
    /// - Parameter event: Its time becomes the frame's: since the first event, and never before the one ahead
    ///   (`EvdevClock`).
    public mutating func take(_ event: EvdevEvent, into frames: inout [ContactFrame]) {
        if dialect != nil {
            follow(event.type, event.code, event.value, at: event.nanoseconds, into: &frames)
        } else {
            decide(by: event, into: &frames)
        }
    }

    private mutating func decide(by event: EvdevEvent, into frames: inout [ContactFrame]) {
        undecided.events.append(event)
        if event.isReport { undecided.scans += 1 }
        if event.type == .absolute, Code.touchAxes.contains(event.code) { undecided.speaksOfTouch = true }
        dialect =
            switch (event.type, event.code) {
            case (.absolute, Code.slot): .slots
            case (.synchronise, Code.groupReport): .groups
            // A scan of bare MT axes closed by SYN_REPORT is slots with the slot implied.
            case (.synchronise, Code.report) where undecided.speaksOfTouch: .slots
            default: nil
            }
        if dialect == nil, undecided.scans >= Self.scansToDecide || undecided.events.count >= Self.undecidedLimit {
            if undecided.speaksOfTouch { dialect = .slots } else { presumeSingle() }
        }
        if dialect != nil { replayUndecided(into: &frames) }
    }

    /// The recording has ended, or the device is gone.
    ///
    /// Events since the last SYN_REPORT were never committed, and are not.
    ///
    /// - Parameter frames: Gets what was held back while the dialect was unknown.
    /// - Returns: Whoever is still down, cancelled where they were last seen; nil when nobody is.
    public mutating func finish(at time: Duration, into frames: inout [ContactFrame]) -> ContactFrame? {
        if dialect == nil {
            if undecided.speaksOfTouch { dialect = .slots } else { presumeSingle() }
            replayUndecided(into: &frames)
        }
        slots.forgetFingers()
        groups.forgetScan()
        return live.isEmpty ? nil : ContactFrame(time: time, contacts: cancelAll())
    }

    private mutating func presumeSingle() { (dialect, undecided.isPresumed) = (.single, true) }

    private mutating func replayUndecided(into frames: inout [ContactFrame]) {
        let events = undecided.events
        (undecided.events, undecided.scans, undecided.speaksOfTouch) = ([], 0, false)
        for event in events { follow(event.type, event.code, event.value, at: event.nanoseconds, into: &frames) }
    }

    /// What one event means once the dialect is known.
    ///
    /// - Parameter time: Nanoseconds, of the frame if the event makes one.
    mutating func follow(
        _ type: EvdevEvent.Kind, _ code: UInt16, _ value: Int32, at time: Int64, into frames: inout [ContactFrame]
    ) {
        if isDropping || needsState { return followWhileDropping(type, code, value, at: time, into: &frames) }
        let wasScanEmpty = isScanEmpty
        isScanEmpty = false
        switch type {
        case .absolute:
            if undecided.isPresumed, live.isEmpty, code == Code.slot || Code.touchAxes.contains(code) {
                // So it was no single-touch panel, only one that nobody had touched.
                slots.forgetFingers()
                (dialect, undecided.isPresumed) = (nil, false)
                let event = EvdevEvent(nanoseconds: time, type: 3, code: code, value: value)
                return decide(by: event, into: &frames)
            }
            takeAxis(code, value)
        case .synchronise:
            switch code {
            case Code.report:
                if wasScanEmpty, dialect == .groups { groups.takeEmptyScan() }
                isScanEmpty = true
                let contacts = commit()
                frames.append(
                    ContactFrame(
                        time: .nanoseconds(time), contacts: contacts, scanTime: deviceClock.takeScan(at: time)))
            case Code.groupReport: if dialect == .groups { groups.close() }
            case Code.dropped:
                isDropping = true
                losses += 1
            default: break
            }
        case .key:
            switch (code, dialect) {
            case (Code.touch, .single):
                let id = slots.pendingID
                slots.setID(value == 0 ? -1 : id >= 0 ? id : Int32(truncatingIfNeeded: landings & 0x7FFF_FFFF))
            case (Code.touch, .groups): groups.touchButton(isDown: value != 0)
            case (Code.toolPen, .single): slots.setTool(value == 0 ? .finger : .pen)
            default: break
            }
        case .miscellaneous: if code == Code.timestamp { deviceClock.stamp = UInt32(bitPattern: value) }
        case .other: break
        }
    }

    private mutating func followWhileDropping(
        _ type: EvdevEvent.Kind, _ code: UInt16, _ value: Int32, at time: Int64, into frames: inout [ContactFrame]
    ) {
        // Not a finger's news but where the next ones belong: the device will not say it again.
        if type == .absolute, code == Code.slot { takeAxis(code, value) }
        guard isDropping, type == .synchronise, code == Code.report else {
            if type == .synchronise, code == Code.dropped { (isDropping, losses) = (true, losses + 1) }
            return
        }
        (isDropping, isScanEmpty) = (false, true)
        groups.forgetScan()
        if loss == .ask {
            needsState = true
        } else {
            slots.forgetFingers()
            frames.append(ContactFrame(time: .nanoseconds(time), contacts: cancelAll()))
        }
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        switch dialect {
        case .slots:
            switch code {
            case Code.touchX: slots.setX(value)
            case Code.touchY: slots.setY(value)
            case Code.slot: if !slots.choose(value) { ignored += 1 }
            case Code.trackingID: slots.setID(value)
            case Code.touchAxes: slots.set(code, value)
            // ABS_X and its like are slot 0 once more, for whoever knows only one finger; or a pen's.
            default: break
            }
        case .groups:
            if code == Code.pressure {
                if value == 0 { groups.touchButton(isDown: false) }
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
        defer { live.removeAll(keepingCapacity: true) }
        return live.map { $0.contact(.cancelled) }
    }

    private mutating func commit() -> [DeviceContact] {
        switch dialect {
        case .groups: commitGroups()
        case .slots, .single, .hid, nil: commitSlots()
        }
    }

    /// Who stayed or lifted, in order of landing; who landed follows.
    private mutating func commitSlots() -> [DeviceContact] {
        var contacts: [DeviceContact] = []
        contacts.reserveCapacity(live.count + slots.touched.count)
        var staying = 0
        for index in live.indices {
            let slot = slots[live[index].slot]
            if slot.hasLifted {
                let isPalm = cancelsPalms && slot.liftedAsPalm
                if isPalm { palms += 1 }
                contacts.append(live[index].contact(isPalm ? .cancelled : .ended))
            } else if cancelsPalms, slot.attributes.tool == .palm {
                palms += 1
                contacts.append(live[index].contact(.cancelled))
            } else {
                contacts.append(live[index].follow(x: slot.x, y: slot.y, slot.attributes))
                if staying != index { live.swapAt(staying, index) }
                staying += 1
            }
        }
        if staying < live.count { live.removeSubrange(staying...) }
        guard !slots.touched.isEmpty else { return contacts }
        for index in slots.touched where slots[index].landing >= 0 {
            let slot = slots[index]
            let isPalm = cancelsPalms && slot.attributes.tool == .palm
            // A palm keeps its slot, so that it does not land when its name is said again.
            slots.settle(index, isTaken: land(slot, in: index, id: slot.landing, isPalm, into: &contacts) || isPalm)
        }
        ignored += slots.fleeting
        slots.beginScan()
        return contacts
    }

    /// - Returns: Whether it is down now.
    private mutating func land(
        _ slot: SlotTracker.Slot, in index: Int, id: Int32, _ isPalm: Bool, into contacts: inout [DeviceContact]
    ) -> Bool {
        if isPalm {
            palms += 1
            return false
        }
        guard live.count < HIDEvent.fingerLimit, !live.contains(where: { $0.id == Int64(id) }) else {
            ignored += 1
            return false
        }
        land(
            LiveContact(id: Int64(id), slot: index, x: slot.x, y: slot.y, attributes: slot.attributes), into: &contacts)
        return true
    }

    private mutating func commitGroups() -> [DeviceContact] {
        guard groups.takeScan() else { return live.map { $0.contact(.stationary) } }
        groups.match(with: live)
        defer { groups.forgetScan() }
        var contacts: [DeviceContact] = []
        contacts.reserveCapacity(max(live.count, groups.scan.count))
        var staying = 0
        for index in live.indices {
            let partner = groups.groupOfContact[index]
            if partner < 0 {
                contacts.append(live[index].contact(.ended))
                continue
            }
            let group = groups.scan[partner]
            if cancelsPalms, group.attributes.tool == .palm {
                palms += 1
                contacts.append(live[index].contact(.cancelled))
                continue
            }
            contacts.append(live[index].follow(x: group.x, y: group.y, group.attributes))
            if staying != index { live.swapAt(staying, index) }
            staying += 1
        }
        if staying < live.count { live.removeSubrange(staying...) }
        for index in groups.scan.indices where !groups.isTaken(index) {
            let group = groups.scan[index]
            if cancelsPalms, group.attributes.tool == .palm { continue }
            guard live.count < HIDEvent.fingerLimit else {
                ignored += 1
                continue
            }
            // Numbers of our own begin above every tracking id, which is 32 bit.
            let id = group.id >= 0 ? Int64(group.id) : (1 << 32) + landings
            land(
                LiveContact(id: id, slot: 0, x: group.x, y: group.y, attributes: group.attributes), into: &contacts)
        }
        return contacts
    }

    private mutating func land(_ contact: LiveContact, into contacts: inout [DeviceContact]) {
        live.append(contact)
        landings += 1
        contacts.append(contact.contact(.began))
    }
}

// MARK: A device that can be asked

/// What one slot holds, as EVIOCGMTSLOTS answers axis by axis; of a single-touch device, slot 0 holds its finger.
public struct EvdevSlot: Hashable, Sendable {
    public var slot: Int
    /// Negative: free.
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
    /// Takes the device's word for who is down: after lost events, and when listening begins while somebody touches.
    ///
    /// The finger that is in the slot it was in has stayed, and moved if it is elsewhere. Any other that was down has
    /// lifted nobody knows where: it is cancelled. Any other that is down now begins, palms excepted.
    ///
    /// - Parameters:
    ///   - states: Slots left out are free. Of protocol A, which keeps nothing to ask for, none.
    ///   - chosen: The slot the next events speak of: the value of ABS_MT_SLOT.
    ///   - frames: Gets one frame.
    public mutating func resynchronise(
        slots states: [EvdevSlot], chosen: Int, at time: Duration, into frames: inout [ContactFrame]
    ) {
        (isDropping, needsState) = (false, false)
        if dialect == nil { (dialect, undecided.events) = (.slots, []) }
        var contacts: [DeviceContact] = []
        var staying: [LiveContact] = []
        for var contact in live {
            let state = states.last { $0.slot == contact.slot && $0.trackingID >= 0 }
            let isPalm = cancelsPalms && state?.attributes.tool == .palm
            let hasStayed = dialect == .single || state?.trackingID == slots[contact.slot].id
            if let state, dialect != .groups, hasStayed, !isPalm {
                contacts.append(contact.follow(x: state.x, y: state.y, state.attributes))
                staying.append(contact)
            } else {
                if isPalm { palms += 1 }
                contacts.append(contact.contact(.cancelled))
            }
        }
        live = staying
        let before = slots
        slots.forgetFingers()
        groups.forgetScan()
        for state in states where dialect != .groups {
            guard slots.overwrite(state), state.trackingID >= 0, !live.contains(where: { $0.slot == state.slot }) else {
                continue
            }
            // Down before, and nobody's contact: a palm.
            if before.holds(state.trackingID, in: state.slot) { continue }
            let isPalm = cancelsPalms && state.attributes.tool == .palm
            let slot = SlotTracker.Slot(x: state.x, y: state.y, attributes: state.attributes)
            if !land(slot, in: state.slot, id: state.trackingID, isPalm, into: &contacts), !isPalm {
                slots.settle(state.slot, isTaken: false)
            }
        }
        if !slots.choose(Int32(clamping: chosen)) { ignored += 1 }
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
    /// Everything a finger can say of itself.
    static let touchAxes: ClosedRange<UInt16> = 0x30...0x3D
}

/// A finger that is down, as last committed.
struct LiveContact: Sendable {
    var id: Int64
    var slot: Int
    var x, y: Int32
    var attributes = ContactAttributes()

    mutating func follow(x: Int32, y: Int32, _ attributes: ContactAttributes) -> DeviceContact {
        let phase: DeviceContact.Phase = x == self.x && y == self.y ? .stationary : .moved
        (self.x, self.y, self.attributes) = (x, y, attributes)
        return contact(phase)
    }

    func contact(_ phase: DeviceContact.Phase) -> DeviceContact {
        DeviceContact(id: id, phase: phase, x: x, y: y, attributes: attributes)
    }
}
