// ChaosDisks.swift: F11: journals without space: writes refused for a while, and a full disk where it can be mounted.
//
// A file system of 1 MiB is mounted over the folder of a group of the row's own. A larger size gives space back.
//
// Sources   documented  tmpfs(5): size, remount

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Wire

extension ChaosRun {
    /// No process can write its journal for a while; the touches must be the same.
    mutating func diskFull() throws {
        let before = try target.awaitReady()
        let writers = [Peer.supervisor] + before.processes.compactMap { Peer($0.name) }
        var plain = MeasuredFrames()
        var full = MeasuredFrames()
        var lost = 0
        for round in 1...times {
            plain += try measure(frames: 400)
            let length = Duration.seconds(2)
            var until = Instant.boot
            for writer in writers {
                until = try target.requestFault("0ms disk-full \(writer) for \(length.nanoseconds / 1_000_000)ms")
                    .advanced(by: length)
            }
            let played = try measure(frames: 400)
            lost += played.count - played.times.count
            full += played
            target.sleep(until: until.advanced(by: .milliseconds(100)))
            progress(round)
        }
        try fullDisk()
        try expectTap()
        judge(try evidence())
        verdict.demand("frames lost while the disk is full", lost, is: 0...0)
        // The tenth of fault F11's criterion, and the time slice of a shared CPU.
        let calm = Times(plain.times, of: plain.count).percentile(0.99)
        let limit = calm.map { Duration(seconds: $0.seconds * 1.1) + .microseconds(500) } ?? .zero
        verdict.demand(
            "p99 with a full disk (1.1 ×, or 0.5 ms more); \(calm?.milliseconds ?? "never") before", full.times,
            percentile: 0.99, within: limit, of: full.count)
    }

    // MARK: A full disk

    private mutating func fullDisk() throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/touchline-full-\(getpid())"
        guard mkdir(folder, 0o700) == 0 else {
            throw Failure.group("\(folder): \(String(cString: strerror(errno)))")
        }
        defer { rmdir(folder) }
        guard Self.mount("-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", folder) else {
            verdict.demand("the disk of 1 MiB was full (this user may not mount a file system)", 0, is: 1...1)
            return
        }
        defer { _ = Self.run("umount", "-l", folder) }
        let group = try startGroup(apps: 1, on: folder, keeps: true)
        defer { group.stop() }
        let other = try ChaosTarget(runDirectory: folder, seed: 1)
        var run = sibling(on: other)
        var lost = 0
        func play() throws {
            let report = try other.play(.synthetic(frames: 400), pace: .every(1_000_000), within: .seconds(10))
            lost += report.map { Int($0.sent - $0.delivered) } ?? 1
        }
        func writers(_ group: GroupReport) -> [Bool] {
            group.processes.compactMap { process in
                process["journal.state"].map { $0 == .text("writing") }
            }
        }
        var rounds = 0
        while rounds < 20, try !writers(other.group()).contains(false) {
            try play()
            rounds += 1
        }
        let isFull = try writers(other.group()).contains(false)
        verdict.demand("the disk of 1 MiB was full", isFull ? 1 : 0, is: 1...1)
        try play()
        guard Self.mount("-o", "remount,size=256m", folder) else {
            throw Failure.group("\(folder): cannot be made larger")
        }
        try play()
        let again = try other.awaitReady("writing") { !writers($0).contains(false) }
        verdict.demand("frames lost on a full disk", lost, is: 0...0)
        verdict.demand(
            "journals that continue when the disk has room", writers(again).count { $0 },
            is: writers(again).count...Int.max)
        let warnings = group.complaints.filter { $0.contains("nothing is written to the journal") }
        let mostOfOne = again.processes.map { process in
            warnings.count { $0.hasPrefix("\(process.name):") }
        }
        verdict.demand("most warnings of one process", mostOfOne.max() ?? 0, is: 0...1)
        try run.expectTap()
        run.judge(try run.evidence())
        addFindings(of: run, "the full disk")
    }

    private static func mount(_ arguments: String...) -> Bool { run("mount", arguments) }
    private static func run(_ program: String, _ arguments: String...) -> Bool { run(program, arguments) }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
