// ServerLaws.swift: a system server among peers that an input's bytes play.
//
// The first byte says how. Legal peers number their frames as LinkNumbers does, wait for hellos and answer what they
// are asked, in any order and as late as they like; then every law of Docs/Spec/Pipeline.md section 3 that one core can keep is demanded.
// Illegal ones send any frame their role may send (the host lets nothing else through), with any header: then it may
// not trap, and must serve whoever comes afterwards.

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
            Setting(key: "trace.places", value: "true"),
        ],
        [
            Setting(key: "server.inFlightLimit", value: "1"), Setting(key: "server.openLimit", value: "0.5"), schemes,
        ],
    ]
    /// The variant in which app 2 lives on display 2, and positions may be told.
    private static let withDisplays = 2

    /// Started once: a core is a value, and every run begins with a copy.
    private nonisolated(unsafe) static let started = variants.map { changes in
        let order = LaunchOrder(peer: .systemServer, epoch: 7, generation: 1, runDirectory: "/run", settings: changes)
        guard let settings = try? Settings(changes) else { broken("settings") }
        var host = CoreHost(SystemServerCore(settings: settings, order: order), effectLimit: 4096)
        host.begin()
        return host
    }

    private static let apps = 3

    var host: CoreHost<SystemServerCore>
    let isLegal: Bool

    private var inputKit: LinkNumbers?
    private var isInputKitOpen = false
    private var links = [AppEnd?](repeating: nil, count: Self.apps)
    private var supervisor = LinkNumbers(epoch: 7, generation: 0)
    /// Input-kit's lives, then the apps'.
    private var lives = [UInt32](repeating: 0, count: Self.apps + 1)
    /// The last frame of each, for repeating it: input-kit's, then the apps'.
    private var lastFrames = [Frame?](repeating: nil, count: Self.apps + 1)

    /// Scans that were accepted on the present link and not yet answered: the sequence, and the ledger's first stamp;
    /// none for one that the link lost.
    private var owed: [(sequence: UInt64, device: Instant?)] = []
    private var devices: [UInt8: UInt32] = [:]
    /// No touch number is ever used twice.
    private var touchesBegun: [UInt32] = []
    /// By their first stamps, which displays scans are of.
    private var displays: [(device: Instant, display: DisplayID)] = []
    private let hasDisplays: Bool

    private var monitors = [TouchMonitor?](repeating: nil, count: 6)
    /// Touches that monitors have.
    private var touchesTaken: [UInt32] = []
    private var urls: URLLaws

    /// One app's end of its link.
    private struct AppEnd {
        var conversation: LinkNumbers
        /// How many questions it has room for.
        let room: Int
        var isOpen = false
        /// What it was sent and has not answered.
        var asked: [(frame: Frame, receipt: Receipt)] = []
        var live: [UInt32] = []
        var held = Stretches()
        /// Questions about the link that wait for a word.
        var probes = 0
        /// Frames that it says it has not heard.
        var missed: UInt64 = 0
        /// The URL that it was told of last on this link, and that it has to answer.
        var url: UInt32?
        var isURLDue = false

        init(_ conversation: LinkNumbers, room: Int) { (self.conversation, self.room) = (conversation, room) }

        var credit: UInt32 { UInt32(max(0, room - asked.count)) }

        mutating func ask(_ frame: Frame, _ receipt: Receipt) {
            asked.append((frame, receipt))
            // Without any room it is asked one at a time.
            expect(asked.count <= max(1, room), "\(asked.count) questions, and room for \(room)")
        }

        /// - Returns: What the frame's receipt says.
        mutating func follow(
            _ touches: TouchFrame, as frame: UInt64, begun: inout [UInt32], taken: [UInt32]
        ) -> Receipt {
            var receipt = Receipt(frame: frame, outcome: .delivered)
            for (place, contact) in touches.contacts.enumerated() {
                let touch = contact.touch.rawValue
                expect(
                    !touches.contacts[..<place].contains { $0.touch == contact.touch },
                    "\(contact.touch) twice in one frame")
                let known = live.firstIndex(of: touch)
                expect(
                    (known == nil) == (contact.phase == .began), "\(contact.touch): \(contact.phase), out of turn")
                switch contact.phase {
                case .began:
                    expect(!begun.contains(touch), "\(contact.touch) began before")
                    begun.append(touch)
                    live.append(touch)
                    receipt.began += 1
                case .moved: receipt.moved += 1
                case .stationary: receipt.stationary += 1
                case .ended:
                    expect(!taken.contains(touch), "\(contact.touch) is a monitor's, and ended here")
                    receipt.ended += 1
                case .cancelled: receipt.cancelled += 1
                }
                if let known, contact.phase == .ended || contact.phase == .cancelled { live.remove(at: known) }
            }
            return receipt
        }
    }

    init(how: UInt8) {
        let variant = Int(how >> 2) % Self.started.count
        host = Self.started[variant]
        hasDisplays = variant == Self.withDisplays
        urls = URLLaws(apps: Self.apps, hasSchemes: Self.variants[variant].contains(Self.schemes))
        host.isTraced = how & 2 == 2
        isLegal = how & 1 == 0
        // It has said that it is ready.
        supervisor.adopt(hello: Frame(epoch: 7, generation: 1, sequence: 1, message: .ready), epoch: 7)
        // Whoever may do anything was let in by a roster, as everybody is: what it says of itself is held to that.
        if !isLegal { tellRoster(generation: Self.illegalGeneration) }
    }

    /// Of peers that do anything, by the roster.
    private static let illegalGeneration: UInt32 = 5

    private mutating func tellRoster(generation: UInt32) {
        let peers = [Peer.inputKit] + (0..<Self.apps).map { .app(AppID(index: $0)) }
        order(
            .roster(peers.map { RosterEntry(peer: $0, pid: 2, uid: 1, generation: generation, isReady: false) }))
    }

    // MARK: Getting

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
        expect(frame.message.mayGo(from: .systemServer, to: peer.role), "\(frame.message.kind) to \(peer)")
        switch peer.role {
        case .supervisor: reported(frame)
        case .inputKit: answered(frame)
        case .app: told(frame, app: AppID(peer.instance))
        case .systemServer, .controller: broken("a frame to \(peer)")
        }
    }

    private mutating func reported(_ frame: Frame) {
        expect(supervisor.accept(frame) == .fresh, "numbers towards the supervisor")
        guard isLegal else { return }
        switch frame.message {
        case .spied(let page):
            let others = monitors.count { $0?.isWatching == true && $0?.id != page.id }
            guard monitors.indices.contains(Int(page.id)), monitors[Int(page.id)] != nil else {
                broken("a page for monitor \(page.id), which is not there")
            }
            let taken = monitors[Int(page.id)]!.follow(page, others: others, tellsPositions: hasDisplays)
            guard let touch = taken?.rawValue else { return }
            expect(!touchesTaken.contains(touch), "touch \(touch) is taken twice")
            touchesTaken.append(touch)
        case .wanted(let wish): urls.wished(wish)
        case .opened(let answer): urls.answered(answer, to: .controller(answer.asker))
        default: break
        }
    }

    private mutating func answered(_ frame: Frame) {
        guard inputKit != nil else {
            if isLegal { broken("\(frame.message.kind) to an input-kit that is not there") }
            return
        }
        guard isLegal else { return }
        if frame.message == .hello, !isInputKitOpen {
            expect(inputKit!.isAnswered(by: frame), "the answer to another greeting")
            isInputKitOpen = true
            return inputKit!.adopt(hello: frame, epoch: frame.epoch)
        }
        // A hello that is answered again is answered under the number it was.
        let news: LinkNumbers.Verdict =
            frame.message == .hello ? .duplicate(sequence: frame.sequence, last: inputKit!.received) : .fresh
        expect(inputKit!.accept(frame) == news, "numbers towards input-kit")
        if case .link(.heard(let oldest, _)) = frame.message {
            expect(oldest == owed.map(\.sequence).min() ?? 0, "the oldest is not \(oldest)")
            return
        }
        guard case .handled(let receipt) = frame.message else {
            expect(frame.message == .hello, "\(frame.message.kind) to input-kit")
            return
        }
        guard let place = owed.firstIndex(where: { $0.sequence == receipt.frame }) else {
            broken("a receipt for \(receipt.frame), which nobody waits for")
        }
        expect(frame.ledger[.device] == owed[place].device, "the receipt of \(receipt.frame) is another scan's")
        owed.remove(at: place)
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
        case .touches(let touches):
            let receipt = links[place]!.follow(
                touches, as: frame.sequence, begun: &touchesBegun, taken: touchesTaken)
            if receipt.began > 0 {
                let scan = displays.last { $0.device == frame.ledger[.device] }
                expect(scan?.display == display(of: app), "app \(app): a finger of \(scan?.display ?? 0) begins")
            }
            links[place]!.ask(frame, receipt)
        case .input(let event):
            expect(display(of: app) == 1, "app \(app) on display 2 is told of \(event.input)")
            links[place]!.held.follow(event.input)
            links[place]!.ask(frame, Receipt(frame: frame.sequence, outcome: .delivered))
        case .scene(let state):
            let whole = SceneFrame(x: .zero, y: .zero, width: Fixed(800), height: Fixed(600))
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

    private mutating func pass(_ duration: Duration) {
        pass(duration, patience: 4096)
        expect(!host.isDue, "a timer that is always due")
    }

    // MARK: Legal peers

    mutating func playLegal(_ choices: inout Choices) {
        switch choices.number(below: 23) {
        case 0: pass(.milliseconds(choices.number(below: 256) * 4))
        case 1: appSaysHello(choices.number(below: Self.apps), credit: UInt32(choices.byte()), isAnew: choices.flag())
        case 2:
            let app = choices.number(below: Self.apps)
            links[app] = nil
            urls.lostLink(of: AppID(index: app))
            give(.peerLost(.app(AppID(index: app))))
        case 3: inputKitSaysHello(isAnew: choices.flag())
        case 4:
            forgetInputKit()
            inputKit = nil
            give(.peerLost(.inputKit))
        case 5, 6, 7, 8: scan(&choices)
        case 9, 10: deviceSays(&choices)
        case 11, 12: answer(choices.number(below: Self.apps), choices.number(below: 8))
        case 13: order(.act(act(&choices)))
        case 14:
            switch choices.number(below: 4) {
            case 0:
                order(.reportRequest)
                guard isInputKitOpen else { return }
                let probe = inputKit!.frame(.link(.probe))
                lastFrames[0] = probe
                give(.frame(probe, from: .inputKit))
            case 1: give(.refused(.stranger(pid: 1, uid: choices.word())))
            case 2: give(.timerFired(TimerID(choices.word())))
            default: give(.connected(.app(1)))
            }
        case 15: repeatFrame(choices.number(below: Self.apps + 1), choices.byte())
        case 16: monitorBegins(&choices)
        case 17: monitorSays(&choices)
        case 18: ask(for: choices.byte())
        case 19: answerURL(choices.number(below: Self.apps))
        case 20: grantWish(choices.byte())
        case 21: drag(choices.byte())
        default:
            let app = choices.number(below: Self.apps)
            guard let end = links[app], end.conversation.received > 0 else { return }
            links[app]!.missed = min(end.missed + 1, end.conversation.received)
            links[app]!.probes += 1
            answer(app, 0)
        }
    }

    // MARK: Touch monitors

    private mutating func monitorBegins(_ choices: inout Choices) {
        let (index, word) = (choices.number(below: monitors.count), choices.byte())
        var interest = SpyInterest(app: word & 7 < 5 ? nil : AppID(UInt32(word & 3)))
        if word & 0x18 == 0x18 {
            interest.zone = SceneFrame(x: .zero, y: .zero, width: Fixed(Double(word)), height: Fixed(600))
        }
        if word & 0x60 == 0x60 { interest.patience = .milliseconds(Int(word >> 7) * 100) }
        monitors[index] = TouchMonitor(id: UInt32(index), interest)
        order(.spy(SpyRequest(id: UInt32(index), .begin(interest))))
        expect(monitors[index]?.isAnswered == true || host.hasEnded, "a monitor without an answer")
    }

    private mutating func monitorSays(_ choices: inout Choices) {
        let word = choices.byte()
        let index = Int(word & 7) % monitors.count
        guard monitors[index] != nil else { return }
        switch word >> 3 {
        case 0:
            monitors[index] = nil
            order(.spy(SpyRequest(id: UInt32(index), .end)))
        case 1, 2, 3: acknowledge(index)
        default:
            let answer = SpyAnswer.allCases[[3, 3, 3, 0, 1, 2, 3][Int(word >> 3) % 7]]
            // One of the last touches that an app was told of, or one that there is none of.
            let last = touchesBegun.suffix(8)
            let which = choices.number(below: 9)
            let touch = TouchID(rawValue: which < last.count ? last[last.endIndex - 1 - which] : 7_000_000)
            monitors[index]!.say(answer, of: touch)
            order(.spy(SpyRequest(id: UInt32(index), .answer(touch, answer))))
        }
    }

    private mutating func acknowledge(_ index: Int) {
        monitors[index]!.acknowledge()
        order(.spy(SpyRequest(id: UInt32(index), .took(monitors[index]!.newest))))
    }

    // MARK: URLs

    /// - Parameter word: Whose scheme; and who asks: an app, or one of the controllers.
    private mutating func ask(for word: UInt8) {
        let (number, asker) = (Int(word & 7) % 5, Int(word >> 3) % 6)
        guard asker < Self.apps else {
            order(.open(urls.request(number, by: .controller(UInt32(asker)))))
            return urls.accept()
        }
        guard var end = links[asker], end.isOpen else { return }
        let app = AppID(index: asker)
        let request = urls.request(number, by: .app(app, life: end.conversation.generation))
        let frame = end.conversation.frame(.open(request), credit: end.credit)
        links[asker] = end
        lastFrames[asker + 1] = frame
        give(.frame(frame, from: .app(app)))
        urls.accept()
    }

    /// An app has come to the end of opening what it was told; one that says so again says nothing new.
    private mutating func answerURL(_ app: Int) {
        guard var end = links[app], let id = end.url else { return }
        end.isURLDue = false
        urls.opens(id)
        let frame = end.conversation.frame(.opened(OpenAnswer(id: id, outcome: .opened)), credit: end.credit)
        links[app] = end
        lastFrames[app + 1] = frame
        give(.frame(frame, from: .app(AppID(index: app))))
    }

    /// The supervisor launches the app that the server wants, or says that it does not.
    private mutating func grantWish(_ word: UInt8) {
        guard let wish = urls.takeWish(Int(word >> 2)), let app = wish.app.index else { return }
        switch word & 3 {
        case 0: order(.opened(OpenAnswer(id: wish.opens.id, app: wish.app, outcome: .died)))
        // It runs already.
        case 1 where links[app] != nil: return
        default: appSaysHello(app, credit: 8)
        }
    }

    // MARK: Links

    /// - Parameter isAnew: Another life of it, or the same one, whose numbers go on.
    private mutating func appSaysHello(_ app: Int, credit: UInt32, isAnew: Bool = true) {
        lives[app + 1] += 1
        var conversation = LinkNumbers(epoch: 0, generation: lives[app + 1])
        if !isAnew, let known = links[app] { conversation = known.conversation }
        urls.lostLink(of: AppID(index: app))
        let hello = conversation.hello(credit: credit)
        links[app] = AppEnd(conversation, room: Int(credit))
        lastFrames[app + 1] = hello
        give(.frame(hello, from: .app(AppID(index: app))))
        expect(links[app]?.isOpen == true || host.hasEnded, "a hello without an answer, generation \(lives[app + 1])")
    }

    private mutating func inputKitSaysHello(isAnew: Bool = true) {
        lives[0] += 1
        var conversation = LinkNumbers(epoch: 0, generation: lives[0])
        if !isAnew, let known = inputKit { conversation = known }
        forgetInputKit()
        let hello = conversation.hello()
        inputKit = conversation
        lastFrames[0] = hello
        give(.frame(hello, from: .inputKit))
        expect(isInputKitOpen || host.hasEnded, "a hello without an answer, generation \(lives[0])")
    }

    private mutating func forgetInputKit() {
        isInputKitOpen = false
        lastFrames[0] = nil
        owed.removeAll(keepingCapacity: true)
        devices = [:]
    }

    private mutating func order(_ message: Message) { give(.frame(supervisor.frame(message), from: .supervisor)) }

    private func act(_ choices: inout Choices) -> SystemAct {
        let app = AppID(UInt32(choices.number(below: Self.apps + 2)))
        let other = AppID(UInt32(choices.number(below: Self.apps + 2)))
        return switch choices.number(below: 15) {
        case 0: .interrupt
        case 6: .split(app: app, with: other)
        case 7:
            .overlay(
                app: app,
                frame: SceneFrame(
                    x: Fixed(rawValue: Int32(bitPattern: choices.word())), y: Fixed(Double(choices.byte())),
                    width: Fixed(Double(choices.byte())), height: Fixed(rawValue: Int32(choices.word() >> 1))))
        case 8: .suspend(app: app)
        case 9: .terminate(app: app)
        case 10: .alert
        case 11: .keyboard(height: Fixed(rawValue: Int32(choices.word() >> 1)))
        case 12: .display(isOn: choices.flag())
        case 1: .resume
        case 2: .home
        case 3: .foreground(app: app)
        case 4: .lock
        case 13, 14: .orientation(app: app, InterfaceOrientation.allCases[choices.number(below: 4)])
        default: .unlock
        }
    }

    private mutating func scan(_ choices: inout Choices) {
        let words = choices.byte()
        let device = words & 3
        if words & 0x80 != 0 { devices[device, default: 0] &+= 1 }
        var fingers: [DigitizerEvent] = []
        for index in 1...5 where fingers.count < Int(words >> 2 & 7) {
            let word = choices.byte()
            // Each index at most once, in ascending order, as the assembler has them.
            if word & 0x80 == 0 { fingers.append(finger(UInt32(index), word)) }
        }
        send(fingers, of: device, isMeasured: words & 0x40 != 0)
    }

    /// As many scans as fill the windows of apps and monitors: one finger lands, and moves from then on.
    private mutating func drag(_ word: UInt8) {
        for step in 0...(word >> 2) { send([finger(1, step == 0 ? 0 : step << 3 | 2)], of: word & 3) }
    }

    private mutating func send(_ fingers: [DigitizerEvent], of device: UInt8, isMeasured: Bool = false) {
        var event = HIDEvent(
            timeStamp: now, senderID: UInt64(device), generationCount: devices[device] ?? 0,
            hand: finger(0, 1), fingers: fingers)
        event.panelWidth = isMeasured ? Fixed(60) : .zero
        event.display = DisplayID(index: Int(device / 2))
        send(.digitizer(event), skipping: 0)
    }

    private func finger(_ index: UInt32, _ word: UInt8) -> DigitizerEvent {
        let (mask, options): (DigitizerEventMask, DigitizerOptions) =
            switch word & 7 {
            case 0, 1: ([.range, .touch], [.range, .touch])
            case 2, 3: ([.position], [.range, .touch])
            case 4: ([], [.range, .touch])
            case 5: ([.range, .touch], [])
            case 6: ([.cancel], [])
            default: ([.position], [.range])
            }
        return DigitizerEvent(
            transducer: index == 0 ? .hand : .finger, index: index, identity: index, mask: mask, options: options,
            x: Fixed(rawValue: Int32(word >> 3) * 2114), y: Fixed(rawValue: Int32(word >> 5) * 9000))
    }

    private mutating func deviceSays(_ choices: inout Choices) {
        let word = choices.byte()
        let phases = DeviceInput.Phase.allCases
        let phase = phases[Int(word >> 4) % phases.count]
        let place = DeviceInput.Place(x: Fixed(rawValue: Int32(word) << 8), y: Fixed(0.5))
        let content: DeviceInput.Content =
            switch word & 15 {
            case 0, 1: .key(HIDUsage(page: 7, usage: UInt16(word & 1)))
            case 2: .shake
            case 3: .remote(.play)
            case 4, 5: .scroll(place, dx: Fixed(1), dy: Fixed(-2))
            case 6, 7: .hover(place)
            case 8: .transform(place, scale: .one, rotation: .zero)
            default: .key(HIDUsage(page: 12, usage: UInt16(word & 15)))
            }
        let input = DeviceInput(phase, content)
        guard input.isPossible else { return }
        send(.device(DeviceEvent(timeStamp: now, input: input)), skipping: 0)
    }

    /// The next frame of input-kit's.
    private mutating func send(_ message: Message, skipping missing: Int) {
        guard isInputKitOpen else { return }
        for _ in 0..<missing { owed.append((inputKit!.frame(message).sequence, nil)) }
        // Each scan has its own first stamp: by it a receipt is known.
        host.leap(to: now.advanced(byNanoseconds: 1))
        if case .digitizer(let event) = message { displays.append((now, hasDisplays ? event.display : 1)) }
        var ledger = Ledger(device: now)
        ledger.append(now)
        let frame = inputKit!.frame(message, ledger: ledger)
        lastFrames[0] = frame
        owed.append((frame.sequence, now))
        give(.frame(frame, from: .inputKit))
    }

    /// - Parameter which: Receipts need not come in the order of their questions.
    private mutating func answer(_ app: Int, _ which: Int) {
        guard var end = links[app] else { return }
        while end.probes > 0 {
            end.probes -= 1
            let oldest = end.asked.map(\.frame.sequence).min() ?? 0
            let heard = end.conversation.frame(.link(.heard(oldest: oldest, missed: end.missed)), credit: end.credit)
            links[app] = end
            lastFrames[app + 1] = heard
            give(.frame(heard, from: .app(AppID(index: app))))
            guard let after = links[app] else { return }
            end = after
        }
        guard !end.asked.isEmpty else { return }
        let (question, receipt) = end.asked.remove(at: min(which, end.asked.count - 1))
        var ledger = question.ledger
        if ledger.count > 0 {
            ledger.append(now)
            ledger.append(now)
        }
        let frame = end.conversation.frame(.handled(receipt), ledger: ledger, credit: end.credit)
        links[app] = end
        lastFrames[app + 1] = frame
        give(.frame(frame, from: .app(AppID(index: app))))
    }

    /// What a link under faults does, which is still no fault of the peer's: again, with a gap, from before.
    private mutating func repeatFrame(_ who: Int, _ how: UInt8) {
        let peer: Peer = who == 0 ? .inputKit : .app(AppID(index: who - 1))
        switch how & 3 {
        case 0, 1:
            // A hello again is answered again, and nothing else.
            guard let frame = lastFrames[who] else { return }
            let (before, waiting) = (owed.count, links.map { $0?.asked.count })
            give(.frame(frame, from: peer))
            expect(owed.count == before && links.map { $0?.asked.count } == waiting, "a repeated frame did something")
        case 2:
            guard var frame = lastFrames[who] else { return }
            // An earlier life's, or an epoch's before, whatever its number.
            if how & 4 == 4 { frame.generation &-= 1 } else { frame.epoch &-= 1 }
            frame.sequence += 1000
            if frame.message == .hello { frame.generation = 0 }
            let (before, waiting) = (owed.count, links.map { $0?.asked.count })
            give(.frame(frame, from: peer))
            expect(owed.count == before && links.map { $0?.asked.count } == waiting, "a fenced frame did something")
        default:
            guard who == 0 else { return }
            let event = HIDEvent(
                timeStamp: now, senderID: UInt64(how >> 2 & 3), generationCount: devices[how >> 2 & 3] ?? 0,
                hand: finger(0, 1), fingers: [])
            send(.digitizer(event), skipping: Int(how >> 4))
        }
    }

    // MARK: Illegal peers

    mutating func playAnything(_ choices: inout Choices) {
        let peers: [Peer] = [.inputKit, .app(1), .app(2), .supervisor, .app(0), .app(AppID(.max))]
        let kind = choices.byte()
        let peer = peers[Int(kind >> 4) % peers.count]
        switch kind & 15 {
        case 0: give(.peerLost(peer))
        case 1: give(.connected(peer))
        case 2: host.leap(to: Instant(nanoseconds: Int64(truncatingIfNeeded: choices.wide() >> 1)))
        case 3: give(.timerFired(TimerID(choices.word())))
        case 4:
            // A hello with any numbers.
            let generation = choices.flag() ? Self.illegalGeneration : choices.word()
            pass(
                Frame(
                    epoch: choices.word(), generation: generation, sequence: choices.wide(), ack: choices.wide(),
                    credit: choices.word(), message: .hello), from: peer)
        case 5: pass(.milliseconds(choices.number(below: 256)))
        case 6, 7, 8, 9:
            // A frame the server takes, with contents of anybody's choosing.
            let frame = Frame(
                epoch: 7, generation: Self.illegalGeneration, sequence: 1 + UInt64(choices.byte()),
                credit: UInt32(choices.byte()), ledger: Ledger(device: now), message: message(&choices))
            pass(frame, from: peer)
        default:
            for frame in (try? Frame.decode(packet: choices.slice())) ?? [] { pass(frame, from: peer) }
        }
    }

    /// As a reader of the wire has it: the number 0 is no app's.
    private func appOrNone(_ number: UInt8) -> AppID? { number == 0 ? nil : AppID(UInt32(number)) }

    private func message(_ choices: inout Choices) -> Message {
        switch choices.number(below: 12) {
        case 8, 9:
            let touch = TouchID(rawValue: UInt32(choices.byte() & 15))
            let interest = SpyInterest(
                app: appOrNone(choices.byte() & 3),
                patience: choices.flag() ? .nanoseconds(Int(choices.byte())) : nil)
            let words: [SpyRequest.Word] = [
                .begin(interest), .took(choices.wide()), .answer(touch, SpyAnswer.allCases[choices.number(below: 4)]),
                .end,
            ]
            return .spy(SpyRequest(id: UInt32(choices.byte() & 7), words[choices.number(below: 4)]))
        case 10:
            guard let url = try? URLText("fuzz\(choices.byte() & 3):\(choices.byte())") else { broken("a URL") }
            return .open(OpenRequest(asker: UInt32(choices.byte()), id: UInt32(choices.byte()), url: url))
        case 11:
            let outcome = OpenAnswer.Outcome.allCases[choices.number(below: OpenAnswer.Outcome.allCases.count)]
            let id = UInt32(choices.byte() & 31)
            return .opened(OpenAnswer(id: id, app: appOrNone(choices.byte()), outcome: outcome))
        case 6, 7:
            var changes: [WindowChange] = []
            for _ in 0..<choices.number(below: 8) {
                let id = UInt32(choices.byte() & 15)
                func fixed() -> Fixed { Fixed(rawValue: Int32(bitPattern: choices.word())) }
                func length() -> Fixed { Fixed(rawValue: Int32(choices.word() >> 1)) }
                let frame = SceneFrame(x: fixed(), y: fixed(), width: length(), height: length())
                changes.append(
                    choices.number(below: 4) == 0
                        ? .remove(id)
                        : .put(
                            SceneWindow(
                                id: id, frame: frame, level: fixed(), order: choices.word(), isHidden: choices.flag())))
            }
            return .windows(
                WindowsDiff(number: UInt32(choices.byte() & 3), isWhole: choices.flag(), changes: changes))
        case 0, 1:
            var fingers: [DigitizerEvent] = []
            for _ in 0..<choices.number(below: 6) {
                var finger = finger(UInt32(choices.number(below: 4)), choices.byte())
                if choices.flag() { finger.x = Fixed(rawValue: Int32(bitPattern: choices.word())) }
                if choices.flag() { finger.pressure = Fixed(rawValue: Int32(bitPattern: choices.word())) }
                if choices.flag() {
                    let angle = Fixed(rawValue: Int32(bitPattern: choices.word()))
                    finger.orientation = .polar(.init(altitude: angle, azimuth: angle, majorRadius: angle))
                }
                fingers.append(finger)
            }
            var event = HIDEvent(
                timeStamp: Instant(nanoseconds: Int64(bitPattern: choices.wide())), senderID: UInt64(choices.byte()),
                generationCount: UInt32(choices.byte()), hand: finger(0, 1), fingers: fingers)
            event.panelWidth = Fixed(rawValue: Int32(bitPattern: choices.word()))
            event.display = DisplayID(index: choices.number(below: DisplayID.last.index + 1))
            return .digitizer(event)
        case 2, 3:
            let word = choices.word()
            let place = DeviceInput.Place(x: Fixed(rawValue: Int32(bitPattern: word)), y: .one)
            let phases = DeviceInput.Phase.allCases
            let contents: [DeviceInput.Content] = [
                .key(HIDUsage(page: UInt16(truncatingIfNeeded: word), usage: 1)), .shake, .remote(.pause),
                .scroll(place, dx: place.x, dy: place.x), .hover(place),
                .transform(place, scale: .one, rotation: place.x),
            ]
            let input = DeviceInput(
                phases[choices.number(below: phases.count)], contents[choices.number(below: contents.count)])
            return .device(DeviceEvent(timeStamp: now, input: input))
        case 4:
            return .handled(
                Receipt(
                    frame: UInt64(choices.byte()), outcome: .delivered, began: UInt16(choices.byte()) << 8,
                    moved: .max))
        default: return .act(act(&choices))
        }
    }

    /// The host has checked the role.
    private mutating func pass(_ frame: Frame, from peer: Peer) {
        guard frame.message.mayGo(from: peer.role, to: .systemServer) else {
            return give(.refused(.forbidden(peer, frame.message.kind)))
        }
        switch frame.message {
        // A server that is told to end has ended; and the supervisor, which is nobody's enemy, counts lives upwards.
        case .shutdown, .roster: return
        default: give(.frame(frame, from: peer))
        }
    }

    // MARK: The end

    /// Everybody is restarted, as the supervisor restarts whoever misbehaves; from here all is legal.
    mutating func beginAnew() {
        for peer in [Peer.inputKit, .app(0), .app(AppID(.max))] { give(.peerLost(peer)) }
        for app in 0..<Self.apps { give(.peerLost(.app(AppID(index: app)))) }
        for act in [SystemAct.resume, .unlock, .display(isOn: true)] { order(.act(act)) }
        // A host's clock has not got to the end of time.
        guard now < Instant(nanoseconds: .max / 2) else { return }
        // Monitors end with their controllers, and what was asked to be opened is late by now.
        for monitor in 0..<UInt32(8) { order(.spy(SpyRequest(id: monitor, .end))) }
        pass(.seconds(21))
        // By the supervisor's word they are others now.
        let generation = UInt32.max - 8
        tellRoster(generation: generation)
        guard !host.hasEnded else { return }
        self = ServerStage(continuing: self)
        lives = lives.map { _ in generation - 1 }
        appSaysHello(0, credit: 8)
        inputKitSaysHello()
        order(.act(.foreground(app: 1)))
        for word in [0, 2, 5] as [UInt8] {
            let event = HIDEvent(
                timeStamp: now, senderID: 1, generationCount: 1, hand: finger(0, 1), fingers: [finger(1, word)])
            send(.digitizer(event), skipping: 0)
            expect(links[0]?.asked.count == 1, "a tap reached the app as \(links[0]?.asked.count ?? 0) frames")
            answer(0, 0)
        }
    }

    private init(continuing other: ServerStage) {
        (host, isLegal, supervisor) = (other.host, true, other.supervisor)
        (hasDisplays, urls) = (other.hasDisplays, other.urls)
    }

    /// Every app answers everything it is asked; then nobody waits for anything.
    mutating func comeToRest() {
        guard isLegal else { return }
        answerAll()
        pass(.seconds(1))
        answerAll()
        // Those of apps that are not there.
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
        if inputKit == nil {
            for end in links.compactMap({ $0 }) where end.isOpen {
                expect(end.live.isEmpty, "touches \(end.live) without an input-kit")
                expect(end.held.isEmpty, "inputs are held without an input-kit")
            }
        }
        expect(owed.isEmpty, "\(owed.count) scans without a receipt: \(owed.map(\.sequence))")
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
