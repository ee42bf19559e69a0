// ServedRecording.swift: a recording as a plugged device: its description, then its packets.

import Basics
import Foundation
import Glibc
import HID
import Hosting
import Recordings
import ZeroMQHost

/// A recording as a device.
struct ServedRecording {
    private let source: String
    private let path: String
    private let facts: DeviceFacts
    /// The bytes of each read, with the time since the first.
    private var packets: [(time: Duration, bytes: [UInt8])] = []

    /// The limit of a recording in bytes.
    private static let sizeLimit = 1 << 26

    /// A process that has the device open for this long is taken for a reader.
    private static let readerTime = Duration.milliseconds(200)

    /// - Throws: `Failure` with exit code 2.
    init(_ source: String, at path: String) throws {
        (self.source, self.path) = (source, absolute(path))
        var bytes: [UInt8] = []
        let file = try ByteSource(source)
        while case let piece = try file.next(), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= Self.sizeLimit else {
                throw Failure.badInput("\(source): expected at most \(Self.sizeLimit >> 20) MB, found more")
            }
        }
        let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        if let reports = Self.reports(in: lines) {
            facts = .hidraw(reports.facts)
            packets = reports.packets
        } else if let evdev = EvdevFacts(evemu: bytes) {
            var evdev = evdev
            evdev.stampsAreMonotonic = true
            facts = .evdev(evdev)
            packets = Self.scans(in: lines)
        } else {
            throw Failure.badInput(
                "\(source): expected an evemu or hid-recorder file that describes its device, found none: "
                    + "`touchline convert` makes one")
        }
    }

    /// Parses hid-recorder lines: `R: length bytes`, `E: sec.usec length bytes`.
    private static func reports(
        in lines: [String]
    ) -> (facts: HIDRawFacts, packets: [(time: Duration, bytes: [UInt8])])? {
        var facts = HIDRawFacts(identity: DeviceIdentity(), descriptor: [])
        var packets: [(time: Duration, bytes: [UInt8])] = []
        /// A report with a malformed byte is dropped and not shortened.
        func bytes(_ words: some Collection<Substring>) -> [UInt8] {
            let bytes = words.compactMap { UInt8($0, radix: 16) }
            return bytes.count == words.count ? bytes : []
        }
        for line in lines {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
            switch words.first {
            // The first device only.
            case "R:" where facts.descriptor.isEmpty: facts.descriptor = bytes(words.dropFirst(2))
            case "N:" where facts.identity.name.isEmpty:
                facts.identity.name = words.dropFirst().joined(separator: " ")
            case "P:" where facts.identity.physicalPath.isEmpty:
                facts.identity.physicalPath = words.dropFirst().joined(separator: " ")
            case "I:":
                let numbers = words.dropFirst().map { UInt16($0, radix: 16) ?? 0 }
                guard numbers.count == 3 else { continue }
                (facts.identity.bus, facts.identity.vendor) = (numbers[0], numbers[1])
                facts.identity.product = numbers[2]
            case "E:" where words.count > 3:
                guard let time = Self.time(words[1]) else { continue }
                let report = bytes(words.dropFirst(3))
                if !report.isEmpty { packets.append((time, report)) }
            default: continue
            }
        }
        return facts.descriptor.isEmpty ? nil : (facts, packets)
    }

    /// Parses evemu lines: `E: sec.usec type code value`. A packet is a scan up to SYN_REPORT. Stamps are set when it
    /// is sent.
    private static func scans(in lines: [String]) -> [(time: Duration, bytes: [UInt8])] {
        var packets: [(time: Duration, bytes: [UInt8])] = []
        var scan: [UInt8] = []
        for line in lines where line.hasPrefix("E:") {
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
            guard words.count >= 5, let time = time(words[1]), let type = UInt16(words[2], radix: 16),
                let code = UInt16(words[3], radix: 16), let value = Int32(words[4])
            else { continue }
            scan += InputEvent(type: type, code: code, value: value).bytes(at: .boot)
            guard (type, code) == (0, 0) else { continue }
            packets.append((time, scan))
            scan = []
        }
        return packets
    }

    private static func time(_ word: Substring) -> Duration? {
        let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = Int64(parts[0]), (0..<9_000_000_000).contains(seconds) else { return nil }
        let digits = parts.count > 1 ? String(parts[1].prefix(6)) : "0"
        guard let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)), fraction >= 0 else {
            return nil
        }
        return .seconds(seconds) + .microseconds(fraction)
    }

    func run() throws {
        let interruption = try Interruption()
        let device: VirtualDevice
        do throws(DeviceError) {
            device = try VirtualDevice(facts, at: path)
        } catch { throw Failure.badInput("\(error)") }
        printLine("plugged in: \(path), \(packets.count) packets of \(source)")
        // Waits for a reader that stays. A process that only lists devices closes at once.
        var openSince: Instant?
        while openSince.map({ $0.duration(to: monotonicNow()) < Self.readerTime }) ?? true {
            if interruption.wait(for: -1, milliseconds: 0) { return }
            device.serveRequests(milliseconds: 20)
            openSince = device.isOpen ? openSince ?? monotonicNow() : nil
        }
        let begun = monotonicNow()
        let first = packets.first?.time ?? .zero
        // Time does not go back, whatever the recording contains.
        var latest = Duration.zero
        for packet in packets {
            latest = max(latest, packet.time - first)
            let due = begun.advanced(by: latest)
            while case let left = monotonicNow().duration(to: due), left > .zero {
                if interruption.wait(for: -1, milliseconds: 0) { return }
                device.serveRequests(milliseconds: Int32(clamping: min(20, left.nanoseconds / 1_000_000 + 1)))
            }
            device.send(stamped(packet.bytes))
        }
        // The reader takes the last packets before the end of the device.
        device.serveRequests(milliseconds: 50)
    }

    private func stamped(_ bytes: [UInt8]) -> [UInt8] {
        guard case .evdev = facts else { return bytes }
        let stamp = Array(InputEvent(type: 0, code: 0, value: 0).bytes(at: monotonicNow()).prefix(16))
        var bytes = bytes
        for start in stride(from: 0, to: bytes.count, by: 24) { bytes.replaceSubrange(start..<start + 16, with: stamp) }
        return bytes
    }
}
