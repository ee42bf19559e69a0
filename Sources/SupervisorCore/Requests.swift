// Requests.swift: the questions of one controller that wait for an answer, one for each thing there is to ask for.
//
//     none ──asked──▶ waiting ──room──▶ sent ──answered, or done without an answer──▶ none
//                        ▲                │
//                        └──asked again───┘ the later one, in place of any other that waits
//
// A controller that asks faster than it is answered is answered less often than it asks: of what it asks meanwhile the last
// one counts. So no controller can have more answers on their way than there are things to ask for.
//
// Station   process
// Fed by    SupervisorCore: questions, answers, room
// Feeds     SupervisorCore: what to send now
// Knows     one controller's questions. No link.
//
// Sources   invented, after PIPELINE T6

import Wire

struct Requests: Sendable {
    enum Subject: Hashable, Sendable {
        /// Everything the server knows.
        case detail
        /// The facts of this process.
        case facts(of: Peer)
    }

    private struct Entry: Sendable {
        let subject: Subject
        /// The child that is asked: of an app of another machine, the server.
        let child: Peer
        /// The number of the one that was sent, by `Asks`.
        var sent: UInt64?
        var waiting: Message?
    }

    /// Things one controller may wait for: more than there are processes.
    static let limit = 256

    private var entries: [Entry] = []

    /// - Returns: Whether another one was waiting, which is dropped; nil when there are too many things to wait for, and nothing
    ///   has changed.
    mutating func add(_ message: Message, about subject: Subject, to child: Peer) -> Bool? {
        guard let place = entries.firstIndex(where: { $0.subject == subject && $0.child == child }) else {
            guard entries.count < Self.limit else { return nil }
            entries.append(Entry(subject: subject, child: child, waiting: message))
            return false
        }
        defer { entries[place].waiting = message }
        return entries[place].waiting != nil
    }

    /// Whether anything waits for this child.
    func isWaiting(for child: Peer) -> Bool { entries.contains { $0.child == child && $0.waiting != nil } }

    /// The next one to send to this child.
    ///
    /// - Parameter isDone: Whether the child has come to the request of this number: then no answer is to come, or it went astray.
    func next(for child: Peer, isDone: (UInt64) -> Bool) -> (subject: Subject, message: Message)? {
        for entry in entries where entry.child == child {
            guard let message = entry.waiting, entry.sent.map(isDone) ?? true else { continue }
            return (entry.subject, message)
        }
        return nil
    }

    mutating func wasSent(_ subject: Subject, to child: Peer, as number: UInt64) {
        guard let place = entries.firstIndex(where: { $0.subject == subject && $0.child == child }) else { return }
        (entries[place].sent, entries[place].waiting) = (number, nil)
    }

    mutating func wasAnswered(_ subject: Subject, by child: Peer) {
        guard let place = entries.firstIndex(where: { $0.subject == subject && $0.child == child }) else { return }
        entries[place].sent = nil
        if entries[place].waiting == nil { entries.remove(at: place) }
    }

    /// The child has come to all that was sent before: what has no answer by now may be asked anew.
    mutating func forgetDone(by child: Peer, isDone: (UInt64) -> Bool) {
        entries.removeAll { $0.child == child && $0.waiting == nil && ($0.sent.map(isDone) ?? false) }
    }

    /// The child is no more: nothing of it is answered.
    mutating func forget(_ child: Peer) { entries.removeAll { $0.child == child } }
}
