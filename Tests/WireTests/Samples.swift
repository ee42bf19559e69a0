import Basics
import HID
import Wire

/// One frame of every kind, each list with something in it.
let samples: [Frame] = [
    sample(.hello),
    sample(.link(.heard(oldest: 12, missed: 2))),
    sample(.digitizer(event)),
    sample(.device(scroll)),
    sample(.touches(touches)),
    sample(.input(scroll)),
    sample(.lifeCycle(.willResignActive)),
    sample(.handled(Receipt(frame: 7, outcome: .delivered, began: 1, moved: 2, stationary: 3, ended: 4, cancelled: 5))),
    sample(
        .launch(
            LaunchOrder(
                peer: .app(2), epoch: 3, generation: 4, runDirectory: "/run/touchline",
                settings: [Setting(key: "screen.width", value: "375")]))),
    sample(.roster([RosterEntry(peer: .app(1), pid: 4711, uid: 1000, generation: 2, isReady: true)])),
    sample(.act(.foreground(app: 2))),
    sample(.shutdown),
    sample(.ready),
    sample(
        .play(
            PlayOrder(
                id: 9, source: .file("/tmp/a.evemu"), pace: .times(1000), repeats: 2, wantsLedgers: true,
                ranges: AxisRanges(x: -5...4095, y: 0...Int32.max)))),
    sample(.stopPlay(9)),
    sample(.misconduct(Misconduct(peer: .app(2), generation: 3, strikes: 3, reason: "not a frame: magic 0x7"))),
    sample(.chaos("0ms loss input-kit 0.05 for 1000ms")),
    sample(.played(report)),
    sample(.measured([ledger])),
    sample(.reportRequest),
    sample(.report(Report(peer: .systemServer, rows: [.init("front", .text("home")), .init("inFlight", .number(0))]))),
    sample(.refused("not that")),
]

private let ledger: Ledger = {
    var ledger = Ledger()
    for i in 1...6 { ledger.append(Instant(nanoseconds: Int64(i) * 1_000_000)) }
    return ledger
}()

private let event: HIDEvent = {
    var pen = finger(1, .stylus)
    (pen.pressure, pen.z, pen.buttonMask, pen.twist) = (Fixed(0.5), Fixed(0.125), 2, Fixed(90))
    pen.orientation = .polar(
        .init(altitude: Fixed(0.5), azimuth: Fixed(1.5), majorRadius: Fixed(1), minorRadius: Fixed(0.5)))
    (pen.willUpdateMask, pen.didUpdateMask) = ([.pressure], [.altitude, .azimuth])
    var event = HIDEvent(
        timeStamp: Instant(nanoseconds: 5), senderID: 1, generationCount: 2, hand: finger(0, .hand), fingers: [pen])
    event.scanTime = DigitizerScanTime(ticks: 700, width: 2)
    event.panelWidth = Fixed(58.5)
    return event
}()

private func finger(_ index: UInt32, _ transducer: DigitizerTransducer) -> DigitizerEvent {
    DigitizerEvent(
        transducer: transducer, index: index, identity: index, mask: [.range, .touch], options: [.range, .touch],
        x: Fixed(0.5), y: Fixed(0.25))
}

private let touches = TouchFrame(
    timeStamp: Instant(nanoseconds: 5),
    contacts: [
        TouchContact(
            touch: TouchID(rawValue: 1), phase: .began, x: Fixed(100), y: Fixed(200), majorRadius: Fixed(20),
            pressure: Fixed(0.5), tool: .pencil, angles: PencilAngles(altitude: Fixed(1), azimuth: Fixed(2)))
    ])

private let scroll = DeviceEvent(
    timeStamp: Instant(nanoseconds: 5),
    input: DeviceInput(
        .changed, .scroll(DeviceInput.Place(x: Fixed(0.5), y: Fixed(0.25)), dx: Fixed(-3), dy: Fixed(12))))

private let report: PlayReport = {
    var report = PlayReport(id: 9)
    report.sent = 3
    report.failure = "system-server lost"
    return report
}()

private func sample(_ message: Message) -> Frame {
    Frame(epoch: 1, generation: 2, sequence: 3, ack: 4, credit: 5, ledger: ledger, message: message)
}
