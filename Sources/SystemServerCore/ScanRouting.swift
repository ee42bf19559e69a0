// ScanRouting.swift: one scan in the server: the owners of its contacts, its facts, its recipients.
//
// Station   source1, source0
// Input     ServerLoop: scans in order, the server's own parts of them
// Output    Delivery.swift: a frame for each app concerned; one receipt if no recipient has to answer
// Knows     scans, claims, recipients. No credit window.
//
// Sources   documented  Docs/Spec/Semantics.md D1–D6, D9

import Basics
import HID
import Hosting
import Trace
import Wire

extension SystemServerCore {
    /// Decides who receives a scan, and sends the parts.
    mutating func source1(_ scan: ServerLoop.Scan, at now: Instant, into outbox: inout Outbox) {
        history.counters.scans += UInt64(scan.count)
        pulse.restsAt = now.advanced(by: Pulse.rest)
        var ledger = scan.ledger
        ledger.append(now)

        if inputKit.inFlight.count >= rules.inFlightLimit, !scan.hasEdge {
            history.counters.overLimit += UInt64(scan.count)
            outbox.trace.note(
                now, .router, "#{a} dropped: {b} scans in flight, limit {c}", Int64(scan.sequence),
                Int64(inputKit.inFlight.count), Int64(rules.inFlightLimit))
            var answer = inputKit.inFlight.open(scan.sequence, ledger: ledger, recipients: 0, reason: .overLimit)
            answer?.scans = scan.count
            return settle(answer, into: &outbox)
        }

        switch scan.content {
        case .glass(let event):
            let dispatch = route(event.value, at: now, into: &outbox)
            let answer = inputKit.inFlight.open(
                scan.sequence, ledger: ledger, recipients: dispatch.split.deliveries.count,
                reason: dispatch.split.deliveries.isEmpty ? dispatch.split.reason : .none,
                takenByMonitor: dispatch.split.takenByMonitor,
                takenBySystem: dispatch.split.takenBySystem)
            settle(answer, into: &outbox)
            deliver(dispatch, of: scan.sequence, ledger, at: now, into: &outbox)
        case .several(let scans): route(scans, of: scan.sequence, ledger, at: now, into: &outbox)
        case .device(let event):
            route(event, of: scan, ledger, at: now, into: &outbox)
            if home.screenshotKeys.handle(event) { takeScreenshot(at: now, into: &outbox) }
        }
    }

    /// Decides who receives the contacts of a scan, and carries out what contenders for them claim.
    private mutating func route(
        _ event: HIDEvent, at now: Instant, into outbox: inout Outbox
    ) -> TouchDispatcher.Dispatch {
        let dispatch = dispatch(event, at: now)
        if !dispatch.claims.isEmpty { carryOut(dispatch.claims, at: now, into: &outbox) }
        note(dispatch.split, of: event, at: now, into: &outbox)
        return dispatch
    }

    mutating func dispatch(_ event: HIDEvent, at now: Instant) -> TouchDispatcher.Dispatch {
        // Asked of the connections: a property of the core would be read from a copy of the whole core.
        touches.dispatch(event, on: &apps, refusing: connections.stalled, at: now)
    }

    /// Sends the parts of a scan to their recipients, and the pages that show it to touch monitors.
    private mutating func deliver(
        _ dispatch: TouchDispatcher.Dispatch, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        for delivery in dispatch.split.deliveries { deliver(delivery, of: scan, ledger, at: now, into: &outbox) }
        show(dispatch.pages, into: &outbox)
    }

    mutating func deliver(
        _ delivery: Router.Delivery, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        switch delivery.recipient {
        case .app(let app): send(.touches(delivery.frame), to: app, of: scan, ledger, at: now, into: &outbox)
        case .home, .overlay, .alert, .keyboard, .shade: loop.post(.touches(delivery), of: scan)
        }
    }

    mutating func show(_ pages: [TouchMonitorPage], into outbox: inout Outbox) {
        for page in pages { outbox.append(.send(supervisor.frame(.monitorPage(page)), to: .supervisor)) }
    }

    /// Carries out the claims of the contenders for touches.
    mutating func carryOut(_ claims: [TouchDispatcher.Claim], at now: Instant, into outbox: inout Outbox) {
        for claim in claims {
            switch claim {
            case .cancel(let delivery): deliver(delivery, at: now, into: &outbox)
            case .show(let page): outbox.append(.send(supervisor.frame(.monitorPage(page)), to: .supervisor))
            case .wake(let moment):
                outbox.append(moment.map { .arm(.systemGestures, at: $0) } ?? .disarm(.systemGestures))
            // The dispatcher has revoked the recipient's touches already.
            case .step(.revoke(let recipient)): cancelInput(of: recipient, at: now, into: &outbox)
            case .step(let step): perform([step], at: now, into: &outbox)
            case .act(let gesture):
                outbox.trace.note(now, .process, "system gesture: {a:n}", outbox.trace.intern("\(gesture)"))
                if rules.probes { outbox.trace.probe(now, .router, "server gesture=\(gesture)") }
            case .taken(let touch, by: let gesture):
                outbox.trace.note(
                    now, .router, "touch {a} taken by the system: {b:n}", Int64(touch.rawValue),
                    outbox.trace.intern("\(gesture)"))
            case .left(let touch):
                outbox.trace.note(now, .router, "touch {a} stays with its app", Int64(touch.rawValue))
            case .postponed(let gesture):
                outbox.trace.note(
                    now, .router, "{a:n}: the app defers the edge, the second swipe counts",
                    outbox.trace.intern("\(gesture)"))
            case .pilfered(let touch, by: let monitor):
                outbox.trace.note(
                    now, .router, "touch {a} pilfered by monitor {b}", Int64(touch.rawValue), Int64(monitor))
            case .monitorBegan(let monitor, let count):
                outbox.trace.note(now, .router, "monitor {a} observes, {b} monitors", Int64(monitor), Int64(count))
            case .monitorEnded(let monitor, let count):
                outbox.trace.note(now, .router, "monitor {a} ended, {b} monitors", Int64(monitor), Int64(count))
            }
        }
    }

    private mutating func route(
        _ event: DeviceEvent<DigitizerSpace>, of scan: ServerLoop.Scan, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let outcome = devices.route(event, over: apps, refusing: connections.stalled)
        guard case .deliver(let delivery) = outcome else {
            var why = Receipt.Reason.nothingNew
            if case .drop(let reason) = outcome {
                note(reason, at: now, into: &outbox)
                why = Receipt.Reason(reason)
            }
            return settle(
                inputKit.inFlight.open(scan.sequence, ledger: ledger, recipients: 0, reason: why), into: &outbox)
        }
        if delivery.event.input.phase == .began || delivery.event.input.phase == .once {
            outbox.trace.note(
                now, .router, "{a:n} → {b:n}",
                outbox.trace.intern(
                    delivery.event.input.stretch.text(
                        namingKeys: rules.tracesKeys && !redactsPositions(of: delivery.recipient))),
                outbox.trace.intern("\(delivery.recipient)"))
            if rules.probes {
                outbox.trace.probe(now, .router, "server source1")
                outbox.trace.probe(now, .router, "server route=\(delivery.recipient)")
            }
        }
        settle(inputKit.inFlight.open(scan.sequence, ledger: ledger, recipients: 1), into: &outbox)
        switch delivery.recipient {
        case .app(let app):
            send(.input(delivery.event), to: app, of: scan.sequence, ledger, at: now, into: &outbox)
        case .home, .overlay, .alert, .keyboard, .shade: loop.post(.device(delivery), of: scan.sequence)
        }
    }

    private func redactsPositions(of recipient: Recipient) -> Bool {
        if case .app(let app) = recipient { apps.redactsPositions(of: app) } else { false }
    }

    /// Handles the parts for the server's own scenes.
    mutating func source0(
        _ parts: [(scan: SequenceNumber, part: ServerLoop.HomePart)], at now: Instant, into outbox: inout Outbox
    ) {
        for (scan, part) in parts {
            let receipt: Receipt
            switch part {
            case .touches(let delivery):
                let landed = delivery.frame.contacts.contains { $0.phase == .began }
                if rules.probes, landed { outbox.trace.probe(now, .router, "server source0") }
                receipt = home.consume(delivery, probes: rules.probes, at: now, trace: &outbox.trace)
            case .device(let delivery): receipt = home.consume(delivery, at: now, trace: &outbox.trace)
            }
            settle(inputKit.inFlight.settle(scan, receipt), into: &outbox)
        }
    }

    /// Notes the decisions about a scan, refused landings first.
    mutating func note(
        _ split: Router.Outcome, of event: HIDEvent, at now: Instant, into outbox: inout Outbox
    ) {
        for landing in split.landings where landing.isRefused {
            guard case .app(let app)? = landing.recipient else { continue }
            outbox.trace.note(
                now, .router, "contact {a} landed on unresponsive app {b}", Int64(landing.finger), Int64(app))
        }
        if let newer = split.fencedBy {
            history.counters.fenced += 1
            outbox.trace.note(
                now, .router, "device {a}: scan fenced, generation {b}, current {c}", Int64(clamping: event.senderID),
                Int64(event.generationCount), Int64(newer))
        }
        for landing in split.landings where !landing.isRefused { note(landing, at: now, into: &outbox) }
        for reason in split.drops { note(reason, at: now, into: &outbox) }
    }

    private mutating func note(_ landing: Router.Landing, at now: Instant, into outbox: inout Outbox) {
        guard let recipient = landing.recipient else {
            let (finger, display) = (Int64(landing.finger), Int64(landing.display.rawValue))
            if landing.display == 1 || apps.isDark {
                outbox.trace.note(now, .router, "contact {a} landed on nothing: the screen is locked", finger)
            } else {
                outbox.trace.note(now, .router, "contact {a} landed on nothing: display {b} is empty", finger, display)
            }
            return
        }
        if outbox.trace.isEnabled {
            for (owner, why) in apps.passedScenes(at: landing.position, on: landing.display) where owner != recipient {
                outbox.trace.note(
                    now, .router, "contact {a} passed {b:n}: {c:n}", Int64(landing.finger),
                    outbox.trace.intern("\(owner)"), outbox.trace.intern(why))
            }
        }
        outbox.trace.note(
            now, .router, "contact {a} → {b:n}, until it lifts: touch {c}", Int64(landing.finger),
            outbox.trace.intern("\(recipient)"), Int64(landing.touch.rawValue))
        guard rules.probes else { return }
        outbox.trace.probe(now, .router, "server source1")
        outbox.trace.probe(now, .router, "server route=\(recipient)")
    }

    private mutating func note(_ reason: ContactRoute.Reason, at now: Instant, into outbox: inout Outbox) {
        history.counters.drops += 1
        outbox.trace.note(now, .router, "dropped: {a:n}", outbox.trace.intern("\(reason)"))
    }
}
