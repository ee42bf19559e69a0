// Delivery.swift: what the server sends to apps, in their order, and the receipts that it sends to input-kit.
//
//     a part of a scan ─▶ the display's frame, if it only moves ─▶ the app's window ─▶ the app's link
//     an answer of an app ─▶ InFlight ─▶ one receipt a scan ─▶ input-kit
//
// Station   router
// Input     SystemServerCore: decisions of Router, DeviceRouter and SceneTable
// Output    frames to apps and to input-kit
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 1 and 2, fault F5

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    /// Sends one app's part of a scan, if the app's window has room and nothing waits before it.
    mutating func send(
        _ message: ServerToApp, to app: AppID, of scan: ServerLoop.Scan, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let question = AppConnection.Waiting(input: scan.sequence, message: message, ledger: ledger, at: now)
        ask(question, of: app, at: now, into: &outbox)
    }

    private mutating func ask(
        _ question: AppConnection.Waiting, of app: AppID, at now: Instant, into outbox: inout Outbox
    ) {
        guard let place = connections.place(of: app) else { return }
        if question.isTouches, display.isOn {
            guard question.isEdge else { return hold(question, at: place, at: now, into: &outbox) }
            releaseAll(at: place, at: now, into: &outbox)
        }
        guard connections.values[place].waiting.isEmpty,
            connections.values[place].hasRoom(forEdge: question.isEdge)
        else {
            if let part = connections.values[place].wait(question) {
                settle(inputKit.inFlight.settled(part, .coalesced), into: &outbox)
            }
            return sendWaiting(to: app, at: now, into: &outbox)
        }
        let frame = connections.values[place].link.frame(question.message.message, ledger: question.ledger)
        letOut(frame, of: question, to: place, at: now, into: &outbox)
    }

    /// Sends what the app's window allows; the rest waits for its receipts.
    mutating func sendWaiting(to app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let place = connections.place(of: app) else { return }
        while true {
            // Only when its turn has come: until then its age is not known. An edge may wait behind stale moves.
            if connections.values[place].hasRoom(forEdge: true),
                let stale = connections.values[place].dropStale(at: now, limit: rules.staleness)
            {
                settle(inputKit.inFlight.settled(stale, .stale), into: &outbox)
                continue
            }
            guard let (waiting, frame) = connections.values[place].next() else { return }
            letOut(frame, of: waiting, to: place, at: now, into: &outbox)
        }
    }

    private mutating func letOut(
        _ frame: Frame, of question: AppConnection.Waiting, to place: Int, at now: Instant, into outbox: inout Outbox
    ) {
        let app = connections.app(at: place)
        pulse.mayBeUnheard = true
        outbox.append(.send(frame, to: .app(app)))
        guard question.isAnswered else {
            if case .lifeCycle = question.message { connections.values[place].isToldOfLife(frame, at: now) }
            return
        }
        connections.values[place].asked(question.input, in: frame.sequence)
        if case .touches(let told) = frame.message { touches.router.told(told, in: frame.sequence) }
        expectAnswer(at: place, at: now, into: &outbox)
    }

    /// Tells a recipient of touches that were taken from it. It is part of no scan, so its receipt settles nothing.
    mutating func tell(_ delivery: Router.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay, .alert, .keyboard, .shade:
            _ = home.consume(delivery, probes: rules.probes, at: now, trace: &outbox.trace)
        case .app(let app): tell(.touches(delivery.frame), to: app, at: now, into: &outbox)
        }
    }

    mutating func tell(_ delivery: DeviceRouter.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay, .alert, .keyboard, .shade: _ = home.consume(delivery, at: now, trace: &outbox.trace)
        case .app(let app): tell(.input(delivery.event), to: app, at: now, into: &outbox)
        }
    }

    /// Sends a cancel, behind everything that waits for the app's window, because it ends that.
    private mutating func tell(_ cancel: ServerToApp, to app: AppID, at now: Instant, into outbox: inout Outbox) {
        let question = AppConnection.Waiting(input: .zero, message: cancel, ledger: Ledger(), at: now)
        ask(question, of: app, at: now, into: &outbox)
    }

    /// Sends a message that no receipt answers. One that keeps its place waits behind what waits already.
    mutating func send(_ message: ServerToApp, to app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let place = connections.place(of: app) else { return }
        if message.keepsItsPlace, !connections.values[place].waiting.isEmpty {
            connections.values[place].waiting.append(
                AppConnection.Waiting(input: .zero, message: message, ledger: Ledger(), at: .boot))
            return
        }
        pulse.mayBeUnheard = true
        let frame = connections.values[place].link.frame(message.message)
        if case .lifeCycle = message { connections.values[place].isToldOfLife(frame, at: now) }
        outbox.append(.send(frame, to: .app(app)))
    }

    /// Cancels the keys and pointers of a recipient.
    mutating func cancelInput(of recipient: Recipient, at now: Instant, into outbox: inout Outbox) {
        for delivery in devices.revoke(recipient, at: now) { tell(delivery, at: now, into: &outbox) }
    }

    mutating func perform(_ steps: [SceneTable.Step], at now: Instant, into outbox: inout Outbox) {
        for step in steps {
            switch step {
            case .revoke(let recipient):
                for delivery in touches.router.revoke(recipient, at: now) { tell(delivery, at: now, into: &outbox) }
                cancelInput(of: recipient, at: now, into: &outbox)
            case .place(let app, _):
                let scene = outbox.trace.name("\(apps.scene(toldTo: app))")
                outbox.trace.note(now, .app, "app {a}: its scene is {b:n}", Int64(app), scene)
                sayScene(to: app, at: now, into: &outbox)
            case .tell(let app, let moment):
                outbox.trace.note(now, .app, "app {a}: {b:n}", Int64(app), outbox.trace.name("\(moment)"))
                send(.lifeCycle(moment), to: app, at: now, into: &outbox)
            }
        }
    }

    // MARK: Scenes

    /// Takes an app's declaration of its windows, and says up to which change it is known.
    mutating func declare(
        _ diff: WindowsDiff, by app: AppID, at now: Instant, into outbox: inout Outbox
    ) {
        switch apps.declare(diff, by: app) {
        case .taken:
            outbox.trace.note(
                now, .router, "app {a}: {b} changes of windows, {c} now", Int64(app), Int64(diff.changes.count),
                Int64(apps.windows(of: app)?.count ?? 0))
        case .missed:
            outbox.trace.note(
                now, .router, "app {a}: windows {b} without those before, {c} heard", Int64(app), Int64(diff.number),
                Int64(apps.windows(of: app)?.number ?? 0))
        case .refused(let reason): strike(.app(app), reason, at: now, into: &outbox)
        }
        sayScene(to: app, at: now, into: &outbox)
    }

    /// Tells an app where its scene is, and up to which change its windows are known.
    mutating func sayScene(to app: AppID, at now: Instant, into outbox: inout Outbox) {
        let scene = apps.scene(toldTo: app)
        let state = SceneState(
            frame: scene.frame, scale: Fixed(apps.layout.scale(of: app)), orientation: scene.orientation,
            windowsHeard: apps.windows(of: app)?.number ?? 0)
        guard let place = connections.place(of: app), connections.values[place].waiting.last?.message != .scene(state)
        else {
            return
        }
        send(.scene(state), to: app, at: now, into: &outbox)
    }

    mutating func settle(_ answer: InFlight.Answer?, into outbox: inout Outbox) {
        guard let answer else { return }
        history.counters.answered += 1
        guard inputKit.link.isOpen else { return }
        let frame = inputKit.link.frame(
            ServerToInputKit.handled(answer.receipt).message, ledger: answer.ledger, credit: credit)
        outbox.append(.send(frame, to: .inputKit))
    }

    var credit: Int { max(0, rules.inFlightLimit - inputKit.inFlight.count) }
}
