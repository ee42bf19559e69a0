// StoppedProcesses.swift: who is stopped just now, so that nobody stays so: not even when a person ends the command.
//
// Sources   documented  signal-safety(7): kill and _exit may be called from a handler

import Basics
import Glibc

enum StoppedProcesses {
    private static let limit = 256
    /// Read by the handler, which may come at any moment: zero is nobody.
    private nonisolated(unsafe) static let pids: UnsafeMutablePointer<pid_t> = {
        let pids = UnsafeMutablePointer<pid_t>.allocate(capacity: limit)
        pids.initialize(repeating: 0, count: limit)
        return pids
    }()
    private nonisolated(unsafe) static var isWatching = false

    /// Stops it, and remembers to let it go on.
    ///
    /// - Returns: False when there is no such process.
    static func stop(_ pid: pid_t) -> Bool {
        watch()
        guard pid > 1, let place = (0..<limit).first(where: { pids[$0] == 0 }) else { return false }
        pids[place] = pid
        guard kill(pid, SIGSTOP) == 0 else {
            pids[place] = 0
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
