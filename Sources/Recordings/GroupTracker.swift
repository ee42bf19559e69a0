/// Protocol A's lists: one scan's fingers, and which of them were there before.
struct GroupTracker: Sendable {
    struct Group: Sendable {
        var id: Int32?
        var x, y: Int32
    }

    /// The last ones sent: drivers that filter do not resend what is unchanged.
    private var id: Int32?
    private var x: Int32 = 0
    private var y: Int32 = 0
    private var hasAxes = false
    /// Whether this scan said anything about fingers at all.
    private var isAboutTouch = false
    private var allLifted = false
    private var scan: [Group] = []

    /// More entries in one scan than any panel has; the rest is not listened to.
    static let groupLimit = 256

    mutating func set(_ code: UInt16, _ value: Int32) {
        (hasAxes, isAboutTouch) = (true, true)
        switch code {
        case Code.touchX: x = value
        case Code.touchY: y = value
        case Code.trackingID: id = value
        default: break
        }
    }

    /// BTN_TOUCH, or a pressure of zero, which says the same as BTN_TOUCH 0.
    mutating func touchButton(isDown: Bool) {
        isAboutTouch = isAboutTouch || !isDown
        allLifted = !isDown
    }

    /// SYN_MT_REPORT: what was said since the last one is one finger; nothing said, nobody there.
    mutating func close() {
        isAboutTouch = true
        guard hasAxes else { return }
        hasAxes = false
        guard id ?? 0 >= 0, scan.count < Self.groupLimit else { return }
        // A second entry by the same name: its name was not resent, or the panel stutters. The first one is it.
        if let id, scan.contains(where: { $0.id == id }) { return }
        scan.append(Group(id: id, x: x, y: y))
    }

    /// SYN_REPORT: the list, or nil when the scan was about something else.
    mutating func takeScan() -> [Group]? {
        // The last SYN_MT_REPORT may be missing; unless the button says that nobody is there to be closed.
        if hasAxes, !allLifted { close() }
        defer { forgetScan() }
        guard isAboutTouch else { return nil }
        return scan
    }

    mutating func forgetScan() {
        scan.removeAll(keepingCapacity: true)
        (hasAxes, isAboutTouch, allLifted) = (false, false, false)
    }

    /// For each group, the index of the live contact it is, if it is one.
    ///
    /// By tracking id where there is one. Otherwise nearest pairs first; equal distances go to the finger that
    /// landed first, then to the group listed first, so that one recording always gives one answer.
    func match(_ groups: [Group], with live: [LiveContact]) -> [Int?] {
        var partner: [Int?] = groups.map { group in
            guard let id = group.id else { return nil }
            return live.firstIndex { $0.id == Int64(id) }
        }
        let nameless = groups.indices.filter { groups[$0].id == nil }
        guard !nameless.isEmpty else { return partner }
        var pairs: [(distance: UInt64, contact: Int, group: Int)] = []
        for (index, contact) in live.enumerated() where !partner.contains(index) {
            for group in nameless {
                let (dx, dy) = (Int64(contact.x) - Int64(groups[group].x), Int64(contact.y) - Int64(groups[group].y))
                // Both are below 2^32, so the squares fit and their sum may not.
                let (sum, isOver) = (dx.magnitude * dx.magnitude).addingReportingOverflow(dy.magnitude * dy.magnitude)
                pairs.append((isOver ? .max : sum, index, group))
            }
        }
        pairs.sort { ($0.distance, $0.contact, $0.group) < ($1.distance, $1.contact, $1.group) }
        for pair in pairs where partner[pair.group] == nil && !partner.contains(pair.contact) {
            partner[pair.group] = pair.contact
        }
        return partner
    }
}
