import Basics
import Foundation
import HID
import Recordings
import Testbed
import Testing

/// Recordings of real devices, converted by every writer and read again.
@Suite("Conversions of real recordings")
struct SharedConversionTests {
    /// The endings of recordings. Descriptions and the results of other decoders have other endings.
    private static let endings = ["hid", "evemu", "events", "event", "dat", "txt", "yml"]

    private static let files: [URL] = {
        guard let data = Repository.sharedData else { return [] }
        return ["hid", "evdev"].flatMap { folder in
            let found = FileManager.default.enumerator(
                at: data.appending(path: folder), includingPropertiesForKeys: nil)
            return (found?.allObjects as? [URL] ?? []).filter { endings.contains($0.pathExtension) }
        }.sorted { $0.path < $1.path }
    }()

    @Test(
        "real recordings keep their contacts frame by frame in every format",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func everyWriter() throws {
        #expect(Self.files.count == 35)
        for file in Self.files {
            let name = file.lastPathComponent
            let original = try play(Array(try Data(contentsOf: file)), named: name)
            var room = RecordingCapacity()
            for frame in original.frames { room.count(frame) }
            var options = RecordingWriter.Options()
            options.contactsAtOnce = room.contactsAtOnce
            for format in RecordingFormat.allCases {
                let (bytes, _) = written(
                    original.frames, as: format, of: original.device, ranges: original.ranges, options: options)
                let copy = try play(bytes, named: "\(name) as \(format.rawValue)")
                #expect(copy.summary.contacts == original.summary.contacts, "\(name) as \(format.rawValue)")
                #expect(copy.summary.openAtEnd == original.summary.openAtEnd, "\(name) as \(format.rawValue)")
                #expect(copy.ranges == original.ranges, "\(name) as \(format.rawValue)")
                let keepsEmpty = format.traits().contains(.emptyScans)
                let frames = keepsEmpty ? original.frames : original.frames.filter { !$0.contacts.isEmpty }
                #expect(plain(copy.frames) == plain(frames, grain: format.grain), "\(name) as \(format.rawValue)")
            }
        }
    }
}
