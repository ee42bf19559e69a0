// ScanRouting.swift: one scan on its way through the server: the system's gestures, the router, touch monitors, apps.
//
// Station   source1, source0
// Input     ServerLoop: scans in their order, the server's own parts of them
// Output    Delivery.swift: a frame for each app concerned; one receipt where nobody is
//
// Sources   documented  SEMANTICS D1–D6, D9

import Basics
import HID
import Hosting
import Trace
import Wire

extension SystemServerCore {
    /// Decides who receives a scan, and sends it there.
    mutating func source1(_ scan: ServerLoop.Scan, at now: Instant, into outbox: inout Outbox) {
        counters.scans += 1
        restsAt = now.advanced(by: Self.rest)
        var ledger = scan.ledger
        ledger.append(now)

        if inFlight.count >= rules.inFlightLimit, !scan.hasEdge {
            counters.overLimit += 1
            outbox.trace.note(
                now, .router, "#{a} dropped: {b} scans in flight, limit {c}", Int64(clamping: scan.sequence),
                Int64(inFlight.count), Int64(rules.inFlightLimit))
            let answer = inFlight.opened(scan.sequence, ledger: ledger, recipients: 0, reason: .overLimit)
            return settle(answer, into: &outbox)
        }

        switch scan.content {
        case .glass(let event): route(event, of: scan, ledger, at: now, into: &outbox)
        case .device(let event):
            route(event, of: scan, ledger, at: now, into: &outbox)
            if screenshotKeys.take(event) { takeScreenshot(at: now, into: &outbox) }
        }
    }

    private mutating func route(
        _ event: HIDEvent, of scan: ServerLoop.Scan, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        lookOn(event, at: now, into: &outbox)
        var outcome = router.route(event, over: apps)
        contest(outcome.landings, of: event, at: now, into: &outbox)
        refuseLandings(in: &outcome, at: now, into: &outbox)
        if let newer = outcome.fencedBy {
            counters.fenced += 1
            outbox.trace.note(
                now, .router, "device {a}: fenced, generation {b}, now {c}", Int64(clamping: event.senderID),
                Int64(event.generationCount), Int64(newer))
        }
        for landing in outcome.landings { note(landing, at: now, into: &outbox) }
        for reason in outcome.drops { note(reason, at: now, into: &outbox) }
        let answer = inFlight.opened(
            scan.sequence, ledger: ledger, recipients: outcome.deliveries.count,
            reason: outcome.deliveries.isEmpty ? outcome.reason : .none, takenByMonitor: outcome.takenByMonitor,
            takenBySystem: outcome.takenBySystem)
        settle(answer, into: &outbox)
        for delivery in outcome.deliveries {
            switch delivery.recipient {
            case .app(let app):
                send(.touches(delivery.frame), to: app, of: scan, ledger, at: now, into: &outbox)
            case .home, .overlay, .alert, .keyboard, .shade: loop.keep(.touches(delivery), of: scan.sequence)
            }
        }
        tellSpies(event, outcome.seen, at: now, into: &outbox)
    }

    private mutating func route(
        _ event: DeviceEvent, of scan: ServerLoop.Scan, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        var outcome = devices.route(event, over: apps)
        refuseBeginning(in: &outcome, at: now)
        guard case .deliver(let delivery) = outcome else {
            var why = Receipt.Reason.nothingNew
            if case .drop(let reason) = outcome {
                note(reason, at: now, into: &outbox)
                why = Receipt.Reason(reason)
            }
            return settle(
                inFlight.opened(scan.sequence, ledger: ledger, recipients: 0, reason: why), into: &outbox)
        }
        if delivery.event.input.phase == .began || delivery.event.input.phase == .once {
            outbox.trace.note(
                now, .router, "{a:n} → {b:n}",
                outbox.trace.name(
                    delivery.event.input.stretch.text(sayingKeys: rules.saysKeys && !isSecret(delivery.recipient))),
                outbox.trace.name("\(delivery.recipient)"))
            if rules.probes {
                outbox.trace.probe(now, .router, "server source1")
                outbox.trace.probe(now, .router, "server route=\(delivery.recipient)")
            }
        }
        settle(inFlight.opened(scan.sequence, ledger: ledger, recipients: 1), into: &outbox)
        switch delivery.recipient {
        case .app(let app):
            send(.input(delivery.event), to: app, of: scan, ledger, at: now, into: &outbox)
        case .home, .overlay, .alert, .keyboard, .shade: loop.keep(.device(delivery), of: scan.sequence)
        }
    }

    private func isSecret(_ recipient: Recipient) -> Bool {
        if case .app(let app) = recipient { apps.hidesPlaces(of: app) } else { false }
    }

    /// Handles the parts that the server keeps for itself.
    mutating func source0(
        _ parts: [(scan: UInt64, part: ServerLoop.HomePart)], at now: Instant, into outbox: inout Outbox
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
            settle(inFlight.settled(scan, receipt), into: &outbox)
        }
    }

    private mutating func note(_ landing: Router.Landing, at now: Instant, into outbox: inout Outbox) {
        guard let recipient = landing.recipient else {
            let (finger, display) = (Int64(landing.finger), Int64(landing.display))
            if landing.display == 1 || apps.isDark {
                outbox.trace.note(now, .router, "contact {a} landed on nothing: the screen is locked", finger)
            } else {
                outbox.trace.note(now, .router, "contact {a} landed on nothing: display {b} is empty", finger, display)
            }
            return
        }
        outbox.trace.note(
            now, .router, "contact {a} → {b:n}, until it lifts: touch {c}", Int64(landing.finger),
            outbox.trace.name("\(recipient)"), Int64(landing.touch.rawValue))
        guard rules.probes else { return }
        outbox.trace.probe(now, .router, "server source1")
        outbox.trace.probe(now, .router, "server route=\(recipient)")
    }

    private mutating func note(_ reason: ContactRoute.Reason, at now: Instant, into outbox: inout Outbox) {
        counters.drops += 1
        outbox.trace.note(now, .router, "dropped: {a:n}", outbox.trace.name("\(reason)"))
    }
}
