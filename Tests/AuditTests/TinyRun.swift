import Audit
import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

/// A run of one input-kit, one server and one app whose steps a test gives one by one.
final class TinyRun {
    var audit: Audit
    var now = Instant(nanoseconds: 1_000_000)
    /// The time of the devices' clock, if it stands still.
    var deviceTime: Instant?
    /// The time between two steps.
    var pace = Duration.milliseconds(1)

    var inputKit = ProcessInstance(.inputKit, epoch: 1, generation: 1)
    var server = ProcessInstance(.systemServer, epoch: 1, generation: 1)
    var app = ProcessInstance(.app(1), epoch: 1, generation: 1)

    // The numbers of each end, kept by the code that the processes use.
    var fromInputKit = LinkNumbers(epoch: 0, generation: 1)
    var toInputKit = LinkNumbers(epoch: 1, generation: 1)
    /// The credit in each frame of the app.
    private var credit: UInt32 = 32
    var fromApp = LinkNumbers(epoch: 0, generation: 1)
    var toApp = LinkNumbers(epoch: 1, generation: 1)
    private var steps: [Peer: UInt64] = [:]

    /// - Parameter window: The app's credit.
    init(_ options: AuditOptions = .live, window: UInt32 = 32, isLinked: Bool = true) {
        audit = Audit(options)
        for life in [server, inputKit, app] { audit.add(.began(life, at: now)) }
        guard isLinked else { return }
        inputKitSendsHello()
        appSendsHello(window: window)
    }

    func step(_ life: ProcessInstance, _ input: Input, _ effects: [Effect] = []) {
        now = now.advanced(by: pace)
        let index = steps[life.peer, default: 0]
        steps[life.peer] = index + 1
        audit.add(.step(Step(process: life, index: index, at: now, input: input, effects: effects)))
    }

    func finish() -> AuditReport { audit.finish(at: now) }

    // MARK: Links

    func inputKitSendsHello() {
        fromInputKit = LinkNumbers(epoch: 0, generation: inputKit.generation)
        let hello = fromInputKit.hello()
        step(inputKit, .connected(.systemServer), [.send(hello, to: .systemServer)])
        toInputKit.welcome(hello, epoch: server.epoch)
        let answer = toInputKit.frame(.hello)
        step(server, .frame(hello, from: .inputKit), [.send(answer, to: .inputKit)])
        fromInputKit.adopt(hello: answer, epoch: answer.epoch)
        step(inputKit, .frame(answer, from: .systemServer))
    }

    func appSendsHello(window: UInt32 = 32) {
        credit = window
        fromApp = LinkNumbers(epoch: 0, generation: app.generation)
        let hello = fromApp.hello(credit: window)
        step(app, .connected(.systemServer), [.send(hello, to: .systemServer)])
        toApp.welcome(hello, epoch: server.epoch)
        let answer = toApp.frame(.hello)
        step(server, .frame(hello, from: .app(1)), [.send(answer, to: .app(1))])
        fromApp.adopt(hello: answer, epoch: answer.epoch)
        step(app, .frame(answer, from: .systemServer))
    }

    // MARK: The way of a scan

    /// Input-kit sends a scan of device 1.
    func sends(_ fingers: DigitizerEvent...) -> Frame { sends(all: fingers) }

    func sends(
        all fingers: [DigitizerEvent], generation: UInt32 = 1, of sender: UInt64 = 1, on display: DisplayID = 1
    ) -> Frame {
        let time = deviceTime ?? now
        var event = scan(fingers, of: sender, generation: generation, at: time)
        event.display = display
        let frame = fromInputKit.frame(.digitizer(event), ledger: Ledger(device: time))
        step(inputKit, .timerFired(TimerID(2)), [.send(frame, to: .systemServer)])
        return frame
    }

    /// A frame with the stamp of its arrival.
    func arrived(_ frame: Frame) -> Frame {
        var frame = frame
        if frame.ledger.count > 0 { frame.ledger.append(now) }
        return frame
    }

    /// The server receives a scan and sends touches to the app.
    func routes(_ scan: Frame, _ contacts: TouchContact...) -> Frame {
        let scan = arrived(scan)
        _ = toInputKit.accept(scan)
        var ledger = scan.ledger
        ledger.append(now)
        let frame = toApp.frame(.touches(TouchFrame(timeStamp: now, contacts: contacts)), ledger: ledger)
        step(server, .frame(scan, from: .inputKit), [.send(frame, to: .app(1))])
        return frame
    }

    /// The app receives a frame and answers it.
    func handles(_ frame: Frame, began: UInt16 = 0, moved: UInt16 = 0, ended: UInt16 = 0) -> Frame {
        let frame = arrived(frame)
        var ledger = frame.ledger
        ledger.append(now)
        let receipt = Receipt(
            frame: frame.sequence, outcome: .delivered, began: began, moved: moved, ended: ended)
        _ = fromApp.accept(frame)
        let answer = fromApp.frame(.handled(receipt), ledger: ledger, credit: credit)
        step(app, .frame(frame, from: .systemServer), [.send(answer, to: .systemServer)])
        return answer
    }

    /// The server passes an answer on to input-kit.
    func settles(_ answer: Frame, of scan: Frame, times: Int = 1) {
        guard case .handled(var receipt) = answer.message else { return }
        _ = toApp.accept(answer)
        receipt.frame = scan.sequence
        var effects: [Effect] = []
        var frames: [Frame] = []
        for _ in 0..<times {
            let frame = toInputKit.frame(.handled(receipt), ledger: arrived(answer).ledger)
            frames.append(frame)
            effects.append(.send(frame, to: .inputKit))
        }
        step(server, .frame(arrived(answer), from: .app(1)), effects)
        for frame in frames { step(inputKit, .frame(frame, from: .systemServer)) }
    }

    /// The server receives an act.
    func serverReceives(_ act: SystemAct, _ effects: [Effect] = []) {
        step(
            server, .frame(Frame(epoch: 1, generation: 1, sequence: 1, message: .act(act)), from: .supervisor), effects)
    }

    /// The app declares its windows.
    func declares(_ diff: WindowsDiff) {
        let frame = fromApp.frame(.windows(diff), credit: credit)
        step(app, .timerFired(TimerID(3)), [.send(frame, to: .systemServer)])
        _ = toApp.accept(frame)
        step(server, .frame(frame, from: .app(1)))
    }

    /// The server's next frame of touches for the app, as an effect.
    func touchesEffect(_ contacts: TouchContact..., of scan: Frame? = nil) -> Effect {
        var ledger = scan.map { arrived($0).ledger } ?? Ledger()
        if scan != nil { ledger.append(now) }
        return .send(
            toApp.frame(.touches(TouchFrame(timeStamp: now, contacts: contacts)), ledger: ledger), to: .app(1))
    }

    /// A call cancels the app's touches, and the app receives the cancel.
    func interrupts(_ contact: TouchContact) {
        guard case .send(let frame, to: _) = touchesEffect(contact) else { return }
        serverReceives(.interrupt, [.send(frame, to: .app(1))])
        let answer = handles(frame, ended: 1)
        _ = toApp.accept(answer)
        step(server, .frame(answer, from: .app(1)))
    }

    /// The server answers a scan itself.
    ///
    /// - Parameters:
    ///   - takenBySystem: Contacts that the receipt says a system gesture had taken.
    ///   - effects: What the server sends in the same step.
    func drops(
        _ scan: Frame, _ reason: Receipt.Reason, outcome: Receipt.Outcome = .dropped, began: UInt16 = 0,
        takenBySystem: UInt16 = 0, telling effects: [Effect] = []
    ) {
        var receipt = Receipt(frame: scan.sequence, outcome: outcome, reason: reason, began: began)
        receipt.takenBySystem = takenBySystem
        _ = toInputKit.accept(scan)
        let frame = toInputKit.frame(.handled(receipt), ledger: arrived(scan).ledger)
        step(server, .frame(arrived(scan), from: .inputKit), effects + [.send(frame, to: .inputKit)])
        step(inputKit, .frame(frame, from: .systemServer))
    }

    /// The app sends a report of its contacts and held inputs.
    func appReports(fingersDown: Int, held: Int) {
        var report = Report(peer: .app(1))
        report.add("contacts.down", fingersDown)
        report.add("inputs.held", held)
        let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: .report(report))
        step(app, .timerFired(TimerID(1)), [.send(frame, to: .supervisor)])
    }

    func liftsAndSettles(_ id: UInt32) {
        let up = sends(lifted(1))
        settles(handles(routes(up, contact(id, .ended)), ended: 1), of: up)
    }

    /// One contact lands and lifts; the app receives it as touch `id`.
    func taps(_ id: UInt32) {
        lands(id)
        let up = sends(lifted(1))
        let told = routes(up, contact(id, .ended))
        settles(handles(told, ended: 1), of: up)
    }

    func lands(_ id: UInt32) {
        let down = sends(landed(1))
        let told = routes(down, contact(id, .began))
        settles(handles(told, began: 1), of: down)
    }
}

/// Expects a violation of this law whose text contains `text`.
func expect(
    _ report: AuditReport, _ law: Law, _ text: String, _ location: SourceLocation = #_sourceLocation
) {
    #expect(
        report.violations.contains { $0.law == law && $0.text.contains(text) }, "\(report.violations)",
        sourceLocation: location)
}
