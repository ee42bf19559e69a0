// MachineFacts.swift: where and when figures were measured: the machine, its kernel, its load, the time, the program.

import Foundation
import Glibc

/// The facts of a measurement, with names for a person.
struct MachineFacts: Encodable {
    var program: String
    var time: String
    var processor: String
    var processors: Int
    var kernel: String
    /// The frequency governor of the first processor; empty if the kernel has none, as in most virtual machines.
    var governor: String
    /// Processes that wanted a processor, in the minute before.
    var load: String

    /// The facts of this machine, now.
    static func current() -> MachineFacts {
        func text(_ path: String) -> String {
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let model = text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = model?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
        return MachineFacts(
            program: Version.text, time: Date().formatted(.iso8601), processor: name ?? "unknown",
            processors: ProcessInfo.processInfo.activeProcessorCount, kernel: text("/proc/sys/kernel/osrelease"),
            governor: text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            load: text("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "unknown")
    }

    /// The rows of the page.
    var rows: [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = [
            ("program", program), ("time", time), ("processor", "\(processors) × \(processor)"), ("kernel", kernel),
            ("load before", load),
        ]
        if !governor.isEmpty { rows.append(("frequency governor", governor)) }
        return rows
    }
}
