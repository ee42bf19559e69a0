// ServerLaws.swift: a system server among peers that an input's bytes play.
//
// The first byte chooses the mode. Legal peers (HonestPeers.swift) follow the protocol. Then every law of
// Docs/Spec/Pipeline.md section 3 that one core can keep must hold. Illegal peers (ArbitraryPeers.swift) send any frame
// that their role may send. Then the server may not trap, and must work with the peers that come afterwards.

import Basics
import FuzzDriver
import FuzzHost
import HID
import Hosting
import Links
import Settings
import SystemServerCore
import Wire

struct ServerStage: ServedStage {
    private static let schemes = Setting(key: "group.schemes", value: URLLaws.schemes)
    private static let variants: [[Setting]] = [
        [],
        [
            Setting(key: "server.inFlightLimit", value: "4"), Setting(key: "screen.rotation", value: "90"), schemes,
            Setting(key: "systemGesture.enabled", value: "true"),
        ],
        [
            Setting(key: "probes", value: "server"), Setting(key: "screen.others", value: "800x600"), schemes,
            Setting(key: "group.topology", value: "1\n2\napp.display=2\n3\napp.orientation=landscapeLeft"),
            Setting(key: "trace.positions", value: "true"),
        ],
        [
            Setting(key: "server.inFlightLimit", value: "1"), Setting(key: "server.openURLTimeout", value: "0.5"),
            schemes,
        ],
    ]
    /// The variant in which app 2 is on display 2, and positions may be sent to monitors.
    private static let withDisplays = 2

    /// Started once: a core is a value, and every run begins with a copy.
    private nonisolated(unsafe) static let started = variants.map { changes in
        let order = LaunchOrder(peer: .systemServer, epoch: 7, generation: 1, runDirectory: "/run", settings: changes)
        guard let settings = try? Settings(changes) else { broken("settings") }
        var host = CoreHost(SystemServerCore(settings: settings, order: order), effectLimit: 4096)
        host.begin()
        return host
    }

    static let apps = 3

    var host: CoreHost<SystemServerCore>
    let isLegal: Bool
    var inputKit = InputKitEnd()
    var links = [AppEnd?](repeating: nil, count: Self.apps)
    private var supervisor = LinkNumbers(epoch: 7, generation: 0)
    /// The process generations of input-kit, then of the apps.
    var lives = [UInt32](repeating: 0, count: Self.apps + 1)
    /// The last frame of each peer, for repeating it: input-kit's, then the apps'.
    var lastFrames = [Frame?](repeating: nil, count: Self.apps + 1)

    var touches = TouchNumbers()
    /// The displays of scans, by the first stamps of the scans.
    var displays: [(device: Instant, display: DisplayID)] = []
    let hasDisplays: Bool

    var monitors = [TouchMonitor?](repeating: nil, count: 6)
    var urls: URLLaws

    init(how: UInt8) {
        let variant = Int(how >> 2) % Self.started.count
        host = Self.started[variant]
        hasDisplays = variant == Self.withDisplays
        urls = URLLaws(apps: Self.apps, hasSchemes: Self.variants[variant].contains(Self.schemes))
        host.isTraced = how & 2 == 2
        isLegal = how & 1 == 0
        // The server has sent `ready`.
        supervisor.adopt(hello: Frame(epoch: 7, generation: 1, sequence: 1, message: .ready), epoch: 7)
        // A roster admitted the illegal peers, as it admits every peer, so their generation must match it.
        if !isLegal { tellRoster(generation: Self.illegalGeneration) }
    }

    /// The generation of illegal peers in the roster.
    static let illegalGeneration: UInt32 = 5

    mutating func tellRoster(generation: UInt32) {
        let peers = [Peer.inputKit] + (0..<Self.apps).map { .app(AppID(index: $0)) }
        order(
            .roster(peers.map { RosterEntry(peer: $0, pid: 2, uid: 1, generation: generation, isReady: false) }))
    }

    // MARK: Effects

    mutating func take(_ effect: Effect) {
        switch effect {
        case .send(let frame, let peer): sent(frame, to: peer)
        case .arm, .disarm: break
        case .hangUp(let peer): expect(!isLegal, "\(peer) is hung up on, and did nothing")
        case .exit: expect(!isLegal, "it ended by itself")
        case .open, .read, .close, .device, .spawn, .signal: broken("a server does not \(effect)")
        }
    }

    private mutating func sent(_ frame: Frame, to peer: Peer) {
        expect(frame.message.isAllowed(from: .systemServer, to: peer.role), "\(frame.message.kind) to \(peer)")
        switch peer.role {
        case .supervisor: reported(frame)
        case .inputKit:
            guard isLegal else { return }
            guard inputKit.isConnected else { broken("\(frame.message.kind) to an input-kit that is not there") }
            inputKit.receive(frame)
        case .app: told(frame, app: AppID(peer.instance))
        case .systemServer, .controller: broken("a frame to \(peer)")
        }
    }

    private mutating func reported(_ frame: Frame) {
        expect(supervisor.accept(frame) == .fresh, "numbers towards the supervisor")
        guard isLegal else { return }
        switch frame.message {
        case .monitorPage(let page):
            let others = monitors.count { $0?.isWatching == true && $0?.id != page.id }
            guard monitors.indices.contains(Int(page.id)), monitors[Int(page.id)] != nil else {
                broken("a page for monitor \(page.id), which is not there")
            }
            let taken = monitors[Int(page.id)]!.follow(page, others: others, tellsPositions: hasDisplays)
            if let taken { touches.take(taken) }
        case .launchRequest(let wish): urls.wished(wish)
        case .opened(let answer): urls.answered(answer, to: .controller(answer.asker))
        default: break
        }
    }

    private mutating func told(_ frame: Frame, app: AppID) {
        guard isLegal else { return }
        guard let place = app.index, links.indices.contains(place), links[place] != nil else {
            broken("\(frame.message.kind) to app \(app), which is not there")
        }
        if frame.message == .hello, !links[place]!.isOpen {
            expect(links[place]!.conversation.isAnswered(by: frame), "the answer to another greeting")
            links[place]!.isOpen = true
            return links[place]!.conversation.adopt(hello: frame, epoch: frame.epoch)
        }
        let news: LinkNumbers.Verdict =
            frame.message == .hello
            ? .duplicate(sequence: frame.sequence, last: links[place]!.conversation.received) : .fresh
        expect(links[place]!.conversation.accept(frame) == news, "numbers towards app \(app)")
        switch frame.message {
        case .touches(let contacts):
            let receipt = links[place]!.follow(contacts, as: frame.sequence, of: &touches)
            if receipt.began > 0 {
                let scan = displays.last { $0.device == frame.ledger[.device] }
                expect(scan?.display == display(of: app), "app \(app): a finger of \(scan?.display ?? 0) begins")
            }
            links[place]!.ask(frame, receipt)
        case .severalTouches(let several):
            links[place]!.ask(frame, links[place]!.follow(several, as: frame.sequence, of: &touches))
        case .input(let event):
            expect(display(of: app) == 1, "app \(app) on display 2 is told of \(event.input)")
            links[place]!.held.follow(event.input)
            links[place]!.ask(frame, Receipt(frame: frame.sequence, outcome: .delivered))
        case .scene(let state):
            let whole = Rect<DisplaySpace>(x: .zero, y: .zero, width: Fixed(800), height: Fixed(600))
            let isWhole = state.frame == whole && state.scale == .one
            expect(display(of: app) == 1 || isWhole, "app \(app) is at \(state.frame) of display 2")
        case .open(let request):
            urls.told(request, app: app, life: links[place]!.conversation.generation)
            (links[place]!.url, links[place]!.isURLDue) = (request.id, true)
        case .opened(let answer):
            urls.answered(answer, to: .app(app, life: links[place]!.conversation.generation))
        case .lifeCycle, .hello, .screenshot: break
        case .link(.probe): links[place]!.probes += 1
        default: broken("\(frame.message.kind) to an app")
        }
    }

    private func display(of app: AppID) -> DisplayID { hasDisplays && app == 2 ? 2 : 1 }

    mutating func pass(_ duration: Duration) {
        pass(duration, patience: 4096)
        expect(!host.isDue, "a timer that is always due")
    }

    mutating func order(_ message: Message) { give(.frame(supervisor.frame(message), from: .supervisor)) }

    // MARK: The end

    /// The same server with new peers.
    init(continuing other: ServerStage) {
        (host, isLegal, supervisor) = (other.host, true, other.supervisor)
        (hasDisplays, urls) = (other.hasDisplays, other.urls)
    }

    /// Every app answers all its frames; then the server owes no answer.
    mutating func comeToRest() {
        guard isLegal else { return }
        answerAll()
        pass(.seconds(1))
        answerAll()
        // URL requests for apps that are not running end by their time limit.
        if !urls.isAtRest {
            pass(.seconds(20))
            answerAll()
        }
        guard !host.hasEnded else { return }
        expect(urls.isAtRest, "URLs without an answer")
        for index in monitors.indices where monitors[index] != nil {
            for _ in 0..<2 { acknowledge(index) }
            monitors[index]!.expectRest()
        }
        if !inputKit.isConnected {
            for end in links.compactMap({ $0 }) where end.isOpen {
                expect(end.live.isEmpty, "touches \(end.live) without an input-kit")
                expect(end.held.isEmpty, "inputs are held without an input-kit")
            }
        }
        expect(
            inputKit.owed.isEmpty, "\(inputKit.owed.count) scans without a receipt: \(inputKit.owed.map(\.sequence))")
    }

    private mutating func answerAll() {
        var rounds = 0
        while links.contains(where: { $0.map { !$0.asked.isEmpty || $0.probes > 0 || $0.isURLDue } == true }) {
            for app in links.indices {
                answer(app, 0)
                if links[app]?.isURLDue == true { answerURL(app) }
            }
            rounds += 1
            expect(rounds < 10_000, "never at rest")
        }
    }
}
