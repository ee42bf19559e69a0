// SlotTracker.swift: protocol B's slots: state that stays until something else is said of it.
//
// Station   device
// Fed by    EvdevTracker
// Feeds     EvdevTracker, which asks at every SYN_REPORT who lifted, landed and stayed
// Knows     slots. No contact.

import HID

struct SlotTracker: Sendable {
    struct Slot: Sendable {
        /// The finger in it, as of the last commit; negative when it is free.
        var id: Int32 = -1
        /// The last ones sent, whoever they were sent for.
        var x: Int32 = 0
        var y: Int32 = 0
        var attributes = ContactAttributes()
        /// In this scan, so far.
        var hasLifted = false
        /// Whether who lifted was a palm by then.
        var liftedAsPalm = false
        /// The finger that will be in it after this scan; negative when none lands.
        var landing: Int32 = -1
        /// Whether it is one of `touched`.
        var isTouched = false
    }

    private var slots: [Slot] = [Slot()]
    private let slotCount: Int
    /// Negative while a slot that cannot be is chosen: what is said of it is said of nobody.
    private var current = 0
    /// Slots with a lift or a landing in this scan, in order of mention.
    private(set) var touched: [Int] = []
    /// Fingers that came and went within one scan, and were therefore never seen.
    private(set) var fleeting = 0

    init(slotCount: Int) { self.slotCount = slotCount }

    /// One that was chosen at some time.
    subscript(index: Int) -> Slot { _read { yield slots[index] } }

    /// - Returns: False for a slot that cannot be.
    mutating func choose(_ number: Int32) -> Bool {
        guard number >= 0, number < slotCount else {
            current = -1
            return false
        }
        current = Int(number)
        while slots.count <= current { slots.append(Slot()) }
        return true
    }

    mutating func setX(_ value: Int32) { if current >= 0 { slots[current].x = value } }
    mutating func setY(_ value: Int32) { if current >= 0 { slots[current].y = value } }

    /// Any other axis of a finger.
    mutating func set(_ code: UInt16, _ value: Int32) {
        if current >= 0 { slots[current].attributes.set(code, value) }
    }

    mutating func setTool(_ tool: ContactAttributes.Tool) { if current >= 0 { slots[current].attributes.tool = tool } }

    /// The finger the chosen slot will hold after this scan; negative when none.
    var pendingID: Int32 {
        guard current >= 0 else { return -1 }
        let slot = slots[current]
        return slot.landing >= 0 ? slot.landing : slot.hasLifted ? -1 : slot.id
    }

    /// - Parameter id: Negative lifts; another one than the slot's lifts and lands.
    mutating func setID(_ id: Int32) {
        let id = max(id, -1)
        guard current >= 0, id != pendingID else { return }
        if slots[current].landing >= 0 { fleeting += 1 }
        slots[current].landing = id
        if slots[current].id >= 0, !slots[current].hasLifted {
            slots[current].hasLifted = true
            // Now: what is said from here on may be the next finger's.
            slots[current].liftedAsPalm = slots[current].attributes.tool == .palm
        }
        if !slots[current].isTouched {
            slots[current].isTouched = true
            touched.append(current)
        }
    }

    /// The landing in this slot has become its finger, or was not taken.
    mutating func settle(_ index: Int, isTaken: Bool) {
        slots[index].id = isTaken ? slots[index].landing : -1
        slots[index].landing = -1
        slots[index].hasLifted = false
    }

    /// Forgets what the scan changed, once it is committed.
    mutating func beginScan() {
        fleeting = 0
        guard !touched.isEmpty else { return }
        for index in touched {
            if slots[index].hasLifted { slots[index].id = -1 }
            slots[index].hasLifted = false
            slots[index].isTouched = false
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// After lost events nobody is known to be down; positions are the best there is.
    mutating func forgetFingers() {
        for index in slots.indices {
            (slots[index].id, slots[index].landing) = (-1, -1)
            (slots[index].hasLifted, slots[index].isTouched) = (false, false)
        }
        touched.removeAll(keepingCapacity: true)
        fleeting = 0
    }

    func holds(_ id: Int32, in index: Int) -> Bool { index < slots.count && slots[index].id == id }

    /// What somebody who was asked says is in a slot. The chosen one stays chosen.
    ///
    /// - Returns: False for a slot that cannot be.
    mutating func overwrite(_ state: EvdevSlot) -> Bool {
        let chosen = current
        defer { current = chosen }
        guard choose(Int32(clamping: state.slot)) else { return false }
        slots[current].id = max(state.trackingID, -1)
        (slots[current].x, slots[current].y, slots[current].attributes) = (state.x, state.y, state.attributes)
        return true
    }
}

extension ContactAttributes {
    /// - Parameter code: An ABS_MT axis that is no place and no name; those without meaning here change nothing.
    mutating func set(_ code: UInt16, _ value: Int32) {
        switch code {
        case Code.touchPressure: pressure = value
        case Code.touchMajor: major = value
        case Code.touchMinor: minor = value
        case Code.orientation: orientation = value
        case Code.touchDistance: distance = value
        // Tools nobody has heard of are fingers, as Linux' own libraries have it.
        case Code.toolType: tool = value == 1 ? .pen : value == 2 ? .palm : .finger
        default: break
        }
    }
}
