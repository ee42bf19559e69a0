// SystemServerCore.swift: backboardd and SpringBoard in one: takes scans of the glass, decides who gets them.
//
// Station   router
// Fed by    input-kit (scans), apps (receipts), the supervisor (acts, questions), a host's clock
// Feeds     apps (touches, life cycle), input-kit (one receipt for every scan)
// Knows     links, fingers, who is in front. Never what an app's views look like.
//
//    input-kit ──digitizer──▶ source1 ─▶ route ─┬─▶ app's link ─ ─ handled ─ ─▶ receipt ─▶ input-kit
//                                               └─▶ source0 ─▶ home screen ───▶ receipt ─▶ input-kit
//
// One way only: scans come in, decisions go to apps; apps answer with receipts, never with events.
//
// What a link loses is agreed on by its two ends (Docs/Decisions/Links.md). A server that was stopped knows it by the
// clock and ends: whoever it knew has given it up (Docs/Decisions/Lease.md). A peer that sends what no honest peer sends
// is hung up on, and the supervisor told.
//
// Sources   documented  SEMANTICS D1–D6, D9
//           invented    receipts, credit, and that app 1 is launched into the front

public import Basics
import HID
public import Hosting
import Links
import RunLoops
import Trace
public import Wire

public struct SystemServerCore: ProcessCore {
    private let order: LaunchOrder
    private let inFlightLimit: Int
    let probes: Bool

    var supervisor: LinkNumbers
    /// URLs on their way.
    var openings: Openings
    private var inputKit: Link
    var links = PerApp<AppLink>()
    /// Of apps that are gone: numbers go on where they were.
    private var former = PerApp<FormerLink>()
    private var conduct: Conduct
    /// Controllers that observe, by the numbers the supervisor has given them.
    var observers: [UInt32] = []
    var apps: SceneTable
    var router: Router
    var devices: DeviceRouter
    /// The keys that take a picture of the screen.
    var screenshotKeys: ScreenshotKeys
    private var home = HomeScreen()
    /// Nil when the server has no gestures of its own.
    var gestures: SystemGestures?
    /// When their time is to pass; nil when no timer is armed.
    var gesturesAt: Instant?
    /// Those from outside.
    var spies = SpyTable()
    /// Nothing on the screen is secret: `trace.places`.
    let saysPlaces: Bool
    /// Nothing that is typed is secret, but into an app with a secure window: `trace.keys`.
    let saysKeys: Bool
    var inFlight = InFlight()
    private var counters = Counters()
    private var recent = RecentEvents()

    private var vigil: Vigil
    /// When a finger that nothing is heard of is no reason any more to keep awake.
    private var restsAt = Instant.boot
    private static let rest = Duration.seconds(2)
    /// Something was sent to an app since it was last looked who has heard everything.
    private var mayBeUnheard = false
    /// It knows that it was stopped, and takes nothing any more.
    private var isOver = false

    enum Timer {
        static let pulse = TimerID(1)
        static let patience = TimerID(2)
        static let frame = TimerID(3)
        static let openings = TimerID(5)
    }

    /// How much an app is let have, how old a move may get while it waits, how long an app may answer nothing.
    private let window: Int
    private let staleness: Duration
    let patience: Duration
    /// How long an app may take for a change of its life.
    let deadline: Duration
    /// When `Timer.patience` is to fire; nil when it is not armed.
    var judgesAt: Instant?
    var display: Display

    /// The server's own loop: scans come in by source1, what the server keeps for itself is taken in source0 (S84).
    private var loop = RunLoop()
    private let port: RunLoop.Source1ID
    private let homeSource: RunLoop.Source0ID
    private var scans: [Scan] = []
    private var forHome: [(scan: UInt64, part: HomePart)] = []

    private let displays: Displays

    public init(settings: Settings, order: LaunchOrder) {
        self.order = order
        inFlightLimit = Int(settings.number("server.inFlightLimit"))
        window = Int(settings.number("server.window"))
        staleness = settings.duration("server.staleness")
        patience = settings.duration("server.unresponsive")
        deadline = settings.duration("server.watchdog")
        display = Display(settings)
        saysPlaces = settings.flag("trace.places")
        saysKeys = settings.flag("trace.keys")
        openings = Openings(settings)
        screenshotKeys = ScreenshotKeys(window: settings.duration("screenshot.window"))
        probes = settings.text("probes").split(separator: ",").contains("server")
        supervisor = LinkNumbers(epoch: order.epoch, generation: order.generation)
        inputKit = Link(.server, epoch: order.epoch, generation: order.generation)
        conduct = Conduct(limit: Int(settings.number("server.strikes")))
        vigil = Vigil(limit: settings.duration("server.lease"))
        port = loop.addSource1(in: .common)
        homeSource = loop.addSource0(in: .common)
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

    /// When input-kit handed this over, if it is a scan that counts: one that a link repeats has not waited for us.
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
            loop.begin(in: .standard, at: now)
            turn(at: now, into: &outbox)
            outbox.append(.send(supervisor.frame(.ready), to: .supervisor))
        case .frame(let frame, from: let peer): handle(frame, from: peer, at: now, into: &outbox)
        case .peerLost(let peer): lost(peer, at: now, into: &outbox)
        case .refused(let refusal): refused(refusal, at: now, into: &outbox)
        case .stopRequested: outbox.append(.exit(status: 0))
        case .timerFired(Timer.pulse): pulse(at: now, into: &outbox)
        case .timerFired(Timer.patience):
            // First: an app that does not answer is shown no frame either.
            judgeApps(at: now, into: &outbox)
            showFrame(at: now, into: &outbox)
        case .timerFired(.systemGestures): passTime(at: now, into: &outbox)
        case .timerFired(Timer.openings): passOpenings(at: now, into: &outbox)
        // A link says who it is with `hello`; until then there is nobody to speak of. The server reads no files and
        // has no children.
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
            // After it: an answer says that this one was heard too, so its scan has to be in flight by then, or
            // input-kit would have credit for one more than there is room for.
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
            guard let place = links.place(of: app) else { return note(.beforeHello, of: peer, at: now, into: &outbox) }
            let capacity = links.values[place].link.capacity
            let event = links.values[place].link.receive(frame, at: now)
            guard receive(event, peer, at: now, into: &outbox) != nil else { return }
            let hasMoreRoom = links.values[place].link.capacity > capacity
            switch frame.message {
            case .handled(let receipt):
                let sent = links.values[place].link.sent
                guard (1...max(1, sent)).contains(receipt.frame) else {
                    return strike(peer, "it answers frame \(receipt.frame) of \(sent)", at: now, into: &outbox)
                }
                if receipt.isOfLoss {
                    links.values[place].missed &+= 1
                    let isAsked = inFlight.isAsked(app, receipt.frame)
                    agree(
                        with: app, lacking: receipt.frame,
                        isOfLifeCycle: !isAsked && receipt.frame <= links.values[place].lastLifeCycle, at: now,
                        into: &outbox)
                }
                settle(inFlight.answered(by: app, receipt, ledger: frame.ledger), into: &outbox)
                if receipt.outcome == .delivered { links.values[place].isDone(before: receipt.frame) }
                let isMore = inFlight.unanswered(by: app) > 0
                let over = links.values[place].responsiveness.answered(isMore: isMore, at: now)
                recovered(over, at: now, into: &outbox)
                // While it did not answer no timer was set for what it has yet to answer.
                if isMore { expectAnswer(at: place, at: now, into: &outbox) }
                sendWaiting(to: app, at: now, into: &outbox)
                hears(receipt, of: app, at: now, into: &outbox)
            case .link(.heard(let oldest, let missed)):
                let sent = links.values[place].link.sent
                guard missed <= sent else {
                    return strike(peer, "it has missed \(missed) frames of \(sent)", at: now, into: &outbox)
                }
                links.values[place].isDone(before: oldest > 0 ? min(frame.ack &+ 1, oldest) : frame.ack &+ 1)
                let lost = inFlight.unheard(by: app, heard: frame.ack, oldest: oldest)
                for answer in lost { settle(answer, into: &outbox) }
                if inFlight.unanswered(by: app) == 0 {
                    recovered(links.values[place].responsiveness.nothingIsAsked(at: now), at: now, into: &outbox)
                }
                // After it: what it is told now it is asked now.
                if missed > links.values[place].missed {
                    links.values[place].missed = missed
                    agree(
                        with: app, isOfLifeCycle: links.values[place].lastLifeCycle > 0, at: now, into: &outbox)
                }
                sendWaiting(to: app, at: now, into: &outbox)
            case .windows(let diff): declare(diff, by: app, at: now, into: &outbox)
            case .open(let request): open(request, for: .app(app, life: frame.generation), at: now, into: &outbox)
            case .opened(let answer):
                if let reason = opened(answer, by: app, at: now, into: &outbox) {
                    strike(peer, reason, at: now, into: &outbox)
                }
            case .facts(let page): passOn(page, from: app, into: &outbox)
            default: break
            }
            // Whatever it says it in: what waits goes as soon as there is room.
            if hasMoreRoom { sendWaiting(to: app, at: now, into: &outbox) }
        case .systemServer, .controller: break
        }
    }

    /// A frame of input-kit's that counts.
    private mutating func take(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        let content: Scan.Content
        switch frame.message {
        case .digitizer(let event): content = .glass(event)
        case .device(let event): content = .device(event)
        default: return
        }
        scans.append(Scan(content: content, sequence: frame.sequence, ledger: frame.ledger))
        loop.signal(port)
        turn(at: now, into: &outbox)
    }

    private mutating func handle(_ message: Message, at now: Instant, into outbox: inout Outbox) {
        switch message {
        case .act(let act):
            outbox.trace.note(now, .process, "act: {a:n}", outbox.trace.name("\(act)"))
            if case .orientation(let app, let orientation) = act, !apps.allows(orientation, of: app) {
                outbox.trace.note(
                    now, .app, "app {a}: it cannot be {b:n}, and stays {c:n}", Int64(app),
                    outbox.trace.name("\(orientation)"), outbox.trace.name("\(apps.orientation(of: app))"))
            }
            if !apps.canShare(act) {
                outbox.trace.note(now, .app, "nothing shares another display than the main one: all stays as it is")
            }
            perform(apps.handle(.system(act)), at: now, into: &outbox)
            screenChanged(into: &outbox)
        case .reportRequest: outbox.append(.send(supervisor.frame(.report(report())), to: .supervisor))
        // What has been noted its host adds.
        case .observe(let observation):
            passOn(observation, at: now, into: &outbox)
            guard observation.word != .end, observation.peer.role != .app else { return }
            let page = FactPage(answering: observation, from: .systemServer)
            outbox.append(.send(supervisor.frame(.facts(page)), to: .supervisor))
        case .detailRequest(let request):
            outbox.append(.send(supervisor.frame(.detail(detail(answering: request))), to: .supervisor))
        case .spy(let request): hears(request, at: now, into: &outbox)
        case .open(let request): open(request, for: .controller(request.asker), at: now, into: &outbox)
        case .opened(let answer): failed(answer, at: now, into: &outbox)
        case .roster(let entries): conduct.take(entries)
        case .shutdown: outbox.append(.exit(status: 0))
        default: break
        }
    }

    /// Notes what a link says of a frame that is no hello.
    ///
    /// - Returns: How many frames are missing before it; nil for a frame that does not count.
    private mutating func receive(
        _ event: Link.Event, _ peer: Peer, at now: Instant, into outbox: inout Outbox
    ) -> UInt64? {
        switch event {
        case .arrived(missing: 0): return 0
        case .arrived(let missing):
            counters.missing &+= missing
            outbox.trace.note(
                now, .router, "{a:n}: {b} frames missing", outbox.trace.name("\(peer)"), Int64(clamping: missing))
            guard missing <= Link.gapLimit else {
                strike(peer, "\(missing) frames missing", at: now, into: &outbox)
                return nil
            }
            return missing
        case .refused(let refusal):
            note(refusal, of: peer, at: now, into: &outbox)
            return nil
        case .opened, .helloRepeated: preconditionFailure("only a hello opens the link of \(peer)")
        }
    }

    private mutating func note(
        _ refusal: Link.Refusal, of peer: Peer, at now: Instant, into outbox: inout Outbox
    ) {
        let name = outbox.trace.name("\(peer)")
        switch refusal {
        case .duplicate(let sequence, _):
            counters.duplicates += 1
            outbox.trace.note(now, .router, "{a:n}: #{b} heard before", name, Int64(clamping: sequence))
        case .fenced(let epoch, let generation):
            counters.fenced += 1
            outbox.trace.note(
                now, .router, "{a:n}: fenced, epoch {b}, generation {c}", name, Int64(epoch), Int64(generation))
        case .beforeHello:
            counters.fenced += 1
            outbox.trace.note(now, .router, "{a:n}: spoke before its hello", name)
        case .oldHello(let sequence, let generation):
            counters.fenced += 1
            outbox.trace.note(
                now, .router, "{a:n}: hello {b} of generation {c} is of before", name, Int64(clamping: sequence),
                Int64(generation))
        }
    }

    /// Fingers are said again in every scan, and whoever is missing from one has lifted: Router sees to it. Keys are not,
    /// so those held end when something was lost.
    private mutating func cancelKeys(at now: Instant, into outbox: inout Outbox) {
        for delivery in devices.clear(at: now) { tell(delivery, at: now, into: &outbox) }
        screenshotKeys.forget()
    }

    /// An app has not heard something, or had no room for it, and has let go of its fingers: so do we, and it hears once
    /// more how it stands. Not of a frame from before that was last said: three frames for each that is missing would be more and
    /// more of them, where a third go missing or come late.
    ///
    /// - Parameter frame: What it has not heard; nil when it does not say.
    private mutating func agree(
        with app: UInt32, lacking frame: UInt64? = nil, isOfLifeCycle: Bool, at now: Instant, into outbox: inout Outbox
    ) {
        counters.lost += 1
        if let frame {
            for delivery in router.revoke(.app(app), toldBy: frame, at: now) { tell(delivery, at: now, into: &outbox) }
            for delivery in devices.revoke(.app(app), at: now) { tell(delivery, at: now, into: &outbox) }
        } else {
            perform([.revoke(.app(app))], at: now, into: &outbox)
        }
        guard let place = links.place(of: app) else { return }
        let (frame, next) = (frame ?? .max, links.values[place].link.sent + 1)
        let isSceneDue = frame >= links.values[place].sceneSaid
        if isSceneDue {
            links.values[place].sceneSaid = next
            if apps.told[app] != nil { sayScene(to: app, at: now, into: &outbox) }
        }
        if isOfLifeCycle, frame >= links.values[place].standingSaid {
            links.values[place].standingSaid = next
            sayStanding(to: app, at: now, into: &outbox)
        }
        if isSceneDue { unheard(by: app, at: now, into: &outbox) }
    }

    /// Once: what waits for the app's window already is as it stands.
    private mutating func sayStanding(to app: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard let place = links.place(of: app) else { return }
        let standing = apps.standing(of: app).map(Message.lifeCycle)
        guard links.values[place].waiting.suffix(standing.count).map(\.message) != standing else { return }
        for message in standing { send(message, to: app, at: now, into: &outbox) }
    }

    // MARK: Time

    /// Asks those who have not heard everything, or not answered, how far they are.
    private mutating func pulse(at now: Instant, into outbox: inout Outbox) {
        vigil.fired()
        mayBeUnheard = false
        for place in links.values.indices {
            let app = links.app(at: place)
            guard
                links.values[place].link.acknowledged < links.values[place].link.sent
                    || inFlight.unanswered(by: app) > 0 || !links.values[place].changes.isEmpty
            else { continue }
            mayBeUnheard = true
            watch(place, at: now, into: &outbox)
            guard let probe = links.values[place].link.probe(at: now) else { continue }
            outbox.append(.send(probe, to: .app(app)))
        }
    }

    /// Everybody we knew has given us up by now, and what they said to us since is old.
    private mutating func end(after away: Duration, at now: Instant, into outbox: inout Outbox) {
        isOver = true
        outbox.trace.note(
            now, .process, "was stopped for {a:t}, lease {b:t}: a new epoch is to begin", away.nanoseconds,
            vigil.limit.nanoseconds)
        outbox.append(.exit(status: ExitStatus.leaseExpired))
    }

    // MARK: Conduct

    private mutating func refused(_ refusal: Refusal, at now: Instant, into outbox: inout Outbox) {
        counters.lastRefusal = String("\(refusal)".prefix(Self.refusalLimit))
        switch refusal {
        case .keyless(let calls): counters.keyless &+= UInt64(calls)
        case .unknownKey: counters.unknownKeys &+= 1
        default: break
        }
        if counters.refused.rises() {
            outbox.trace.note(
                now, .process, "refused, {b} so far: {a:n}", outbox.trace.name("\(refusal)"),
                Int64(clamping: counters.refused.count))
        }
        if let peer = refusal.peer {
            strike(peer, "\(refusal)", isLast: refusal.isLast, at: now, into: &outbox)
        }
    }

    private mutating func strike(
        _ peer: Peer, _ reason: String, isLast: Bool = false, at now: Instant, into outbox: inout Outbox
    ) {
        guard let misconduct = conduct.strike(peer, reason, isLast: isLast) else { return }
        outbox.trace.note(
            now, .process, "{a:n} is hung up on after {b} strikes", outbox.trace.name("\(peer)"),
            Int64(misconduct.strikes))
        lost(peer, at: now, into: &outbox)
        outbox.append(.hangUp(peer))
        outbox.append(.send(supervisor.frame(.misconduct(misconduct)), to: .supervisor))
    }

    // MARK: Links

    private mutating func inputKitSaidHello(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        guard admits(frame, from: .inputKit, at: now, into: &outbox) else { return }
        if inputKit.isNew(hello: frame) { lostInputKit(at: now, into: &outbox) }
        switch inputKit.receive(frame, at: now) {
        case .opened:
            outbox.append(.send(inputKit.answer(credit: credit), to: .inputKit))
            outbox.trace.note(now, .process, "input-kit is here, generation {a}", Int64(frame.generation))
        case .helloRepeated: outbox.append(.send(inputKit.answer(credit: credit), to: .inputKit))
        case .refused(let refusal): note(refusal, of: .inputKit, at: now, into: &outbox)
        case .arrived: preconditionFailure("a client's hello is no message")
        }
    }

    private mutating func appSaidHello(_ app: UInt32, _ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        guard admits(frame, from: .app(app), at: now, into: &outbox) else { return }
        var link = former[app]?.link ?? Link(.server, epoch: order.epoch, generation: order.generation)
        if let place = links.place(of: app) {
            guard links.values[place].link.isNew(hello: frame) else {
                switch links.values[place].link.receive(frame, at: now) {
                case .helloRepeated: return answer(app, at: now, into: &outbox)
                case .refused(let refusal): return note(refusal, of: .app(app), at: now, into: &outbox)
                case .opened, .arrived: preconditionFailure("a hello that is not new opens nothing")
                }
            }
            link = links.values[place].link
            link.lost()
            lost(.app(app), at: now, into: &outbox)
        }
        guard case .opened(let isSameLife) = link.receive(frame, at: now) else {
            return note(
                .oldHello(sequence: frame.sequence, generation: frame.generation), of: .app(app), at: now,
                into: &outbox)
        }
        var appLink = AppLink(link: link, limit: window)
        if isSameLife { appLink.lastLifeCycle = former[app]?.lastLifeCycle ?? 0 }
        links.set(appLink, for: app)
        answer(app, at: now, into: &outbox)
        beginObserving(app, at: now, into: &outbox)
        outbox.trace.note(now, .process, "app {a} is here, generation {b}", Int64(app), Int64(frame.generation))
        guard isSameLife else {
            return perform(apps.handle(.launched(app)), opening: app, at: now, into: &outbox)
        }
        // It is as it was told to be, and may not have heard all of that.
        perform(apps.handle(.linked(app)), opening: app, at: now, into: &outbox)
        if apps.told[app] != nil { sayScene(to: app, at: now, into: &outbox) }
        if appLink.lastLifeCycle > 0 { sayStanding(to: app, at: now, into: &outbox) }
    }

    /// Whether it is an app of another machine: of one of this the supervisor has told.
    func hasJoined(_ app: UInt32) -> Bool { links[app] != nil && !conduct.isOnRoster(.app(app)) }

    /// Whoever had not heard it has dropped what was said since: the question behind it shows that at once.
    private mutating func answer(_ app: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard let place = links.place(of: app) else { return }
        mayBeUnheard = true
        outbox.append(.send(links.values[place].link.answer(), to: .app(app)))
        guard links.values[place].link.hasSentMessages else { return }
        send(.link(.probe), to: app, at: now, into: &outbox)
    }

    /// Whether a hello is listened to: of a process that is still let in, and that says of itself what the roster says.
    private mutating func admits(
        _ hello: Frame, from peer: Peer, at now: Instant, into outbox: inout Outbox
    ) -> Bool {
        switch conduct.judge(peer, hello.generation) {
        case .welcome: return true
        case .out: return false
        case .late:
            let refusal = Link.Refusal.oldHello(sequence: hello.sequence, generation: hello.generation)
            note(refusal, of: peer, at: now, into: &outbox)
            return false
        case .impostor:
            strike(peer, "it says it is generation \(hello.generation)", at: now, into: &outbox)
            return false
        }
    }

    private mutating func lost(_ peer: Peer, at now: Instant, into outbox: inout Outbox) {
        switch peer.role {
        case .inputKit: lostInputKit(at: now, into: &outbox)
        case .app:
            guard let link = links.remove(peer.instance) else { return }
            recent.lost(peer.instance, at: now)
            var closed = link.link
            closed.lost()
            former.set(FormerLink(link: closed, lastLifeCycle: link.lastLifeCycle), for: peer.instance)
            // A server by itself numbers every connection anew.
            former.keepLast(Conduct.peerLimit)
            let fingers = router.forget(.app(peer.instance))
            devices.forget(.app(peer.instance))
            outbox.trace.note(
                now, .process, "app {a} is gone; {b} fingers are dead until they lift", Int64(peer.instance),
                Int64(fingers))
            for answer in inFlight.died(peer.instance) { settle(answer, into: &outbox) }
            for waiting in link.waiting + link.held {
                settle(inFlight.settled(waiting.input, .nobody), into: &outbox)
            }
            perform(apps.handle(.died(peer.instance)), at: now, into: &outbox)
            left(peer.instance, at: now, into: &outbox)
        case .supervisor, .systemServer, .controller: break
        }
    }

    /// Its fingers go with it: an input-kit that comes back starts from what it sees then (F3). What an app has of its
    /// frames it still has, and what waits for an app still goes there; but nobody is told of it any more.
    private mutating func lostInputKit(at now: Instant, into outbox: inout Outbox) {
        guard inputKit.lost() else { return }
        outbox.trace.note(now, .process, "input-kit is gone; {a} touches cancelled", Int64(router.liveTouches))
        inFlight.clear()
        for place in links.values.indices { links.values[place].disownWaiting() }
        gestures?.clear()
        for delivery in router.clear(at: now) { tell(delivery, at: now, into: &outbox) }
        cancelKeys(at: now, into: &outbox)
        clearSpies(at: now, into: &outbox)
    }

    // MARK: The loop

    /// Turns the loop until it would sleep.
    private mutating func turn(at now: Instant, into outbox: inout Outbox) {
        while true {
            switch loop.next(at: now) {
            case .source1:
                // One, mostly; taking the last leaves the rest where it is.
                source1(scans.count == 1 ? scans.removeLast() : scans.removeFirst(), at: now, into: &outbox)
            case .source0: source0(at: now, into: &outbox)
            case .sleep: return
            case .observe, .timer, .block, .mainQueue, .busy, .finished:
                preconditionFailure("the server's loop has two sources and nothing else")
            }
        }
    }

    /// A scan arrived: decide who gets it, and let it go there.
    private mutating func source1(_ scan: Scan, at now: Instant, into outbox: inout Outbox) {
        counters.scans += 1
        restsAt = now.advanced(by: Self.rest)
        var ledger = scan.ledger
        ledger.append(now)

        if inFlight.count >= inFlightLimit, !scan.hasEdge {
            counters.overLimit += 1
            outbox.trace.note(
                now, .router, "#{a} dropped: {b} scans in flight, limit {c}", Int64(clamping: scan.sequence),
                Int64(inFlight.count), Int64(inFlightLimit))
            let answer = inFlight.opened(scan.sequence, ledger: ledger, recipients: 0, reason: .overLimit)
            return settle(answer, into: &outbox)
        }

        switch scan.content {
        case .glass(let event): route(event, of: scan, ledger, at: now, into: &outbox)
        case .device(let event):
            route(event, of: scan, ledger, at: now, into: &outbox)
            if screenshotKeys.take(event) { takeScreenshot(at: now, into: &outbox) }
        }
    }

    private mutating func route(
        _ event: HIDEvent, of scan: Scan, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        lookOn(event, at: now, into: &outbox)
        var outcome = router.route(event, over: apps)
        contest(outcome.landings, of: event, at: now, into: &outbox)
        refuseLandings(in: &outcome, at: now, into: &outbox)
        if let newer = outcome.fencedBy {
            counters.fenced += 1
            outbox.trace.note(
                now, .router, "device {a}: fenced, generation {b}, now {c}", Int64(clamping: event.senderID),
                Int64(event.generationCount), Int64(newer))
        }
        for landing in outcome.landings { note(landing, at: now, into: &outbox) }
        for reason in outcome.drops { note(reason, at: now, into: &outbox) }
        let answer = inFlight.opened(
            scan.sequence, ledger: ledger, recipients: outcome.deliveries.count,
            reason: outcome.deliveries.isEmpty ? outcome.reason : .none, takenByMonitor: outcome.takenByMonitor,
            takenBySystem: outcome.takenBySystem)
        settle(answer, into: &outbox)
        for delivery in outcome.deliveries {
            switch delivery.recipient {
            case .app(let app):
                send(.touches(delivery.frame), to: app, of: scan, ledger, at: now, into: &outbox)
            case .home, .overlay, .alert, .keyboard, .shade: keep(.touches(delivery), of: scan)
            }
        }
        tellSpies(event, outcome.seen, at: now, into: &outbox)
    }

    private mutating func route(
        _ event: DeviceEvent, of scan: Scan, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        var outcome = devices.route(event, over: apps)
        refuseBeginning(in: &outcome, at: now)
        guard case .deliver(let delivery) = outcome else {
            var why = Receipt.Reason.nothingNew
            if case .drop(let reason) = outcome {
                note(reason, at: now, into: &outbox)
                why = Receipt.Reason(reason)
            }
            return settle(
                inFlight.opened(scan.sequence, ledger: ledger, recipients: 0, reason: why), into: &outbox)
        }
        if delivery.event.input.phase == .began || delivery.event.input.phase == .once {
            outbox.trace.note(
                now, .router, "{a:n} → {b:n}",
                outbox.trace.name(
                    delivery.event.input.stretch.text(sayingKeys: saysKeys && !isSecret(delivery.recipient))),
                outbox.trace.name("\(delivery.recipient)"))
            if probes {
                outbox.trace.probe(now, .router, "server source1")
                outbox.trace.probe(now, .router, "server route=\(delivery.recipient)")
            }
        }
        settle(inFlight.opened(scan.sequence, ledger: ledger, recipients: 1), into: &outbox)
        switch delivery.recipient {
        case .app(let app):
            send(.input(delivery.event), to: app, of: scan, ledger, at: now, into: &outbox)
        case .home, .overlay, .alert, .keyboard, .shade: keep(.device(delivery), of: scan)
        }
    }

    private func isSecret(_ recipient: Recipient) -> Bool {
        if case .app(let app) = recipient { apps.hidesPlaces(of: app) } else { false }
    }

    /// What the server keeps for itself waits for its own source0.
    private mutating func keep(_ part: HomePart, of scan: Scan) {
        forHome.append((scan.sequence, part))
        loop.signal(homeSource)
        loop.wakeUp()
    }

    /// What the server keeps for itself.
    private mutating func source0(at now: Instant, into outbox: inout Outbox) {
        for (scan, part) in forHome {
            let receipt: Receipt
            switch part {
            case .touches(let delivery):
                let landed = delivery.frame.contacts.contains { $0.phase == .began }
                if probes, landed { outbox.trace.probe(now, .router, "server source0") }
                receipt = home.consume(delivery, probes: probes, at: now, trace: &outbox.trace)
            case .device(let delivery): receipt = home.consume(delivery, at: now, trace: &outbox.trace)
            }
            settle(inFlight.settled(scan, receipt), into: &outbox)
        }
        forHome.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ landing: Router.Landing, at now: Instant, into outbox: inout Outbox) {
        guard let recipient = landing.recipient else {
            let (finger, display) = (Int64(landing.finger), Int64(landing.display))
            if landing.display == 1 || apps.isDark {
                outbox.trace.note(now, .router, "contact {a} landed on nothing: the screen is locked", finger)
            } else {
                outbox.trace.note(now, .router, "contact {a} landed on nothing: display {b} is empty", finger, display)
            }
            return
        }
        outbox.trace.note(
            now, .router, "contact {a} → {b:n}, until it lifts: touch {c}", Int64(landing.finger),
            outbox.trace.name("\(recipient)"), Int64(landing.touch.rawValue))
        guard probes else { return }
        outbox.trace.probe(now, .router, "server source1")
        outbox.trace.probe(now, .router, "server route=\(recipient)")
    }

    private mutating func note(_ reason: ContactRoute.Reason, at now: Instant, into outbox: inout Outbox) {
        counters.drops += 1
        outbox.trace.note(now, .router, "dropped: {a:n}", outbox.trace.name("\(reason)"))
    }

    // MARK: To apps, and back

    /// One app's part of a scan: sent if the app's window allows it and nothing waits before it.
    private mutating func send(
        _ message: Message, to app: UInt32, of scan: Scan, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let question = AppLink.Waiting(input: scan.sequence, message: message, ledger: ledger, at: now)
        ask(question, of: app, at: now, into: &outbox)
    }

    private mutating func ask(
        _ question: AppLink.Waiting, of app: UInt32, at now: Instant, into outbox: inout Outbox
    ) {
        guard let place = links.place(of: app) else { return }
        if question.isTouches, display.isOn {
            guard question.isEdge else { return hold(question, at: place, at: now, into: &outbox) }
            releaseAll(at: place, at: now, into: &outbox)
        }
        let unanswered = inFlight.unanswered(by: app)
        guard links.values[place].waiting.isEmpty,
            links.values[place].hasRoom(unanswered: unanswered, forEdge: question.isEdge)
        else {
            if let part = links.values[place].wait(question) {
                settle(inFlight.settled(part, .coalesced), into: &outbox)
            }
            return sendWaiting(to: app, at: now, into: &outbox)
        }
        let frame = links.values[place].link.frame(question.message, ledger: question.ledger)
        letOut(frame, of: question, to: place, at: now, into: &outbox)
    }

    /// Sends what the app's window allows; the rest waits for its receipts.
    mutating func sendWaiting(to app: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard let place = links.place(of: app) else { return }
        while true {
            let unanswered = inFlight.unanswered(by: app)
            // Looked at when its turn has come: until then nobody knows how old it will be. An edge waits behind whatever is stale.
            if links.values[place].hasRoom(unanswered: unanswered, forEdge: true),
                let stale = links.values[place].dropStale(at: now, limit: staleness)
            {
                settle(inFlight.settled(stale, .stale), into: &outbox)
                continue
            }
            guard let (waiting, frame) = links.values[place].next(unanswered: unanswered) else { return }
            letOut(frame, of: waiting, to: place, at: now, into: &outbox)
        }
    }

    private mutating func letOut(
        _ frame: Frame, of question: AppLink.Waiting, to place: Int, at now: Instant, into outbox: inout Outbox
    ) {
        let app = links.app(at: place)
        mayBeUnheard = true
        outbox.append(.send(frame, to: .app(app)))
        guard question.isAnswered else {
            if case .lifeCycle = question.message { links.values[place].isToldOfLife(frame, at: now) }
            return
        }
        inFlight.sent(question.input, to: app, as: frame.sequence)
        if case .touches(let touches) = frame.message { router.told(touches, in: frame.sequence) }
        isAsked(app, frame.message, as: frame.sequence)
        links.values[place].most = max(links.values[place].most, inFlight.unanswered(by: app))
        expectAnswer(at: place, at: now, into: &outbox)
    }

    /// Tells a recipient of touches that were taken from it: no scan is behind it, so nobody waits for the receipt.
    mutating func tell(_ delivery: Router.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay, .alert, .keyboard, .shade:
            _ = home.consume(delivery, probes: probes, at: now, trace: &outbox.trace)
        case .app(let app): tell(.touches(delivery.frame), to: app, at: now, into: &outbox)
        }
    }

    private mutating func tell(_ delivery: DeviceRouter.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay, .alert, .keyboard, .shade: _ = home.consume(delivery, at: now, trace: &outbox.trace)
        case .app(let app): tell(.input(delivery.event), to: app, at: now, into: &outbox)
        }
    }

    /// Behind what still waits for the app's window, as it ends that.
    private mutating func tell(_ cancel: Message, to app: UInt32, at now: Instant, into outbox: inout Outbox) {
        let question = AppLink.Waiting(input: 0, message: cancel, ledger: Ledger(), at: now)
        ask(question, of: app, at: now, into: &outbox)
    }

    /// What no receipt answers. A change of life, or of its scene, keeps its place behind what waits.
    mutating func send(_ message: Message, to app: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard let place = links.place(of: app) else { return }
        if message.keepsItsPlace, !links.values[place].waiting.isEmpty {
            links.values[place].waiting.append(
                AppLink.Waiting(input: 0, message: message, ledger: Ledger(), at: .boot))
            return
        }
        mayBeUnheard = true
        let frame = links.values[place].link.frame(message)
        if case .lifeCycle = message { links.values[place].isToldOfLife(frame, at: now) }
        outbox.append(.send(frame, to: .app(app)))
    }

    mutating func perform(_ steps: [SceneTable.Step], at now: Instant, into outbox: inout Outbox) {
        for step in steps {
            switch step {
            case .revoke(let recipient):
                for delivery in router.revoke(recipient, at: now) { tell(delivery, at: now, into: &outbox) }
                for delivery in devices.revoke(recipient, at: now) { tell(delivery, at: now, into: &outbox) }
            case .place(let app, _):
                let space = outbox.trace.name("\(apps.space(toldTo: app))")
                outbox.trace.note(now, .app, "app {a}: its scene is {b:n}", Int64(app), space)
                sayScene(to: app, at: now, into: &outbox)
            case .tell(let app, let moment):
                outbox.trace.note(now, .app, "app {a}: {b:n}", Int64(app), outbox.trace.name("\(moment)"))
                send(.lifeCycle(moment), to: app, at: now, into: &outbox)
            }
        }
    }

    // MARK: Scenes

    /// An app says where its windows are, and hears how far it was heard.
    private mutating func declare(
        _ diff: WindowsDiff, by app: UInt32, at now: Instant, into outbox: inout Outbox
    ) {
        switch apps.declare(diff, by: app) {
        case .taken:
            outbox.trace.note(
                now, .router, "app {a}: {b} changes of windows, {c} now", Int64(app), Int64(diff.changes.count),
                Int64(apps.windows[app]?.count ?? 0))
        case .missed:
            outbox.trace.note(
                now, .router, "app {a}: windows {b} without those before, {c} heard", Int64(app), Int64(diff.number),
                Int64(apps.windows[app]?.number ?? 0))
        case .refused(let reason): strike(.app(app), reason, at: now, into: &outbox)
        }
        sayScene(to: app, at: now, into: &outbox)
    }

    /// Where its scene is, and how far its windows are known.
    private mutating func sayScene(to app: UInt32, at now: Instant, into outbox: inout Outbox) {
        let space = apps.space(toldTo: app)
        let state = SceneState(
            frame: space.frame, scale: Fixed(apps.scale(of: app)), orientation: space.orientation,
            windowsHeard: apps.windows[app]?.number ?? 0)
        guard let place = links.place(of: app), links.values[place].waiting.last?.message != .scene(state) else {
            return
        }
        send(.scene(state), to: app, at: now, into: &outbox)
    }

    mutating func settle(_ answer: InFlight.Answer?, into outbox: inout Outbox) {
        guard let answer else { return }
        counters.answered += 1
        guard inputKit.isOpen else { return }
        let frame = inputKit.frame(.handled(answer.receipt), ledger: answer.ledger, credit: credit)
        outbox.append(.send(frame, to: .inputKit))
    }

    private var credit: Int { max(0, inFlightLimit - inFlight.count) }

    // MARK: About itself

    private func report() -> Report {
        var report = Report(peer: .systemServer)
        report.add("epoch", order.epoch)
        report.add("generation", order.generation)
        // Whoever synthesises touches asks.
        for display in displays.numbers {
            let bounds = displays.geometry(of: display).bounds
            report.add(display == 1 ? "screen" : "screen.\(display)", text: "\(bounds.width) \(bounds.height)")
        }
        report.add("front", text: apps.front.map { "app\($0)" } ?? "home")
        report.add("interrupted", flag: apps.isInterrupted)
        report.add("locked", flag: apps.isLocked)
        for display in displays.numbers {
            report.add(display == 1 ? "scenes" : "scenes.\(display)", text: apps.words(of: display))
        }
        report.add("apps", apps.running.count)
        if !openings.entries.isEmpty { report.add("opening", openings.entries.count) }
        report.add("touches.live", router.liveTouches)
        report.add("fingers.down", router.fingersDown)
        report.add("inputs.held", devices.held)
        if let gestures { report.add("fingers.swiping", gestures.following) }
        if !spies.isEmpty { report.add("spies", spies.spies.count) }
        report.add("inFlight", inFlight.count)
        for app in apps.running {
            report.add("app\(app).touches", router.touches(ownedBy: .app(app)))
            if let windows = apps.windows[app] { report.add("app\(app).windows", windows.count) }
            let orientation = apps.orientation(of: app)
            if orientation != .portrait { report.add("app\(app).orientation", text: "\(orientation)") }
            report.add("app\(app).unanswered", inFlight.unanswered(by: app))
            report.add("app\(app).unanswered.most", links[app]?.most ?? 0)
            report.add("app\(app).responding", flag: links[app]?.responsiveness.isStalled != true)
            report.add("app\(app).stalls", links[app]?.responsiveness.episodes ?? 0)
            report.add("app\(app).coalesced", links[app]?.coalesced ?? 0)
            report.add("app\(app).queue", links[app]?.pending ?? 0)
            report.add("app\(app).sent", links[app]?.link.sent ?? 0)
        }
        report.add("scans", counters.scans)
        report.add("answered", counters.answered)
        report.add("dropped.contacts", counters.drops)
        report.add("dropped.overLimit", counters.overLimit)
        report.add("home.began", home.touches.began)
        report.add("home.ended", home.touches.ended)
        report.add("frames.missing", counters.missing)
        report.add("frames.lost", counters.lost)
        report.add("frames.duplicate", counters.duplicates)
        report.add("frames.fenced", counters.fenced)
        report.add("frames.refused", counters.refused.count)
        if !counters.lastRefusal.isEmpty { report.add("refused.last", text: counters.lastRefusal) }
        if counters.keyless > 0 { report.add("refused.keyless", counters.keyless) }
        if counters.unknownKeys > 0 { report.add("refused.unknownKey", counters.unknownKeys) }
        conduct.addRows(to: &report)
        report.add("quiet", flag: inFlight.count == 0 && router.fingersDown == 0)
        return report
    }

    /// Part 0 is the server's own; the others are apps', by their numbers.
    private func detail(answering request: DetailRequest) -> DetailPage {
        var detail = ServerDetail(answering: request)
        if request.from == 0 {
            detail.add(router.shownFingers)
            detail.add(spies.spies)
            detail.add(openings)
            detail.add(recent)
        }
        for app in recent.apps.numbers where app >= request.from {
            guard detail.hasRoom else {
                detail.goOn(with: app)
                break
            }
            guard let known = recent.apps[app] else { continue }
            let link = links[app].map { link in
                (
                    epoch: link.link.epoch, generation: link.link.peerGeneration,
                    window: link.link.capacity, unanswered: inFlight.unanswered(by: app), waiting: link.pending
                )
            }
            detail.add(
                app, known, link: link, oldest: recent.oldestUnanswered(by: app),
                touches: router.touches(ownedBy: .app(app)))
        }
        return detail.page
    }

    private struct Counters: Sendable {
        var scans: UInt64 = 0
        var answered: UInt64 = 0
        var drops: UInt64 = 0
        var overLimit: UInt64 = 0
        var missing: UInt64 = 0
        /// Of those to apps, as they say.
        var lost: UInt64 = 0
        var duplicates: UInt64 = 0
        var fenced: UInt64 = 0
        var refused = Flood()
        var lastRefusal = ""
        /// Calls from other machines.
        var keyless: UInt64 = 0
        var unknownKeys: UInt64 = 0
    }
    /// Characters of one in a report.
    private static let refusalLimit = 120
}

/// One frame of input-kit's, waiting at the port.
private struct Scan: Sendable {
    enum Content: Sendable {
        case glass(HIDEvent)
        case device(DeviceEvent)
    }

    let content: Content
    let sequence: UInt64
    let ledger: Ledger

    /// Whether something begins or ends in it: such a scan is never dropped for want of room.
    var hasEdge: Bool {
        switch content {
        case .glass(let event): event.hasEdge
        case .device(let event): event.input.phase != .changed
        }
    }
}

/// What the server's own source0 will take.
private enum HomePart: Sendable {
    case touches(Router.Delivery)
    case device(DeviceRouter.Delivery)
}

extension HIDEvent {
    /// Whether a finger lands or leaves in this scan, or may have before it: one in which nothing changes says how things
    /// stand, after others were lost.
    var hasEdge: Bool {
        var changes = false
        for finger in fingers {
            if !finger.mask.isDisjoint(with: [.touch, .cancel]) { return true }
            changes = changes || !finger.mask.isDisjoint(with: [.position, .attribute])
        }
        return !changes
    }
}

extension Message {
    /// Tells an app how it is from here on: nobody answers it, and what was said before it is heard before it.
    fileprivate var keepsItsPlace: Bool {
        switch self {
        case .lifeCycle, .scene, .open: true
        default: false
        }
    }
}

extension Receipt {
    /// The part of a recipient that is gone.
    static let nobody = Receipt(frame: 0, outcome: .dropped, reason: .ownerDied)
    /// Of one that says it has answered, and nobody has heard.
    static let lost = Receipt(frame: 0, outcome: .dropped, reason: .lostOnLink)

    /// Whether an app has let go of its fingers with it.
    var isOfLoss: Bool { reason == .lostOnLink || reason == .inboxFull || reason == .late }
}

extension Refusal {
    /// Whom it is held against: nobody we know, for a stranger's; and nobody, where an honest peer may have been early.
    var peer: Peer? {
        switch self {
        case .stranger, .turnedAway, .unproven, .keyless, .unknownKey, .unread: nil
        case .malformed(let peer, _), .forbidden(let peer, _), .wrongPass(let peer), .flooding(let peer, limit: _): peer
        }
    }

    /// Whether nothing more is taken of it already.
    var isLast: Bool {
        if case .flooding = self { true } else { false }
    }
}

/// One app's link: its numbers, and what its window does not let out yet.
struct AppLink: Sendable {
    struct Waiting: Sendable {
        /// The scan it is a part of; 0 of none.
        var input: UInt64
        let message: Message
        let ledger: Ledger
        /// When it was to be told: of what was held for the display's frame, at that.
        var at: Instant
        /// What its app is told instead: where the fingers were at the frame.
        var shown: TouchFrame?
        /// Whether something begins or ends with it.
        let isEdge: Bool

        init(input: UInt64, message: Message, ledger: Ledger, at moment: Instant) {
            (self.input, self.message, self.ledger, at) = (input, message, ledger, moment)
            isEdge = message.isEdge
        }

        /// Whether a receipt comes back for it: then it fills the window.
        var isAnswered: Bool {
            !message.keepsItsPlace
        }
    }

    /// Its capacity is the app's window: at the hello frames of the last link may still take a part of the app's room.
    var link: Link
    /// How many outstanding frames this server lets any app have: `server.window`.
    let limit: Int
    var waiting: [Waiting] = []
    /// Moves that wait for the display's frame, behind all that waits for the window.
    var held: [Waiting] = []
    /// The sample before those: nil when something has begun or ended since.
    var lastShown: TouchFrame?
    var responsiveness = Responsiveness()
    /// Changes of its life that it was told of and has not come to the end of, oldest first.
    var changes: [Change] = []
    /// The most frames it has not answered at once, and scans that became part of others.
    var most = 0
    var coalesced: UInt64 = 0
    /// Frames the app has not heard or had no room for, as far as it has said.
    var missed: UInt64 = 0
    /// The number of the last frame that changed its life; 0 before there is one.
    var lastLifeCycle: UInt64 = 0
    /// From which number on it was last told anew where its scene is and what to open, and how its life stands.
    var sceneSaid: UInt64 = 0
    var standingSaid: UInt64 = 0

    init(link: Link, limit: Int) { (self.link, self.limit) = (link, limit) }

    /// Whoever sent what waits here is gone.
    mutating func disownWaiting() {
        for place in waiting.indices { waiting[place].input = 0 }
        for place in held.indices { held[place].input = 0 }
    }

    /// What it is to be told and is not yet, for whatever reason.
    var pending: Int { waiting.count + held.count }
}

/// A link that was lost: should its app still live, the numbers go on, and what it has been told.
private struct FormerLink: Sendable {
    let link: Link
    let lastLifeCycle: UInt64
}
