// ChaosDevices.swift: F21: a device with 8,000 reports a second of sixteen contacts, beside a normal one, in a group of
// the row's own.
//
//    calm panel, 250 Hz ─▶ right half ─▶ app2     first alone, then during the storm
//    storm, 8 kHz × 16  ─▶ left half  ─▶ app1
//
// Sources   Docs/Spec/Pipeline.md section 4, F21; the half millisecond is invented: the time slice of a CPU that the storm's maker shares

import Audit
import Basics
import Foundation
import HID
import Hosting
import Recordings
import Settings
import Wire
import ZeroMQHost

extension ChaosRun {
    private static let stormRate = 8000
    private static let contacts = 16
    private static let calmPeriod = Duration.milliseconds(4)
    private static let calmScans = 1200

    mutating func deviceStorm() throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/touchline-storm-\(getpid())-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let calm = try panel("calm", slots: 1, at: "\(folder)/event0")
        let storm = try panel("storm", slots: Self.contacts, at: "\(folder)/event1")
        defer {
            calm.end()
            storm.end()
        }
        let group = try startGroup(
            settings: ["device.directory=\(folder)", "journal.processLimit=1048576"], apps: 2,
            arguments: ["--device", "all"])
        let other = try ChaosTarget(runDirectory: group.runDirectory, seed: 1)
        try other.awaitReady("open") { group in
            ["event0", "event1"].allSatisfy { group.row("device.\($0).state") == .text("open") }
        }
        try other.show(.split(app: AppID(other.apps[0].instance), with: AppID(other.apps[1].instance)), other.apps)
        // A finger that lands right after the open may count as one that was down before.
        usleep(200_000)

        let alone = stroke(calm, on: other, for: Self.calmScans)
        try other.awaitQuiet()
        let before = memory(try other.group())
        let scans = times
        let begun = monotonicNow()
        let maker = StormMaker(storm, scans: scans, rate: Self.stormRate, contacts: Self.contacts)
        var together: (from: Instant, until: Instant) = (begun, begun)
        repeat {
            together.until = stroke(calm, on: other, for: Self.calmScans / 4).until
            progress(maker.done)
        } while !maker.isOver
        let took = begun.duration(to: maker.ended)
        try other.awaitQuiet()
        let report = try other.group()
        let after = memory(report)
        verdict.times = maker.done
        verdict.demand("scans of the storm", maker.done, is: scans...scans)
        verdict.remarks.append(
            "\(Int(Double(scans) / max(0.001, took.seconds))) scans of \(Self.contacts) contacts each second: "
                + "\(report.count("device.event1.scans")) read, \(report.count("device.event1.coalesced")) "
                + "coalesced, \(report.count("device.event1.frames")) sent")
        // The rate, the burst, and the landings and lifts, which are always sent.
        let most = Int(took.seconds * settings[.deviceScanRate]) + settings[.deviceScanBurst]
        verdict.demand(
            "scans of the storm that were sent", report.count("device.event1.frames"),
            is: 1...(most + 2 * Self.contacts + 100))
        for (peer, grown) in zip(Self.measured, zip(after, before).map { $0 - $1 }) {
            verdict.demand("\(peer): growth of memory in KiB", grown, is: Int.min...16 * 1024)
        }
        var run = sibling(on: other)
        let evidence = try run.evidence()
        run.judge(evidence)
        addFindings(of: run, "a storm")
        let baseline = evidence.ages(of: other.apps[1], from: alone.from, until: alone.until)
        let during = evidence.ages(of: other.apps[1], from: together.from, until: together.until)
        let usual = Times(baseline, of: baseline.count).percentile(0.99) ?? .zero
        verdict.demand(
            "p99 of the other device; \(usual.milliseconds) before", during, percentile: 0.99,
            within: max(usual + usual, usual + .microseconds(500)), of: during.count)
        verdict.demand(
            "scans of the other device delivered during the storm", during.count, is: Self.calmScans / 8...Int.max)
        verdict.demand("touches", Int(evidence.report.touches), is: (Self.contacts + 2)...Int.max)
        // The device tells a slow reader of lost events (SYN_DROPPED). The reader then asks for the slots, and cancels
        // a finger that has left meanwhile.
        let ended = evidence.report[.lifted] + evidence.report[.deviceCancelled]
        verdict.demand("touches that did not end with their finger", Int(evidence.report.touches - ended), is: 0...0)
        verdict.remarks.append(
            "input-kit read the slots of the storm's panel again \(report.count("device.event1.resyncs")) times")
        verdict.demands.append(.nothingHeld(report))
        group.stop()
    }

    private static let measured: [Peer] = [.inputKit, .systemServer, .app(1)]

    /// Returns the anonymous memory of the measured processes, in KiB.
    private func memory(_ group: GroupReport) -> [Int] {
        Self.measured.map { peer in
            let pid = Int32(truncatingIfNeeded: group.process(peer)?.pid ?? 0)
            return ProcessSample(pid: pid)?.anonymousKiB ?? 0
        }
    }

    private func panel(_ name: String, slots: Int, at path: String) throws -> PanelThread {
        var facts = EvdevFacts(
            evemu: Array(
                """
                N: A \(name) panel
                I: 0003 1234 5678 0001
                P: 02 00 00 00 00 00 00 00
                B: 00 0b 00 00 00 00 00 00 00
                B: 03 00 00 00 00 00 80 60 02
                A: 2f 0 \(slots - 1) 0 0 0
                A: 35 0 1000 0 0 10
                A: 36 0 1000 0 0 10
                A: 39 0 65535 0 0 0
                """.utf8))!
        facts.stampsAreMonotonic = true
        do throws(DeviceError) {
            return PanelThread(try VirtualDevice(.evdev(facts), at: path))
        } catch { throw Failure.group("\(error)") }
    }

    /// One finger of the calm panel, in the right half.
    private func stroke(
        _ panel: PanelThread, on ground: ChaosTarget, for scans: Int
    ) -> (from: Instant, until: Instant) {
        let begun = monotonicNow()
        for step in 0...scans {
            let due = begun.advanced(byNanoseconds: Self.calmPeriod.nanoseconds * Int64(step))
            ground.sleep(until: due)
            var events: [InputEvent] = []
            if step == 0 { events.append(InputEvent(type: 3, code: 0x39, value: Int32(scans))) }
            if step == scans {
                events.append(InputEvent(type: 3, code: 0x39, value: -1))
            } else {
                if step == 0 { events.append(InputEvent(type: 3, code: 0x35, value: 750)) }
                events.append(InputEvent(type: 3, code: 0x36, value: Int32(100 + step % 800)))
            }
            events.append(InputEvent(type: 0, code: 0, value: 0))
            panel.send(events.flatMap { $0.bytes(at: monotonicNow()) })
        }
        return (begun, monotonicNow())
    }
}

/// A thread that makes the storm: every finger lands, moves as often as it can, and lifts.
private final class StormMaker: @unchecked Sendable {
    private let lock = NSLock()
    private var scanCount = 0
    private var end: Instant?

    init(_ panel: PanelThread, scans: Int, rate: Int, contacts: Int) {
        let thread = Thread { [self] in
            let begun = monotonicNow()
            let pause = Duration.milliseconds(1)
            let together = max(1, rate / 1000)
            var next = begun
            for scan in 0..<scans {
                panel.send(Self.scan(scan, of: scans, contacts))
                guard (scan + 1) % together == 0 else { continue }
                lock.withLock { scanCount = scan + 1 }
                next = next.advanced(by: pause)
                let left = monotonicNow().duration(to: next).nanoseconds
                if left > 0 { usleep(UInt32(clamping: left / 1000)) }
            }
            lock.withLock { (scanCount, end) = (scans, monotonicNow()) }
        }
        thread.start()
    }

    var done: Int { lock.withLock { scanCount } }
    var isOver: Bool { lock.withLock { end != nil } }
    /// The moment of the last scan; before it, the present.
    var ended: Instant { lock.withLock { end } ?? monotonicNow() }

    /// The events of one scan, each with the present as its stamp.
    private static func scan(_ number: Int, of count: Int, _ contacts: Int) -> [UInt8] {
        let microseconds = monotonicNow().nanoseconds / 1000
        let (seconds, rest) = ((microseconds / 1_000_000).littleEndian, (microseconds % 1_000_000).littleEndian)
        var bytes = [UInt8](repeating: 0, count: (3 * contacts + 1 + (number == 0 ? contacts : 0)) * 24)
        if number == count - 1 { bytes.removeLast(contacts * 24) }
        bytes.withUnsafeMutableBytes { buffer in
            var place = 0
            func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
                buffer.storeBytes(of: seconds, toByteOffset: place, as: Int64.self)
                buffer.storeBytes(of: rest, toByteOffset: place + 8, as: Int64.self)
                buffer.storeBytes(of: type.littleEndian, toByteOffset: place + 16, as: UInt16.self)
                buffer.storeBytes(of: code.littleEndian, toByteOffset: place + 18, as: UInt16.self)
                buffer.storeBytes(of: value.littleEndian, toByteOffset: place + 20, as: Int32.self)
                place += 24
            }
            for contact in 0..<contacts {
                add(3, 0x2F, Int32(contact))
                guard number < count - 1 else {
                    add(3, 0x39, -1)
                    continue
                }
                if number == 0 { add(3, 0x39, Int32(contact + 1)) }
                // In the left half, and at a new position in every scan.
                add(3, 0x35, Int32(20 + contact * 25 + number % 20))
                add(3, 0x36, Int32(50 + (number + contact) % 900))
            }
            add(0, 0, 0)
        }
        return bytes
    }
}

extension GroupReport {
    /// Returns a row of the first process that has it.
    fileprivate func row(_ key: String) -> Report.Value? {
        processes.lazy.compactMap { $0[key] }.first
    }

    fileprivate func count(_ key: String) -> Int {
        if case .number(let number)? = row(key) { Int(number) } else { 0 }
    }
}

extension ChaosEvidence {
    /// Returns the ages of beginnings and moves when the app had handled them, in a stretch of time.
    fileprivate func ages(of app: Peer, from: Instant, until: Instant) -> [Duration] {
        events.compactMap { mark in
            guard mark.process.peer == app, mark.at >= from, mark.at <= until, case .newsHandled(let age) = mark.kind
            else { return nil }
            return age
        }
    }
}
