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
        var touches = TouchList()

        /// Whether more touches fit into the message of these.
        func hasRoom(for moves: TouchMoves) -> Bool {
            touches.count + moves.count <= Message.scansPerFrame
                && touches.contactCount + moves.count * moves.contacts.count <= Message.contactsPerFrame
        }
    }

    var all: [Collected] = []

    func index(of appIndex: Int) -> Int? { all.firstIndex { $0.appIndex == appIndex } }

    /// Appends touches for an app.
    ///
    /// - Returns: What was collected before, if the touches do not fit into its message.
    mutating func append(_ moves: TouchMoves, for appIndex: Int) -> TouchList? {
        var index = index(of: appIndex) ?? all.count
        var full: TouchList?
        if index < all.count, !all[index].hasRoom(for: moves) {
            full = all.remove(at: index).touches
            index = all.count
        }
        if index == all.count { all.append(Collected(appIndex: appIndex)) }
        all[index].touches.append(moves)
        return full
    }
}

extension SystemServerCore {
    /// Routes scans that share a frame, one after the other. Their recipients answer for all of them with one receipt.
    mutating func route(
        _ scans: ScanList, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        inputKit.inFlight.openShared(scan, scans: scans.count, ledger: ledger)
        var shared = SharedFrames()
        // By index: scans that are bound are copied.
        for part in scans.parts.indices {
            for index in 0..<scans.parts[part].count {
                if let moves = touches.dispatchMoves(scans.parts[part], from: index) {
                    collect(moves.touches, for: moves.owner, in: &shared, of: scan, ledger, at: now, into: &outbox)
                    break
                }
                let event = scans.parts[part].scan(at: index)
                route(event, in: &shared, of: scan, ledger, at: now, into: &outbox)
            }
        }
        send(&shared, of: scan, ledger, at: now, into: &outbox)
        settle(inputKit.inFlight.closeShared(scan), into: &outbox)
    }

    /// Routes one of the scans that share a frame.
    private mutating func route(
        _ event: HIDEvent, in shared: inout SharedFrames, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let dispatch = dispatch(event, at: now)
        if !dispatch.claims.isEmpty {
            // A claim may cancel touches of the scans before.
            send(&shared, of: scan, ledger, at: now, into: &outbox)
            carryOut(dispatch.claims, at: now, into: &outbox)
        }
        if dispatch.split.isNoteworthy { note(dispatch.split, of: event, at: now, into: &outbox) }
        if dispatch.split.deliveries.isEmpty || dispatch.split.hasTaken {
            inputKit.inFlight.note(dispatch.split, of: scan)
        }
        for delivery in dispatch.split.deliveries {
            collect(delivery, in: &shared, of: scan, ledger, at: now, into: &outbox)
        }
        show(dispatch.pages, into: &outbox)
    }

    /// Collects an app's part of a scan if it may share a frame with the parts before it, and delivers it otherwise.
    private mutating func collect(
        _ delivery: Router.Delivery, in shared: inout SharedFrames, of scan: SequenceNumber, _ ledger: Ledger,
        at now: Instant, into outbox: inout Outbox
    ) {
        if case .app(let app) = delivery.recipient, let appIndex = connections.index(of: app) {
            if !display.isOn, !delivery.frame.isEdge {
                let moves = TouchMoves(delivery.frame)
                return collect(moves, at: appIndex, in: &shared, of: scan, ledger, at: now, into: &outbox)
            }
            if let index = shared.index(of: appIndex) {
                let touches = shared.all.remove(at: index).touches
                send(touches, to: appIndex, of: scan, ledger, at: now, into: &outbox)
            }
        }
        inputKit.inFlight.expectPart(of: scan)
        deliver(delivery, of: scan, ledger, at: now, into: &outbox)
    }

    /// Collects the moves of a recipient, or delivers them one by one if they cannot share a frame.
    private mutating func collect(
        _ moves: TouchMoves, for recipient: Recipient, in shared: inout SharedFrames, of scan: SequenceNumber,
        _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        if case .app(let app) = recipient, let appIndex = connections.index(of: app), !display.isOn {
            return collect(moves, at: appIndex, in: &shared, of: scan, ledger, at: now, into: &outbox)
        }
        for index in 0..<moves.count {
            let delivery = Router.Delivery(recipient: recipient, frame: moves.frame(at: index))
            collect(delivery, in: &shared, of: scan, ledger, at: now, into: &outbox)
        }
    }

    private mutating func collect(
        _ moves: TouchMoves, at appIndex: Int, in shared: inout SharedFrames, of scan: SequenceNumber,
        _ ledger: Ledger, at now: Instant, into outbox: inout Outbox
    ) {
        if let full = shared.append(moves, for: appIndex) {
            send(full, to: appIndex, of: scan, ledger, at: now, into: &outbox)
        }
    }

    /// Sends everything that was collected.
    private mutating func send(
        _ shared: inout SharedFrames, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        for collected in shared.all {
            send(collected.touches, to: collected.appIndex, of: scan, ledger, at: now, into: &outbox)
        }
        shared.all.removeAll(keepingCapacity: true)
    }

    /// Sends collected touches in one frame, as many as the app's credit window admits. The others wait, merged.
    private mutating func send(
        _ touches: TouchList, to appIndex: Int, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        let room = min(connections.values[appIndex].roomForMoves, touches.count)
        let (sent, rest) = touches.split(at: room)
        if let first = sent.first {
            let message: ServerToApp = room == 1 ? .touches(first) : .severalTouches(sent)
            let question = AppConnection.Waiting(input: scan, message: message, ledger: ledger, at: now)
            inputKit.inFlight.expectPart(of: scan)
            let frame = connections.values[appIndex].link.frame(message.message, ledger: ledger)
            transmit(frame, of: question, to: appIndex, at: now, into: &outbox)
        }
        for moves in rest.parts { wait(moves, for: appIndex, of: scan, ledger, at: now, into: &outbox) }
    }

    /// Merges moves into the last waiting one if possible. Otherwise they wait behind the others.
    private mutating func wait(
        _ moves: TouchMoves, for appIndex: Int, of scan: SequenceNumber, _ ledger: Ledger, at now: Instant,
        into outbox: inout Outbox
    ) {
        wait(moves.frame(at: 0), for: appIndex, of: scan, ledger, at: now, into: &outbox)
        // The others are moves of the first one. If that waits now, they are merged at once.
        let merged = connections.values[appIndex].merge(movesBehindFirstOf: moves, of: scan)
        if merged > 0 { inputKit.inFlight.noteCoalesced(merged * moves.contacts.count, of: scan) }
        for index in 1 + merged..<moves.count {
            wait(moves.frame(at: index), for: appIndex, of: scan, ledger, at: now, into: &outbox)
        }
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
