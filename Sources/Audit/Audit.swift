// Audit.swift: the laws of Docs/Spec/Pipeline.md section 3, checked over all occurrences of a run.
//
//    occurrences, in causal order ─▶ add ─▶ … ─▶ finish ─▶ AuditReport
//
//    Audit             the processes of the run; I7 of generations, I9
//    Audit+InputKit    scans sent, receipts received                 StreamVerifier: I3, and of I6 and I7 what frames show
//    Audit+Server      scans received, touches sent, receipts sent   FrameTally: I4
//    Audit+App         touches received, receipts sent               Latencies: I5
//
// Input     Occurrence: Simulator, AuditedReplay
// Output    AuditReport
// Knows     the inputs and effects of processes. No state inside a core: everything is derived from frames.
//
// Closed entries are removed, so that the memory of a long run is bounded.
//
// Sources   Docs/Spec/Pipeline.md section 3

public import Basics
import HID
public import Hosting
import Links
import Settings
import Wire

/// A fold over the occurrences of one run that reports violations of the laws.
public struct Audit: Sendable {
    public private(set) var options: AuditOptions
    var report = AuditReport()

    var input: ScanLink
    var server: Presence?
    var apps: [AppLink] = []
    /// Indices of apps by instance number. An instance beyond the array is searched for.
    private var appIndices: [Int] = []
    /// The number of supervisors that have started.
    private var groupCount = 0

    let displays: Displays
    /// The fingers as the server knows them, and the owner of the next one.
    var glass = PanelState()
    var front: Front
    /// The touch monitors.
    var monitors = TouchMonitors()
    /// The open requests for URLs.
    var opens = OpenLedger()
    /// The state of the screenshot chord.
    var shots = ScreenshotLedger()
    /// Whether a frame is still due to an app.
    var hasDueFrames = false
    /// Whether a move to an app was sent in the reserved part of a window, and is not judged yet.
    var hasOverreach = false
    /// The display frames of the server, if it has any.
    var display = DisplayClock()

    /// The end of input-kit or its link, until the server learns of it.
    var unnoticedInputKitLoss: Instant?

    public init(_ options: AuditOptions) {
        self.options = options
        displays = options.displays ?? AuditOptions.defaultDisplays
        front = Front(displays, orientations: options.orientations)
        input = ScanLink(hasOneClock: options.hasOneClock)
    }

    /// Adds one occurrence. Occurrences come in causal order.
    public mutating func add(_ occurrence: Occurrence) {
        switch occurrence {
        case .began(let instance, let at): began(instance, at: at)
        case .step(let step): add(step)
        case .lost(let sequence, let kind, let sender, let receiver, _, let cause):
            lost(sequence, kind, from: sender, to: receiver, cause)
        case .ended(let instance, let at, let status): ended(instance, at: at, status)
        }
    }

    /// Adds one step, the most frequent occurrence.
    public mutating func add(_ step: Step) {
        report.steps += 1
        let limit = AuditOptions.outboxLimit
        if step.effects.count > limit {
            note(.bounds, "\(step.effects.count) effects of one step, limit \(limit)", step)
        }
        switch step.process.peer.role {
        case .inputKit: handleInputKitStep(step)
        case .systemServer: handleServerStep(step)
        case .app: handleAppStep(step)
        case .supervisor, .controller: break
        }
    }

    // MARK: Starts and ends of processes

    private mutating func began(_ instance: ProcessInstance, at moment: Instant) {
        report.processCount += 1
        switch instance.peer.role {
        case .inputKit:
            expectNewer(instance, than: input.presence, at: moment)
            input.presence = Presence(process: instance, group: groupCount)
            input.ends.clientBegins()
            (input.play, input.hasLiveDevices, input.paces) = (nil, false, [])
            input.streams.append(ScanLink.Stream(process: instance))
            if input.streams.count > Self.streamLimit { forgetStream() }
        case .systemServer:
            expectNewer(instance, than: server, at: moment)
            server = Presence(process: instance, group: groupCount)
            input.ends.serverBegins()
            input.acceptedStream = nil
            forgetGlass()
            display = DisplayClock(start: moment)
            for appIndex in apps.indices {
                apps[appIndex].ends.serverBegins()
                removeServerLink(of: appIndex)
                apps[appIndex].tally = FrameTally()
            }
        case .app:
            let appIndex = appIndex(of: AppID(instance.peer.instance))
            expectNewer(instance, than: apps[appIndex].presence, at: moment)
            apps[appIndex].presence = Presence(process: instance, group: groupCount)
            apps[appIndex].ends.clientBegins()
        // A new supervisor is another group in the same directory, which counts its generations from the beginning.
        case .supervisor: groupCount += 1
        case .controller: break
        }
    }

    private mutating func expectNewer(_ instance: ProcessInstance, than before: Presence?, at moment: Instant) {
        guard let before, before.group == groupCount, instance.generation <= before.process.generation else { return }
        note(
            Violation(
                .fencing,
                "\(instance.peer) started in generation \(instance.generation), after \(before.process.generation)",
                at: moment))
    }

    private mutating func ended(_ instance: ProcessInstance, at moment: Instant, _ status: ExitStatus?) {
        report.deaths += 1
        switch instance.peer.role {
        case .inputKit:
            guard input.presence?.process == instance else { return }
            (input.presence!.isAlive, input.presence!.endedAt) = (false, moment)
            if server?.isAlive == true, input.acceptedStream != nil { unnoticedInputKitLoss = moment }
        case .systemServer:
            guard server?.process == instance else { return }
            (server!.isAlive, server!.endedAt) = (false, moment)
            server!.hasLeaseExpired = status == .exited(ExitStatus.leaseExpired)
            for streamIndex in input.streams.indices { cancelScans(of: streamIndex) }
            input.acceptedStream = nil
            unnoticedInputKitLoss = nil
            forgetGlass()
            for appIndex in apps.indices {
                removeServerLink(of: appIndex)
                apps[appIndex].unnoticedAppLoss = nil
                guard !apps[appIndex].touches.live.isEmpty, apps[appIndex].unnoticedServerLoss == nil else { continue }
                apps[appIndex].unnoticedServerLoss = moment
            }
        case .app:
            let appIndex = appIndex(of: AppID(instance.peer.instance))
            guard apps[appIndex].presence?.process == instance else { return }
            (apps[appIndex].presence!.isAlive, apps[appIndex].presence!.endedAt) = (false, moment)
            apps[appIndex].unnoticedServerLoss = nil
            if server?.isAlive == true, !apps[appIndex].touches.sent.isEmpty {
                apps[appIndex].unnoticedAppLoss = moment
            }
            end(apps[appIndex].touches.live, of: appIndex, .appDied)
            apps[appIndex].touches.live.removeAll()
            apps[appIndex].held = HeldInputs()
        case .supervisor, .controller: break
        }
    }

    /// The number of touches that apps have received from the server and that have not ended.
    var liveTouchCount: Int { apps.reduce(0) { $0 + $1.touches.sent.count } }

    /// Returns the index of an app's link, and adds the link if the app is new.
    mutating func appIndex(of app: AppID) -> Int {
        let small = Int(clamping: app.rawValue)
        if small < appIndices.count, appIndices[small] >= 0 { return appIndices[small] }
        if let appIndex = apps.firstIndex(where: { $0.app == app }) { return appIndex }
        apps.append(AppLink(app: app, hasOneClock: options.hasOneClock))
        if small < 4096 {
            while appIndices.count <= small { appIndices.append(-1) }
            appIndices[small] = apps.count - 1
        }
        return apps.count - 1
    }

    // MARK: Lost frames

    private mutating func lost(
        _ sequence: SequenceNumber, _ kind: MessageKind, from sender: ProcessInstance, to receiver: Peer,
        _ cause: LossCause
    ) {
        report.links.lost += 1
        explain(sequence, from: sender, to: receiver)
        guard kind.asksForReceipt else { return }
        switch (sender.peer.role, receiver.role) {
        case (.inputKit, .systemServer):
            guard let streamIndex = input.streams.lastIndex(where: { $0.process == sender }) else { return }
            let state: FrameTally.State = cause == .receiverGone ? .over : .lost
            // A scan that was answered before was a copy. Its receipt may still be in transit.
            guard let known = input.streams[streamIndex].tally.close(sequence, as: state) else { return }
            input.ends.client.noteLoss(of: sequence)
            if known.state == .lost { report.scans.uncountLoss() }
            if cause == .receiverGone {
                report.scans.count(.cancelled)
            } else {
                report.scans.count(.lostOnLink)
            }
        case (.systemServer, .app):
            let appIndex = appIndex(of: AppID(receiver.instance))
            guard server?.process == sender else { return }
            let state: FrameTally.State = cause == .receiverGone ? .over : .lost
            guard let known = apps[appIndex].tally.close(sequence, as: state) else { return }
            if known.state == .lost { report.frames.uncountLoss() }
            // The server does not know of the loss and still waits for a receipt.
            if cause == .receiverGone {
                report.frames.count(.cancelled)
            } else {
                report.frames.count(.lostOnLink)
            }
        default: break
        }
    }

    /// Records the reason why a frame will be missing at its receiver.
    private mutating func explain(_ sequence: SequenceNumber, from sender: ProcessInstance, to receiver: Peer) {
        func add(_ list: inout [SequenceNumber]) {
            // The limit is reached only if thousands of frames were lost without a later one. Another law reports that.
            if list.count >= FrameTally.horizon { list.removeFirst(list.count / 2) }
            list.append(sequence)
        }
        switch (sender.peer.role, receiver.role) {
        case (.inputKit, .systemServer) where input.presence?.process == sender: add(&input.ends.lostToServer)
        case (.systemServer, .inputKit) where server?.process == sender: add(&input.ends.lostToClient)
        case (.app, .systemServer):
            let appIndex = appIndex(of: AppID(sender.peer.instance))
            if apps[appIndex].presence?.process == sender { add(&apps[appIndex].ends.lostToServer) }
        case (.systemServer, .app) where server?.process == sender:
            add(&apps[appIndex(of: AppID(receiver.instance))].ends.lostToClient)
        default: return
        }
    }

    /// Judges a gap: the frames missing before this one must have been recorded as lost, or a disturbance must explain
    /// them.
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
        let receiver = step.process.peer
        // The missing frames were sent before this one, which may have waited long for a slow receiver.
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

    /// Closes all open scans before a number, because their receipts will not be sent any more.
    mutating func cancelScans(of streamIndex: Int, before sequence: SequenceNumber = .max) {
        var (cancelled, late) = (UInt64(0), UInt64(0))
        input.streams[streamIndex].tally.closeAll(before: sequence) { entry in
            if entry.state == .late { late += 1 } else { cancelled += 1 }
        }
        report.scans.fates[Int(Fate.cancelled.rawValue)] += cancelled
        report.scans.fates[Int(Fate.rejected.rawValue)] += late
    }

    /// The greatest number of streams: more process generations than ever wait for a server.
    private static var streamLimit: Int { 64 }

    private mutating func forgetStream() {
        cancelScans(of: 0)
        input.streams.removeFirst()
        if let heard = input.acceptedStream { input.acceptedStream = heard > 0 ? heard - 1 : nil }
    }

    /// Handles that the server has no link to this app any more.
    mutating func removeServerLink(of appIndex: Int) {
        apps[appIndex].isLinkedToServer = false
        (apps[appIndex].answering.unansweredSince, apps[appIndex].answering.isStalled) = (nil, false)
        apps[appIndex].touches.sent.removeAll(keepingCapacity: true)
        var cancelled: UInt64 = 0
        apps[appIndex].tally.closeAll { _ in cancelled += 1 }
        report.frames.fates[Int(Fate.cancelled.rawValue)] += cancelled
    }

    /// Counts the ends of touches.
    mutating func end(_ touches: [TouchID], of appIndex: Int, _ cause: EndCause) {
        report.ends[Int(cause.rawValue)] += UInt64(touches.count)
    }

    // MARK: Violations

    /// Records a violation found outside of the audit: a replay that differs from its journal (I9).
    public mutating func note(_ violation: Violation) {
        note(violation.law) { violation }
    }

    /// - Parameter text: Evaluated only for a violation that is kept, because a broken core may break a law at every
    ///   step.
    mutating func note(_ law: Law, _ text: @autoclosure () -> String, _ step: Step) {
        note(law) {
            Violation(
                law, text(), at: step.at,
                evidence: [
                    Violation.Evidence(process: step.process, step: step.index, at: step.at, text: step.input.summary)
                ])
        }
    }

    mutating func note(_ law: Law, _ violation: () -> Violation) {
        guard law != .promptness || options.judgesPromptness else { return }
        report.violationsByLaw[law.index] += 1
        guard report.violations.count < options.keptViolationLimit else { return }
        report.violations.append(violation())
    }

    /// Records a violation of the link protocol by the sender of a frame.
    mutating func note(_ fault: StreamFault, sending frame: Frame, to peer: Peer, _ step: Step) {
        note(fault.law, "\(step.process) sent \(frame.message.kind) #\(frame.sequence) to \(peer): \(fault)", step)
    }

    mutating func note(_ fault: StreamFault, receiving frame: Frame, from peer: Peer, _ step: Step) {
        note(fault.law, "\(step.process) received \(frame.message.kind) #\(frame.sequence) of \(peer): \(fault)", step)
    }

    /// Whether a duration exceeds its limit, after the times in which one of the peers was disturbed on purpose are
    /// subtracted.
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

    /// Judges the delay after which a process learned of a peer's end while touches were live.
    mutating func judgeLoss(_ what: @autoclosure () -> String, since start: Instant, _ peer: Peer, _ step: Step) {
        let late = start.duration(to: step.at)
        let limit = options.lossBound
        guard isLate(late, limit, since: start, until: step.at, [peer, step.process.peer, .systemServer]) else {
            return
        }
        note(.promptness, "\(what()) after \(late.milliseconds), with touches alive; limit \(limit.milliseconds)", step)
    }

    /// Adds a disturbance that a test causes on purpose.
    public mutating func disturb(_ disturbance: AuditOptions.Disturbance) { options.disturbances.append(disturbance) }

    // MARK: The end of the run

    /// Marks the run as aborted before it came to rest.
    public mutating func breakOff() { options.isAtRest = false }

    /// Judges the ends of processes that their peers have not learned of.
    private mutating func finishLosses(at end: Instant) {
        func expect(_ who: Peer, _ other: Peer, _ since: Instant?) {
            guard let since else { return }
            let (late, limit) = (since.duration(to: end), options.lossBound)
            guard isLate(late, limit, since: since, until: end, [who, other]) else { return }
            note(.promptness) {
                Violation(
                    .promptness,
                    "\(who) has not noticed \(other)'s end for \(late.milliseconds), with touches alive; limit "
                        + "\(limit.milliseconds)", at: end)
            }
        }
        if liveTouchCount > 0 { expect(.systemServer, .inputKit, unnoticedInputKitLoss) }
        for app in apps {
            expect(.app(app.app), .systemServer, app.unnoticedServerLoss)
            expect(.systemServer, .app(app.app), app.unnoticedAppLoss)
        }
    }

    /// Ends the run and returns the report. Open entries stay open.
    public mutating func finish(at end: Instant) -> AuditReport {
        report.lawsJudged = Law.allCases.filter { law in
            switch law {
            case .promptness: options.judgesPromptness
            case .isolation: options.measuresIsolation && apps.contains(where: Self.isIsolationMeasured)
            case .determinism: options.isReplayed || report.violationsByLaw[law.index] > 0
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
    var index: Int { Law.allCases.firstIndex(of: self)! }
}

extension StreamFault {
    /// The law that the fault breaks.
    var law: Law {
        if hasOutdatedNumbers { return .fencing }
        if exceedsCredit { return .bounds }
        switch self {
        case .receiptForUnreceived, .receiptTwice, .receiptReason: return .conservation
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

    /// Takes back a loss, because a copy of the frame arrived.
    mutating func uncountLoss() {
        fates[Int(Fate.dropped.rawValue)] -= 1
        drops[Int(Receipt.Reason.lostOnLink.rawValue)] -= 1
    }

    /// Counts the fate that a receipt states.
    mutating func count(_ receipt: Receipt, isTouches: Bool) {
        switch receipt.outcome {
        case .dropped: count(receipt.reason)
        case .home: count(.delivered)
        case .delivered: count(isTouches && receipt.isSilent ? .coalesced : .delivered)
        }
    }
}

extension Input {
    /// The input in a few words, for a person who looks for the step.
    var summary: String {
        switch self {
        case .frame(let frame, let sender): "\(frame.message.kind) #\(frame.sequence) from \(sender)"
        case .started: "started"
        case .connected(let peer): "connected to \(peer)"
        case .peerLost(let peer): "\(peer) lost"
        case .refused(let refusal): "refused: \(refusal)"
        case .timerFired(let timer): "timer \(timer.rawValue)"
        case .fileBytes: "bytes of a file"
        case .fileFailed(_, let reason): "file: \(reason)"
        case .device: "device message"
        case .childStarted(let peer, _): "\(peer) started"
        case .childFailed(let peer, _): "\(peer) could not be started"
        case .childExited(let peer, _, let status): "\(peer) exited: \(status)"
        case .programReplaced(let peer): "program of \(peer) replaced"
        case .stopRequested: "asked to stop"
        }
    }
}
