// FlowControl.swift: how many frames one app may have unanswered, and what happens to the messages that wait.
//
//     message ─┬ the credit window is open, and no message waits ─▶ sent
//              └ else ─▶ waits ──a receipt arrives──▶ sent
//                         ├ the same touches have moved on: merged into the message that waits next (coalescing)
//                         ├ too old, and its touches have lifted since: dropped (stale)
//                         └ its app is unresponsive: dropped (notResponding); one cancel waits instead
//
// A beginning, an end or a cancel is never merged, and dropped only for an unresponsive app. So at most one frame of
// moves, with its history, waits between two of them.
//
// Station   router
// Input     SystemServerCore: a frame for an app, a receipt, an app that becomes unresponsive
// Output    frames in order; scans that are answered without the app
// Knows     one link. Only the touches in its waiting messages.
//
// Sources   documented  moves coalesce per finger, the rest has reserved credit (Docs/Spec/Pipeline.md section 1, F5); stale
//                       events are dropped only outside a live gesture (F4)
//           invented    the reserve, how a history that is full gets thinner

import Basics
import HID
import Hosting
import Links
import Wire

extension AppConnection {
    /// The app's credit window: how many scans may be unanswered.
    var creditWindow: Int { min(limit, link.capacity) }

    /// The part of a credit window that is reserved for beginnings and ends, and for the messages that wait before one.
    static func reserve(of window: Int) -> Int { min(8, window / 4) }

    /// Whether the credit window admits a frame, if no message waits before it.
    func hasCredit(forEdge isEdge: Bool) -> Bool {
        unanswered < (isEdge ? creditWindow : creditWindow - Self.reserve(of: creditWindow))
    }

    /// The number of moves that the credit window admits now.
    var roomForMoves: Int {
        waiting.isEmpty ? max(0, creditWindow - Self.reserve(of: creditWindow) - unanswered) : 0
    }

    /// Removes the next message that the credit window admits, and makes its frame.
    mutating func dequeue() -> (waiting: Waiting, frame: Frame)? {
        guard let first = waiting.first else { return nil }
        let isEdge = first.isEdge || waiting.contains(where: \.isEdge)
        guard !first.isAnswered || hasCredit(forEdge: isEdge) else { return nil }
        waiting.removeFirst()
        return (first, link.frame(first.messageToSend.message, ledger: first.ledger))
    }

    /// Appends a message to the waiting ones. The last waiting move of the same touches is merged into a new move, even if
    /// keys wait between them.
    ///
    /// - Returns: The scan that was merged into this one, with the number of its moves; nil for none.
    mutating func enqueue(_ question: consuming Waiting) -> (scan: SequenceNumber, moves: Int)? {
        guard case .touches(let newer) = question.message, !question.isEdge,
            let index = waiting.lastIndex(where: \.isTouches), !waiting[index].isEdge,
            case .touches(let older) = waiting[index].message, newer.canContain(older)
        else {
            waiting.append(question)
            return nil
        }
        // Only `older` has the history from here on, so it grows in place.
        let part = (scan: waiting.remove(at: index).input, moves: older.moveCount)
        coalesced &+= 1
        let merged = newer.merging(older)
        var whole = Waiting(
            input: question.input, message: .touches(merged), ledger: question.ledger, at: question.at)
        whole.shown = question.shown
        waiting.append(whole)
        return part
    }

    /// Appends a message that no receipt answers. A scene replaces a scene that waits last: an app can cause one with each
    /// declaration of its windows, and the later one has all that the earlier one states.
    mutating func queueInOrder(_ message: ServerToApp) {
        if case .scene = message, case .scene = waiting.last?.message { waiting.removeLast() }
        waiting.append(Waiting(input: .zero, message: message, ledger: Ledger(), at: .boot))
    }

    /// Merges the last waiting move of the same touches into a new move in place, if no other message waits behind it.
    ///
    /// - Parameter newer: Only moves. The other parameters are those of its message.
    /// - Returns: The scan that was merged into this one, with the number of its moves; nil if nothing was merged.
    mutating func merge(
        _ newer: TouchFrame, of scan: SequenceNumber, _ ledger: Ledger, at moment: Instant
    ) -> (scan: SequenceNumber, moves: Int)? {
        let last = waiting.count - 1
        guard last >= 0, !waiting[last].isEdge, case .touches(let older) = waiting[last].message,
            newer.canContain(older)
        else { return nil }
        let part = (scan: waiting[last].input, moves: older.moveCount)
        // Only `older` has the history from here on, so it grows in place.
        waiting[last].message = .hello
        waiting[last].message = .touches(newer.merging(older))
        (waiting[last].input, waiting[last].ledger, waiting[last].at) = (scan, ledger, moment)
        coalesced &+= 1
        return part
    }

    /// Merges the first scan of moves, if it is the last waiting message, and all moves but the last into the last one. The
    /// result is as if each was merged alone.
    ///
    /// - Returns: The number of scans that were merged into later ones: all but the last, or none.
    mutating func merge(movesBehindFirstOf moves: TouchMoves, of scan: SequenceNumber) -> Int {
        let last = waiting.count - 1
        guard moves.count > 1, last >= 0, waiting[last].input == scan, case .touches(var frame) = waiting[last].message,
            frame.timeStamp == moves.firstTime, frame.contacts == moves.contacts,
            moves.contacts.allSatisfy({ $0.phase == .moved })
        else { return 0 }
        // Only `frame` has the history from here on, so it grows in place.
        waiting[last].message = .hello
        var merged = 0
        while merged < moves.count - 1 {
            let end = min(moves.count - 1, merged + frame.samplesUntilThinning)
            frame.history.append(moves[merged..<end])
            frame.thinHistory()
            merged = end
        }
        (frame.timeStamp, frame.contacts) = (moves.time(at: merged), moves.frame(at: merged).contacts)
        waiting[last].message = .touches(frame)
        coalesced &+= UInt64(merged)
        return merged
    }

    /// Removes the first waiting message if it is too old and all its touches end in later waiting messages.
    ///
    /// - Parameter limit: The age limit of a move; zero for no limit.
    /// - Returns: The scan of the removed message.
    mutating func dropStale(at now: Instant, limit: Duration) -> SequenceNumber? {
        guard limit > .zero, let first = waiting.first, !first.isEdge, case .touches(let frame) = first.message,
            first.at.duration(to: now) > limit
        else { return nil }
        let hasLeft = frame.contacts.allSatisfy { contact in
            waiting.contains { later in
                guard later.isEdge, case .touches(let frame) = later.message else { return false }
                return frame.contacts.contains { $0.touch == contact.touch && $0.phase.isEnd }
            }
        }
        guard hasLeft else { return nil }
        return waiting.removeFirst().input
    }

    /// What was discarded for an unresponsive app.
    struct Discarded {
        /// The scans of the discarded messages. They reach no app.
        var scans: [SequenceNumber] = []
        /// The number of touches that the app received and that are cancelled.
        var touches = 0
    }

    /// Discards the waiting messages of an unresponsive app, except those of its life cycle, scene and URLs.
    ///
    /// Every touch and input that the app has received and that has not ended is cancelled instead. The app never
    /// receives the others.
    ///
    /// - Parameters:
    ///   - revoked: Cancels of the touches that the app owned, at their last positions.
    ///   - inputs: Cancels of the keys and pointers that the app owned.
    mutating func discardWaiting(revoked: [TouchContact], inputs: [DeviceInput<SceneSpace>], at now: Instant)
        -> Discarded
    {
        var cut = Discarded()
        var cancels: [ServerToApp] = []
        let contacts = touchesToCancel(revoked)
        if !contacts.isEmpty { cancels.append(.touches(TouchFrame(timeStamp: now, contacts: contacts))) }
        for input in inputsToCancel(inputs) { cancels.append(.input(DeviceEvent(timeStamp: now, input: input))) }
        cut.touches = contacts.count
        cut.scans = held.map(\.input).filter { $0 > .zero }
        forgetHeld()
        var rest: [Waiting] = []
        for entry in waiting {
            if !entry.isAnswered {
                rest.append(entry)
            } else if entry.input > .zero {
                cut.scans.append(entry.input)
            }
        }
        waiting = cancels.map { Waiting(input: .zero, message: $0, ledger: Ledger(), at: now) } + rest
        return cut
    }

    /// The touches to cancel: those that the app has received. Each frame lists all touches of its app, so the first
    /// waiting frame shows which ones it has received.
    private func touchesToCancel(_ revoked: [TouchContact]) -> [TouchContact] {
        let frames = waiting.compactMap { waiting -> TouchFrame? in
            if case .touches(let frame) = waiting.message { frame } else { nil }
        }
        guard let first = frames.first else { return revoked }
        return first.contacts.filter { $0.phase != .began }.map { told in
            var last = revoked.first { $0.touch == told.touch } ?? told
            if let later = frames.last(where: { $0.contacts.contains { $0.touch == told.touch } }),
                !revoked.contains(where: { $0.touch == told.touch })
            {
                last = later.contacts.first { $0.touch == told.touch } ?? last
            }
            (last.phase, last.pressure, last.isGated) = (.cancelled, .zero, false)
            return last
        }
    }

    /// The keys and pointers to cancel: those that the app has received.
    private func inputsToCancel(_ revoked: [DeviceInput<SceneSpace>]) -> [DeviceInput<SceneSpace>] {
        var seen: [InputStretch] = []
        var cancels: [DeviceInput<SceneSpace>] = []
        for entry in waiting {
            guard case .input(let event) = entry.message, !seen.contains(event.input.stretch) else { continue }
            seen.append(event.input.stretch)
            guard event.input.phase != .began, event.input.phase != .once else { continue }
            cancels.append(event.input.ending(.cancelled))
        }
        return cancels + revoked.filter { !seen.contains($0.stretch) }
    }
}

extension AppConnection.Waiting {
    var isTouches: Bool { if case .touches = message { true } else { false } }
}

extension ServerToApp {
    /// Whether a touch or an input begins or ends in the message.
    var isEdge: Bool {
        switch self {
        case .touches(let frame): frame.isEdge
        case .input(let event): event.input.phase != .changed
        case .severalTouches: false
        case .hello, .link, .lifeCycle, .scene, .screenshot, .open, .opened, .observe, .refused: false
        }
    }
}

extension ContactPhase {
    fileprivate var isEnd: Bool { self == .ended || self == .cancelled }
    fileprivate var isEdge: Bool { self != .moved && self != .stationary }
}

extension TouchFrame {
    /// Whether a touch begins or ends in the frame. A frame in which every touch rests reports that the gates are open, so it
    /// counts as an edge.
    var isEdge: Bool { !contacts.contains { $0.phase == .moved } || contacts.contains(where: \.phase.isEdge) }

    /// The number of touches that move in the frame.
    var moveCount: Int { contacts.count { $0.phase == .moved } }

    /// Whether an older frame fits into this frame's history: it has the same touches, which only move or stay.
    fileprivate func canContain(_ older: TouchFrame) -> Bool {
        contacts.count == older.contacts.count
            && contacts.allSatisfy { contact in
                older.contacts.contains {
                    $0.touch == contact.touch && ($0.phase == .moved || $0.phase == .stationary)
                }
            }
    }

    /// This frame with an older one in its history.
    ///
    /// - Precondition: `canContain(older)`.
    fileprivate func merging(_ older: consuming TouchFrame) -> TouchFrame {
        var merged = self
        var isInOrder = true
        for index in contacts.indices {
            isInOrder = isInOrder && older.contacts[index].touch == contacts[index].touch
            let before = older.contacts.first { $0.touch == contacts[index].touch }
            if before?.phase == .moved { merged.contacts[index].phase = .moved }
        }
        swap(&merged.history, &older.history)
        merged.history.append(TouchFrame(timeStamp: older.timeStamp, contacts: older.contacts))
        if !isInOrder { merged.orderHistory() }
        merged.thinHistory()
        return merged
    }

    /// Orders the contacts of every history sample as the frame does. Scans of different devices may list them differently.
    private mutating func orderHistory() {
        history = TouchList(
            history.map { sample in
                let ordered = contacts.compactMap { later in sample.contacts.first { $0.touch == later.touch } }
                return TouchFrame(timeStamp: sample.timeStamp, contacts: ordered)
            })
    }

    /// The greatest number of samples in the history.
    private var mostSamples: Int { Self.historyLimit(contacts: contacts.count) }

    /// The number of samples after which the history is halved.
    fileprivate var samplesUntilThinning: Int { max(1, mostSamples + 1 - history.count) }

    /// Halves a history that is too long. The path keeps its whole length at half the resolution.
    mutating func thinHistory() {
        guard history.count > mostSamples else { return }
        let newest = history.count - 1
        history = TouchList(history.enumerated().lazy.filter { (newest - $0.offset) % 2 == 0 }.map(\.element))
        // With this many contacts no history fits.
        if mostSamples == 0 { history = TouchList() }
    }
}

extension Receipt {
    /// The receipt of a scan that was merged into a later one.
    ///
    /// - Parameter moves: The number of touches that moved in it.
    static func coalesced(_ moves: Int) -> Receipt {
        var receipt = Receipt(frame: .zero, outcome: .delivered)
        receipt.coalesced = UInt16(clamping: moves)
        return receipt
    }

    static let stale = Receipt(frame: .zero, outcome: .dropped, reason: .stale)
    static let notResponding = Receipt(frame: .zero, outcome: .dropped, reason: .notResponding)
}
