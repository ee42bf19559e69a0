// SystemServerCore.swift: backboardd and SpringBoard in one process: decides which app receives each touch.
//
// Station   source1, router
// Input     input-kit's scans, the apps' receipts, the supervisor's acts and questions, timers
// Output    touches and changes of life to apps, one receipt for each scan to input-kit, reports to the supervisor
// Knows     connections, touches, scenes. Never an app's views.
//
//    input-kit ──scan──▶ ServerLoop ─▶ ScanRouting ─┬─▶ Delivery ─▶ AppConnection ─▶ app ──receipt──▶ Answers ─▶ input-kit
//                                                   └─▶ source0 ─▶ HomeScreen ──receipt──────────────────────▶ input-kit
//
// This file holds the state and says which part handles each input. The parts are in files of their own: Peers (hellos,
// losses, strikes), ScanRouting, Delivery, Answers, Responsiveness, Watchdog, Display, Openings, Spies, Observers,
// SystemGestures, Screenshot, ServerReport.
//
// What a link loses both ends agree on (Docs/Decisions/Links.md). A server that was stopped for longer than its lease
// sees it by the clock and exits, because its peers have given it up (Docs/Decisions/Lease.md).
//
// Sources   documented  SEMANTICS D1–D6, D9
//           invented    receipts, credit, and that app 1 is launched into the front

public import Basics
import HID
public import Hosting
import Links
import Trace
public import Wire

public struct SystemServerCore: ProcessCore {
    let order: LaunchOrder
    let rules: ServerRules

    var supervisor: LinkNumbers
    /// URLs that apps are to open.
    var urls: URLOpener
    var inputKit: Link
    var connections = PerApp<AppConnection>()
    /// The links of apps that are gone: a link that opens again goes on with their numbers.
    var former = PerApp<FormerConnection>()
    var conduct: Conduct
    /// The observing controllers, by the numbers that the supervisor has given them.
    var observers: [UInt32] = []
    var apps: SceneTable
    var router: Router
    var devices: DeviceRouter
    /// The keys that take a screenshot.
    var screenshotKeys: ScreenshotKeys
    var home = HomeScreen()
    /// Nil when system gestures are off.
    var gestures: SystemGestures?
    /// When `TimerID.systemGestures` fires; nil when it is not armed.
    var gesturesAt: Instant?
    /// Touch monitors of controllers.
    var spies = SpyTable()
    var inFlight = InFlight()
    var counters = ServerCounters()
    var recent = RecentEvents()

    var vigil: Vigil
    /// Until then a finger on the glass keeps the pulse going; from then on only with a new scan.
    var restsAt = Instant.boot
    static let rest = Duration.seconds(2)
    /// Whether an app may not have received everything that was sent to it: each pulse looks.
    var mayBeUnheard = false
    /// The server was stopped for longer than its lease: it exits, and handles nothing any more.
    var isOver = false

    enum Timer {
        static let pulse = TimerID(1)
        static let patience = TimerID(2)
        static let frame = TimerID(3)
        static let openings = TimerID(5)
    }

    /// When `Timer.patience` fires; nil when it is not armed.
    var judgesAt: Instant?
    var display: Display
    var loop = ServerLoop()
    let displays: Displays

    public init(settings: Settings, order: LaunchOrder) {
        self.order = order
        rules = ServerRules(settings)
        display = Display(settings)
        urls = URLOpener(settings)
        screenshotKeys = ScreenshotKeys(window: settings.duration("screenshot.window"))
        supervisor = LinkNumbers(epoch: order.epoch, generation: order.generation)
        inputKit = Link(.server, epoch: order.epoch, generation: order.generation)
        conduct = Conduct(limit: Int(settings.number("server.strikes")))
        vigil = Vigil(limit: settings.duration("server.lease"))
        displays = Displays(settings)
        apps = SceneTable(displays, orientations: Orientations(settings))
        router = Router(displays)
        let main = displays.geometry(of: 1)
        devices = DeviceRouter(geometry: main)
        guard settings.flag("systemGesture.enabled") else { return }
        gestures = SystemGestures(geometry: main, rules: SystemGestures.Rules(settings))
        apps.zones = EdgeZones(
            width: apps.screen.width, height: apps.screen.height, depth: Fixed(settings.number("systemGesture.zone")))
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        guard !isOver else { return }
        let since = vigil.isInDoubt ? handedOver(input) : nil
        if let away = vigil.turn(at: now, waited: since) { return end(after: away, at: now, into: &outbox) }
        let before = outbox.effects.count
        take(input, at: now, into: &outbox)
        if !spies.wishes.isEmpty { settleWishes(at: now, into: &outbox) }
        recent.take(input, outbox.effects[before...], at: now)
        guard !vigil.isKept else { return }
        let isLive = inFlight.count > 0 || mayBeUnheard || (router.fingersDown > 0 && now < restsAt)
        if let moment = vigil.keep(isLive, at: now) { outbox.append(.arm(Timer.pulse, at: moment)) }
    }

    /// When input-kit sent this scan; nil for anything that is no new scan: a repeated frame has not waited for the server.
    private func handedOver(_ input: Input) -> Instant? {
        guard case .frame(let frame, from: .inputKit) = input, inputKit.isOpen, frame.epoch == inputKit.epoch,
            frame.generation == inputKit.peerGeneration, frame.sequence > inputKit.received
        else { return nil }
        return frame.ledger[.inputSent]
    }

    private mutating func take(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        if case .timerFired(let timer) = input, timer != Timer.patience { showFrame(at: now, into: &outbox) }
        switch input {
        case .started:
            display.begin(at: now)
            outbox.trace.note(
                now, .process, "started, epoch {a}, generation {b}", Int64(order.epoch), Int64(order.generation))
            loop.begin(at: now)
            turn(at: now, into: &outbox)
            outbox.append(.send(supervisor.frame(.ready), to: .supervisor))
        case .frame(let frame, from: let peer): handle(frame, from: peer, at: now, into: &outbox)
        case .peerLost(let peer): lost(peer, at: now, into: &outbox)
        case .refused(let refusal): refused(refusal, at: now, into: &outbox)
        case .stopRequested: outbox.append(.exit(status: 0))
        case .timerFired(Timer.pulse): pulse(at: now, into: &outbox)
        case .timerFired(Timer.patience):
            // First: an app that does not respond gets no frame of the display either.
            judgeApps(at: now, into: &outbox)
            showFrame(at: now, into: &outbox)
        case .timerFired(.systemGestures): passTime(at: now, into: &outbox)
        case .timerFired(Timer.openings): passOpenings(at: now, into: &outbox)
        // A connection counts from its hello on. The server reads no files and has no children.
        case .connected, .timerFired, .fileBytes, .fileFailed, .device, .childStarted, .childFailed, .childExited: break
        }
    }

    // MARK: Frames

    private mutating func handle(_ frame: Frame, from peer: Peer, at now: Instant, into outbox: inout Outbox) {
        switch peer.role {
        case .supervisor: handle(frame.message, at: now, into: &outbox)
        case .inputKit:
            if case .hello = frame.message { return inputKitSaidHello(frame, at: now, into: &outbox) }
            guard let missing = receive(inputKit.receive(frame, at: now), peer, at: now, into: &outbox) else { return }
            if missing > 0 { cancelKeys(at: now, into: &outbox) }
            take(frame, at: now, into: &outbox)
            // Behind the frame itself: a receipt acknowledges it too, so its scan has to be in flight by then, or the
            // credit would be one too high.
            for receipt in inputKit.receipts(forMissing: missing, before: frame.sequence) {
                settle(InFlight.Answer(receipt: receipt, ledger: Ledger()), into: &outbox)
            }
            if case .link(.probe) = frame.message {
                let answer = inputKit.probeAnswer(oldest: inFlight.oldest, credit: credit)
                outbox.append(.send(answer, to: .inputKit))
            }
        case .app:
            let app = peer.instance
            if case .hello = frame.message { return appSaidHello(app, frame, at: now, into: &outbox) }
            guard let place = connections.place(of: app) else {
                return note(.beforeHello, of: peer, at: now, into: &outbox)
            }
            let capacity = connections.values[place].link.capacity
            let event = connections.values[place].link.receive(frame, at: now)
            guard receive(event, peer, at: now, into: &outbox) != nil else { return }
            let hasMoreRoom = connections.values[place].link.capacity > capacity
            take(frame, from: app, at: place, now, into: &outbox)
            // Any frame may raise the capacity.
            if hasMoreRoom { sendWaiting(to: app, at: now, into: &outbox) }
        case .systemServer, .controller: break
        }
    }

    /// A frame of input-kit that counts.
    private mutating func take(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        let content: ServerLoop.Scan.Content
        switch frame.message {
        case .digitizer(let event): content = .glass(event)
        case .device(let event): content = .device(event)
        default: return
        }
        loop.post(ServerLoop.Scan(content: content, sequence: frame.sequence, ledger: frame.ledger))
        turn(at: now, into: &outbox)
    }

    private mutating func handle(_ message: Message, at now: Instant, into outbox: inout Outbox) {
        switch message {
        case .act(let act):
            outbox.trace.note(now, .process, "act: {a:n}", outbox.trace.name("\(act)"))
            if case .orientation(let app, let orientation) = act, !apps.layout.allows(orientation, of: app) {
                outbox.trace.note(
                    now, .app, "app {a}: it cannot be {b:n}, and stays {c:n}", Int64(app),
                    outbox.trace.name("\(orientation)"), outbox.trace.name("\(apps.layout.orientation(of: app))"))
            }
            if !apps.canShare(act) {
                outbox.trace.note(now, .app, "nothing shares another display than the main one: all stays as it is")
            }
            perform(apps.handle(.system(act)), at: now, into: &outbox)
            screenChanged(into: &outbox)
        case .reportRequest: outbox.append(.send(supervisor.frame(.report(report())), to: .supervisor))
        // The host adds the facts.
        case .observe(let observation):
            passOn(observation, at: now, into: &outbox)
            guard observation.word != .end, observation.peer.role != .app else { return }
            let page = FactPage(answering: observation, from: .systemServer)
            outbox.append(.send(supervisor.frame(.facts(page)), to: .supervisor))
        case .detailRequest(let request):
            outbox.append(.send(supervisor.frame(.detail(detail(answering: request))), to: .supervisor))
        case .spy(let request): hears(request, at: now, into: &outbox)
        case .open(let request): open(request, for: .controller(request.asker), at: now, into: &outbox)
        case .opened(let answer):
            carryOut(urls.failed(answer.id, at: now, trace: &outbox.trace), at: now, into: &outbox)
        case .roster(let entries): conduct.take(entries)
        case .shutdown: outbox.append(.exit(status: 0))
        default: break
        }
    }

    /// Cancels the keys that are down. Every scan lists every finger, so that Router finds one whose lift was lost; of
    /// keys only changes are sent, so all of them end when a frame was lost.
    mutating func cancelKeys(at now: Instant, into outbox: inout Outbox) {
        for delivery in devices.clear(at: now) { tell(delivery, at: now, into: &outbox) }
        screenshotKeys.forget()
    }

    // MARK: Time

    /// Probes the apps that may not have received everything, or have not answered.
    private mutating func pulse(at now: Instant, into outbox: inout Outbox) {
        vigil.fired()
        mayBeUnheard = false
        for place in connections.values.indices {
            let app = connections.app(at: place)
            guard
                connections.values[place].link.acknowledged < connections.values[place].link.sent
                    || connections.values[place].unanswered > 0 || !connections.values[place].changes.isEmpty
            else { continue }
            mayBeUnheard = true
            watch(place, at: now, into: &outbox)
            guard let probe = connections.values[place].link.probe(at: now) else { continue }
            outbox.append(.send(probe, to: .app(app)))
        }
    }

    /// All peers have given this server up by now.
    private mutating func end(after away: Duration, at now: Instant, into outbox: inout Outbox) {
        isOver = true
        outbox.trace.note(
            now, .process, "was stopped for {a:t}, lease {b:t}: a new epoch is to begin", away.nanoseconds,
            vigil.limit.nanoseconds)
        outbox.append(.exit(status: ExitStatus.leaseExpired))
    }

    // MARK: The loop

    /// Turns the loop until it would sleep.
    private mutating func turn(at now: Instant, into outbox: inout Outbox) {
        while let work = loop.next(at: now) {
            switch work {
            case .scan(let scan): source1(scan, at: now, into: &outbox)
            case .home(let parts): source0(parts, at: now, into: &outbox)
            }
        }
    }
}
