// Tuning.swift: `--tuned`: one CPU that stays awake, for the group and the references, under SCHED_FIFO.
//
//     group      every thread of input-kit, system-server and the app: the CPU, SCHED_FIFO
//     reference  the same, set by its own processes before they start libzmq
//     priority   a process further along the way has a higher one, so a frame does not wait until its sender sleeps
//     others     this process and the supervisor: the other CPUs, so that they can always end the run
//     CPU        a thread that only runs when nothing else does (SCHED_IDLE), and /dev/cpu_dma_latency
//
// Everything is set from outside, and given back when this object is destroyed. What the kernel or this user's
// privileges do not allow is left out, for group and references alike, and reported in a line.

import CReference
import Foundation

/// The conditions of `--tuned`, while they hold.
final class Tuning {
    let cpu: Int
    /// What is missing, one line each.
    private(set) var missing: [String] = []
    /// The priority of the first process of the way under SCHED_FIFO; 0 for the ordinary scheduler.
    private(set) var priority: Int32 = 10
    /// That of the first process of a reference. While a reference runs, its first process may never sleep, and the group's
    /// processes must be able to answer heartbeats.
    var referencePriority: Int32 { priority > 0 ? priority - 3 : 0 }
    private var earlier: [(thread: Int32, scheduling: reference_scheduling)] = []
    private let isAlwaysBusy: Bool
    private var waker: OpaquePointer?
    private let latency: Int32

    /// - Parameters:
    ///   - cpu: The CPU of the group and the references.
    ///   - isAlwaysBusy: Whether the measurement leaves the CPU no time to sleep. A thread that keeps it awake would
    ///     only take time: the kernel reserves ordinary threads, also those of SCHED_IDLE, 50 ms a second.
    init(cpu: Int, isAlwaysBusy: Bool) {
        (self.cpu, self.isAlwaysBusy) = (cpu, isAlwaysBusy)
        latency = reference_hold_latency()
        // A CPU that is always busy never enters a sleep state.
        if latency < 0, !isAlwaysBusy {
            note("CPUs may enter their sleep states: /dev/cpu_dma_latency: \(String(cString: strerror(errno)))")
        }
    }

    /// The priority of all threads of a process on the way.
    ///
    /// libzmq's relay is fastest in this way, too: with one priority for all it takes 15 % longer, and with a higher one
    /// for its I/O threads 18 %.
    ///
    /// - Parameters:
    ///   - first: That of the first process; 0 for the ordinary scheduler.
    ///   - position: Its position: 0 for input-kit or the source, 1 for the server or the middle, 2 for apps or the sink.
    static func priority(from first: Int32, at position: Int) -> Int32 {
        first > 0 ? first + Int32(min(position, 2)) : 0
    }

    /// Sets the threads of the group's processes.
    ///
    /// - Parameters:
    ///   - group: The processes in the order in which a touch passes them; apps are last.
    ///   - others: The processes that must be able to run beside them.
    func apply(to group: [Int32], besides others: [Int32]) {
        for thread in others.flatMap({ threads(of: $0) }) { exclude(thread) }
        // Started after this process's other threads have left the CPU: it must stay there.
        if !isAlwaysBusy {
            waker = reference_waker_start(Int32(cpu))
            if waker == nil { note("no thread keeps CPU \(cpu) awake: \(String(cString: strerror(errno)))") }
        }
        let way = group.enumerated().flatMap { position, pid in
            threads(of: pid).map { (thread: $0, position: position) }
        }
        let all = way.map(\.thread)
        for thread in all {
            guard var scheduling = remember(thread) else { continue }
            Self.restrict(&scheduling, to: cpu)
            if reference_scheduling_set(thread, &scheduling) != 0 {
                note("CPU \(cpu) for the group's threads: \(String(cString: strerror(errno)))")
            }
        }
        for (thread, position) in way where priority > 0 {
            guard var scheduling = current(thread) else { continue }
            scheduling.policy = reference_policy_fifo()
            scheduling.priority = Self.priority(from: priority, at: position)
            if reference_scheduling_set(thread, &scheduling) != 0 {
                let reason = String(cString: strerror(errno))
                let highest = Self.priority(from: priority, at: 2)
                note("SCHED_FIFO: \(reason): needs CAP_SYS_NICE or a limit RLIMIT_RTPRIO of \(highest)")
                // All or none, and the references as the group.
                priority = 0
                for other in all { resetPolicy(of: other) }
                break
            }
        }
    }

    deinit {
        for (thread, scheduling) in earlier.reversed() {
            var scheduling = scheduling
            // A thread that has ended needs nothing back.
            _ = reference_scheduling_set(thread, &scheduling)
        }
        if let waker { reference_waker_stop(waker) }
        if latency >= 0 { close(latency) }
    }

    private func current(_ thread: Int32) -> reference_scheduling? {
        var scheduling = reference_scheduling()
        return reference_scheduling_get(thread, &scheduling) == 0 ? scheduling : nil
    }

    private func remember(_ thread: Int32) -> reference_scheduling? {
        guard let scheduling = current(thread) else { return nil }
        earlier.append((thread, scheduling))
        return scheduling
    }

    private func resetPolicy(of thread: Int32) {
        let first = earlier.first { $0.thread == thread }
        guard let first, var scheduling = current(thread) else { return }
        (scheduling.policy, scheduling.priority) = (first.scheduling.policy, first.scheduling.priority)
        _ = reference_scheduling_set(thread, &scheduling)
    }

    /// Keeps a thread off the CPU, if there is another one.
    private func exclude(_ thread: Int32) {
        guard var scheduling = remember(thread) else { return }
        withUnsafeMutableBytes(of: &scheduling.cpus) { $0[cpu / 8] &= ~(1 << (cpu % 8)) }
        // A thread that has ended is no longer on the CPU.
        if reference_scheduling_set(thread, &scheduling) != 0, errno != ESRCH {
            note("touchline and the supervisor stay on CPU \(cpu): \(String(cString: strerror(errno)))")
        }
    }

    private func note(_ line: String) {
        if !missing.contains(line) { missing.append(line) }
    }

    private static func restrict(_ scheduling: inout reference_scheduling, to cpu: Int) {
        withUnsafeMutableBytes(of: &scheduling.cpus) { bytes in
            for index in bytes.indices { bytes[index] = 0 }
            bytes[cpu / 8] = 1 << (cpu % 8)
        }
    }

    /// The last CPU that this thread may use, which is another one after `apply`. The kernel's own work tends to the
    /// first ones.
    static func lastCPU() -> Int {
        var scheduling = reference_scheduling()
        guard reference_scheduling_get(0, &scheduling) == 0 else { return 0 }
        return withUnsafeBytes(of: &scheduling.cpus) { bytes in
            (0..<bytes.count * 8).last { bytes[$0 / 8] & (1 << ($0 % 8)) != 0 } ?? 0
        }
    }
}
