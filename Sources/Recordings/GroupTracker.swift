// GroupTracker.swift: protocol A's lists: one scan's fingers, and which of them were there before.
//
// Station   device
// Fed by    EvdevTracker
// Feeds     EvdevTracker, which asks at every SYN_REPORT who lifted, landed and stayed

import HID

struct GroupTracker: Sendable {
    struct Group: Sendable {
        /// Negative: it has none.
        var id: Int32
        var x, y: Int32
        var attributes: ContactAttributes
    }

    /// The last ones sent: drivers that filter do not resend what is unchanged. But a name is one group's alone.
    private var state = Group(id: -1, x: 0, y: 0, attributes: ContactAttributes())
    /// What this group said of whether anybody is there: by its name, its width, its pressure. Nil: nothing.
    private var hasName: Bool?
    private var hasWidth: Bool?
    private var hasPressure: Bool?
    /// Whether the panel ever gave a finger a width, a pressure: for one that never does, zero means nothing.
    private var givesWidth = false
    private var givesPressure = false
    private var hasAxes = false
    /// Whether this scan said anything about fingers at all.
    private var isAboutTouch = false
    private var allLifted = false
    private(set) var scan: [Group] = []

    /// For each live contact, the index of the group it is; negative for one that is gone.
    private(set) var groupOfContact: [Int] = []
    private var contactOfGroup: [Int] = []
    private var assignment = Assignment()

    /// More entries in one scan than any panel has; the rest is not listened to.
    static let groupLimit = 256

    mutating func set(_ code: UInt16, _ value: Int32) {
        (hasAxes, isAboutTouch) = (true, true)
        switch code {
        case Code.touchX: state.x = value
        case Code.touchY: state.y = value
        case Code.trackingID: (state.id, hasName) = (max(value, -1), value >= 0)
        default:
            state.attributes.set(code, value)
            if code == Code.touchMajor { (hasWidth, givesWidth) = (value > 0, givesWidth || value > 0) }
            if code == Code.touchPressure { (hasPressure, givesPressure) = (value > 0, givesPressure || value > 0) }
        }
    }

    /// BTN_TOUCH, or a pressure of zero, which says the same as BTN_TOUCH 0.
    mutating func touchButton(isDown: Bool) {
        isAboutTouch = isAboutTouch || !isDown
        allLifted = !isDown
    }

    /// A group that repeats a finger's place without its width lifts it, with the drivers of the first phones.
    private var isNobody: Bool {
        if hasName == false { return true }
        if givesWidth, let hasWidth { return !hasWidth }
        return givesPressure && hasPressure == false
    }

    private mutating func forgetGroup() {
        (hasAxes, hasName, hasWidth, hasPressure) = (false, nil, nil, nil)
        state.id = -1
    }

    /// SYN_REPORT with nothing before it: an empty list.
    mutating func takeEmptyScan() { isAboutTouch = true }

    /// SYN_MT_REPORT: what was said since the last one is one finger; nothing said, nobody there.
    mutating func close() {
        isAboutTouch = true
        guard hasAxes else { return }
        defer { forgetGroup() }
        guard !isNobody, scan.count < Self.groupLimit else { return }
        // A second entry by the same name: the panel stutters. The first one is it.
        if state.id >= 0, scan.contains(where: { $0.id == state.id }) { return }
        scan.append(state)
    }

    /// SYN_REPORT: `scan` is the list.
    ///
    /// - Returns: False when the scan was about something else.
    mutating func takeScan() -> Bool {
        // The last SYN_MT_REPORT may be missing; unless the button says that nobody is there to be closed.
        if hasAxes, !allLifted { close() }
        defer { endScan() }
        return isAboutTouch
    }

    private mutating func endScan() {
        forgetGroup()
        (isAboutTouch, allLifted) = (false, false)
    }

    /// The scan is over, or was cut.
    mutating func forgetScan() {
        scan.removeAll(keepingCapacity: true)
        endScan()
    }

    /// Whether a group is a contact that was there before.
    func isTaken(_ group: Int) -> Bool { contactOfGroup[group] >= 0 }

    /// Finds which contact each group is, by tracking id where there is one, otherwise so that the squares of the
    /// distances sum up to the least.
    mutating func match(with live: [LiveContact]) {
        groupOfContact.removeAll(keepingCapacity: true)
        contactOfGroup.removeAll(keepingCapacity: true)
        for _ in live { groupOfContact.append(-1) }
        for _ in scan { contactOfGroup.append(-1) }
        var nameless = 0
        for group in scan.indices {
            guard scan[group].id >= 0 else {
                nameless += 1
                continue
            }
            guard let contact = live.firstIndex(where: { $0.id == Int64(scan[group].id) }) else { continue }
            (groupOfContact[contact], contactOfGroup[group]) = (group, contact)
        }
        guard nameless > 0, !live.isEmpty else { return }
        assignment.begin()
        for contact in live.indices where groupOfContact[contact] < 0 {
            assignment.addFinger(contact, x: live[contact].x, y: live[contact].y)
        }
        for group in scan.indices where scan[group].id < 0 {
            assignment.addPlace(group, x: scan[group].x, y: scan[group].y)
        }
        assignment.solve()
        for (contact, group) in assignment.pairs {
            (groupOfContact[contact], contactOfGroup[group]) = (group, contact)
        }
    }
}
