// SampleFrames.swift: at least one frame of every kind of message, for tests that hold for all of them.

import Basics
import HID
public import Wire

/// One or more frames of each kind; no list in them is empty. WireTests fails if a kind has no frame here.
public let sampleFrames: [Frame] = [
    sample(.hello),
    sample(.link(.received(oldest: 12, missed: 2))),
    sample(.digitizer(event)),
    sample(.scans([move(to: 0.5, at: 5), move(to: 0.75, at: 6)])),
    sample(.device(scroll(at: Point(0.5, 0.25)))),
    sample(.touches(touches)),
    sample(.touches(merged)),
    sample(.severalTouches([told(0.5, at: 5), told(0.75, at: 6)])),
    sample(.input(scroll(at: Point(0.5, 0.25)))),
    sample(.lifeCycle(.willResignActive)),
    sample(.handled(receipt)),
    sample(.handled(receiptOfSeveral)),
    sample(
        .launch(
            LaunchOrder(
                peer: .app(2), epoch: 3, generation: 4, runDirectory: "/run/touchline",
                settings: [Setting(key: "screen.width", value: "375")], openRequest: opening))),
    sample(
        .roster([
            RosterEntry(
                peer: .app(1), pid: 4711, uid: 1000, generation: 2, isReady: true,
                seal: Pass(secret: [UInt8](repeating: 7, count: Pass.secretSize)).seal)
        ])),
    sample(.act(.foreground(app: 2))),
    sample(.act(.split(app: 1, with: 2))),
    sample(.act(.overlay(app: 3, frame: Rect(x: 20, y: -10, width: 320, height: 240.5)))),
    sample(.act(.keyboard(height: Fixed(216)))),
    sample(.act(.display(isOn: false))),
    sample(.act(.orientation(app: 2, .landscapeRight))),
    sample(
        .scene(
            SceneState(
                frame: Rect(x: 187.5, y: 0, width: 187.5, height: 667), scale: Fixed(2),
                orientation: .landscapeLeft, acknowledgedDeclaration: 7))),
    sample(
        .windows(
            WindowsDiff(
                number: 8, isWhole: true,
                changes: [
                    .set(
                        SceneWindow(
                            id: 1, frame: Rect(x: -5, y: 0, width: 100, height: 50), level: Fixed(1000), order: 3,
                            isSecure: true, deferredEdges: 4)),
                    .remove(2),
                ]))),
    sample(.shutdown),
    sample(.ready),
    sample(
        .play(
            PlayOrder(
                id: 9, source: .file("/tmp/a.evemu"), pace: .times(1000), repeats: 2, wantsLedgers: true,
                ranges: AxisRanges(x: -5...4095, y: 0...Int32.max)))),
    sample(.stopPlay(9)),
    sample(.tooManyStrikes(StrikeReport(peer: .app(2), generation: 3, strikes: 3, reason: "not a frame: magic 0x7"))),
    sample(
        .stalled(
            Stall(
                app: 2, generation: 3, episode: 1, hop: .mainLoop, frame: 17, since: Instant(nanoseconds: 5),
                unanswered: 24, waiting: 1, touches: 2, lasted: .milliseconds(700)))),
    sample(.overran(Overrun(app: 2, generation: 3, change: .didEnterBackground, limit: .seconds(10)))),
    sample(.chaos("0ms loss input-kit 0.05 for 1000ms")),
    sample(.observe(Observation(id: 3, kind: .page, of: .app(2), from: 17))),
    sample(.facts(facts)),
    sample(.detailRequest(DetailRequest(id: 3, from: 40))),
    sample(.detail(DetailPage(id: 3, rows: [.init("front", .text("home"))], next: 41))),
    sample(
        .monitor(
            TouchMonitorRequest(
                id: 3,
                .begin(
                    TouchMonitorInterest(
                        app: 2, zone: Rect(x: 0, y: 600, width: 375, height: 67), answerLimit: .milliseconds(200)))))
    ),
    sample(
        .monitorPage(
            TouchMonitorPage(
                id: 3, number: 9, omission: TouchMonitorPage.Omission(count: 4, edgeCount: 1),
                .scan(
                    MonitoredScan(
                        timeStamp: Instant(nanoseconds: 5), device: 1,
                        contacts: [
                            MonitoredContact(
                                TouchID(rawValue: 7), .moved, of: .app(2), at: MonitoredLocation(Point(187.5, 333)))
                        ]))))),
    sample(.open(OpenRequest(asker: 3, id: 1, url: opening.url))),
    sample(.opened(OpenAnswer(asker: 3, id: 1, app: 2, outcome: .late))),
    sample(.launchRequest(LaunchRequest(app: 2, comesToFront: true, deliveredGenerations: 1, openRequest: opening))),
    sample(.screenshot),
    sample(.played(report)),
    sample(.measured([ledger])),
    sample(.reportRequest),
    sample(.report(Report(peer: .systemServer, rows: [.init("front", .text("home")), .init("inFlight", .number(0))]))),
    sample(.refused("not that")),
]

private let opening = OpenRequest(id: 7, url: try! URLText("touchline-demo://hello/%41?a=b#c"))

private let facts: FactPage = {
    var page = FactPage(answering: Observation(id: 3, kind: .page, from: 17), from: .app(2))
    let fact = FactPage.Fact(at: Instant(nanoseconds: 5), station: 4, isProbe: false, template: 0, values: (1, 1, 0, 0))
    _ = page.append(fact, words: ["contact {a} down, says {b:n}", "him"])
    return page
}()

private let ledger: Ledger = {
    var ledger = Ledger()
    for i in 1...6 { ledger.append(Instant(nanoseconds: Int64(i) * 1_000_000)) }
    return ledger
}()

private let event: HIDEvent = {
    var pen = finger(1, .stylus)
    (pen.pressure, pen.z, pen.buttonMask, pen.barrel.twist) = (Fixed(0.5), Fixed(0.125), 2, Fixed(90))
    pen.orientation = .polar(
        .init(altitude: Fixed(0.5), azimuth: Fixed(1.5), majorRadius: Fixed(1), minorRadius: Fixed(0.5)))
    pen.corrections = DigitizerEvent.Corrections(expected: [.pressure], made: [.altitude, .azimuth])
    var event = HIDEvent(
        timeStamp: Instant(nanoseconds: 5), senderID: 1, generationCount: 2, hand: finger(0, .hand), fingers: [pen])
    event.scanTime = DigitizerScanTime(ticks: 700, width: 2)
    (event.panelWidth, event.display) = (Fixed(58.5), 2)
    return event
}()

/// A scan in which one finger moves.
private func move(to x: Double, at nanoseconds: Int64) -> HIDEvent {
    var moved = finger(1, .finger)
    (moved.mask, moved.position.x) = (.position, Fixed(x))
    return HIDEvent(
        timeStamp: Instant(nanoseconds: nanoseconds), senderID: 1, generationCount: 2, hand: finger(0, .hand),
        fingers: [moved])
}

private func finger(_ index: UInt32, _ transducer: DigitizerTransducer) -> DigitizerEvent {
    DigitizerEvent(
        transducer: transducer, index: index, identity: index, mask: [.range, .touch], options: [.range, .touch],
        at: Point(0.5, 0.25))
}

private let touches = TouchFrame(
    timeStamp: Instant(nanoseconds: 5),
    contacts: [
        TouchContact(
            touch: TouchID(rawValue: 1), phase: .began, at: Point(100, 200), majorRadius: Fixed(20),
            pressure: Fixed(0.5), tool: .pencil, angles: .sample)
    ])

private let merged: TouchFrame = {
    func at(_ x: Double) -> TouchFrame {
        TouchFrame(
            timeStamp: Instant(nanoseconds: Int64(x)),
            contacts: [TouchContact(touch: TouchID(rawValue: 1), phase: .moved, at: Point(x, 200))])
    }
    var frame = at(7)
    frame.history = [at(4), at(5)]
    return frame
}()

/// The same scan as an app receives it.
private func told(_ x: Double, at nanoseconds: Int64) -> TouchFrame {
    TouchFrame(
        timeStamp: Instant(nanoseconds: nanoseconds),
        contacts: [TouchContact(touch: TouchID(rawValue: 1), phase: .moved, at: Point(x, 200))])
}

private func scroll<In: Space>(at position: Point<In>) -> DeviceEvent<In> {
    DeviceEvent(
        timeStamp: Instant(nanoseconds: 5),
        input: DeviceInput(.changed, .scroll(position, dx: Fixed(-3), dy: Fixed(12))))
}

private let receipt: Receipt = {
    var receipt = Receipt(
        frame: 7, outcome: .delivered, began: 1, moved: 2, stationary: 3, ended: 4, cancelled: 5)
    (receipt.takenByMonitor, receipt.takenBySystem) = (6, 7)
    return receipt
}()

private let receiptOfSeveral: Receipt = {
    var receipt = Receipt(frame: 7, outcome: .delivered, moved: 2)
    receipt.coalesced = 3
    return receipt
}()

private let report: PlayReport = {
    var report = PlayReport(id: 9)
    (report.sent, report.coalesced) = (3, 2)
    (report.takenFrames, report.takenByMonitor, report.takenBySystem) = (4, 5, 6)
    report.failure = "system-server lost"
    return report
}()

private func sample(_ message: Message) -> Frame {
    Frame(epoch: 1, generation: 2, sequence: 3, ack: 4, credit: 5, ledger: ledger, message: message)
}
