// Audit.swift: the laws of Docs/Spec/Pipeline.md section 3, checked over everything that happened in a run.
//
//    occurrences, in causal order ─▶ take ─▶ … ─▶ finish ─▶ AuditReport
//
// A fold that looks at what processes were given and what they answered, and at nothing inside them: what the server
// holds, what an app believes to be down, is followed from frames alone. What is over is forgotten, so that a long run
// needs no more room than a short one.
//
//    Audit             who is there; I7 of lives, I9
//    Audit+InputKit    scans sent, receipts heard                    StreamVerifier: I3, and of I6 and I7 what frames show
//    Audit+Server      scans taken, touches told, scans answered     Tally: I4
//    Audit+App         touches heard, frames answered                Latencies: I5
//
// Sources   Docs/Spec/Pipeline.md section 3

public import Basics
import HID
public import Hosting
import Links
import Wire

public struct Audit: Sendable {
    public private(set) var options: AuditOptions
    var report = AuditReport()

    var input: ScanLink
    var server: Presence?
    var apps: [AppLink] = []
    /// By instance; an instance beyond it is looked for.
    private var places: [Int] = []
    /// Supervisors so far.
    private var groups = 0

    /// Fingers as the server has heard of them, and whose the next one is.
    var glass = Glass()
    var front: Front
    /// Who looks on from outside.
    var spies = Spies()
    /// URLs that are to be opened.
    var opens = OpenLedger()
    /// The two keys of a screenshot.
    var shots = ScreenshotLedger()
    /// Whether some app is still to be told something.
    var owes = false
    /// The server's display, if it has one.
    var display = DisplayClock()

    /// When the server or input-kit ended, until those concerned have heard of it.
    var inputLossUnheard: Instant?

    public init(_ options: AuditOptions) {
        self.options = options
        front = Front(options.displays ?? AuditOptions.unknown, orientations: options.orientations)
        input = ScanLink(hasOneClock: options.hasOneClock)
    }

    public mutating func take(_ occurrence: Occurrence) {
        switch occurrence {
        case .began(let life, let at): began(life, at: at)
        case .step(let step): take(step)
        case .lost(let sequence, let kind, let sender, let receiver, _, let cause):
            lost(sequence, kind, from: sender, to: receiver, cause)
        case .ended(let life, let at, let status): ended(life, at: at, status)
        }
    }

    /// The same of a step, which is most of what happens.
    public mutating func take(_ step: Step) {
        report.steps += 1
        let limit = AuditOptions.outboxLimit
        if step.effects.count > limit {
            note(.bounds, "\(step.effects.count) effects of one step, limit \(limit)", step)
        }
        switch step.life.peer.role {
        case .inputKit: takeInputKit(step)
        case .systemServer: takeServer(step)
        case .app: takeApp(step)
        case .supervisor, .controller: break
        }
    }

    // MARK: Lives

    private mutating func began(_ life: Life, at moment: Instant) {
        report.lives += 1
        switch life.peer.role {
        case .inputKit:
            expectNewer(life, than: input.presence, at: moment)
            input.presence = Presence(life: life, group: groups)
            input.ends.clientBegins()
            (input.play, input.hasHands, input.paces) = (nil, false, [])
            input.streams.append(ScanLink.Stream(life: life))
            if input.streams.count > Self.streamLimit { forgetStream() }
        case .systemServer:
            expectNewer(life, than: server, at: moment)
            server = Presence(life: life, group: groups)
            input.ends.serverBegins()
            input.heardByServer = nil
            forgetGlass()
            display = DisplayClock(start: moment)
            for place in apps.indices {
                apps[place].ends.serverBegins()
                serverLetGo(of: place)
                apps[place].tally = Tally()
            }
        case .app:
            let place = place(of: AppID(life.peer.instance))
            expectNewer(life, than: apps[place].presence, at: moment)
            apps[place].presence = Presence(life: life, group: groups)
            apps[place].ends.clientBegins()
        // Another group on the same folder, which counts its lives anew.
        case .supervisor: groups += 1
        case .controller: break
        }
    }

    private mutating func expectNewer(_ life: Life, than before: Presence?, at moment: Instant) {
        guard let before, before.group == groups, life.generation <= before.life.generation else { return }
        note(
            Violation(
                .fencing, "\(life.peer) began in generation \(life.generation), after \(before.life.generation)",
                at: moment))
    }

    private mutating func ended(_ life: Life, at moment: Instant, _ status: ExitStatus?) {
        report.deaths += 1
        switch life.peer.role {
        case .inputKit:
            guard input.presence?.life == life else { return }
            (input.presence!.isAlive, input.presence!.endedAt) = (false, moment)
            if server?.isAlive == true, input.heardByServer != nil { inputLossUnheard = moment }
        case .systemServer:
            guard server?.life == life else { return }
            (server!.isAlive, server!.endedAt) = (false, moment)
            server!.hasLeaseExpired = status == .exited(ExitStatus.leaseExpired)
            for place in input.streams.indices { cancelScans(of: place) }
            input.heardByServer = nil
            inputLossUnheard = nil
            forgetGlass()
            for place in apps.indices {
                serverLetGo(of: place)
                apps[place].appLossUnheard = nil
                guard !apps[place].touches.live.isEmpty, apps[place].serverLossUnheard == nil else { continue }
                apps[place].serverLossUnheard = moment
            }
        case .app:
            let place = place(of: AppID(life.peer.instance))
            guard apps[place].presence?.life == life else { return }
            (apps[place].presence!.isAlive, apps[place].presence!.endedAt) = (false, moment)
            apps[place].serverLossUnheard = nil
            if server?.isAlive == true, !apps[place].touches.told.isEmpty { apps[place].appLossUnheard = moment }
            end(apps[place].touches.live, of: place, .appDied)
            apps[place].touches.live.removeAll()
            apps[place].held = HeldInputs()
        case .supervisor, .controller: break
        }
    }

    /// Touches the server has told apps of and not ended.
    var toldLive: Int { apps.reduce(0) { $0 + $1.touches.told.count } }

    /// Where an app's link is.
    mutating func place(of app: AppID) -> Int {
        let small = Int(clamping: app.rawValue)
        if small < places.count, places[small] >= 0 { return places[small] }
        if let place = apps.firstIndex(where: { $0.app == app }) { return place }
        apps.append(AppLink(app: app, hasOneClock: options.hasOneClock))
        if small < 4096 {
            while places.count <= small { places.append(-1) }
            places[small] = apps.count - 1
        }
        return apps.count - 1
    }

    // MARK: Links that lose

    private mutating func lost(
        _ sequence: SequenceNumber, _ kind: MessageKind, from sender: Life, to receiver: Peer, _ cause: LossCause
    ) {
        report.links.lost += 1
        explain(sequence, from: sender, to: receiver)
        guard kind.asksForReceipt else { return }
        switch (sender.peer.role, receiver.role) {
        case (.inputKit, .systemServer):
            guard let place = input.streams.lastIndex(where: { $0.life == sender }) else { return }
            let state: Tally.State = cause == .receiverGone ? .over : .lost
            // One that is answered already was a copy: the answer may still be under way.
            guard let known = input.streams[place].tally.close(sequence, as: state) else { return }
            input.ends.client.lost(sequence)
            if known.state == .lost { report.scans.uncountLoss() }
            if cause == .receiverGone {
                report.scans.count(.cancelled)
            } else {
                report.scans.count(.lostOnLink)
            }
        case (.systemServer, .app):
            let place = place(of: AppID(receiver.instance))
            guard server?.life == sender else { return }
            let state: Tally.State = cause == .receiverGone ? .over : .lost
            guard let known = apps[place].tally.close(sequence, as: state) else { return }
            if known.state == .lost { report.frames.uncountLoss() }
            // Its server still waits for an answer: that it is lost nobody has told it.
            if cause == .receiverGone {
                report.frames.count(.cancelled)
            } else {
                report.frames.count(.lostOnLink)
            }
        default: break
        }
    }

    /// A frame that is missing where a later one comes is missing for a reason.
    private mutating func explain(_ sequence: SequenceNumber, from sender: Life, to receiver: Peer) {
        func add(_ list: inout [SequenceNumber]) {
            // Behind them nothing came for thousands: that is said otherwise.
            if list.count >= Tally.horizon { list.removeFirst(list.count / 2) }
            list.append(sequence)
        }
        switch (sender.peer.role, receiver.role) {
        case (.inputKit, .systemServer) where input.presence?.life == sender: add(&input.ends.lostToServer)
        case (.systemServer, .inputKit) where server?.life == sender: add(&input.ends.lostToClient)
        case (.app, .systemServer):
            let place = place(of: AppID(sender.peer.instance))
            if apps[place].presence?.life == sender { add(&apps[place].ends.lostToServer) }
        case (.systemServer, .app) where server?.life == sender:
            add(&apps[place(of: AppID(receiver.instance))].ends.lostToClient)
        default: return
        }
    }

    /// Frames are missing before this one, and somebody must know why.
    mutating func expectLost(
        _ missing: UInt64, before frame: Frame, among lost: WritableKeyPath<Audit, [SequenceNumber]>, from sender: Peer,
        _ step: Step
    ) {
        let sequence = frame.sequence
        var known: UInt64 = 0
        self[keyPath: lost].removeAll { number in
            if number < sequence, number >= sequence.retreated(by: missing) { known += 1 }
            return number < sequence
        }
        guard known < missing else { return }
        let receiver = step.life.peer
        // They were sent before this one, which may have waited long for a receiver that is slow.
        let sent = min(step.at, frame.ledger[sender == .systemServer ? .serverSent : .inputSent] ?? step.at)
        let isExplained = options.disturbances.contains { disturbance in
            disturbance.explainsLoss && disturbance.from <= step.at && sent <= disturbance.until
                && (disturbance.peer == nil || disturbance.peer == sender || disturbance.peer == receiver)
        }
        guard !isExplained else { return }
        note(
            .conservation,
            "\(missing) frames of \(sender) are missing before #\(sequence) to \(receiver), and \(known) of them were "
                + "lost", step)
    }

    /// What the scans before this one were to become, nobody will say any more.
    mutating func cancelScans(of place: Int, before sequence: SequenceNumber = .max) {
        var (cancelled, late) = (UInt64(0), UInt64(0))
        input.streams[place].tally.closeAll(before: sequence) { entry in
            if entry.state == .late { late += 1 } else { cancelled += 1 }
        }
        report.scans.fates[Int(Fate.cancelled.rawValue)] += cancelled
        report.scans.fates[Int(Fate.rejected.rawValue)] += late
    }

    /// More lives than ever wait for a server to come back.
    private static var streamLimit: Int { 64 }

    private mutating func forgetStream() {
        cancelScans(of: 0)
        input.streams.removeFirst()
        if let heard = input.heardByServer { input.heardByServer = heard > 0 ? heard - 1 : nil }
    }

    /// The server has no link to this app any more.
    mutating func serverLetGo(of place: Int) {
        apps[place].isHeldByServer = false
        (apps[place].answering.askedSince, apps[place].answering.isStalled) = (nil, false)
        apps[place].touches.told.removeAll(keepingCapacity: true)
        var cancelled: UInt64 = 0
        apps[place].tally.closeAll { _ in cancelled += 1 }
        report.frames.fates[Int(Fate.cancelled.rawValue)] += cancelled
    }

    /// Touches an app has been told of are over.
    mutating func end(_ touches: [TouchID], of place: Int, _ cause: EndCause) {
        report.ends[Int(cause.rawValue)] += UInt64(touches.count)
    }

    // MARK: Violations

    /// A violation that somebody else has found: a replay that differs from its journal (I9).
    public mutating func note(_ violation: Violation) {
        note(violation.law) { violation }
    }

    /// - Parameter text: Made only for a violation that is kept: a broken core breaks a law at every step.
    mutating func note(_ law: Law, _ text: @autoclosure () -> String, _ step: Step) {
        note(law) {
            Violation(
                law, text(), at: step.at,
                evidence: [
                    Violation.Evidence(life: step.life, step: step.index, at: step.at, text: step.input.gist)
                ])
        }
    }

    mutating func note(_ law: Law, _ violation: () -> Violation) {
        guard law != .promptness || options.judgesPromptness else { return }
        report.violationsByLaw[law.place] += 1
        guard report.violations.count < options.kept else { return }
        report.violations.append(violation())
    }

    /// What an end of a link has said that no honest one says.
    mutating func note(_ fault: StreamFault, sending frame: Frame, to peer: Peer, _ step: Step) {
        note(fault.law, "\(step.life) sent \(frame.message.kind) #\(frame.sequence) to \(peer): \(fault)", step)
    }

    mutating func note(_ fault: StreamFault, hearing frame: Frame, from peer: Peer, _ step: Step) {
        note(fault.law, "\(step.life) heard \(frame.message.kind) #\(frame.sequence) of \(peer): \(fault)", step)
    }

    /// Whether it took longer than it may, not counting the time in which one of these was held up on purpose.
    func isLate(_ late: Duration, _ limit: Duration, since start: Instant, until end: Instant, _ peers: [Peer]) -> Bool
    {
        guard late > limit else { return false }
        var spans = options.disturbances.filter { disturbance in
            guard disturbance.excusesLateness, disturbance.from < end, start < disturbance.until else { return false }
            return disturbance.peer.map(peers.contains) ?? true
        }
        spans.sort { $0.from < $1.from }
        var (covered, reached) = (Duration.zero, start)
        for span in spans where span.until > reached {
            covered += max(span.from, reached).duration(to: min(span.until, end))
            reached = min(span.until, end)
        }
        return late - covered > limit
    }

    /// Whoever holds touches of somebody who has ended hears of it.
    mutating func judgeLoss(_ what: @autoclosure () -> String, since start: Instant, _ peer: Peer, _ step: Step) {
        let late = start.duration(to: step.at)
        let limit = options.lossBound
        guard isLate(late, limit, since: start, until: step.at, [peer, step.life.peer, .systemServer]) else { return }
        note(.promptness, "\(what()) after \(late.milliseconds), with touches alive; limit \(limit.milliseconds)", step)
    }

    /// Something is done to somebody on purpose, from here on.
    public mutating func disturb(_ disturbance: AuditOptions.Disturbance) { options.disturbances.append(disturbance) }

    // MARK: The end

    /// The run was broken off, before it came to rest.
    public mutating func breakOff() { options.isAtRest = false }

    /// Whoever has not heard of an end by now.
    private mutating func finishLosses(at end: Instant) {
        func expect(_ who: Peer, _ other: Peer, _ since: Instant?) {
            guard let since else { return }
            let (late, limit) = (since.duration(to: end), options.lossBound)
            guard isLate(late, limit, since: since, until: end, [who, other]) else { return }
            note(.promptness) {
                Violation(
                    .promptness,
                    "\(who) has not heard of \(other)'s end for \(late.milliseconds), with touches alive; limit "
                        + "\(limit.milliseconds)", at: end)
            }
        }
        if toldLive > 0 { expect(.systemServer, .inputKit, inputLossUnheard) }
        for app in apps {
            expect(.app(app.app), .systemServer, app.serverLossUnheard)
            expect(.systemServer, .app(app.app), app.appLossUnheard)
        }
    }

    /// The run is over: what is open now stays open.
    public mutating func finish(at end: Instant) -> AuditReport {
        report.lawsJudged = Law.allCases.filter { law in
            switch law {
            case .promptness: options.judgesPromptness
            case .isolation: options.measuresIsolation && apps.contains(where: Self.isIsolationMeasured)
            case .determinism: options.isReplayed || report.violationsByLaw[law.place] > 0
            default: true
            }
        }
        finishScans(at: end)
        finishLosses(at: end)
        finishFrames(at: end)
        finishTouches(at: end)
        finishLatencies(at: end)
        finishOpens(at: end)
        return report
    }
}

extension Law {
    var place: Int { Law.allCases.firstIndex(of: self)! }
}

extension StreamFault {
    /// Which law the fault breaks.
    var law: Law {
        if isOfAnotherTime { return .fencing }
        if isBeyondBounds { return .bounds }
        switch self {
        case .receiptForUnheard, .receiptTwice, .receiptReason: return .conservation
        case .touch(_, .beganTwice), .touch(_, .neverBegan), .touch(_, .numberUsedBefore): return .oneTerminal
        default: return .legality
        }
    }
}

extension AuditReport.Balance {
    mutating func count(_ fate: Fate) { fates[Int(fate.rawValue)] += 1 }

    mutating func count(_ reason: Receipt.Reason) {
        count(.dropped)
        drops[Int(reason.rawValue)] += 1
    }

    /// It had been thought lost, and a copy came.
    mutating func uncountLoss() {
        fates[Int(Fate.dropped.rawValue)] -= 1
        drops[Int(Receipt.Reason.lostOnLink.rawValue)] -= 1
    }

    /// A receipt says what became of it.
    ///
    /// - Parameter isMerged: It was handled, and said nothing of its own.
    mutating func count(_ receipt: Receipt, isTouches: Bool) {
        switch receipt.outcome {
        case .dropped: count(receipt.reason)
        case .home: count(.delivered)
        case .delivered: count(isTouches && receipt.isSilent ? .coalesced : .delivered)
        }
    }
}

extension Input {
    /// For a person who looks for the step.
    var gist: String {
        switch self {
        case .frame(let frame, let sender): "\(frame.message.kind) #\(frame.sequence) from \(sender)"
        case .started: "started"
        case .connected(let peer): "connected to \(peer)"
        case .peerLost(let peer): "\(peer) lost"
        case .refused(let refusal): "refused: \(refusal)"
        case .timerFired(let timer): "timer \(timer.rawValue)"
        case .fileBytes: "bytes of a file"
        case .fileFailed(_, let reason): "file: \(reason)"
        case .device: "news of a device"
        case .childStarted(let peer, _): "\(peer) started"
        case .childFailed(let peer, _): "\(peer) could not be started"
        case .childExited(let peer, _, let status): "\(peer) exited: \(status)"
        case .programReplaced(let peer): "\(peer)'s program is another"
        case .stopRequested: "asked to stop"
        }
    }
}
