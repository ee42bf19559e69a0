// Audit+InputKit.swift: scans as they are sent, receipts as they come back.
//
// Sources   PIPELINE.md 3: I3, I4

import Basics
import HID
import Hosting
import Wire

extension Audit {
    mutating func takeInputKit(_ step: Step) {
        switch step.input {
        case .frame(let frame, from: .systemServer):
            if let fault = input.clientEnd.hears(frame) {
                note(fault, hearing: frame, from: .systemServer, step)
            }
            if input.clientEnd.verdict == .duplicate { report.duplicates += 1 }
            if input.clientEnd.verdict == .fenced { report.fenced += 1 }
        case .frame(let frame, from: .supervisor):
            if frame.message.kind == .shutdown { input.clientEnd.isClosing = true }
        case .stopRequested, .peerLost(.supervisor): input.clientEnd.isClosing = true
        case .refused: report.refused += 1
        default: break
        }
        for effect in step.effects {
            guard case .send(let frame, to: .systemServer) = effect else { continue }
            if let fault = input.clientEnd.sends(frame) { note(fault, sending: frame, to: .systemServer, step) }
            expectOwnGeneration(frame, step)
            sent(frame, step)
        }
        // What a core does before it looks at its input it still does as if the link were up.
        if case .peerLost(.systemServer) = step.input { input.clientEnd.linkLost() }
    }

    private mutating func sent(_ frame: Frame, _ step: Step) {
        var entry = Tally.Entry(step: UInt32(truncatingIfNeeded: step.index), at: step.at, stamp: frame.ledger[.device])
        switch frame.message {
        case .digitizer(let event):
            let began = event.fingers.count { $0.phase == .began }
            report.fingers += UInt64(began)
            (entry.state, entry.isTouches, entry.isMove) = (.underWay, true, !event.hasEdge)
            report.scans.injected += 1
        case .device(let event):
            (entry.state, entry.isMove) = (.underWay, event.input.phase == .changed)
            report.scans.injected += 1
        default: break
        }
        guard let place = input.streams.indices.last, input.streams[place].life == step.life else { return }
        input.streams[place].tally.append(frame.sequence, entry)
        while let (_, entry) = input.streams[place].tally.takeOverdue() { giveUp(entry) }
    }

    /// Thousands have come after it.
    private mutating func giveUp(_ entry: Tally.Entry) {
        if entry.state == .late { report.scans.count(.rejected) } else { report.scans.count(.lostOnLink) }
    }

    /// A life says whose it is in every frame.
    mutating func expectOwnGeneration(_ frame: Frame, _ step: Step) {
        guard frame.generation != step.life.generation else { return }
        note(.fencing, "\(step.life) sent a frame of generation \(frame.generation)", step)
    }

    // MARK: The end

    mutating func finishScans(at end: Instant) {
        let isLinked = server?.isAlive == true && input.presence?.isAlive == true
        for place in input.streams.indices {
            let isCurrent = isLinked && place == input.heardByServer && place == input.streams.count - 1
            for (sequence, entry) in input.streams[place].tally.openEntries {
                if !isCurrent {
                    report.scans.count(entry.state == .late ? .rejected : .cancelled)
                } else if entry.state == .underWay, input.streams[place].tally.isOvertaken(sequence) {
                    report.scans.count(.lostOnLink)
                } else {
                    report.scans.inFlight += 1
                    guard options.isAtRest else { continue }
                    let life = input.streams[place].life
                    note(
                        Violation(
                            .conservation,
                            entry.state != .underWay
                                ? "scan #\(sequence) of \(life) arrived at the server and was never answered"
                                : "scan #\(sequence) of \(life) never arrived, and nothing says where it was lost",
                            at: end,
                            evidence: [
                                Violation.Evidence(
                                    life: life, step: UInt64(entry.step), at: entry.at, text: "sent scan #\(sequence)")
                            ]))
                }
            }
        }
        guard !report.scans.isExact else { return }
        note(Violation(.conservation, "scans: \(report.scans.sum)", at: end))
    }
}

extension AuditReport.Balance {
    /// `12 injected = 10 delivered + … + 0 in flight`, as found.
    var sum: String {
        let parts = Fate.allCases.map { "\(self[$0]) \($0)" } + ["\(inFlight) in flight"]
        return "\(injected) injected, " + parts.joined(separator: " + ")
    }
}

extension HIDEvent {
    /// Whether a finger lands or leaves in this scan.
    var hasEdge: Bool { fingers.contains { !$0.mask.isDisjoint(with: [.touch, .cancel]) } }
}
