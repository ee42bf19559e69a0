// Audit+Server.swift: the inputs and effects of the server: scans, touches, receipts and the causes of ends.
//
// Input     Audit, for each step of the server
// Output    Glass, Front, Dues; violations
// Knows     frames. No state of the server.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3: I1, I2, I4, I6, I7, I8

import Basics
import HID
import Hosting
import Links
import Wire

extension Audit {
    mutating func takeServer(_ step: Step) {
        if options.group.display > 0 { display.step = step }
        defer { display.step = nil }
        // A frame of an older epoch or generation, or one received before, must have no effect on a data link.
        var isVoid = false
        switch step.input {
        case .frame(let frame, let sender):
            switch sender.role {
            case .inputKit:
                if let fault = input.ends.server.hears(frame) { note(fault, hearing: frame, from: sender, step) }
                isVoid = takes(input.ends.server.verdict)
                if input.ends.server.verdict == .gap {
                    expectLost(
                        input.ends.server.missing, before: frame, among: \.input.ends.lostToServer, from: sender, step)
                }
                scanArrived(frame, input.ends.server.verdict)
                heardInputKit(frame, step)
            case .app:
                let place = place(of: AppID(sender.instance))
                if !hasRoom(place) { apps[place].answering.lastFull = step.at }
                if let fault = apps[place].ends.server.hears(frame) { note(fault, hearing: frame, from: sender, step) }
                isVoid = takes(apps[place].ends.server.verdict)
                if apps[place].ends.server.verdict == .gap {
                    expectLost(
                        apps[place].ends.server.missing, before: frame, among: \.apps[place].ends.lostToServer,
                        from: sender,
                        step)
                }
                heardApp(frame, place, step)
            case .supervisor: heardSupervisor(frame.message, step)
            case .systemServer, .controller: break
            }
        case .peerLost(.inputKit): inputKitLost(step)
        case .peerLost(let peer) where peer.role == .app: appLost(peer, step)
        case .refused:
            report.links.refused += 1
            foresee(step)
        case .started: display = DisplayClock(start: step.at, step: display.step)
        case .timerFired(.systemGestures):
            frameCame(step)
            swipesAge(step)
        case .timerFired:
            judgePatience(step)
            frameCame(step)
        default: break
        }
        if !spies.wishes.isEmpty { settleSpies(step) }
        // The next URL is sent in the same step, so requests are judged first.
        judgeOpens(step)
        var isEnding = false
        for index in step.effects.indices {
            switch step.effects[index] {
            case .exit: isEnding = true
            case .hangUp(let peer): hungUp(on: peer, step)
            case .send(let frame, let receiver) where receiver.role == .inputKit || receiver.role == .app:
                if isVoid { expectSilence(frame, receiver, step) }
                if receiver.role == .app { tellsApp(frame, receiver, step) } else { tellsInputKit(frame, step) }
                expectOwnGeneration(frame, step)
            case .send(let frame, to: .supervisor):
                if case .spied(let page) = frame.message { told(page, step) }
            default: continue
            }
        }
        // A server that exits in this step owes nothing more.
        if isEnding { (spies.due, shots.due) = ([], []) } else { judgeServer(step) }
    }

    // MARK: Consequences for fingers

    private mutating func heardInputKit(_ frame: Frame, _ step: Step) {
        switch input.ends.server.verdict {
        case .fresh: break
        case .gap:
            foresee(step)
            guard input.ends.server.missing <= LinkNumbers.gapLimit else { return }
            // The gap may contain a key event.
            shots = ScreenshotLedger()
        case .greeting:
            foresee(step)
            guard isAnswered(.inputKit, after: input.ends.server.sent, step) else { return }
            heardOfInputLoss(step)
            clearGlass(.inputKitLost, step)
            return
        case .duplicate, .fenced, .opened, .oldHello, .forbidden: return
        }
        if case .device(let event) = frame.message { hears(event, step) }
        guard case .digitizer(let event) = frame.message, let stream = input.heardByServer else { return }
        route(event, frame.sequence, frame.ledger, of: stream, step)
    }

    private mutating func heardApp(_ frame: Frame, _ place: Int, _ step: Step) {
        switch apps[place].ends.server.verdict {
        case .fresh: break
        case .gap:
            foresee(step)
            guard apps[place].ends.server.missing <= LinkNumbers.gapLimit else { return }
        case .greeting:
            foresee(step)
            guard isAnswered(.app(apps[place].app), after: apps[place].ends.server.sent, step) else { return }
            heardOfAppLoss(place, step)
            if apps[place].isHeldByServer { bury(place) }
            let isSameLife = apps[place].generationHeard == frame.generation
            apps[place].generationHeard = frame.generation
            if !isSameLife { (apps[place].scene.told, apps[place].scene.hasSecrets) = (nil, false) }
            let app = apps[place].app
            return revoke(front.arrived(app, isSameLife: isSameLife, there: appsThere + [app]))
        case .duplicate, .fenced, .opened, .oldHello, .forbidden: return
        }
        hears(frame.message, ack: frame.ack, of: place, at: step.at)
        switch frame.message {
        case .open(let request): heardOpen(request, from: .app(apps[place].app), life: frame.generation, step)
        case .opened(let answer): heardOpened(answer, of: place)
        default: return
        }
    }

    private mutating func heardSupervisor(_ message: Message, _ step: Step) {
        if case .spy(let request) = message { return hears(request, step) }
        if case .open(let request) = message {
            heardOpen(request, from: Peer(.controller, request.asker), life: nil, step)
        }
        guard case .act(let act) = message else { return }
        revoke(front.take(act, there: appsThere))
        forgetSwipes()
    }

    /// Applies the links that the server closes in this step first. Its effects list them after their consequences.
    private mutating func foresee(_ step: Step) {
        for effect in step.effects {
            guard case .hangUp(let peer) = effect else { continue }
            switch peer.role {
            case .inputKit:
                clearGlass(.misconduct, step)
            case .app: bury(place(of: AppID(peer.instance)))
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
        let place = place(of: AppID(peer.instance))
        heardOfAppLoss(place, step)
        apps[place].ends.server.linkLost()
        bury(place)
        serverLetGo(of: place)
    }

    private mutating func hungUp(on peer: Peer, _ step: Step) {
        switch peer.role {
        case .inputKit: inputKitLost(step)
        case .app: appLost(peer, step)
        case .supervisor, .systemServer, .controller: return
        }
    }

    /// - Returns: Whether a frame with this verdict must have no effect.
    private mutating func takes(_ verdict: StreamVerifier.Verdict) -> Bool {
        switch verdict {
        case .fenced:
            report.links.fenced += 1
            return true
        case .duplicate:
            report.links.duplicates += 1
            return true
        case .fresh, .gap, .greeting, .opened, .oldHello, .forbidden: return false
        }
    }

    private mutating func expectSilence(_ frame: Frame, _ receiver: Peer, _ step: Step) {
        note(
            .fencing,
            "\(step.input.gist) is of another time or known already, and \(receiver) got "
                + "\(frame.message.kind) #\(frame.sequence) for it", step)
    }

    // MARK: Input-kit's link

    private mutating func scanArrived(_ frame: Frame, _ verdict: StreamVerifier.Verdict) {
        guard frame.message.kind.asksForReceipt else { return }
        switch verdict {
        case .fresh, .gap, .duplicate:
            guard let place = input.heardByServer else { return }
            if input.streams[place].tally.arrived(frame.sequence) { recount(place, frame.sequence) }
        case .fenced:
            // The frame belongs to a process that ended, or whose hello the server has not received, or whose link it
            // lost.
            guard
                let place = input.streams.lastIndex(where: { $0.life.generation == frame.generation }),
                let known = input.streams[place].tally.close(frame.sequence)
            else { return }
            if known.state == .lost { report.scans.uncountLoss() }
            report.scans.count(.rejected)
        case .greeting, .opened, .oldHello, .forbidden: return
        }
    }

    private mutating func recount(_ place: Int, _ sequence: SequenceNumber) {
        guard input.streams[place].tally.wasLost(sequence) else { return }
        report.scans.uncountLoss()
    }

    private mutating func inputKitLost(_ step: Step) {
        input.ends.server.linkLost()
        clearGlass(.inputKitLost, step)
        if let place = input.heardByServer { cancelHeldScans(of: place) }
        input.heardByServer = nil
        heardOfInputLoss(step)
    }

    /// Closes the scans that have arrived. Those in transit may still be refused.
    private mutating func cancelHeldScans(of place: Int) {
        for (sequence, entry) in input.streams[place].tally.openEntries where entry.state != .underWay {
            _ = input.streams[place].tally.close(sequence)
            report.scans.count(entry.state == .late ? .rejected : .cancelled)
        }
    }

    private mutating func heardOfInputLoss(_ step: Step) {
        guard let since = inputLossUnheard else { return }
        inputLossUnheard = nil
        guard toldLive > 0 else { return }
        judgeLoss("the server heard of input-kit's end", since: since, .inputKit, step)
    }

    private mutating func heardOfAppLoss(_ place: Int, _ step: Step) {
        guard let since = apps[place].appLossUnheard else { return }
        apps[place].appLossUnheard = nil
        let peer = Peer.app(apps[place].app)
        judgeLoss("the server heard of \(peer)'s end", since: since, peer, step)
    }

    private mutating func tellsInputKit(_ frame: Frame, _ step: Step) {
        if let fault = input.ends.server.sends(frame) { note(fault, sending: frame, to: .inputKit, step) }
        if frame.message.kind == .hello { answersInputKit(step) }
        guard case .handled(let receipt) = frame.message, let place = input.heardByServer else { return }
        let entry = input.streams[place].tally[receipt.frame]
        // A recipient that dropped the scan as stale sends no receipt. The scan has this reason only if no recipient
        // received it.
        if let entry, entry.parts > 0 { allowStale(receipt.frame, step) }
        guard let closed = input.streams[place].tally.close(receipt.frame) else { return }
        compare(receipt, closed, step)
        if closed.state == .lost { report.scans.uncountLoss() }
        report.scans.count(receipt, isTouches: closed.isTouches)
        if receipt.outcome == .home { report.home += 1 }
        if let stamp = entry?.stamp, let answered = frame.ledger[.device], stamp != answered {
            note(
                .conservation,
                "the receipt for scan #\(receipt.frame) carries the ledger of another: device at \(answered), "
                    + "the scan's at \(stamp)", step)
        }
    }

    /// Handles that the server answers a hello of input-kit, and so ends the former state of the link.
    private mutating func answersInputKit(_ step: Step) {
        guard case .frame(let greeting, from: .inputKit) = step.input, input.ends.server.hasWelcomed else { return }
        heardOfInputLoss(step)
        guard let place = input.streams.lastIndex(where: { $0.life.generation == greeting.generation }) else {
            input.heardByServer = nil
            return
        }
        for older in 0..<place { cancelScans(of: older) }
        cancelScans(of: place, before: greeting.sequence)
        input.streams.removeFirst(place)
        input.heardByServer = 0
    }

    // MARK: Apps' links

    private mutating func tellsApp(_ frame: Frame, _ receiver: Peer, _ step: Step) {
        let place = place(of: AppID(receiver.instance))
        if let fault = apps[place].ends.server.sends(frame) { note(fault, sending: frame, to: receiver, step) }
        if frame.message.kind == .hello, apps[place].ends.server.hasWelcomed {
            serverLetGo(of: place)
            apps[place].isHeldByServer = true
        }
        var entry = Tally.Entry(step: UInt32(truncatingIfNeeded: step.index), at: step.at, stamp: frame.ledger[.device])
        entry.hasWaited = frame.ledger[.inputSent].map { $0 < apps[place].answering.lastFull } ?? false
        switch frame.message {
        case .touches(let touches):
            (entry.state, entry.isTouches) = (.underWay, true)
            told(touches, place, &entry)
            compare(touches, frame, place, step)
            report.frames.injected += 1
        case .scene(let scene): told(scene, place, step)
        case .open(let request): told(request, place, step)
        case .screenshot: toldOfScreenshot(place, step)
        case .input:
            entry.state = .underWay
            apps[place].questions.append(frame.sequence, scan: .zero)
            report.frames.injected += 1
        default: break
        }
        if frame.message.kind.asksForReceipt {
            apps[place].answering.askedSince = apps[place].answering.askedSince ?? step.at
            judgeQueue(place, step)
            judgeReserve(frame.message, place)
        }
        apps[place].tally.append(frame.sequence, entry)
        while let (sequence, entry) = apps[place].tally.takeOverdue() {
            if entry.state == .late {
                report.frames.count(.rejected)
            } else {
                report.frames.inFlight += 1
                neverAnswered(frame: sequence, entry, of: step.life, to: receiver, at: step.at)
            }
        }
    }

    /// Records the touches of a frame for an app, and the causes of their ends.
    private mutating func told(_ touches: TouchFrame, _ place: Int, _ entry: inout Tally.Entry) {
        var began: UInt8 = 0
        var ended: UInt8 = 0
        for contact in touches.contacts {
            switch contact.phase {
            case .began:
                began &+= 1
                guard !apps[place].touches.told.contains(contact.touch) else { continue }
                apps[place].touches.told.append(contact.touch)
            case .moved, .stationary: continue
            case .ended, .cancelled:
                ended &+= 1
                guard let index = apps[place].touches.told.firstIndex(of: contact.touch) else { continue }
                apps[place].touches.told.remove(at: index)
                guard contact.phase == .cancelled, let cause = cause(of: contact.touch, place),
                    cause != .deviceCancelled
                else { continue }
                if apps[place].touches.causes.count >= 256 { apps[place].touches.causes.removeFirst() }
                apps[place].touches.causes.append((contact.touch, cause))
            }
        }
        (entry.began, entry.ended) = (began, ended)
        entry.isMove = began == 0 && ended == 0
    }

    // MARK: After each step

    private mutating func judgeServer(_ step: Step) {
        if case .frame(let frame, from: .inputKit) = step.input, frame.message.kind.asksForReceipt {
            judgeInFlight(step)
        }
        expectTold(step)
        expectReserve(step)
        if !shots.due.isEmpty { expectToldOfScreenshot(step) }
        if !spies.due.isEmpty { expectSpiesTold(step) }
        if options.group.display > 0 { judgeFrames(step) }
    }

    private mutating func judgeInFlight(_ step: Step) {
        guard let place = input.heardByServer else { return }
        let moves = input.streams[place].tally.heldMoves
        let limit = options.group.inFlightLimit
        guard moves > limit else { return }
        note(.bounds, "\(moves) scans of moves in flight, limit \(limit)", step)
    }
}

extension Tally {
    /// Whether this frame had been counted as lost before it arrived.
    func wasLost(_ sequence: SequenceNumber) -> Bool { self[sequence]?.cameAfterAll ?? false }
}
