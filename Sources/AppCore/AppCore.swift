// AppCore.swift: one app process: its links, its two loops, its application.
//
// Station   inbox … action
// Fed by    a host: frames of the system server and the supervisor, timers
// Feeds     the host: receipts to the server, readiness and reports to the supervisor, one timer
// Knows     UIKit's application from outside. Which views there are is given by whoever starts it.
//
//     frame ─▶ Link ─▶ Inbox ─▶ EventFetcher ─▶ EventQueue ─▶ MainLoop ─▶ UIApplication ─▶ receipt
//
// Sources   SEMANTICS C2, D6, D7; PIPELINE.md 2, I1, I7

public import Basics
import Foundation
import Gestures
import HID
public import Hosting
import Links
public import Settings
import Trace
public import UIKit
public import Wire

public struct AppCore: ProcessCore {
    /// The earliest wake-up of the app's loops.
    public static let loopTimer = TimerID(1)
    /// For the next hello, while the server has not answered one.
    public static let helloTimer = TimerID(2)
    /// For a URL that others are to open, and nobody has said what came of it.
    public static let openTimer = TimerID(4)
    /// Longer than a server takes: its word was lost.
    static let openPatience = Duration.seconds(30)
    /// For the server to have heard where the windows are.
    public static let windowsTimer = TimerID(3)

    private let order: LaunchOrder
    private var content: ((UIApplication) -> Void)?
    package let application: UIApplication
    package let mainLoop: MainLoop
    private let fetcher: EventFetcher

    private var server: Link
    private var supervisor: LinkNumbers
    private var fingers = LiveFingers()
    private var held = HeldInputs()
    /// Frames of this link that the app has received and not answered, or a change of life it has not carried out.
    private var open = Outstanding<Void>()
    private var suspension: SuspensionDetector
    /// What was handed over before is of a time that this app was not there for.
    private var refusesUntil: Instant?
    /// Cancels that found no room, even in the reserve.
    private var owed: [QueuedEvent.Content] = []
    /// Nil when the server is not told, and sends whatever lands in the scene.
    private var windows: WindowDeclaration?
    private var urls = OpenURLs()
    /// It has been told to end.
    private var isDismissed = false
    /// It has been told where its scene is.
    private var isPlaced = false
    private var isStarted = false
    private var isReady = false
    private var isEnding = false
    private var armed = Instant.never
    /// Nothing that is typed is secret: `trace.keys`.
    private let saysKeys: Bool
    private var counters = Counters()

    private struct Counters {
        var frames: Int64 = 0
        var dropped: Int64 = 0
        var refused = Flood()
        /// Frames that had waited too long.
        var late: Int64 = 0
        /// Contacts of frames that were dead here.
        var dead: Int64 = 0
    }

    /// - Parameter content: Makes what the app shows, once, when it starts: a delegate, windows, or both.
    public init(order: LaunchOrder, settings: Settings, content: @escaping (UIApplication) -> Void) {
        self.order = order
        self.content = content
        application = UIApplication(settings: UIKitSettings(settings))
        mainLoop = MainLoop(
            application: application, isFrameAligned: settings[.appDelivery] == .frameAligned,
            hurriesLandings: settings[.appLowLatencyBegan])
        application.mainLoop = mainLoop
        fetcher = EventFetcher(settings[.appEventFetch], capacity: settings[.appInboxCapacity], main: mainLoop)
        saysKeys = settings[.traceKeys]
        if settings[.appDeclaresWindows] { windows = WindowDeclaration() }
        server = Link(.client, generation: order.generation)
        supervisor = LinkNumbers(epoch: order.epoch, generation: order.generation)
        suspension = SuspensionDetector(limit: settings[.appUnresponsive])
        let schemes = (try? Schemes(text: settings[.groupSchemes])) ?? Schemes()
        application.knowsSchemes(schemes.entries.map(\.scheme))
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        guard !isEnding else { return }
        outbox.trace.saysKeys = saysKeys
        application.exchange(&outbox.trace, at: now)
        let away = away(before: input, at: now)
        UIApplication.turn(application) { take(input, late: away, at: now, into: &outbox) }
        application.exchange(&outbox.trace, at: now)
    }

    /// How long this app did not turn while the input waited for it, when that was too long. Whatever came behind the
    /// first that was too late came to an app that the server had given up by then: it is no news either.
    private mutating func away(before input: Input, at now: Instant) -> Duration? {
        let since = Self.handedOver(input)
        if let away = suspension.turn(at: now, waited: since) {
            refusesUntil = suspension.returned ?? now
            return away
        }
        guard let since, let refusesUntil, since < refusesUntil else { return nil }
        return since.duration(to: now)
    }

    /// When the server handed this over, if somebody touches in it.
    private static func handedOver(_ input: Input) -> Instant? {
        guard case .frame(let frame, from: .systemServer) = input, frame.message.kind.asksForReceipt else { return nil }
        return frame.ledger[.serverSent]
    }

    /// - Parameter away: How long this app did not turn while the input waited for it, when that was too long.
    private mutating func take(_ input: Input, late away: Duration?, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started: start(at: now)
        case .connected(let peer):
            if peer == .systemServer { connect(at: now, into: &outbox) }
        case .peerLost(let peer):
            if peer == .systemServer { lostServer(at: now, into: &outbox) }
        case .frame(let frame, let peer):
            switch peer.role {
            case .systemServer: heardServer(frame, late: away, at: now, into: &outbox)
            case .supervisor: heardSupervisor(frame, at: now, into: &outbox)
            case .inputKit, .app, .controller: refused(frame, from: peer)
            }
        case .refused(let refusal):
            if counters.refused.rises() {
                application.note(
                    .process, "refused, {b} so far: {a:n}", application.trace.name("\(refusal)"),
                    Int64(clamping: counters.refused.count))
            }
        case .timerFired(Self.windowsTimer): declareWindows(isLate: true, at: now, into: &outbox)
        case .timerFired(Self.openTimer): application.answered(nil, false)
        case .timerFired(Self.helloTimer): sendHello(at: now, into: &outbox)
        case .timerFired(let timer): if timer == Self.loopTimer { armed = .never }
        case .stopRequested: end(into: &outbox)
        // Nothing an app asks for.
        case .fileBytes, .fileFailed, .device, .childStarted, .childFailed, .childExited: return
        }
        guard !isEnding, isStarted else { return }
        turn(at: now, into: &outbox)
        declareWindows(isLate: false, at: now, into: &outbox)
        if isDismissed { end(into: &outbox) }
    }

    // MARK: Life

    private mutating func start(at now: Instant) {
        guard let content else { return }
        self.content = nil
        isStarted = true
        content(application)
        application.launch(opening: order.opens?.url.text)
        urls.launched(order)
        fetcher.start(at: now)
        mainLoop.start(at: now)
        application.note(.app, "launched")
    }

    /// Tells the supervisor, once, when everything is there: the content, and the server's word.
    private mutating func announce(into outbox: inout Outbox) {
        guard !isReady, isStarted, server.isOpen else { return }
        isReady = true
        outbox.append(.send(supervisor.frame(.ready), to: .supervisor))
        application.note(.process, "ready")
    }

    private mutating func end(into outbox: inout Outbox) {
        if isStarted { application.lifeCycle(.willTerminate) }
        isEnding = true
        application.note(.app, "terminated")
        if armed != .never { outbox.append(.disarm(Self.loopTimer)) }
        answer(into: &outbox)
        outbox.append(.exit(status: 0))
    }

    // MARK: The server

    /// The connection to the server is up. It may replace one whose end the host has not noticed yet.
    private mutating func connect(at now: Instant, into outbox: inout Outbox) {
        open.removeAll()
        cancelFingers("server link renewed", at: now)
        server.connected(credit: fetcher.credit)
        sendHello(at: now, into: &outbox)
    }

    private mutating func lostServer(at now: Instant, into outbox: inout Outbox) {
        guard server.lost() else { return }
        open.removeAll()
        outbox.append(.disarm(Self.helloTimer))
        cancelFingers("server lost", at: now)
    }

    /// Sends the hello of a link that is opening, and arms the timer that sends it again.
    private mutating func sendHello(at now: Instant, into outbox: inout Outbox) {
        guard let hello = server.pendingHello else { return }
        outbox.append(.send(hello, to: .systemServer))
        outbox.append(.arm(Self.helloTimer, at: now.advanced(by: Link.helloPeriod)))
    }

    private mutating func heardServer(
        _ frame: Frame, late away: Duration?, at now: Instant, into outbox: inout Outbox
    ) {
        switch server.receive(frame, at: now) {
        case .opened:
            outbox.append(.disarm(Self.helloTimer))
            windows?.begin()
            forgetScene()
            return announce(into: &outbox)
        case .arrived(missing: 0): break
        case .arrived(let missing):
            application.note(
                .inbox, "{a} frames missing before {b}", Int64(clamping: missing), Int64(clamping: frame.sequence))
            // What the lost frames said of the touches is unknown: the touches end here until they land again.
            cancelFingers("frames missing", at: now)
            for receipt in server.receipts(forMissing: missing, before: frame.sequence) {
                send(receipt, Ledger(), into: &outbox)
            }
        case .refused(let refusal): return note(refusal, of: frame)
        case .helloRepeated: preconditionFailure("a client's hello is not repeated to it")
        }
        if let away { return refuseLate(frame, away, at: now, into: &outbox) }
        take(frame, at: now, into: &outbox)
    }

    /// What a finger did then is no news now, and the server has taken it away or soon will: so it ends here.
    private mutating func refuseLate(_ frame: Frame, _ away: Duration, at now: Instant, into outbox: inout Outbox) {
        counters.late += 1
        application.note(
            .inbox, "frame {a} waited: no turn for {b:t}, limit {c:t}", Int64(clamping: frame.sequence),
            away.nanoseconds, suspension.limit.nanoseconds)
        cancelFingers("frames late", at: now)
        server.countMissed(1)
        let receipt = receipt(for: frame, at: now)
        send(Receipt(frame: receipt.frame, outcome: .dropped, reason: .late), receipt.ledger, into: &outbox)
    }

    /// The main loop was kept by one thing, and what waited for it meanwhile has waited too long: the same, but for
    /// frames that have been taken.
    private mutating func refuseQueued(since blocked: Instant, at now: Instant, into outbox: inout Outbox) {
        guard suspension.limit > .zero, !mainLoop.queue.isProcessing else { return }
        guard let first = (mainLoop.queue.firstAsked ?? fetcher.firstAsked)?.ledger[.appReceived] else { return }
        let away = max(first, blocked).duration(to: now)
        guard away > suspension.limit else { return }
        fetcher.empty()
        var cancels: [QueuedEvent] = []
        if let frame = fingers.cancelAll(at: now) {
            cancels.append(QueuedEvent(content: .touches(frame), receipt: nil))
        }
        for input in held.cancelAll() {
            let event = DeviceEvent(timeStamp: now, input: input)
            cancels.append(QueuedEvent(content: .device(event), receipt: nil))
        }
        let receipts = mainLoop.queue.replaceAsked(by: cancels)
        application.note(
            .inbox, "{a} frames waited: the main loop was kept for {b:t}, limit {c:t}", Int64(receipts.count),
            away.nanoseconds, suspension.limit.nanoseconds)
        for receipt in receipts where receipt.link == server.openings && server.isOpen {
            counters.late += 1
            server.countMissed(1)
            _ = open.remove(receipt.frame)
            send(Receipt(frame: receipt.frame, outcome: .dropped, reason: .late), receipt.ledger, into: &outbox)
        }
        mainLoop.eventsArrived()
    }

    private mutating func take(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        switch frame.message {
        case .touches(let all):
            let receipt = receipt(for: frame, at: now)
            let touches = fingers.stripped(all)
            counters.dead += Int64(all.contacts.count - touches.contacts.count)
            if touches.contacts.isEmpty {
                send(Receipt(frame: receipt.frame, outcome: .dropped, reason: .dead), receipt.ledger, into: &outbox)
            } else if fetcher.post(QueuedEvent(content: .touches(touches), receipt: receipt)) {
                open.append(frame.sequence, ())
                fingers.follow(touches)
            } else {
                drop(receipt, contacts: touches.contacts.count, at: now, into: &outbox)
            }
        case .input(let event):
            let receipt = receipt(for: frame, at: now)
            if fetcher.post(QueuedEvent(content: .device(event), receipt: receipt)) {
                open.append(frame.sequence, ())
                // What an input out of turn means here, those who know what they told decide: this is for the cancels.
                _ = held.take(event.input)
            } else {
                drop(receipt, contacts: 0, at: now, into: &outbox)
            }
        case .lifeCycle(.willTerminate): isDismissed = true
        case .scene(let state):
            windows?.hears(state.windowsHeard)
            isPlaced = true
            if !fetcher.postOwn(QueuedEvent(content: .scene(state), receipt: nil)) {
                application.note(.inbox, "full: a change of its scene dropped")
            }
        case .lifeCycle(let change):
            // No window counts those, so they have the reserve.
            if fetcher.postOwn(QueuedEvent(content: .lifeCycle(change), receipt: nil, frame: frame.sequence)) {
                open.append(frame.sequence, ())
            } else {
                application.note(.inbox, "full: a change of life dropped")
            }
        case .open(let request): take(request, epoch: frame.epoch, into: &outbox)
        case .screenshot:
            if !fetcher.postOwn(QueuedEvent(content: .screenshot, receipt: nil)) {
                application.note(.inbox, "full: a screenshot dropped")
            }
        case .opened(let answer): application.answered(answer.id, answer.outcome == .opened)
        // On behalf of a supervisor on another machine. What has been noted the host adds.
        case .observe(let observation):
            guard observation.word != .end else { return }
            let page = Message.facts(FactPage(answering: observation, from: order.peer))
            outbox.append(.send(server.frame(page, credit: fetcher.credit), to: .systemServer))
        case .link(.probe):
            outbox.append(
                .send(server.probeAnswer(oldest: open.first, credit: fetcher.credit), to: .systemServer))
        // The greeting's answer, heard again.
        case .hello, .link(.heard): return
        default: refused(frame, from: .systemServer)
        }
    }

    /// A URL to be opened; one that was is not opened again.
    private mutating func take(_ request: OpenRequest, epoch: UInt32, into outbox: inout Outbox) {
        switch urls.heard(request, epoch: epoch) {
        case .wait: return
        case .answer: sayOpened(request.id, into: &outbox)
        case .queue:
            guard !fetcher.postOwn(QueuedEvent(content: .open(request), receipt: nil)) else { return }
            urls.dropped()
            application.note(.inbox, "full: a URL dropped")
        }
    }

    private mutating func sayOpened(_ id: UInt32, into outbox: inout Outbox) {
        let answer = Message.opened(OpenAnswer(id: id, outcome: .opened))
        outbox.append(.send(server.frame(answer, credit: fetcher.credit), to: .systemServer))
    }

    /// What the app has opened is said, and what it asks others to open is asked.
    ///
    /// - Returns: Whether the app is to hear at once that nobody opens it.
    private mutating func exchangeURLs(at now: Instant, into outbox: inout Outbox) -> Bool {
        for id in mainLoop.opened where urls.opened(id, epoch: server.epoch) && server.isOpen {
            sayOpened(id, into: &outbox)
        }
        mainLoop.removeOpened()
        let requests = application.takeRequests()
        guard !requests.isEmpty else { return false }
        var isRefused = false
        for request in requests {
            guard server.isOpen, let url = try? URLText(request.url) else {
                application.note(.app, "a URL that nobody can open")
                application.answered(request.id, false)
                isRefused = true
                continue
            }
            let asks = Message.open(OpenRequest(id: request.id, url: url))
            outbox.append(.send(server.frame(asks, credit: fetcher.credit), to: .systemServer))
        }
        if application.awaitsAnswers {
            outbox.append(.arm(Self.openTimer, at: now.advanced(by: Self.openPatience)))
        }
        return isRefused
    }

    /// A server that has said nothing yet means the whole screen and the app as it starts, whatever the one before said.
    private mutating func forgetScene() {
        guard isPlaced else { return }
        isPlaced = false
        let screen = application.screen
        let whole = SceneState(
            frame: SceneFrame(
                x: .zero, y: .zero, width: Fixed(Double(screen.size.width)),
                height: Fixed(Double(screen.size.height))),
            scale: Fixed(Double(screen.scale)), orientation: application.settings.orientation, windowsHeard: 0)
        if !fetcher.postOwn(QueuedEvent(content: .scene(whole), receipt: nil)) {
            application.note(.inbox, "full: a change of its scene dropped")
        }
    }

    /// The server hears where the windows are, if that has changed, until it says that it has.
    private mutating func declareWindows(isLate: Bool, at now: Instant, into outbox: inout Outbox) {
        guard windows != nil, isStarted, server.isOpen else { return }
        for diff in windows!.changes(to: application.sceneWindows, isLate: isLate) {
            outbox.append(.send(server.frame(.windows(diff), credit: fetcher.credit), to: .systemServer))
            outbox.append(.arm(Self.windowsTimer, at: now.advanced(by: WindowDeclaration.patience)))
        }
    }

    private func note(_ refusal: Link.Refusal, of frame: Frame) {
        switch refusal {
        case .beforeHello, .oldHello:
            application.note(.inbox, "frame {a} of a link without hello dropped", Int64(clamping: frame.sequence))
        case .duplicate(let sequence, let last):
            application.note(.inbox, "frame {a} heard before, at {b}", Int64(clamping: sequence), Int64(clamping: last))
        case .fenced(let epoch, let generation):
            application.note(.inbox, "frame of epoch {a}, generation {b} fenced", Int64(epoch), Int64(generation))
        }
    }

    private mutating func receipt(for frame: Frame, at now: Instant) -> QueuedEvent.Receipt {
        counters.frames += 1
        var ledger = frame.ledger
        ledger.append(now)
        return QueuedEvent.Receipt(frame: frame.sequence, ledger: ledger, link: server.openings)
    }

    /// The server sent more than it was given credit for.
    private mutating func drop(
        _ receipt: QueuedEvent.Receipt, contacts: Int, at now: Instant, into outbox: inout Outbox
    ) {
        counters.dropped += 1
        application.note(
            .inbox, "full: frame {a} with {b} contacts dropped", Int64(clamping: receipt.frame),
            Int64(contacts))
        cancelFingers("inbox full", at: now)
        server.countMissed(1)
        send(Receipt(frame: receipt.frame, outcome: .dropped, reason: .inboxFull), receipt.ledger, into: &outbox)
    }

    /// Nobody will say any more what these fingers and keys do: they end, behind what has already arrived.
    private mutating func cancelFingers(_ why: StaticString, at now: Instant) {
        if let frame = fingers.cancelAll(at: now) {
            application.note(
                .inbox, "{a:n}: {b} touches cancelled", application.trace.name("\(why)"),
                Int64(frame.contacts.count))
            owed.append(.touches(frame))
        }
        for input in held.cancelAll() { owed.append(.device(DeviceEvent(timeStamp: now, input: input))) }
        payOwed()
    }

    private mutating func payOwed() {
        while let content = owed.first, fetcher.postOwn(QueuedEvent(content: content, receipt: nil)) {
            owed.removeFirst()
        }
    }

    // MARK: The supervisor

    private mutating func heardSupervisor(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        // The link is inherited and nobody else's, and outlives the server's epochs.
        if frame.epoch == supervisor.epoch {
            _ = supervisor.accept(frame)
        } else {
            supervisor.adopt(hello: frame, epoch: frame.epoch)
        }
        switch frame.message {
        case .reportRequest: outbox.append(.send(supervisor.frame(.report(report)), to: .supervisor))
        case .observe(let observation) where observation.word != .end:
            let page = FactPage(answering: observation, from: order.peer)
            outbox.append(.send(supervisor.frame(.facts(page)), to: .supervisor))
        case .observe: return
        case .shutdown: end(into: &outbox)
        // What these say is the host's to do: it reads the order, holds peers to the roster, and carries faults out.
        case .launch, .roster, .chaos: return
        default: refused(frame, from: .supervisor)
        }
    }

    private mutating func refused(_ frame: Frame, from peer: Peer) {
        guard counters.refused.rises() else { return }
        application.note(
            .process, "{a:n} from {b:n} is nothing an app takes",
            application.trace.name("\(frame.message.kind)"), application.trace.name("\(peer)"))
    }

    // MARK: Turning

    private mutating func turn(at now: Instant, into outbox: inout Outbox) {
        if let since = mainLoop.unblocked(at: now) { refuseQueued(since: since, at: now, into: &outbox) }
        payOwed()
        // Nobody will say what came of what it has asked for.
        if !server.isOpen, application.awaitsAnswers { application.answered(nil, false) }
        let fetches = fetcher.turn(at: now)
        var wakes = min(fetches, mainLoop.turn(at: now))
        answer(into: &outbox)
        if exchangeURLs(at: now, into: &outbox) { wakes = min(wakes, now.advanced(by: .milliseconds(1))) }
        guard wakes != armed else { return }
        armed = wakes
        outbox.append(wakes == .never ? .disarm(Self.loopTimer) : .arm(Self.loopTimer, at: wakes))
    }

    /// One receipt for each frame the main loop has handled to the end, in one batch.
    private mutating func answer(into outbox: inout Outbox) {
        for frame in mainLoop.changesDone { _ = open.remove(frame) }
        mainLoop.removeChanges()
        guard !mainLoop.answered.isEmpty else { return }
        if server.isOpen {
            for (receipt, counts) in mainLoop.answered where receipt.link == server.openings {
                _ = open.remove(receipt.frame)
                send(Receipt(frame: receipt.frame, counts), receipt.ledger, into: &outbox)
            }
        }
        mainLoop.removeAnswers()
    }

    private mutating func send(_ receipt: Receipt, _ ledger: Ledger, into outbox: inout Outbox) {
        outbox.append(
            .send(server.frame(.handled(receipt), ledger: ledger, credit: fetcher.credit), to: .systemServer))
    }

    // MARK: Saying how it is

    package var report: Report {
        var report = Report(peer: order.peer)
        report.add("state", text: isReady ? "ready" : "starting")
        report.add("foreground", text: application.applicationState.word)
        report.add("link", text: server.phase.rawValue)
        let scene = application.sceneFrame
        report.add("scene", text: "\(scene.origin.x) \(scene.origin.y) \(scene.size.width) \(scene.size.height)")
        if application.orientation != .portrait { report.add("orientation", text: "\(application.orientation)") }
        report.add("epoch", server.epoch)
        report.add("generation", order.generation)
        report.add("frames.heard", server.received)
        report.add("quiet", flag: mainLoop.isQuiet && fetcher.depth == 0 && owed.isEmpty)
        report.add("touches.live", application.touchTracker.liveTouches.count)
        report.add("fingers.down", fingers.contacts.count)
        report.add("inputs.held", held.inputs.count)
        report.add("inbox.depth", fetcher.depth)
        report.add("queue.depth", mainLoop.queue.count)
        report.add("credit", fetcher.credit)
        report.add("frames", counters.frames)
        report.add("events", mainLoop.eventsDelivered)
        report.add("began", mainLoop.totals.began)
        report.add("moved", mainLoop.totals.moved)
        report.add("ended", mainLoop.totals.ended)
        report.add("cancelled", mainLoop.totals.cancelled)
        report.add("dropped", counters.dropped)
        report.add("dropped.dead", counters.dead)
        report.add("refused", counters.refused.count)
        report.add("frames.duplicate", server.counters.duplicates)
        report.add("frames.missing", server.counters.missing)
        report.add("frames.fenced", server.counters.fenced)
        report.add("timers.once", mainLoop.timerCounts.once)
        report.add("timers.repeating", mainLoop.timerCounts.repeating)
        return report
    }
}

extension Receipt {
    init(frame: UInt64, _ counts: TouchCounts) {
        self.init(
            frame: frame, outcome: .delivered, began: UInt16(clamping: counts.began),
            moved: UInt16(clamping: counts.moved), stationary: UInt16(clamping: counts.stationary),
            ended: UInt16(clamping: counts.ended), cancelled: UInt16(clamping: counts.cancelled))
        deferredEdges = counts.deferredEdges
    }
}

extension UIApplication.State {
    var word: String {
        switch self {
        case .active: "active"
        case .inactive: "inactive"
        case .background: "background"
        }
    }
}

extension UIKitSettings {
    /// What the group's settings say of UIKit.
    package init(_ settings: Settings) {
        self.init()
        let displays = Displays(settings)
        let screens = displays.all.map { display in
            let bounds = display.geometry.bounds
            return Screen(size: CGSize(width: bounds.width, height: bounds.height), scale: CGFloat(display.scale))
        }
        (screenSize, screenScale, otherScreens) = (screens[0].size, screens[0].scale, Array(screens.dropFirst()))
        ownScreen = Int(settings[.appDisplay]) - 1
        if ownScreen >= screens.count { ownScreen = 0 }
        (orientation, orientations) = (settings.initialOrientation, settings[.appOrientations])
        screenRefreshRate = settings[.screenRefreshRate]
        let rate = settings[.frameRate]
        frameRate = rate > 0 ? max(1, Int(rate)) : screenRefreshRate
        hitTestPasses = settings[.hitTestPasses]
        hasWindowScene = settings[.responderWindowScene]
        tapCountInterval = settings[.touchTapCountInterval]
        tapCountRadius = CGFloat(settings[.touchTapCountRadius])
        trackingMargin = CGFloat(settings[.controlTrackingMargin])
        switchDragDistance = CGFloat(settings[.controlSwitchDragDistance])
        stepperDelay = settings[.controlStepperDelay]
        stepperInterval = settings[.controlStepperInterval]
        gateTimeout = settings[.gateEdgeDelayMax]
        tableHasWrapperView = settings[.tableHasWrapperView]
        gestures = GestureSettings(settings)
        if settings[.orderMode] == .ios { order = .ios(seed: settings[.orderSeed]) }
    }
}
