import Basics
import HID
import Hosting
import Journals
import Testbed
import Wire

/// One input of every kind. Each list has an element, and each choice is made at least once.
let inputs: [Input] =
    [
        .started, .connected(.app(3)), .peerLost(.systemServer), .timerFired(TimerID(7)), .stopRequested,
        .fileBytes(FileID(1), [1, 2, 3, 255]), .fileBytes(FileID(2), []),
        .fileFailed(FileID(.max), reason: "/tmp/å: no"),
        .childStarted(.app(2), pid: 4711), .childFailed(.inputKit, reason: "no such file"),
        .programReplaced(.app(128)), .childExited(.app(1), pid: 12, status: .signalled(9)),
        .childExited(.systemServer, pid: -1, status: .exited(-3)),
        .refused(.notOnRoster(pid: 1, uid: .max)), .refused(.forbidden(.app(1), .digitizer)),
        .refused(.passNotShown(.inputKit)), .refused(.wrongPass(.app(2))), .refused(.flooding(.app(3), limit: .max)),
        .refused(.connectionsRefused(pid: -1, uid: .max, count: 2000, .child)),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .processLimit(.max))),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .listenerLimit(512))),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .evicted(4))),
        .refused(.connectionsRefused(pid: 0, uid: .max, count: .max, .noDescriptors)),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .noZMTP)),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .choseRoutingID)),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .multipart)),
        .refused(.connectionsRefused(pid: 1, uid: 0, count: 1, .backlog(.max))),
        .refused(.keyless(connections: .max)),
        .refused(.unknownKey("rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7", address: "::1")),
        .refused(.unread(Peer(.controller, 3), bytes: 16_777_300, limit: 16_777_216)),
    ]
    + frames.map { .frame($0, from: .controller(5)) } + errors.map { .refused(.malformed(.app(9), $0)) }
    + news.map { .device($0) }

let errors: [WireError] = [
    .truncated(expected: 61, actual: 48), .notAFrame(magic: 0xFFFF), .version(2, known: 3), .unknownKind(255),
    .tooLong("packet", count: .max, limit: 65_536), .badValue("speed", .max), .trailingBytes(1), .notText("reason"),
]

let news: [DeviceNotice] = [
    .appeared(path: "/dev/input/event3"), .vanished(path: ""), .unwatched(folder: "/dev", reason: "denied"),
    .opened(
        DeviceID(1),
        .evdev(
            EvdevFacts(
                identity: DeviceIdentity(
                    name: "Goodix", physicalPath: "usb-1", bus: 3, vendor: 4, product: 5, version: 6),
                properties: [2], codes: [.init(type: 0, bits: [0xB]), .init(type: 3, bits: [])],
                axes: [
                    .init(
                        code: 0x35, value: -5,
                        axis: DeviceAxis(minimum: .min, maximum: .max, resolution: 12.5, fuzz: 1, flat: 2))
                ], slots: slots, stampsAreMonotonic: true))),
    .opened(DeviceID(2), .evdev(EvdevFacts(identity: DeviceIdentity()))),
    .opened(DeviceID(3), .hidraw(HIDRawFacts(identity: DeviceIdentity(name: "P"), descriptor: [5, 13, 9, 4]))),
    .bytes(DeviceID(4), [9, 8, 7]), .slots(DeviceID(5), slots), .slots(DeviceID(6), nil),
    .failed(DeviceID(7), reason: "busy"), .lost(DeviceID(8), reason: "unplugged"),
]

private let slots = DeviceSlots(
    current: 1, axes: [.init(code: 0x2F, values: [0, 1, -1]), .init(code: 0x39, values: [])])

/// The most frequent frames and some others. The frame codec has tests of its own.
let frames: [Frame] = [
    frame(.hello), frame(.touches(touches)), frame(.digitizer(scan), ledger: Ledger(device: .boot)),
    frame(.handled(Receipt(frame: 8, outcome: .dropped, reason: .ignoredUntilLift, cancelled: 2))),
    frame(.lifeCycle(.didBecomeActive)), frame(.refused("no")), frame(.measured([])),
    frame(.act(.foreground(app: 2))), frame(.act(.split(app: 1, with: 2))),
    frame(.windows(WindowsDiff(number: 1, isWhole: false, changes: [.remove(1)]))),
    frame(
        .scene(
            SceneState(
                frame: Rect(x: 0, y: 0, width: 10, height: 20), scale: .one, acknowledgedDeclaration: 1))),
    frame(.stopPlay(3)), frame(.ready), frame(.shutdown), frame(.reportRequest),
]

private func frame(_ message: Message, ledger: Ledger = Ledger()) -> Frame {
    Frame(epoch: 1, generation: 2, sequence: 3, ack: 4, credit: 5, ledger: ledger, message: message)
}

private let touches = TouchFrame(
    timeStamp: Instant(nanoseconds: 5),
    contacts: [
        TouchContact(touch: TouchID(rawValue: 1), phase: .began, at: Point(1.5, 2.5)),
        TouchContact(
            touch: TouchID(rawValue: 2), phase: .moved, at: Point(3, 4), majorRadius: Fixed(5),
            pressure: Fixed(0.5), tool: .pencil, angles: .sample),
    ])

private let scan: HIDEvent = {
    func record(_ transducer: DigitizerTransducer, _ orientation: DigitizerOrientation) -> DigitizerEvent {
        DigitizerEvent(
            transducer: transducer, index: 1, identity: 2, mask: [.touch], options: [.range], at: Point(0.5, 0.25),
            pressure: Fixed(0.75), orientation: orientation)
    }
    var scan = HIDEvent(
        timeStamp: Instant(nanoseconds: 9), senderID: 7, generationCount: 3,
        hand: record(.hand, .tilt(.init(x: Fixed(1), y: Fixed(2)))),
        fingers: [
            record(.finger, .quality(.init(quality: Fixed(1), majorRadius: Fixed(2)))),
            record(.stylus, .polar(.init(altitude: Fixed(1), azimuth: Fixed(2)))),
        ])
    scan.scanTime = DigitizerScanTime(ticks: 5, width: 2)
    return scan
}()

/// One effect of every kind.
let effects: [Effect] =
    frames.map { .send($0, to: .app(1)) } + [
        .arm(TimerID(1), at: .never), .disarm(TimerID(1)), .open(FileID(1), path: "/a"), .read(FileID(1), limit: 10),
        .close(FileID(1)), .device(.watch(folder: "/dev", names: ["event0", "event1"])),
        .device(.open(DeviceID(1), path: "/dev/x", grab: true)), .device(.resync(DeviceID(1))),
        .device(.close(DeviceID(1))), .spawn(.app(1), header.order), .signal(.app(1), .kill), .exit(status: 3),
    ]

let header = JournalHeader(
    order: LaunchOrder(
        peer: .app(1), epoch: 2, generation: 3, runDirectory: "/run/touchline",
        settings: [Setting(key: "app.delivery", value: "frameAligned")]),
    content: 0xDEAD_BEEF, at: Instant(nanoseconds: 77), apps: 4, pid: 5, uid: 6)

/// Returns one journal file of a process with these inputs, each answered with one effect.
func journal(of inputs: [Input], endingWith status: Int32? = 0) -> [UInt8] {
    var writer = JournalWriter(header)
    var bytes = JournalWriter.preamble
    writer.begin(segment: 0, firstStep: 0, at: .boot, into: &bytes)
    for (index, input) in inputs.enumerated() {
        writer.step(input, at: Instant(nanoseconds: Int64(index)), into: &bytes)
        writer.addEffects([.disarm(TimerID(UInt32(index)))], into: &bytes)
    }
    if let status { writer.end(status: status, at: Instant(nanoseconds: 1000), into: &bytes) }
    return bytes
}

extension Peer {
    static func controller(_ instance: UInt32) -> Peer { Peer(.controller, instance) }
}

/// Reads all records of a journal, with the number of bytes left over and the error that ended it.
func read(_ bytes: [UInt8]) -> (records: [JournalRecord], leftOver: Int, error: JournalError?) {
    var records: [JournalRecord] = []
    do throws(JournalError) {
        var reader = try JournalReader(bytes)
        do throws(JournalError) {
            while let record = try reader.next() { records.append(record) }
            return (records, reader.trailingByteCount, nil)
        } catch {
            return (records, reader.trailingByteCount, error)
        }
    } catch {
        return (records, 0, error)
    }
}
