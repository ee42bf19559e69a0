// MonkeyCrew.swift: processes that play seeds, and what is known of one that ends.

import Basics
import Foundation
import Glibc
import Monkey

final class MonkeyCrew: Sendable {
    private let events: Int
    private let jobs: Int
    private let without: String

    private let rehearses: MonkeyRehearsal?
    /// Of one answer: a process that takes longer hangs.
    private let patience: Duration

    init(events: Int, jobs: Int, without: String, rehearses: MonkeyRehearsal?, patience: Duration) {
        (self.events, self.jobs, self.without, self.rehearses) = (events, jobs, without, rehearses)
        self.patience = patience
    }

    /// Each seed once, by as many processes as there are jobs.
    ///
    /// - Parameters:
    ///   - failed: Called for each failure, with how many seeds are done.
    ///   - progress: Called now and then with that.
    /// - Returns: How many seeds were played.
    func play(
        _ seeds: ClosedRange<UInt64>, stopsAtFailure: Bool, failed: (MonkeyFailure, UInt64) -> Void,
        progress: (UInt64) -> Void
    ) throws -> UInt64 {
        var workers: [MonkeyWorker] = []
        var next = seeds.lowerBound
        var left = UInt64(seeds.count)
        var done: UInt64 = 0
        var isStopping = false
        func feed(_ worker: MonkeyWorker) {
            guard left > 0, !isStopping else { return worker.finish() }
            worker.play(next)
            next &+= 1
            left -= 1
        }
        for _ in 0..<min(UInt64(jobs), left) {
            let worker = try MonkeyWorker(arguments: arguments(without), patience: patience)
            workers.append(worker)
            feed(worker)
        }
        while !workers.isEmpty {
            var ready = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
            let left = workers.map { monotonicNow().duration(to: $0.deadline).nanoseconds / 1_000_000 + 1 }.min() ?? 0
            guard poll(&ready, nfds_t(ready.count), Int32(clamping: max(0, left))) >= 0 else { continue }
            for index in ready.indices.reversed() where ready[index].revents != 0 || workers[index].isLate {
                let worker = workers[index]
                guard ready[index].revents != 0, let answer = worker.read() else {
                    workers.remove(at: index)
                    guard let seed = worker.seed else { continue }
                    done += 1
                    let ending = worker.ending()
                    failed(MonkeyFailure(seed: seed, law: nil, ending: ending.law, text: ending.text), done)
                    isStopping = isStopping || stopsAtFailure
                    guard !isStopping, left > 0 else { continue }
                    let replacement = try MonkeyWorker(arguments: arguments(without), patience: patience)
                    workers.append(replacement)
                    feed(replacement)
                    continue
                }
                guard let line = answer.first, let seed = worker.seed else { continue }
                done += 1
                if line != "ok" {
                    let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                    failed(
                        MonkeyFailure(
                            seed: seed, law: MonkeyLaw(rawValue: parts.first ?? ""), text: parts.last ?? line), done)
                    isStopping = isStopping || stopsAtFailure
                }
                if done % 100 == 0 { progress(done) }
                worker.seed = nil
                feed(worker)
            }
        }
        return done
    }

    /// Of one seed with so much left out, in a process of its own.
    func failure(of seed: UInt64, without omissions: Set<MonkeyOmission>) -> MonkeyFailure? {
        let crew = MonkeyCrew(
            events: events, jobs: 1, without: omissions.map(\.description).sorted().joined(separator: ","),
            rehearses: rehearses, patience: patience)
        var found: MonkeyFailure?
        _ = try? crew.play(seed...seed, stopsAtFailure: true) { failure, _ in
            found = failure
        } progress: { _ in
        }
        return found
    }

    private func arguments(_ without: String) -> [String] {
        ["monkey", "--direct", "--worker", "--seed", "0", "--events", "\(events)"]
            + (without.isEmpty ? [] : ["--without", without])
            + (rehearses.map { ["--rehearse", $0.rawValue] } ?? [])
    }
}

/// One process, which answers each seed with a line.
final class MonkeyWorker {
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
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
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

    func play(_ seed: UInt64) {
        self.seed = seed
        deadline = monotonicNow().advanced(by: patience)
        try? questions.fileHandleForWriting.write(contentsOf: Data("\(seed)\n".utf8))
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
