// ReplayedProgram.swift: the core of an app whose code is in a program of a user: the program, started for a replay.
//
//     ReplayedProcess ──ReplayDialogue──▶ PROGRAM --replay-journal ──▶ effects, lines
//
// Input     ReplayedProcess
// Output    what the program's core answers, or how the program ended
// Knows     a process and two pipes
//
// Sources   invented

import Basics
import Foundation
import Hosting
package import Journals
import Settings
import Trace
import Wire

/// The programs of users that a replay may start.
///
/// A journal names the program of its app. The journal may come from another person, or from an app that was taken over
/// and has written another path. So a replay starts only the programs that the person has named, here or to `touchline up`.
public struct ReplayPrograms: Sendable {
    private let paths: [String]
    /// Whether the programs are those of the supervisor's journal, which no app can write.
    private let trustsSupervisor: Bool

    /// - Parameter paths: The absolute paths of programs.
    public init(_ paths: [String] = []) { (self.paths, trustsSupervisor) = (paths, false) }

    private init(trustsSupervisor: Bool) { (paths, self.trustsSupervisor) = ([], trustsSupervisor) }

    /// The programs that the supervisor of a group has started: for a group that this user runs.
    public static let ofRunningGroup = Self(trustsSupervisor: true)

    /// Returns the programs for a group.
    ///
    /// - Parameter supervisor: The header of the supervisor's journal.
    package func resolved(by supervisor: JournalHeader?) -> ReplayPrograms {
        guard trustsSupervisor, let supervisor, let settings = try? Settings(supervisor.order.settings) else {
            return self
        }
        let apps = (try? Topology(text: settings[.groupTopology]))?.apps ?? []
        let key = Settings.name(of: .appExecutable)
        let own = apps.joined().filter { $0.key == key }.map(\.value)
        return ReplayPrograms(([settings[.appExecutable]] + own).filter { !$0.isEmpty })
    }

    /// Returns the program to start for the one that a journal names: the same file, or else the first one of the same
    /// name, which was built in another folder. Nil without such a program.
    package func path(for named: String) -> String? {
        func name(_ path: String) -> Substring? { path.split(separator: "/").last }
        return paths.first { $0 == named } ?? paths.first { name($0) == name(named) }
    }
}

/// A program that runs the core of one process in a replay.
final class ReplayedProgram {
    /// The end of the program, before the replay's.
    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String
    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()

    /// Starts the program and sends it the header of the journal.
    init(at path: String, _ header: JournalHeader, isTraced: Bool) throws {
        self.path = path
        process.executableURL = URL(filePath: path)
        process.arguments = ["--replay-journal"] + (isTraced ? ["traced"] : [])
        // A trap would print a backtrace, slowly.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = questions
        process.standardOutput = answers
        // The pipe of a program that has ended must not end this process.
        signal(SIGPIPE, SIG_IGN)
        do { try process.run() } catch {
            throw Ended(description: "\(path) cannot be started: \(error.localizedDescription)")
        }
        try? questions.fileHandleForReading.close()
        try? answers.fileHandleForWriting.close()
        try send(ReplayDialogue.encode(header))
    }

    deinit {
        try? questions.fileHandleForWriting.close()
        try? answers.fileHandleForReading.close()
        process.waitUntilExit()
    }

    /// Returns the answer of the program's core to its next input.
    ///
    /// - Throws: `Ended` if the program has ended, or does not answer as a program made with TouchlineApp.
    func answer(to input: Input, at moment: Instant) throws -> ReplayDialogue.Answer {
        try send(ReplayDialogue.encode(input, at: moment))
        guard let length = ReplayDialogue.length(try receive(ReplayDialogue.lengthSize)) else {
            throw Ended(description: "\(path) has answered with something else: expected a program of TouchlineApp")
        }
        return try ReplayDialogue.answer(try receive(length))
    }

    private func send(_ message: [UInt8]) throws {
        do {
            try questions.fileHandleForWriting.write(contentsOf: Data(ReplayDialogue.framed(message)))
        } catch { throw ended() }
    }

    private func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let data = try answers.fileHandleForReading.read(upToCount: count - bytes.count), !data.isEmpty else {
                throw ended()
            }
            bytes += data
        }
        return bytes
    }

    private func ended() -> Ended {
        process.waitUntilExit()
        let how = process.terminationReason == .uncaughtSignal ? "signal" : "exit"
        return Ended(description: "\(path) has ended: \(how) \(process.terminationStatus)")
    }
}
