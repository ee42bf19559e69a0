// WorkerProcess.swift: this program once more, asked line by line, and what is known of it when it ends.
//
// Fed by    WorkerPool, SimulatedStage, SimulationShrinking: questions
// Feeds     them, with answers; or with the last words of a process that trapped, or hangs
// Knows     lines. What they mean is agreed between whoever asks and the worker.

import Basics
import Foundation
import Glibc

/// One process, which answers each line with a line.
final class WorkerProcess {
    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()
    private let complaints = Complaints()
    private var buffer = Data()
    /// Being played.
    var seed: UInt64?
    private let patience: Duration
    /// When what it was asked has to have been answered.
    private(set) var deadline: Instant = .never

    /// - Parameter patience: For one answer. One that takes longer hangs, and is ended.
    init(arguments: [String], patience: Duration) throws {
        self.patience = patience
        process.executableURL = thisProgram
        process.arguments = arguments
        // A trap prints a backtrace that nobody asked for, slowly.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = questions
        process.standardOutput = answers
        process.standardError = complaints.pipe
        try process.run()
        try? questions.fileHandleForReading.close()
        try? answers.fileHandleForWriting.close()
        complaints.begin()
    }

    var isLate: Bool { deadline <= monotonicNow() }

    var output: Int32 { answers.fileHandleForReading.fileDescriptor }

    /// Asks about a seed; the answer is read when it comes.
    func play(_ seed: UInt64, _ question: String) {
        self.seed = seed
        deadline = monotonicNow().advanced(by: patience)
        try? questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
    }

    /// One question, one answer.
    ///
    /// - Returns: Nil when the process ended over it, or hangs.
    func ask(_ question: String) -> String? {
        deadline = monotonicNow().advanced(by: patience)
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

    /// - Returns: Whole lines that have come; nil when there will be none any more.
    func read() -> [String]? {
        let data = answers.fileHandleForReading.availableData
        guard !data.isEmpty else { return nil }
        buffer += data
        guard let end = buffer.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
        buffer = Data(buffer[buffer.index(after: end)...])
        return lines
    }

    /// Its last words: the line a trap writes, or how it ended. One that hangs is ended here.
    func ending() -> (law: String, text: String) {
        if isLate {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return ("hang", "no answer within \(fixedText(patience.seconds, digits: 0)) s")
        }
        process.waitUntilExit()
        let lines = complaints.last().split(separator: "\n")
        if let line = lines.first(where: { $0.contains("Fatal error") || $0.contains("error:") }) {
            return ("trap", String(line))
        }
        return ("trap", "the process ended, status \(process.terminationStatus)")
    }
}

/// What a process writes to stderr: read as it comes, so that it never waits for room, and the last of it kept.
private final class Complaints: @unchecked Sendable {
    let pipe = Pipe()
    // The data is under the lock.
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

    /// Once its writer has ended.
    func last() -> String {
        // Not for ever: another process may have the pipe.
        _ = isOver.wait(timeout: .now() + 5)
        return lock.withLock { String(decoding: data, as: UTF8.self) }
    }
}
