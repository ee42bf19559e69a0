// RequestQueue.swift: the requests of controllers to one process of the group, waiting and outstanding.
//
//     request ─room─▶ outstanding, 16 of them ─▶ a report request after them ─▶ its report: all before it are done
//     question ─▶ waiting ─room─▶ outstanding ─answered, or done without an answer─▶ forgotten
//                    ▲                 │
//                    └───asked again───┘  the later one replaces one that waits
//
// A process reads its link in order, so its report acknowledges all earlier requests. A stopped or slow process has at
// most `limit` requests on its link. A fast controller has one question of each subject on the link; of its questions
// meanwhile, the last one is sent.
//
// Station   process
// Input     ControlBroker: requests, questions, answers, reports
// Output    ControlBroker: the next request to send, and whether to request a report
// Knows     numbers of controllers. No link, no clock.
//
// Sources   invented, after threat T6

import Wire

/// The requests to one process.
struct RequestQueue: Sendable {
    /// The subject of a question. Each controller has one outstanding question of each.
    enum Subject: Hashable, Sendable {
        /// Everything that the server knows.
        case detail
        /// The facts of this process.
        case facts(of: Peer)
    }

    /// The outcome of adding a question.
    enum Admission { case added, replacedAnother }

    private struct Question: Sendable {
        let controller: UInt32
        let subject: Subject
        /// The number of the outstanding request.
        var sent: UInt64?
        /// The message that waits. The server's enum has every question; other children are asked for facts only.
        var waiting: SupervisorToServer?

        /// Whether the process has handled the outstanding request: then no answer will arrive, or it was lost.
        func isDone(before first: UInt64) -> Bool { sent.map { $0 < first } ?? false }
    }

    /// Outstanding requests of all controllers: fewer than the link keeps for a child that does not read.
    static let limit = 128
    /// Outstanding requests of one controller.
    static let controllerLimit = 32
    /// Questions of one controller, to all processes together: more than there are processes.
    static let questionLimit = 256
    /// Report requests without a report.
    private static let reportLimit = 8
    /// The number of requests after which a report is requested.
    private static let reportInterval = 16

    /// The process generation that this queue belongs to: the next process has received no request.
    let generation: UInt32
    /// The controllers that this process knows as observers.
    var observers: [Peer] = []
    /// The controllers of the outstanding requests, in the order they were sent.
    private var outstanding: [UInt32] = []
    /// The number of the first outstanding request.
    private var first: UInt64 = 0
    /// For each outstanding report request: the number of the first request after it.
    private var reports: [UInt64] = []
    private var questions: [Question] = []

    init(generation: UInt32) { self.generation = generation }

    // MARK: Requests

    func hasRoom(for controller: UInt32) -> Bool {
        outstanding.count < Self.limit && outstanding.count(where: { $0 == controller }) < Self.controllerLimit
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

    /// Whether to request a report now.
    ///
    /// - Parameter isUrgent: Whether a question waits for room.
    func wantsReport(isUrgent: Bool) -> Bool {
        reports.isEmpty && outstanding.count >= (isUrgent ? 1 : Self.reportInterval)
    }

    /// Counts one more report request as outstanding.
    ///
    /// - Returns: False if there are too many: a process that answers none must not receive requests without end.
    mutating func appendReportRequest() -> Bool {
        guard reports.count < Self.reportLimit else { return false }
        reports.append(next)
        return true
    }

    /// Notes a report: all requests before its own are done, and questions without an answer may be asked again.
    ///
    /// - Returns: Whether the report answers the last report request.
    mutating func noteReport() -> Bool {
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

    /// Adds a question.
    ///
    /// - Parameter takesNew: Whether the controller may have a question about one more subject.
    /// - Returns: Nil if the question exceeds the limit; then nothing has changed.
    mutating func add(
        _ message: SupervisorToServer, about subject: Subject, for controller: UInt32, takesNew: Bool
    ) -> Admission? {
        guard let index = questionIndex(of: subject, for: controller) else {
            guard takesNew else { return nil }
            questions.append(Question(controller: controller, subject: subject, waiting: message))
            return .added
        }
        defer { questions[index].waiting = message }
        return questions[index].waiting == nil ? .added : .replacedAnother
    }

    /// Removes the next question of this controller that can be sent, and counts it as outstanding.
    mutating func removeNext(for controller: UInt32) -> SupervisorToServer? {
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

    /// Notes an answer.
    ///
    /// - Returns: Whether another question of this controller waits.
    mutating func noteAnswer(about subject: Subject, for controller: UInt32) -> Bool {
        if let index = questionIndex(of: subject, for: controller) {
            questions[index].sent = nil
            if questions[index].waiting == nil { questions.remove(at: index) }
        }
        return questions.contains { $0.controller == controller && $0.waiting != nil }
    }

    var hasWaitingQuestion: Bool { questions.contains { $0.waiting != nil } }

    func questionCount(of controller: UInt32) -> Int { questions.count { $0.controller == controller } }

    /// Forgets the questions of a controller that has left. Its outstanding requests stay counted, because the process
    /// still has to handle them.
    mutating func forget(_ controller: UInt32) { questions.removeAll { $0.controller == controller } }

    private func questionIndex(of subject: Subject, for controller: UInt32) -> Int? {
        questions.firstIndex { $0.subject == subject && $0.controller == controller }
    }
}
