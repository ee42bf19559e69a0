// EventCounts.swift: context switches and system calls of processes, counted by the kernel.
//
// A voluntary switch is a wake-up: a thread slept and a CPU came back to it. An involuntary switch is a preemption.
// /proc/PID/task/TID/status has both for each thread. System calls are counted by perf at the tracepoint
// raw_syscalls:sys_enter, where the kernel has it and this user may use it; nothing is traced or stopped.

import CReference
import Foundation

/// The events of some processes.
struct EventCounts: Hashable {
    var wakeUps: UInt64 = 0
    var preemptions: UInt64 = 0
    /// Nil where they are not counted.
    var systemCalls: UInt64?

    static func - (later: EventCounts, earlier: EventCounts) -> EventCounts {
        // A thread that has ended since takes its counts with it.
        func difference(_ a: UInt64, _ b: UInt64) -> UInt64 { a > b ? a - b : 0 }
        return EventCounts(
            wakeUps: difference(later.wakeUps, earlier.wakeUps),
            preemptions: difference(later.preemptions, earlier.preemptions),
            systemCalls: later.systemCalls.flatMap { later in
                earlier.systemCalls.map { difference(later, $0) }
            })
    }

    static func + (a: EventCounts, b: EventCounts) -> EventCounts {
        EventCounts(
            wakeUps: a.wakeUps + b.wakeUps, preemptions: a.preemptions + b.preemptions,
            systemCalls: a.systemCalls.flatMap { a in b.systemCalls.map { a + $0 } })
    }
}

/// The threads of a process.
func threads(of pid: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    return names.compactMap { Int32($0) }.sorted()
}

/// Counts the events of running processes from outside.
final class EventCounter {
    private let pids: [Int32]
    private var counters: [FileHandle] = []
    private let countsSystemCalls: Bool

    /// - Parameter tracepoint: The id of the tracepoint of system calls; nil to count none.
    init(of pids: [Int32], tracepoint: UInt64?) {
        self.pids = pids
        var isComplete = tracepoint != nil
        if let tracepoint {
            for thread in pids.flatMap({ threads(of: $0) }) {
                let counter = reference_counter_open(Self.tracepointType, tracepoint, thread, 1)
                isComplete = isComplete && counter >= 0
                if counter >= 0 { counters.append(FileHandle(fileDescriptor: counter, closeOnDealloc: true)) }
            }
        }
        countsSystemCalls = isComplete
    }

    /// The counts since the threads began.
    func counts() -> EventCounts {
        var counts = EventCounts()
        for pid in pids {
            for thread in threads(of: pid) {
                guard let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
                else { continue }
                let switches = Self.switches(in: text)
                counts.wakeUps += switches.voluntary
                counts.preemptions += switches.involuntary
            }
        }
        if countsSystemCalls {
            counts.systemCalls = counters.reduce(0) { $0 + reference_counter_read($1.fileDescriptor) }
        }
        return counts
    }

    /// The switches in the text of /proc/PID/task/TID/status.
    static func switches(in status: String) -> (voluntary: UInt64, involuntary: UInt64) {
        func number(_ name: String) -> UInt64 {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line.flatMap { UInt64($0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)) } ?? 0
        }
        return (number("voluntary_ctxt_switches"), number("nonvoluntary_ctxt_switches"))
    }

    private static let tracepointType: UInt32 = 2

    /// Finds the tracepoint of system calls.
    ///
    /// - Returns: Its id, or the reason why system calls cannot be counted.
    static func tracepoint() -> (id: UInt64?, reason: String) {
        let folders = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"]
        let texts = folders.compactMap {
            try? String(contentsOfFile: "\($0)/events/raw_syscalls/sys_enter/id", encoding: .utf8)
        }
        guard let id = texts.first.flatMap({ UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) else {
            return (nil, "this kernel, or this user, has no tracepoint raw_syscalls:sys_enter (tracefs)")
        }
        let counter = reference_counter_open(tracepointType, id, 0, 0)
        guard counter >= 0 else {
            return (nil, "perf_event_open: \(String(cString: strerror(errno))) (CAP_PERFMON)")
        }
        close(counter)
        return (id, "")
    }
}
