import Basics
import Foundation
import HID
import Recordings
import Testbed

let screen = ScreenGeometry(width: 375, height: 667, rotation: 0)

func ownRecording(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Repository.root.appending(path: "Tests/Recordings/\(name)")))
}

/// Everything that a reader makes of a recording: its scans, and the frame that its end cancels.
struct PlayedRecording: Equatable {
    var frames: [ContactFrame] = []
    var closing: ContactFrame?
    var summary = RecordingSummary(keepsContacts: true)
    var format: RecordingFormat?
    var contactProtocol: ContactProtocol?
    var device = DeviceDescription()
    var ranges = RecordingReader.assumedRanges
    var name = ""
    var ignoredLines = 0
    var remarks: [String] = []
}

func play(
    _ bytes: [UInt8], cutEvery size: Int = .max, named name: String = "test",
    options: RecordingOptions = RecordingOptions()
) throws(RecordingError) -> PlayedRecording {
    var played = PlayedRecording()
    var reader = RecordingReader(name: name, screen: screen, options: options)
    var rest = bytes[...]
    while !rest.isEmpty {
        try reader.read(Array(rest.prefix(size)), into: &played.frames)
        rest = rest.dropFirst(size)
    }
    played.closing = try reader.finish(into: &played.frames)
    for frame in played.frames { played.summary.count(frame) }
    if let closing = played.closing { played.summary.count(closing: closing) }
    (played.contactProtocol, played.ranges, played.name) = (reader.contactProtocol, reader.ranges, reader.deviceName)
    (played.format, played.device, played.remarks) = (reader.format, reader.device, reader.remarks)
    played.ignoredLines = reader.ignoredLines
    return played
}

func play(_ text: String, options: RecordingOptions = RecordingOptions()) throws(RecordingError) -> PlayedRecording {
    try play(Array(text.utf8), options: options)
}

/// A frame as a line: `10.0 ms  82 moved (10,25)`.
func lines(_ frames: [ContactFrame]) -> [String] {
    frames.map { frame in
        let contacts = frame.contacts.map { "\($0.id) \($0.phase) (\($0.x),\($0.y))" }.joined(separator: ", ")
        return "\(frame.time.milliseconds)  \(contacts.isEmpty ? "no contact" : contacts)"
    }
}
