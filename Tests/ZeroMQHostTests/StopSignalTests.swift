import Basics
import Foundation
import Glibc
import Hosting
import Settings
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Stop signals") struct StopSignalTests {
    /// A core that exits some time after the first stop request, and signals its own thread in that time.
    struct SlowStop: ProcessCore {
        /// The signals raised in the step that receives the first request.
        var afterFirst: [Int32] = []
        var wait: Duration
        /// The signals raised when the wait is over, instead of the exit.
        var afterWait: [Int32] = []
        var requests = 0

        mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
            switch input {
            case .started: raise(SIGTERM)
            case .stopRequested:
                requests += 1
                for number in afterFirst { raise(number) }
                outbox.append(.arm(TimerID(1), at: now.advanced(by: wait)))
            case .timerFired:
                for number in afterWait { raise(number) }
                if afterWait.isEmpty { outbox.append(.exit(status: 0)) }
            default: break
            }
        }
    }

    /// Runs a core on a thread of its own, whose mask the host may change.
    ///
    /// - Parameter stopDeadline: `supervisor.stopDeadline`, in seconds.
    /// - Returns: The status, the stop requests that the core received, and whether SIGTERM is blocked afterwards.
    private func run(
        _ core: SlowStop, stopDeadline: String
    ) throws -> (status: Int32, requests: Int, isBlocked: Bool) {
        var settings = Settings()
        try settings.set(.supervisorStopDeadline, to: stopDeadline)
        let order = LaunchOrder(
            peer: .supervisor, epoch: 1, generation: 1, runDirectory: "", settings: settings.changed)
        nonisolated(unsafe) var result: Result<(Int32, Int, Bool), any Error>?
        let done = DispatchSemaphore(value: 0)
        let inForce = settings
        Thread.detachNewThread {
            result = Result {
                var parts = ZeroMQHost.Parts()
                let signals = try Signals()
                parts.signals = signals
                let host = try ZeroMQHost(order: order, settings: inForce, parts: parts)
                var core = core
                let status = host.run(&core)
                var mask = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &mask)
                // The thread ends with its pending signals.
                return (status, core.requests, sigismember(&mask, SIGTERM) == 1)
            }
            done.signal()
        }
        done.wait()
        return try #require(try result?.get())
    }

    @Test("several stop signals in a row are one stop request", arguments: [[SIGTERM], [SIGINT], [SIGHUP, SIGTERM]])
    func repeated(signals: [Int32]) throws {
        let core = SlowStop(afterFirst: signals, wait: .milliseconds(20))
        let (status, requests, _) = try run(core, stopDeadline: "60")
        #expect(status == 0)
        #expect(requests == 1)
    }

    @Test("a stop signal after the stop deadline ends a process that hangs")
    func late() throws {
        let core = SlowStop(wait: .milliseconds(30), afterWait: [SIGINT])
        let (status, requests, _) = try run(core, stopDeadline: "0.01")
        #expect(status == 1)
        #expect(requests == 1)
    }

    @Test("stop signals stay blocked after the end of a host")
    func afterTheEnd() throws {
        let (status, _, isBlocked) = try run(SlowStop(wait: .zero), stopDeadline: "60")
        #expect(status == 0)
        #expect(isBlocked)
    }
}
