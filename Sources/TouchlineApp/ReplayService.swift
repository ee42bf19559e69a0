// ReplayService.swift: the program of an app as a part of a replay: it runs the app's core on the inputs of a journal.
//
//     touchline replay, audit ──header, inputs──▶ stdin ─▶ AppCore ─▶ stdout ──effects, lines──▶
//
// Input     ReplayDialogue, from Scenarios' ReplayedProgram
// Output    ReplayDialogue
// Knows     stdin and stdout. No group, no socket.
//
// Sources   invented

import AppCore
import Glibc
import Hosting
import Journals
import Settings
import Trace
import UIKit
import Wire
import ZeroMQHost

/// Answers the questions of a replay.
struct ReplayService {
    /// The first word of a command line that asks for this service, and the second one for facts.
    static let option = "--replay-journal"
    static let tracedOption = "traced"

    private let program: String
    /// A copy of stdout. The app's own lines go nowhere, because the person has read them in the run.
    private let output: Int32

    /// Answers until the replay closes stdin, then ends the process.
    static func run(_ program: String, isTraced: Bool, showing content: @escaping AppProgram.Content) -> Never {
        setUpStandardStreams()
        let output = dup(1)
        let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard output >= 0, sink >= 0, dup2(sink, 1) == 1 else {
            ProcessSetup.exitWithError(program, "\(option): stdout cannot be used", status: 3)
        }
        let service = Self(program: program, output: output)
        let failure: String
        do { failure = try service.answerAll(isTraced: isTraced, showing: content) } catch { failure = "\(error)" }
        guard failure.isEmpty else {
            ProcessSetup.exitWithError(program, "\(option): \(failure); `touchline replay` uses it", status: 2)
        }
        exit(0)
    }

    /// - Returns: What was wrong with the questions; empty at their end.
    private func answerAll(isTraced: Bool, showing content: @escaping AppProgram.Content) throws -> String {
        guard let bytes = readMessage(), let header = try ReplayDialogue.header(bytes) else {
            return "expected the header of a journal on stdin, found none"
        }
        guard header.behaviorVersion == Journal.behaviorVersion else {
            return "expected a journal of behaviour \(Journal.behaviorVersion), found \(header.behaviorVersion): "
                + "build the program with the touchline that wrote it"
        }
        var core = AppCore(
            order: header.order, settings: try Settings(header.order.settings), content: content)
        var outbox = Outbox()
        outbox.trace.isEnabled = isTraced
        let process = "\(header.order.peer)"
        while let bytes = readMessage() {
            let question = try ReplayDialogue.input(bytes)
            core.handle(question.input, at: question.moment, into: &outbox)
            let facts = outbox.trace.facts.map { $0.resolved(by: process, names: outbox.trace.names) }
            outbox.trace.removeFacts()
            let answer = ReplayDialogue.Answer(effects: outbox.drain(), facts: facts)
            guard write(ReplayDialogue.framed(ReplayDialogue.encode(answer))) else { break }
        }
        return ""
    }

    /// - Returns: Nil at the end of stdin.
    private func readMessage() -> [UInt8]? {
        guard let length = readBytes(ReplayDialogue.lengthSize).flatMap(ReplayDialogue.length) else { return nil }
        return readBytes(length)
    }

    private func readBytes(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let part = bytes.withUnsafeMutableBytes { read(0, $0.baseAddress! + done, count - done) }
            if part < 0 && errno == EINTR { continue }
            guard part > 0 else { return nil }
            done += part
        }
        return bytes
    }

    /// - Returns: False if the replay has closed the pipe.
    private func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let part = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress! + done, bytes.count - done) }
            if part < 0 && errno == EINTR { continue }
            guard part > 0 else { return false }
            done += part
        }
        return true
    }
}
