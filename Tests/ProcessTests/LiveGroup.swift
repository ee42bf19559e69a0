import Foundation
import Testbed
import Testing

/// A group under `touchline up` in a folder of its own. The object ends the group and removes the folder.
final class LiveGroup {
    let runDirectory: String
    let program: Program
    /// The pids by name, as the ready line gives them.
    let pids: [String: Int32]
    let readyLine: String

    /// Starts the group and waits until it is ready.
    ///
    /// - Parameters:
    ///   - folder: The folder of programs other than those that were built.
    ///   - runDirectory: The run directory of an older group, to start again on it; nil for a new one.
    ///   - openFiles: The number of files that each of its processes may have open.
    ///   - fileSize: The number of bytes that each file they write may have.
    ///   - prefix: A command that starts the group, for example in another network.
    init(
        _ arguments: [String] = [], in folder: URL = Programs.folder, on runDirectory: String? = nil,
        openFiles: Int? = nil, fileSize: Int? = nil, behind prefix: [String] = []
    ) throws {
        self.runDirectory = runDirectory ?? Self.newFolder()
        // A sanitizer slows processes so much that none ends within the usual stop deadline.
        let deadlineArguments = Sanitizer.kind == nil ? [] : ["--set", "supervisor.stopDeadline=30"]
        program = try Program(
            ["up", "--run-dir", self.runDirectory] + deadlineArguments + arguments, in: folder, openFiles: openFiles,
            fileSize: fileSize, behind: prefix)
        do {
            readyLine = try program.line(beginning: "ready: ")
        } catch {
            // The initializer fails, so no deinit will end this group.
            program.signal(SIGTERM)
            _ = try? program.wait(seconds: 2)
            throw error
        }
        // ready: input-kit 4711, system-server 4712, app1 4713 in 84.123 ms
        let names = readyLine.dropFirst("ready: ".count).split(separator: " in ")[0]
        var pids: [String: Int32] = [:]
        for entry in names.split(separator: ", ") {
            let words = entry.split(separator: " ")
            pids[String(words[0])] = Int32(words[1])
        }
        self.pids = pids
    }

    /// Whether the run is audited when the test is done with it. False for a group whose journals the test damages or
    /// removes, and for an app whose threads decide what it does; for any other group, missing journals are a failure.
    var isAudited = true
    /// Further arguments of the audit, such as the programs of apps.
    var auditArguments: [String] = []

    deinit {
        if isAudited { audit() }
        try? FileManager.default.removeItem(atPath: runDirectory)
    }

    /// Ends the group and accounts for every event of its run. A violation records an issue.
    private func audit() {
        program.signal(SIGTERM)
        do {
            _ = try program.wait()
            // The audit replays the whole run with the cores as they are built for tests.
            let audit = try Program(["audit", "--no-timing", runDirectory] + auditArguments)
            let status = try audit.wait(seconds: 300)
            if status != 0 { Issue.record("the audit of this group: \(audit.err)\(audit.out)") }
        } catch { Issue.record("the audit of this group: \(error)") }
    }

    static func newFolder() -> String {
        "\(FileManager.default.temporaryDirectory.path)/tl-\(getpid())-\(UUID().uuidString.prefix(8))"
    }

    /// Runs a subcommand on this group.
    func run(_ verb: String, _ arguments: String...) throws -> (status: Int32, out: String, err: String) {
        try Program.run(words(verb, arguments, options: []))
    }

    /// The words of a command line. The options come after the name of a subcommand.
    private func words(_ verb: String, _ arguments: [String], options: [String]) -> [String] {
        let first = arguments.first.flatMap { $0.hasPrefix("-") ? nil : [$0] } ?? []
        return [verb] + first + ["--run-dir", runDirectory] + options + arguments.dropFirst(first.count)
    }

    /// The JSON object that a subcommand prints.
    func json(_ verb: String, _ arguments: String...) throws -> (status: Int32, object: [String: Any]) {
        let result = try Program.run(words(verb, arguments, options: ["--json"]))
        guard let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any] else {
            throw TestFailure("\(verb) printed \(result.out) \(result.err)")
        }
        return (result.status, object)
    }

    struct Process: Equatable {
        var name: String
        var state: String
        var pid: Int
        var generation: Int
        var epoch: Int
        var lastExit: String
    }

    func status() throws -> (isReady: Bool, processes: [Process]) {
        let (status, object) = try json("status")
        let rows = object["processes"] as? [[String: Any]] ?? []
        let processes = rows.map { row in
            Process(
                name: row["name"] as? String ?? "", state: row["state"] as? String ?? "", pid: row["pid"] as? Int ?? 0,
                generation: row["generation"] as? Int ?? 0, epoch: row["epoch"] as? Int ?? 0,
                lastExit: row["lastExit"] as? String ?? "")
        }
        return (status == 0, processes)
    }

    /// Asks for the status until the group satisfies the predicate. Each question starts a process and waits for its
    /// answer, so this is no busy loop.
    @discardableResult
    func wait(seconds: Double = Programs.waitLimit, until isSo: ([Process]) -> Bool) throws -> [Process] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            // A busy supervisor may not answer a question in time; the loop asks again.
            let answer = try? status()
            if let answer, answer.isReady && isSo(answer.processes) { return answer.processes }
            guard Date() < deadline else {
                throw TestFailure("after \(seconds) s: \(answer?.processes.description ?? "no answer")")
            }
        }
    }

    /// Asks until the report of this process satisfies the predicate.
    func waitForReport(of name: String, seconds: Double = Programs.waitLimit, until isSo: ([String: Any]) -> Bool)
        throws
    {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            let processes = try json("dump").object["processes"] as? [[String: Any]] ?? []
            let report = processes.first { $0["name"] as? String == name }?["report"] as? [String: Any] ?? [:]
            if isSo(report) { return }
            guard Date() < deadline else { throw TestFailure("after \(seconds) s \(name) says \(report)") }
        }
    }

    /// Expects that no process of the group lives, and that only its journals are left.
    func expectNothingLeft() throws {
        for (_, pid) in pids { try waitForEnd(of: pid) }
        if FileManager.default.fileExists(atPath: runDirectory) {
            let left = try FileManager.default.contentsOfDirectory(atPath: runDirectory)
            if left != ["journal"] { throw TestFailure("left behind: \(left)") }
        }
    }
}

/// Expects that everything sent has arrived. Moves may have been merged into later ones, while the app was busy with
/// earlier ones.
func expectWhole(
    _ played: [String: Any]?, _ about: String = "", at location: SourceLocation = #_sourceLocation
) throws {
    var sent = try #require(played?["sent"] as? [String: Int])
    var arrived = try #require(played?["arrived"] as? [String: Int])
    let coalesced = try #require(played?["coalesced"] as? Int)
    let (moves, counted) = (sent.removeValue(forKey: "moved") ?? 0, arrived.removeValue(forKey: "moved") ?? 0)
    #expect(sent == arrived, "\(about)", sourceLocation: location)
    #expect(counted <= moves && counted + coalesced >= moves, "\(about)", sourceLocation: location)
    #expect(played?["lost"] as? Bool == false, "\(about)", sourceLocation: location)
}
