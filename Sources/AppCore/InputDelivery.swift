// InputDelivery.swift: moves touches and other input from the server's frames to the inbox.
//
// Station   inbox
// Input     AppCore: each frame with input, the time it has waited, the loss of the link
// Output    events for the EventFetcher; receipts for frames that are dropped
// Knows     the live touches and inputs. No view.
//
//     frame ──in time──▶ without ignored touches ──room──▶ inbox
//       └──too late──▶ dropped, and every live touch is cancelled ◀──no room──┘
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, laws I1 and I7, faults F4, F9 and F12

import Basics
import Foundation
import HID
import Hosting
import Links
import Trace
import UIKit
import Wire

/// The delivery of one app's input.
struct InputDelivery {
    private let fetcher: EventFetcher
    private let mainLoop: MainLoop
    private(set) var fingers = LiveTouches()
    private(set) var held = HeldInputs<SceneSpace>()
    /// Cancels that had no room, even in the reserve.
    private(set) var pendingCancels: [QueuedEvent.Content] = []
    private var suspension: SuspensionDetector
    /// Frames that the server sent before this time are dropped: the app was suspended then.
    private var refusesUntil: Instant?
    private(set) var counters = Counters()

    struct Counters {
        var frames: Int64 = 0
        var dropped: Int64 = 0
        /// Contacts that were ignored here until lift.
        var ignored: Int64 = 0
    }

    /// - Parameter limit: The longest time without a turn after which input still counts.
    init(limit: Duration, fetcher: EventFetcher, mainLoop: MainLoop) {
        suspension = SuspensionDetector(limit: limit)
        (self.fetcher, self.mainLoop) = (fetcher, mainLoop)
    }

    private var application: UIApplication { mainLoop.application }

    // MARK: Lateness

    /// Records a turn of the app.
    ///
    /// A frame behind the first late one is late too if the server sent it before the app resumed. The server had
    /// cancelled the app's touches by then.
    ///
    /// - Returns: The time for which the app did not turn while the input waited for it, if that was too long.
    mutating func turn(for input: Input, at now: Instant) -> Duration? {
        let since = Self.sendTime(of: input)
        if let away = suspension.recordTurn(at: now, waited: since) {
            refusesUntil = suspension.lastGapEnd ?? now
            return away
        }
        guard let since, let refusesUntil, since < refusesUntil else { return nil }
        return since.duration(to: now)
    }

    /// The time at which the server sent the input; nil if the input has no touches and no other device input.
    private static func sendTime(of input: Input) -> Instant? {
        switch input {
        // Passing the frame on copies nothing; reading it here would.
        case .frame(let frame, from: let peer): sendTime(of: frame, from: peer)
        default: nil
        }
    }

    private static func sendTime(of frame: Frame, from peer: Peer) -> Instant? {
        guard peer == .systemServer, frame.message.kind.asksForReceipt else { return nil }
        return frame.ledger[.serverSent]
    }

    /// Drops a frame that has waited too long. The server has cancelled its touches, or will, so the touches end here.
    mutating func refuse(
        late frame: Frame, _ away: Duration, at now: Instant, to server: inout ServerConnection,
        into outbox: inout Outbox
    ) {
        application.note(
            .inbox, "frame {a} is late: no run-loop turn for {b:t}, limit {c:t}", Int64(frame.sequence),
            away.nanoseconds, suspension.limit.nanoseconds)
        cancelAll("frames late", at: now)
        let receipt = receipt(for: frame, of: server, at: now)
        server.refuse(receipt, because: .late, isMissed: true, into: &outbox)
    }

    /// Drops queued frames that waited too long for a main loop that one event kept busy.
    mutating func refuseQueued(
        since blocked: Instant, at now: Instant, to server: inout ServerConnection, into outbox: inout Outbox
    ) {
        guard suspension.limit > .zero, !mainLoop.queue.isProcessing else { return }
        guard let first = (mainLoop.queue.firstReceipt ?? fetcher.firstReceipt)?.ledger[.appReceived] else { return }
        let away = max(first, blocked).duration(to: now)
        guard away > suspension.limit else { return }
        fetcher.moveAllToQueue()
        let cancels = cancelLive(at: now).map { QueuedEvent(content: $0, receipt: nil) }
        let receipts = mainLoop.queue.replaceEventsWithReceipts(by: cancels)
        application.note(
            .inbox, "{a} frames are late: the main loop was busy for {b:t}, limit {c:t}", Int64(receipts.count),
            away.nanoseconds, suspension.limit.nanoseconds)
        mainLoop.finished.forgetParts()
        for receipt in receipts where server.awaits(receipt) {
            server.removeOutstanding(receipt.frame)
            server.refuse(receipt, because: .late, isMissed: true, into: &outbox)
        }
        mainLoop.eventsArrived()
    }

    // MARK: Frames

    /// Posts the touches of a frame, apart from those that are ignored until lift.
    mutating func post(
        _ all: TouchFrame, of frame: Frame, at now: Instant, to server: inout ServerConnection,
        into outbox: inout Outbox
    ) {
        let receipt = receipt(for: frame, of: server, at: now)
        let touches = fingers.removingIgnoredTouches(from: all)
        counters.ignored += Int64(all.contacts.count - touches.contacts.count)
        if touches.contacts.isEmpty {
            server.refuse(receipt, because: .ignoredUntilLift, isMissed: false, into: &outbox)
        } else if fetcher.post(QueuedEvent(content: .touches(touches), receipt: receipt)) {
            server.expectAnswer(to: frame)
            fingers.update(with: touches)
        } else {
            drop(receipt, contacts: touches.contacts.count, at: now, to: &server, into: &outbox)
        }
    }

    /// Posts the touches of several scans, each as an event of its own. All of them are posted, or none.
    mutating func post(
        _ all: TouchList, of frame: Frame, at now: Instant, to server: inout ServerConnection,
        into outbox: inout Outbox
    ) {
        var receipt = receipt(for: frame, of: server, at: now)
        receipt.isOfSeveral = true
        var events = all
        if fingers.hasEmptyFrameOrIgnoredTouches(all) {
            events = TouchList()
            for one in all {
                let touches = fingers.removingIgnoredTouches(from: one)
                counters.ignored += Int64(one.contacts.count - touches.contacts.count)
                if !touches.contacts.isEmpty { events.append(touches) }
            }
        }
        guard let last = events.last else {
            return server.refuse(receipt, because: .ignoredUntilLift, isMissed: false, into: &outbox)
        }
        guard fetcher.post(QueuedEvent(events, receipt: receipt)) else {
            return drop(receipt, contacts: events.contactCount, at: now, to: &server, into: &outbox)
        }
        server.expectAnswer(to: frame)
        // No touch begins or ends in the others.
        fingers.update(with: last)
    }

    /// Posts a frame's input other than touches.
    mutating func post(
        _ event: DeviceEvent<SceneSpace>, of frame: Frame, at now: Instant, to server: inout ServerConnection,
        into outbox: inout Outbox
    ) {
        let receipt = receipt(for: frame, of: server, at: now)
        guard fetcher.post(QueuedEvent(content: .device(event), receipt: receipt)) else {
            return drop(receipt, contacts: 0, at: now, to: &server, into: &outbox)
        }
        server.expectAnswer(to: frame)
        // The device tracker decides about inputs out of order. This set only serves the cancels.
        _ = held.apply(event.input)
    }

    private mutating func receipt(
        for frame: Frame, of server: ServerConnection, at now: Instant
    ) -> QueuedEvent.Receipt {
        counters.frames += 1
        var ledger = frame.ledger
        ledger.append(now)
        return QueuedEvent.Receipt(frame: frame.sequence, ledger: ledger, link: server.link.openings)
    }

    /// Drops a frame that the server sent beyond its credit.
    private mutating func drop(
        _ receipt: QueuedEvent.Receipt, contacts: Int, at now: Instant, to server: inout ServerConnection,
        into outbox: inout Outbox
    ) {
        counters.dropped += 1
        application.note(
            .inbox, "inbox full: frame {a} with {b} contacts dropped", Int64(receipt.frame),
            Int64(contacts))
        cancelAll("inbox full", at: now)
        server.refuse(receipt, because: .inboxFull, isMissed: true, into: &outbox)
    }

    // MARK: Cancels

    /// Cancels every live touch and input, behind the events that have arrived, because no later frame ends them.
    mutating func cancelAll(_ why: StaticString, at now: Instant) {
        if !fingers.contacts.isEmpty {
            application.note(
                .inbox, "{a:n}: {b} touches cancelled", application.trace.intern("\(why)"),
                Int64(fingers.contacts.count))
        }
        pendingCancels += cancelLive(at: now)
        postPendingCancels()
    }

    private mutating func cancelLive(at now: Instant) -> [QueuedEvent.Content] {
        var cancels: [QueuedEvent.Content] = []
        if let frame = fingers.cancelAll(at: now) { cancels.append(.touches(frame)) }
        for input in held.cancelAll() { cancels.append(.device(DeviceEvent(timeStamp: now, input: input))) }
        return cancels
    }

    /// Posts the cancels that had no room before.
    mutating func postPendingCancels() {
        while let content = pendingCancels.first, fetcher.postUsingReserve(QueuedEvent(content: content, receipt: nil))
        {
            pendingCancels.removeFirst()
        }
    }
}
