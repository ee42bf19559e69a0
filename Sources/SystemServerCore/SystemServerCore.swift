// SystemServerCore.swift: backboardd and SpringBoard in one process: decides which app receives each touch.
//
// Station   source1, router
// Input     input-kit's scans, the apps' receipts, the supervisor's acts and requests, timers
// Output    touches and life cycles to apps, one receipt for each scan to input-kit, reports to the supervisor
// Knows     connections, touches, scenes. Never an app's views.
//
//    input-kit ──scan──▶ ServerLoop ─▶ ScanRouting ─┬─▶ Delivery ─▶ AppConnection ─▶ app ──receipt──▶ Answers ─▶ input-kit
//                                                   └─▶ source0 ─▶ HomeScreen ──receipt──────────────────────▶ input-kit
//
// This file holds the state and names the part that handles each input. The parts are in other files: Peers (hellos,
// losses, strikes), ScanRouting, Delivery, Answers, Responsiveness, Watchdog, Pulse, Display, Openings, Observers,
// Screenshot, ServerReport.
//
// Both ends of a link resynchronize after a loss (Docs/Decisions/Links.md). A server that was stopped for longer than
// its lease detects this by the clock and exits, because its peers have given it up (Docs/Decisions/Lease.md).
//
// Sources   documented  Docs/Spec/Semantics.md D1–D6, D9
//           invented    receipts, credit, and that app 1 is launched into the front

public import Basics
import HID
public import Hosting
import Links
public import Settings
import Trace
public import Wire

/// The core of system-server.
public struct SystemServerCore: ProcessCore {
    let order: LaunchOrder
    let rules: ServerRules
    /// The sizes of the displays as the report has them.
    let screenSizes: [String]

    var supervisor: SupervisorLink
    var inputKit: InputKitConnection
    var connections = PerApp<AppConnection>()
    /// The records of peers that outlast their links.
    var records: PeerRecords
    /// The apps and the screen layout.
    var apps: SceneTable
    /// The owner of every touch.
    var touches: TouchDispatcher
    /// The owner of every key and pointer.
    var devices: DeviceRouter
    /// The server's own scenes.
    var home: HomeScreen
    /// The URLs that apps have to open.
    var urls: URLOpener
    var display: Display
    var loop = ServerLoop()
    var pulse: Pulse
    var history = ServerHistory()

    /// The timers of this core. `TimerID.systemGestures` is the fourth.
    enum Timer {
        static let pulse = TimerID(1)
        static let responsiveness = TimerID(2)
        static let frame = TimerID(3)
        static let openings = TimerID(5)
    }

    public init(settings: Settings, order: LaunchOrder) {
        self.order = order
        rules = ServerRules(settings)
        supervisor = SupervisorLink(order)
        inputKit = InputKitConnection(order)
        records = PeerRecords(StrikeTable(limit: settings[.serverStrikeLimit]))
        let topology = settings.topology
        let displays = Displays(settings, topology)
        let main = displays.geometry(of: 1)
        screenSizes = displays.all.map { "\($0.geometry.bounds.width) \($0.geometry.bounds.height)" }
        apps = SceneTable(displays, orientations: Orientations(settings, topology))
        var gestures: SystemGestures?
        if settings[.systemGestureEnabled] {
            gestures = SystemGestures(geometry: main, rules: SystemGestures.Rules(settings))
            apps.zones = EdgeZones(
                width: apps.screen.width, height: apps.screen.height,
                depth: Fixed(settings[.systemGestureZone]))
        }
        touches = TouchDispatcher(
            displays, gestures: gestures, zones: apps.zones, tracesPositions: rules.tracesPositions)
        devices = DeviceRouter(geometry: main)
        home = HomeScreen(screenshotKeys: ScreenshotKeys(window: settings[.screenshotMaxInterval]))
        urls = URLOpener(settings)
        display = Display(settings)
        pulse = Pulse(suspension: SuspensionDetector(limit: settings[.serverSuspensionLimit]))
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        guard !pulse.hasExpired else { return }
        let since = pulse.suspension.needsInputTime ? inputKit.timeSent(of: input) : nil
        if let away = pulse.suspension.recordTurn(at: now, waited: since) {
            return end(after: away, at: now, into: &outbox)
        }
        history.recent.record(input, at: now)
        perform(input, at: now, into: &outbox)
        // Waiting claims are settled after every input, because only then have the system gestures decided.
        if touches.hasPendingClaims { carryOut(touches.settlePendingClaims(at: now), at: now, into: &outbox) }
        keepPulse(at: now, into: &outbox)
    }

    private mutating func perform(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        if case .timerFired(let timer) = input, timer != Timer.responsiveness { showFrame(at: now, into: &outbox) }
        switch input {
        case .started:
            display.begin(at: now)
            outbox.trace.note(
                now, .process, "started, epoch {a}, generation {b}", Int64(order.epoch), Int64(order.generation))
            loop.begin(at: now)
            turn(at: now, into: &outbox)
            outbox.append(.send(supervisor.frame(.child(.ready)), to: .supervisor))
        case .frame(let frame, from: let peer): handle(frame, from: peer, at: now, into: &outbox)
        case .peerLost(let peer): lost(peer, at: now, into: &outbox)
        case .refused(let refusal): refused(refusal, at: now, into: &outbox)
        case .stopRequested: outbox.append(.exit(status: 0))
        case .timerFired(Timer.pulse): checkApps(at: now, into: &outbox)
        case .timerFired(Timer.responsiveness):
            // Stalled apps are found first, because they receive no frame of the display.
            judgeApps(at: now, into: &outbox)
            showFrame(at: now, into: &outbox)
        case .timerFired(.systemGestures): carryOut(touches.passTime(on: &apps, at: now), at: now, into: &outbox)
        case .timerFired(Timer.openings): endLateOpenings(at: now, into: &outbox)
        // A connection counts only from its hello on. The server reads no files and has no children.
        case .connected, .timerFired, .fileBytes, .fileFailed, .device, .childStarted, .childFailed, .childExited,
            .programReplaced:
            break
        }
    }

    // MARK: Frames

    private mutating func handle(_ frame: Frame, from peer: Peer, at now: Instant, into outbox: inout Outbox) {
        switch peer.role {
        case .supervisor:
            guard let message = SupervisorToServer(frame.message) else { return }
            handle(message, at: now, into: &outbox)
        case .inputKit:
            if case .hello = frame.message { return handleInputKitHello(frame, at: now, into: &outbox) }
            guard let missing = receive(inputKit.link.receive(frame, at: now), peer, at: now, into: &outbox) else {
                return
            }
            if missing > 0 { cancelKeys(at: now, into: &outbox) }
            if let content = ServerLoop.Scan.Content(frame.message) {
                loop.post(ServerLoop.Scan(content: content, sequence: frame.sequence, ledger: frame.ledger))
                turn(at: now, into: &outbox)
            }
            // The frame itself comes first. These receipts acknowledge it too, so its scan must be in flight by then;
            // otherwise the credit would be one too high.
            for receipt in inputKit.link.receipts(forMissing: missing, before: frame.sequence) {
                settle(InFlight.Answer(receipt: receipt, ledger: Ledger()), into: &outbox)
            }
            if case .link(.probe) = frame.message {
                let answer = inputKit.link.probeAnswer(oldest: inputKit.inFlight.oldest, credit: credit)
                outbox.append(.send(answer, to: .inputKit))
            }
        case .app:
            let app = AppID(peer.instance)
            if case .hello = frame.message { return handleAppHello(app, frame, at: now, into: &outbox) }
            guard let appIndex = connections.index(of: app) else {
                return note(.beforeHello, of: peer, at: now, into: &outbox)
            }
            let capacity = connections.values[appIndex].link.capacity
            let event = connections.values[appIndex].link.receive(frame, at: now)
            guard receive(event, peer, at: now, into: &outbox) != nil else { return }
            let hasMoreRoom = connections.values[appIndex].link.capacity > capacity
            if let message = AppToServer(frame.message) {
                handle(message, in: frame, from: app, at: appIndex, now, into: &outbox)
            }
            // Any frame may raise the capacity.
            if hasMoreRoom { sendWaiting(to: app, at: now, into: &outbox) }
        case .systemServer, .controller: break
        }
    }

    private mutating func handle(_ message: SupervisorToServer, at now: Instant, into outbox: inout Outbox) {
        switch message {
        case .act(let act):
            outbox.trace.note(now, .process, "act: {a:n}", outbox.trace.intern("\(act)"))
            if case .orientation(let app, let orientation) = act, !apps.layout.allows(orientation, of: app) {
                outbox.trace.note(
                    now, .app, "app {a} does not support {b:n}: it stays {c:n}", Int64(app),
                    outbox.trace.intern("\(orientation)"), outbox.trace.intern("\(apps.layout.orientation(of: app))"))
            }
            if !apps.canShare(act) {
                outbox.trace.note(now, .app, "act refused: only the main display shows several apps")
            }
            perform(apps.handle(.system(act)), at: now, into: &outbox)
            carryOut(touches.screenChanged(), at: now, into: &outbox)
        case .child(.reportRequest): outbox.append(.send(supervisor.frame(.child(.report(report()))), to: .supervisor))
        // The host adds the facts to the page.
        case .child(.observe(let observation)):
            relay(observation, at: now, into: &outbox)
            guard observation.kind != .end, observation.peer.role != .app else { return }
            let page = FactPage(answering: observation, from: .systemServer)
            outbox.append(.send(supervisor.frame(.child(.facts(page))), to: .supervisor))
        case .detailRequest(let request):
            outbox.append(.send(supervisor.frame(.detail(detail(answering: request))), to: .supervisor))
        case .monitor(let request): carryOut(touches.handle(request, at: now), at: now, into: &outbox)
        case .open(let request): open(request, for: .controller(request.asker), at: now, into: &outbox)
        case .opened(let answer):
            carryOut(urls.failed(answer.id, at: now, trace: &outbox.trace), at: now, into: &outbox)
        case .child(.roster(let entries)): records.strikes.adopt(entries)
        case .child(.shutdown): outbox.append(.exit(status: 0))
        // The host carries these out.
        case .child(.launch), .child(.chaos), .child(.refused): break
        }
    }

    /// Cancels all keys and pointers, because a frame or input-kit was lost. A scan lists every finger, so Router finds a
    /// finger whose lift was lost. Keys send only changes, so a lost change cannot be found.
    mutating func cancelKeys(at now: Instant, into outbox: inout Outbox) {
        for delivery in devices.clear(at: now) { deliver(delivery, at: now, into: &outbox) }
        home.screenshotKeys.forget()
    }

    // MARK: The loop

    /// Turns the loop until it would sleep.
    private mutating func turn(at now: Instant, into outbox: inout Outbox) {
        while let work = loop.next(at: now) {
            switch consume work {
            case .scan(let scan): source1(scan, at: now, into: &outbox)
            case .home(let parts): source0(parts, at: now, into: &outbox)
            }
        }
    }
}
