// OwnGroup.swift: a group that a command starts for itself with `touchline up`, and that ends with this object.
//
// Input     GroupSession, chaos, soak, `monkey --kills`: what `up` is given
// Output    a group that is ready, its folder, what it has said on stderr
// Knows     one process. What is said to the group is the caller's affair.

import Basics
import Foundation
import Glibc

final class OwnGroup {
    let runDirectory: String
    private let supervisor = Process()
    /// Never written to: its end tells the supervisor that this process is gone, however it went.
    private let leash = Pipe()
    /// Of a file without a name, into which the group writes what it has to say: a pipe that is full would keep the group
    /// waiting, and a terminal has this command's own lines. Nothing of it is left when this process is killed.
    private let errors: FileHandle
    private var keeps: Bool

    /// Starts a group and waits until every process is ready.
    ///
    /// - Parameters:
    ///   - allowsChaos: Whether its processes take faults (`--allow-chaos`).
    ///   - settings: `key=value`, as `--set` takes them.
    ///   - runDirectory: Where another group has been; nil for a new folder.
    ///   - more: Arguments of `up` beside those that follow from the other parameters.
    ///   - openFiles: How many files each of its processes may have open (prlimit).
    ///   - keeps: Its folder stays.
    /// - Throws: `Failure` with what the group said; exit code 2 for a scene or setting that cannot be used, else 3.
    init(
        allowsChaos: Bool = false, settings: [String], apps: Int = 3, on runDirectory: String? = nil,
        arguments more: [String] = [], environment: [String: String] = [:], openFiles: Int? = nil, keeps: Bool = false
    ) throws {
        let (base, name) = (FileManager.default.temporaryDirectory.path, "\(getpid())-\(UUID().uuidString.prefix(8))")
        self.runDirectory = runDirectory ?? "\(base)/touchline-\(name)"
        self.keeps = keeps
        let file = URL(filePath: "\(base)/stderr-\(name)")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        errors = try FileHandle(forReadingFrom: file)
        supervisor.standardError = try FileHandle(forWritingTo: file)
        try FileManager.default.removeItem(at: file)
        var words = ["up", "--run-dir", self.runDirectory, "--apps", "\(apps)", "--while-stdin-lasts"] + more
        if allowsChaos { words.append("--allow-chaos") }
        for setting in settings { words += ["--set", setting] }
        supervisor.executableURL = thisProgram
        if let openFiles {
            // It becomes the program: one pid, one process.
            supervisor.executableURL = URL(filePath: "/usr/bin/prlimit")
            words = ["--nofile=\(openFiles):\(openFiles)", thisProgram.path] + words
        }
        let out = Pipe()
        supervisor.arguments = words
        supervisor.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        supervisor.standardInput = leash
        supervisor.standardOutput = out
        try supervisor.run()
        // `up` prints one line when all are ready, and ends with a reason on stderr when that cannot be.
        guard out.fileHandleForReading.firstLine()?.hasPrefix("ready") == true else {
            supervisor.waitUntilExit()
            let reason = said.trimmingCharacters(in: .whitespacesAndNewlines)
            throw Failure(
                code: supervisor.terminationStatus == 2 ? 2 : 3,
                line: reason.isEmpty ? "the group ended before it was ready" : reason)
        }
    }

    private var said: String {
        try? errors.seek(toOffset: 0)
        return String(decoding: (try? errors.readToEnd()) ?? Data(), as: UTF8.self)
    }

    /// The lines that it has written to stderr so far.
    var complaints: [String] { said.split(separator: "\n").map(String.init) }

    /// Its supervisor has been killed; the folder is the next one's.
    func isKilled() {
        keeps = true
        supervisor.waitUntilExit()
    }

    func stop() {
        guard supervisor.isRunning else { return }
        supervisor.terminate()
        supervisor.waitUntilExit()
    }

    deinit {
        stop()
        if !keeps { try? FileManager.default.removeItem(atPath: runDirectory) }
    }
}

/// The file of this program, to be started once more.
let thisProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

extension FileHandle {
    /// Text up to the first line break, or to the end where there is none.
    fileprivate func firstLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
