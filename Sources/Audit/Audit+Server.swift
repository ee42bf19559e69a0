// Audit+Server.swift: scans as they are taken, touches as they are told, and every cause of an end.
//
// Sources   PIPELINE.md 3: I1, I2, I4, I6, I7, I8

import Basics
import HID
import Hosting
import Wire

extension Audit {
    mutating func takeServer(_ step: Step) {
        // Nothing on a data link may come of what is of another time, or known already.
        var isVoid = false
        switch step.input {
        case .frame(let frame, let sender):
            switch sender.role {
            case .inputKit:
                if let fault = input.serverEnd.hears(frame) { note(fault, hearing: frame, from: sender, step) }
                isVoid = takes(input.serverEnd.verdict)
                scanArrived(frame, input.serverEnd.verdict)
            case .app:
                let place = place(of: sender.instance)
                if let fault = apps[place].serverEnd.hears(frame) { note(fault, hearing: frame, from: sender, step) }
                isVoid = takes(apps[place].serverEnd.verdict)
            case .supervisor, .systemServer, .controller: break
            }
        case .peerLost(.inputKit): inputKitLost(step)
        case .peerLost(let peer) where peer.role == .app: appLost(peer)
        case .refused: report.refused += 1
        default: break
        }
        var isEnding = false
        for effect in step.effects {
            if case .exit = effect { isEnding = true }
            if case .hangUp(let peer) = effect { hungUp(on: peer, step) }
            guard case .send(let frame, let receiver) = effect else { continue }
            switch receiver.role {
            case .inputKit:
                if isVoid { expectSilence(frame, receiver, step) }
                tellsInputKit(frame, step)
            case .app:
                if isVoid { expectSilence(frame, receiver, step) }
                tellsApp(frame, receiver, step)
            case .supervisor, .systemServer, .controller: continue
            }
            expectOwnGeneration(frame, step)
        }
        // Whoever ends takes all it holds with it.
        if !isEnding { judgeServer(step) }
    }

    private mutating func appLost(_ peer: Peer) {
        let place = place(of: peer.instance)
        apps[place].serverEnd.linkLost()
        serverLetGo(of: place)
    }

    private mutating func hungUp(on peer: Peer, _ step: Step) {
        switch peer.role {
        case .inputKit: inputKitLost(step)
        case .app: appLost(peer)
        case .supervisor, .systemServer, .controller: return
        }
    }

    /// - Returns: Whether nothing may come of a frame with this verdict.
    private mutating func takes(_ verdict: StreamVerifier.Verdict) -> Bool {
        switch verdict {
        case .fenced:
            report.fenced += 1
            return true
        case .duplicate:
            report.duplicates += 1
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
            // Of a life that is over, or one the server has not heard the greeting of, or has lost.
            guard
                let place = input.streams.lastIndex(where: { $0.life.generation == frame.generation }),
                input.streams[place].tally.close(frame.sequence) != nil
            else { return }
            report.scans.count(.rejected)
        case .greeting, .opened, .oldHello, .forbidden: return
        }
    }

    private mutating func recount(_ place: Int, _ sequence: UInt64) {
        guard input.streams[place].tally.wasLost(sequence) else { return }
        report.scans.uncountLoss()
    }

    private mutating func inputKitLost(_ step: Step) {
        input.serverEnd.linkLost()
        if let place = input.heardByServer { cancelHeldScans(of: place) }
        input.heardByServer = nil
        heardOfInputLoss(step)
    }

    /// What has yet to arrive may be refused still.
    private mutating func cancelHeldScans(of place: Int) {
        for (sequence, entry) in input.streams[place].tally.openEntries where entry.state != .underWay {
            _ = input.streams[place].tally.close(sequence)
            report.scans.count(entry.state == .late ? .rejected : .cancelled)
        }
    }

    private mutating func heardOfInputLoss(_ step: Step) {
        guard let since = inputLossUnheard else { return }
        inputLossUnheard = nil
        let late = since.duration(to: step.at)
        guard late > options.lossBound, toldLive > 0 else { return }
        guard !isExcused(.systemServer, .inputKit, from: since, until: step.at) else { return }
        note(
            .promptness,
            "the server heard of input-kit's end after \(late.milliseconds), with \(toldLive) touches alive; "
                + "limit \(options.lossBound.milliseconds)", step)
    }

    private mutating func tellsInputKit(_ frame: Frame, _ step: Step) {
        if let fault = input.serverEnd.sends(frame) { note(fault, sending: frame, to: .inputKit, step) }
        if frame.message.kind == .hello { answersInputKit(step) }
        guard case .handled(let receipt) = frame.message, let place = input.heardByServer else { return }
        let entry = input.streams[place].tally[receipt.frame]
        guard let closed = input.streams[place].tally.close(receipt.frame) else { return }
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

    /// The server takes a greeting: what it knew of this link before is over.
    private mutating func answersInputKit(_ step: Step) {
        guard case .frame(let greeting, from: .inputKit) = step.input, input.serverEnd.hasWelcomed else { return }
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
        let place = place(of: receiver.instance)
        if let fault = apps[place].serverEnd.sends(frame) { note(fault, sending: frame, to: receiver, step) }
        if frame.message.kind == .hello, apps[place].serverEnd.hasWelcomed {
            serverLetGo(of: place)
            apps[place].isHeldByServer = true
        }
        var entry = Tally.Entry(step: UInt32(truncatingIfNeeded: step.index), at: step.at, stamp: frame.ledger[.device])
        switch frame.message {
        case .touches(let touches):
            (entry.state, entry.isTouches) = (.underWay, true)
            told(touches, of: frame, place, step, &entry)
            report.frames.injected += 1
        case .input:
            entry.state = .underWay
            report.frames.injected += 1
        default: break
        }
        apps[place].tally.append(frame.sequence, entry)
        while let (_, entry) = apps[place].tally.takeOverdue() {
            if entry.state == .late { report.frames.count(.rejected) } else { report.frames.count(.lostOnLink) }
        }
    }

    /// What an app is told of its touches, and why they end.
    private mutating func told(
        _ touches: TouchFrame, of frame: Frame, _ place: Int, _ step: Step, _ entry: inout Tally.Entry
    ) {
        var began: UInt8 = 0
        var ended: UInt8 = 0
        for contact in touches.contacts {
            switch contact.phase {
            case .began:
                began &+= 1
                guard !apps[place].toldLive.contains(contact.touch) else { continue }
                apps[place].toldLive.append(contact.touch)
                toldLive += 1
            case .moved, .stationary: continue
            case .ended, .cancelled:
                ended &+= 1
                guard let index = apps[place].toldLive.firstIndex(of: contact.touch) else { continue }
                apps[place].toldLive.remove(at: index)
                toldLive -= 1
                guard contact.phase == .cancelled else { continue }
                guard let cause = cause(of: frame, step) else {
                    note(.explainability, "\(contact.touch) is cancelled, and nothing in the step says why", step)
                    continue
                }
                guard cause != .deviceCancelled else { continue }
                if apps[place].causes.count >= 256 { apps[place].causes.removeFirst() }
                apps[place].causes.append((contact.touch, cause))
            }
        }
        (entry.began, entry.ended) = (began, ended)
        entry.isMove = began == 0 && ended == 0
    }

    /// Why the server cancels a touch in this step.
    private func cause(of frame: Frame, _ step: Step) -> EndCause? {
        if frame.ledger.count > 0 { return .deviceCancelled }
        switch step.input {
        case .frame(let frame, let sender):
            switch (sender.role, frame.message) {
            case (.inputKit, .hello): return .inputKitLost
            case (.inputKit, .digitizer), (.inputKit, .device): return .deviceCancelled
            case (.supervisor, .act): return .act
            // Its launch has been waited for, to bring it to front.
            case (.app, .hello): return .act
            // It has not heard something, and let go of what it held.
            case (.app, .handled(let receipt)): return receipt.reason == .inboxFull ? .inboxFull : .gap
            case (.app, .link): return .gap
            case (.supervisor, .shutdown): return .serverLost
            default: return nil
            }
        case .peerLost(.inputKit): return .inputKitLost
        case .timerFired: return .lease
        case .refused: return .misconduct
        case .stopRequested: return .serverLost
        default: return nil
        }
    }

    // MARK: After each step

    private mutating func judgeServer(_ step: Step) {
        switch step.input {
        case .frame(let frame, from: .inputKit):
            if frame.message.kind.asksForReceipt { judgeInFlight(step) }
        case .frame(let frame, from: .supervisor):
            guard case .act(let act) = frame.message else { return }
            switch act {
            case .interrupt, .lock, .home: expectNoTouch(after: "\(act)", step)
            case .resume, .unlock, .foreground: break
            }
        case .peerLost(.inputKit): expectNoTouch(after: "input-kit was lost", step)
        default: break
        }
        judgeExcess(step)
    }

    /// An app that takes nothing more hears of it behind what it has yet to answer.
    private mutating func expectNoTouch(after what: String, _ step: Step) {
        guard toldLive > 0 else { return }
        let count = apps.reduce(0) { $0 + ($1.serverEnd.hasRoom ? $1.toldLive.count : 0) }
        guard count > 0 else { return }
        note(.promptness, "\(count) touches are alive after \(what)", step)
    }

    private mutating func judgeInFlight(_ step: Step) {
        guard let place = input.heardByServer else { return }
        let moves = input.streams[place].tally.heldMoves
        guard moves > options.inFlightLimit else { return }
        note(.bounds, "\(moves) scans of moves in flight, limit \(options.inFlightLimit)", step)
    }

    /// A touch whose finger the server knows to have left ends at once, unless its app has no room to hear it.
    private mutating func judgeExcess(_ step: Step) {
        let alive = toldLive
        guard alive > 0, alive > input.serverEnd.fingersDown else {
            excess = nil
            return
        }
        guard let (since, isSaid) = excess else {
            excess = (step.at, false)
            return
        }
        let late = since.duration(to: step.at)
        guard !isSaid, late > options.terminalBound else { return }
        guard !apps.contains(where: { !$0.toldLive.isEmpty && $0.serverEnd.unanswered > 0 }) else { return }
        guard !isExcused(.systemServer, .inputKit, from: since, until: step.at) else { return }
        excess = (since, true)
        note(
            .promptness,
            "\(alive) touches are alive with \(input.serverEnd.fingersDown) fingers down, for \(late.milliseconds); "
                + "limit \(options.terminalBound.milliseconds)", step)
    }
}

extension Tally {
    /// Whether this one had been counted as lost before it came.
    func wasLost(_ sequence: UInt64) -> Bool { self[sequence]?.cameAfterAll ?? false }
}
