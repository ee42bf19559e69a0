// ArbitraryPeers.swift: peers that send any frames with any header that the host admits, and the restart of all peers
// afterwards.

import Basics
import FuzzDriver
import FuzzHost
import HID
import Hosting
import Links
import Wire

extension ServerStage {
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
            // A hello with arbitrary numbers.
            let generation = choices.flag() ? Self.illegalGeneration : choices.word()
            pass(
                Frame(
                    epoch: choices.word(), generation: generation, sequence: SequenceNumber(choices.wide()),
                    ack: SequenceNumber(choices.wide()),
                    credit: choices.word(), message: .hello), from: peer)
        case 5: pass(.milliseconds(choices.number(below: 256)))
        case 6, 7, 8, 9:
            // A frame that the server accepts, with arbitrary contents.
            let frame = Frame(
                epoch: 7, generation: Self.illegalGeneration, sequence: SequenceNumber(1 + UInt64(choices.byte())),
                credit: UInt32(choices.byte()), ledger: Ledger(device: now), message: message(&choices))
            pass(frame, from: peer)
        default:
            for frame in (try? Frame.decode(packet: choices.slice())) ?? [] { pass(frame, from: peer) }
        }
    }

    /// As a decoder returns it: the number 0 is no app.
    private func appOrNone(_ number: UInt8) -> AppID? { number == 0 ? nil : AppID(UInt32(number)) }

    private func message(_ choices: inout Choices) -> Message {
        switch choices.number(below: 12) {
        case 0, 1: .digitizer(digitizerEvent(&choices))
        case 2, 3: .device(deviceEvent(&choices))
        case 4:
            .handled(
                Receipt(
                    frame: SequenceNumber(UInt64(choices.byte())), outcome: .delivered,
                    began: UInt16(choices.byte()) << 8,
                    moved: .max))
        case 5: .scans(ScanList((0..<2 + choices.number(below: 4)).map { _ in digitizerEvent(&choices) }))
        case 6, 7: .windows(windows(&choices))
        case 8, 9: .monitor(monitorRequest(&choices))
        case 10: .open(openRequest(&choices))
        case 11: .opened(openAnswer(&choices))
        default: .act(act(&choices))
        }
    }

    private func digitizerEvent(_ choices: inout Choices) -> HIDEvent {
        var fingers: [DigitizerEvent] = []
        for _ in 0..<choices.number(below: 6) {
            var finger = finger(UInt32(choices.number(below: 4)), choices.byte())
            if choices.flag() { finger.position.x = Fixed(rawValue: Int32(bitPattern: choices.word())) }
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
        event.display = DisplayID(index: choices.number(below: Int(DisplayID.last.rawValue)))
        return event
    }

    private func deviceEvent(_ choices: inout Choices) -> DeviceEvent<DigitizerSpace> {
        let word = choices.word()
        let place = Point<DigitizerSpace>(Fixed(rawValue: Int32(bitPattern: word)), .one)
        let phases = InputPhase.allCases
        let contents: [DeviceInput<DigitizerSpace>.Content] = [
            .key(HIDUsage(page: UInt16(truncatingIfNeeded: word), usage: 1)), .shake, .remote(.pause),
            .scroll(place, dx: place.x, dy: place.x), .hover(place),
            .transform(place, scale: .one, rotation: place.x),
        ]
        let input = DeviceInput<DigitizerSpace>(
            phases[choices.number(below: phases.count)], contents[choices.number(below: contents.count)])
        return DeviceEvent(timeStamp: now, input: input)
    }

    private func windows(_ choices: inout Choices) -> WindowsDiff {
        var changes: [WindowChange] = []
        for _ in 0..<choices.number(below: 8) {
            let id = UInt32(choices.byte() & 15)
            func fixed() -> Fixed { Fixed(rawValue: Int32(bitPattern: choices.word())) }
            func length() -> Fixed { Fixed(rawValue: Int32(choices.word() >> 1)) }
            let frame = Rect<SceneSpace>(x: fixed(), y: fixed(), width: length(), height: length())
            changes.append(
                choices.number(below: 4) == 0
                    ? .remove(id)
                    : .set(
                        SceneWindow(
                            id: id, frame: frame, level: fixed(), order: choices.word(), isHidden: choices.flag())))
        }
        return WindowsDiff(number: UInt32(choices.byte() & 3), isWhole: choices.flag(), changes: changes)
    }

    private func monitorRequest(_ choices: inout Choices) -> TouchMonitorRequest {
        let touch = TouchID(rawValue: UInt32(choices.byte() & 15))
        let interest = TouchMonitorInterest(
            app: appOrNone(choices.byte() & 3),
            answerLimit: choices.flag() ? .nanoseconds(Int(choices.byte())) : nil)
        let words: [TouchMonitorRequest.Kind] = [
            .begin(interest), .acknowledged(choices.wide()),
            .answer(touch, TouchMonitorAnswer.allCases[choices.number(below: 4)]),
            .end,
        ]
        return TouchMonitorRequest(id: UInt32(choices.byte() & 7), words[choices.number(below: 4)])
    }

    private func openRequest(_ choices: inout Choices) -> OpenRequest {
        guard let url = try? URLText("fuzz\(choices.byte() & 3):\(choices.byte())") else { broken("a URL") }
        return OpenRequest(asker: UInt32(choices.byte()), id: UInt32(choices.byte()), url: url)
    }

    private func openAnswer(_ choices: inout Choices) -> OpenAnswer {
        let outcome = OpenAnswer.Outcome.allCases[choices.number(below: OpenAnswer.Outcome.allCases.count)]
        let id = UInt32(choices.byte() & 31)
        return OpenAnswer(id: id, app: appOrNone(choices.byte()), outcome: outcome)
    }

    /// Passes the frame on if the role may send it. The host checks that.
    private mutating func pass(_ frame: Frame, from peer: Peer) {
        guard frame.message.isAllowed(from: peer.role, to: .systemServer) else {
            return give(.refused(.forbidden(peer, frame.message.kind)))
        }
        switch frame.message {
        // A shutdown ends the server. The supervisor is no hostile peer, and it counts generations upwards.
        case .shutdown, .roster: return
        default: give(.frame(frame, from: peer))
        }
    }

    /// All peers are restarted, as the supervisor restarts misbehaving processes. From here on all peers are legal.
    mutating func beginAnew() {
        for peer in [Peer.inputKit, .app(0), .app(AppID(.max))] { give(.peerLost(peer)) }
        for app in 0..<Self.apps { give(.peerLost(.app(AppID(index: app)))) }
        for act in [SystemAct.resume, .unlock, .display(isOn: true)] { order(.act(act)) }
        // A host's clock has not reached the end of time.
        guard now < Instant(nanoseconds: .max / 2) else { return }
        // Monitors end with their controllers, and open URL requests are late by now.
        for monitor in 0..<UInt32(8) { order(.monitor(TouchMonitorRequest(id: monitor, .end))) }
        pass(.seconds(21))
        // The roster gives the peers new generations.
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
}
