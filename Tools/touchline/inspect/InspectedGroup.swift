// InspectedGroup.swift: the group that a page touches: one that this command started, or one that runs already.
//
//     own:     up --while-stdin-lasts in a new folder ─▶ restart: a second group starts, then the first one ends
//     joined:  the folder of a running group; it cannot be restarted from here
//
// Input     InspectCommand, jobs
// Output    the folder of the group as it is now
// Knows     arguments of `up`. The threads of the hub talk to the group.

import Basics
import Foundation
import Synchronization
import Wire

/// The inspected group.
final class InspectedGroup: Sendable {
    /// What the apps of an own group show.
    struct Content: Sendable {
        /// A scene file, with the name that a person knows.
        var scene: (name: String, path: String)?
        /// A sample app.
        var app: String?
        /// The text of a scene that has no file of a person.
        var yaml: String?
        var apps = 2
        /// Further `key=value`.
        var settings: [String] = []
        /// The thresholds that a person has changed, of a sample app. Those of a scene are in its text.
        var thresholds: [Setting] = []
        /// The file of `scene`, if the scene has no file of a person.
        var file: SceneFile?

        /// What the apps show, for a person; empty for a joined group.
        var name: String { scene?.name ?? app ?? "" }

        var arguments: [String] {
            (scene.map { ["--scene", $0.path] } ?? []) + (app.map { ["--app", $0] } ?? [])
        }
    }

    private struct State: @unchecked Sendable {
        var own: OwnGroup?
        var runDirectory: String
        var content: Content
        /// Counts the groups, so that the threads notice a new one.
        var number = 0
    }

    private let state: Mutex<State>
    let isOwn: Bool

    /// Starts a group.
    ///
    /// - Throws: `Failure` as `up` reports it.
    init(starting content: Content) throws {
        isOwn = true
        let group = try Self.start(content)
        state = Mutex(State(own: group, runDirectory: group.runDirectory, content: content))
    }

    /// Joins a running group.
    init(joining runDirectory: String) {
        isOwn = false
        state = Mutex(State(own: nil, runDirectory: runDirectory, content: Content()))
    }

    private static func start(_ content: Content) throws -> OwnGroup {
        try OwnGroup(
            allowsChaos: true, settings: ["device.virtual=true"] + content.settings, apps: content.apps,
            arguments: content.arguments)
    }

    var runDirectory: String { state.withLock { $0.runDirectory } }
    var number: Int { state.withLock { $0.number } }
    var content: Content { state.withLock { $0.content } }

    /// Replaces the group by one with other content. If that cannot be started, the old group goes on.
    ///
    /// - Throws: `InspectError` with status 409 for a joined group; `Failure` of `up`.
    func restart(_ content: Content) throws {
        guard isOwn else { throw InspectError(409, "the group was started by another command: restart it there") }
        let group = try Self.start(content)
        let old = state.withLock { state in
            let old = state.own
            state = State(
                own: group, runDirectory: group.runDirectory, content: content, number: state.number + 1)
            return old
        }
        old?.stop()
    }

    /// Ends an own group.
    func stop() {
        let own = state.withLock { state in
            defer { (state.own, state.content) = (nil, Content()) }
            return state.own
        }
        own?.stop()
    }
}
