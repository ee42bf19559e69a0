// Notices.swift: events of hosts and children that are only noted and counted.
//
// Station   process
// Input     SupervisorCore: refusals of the host, objections of children, apps that do not respond
// Output    facts; the number of refusals and the last one, for the supervisor's report
// Knows     counts and the last texts. No child, no controller.
//
// Sources   invented

import Basics
import Hosting
import Trace
import Wire

/// Counts of refusals and objections.
struct Notices: Sendable {
    /// The longest refusal in a report, in characters.
    private static let refusalLimit = 80
    /// The longest objection in a fact, in characters.
    private static let objectionLimit = 200

    private var refusals = RepetitionLimit()
    private(set) var lastRefusal = ""
    /// Requests that children refused.
    private var objections = RepetitionLimit()

    var refusalCount: UInt64 { refusals.count }

    /// Notes that the host refused a peer's packet or connection.
    mutating func note(_ refusal: Refusal, at now: Instant, into outbox: inout Outbox) {
        if refusals.countOccurrence() {
            outbox.trace.note(
                now, .process, "refused, {b} so far: {a:n}", outbox.trace.intern("\(refusal)"),
                Int64(clamping: refusals.count))
        }
        lastRefusal = String("\(refusal)".prefix(Self.refusalLimit))
    }

    /// Notes that a child has refused a request.
    mutating func noteObjection(_ reason: String, of child: Peer, at now: Instant, into outbox: inout Outbox) {
        guard objections.countOccurrence() else { return }
        outbox.trace.note(
            now, .process, "{a:n} refused: {b:n}", outbox.trace.intern("\(child)"),
            outbox.trace.intern(String(reason.prefix(Self.objectionLimit))))
    }

    /// Notes the server's judgement about an app that does not respond, or responds again.
    func note(_ stall: Stall, at now: Instant, into outbox: inout Outbox) {
        let app = Int64(stall.app)
        guard let lasted = stall.lasted else {
            return outbox.trace.note(
                now, .process, "app {a} does not answer: {b} frames unanswered, {c} touches cancelled", app,
                Int64(stall.unanswered), Int64(stall.touches))
        }
        outbox.trace.note(now, .process, "app {a} answers again after {b:t}", app, lasted.nanoseconds)
    }
}
