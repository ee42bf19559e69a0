// CoordinatorWatch.swift: the workers of this machine end when their coordinator ends, whatever ends it.
//
//     coordinator ─ an empty pipe ─▶ stdin of each worker ─ end of file ─▶ SIGKILL to the worker's processes, exit
//
// A worker and each process that it starts have process groups of their own (Foundation's Process). So neither Ctrl-C in a
// terminal nor SIGKILL to the coordinator reaches them.
//
// Sources   documented  proc_pid_stat(5): the fourth field is the parent

import Foundation
import Glibc

/// Ends a worker with its coordinator.
enum CoordinatorWatch {
    static let optionName = "watch-coordinator"
    static let option = "--\(optionName)"

    /// The pipe that a coordinator holds open for as long as it lives.
    final class Pipe {
        /// The stdin of workers.
        let end: FileHandle
        private let held: FileHandle

        /// - Throws: `Failure` with exit code 3 when the system refuses the pipe.
        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
                throw Failure.group("a pipe cannot be made: \(String(cString: strerror(errno)))")
            }
            end = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            held = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        }
    }

    /// Ends this process and all that it has started, once stdin ends.
    static func begin() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                guard count > 0 || count < 0 && errno == EINTR else { break }
            }
            for process in descendants(of: getpid()) { kill(process, SIGKILL) }
            _exit(3)
        }
    }

    /// The processes that a process has started, and those that these have started.
    private static func descendants(of root: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let parents = names.compactMap { name -> (pid: pid_t, parent: pid_t)? in
            guard let pid = pid_t(name), let fields = statFields(of: pid), fields.count > 1,
                let parent = pid_t(fields[1])
            else { return nil }
            return (pid, parent)
        }
        var found = [root]
        var index = 0
        while index < found.count {
            let parent = found[index]
            found += parents.filter { $0.parent == parent && !found.contains($0.pid) }.map(\.pid)
            index += 1
        }
        return Array(found.dropFirst())
    }
}
