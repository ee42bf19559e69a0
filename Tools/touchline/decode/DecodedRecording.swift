// DecodedRecording.swift: the contents of one recording, for a person or a program (Docs/Spec/Input.md section 2).

import Basics
import Foundation
import HID
import Recordings

/// The contents of one recording.
struct DecodedRecording {
    /// The path as typed.
    var file: String
    var reader: RecordingReader
    var summary: RecordingSummary
    var timing: ScanTiming
    /// The time to its last scan.
    var duration: Duration
    var listsContacts: Bool
    /// False when a fault ended the reading.
    var isWhole: Bool

    private var ranges: AxisRanges? { reader.rangesAreAssumed ? nil : reader.ranges }

    /// The reasons for a recording without touches; empty when there are touches.
    var whyNoTouches: [String] {
        guard summary.began == 0, isWhole else { return [] }
        if !reader.remarks.isEmpty { return reader.remarks }
        return [summary.frames == 0 ? "no touches: the file has no events" : "no touches in the events"]
    }

    var text: [String] {
        var heading = "\(file): \(reader.format?.rawValue ?? "")"
        if let dialect = reader.contactProtocol { heading += ", \(Self.title(of: dialect, reader.reportingMode))" }
        if !reader.deviceName.isEmpty { heading += ", \(reader.deviceName)" }
        var lines = [heading]
        if summary.frames > 0 {
            let fingers = summary.maxConcurrent == 1 ? "1 finger" : "\(summary.maxConcurrent) fingers"
            lines.append(
                "  \(summary.frames) frames in \(fixedText(duration.seconds, digits: 3)) s, at most \(fingers) at once")
            lines.append(
                "  \(summary.began) began, \(summary.moved) moved, \(summary.ended) ended, "
                    + "\(summary.cancelled) cancelled"
                    + (summary.openAtEnd > 0 ? ", \(summary.openAtEnd) of them still down at the end" : ""))
        }
        if let rate = timing.text { lines.append("  \(rate)") }
        if summary.frames > 0 || ranges != nil { lines.append("  \(axes)") }
        for (count, what) in [
            (reader.ignoredLines, "lines of another format"),
            (reader.ignoredContacts, "impossible landings"),
            (reader.timesBackwards, "time stamps that go back"),
        ] where count > 0 { lines.append("  \(count) \(what)") }
        for remark in summary.began == 0 ? whyNoTouches : reader.remarks { lines.append("  \(remark)") }
        if listsContacts {
            let rows = summary.contacts.map { contact in
                [
                    "\(contact.order)", "(\(contact.first.x), \(contact.first.y))", "to",
                    "(\(contact.last.x), \(contact.last.y))", "moved \(contact.moved)",
                    contact.terminal == .cancelled ? "cancelled" : "ended",
                ]
            }
            lines += aligned(rows).map { "  \($0)" }
        }
        return lines
    }

    private static func title(of dialect: ContactProtocol, _ mode: ReportingMode?) -> String {
        switch dialect {
        case .slots: "protocol B (slots)"
        case .groups: "protocol A (groups)"
        case .single: "single-touch"
        case .hid: "HID" + (mode.map { ", \($0.rawValue) reports" } ?? "")
        }
    }

    private func pixels(_ length: Double) -> String {
        length == length.rounded() ? fixedText(length, digits: 0) : "\(length)"
    }

    private var axes: String {
        func text(_ ranges: AxisRanges) -> String {
            "x \(ranges.x.lowerBound) to \(ranges.x.upperBound), y \(ranges.y.lowerBound) to \(ranges.y.upperBound)"
        }
        if let screen = reader.screenOfPositions, let ranges {
            return "\(text(ranges)): 65536ths of a screen of \(pixels(screen.width)) by \(pixels(screen.height))"
        }
        if let ranges { return text(ranges) }
        if let sibling = DeviceDescriptionFile.sibling(of: file),
            let described = try? DeviceDescriptionFile.axes(in: sibling)
        {
            return "axes from the description beside the file: \(text(described)) with --describe \(sibling)"
        }
        return "no description of the axes: --range X0 X1 Y0 Y1 or --describe FILE sets them"
    }

    var json: [String: Any] {
        func pair(_ range: ClosedRange<Int32>?) -> Any {
            range.map { [Int($0.lowerBound), Int($0.upperBound)] } ?? NSNull()
        }
        var object: [String: Any] = [
            "file": file, "format": reader.format?.rawValue ?? "",
            "device": reader.deviceName.isEmpty ? NSNull() : reader.deviceName,
            "protocol": reader.contactProtocol?.rawValue ?? NSNull(),
            "frames": summary.frames, "began": summary.began, "moved": summary.moved, "ended": summary.ended,
            "cancelled": summary.cancelled, "openAtEnd": summary.openAtEnd, "maxConcurrent": summary.maxConcurrent,
            "ignoredLines": reader.ignoredLines, "xRange": pair(ranges?.x), "yRange": pair(ranges?.y),
            "scans": timing.json,
        ]
        if let mode = reader.reportingMode { object["mode"] = mode.rawValue }
        if let screen = reader.screenOfPositions { object["screen"] = [screen.width, screen.height] }
        guard listsContacts else { return object }
        object["contacts"] = summary.contacts.map { contact -> [String: Any] in
            [
                "order": contact.order, "first": [Int(contact.first.x), Int(contact.first.y)],
                "last": [Int(contact.last.x), Int(contact.last.y)], "moved": contact.moved,
                "terminal": contact.terminal == .cancelled ? "cancelled" : "ended",
            ]
        }
        return object
    }
}

/// Prints one JSON object on a line of its own, with sorted keys.
func printJSONLine(_ object: [String: Any]) throws {
    let data = try JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    printText(String(decoding: data, as: UTF8.self))
}
