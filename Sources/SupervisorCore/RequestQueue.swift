// RequestQueue.swift: the requests of controllers to one process of the group, waiting and outstanding.
//
//     request ─room─▶ outstanding, 16 of them ─▶ a report request behind them ─▶ its report: all before it are done
//     question ─▶ waiting ─room─▶ outstanding ─answered, or done without an answer─▶ forgotten
//                    ▲                 │
//                    └───asked again───┘  the later one replaces one that waits
//
// A process reads its link in order, so its report answers for all that was sent before. A process that is stopped, or slower
// than those who ask, has at most `limit` requests on its link. A controller that asks faster than it is answered has
// one question of each subject on the link: of those it asks meanwhile, the last one is sent.
//
// Station   process
// Input     ControlBroker: requests, questions, answers, reports
// Output    ControlBroker: what to send now, and whether to ask for a report
// Knows     numbers of controllers. No link, no clock.
//
// Sources   invented, after threat T6

import Wire

struct RequestQueue: Sendable {
    /// What a question is about. One of each is outstanding for each controller.
    enum Subject: Hashable, Sendable {
        /// Everything the server knows.
        case detail
        /// The facts of this process.
        case facts(of: Peer)
    }

    /// What became of a question.
    enum Admission { case added, replacedAnother }

    private struct Question: Sendable {
        let controller: UInt32
        let subject: Subject
        /// The number of the request that is outstanding.
        var sent: UInt64?
        /// Of the server's enum, which has every question; another child is asked for its facts only.
        var waiting: SupervisorToServer?

        /// Whether the process has come to what was sent: then no answer is to come, or it went astray.
        func isDone(before first: UInt64) -> Bool { sent.map { $0 < first } ?? false }
    }

    /// Outstanding requests of all controllers: fewer than the link keeps for a child that does not read.
    static let limit = 128
    /// Outstanding requests of one controller.
    static let share = 32
    /// Questions of one controller, to all processes together: more than there are processes.
    static let questionLimit = 256
    /// Report requests without a report.
    private static let reportLimit = 8
    /// After this many requests, a report is asked for.
    private static let stretch = 16

    /// The start of the child that this queue belongs to: the next process has been asked nothing.
    let generation: UInt32
    /// The controllers that this process has been told observe.
    var observers: [Peer] = []
    /// The controllers of the outstanding requests, in the order they were sent.
    private var outstanding: [UInt32] = []
    /// The number of the first outstanding request.
    private var first: UInt64 = 0
    /// For each report that is outstanding: the number of the first request behind its own.
    private var reports: [UInt64] = []
    private var questions: [Question] = []

    init(generation: UInt32) { self.generation = generation }

    // MARK: Requests

    func hasRoom(for controller: UInt32) -> Bool {
        outstanding.count < Self.limit && outstanding.count(where: { $0 == controller }) < Self.share
    }

    /// Counts one more request as outstanding.
    ///
    /// - Returns: Its number.
    @discardableResult
    mutating func append(for controller: UInt32) -> UInt64 {
        outstanding.append(controller)
        return next - 1
    }

    /// The number of the next request.
    private var next: UInt64 { first + UInt64(outstanding.count) }

    // MARK: Reports

    /// Whether to ask for a report now.
    ///
    /// - Parameter isUrgent: A question waits for room.
    func wantsReport(isUrgent: Bool) -> Bool { reports.isEmpty && outstanding.count >= (isUrgent ? 1 : Self.stretch) }

    /// Counts one more report request as outstanding.
    ///
    /// - Returns: False when there are too many: a process that answers none is not asked without end.
    mutating func appendReportRequest() -> Bool {
        guard reports.count < Self.reportLimit else { return false }
        reports.append(next)
        return true
    }

    /// A report arrived: all that was sent before its request is done, and questions without an answer may be asked again.
    ///
    /// - Returns: Whether the report answers the last request for one.
    mutating func reportArrived() -> Bool {
        var isLast = true
        if !reports.isEmpty {
            let done = reports.removeFirst()
            outstanding.removeFirst(Int(done - first))
            first = done
            isLast = reports.isEmpty
        }
        questions.removeAll { [first] in $0.waiting == nil && $0.isDone(before: first) }
        return isLast
    }

    // MARK: Questions

    /// - Parameter takesNew: Whether the controller may have a question about one more subject.
    /// - Returns: Nil when the question is one too many, and nothing has changed.
    mutating func add(
        _ message: SupervisorToServer, about subject: Subject, for controller: UInt32, takesNew: Bool
    ) -> Admission? {
        guard let place = place(of: subject, for: controller) else {
            guard takesNew else { return nil }
            questions.append(Question(controller: controller, subject: subject, waiting: message))
            return .added
        }
        defer { questions[place].waiting = message }
        return questions[place].waiting == nil ? .added : .replacedAnother
    }

    /// Takes the next question of this controller that can be sent, and counts it as outstanding.
    mutating func takeNext(for controller: UInt32) -> SupervisorToServer? {
        guard hasRoom(for: controller) else { return nil }
        for place in questions.indices where questions[place].controller == controller {
            let question = questions[place]
            guard let message = question.waiting, question.sent == nil || question.isDone(before: first) else {
                continue
            }
            questions[place].sent = append(for: controller)
            questions[place].waiting = nil
            return message
        }
        return nil
    }

    /// - Returns: Whether another question of this controller waits.
    mutating func answerArrived(about subject: Subject, for controller: UInt32) -> Bool {
        if let place = place(of: subject, for: controller) {
            questions[place].sent = nil
            if questions[place].waiting == nil { questions.remove(at: place) }
        }
        return questions.contains { $0.controller == controller && $0.waiting != nil }
    }

    var hasWaitingQuestion: Bool { questions.contains { $0.waiting != nil } }

    func questionCount(of controller: UInt32) -> Int { questions.count { $0.controller == controller } }

    /// The controller has left. Its outstanding requests stay counted: the process has still to come to them.
    mutating func forget(_ controller: UInt32) { questions.removeAll { $0.controller == controller } }

    private func place(of subject: Subject, for controller: UInt32) -> Int? {
        questions.firstIndex { $0.subject == subject && $0.controller == controller }
    }
}
