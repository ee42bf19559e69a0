// HonestPeers.swift: peers that follow the protocol; an input's bytes choose their actions.
//
// They number their frames with `LinkNumbers`, wait for hellos, and answer what they receive in any order and with any
// delay. A link may repeat a frame, lose it, or deliver one of an earlier process generation.

import Basics
import FuzzDriver
import FuzzHost
import HID
import Hosting
import Links
import Wire

extension ServerStage {
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
            inputKit.disconnect()
            lastFrames[0] = nil
            give(.peerLost(.inputKit))
        case 5, 6, 7, 8: scan(&choices)
        case 9, 10: deviceSays(&choices)
        case 11, 12: answer(choices.number(below: Self.apps), choices.number(below: 8))
        case 13: order(.act(act(&choices)))
        case 14:
            switch choices.number(below: 4) {
            case 0:
                order(.reportRequest)
                guard inputKit.isOpen else { return }
                let probe = inputKit.frame(.link(.probe))
                lastFrames[0] = probe
                give(.frame(probe, from: .inputKit))
            case 1: give(.refused(.notOnRoster(pid: 1, uid: choices.word())))
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
            guard let end = links[app], end.conversation.received > .zero else { return }
            links[app]!.missed = min(end.missed + 1, end.conversation.received.distance(from: .zero))
            links[app]!.probes += 1
            answer(app, 0)
        }
    }

    // MARK: Touch monitors

    private mutating func monitorBegins(_ choices: inout Choices) {
        let (index, word) = (choices.number(below: monitors.count), choices.byte())
        var interest = TouchMonitorInterest(app: word & 7 < 5 ? nil : AppID(UInt32(word & 3)))
        if word & 0x18 == 0x18 {
            interest.zone = Rect(x: .zero, y: .zero, width: Fixed(Double(word)), height: Fixed(600))
        }
        if word & 0x60 == 0x60 { interest.answerLimit = .milliseconds(Int(word >> 7) * 100) }
        monitors[index] = TouchMonitor(id: UInt32(index), interest)
        order(.monitor(TouchMonitorRequest(id: UInt32(index), .begin(interest))))
        expect(monitors[index]?.isAnswered == true || host.hasEnded, "a monitor without an answer")
    }

    private mutating func monitorSays(_ choices: inout Choices) {
        let word = choices.byte()
        let index = Int(word & 7) % monitors.count
        guard monitors[index] != nil else { return }
        switch word >> 3 {
        case 0:
            monitors[index] = nil
            order(.monitor(TouchMonitorRequest(id: UInt32(index), .end)))
        case 1, 2, 3: acknowledge(index)
        default:
            let answer = TouchMonitorAnswer.allCases[[3, 3, 3, 0, 1, 2, 3][Int(word >> 3) % 7]]
            // One of the last touches that an app has received, or one that does not exist.
            let last = touches.begun.suffix(8)
            let which = choices.number(below: 9)
            let touch = which < last.count ? last[last.endIndex - 1 - which] : TouchID(rawValue: 7_000_000)
            monitors[index]!.say(answer, of: touch)
            order(.monitor(TouchMonitorRequest(id: UInt32(index), .answer(touch, answer))))
        }
    }

    mutating func acknowledge(_ index: Int) {
        monitors[index]!.acknowledge()
        order(.monitor(TouchMonitorRequest(id: UInt32(index), .acknowledged(monitors[index]!.newest))))
    }

    // MARK: URLs

    /// - Parameter word: Chooses the scheme, and the asker: an app or one of the controllers.
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

    /// An app has opened the URL that it received. A repeated answer changes nothing.
    mutating func answerURL(_ app: Int) {
        guard var end = links[app], let id = end.url else { return }
        end.isURLDue = false
        urls.opens(id)
        let frame = end.conversation.frame(.opened(OpenAnswer(id: id, outcome: .opened)), credit: end.credit)
        links[app] = end
        lastFrames[app + 1] = frame
        give(.frame(frame, from: .app(AppID(index: app))))
    }

    /// The supervisor launches the app that the server requests, or reports that it cannot.
    private mutating func grantWish(_ word: UInt8) {
        guard let wish = urls.takeWish(Int(word >> 2)), let app = wish.app.index else { return }
        switch word & 3 {
        case 0: order(.opened(OpenAnswer(id: wish.openRequest.id, app: wish.app, outcome: .died)))
        // The app is running already.
        case 1 where links[app] != nil: return
        default: appSaysHello(app, credit: 8)
        }
    }

    // MARK: Links

    /// - Parameter isAnew: Whether it is a new process; otherwise the same process continues its numbers.
    mutating func appSaysHello(_ app: Int, credit: UInt32, isAnew: Bool = true) {
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

    mutating func inputKitSaysHello(isAnew: Bool = true) {
        lives[0] += 1
        let hello = inputKit.hello(of: lives[0], isAnew: isAnew)
        lastFrames[0] = hello
        give(.frame(hello, from: .inputKit))
        expect(inputKit.isOpen || host.hasEnded, "a hello without an answer, generation \(lives[0])")
    }

    func act(_ choices: inout Choices) -> SystemAct {
        let app = AppID(UInt32(choices.number(below: Self.apps + 2)))
        let other = AppID(UInt32(choices.number(below: Self.apps + 2)))
        return switch choices.number(below: 15) {
        case 0: .interrupt
        case 6: .split(app: app, with: other)
        case 7:
            .overlay(
                app: app,
                frame: Rect(
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
        if words & 0x80 != 0 { inputKit.reopen(device) }
        var fingers: [DigitizerEvent] = []
        for index in 1...5 where fingers.count < Int(words >> 2 & 7) {
            let word = choices.byte()
            // Each index occurs at most once, in ascending order, as the assembler sends them.
            if word & 0x80 == 0 { fingers.append(finger(UInt32(index), word)) }
        }
        send(fingers, of: device, isMeasured: words & 0x40 != 0)
    }

    /// Sends enough scans to fill the credit windows of apps and monitors: one contact lands, and moves from then on.
    /// The scans of a long drag share a frame.
    private mutating func drag(_ word: UInt8) {
        let (device, steps) = (word & 3, word >> 2)
        guard steps > 40 else {
            for step in 0...steps { send([finger(1, step == 0 ? 0 : step << 3 | 2)], of: device) }
            return
        }
        send([finger(1, 0)], of: device)
        send(.scans(ScanList((1...steps).map { event([finger(1, $0 << 3 | 2)], of: device) })), skipping: 0)
    }

    mutating func send(_ fingers: [DigitizerEvent], of device: UInt8, isMeasured: Bool = false) {
        send(.digitizer(event(fingers, of: device, isMeasured: isMeasured)), skipping: 0)
    }

    private func event(_ fingers: [DigitizerEvent], of device: UInt8, isMeasured: Bool = false) -> HIDEvent {
        var event = HIDEvent(
            timeStamp: now, senderID: UInt64(device), generationCount: inputKit.generation(of: device),
            hand: finger(0, 1), fingers: fingers)
        event.panelWidth = isMeasured ? Fixed(60) : .zero
        event.display = DisplayID(index: Int(device / 2))
        return event
    }

    func finger(_ index: UInt32, _ word: UInt8) -> DigitizerEvent {
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
            at: Point(Fixed(rawValue: Int32(word >> 3) * 2114), Fixed(rawValue: Int32(word >> 5) * 9000)))
    }

    private mutating func deviceSays(_ choices: inout Choices) {
        let word = choices.byte()
        let phases = InputPhase.allCases
        let phase = phases[Int(word >> 4) % phases.count]
        let place = Point<DigitizerSpace>(Fixed(rawValue: Int32(word) << 8), Fixed(0.5))
        let content: DeviceInput<DigitizerSpace>.Content =
            switch word & 15 {
            case 0, 1: .key(HIDUsage(page: 7, usage: UInt16(word & 1)))
            case 2: .shake
            case 3: .remote(.play)
            case 4, 5: .scroll(place, dx: Fixed(1), dy: Fixed(-2))
            case 6, 7: .hover(place)
            case 8: .transform(place, scale: .one, rotation: .zero)
            default: .key(HIDUsage(page: 12, usage: UInt16(word & 15)))
            }
        let input = DeviceInput<DigitizerSpace>(phase, content)
        guard input.isPossible else { return }
        send(.device(DeviceEvent(timeStamp: now, input: input)), skipping: 0)
    }

    /// The next frame of input-kit.
    mutating func send(_ message: Message, skipping missing: Int) {
        guard inputKit.isOpen else { return }
        for _ in 0..<missing { inputKit.lose(message) }
        // Each scan has its own first stamp, which identifies its receipt.
        host.leap(to: now.advanced(byNanoseconds: 1))
        if case .scans(let events) = message { displays.append((now, hasDisplays ? (events.first?.display ?? 1) : 1)) }
        if case .digitizer(let event) = message { displays.append((now, hasDisplays ? event.value.display : 1)) }
        var ledger = Ledger(device: now)
        ledger.append(now)
        let frame = inputKit.scan(message, ledger: ledger)
        lastFrames[0] = frame
        give(.frame(frame, from: .inputKit))
    }

    /// - Parameter which: The index of the open frame; receipts need not come in the order of their frames.
    mutating func answer(_ app: Int, _ which: Int) {
        guard var end = links[app] else { return }
        while end.probes > 0 {
            end.probes -= 1
            let oldest = end.asked.map(\.frame.sequence).min() ?? .zero
            let heard = end.conversation.frame(.link(.received(oldest: oldest, missed: end.missed)), credit: end.credit)
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

    /// What a faulty link does without a fault of the peer: it repeats a frame, leaves a gap, or delivers an earlier
    /// one.
    private mutating func repeatFrame(_ who: Int, _ how: UInt8) {
        let peer: Peer = who == 0 ? .inputKit : .app(AppID(index: who - 1))
        switch how & 3 {
        case 0, 1:
            // A repeated hello is answered again; any other repeated frame is ignored.
            guard let frame = lastFrames[who] else { return }
            let (before, waiting) = (inputKit.owed.count, links.map { $0?.asked.count })
            give(.frame(frame, from: peer))
            expect(
                inputKit.owed.count == before && links.map { $0?.asked.count } == waiting,
                "a repeated frame did something")
        case 2:
            guard var frame = lastFrames[who] else { return }
            // A frame of an earlier generation or epoch, with any number.
            if how & 4 == 4 { frame.generation &-= 1 } else { frame.epoch &-= 1 }
            frame.sequence = frame.sequence.advanced(by: 1000)
            if frame.message == .hello { frame.generation = 0 }
            let (before, waiting) = (inputKit.owed.count, links.map { $0?.asked.count })
            give(.frame(frame, from: peer))
            expect(
                inputKit.owed.count == before && links.map { $0?.asked.count } == waiting,
                "a fenced frame did something")
        default:
            guard who == 0 else { return }
            let event = HIDEvent(
                timeStamp: now, senderID: UInt64(how >> 2 & 3), generationCount: inputKit.generation(of: how >> 2 & 3),
                hand: finger(0, 1), fingers: [])
            send(.digitizer(event), skipping: Int(how >> 4))
        }
    }
}
