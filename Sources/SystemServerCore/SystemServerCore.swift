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
// Sources   documented  SEMANTICS D1–D6, D9
//           invented    receipts, credit, and that app 1 is launched into the front

public import Basics
import HID
public import Hosting
import RunLoops
import Trace
public import Wire

public struct SystemServerCore: ProcessCore {
    private let order: LaunchOrder
    private let inFlightLimit: Int
    private let probes: Bool

    private var supervisor: Conversation
    private var inputKit: Conversation?
    private var links: [UInt32: AppLink] = [:]
    private var apps = AppTable()
    private var router: Router
    private var devices: DeviceRouter
    private var home = HomeScreen()
    private var inFlight = InFlight()
    private var counters = Counters()

    /// The server's own loop: scans come in by source1, what the server keeps for itself is taken in source0 (S84).
    private var loop = RunLoop()
    private let port: RunLoop.Source1ID
    private let homeSource: RunLoop.Source0ID
    private var scans: [Scan] = []
    private var forHome: [(scan: UInt64, part: HomePart)] = []

    /// Width and height in points as a person sees them: whoever synthesises touches asks.
    private let screen: String

    public init(settings: Settings, order: LaunchOrder) {
        self.order = order
        inFlightLimit = Int(settings.number("server.inFlightLimit"))
        probes = settings.text("probes").split(separator: ",").contains("server")
        supervisor = Conversation(epoch: order.epoch, generation: order.generation)
        port = loop.addSource1(in: .common)
        homeSource = loop.addSource0(in: .common)
        let geometry = ScreenGeometry(
            width: settings.number("screen.width"), height: settings.number("screen.height"),
            rotation: Int(settings.number("screen.rotation")))
        screen = "\(geometry.bounds.width) \(geometry.bounds.height)"
        router = Router(geometry: geometry)
        devices = DeviceRouter(geometry: geometry)
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started:
            outbox.trace.note(
                now, .process, "started, epoch {a}, generation {b}", Int64(order.epoch), Int64(order.generation))
            loop.begin(in: .standard, at: now)
            turn(at: now, into: &outbox)
            outbox.append(.send(supervisor.frame(.ready), to: .supervisor))
        case .frame(let frame, from: let peer): handle(frame, from: peer, at: now, into: &outbox)
        case .peerLost(let peer): lost(peer, at: now, into: &outbox)
        case .refused(let refusal):
            counters.refused += 1
            outbox.trace.note(now, .process, "refused: {a:n}", outbox.trace.name("\(refusal)"))
        case .stopRequested: outbox.append(.exit(status: 0))
        // A link says who it is with `hello`; until then there is nobody to speak of. The server reads no files,
        // has no children, and waits for nothing.
        case .connected, .timerFired, .fileBytes, .fileFailed, .device, .childStarted, .childFailed, .childExited: break
        }
    }

    // MARK: Frames

    private mutating func handle(_ frame: Frame, from peer: Peer, at now: Instant, into outbox: inout Outbox) {
        switch peer.role {
        case .supervisor: handle(frame.message, at: now, into: &outbox)
        case .inputKit:
            if frame.message == .hello { return inputKitSaidHello(frame, at: now, into: &outbox) }
            guard judge(inputKit?.accept(frame), peer, at: now, into: &outbox) else { return }
            let content: Scan.Content
            switch frame.message {
            case .digitizer(let event): content = .glass(event)
            case .device(let event): content = .device(event)
            default: return
            }
            scans.append(Scan(content: content, sequence: frame.sequence, ledger: frame.ledger))
            loop.signal(port)
            turn(at: now, into: &outbox)
        case .app:
            if frame.message == .hello { return appSaidHello(peer.instance, frame, at: now, into: &outbox) }
            guard judge(links[peer.instance]?.conversation.accept(frame), peer, at: now, into: &outbox) else { return }
            if case .handled(let receipt) = frame.message {
                settle(inFlight.answered(by: peer.instance, receipt, ledger: frame.ledger), into: &outbox)
                sendWaiting(to: peer.instance, into: &outbox)
            }
        case .systemServer, .controller: break
        }
    }

    private mutating func handle(_ message: Message, at now: Instant, into outbox: inout Outbox) {
        switch message {
        case .act(let act):
            outbox.trace.note(now, .process, "act: {a:n}", outbox.trace.name("\(act)"))
            perform(apps.handle(AppTable.Act(act)), at: now, into: &outbox)
        case .reportRequest: outbox.append(.send(supervisor.frame(.report(report())), to: .supervisor))
        case .shutdown: outbox.append(.exit(status: 0))
        default: break
        }
    }

    /// Whether a frame counts; notes why not.
    private mutating func judge(
        _ verdict: Conversation.Verdict?, _ peer: Peer, at now: Instant, into outbox: inout Outbox
    ) -> Bool {
        let name = outbox.trace.name("\(peer)")
        switch verdict {
        case .fresh: return true
        case .gap(let missing):
            // Whoever is missing from the scan after a gap has lifted meanwhile: Router sees to it.
            counters.missing &+= missing
            outbox.trace.note(now, .router, "{a:n}: {b} frames missing", name, Int64(clamping: missing))
            return true
        case .duplicate(let sequence, _):
            counters.duplicates += 1
            outbox.trace.note(now, .router, "{a:n}: #{b} heard before", name, Int64(clamping: sequence))
            return false
        case .fenced(let epoch, let generation):
            counters.fenced += 1
            outbox.trace.note(
                now, .router, "{a:n}: fenced, epoch {b}, generation {c}", name, Int64(epoch), Int64(generation))
            return false
        case nil:
            counters.fenced += 1
            outbox.trace.note(now, .router, "{a:n}: spoke before its hello", name)
            return false
        }
    }

    // MARK: Links

    private mutating func inputKitSaidHello(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        lostInputKit(at: now, into: &outbox)
        var conversation = Conversation(epoch: order.epoch, generation: order.generation)
        conversation.adopt(hello: frame, epoch: order.epoch)
        outbox.append(.send(conversation.frame(.hello, credit: credit), to: .inputKit))
        inputKit = conversation
        outbox.trace.note(now, .process, "input-kit is here, generation {a}", Int64(frame.generation))
    }

    private mutating func appSaidHello(_ app: UInt32, _ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        if links[app] != nil { lost(.app(app), at: now, into: &outbox) }
        var link = AppLink(conversation: Conversation(epoch: order.epoch, generation: order.generation))
        link.conversation.adopt(hello: frame, epoch: order.epoch)
        link.window = max(1, Int(frame.credit))
        outbox.append(.send(link.conversation.frame(.hello), to: .app(app)))
        links[app] = link
        outbox.trace.note(now, .process, "app {a} is here, generation {b}", Int64(app), Int64(frame.generation))
        perform(apps.handle(.launched(app)), at: now, into: &outbox)
    }

    private mutating func lost(_ peer: Peer, at now: Instant, into outbox: inout Outbox) {
        switch peer.role {
        case .inputKit: lostInputKit(at: now, into: &outbox)
        case .app:
            guard let link = links.removeValue(forKey: peer.instance) else { return }
            let fingers = router.forget(.app(peer.instance))
            devices.forget(.app(peer.instance))
            outbox.trace.note(
                now, .process, "app {a} is gone; {b} fingers are dead until they lift", Int64(peer.instance),
                Int64(fingers))
            for answer in inFlight.died(peer.instance) { settle(answer, into: &outbox) }
            for waiting in link.waiting { settle(inFlight.settled(waiting.input, .nobody), into: &outbox) }
            perform(apps.handle(.died(peer.instance)), at: now, into: &outbox)
        case .supervisor, .systemServer, .controller: break
        }
    }

    /// Its fingers go with it: an input-kit that comes back starts from what it sees then (F3).
    private mutating func lostInputKit(at now: Instant, into outbox: inout Outbox) {
        guard inputKit != nil else { return }
        outbox.trace.note(now, .process, "input-kit is gone; {a} touches cancelled", Int64(router.liveTouches))
        inputKit = nil
        inFlight.clear()
        for delivery in router.clear(at: now) { tell(delivery, at: now, into: &outbox) }
        for delivery in devices.clear(at: now) { tell(delivery, at: now, into: &outbox) }
    }

    // MARK: The loop

    /// Turns the loop until it would sleep.
    private mutating func turn(at now: Instant, into outbox: inout Outbox) {
        while true {
            switch loop.next(at: now) {
            case .source1: source1(scans.removeFirst(), at: now, into: &outbox)
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
        var ledger = scan.ledger
        ledger.append(now)

        if inFlight.count >= inFlightLimit, !scan.hasEdge {
            counters.overLimit += 1
            outbox.trace.note(
                now, .router, "#{a} dropped: {b} scans in flight, limit {c}", Int64(clamping: scan.sequence),
                Int64(inFlight.count), Int64(inFlightLimit))
            return settle(inFlight.opened(scan.sequence, ledger: ledger, recipients: 0), into: &outbox)
        }

        switch scan.content {
        case .glass(let event): route(event, of: scan, ledger, at: now, into: &outbox)
        case .device(let event): route(event, of: scan, ledger, at: now, into: &outbox)
        }
    }

    private mutating func route(
        _ event: HIDEvent, of scan: Scan, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        let outcome = router.route(event, to: apps.recipient)
        if let newer = outcome.fencedBy {
            counters.fenced += 1
            outbox.trace.note(
                now, .router, "device {a}: fenced, generation {b}, now {c}", Int64(clamping: event.senderID),
                Int64(event.generationCount), Int64(newer))
        }
        for landing in outcome.landings { note(landing, at: now, into: &outbox) }
        for reason in outcome.drops { note(reason, at: now, into: &outbox) }
        settle(
            inFlight.opened(scan.sequence, ledger: ledger, recipients: outcome.deliveries.count), into: &outbox)
        for delivery in outcome.deliveries {
            switch delivery.recipient {
            case .app(let app):
                links[app]?.waiting.append(
                    AppLink.Waiting(input: scan.sequence, message: .touches(delivery.frame), ledger: ledger))
                sendWaiting(to: app, into: &outbox)
            case .home, .overlay: keep(.touches(delivery), of: scan)
            }
        }
    }

    private mutating func route(
        _ event: DeviceEvent, of scan: Scan, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        let outcome = devices.route(event, to: apps.recipient)
        guard case .deliver(let delivery) = outcome else {
            if case .drop(let reason) = outcome { note(reason, at: now, into: &outbox) }
            return settle(inFlight.opened(scan.sequence, ledger: ledger, recipients: 0), into: &outbox)
        }
        if delivery.event.input.phase == .began || delivery.event.input.phase == .once {
            outbox.trace.note(
                now, .router, "{a:n} → {b:n}", outbox.trace.name("\(delivery.event.input.stretch)"),
                outbox.trace.name("\(delivery.recipient)"))
            if probes {
                outbox.trace.probe(now, .router, "server source1")
                outbox.trace.probe(now, .router, "server route=\(delivery.recipient)")
            }
        }
        settle(inFlight.opened(scan.sequence, ledger: ledger, recipients: 1), into: &outbox)
        switch delivery.recipient {
        case .app(let app):
            links[app]?.waiting.append(
                AppLink.Waiting(input: scan.sequence, message: .input(delivery.event), ledger: ledger))
            sendWaiting(to: app, into: &outbox)
        case .home, .overlay: keep(.device(delivery), of: scan)
        }
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
            outbox.trace.note(
                now, .router, "contact {a} landed on nothing: the screen is locked", Int64(landing.finger))
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

    /// Sends what the app's window allows; the rest waits for its receipts.
    private mutating func sendWaiting(to app: UInt32, into outbox: inout Outbox) {
        while true {
            let unanswered = inFlight.unanswered(by: app)
            guard let (input, frame) = links[app]?.next(unanswered: unanswered) else { return }
            inFlight.sent(input, to: app, as: frame.sequence)
            outbox.append(.send(frame, to: .app(app)))
        }
    }

    /// Tells a recipient of touches that were taken from it: no scan is behind it, so nobody waits for the receipt.
    private mutating func tell(_ delivery: Router.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay: _ = home.consume(delivery, probes: probes, at: now, trace: &outbox.trace)
        case .app(let app): tell(.touches(delivery.frame), to: app, into: &outbox)
        }
    }

    private mutating func tell(_ delivery: DeviceRouter.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay: _ = home.consume(delivery, at: now, trace: &outbox.trace)
        case .app(let app): tell(.input(delivery.event), to: app, into: &outbox)
        }
    }

    private mutating func tell(_ cancel: Message, to app: UInt32, into outbox: inout Outbox) {
        // What still waits for the app's window comes before the cancel that ends it.
        while let waiting = links[app]?.waiting.first {
            links[app]?.waiting.removeFirst()
            send(waiting.message, to: app, for: waiting, into: &outbox)
        }
        send(cancel, to: app, into: &outbox)
    }

    private mutating func send(
        _ message: Message, to app: UInt32, for waiting: AppLink.Waiting? = nil, into outbox: inout Outbox
    ) {
        guard let frame = links[app]?.conversation.frame(message, ledger: waiting?.ledger ?? Ledger()) else { return }
        if let waiting { inFlight.sent(waiting.input, to: app, as: frame.sequence) }
        outbox.append(.send(frame, to: .app(app)))
    }

    private mutating func perform(_ steps: [AppTable.Step], at now: Instant, into outbox: inout Outbox) {
        for step in steps {
            switch step {
            case .revoke(let recipient):
                for delivery in router.revoke(recipient, at: now) { tell(delivery, at: now, into: &outbox) }
                for delivery in devices.revoke(recipient, at: now) { tell(delivery, at: now, into: &outbox) }
            case .tell(let app, let moment):
                outbox.trace.note(now, .app, "app {a}: {b:n}", Int64(app), outbox.trace.name("\(moment)"))
                send(.lifeCycle(moment), to: app, into: &outbox)
            }
        }
    }

    private mutating func settle(_ answer: InFlight.Answer?, into outbox: inout Outbox) {
        guard let answer else { return }
        counters.answered += 1
        let credit = credit
        guard let frame = inputKit?.frame(.handled(answer.receipt), ledger: answer.ledger, credit: credit) else {
            return
        }
        outbox.append(.send(frame, to: .inputKit))
    }

    private var credit: UInt32 { UInt32(max(0, inFlightLimit - inFlight.count)) }

    // MARK: About itself

    private func report() -> Report {
        var report = Report(peer: .systemServer)
        report.add("epoch", order.epoch)
        report.add("generation", order.generation)
        report.add("screen", text: screen)
        report.add("front", text: apps.front.map { "app\($0)" } ?? "home")
        report.add("interrupted", flag: apps.isInterrupted)
        report.add("locked", flag: apps.isLocked)
        report.add("apps", apps.running.count)
        report.add("touches.live", router.liveTouches)
        report.add("fingers.down", router.fingersDown)
        report.add("inputs.held", devices.held)
        report.add("inFlight", inFlight.count)
        for app in apps.running {
            report.add("app\(app).touches", router.touches(ownedBy: .app(app)))
            report.add("app\(app).unanswered", inFlight.unanswered(by: app))
            report.add("app\(app).queue", links[app]?.waiting.count ?? 0)
            report.add("app\(app).sent", links[app]?.conversation.sent ?? 0)
        }
        report.add("scans", counters.scans)
        report.add("answered", counters.answered)
        report.add("dropped.contacts", counters.drops)
        report.add("dropped.overLimit", counters.overLimit)
        report.add("home.began", home.touches.began)
        report.add("home.ended", home.touches.ended)
        report.add("frames.missing", counters.missing)
        report.add("frames.duplicate", counters.duplicates)
        report.add("frames.fenced", counters.fenced)
        report.add("frames.refused", counters.refused)
        report.add("quiet", flag: inFlight.count == 0 && router.fingersDown == 0)
        return report
    }

    private struct Counters: Sendable {
        var scans: UInt64 = 0
        var answered: UInt64 = 0
        var drops: UInt64 = 0
        var overLimit: UInt64 = 0
        var missing: UInt64 = 0
        var duplicates: UInt64 = 0
        var fenced: UInt64 = 0
        var refused: UInt64 = 0
    }
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
    /// Whether a finger lands or leaves in this scan.
    var hasEdge: Bool { fingers.contains { !$0.mask.isDisjoint(with: [.touch, .cancel]) } }
}

extension Receipt {
    /// The part of a recipient that is gone.
    static let nobody = Receipt(frame: 0, outcome: .dropped)
}

/// One app's link: its numbers, and what its window does not let out yet.
struct AppLink: Sendable {
    struct Waiting: Sendable {
        let input: UInt64
        let message: Message
        let ledger: Ledger
    }

    var conversation: Conversation
    /// How many frames the app takes without having answered: its credit at hello.
    var window = 0
    var waiting: [Waiting] = []

    init(conversation: Conversation) { self.conversation = conversation }

    /// The next frame the window lets out, and the scan it is a part of.
    mutating func next(unanswered: Int) -> (input: UInt64, frame: Frame)? {
        guard !waiting.isEmpty, unanswered < window else { return nil }
        let first = waiting.removeFirst()
        return (first.input, conversation.frame(first.message, ledger: first.ledger))
    }
}

extension AppTable.Act {
    init(_ act: SystemAct) {
        self =
            switch act {
            case .interrupt: .interrupt
            case .resume: .resume
            case .home: .home
            case .foreground(let app): .foreground(app)
            case .lock: .lock
            case .unlock: .unlock
            }
    }
}
