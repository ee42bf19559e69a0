// TopSample.swift: what `touchline top` reads of a group at one moment.
//
// Input     TopCommand: the connection to the group; /proc of its processes
// Output    TopTable
// Knows     where each part is from. TopTable computes rates.

import Basics
import Wire
import ZeroMQHost

/// The counters of a group at one moment.
struct TopSample {
    /// The use of the machine by one process.
    struct MachineUse: Equatable {
        /// The CPU time since its start, in nanoseconds.
        var cpu: UInt64
        /// The resident memory in KiB.
        var residentKiB: Int
    }

    /// The moment of the reports, by CLOCK_MONOTONIC.
    var time: Instant
    var group: GroupReport
    /// The server's rows; empty if the server has not answered.
    var server: ServerRows
    /// By name of process.
    var machineUse: [String: MachineUse] = [:]
}

extension TopSample {
    /// Requests the reports and reads /proc.
    ///
    /// - Throws: `Failure` with exit code 3 when the supervisor does not answer or ends.
    init(from client: ControlClient) throws {
        let group = try GroupReport(from: client)
        self.init(time: monotonicNow(), group: group, server: try ServerRows(from: client))
        for process in group.processes {
            let pid = Int32(truncatingIfNeeded: process.pid)
            guard pid > 1, let cpu = cpuTime(of: pid), let memory = ProcessSample(pid: pid) else { continue }
            machineUse[process.name] = MachineUse(cpu: cpu, residentKiB: memory.residentKiB)
        }
    }
}
