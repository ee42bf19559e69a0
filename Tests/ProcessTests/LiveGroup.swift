import Foundation
import Testbed
import Testing

/// A group under `touchline up`, in a folder of its own, gone with the test.
final class LiveGroup {
    let runDirectory: String
    let program: Program
    /// By name, as the ready line said them.
    let pids: [String: Int32]
    let readyLine: String

    /// Starts it and waits until it is ready.
    ///
    /// - Parameters:
    ///   - folder: Other programs than those that were built.
    ///   - runDirectory: An older group's, to start again on; nil for a new one.
    ///   - openFiles: How many files each of its processes may have open.
    ///   - fileSize: How many bytes each file may have that they write.
    ///   - prefix: What starts it, in another network.
    init(
        _ arguments: [String] = [], in folder: URL = Programs.folder, on runDirectory: String? = nil,
        openFiles: Int? = nil, fileSize: Int? = nil, behind prefix: [String] = []
    ) throws {
        self.runDirectory = runDirectory ?? Self.newFolder()
        // Slowed so, nobody ends in the time that children have to.
        let slowness = Sanitizer.kind == nil ? [] : ["--set", "supervisor.stopDeadline=30"]
        program = try Program(
            ["up", "--run-dir", self.runDirectory] + slowness + arguments, in: folder, openFiles: openFiles,
            fileSize: fileSize, behind: prefix)
        do {
            readyLine = try program.line(beginning: "ready: ")
        } catch {
            // There is no group to take down with this object.
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

    /// Whether the run is held to its laws when the test is done with it. Not for one whose journals the test spoils or
    /// takes away; that they are not there is a failure of any other.
    var isAudited = true

    deinit {
        if isAudited { audit() }
        try? FileManager.default.removeItem(atPath: runDirectory)
    }

    /// The group is taken down, and every event of its run accounted for: whoever held it last fails by name.
    private func audit() {
        program.signal(SIGTERM)
        do {
            _ = try program.wait()
            // All of its run is done again, with the cores as they are built for tests.
            let audit = try Program(["audit", "--no-timing", runDirectory])
            let status = try audit.wait(seconds: 300)
            if status != 0 { Issue.record("the audit of this group: \(audit.err)\(audit.out)") }
        } catch { Issue.record("the audit of this group: \(error)") }
    }

    static func newFolder() -> String {
        "\(FileManager.default.temporaryDirectory.path)/tl-\(getpid())-\(UUID().uuidString.prefix(8))"
    }

    /// A verb on this group.
    func run(_ verb: String, _ arguments: String...) throws -> (status: Int32, out: String, err: String) {
        try Program.run([verb, "--run-dir", runDirectory] + arguments)
    }

    /// A verb's JSON object.
    func json(_ verb: String, _ arguments: String...) throws -> (status: Int32, object: [String: Any]) {
        let result = try Program.run([verb, "--run-dir", runDirectory, "--json"] + arguments)
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

    /// Asks again until the group is as wished. Every question takes a process's start and an answer's way, so this
    /// is no busy loop.
    @discardableResult
    func wait(seconds: Double = Programs.patience, until isSo: ([Process]) -> Bool) throws -> [Process] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            // A supervisor that has much to do may not answer a question in its time: it is asked again.
            let answer = try? status()
            if let answer, answer.isReady && isSo(answer.processes) { return answer.processes }
            guard Date() < deadline else {
                throw TestFailure("after \(seconds) s: \(answer?.processes.description ?? "no answer")")
            }
        }
    }

    /// Asks again until what this process says of itself is as wished.
    func waitForReport(of name: String, seconds: Double = Programs.patience, until isSo: ([String: Any]) -> Bool) throws
    {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            let processes = try json("dump").object["processes"] as? [[String: Any]] ?? []
            let report = processes.first { $0["name"] as? String == name }?["report"] as? [String: Any] ?? [:]
            if isSo(report) { return }
            guard Date() < deadline else { throw TestFailure("after \(seconds) s \(name) says \(report)") }
        }
    }

    /// Nobody of the group lives, and nothing it made is there but what it was given: its journals.
    func expectNothingLeft() throws {
        for (_, pid) in pids { try waitForEnd(of: pid, seconds: 2) }
        if FileManager.default.fileExists(atPath: runDirectory) {
            let left = try FileManager.default.contentsOfDirectory(atPath: runDirectory)
            if left != ["journal"] { throw TestFailure("left behind: \(left)") }
        }
    }
}

/// What arrived is what was sent. Moves may have gone with later ones, where the app was not done with those before.
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
