// StoppedProcesses.swift: the processes that are stopped at present, which are continued even if the command is ended.
//
// Sources   documented  signal-safety(7): kill and _exit may be called from a handler

import Basics
import Glibc

/// The stopped processes.
enum StoppedProcesses {
    private static let limit = 256
    /// Read by the signal handler at any moment; zero for a free place.
    private nonisolated(unsafe) static let pids: UnsafeMutablePointer<pid_t> = {
        let pids = UnsafeMutablePointer<pid_t>.allocate(capacity: limit)
        pids.initialize(repeating: 0, count: limit)
        return pids
    }()
    private nonisolated(unsafe) static var isWatching = false

    /// Stops a process and notes that it must be continued.
    ///
    /// - Returns: False when there is no such process.
    static func stop(_ pid: pid_t) -> Bool {
        watch()
        guard pid > 1, let slot = (0..<limit).first(where: { pids[$0] == 0 }) else { return false }
        pids[slot] = pid
        guard kill(pid, SIGSTOP) == 0 else {
            pids[slot] = 0
            return false
        }
        return true
    }

    static func resume(_ pid: pid_t) {
        for place in 0..<limit where pids[place] == pid {
            kill(pid, SIGCONT)
            pids[place] = 0
        }
    }

    static func resumeAll() { for place in 0..<limit where pids[place] != 0 { resume(pids[place]) } }

    private static func watch() {
        guard !isWatching else { return }
        isWatching = true
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                StoppedProcesses.resumeAll()
                _exit(128 + number)
            }
        }
    }
}
