// OwnGroup.swift: a group that a command starts for itself with `touchline up`, and that ends with this object.
//
// Input     GroupSession, chaos, soak, `monkey kills`: the arguments of `up`
// Output    a group that is ready, its folder, its lines on stderr
// Knows     one process. The caller talks to the group.

import Basics
import Foundation
import Glibc

/// A group that ends with this object.
final class OwnGroup {
    let runDirectory: String
    private let supervisor = Process()
    /// Never written to. Its end tells the supervisor that this process has ended in any way.
    private let parentPipe = Pipe()
    /// An unlinked file for the group's stderr. A full pipe would block the group, and a terminal shows this command's
    /// own lines. Nothing is left when this process is killed.
    private let errors: FileHandle
    private var keepsFolder: Bool
    /// The line that `up` printed: `ready: input-kit 4711, … in 84.123 ms`.
    private(set) var readyLine = ""

    /// Starts a group and waits until every process is ready.
    ///
    /// - Parameters:
    ///   - allowsChaos: Whether its processes accept faults (`--allow-chaos`).
    ///   - settings: `key=value`, as for `--set`.
    ///   - runDirectory: The folder of an earlier group; nil for a new folder.
    ///   - more: Further arguments of `up`.
    ///   - openFiles: The limit of open files of each process (prlimit).
    ///   - keeps: Whether its folder is kept.
    /// - Throws: `Failure` with the group's stderr; exit code 2 for a scene or setting that cannot be used, otherwise
    ///   3.
    init(
        allowsChaos: Bool = false, settings: [String], apps: Int = 3, on runDirectory: String? = nil,
        arguments more: [String] = [], environment: [String: String] = [:], openFiles: Int? = nil, keeps: Bool = false
    ) throws {
        let (base, name) = (FileManager.default.temporaryDirectory.path, "\(getpid())-\(UUID().uuidString.prefix(8))")
        self.runDirectory = runDirectory ?? "\(base)/touchline-\(name)"
        self.keepsFolder = keeps
        let file = URL(filePath: "\(base)/stderr-\(name)")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        errors = try FileHandle(forReadingFrom: file)
        supervisor.standardError = try FileHandle(forWritingTo: file)
        try FileManager.default.removeItem(at: file)
        var arguments = ["up", "--run-dir", self.runDirectory, "--apps", "\(apps)", "--while-stdin-lasts"] + more
        if allowsChaos { arguments.append("--allow-chaos") }
        for setting in settings { arguments += ["--set", setting] }
        supervisor.executableURL = thisProgram
        if let openFiles {
            // prlimit executes the program: one pid, one process.
            supervisor.executableURL = URL(filePath: "/usr/bin/prlimit")
            arguments = ["--nofile=\(openFiles):\(openFiles)", thisProgram.path] + arguments
        }
        let out = Pipe()
        supervisor.arguments = arguments
        supervisor.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        supervisor.standardInput = parentPipe
        supervisor.standardOutput = out
        try supervisor.run()
        // `up` prints one line when all processes are ready, and ends with a reason on stderr when that cannot be.
        readyLine = out.fileHandleForReading.firstLine() ?? ""
        guard readyLine.hasPrefix("ready") else {
            supervisor.waitUntilExit()
            let reason = stderrText.trimmingCharacters(in: .whitespacesAndNewlines)
            throw Failure(
                code: supervisor.terminationStatus == 2 ? 2 : 3,
                line: reason.isEmpty ? "the group ended before it was ready" : reason)
        }
    }

    private var stderrText: String {
        try? errors.seek(toOffset: 0)
        return String(decoding: (try? errors.readToEnd()) ?? Data(), as: UTF8.self)
    }

    /// The lines of its stderr so far.
    var complaints: [String] { stderrText.split(separator: "\n").map(String.init) }

    /// Records that its supervisor has been killed. The folder is kept for the next group.
    func noteKilled() {
        keepsFolder = true
        supervisor.waitUntilExit()
    }

    func stop() {
        guard supervisor.isRunning else { return }
        supervisor.terminate()
        supervisor.waitUntilExit()
    }

    deinit {
        stop()
        if !keepsFolder { try? FileManager.default.removeItem(atPath: runDirectory) }
    }
}

/// The file of this program, for another start.
let thisProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

extension FileHandle {
    /// The text up to the first line break, or to the end without one.
    fileprivate func firstLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
