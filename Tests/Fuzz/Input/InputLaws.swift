// InputLaws.swift: input-kit among devices, files, plays and a server that an input's bytes play.
//
// The server answers some scans and not others, gives credit and withdraws it, and may be replaced at any time. The
// devices send anything. Each contact and key must begin once and end once on each link, and frames must be numbered
// without a gap. Beyond the credit, input-kit may send only ends. After a stop request no contact and no key is left.

import Basics
import FuzzDriver
import FuzzHost
import HID
import Hosting
import InputKitCore
import Links
import Settings
import Wire

struct InputStage: Stage {
    static func run(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        var stage = InputStage(how: choices.byte())
        while !choices.isAtEnd { stage.play(&choices) }
        stage.end()
    }

    private static let settings: [[Setting]] = [
        [Setting(key: "device.open", value: "all")],
        [Setting(key: "device.open", value: "all"), Setting(key: "device.palms", value: "keep")],
        [Setting(key: "device.open", value: "/dev/input/event0,/dev/hidraw0"), Setting(key: "probes", value: "input")],
        [Setting(key: "device.open", value: "all"), Setting(key: "device.absentMeansLifted", value: "true")],
    ]
    private nonisolated(unsafe) static let made: [CoreHost<InputKitCore>] = settings.map { changes in
        guard let settings = try? Settings(changes) else { broken("settings") }
        let order = LaunchOrder(peer: .inputKit, epoch: 7, generation: 1, runDirectory: "/run", settings: changes)
        return CoreHost(InputKitCore(settings: settings, order: order), effectLimit: 65_536)
    }

    var host: CoreHost<InputKitCore>

    private var supervisor = LinkNumbers(epoch: 7, generation: 0)
    private var server: LinkNumbers?
    private var isOpen = false
    private var epoch: UInt32 = 7
    private var unanswered: [SequenceNumber] = []
    /// The last sequence number within the server's credit; unlimited after arbitrary frames.
    private var allowed = SequenceNumber.max
    /// The contacts as the server knows them: on each device, in each of its openings.
    private var live: [Finger] = []
    private var held = Stretches()

    private var files: [FileID] = []
    private var asked: [FileID] = []
    private var opening: [DeviceID] = []
    private var open: [(id: DeviceID, isReports: Bool)] = []
    private var resyncs: [DeviceID] = []

    private struct Finger: Equatable {
        let device: UInt64
        let generation: UInt32
        let index: UInt32
    }

    init(how: UInt8) {
        host = Self.made[Int(how >> 2) % Self.made.count]
        host.isTraced = how & 2 == 2
        give(.started)
        connect(generation: 1)
    }

    // MARK: Effects

    mutating func take(_ effect: Effect) {
        switch effect {
        case .send(let frame, let peer): sent(frame, to: peer)
        case .arm, .disarm, .exit: break
        case .open(let id, _):
            expect(!files.contains(id), "a file opened twice")
            files.append(id)
        case .read(let id, let limit):
            expect(files.contains(id) && limit > 0 && limit <= 1 << 20, "a read of \(limit) bytes")
            asked.append(id)
        case .close(let id):
            files.removeAll { $0 == id }
            asked.removeAll { $0 == id }
        case .device(let order): take(order)
        case .spawn, .signal, .hangUp: broken("input-kit does not \(effect)")
        }
    }

    private mutating func take(_ order: DeviceOrder) {
        switch order {
        case .watch: break
        case .open(let id, _, _): opening.append(id)
        case .resync(let id): resyncs.append(id)
        case .close(let id):
            opening.removeAll { $0 == id }
            open.removeAll { $0.id == id }
            resyncs.removeAll { $0 == id }
        }
    }

    private mutating func sent(_ frame: Frame, to peer: Peer) {
        expect(frame.message.isAllowed(from: .inputKit, to: peer.role), "\(frame.message.kind) to \(peer)")
        guard peer == .systemServer else {
            expect(supervisor.accept(frame) == .fresh, "numbers towards the supervisor")
            return
        }
        guard server != nil else { return }
        if frame.message == .hello {
            // A repeated hello is the same hello.
            if server!.judge(hello: frame) == .new { server!.welcome(frame, epoch: epoch) }
            return
        }
        // A frame of the previous link: a peer that has received no hello accepts nothing.
        guard server!.peerGeneration != nil else { return }
        expect(server!.accept(frame) == .fresh, "numbers towards the server")
        if case .link(let word) = frame.message { return expect(word == .probe, "input-kit only asks") }
        unanswered.append(frame.sequence)
        switch frame.message {
        case .digitizer(let event):
            let isForced = event.value.fingers.allSatisfy { $0.phase != .began && $0.phase != .moved }
            expect(isForced || frame.sequence <= allowed, "#\(frame.sequence) beyond credit: \(allowed)")
            follow(event.value)
        case .scans(let events):
            expect((2...Message.scansPerFrame).contains(events.count), "\(events.count) scans in a frame")
            let contacts = events.reduce(0) { $0 + $1.fingers.count }
            expect(contacts <= Message.contactsPerFrame, "\(contacts) contacts in a frame")
            expect(frame.sequence <= allowed, "#\(frame.sequence) beyond credit: \(allowed)")
            for event in events {
                expect(!event.hasTouchEdge, "a landing or a lift in a frame of several scans")
                follow(event)
            }
        case .device(let event):
            let isForced = event.input.phase == .ended || event.input.phase == .cancelled
            expect(isForced || frame.sequence <= allowed, "#\(frame.sequence) beyond credit: \(allowed)")
            held.follow(event.input)
        default: broken("\(frame.message.kind) to the server")
        }
    }

    private mutating func follow(_ event: HIDEvent) {
        expect(event.fingers.count <= HIDEvent.fingerLimit, "\(event.fingers.count) fingers")
        for child in event.fingers {
            let finger = Finger(device: event.senderID, generation: event.generationCount, index: child.index)
            let known = live.firstIndex(of: finger)
            switch child.phase {
            case .began:
                expect(known == nil, "\(finger) began twice")
                live.append(finger)
            case .moved, .stationary: expect(known != nil, "\(finger) moved, and never began")
            case .ended, .cancelled:
                expect(known != nil, "\(finger) ended, and never began")
                if let known { live.remove(at: known) }
            case nil: break
            }
        }
    }

    private mutating func pass(_ duration: Duration) { pass(duration, patience: 64) }

    // MARK: Peers

    private mutating func connect(generation: UInt32) {
        epoch += 1
        server = LinkNumbers(epoch: epoch, generation: generation)
        isOpen = false
        forgetLink()
        give(.connected(.systemServer))
    }

    private mutating func forgetLink() {
        unanswered.removeAll(keepingCapacity: true)
        live.removeAll(keepingCapacity: true)
        held.removeAll()
    }

    private mutating func serverSays(_ message: Message, credit: UInt32) {
        guard server != nil else { return }
        let frame = server!.frame(message, credit: credit)
        allowed = frame.ack.advanced(by: UInt64(credit))
        give(.frame(frame, from: .systemServer))
    }

    private mutating func order(_ message: Message) { give(.frame(supervisor.frame(message), from: .supervisor)) }

    mutating func play(_ choices: inout Choices) {
        let word = choices.byte()
        let more = word >> 4
        switch word & 15 {
        case 0: pass(.milliseconds(Int(more) * 4))
        case 1: pass(.milliseconds(choices.number(below: 256) * 16))
        case 2:
            if more < 2 {
                connect(generation: UInt32(more) + 1)
            } else if more == 2 {
                (server, isOpen) = (nil, false)
                forgetLink()
                give(.peerLost(.systemServer))
            } else if !isOpen {
                isOpen = true
                serverSays(.hello, credit: UInt32(choices.byte()))
            } else {
                serverSays(.hello, credit: UInt32(more))
            }
        case 3 where more == 15:
            guard isOpen else { return }
            serverSays(
                .link(.received(oldest: unanswered.first ?? .zero, missed: UInt64(choices.byte() & 1))), credit: 8)
        case 3, 4:
            guard isOpen, !unanswered.isEmpty else { return }
            let frame = unanswered.remove(at: Int(more) % unanswered.count)
            serverSays(.handled(Receipt(frame: frame, outcome: .delivered, began: 1)), credit: UInt32(choices.byte()))
        case 5: order(.play(play(more, &choices)))
        case 6:
            switch more & 3 {
            case 0: order(.stopPlay(UInt32(more >> 2)))
            case 1: order(.reportRequest)
            default:
                order(.roster([RosterEntry(peer: .systemServer, pid: 1, uid: 1, generation: 1, isReady: true)]))
            }
        case 7: give(.device(.appeared(path: more & 1 == 0 ? "/dev/input/event0" : "/dev/hidraw0")))
        case 8:
            guard let id = opening.popLast() else { return give(.device(.vanished(path: "/dev/input/event0"))) }
            opened(id, more, &choices)
        case 9, 10, 11:
            guard !open.isEmpty else { return }
            let device = open[Int(more) % open.count]
            give(.device(.bytes(device.id, device.isReports ? choices.slice() : events(&choices))))
        case 12:
            guard let id = resyncs.popLast() else {
                guard !open.isEmpty else { return }
                return give(.device(.lost(open.removeLast().id, reason: "gone")))
            }
            let axis = DeviceSlots.Axis(code: 0x39, values: choices.slice().prefix(16).map { Int32($0) - 1 })
            give(.device(.slots(id, more & 1 == 0 ? nil : DeviceSlots(current: Int32(more), axes: [axis]))))
        case 13:
            guard !asked.isEmpty else { return }
            let id = asked.removeFirst()
            if more == 15 { return give(.fileFailed(id, reason: "no")) }
            give(.fileBytes(id, choices.slice()))
        case 14:
            // Any frames that a server may send.
            allowed = .max
            for frame in (try? Frame.decode(packet: choices.slice())) ?? []
            where frame.message.isAllowed(from: .systemServer, to: .inputKit) && frame.message != .hello {
                give(.frame(frame, from: .systemServer))
            }
        default: give(.refused(.notOnRoster(pid: 1, uid: 1)))
        }
    }

    private func play(_ word: UInt8, _ choices: inout Choices) -> PlayOrder {
        let source: PlayOrder.Source =
            switch word & 3 {
            case 0: .script(String(decoding: choices.slice(), as: UTF8.self))
            case 1: .file("/recording.evemu")
            case 2: .synthetic(frames: UInt32(choices.byte()))
            default: .marker
            }
        let pace: PlayOrder.Pace =
            switch word >> 2 {
            case 0: .times(1000)
            case 1: .max
            case 2: .every(UInt64(choices.byte()) * 100_000 + 1)
            default: .closedLoop
            }
        return PlayOrder(
            id: UInt32(word), source: source, pace: pace, repeats: 1 + UInt32(choices.byte() & 3),
            wantsLedgers: word & 1 == 1)
    }

    /// A touch screen with slots, one with a single contact, or one that sends reports by a descriptor of the input's
    /// bytes.
    private mutating func opened(_ id: DeviceID, _ word: UInt8, _ choices: inout Choices) {
        if word == 15 { return give(.device(.failed(id, reason: "no"))) }
        open.append((id, word & 3 == 3))
        if word & 3 == 3 {
            let facts = HIDRawFacts(identity: DeviceIdentity(name: "R"), descriptor: choices.slice())
            return give(.device(.opened(id, .hidraw(facts))))
        }
        var keys = [UInt8](repeating: 0, count: 96)
        keys[0x14A / 8] |= 1 << (0x14A % 8)
        let isSlots = word & 3 != 2
        var bits = [UInt8](repeating: 0, count: 8)
        let codes: [UInt16] = isSlots ? [0x00, 0x01, 0x2F, 0x35, 0x36, 0x39] : [0x00, 0x01]
        for code in codes { bits[Int(code) / 8] |= 1 << UInt8(code % 8) }
        let axes = codes.map { code in
            EvdevFacts.Axis(
                code: code, value: 0,
                axis: DeviceAxis(minimum: 0, maximum: code == 0x2F ? 9 : code == 0x39 ? 65_535 : 4095))
        }
        let facts = EvdevFacts(
            identity: DeviceIdentity(name: "E"), properties: [2],
            codes: [
                .init(type: 0, bits: [0b1011]), .init(type: 1, bits: keys), .init(type: 3, bits: bits),
            ], axes: axes, stampsAreMonotonic: word & 8 == 8)
        give(.device(.opened(id, .evdev(facts))))
    }

    /// Whole kernel events made of small words.
    private func events(_ choices: inout Choices) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<choices.number(below: 12) {
            let word = choices.byte()
            let (type, code): (UInt16, UInt16) =
                switch word & 15 {
                case 0, 1, 2: (0, 0)
                case 3: (0, 3)
                case 4, 5: (3, 0x2F)
                case 6, 7, 8: (3, 0x39)
                case 9, 10: (3, 0x35)
                case 11: (3, 0x36)
                case 12: (1, 0x14A)
                case 13: (3, 0x00)
                case 14: (3, 0x01)
                default: (UInt16(choices.byte()), UInt16(choices.byte()))
                }
            let value: Int32 =
                type == 0
                ? 0 : word >> 4 == 15 ? -1 : word & 15 == 15 ? Int32(bitPattern: choices.word()) : Int32(word >> 4)
            let time = word & 15 == 15 ? Int64(bitPattern: choices.wide()) : now.nanoseconds / 1000
            for field in [time / 1_000_000, time % 1_000_000] {
                withUnsafeBytes(of: field.littleEndian) { bytes.append(contentsOf: $0) }
            }
            withUnsafeBytes(of: type.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: code.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    // MARK: The end

    mutating func end() {
        // A contact that waits for credit is sent now or never.
        allowed = .max
        give(.stopRequested)
        expect(host.hasEnded, "told to stop, it goes on")
        guard isOpen else { return }
        expect(live.isEmpty, "left on the glass: \(live)")
        expect(held.isEmpty, "left held: \(held)")
    }
}
