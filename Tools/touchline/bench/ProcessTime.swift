// ProcessTime.swift: the CPU time that a process has used, and the other fields of /proc/PID/stat.
//
// /proc/PID/task/TID/schedstat has nanoseconds for each thread. A kernel without it counts ticks, 10 ms as a rule, in
// /proc/PID/stat.
//
// Sources   documented  proc(5); Documentation/scheduler/sched-stats.rst of Linux

import Foundation
import Glibc

/// The CPU time of the threads of a process since they began, in nanoseconds; nil without such a process.
func cpuTime(of pid: Int32) -> UInt64? {
    let own = threads(of: pid)
    guard !own.isEmpty else { return nil }
    let nanoseconds = own.reduce(UInt64(0)) { sum, thread in
        let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/schedstat", encoding: .utf8)) ?? ""
        return sum + (text.split(separator: " ").first.flatMap { UInt64($0) } ?? 0)
    }
    guard nanoseconds == 0 else { return nanoseconds }
    // Fields 14 and 15 of the page, which counts from the pid: utime and stime.
    guard let fields = statFields(of: pid), fields.count > 12, let user = UInt64(fields[11]),
        let system = UInt64(fields[12])
    else { return nil }
    return (user + system) * 1_000_000_000 / UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
}

/// The fields of /proc/PID/stat after the name of the program: the state, the parent, …. Nil without such a process.
func statFields(of pid: Int32) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        // The name in brackets may contain any character.
        let close = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: close)...].split(separator: " ")
}
