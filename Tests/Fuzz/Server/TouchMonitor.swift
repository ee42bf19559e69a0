// TouchMonitor.swift: one touch monitor of an input, and the laws of every page that it receives.
//
// Input     ServerStage: the monitor's answers, and the pages that the server sends it
// Knows     touches by their numbers. It learns from the pages which touches exist.
//
// Sources   Docs/Decisions/TouchMonitors.md

import FuzzDriver
import HID
import Wire

struct TouchMonitor {
    let id: UInt32
    private let interest: TouchMonitorInterest
    private var state = State.asking
    /// Numbers of pages: the last one sent, and the last one that the monitor has acknowledged.
    private(set) var newest: UInt64 = 0
    private var acknowledged: UInt64 = 0
    private var hasMissedEdges = false
    /// The touches that it has seen from their landing on, and those of them that have not ended.
    private var begun: [TouchID] = []
    private var shown: [TouchID] = []
    /// The touches that it has declined.
    private var declined: [TouchID] = []
    /// The touches that it wants and has no verdict for.
    private var wanted: [TouchID] = []
    private(set) var taken: [TouchID] = []

    private enum State { case asking, watching, turnedAway }

    /// The limit of unacknowledged pages: for scans, plus a reserve for verdicts.
    private static let window: UInt64 = 48 + 16

    init(id: UInt32, _ interest: TouchMonitorInterest) { (self.id, self.interest) = (id, interest) }

    var isWatching: Bool { state == .watching }
    var isAnswered: Bool { state != .asking }

    mutating func acknowledge() { acknowledged = newest }

    /// The monitor gives this answer about a touch.
    mutating func say(_ answer: TouchMonitorAnswer, of touch: TouchID) {
        switch answer {
        case .maybe, .hold: break
        case .no:
            wanted.removeAll { $0 == touch }
            if begun.contains(touch) { declined.append(touch) }
        case .yes:
            if !wanted.contains(touch), !taken.contains(touch) { wanted.append(touch) }
        }
    }

    /// - Parameters:
    ///   - others: The number of other monitors.
    ///   - tellsPositions: Whether pages may contain positions.
    /// - Returns: The touch that the monitor has taken.
    mutating func follow(_ page: TouchMonitorPage, others: Int, tellsPositions: Bool) -> TouchID? {
        if case .turnedAway = page.content {
            expect(state == .asking && page.number == 0 && others >= 4, "turned away, with \(others) others")
            state = .turnedAway
            return nil
        }
        expect(state != .turnedAway, "a page for a monitor that was turned away")
        expect(page.number == newest + 1, "page \(page.number) after \(newest)")
        newest = page.number
        expect(newest - acknowledged <= Self.window, "\(newest - acknowledged) pages unacknowledged")
        if page.omission.edgeCount > 0 { hasMissedEdges = true }
        switch page.content {
        case .turnedAway: break
        case .begun:
            expect(state == .asking && page.number == 1, "it began twice")
            state = .watching
        case .omissions: expect(page.omission.count > 0, "room, and nothing was left out")
        case .scan(let scan): follow(scan, tellsPositions: tellsPositions)
        case .verdict(let touch, let verdict):
            expect(
                wanted.contains(touch) || taken.contains(touch),
                "a verdict of \(touch), which it does not want: \(verdict)")
            wanted.removeAll { $0 == touch }
            guard verdict == .taken else { return nil }
            taken.append(touch)
            return touch
        }
        return nil
    }

    private mutating func follow(_ scan: MonitoredScan, tellsPositions: Bool) {
        expect(!scan.contacts.isEmpty, "a scan of nothing")
        var last: TouchID?
        for contact in scan.contacts {
            let touch = contact.touch
            if let last { expect(last < touch, "\(touch) behind \(last)") }
            last = touch
            expect(tellsPositions || contact.location == nil, "the position of \(touch) is told")
            expect(!declined.contains(touch), "\(touch) is shown after a no")
            let isMine = contact.owner == .touchMonitor(id)
            expect(isMine == taken.contains(touch) || hasMissedEdges, "\(touch) is \(contact.owner)'s")
            if contact.phase == .began {
                expect(!begun.contains(touch), "\(touch) began before")
                expect(interest.app.map { contact.owner == .app($0) } ?? true, "\(touch) landed elsewhere")
                if let zone = interest.zone {
                    expect(
                        contact.location.map { zone.contains($0.position) } == true, "\(touch) landed outside the zone")
                }
                begun.append(touch)
                shown.append(touch)
                continue
            }
            guard let index = shown.firstIndex(of: touch) else {
                expect(hasMissedEdges, "\(touch): \(contact.phase), and never began")
                continue
            }
            if contact.phase == .ended || contact.phase == .cancelled { shown.remove(at: index) }
        }
    }

    /// Expects that no verdict is open, after the monitor has acknowledged everything and no contest is open.
    func expectRest() {
        guard isWatching, !hasMissedEdges else { return }
        expect(wanted.isEmpty, "a yes without a verdict: \(wanted)")
    }
}
