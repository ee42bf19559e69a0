/// Protocol B's slots: state that stays until something else is said of it.
struct SlotTracker: Sendable {
    struct Slot: Sendable {
        /// The finger in it, as of the last commit.
        var id: Int32?
        /// The last ones sent, whoever they were sent for.
        var x: Int32 = 0
        var y: Int32 = 0
        /// In this scan, so far.
        var hasLifted = false
        var landing: Int32?
    }

    private var slots: [Slot] = []
    private let slotCount: Int
    /// Nil while a slot that cannot be is chosen: what is said of it is said of nobody.
    private var current: Int? = 0
    /// Slots with a lift or a landing in this scan, in order of mention.
    private(set) var touched: [Int] = []
    private var fleeting = 0

    init(slotCount: Int) { self.slotCount = slotCount }

    subscript(index: Int) -> Slot { slots.indices.contains(index) ? slots[index] : Slot() }

    mutating func choose(_ number: Int32, ignored: inout Int) {
        guard number >= 0, number < slotCount else {
            current = nil
            ignored += 1
            return
        }
        current = Int(number)
    }

    /// The chosen slot, made when it is first spoken of.
    private mutating func change(_ body: (inout Slot) -> Void) {
        guard let current else { return }
        while slots.count <= current { slots.append(Slot()) }
        body(&slots[current])
    }

    mutating func setX(_ value: Int32) { change { $0.x = value } }
    mutating func setY(_ value: Int32) { change { $0.y = value } }

    /// The finger the chosen slot will hold after this scan.
    var pendingID: Int32? {
        guard let current else { return nil }
        let slot = self[current]
        return slot.landing ?? (slot.hasLifted ? nil : slot.id)
    }

    /// - Parameter id: Negative lifts; another one than the slot's lifts and lands.
    mutating func setID(_ id: Int32) {
        guard let current, id != pendingID else { return }
        var fleeting = 0
        change { slot in
            if slot.landing != nil { fleeting = 1 }
            slot.landing = id < 0 ? nil : id
            slot.hasLifted = slot.id != nil
        }
        self.fleeting += fleeting
        if !touched.contains(current) { touched.append(current) }
    }

    /// The landing in this slot has become its finger, or was not taken.
    mutating func settle(_ index: Int, isTaken: Bool) {
        slots[index].id = isTaken ? slots[index].landing : nil
        slots[index].landing = nil
        slots[index].hasLifted = false
    }

    /// Forgets what the scan changed, once it is committed.
    ///
    /// - Returns: How many fingers came and went within it, and were therefore never seen.
    mutating func beginScan() -> Int {
        for index in touched where slots[index].hasLifted {
            slots[index].id = nil
            slots[index].hasLifted = false
        }
        touched.removeAll(keepingCapacity: true)
        defer { fleeting = 0 }
        return fleeting
    }

    /// After lost events nobody is known to be down; positions are the best there is.
    mutating func forgetFingers() {
        for index in slots.indices {
            (slots[index].id, slots[index].landing, slots[index].hasLifted) = (nil, nil, false)
        }
        touched.removeAll(keepingCapacity: true)
        fleeting = 0
    }
}
