// ContextSwitches.swift: what the kernel counts for a process: switches of its threads.
//
// Knows     /proc/PID/task/*/status. Text in, numbers out.

import Foundation

/// How often the threads of a process stopped running.
struct ContextSwitches: Equatable {
    /// A thread waited for something. It runs again after exactly one wake-up.
    var voluntary = 0
    /// The scheduler gave the CPU to another thread.
    var involuntary = 0

    static func - (a: ContextSwitches, b: ContextSwitches) -> ContextSwitches {
        ContextSwitches(voluntary: a.voluntary - b.voluntary, involuntary: a.involuntary - b.involuntary)
    }

    init(voluntary: Int, involuntary: Int) { (self.voluntary, self.involuntary) = (voluntary, involuntary) }

    /// The sum over the threads of a process; zero when the process is gone.
    init(pid: Int64) {
        self.init(voluntary: 0, involuntary: 0)
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        for thread in threads {
            add((try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)) ?? "")
        }
    }

    /// Adds the `status` of a thread.
    mutating func add(_ status: String) {
        let of = CounterText(status)
        voluntary += of["voluntary_ctxt_switches"] ?? 0
        involuntary += of["nonvoluntary_ctxt_switches"] ?? 0
    }
}

/// Lines of the kernel: a word, a colon, a whole number.
struct CounterText {
    private let lines: [Substring]

    init(_ text: String) { lines = text.split(separator: "\n") }

    subscript(key: String) -> Int? {
        lines.first { $0.hasPrefix("\(key):") }?.dropFirst(key.count + 1)
            .split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}
