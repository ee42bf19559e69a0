// AppLaws.swift: an app whose server is played by an input's bytes.
//
// The first byte chooses the mode, and what the app shows. A legal server sends each touch and key from its beginning to
// its end, and numbers its frames. Then the app answers every frame once, whatever the link did, and comes to rest when
// it is left alone. An illegal server sends any frame that a server may send. Then the app may not trap, and must work
// with the legal server that comes afterwards.

import AppCore
import Basics
import FuzzDriver
import FuzzHost
import HID
import Hosting
import Links
import Settings
import UIKit
import Wire

struct AppStage: ServedStage {
    private static let settings: [[Setting]] = [
        [], [Setting(key: "app.delivery", value: "frameAligned"), Setting(key: "app.eventFetch", value: "main")],
        [Setting(key: "app.inboxCapacity", value: "4")],
        [
            Setting(key: "app.delivery", value: "frameAligned"), Setting(key: "app.lowLatencyBegan", value: "true"),
            Setting(key: "order.mode", value: "ios"), Setting(key: "screen.others", value: "800x600@2"),
            Setting(key: "app.display", value: "2"), Setting(key: "app.orientation", value: "landscapeLeft"),
        ],
    ].map { $0 + [Setting(key: "group.schemes", value: "own=1 other=2")] }
    private static let read: [Settings] = settings.map {
        guard let settings = try? Settings($0) else { broken("settings") }
        return settings
    }

    var host: CoreHost<AppCore>
    let isLegal: Bool

    /// The server's end of the link.
    private var server: LinkNumbers?
    private var isOpen = false
    private var epoch: UInt32 = 6
    /// Nil after an unnumbered frame of the supervisor: only the supervisor knows which numbers follow.
    private var supervisor: LinkNumbers? = LinkNumbers(epoch: 7, generation: 0)
    private var lastFrame: Frame?
    /// The frames of this link that need a receipt.
    private var asked: [SequenceNumber] = []
    private var fingers = [(touch: UInt32, x: Int32, y: Int32)?](repeating: nil, count: 4)
    private var nextTouch: UInt32 = 0
    private var held: [DeviceInput<SceneSpace>] = []
    /// The URL that the app is to open, with this server's number; nil before the first.
    private var url: (id: UInt32, isAnswered: Bool)?
    /// The URLs that the app asks others to open, and that have no answer yet.
    private var requests: [UInt32] = []
    /// Stored here, because the application does not retain its delegate.
    private let delegate: URLDelegate

    init(how: UInt8) {
        let variant = Int(how >> 2 & 3)
        // The epoch of the first server.
        var order = LaunchOrder(
            peer: .app(1), epoch: 7, generation: 3, runDirectory: "/run", settings: Self.settings[variant])
        if how & 0x40 != 0 {
            order.openRequest = Self.request(1, epoch: 7)
            url = (1, false)
        }
        let (scene, delegate) = (how >> 4 & 3, URLDelegate())
        self.delegate = delegate
        let content = { (application: UIApplication) in
            application.delegate = delegate
            FuzzScene.show(scene)
            if scene & 1 == 1 { application.connectedScenes.first?.delegate = delegate }
        }
        host = CoreHost(
            AppCore(order: order, settings: Self.read[variant], content: content), effectLimit: 8192)
        host.isTraced = how & 2 == 2
        isLegal = how & 1 == 0
        give(.started)
        connect()
        if how & 0x80 == 0 { send(.lifeCycle(.didBecomeActive)) }
    }

    // MARK: Effects

    mutating func take(_ effect: Effect) {
        switch effect {
        case .send(let frame, let peer): sent(frame, to: peer)
        case .arm, .disarm, .exit: break
        case .open, .read, .close, .device, .spawn, .signal, .hangUp: broken("an app does not \(effect)")
        }
    }

    private mutating func sent(_ frame: Frame, to peer: Peer) {
        expect(frame.message.isAllowed(from: .app, to: peer.role), "\(frame.message.kind) to \(peer)")
        if peer == .supervisor {
            let verdict = supervisor?.accept(frame)
            return expect(!isLegal || verdict == nil || verdict == .fresh, "numbers towards the supervisor")
        }
        guard isLegal, server != nil else { return }
        if frame.message == .hello {
            // A repeated hello is the same hello.
            if server!.judge(hello: frame) == .new { server!.welcome(frame, epoch: epoch) }
            return
        }
        guard isOpen else { broken("\(frame.message.kind) before the server's hello") }
        expect(server!.accept(frame) == .fresh, "numbers towards the server")
        if case .link(let word) = frame.message {
            guard case .received(let oldest, _) = word else { broken("an app asks nothing") }
            expect(oldest == .zero || asked.contains(oldest), "\(oldest) is open, and was answered")
            return
        }
        switch frame.message {
        case .opened(let answer):
            expect(answer.id == url?.id && answer.outcome == .opened, "open \(answer.id): \(answer.outcome)")
            url?.isAnswered = true
        case .open(let request):
            expect(!requests.contains(request.id), "two requests of the number \(request.id)")
            requests.append(request.id)
        case .handled(let receipt): answered(receipt)
        default: return
        }
    }

    private mutating func answered(_ receipt: Receipt) {
        guard let place = asked.firstIndex(of: receipt.frame) else {
            broken("a receipt for \(receipt.frame), which was not sent or is answered")
        }
        asked.remove(at: place)
    }

    private mutating func pass(_ duration: Duration) { pass(duration, patience: 64) }

    // MARK: A legal server

    private mutating func connect() {
        epoch += 1
        server = LinkNumbers(epoch: epoch, generation: epoch)
        isOpen = false
        // The launch order's URL belongs to the first server.
        if epoch > 7 { url = nil }
        forget()
        give(.connected(.systemServer))
        guard let hello = server?.frame(.hello) else { return }
        isOpen = true
        give(.frame(hello, from: .systemServer))
    }

    /// Forgets the state of the link.
    private mutating func forget() {
        asked.removeAll(keepingCapacity: true)
        for i in fingers.indices { fingers[i] = nil }
        held.removeAll(keepingCapacity: true)
        requests.removeAll(keepingCapacity: true)
        lastFrame = nil
    }

    /// - Parameters:
    ///   - missing: The number of frames that are lost right before this one.
    ///   - wait: The time for which the app does not run before it receives the frame.
    private mutating func send(_ message: Message, skipping missing: Int = 0, waiting wait: Duration = .zero) {
        guard isOpen, server != nil else { return }
        for _ in 0..<missing { asked.append(server!.frame(message).sequence) }
        var ledger = Ledger(device: now)
        for _ in 0..<3 { ledger.append(now) }
        let frame = server!.frame(message, ledger: ledger)
        host.leap(to: now.advanced(by: wait))
        switch message {
        case .touches, .severalTouches, .input: asked.append(frame.sequence)
        default: break
        }
        lastFrame = frame
        give(.frame(frame, from: .systemServer))
    }

    mutating func playLegal(_ choices: inout Choices) {
        let word = choices.byte()
        switch word & 15 {
        case 0, 1: pass(.milliseconds(Int(word >> 4) * 16))
        case 2: pass(.milliseconds(choices.number(below: 256) * 8))
        case 3 where word >> 4 == 0: connect()
        case 3 where word >> 4 == 1:
            (server, isOpen) = (nil, false)
            forget()
            give(.peerLost(.systemServer))
        case 3, 4, 5, 6, 7, 8, 9: touch(word, &choices)
        case 10, 11: deviceSays(choices.byte())
        case 12 where word < 0x80: send(.lifeCycle(LifeCycleChange.allCases[Int(word >> 4) % 4]))
        case 12: serverSays(word >> 4 & 7, &choices)
        case 13:
            if word & 0x10 == 0 {
                guard let question = supervisor?.frame(.reportRequest) else { return }
                give(.frame(question, from: .supervisor))
            } else {
                send(.link(.probe))
            }
        case 14:
            guard var frame = lastFrame else { return }
            let before = asked.count
            // A fenced frame also claims a later number.
            if word & 0x10 != 0 {
                frame.generation &-= 1
                frame.sequence = frame.sequence.advanced(by: 100)
            }
            give(.frame(frame, from: .systemServer))
            expect(asked.count == before, "a frame heard before was answered again")
        default:
            switch word >> 4 {
            case 0: give(.stopRequested)
            case 1...7:
                // Frames are lost with their contents, or the app is stopped; then it cancels every touch.
                for i in fingers.indices { fingers[i] = nil }
                held.removeAll()
                let news = Message.touches(TouchFrame(timeStamp: now, contacts: []))
                let amount = Int(word >> 4)
                if amount <= 5 { send(news, skipping: amount) } else { send(news, waiting: .seconds(amount - 5)) }
            case 8, 9: give(.refused(.notOnRoster(pid: 1, uid: 2)))
            default: give(.timerFired(AppCore.loopTimer))
            }
        }
    }

    /// Sends URLs, and the position of the app's scene.
    private mutating func serverSays(_ word: UInt8, _ choices: inout Choices) {
        switch word {
        case 0, 1: tellURL()
        case 2:
            guard !requests.isEmpty else { return }
            let outcomes = OpenAnswer.Outcome.allCases
            let id = requests.removeFirst()
            send(.opened(OpenAnswer(id: id, app: 2, outcome: outcomes[choices.number(below: outcomes.count)])))
        case 3: send(.screenshot)
        default:
            let side = choices.byte()
            let frame = Rect<DisplaySpace>(
                x: Fixed(Double(side & 7)), y: .zero, width: Fixed(Double(side) + 100), height: Fixed(600))
            let orientation = InterfaceOrientation.allCases[Int(word & 3)]
            send(.scene(SceneState(frame: frame, scale: .one, orientation: orientation, acknowledgedDeclaration: 0)))
        }
    }

    /// Sends the next URL after the app has opened the last one. Until then it sends the same URL again, as over a link
    /// that loses frames.
    private mutating func tellURL() {
        guard isOpen else { return }
        if url?.isAnswered != false { url = ((url?.id ?? 0) + 1, false) }
        send(.open(Self.request(url!.id, epoch: epoch)))
    }

    private static func request(_ id: UInt32, epoch: UInt32) -> OpenRequest {
        guard let url = try? URLText("own://\(epoch)/\(id)?a=%41") else { broken("a URL") }
        return OpenRequest(id: id, url: url)
    }

    private mutating func touch(_ word: UInt8, _ choices: inout Choices) {
        var contacts: [TouchContact] = []
        var isNews = false
        for i in fingers.indices {
            let touched = word >> 4 & (1 << UInt8(i)) != 0
            guard touched || fingers[i] != nil else { continue }
            var phase = TouchContact.Phase.stationary
            if touched {
                isNews = true
                let what = choices.byte()
                let (x, y) = (Int32(what & 15) * 25 << 16, Int32(what >> 4) * 44 << 16)
                if let finger = fingers[i] {
                    let outcome = choices.byte()
                    if outcome < 176 {
                        phase = .moved
                        fingers[i] = (finger.touch, x, y)
                    } else {
                        phase = outcome < 240 ? .ended : .cancelled
                    }
                } else {
                    phase = .began
                    fingers[i] = (nextTouch, x, y)
                    nextTouch += 1
                }
            }
            guard let finger = fingers[i] else { continue }
            contacts.append(
                TouchContact(
                    touch: TouchID(rawValue: finger.touch), phase: phase,
                    at: Point(Fixed(rawValue: finger.x), Fixed(rawValue: finger.y))))
            if phase == .ended || phase == .cancelled { fingers[i] = nil }
        }
        guard isNews else { return pass(.milliseconds(1)) }
        guard isOpen else {
            for i in fingers.indices { fingers[i] = nil }
            return
        }
        contacts.sort { $0.touch < $1.touch }
        let frame = TouchFrame(timeStamp: now, contacts: contacts)
        let areMoves = contacts.allSatisfy { $0.phase == .moved || $0.phase == .stationary }
        // One touch in four moves several times in one frame.
        let isShared = areMoves && contacts.contains { $0.phase == .moved && $0.touch.rawValue % 4 == 1 }
        send(isShared ? .severalTouches([frame, frame, frame]) : .touches(frame))
    }

    private mutating func deviceSays(_ word: UInt8) {
        guard isOpen else { return }
        let place = Point<SceneSpace>(Double(word), 200)
        let contents: [DeviceInput<SceneSpace>.Content] = [
            .key(HIDUsage(page: 7, usage: 4)), .key(HIDUsage(page: 7, usage: 0x2A)), .shake, .remote(.play),
            .scroll(place, dx: Fixed(3), dy: Fixed(-20)), .hover(place),
            .transform(place, scale: Fixed(1.5), rotation: Fixed(0.25)), .key(HIDUsage(page: 12, usage: 0x40)),
        ]
        let content = contents[Int(word & 7)]
        let known = held.firstIndex { $0.stretch == DeviceInput<SceneSpace>(.began, content).stretch }
        let phase: InputPhase =
            switch (content, known) {
            case (.remote, _): .once
            case (_, nil): .began
            case (_, _?): word < 128 ? .changed : word < 208 ? .ended : .cancelled
            }
        let input = DeviceInput<SceneSpace>(phase, content)
        guard input.isPossible else { return }
        switch (phase, known) {
        case (.began, _): held.append(input)
        case (.ended, let known?), (.cancelled, let known?): held.remove(at: known)
        default: break
        }
        send(.input(DeviceEvent(timeStamp: now, input: input)))
    }

    // MARK: An illegal server

    mutating func playAnything(_ choices: inout Choices) {
        let kind = choices.byte()
        let peers: [Peer] = [.systemServer, .systemServer, .systemServer, .supervisor]
        let peer = peers[Int(kind >> 4) % peers.count]
        switch kind & 15 {
        case 0: give(.peerLost(peer))
        case 1: give(.connected(peer))
        case 2: host.leap(to: Instant(nanoseconds: Int64(truncatingIfNeeded: choices.wide() >> 2)))
        case 3, 4: pass(.milliseconds(choices.number(below: 256)), patience: 16)
        case 5:
            pass(
                Frame(
                    epoch: choices.word(), generation: choices.word(), sequence: SequenceNumber(choices.wide()),
                    ack: SequenceNumber(choices.wide()), credit: choices.word(), message: .hello), from: peer)
        case 6...11:
            let frame = Frame(
                epoch: epoch, generation: epoch, sequence: SequenceNumber(2 + UInt64(choices.byte())),
                ledger: Ledger(device: now),
                message: message(&choices))
            pass(frame, from: peer)
        default: for frame in (try? Frame.decode(packet: choices.slice())) ?? [] { pass(frame, from: peer) }
        }
    }

    /// As a decoder returns it: the number 0 is no app.
    private func appOrNone(_ number: UInt32) -> AppID? { number == 0 ? nil : AppID(number) }

    private func message(_ choices: inout Choices) -> Message {
        func fixed() -> Fixed {
            let word = choices.byte()
            return word < 200 ? Fixed(Double(word) * 3) : Fixed(rawValue: Int32(bitPattern: choices.word()))
        }
        switch choices.number(below: 13) {
        case 8, 9:
            guard let url = try? URLText("own:\(choices.byte())//%\(choices.flag() ? "41" : "00")") else {
                broken("a URL")
            }
            return .open(OpenRequest(asker: UInt32(choices.byte()), id: UInt32(choices.byte()), url: url))
        case 10:
            let outcomes = OpenAnswer.Outcome.allCases
            let outcome = outcomes[choices.number(below: outcomes.count)]
            return .opened(OpenAnswer(id: UInt32(choices.byte()), app: appOrNone(choices.word()), outcome: outcome))
        case 11:
            let (x, y) = (Fixed(rawValue: Int32(bitPattern: choices.word())), Fixed(Double(choices.byte())))
            let frame = Rect<DisplaySpace>(x: x, y: y, width: Fixed(rawValue: Int32(choices.word() >> 1)), height: y)
            return .scene(
                SceneState(
                    frame: frame, scale: fixed(), orientation: InterfaceOrientation.allCases[choices.number(below: 4)],
                    acknowledgedDeclaration: choices.word()))
        case 0...4:
            var contacts: [TouchContact] = []
            for _ in 0..<choices.number(below: 6) {
                let word = choices.byte()
                var contact = TouchContact(
                    touch: TouchID(rawValue: UInt32(word & 7)),
                    phase: ContactPhase(rawValue: (word >> 3 & 7) % 5) ?? .moved,
                    at: Point(fixed(), fixed()))
                if word & 0x40 != 0 { (contact.majorRadius, contact.pressure) = (fixed(), fixed()) }
                if word & 0x80 != 0 {
                    contact.tool = .pencil
                    contact.angles = PencilAngles(altitude: fixed(), azimuth: fixed())
                }
                contacts.append(contact)
            }
            let isOdd = choices.byte() > 220
            let time = isOdd ? Instant(nanoseconds: Int64(bitPattern: choices.wide())) : now
            let frame = TouchFrame(timeStamp: time, contacts: contacts)
            return isOdd ? .severalTouches([frame, frame]) : .touches(frame)
        case 5, 6:
            let place = Point<SceneSpace>(fixed(), fixed())
            let measure = fixed()
            let contents: [DeviceInput<SceneSpace>.Content] = [
                .key(HIDUsage(page: 7, usage: UInt16(choices.byte()))), .shake, .remote(.stop),
                .scroll(place, dx: measure, dy: measure), .hover(place),
                .transform(place, scale: measure > .zero ? measure : .one, rotation: measure),
            ]
            let phases = InputPhase.allCases
            let input = DeviceInput<SceneSpace>(
                phases[choices.number(below: phases.count)], contents[choices.number(below: contents.count)])
            guard input.isPossible, ![place.x, place.y, measure].contains(.nan) else { return .hello }
            return .input(DeviceEvent(timeStamp: now, input: input))
        case 7: return .lifeCycle(LifeCycleChange.allCases[choices.number(below: 5)])
        default: return .screenshot
        }
    }

    private mutating func pass(_ frame: Frame, from peer: Peer) {
        guard frame.message.isAllowed(from: peer.role, to: .app) else {
            return give(.refused(.forbidden(peer, frame.message.kind)))
        }
        if case .shutdown = frame.message { return }
        var frame = frame
        // The supervisor counts the epochs and starts each server with its own, so no server has an epoch of the
        // future.
        if peer == .systemServer { frame.epoch %= Self.endOfLies }
        give(.frame(frame, from: peer))
    }

    // MARK: The end

    /// The epoch before that of the first legal server.
    private static let endOfLies: UInt32 = 1 << 24

    /// The server is restarted, and the next one is legal.
    mutating func beginAnew() {
        give(.peerLost(.systemServer))
        pass(.seconds(20))
        // A time close to the end of time is skipped, because no host's clock gets there.
        guard now < Instant(nanoseconds: .max / 4) else { return }
        self = AppStage(continuing: self)
        connect()
        for word in [0x13, 0x14, 0x14] as [UInt8] {
            var choices = Choices(fingers[0] == nil ? [0x11] : [0x11, 200])
            touch(word, &choices)
        }
        tellURL()
    }

    private init(continuing other: AppStage) {
        (host, isLegal, epoch, supervisor, delegate) = (other.host, true, Self.endOfLies, nil, other.delegate)
    }

    /// Lifts and releases everything, and advances the time until no timer is due.
    mutating func comeToRest() {
        guard isLegal, !host.hasEnded else { return }
        defer { expect(delegate.waiting == 0 || host.hasEnded, "\(delegate.waiting) completions are owed") }
        guard isOpen else { return pass(.seconds(5)) }
        let contacts = fingers.compactMap { $0 }.sorted { $0.touch < $1.touch }.map {
            TouchContact(
                touch: TouchID(rawValue: $0.touch), phase: .ended,
                at: Point(Fixed(rawValue: $0.x), Fixed(rawValue: $0.y)))
        }
        for i in fingers.indices { fingers[i] = nil }
        if !contacts.isEmpty { send(.touches(TouchFrame(timeStamp: now, contacts: contacts))) }
        for input in held { send(.input(DeviceEvent(timeStamp: now, input: input.ending(.ended)))) }
        held.removeAll()
        if url?.isAnswered == false { tellURL() }
        pass(.seconds(30), patience: 4096)
        for id in requests { send(.opened(OpenAnswer(id: id, app: 2, outcome: .opened))) }
        pass(.seconds(1))
        expect(asked.isEmpty || host.hasEnded, "\(asked.count) frames without a receipt: \(asked)")
        expect(url?.isAnswered != false || host.hasEnded, "open \(url?.id ?? 0) has no answer")
    }
}
