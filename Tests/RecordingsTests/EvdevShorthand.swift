import Basics
import HID
@testable import Recordings

/// Events as `type code value`, in decimal or by a short name; a line is a scan, closed by SYN_REPORT.
func events(_ scans: String, startingAt start: Int64 = 0) -> [EvdevEvent] {
    let names: [Substring: (UInt16, UInt16)] = [
        "slot": (3, 0x2F), "id": (3, 0x39), "x": (3, 0x35), "y": (3, 0x36), "p": (3, 0x3A), "major": (3, 0x30),
        "minor": (3, 0x31), "angle": (3, 0x34), "far": (3, 0x3B), "tool": (3, 0x37), "X": (3, 0), "Y": (3, 1),
        "P": (3, 0x18), "touch": (1, 0x14A), "pen": (1, 0x140), "clock": (4, 5), "dropped": (0, 3), "end": (0, 2),
    ]
    var events: [EvdevEvent] = []
    var time = start
    for scan in scans.split(separator: "\n") {
        for word in scan.split(separator: " ") {
            let parts = word.split(separator: "=")
            let (type, code) = names[parts[0]]!
            let value = parts.count > 1 ? Int32(truncatingIfNeeded: Int64(parts[1])!) : 0
            events.append(EvdevEvent(nanoseconds: time, type: type, code: code, value: value))
        }
        events.append(EvdevEvent(nanoseconds: time, type: 0, code: 0, value: 0))
        time += 10_000_000
    }
    return events
}

func track(_ tracker: inout EvdevTracker, _ scans: String) -> [ContactFrame] {
    var frames: [ContactFrame] = []
    for event in events(scans) { tracker.handle(event, into: &frames) }
    return frames
}
