// Audit+App.swift: the inputs and effects of an app: received frames, receipts, reports, latencies.
//
// Input     Audit, for each step of an app
// Output    violations; the counts of frames and touches in the report
// Knows     frames. No view.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3: I1, I2, I4, I5, I8

import Basics
import HID
import Hosting
import Links
import Wire

extension Audit {
    mutating func handleAppStep(_ step: Step) {
        let appIndex = appIndex(of: AppID(step.process.peer.instance))
        var heard: Frame?
        switch step.input {
        case .frame(let frame, from: .systemServer):
            if let fault = apps[appIndex].ends.client.checkReceived(frame) {
                note(fault, receiving: frame, from: .systemServer, step)
            }
            switch apps[appIndex].ends.client.verdict {
            case .fresh, .gap:
                if apps[appIndex].ends.client.verdict == .gap {
                    expectLost(
                        apps[appIndex].ends.client.missing, before: frame, among: \.apps[appIndex].ends.lostToClient,
                        from: .systemServer, step)
                    cancelAll(of: appIndex, .gap)
                }
                handleArrival(frame, appIndex, step)
                if case .touches(let touches) = frame.message { expectHandled(touches, frame.sequence, appIndex) }
                heard = frame
            case .duplicate:
                report.links.duplicates += 1
                if frame.message.kind.asksForReceipt { handleArrival(frame, appIndex, step) }
            case .fenced: report.links.fenced += 1
            case .opened: judgeServerLossNotice(appIndex, step)
            case .clientHello, .oldHello, .forbidden: break
            }
        case .connected(.systemServer): judgeServerLossNotice(appIndex, step)
        case .peerLost(.systemServer): judgeServerLossNotice(appIndex, step)
        case .refused: report.links.refused += 1
        default: break
        }
        var refused: EndCause?
        var hasRefused = false
        for index in step.effects.indices {
            guard case .send(let frame, let receiver) = step.effects[index] else { continue }
            if receiver == .supervisor, case .report(let report) = frame.message { judge(report, appIndex, step) }
            guard receiver == .systemServer else { continue }
            if let fault = apps[appIndex].ends.client.checkSent(frame) {
                note(fault, sending: frame, to: .systemServer, step)
            }
            expectOwnGeneration(frame, step)
            guard case .handled(let receipt) = frame.message else { continue }
            handleReceipt(receipt, appIndex, step)
            switch receipt.reason {
            case .inboxFull where receipt.frame == heard?.sequence: refused = .inboxFull
            case .late where receipt.frame == heard?.sequence: refused = .late
            // The app had accepted frames before and did not process them in time.
            case .late: hasRefused = true
            default: break
            }
        }
        if case .peerLost(.systemServer) = step.input { apps[appIndex].ends.client.linkLost() }
        if hasRefused { cancelAll(of: appIndex, .late) }
        switch (heard?.message, refused) {
        case (.touches?, let refused?), (.severalTouches?, let refused?), (.input?, let refused?):
            cancelAll(of: appIndex, refused)
        case (.touches(let touches)?, nil): recordReceivedTouches(touches, appIndex)
        case (.input(let event)?, nil): _ = apps[appIndex].held.apply(event.input)
        default: return
        }
    }

    // MARK: Received frames

    private mutating func handleArrival(_ frame: Frame, _ appIndex: Int, _ step: Step) {
        guard frame.message.kind.asksForReceipt else { return }
        let entry = apps[appIndex].tally[frame.sequence]
        guard apps[appIndex].tally.arrived(frame.sequence) else { return }
        if apps[appIndex].tally.arrivedAfterLoss(frame.sequence) { report.frames.uncountLoss() }
        guard let entry else { return }
        if entry.ended > 0 { judgePromptness(frame, entry, step) }
        if options.measuresIsolation, let device = frame.ledger[.device] {
            measure(device.duration(to: step.at).nanoseconds, appIndex, at: step.at)
        }
    }

    /// Records the beginnings and ends that the app has to handle. It ignores touches that it cancelled or never saw
    /// begin.
    private mutating func expectHandled(_ touches: TouchFrame, _ sequence: SequenceNumber, _ appIndex: Int) {
        var (began, ended) = (UInt8(0), UInt8(0))
        for contact in touches.contacts {
            switch contact.phase {
            case .began: began &+= 1
            case .moved, .stationary: continue
            case .ended, .cancelled: if apps[appIndex].touches.live.contains(contact.touch) { ended &+= 1 }
            }
        }
        apps[appIndex].tally.setHandled(sequence, began: began, ended: ended)
    }

    /// Judges the delay of a touch's end. A frame that waited for the app's own receipts is measured from the moment it
    /// was sent.
    private mutating func judgePromptness(_ frame: Frame, _ entry: FrameTally.Entry, _ step: Step) {
        let cause = entry.hasWaited ? entry.at : frame.ledger[.inputSent] ?? entry.at
        let late = cause.duration(to: step.at)
        let limit = options.terminalBound
        guard isLate(late, limit, since: cause, until: step.at, [step.process.peer, .systemServer, .inputKit])
        else { return }
        note(
            .promptness,
            "\(step.process) received a touch's end \(late.milliseconds) after its cause, limit "
                + "\(limit.milliseconds)", step)
    }

    private mutating func recordReceivedTouches(_ touches: TouchFrame, _ appIndex: Int) {
        for contact in touches.contacts {
            switch contact.phase {
            case .began:
                guard !apps[appIndex].touches.live.contains(contact.touch) else { continue }
                report.touches += 1
                apps[appIndex].touches.live.append(contact.touch)
            case .moved, .stationary: continue
            case .ended, .cancelled:
                guard let index = apps[appIndex].touches.live.firstIndex(of: contact.touch) else { continue }
                apps[appIndex].touches.live.remove(at: index)
                end(
                    [contact.touch], of: appIndex,
                    contact.phase == .ended ? .lifted : cause(of: contact.touch, appIndex))
            }
        }
    }

    private mutating func cause(of touch: TouchID, _ appIndex: Int) -> EndCause {
        guard let index = apps[appIndex].touches.causes.firstIndex(where: { $0.touch == touch }) else {
            return .deviceCancelled
        }
        return apps[appIndex].touches.causes.remove(at: index).cause
    }

    /// Ends all touches and inputs that the app holds, because the app cancels them.
    private mutating func cancelAll(of appIndex: Int, _ cause: EndCause) {
        if !apps[appIndex].held.inputs.isEmpty { apps[appIndex].held = HeldInputs() }
        guard !apps[appIndex].touches.live.isEmpty else { return }
        end(apps[appIndex].touches.live, of: appIndex, cause)
        apps[appIndex].touches.live.removeAll(keepingCapacity: true)
    }

    private mutating func judgeServerLossNotice(_ appIndex: Int, _ step: Step) {
        cancelAll(of: appIndex, server?.hasLeaseExpired == true ? .lease : .serverLost)
        guard let since = apps[appIndex].unnoticedServerLoss else { return }
        apps[appIndex].unnoticedServerLoss = nil
        judgeLoss("\(step.process) noticed the server's end", since: since, step.process.peer, step)
    }

    // MARK: Receipts and reports

    private mutating func handleReceipt(_ receipt: Receipt, _ appIndex: Int, _ step: Step) {
        guard let entry = apps[appIndex].tally.close(receipt.frame) else { return }
        if entry.state == .lost { report.frames.uncountLoss() }
        report.frames.count(receipt, isTouches: entry.isTouches)
        if receipt.reason == .lostOnLink, entry.state == .held {
            note(.conservation, "\(step.process) reports frame #\(receipt.frame) as lost, and has received it", step)
        }
        guard receipt.outcome == .delivered, entry.isTouches else { return }
        let (began, ended) = (receipt.began, receipt.ended &+ receipt.cancelled)
        guard began != UInt16(entry.began) || ended != UInt16(entry.ended) else { return }
        // The app's windows may not fill a scene that changed. Touches beside them are ignored.
        if apps[appIndex].scene.sent != nil, began <= entry.began, ended <= entry.ended { return }
        note(
            .oneTerminal,
            "\(step.process) received \(entry.began) beginnings and \(entry.ended) ends in frame #\(receipt.frame), and "
                + "handled \(receipt.began) and \(receipt.ended &+ receipt.cancelled)", step)
    }

    /// Compares an app's report about its touches and inputs with what it received. An app that lost its server or a
    /// frame holds none.
    private mutating func judge(_ report: Report, _ appIndex: Int, _ step: Step) {
        func expect(_ key: String, _ told: Int, _ what: String) {
            guard case .number(let said)? = report[key], said != Int64(told) else { return }
            note(
                .oneTerminal,
                "\(step.process) reports \(said) \(what) down (\(key)), expected \(told)", step)
        }
        expect("contacts.down", apps[appIndex].touches.live.count, "contacts")
        expect("inputs.held", apps[appIndex].held.inputs.count, "keys and pointers")
        guard case .flag(true)? = report["quiet"], apps[appIndex].touches.live.isEmpty else { return }
        expect("touches.live", 0, "touches")
    }

    // MARK: Latency

    private mutating func measure(_ nanoseconds: Int64, _ appIndex: Int, at moment: Instant) {
        let peer = Peer.app(apps[appIndex].app)
        var isDisturbed = false
        for disturbance in options.disturbances where disturbance.from <= moment && moment <= disturbance.until {
            // A disturbance of the app itself, of another role or of every process says nothing about isolation.
            guard let target = disturbance.peer, target != peer, target.role == .app else { return }
            isDisturbed = true
        }
        if isDisturbed {
            apps[appIndex].latencies.disturbed.add(nanoseconds)
        } else {
            apps[appIndex].latencies.calm.add(nanoseconds)
        }
    }

    /// The fewest latencies from which a 99th percentile is taken.
    private static var fewestLatencies: UInt64 { 1000 }

    /// Whether an app has enough latencies of both kinds to compare them.
    static func isIsolationMeasured(_ app: AppLink) -> Bool {
        app.latencies.calm.count >= fewestLatencies && app.latencies.disturbed.count >= fewestLatencies
    }

    mutating func finishLatencies(at end: Instant) {
        guard options.measuresIsolation else { return }
        for app in apps where Self.isIsolationMeasured(app) {
            guard let baseline = app.latencies.calm.p99, let found = app.latencies.disturbed.p99 else { continue }
            let limit = max(baseline + baseline / 2, baseline + 2_000_000)
            guard found > limit else { continue }
            note(
                Violation(
                    .isolation,
                    "undisturbed app\(app.app): p99 \(millisecondsText(found)) while others were "
                        + "disturbed, limit \(millisecondsText(limit)), baseline \(millisecondsText(baseline))",
                    at: end))
        }
    }

    // MARK: The end of the run

    mutating func noteUnanswered(
        frame sequence: SequenceNumber, _ entry: FrameTally.Entry, of life: ProcessInstance, to peer: Peer,
        at moment: Instant
    ) {
        note(.conservation) {
            Violation(
                .conservation,
                entry.state != .inTransit
                    ? "frame #\(sequence) for \(peer) arrived and was never answered"
                    : "frame #\(sequence) for \(peer) never arrived, and no loss is recorded",
                at: moment,
                evidence: [
                    Violation.Evidence(
                        process: life, step: UInt64(entry.step), at: entry.at,
                        text: "sent frame #\(sequence) to \(peer)")
                ])
        }
    }

    mutating func finishFrames(at end: Instant) {
        for appIndex in apps.indices {
            let app = apps[appIndex]
            let isLinked = server?.isAlive == true && app.presence?.isAlive == true && app.isLinkedToServer
            for (sequence, entry) in app.tally.openEntries {
                if !isLinked {
                    report.frames.count(.cancelled)
                } else if entry.state == .inTransit, app.tally.isOvertaken(sequence) {
                    report.frames.count(.lostOnLink)
                } else {
                    report.frames.inFlight += 1
                    guard options.isAtRest, let server else { continue }
                    noteUnanswered(frame: sequence, entry, of: server.process, to: .app(app.app), at: end)
                }
            }
        }
        guard !report.frames.isExact else { return }
        note(Violation(.conservation, "frames: \(report.frames.sum)", at: end))
    }

    mutating func finishTouches(at end: Instant) {
        for app in apps { report.liveTouches += UInt64(app.touches.live.count) }
        guard options.isAtRest, server?.isAlive == true else { return }
        let down = input.presence?.isAlive == true ? input.ends.client.fingersDown : 0
        for app in apps where !app.touches.live.isEmpty && app.presence?.isAlive == true {
            guard !app.isLinkedToServer || app.touches.live.count > down || app.touches.live != app.touches.sent else {
                continue
            }
            let names = app.touches.live.map(\.description).joined(separator: ", ")
            note(
                Violation(
                    .oneTerminal,
                    "app\(app.app) never received the end of \(names); \(down) contacts are down", at: end))
        }
        for app in apps where !app.held.inputs.isEmpty && app.presence?.isAlive == true && app.isLinkedToServer {
            guard input.presence?.isAlive != true || !app.held.isSubset(of: input.ends.client.inputsHeld) else {
                continue
            }
            let names = app.held.inputs.map { "\($0.stretch)" }.joined(separator: ", ")
            note(Violation(.oneTerminal, "app\(app.app) never received the end of \(names)", at: end))
        }
    }
}

extension HeldInputs {
    /// Whether the other inputs contain each of these.
    fileprivate func isSubset(of others: HeldInputs<DigitizerSpace>) -> Bool {
        inputs.allSatisfy { others.holds($0.stretch) }
    }
}
