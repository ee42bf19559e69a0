// WorkerProcess.swift: another process of this program that answers questions line by line, and the result of its end.
//
// Input     WorkerPool, SimulatedStage, SimulationShrinking: questions
// Output    their answers; or the last output of a process that trapped or hangs
// Knows     lines. The caller and the worker define their meaning.

import Basics
import Foundation
import Glibc

/// One process, which answers each line with a line.
final class WorkerProcess {
    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()
    private let complaints = StderrReader()
    private var buffer = Data()
    /// The seed in play.
    var seed: UInt64?
    private let answerLimit: Duration
    /// The deadline of the open question.
    private(set) var deadline: Instant = .never

    /// - Parameter answerLimit: The limit of one answer. A process that takes longer hangs and is killed.
    /// - Throws: `Failure` with exit code 3 when the process cannot be started.
    init(arguments: [String], answerLimit: Duration) throws {
        self.answerLimit = answerLimit
        process.executableURL = thisProgram
        process.arguments = arguments
        // A trap would print a backtrace, slowly.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = questions
        process.standardOutput = answers
        process.standardError = complaints.pipe
        do { try process.run() } catch {
            throw Failure.group("a worker process cannot be started: \(error.localizedDescription)")
        }
        try? questions.fileHandleForReading.close()
        try? answers.fileHandleForWriting.close()
        complaints.begin()
    }

    var isLate: Bool { deadline <= monotonicNow() }

    var output: Int32 { answers.fileHandleForReading.fileDescriptor }

    /// Asks about a seed. The answer is read later.
    func play(_ seed: UInt64, _ question: String) {
        self.seed = seed
        deadline = monotonicNow().advanced(by: answerLimit)
        try? questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
    }

    /// Asks one question and waits for the answer.
    ///
    /// - Returns: Nil when the process ended meanwhile, or hangs.
    func ask(_ question: String) -> String? {
        deadline = monotonicNow().advanced(by: answerLimit)
        try? questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
        while !isLate {
            var item = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let left = monotonicNow().duration(to: deadline).nanoseconds / 1_000_000 + 1
            guard poll(&item, 1, Int32(clamping: max(0, left))) > 0 else { continue }
            guard let lines = read() else { return nil }
            if let line = lines.first {
                deadline = .never
                return line
            }
        }
        return nil
    }

    func finish() {
        deadline = .never
        try? questions.fileHandleForWriting.close()
    }

    /// - Returns: The whole lines so far; nil after the end.
    func read() -> [String]? {
        let data = answers.fileHandleForReading.availableData
        guard !data.isEmpty else { return nil }
        buffer += data
        guard let end = buffer.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
        buffer = Data(buffer[buffer.index(after: end)...])
        return lines
    }

    /// Returns the result of its end: the line of a trap, or the exit status. A process that hangs is killed here.
    func ending() -> (law: String, text: String) {
        if isLate {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return ("hang", "no answer within \(fixedText(answerLimit.seconds, digits: 0)) s")
        }
        process.waitUntilExit()
        let lines = complaints.last().split(separator: "\n")
        if let line = lines.first(where: { $0.contains("Fatal error") || $0.contains("error:") }) {
            return ("trap", String(line))
        }
        return ("trap", "the process ended, status \(process.terminationStatus)")
    }
}

/// The stderr of a process, read at once so that the process never blocks. The last part is kept.
private final class StderrReader: @unchecked Sendable {
    let pipe = Pipe()
    // The lock protects `data`.
    private let lock = NSLock()
    private let isOver = DispatchSemaphore(value: 0)
    private var data = Data()

    private static let limit = 1 << 16

    func begin() {
        try? pipe.fileHandleForWriting.close()
        Thread.detachNewThread { [self] in
            while case let piece = pipe.fileHandleForReading.availableData, !piece.isEmpty {
                lock.withLock { data = Data((data + piece).suffix(Self.limit)) }
            }
            isOver.signal()
        }
    }

    /// Returns the last part, after the end of the writer.
    func last() -> String {
        // With a limit: another process may hold the pipe.
        _ = isOver.wait(timeout: .now() + 5)
        return lock.withLock { String(decoding: data, as: UTF8.self) }
    }
}
