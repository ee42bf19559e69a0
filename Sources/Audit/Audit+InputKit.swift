// Audit+InputKit.swift: scans that input-kit sends, receipts that it receives, and its plays.
//
// Input     Audit, for each step of input-kit
// Output    violations; the counts of scans in the report
// Knows     frames. No device.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3: I3, I4

import Basics
import HID
import Hosting
import Links
import Wire

extension Audit {
    mutating func handleInputKitStep(_ step: Step) {
        switch step.input {
        case .frame(let frame, from: .systemServer):
            if let fault = input.ends.client.checkReceived(frame) {
                note(fault, receiving: frame, from: .systemServer, step)
            }
            if input.ends.client.verdict == .gap {
                expectLost(
                    input.ends.client.missing, before: frame, among: \.input.ends.lostToClient, from: .systemServer,
                    step)
            }
            if input.ends.client.verdict == .duplicate { report.links.duplicates += 1 }
            if input.ends.client.verdict == .fenced { report.links.fenced += 1 }
            if input.play != nil { countInPlay(frame.message) }
        case .frame(let frame, from: .supervisor):
            switch frame.message {
            case .shutdown: input.ends.client.isClosing = true
            case .play(let order): beginPlay(order)
            default: break
            }
        case .device(.bytes):
            input.hasLiveDevices = true
            input.play?.isMixed = true
        case .stopRequested, .peerLost(.supervisor): input.ends.client.isClosing = true
        case .refused: report.links.refused += 1
        default: break
        }
        for index in step.effects.indices {
            guard case .send(let frame, let receiver) = step.effects[index] else { continue }
            if receiver == .supervisor, case .played(let report) = frame.message { endPlay(report, step) }
            guard receiver == .systemServer else { continue }
            if let fault = input.ends.client.checkSent(frame) { note(fault, sending: frame, to: .systemServer, step) }
            expectOwnGeneration(frame, step)
            recordSentScan(frame, step)
        }
        // Effects before the core handled the loss were sent as if the link were up.
        if case .peerLost(.systemServer) = step.input {
            input.ends.client.linkLost()
            // Moves that waited behind the last scan are discarded.
            for index in input.paces.indices { input.paces[index].last = nil }
        }
    }

    private mutating func recordSentScan(_ frame: Frame, _ step: Step) {
        var entry = FrameTally.Entry(
            step: UInt32(truncatingIfNeeded: step.index), at: step.at, stamp: frame.ledger[.device])
        switch frame.message {
        case .digitizer(let event):
            input.play?.countSent(event.value)
            countLandings(in: event.value)
            expectPace(of: event.value, step)
            (entry.state, entry.isTouches, entry.isMove) = (.inTransit, true, !event.value.hasTouchEdge)
            report.scans.injected += 1
        case .scans(let events):
            input.play?.countSent(events, in: frame.sequence)
            for event in events {
                countLandings(in: event)
                expectPace(of: event, step)
            }
            (entry.state, entry.isTouches, entry.isMove) = (.inTransit, true, true)
            report.scans.injected += 1
        case .device(let event):
            input.play?.report.sent += 1
            (entry.state, entry.isMove) = (.inTransit, event.input.phase == .changed)
            report.scans.injected += 1
        default: break
        }
        guard let streamIndex = input.streams.indices.last, input.streams[streamIndex].process == step.process else {
            return
        }
        input.streams[streamIndex].tally.append(frame.sequence, entry)
        while let sequence = input.streams[streamIndex].tally.overdue(),
            let oldest = input.streams[streamIndex].tally.oldest,
            !isAwaited(sequence, isTouches: oldest.isTouches),
            let (sequence, entry) = input.streams[streamIndex].tally.removeOverdue()
        {
            if entry.state == .late {
                report.scans.count(.rejected)
            } else {
                report.scans.inFlight += 1
                noteUnanswered(scan: sequence, entry, of: step.process, at: step.at)
            }
        }
    }

    private mutating func countLandings(in event: HIDEvent) {
        report.fingers += UInt64(event.fingers.count { $0.phase == .began })
    }

    /// Whether an app has still to answer for a scan, which may take any time, however many scans follow. For keys and
    /// pointers the audit does not know which frame belongs to which scan, so any outstanding frame may.
    private func isAwaited(_ scan: SequenceNumber, isTouches: Bool) -> Bool {
        guard isTouches else { return apps.contains { $0.ends.server.unanswered > 0 } }
        return apps.contains { app in
            app.questions.open.contains { $0.scan == scan } || app.dues.waitingScans.contains { $0.scan == scan }
        }
    }

    mutating func noteUnanswered(
        scan sequence: SequenceNumber, _ entry: FrameTally.Entry, of life: ProcessInstance, at moment: Instant
    ) {
        note(.conservation) {
            Violation(
                .conservation,
                entry.state != .inTransit
                    ? "scan #\(sequence) of \(life) arrived at the server and was never answered"
                    : "scan #\(sequence) of \(life) never arrived, and no loss is recorded",
                at: moment,
                evidence: [
                    Violation.Evidence(
                        process: life, step: UInt64(entry.step), at: entry.at, text: "sent scan #\(sequence)")
                ])
        }
    }

    // MARK: Plays

    private mutating func beginPlay(_ order: PlayOrder) {
        guard input.play == nil, order.source != .marker else { return }
        input.play = CountedPlay(
            report: PlayReport(id: order.id), isMixed: input.hasLiveDevices || input.ends.client.unanswered > 0)
    }

    private mutating func countInPlay(_ message: Message) {
        guard input.ends.client.verdict == .fresh || input.ends.client.verdict == .gap else { return }
        switch message {
        case .handled(let receipt): input.play?.countReceipt(receipt)
        case .link(.received): input.play?.isMixed = true
        default: return
        }
    }

    /// Compares a play's report with the scans sent and the receipts received during the play.
    private mutating func endPlay(_ report: PlayReport, _ step: Step) {
        guard let play = input.play, play.report.id == report.id else { return }
        input.play = nil
        var counted = play.report
        // The coalescing of frames is known to the server and the app only.
        counted.coalesced = report.coalesced
        guard !play.isMixed, report.failure.isEmpty, report != counted else { return }
        note(
            .conservation,
            "\(step.process) reports for play \(report.id): \(report.countsText), and it sent and received \(play.report.countsText)",
            step)
    }

    /// Judges that a frame carries the generation of its process.
    mutating func expectOwnGeneration(_ frame: Frame, _ step: Step) {
        guard frame.generation != step.process.generation else { return }
        note(.fencing, "\(step.process) sent a frame of generation \(frame.generation)", step)
    }

    // MARK: The end of the run

    mutating func finishScans(at end: Instant) {
        let isLinked = server?.isAlive == true && input.presence?.isAlive == true
        for streamIndex in input.streams.indices {
            let isCurrent = isLinked && streamIndex == input.acceptedStream && streamIndex == input.streams.count - 1
            for (sequence, entry) in input.streams[streamIndex].tally.openEntries {
                if !isCurrent {
                    report.scans.count(entry.state == .late ? .rejected : .cancelled)
                } else if entry.state == .inTransit, input.streams[streamIndex].tally.isOvertaken(sequence) {
                    report.scans.count(.lostOnLink)
                } else {
                    report.scans.inFlight += 1
                    guard options.isAtRest else { continue }
                    noteUnanswered(scan: sequence, entry, of: input.streams[streamIndex].process, at: end)
                }
            }
        }
        guard !report.scans.isExact else { return }
        note(Violation(.conservation, "scans: \(report.scans.sum)", at: end))
    }
}

extension AuditReport.Balance {
    /// `12 injected, 10 delivered + … + 0 in flight`, as counted.
    var sum: String {
        let parts = Fate.allCases.map { "\(self[$0]) \($0)" } + ["\(inFlight) in flight"]
        return "\(injected) injected, " + parts.joined(separator: " + ")
    }
}

extension PlayReport {
    /// The counts of the report for a person.
    fileprivate var countsText: String {
        "\(sent) sent, \(answered) answered, \(delivered) delivered, \(home) home, \(dropped) dropped; "
            + "\(sentTouches) sent; \(arrivedTouches)"
    }
}
