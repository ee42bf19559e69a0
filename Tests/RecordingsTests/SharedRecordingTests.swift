import Basics
import Foundation
import HID
import Recordings
import Testbed
import Testing

/// Recordings of real devices, against what independent decoders made of them.
@Suite("Real recordings")
struct SharedRecordingTests {
    private struct Known: Decodable {
        struct Contact: Decodable {
            var first, last: [Int32]
            var moved: Int?
        }
        struct Expected: Decodable {
            var format: String
            var `protocol`: String
            var frames: Int
            var began: Int?
            var moved: Int?
            var ended: Int?
            var open_at_eof: Int?
            var max_concurrent: Int
            var contacts_per_frame: [String: Int]?
            var name: String?
            var x_range: [Int32]?
            var y_range: [Int32]?
            var duration_us: Int64
        }
        var expected: Expected
        var contacts: [Contact]?
        var contact_level: String?
    }
    private struct File: Decodable {
        var evdev_recordings: [String: Known]
    }

    @Test(
        "hold the fingers that independent decoders found in them",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func decoders() throws {
        let data = try #require(Repository.sharedData)
        let known = try JSONDecoder().decode(File.self, from: Data(contentsOf: data.appending(path: "expected.json")))
        let recordings = known.evdev_recordings.filter { $0.value.expected.format == "evemu" }.sorted {
            $0.key < $1.key
        }
        #expect(recordings.count >= 12)
        for (path, recording) in recordings {
            let bytes = Array(try Data(contentsOf: data.appending(path: path)))
            let played = try play(bytes, named: path)
            let (summary, expected) = (played.summary, recording.expected)
            expectRules(played.frames + (played.closing.map { [$0] } ?? []), path, isWhole: true)
            #expect(played.dialect?.rawValue == expected.protocol, "\(path)")
            #expect(summary.frames == expected.frames, "\(path)")
            #expect(summary.maxConcurrent == expected.max_concurrent, "\(path)")
            if let name = expected.name { #expect(played.name == name, "\(path)") }
            if let x = expected.x_range { #expect(played.ranges.x == x[0]...x[1], "\(path)") }
            if let y = expected.y_range { #expect(played.ranges.y == y[0]...y[1], "\(path)") }
            #expect(played.frames.last?.time == .microseconds(expected.duration_us), "\(path)")
            if let began = expected.began { #expect(summary.began == began, "\(path)") }
            if let moved = expected.moved { #expect(summary.moved == moved, "\(path)") }
            if let ended = expected.ended { #expect(summary.ended == ended, "\(path)") }
            if let open = expected.open_at_eof { #expect(summary.openAtEnd == open, "\(path)") }
            for (count, frames) in expected.contacts_per_frame ?? [:] {
                #expect(summary.contactsPerFrame[try #require(Int(count))] == frames, "\(path), \(count) contacts")
            }
            expectContacts(summary, recording, path)
            #expect(try play(bytes, cutEvery: 1) == played, "\(path) byte by byte")
            #expect(try play(bytes, cutEvery: 4099) == played, "\(path) in pieces")
        }
    }

    private func expectContacts(_ summary: RecordingSummary, _ recording: Known, _ path: String) {
        guard let contacts = recording.contacts, recording.contact_level ?? "ordered" == "ordered" else { return }
        #expect(summary.contacts.count == contacts.count, "\(path)")
        for (ours, theirs) in zip(summary.contacts, contacts) {
            #expect([ours.first.x, ours.first.y] == theirs.first, "\(path), contact \(ours.order)")
            #expect([ours.last.x, ours.last.y] == theirs.last, "\(path), contact \(ours.order)")
            if let moved = theirs.moved { #expect(ours.moved == moved, "\(path), contact \(ours.order)") }
        }
    }

    @Test(
        "that are only a description hold no touch",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func descriptions() throws {
        let folder = try #require(Repository.sharedData).appending(path: "evdev/evemu-devices")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "desc" {
            let played = try play(Array(try Data(contentsOf: file)), named: file.lastPathComponent)
            #expect(played.summary.began == 0)
            #expect(played.dialect != nil, "\(file.lastPathComponent)")
            #expect(!played.name.isEmpty)
        }
    }

    @Test("the one shipped for the demo is two taps and a drag")
    func shipped() throws {
        let file = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu")
        let summary = try play(Array(try Data(contentsOf: file))).summary
        #expect((summary.began, summary.ended, summary.openAtEnd) == (3, 3, 0))
        #expect(summary.contacts.map(\.moved) == [0, 0, 48])
    }
}
