// InputKitCore.swift: turns recordings, scripts and live devices into HID events for the system server.
//
// Station   device, hid, frame
// Input     the supervisor's orders, the host's file bytes and device messages, the server's receipts
// Output    frames for SystemServerCore's router, reports to the supervisor, orders for the host
// Knows     one play and one link. No file descriptor, no clock.
//
//     order ─▶ Player: FrameSource, Pacing ─▶ PlayedDevice ─┬▶ FrameSender ─▶ system server
//                                Play ◀────── receipts ◀────┼──────────────────────┘
//     devices ─▶ LiveDevices, waiting scans ────────────────┘
//
// One play runs at a time, on its own device, beside any number of live devices. Receipts and the server's credit bound
// the outstanding frames at every pace. Live devices use the credit first. Contacts are cancelled when a recording breaks
// off, when this process ends, and when it was suspended for longer than `device.suspensionLimit` allows (F9).
//
// Sources   invented

public import Basics
import HID
public import Hosting
import Links
public import Settings
import Trace
public import Wire

/// The core of input-kit.
public struct InputKitCore: ProcessCore {
    let order: LaunchOrder
    let displays: Displays
    private var supervisor: LinkNumbers
    private var isReady = false
    /// Whether facts may contain positions. Only the server knows a contact's owner, and only the app its view.
    private let tracesPositions: Bool

    var sender: FrameSender
    var player = Player()
    var played = PlayedDevice()
    var live: LiveDevices
    var unanswered = Unanswered()
    var markers = Markers()
    private var suspension: SuspensionDetector
    private var stateFrames = DueStateFrames()
    var counters = Counters()

    struct Counters {
        var receipts: UInt64 = 0
        var strayReceipts: UInt64 = 0
        var plays: UInt64 = 0
        var faults: UInt64 = 0
        var refusals = RepetitionLimit()
        var lost: UInt64 = 0
        var absences: UInt64 = 0
        var recordings = FrameSource.Remarks()
    }

    /// The state frames of all devices that are due, because the server or an app missed a frame.
    private struct DueStateFrames {
        var areDue = false
        /// The number of state frames that were sent.
        var sent = 0
    }

    enum Timer {
        static let hello = TimerID(1)
        static let frame = TimerID(2)
        static let receipt = TimerID(3)
        static let report = TimerID(4)
        static let live = TimerID(5)
        static let markers = TimerID(6)
        static let watch = TimerID(7)
    }

    public init(settings: Settings, order: LaunchOrder) {
        self.order = order
        displays = Displays(settings)
        supervisor = LinkNumbers(epoch: order.epoch, generation: order.generation)
        sender = FrameSender(
            generation: order.generation, probes: settings[.probes].contains("input"), tracesKeys: settings[.traceKeys])
        tracesPositions = settings[.tracePositions]
        live = LiveDevices(settings: settings, runDirectory: order.runDirectory)
        suspension = SuspensionDetector(limit: settings[.deviceSuspensionLimit])
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        outbox.trace.hidesPositions = !tracesPositions
        if let away = suspension.recordTurn(at: now) { resume(afterSuspensionOf: away, at: now, into: &outbox) }
        dispatch(input, at: now, into: &outbox)
        sendStateFrames(at: now, into: &outbox)
        guard !suspension.isWatching else { return }
        let isLive =
            player.state.sends || waitsForAnswers || lacksCredit || (liveContactCount > 0 && now < sender.watchesUntil)
        if let moment = suspension.watch(isLive, at: now) { outbox.append(.arm(Timer.watch, at: moment)) }
    }

    /// Whether the server had too little credit when its last frame arrived. Only a probe asks for the credit that it has now.
    private var lacksCredit: Bool { sender.link.isOpen && (sender.link.credit == 0 || live.hasScans) }
    private var waitsForAnswers: Bool { unanswered.count > 0 || player.unanswered > 0 }
    /// The number of contacts that are down and known to the server.
    var liveContactCount: Int { played.contactCount + live.reportedContactCount }

    private mutating func dispatch(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started:
            outbox.trace.note(now, .process, "input-kit started, generation {a}", Int64(order.generation))
            live.begin(into: &outbox)
        case .connected(let peer):
            guard peer == .systemServer else { return }
            if sender.link.isOpen { lostServer(at: now, into: &outbox) }
            sender.link.connected()
            sendHello(at: now, into: &outbox)
        case .frame(let frame, let peer):
            switch peer.role {
            case .supervisor: receiveFromSupervisor(frame, at: now, into: &outbox)
            case .systemServer: receive(frame, at: now, into: &outbox)
            case .inputKit, .app, .controller: return
            }
        case .peerLost(let peer):
            if peer == .systemServer { lostServer(at: now, into: &outbox) }
            if peer == .supervisor { stop(at: now, into: &outbox) }
        case .refused(let refusal):
            if counters.refusals.countOccurrence() {
                outbox.trace.note(
                    now, .process, "refused, {b} so far: {a:n}", outbox.trace.intern("\(refusal)"),
                    Int64(clamping: counters.refusals.count))
            }
        case .timerFired(Timer.hello): sendHello(at: now, into: &outbox)
        case .timerFired(Timer.frame):
            player.frameTimerFired()
            if player.state.sends { sendDueFrames(at: now, into: &outbox) }
        case .timerFired(Timer.receipt): receiptDeadlineReached(at: now, into: &outbox)
        case .timerFired(Timer.report): if player.state == .reporting { sendReport(at: now, into: &outbox) }
        case .timerFired(Timer.live):
            live.timePassed(at: now, into: &outbox)
            liveDevicesChanged(at: now, into: &outbox)
        case .timerFired(Timer.watch): watchTimerFired(at: now, into: &outbox)
        case .timerFired(Timer.markers): refuseOverdueMarkers(at: now, into: &outbox)
        case .timerFired: return
        case .fileBytes(let file, let bytes):
            var effects: [Effect] = []
            player.play?.source.receive(bytes, of: file, into: &effects)
            for effect in effects { outbox.append(effect) }
            if let remarks = player.play?.source.takeRemarks() { note(remarks, at: now, into: &outbox) }
            if player.state.sends { sendDueFrames(at: now, into: &outbox) }
        case .fileFailed(let file, let reason):
            player.play?.source.failed(reason, of: file)
            if player.state.sends { sendDueFrames(at: now, into: &outbox) }
        case .stopRequested: stop(at: now, into: &outbox)
        case .device(let news):
            live.handle(news, at: now, hasServer: sender.link.isOpen, into: &outbox)
            liveDevicesChanged(at: now, into: &outbox)
        case .childStarted, .childFailed, .childExited, .programReplaced: return
        }
    }

    // MARK: The supervisor

    private mutating func receiveFromSupervisor(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        // An inherited socket pair neither loses nor repeats frames, and no other process is at its other end. The
        // numbers only serve the acknowledgements.
        _ = supervisor.accept(frame)
        switch SupervisorToInputKit(frame.message) {
        case .child(.roster(let entries)):
            for entry in entries where entry.peer == .systemServer { sender.link.fence(before: entry.generation) }
        case .play(let order): begin(order, at: now, into: &outbox)
        case .stopPlay(let id): stopPlay(id, at: now, into: &outbox)
        case .child(.reportRequest): sendToSupervisor(.child(.report(status)), into: &outbox)
        case .child(.shutdown): stop(at: now, into: &outbox)
        // The host adds the facts.
        case .child(.observe(let observation)):
            guard observation.kind != .end else { return }
            sendToSupervisor(.child(.facts(FactPage(answering: observation, from: .inputKit))), into: &outbox)
        // The host carries these out.
        case .child(.launch), .child(.chaos): return
        case .child(.refused), nil: return
        }
    }

    mutating func sendToSupervisor(_ message: InputKitToSupervisor, into outbox: inout Outbox) {
        outbox.append(.send(supervisor.frame(message.message), to: .supervisor))
    }

    // MARK: The server

    /// Sends the hello of a link that is opening, and arms the timer that repeats it.
    private mutating func sendHello(at now: Instant, into outbox: inout Outbox) {
        guard let hello = sender.link.pendingHello else { return }
        outbox.append(.send(hello, to: .systemServer))
        outbox.append(.arm(Timer.hello, at: now.advanced(by: Link.helloPeriod)))
    }

    private mutating func receive(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        switch sender.link.receive(frame, at: now) {
        case .opened:
            outbox.append(.disarm(Timer.hello))
            outbox.trace.note(
                now, .process, "system-server connected, epoch {a}, generation {b}", Int64(sender.link.epoch),
                Int64(sender.link.peerGeneration))
            guard !isReady else { return }
            isReady = true
            sendToSupervisor(.child(.ready), into: &outbox)
        case .arrived: handle(frame, at: now, into: &outbox)
        case .refused: sendLive(at: now, into: &outbox)
        case .helloRepeated: preconditionFailure("a client's hello is not repeated to it")
        }
    }

    private mutating func handle(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        switch ServerToInputKit(frame.message) {
        case .handled(let receipt):
            counters.receipts += 1
            record(receipt, ledger: frame.ledger, at: now)
            receiptArrived(at: now, into: &outbox)
        case .link(.received(let oldest, _)):
            // The server has answered these frames and the receipts were lost: their outcome stays unknown.
            let lost =
                unanswered.frames.answersLost(received: frame.ack, oldest: oldest)
                + (player.play?.frames.answersLost(received: frame.ack, oldest: oldest) ?? [])
            for sequence in lost {
                let receipt = Receipt(frame: sequence, outcome: .dropped, reason: .lostOnLink)
                record(receipt, ledger: Ledger(), at: now)
            }
            receiptArrived(at: now, into: &outbox)
        // Every frame carries credit.
        case .hello, .link(.probe), .refused, nil: sendLive(at: now, into: &outbox)
        }
    }

    private mutating func record(_ receipt: Receipt, ledger: Ledger, at now: Instant) {
        if receipt.reason == .lostOnLink {
            counters.lost += 1
            stateFrames = DueStateFrames(areDue: true)
        }
        if player.play?.record(receipt, ledger: ledger) == true {
            player.play?.lastProgress = now
        } else if !unanswered.remove(receipt.frame) {
            counters.strayReceipts += 1
        }
    }

    /// Continues after a receipt: there may be credit now, and a play or a marker may have waited for the receipt.
    private mutating func receiptArrived(at now: Instant, into outbox: inout Outbox) {
        markers.receiptArrived(at: now)
        // State frames use the credit first.
        sendStateFrames(at: now, into: &outbox)
        sendLive(at: now, into: &outbox)
        if player.state == .blocked, player.play?.unansweredInPlace ?? 0 <= player.resumeBelow {
            sendDueFrames(at: now, into: &outbox)
        }
        if player.state == .draining, player.play?.unansweredInPlace == 0 {
            advance(.allAnswered, at: now, into: &outbox)
        }
        reportReachedMarkers(at: now, into: &outbox)
    }

    /// Sends a state frame of each device after a loss. A contact that the frame does not contain has lifted.
    private mutating func sendStateFrames(at now: Instant, into outbox: inout Outbox) {
        guard stateFrames.areDue, sender.link.isOpen else { return }
        var standing = live.stateEvents()
        if let event = played.stateEvent() { standing.insert(event, at: 0) }
        // State frames wait for credit too.
        let due = standing.dropFirst(stateFrames.sent).prefix(Int(sender.link.credit))
        for event in due { unanswered.append(send(event, at: now, into: &outbox), at: now) }
        stateFrames.sent += due.count
        stateFrames.areDue = stateFrames.sent < standing.count
    }

    private mutating func watchTimerFired(at now: Instant, into outbox: inout Outbox) {
        suspension.timerFired()
        guard sender.link.isOpen, waitsForAnswers || lacksCredit, let probe = sender.link.probe(at: now) else { return }
        outbox.append(.send(probe, to: .systemServer))
    }

    /// Handles a suspension, during which other contacts may have landed. The old contacts are cancelled and ignored
    /// until lift. A play continues later by the duration of the suspension, so that no frames are sent in a burst.
    private mutating func resume(afterSuspensionOf away: Duration, at now: Instant, into outbox: inout Outbox) {
        counters.absences += 1
        let fingers = liveContactCount
        outbox.trace.note(
            now, .device, "input-kit was suspended for {a:t}, limit {b:t}: {c} contacts cancelled", away.nanoseconds,
            suspension.limit.nanoseconds, Int64(fingers))
        player.play?.pacing.shift(by: away)
        if let event = played.cancelAllAndIgnore(at: now), sender.link.isOpen {
            let sequence = send(event, at: now, into: &outbox)
            if player.play == nil {
                unanswered.append(sequence, at: now)
            } else {
                player.play?.didSend(event, as: sequence)
            }
        }
        if live.cancelAfterSuspension(at: now) > 0 { liveDevicesChanged(at: now, into: &outbox) }
    }

    private mutating func lostServer(at now: Instant, into outbox: inout Outbox) {
        sender.link.lost()
        outbox.append(.disarm(Timer.hello))
        forgetContacts(at: now, into: &outbox)
    }

    /// Forgets all contacts, because the only process that knew of them is gone.
    private mutating func forgetContacts(at now: Instant, into outbox: inout Outbox) {
        let fingers = played.contactCount + live.ignoreAllContacts()
        outbox.trace.note(now, .process, "system-server lost: {a} contacts ignored until lift", Int64(fingers))
        played.forget()
        unanswered.removeAll()
        stateFrames.areDue = false
        for id in markers.removeAll() { refuse(id, "system-server lost", into: &outbox) }
        player.play?.fail("system-server lost")
        advance(.lost, at: now, into: &outbox)
        live.arm(into: &outbox)
    }

    // MARK: Sending

    /// Sends one scan.
    ///
    /// - Returns: The sequence number of the frame, which its receipt will contain.
    mutating func send(_ event: HIDEvent, at now: Instant, into outbox: inout Outbox) -> SequenceNumber {
        if event.senderID == PlayedDevice.sender { played.didSend(at: event.timeStamp) }
        return sender.send(event, at: now, into: &outbox)
    }

    // MARK: The end

    private mutating func stop(at now: Instant, into outbox: inout Outbox) {
        cancelFingers(at: now, into: &outbox)
        for id in markers.removeAll() { refuse(id, "input-kit was stopped", into: &outbox) }
        live.endAll(at: now)
        sendLive(at: now, beyondCredit: true, into: &outbox)
        if player.state != .idle {
            player.play?.fail("input-kit was stopped")
            player.dropLedgers()
            if player.state == .reporting {
                sendReport(at: now, into: &outbox)
            } else {
                advance(.lost, at: now, into: &outbox)
            }
        }
        outbox.append(.exit(status: 0))
    }
}
