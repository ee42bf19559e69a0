// SlotTracker.swift: the slots of protocol B, which keep their values until new ones are sent.
//
// Station   device
// Input     EvdevTracker
// Output    EvdevTracker, which reads the ended, new and remaining contacts at every SYN_REPORT
// Knows     slots. No contact.

import HID

/// The state of protocol B.
struct SlotTracker: Sendable {
    /// The state of one slot.
    struct Slot: Sendable {
        /// The tracking id as of the last commit; negative for a free slot.
        var id: Int32 = -1
        /// The last sent values, also of an earlier contact.
        var x: Int32 = 0
        var y: Int32 = 0
        var attributes = ContactAttributes()
        /// Whether the contact has lifted in this scan.
        var hasLifted = false
        /// Whether the contact was a palm when it lifted.
        var liftedAsPalm = false
        /// The tracking id that the slot will have after this scan; negative if none begins.
        var landingID: Int32 = -1
        /// Whether the slot is in `changedSlots`.
        var isListed = false
        /// Whether any value was sent since the contact of the slot was last read.
        var hasNews = false
    }

    private var slots: [Slot] = [Slot()]
    private let slotCount: Int
    /// Negative while an impossible slot is selected: its values are ignored.
    private var currentSlot = 0
    /// Slots with a lift or a touch-down in this scan, in order of their events.
    private(set) var changedSlots: [Int] = []
    /// Contacts that began and ended within one scan, and therefore never appeared.
    private(set) var fleetingContacts = 0

    init(slotCount: Int) { self.slotCount = slotCount }

    /// A slot that was selected before.
    subscript(index: Int) -> Slot { _read { yield slots[index] } }

    /// Removes the mark that values were sent for a slot.
    ///
    /// - Returns: Whether any was. Otherwise the contact of the slot has not changed.
    mutating func removeNews(of index: Int) -> Bool {
        defer { slots[index].hasNews = false }
        return slots[index].hasNews
    }

    /// Selects a slot.
    ///
    /// - Returns: False for an impossible slot.
    mutating func selectSlot(_ number: Int32) -> Bool {
        guard number >= 0, number < slotCount else {
            currentSlot = -1
            return false
        }
        currentSlot = Int(number)
        while slots.count <= currentSlot { slots.append(Slot()) }
        return true
    }

    mutating func setX(_ value: Int32) {
        guard currentSlot >= 0 else { return }
        (slots[currentSlot].x, slots[currentSlot].hasNews) = (value, true)
    }

    mutating func setY(_ value: Int32) {
        guard currentSlot >= 0 else { return }
        (slots[currentSlot].y, slots[currentSlot].hasNews) = (value, true)
    }

    /// Sets any other axis of a contact.
    mutating func set(_ code: UInt16, _ value: Int32) {
        guard currentSlot >= 0 else { return }
        slots[currentSlot].attributes.set(code, value)
        slots[currentSlot].hasNews = true
    }

    mutating func setTool(_ tool: ContactAttributes.Tool) {
        guard currentSlot >= 0 else { return }
        (slots[currentSlot].attributes.tool, slots[currentSlot].hasNews) = (tool, true)
    }

    /// The tracking id that the selected slot will have after this scan; negative if none.
    var pendingID: Int32 {
        guard currentSlot >= 0 else { return -1 }
        let slot = slots[currentSlot]
        return slot.landingID >= 0 ? slot.landingID : slot.hasLifted ? -1 : slot.id
    }

    /// Sets the tracking id.
    ///
    /// - Parameter id: Negative for a lift; a new id is a lift and a touch-down.
    mutating func setID(_ id: Int32) {
        let id = max(id, -1)
        guard currentSlot >= 0, id != pendingID else { return }
        if slots[currentSlot].landingID >= 0 { fleetingContacts += 1 }
        (slots[currentSlot].landingID, slots[currentSlot].hasNews) = (id, true)
        if slots[currentSlot].id >= 0, !slots[currentSlot].hasLifted {
            slots[currentSlot].hasLifted = true
            // Noted now, because later values may belong to the next contact.
            slots[currentSlot].liftedAsPalm = slots[currentSlot].attributes.tool == .palm
        }
        if !slots[currentSlot].isListed {
            slots[currentSlot].isListed = true
            changedSlots.append(currentSlot)
        }
    }

    /// Accepts or rejects the new contact of a slot.
    mutating func settleLanding(_ index: Int, isAccepted: Bool) {
        slots[index].id = isAccepted ? slots[index].landingID : -1
        slots[index].landingID = -1
        slots[index].hasLifted = false
    }

    /// Clears the changes of a committed scan.
    mutating func beginScan() {
        fleetingContacts = 0
        guard !changedSlots.isEmpty else { return }
        for index in changedSlots {
            if slots[index].hasLifted { slots[index].id = -1 }
            slots[index].hasLifted = false
            slots[index].isListed = false
        }
        changedSlots.removeAll(keepingCapacity: true)
    }

    /// Clears all contacts after lost events. The positions stay, because no better ones are known.
    mutating func clearContacts() {
        for index in slots.indices {
            (slots[index].id, slots[index].landingID) = (-1, -1)
            (slots[index].hasLifted, slots[index].isListed) = (false, false)
        }
        changedSlots.removeAll(keepingCapacity: true)
        fleetingContacts = 0
    }

    func holds(_ id: Int32, in index: Int) -> Bool { index < slots.count && slots[index].id == id }

    /// Sets a slot to a state that the device reported. The selected slot stays selected.
    ///
    /// - Returns: False for an impossible slot.
    mutating func overwrite(_ state: EvdevSlot) -> Bool {
        let chosen = currentSlot
        defer { currentSlot = chosen }
        guard selectSlot(Int32(clamping: state.slot)) else { return false }
        slots[currentSlot].id = max(state.trackingID, -1)
        (slots[currentSlot].x, slots[currentSlot].y, slots[currentSlot].attributes) = (
            state.x, state.y, state.attributes
        )
        slots[currentSlot].hasNews = true
        return true
    }
}

extension ContactAttributes {
    /// Sets the attribute of an axis.
    ///
    /// - Parameter code: An ABS_MT axis other than position and id; an axis without an attribute changes nothing.
    mutating func set(_ code: UInt16, _ value: Int32) {
        switch code {
        case Code.touchPressure: pressure = value
        case Code.touchMajor: major = value
        case Code.touchMinor: minor = value
        case Code.orientation: orientation = value
        case Code.touchDistance: distance = value
        // Unknown tools are fingers, as in Linux's own libraries.
        case Code.toolType: tool = value == 1 ? .pen : value == 2 ? .palm : .finger
        default: break
        }
    }
}
