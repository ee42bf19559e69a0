// SleepAnchor.swift: the delay that a task asked for, although the runtime reports only the real time that remains.
//
// Task.sleep reads the real clock, adds the delay, and gives its executor the sum. Some real time passes in between, and
// more if the machine is busy: the delay is between the time that remains and the time that remained when the task's job
// began. The jobs of the app's present moment are tried, the last one first, until there is a round number in between.
//
// Input     ApplicationClock: each job
// Output    the delay of a task that sleeps
//
// Sources   invented

/// The real moments at which the jobs of an application's present moment began.
package struct SleepAnchor {
    private var moment = Int64.min
    /// In nanoseconds, the last one last.
    private var beginnings: [UInt64] = []
    private static let limit = 8

    package init() {}

    /// Notes that a job begins at a moment of the application's clock, in nanoseconds.
    package mutating func jobBegins(at now: Int64) {
        if now != moment || beginnings.count == Self.limit {
            beginnings.removeFirst(now == moment ? 1 : beginnings.count)
        }
        moment = now
        beginnings.append(SystemTime.uptime)
    }

    /// The delay in nanoseconds for a real time that remains now.
    package func delay(forReal remaining: Int64) -> Int64 {
        let now = SystemTime.uptime
        return Self.delay(
            forReal: remaining, passed: beginnings.reversed().map { now > $0 ? Int64(clamping: now - $0) : 0 })
    }

    /// - Parameters:
    ///   - remaining: The real time that remains, in nanoseconds.
    ///   - passed: The time since each beginning, in nanoseconds and ascending.
    package static func delay(forReal remaining: Int64, passed: [Int64]) -> Int64 {
        for time in passed {
            let (latest, overflow) = remaining.addingReportingOverflow(time)
            guard !overflow, latest > 0 else { continue }
            let delay = roundest(in: max(1, remaining)...latest)
            if delay % 1_000_000 == 0 { return delay }
        }
        return max(0, remaining)
    }

    /// The number with the largest divisor of the kind 1, 2 or 5 times a power of ten.
    private static func roundest(in range: ClosedRange<Int64>) -> Int64 {
        var power: Int64 = 1_000_000_000_000_000
        while power > 1 {
            for divisor in [power, power / 2, power / 5] {
                let multiple = range.upperBound / divisor * divisor
                if multiple >= range.lowerBound { return multiple }
            }
            power /= 10
        }
        return range.lowerBound
    }
}
