// ChaosClocks.swift: F9: clocks that jump, on groups of the row's own, because a running clock cannot be set.
//
//    wall clock     a library under every process of the group (LD_PRELOAD) replaces the wall clock. It adds an hour or
//                   subtracts one during a play. The touches must equal the touches of the same play without one.
//    device time    a virtual panel with stamps that go back: clamped and counted
//    sleep          every process of the group is stopped and continued later, so that its timers are late. In a
//                   suspended machine CLOCK_MONOTONIC stands still, and no timer is late.
//
// Sources   documented  ld.so(8): LD_PRELOAD; clock_gettime(2)

import Audit
import Basics
import Foundation
import Glibc
import HID
import Hosting
import Recordings
import Wire
import ZeroMQHost

extension ChaosRun {
    mutating func clockJumps() throws {
        var tally = ClockTally()
        for round in 1...times {
            try wallJumps(into: &tally)
            try deviceTimeGoesBack(round, into: &tally)
            try sleeps(into: &tally)
            progress(round)
        }
        verdict.demand(
            "lines that differ after a jump of the wall clock, of \(tally.lines)", tally.differing, is: 0...0)
        verdict.remarks.append(
            "all processes read the wall clock \(tally.reads) times while the apps received \(tally.lines) lines")
        verdict.demand("clamped stamps of a panel with a slow clock", tally.clamped, is: tally.slow...Int.max)
        verdict.demand("events in the app with an earlier time than the event before", tally.backwards, is: 0...0)
        verdict.demand("sleeps that cancelled the live touch", tally.cancelled, is: times...times)
        verdict.demand("a tap works after a sleep", tally.works, percentile: 1, within: .seconds(3), of: times)
        try expectTap()
        judge(try evidence())
    }

    // MARK: The wall clock

    private mutating func wallJumps(into tally: inout ClockTally) throws {
        let clock = try WallClock()
        defer { clock.remove() }
        let strokes = target.strokes(length: .milliseconds(600))
        let undisturbed = try receivedTouches(of: strokes, under: clock, jumps: [])
        let jumped = try receivedTouches(of: strokes, under: clock, jumps: [3600, -3600])
        guard !undisturbed.lines.isEmpty else {
            throw Failure.negativeResult("the apps under the wall clock received no touch")
        }
        tally.differing += zip(undisturbed.lines, jumped.lines).count { $0 != $1 }
        tally.differing += abs(undisturbed.lines.count - jumped.lines.count)
        tally.lines += undisturbed.lines.count
        tally.reads += jumped.reads
    }

    /// Returns the touches that the apps received, without times.
    private mutating func receivedTouches(
        of script: String, under clock: WallClock, jumps: [Int64]
    ) throws -> (lines: [String], reads: Int) {
        clock.set(offset: 0)
        let group = try startGroup(apps: 1, environment: clock.environment)
        let other = try ChaosTarget(runDirectory: group.runDirectory, seed: 1)
        let readsBefore = clock.reads
        try other.play(.script(script), within: .seconds(10)) { begun in
            for (index, jump) in jumps.enumerated() {
                other.sleep(until: begun.advanced(by: .milliseconds(200 * Int64(index + 1))))
                clock.set(offset: jump)
            }
        }
        let reads = clock.reads - readsBefore
        var run = sibling(on: other)
        let evidence = try run.evidence()
        run.judge(evidence)
        addFindings(of: run, jumps.isEmpty ? "without a jump of the wall clock" : "with a jump of the wall clock")
        group.stop()
        return (evidence.receivedTouches, reads)
    }

    // MARK: A device's time

    private mutating func deviceTimeGoesBack(_ round: Int, into tally: inout ClockTally) throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/touchline-panel-\(getpid())-\(round)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let panel: VirtualDevice
        do throws(DeviceError) {
            panel = try VirtualDevice(.evdev(Self.panel), at: "\(folder)/event0")
        } catch { throw Failure.group("\(error)") }
        // The panel answers while the group starts.
        let turning = PanelThread(panel)
        defer { turning.end() }
        let group = try startGroup(settings: ["device.directory=\(folder)"], apps: 1, arguments: ["--device", "all"])
        let other = try ChaosTarget(runDirectory: group.runDirectory, seed: 1)
        try other.awaitReady("open") { group in
            group.processes.contains { $0["device.event0.state"] == .text("open") }
        }
        // A finger that lands right after the open may count as one that was down before.
        usleep(200_000)
        let begun = monotonicNow()
        for step in 0...40 {
            let due = begun.advanced(by: .milliseconds(10 * Int64(step)))
            other.sleep(until: due)
            // From the tenth to the twentieth scan its clock is five seconds behind.
            let isSlow = (10..<20).contains(step)
            tally.slow += isSlow ? 1 : 0
            let stamp = isSlow ? due.advanced(by: .seconds(-5)) : monotonicNow()
            turning.send(Self.scan(step, isLast: step == 40, at: stamp))
        }
        let ended = try other.awaitReady("lifted") { group in
            group.processes.contains { $0.rows.contains { $0.key == "ended" && $0.value == .number(1) } }
        }
        for row in ended.processes.flatMap(\.rows) where row.key == "device.event0.clamped" {
            if case .number(let count) = row.value { tally.clamped += Int(count) }
        }
        var run = sibling(on: other)
        let evidence = try run.evidence()
        run.judge(evidence)
        addFindings(of: run, "a slow panel")
        tally.backwards += evidence.backwardsCount
        group.stop()
    }

    private static let panel: EvdevFacts = {
        var facts = EvdevFacts(
            evemu: Array(
                """
                N: Panel with a slow clock
                I: 0003 1234 5678 0001
                P: 02 00 00 00 00 00 00 00
                B: 00 0b 00 00 00 00 00 00 00
                B: 03 00 00 00 00 00 80 60 02
                A: 2f 0 4 0 0 0
                A: 35 0 1000 0 0 10
                A: 36 0 1000 0 0 10
                A: 39 0 65535 0 0 0
                """.utf8))!
        facts.stampsAreMonotonic = true
        return facts
    }()

    /// One finger that moves down the middle.
    private static func scan(_ step: Int, isLast: Bool, at stamp: Instant) -> [UInt8] {
        var events: [InputEvent] = []
        if step == 0 { events.append(InputEvent(type: 3, code: 0x39, value: 7)) }
        if isLast {
            events.append(InputEvent(type: 3, code: 0x39, value: -1))
        } else {
            if step == 0 { events.append(InputEvent(type: 3, code: 0x35, value: 500)) }
            events.append(InputEvent(type: 3, code: 0x36, value: Int32(100 + step * 20)))
        }
        events.append(InputEvent(type: 0, code: 0, value: 0))
        return events.flatMap { $0.bytes(at: stamp) }
    }

    // MARK: Sleep

    private mutating func sleeps(into tally: inout ClockTally) throws {
        try target.awaitQuiet()
        let group = try target.group()
        let pids = group.processes.map { Int32(truncatingIfNeeded: $0.pid) }.filter { $0 > 1 } + [group.pid]
        let asleep = Duration.milliseconds(1500)
        var resumed = Instant.boot
        var slept = Instant.boot
        let script = "down f1 (100,100) @0\nmove f1 (110,110) @0.1\nmove f1 (120,120) @3\nup f1 @3.1"
        try target.play(.script(script), within: .seconds(8)) { begun in
            target.sleep(until: begun.advanced(by: .milliseconds(200)))
            slept = monotonicNow()
            for pid in pids { _ = StoppedProcesses.stop(pid) }
            defer { for pid in pids.reversed() { StoppedProcesses.resume(pid) } }
            target.sleep(until: slept.advanced(by: asleep))
            resumed = monotonicNow()
        }
        disturbances.append(AuditOptions.Disturbance(from: slept, until: resumed.advanced(by: .seconds(1)), peer: nil))
        let works = try target.tap()
        try target.awaitQuiet()
        let evidence = try evidence()
        let isCancelled = evidence.events.contains { mark in
            guard mark.at >= resumed, mark.at < resumed.advanced(by: .seconds(1)) else { return false }
            return switch mark.kind {
            case .touches(_, _, let count): count > 0
            // The app cancels it itself when the link was lost during the sleep.
            case .lost(.systemServer): mark.process.peer == target.apps[0]
            default: false
            }
        }
        tally.cancelled += isCancelled ? 1 : 0
        if let works { tally.works.append(resumed.duration(to: works)) }
    }
}

/// The results of all rounds of F9.
private struct ClockTally {
    var lines = 0
    var differing = 0
    var reads = 0
    var slow = 0
    var clamped = 0
    var backwards = 0
    var cancelled = 0
    var works: [Duration] = []
}

/// A thread that runs a virtual panel while its caller waits.
final class PanelThread: @unchecked Sendable {
    private let lock = NSLock()
    private let panel: VirtualDevice
    private var isOver = false
    private let done = DispatchSemaphore(value: 0)

    init(_ panel: VirtualDevice) {
        self.panel = panel
        let thread = Thread { [self] in
            while lock.withLock({ !isOver }) {
                run()
                usleep(500)
            }
            done.signal()
        }
        thread.start()
    }

    private func run() {
        lock.lock()
        defer { lock.unlock() }
        panel.serveRequests(milliseconds: 1)
    }

    func send(_ bytes: [UInt8]) {
        lock.lock()
        defer { lock.unlock() }
        panel.send(bytes)
    }

    func end() {
        lock.withLock { isOver = true }
        done.wait()
    }
}

/// The wall clock of processes that start under it: the machine's clock and an offset that may change meanwhile.
private final class WallClock {
    private let folder: String
    private let page: UnsafeMutableRawPointer

    /// - Throws: `Failure` with exit code 3 where there is no C compiler.
    init() throws {
        folder =
            "\(FileManager.default.temporaryDirectory.path)/touchline-wall-\(getpid())-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: URL(filePath: "\(folder)/wall.c"))
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-fPIC", "-O1", "-o", "\(folder)/wall.so", "\(folder)/wall.c", "-ldl"]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else {
            throw Failure.group(
                "clock-jumps: expected a C compiler with the name `cc`, which makes the wall clock, found none")
        }
        try Data(count: 4096).write(to: URL(filePath: "\(folder)/offset"))
        let file = open("\(folder)/offset", O_RDWR)
        defer { close(file) }
        guard file >= 0, let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), page != MAP_FAILED
        else { throw Failure.group("\(folder)/offset: \(String(cString: strerror(errno)))") }
        self.page = page
        // A library that is not loaded would show no difference; so the offset is tested first.
        set(offset: 7200)
        let readSeconds = try Self.seconds(under: environment)
        set(offset: 0)
        let actualSeconds = Int64(time(nil))
        guard (7190...7210).contains(readSeconds - actualSeconds) else {
            throw Failure.group(
                "clock-jumps: expected `date` to be two hours ahead, found \(readSeconds - actualSeconds) s")
        }
    }

    /// Returns the time in seconds that a process under the clock reads.
    private static func seconds(under environment: [String: String]) throws -> Int64 {
        let (date, out) = (Process(), Pipe())
        date.executableURL = URL(filePath: "/usr/bin/env")
        date.arguments = ["date", "+%s"]
        date.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        date.standardOutput = out
        try date.run()
        let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        date.waitUntilExit()
        return Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    func remove() {
        munmap(page, 4096)
        try? FileManager.default.removeItem(atPath: folder)
    }

    var environment: [String: String] {
        ["LD_PRELOAD": "\(folder)/wall.so", "TOUCHLINE_WALL": "\(folder)/offset"]
    }

    /// Sets the offset in seconds.
    func set(offset: Int64) { page.storeBytes(of: offset, as: Int64.self) }

    /// The reads of all processes so far.
    var reads: Int { Int(page.load(fromByteOffset: 8, as: Int64.self)) }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static volatile int64_t *page;

        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("TOUCHLINE_WALL");
            int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
            if (file < 0) return;
            void *found = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            close(file);
            if (found != MAP_FAILED) page = found;
        }

        static int64_t offset(void) {
            if (!page) return 0;
            __atomic_add_fetch(&page[1], 1, __ATOMIC_RELAXED);
            return page[0];
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            static int (*real)(clockid_t, struct timespec *);
            if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
            int result = real(clock, time);
            if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
                time->tv_sec += offset();
            return result;
        }

        int gettimeofday(struct timeval *restrict time, void *restrict zone) {
            static int (*real)(struct timeval *, void *);
            if (!real) real = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
            int result = real(time, zone);
            if (result == 0) time->tv_sec += offset();
            return result;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }

        """
}
