// WorkJobs.swift: looking back on the run so far, and what would have changed its last interaction.
//
//     POST /api/lookback ─▶ touchline run-record RUN-DIR ─▶ RunRecord with screens
//     POST /api/whatif   ─▶ touchline explain --last --what-if --json RUN-DIR ─▶ the changes
//
// Each is another process of this program. A replay runs the cores of all processes; here it delays no page, its memory
// goes with it, and it ends when no page is left.
//
// Input     InspectServer
// Output    JSON
// Knows     command lines, a time and a size

import Basics
import Explain
import Foundation
import Glibc
import Page
import Recordings
import Synchronization

/// Work in another process: one at a time.
final class InspectWork: Sendable {
    private let isBusy = Mutex(false)

    /// The most bytes of a result.
    static let sizeLimit = 64 << 20

    /// Runs this program to its end.
    ///
    /// - Returns: Its exit code, its output and the last line of its errors.
    /// - Throws: `InspectError` with status 409 while other work is in progress, 503 when it takes too long.
    func run(
        _ arguments: [String], limit: Duration, isWanted: () -> Bool
    ) throws -> (code: Int32, output: [UInt8], error: String) {
        let isFree = isBusy.withLock { busy in
            defer { busy = true }
            return !busy
        }
        guard isFree else { throw InspectError(409, "the run is being read already: wait for that answer") }
        defer { isBusy.withLock { $0 = false } }
        let process = Process()
        let (out, errors) = (Pipe(), Pipe())
        process.executableURL = thisProgram
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (out, errors)
        do { try process.run() } catch {
            throw InspectError(503, "a process cannot be started: \(error.localizedDescription)")
        }
        func end() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let deadline = monotonicNow().advanced(by: limit)
        var (output, complaint): ([UInt8], [UInt8]) = ([], [])
        var files = [out, errors].map { $0.fileHandleForReading.fileDescriptor }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while files.contains(where: { $0 >= 0 }) {
            var items = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = poll(&items, 2, 100)
            for index in items.indices where items[index].revents != 0 {
                let count = read(files[index], &piece, piece.count)
                if count > 0 {
                    if index == 0 {
                        output += piece[..<count]
                    } else {
                        complaint = (complaint + piece[..<count]).suffix(4096)
                    }
                } else if count == 0 || errno != EINTR {
                    files[index] = -1
                }
            }
            guard isWanted() else {
                end()
                throw InspectError(503, "no page is open any more")
            }
            guard monotonicNow() < deadline else {
                end()
                throw InspectError(503, "expected an answer within \(Int(limit.seconds)) s: the run is too long")
            }
            guard output.count <= Self.sizeLimit else {
                end()
                throw InspectError(
                    503, "expected at most \(Self.sizeLimit >> 20) MiB, found more: the run is too long for a page")
            }
        }
        process.waitUntilExit()
        let lines = String(decoding: complaint, as: UTF8.self).split(separator: "\n")
        return (process.terminationStatus, output, lines.last.map(String.init) ?? "")
    }
}

extension InspectContext {
    /// Runs a command on the journals of the group, while a page is open.
    fileprivate func work(_ arguments: [String], limit: Duration) throws -> [UInt8] {
        let folder = group.runDirectory
        // A group that is down has journals, but what they show is over.
        _ = try report()
        let hadPages = !hub.browsers.isEmpty
        let result = try desk.work.run(arguments + [folder], limit: limit) { !hadPages || !hub.browsers.isEmpty }
        guard result.code == 0 else {
            let reason = result.error.isEmpty ? "exit code \(result.code)" : result.error
            // No interaction yet, or journals that cannot be read.
            throw InspectError(result.code == 1 ? 409 : 503, reason.replacing("\(folder): ", with: ""))
        }
        return result.output
    }
}

/// `POST /api/lookback`.
struct LookbackJob: InspectJob {
    let path = "/api/lookback"
    let method = "POST"

    private static let limit = Duration.seconds(120)

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        let record = try context.work(
            [RecordCommand.name, "--locale", context.hub.language.rawValue], limit: Self.limit)
        let content = context.group.content
        return .object([
            ("name", .string(content.scene?.name ?? content.app ?? "")), ("record", .json(record)),
        ])
    }
}

/// `POST /api/whatif`: of the last interaction.
struct WhatIfJob: InspectJob {
    let path = "/api/whatif"
    let method = "POST"

    /// The time for the search, in seconds. Reading the run comes before it.
    private static let searchTime = 2.2
    private static let limit = Duration.seconds(60)

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        let chosen = body["interaction"] == nil ? "last" : try body.expectText("interaction", "last")
        guard chosen == "last" else { throw InspectError(400, "interaction: expected last, found \(quoted(chosen))") }
        let output = try context.work(
            [
                "explain", "--last", "--what-if", "--json", "--seconds", "\(Self.searchTime)", "--locale",
                context.hub.language.rawValue,
            ], limit: Self.limit)
        return try Self.answer(of: output)
    }

    /// The part of the interaction that is the answer.
    static func answer(of output: [UInt8]) throws -> JSONText {
        let node: JSONNode
        do throws(Complaint) { node = try JSONNode(parsing: output) } catch {
            throw InspectError(500, "explain: expected \(error.expected), found \(error.found)")
        }
        guard case .array(let interactions)? = node["interactions"]?.value, let last = interactions.last,
            let found = last["whatIf"]
        else { throw InspectError(409, "no finger has touched the group yet") }
        if let why = found.text("unavailable") { throw InspectError(409, why) }
        var changes: [JSONText] = []
        if case .array(let all)? = found["changes"]?.value {
            for change in all {
                // Switching off what acts is always possible, and says nothing.
                if case .bool(true)? = change["switchesOff"]?.value { continue }
                changes.append(
                    .object([
                        ("text", .string(change.text("text") ?? "")),
                        ("because", .string(change.text("because") ?? "")),
                        ("cost", .decimal(change.number("cost") ?? 0)),
                    ]))
            }
        }
        func flag(_ key: String) -> JSONText {
            if case .bool(let flag)? = found[key]?.value { .bool(flag) } else { .null }
        }
        return .object([
            ("prevents", flag("prevents")), ("plays", .int(Int(found.number("plays") ?? 0))),
            ("isComplete", flag("isComplete")), ("answers", .array(Array(changes.prefix(Self.changeLimit)))),
        ])
    }

    /// More than a person reads.
    private static let changeLimit = 8
}
