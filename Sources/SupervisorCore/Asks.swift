// Asks.swift: what one child has been asked on behalf of controllers and has not come to yet: how much more it may be asked.
//
//     asked, asked, …, 16 of them ─▶ a report request behind them ─▶ its report: all that was asked before is done
//
// A child reads its link in order, so its report answers for everything that was asked before it. A child that is stopped, or
// slower than those who ask, has at most `limit` requests on its link: its link stays open, and the requests beyond wait with
// the controller that asks (Requests.swift) or are refused.
//
// Station   process
// Fed by    SupervisorCore: requests sent, reports that came
// Feeds     SupervisorCore: whether one more may be sent, and whether a report is wanted
// Knows     numbers of controllers. No message, no clock.
//
// Sources   invented, after PIPELINE T6

struct Asks: Sendable {
    /// Requests of all controllers together: fewer than the link keeps for a child that does not read.
    static let limit = 128
    /// Of one controller.
    static let share = 32
    /// Report requests without a report.
    private static let reportLimit = 8
    /// A report is asked for behind so many.
    private static let stretch = 16

    /// Whose, in the order they were sent.
    private var asked: [UInt32] = []
    /// The number of the first of them.
    private var first: UInt64 = 0
    /// For each report that is outstanding: the number of the first request behind its own.
    private var reports: [UInt64] = []

    func hasRoom(for controller: UInt32) -> Bool {
        asked.count < Self.limit && asked.count(where: { $0 == controller }) < Self.share
    }

    /// One more was sent.
    ///
    /// - Returns: Its number.
    mutating func ask(for controller: UInt32) -> UInt64 {
        asked.append(controller)
        return next - 1
    }

    /// Whether the child has come to this one.
    func isDone(_ number: UInt64) -> Bool { number < first }

    /// Whether to ask for a report now.
    ///
    /// - Parameter isUrgent: Somebody waits for room.
    func wantsReport(isUrgent: Bool) -> Bool { reports.isEmpty && asked.count >= (isUrgent ? 1 : Self.stretch) }

    /// Whether one more report may be asked for: a child that answers none is not asked without end.
    var takesReportRequest: Bool { reports.count < Self.reportLimit }

    mutating func askForReport() { reports.append(next) }

    /// A report came.
    ///
    /// - Returns: Whether it answers the last report request there was.
    mutating func report() -> Bool {
        guard !reports.isEmpty else { return true }
        let done = reports.removeFirst()
        asked.removeFirst(Int(done - first))
        first = done
        return reports.isEmpty
    }

    private var next: UInt64 { first + UInt64(asked.count) }
}
