// Delivery.swift: the messages from the server to apps, in order, and its receipts to input-kit.
//
//     a part of a scan ─▶ the display frame, for moves ─▶ the app's credit window ─▶ the app's link
//     an answer of an app ─▶ InFlight ─▶ one receipt a scan ─▶ input-kit
//
// Station   router
// Input     SystemServerCore: decisions of Router, DeviceRouter and SceneTable
// Output    frames to apps and to input-kit
// Knows     connections and messages. Not the reason of a decision.
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 1 and 2, fault F5

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    /// Sends one app's part of a scan, if the app's credit window is open and no other message waits. Otherwise it waits.
    mutating func send(
        _ message: ServerToApp, to app: AppID, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let question = AppConnection.Waiting(input: scan, message: message, ledger: ledger, at: now)
        enqueue(question, for: app, at: now, into: &outbox)
    }

    /// Sends a message that the app answers, or holds it for the display frame or for the credit window.
    private mutating func enqueue(
        _ question: AppConnection.Waiting, for app: AppID, at now: Instant, into outbox: inout Outbox
    ) {
        guard let appIndex = connections.index(of: app) else { return }
        if question.isTouches, display.isOn {
            guard question.isEdge else { return hold(question, at: appIndex, at: now, into: &outbox) }
            releaseAll(at: appIndex, at: now, into: &outbox)
        }
        guard connections.values[appIndex].waiting.isEmpty,
            connections.values[appIndex].hasCredit(forEdge: question.isEdge)
        else {
            if let part = connections.values[appIndex].enqueue(question) {
                settle(inputKit.inFlight.settle(part.scan, .coalesced(part.moves)), into: &outbox)
            }
            return sendWaiting(to: app, at: now, into: &outbox)
        }
        let frame = connections.values[appIndex].link.frame(question.message.message, ledger: question.ledger)
        transmit(frame, of: question, to: appIndex, at: now, into: &outbox)
    }

    /// Sends the messages that the app's credit window allows. The others wait for receipts.
    mutating func sendWaiting(to app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let appIndex = connections.index(of: app) else { return }
        while true {
            // A move is tested only when it is next, because its age grows while it waits. A landing or a lift may wait
            // behind stale moves.
            if connections.values[appIndex].hasCredit(forEdge: true),
                let stale = connections.values[appIndex].dropStale(at: now, limit: rules.staleness)
            {
                settle(inputKit.inFlight.settle(stale, .stale), into: &outbox)
                continue
            }
            guard let (waiting, frame) = connections.values[appIndex].dequeue() else { return }
            transmit(frame, of: waiting, to: appIndex, at: now, into: &outbox)
        }
    }

    /// Passes a frame to the app's link, and notes what the app has to answer.
    mutating func transmit(
        _ frame: consuming Frame, of question: AppConnection.Waiting, to appIndex: Int, at now: Instant,
        into outbox: inout Outbox
    ) {
        let app = connections.app(at: appIndex)
        pulse.mayHaveUnreceivedFrames = true
        history.recent.recordSent(question.message, as: frame.sequence, to: app, at: now)
        if question.isAnswered {
            connections.values[appIndex].noteSent(
                question.input, in: frame.sequence, scans: frame.message.scanCount)
            if case .touches(let told) = question.message { touches.router.noteSent(told, in: frame.sequence) }
        } else if case .lifeCycle = question.message {
            connections.values[appIndex].noteLifeCycle(frame, at: now)
        }
        outbox.append(.send(frame, to: .app(app)))
        if question.isAnswered { expectAnswer(at: appIndex, at: now, into: &outbox) }
    }

    /// Sends a recipient the touches that were taken from it. They belong to no scan, so their receipt settles nothing.
    mutating func deliver(_ delivery: Router.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay, .alert, .keyboard, .shade:
            _ = home.consume(delivery, probes: rules.probes, at: now, trace: &outbox.trace)
        case .app(let app): sendCancel(.touches(delivery.frame), to: app, at: now, into: &outbox)
        }
    }

    /// Sends a recipient an input that was cancelled. It belongs to no scan.
    mutating func deliver(_ delivery: DeviceRouter.Delivery, at now: Instant, into outbox: inout Outbox) {
        switch delivery.recipient {
        case .home, .overlay, .alert, .keyboard, .shade: _ = home.consume(delivery, at: now, trace: &outbox.trace)
        case .app(let app): sendCancel(.input(delivery.event), to: app, at: now, into: &outbox)
        }
    }

    /// Sends a cancel behind all messages that wait for the app's credit window, because it ends the touches in them.
    private mutating func sendCancel(_ cancel: ServerToApp, to app: AppID, at now: Instant, into outbox: inout Outbox) {
        let question = AppConnection.Waiting(input: .zero, message: cancel, ledger: Ledger(), at: now)
        enqueue(question, for: app, at: now, into: &outbox)
    }

    /// Sends a message that no receipt answers. A message of the life cycle, a scene or a URL waits behind the waiting ones.
    mutating func send(_ message: ServerToApp, to app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let appIndex = connections.index(of: app) else { return }
        if message.isQueuedInOrder, !connections.values[appIndex].waiting.isEmpty {
            return connections.values[appIndex].queueInOrder(message)
        }
        pulse.mayHaveUnreceivedFrames = true
        let frame = connections.values[appIndex].link.frame(message.message)
        if case .lifeCycle = message { connections.values[appIndex].noteLifeCycle(frame, at: now) }
        history.recent.recordSent(message, as: frame.sequence, to: app, at: now)
        outbox.append(.send(frame, to: .app(app)))
    }

    /// Cancels the keys and pointers of a recipient.
    mutating func cancelInput(of recipient: Recipient, at now: Instant, into outbox: inout Outbox) {
        for delivery in devices.revoke(recipient, at: now) { deliver(delivery, at: now, into: &outbox) }
    }

    /// Carries out the steps of a change of the screen layout, in order.
    mutating func perform(_ steps: [SceneTable.Step], at now: Instant, into outbox: inout Outbox) {
        for step in steps {
            switch step {
            case .revoke(let recipient):
                for delivery in touches.router.revoke(recipient, at: now) { deliver(delivery, at: now, into: &outbox) }
                cancelInput(of: recipient, at: now, into: &outbox)
            case .placeScene(let app, _):
                let scene = outbox.trace.intern("\(apps.assumedScene(of: app))")
                outbox.trace.note(now, .app, "app {a}: its scene is {b:n}", Int64(app), scene)
                sendScene(to: app, at: now, into: &outbox)
            case .sendLifeCycle(let app, let moment):
                outbox.trace.note(now, .app, "app {a}: {b:n}", Int64(app), outbox.trace.intern("\(moment)"))
                send(.lifeCycle(moment), to: app, at: now, into: &outbox)
            }
        }
    }

    // MARK: Scenes

    /// Handles an app's declaration of its windows, and acknowledges it.
    mutating func declare(
        _ diff: WindowsDiff, by app: AppID, at now: Instant, into outbox: inout Outbox
    ) {
        switch apps.declare(diff, by: app) {
        case .applied:
            outbox.trace.note(
                now, .router, "app {a}: {b} window changes, {c} windows", Int64(app), Int64(diff.changes.count),
                Int64(apps.windows(of: app)?.count ?? 0))
        case .missed:
            outbox.trace.note(
                now, .router, "app {a}: window declaration {b} ignored, the last received one is {c}", Int64(app),
                Int64(diff.number),
                Int64(apps.windows(of: app)?.number ?? 0))
        case .refused(let reason): strike(.app(app), reason, at: now, into: &outbox)
        }
        sendScene(to: app, at: now, into: &outbox)
    }

    /// Sends an app its scene and the number of its last declaration of windows, unless the same message waits already.
    mutating func sendScene(to app: AppID, at now: Instant, into outbox: inout Outbox) {
        let scene = apps.assumedScene(of: app)
        let state = SceneState(
            frame: scene.frame, scale: Fixed(apps.layout.scale(of: app)), orientation: scene.orientation,
            acknowledgedDeclaration: apps.windows(of: app)?.number ?? 0)
        guard let appIndex = connections.index(of: app),
            connections.values[appIndex].waiting.last?.message != .scene(state)
        else {
            return
        }
        send(.scene(state), to: app, at: now, into: &outbox)
    }

    /// Sends input-kit the receipt of a scan.
    mutating func settle(_ answer: InFlight.Answer?, into outbox: inout Outbox) {
        guard let answer else { return }
        history.counters.answered += UInt64(answer.scans)
        guard inputKit.link.isOpen else { return }
        let frame = inputKit.link.frame(
            ServerToInputKit.handled(answer.receipt).message, ledger: answer.ledger, credit: credit)
        outbox.append(.send(consume frame, to: .inputKit))
        history.recent.recordReceipt(answer.receipt.reason)
    }

    /// The number of scans that input-kit may still send.
    var credit: Int { max(0, rules.inFlightLimit - inputKit.inFlight.count) }
}
