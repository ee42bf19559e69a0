// Audit+App.swift: touches as an app hears them, and what it says it did.
//
// Sources   PIPELINE.md 3: I1, I2, I4, I5, I8

import Basics
import HID
import Hosting
import Wire

extension Audit {
    mutating func takeApp(_ step: Step) {
        let place = place(of: step.life.peer.instance)
        var heard: Frame?
        switch step.input {
        case .frame(let frame, from: .systemServer):
            if let fault = apps[place].clientEnd.hears(frame) { note(fault, hearing: frame, from: .systemServer, step) }
            switch apps[place].clientEnd.verdict {
            case .fresh, .gap:
                if apps[place].clientEnd.verdict == .gap { letGo(place, .gap) }
                arrived(frame, place, step)
                heard = frame
            case .duplicate:
                report.duplicates += 1
                if frame.message.kind.asksForReceipt { arrived(frame, place, step) }
            case .fenced: report.fenced += 1
            case .opened: letGo(place, .serverLost)
            case .greeting, .oldHello, .forbidden: break
            }
        case .connected(.systemServer): heardOfServerLoss(place, step)
        case .peerLost(.systemServer): heardOfServerLoss(place, step)
        case .refused: report.refused += 1
        default: break
        }
        var isRefused = false
        for effect in step.effects {
            guard case .send(let frame, to: .systemServer) = effect else { continue }
            if let fault = apps[place].clientEnd.sends(frame) {
                note(fault, sending: frame, to: .systemServer, step)
            }
            expectOwnGeneration(frame, step)
            guard case .handled(let receipt) = frame.message else { continue }
            answered(receipt, place, step)
            if receipt.outcome == .dropped, receipt.frame == heard?.sequence { isRefused = true }
        }
        if case .peerLost(.systemServer) = step.input { apps[place].clientEnd.linkLost() }
        guard case .touches(let touches)? = heard?.message else { return }
        if isRefused { letGo(place, .inboxFull) } else { follow(touches, place) }
    }

    // MARK: What it hears

    private mutating func arrived(_ frame: Frame, _ place: Int, _ step: Step) {
        guard frame.message.kind.asksForReceipt else { return }
        let entry = apps[place].tally[frame.sequence]
        guard apps[place].tally.arrived(frame.sequence) else { return }
        if apps[place].tally.wasLost(frame.sequence) { report.frames.uncountLoss() }
        guard let entry else { return }
        if entry.ended > 0 { judgePromptness(frame, sentAt: entry.at, step) }
        if options.measuresIsolation, let device = frame.ledger[.device] {
            measure(device.duration(to: step.at).nanoseconds, place, at: step.at)
        }
    }

    private mutating func judgePromptness(_ frame: Frame, sentAt sent: Instant, _ step: Step) {
        let cause = frame.ledger[.inputSent] ?? sent
        let late = cause.duration(to: step.at)
        guard late > options.terminalBound else { return }
        guard !isExcused(step.life.peer, .systemServer, from: cause, until: step.at),
            !isExcused(step.life.peer, .inputKit, from: cause, until: step.at)
        else { return }
        note(
            .promptness,
            "\(step.life) heard of a touch's end \(late.milliseconds) after its cause, limit "
                + "\(options.terminalBound.milliseconds)", step)
    }

    private mutating func follow(_ touches: TouchFrame, _ place: Int) {
        for contact in touches.contacts {
            switch contact.phase {
            case .began:
                guard !apps[place].live.contains(contact.touch) else { continue }
                report.touches += 1
                apps[place].live.append(contact.touch)
            case .moved, .stationary: continue
            case .ended, .cancelled:
                guard let index = apps[place].live.firstIndex(of: contact.touch) else { continue }
                apps[place].live.remove(at: index)
                end([contact.touch], of: place, contact.phase == .ended ? .lifted : cause(of: contact.touch, place))
            }
        }
    }

    private mutating func cause(of touch: TouchID, _ place: Int) -> EndCause {
        guard let index = apps[place].causes.firstIndex(where: { $0.touch == touch }) else { return .deviceCancelled }
        return apps[place].causes.remove(at: index).cause
    }

    /// The app cancels what it holds.
    private mutating func letGo(_ place: Int, _ cause: EndCause) {
        guard !apps[place].live.isEmpty else { return }
        end(apps[place].live, of: place, cause)
        apps[place].live.removeAll(keepingCapacity: true)
    }

    private mutating func heardOfServerLoss(_ place: Int, _ step: Step) {
        let count = apps[place].live.count
        letGo(place, .serverLost)
        guard count > 0, let server, !server.isAlive else { return }
        let late = server.endedAt.duration(to: step.at)
        guard late > options.lossBound else { return }
        guard !isExcused(step.life.peer, .systemServer, from: server.endedAt, until: step.at) else { return }
        note(
            .promptness,
            "\(step.life) heard of the server's end after \(late.milliseconds), with \(count) touches alive; limit "
                + "\(options.lossBound.milliseconds)", step)
    }

    // MARK: What it says

    private mutating func answered(_ receipt: Receipt, _ place: Int, _ step: Step) {
        guard let entry = apps[place].tally.close(receipt.frame) else { return }
        if entry.state == .lost { report.frames.uncountLoss() }
        report.frames.count(receipt, isTouches: entry.isTouches)
        guard receipt.outcome == .delivered, entry.isTouches, !apps[place].clientEnd.hadGap else { return }
        guard receipt.began != UInt16(entry.began) || receipt.ended &+ receipt.cancelled != UInt16(entry.ended) else {
            return
        }
        note(
            .oneTerminal,
            "\(step.life) was told of \(entry.began) beginnings and \(entry.ended) ends in frame #\(receipt.frame), and "
                + "handled \(receipt.began) and \(receipt.ended &+ receipt.cancelled)", step)
    }

    // MARK: Latency

    private mutating func measure(_ nanoseconds: Int64, _ place: Int, at moment: Instant) {
        let peer = Peer.app(apps[place].instance)
        var isDisturbed = false
        for disturbance in options.disturbances where disturbance.from <= moment && moment <= disturbance.until {
            // What is done to itself, or to those it hears by, is no measure of isolation.
            guard let target = disturbance.peer, target != peer, target.role == .app else { return }
            isDisturbed = true
        }
        if isDisturbed { apps[place].disturbed.add(nanoseconds) } else { apps[place].calm.add(nanoseconds) }
    }

    /// Fewer have no ninety-ninth of a hundred worth the name.
    private static var fewest: UInt64 { 1000 }

    mutating func finishLatencies(at end: Instant) {
        guard options.measuresIsolation else { return }
        for app in apps where app.calm.count >= Self.fewest && app.disturbed.count >= Self.fewest {
            guard let baseline = app.calm.p99, let found = app.disturbed.p99 else { continue }
            let limit = max(baseline + baseline / 2, baseline + 2_000_000)
            guard found > limit else { continue }
            note(
                Violation(
                    .isolation,
                    "app\(app.instance), which nothing was done to: p99 \(millisecondsText(found)) while others were "
                        + "disturbed, limit \(millisecondsText(limit)), baseline \(millisecondsText(baseline))",
                    at: end))
        }
    }

    // MARK: The end

    mutating func finishFrames(at end: Instant) {
        for place in apps.indices {
            let app = apps[place]
            let isLinked = server?.isAlive == true && app.presence?.isAlive == true && app.isHeldByServer
            for (sequence, entry) in app.tally.openEntries {
                if !isLinked {
                    report.frames.count(.cancelled)
                } else if entry.state == .underWay, app.tally.isOvertaken(sequence) {
                    report.frames.count(.lostOnLink)
                } else {
                    report.frames.inFlight += 1
                    guard options.isAtRest, let server else { continue }
                    note(
                        Violation(
                            .conservation,
                            entry.state != .underWay
                                ? "frame #\(sequence) for app\(app.instance) arrived and was never answered"
                                : "frame #\(sequence) for app\(app.instance) never arrived, and nothing says where it "
                                    + "was lost",
                            at: end,
                            evidence: [
                                Violation.Evidence(
                                    life: server.life, step: UInt64(entry.step), at: entry.at,
                                    text: "sent frame #\(sequence) to app\(app.instance)")
                            ]))
                }
            }
        }
        guard !report.frames.isExact else { return }
        note(Violation(.conservation, "frames: \(report.frames.sum)", at: end))
    }

    mutating func finishTouches(at end: Instant) {
        for app in apps { report.liveTouches += UInt64(app.live.count) }
        guard options.isAtRest, server?.isAlive == true else { return }
        let down = input.presence?.isAlive == true ? input.clientEnd.fingersDown : 0
        for app in apps where !app.live.isEmpty && app.presence?.isAlive == true {
            guard !app.isHeldByServer || app.live.count > down || app.live != app.toldLive else { continue }
            let names = app.live.map(\.description).joined(separator: ", ")
            note(
                Violation(
                    .oneTerminal,
                    "app\(app.instance) was never told of the end of \(names); \(down) fingers are down", at: end))
        }
    }
}
