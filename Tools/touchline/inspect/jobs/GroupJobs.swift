// GroupJobs.swift: what a page can choose, and the start of the group with it.
//
//     GET  /api/choices ─▶ scenes, apps, recordings, acts, faults, what is shown now
//     POST /api/group   {scene} | {app} | {yaml} ─▶ read and checked ─▶ a second group starts, then the first one ends
//
// Input     InspectServer
// Output    JSON
// Knows     InspectedGroup.Content. SceneText checks the text.

import Basics
import Foundation
import Page
import Recordings
import SampleApps
import Scenarios
import Wire

/// `GET /api/choices`.
struct ChoicesJob: InspectJob {
    let path = "/api/choices"
    let method = "GET"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        let library = context.desk.library
        return .object([
            ("scenes", library.scenesJSON), ("apps", InspectLibrary.appsJSON), ("recordings", library.recordingsJSON),
            ("current", context.group.currentJSON), ("acts", .strings(ActJob.Act.allCases.map(\.rawValue))),
            ("faults", .strings(context.group.isOwn ? ProcessJob.Act.allCases.map(\.rawValue) : [])),
        ])
    }
}

/// `POST /api/group`: starts the group again. The old group goes on if the new content is not valid.
struct GroupJob: InspectJob {
    let path = "/api/group"
    let method = "POST"

    /// The most bytes of an edited scene.
    static let textLimit = 256 << 10

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        try context.expectOwnGroup()
        let given = ["scene", "app", "yaml"].filter { body[$0] != nil }
        guard given.count == 1 else {
            throw InspectError(400, "expected one of scene, app and yaml, found \(given.count)")
        }
        let current = context.group.content
        switch given[0] {
        case "scene":
            let scene = try context.desk.library.scene(try body.expectText("scene", "the name of a scene"))
            let text = try parsed { () throws(ScenarioError) in try SceneText(contentsOf: scene.path) }
            try context.show(text, named: scene.name, like: current)
        case "app":
            let name = try body.expectText("app", "the name of a sample app")
            guard SampleApp.named(name) != nil else {
                let hint = nearestName(to: name, among: SampleApp.names).map { "; did you mean \($0)?" } ?? ""
                throw InspectError(404, "no sample app is called \(quoted(name))\(hint)")
            }
            try context.showApp(name, thresholds: [], like: current)
        default:
            let yaml = try body.expectText("yaml", "the text of a scene")
            guard yaml.utf8.count <= Self.textLimit else {
                throw InspectError(
                    413, "yaml: expected at most \(Self.textLimit) bytes, found \(yaml.utf8.count)")
            }
            let text = try parsed { () throws(ScenarioError) in
                try SceneText(parsing: yaml, file: Self.name(of: current))
            }
            try context.show(text, named: Self.name(of: current), like: current)
        }
        return .object([("current", context.group.currentJSON)])
    }

    /// The name of an edited text in errors.
    private static func name(of content: InspectedGroup.Content) -> String { content.scene?.name ?? "scene" }
}

/// Makes a value of a scene's text.
///
/// - Throws: `InspectError` with status 422, and the line and column of the error.
func parsed<Value>(_ body: () throws(ScenarioError) -> Value) throws -> Value {
    do throws(ScenarioError) { return try body() } catch {
        throw InspectError(
            422, error.reason,
            [("line", .int(error.location.line)), ("column", .int(error.location.column))])
    }
}

extension InspectContext {
    /// Starts the group with a scene.
    func show(_ text: SceneText, named name: String, like current: InspectedGroup.Content) throws {
        let file = try SceneFile(text.text)
        var content = InspectedGroup.Content()
        (content.scene, content.yaml, content.apps) = ((name, file.path), text.text, current.apps)
        (content.file, content.settings) = (file, text.settings)
        try restart(content)
    }

    /// Starts the group with a sample app.
    func showApp(_ name: String, thresholds: [Setting], like current: InspectedGroup.Content) throws {
        var content = InspectedGroup.Content()
        (content.app, content.apps, content.thresholds) = (name, current.apps, thresholds)
        content.settings = thresholds.map { "\($0.key)=\($0.value)" }
        try restart(content)
    }

    private func restart(_ content: InspectedGroup.Content) throws {
        desk.player.stop()
        desk.slowProcesses.forgetAll()
        try group.restart(content)
    }
}

extension InspectedGroup {
    /// What the apps show now.
    var currentJSON: JSONText {
        let content = content
        var members: [(String, JSONText)] = [("own", .bool(isOwn))]
        if let scene = content.scene { members.append(("scene", .string(scene.name))) }
        if let app = content.app { members.append(("app", .string(app))) }
        members.append(("yaml", (try? text)?.map { .string($0.text) } ?? .null))
        return .object(members)
    }

    /// The text of the scene that is shown; nil for a sample app and for a joined group.
    ///
    /// - Throws: `ScenarioError` if the file has changed and is not valid any more.
    var text: SceneText? {
        get throws(ScenarioError) {
            guard let scene = content.scene else { return nil }
            guard let yaml = content.yaml else { return try SceneText(contentsOf: scene.path) }
            return try SceneText(parsing: yaml, file: scene.name)
        }
    }
}

/// A file with the text of a scene, in a folder of its own that is removed with this object.
final class SceneFile: Sendable {
    private let folder: TemporaryFolder
    var path: String { "\(folder.path)/scene.yaml" }

    init(_ text: String) throws {
        folder = try TemporaryFolder("scene")
        do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
            throw InspectError(500, "\(path): cannot be written: \(error.localizedDescription)")
        }
    }
}
