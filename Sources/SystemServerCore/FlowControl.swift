// FlowControl.swift: how much one app is told at a time, and what becomes of what it has no room for yet.
//
//     to be told ─┬ room, and nothing before it ─▶ told
//                 └ else ─▶ waits ──an answer comes──▶ told
//                            ├ the same fingers have moved on: becomes part of what waits next
//                            ├ too old to be news, and its fingers have left since: dropped (stale)
//                            └ its app does not answer: dropped (notResponding), and one cancel waits in its place
//
// What begins, ends or is cancelled is never part of anything else and never dropped, but for an app that does not
// answer. So between two of those waits one frame of moves at most, and its history.
//
// Station   router
// Fed by    SystemServerCore: a frame for an app, an answer, the end of an app's patience
// Feeds     SystemServerCore: frames in their order, scans that are answered without the app
// Knows     one link. No finger that it does not hold.
//
// Sources   documented  moves coalesce per finger, the rest has reserved credit (Docs/Spec/Pipeline.md section 1, F5); stale events go but
//                       inside a live gesture (F4)
//           invented    the reserve, how a history that is full gets thinner

import Basics
import HID
import Hosting
import Links
import Wire

extension AppConnection {
    /// How many frames the app may have and not have answered.
    var share: Int { min(limit, link.capacity) }

    /// Of a window, what only those may use in which something begins or ends, and what waits before one of them.
    static func reserve(of window: Int) -> Int { min(8, window / 4) }

    /// Whether a frame may go out, if nothing waits before it.
    func hasRoom(forEdge isEdge: Bool) -> Bool {
        unanswered < (isEdge ? share : share - Self.reserve(of: share))
    }

    /// The next frame the window lets out, and what it was while it waited.
    mutating func next() -> (waiting: Waiting, frame: Frame)? {
        guard let first = waiting.first else { return nil }
        let isEdge = first.isEdge || waiting.contains(where: \.isEdge)
        guard !first.isAnswered || hasRoom(forEdge: isEdge) else { return nil }
        waiting.removeFirst()
        return (first, link.frame(first.told.message, ledger: first.ledger))
    }

    /// Puts a question behind what waits. What says no more of the same fingers than where they were becomes part of
    /// it, whatever keys wait between.
    ///
    /// - Returns: The scan that has become part of it; nil for none.
    mutating func wait(_ question: consuming Waiting) -> SequenceNumber? {
        guard case .touches(let newer) = question.message, !question.isEdge,
            let place = waiting.lastIndex(where: \.isTouches), !waiting[place].isEdge,
            case .touches(let older) = waiting[place].message, let merged = newer.continuing(older)
        else {
            waiting.append(question)
            return nil
        }
        let part = waiting.remove(at: place).input
        coalesced &+= 1
        var whole = Waiting(
            input: question.input, message: .touches(merged), ledger: question.ledger, at: question.at)
        whole.shown = question.shown
        waiting.append(whole)
        return part
    }

    /// Takes the first that waits, if it is too old to be news and nobody goes on with it.
    ///
    /// - Parameter limit: How old a move may be; zero for any age.
    /// - Returns: Its scan.
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

    /// What an app that does not answer is not told.
    struct Cut {
        /// Nobody is told of these any more.
        var scans: [SequenceNumber] = []
        /// What it has been told of and not of the end.
        var touches = 0
    }

    /// Of what waits only changes of life stay. All the app has been told of and not of the end is cancelled in its
    /// place; what it has not been told of it never will.
    ///
    /// - Parameters:
    ///   - revoked: Cancels of the fingers that were its own until now, wherever they are.
    ///   - inputs: The same of keys and pointers.
    mutating func cut(revoked: [TouchContact], inputs: [DeviceInput<SceneSpace>], at now: Instant) -> Cut {
        var cut = Cut()
        var cancels: [ServerToApp] = []
        let contacts = toldTouches(revoked)
        if !contacts.isEmpty { cancels.append(.touches(TouchFrame(timeStamp: now, contacts: contacts))) }
        for input in toldInputs(inputs) { cancels.append(.input(DeviceEvent(timeStamp: now, input: input))) }
        cut.touches = contacts.count
        cut.scans = held.map(\.input).filter { $0 > .zero }
        forgetHeld()
        var rest: [Waiting] = []
        for waiting in waiting {
            if !waiting.isAnswered {
                rest.append(waiting)
            } else if waiting.input > .zero {
                cut.scans.append(waiting.input)
            }
        }
        waiting = cancels.map { Waiting(input: .zero, message: $0, ledger: Ledger(), at: now) } + rest
        return cut
    }

    /// A frame lists every touch of its app: so the first that waits says which the app has been told of.
    private func toldTouches(_ revoked: [TouchContact]) -> [TouchContact] {
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

    private func toldInputs(_ revoked: [DeviceInput<SceneSpace>]) -> [DeviceInput<SceneSpace>] {
        var heard: [InputStretch] = []
        var told: [DeviceInput<SceneSpace>] = []
        for waiting in waiting {
            guard case .input(let event) = waiting.message, !heard.contains(event.input.stretch) else { continue }
            heard.append(event.input.stretch)
            guard event.input.phase != .began, event.input.phase != .once else { continue }
            told.append(event.input.ending(.cancelled))
        }
        return told + revoked.filter { !heard.contains($0.stretch) }
    }
}

extension AppConnection.Waiting {
    var isTouches: Bool { if case .touches = message { true } else { false } }
}

extension ServerToApp {
    /// Whether something begins or ends with it.
    var isEdge: Bool {
        switch self {
        // One in which everything rests says that a gate has opened.
        case .touches(let frame):
            !frame.contacts.contains { $0.phase == .moved } || frame.contacts.contains(where: \.phase.isEdge)
        case .input(let event): event.input.phase != .changed
        case .hello, .link, .lifeCycle, .scene, .screenshot, .open, .opened, .observe, .refused: false
        }
    }
}

extension ContactPhase {
    fileprivate var isEnd: Bool { self == .ended || self == .cancelled }
    fileprivate var isEdge: Bool { self != .moved && self != .stationary }
}

extension TouchFrame {
    /// This frame with an older one as a part of it, when both say no more of the same fingers than where they are.
    fileprivate func continuing(_ older: TouchFrame) -> TouchFrame? {
        guard contacts.count == older.contacts.count else { return nil }
        var merged = self
        var isInOrder = true
        for place in contacts.indices {
            guard let before = older.contacts.first(where: { $0.touch == contacts[place].touch }),
                before.phase == .moved || before.phase == .stationary
            else { return nil }
            isInOrder = isInOrder && older.contacts[place].touch == contacts[place].touch
            if before.phase == .moved { merged.contacts[place].phase = .moved }
        }
        merged.history = older.history
        merged.history.append(TouchFrame(timeStamp: older.timeStamp, contacts: older.contacts))
        if !isInOrder { merged.orderHistory() }
        merged.thinHistory()
        return merged
    }

    /// Every scan of it lists the touches as the frame does: one of another device may have listed them otherwise.
    private mutating func orderHistory() {
        for place in history.indices {
            let listed = history[place].contacts
            history[place].contacts = contacts.compactMap { later in listed.first { $0.touch == later.touch } }
        }
    }

    /// The way stays whole, and half as fine.
    mutating func thinHistory() {
        let most = min(Self.historyLimit, Self.historyContactLimit / max(1, contacts.count))
        guard history.count > most else { return }
        let newest = history.count - 1
        history = history.indices.filter { (newest - $0) % 2 == 0 }.map { history[$0] }
        // More fingers than a history has room for.
        if most == 0 { history.removeAll() }
    }
}

extension Receipt {
    /// Of a scan that has become part of a later one.
    static let coalesced = Receipt(frame: .zero, outcome: .delivered)
    static let stale = Receipt(frame: .zero, outcome: .dropped, reason: .stale)
    static let notResponding = Receipt(frame: .zero, outcome: .dropped, reason: .notResponding)
}
