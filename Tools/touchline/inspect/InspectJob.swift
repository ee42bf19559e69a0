// InspectJob.swift: one request of the page under /api, and what a job may use.
//
//     POST /api/again {…} ─▶ InspectJob.handle ─▶ JSON, or InspectError
//
// Input     InspectServer, on a thread of its own for each request: a job may block
// Output    JSON
// Knows     the group and the browsers, through InspectContext
//
// A job is a type in Tools/touchline/inspect/jobs, listed in InspectJobs.all.

import Basics
import Page
import Recordings
import Wire
import ZeroMQHost

/// A request that the page makes.
protocol InspectJob: Sendable {
    /// `/api/…`
    var path: String { get }
    /// `GET` or `POST`.
    var method: String { get }

    /// Does the job. It may block: each request has a thread of its own.
    ///
    /// - Parameter body: The request's JSON; an empty object for GET.
    /// - Throws: `InspectError`, or any error, which becomes status 500 with its text.
    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText
}

/// An error that a job answers with.
struct InspectError: Error {
    var status: Int
    /// The members of `error`; the first is the message.
    var fields: [(String, JSONText)]

    init(_ status: Int, _ message: String, _ more: [(String, JSONText)] = []) {
        (self.status, fields) = (status, [("message", .string(message))] + more)
    }
}

/// What jobs use.
struct InspectContext: Sendable {
    let group: InspectedGroup
    let hub: BrowserHub
    let desk: InspectDesk

    /// A connection of the job's own, for one request.
    func connect() throws -> ControlClient { try .connect(to: group.runDirectory) }
}

extension JSONNode {
    /// A text member of an object; nil without one.
    func text(_ key: String) -> String? { if case .string(let text)? = self[key]?.value { text } else { nil } }

    /// A number member of an object; nil without one.
    func number(_ key: String) -> Double? { if case .number(let number)? = self[key]?.value { number } else { nil } }
}

/// All jobs.
enum InspectJobs {
    static let all: [any InspectJob] = [
        StateJob(), ChoicesJob(), GroupJob(), DialsJob(), SetDialJob(), PlayJob(), StopPlayJob(), AgainJob(),
        ProcessJob(), ActJob(), LookbackJob(), WhatIfJob(),
    ]
}

/// `GET /api/state`: the processes of the group and the latencies, as the message `group` has them.
struct StateJob: InspectJob {
    let path = "/api/state"
    let method = "GET"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText { context.hub.groupMessage() }
}
