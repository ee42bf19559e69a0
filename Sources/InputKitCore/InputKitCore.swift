// InputKitCore.swift: recordings, scripts and live devices become HID events, at their moments, towards the server.
//
//     order ─▶ FrameSource ─▶ Pacing ─▶ FrameAssembler ─┬▶ Link ─▶ system server
//                                Play ◀──── receipts ◀──┼─────────────────────┘
//     devices ─▶ LiveDevices, scans that wait ──────────┘
//
// One play at a time, and any number of devices beside it. What is in flight is bounded by receipts and by the server's
// credit, whatever the pace; of the credit, devices get theirs first, as a hand does not wait. A recording that breaks
// off leaves no finger on the glass: they are cancelled, and so they are when this process ends, or finds that it was
// stopped for longer than a finger may be trusted (F9).
//
// Station   device, hid, frame
// Fed by    the supervisor's orders, the host's file bytes and news of devices, the server's receipts
// Feeds     SystemServerCore/Router
// Knows     which play, which link. No file descriptor, no clock.
//
// Sources   invented

public import Basics
import HID
public import Hosting
import Links
import Recordings
public import Settings
import Trace
public import Wire

public struct InputKitCore: ProcessCore {
    private let order: LaunchOrder
    private let displays: Displays
    private let probes: Bool

    private var supervisor: LinkNumbers
    private var link: Link
    private var isReady = false

    private var state = PlayState.idle
    private var play: Play?
    /// The device in use, and, between plays, the fingers a script has left on the glass.
    private var glass: FrameAssembler?
    /// The same of keys and pointers.
    private var held = HeldInputs()
    private var openings: UInt32 = 0
    private var lastFile = FileID(0)
    private var momentArmed: Instant?
    private var isPatienceArmed = false
    /// While blocked: with this many frames unanswered, sending goes on. A few at once travel as one packet.
    private var resumeBelow = 0
    /// Ledgers of the play being reported that have gone out.
    private var measured = 0
    private var facts = ScanFacts()
    /// Whether facts say where a finger is; who owns it only the server knows, and what it is on only its app.
    private let saysPlaces: Bool
    /// Nothing that is typed is secret: `trace.keys`.
    private let saysKeys: Bool

    private var live: LiveDevices
    private var liveArmed: Instant?
    private var unanswered = Unanswered()
    private var markers = Markers()
    private var markersArmed: Instant?

    private var suspension: SuspensionDetector
    /// When a finger that nothing is heard of is no reason any more to keep awake.
    private var restsAt = Instant.boot
    private static let rest = Duration.seconds(2)
    /// Of the last scan or key of a play: what comes after it is not before it.
    private var lastStamp = Instant.boot
    /// The server, or an app behind it, has missed something of a device.
    private var owesStanding = false
    /// Of how many devices it has been said since.
    private var standingSaid = 0

    private var counters = Counters()

    private struct Counters {
        var scans: UInt64 = 0
        var receipts: UInt64 = 0
        var strayReceipts: UInt64 = 0
        var plays: UInt64 = 0
        var faults: UInt64 = 0
        var refusals = Flood()
        var lost: UInt64 = 0
        var absences: UInt64 = 0
        var recordings = FrameSource.Remarks()
    }

    private enum Timer {
        static let hello = TimerID(1)
        static let moment = TimerID(2)
        static let patience = TimerID(3)
        static let report = TimerID(4)
        static let live = TimerID(5)
        static let markers = TimerID(6)
        static let pulse = TimerID(7)
    }

    /// How long frames may stay unanswered without any receipt coming.
    static let patience = Duration.seconds(2)
    /// `measured` frames handed over at once, and the pause after them: 240 KB, so that no link has to hold a run's.
    static let measuredAtOnce = 4
    static let measuredPause = Duration.milliseconds(1)

    public init(settings: Settings, order: LaunchOrder) {
        self.order = order
        displays = Displays(settings)
        probes = settings[.probes].contains("input")
        supervisor = LinkNumbers(epoch: order.epoch, generation: order.generation)
        link = Link(.client, generation: order.generation)
        saysPlaces = settings[.tracePlaces]
        saysKeys = settings[.traceKeys]
        live = LiveDevices(settings: settings)
        suspension = SuspensionDetector(limit: settings[.deviceGap])
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        outbox.trace.hidesPlaces = !saysPlaces
        if let away = suspension.turn(at: now) { wasAway(away, at: now, into: &outbox) }
        take(input, at: now, into: &outbox)
        sayStanding(at: now, into: &outbox)
        guard !suspension.isWatching else { return }
        let isLive = state.sends || waitsForAnswers || isStarved || (touching > 0 && now < restsAt)
        if let moment = suspension.watch(isLive, at: now) { outbox.append(.arm(Timer.pulse, at: moment)) }
    }

    /// The server had no room, or too little for what waits, when it last spoke; that it has more by now it says only
    /// when it is asked.
    private var isStarved: Bool { link.isOpen && (link.credit == 0 || live.hasScans) }
    private var waitsForAnswers: Bool { unanswered.count > 0 || play?.unanswered ?? 0 > 0 }
    private var touching: Int { (glass?.touching ?? 0) + live.touching }

    private mutating func take(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started:
            outbox.trace.note(now, .process, "input-kit started, generation {a}", Int64(order.generation))
            live.begin(into: &outbox)
        case .connected(let peer):
            guard peer == .systemServer else { return }
            if link.isOpen { lostServer(at: now, into: &outbox) }
            link.connected()
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
            if counters.refusals.rises() {
                outbox.trace.note(
                    now, .process, "refused, {b} so far: {a:n}", outbox.trace.name("\(refusal)"),
                    Int64(clamping: counters.refusals.count))
            }
        case .timerFired(Timer.hello): sendHello(at: now, into: &outbox)
        case .timerFired(Timer.moment):
            momentArmed = nil
            if state.sends { pump(at: now, into: &outbox) }
        case .timerFired(Timer.patience): patienceEnded(at: now, into: &outbox)
        case .timerFired(Timer.report): if state == .reporting { sendReport(at: now, into: &outbox) }
        case .timerFired(Timer.live):
            liveArmed = nil
            live.timePassed(at: now, into: &outbox)
            liveHappened(at: now, into: &outbox)
        case .timerFired(Timer.pulse): pulse(at: now, into: &outbox)
        case .timerFired(Timer.markers): markersWaited(at: now, into: &outbox)
        case .timerFired: return
        case .fileBytes(let file, let bytes):
            var effects: [Effect] = []
            play?.source.take(bytes, of: file, into: &effects)
            for effect in effects { outbox.append(effect) }
            if let remarks = play?.source.takeRemarks() { note(remarks, at: now, into: &outbox) }
            if state.sends { pump(at: now, into: &outbox) }
        case .fileFailed(let file, let reason):
            play?.source.failed(reason, of: file)
            if state.sends { pump(at: now, into: &outbox) }
        case .stopRequested: stop(at: now, into: &outbox)
        case .device(let news):
            live.handle(news, at: now, canHear: link.isOpen, into: &outbox)
            liveHappened(at: now, into: &outbox)
        case .childStarted, .childFailed, .childExited: return
        }
    }

    // MARK: The supervisor

    private mutating func receiveFromSupervisor(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        // An inherited pair of sockets neither loses nor repeats, and nobody else is at its other end: the numbers
        // are taken for the acknowledgements alone.
        _ = supervisor.accept(frame)
        switch frame.message {
        case .roster(let entries):
            for entry in entries where entry.peer == .systemServer { link.fence(before: entry.generation) }
        case .play(let order): begin(order, at: now, into: &outbox)
        case .stopPlay(let id): stopPlay(id, at: now, into: &outbox)
        case .reportRequest: tell(.report(status), into: &outbox)
        case .shutdown: stop(at: now, into: &outbox)
        // What has been noted its host adds.
        case .observe(let observation):
            guard observation.word != .end else { return }
            tell(.facts(FactPage(answering: observation, from: .inputKit)), into: &outbox)
        case .launch, .hello, .link, .digitizer, .device, .touches, .input, .lifeCycle, .scene, .windows, .handled,
            .act,
            .ready, .played, .measured, .report, .refused, .misconduct, .stalled, .overran, .chaos, .facts,
            .detailRequest, .detail, .spy, .spied, .open, .opened, .wanted, .screenshot:
            return
        }
    }

    private mutating func tell(_ message: Message, into outbox: inout Outbox) {
        outbox.append(.send(supervisor.frame(message), to: .supervisor))
    }

    private var status: Report {
        var report = Report(peer: .inputKit)
        report.add("link", text: link.phase.rawValue)
        report.add("epoch", link.epoch)
        report.add("generation", order.generation)
        report.add("play", text: state.rawValue)
        report.add("play.unanswered", play?.unanswered ?? 0)
        report.add("markers", markers.count)
        report.add("unanswered", unanswered.count)
        report.add("unanswered.forgotten", unanswered.forgotten)
        report.add("contacts.live", touching)
        report.add("inputs.held", held.inputs.count)
        report.add("credit", link.credit)
        report.add("frames.sent", counters.scans)
        report.add("receipts", counters.receipts)
        report.add("receipts.stray", counters.strayReceipts)
        report.add("plays", counters.plays)
        report.add("faults.device", counters.faults)
        report.add("recordings.assumedRanges", counters.recordings.assumedRanges)
        report.add("recordings.ignoredLines", counters.recordings.ignoredLines)
        report.add("recordings.ignoredContacts", counters.recordings.ignoredContacts)
        report.add("recordings.timesBackwards", counters.recordings.timesBackwards)
        report.add("frames.fenced", link.counters.fenced)
        report.add("frames.missing", link.counters.missing)
        report.add("frames.lost", counters.lost)
        report.add("absences", counters.absences)
        report.add("refusals", counters.refusals.count)
        live.report(into: &report)
        return report
    }

    // MARK: The server

    /// Sends the hello of a link that is opening, and arms the timer that sends it again.
    private mutating func sendHello(at now: Instant, into outbox: inout Outbox) {
        guard let hello = link.pendingHello else { return }
        outbox.append(.send(hello, to: .systemServer))
        outbox.append(.arm(Timer.hello, at: now.advanced(by: Link.helloPeriod)))
    }

    private mutating func receive(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        switch link.receive(frame, at: now) {
        case .opened:
            outbox.append(.disarm(Timer.hello))
            outbox.trace.note(
                now, .process, "system-server is here, epoch {a}, generation {b}", Int64(link.epoch),
                Int64(link.peerGeneration))
            guard !isReady else { return }
            isReady = true
            tell(.ready, into: &outbox)
        case .arrived: handle(frame, at: now, into: &outbox)
        case .refused: sendLive(at: now, into: &outbox)
        case .helloRepeated: preconditionFailure("a client's hello is not repeated to it")
        }
    }

    private mutating func handle(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        switch frame.message {
        case .handled(let receipt):
            counters.receipts += 1
            take(receipt, ledger: frame.ledger, at: now)
            answered(at: now, into: &outbox)
        case .link(.heard(let oldest, _)):
            // The server has answered these frames and the receipts were lost: their outcome stays unknown.
            let lost =
                unanswered.frames.answersLost(received: frame.ack, oldest: oldest)
                + (play?.frames.answersLost(received: frame.ack, oldest: oldest) ?? [])
            for sequence in lost {
                let receipt = Receipt(frame: sequence, outcome: .dropped, reason: .lostOnLink)
                take(receipt, ledger: Ledger(), at: now)
            }
            answered(at: now, into: &outbox)
        // Every frame brings credit.
        default: sendLive(at: now, into: &outbox)
        }
    }

    private mutating func take(_ receipt: Receipt, ledger: Ledger, at now: Instant) {
        if receipt.reason == .lostOnLink {
            counters.lost += 1
            (owesStanding, standingSaid) = (true, 0)
        }
        if play?.take(receipt, ledger: ledger) == true {
            play?.lastProgress = now
        } else if !unanswered.remove(receipt.frame) {
            counters.strayReceipts += 1
        }
    }

    /// There may be room now, and somebody may have waited for just this.
    private mutating func answered(at now: Instant, into outbox: inout Outbox) {
        markers.heard(at: now)
        // Before anything else takes the credit.
        sayStanding(at: now, into: &outbox)
        sendLive(at: now, into: &outbox)
        if state == .blocked, play?.unansweredNow ?? 0 <= resumeBelow { pump(at: now, into: &outbox) }
        if state == .draining, play?.unansweredNow == 0 { advance(.allAnswered, at: now, into: &outbox) }
        reachMarkers(at: now, into: &outbox)
    }

    /// Whoever has missed a scan hears how each device stands: whom it does not name has lifted.
    private mutating func sayStanding(at now: Instant, into outbox: inout Outbox) {
        guard owesStanding, link.isOpen else { return }
        var standing = live.standing()
        if openings > 0 {
            let nobody = FrameAssembler(ranges: FingerScript.ranges, senderID: 1, generationCount: openings)
            standing.insert((glass ?? nobody).standing(at: lastStamp), at: 0)
        }
        // As everything else they wait for room, one by one.
        let owed = standing.dropFirst(standingSaid).prefix(Int(link.credit))
        for event in owed { unanswered.append(put(event, at: now, into: &outbox), at: now) }
        standingSaid += owed.count
        owesStanding = standingSaid < standing.count
    }

    private mutating func pulse(at now: Instant, into outbox: inout Outbox) {
        suspension.timerFired()
        guard link.isOpen, waitsForAnswers || isStarved, let probe = link.probe(at: now) else { return }
        outbox.append(.send(probe, to: .systemServer))
    }

    /// It was stopped: who is on the glass now need not be who was, so they are cancelled, and dead
    /// until they lift. A play goes on where it was, and nothing that was due meanwhile is sent at once.
    private mutating func wasAway(_ away: Duration, at now: Instant, into outbox: inout Outbox) {
        counters.absences += 1
        let fingers = touching
        outbox.trace.note(
            now, .device, "away for {a:t}, limit {b:t}: {c} fingers cancelled", away.nanoseconds,
            suspension.limit.nanoseconds, Int64(fingers))
        play?.pacing.shift(by: away)
        if let event = glass?.giveUpAll(at: now), link.isOpen {
            let sequence = put(event, at: now, into: &outbox)
            if play == nil { unanswered.append(sequence, at: now) } else { play?.didSend(event, as: sequence) }
        }
        if live.wasAway(at: now) > 0 { liveHappened(at: now, into: &outbox) }
    }

    private mutating func lostServer(at now: Instant, into outbox: inout Outbox) {
        link.lost()
        outbox.append(.disarm(Timer.hello))
        dropFingers(at: now, into: &outbox)
    }

    /// Whoever knew of the fingers is gone: for everybody else they have never been.
    private mutating func dropFingers(at now: Instant, into outbox: inout Outbox) {
        let fingers = (glass?.touching ?? 0) + live.forgetFingers()
        outbox.trace.note(now, .process, "system-server lost; {a} fingers are dead", Int64(fingers))
        glass = nil
        held = HeldInputs()
        unanswered.removeAll()
        owesStanding = false
        for id in markers.takeAll() { refuse(id, "system-server lost", into: &outbox) }
        play?.fail("system-server lost")
        advance(.lost, at: now, into: &outbox)
        armLive(into: &outbox)
    }

    // MARK: Playing

    private mutating func begin(_ order: PlayOrder, at now: Instant, into outbox: inout Outbox) {
        guard order.source != .marker else { return mark(order.id, at: now, into: &outbox) }
        guard state == .idle else {
            return refuse(order.id, "busy: play \(play?.order.id ?? 0) is running", into: &outbox)
        }
        guard link.isOpen else { return refuse(order.id, "system-server is not connected", into: &outbox) }
        guard displays.contains(order.display) else {
            return refuse(order.id, "display \(order.display): there are \(displays.all.count)", into: &outbox)
        }
        let source: FrameSource
        do throws(RecordingError) {
            source = try FrameSource(order, screen: displays.geometry(of: order.display), file: lastFile)
        } catch { return refuse(order.id, "\(error)", into: &outbox) }
        counters.plays += 1
        cancelFingers(at: now, into: &outbox)
        glass = nil
        play = Play(order, source: source)
        measured = 0
        advance(.ordered, at: now, into: &outbox)
        pump(at: now, into: &outbox)
    }

    private mutating func refuse(_ id: UInt32, _ reason: String, into outbox: inout Outbox) {
        var report = PlayReport(id: id)
        report.failure = reason
        tell(.played(report), into: &outbox)
    }

    // MARK: Markers

    private mutating func mark(_ id: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard link.isOpen else { return refuse(id, "system-server is not connected", into: &outbox) }
        guard markers.append(id, behind: play?.order.id, ordinal: live.lastOrdinal, at: now) else {
            return refuse(id, "\(markers.count) of \(Markers.limit) markers wait already", into: &outbox)
        }
        reachMarkers(at: now, into: &outbox)
    }

    private mutating func reachMarkers(at now: Instant, into outbox: inout Outbox) {
        guard !markers.isEmpty else { return }
        let reached = markers.takeReached { live.isSent(upTo: $0) && unanswered.isEmpty(upTo: $0) }
        for id in reached { tell(.played(PlayReport(id: id)), into: &outbox) }
        armMarkers(into: &outbox)
    }

    /// What is sent is answered, or its sender's patience ends: a marker has the same as a play.
    private mutating func markersWaited(at now: Instant, into outbox: inout Outbox) {
        markersArmed = nil
        for id in markers.takeOverdue(at: now, patience: Self.patience) {
            refuse(id, "\(unanswered.count) frames unanswered", into: &outbox)
        }
        armMarkers(into: &outbox)
    }

    /// The play ends, and what it sent may still be answered: whoever waits for that must not be told otherwise.
    private mutating func leaveUnanswered(at now: Instant) {
        for entry in play?.frames.entries ?? [] { unanswered.append(entry.sequence, at: now) }
    }

    private mutating func armMarkers(into outbox: inout Outbox) {
        guard markersArmed == nil, let deadline = markers.deadline(patience: Self.patience) else { return }
        markersArmed = deadline
        outbox.append(.arm(Timer.markers, at: deadline))
    }

    // MARK: Live devices

    /// After any news of theirs: what can be sent is, and the next moment that matters is known.
    private mutating func liveHappened(at now: Instant, into outbox: inout Outbox) {
        sendLive(at: now, into: &outbox)
        // Where nothing waits to be sent.
        armLive(into: &outbox)
    }

    /// Sends what waits, as far as the server's credit goes.
    private mutating func sendLive(at now: Instant, beyondCredit: Bool = false, into outbox: inout Outbox) {
        guard live.hasScans, link.isOpen else { return }
        var faults: [ContactFault] = []
        while beyondCredit || link.credit > 0 {
            let admission = Admission(
                unanswered: unanswered, credit: link.credit, capacity: link.capacity,
                since: now.advanced(byNanoseconds: -Self.patience.nanoseconds))
            let next = live.next(by: beyondCredit ? nil : admission, at: now, faults: &faults)
            guard let (event, ordinal) = next else { break }
            let sequence = put(event, at: now, into: &outbox)
            unanswered.append(sequence, ordinal: ordinal, of: event.senderID, at: now)
        }
        for fault in faults { facts.note(fault, at: now, into: &outbox.trace) }
        counters.faults += UInt64(faults.count)
        // A scan that said nothing went without a frame, and nobody answers for it.
        reachMarkers(at: now, into: &outbox)
        armLive(into: &outbox)
    }

    /// One timer for all of them: it is moved only to come earlier, and looks again when it fires.
    private mutating func armLive(into outbox: inout Outbox) {
        guard let deadline = live.deadline(), liveArmed.map({ deadline < $0 }) ?? true else { return }
        liveArmed = deadline
        outbox.append(.arm(Timer.live, at: deadline))
    }

    // MARK: The end of a play

    /// Whoever ordered the play is gone. Its fingers are taken off the glass; nobody waits for the receipts.
    private mutating func stopPlay(_ id: UInt32, at now: Instant, into outbox: inout Outbox) {
        if markers.remove(id) { return }
        guard play?.order.id == id, state != .reporting else { return }
        play?.fail("stopped")
        cancelFingers(at: now, into: &outbox)
        glass = nil
        leaveUnanswered(at: now)
        advance(.lost, at: now, into: &outbox)
    }

    private mutating func note(_ remarks: FrameSource.Remarks, at now: Instant, into outbox: inout Outbox) {
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
            now, .device, "the recording had {a} foreign lines, {b} impossible contacts, {c} times going back",
            Int64(remarks.ignoredLines), Int64(remarks.ignoredContacts), Int64(remarks.timesBackwards))
    }

    /// Sends what is due and may be sent, then says what hinders it from sending on.
    private mutating func pump(at now: Instant, into outbox: inout Outbox) {
        // Taken out while it is changed, or its queues would be copied; and moved, as it is large.
        guard var taken = play.take() else { return }
        var effects: [Effect] = []
        taken.source.refill(into: &effects)
        let hindrance = send(&taken, at: now, effects: &effects, into: &outbox)
        for effect in effects { outbox.append(effect) }
        lastFile = taken.source.file
        if hindrance == .sentEverything, let failure = taken.source.failure { taken.fail(failure) }
        let hasFailed = !taken.report.failure.isEmpty
        play = consume taken
        if hindrance == .sentEverything, hasFailed { cancelFingers(at: now, into: &outbox) }
        advance(hindrance, at: now, into: &outbox)
        if state == .draining, self.play?.unansweredNow == 0 { advance(.allAnswered, at: now, into: &outbox) }
    }

    private mutating func send(
        _ play: inout Play, at now: Instant, effects: inout [Effect], into outbox: inout Outbox
    ) -> PlayState.Input {
        var room = min(play.limit - play.unanswered, link.credit)
        while let item = play.source.first {
            guard room > 0 else { return .noRoom }
            let due = play.pacing.due(item, at: now)
            guard due <= now else {
                arm(due, into: &outbox)
                return .notDue
            }
            if send(item.report, of: &play, due: due, at: now, into: &outbox) {
                if play.unanswered == 1 { play.lastProgress = now }
                room -= 1
            }
            play.pacing.didSend(due: due)
            play.source.removeFirst()
            play.source.refill(into: &effects)
        }
        return play.source.isEnded ? .sentEverything : .ranDry
    }

    /// - Returns: False when the report says nothing that an event could tell.
    private mutating func send(
        _ report: FingerScript.Report, of play: inout Play, due: Instant, at now: Instant, into outbox: inout Outbox
    ) -> Bool {
        switch report {
        case .contacts(let scan):
            if glass == nil {
                openings += 1
                glass = FrameAssembler(
                    ranges: play.source.ranges, senderID: 1, generationCount: openings, device: play.source.device,
                    display: play.order.display)
            }
            var faults: [ContactFault] = []
            let event = glass?.assemble(scan, at: max(due, lastStamp), faults: &faults)
            if let event { play.didSend(event, as: put(event, at: now, into: &outbox)) }
            for fault in faults { facts.note(fault, at: now, into: &outbox.trace) }
            counters.faults += UInt64(faults.count)
            return event != nil
        case .device(_, let input):
            guard let input = held.take(input) else { return false }
            play.didSend(as: put(DeviceEvent(timeStamp: max(due, lastStamp), input: input), at: now, into: &outbox))
            return true
        }
    }

    /// One scan on its way. Its time stamp is its device's stamp.
    ///
    /// - Returns: Its sequence number, by which its receipt will name it.
    private mutating func put(_ event: HIDEvent, at now: Instant, into outbox: inout Outbox) -> UInt64 {
        counters.scans += 1
        restsAt = now.advanced(by: Self.rest)
        if event.senderID == 1 { lastStamp = max(lastStamp, event.timeStamp) }
        facts.note(event, number: counters.scans, at: now, into: &outbox.trace)
        if probes { outbox.trace.probe(now, .device, "input emit") }
        let frame = link.frame(.digitizer(event), ledger: Ledger(device: event.timeStamp))
        outbox.append(.send(frame, to: .systemServer))
        return frame.sequence
    }

    private mutating func put(_ event: DeviceEvent, at now: Instant, into outbox: inout Outbox) -> UInt64 {
        counters.scans += 1
        lastStamp = max(lastStamp, event.timeStamp)
        outbox.trace.note(now, .device, "{a:n}", outbox.trace.name(event.input.text(sayingKeys: saysKeys)))
        if probes { outbox.trace.probe(now, .device, "input emit") }
        let frame = link.frame(.device(event), ledger: Ledger(device: event.timeStamp))
        outbox.append(.send(frame, to: .systemServer))
        return frame.sequence
    }

    /// Whoever is on the glass is taken off it, and keys and pointers end, as part of the play if one is running.
    private mutating func cancelFingers(at now: Instant, into outbox: inout Outbox) {
        let (fingers, inputs) = (glass?.cancelAll(at: now), held.cancelAll())
        guard link.isOpen else { return }
        if let fingers {
            let sequence = put(fingers, at: now, into: &outbox)
            // Left there by a play that is over: the answer is to nobody's question, and waited for all the same.
            if play == nil { unanswered.append(sequence, at: now) } else { play?.didSend(fingers, as: sequence) }
        }
        for input in inputs {
            let sequence = put(DeviceEvent(timeStamp: now, input: input), at: now, into: &outbox)
            if play == nil { unanswered.append(sequence, at: now) } else { play?.didSend(as: sequence) }
        }
    }

    private mutating func arm(_ moment: Instant, into outbox: inout Outbox) {
        guard momentArmed != moment else { return }
        momentArmed = moment
        outbox.append(.arm(Timer.moment, at: moment))
    }

    private mutating func armPatience(at now: Instant, into outbox: inout Outbox) {
        guard !isPatienceArmed else { return }
        isPatienceArmed = true
        outbox.append(.arm(Timer.patience, at: now.advanced(by: Self.patience)))
    }

    /// The timer is armed once and looks at the last receipt when it fires: cheaper than moving it with each.
    private mutating func patienceEnded(at now: Instant, into outbox: inout Outbox) {
        isPatienceArmed = false
        guard state == .blocked || state == .draining, let play else { return }
        let deadline = play.lastProgress.advanced(by: Self.patience)
        guard now >= deadline else {
            isPatienceArmed = true
            outbox.append(.arm(Timer.patience, at: deadline))
            return
        }
        self.play?.fail("\(play.unanswered) frames unanswered")
        cancelFingers(at: now, into: &outbox)
        leaveUnanswered(at: now)
        advance(.silence, at: now, into: &outbox)
    }

    // MARK: Where the play stands

    private mutating func advance(_ input: PlayState.Input, at now: Instant, into outbox: inout Outbox) {
        guard let (next, order) = PlayState.transition(from: state, on: input) else {
            preconditionFailure("a play cannot take \(input) while \(state)")
        }
        state = next
        switch order {
        case .begin: outbox.trace.note(now, .process, "play {a} begins", Int64(play?.order.id ?? 0))
        case .armPatience:
            resumeBelow = (play?.unansweredNow ?? 0) * 3 / 4
            armPatience(at: now, into: &outbox)
        case .report:
            var effects: [Effect] = []
            play?.source.close(into: &effects)
            for effect in effects { outbox.append(effect) }
            sendReport(at: now, into: &outbox)
        // The moment was armed where it was known; a refusal was answered before it came here.
        case .armMoment, .refuse, .wait, .nothing: return
        }
    }

    /// Ledgers first, a few frames at a time, then the report that ends the play.
    private mutating func sendReport(at now: Instant, into outbox: inout Outbox) {
        guard let play else { return }
        for _ in 0..<Self.measuredAtOnce where measured < play.ledgers.count {
            let end = min(play.ledgers.count, measured + Message.ledgersPerFrame)
            tell(.measured(Array(play.ledgers[measured..<end])), into: &outbox)
            measured = end
        }
        guard measured == play.ledgers.count else {
            outbox.append(.arm(Timer.report, at: now.advanced(by: Self.measuredPause)))
            return
        }
        tell(.played(play.report), into: &outbox)
        markers.playEnded(play.order.id, at: now)
        outbox.trace.note(
            now, .process, "play {a} ends: {b} sent, {c} answered", Int64(play.order.id),
            Int64(clamping: play.report.sent), Int64(clamping: play.report.answered))
        self.play = nil
        advance(.reported, at: now, into: &outbox)
        reachMarkers(at: now, into: &outbox)
    }

    private mutating func stop(at now: Instant, into outbox: inout Outbox) {
        cancelFingers(at: now, into: &outbox)
        for id in markers.takeAll() { refuse(id, "input-kit was stopped", into: &outbox) }
        live.endAll(at: now)
        sendLive(at: now, beyondCredit: true, into: &outbox)
        if state != .idle {
            play?.fail("input-kit was stopped")
            // There is no later for the ledgers that have not gone out.
            measured = play?.ledgers.count ?? 0
            if state == .reporting {
                sendReport(at: now, into: &outbox)
            } else {
                advance(.lost, at: now, into: &outbox)
            }
        }
        outbox.append(.exit(status: 0))
    }
}

extension PlayState {
    /// Whether frames are still to be sent.
    var sends: Bool {
        switch self {
        case .waiting, .pacing, .blocked: true
        case .idle, .draining, .reporting: false
        }
    }
}
