// GroupTracker.swift: the contact lists of protocol A, and their match with earlier contacts.
//
// Station   device
// Input     EvdevTracker
// Output    EvdevTracker, which reads the ended, new and remaining contacts at every SYN_REPORT

import HID

/// The state of protocol A.
struct GroupTracker: Sendable {
    /// One entry of a scan's list.
    struct Group: Sendable {
        /// Negative without an id.
        var id: Int32
        var x, y: Int32
        var attributes: ContactAttributes
    }

    /// The last sent values: filtering drivers do not resend unchanged ones. A tracking id, however, belongs to one
    /// group only.
    private var state = Group(id: -1, x: 0, y: 0, attributes: ContactAttributes())
    /// Whether this group is a contact, by its id, its width and its pressure. Nil without the value.
    private var hasID: Bool?
    private var hasWidth: Bool?
    private var hasPressure: Bool?
    /// Whether the panel ever sent a width, or a pressure, above zero. If it never does, zero means nothing.
    private var reportsWidth = false
    private var reportsPressure = false
    private var hasAxes = false
    /// Whether this scan had any touch event.
    private var hasTouchEvents = false
    private var allLifted = false
    private(set) var scan: [Group] = []

    /// For each live contact, the index of its group; negative if it has ended.
    private(set) var groupOfContact: [Int] = []
    private var contactOfGroup: [Int] = []
    private var assignment = Assignment()

    /// More entries than any panel has in one scan; further ones are ignored.
    static let groupLimit = 256

    mutating func set(_ code: UInt16, _ value: Int32) {
        (hasAxes, hasTouchEvents) = (true, true)
        switch code {
        case Code.touchX: state.x = value
        case Code.touchY: state.y = value
        case Code.trackingID: (state.id, hasID) = (max(value, -1), value >= 0)
        default:
            state.attributes.set(code, value)
            if code == Code.touchMajor { (hasWidth, reportsWidth) = (value > 0, reportsWidth || value > 0) }
            if code == Code.touchPressure { (hasPressure, reportsPressure) = (value > 0, reportsPressure || value > 0) }
        }
    }

    /// Handles BTN_TOUCH, or a pressure of zero, which means the same as BTN_TOUCH 0.
    mutating func setTouchButton(isDown: Bool) {
        hasTouchEvents = hasTouchEvents || !isDown
        allLifted = !isDown
    }

    /// Whether the group is no contact. Drivers of the first phones lift a finger by a group with its position and no
    /// width.
    private var isNoContact: Bool {
        if hasID == false { return true }
        if reportsWidth, let hasWidth { return !hasWidth }
        return reportsPressure && hasPressure == false
    }

    private mutating func resetGroup() {
        (hasAxes, hasID, hasWidth, hasPressure) = (false, nil, nil, nil)
        state.id = -1
    }

    /// Handles SYN_REPORT without other events: an empty list.
    mutating func recordEmptyScan() { hasTouchEvents = true }

    /// Handles SYN_MT_REPORT: the values since the last one are one contact. Without values there is no contact.
    mutating func closeGroup() {
        hasTouchEvents = true
        guard hasAxes else { return }
        defer { resetGroup() }
        guard !isNoContact, scan.count < Self.groupLimit else { return }
        // A second entry with the same id is an error of the panel. The first one counts.
        if state.id >= 0, scan.contains(where: { $0.id == state.id }) { return }
        scan.append(state)
    }

    /// Handles SYN_REPORT: `scan` becomes the list.
    ///
    /// - Returns: False if the scan had no touch event.
    mutating func closeScan() -> Bool {
        // The last SYN_MT_REPORT may be missing. But if the button is up, there is no contact to close.
        if hasAxes, !allLifted { closeGroup() }
        defer { endScan() }
        return hasTouchEvents
    }

    private mutating func endScan() {
        resetGroup()
        (hasTouchEvents, allLifted) = (false, false)
    }

    /// Ends the scan, or drops an incomplete one.
    mutating func resetScan() {
        scan.removeAll(keepingCapacity: true)
        endScan()
    }

    /// Whether a group is an earlier contact.
    func isMatched(_ group: Int) -> Bool { contactOfGroup[group] >= 0 }

    /// Finds the contact of each group: by the tracking id, or with the least sum of squared distances.
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
            assignment.addPosition(group, x: scan[group].x, y: scan[group].y)
        }
        assignment.solve()
        for (contact, group) in assignment.pairs {
            (groupOfContact[contact], contactOfGroup[group]) = (group, contact)
        }
    }
}
