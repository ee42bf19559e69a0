// MonkeyCrew.swift: processes that play seeds, and what is known of one that ends.

import Foundation
import Glibc
import Monkey

final class MonkeyCrew: Sendable {
    private let events: Int
    private let jobs: Int
    private let without: String

    private let rehearses: MonkeyRehearsal?

    init(events: Int, jobs: Int, without: String, rehearses: MonkeyRehearsal?) {
        (self.events, self.jobs, self.without, self.rehearses) = (events, jobs, without, rehearses)
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
            let worker = try MonkeyWorker(arguments: arguments(without))
            workers.append(worker)
            feed(worker)
        }
        while !workers.isEmpty {
            var ready = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
            guard poll(&ready, nfds_t(ready.count), -1) > 0 else { continue }
            for index in ready.indices.reversed() where ready[index].revents != 0 {
                let worker = workers[index]
                guard let answer = worker.read() else {
                    workers.remove(at: index)
                    guard let seed = worker.seed else { continue }
                    done += 1
                    failed(MonkeyFailure(seed: seed, law: nil, text: worker.ending()), done)
                    isStopping = isStopping || stopsAtFailure
                    guard !isStopping, left > 0 else { continue }
                    let replacement = try MonkeyWorker(arguments: arguments(without))
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
            rehearses: rehearses)
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
    private let complaints = Pipe()
    private var buffer = Data()
    /// Being played.
    var seed: UInt64?

    init(arguments: [String]) throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        // A trap prints a backtrace that nobody asked for, slowly.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = questions
        process.standardOutput = answers
        process.standardError = complaints
        try process.run()
        try? questions.fileHandleForReading.close()
        try? answers.fileHandleForWriting.close()
        try? complaints.fileHandleForWriting.close()
    }

    var output: Int32 { answers.fileHandleForReading.fileDescriptor }

    func play(_ seed: UInt64) {
        self.seed = seed
        try? questions.fileHandleForWriting.write(contentsOf: Data("\(seed)\n".utf8))
    }

    func finish() { try? questions.fileHandleForWriting.close() }

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

    /// Its last words: the line a trap writes, or how it ended.
    func ending() -> String {
        let data = (try? complaints.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        let lines = String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n")
        if let line = lines.first(where: { $0.contains("Fatal error") || $0.contains("error:") }) {
            return String(line)
        }
        return "the process ended, status \(process.terminationStatus)"
    }
}
