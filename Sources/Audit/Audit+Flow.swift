// Audit+Flow.swift: the credit window of an app: waiting, coalesced and stale frames, and unresponsive apps.
//
//    due ─┬ credit ───▶ sent in the same step
//         └ no credit ▶ waits ─┬ the same fingers move on: merged into the next frame, whose history lists it
//                              ├ old, and its fingers have lifted: may be dropped (stale)
//                              └ the server reports its app unresponsive: dropped, and each touch is cancelled once
//
// Input     Audit+Server, Audit+PanelState
// Output    violations; the report's queue counts
//
// The audit knows from frames since when an app has not answered. A stall that the server reports too early, too late
// or never is a violation. The consequences of a reported stall are applied here too.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3: I1, I2, I6, I8; section 4: F4, F5

import Basics
import HID
import Hosting
import Links
import Wire

extension Audit {
    /// The greatest number of frames that may be outstanding to an app.
    private func windowSize(_ appIndex: Int) -> Int {
        min(options.group.window, apps[appIndex].ends.server.creditWindow)
    }

    /// Whether the next frame for an app is sent at once. The last part of a window is reserved for frames in which a
    /// touch begins or ends, and for those that wait before one.
    func hasCredit(_ appIndex: Int) -> Bool {
        let share = windowSize(appIndex)
        let kept = apps[appIndex].dues.edges > 0 ? 0 : reserve(of: share)
        return apps[appIndex].ends.server.unanswered < share - kept
    }

    /// The size of the reserved part of a window.
    private func reserve(of share: Int) -> Int { min(8, share / 4) }

    mutating func judgeQueue(_ appIndex: Int, _ step: Step) {
        let (unanswered, limit) = (apps[appIndex].ends.server.unanswered, windowSize(appIndex))
        report.queues.mostOutstanding = max(report.queues.mostOutstanding, UInt64(unanswered))
        guard unanswered > limit else { return }
        let peer = Peer.app(apps[appIndex].app)
        note(.bounds, "\(peer) has \(unanswered) frames unanswered, window \(limit)", step)
    }

    // MARK: The reserved part of a window

    /// Notes a move that was sent in the reserved part. That is allowed only before a beginning or an end. Waiting ends
    /// of touches are known. The end of a key is not followed, and is sent as soon as there is credit.
    mutating func judgeReserve(_ message: Message, _ appIndex: Int) {
        switch message {
        case .touches(let touches):
            guard touches.contacts.contains(where: { $0.phase == .moved }),
                touches.contacts.allSatisfy({ $0.phase == .moved || $0.phase == .stationary })
            else { return }
        case .severalTouches: break
        case .input(let event):
            guard event.input.phase == .changed else {
                apps[appIndex].answering.overreach = nil
                return
            }
        default: return
        }
        // Without the screen it is unknown whether a gate opens.
        guard options.screen != nil, apps[appIndex].dues.edges == 0, apps[appIndex].answering.overreach == nil else {
            return
        }
        let (unanswered, share) = (apps[appIndex].ends.server.unanswered, windowSize(appIndex))
        guard unanswered > share - reserve(of: share) else { return }
        (apps[appIndex].answering.overreach, hasOverreach) = (unanswered, true)
    }

    /// Judges such moves after the step. If there is credit left, no beginning or end was waiting behind the move.
    mutating func expectReserve(_ step: Step) {
        guard hasOverreach else { return }
        hasOverreach = false
        for appIndex in apps.indices {
            guard let reached = apps[appIndex].answering.overreach else { continue }
            let share = windowSize(appIndex)
            guard apps[appIndex].ends.server.unanswered < share || !apps[appIndex].isLinkedToServer else {
                hasOverreach = true
                continue
            }
            apps[appIndex].answering.overreach = nil
            guard apps[appIndex].isLinkedToServer else { continue }
            let (peer, kept) = (Peer.app(apps[appIndex].app), reserve(of: share))
            note(
                .bounds,
                "\(peer) received a move as frame \(reached) of \(share) unanswered; the last \(kept) are reserved for landings "
                    + "and lifts, and none waited", step)
        }
    }

    // MARK: History

    /// Compares the history of a frame with the frames that were merged into it. A history that would be too long has
    /// at least half of the greatest number of samples.
    mutating func judgeHistory(_ touches: TouchFrame, _ due: DueFrames.Frame, _ peer: Peer, _ step: Step) {
        let parts = due.samples
        guard !parts.isEmpty || !touches.history.isEmpty else { return }
        report.queues.historySamples += UInt64(touches.history.count)
        let (found, expected) = (touches.history.count, touches.samples(of: parts.count))
        if !expected.contains(found) {
            note(
                .conservation,
                "\(peer) received \(found) coalesced scans, expected \(expected.upperBound)", step)
        }
        var index = 0
        for sample in touches.history {
            while index < parts.count, !isSame(sample, parts[index], touches) { index += 1 }
            guard index < parts.count else {
                return note(
                    .conservation,
                    "\(peer) received a coalesced scan of \(sample.timeStamp) that is no part of this one", step)
            }
            index += 1
        }
    }

    private func isSame(
        _ sample: TouchFrame, _ part: (stamp: Instant?, contacts: [DueContact]), _ frame: TouchFrame
    ) -> Bool {
        guard sample.timeStamp == part.stamp, sample.contacts.count == part.contacts.count,
            sample.contacts.map(\.touch) == frame.contacts.map(\.touch)
        else { return false }
        guard options.screen != nil else { return true }
        return sample.contacts.allSatisfy { contact in
            part.contacts.contains { $0.position == contact.position && $0.phase == contact.phase }
        }
    }

    /// Whether a frame is the one that waits: the same phases of the same fingers at the same positions, with as much
    /// history. Time stamps do not distinguish two waiting frames, because a device's clock may stand still.
    ///
    /// - Parameter stamp: The first stamp of the frame's ledger.
    func matches(
        _ touches: TouchFrame, of stamp: Instant?, _ waiting: (frame: DueFrames.Frame, contacts: ArraySlice<DueContact>)
    ) -> Bool {
        let (due, contacts) = waiting
        guard stamp == due.stamp, touches.contacts.count == due.count,
            due.shown.map({ $0.at == touches.timeStamp }) ?? true,
            touches.samples(of: due.samples.count).contains(touches.history.count)
        else { return false }
        var landings = contacts.filter { $0.phase == .began }[...]
        return touches.contacts.allSatisfy { contact in
            let known = contact.phase == .began ? landings.popFirst() : contacts.first { $0.touch == contact.touch }
            guard let shown = known.map(due.resampled), shown.phase == contact.phase else { return false }
            return options.screen == nil || contact.position == shown.position
        }
    }

    // MARK: Stale frames

    /// Whether the first waiting frame may be dropped: it is old, and each of its fingers lifts in a later one.
    func isStale(_ due: DueFrames.Frame, _ appIndex: Int, at moment: Instant) -> Bool {
        guard options.group.staleness > .zero, !due.isEdge, due.at.duration(to: moment) > options.group.staleness else {
            return false
        }
        return isStale(0, among: apps[appIndex].dues.waiting, at: moment)
    }

    /// Whether the waiting frame at this index may be dropped once those before it have gone.
    func isStale(
        _ index: Int, among waiting: [(frame: DueFrames.Frame, contacts: ArraySlice<DueContact>)], at moment: Instant
    ) -> Bool {
        guard options.group.staleness > .zero, index < waiting.count else { return false }
        let (due, contacts) = waiting[index]
        guard !due.isEdge, due.at.duration(to: moment) > options.group.staleness else { return false }
        return contacts.allSatisfy { contact in
            waiting.dropFirst(index + 1).contains { later in
                later.contacts.contains {
                    $0.landing == contact.landing && ($0.phase == .ended || $0.phase == .cancelled)
                }
            }
        }
    }

    mutating func dropStale(_ appIndex: Int) {
        guard let due = apps[appIndex].dues.first else { return }
        settle(due.scan, Receipt(frame: .zero, outcome: .dropped, reason: .stale))
        apps[appIndex].dues.removeFirst()
    }

    /// Handles the server's receipt that a scan was stale, which is right if the scan waited and is stale for an app.
    mutating func allowStale(_ scan: SequenceNumber, _ step: Step) {
        for appIndex in apps.indices {
            guard let due = apps[appIndex].dues.first, due.scan == scan, isStale(due, appIndex, at: step.at) else {
                continue
            }
            dropStale(appIndex)
        }
    }

    // MARK: Unresponsive apps

    /// Judges when the server reports an app as unresponsive. It may after `server.responseTimeout`, and must soon after
    /// that.
    mutating func judgeResponsiveness(_ step: Step) {
        for effect in step.effects {
            guard case .send(let frame, to: .supervisor) = effect, case .stalled(let stall) = frame.message,
                stall.lasted == nil
            else { continue }
            handleStall(appIndex(of: stall.app), stall, step)
        }
        guard options.group.unresponsiveAfter > .zero else { return }
        for appIndex in apps.indices where apps[appIndex].isLinkedToServer && !apps[appIndex].answering.isStalled {
            guard let since = apps[appIndex].answering.unansweredSince else { continue }
            let late = since.duration(to: step.at)
            let limit = options.group.unresponsiveAfter + AuditOptions.responseBound + AuditOptions.responseBound
            guard isLate(late, limit, since: since, until: step.at, [.systemServer]) else { continue }
            apps[appIndex].answering.unansweredSince = step.at
            let peer = Peer.app(apps[appIndex].app)
            note(
                .promptness,
                "\(peer) has answered nothing for \(late.milliseconds), and the server does not report it",
                step)
        }
    }

    private mutating func handleStall(_ appIndex: Int, _ stall: Stall, _ step: Step) {
        let peer = Peer.app(stall.app)
        guard !apps[appIndex].answering.isStalled, let since = apps[appIndex].answering.unansweredSince,
            options.group.unresponsiveAfter > .zero
        else {
            return note(.explainability, "\(peer) is reported as unresponsive without an unanswered frame", step)
        }
        let waited = since.duration(to: step.at)
        let least = options.group.unresponsiveAfter
        if waited < least || stall.since != since {
            note(
                .explainability,
                "\(peer) is reported as unresponsive since \(stall.since), and has answered nothing for \(waited.milliseconds), "
                    + "since \(since); limit \(least.milliseconds)", step)
        }
        let limit = options.group.unresponsiveAfter + AuditOptions.responseBound
        if isLate(waited, limit, since: since, until: step.at, [.systemServer]) {
            note(
                .promptness,
                "\(peer) is reported as unresponsive after \(waited.milliseconds), limit \(limit.milliseconds)", step)
        }
        report.queues.stalls += 1
        (apps[appIndex].answering.isStalled, apps[appIndex].answering.overreach) = (true, nil)
        let cancels = touchesToCancel(appIndex)
        let unanswered = apps[appIndex].ends.server.unanswered
        if stall.touches != cancels.count || Int(stall.unanswered) != unanswered {
            note(
                .explainability,
                "\(peer) is reported to lose \(stall.touches) touches with \(stall.unanswered) frames unanswered, and loses "
                    + "\(cancels.count) with \(unanswered)", step)
        }
        let nothing = Receipt(frame: .zero, outcome: .dropped, reason: .notResponding)
        for frame in apps[appIndex].dues.waitingScans { settle(frame.scan, nothing) }
        for sample in apps[appIndex].dues.held { settle(sample.frame.scan, nothing) }
        apps[appIndex].dues.removeAll()
        apps[appIndex].dues.removeHeld()
        for finger in glass.fingers.indices where glass.fingers[finger].owner == .app(appIndex) {
            (glass.fingers[finger].owner, glass.fingers[finger].touch) = (.ignored, nil)
        }
        guard !cancels.isEmpty else { return }
        for due in cancels { apps[appIndex].dues.append(due) }
        _ = apps[appIndex].dues.close(
            DueFrames.Frame(scan: .zero, stamp: nil, count: cancels.count, isEdge: true, at: step.at))
        hasDueFrames = true
    }

    /// Returns the cancellation of each touch whose beginning an app received and whose end it did not, at the finger's
    /// last position.
    private func touchesToCancel(_ appIndex: Int) -> [DueContact] {
        let waiting = apps[appIndex].dues.waiting
        guard let first = waiting.first else {
            return glass.fingers.filter { $0.owner == .app(appIndex) }.map {
                DueContact($0, .cancelled, .notResponding)
            }
        }
        return first.contacts.filter { $0.phase != .began }.map { told in
            if let finger = glass.fingers.first(where: { $0.landing == told.landing && $0.owner == .app(appIndex) }) {
                return DueContact(finger, .cancelled, .notResponding)
            }
            let last = waiting.flatMap(\.contacts).last { $0.landing == told.landing } ?? told
            return DueContact(last, .cancelled, .notResponding)
        }
    }
}

extension TouchFrame {
    /// The possible numbers of samples in the history for this many merged scans: all, or at least half of the limit.
    fileprivate func samples(of parts: Int) -> ClosedRange<Int> {
        let most = Self.historyLimit(contacts: contacts.count)
        return parts > most ? most / 2...most : parts...parts
    }
}
