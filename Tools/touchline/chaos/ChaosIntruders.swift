// ChaosIntruders.swift: F8, F10, F20, F22: strangers, too many connections, a second group, other versions.

import Audit
import Basics
import CSystem
import Foundation
import Glibc
import HID
import Settings
import Wire
import ZeroMQHost

extension ChaosRun {
    private var paths: RunPaths { RunPaths(target.runDirectory) }

    /// The unprivileged user of most systems.
    private static let otherUser: UInt32 = 65_534
    private static let attempts: Int32 = 100

    // MARK: F8

    /// A third of the frames goes from this process to the socket of input-kit, a third to the socket of the apps. A
    /// third comes from an app.
    mutating func intruders() throws {
        guard let victim = target.apps.last else { return }
        let before = try target.awaitReady()
        let refusedBefore = Self.server(before, "frames.refused")
        let begun = monotonicNow()
        connectAsOtherUser()
        let share = times / 3
        try sendForgedFrames(to: paths.input, as: .inputKit, share, before)
        try sendForgedFrames(to: paths.app, as: victim, share, before)
        let noise = times - 2 * share
        let strikes = settings[.serverStrikeLimit]
        let isToBeHungUp = strikes <= noise
        try target.requestFault("0ms malformed \(victim) \(noise) for \(max(1, noise / 10))ms")
        let deadline = begun.advanced(by: ChaosTarget.recoveryLimit)
        var count = 0
        var isOver = false
        while !isOver, monotonicNow() < deadline {
            let group = try target.group()
            count = Self.server(group, "frames.refused") - refusedBefore
            progress(min(count, times))
            isOver = isToBeHungUp ? group.process(victim)?.state == "quarantined" : count >= times
            if !isOver { usleep(20_000) }
        }
        // The server waits for the name of a process for a time, and refuses the last frames after it.
        if isToBeHungUp { target.sleep(until: begun.advanced(by: .milliseconds(1500))) }
        let until = monotonicNow()
        let after = try target.group()
        count = Self.server(after, "frames.refused") - refusedBefore
        verdict.demand(
            "rejected", count,
            is: isToBeHungUp ? (2 * share + strikes)...(2 * share + strikes + 128) : times...times)
        verdict.demand(
            "scans that the server accepted", Self.server(after, "scans") - Self.server(before, "scans"), is: 0...0)
        disturbances.append(AuditOptions.Disturbance(from: begun, until: until, peer: victim, excusesLateness: false))
        let dead = isToBeHungUp ? victim : nil
        try expectTap(without: dead)
        let evidence = try evidence(without: dead)
        judge(evidence)
        let frames = evidence.events.count { mark in
            guard case .touches = mark.kind else { return false }
            return begun <= mark.at && mark.at <= until
        }
        verdict.demand("frames with touches sent to apps", frames, is: 0...0)
    }

    private static func server(_ group: GroupReport, _ row: String) -> Int {
        group.process(.systemServer)?.number(row) ?? 0
    }

    private mutating func connectAsOtherUser() {
        let outcomes = [paths.input, paths.app, paths.control].map { path in
            path.withCString { system_knock_as(Self.otherUser, $0, Self.attempts) }
        }
        guard outcomes.allSatisfy({ $0 >= 0 }) else {
            verdict.remarks.append("connections of another user (T1) are not tested, because this user is not root")
            return
        }
        verdict.demand(
            "accepted connections of user \(Self.otherUser), of \(3 * Self.attempts)", Int(outcomes.reduce(0, +)),
            is: 0...0)
    }

    /// Sends frames from this process as `peer` would, sequences included.
    private func sendForgedFrames(to path: String, as peer: Peer, _ count: Int, _ group: GroupReport) throws {
        let stranger: RawDealer
        do throws(HostError) { stranger = try RawDealer(path) } catch { throw Failure.group(error) }
        let before = Self.server(try target.group(), "frames.refused")
        let generation = UInt32(truncatingIfNeeded: group.process(peer)?.generation ?? 1)
        let finger = DigitizerEvent(
            transducer: .finger, index: 0, identity: 1, mask: [.range, .touch], options: [.range, .touch],
            at: Point(0.5, 0.5))
        for number in 0..<count {
            let scan = HIDEvent(
                timeStamp: monotonicNow(), senderID: 1, generationCount: 1, hand: finger, fingers: [finger])
            let message: Message = number % 100 == 0 ? .hello : .digitizer(scan)
            let frame = Frame(
                epoch: UInt32(truncatingIfNeeded: group.epoch), generation: generation,
                sequence: SequenceNumber(UInt64(number + 1)), credit: 256, message: message)
            guard stranger.send(frame.encoded()) else {
                throw Failure.negativeResult("the server has not read the packets of an unknown process for 2 s")
            }
        }
        // The frames are queued in this process. A closed socket would drop them.
        let deadline = monotonicNow().advanced(by: .seconds(5))
        while monotonicNow() < deadline {
            if Self.server(try target.group(), "frames.refused") - before >= count { return }
            usleep(10_000)
        }
    }

    // MARK: F10

    mutating func crowd() throws {
        let before = try target.awaitReady()
        guard let server = before.process(.systemServer), let limit = openFiles(of: server.pid), limit < times else {
            throw Failure.badInput(
                "crowd: expected a group that was started under `ulimit -n 64`, found a higher limit")
        }
        system_raise_descriptor_limit()
        let begun = monotonicNow()
        var calls: [Int32] = []
        var made = 0
        let strokes = target.strokes(length: .milliseconds(400), latest: 0)
        let report = try target.play(.script(strokes), within: .seconds(1)) { begun in
            target.sleep(until: begun.advanced(by: .milliseconds(100)))
            let deadline = monotonicNow().advanced(by: .seconds(10))
            while made < times, monotonicNow() < deadline {
                let call = paths.input.withCString { system_unix_connect($0) }
                guard call >= 0 else {
                    // The backlog is full; the server makes space.
                    usleep(500)
                    continue
                }
                made += 1
                calls.append(call)
            }
        }
        // While the connections are held open.
        let tapped = monotonicNow()
        let works = try target.tap()
        let after = try target.awaitReady()
        for call in calls { close(call) }
        let ended = monotonicNow()
        if report == nil { try target.reconnect() }
        disturbances.append(
            AuditOptions.Disturbance(from: begun, until: ended.advanced(by: .seconds(1)), peer: nil))
        verdict.demand("connections made", made, is: times...times)
        verdict.demand(
            "restarts of the server", Int((after.process(.systemServer)?.generation ?? 0) - server.generation),
            is: 0...0)
        verdict.demand(
            "a tap works during the connections", works.map { [tapped.duration(to: $0)] } ?? [], percentile: 1,
            within: .seconds(1),
            of: 1)
        let last = after.process(.systemServer)?.text("refused.last") ?? ""
        verdict.demand(
            "touchline dump names the process that connected", last.hasPrefix("pid \(getpid()) ") ? 1 : 0, is: 1...1)
        verdict.remarks.append("last refused: \(last)")
        let evidence = try evidence()
        judge(evidence)
        verdict.demand("fingers still down at rest", Int(evidence.report.liveTouches), is: 0...0)
    }

    private func openFiles(of pid: Int64) -> Int? {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
    }

    // MARK: F20

    mutating func secondGroups() throws {
        let before = try target.awaitReady()
        var took: [Duration] = []
        var named = 0
        for round in 1...times {
            let second = Process()
            let errors = Pipe()
            // A second group that finds the folder free, because the first one has just ended, ends with this process.
            let lifeline = Pipe()
            second.executableURL = thisProgram
            second.arguments = ["up", "--run-dir", target.runDirectory, "--while-stdin-lasts"]
            second.standardInput = lifeline
            second.standardOutput = FileHandle.nullDevice
            second.standardError = errors
            let begun = monotonicNow()
            try second.run()
            second.waitUntilExit()
            took.append(begun.duration(to: monotonicNow()))
            let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
            if second.terminationStatus != 0, text.contains("already running"), text.contains("(pid \(before.pid))") {
                named += 1
            }
            progress(round)
        }
        let after = try target.group()
        verdict.demand("refused, with the pid of the first group", named, is: times...times)
        verdict.demand("refused", took, percentile: 1, within: .milliseconds(500), of: times)
        let isSame = zip(before.processes, after.processes).allSatisfy { $0.pid == $1.pid }
        verdict.demand("changed processes of the first group", isSame ? 0 : 1, is: 0...0)
        try expectTap()
        judge(try evidence())
    }

    // MARK: F22

    mutating func otherVersions() throws {
        var took: [Duration] = []
        var refusals = 0
        let versions = [Frame.version - 1, Frame.version + 1]
        for round in 1...times {
            for version in versions {
                let stranger: RawDealer
                do throws(HostError) { stranger = try RawDealer(paths.control) } catch { throw Failure.group(error) }
                var bytes = Frame(epoch: 0, generation: 0, sequence: 1, message: .reportRequest).encoded()
                bytes[2] = version
                let begun = monotonicNow()
                guard stranger.send(bytes) else { continue }
                let frames = stranger.receive(within: .seconds(1))
                took.append(begun.duration(to: monotonicNow()))
                let reason = "protocol version \(version), this process speaks \(Frame.version)"
                if frames.map(\.message) == [.refused(reason)] { refusals += 1 }
            }
            progress(round)
        }
        verdict.demand("refused, with both version numbers", refusals, is: (2 * times)...(2 * times))
        verdict.demand("refused", took, percentile: 1, within: .milliseconds(100), of: 2 * times)
        try expectTap()
        judge(try evidence())
    }
}
