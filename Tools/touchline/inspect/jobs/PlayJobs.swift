// PlayJobs.swift: plays of a recording, a script, or the last interaction once more.
//
//     POST /api/play {recording, speed} | {script} ─▶ play ─▶ its report, when it has ended
//     POST /api/play/stop ─▶ the connection of the play closes ─▶ the group cancels its fingers
//     POST /api/again ─▶ the last interaction's fingers as a script ─▶ play
//
// Input     InspectServer
// Output    JSON: the report of the play
// Knows     plays. GroupPlayer knows the messages; LastFingers makes the script.

import Basics
import Foundation
import Page
import Recordings
import Scenarios
import Synchronization
import Wire
import ZeroMQHost

/// The play of the inspector: one at a time.
final class InspectPlayer: Sendable {
    private struct State {
        /// Counts the plays.
        var number = 0
        var isPlaying = false
        var isStopped = false
    }

    private let state = Mutex(State())

    /// The longest play in seconds: its request is answered when it ends.
    static let lengthLimit = 240.0
    /// How soon a stop is noticed.
    private static let pause = Duration.milliseconds(20)

    /// Stops the play in progress.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func stop() -> Bool {
        state.withLock { state in
            guard state.isPlaying else { return false }
            state.isStopped = true
            return true
        }
    }

    /// Plays to the end or to `stop`.
    ///
    /// - Parameter length: The length of the source at its pace.
    /// - Throws: `InspectError` with status 409 while another play is in progress, 503 when the group ends.
    func play(
        _ source: PlayOrder.Source, pace: PlayOrder.Pace = .times(1000), length: Duration, _ context: InspectContext
    ) throws -> JSONText {
        let isFree = state.withLock { state in
            guard !state.isPlaying else { return false }
            state = State(number: state.number + 1, isPlaying: true)
            return true
        }
        guard isFree else { throw InspectError(409, "a play is in progress: stop it first") }
        defer { state.withLock { $0.isPlaying = false } }
        do {
            // Its end ends the play, and cancels the fingers.
            var player = GroupPlayer(client: try context.connect())
            try player.order(PlayOrder(id: 0, source: source, pace: pace))
            let deadline = monotonicNow().advanced(by: length + player.waitLimit)
            while true {
                switch try player.next(within: Self.pause) {
                case .ended(let report):
                    guard report.sent == 0, report.failure.hasPrefix("busy") else { return Self.json(report) }
                    throw InspectError(409, "the group plays something else")
                case .refused(let reason): throw InspectError(409, "refused: \(reason)")
                case .measured, .other: continue
                case .none:
                    if state.withLock({ $0.isStopped }) { return .object([("stopped", .bool(true))]) }
                    guard monotonicNow() < deadline else { throw InspectError(503, "no report of the play in time") }
                }
            }
        } catch let failure as Failure { throw InspectError(503, failure.line) }
    }

    private static func json(_ report: PlayReport) -> JSONText {
        func counts(_ counts: PhaseCounts) -> JSONText {
            .object([
                ("began", .int(counts.began)), ("moved", .int(counts.moved)), ("ended", .int(counts.ended)),
                ("cancelled", .int(counts.cancelled)),
            ])
        }
        return .object([
            ("stopped", .bool(false)), ("scans", .int(report.sent)), ("delivered", .int(report.delivered)),
            ("home", .int(report.home)), ("dropped", .int(report.dropped)), ("coalesced", .int(report.coalesced)),
            ("sent", counts(report.sentTouches)), ("arrived", counts(report.arrivedTouches)),
            ("takings", report.takings.map { .string($0) } ?? .null),
            ("losses", report.losses.map { .string($0) } ?? .null), ("failure", .string(report.failure)),
        ])
    }

    /// Plays a script. A long one is a file for the time of the play.
    func play(script text: String, _ context: InspectContext) throws -> JSONText {
        let script: FingerScript
        do throws(RecordingError) { script = try FingerScript(parsing: text) } catch {
            throw InspectError(422, "\(error)", [("line", .int(error.line))])
        }
        guard let last = script.lines.last else { throw InspectError(422, "script: expected lines, found none") }
        if let other = script.lines.first(where: { !$0.act.isInput }) {
            throw InspectError(
                422, "script: expected fingers, keys and pointers, found \(other.act); /api/act performs acts",
                [("line", .int(other.number))])
        }
        guard last.time.seconds <= Self.lengthLimit else {
            throw InspectError(
                422,
                "script: expected at most \(Int(Self.lengthLimit)) s, found \(fixedText(last.time.seconds, digits: 1)) s"
            )
        }
        guard text.utf8.count > PlayOrder.scriptLimit else {
            return try play(.script(text), length: last.time, context)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString).touch")
        defer { try? FileManager.default.removeItem(at: file) }
        do { try Data(text.utf8).write(to: file) } catch {
            throw InspectError(500, "\(file.path): cannot be written: \(error.localizedDescription)")
        }
        return try play(.file(file.path), length: last.time, context)
    }
}

/// `POST /api/play`.
struct PlayJob: InspectJob {
    let path = "/api/play"
    let method = "POST"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        let player = context.desk.player
        switch (body["recording"], body["script"]) {
        case (nil, .some):
            // The lines of a script have their times.
            if body["speed"] != nil { throw InspectError(400, "speed: expected with a recording, found with a script") }
            return try player.play(script: try body.expectText("script", "a finger script"), context)
        case (.some, nil): break
        case (nil, nil), (.some, .some):
            throw InspectError(400, "expected one of recording and script, found \(body["script"] == nil ? 0 : 2)")
        }
        let recording = try context.desk.library.recording(try body.expectText("recording", "the name of a recording"))
        let speed = body["speed"] == nil ? 1 : try body.expectNumber("speed")
        guard (0.01...100).contains(speed) else {
            throw InspectError(422, "speed: expected 0.01 to 100, found \(speed)")
        }
        let seconds = context.desk.library.seconds(of: recording) / speed
        guard seconds <= InspectPlayer.lengthLimit else {
            throw InspectError(
                422,
                "\(recording.name): expected at most \(Int(InspectPlayer.lengthLimit)) s at this speed, found "
                    + "\(fixedText(seconds, digits: 1)) s")
        }
        return try player.play(
            .file(recording.path), pace: .times(UInt32((speed * 1000).rounded())), length: Duration(seconds: seconds),
            context)
    }
}

/// `POST /api/play/stop`.
struct StopPlayJob: InspectJob {
    let path = "/api/play/stop"
    let method = "POST"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        .object([("stopped", .bool(context.desk.player.stop()))])
    }
}

/// `POST /api/again`: the fingers of the last interaction once more, on the group as it is now.
struct AgainJob: InspectJob {
    let path = "/api/again"
    let method = "POST"

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        let script: String?
        do throws(UnrepeatableRun) { script = try context.hub.lastFingers.script() } catch {
            throw InspectError(409, "\(error)")
        }
        guard let script else { throw InspectError(409, "no finger has touched the group yet") }
        return try context.desk.player.play(script: script, context)
    }
}
