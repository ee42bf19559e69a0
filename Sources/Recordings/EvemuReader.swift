// EvemuReader.swift: reads evemu recordings, versions 1.0 to 1.3, line by line.
//
//     # EVEMU 1.3                         version; absent means 1.0. Every other # line is a comment
//     N: name                             the rest of the line, # included
//     I: bus vendor product version       hex
//     P: bytes                            device properties, hex
//     B: type bytes                       event codes of a type, hex, lines of one type append
//     A: code min max fuzz flat [res]     an axis: code hex, the rest decimal
//     L: code state    S: code state      lights and switches, from 1.3
//     E: sec.usec type code value         type and code hex, value decimal: 0082 is 82. A comment may follow
//
// Station   device
// Input     RecordingReader
// Output    EvdevTracker
//
// Sources   documented  evemu's README (whot/evemu)
//           observed    recordings: CRLF, trailing blanks, epoch times, times that differ inside a scan

import Basics
import HID

/// Reads the evemu format.
///
/// A file may contain all lines, the E lines only, or the description only. A line with another beginning is a note of
/// a person or a tool: it is counted and skipped. A broken line of the format is an error, because a lost event could
/// leave a contact down.
struct EvemuReader: LineFormat {
    private var ignoredLines = 0
    private var recording: EvdevRecording

    init(_ options: RecordingOptions = RecordingOptions()) { recording = EvdevRecording(options) }

    var facts: RecordingFacts {
        var facts = RecordingFacts()
        recording.add(to: &facts)
        facts.ignoredLines = ignoredLines
        return facts
    }

    mutating func readLine(_ line: Span<UInt8>, into frames: inout [ContactFrame]) throws(Complaint) {
        var fields = Fields(line)
        guard let letter = fields.first, letter != UInt8(ascii: "#") else {
            try parseComment(line)
            return
        }
        guard fields.skipKey(letter) else {
            ignoredLines += 1
            return
        }
        switch letter {
        case UInt8(ascii: "E"): try parseEvent(&fields, into: &frames)
        case UInt8(ascii: "L"), UInt8(ascii: "S"): break
        default:
            guard let head = try EvemuHead(letter: letter, &fields) else {
                ignoredLines += 1
                return
            }
            recording.describe { $0.describe(head) }
        }
    }

    /// Ends the recording.
    ///
    /// - Returns: The contacts that are still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? { recording.finish(into: &frames) }

    mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? { finish(into: &frames) }

    private func parseComment(_ line: Span<UInt8>) throws(Complaint) {
        var fields = Fields(line)
        guard let version = fields.readEvemuVersion() else { return }
        guard version.hasPrefix("1.") || version == "1" else {
            throw Complaint(expected: "evemu version 1.0 to 1.3", found: quoted(version))
        }
    }

    private mutating func parseEvent(_ fields: inout Fields, into frames: inout [ContactFrame]) throws(Complaint) {
        let stamp = try fields.readStamp()
        let type = try fields.readHex("an event type")
        let code = try fields.readHex("an event code")
        let value = try fields.readDecimal("a value")
        try fields.expectEnd()
        recording.handle(type, code, value, stamp: stamp, into: &frames)
    }
}
