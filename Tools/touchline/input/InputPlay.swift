// InputPlay.swift: the gestures of a word as a script, and its play in the group or its print on stdout.

import Basics
import Foundation
import Recordings
import Settings
import Synthesis
import Wire
import ZeroMQHost

/// The play of one word.
struct InputPlay {
    let commandName: String
    let options: InputOptions

    /// Makes the gestures for the group's screen and plays them `times` times.
    ///
    /// - Parameter gestures: Makes the gestures of one time.
    func run(_ gestures: (Rect<ScreenSpace>) throws -> [Gesture]) throws {
        // A script that is only printed needs no group.
        let client = options.prints ? try? options.runDirectory.connect() : try options.runDirectory.connect()
        let group = try client.flatMap { try GroupReport(from: $0) }
        let groupScreen = try group.flatMap { try options.displayOption.screen(of: $0) }
        let screen = options.givenScreen ?? groupScreen ?? Self.defaultScreen
        var synthesizer = Synthesizer(on: screen, rate: options.rate, human: try options.handSeed)
        do {
            for time in 0..<options.repeats {
                if time > 0 { synthesizer.pause(Duration(seconds: options.interval)) }
                for gesture in try gestures(screen) { try synthesizer.play(gesture) }
            }
        } catch let error as GestureError {
            throw Failure.badInput("\(commandName): \(error)")
        }
        try play(synthesizer.lines, to: client)
    }

    /// The screen of a group with default settings.
    private static var defaultScreen: Rect<ScreenSpace> {
        let settings = Settings()
        return Rect(x: 0, y: 0, width: settings[.screenWidth], height: settings[.screenHeight])
    }

    /// - Parameter client: Nil when the script is only printed.
    func play(_ lines: [FingerScript.Line], to client: ControlClient?) throws {
        if options.prints {
            if !lines.isEmpty { printText(lines.map { "\($0)" }.joined(separator: "\n")) }
            return
        }
        guard let client else { return }
        if options.displayOption.display != 1,
            lines.contains(where: { if case .device = $0.act { true } else { false } })
        {
            throw Failure.badInput(
                "\(commandName): expected fingers with --display, as keys and pointers belong to the main display")
        }
        var receipts = options.receipt ? try InteractionReceipts(from: client) : nil
        let begun = monotonicNow()
        var player = GroupPlayer(
            client: client, waitLimit: options.timeoutOption.limit, display: options.displayOption.display)
        var sum: PlayReport?
        do {
            for piece in try pieces(of: lines) {
                let report = try Self.play(piece, by: &player, length: piece.length)
                sum = sum.map { $0 + report } ?? report
                if !report.failure.isEmpty { break }
            }
        } catch let failure as Failure where receipts != nil {
            // The receipts show which process the play waited for.
            try receipts?.gather()
            try throwFailure(failure, receipts)
        }
        guard let sum else { throw Failure.badInput("\(commandName): expected input to play, found none") }
        let time = begun.duration(to: monotonicNow())
        try receipts?.gather()
        try report(sum, in: time, receipts: receipts)
    }

    private func pieces(of lines: [FingerScript.Line]) throws -> [ScriptPiece] {
        do { return try ScriptPiece.pieces(of: lines) } catch { throw Failure.badInput("\(commandName): \(error)") }
    }

    /// Plays a piece as text where it fits into a frame, otherwise by a file that the group reads.
    static func play(
        _ piece: ScriptPiece, by player: inout GroupPlayer, pace: PlayOrder.Pace = .times(1000), length: Duration
    ) throws -> PlayReport {
        guard piece.text.utf8.count > PlayOrder.scriptLimit else {
            return try player.play(.script(piece.text), pace: pace, length: length)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString).touch")
        defer { try? FileManager.default.removeItem(at: file) }
        do { try Data(piece.text.utf8).write(to: file) } catch {
            throw Failure.group("\(file.path): cannot be written: \(error.localizedDescription)")
        }
        return try player.play(.file(file.path), pace: pace, length: length)
    }

    private func report(_ report: PlayReport, in time: Duration, receipts: InteractionReceipts?) throws {
        let problem = report.failure.isEmpty ? report.losses : "stopped early: \(report.failure)"
        if options.result.json {
            var object: [String: Any] = [
                "word": commandName, "seconds": time.seconds, "failure": report.failure, "lost": report.losses != nil,
                "sent": report.sentTouches.json(frames: report.sent),
                "arrived": report.arrivedTouches.json(frames: report.answered),
                "delivered": Int(report.delivered), "home": Int(report.home), "dropped": Int(report.dropped),
                "coalesced": Int(report.coalesced), "taken": report.takenJSON,
            ]
            if let receipts { object["receipts"] = receipts.json }
            try printJSON(object)
        } else if problem == nil {
            printLine("\(commandName): \(Self.sentence(report, time))")
        }
        if !options.result.json, let receipts { for line in receipts.lines { printLine(line) } }
        if let problem { throw Failure.negativeResult("\(commandName): \(problem)") }
    }

    private func throwFailure(_ failure: Failure, _ receipts: InteractionReceipts?) throws -> Never {
        if options.result.json {
            try printJSON(["word": commandName, "failure": failure.line, "receipts": receipts?.json ?? []])
        } else {
            for line in receipts?.lines ?? [] { printLine(line) }
        }
        throw failure
    }

    /// Returns the result as a sentence: `13 frames handled in the app after 0.207 s: 1 began, 11 moved, 1 ended, 0
    /// cancelled`. Touches that were taken from the app follow.
    private static func sentence(_ report: PlayReport, _ time: Duration) -> String {
        let recipientText =
            report.home == 0
            ? "in the app"
            : report.delivered == 0
                ? "on the home screen"
                : "(\(report.delivered) in the app, \(report.home) on the home screen)"
        let hasTouches = report.sentTouches != PhaseCounts()
        let unit = hasTouches ? "frame" : "input"
        let handled = report.answered - report.takenFrames
        return "\(handled) \(unit)\(handled == 1 ? "" : "s") handled \(recipientText) after "
            + "\(fixedText(time.seconds, digits: 3)) s"
            + (hasTouches
                ? ": \(report.arrivedTouches)" : "")
            + (report.takings.map { "; \($0)" } ?? "")
    }
}
