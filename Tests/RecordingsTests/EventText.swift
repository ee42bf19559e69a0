import Foundation
import Recordings

/// One event of a recording's text in any format. Tests make changed copies of recordings with it.
struct TextEvent {
    /// The time stamp in microseconds.
    var time: Int64
    var type: Int
    var code: Int
    var value: Int

    static let slot = 0x2F
    static let labels: [(name: String, type: Int, code: Int)] = [
        ("SYN_REPORT", 0, 0), ("SYN_MT_REPORT", 0, 2), ("BTN_TOUCH", 1, 0x14A), ("ABS_X", 3, 0), ("ABS_Y", 3, 1),
        ("ABS_MT_SLOT", 3, 0x2F), ("ABS_MT_TOUCH_MAJOR", 3, 0x30), ("ABS_MT_WIDTH_MAJOR", 3, 0x32),
        ("ABS_MT_POSITION_X", 3, 0x35), ("ABS_MT_POSITION_Y", 3, 0x36), ("ABS_MT_TRACKING_ID", 3, 0x39),
        ("ABS_MT_PRESSURE", 3, 0x3A),
    ]

    private static let separators = Array(" \t\r,[]:".utf8)

    init(time: Int64, type: Int, code: Int, value: Int) {
        (self.time, self.type, self.code, self.value) = (time, type, code, value)
    }

    /// Nil for a line that is no event.
    init?(_ line: Substring, in format: RecordingFormat) {
        let words = line.utf8.split { Self.separators.contains($0) }.map { String($0) ?? "" }
        func time(_ word: String) -> Int64 {
            let parts = word.split(separator: ".")
            return Int64(parts[0])! * 1_000_000 + Int64(parts[1])!
        }
        switch format {
        case .evemu:
            guard line.hasPrefix("E:") else { return nil }
            self.init(
                time: time(words[1]), type: Int(words[2], radix: 16)!, code: Int(words[3], radix: 16)!,
                value: Int(words[4])!)
        case .evtest:
            guard line.hasPrefix("Event: time ") else { return nil }
            guard words[3] == "type" else {
                self.init(time: time(words[2]), type: 0, code: line.contains("_MT_") ? 2 : 0, value: 0)
                return
            }
            self.init(time: time(words[2]), type: Int(words[4])!, code: Int(words[7])!, value: Int(words[10])!)
        case .getevent:
            guard line.hasPrefix("[") else { return nil }
            guard let label = Self.labels.first(where: { $0.name == words[2] }) else {
                self.init(time: time(words[0]), type: 1, code: 0x2FF, value: 0)
                return
            }
            let value =
                words[3] == "DOWN"
                ? 1 : words[3] == "UP" ? 0 : Int(Int32(truncatingIfNeeded: Int(words[3], radix: 16)!))
            self.init(time: time(words[0]), type: label.type, code: label.code, value: value)
        case .libinputRecord:
            guard line.contains("- ["), words.count > 5, words[0] == "-" else { return nil }
            self.init(
                time: Int64(words[1])! * 1_000_000 + Int64(words[2])!, type: Int(words[3])!, code: Int(words[4])!,
                value: Int(words[5])!)
        case .hidRecorder, .webdriverActions, .script, .journal: return nil
        }
    }

    /// The line without its end; a line of getevent has no labels.
    func line(in format: RecordingFormat) -> String {
        let (seconds, microseconds) = (time / 1_000_000, time % 1_000_000)
        let fraction = String(String(1_000_000 + microseconds).dropFirst())
        func hex(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        switch format {
        case .evemu: return "E: \(seconds).\(fraction) \(hex(type, 4)) \(hex(code, 4)) \(value)"
        case .evtest:
            let start = "Event: time \(seconds).\(fraction), "
            if type == 0, code == 0 { return start + "-------------- SYN_REPORT ------------" }
            if type == 0, code == 2 { return start + "++++++++++++++ SYN_MT_REPORT ++++++++++++" }
            if type == 0, code == 3 { return start + ">>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<" }
            return start + "type \(type) (?), code \(code) (?), value \(value)"
        case .getevent:
            return "[ \(seconds).\(fraction)] \(hex(type, 4)) \(hex(code, 4)) \(hex(value & 0xFFFF_FFFF, 8))"
        case .libinputRecord: return "    - [\(seconds), \(microseconds), \(type), \(code), \(value)] # ?"
        case .hidRecorder, .webdriverActions, .script, .journal: return ""
        }
    }

    /// The text that must come before the events of a file without a description.
    static func header(of format: RecordingFormat) -> String {
        format == .libinputRecord
            ? "version: 1\nndevices: 1\ndevices:\n- node: /dev/input/event1\n  events:\n  - evdev:\n" : ""
    }
}

/// A recording's text, line by line.
struct EventText {
    private let format: RecordingFormat
    private let lines: [(text: Substring, event: TextEvent?)]

    init(_ text: String, in format: RecordingFormat) {
        self.format = format
        lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            let line = Substring(line)
            return (line, TextEvent(line, in: format))
        }
    }

    /// A copy with changed events; everything else stays.
    ///
    /// - Parameter change: Returns the events that come before the event.
    func copy(changing change: (inout TextEvent) -> [TextEvent]) -> String {
        lines.map { text, event in
            guard var event else { return String(text) }
            let before = change(&event)
            return (before + [event]).map { $0.line(in: format) }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The events alone, in another format.
    func rewritten(to other: RecordingFormat) -> String {
        TextEvent.header(of: other) + lines.compactMap { $0.event?.line(in: other) }.joined(separator: "\n") + "\n"
    }
}
