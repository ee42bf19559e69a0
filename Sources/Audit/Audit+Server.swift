// Audit+Server.swift: the inputs and effects of the server: scans, touches, receipts and the causes of ends.
//
// Input     Audit, for each step of the server
// Output    PanelState, Front, DueFrames; violations
// Knows     frames. No state of the server.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3: I1, I2, I4, I6, I7, I8

import Basics
import HID
import Hosting
import Links
import Wire

extension Audit {
    mutating func handleServerStep(_ step: Step) {
        let isAligned = options.group.display > 0
        if isAligned { display.step = DisplayClock.ServerStep(at: step.at, effects: step.effects) }
        defer { if isAligned { display.step = nil } }
        // A frame of an older epoch or generation, or one received before, must have no effect on a data link.
        var isVoid = false
        var isScan = false
        switch step.input {
        case .frame(let frame, let sender):
            switch sender.role {
            case .inputKit:
                if let fault = input.ends.server.checkReceived(frame) {
                    note(fault, receiving: frame, from: sender, step)
                }
                isVoid = countIfVoid(input.ends.server.verdict)
                if input.ends.server.verdict == .gap {
                    expectLost(
                        input.ends.server.missing, before: frame, among: \.input.ends.lostToServer, from: sender, step)
                }
                isScan = frame.message.kind.asksForReceipt
                if isScan { scanArrived(frame, input.ends.server.verdict) }
                handleInputKitFrame(frame, step)
            case .app:
                let appIndex = appIndex(of: AppID(sender.instance))
                if !hasCredit(appIndex) { apps[appIndex].answering.lastFull = step.at }
                if let fault = apps[appIndex].ends.server.checkReceived(frame) {
                    note(fault, receiving: frame, from: sender, step)
                }
                isVoid = countIfVoid(apps[appIndex].ends.server.verdict)
                if apps[appIndex].ends.server.verdict == .gap {
                    expectLost(
                        apps[appIndex].ends.server.missing, before: frame, among: \.apps[appIndex].ends.lostToServer,
                        from: sender,
                        step)
                }
                handleAppFrame(frame, appIndex, step)
            case .supervisor: handleSupervisorMessage(frame.message, step)
            case .systemServer, .controller: break
            }
        case .peerLost(.inputKit): inputKitLost(step)
        case .peerLost(let peer) where peer.role == .app: appLost(peer, step)
        case .refused:
            report.links.refused += 1
            applyHangUps(step)
        case .started: display = DisplayClock(start: step.at, step: display.step)
        case .timerFired(.systemGestures):
            releaseAtDisplayFrame(step)
            ageSwipes(step)
        case .timerFired:
            judgeResponsiveness(step)
            releaseAtDisplayFrame(step)
        default: break
        }
        if !monitors.pendingClaims.isEmpty { settleClaims(step) }
        // The next URL is sent in the same step, so requests are judged first.
        judgeOpens(step)
        var isEnding = false
        for index in step.effects.indices {
            switch step.effects[index] {
            case .exit: isEnding = true
            case .hangUp(let peer): hungUp(on: peer, step)
            // One pattern for all receivers, because each one that binds the frame copies it.
            case .send(let frame, let receiver):
                switch receiver.role {
                case .inputKit, .app:
                    if isVoid { expectSilence(frame, receiver, step) }
                    if receiver.role == .app {
                        handleFrameToApp(frame, receiver, step)
                    } else {
                        handleFrameToInputKit(frame, step)
                    }
                    expectOwnGeneration(frame, step)
                case .supervisor: if case .monitorPage(let page) = frame.message { judgePage(page, step) }
                case .systemServer, .controller: continue
                }
            default: continue
            }
        }
        // A server that exits in this step owes nothing more.
        if isEnding { (monitors.due, shots.due) = ([], []) } else { judgeServer(step, isScan: isScan) }
    }

    // MARK: Consequences for fingers

    private mutating func handleInputKitFrame(_ frame: Frame, _ step: Step) {
        switch input.ends.server.verdict {
        case .fresh: break
        case .gap:
            applyHangUps(step)
            guard input.ends.server.missing <= LinkNumbers.gapLimit else { return }
            // The gap may contain a key event.
            shots = ScreenshotLedger()
        case .clientHello:
            applyHangUps(step)
            guard isAnswered(.inputKit, after: input.ends.server.sent, step) else { return }
            judgeInputKitLossNotice(step)
            clearGlass(.inputKitLost, step)
            return
        case .duplicate, .fenced, .opened, .oldHello, .forbidden: return
        }
        if case .device(let event) = frame.message { handleKeyEvent(event, step) }
        guard let stream = input.acceptedStream else { return }
        switch frame.message {
        case .digitizer(let event): route(event.value, frame.sequence, frame.ledger, of: stream, step)
        case .scans(let events): route(events, frame.sequence, frame.ledger, of: stream, step)
        default: return
        }
    }

    private mutating func handleAppFrame(_ frame: Frame, _ appIndex: Int, _ step: Step) {
        switch apps[appIndex].ends.server.verdict {
        case .fresh: break
        case .gap:
            applyHangUps(step)
            guard apps[appIndex].ends.server.missing <= LinkNumbers.gapLimit else { return }
        case .clientHello:
            applyHangUps(step)
            guard isAnswered(.app(apps[appIndex].app), after: apps[appIndex].ends.server.sent, step) else { return }
            judgeAppLossNotice(appIndex, step)
            if apps[appIndex].isLinkedToServer { removeApp(appIndex) }
            let isSameLife = apps[appIndex].acceptedGeneration == frame.generation
            apps[appIndex].acceptedGeneration = frame.generation
            if !isSameLife { (apps[appIndex].scene.sent, apps[appIndex].scene.hasSecrets) = (nil, false) }
            let app = apps[appIndex].app
            return revoke(front.handleHello(of: app, isSameProcess: isSameLife, linkedApps: linkedApps + [app]))
        case .duplicate, .fenced, .opened, .oldHello, .forbidden: return
        }
        handleAppMessage(frame.message, ack: frame.ack, of: appIndex, at: step.at)
        switch frame.message {
        case .open(let request):
            handleOpenRequest(request, from: .app(apps[appIndex].app), generation: frame.generation, step)
        case .opened(let answer): handleOpened(answer, of: appIndex)
        default: return
        }
    }

    private mutating func handleSupervisorMessage(_ message: Message, _ step: Step) {
        if case .monitor(let request) = message { return handleMonitorRequest(request, step) }
        if case .open(let request) = message {
            handleOpenRequest(request, from: Peer(.controller, request.asker), generation: nil, step)
        }
        guard case .act(let act) = message else { return }
        revoke(front.apply(act, linkedApps: linkedApps))
        forgetSwipes()
    }

    /// Applies the links that the server closes in this step first. Its effects list them after their consequences.
    private mutating func applyHangUps(_ step: Step) {
        for effect in step.effects {
            guard case .hangUp(let peer) = effect else { continue }
            switch peer.role {
            case .inputKit:
                clearGlass(.tooManyStrikes, step)
            case .app: removeApp(appIndex(of: AppID(peer.instance)))
            case .supervisor, .systemServer, .controller: continue
            }
        }
    }

    /// Whether a hello is answered in this step by a hello that opens the link, rather than by an earlier one.
    private func isAnswered(_ peer: Peer, after sent: SequenceNumber, _ step: Step) -> Bool {
        step.effects.contains { effect in
            guard case .send(let frame, to: peer) = effect, case .hello = frame.message else { return false }
            return frame.sequence > sent
        }
    }

    private mutating func appLost(_ peer: Peer, _ step: Step) {
        let appIndex = appIndex(of: AppID(peer.instance))
        judgeAppLossNotice(appIndex, step)
        apps[appIndex].ends.server.linkLost()
        removeApp(appIndex)
        removeServerLink(of: appIndex)
    }

    private mutating func hungUp(on peer: Peer, _ step: Step) {
        switch peer.role {
        case .inputKit: inputKitLost(step)
        case .app: appLost(peer, step)
        case .supervisor, .systemServer, .controller: return
        }
    }

    /// - Returns: Whether a frame with this verdict must have no effect.
    private mutating func countIfVoid(_ verdict: StreamVerifier.Verdict) -> Bool {
        switch verdict {
        case .fenced:
            report.links.fenced += 1
            return true
        case .duplicate:
            report.links.duplicates += 1
            return true
        case .fresh, .gap, .clientHello, .opened, .oldHello, .forbidden: return false
        }
    }

    private mutating func expectSilence(_ frame: Frame, _ receiver: Peer, _ step: Step) {
        note(
            .fencing,
            "\(step.input.summary) is outdated or known already, and \(receiver) received "
                + "\(frame.message.kind) #\(frame.sequence) for it", step)
    }

    // MARK: Input-kit's link

    private mutating func scanArrived(_ frame: Frame, _ verdict: StreamVerifier.Verdict) {
        switch verdict {
        case .fresh, .gap, .duplicate:
            guard let streamIndex = input.acceptedStream else { return }
            if input.streams[streamIndex].tally.arrived(frame.sequence) { recount(streamIndex, frame.sequence) }
        case .fenced:
            // The frame belongs to a process that ended, or whose hello the server has not received, or whose link it
            // lost.
            guard
                let streamIndex = input.streams.lastIndex(where: { $0.process.generation == frame.generation }),
                let known = input.streams[streamIndex].tally.close(frame.sequence)
            else { return }
            if known.state == .lost { report.scans.uncountLoss() }
            report.scans.count(.rejected)
        case .clientHello, .opened, .oldHello, .forbidden: return
        }
    }

    private mutating func recount(_ streamIndex: Int, _ sequence: SequenceNumber) {
        guard input.streams[streamIndex].tally.arrivedAfterLoss(sequence) else { return }
        report.scans.uncountLoss()
    }

    private mutating func inputKitLost(_ step: Step) {
        input.ends.server.linkLost()
        clearGlass(.inputKitLost, step)
        if let streamIndex = input.acceptedStream { cancelHeldScans(of: streamIndex) }
        input.acceptedStream = nil
        judgeInputKitLossNotice(step)
    }

    /// Closes the scans that have arrived. Those in transit may still be refused.
    private mutating func cancelHeldScans(of streamIndex: Int) {
        for (sequence, entry) in input.streams[streamIndex].tally.openEntries where entry.state != .inTransit {
            _ = input.streams[streamIndex].tally.close(sequence)
            report.scans.count(entry.state == .late ? .rejected : .cancelled)
        }
    }

    private mutating func judgeInputKitLossNotice(_ step: Step) {
        guard let since = unnoticedInputKitLoss else { return }
        unnoticedInputKitLoss = nil
        guard liveTouchCount > 0 else { return }
        judgeLoss("the server noticed input-kit's end", since: since, .inputKit, step)
    }

    private mutating func judgeAppLossNotice(_ appIndex: Int, _ step: Step) {
        guard let since = apps[appIndex].unnoticedAppLoss else { return }
        apps[appIndex].unnoticedAppLoss = nil
        let peer = Peer.app(apps[appIndex].app)
        judgeLoss("the server noticed \(peer)'s end", since: since, peer, step)
    }

    private mutating func handleFrameToInputKit(_ frame: Frame, _ step: Step) {
        if let fault = input.ends.server.checkSent(frame) { note(fault, sending: frame, to: .inputKit, step) }
        if frame.message.kind == .hello { handleHelloAnswer(step) }
        guard case .handled(let receipt) = frame.message, let streamIndex = input.acceptedStream else { return }
        let entry = input.streams[streamIndex].tally[receipt.frame]
        // A recipient that dropped the scan as stale sends no receipt. The scan has this reason only if no recipient
        // received it.
        if let entry, entry.outstandingRecipients > 0 { allowStale(receipt.frame, step) }
        guard let closed = input.streams[streamIndex].tally.close(receipt.frame) else { return }
        compare(receipt, closed, step)
        if closed.state == .lost { report.scans.uncountLoss() }
        report.scans.count(receipt, isTouches: closed.isTouches)
        if receipt.outcome == .home { report.home += 1 }
        if let stamp = entry?.stamp, let answered = frame.ledger[.device], stamp != answered {
            note(
                .conservation,
                "the receipt for scan #\(receipt.frame) has the ledger of another scan: device at \(answered), "
                    + "the scan's at \(stamp)", step)
        }
    }

    /// Handles that the server answers a hello of input-kit, and so ends the former state of the link.
    private mutating func handleHelloAnswer(_ step: Step) {
        guard case .frame(let hello, from: .inputKit) = step.input, input.ends.server.hasWelcomed else { return }
        judgeInputKitLossNotice(step)
        guard let streamIndex = input.streams.lastIndex(where: { $0.process.generation == hello.generation }) else {
            input.acceptedStream = nil
            return
        }
        for older in 0..<streamIndex { cancelScans(of: older) }
        cancelScans(of: streamIndex, before: hello.sequence)
        input.streams.removeFirst(streamIndex)
        input.acceptedStream = 0
    }

    // MARK: Apps' links

    private mutating func handleFrameToApp(_ frame: Frame, _ receiver: Peer, _ step: Step) {
        let appIndex = appIndex(of: AppID(receiver.instance))
        if let fault = apps[appIndex].ends.server.checkSent(frame) { note(fault, sending: frame, to: receiver, step) }
        if frame.message.kind == .hello, apps[appIndex].ends.server.hasWelcomed {
            removeServerLink(of: appIndex)
            apps[appIndex].isLinkedToServer = true
        }
        var entry = FrameTally.Entry(
            step: UInt32(truncatingIfNeeded: step.index), at: step.at, stamp: frame.ledger[.device])
        entry.hasWaited = frame.ledger[.inputSent].map { $0 < apps[appIndex].answering.lastFull } ?? false
        switch frame.message {
        case .touches(let touches):
            (entry.state, entry.isTouches) = (.inTransit, true)
            recordSentTouches(touches, appIndex, &entry)
            compare(touches, frame, appIndex, step)
            report.frames.injected += 1
        case .severalTouches(let several):
            (entry.state, entry.isTouches, entry.isMove) = (.inTransit, true, true)
            for (index, touches) in several.enumerated() {
                compare(touches, frame, isFirst: index == 0, appIndex, step)
            }
            report.frames.injected += 1
        case .scene(let scene): recordScene(scene, appIndex, step)
        case .open(let request): handleSentURL(request, appIndex, step)
        case .screenshot: judgeScreenshotMessage(appIndex, step)
        case .input:
            entry.state = .inTransit
            apps[appIndex].questions.append(frame.sequence, scan: .zero)
            report.frames.injected += 1
        default: break
        }
        if frame.message.kind.asksForReceipt {
            apps[appIndex].answering.unansweredSince = apps[appIndex].answering.unansweredSince ?? step.at
            judgeQueue(appIndex, step)
            judgeReserve(frame.message, appIndex)
        }
        apps[appIndex].tally.append(frame.sequence, entry)
        while let (sequence, entry) = apps[appIndex].tally.removeOverdue() {
            if entry.state == .late {
                report.frames.count(.rejected)
            } else {
                report.frames.inFlight += 1
                noteUnanswered(frame: sequence, entry, of: step.process, to: receiver, at: step.at)
            }
        }
    }

    /// Records the touches of a frame for an app, and the causes of their ends.
    private mutating func recordSentTouches(_ touches: TouchFrame, _ appIndex: Int, _ entry: inout FrameTally.Entry) {
        var began: UInt8 = 0
        var ended: UInt8 = 0
        for contact in touches.contacts {
            switch contact.phase {
            case .began:
                began &+= 1
                guard !apps[appIndex].touches.sent.contains(contact.touch) else { continue }
                apps[appIndex].touches.sent.append(contact.touch)
            case .moved, .stationary: continue
            case .ended, .cancelled:
                ended &+= 1
                guard let index = apps[appIndex].touches.sent.firstIndex(of: contact.touch) else { continue }
                apps[appIndex].touches.sent.remove(at: index)
                guard contact.phase == .cancelled, let cause = cause(of: contact.touch, appIndex),
                    cause != .deviceCancelled
                else { continue }
                if apps[appIndex].touches.causes.count >= 256 { apps[appIndex].touches.causes.removeFirst() }
                apps[appIndex].touches.causes.append((contact.touch, cause))
            }
        }
        (entry.began, entry.ended) = (began, ended)
        entry.isMove = began == 0 && ended == 0
    }

    // MARK: After each step

    private mutating func judgeServer(_ step: Step, isScan: Bool) {
        if isScan { judgeInFlight(step) }
        expectDueFrames(step)
        expectReserve(step)
        if !shots.due.isEmpty { expectScreenshotMessages(step) }
        if !monitors.due.isEmpty { expectDuePages(step) }
        if options.group.display > 0 { judgeFrames(step) }
    }

    private mutating func judgeInFlight(_ step: Step) {
        guard let streamIndex = input.acceptedStream else { return }
        let moves = input.streams[streamIndex].tally.heldMoves
        let limit = options.group.inFlightLimit
        guard moves > limit else { return }
        note(.bounds, "\(moves) scans of moves in flight, limit \(limit)", step)
    }
}

extension FrameTally {
    /// Whether this frame had been counted as lost before it arrived.
    func arrivedAfterLoss(_ sequence: SequenceNumber) -> Bool { self[sequence]?.arrivedAfterLoss ?? false }
}
