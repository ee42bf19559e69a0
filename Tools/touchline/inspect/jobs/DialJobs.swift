// DialJobs.swift: the numbers of the shown scene, and one of them changed.
//
//     GET  /api/dials ─▶ dials       POST /api/dials {id, value} ─▶ text with that value ─▶ the group again
//
// Input     InspectServer
// Output    JSON
// Knows     SceneText and ThresholdDials have the numbers, their ranges and the edit.

import Basics
import Page
import Recordings
import Scenarios

/// `GET /api/dials`.
struct DialsJob: InspectJob {
    let path = "/api/dials"
    let method = "GET"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        try .array(context.group.dials.map(\.json))
    }
}

/// `POST /api/dials`: starts the group again with one number changed.
struct SetDialJob: InspectJob {
    let path = "/api/dials"
    let method = "POST"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        try context.expectOwnGroup()
        let (id, value) = (try body.expectText("id", "the id of a dial"), try body.expectNumber("value"))
        let content = context.group.content
        do {
            if let text = try parsed({ () throws(ScenarioError) in try context.group.text }) {
                try context.show(
                    try text.setting(id, to: value), named: content.scene?.name ?? "scene", like: content)
            } else if let app = content.app {
                let thresholds = try ThresholdDials(content.thresholds).setting(id, to: value)
                try context.showApp(app, thresholds: thresholds, like: content)
            } else {
                throw DialError.unknown(id)
            }
        } catch let error as DialError {
            if case .unknown = error { throw InspectError(404, "\(error)") }
            throw InspectError(422, "\(error)")
        } catch let error as ScenarioError {
            throw InspectError(
                422, error.reason,
                [("line", .int(error.location.line)), ("column", .int(error.location.column))])
        }
        let current = context.group.currentJSON
        return .object([
            ("current", current), ("dials", .array((try? context.group.dials.map(\.json)) ?? [])),
            ("yaml", (try? context.group.text)?.map { .string($0.text) } ?? .null),
        ])
    }
}

extension InspectedGroup {
    /// The dials of what is shown; none for a joined group.
    fileprivate var dials: [SceneDial] {
        get throws {
            if let text = try parsed({ () throws(ScenarioError) in try text }) { return text.dials }
            return content.app == nil ? [] : ThresholdDials(content.thresholds).dials
        }
    }
}

extension SceneDial {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("label", .string(label)), ("view", view.map { .string($0) } ?? .null),
            ("value", .decimal(value)), ("min", .decimal(range.lowerBound)), ("max", .decimal(range.upperBound)),
            ("step", .decimal(step)), ("unit", .string(unit == "number" || unit == "count" ? "" : unit)),
        ])
    }
}
