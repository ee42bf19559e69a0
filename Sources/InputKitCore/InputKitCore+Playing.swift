// InputKitCore+Playing.swift: one play, from its order to its report.
//
// Station   device, frame
// Input     InputKitCore: orders, file bytes, receipts, timers
// Output    frames of the PlayedDevice; the play's report
//
//     order ─▶ begin ─▶ sendDueFrames: what is due and within credit ─▶ what blocks the next frame ─▶ PlayState ─▶ its order
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Recordings
import Settings
import Trace
import Wire

extension InputKitCore {
    /// Starts a play, or refuses the order.
    mutating func begin(_ order: PlayOrder, at now: Instant, into outbox: inout Outbox) {
        guard order.source != .marker else { return queueMarker(order.id, at: now, into: &outbox) }
        guard player.state == .idle else {
            return refuse(order.id, "busy: play \(player.play?.order.id ?? 0) is running", into: &outbox)
        }
        guard sender.link.isOpen else { return refuse(order.id, "system-server is not connected", into: &outbox) }
        guard displays.contains(order.display) else {
            return refuse(order.id, "display \(order.display): there are \(displays.all.count)", into: &outbox)
        }
        let source: FrameSource
        do throws(RecordingError) {
            source = try FrameSource(order, screen: displays.geometry(of: order.display), file: player.lastFile)
        } catch { return refuse(order.id, "\(error)", into: &outbox) }
        counters.plays += 1
        cancelFingers(at: now, into: &outbox)
        played.close()
        player.begin(order, from: source)
        advance(.ordered, at: now, into: &outbox)
        sendDueFrames(at: now, into: &outbox)
    }

    /// Reports that an order failed.
    mutating func refuse(_ id: UInt32, _ reason: String, into outbox: inout Outbox) {
        var report = PlayReport(id: id)
        report.failure = reason
        sendToSupervisor(.played(report), into: &outbox)
    }

    /// Stops a play whose controller is gone: its contacts are cancelled, and no play waits for the receipts.
    mutating func stopPlay(_ id: UInt32, at now: Instant, into outbox: inout Outbox) {
        if markers.remove(id) { return }
        guard player.play?.order.id == id, player.state != .reporting else { return }
        player.play?.fail("stopped")
        cancelFingers(at: now, into: &outbox)
        played.close()
        storeUnansweredFrames(at: now)
        advance(.lost, at: now, into: &outbox)
    }

    /// Counts what a recording lacked, and notes it in the trace.
    mutating func note(_ remarks: FrameSource.Remarks, at now: Instant, into outbox: inout Outbox) {
        counters.recordings = counters.recordings + remarks
        if remarks.assumedRanges > 0 {
            let assumed = RecordingReader.assumedRanges
            outbox.trace.note(
                now, .device, "the recording does not describe its axes: {a} to {b} assumed",
                Int64(assumed.x.lowerBound), Int64(assumed.x.upperBound))
        }
        let skipped = remarks.ignoredLines + remarks.ignoredContacts + remarks.timesBackwards
        guard skipped > 0 else { return }
        outbox.trace.note(
            now, .device,
            "the recording has {a} unknown lines, {b} impossible contacts and {c} times that go back, all ignored",
            Int64(remarks.ignoredLines), Int64(remarks.ignoredContacts), Int64(remarks.timesBackwards))
    }

    /// Sends what is due and allowed, then passes the reason for stopping to the state machine.
    mutating func sendDueFrames(at now: Instant, into outbox: inout Outbox) {
        // The play is moved out while it changes. A copy of its queues would be expensive.
        guard var taken = player.play.take() else { return }
        var effects: [Effect] = []
        taken.source.refill(into: &effects)
        let hindrance = send(&taken, at: now, effects: &effects, into: &outbox)
        for effect in effects { outbox.append(effect) }
        player.lastFile = taken.source.file
        if hindrance == .sentEverything, let failure = taken.source.failure { taken.fail(failure) }
        let hasFailed = !taken.report.failure.isEmpty
        player.play = consume taken
        if hindrance == .sentEverything, hasFailed { cancelFingers(at: now, into: &outbox) }
        advance(hindrance, at: now, into: &outbox)
        if player.state == .draining, player.play?.unansweredInPlace == 0 {
            advance(.allAnswered, at: now, into: &outbox)
        }
    }

    private mutating func send(
        _ play: inout Play, at now: Instant, effects: inout [Effect], into outbox: inout Outbox
    ) -> PlayState.Input {
        var credit = sender.link.credit
        var limit = play.limit(contacts: played.contactCount)
        var shared = SharedFrame()
        defer { send(&shared, of: &play, at: now, into: &outbox) }
        while let next = play.source.next {
            let outstanding = play.unanswered + shared.scans.count
            let frames = play.frames.count + (shared.scans.isEmpty ? 0 : 1)
            guard credit > 0, outstanding < limit, frames < Play.window else { return .noRoom }
            let due = play.pacing.due(next, at: now)
            guard due <= now else {
                player.arm(due, into: &outbox)
                return .notDue
            }
            let report = play.source.removeFirst()
            if send(report, of: &play, in: &shared, due: due, at: now, into: &outbox) {
                if outstanding == 0 { play.lastProgress = now }
                credit -= 1
                // Contacts land and lift in frames of their own only.
                if shared.scans.isEmpty { limit = play.limit(contacts: played.contactCount) }
            }
            play.pacing.didSend(due: due)
            play.source.refill(into: &effects)
        }
        return play.source.isEnded ? .sentEverything : .ranDry
    }

    /// The scans that were due together and will be sent in one frame. No finger lands or lifts in them.
    private struct SharedFrame {
        private(set) var scans = ScanList()
        private var fingerCount = 0
        /// The event that is being added; empty before and after that.
        private var made: [HIDEvent] = []

        /// Adds the event that `make` appends. It is read where it was made, because its copies would be expensive.
        ///
        /// - Parameter make: Appends one event or none, and returns whether it appended one.
        /// - Returns: Whether there was an event, and the event if it must not share this frame: a finger lands or lifts in
        ///   it, or the frame is full.
        mutating func add(_ make: (inout [HIDEvent]) -> Bool) -> (isEvent: Bool, other: HIDEvent?) {
            guard make(&made) else { return (false, nil) }
            defer { made.removeAll(keepingCapacity: true) }
            return made.withUnsafeBufferPointer { append($0.baseAddress!.pointee) } ? (true, nil) : (true, made[0])
        }

        /// Appends an event if it may share this frame.
        private mutating func append(_ event: borrowing HIDEvent) -> Bool {
            guard !event.fingers.haveTouchEdge, canTake(event.fingers.count) else { return false }
            scans.append(event)
            noteScan(of: event.fingers.count)
            return true
        }

        /// Adds a scan that only moves fingers. No event is made for it.
        ///
        /// - Parameters:
        ///   - fingers: The number of fingers.
        ///   - append: Appends the scan to others and returns true, or changes nothing and returns false.
        /// - Returns: Whether the scan was added.
        mutating func addMove(of fingers: Int, _ append: (inout ScanList) -> Bool) -> Bool {
            guard canTake(fingers), append(&scans) else { return false }
            noteScan(of: fingers)
            return true
        }

        /// Whether a scan of this number of fingers can be added.
        private func canTake(_ fingers: Int) -> Bool {
            scans.count < Message.scansPerFrame && fingerCount + fingers <= Message.contactsPerFrame
        }

        private mutating func noteScan(of fingers: Int) {
            fingerCount += fingers
            // Most frames are full, or have one scan only.
            if scans.count == 2 { scans.reserveCapacity(Message.scansPerFrame - 1) }
        }

        /// Begins the next frame.
        mutating func removeAll() { (scans, fingerCount) = (ScanList(), 0) }
    }

    /// Sends the scans that share a frame, and begins the next frame.
    private mutating func send(
        _ shared: inout SharedFrame, of play: inout Play, at now: Instant, into outbox: inout Outbox
    ) {
        guard !shared.scans.isEmpty else { return }
        play.didSend(shared.scans, as: sender.send(shared.scans, at: now, into: &outbox))
        shared.removeAll()
    }

    /// Sends one report, or adds its scan to the frame that it shares with others.
    ///
    /// - Returns: False if the report results in no event.
    private mutating func send(
        _ report: consuming FingerScript.Report, of play: inout Play, in shared: inout SharedFrame, due: Instant,
        at now: Instant,
        into outbox: inout Outbox
    ) -> Bool {
        switch consume report {
        case .contacts(let scan):
            if !played.isOpen {
                played.open(
                    ranges: play.source.ranges, device: play.source.device, display: play.order.display)
            }
            var faults: [ContactFault] = []
            let isEvent =
                play.sharesFrames
                ? share(scan, of: &play, in: &shared, due: due, faults: &faults, at: now, into: &outbox)
                : send(scan, of: &play, due: due, faults: &faults, at: now, into: &outbox)
            for fault in faults { sender.note(fault, at: now, into: &outbox) }
            counters.faults += UInt64(faults.count)
            play.source.reuse(scan.contacts)
            return isEvent
        case .device(_, let input):
            guard let event = played.event(for: input, due: due) else { return false }
            send(&shared, of: &play, at: now, into: &outbox)
            play.didSend(as: send(event, at: now, into: &outbox))
            return true
        }
    }

    /// Sends a scan in a frame of its own.
    ///
    /// - Returns: Whether the scan results in an event.
    private mutating func send(
        _ scan: ContactFrame, of play: inout Play, due: Instant, faults: inout [ContactFault], at now: Instant,
        into outbox: inout Outbox
    ) -> Bool {
        guard let event = played.assemble(scan, due: due, faults: &faults) else { return false }
        play.didSend(event, as: send(event, at: now, into: &outbox))
        return true
    }

    /// Adds a scan to the frame that it shares with others, or sends that frame and then the scan in the next one.
    ///
    /// - Returns: Whether the scan results in an event.
    private mutating func share(
        _ scan: ContactFrame, of play: inout Play, in shared: inout SharedFrame, due: Instant,
        faults: inout [ContactFault], at now: Instant, into outbox: inout Outbox
    ) -> Bool {
        if shared.addMove(of: scan.contacts.count, { played.appendMove(scan, due: due, to: &$0) }) { return true }
        let (isEvent, other) = shared.add { played.assemble(scan, due: due, faults: &faults, into: &$0) }
        guard let other else {
            if isEvent { played.didSend(at: due) }
            return isEvent
        }
        send(&shared, of: &play, at: now, into: &outbox)
        if other.hasTouchEdge {
            play.didSend(other, as: send(other, at: now, into: &outbox))
        } else {
            played.didSend(at: other.timeStamp)
            _ = shared.add { events in
                events.append(other)
                return true
            }
        }
        return true
    }

    private mutating func send(_ event: DeviceEvent<DigitizerSpace>, at now: Instant, into outbox: inout Outbox)
        -> SequenceNumber
    {
        played.didSend(at: event.timeStamp)
        return sender.send(event, at: now, into: &outbox)
    }

    /// Cancels the contacts of played input and ends its keys and pointers. The frames count for the play, if one runs.
    mutating func cancelFingers(at now: Instant, into outbox: inout Outbox) {
        let (fingers, inputs) = played.cancelAll(at: now)
        guard sender.link.isOpen else { return }
        if let fingers {
            let sequence = send(fingers, at: now, into: &outbox)
            // The play is over: no report counts the answer, but markers wait for it.
            if player.play == nil {
                unanswered.append(sequence, at: now)
            } else {
                player.play?.didSend(fingers, as: sequence)
            }
        }
        for event in inputs {
            let sequence = send(event, at: now, into: &outbox)
            if player.play == nil { unanswered.append(sequence, at: now) } else { player.play?.didSend(as: sequence) }
        }
    }

    /// Handles the timer of the last receipt: the play fails if it has waited too long.
    mutating func receiptDeadlineReached(at now: Instant, into outbox: inout Outbox) {
        guard player.receiptTimerFired(at: now, into: &outbox) else { return }
        let unanswered = player.unanswered
        player.play?.fail("\(unanswered) scans unanswered")
        cancelFingers(at: now, into: &outbox)
        storeUnansweredFrames(at: now)
        advance(.silence, at: now, into: &outbox)
    }

    /// Moves the frames of an ending play to `unanswered`, so that markers wait for their receipts.
    private mutating func storeUnansweredFrames(at now: Instant) {
        for entry in player.play?.frames.entries ?? [] { unanswered.append(entry.sequence, at: now) }
    }

    // MARK: The state of the play

    mutating func advance(_ input: PlayState.Input, at now: Instant, into outbox: inout Outbox) {
        switch player.advance(input) {
        case .begin:
            outbox.trace.note(now, .process, "play {a} begins", Int64(player.play?.order.id ?? 0))
        case .armReceiptTimer: player.armReceiptTimer(at: now, into: &outbox)
        case .report:
            var effects: [Effect] = []
            player.play?.source.close(into: &effects)
            for effect in effects { outbox.append(effect) }
            sendReport(at: now, into: &outbox)
        // The timer was armed where its time was known, and a refusal was answered before this call.
        case .armFrameTimer, .refuse, .wait, .nothing: return
        }
    }

    /// Sends the ledgers, a few frames at a time, then the report that ends the play.
    mutating func sendReport(at now: Instant, into outbox: inout Outbox) {
        guard player.play != nil else { return }
        for ledgers in player.nextLedgers() { sendToSupervisor(.measured(ledgers), into: &outbox) }
        guard player.hasSentLedgers else {
            outbox.append(.arm(Timer.report, at: now.advanced(by: Player.ledgerPause)))
            return
        }
        guard let (id, report) = player.play.map({ ($0.order.id, $0.report) }) else { return }
        sendToSupervisor(.played(report), into: &outbox)
        markers.playEnded(id, at: now)
        outbox.trace.note(
            now, .process, "play {a} ends: {b} sent, {c} answered", Int64(id), Int64(clamping: report.sent),
            Int64(clamping: report.answered))
        player.end()
        advance(.reported, at: now, into: &outbox)
        reportReachedMarkers(at: now, into: &outbox)
    }
}
