// ChaosGroup.swift: a group that is there to be hurt, and gone with this object.

import Basics
import Foundation
import Glibc
import Wire
import ZeroMQHost

final class ChaosGroup {
    let runDirectory: String
    private let supervisor = Process()
    /// Never written to: its end tells the supervisor that this process is gone, however it went.
    private let leash = Pipe()
    private let errors: FileHandle
    private let errorPath: String
    private var keeps: Bool

    /// Starts one and waits until every process is ready.
    ///
    /// - Parameters:
    ///   - settings: `key=value`.
    ///   - runDirectory: Where another has been; nil for a new folder.
    ///   - openFiles: How many files each of its processes may have open (prlimit).
    ///   - keeps: Its folder stays.
    init(
        settings: [String], apps: Int = 3, on runDirectory: String? = nil, arguments more: [String] = [],
        environment: [String: String] = [:], openFiles: Int? = nil, keeps: Bool = false
    ) throws {
        let base = FileManager.default.temporaryDirectory.path
        self.runDirectory = runDirectory ?? "\(base)/touchline-chaos-\(getpid())-\(UUID().uuidString.prefix(8))"
        self.keeps = keeps
        // Its own words would be mixed with the table.
        errorPath = "\(base)/touchline-chaos-\(getpid())-\(UUID().uuidString.prefix(8)).log"
        _ = FileManager.default.createFile(atPath: errorPath, contents: nil)
        errors = try FileHandle(forWritingTo: URL(filePath: errorPath))
        var arguments = ["up", "--allow-chaos", "--run-dir", self.runDirectory, "--apps", "\(apps)"]
        arguments += ["--while-stdin-lasts"]
        for setting in settings { arguments += ["--set", setting] }
        let out = Pipe()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        arguments += more
        if let openFiles {
            // It becomes the program: one pid, one process.
            supervisor.executableURL = URL(filePath: "/usr/bin/prlimit")
            arguments = ["--nofile=\(openFiles):\(openFiles)", program.path] + arguments
        } else {
            supervisor.executableURL = program
        }
        supervisor.arguments = arguments
        supervisor.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        supervisor.standardInput = leash
        supervisor.standardOutput = out
        supervisor.standardError = errors
        try supervisor.run()
        var line: [UInt8] = []
        while let byte = try? out.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard String(decoding: line, as: UTF8.self).hasPrefix("ready") else {
            supervisor.waitUntilExit()
            throw Failure.group(complaints.last ?? "the group ended before it was ready")
        }
    }

    /// What it has said on stderr so far.
    var complaints: [String] {
        let text = (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

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
        try? FileManager.default.removeItem(atPath: errorPath)
        if !keeps { try? FileManager.default.removeItem(atPath: runDirectory) }
    }
}
