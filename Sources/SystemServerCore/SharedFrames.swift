// SharedFrames.swift: the scans of one frame of input-kit, and the frames in which apps receive them.
//
//     scans ─▶ routed in order ─┬ only moves for an app with credit ─▶ collected ─▶ one frame for all of them
//                               └ else ─▶ its own frame, behind the collected ones
//
// Station   source1, source0
// Input     ScanRouting: scans that were due at the same time, in which no finger lands or lifts
// Output    frames to apps; one receipt for all scans
// Knows     connections and their credit. No finger.
//
// Sources   invented; Docs/Decisions/SharedFrames.md

import Basics
import HID
import Hosting
import Links
import Wire

/// The touches that were collected for apps, each list in order of the scans. No touch begins or ends in them.
struct SharedFrames: Sendable {
    /// The touches for one app.
    struct Collected: Sendable {
        let appIndex: Int
        var frames: [TouchFrame] = []
        var contactCount = 0

        /// Whether another frame fits into the message of these.
        func hasRoom(for frame: TouchFrame) -> Bool {
            frames.count < Message.scansPerFrame && contactCount + frame.contacts.count <= Message.contactsPerFrame
        }
    }

    var all: [Collected] = []

    func index(of appIndex: Int) -> Int? { all.firstIndex { $0.appIndex == appIndex } }

    /// Appends touches for an app.
    ///
    /// - Returns: What was collected before, if the touches do not fit into its message.
    mutating func append(_ frame: TouchFrame, for appIndex: Int) -> [TouchFrame]? {
        var index = index(of: appIndex) ?? all.count
        var full: [TouchFrame]?
        if index < all.count, !all[index].hasRoom(for: frame) {
            full = all.remove(at: index).frames
            index = all.count
        }
        if index == all.count {
            all.append(Collected(appIndex: appIndex))
            all[index].frames.reserveCapacity(Message.scansPerFrame)
        }
        all[index].frames.append(frame)
        all[index].contactCount += frame.contacts.count
        return full
    }
}

extension SystemServerCore {
    /// Routes scans that share a frame, one after the other. Their recipients answer for all of them with one receipt.
    mutating func route(
        _ events: [HIDEvent], of scan: SequenceNumber, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        inputKit.inFlight.openShared(scan, scans: events.count, ledger: ledger)
        var shared = SharedFrames()
        // By index: an event that is bound is copied.
        var index = 0
        while index < events.count {
            if let moves = touches.dispatchMoves(events, from: index) {
                for frame in moves.frames {
                    let delivery = Router.Delivery(recipient: moves.owner, frame: frame)
                    collect(delivery, in: &shared, of: scan, ledger, at: now, into: &outbox)
                }
                index += moves.frames.count
                continue
            }
            defer { index += 1 }
            let dispatch = dispatch(events[index], at: now)
            if !dispatch.claims.isEmpty {
                // A claim may cancel touches of the scans before.
                send(&shared, of: scan, ledger, at: now, into: &outbox)
                carryOut(dispatch.claims, at: now, into: &outbox)
            }
            if dispatch.split.isNoteworthy { note(dispatch.split, of: events[index], at: now, into: &outbox) }
            if dispatch.split.deliveries.isEmpty || dispatch.split.hasTaken {
                inputKit.inFlight.note(dispatch.split, of: scan)
            }
            for delivery in dispatch.split.deliveries {
                collect(delivery, in: &shared, of: scan, ledger, at: now, into: &outbox)
            }
            show(dispatch.pages, into: &outbox)
        }
        send(&shared, of: scan, ledger, at: now, into: &outbox)
        settle(inputKit.inFlight.closeShared(scan), into: &outbox)
    }

    /// Collects an app's part of a scan if it may share a frame with the parts before it, and delivers it otherwise.
    private mutating func collect(
        _ delivery: Router.Delivery, in shared: inout SharedFrames, of scan: SequenceNumber, _ ledger: Ledger,
        at now: Instant, into outbox: inout Outbox
    ) {
        if case .app(let app) = delivery.recipient, let appIndex = connections.index(of: app) {
            if !display.isOn, !delivery.frame.isEdge {
                if let full = shared.append(delivery.frame, for: appIndex) {
                    send(full, to: appIndex, of: scan, ledger, at: now, into: &outbox)
                }
                return
            }
            if let index = shared.index(of: appIndex) {
                let frames = shared.all.remove(at: index).frames
                send(frames, to: appIndex, of: scan, ledger, at: now, into: &outbox)
            }
        }
        inputKit.inFlight.expectPart(of: scan)
        deliver(delivery, of: scan, ledger, at: now, into: &outbox)
    }

    /// Sends everything that was collected.
    private mutating func send(
        _ shared: inout SharedFrames, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        for collected in shared.all {
            send(collected.frames, to: collected.appIndex, of: scan, ledger, at: now, into: &outbox)
        }
        shared.all.removeAll(keepingCapacity: true)
    }

    /// Sends collected touches in one frame, as many as the app's credit window admits. The others wait, merged.
    private mutating func send(
        _ frames: [TouchFrame], to appIndex: Int, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let room = min(connections.values[appIndex].roomForMoves, frames.count)
        if room > 0 {
            let sent = room == frames.count ? frames : Array(frames[..<room])
            let message: ServerToApp = room == 1 ? .touches(frames[0]) : .severalTouches(sent)
            let question = AppConnection.Waiting(input: scan, message: message, ledger: ledger, at: now)
            inputKit.inFlight.expectPart(of: scan)
            let frame = connections.values[appIndex].link.frame(message.message, ledger: ledger)
            transmit(frame, of: question, to: appIndex, at: now, into: &outbox)
        }
        for frame in frames[room...] { wait(frame, for: appIndex, of: scan, ledger, at: now, into: &outbox) }
    }

    /// Merges a move into the last waiting one if possible. Otherwise it waits behind the others.
    private mutating func wait(
        _ frame: TouchFrame, for appIndex: Int, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let merged = connections.values[appIndex].merge(frame, of: scan, ledger, at: now)
        if let merged, merged.scan == scan {
            // The part that waits is now that of the later scan.
            return inputKit.inFlight.noteCoalesced(merged.moves, of: scan)
        }
        inputKit.inFlight.expectPart(of: scan)
        if let merged {
            settle(inputKit.inFlight.settle(merged.scan, .coalesced(merged.moves)), into: &outbox)
        } else {
            send(.touches(frame), to: connections.app(at: appIndex), of: scan, ledger, at: now, into: &outbox)
        }
    }
}

extension Router.Outcome {
    /// Whether a finger landed, was dropped, or the scan was fenced.
    fileprivate var isNoteworthy: Bool { !landings.isEmpty || !drops.isEmpty || fencedBy != nil }

    /// Whether a finger moved after a touch monitor or a system gesture had taken it.
    fileprivate var hasTaken: Bool { takenByMonitor > 0 || takenBySystem > 0 }
}
