// SystemCallCounter.swift: the system calls of running processes, counted by strace.
//
// strace stops a process at each call, so times under it mean nothing. The number of calls for an event stays the same
// where each event is awaited before the next one.
//
// Knows     the summary of `strace -c`, and that SIGINT makes strace leave its process running
//
// Sources   documented  strace(1); setpriv(1); PR_SET_PDEATHSIG of prctl(2)

import Foundation
import Glibc

/// This user may not trace the processes.
struct TracingDenied: Error, Equatable {
    let reason: String
}

/// Counts the system calls of processes, one strace for each.
final class SystemCallCounter {
    private let folder: String
    private var traces: [(run: Process, file: String)] = []

    /// The file of strace; nil without one in the search path.
    static let program: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/strace" }.first { access($0, X_OK) == 0 }
    }()

    /// Attaches to processes, and returns when every thread of them is traced.
    ///
    /// - Throws: `TracingDenied` when this user may not trace them, `Failure` with exit code 3 when one has ended.
    init(pids: [Int64], with program: String) throws {
        folder = FileManager.default.temporaryDirectory.path + "/touchline-strace-\(getpid())-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for pid in pids {
            let (run, file) = (Process(), "\(folder)/\(pid)")
            // strace detaches when this process ends: SIGTERM, like SIGINT, leaves the traced process running.
            run.executableURL = URL(filePath: "/usr/bin/setpriv")
            run.arguments = ["--pdeathsig", "TERM", program, "-f", "-c", "-o", file, "-p", "\(pid)"]
            run.standardInput = FileHandle.nullDevice
            run.standardOutput = FileHandle.nullDevice
            run.standardError = FileHandle.nullDevice
            try run.run()
            traces.append((run, file))
        }
        for (trace, pid) in zip(traces, pids) {
            while !Self.isTraced(pid) {
                guard trace.run.isRunning else {
                    guard kill(Int32(truncatingIfNeeded: pid), 0) == 0 || errno != ESRCH else {
                        throw Failure.group("process \(pid) of the group has ended")
                    }
                    throw TracingDenied(reason: "strace cannot attach to a process of the group: try as root")
                }
                usleep(2000)
            }
        }
    }

    deinit {
        for trace in traces where trace.run.isRunning { trace.run.interrupt() }
        for trace in traces { trace.run.waitUntilExit() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Detaches from the processes.
    ///
    /// - Returns: The calls of each process by name, in the order of the pids.
    func finish() throws -> [[String: Int]] {
        for trace in traces { trace.run.interrupt() }
        for trace in traces { trace.run.waitUntilExit() }
        return try traces.map { trace in
            guard let text = try? String(contentsOfFile: trace.file, encoding: .utf8) else {
                throw Failure.group("strace wrote no summary")
            }
            return Self.calls(inSummary: text)
        }
    }

    /// Whether every thread of a process has a tracer.
    private static func isTraced(_ pid: Int64) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return !threads.isEmpty
            && threads.allSatisfy { thread in
                let status = (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)) ?? ""
                return !status.contains("\nTracerPid:\t0\n")
            }
    }

    /// Reads `strace -c`: columns of share, seconds, time for each call, calls, errors (may be empty), and the name.
    static func calls(inSummary text: String) -> [String: Int] {
        var calls: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 5, Double(words[0]) != nil, let count = Int(words[3]), words.last != "total" else {
                continue
            }
            calls[String(words[words.count - 1]), default: 0] += count
        }
        return calls
    }
}
