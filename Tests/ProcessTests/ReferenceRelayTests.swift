import Basics
import CReference
import Foundation
import Testbed
import Testing
import Wire

@testable import touchline

@Suite("The reference relay of bench latency", .timeLimit(Sanitizer.timeLimit))
final class ReferenceRelayTests {
    private let folder: String

    init() throws {
        folder = LiveGroup.newFolder()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var leftFiles: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? ["?"] }

    private func measure(_ plan: ReferencePlan) throws -> ReferenceResult {
        try plan.measure(
            program: Programs.path(of: "touchline"), arguments: ["bench", "relay"], within: .seconds(Programs.waitLimit)
        )
    }

    @Test(
        "a reference relay delivers every packet in order after its sending",
        arguments: ReferenceTransport.allCases, [nil, 100_000])
    func order(transport: ReferenceTransport, period: UInt64?) throws {
        let plan = ReferencePlan(transport, in: folder, frames: 200, warmUp: 20, period: period)
        let result = try measure(plan)
        let samples = result.samples
        #expect(samples.count == 200)
        #expect(samples.allSatisfy { $0.due <= $0.sent && $0.sent < $0.received })
        let neighbours = zip(samples, samples.dropFirst())
        #expect(neighbours.allSatisfy { $0.sent < $1.sent && $0.received < $1.received })
        if let period {
            #expect(neighbours.allSatisfy { $0.due.duration(to: $1.due).nanoseconds == Int64(period) })
        } else {
            // The next packet follows the receipt of the one before, so each process sleeps.
            #expect(neighbours.allSatisfy { $0.received < $1.sent })
            #expect(result.counts.wakeUps > 0)
        }
        #expect(leftFiles == [])
    }

    @Test("the packets of a burst are due at once", arguments: ReferenceTransport.allCases)
    func burst(transport: ReferenceTransport) throws {
        var plan = ReferencePlan(transport, in: folder, frames: 40, warmUp: 8, period: 500_000)
        plan.burst = 4
        let due = try measure(plan).samples.map(\.due)
        #expect(due.count == 40)
        for first in stride(from: 0, to: 40, by: 4) { #expect(Set(due[first..<first + 4]).count == 1) }
        #expect(Set(due).count == 10)
    }

    @Test("a relay of batches delivers more packets than fit into libzmq's queues")
    func batches() throws {
        var plan = ReferencePlan(.zmq, in: folder, frames: 5000, warmUp: 100, period: 1)
        (plan.burst, plan.batch) = (256, 64)
        let result = try measure(plan)
        #expect(result.samples.count == 5000)
        #expect(result.rate > 0)
    }

    @Test("batches need libzmq, which copies packets of any size")
    func batchLimit() {
        var plan = ReferencePlan(.ring, in: folder, frames: 5, warmUp: 0, period: nil)
        plan.batch = 64
        let failure = #expect(throws: Failure.self) { try measure(plan) }
        #expect(failure?.line.contains("ended with status 3") == true)
    }

    @Test("a reference relay that polls delivers every packet", arguments: ReferenceTransport.allCases)
    func spins(transport: ReferenceTransport) throws {
        var plan = ReferencePlan(transport, in: folder, frames: 50, warmUp: 0, period: nil)
        plan.spins = true
        #expect(try measure(plan).samples.count == 50)
    }

    @Test("a reference plan survives conversion to arguments and back", arguments: ReferenceTransport.allCases)
    func conversion(transport: ReferenceTransport) {
        var plan = ReferencePlan(transport, in: "/run/x", frames: 5, warmUp: 1, period: 7)
        #expect(ReferencePlan.parse(plan.arguments(for: .sink))?.1 == plan)
        (plan.affinity, plan.spins, plan.period) = ("0,1", true, nil)
        (plan.burst, plan.priority, plan.tracepoint, plan.batch) = (3, 10, 17, 64)
        for role in ReferencePlan.Role.allCases {
            let parsed = ReferencePlan.parse(plan.arguments(for: role))
            #expect(parsed?.0 == role && parsed?.1 == plan)
        }
        #expect(ReferencePlan.parse(["source"]) == nil)
    }

    @Test("a reference process that fails ends the run and the other processes", arguments: ReferenceTransport.allCases)
    func death(transport: ReferenceTransport) throws {
        let plan = ReferencePlan(transport, in: folder, frames: 5, warmUp: 0, period: nil)
        // The source and the middle write their pids and wait; then the sink fails.
        let script = """
            cd \(folder)
            if [ $1 = sink ]; then
                until [ -s source.pid ] && [ -s middle.pid ]; do :; done
                exit 7
            fi
            echo $$ > $1.new && mv $1.new $1.pid
            exec sleep 1000
            """
        let failure = #expect(throws: Failure.self) {
            try plan.measure(program: "/bin/sh", arguments: ["-c", script, "sh"], within: .seconds(Programs.waitLimit))
        }
        #expect(failure?.line == "the sink of the \(transport.title) ended with status 7")
        #expect(failure?.code == 3)
        for role in ["source", "middle"] {
            let text = try String(contentsOfFile: "\(folder)/\(role).pid", encoding: .utf8)
            let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(pid, 0) == -1 && errno == ESRCH, "the \(role) still runs")
        }
        #expect(leftFiles.sorted() == ["middle.pid", "source.pid"])
    }

    @Test("a reference relay that does not end is killed")
    func limit() throws {
        let plan = ReferencePlan(.seqpacket, in: folder, frames: 5, warmUp: 0, period: nil)
        let failure = #expect(throws: Failure.self) {
            try plan.measure(program: "/bin/sh", arguments: ["-c", "exec sleep 1000", "sh"], within: .zero)
        }
        #expect(failure?.line.contains("has not ended") == true)
    }

    @Test("a killed reference process is named with its signal")
    func signal() throws {
        let plan = ReferencePlan(.ring, in: folder, frames: 5, warmUp: 0, period: nil)
        let failure = #expect(throws: Failure.self) {
            try plan.measure(
                program: "/bin/sh", arguments: ["-c", "[ $1 != source ] && exec sleep 1000; kill -9 $$", "sh"],
                within: .seconds(Programs.waitLimit))
        }
        #expect(failure?.line == "the source of the shared-memory ring ended with signal 9")
    }
}

@Suite("Conditions and counts of bench latency")
struct MeasurementConditionTests {
    @Test("each process of a tuned way preempts the one before it, and the ordinary scheduler has no priorities")
    func priorities() {
        #expect((0..<4).map { Tuning.priority(from: 10, at: $0) } == [10, 11, 12, 12])
        #expect((0..<3).map { Tuning.priority(from: 0, at: $0) } == [0, 0, 0])
    }

    @Test("the switches of a thread are read from its status")
    func switches() {
        let text = "Name:\tapp\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t7\n"
        let switches = EventCounter.switches(in: text)
        #expect(switches.voluntary == 150 && switches.involuntary == 7)
        #expect(EventCounter.switches(in: "Name:\tapp\n") == (0, 0))
    }

    @Test("a running process has context switches")
    func counts() {
        let counter = EventCounter(of: [getpid()], tracepoint: nil)
        let counts = counter.counts()
        #expect(counts.wakeUps > 0)
        #expect(counts.systemCalls == nil)
    }

    @Test("differences and sums of counts have system calls only where both have them")
    func arithmetic() {
        let (a, b) = (EventCounts(wakeUps: 5, preemptions: 1, systemCalls: 9), EventCounts(wakeUps: 7, systemCalls: 2))
        #expect(a - b == EventCounts(wakeUps: 0, preemptions: 1, systemCalls: 7))
        #expect(a + b == EventCounts(wakeUps: 12, preemptions: 1, systemCalls: 11))
        #expect((a + EventCounts()).systemCalls == nil)
    }

    @Test("a counter of perf counts the events of its thread, or the kernel refuses it")
    func counter() throws {
        // PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS
        let counter = reference_counter_open(1, 2, 0, 1)
        guard counter >= 0 else {
            #expect([EPERM, EACCES, ENOSYS, ENOENT].contains(errno))
            return
        }
        defer { close(counter) }
        let before = reference_counter_read(counter)
        let size = 64 * 4096
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        memset(memory, 1, size)
        munmap(memory, size)
        #expect(reference_counter_read(counter) > before)
    }

    @Test("a tuned process gets its earlier CPUs and scheduler back")
    func tuning() throws {
        let sleeper = try Program(["1000"], of: "sleep", in: URL(filePath: "/bin"))
        // Its name changes when setpriv executes it; before that it may be between two programs.
        while (try? String(contentsOfFile: "/proc/\(sleeper.pid)/comm", encoding: .utf8)) != "sleep\n" { sched_yield() }
        let before = try scheduling(of: sleeper.pid)
        let cpu = Tuning.lastCPU()
        var tuning: Tuning? = Tuning(cpu: cpu, isAlwaysBusy: false)
        tuning?.apply(to: [sleeper.pid], besides: [])
        let during = try scheduling(of: sleeper.pid)
        #expect(during.cpus == [cpu])
        if tuning?.priority == 0 {
            #expect(tuning?.missing.contains { $0.hasPrefix("SCHED_FIFO: ") } == true)
            #expect(during.policy == before.policy)
        } else {
            #expect(during.policy == reference_policy_fifo())
        }
        tuning = nil
        let after = try scheduling(of: sleeper.pid)
        #expect(after == before)
    }

    private struct Scheduling: Equatable {
        var policy, priority: Int32
        var cpus: [Int]
    }

    private func scheduling(of pid: Int32) throws -> Scheduling {
        var raw = reference_scheduling()
        try #require(reference_scheduling_get(pid, &raw) == 0)
        let cpus = withUnsafeBytes(of: &raw.cpus) { bytes in
            (0..<bytes.count * 8).filter { bytes[$0 / 8] & (1 << ($0 % 8)) != 0 }
        }
        return Scheduling(policy: raw.policy, priority: raw.priority, cpus: cpus)
    }

    @Test("a script of bursts has one landing, one lift and the scans of a burst at one time")
    func script() {
        let script = BurstScript(bursts: 3, size: 2, period: 1_500_000)
        #expect(script.repeats == 1)
        #expect(
            script.text(on: nil) == """
                down f1 (100,100) @0.000000000
                move f1 (101,100) @0.000000000
                move f1 (102,100) @0.001500000
                move f1 (103,100) @0.001500000
                move f1 (104,100) @0.003000000
                up f1 @0.003000000

                """)
        let long = BurstScript(bursts: 10_000, size: 8, period: 4_166_666)
        #expect(long.text(on: nil).utf8.count <= 60_000)
        #expect(Int(long.repeats) * long.burstsPerPass >= 10_000)
    }

    @Test("a scan of several contacts is their lines at one time, in passes of one length")
    func contacts() throws {
        let screen = Rect<ScreenSpace>(x: 0, y: 0, width: 400, height: 800)
        let script = BurstScript(bursts: 2, size: 1, period: 1_000_000, contacts: 2, mostContacts: 16)
        #expect(
            script.text(on: screen) == """
                down f1 (50,100) @0.000000000
                down f2 (150,100) @0.000000000
                up f1 @0.001000000
                up f2 @0.001000000

                """)
        let (one, most) = (
            BurstScript(bursts: 1000, size: 1, period: 4_166_666, contacts: 1, mostContacts: 16),
            BurstScript(bursts: 1000, size: 1, period: 4_166_666, contacts: 16, mostContacts: 16)
        )
        #expect(one.burstsPerPass == most.burstsPerPass && one.repeats == most.repeats)
        #expect(most.text(on: screen).utf8.count <= PlayOrder.scriptLimit)
        // Every contact has a place of its own, away from the edges.
        let landings = most.text(on: screen).split(separator: "\n").filter { $0.hasPrefix("down") }
        #expect(Set(landings.compactMap { $0.split(separator: " ").dropFirst(2).first }).count == 16)
    }
}
