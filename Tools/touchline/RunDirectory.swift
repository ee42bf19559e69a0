// RunDirectory.swift: --run-dir, and the connection to the group of that folder.

import ArgumentParser
import Basics
import CSystem
import Glibc
import Wire
import ZeroMQHost

/// The folder of a group, with its sockets, its pid file and its traces.
struct RunDirectory: ParsableArguments {
    @Option(
        name: .customLong("run-dir"),
        help: ArgumentHelp(
            "The group's folder, mode 0700 (default: $XDG_RUNTIME_DIR/touchline, else /tmp/touchline-<uid>).",
            valueName: "folder"))
    var givenPath: String?

    func validate() throws {
        if givenPath == "" { throw ValidationError("--run-dir: expected a folder, found nothing") }
    }

    private static var runtime: String? {
        getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the reason why a folder is not safe. A user with write access to the parent folder could replace the
    /// group's folder.
    ///
    /// - Returns: Nil for a folder of this user alone, and for a missing one, which is not used.
    private static func reasonToDoubt(_ folder: String) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "is no folder" }
        guard status.st_uid == geteuid() else { return "belongs to user \(status.st_uid)" }
        let mode = status.st_mode & 0o777
        return mode & 0o077 == 0 ? nil : "is open to other users (mode \(String(mode, radix: 8)))"
    }

    /// The absolute path.
    ///
    /// - Throws: When it would be in a folder of XDG_RUNTIME_DIR that is not this user's alone.
    var path: String {
        get throws {
            if let givenPath { return absolute(givenPath) }
            guard let runtime = Self.runtime, access(runtime, F_OK) == 0 else { return "/tmp/touchline-\(getuid())" }
            if let why = Self.reasonToDoubt(runtime) {
                throw Failure.group("XDG_RUNTIME_DIR: \(runtime) \(why): give --run-dir, or unset it")
            }
            return "\(runtime)/touchline"
        }
    }

    /// Connects to the group.
    func connect() throws -> ControlClient {
        try ControlClient.connect(to: path)
    }
}

/// Returns the absolute path, relative to the current folder. Processes of the group may have another one.
func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let currentFolder = getcwd(nil, 0) else { return path }
    defer { free(currentFolder) }
    return "\(String(cString: currentFolder))/\(path)"
}

/// The present by CLOCK_MONOTONIC, the clock of every process of the group.
func monotonicNow() -> Instant { Instant(nanoseconds: system_clock()) }

extension ControlClient {
    /// Connects to the group in this folder.
    static func connect(to runDirectory: String) throws -> ControlClient {
        do throws(HostError) {
            return try ControlClient(runDirectory: runDirectory)
        } catch { throw Failure.group(error) }
    }

    func ask(_ message: Message) throws {
        do throws(HostError) { try send(message) } catch { throw Failure.group(error) }
    }

    func next(timeout: Duration) throws -> Message? {
        do throws(HostError) { return try receive(timeout: timeout) } catch { throw Failure.group(error) }
    }
}
