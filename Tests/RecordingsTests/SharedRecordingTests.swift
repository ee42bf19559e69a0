import Basics
import Foundation
import HID
import Recordings
import Testbed
import Testing

/// Recordings of real devices, compared with the results of independent decoders.
@Suite("Real evdev recordings")
struct SharedRecordingTests {
    private struct Known: Decodable {
        struct Contact: Decodable {
            var first, last: [Int32]
            var moved: Int?
            var t_began_us, t_ended_us: Int64?
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
            var syn_dropped: Int?
            var contacts_per_frame: [String: Int]?
            var touch_sequences: Int?
            var name: String?
            var x_range: [Int32]?
            var y_range: [Int32]?
            var duration_us: Int64
        }
        var expected: Expected
        var contacts: [Contact]?
        var contact_level: String?
    }
    private struct Kernel: Decodable {
        struct Result: Decodable {
            var `protocol`: String
            var frames, began, ended, open_at_eof, moved, max_concurrent: Int
            var slot_max: Int
            var x_range, y_range: [Int32]
            var contacts: [Known.Contact]
        }
        var kernel: Result
    }
    private struct File: Decodable {
        var evdev_recordings: [String: Known]
        var hid_recordings: [String: Kernel]
    }

    private func known() throws -> (folder: URL, file: File) {
        let data = try #require(Repository.sharedData)
        return (
            data, try JSONDecoder().decode(File.self, from: Data(contentsOf: data.appending(path: "expected.json")))
        )
    }

    /// Every evdev recording, sorted by path.
    private func recordings() throws -> [(path: String, bytes: [UInt8], known: Known)] {
        let (folder, file) = try known()
        return try file.evdev_recordings.sorted { $0.key < $1.key }.map { path, known in
            (path, Array(try Data(contentsOf: folder.appending(path: path))), known)
        }
    }

    @Test(
        "21 real evdev recordings have the contacts that independent decoders found",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func decoders() throws {
        let recordings = try recordings()
        #expect(recordings.count == 21)
        for (path, bytes, recording) in recordings {
            let played = try play(bytes, named: path)
            let (summary, expected) = (played.summary, recording.expected)
            expectRules(played.frames + (played.closing.map { [$0] } ?? []), path, isWhole: true)
            expectPlaces(played, path)
            #expect(played.format?.rawValue == expected.format, "\(path)")
            #expect(played.contactProtocol?.rawValue == expected.protocol, "\(path)")
            #expect(summary.frames == expected.frames, "\(path)")
            #expect(summary.maxConcurrent == expected.max_concurrent, "\(path)")
            #expect(played.name == expected.name ?? "", "\(path)")
            #expect(played.device.x?.range == expected.x_range.map { $0[0]...$0[1] }, "\(path)")
            #expect(played.device.y?.range == expected.y_range.map { $0[0]...$0[1] }, "\(path)")
            #expect(played.frames.last?.time == .microseconds(expected.duration_us), "\(path)")
            if let began = expected.began { #expect(summary.began == began, "\(path)") }
            if let moved = expected.moved { #expect(summary.moved == moved, "\(path)") }
            if let ended = expected.ended { #expect(summary.ended == ended, "\(path)") }
            if let open = expected.open_at_eof { #expect(summary.openAtEnd == open, "\(path)") }
            #expect(expected.syn_dropped ?? 0 == 0)
            #expect(!played.remarks.contains { $0.contains("lost") }, "\(path)")
            for (count, frames) in expected.contacts_per_frame ?? [:] {
                #expect(summary.contactsPerFrame[try #require(Int(count))] == frames, "\(path), \(count) contacts")
            }
            if let sequences = expected.touch_sequences {
                #expect(Self.sequences(played.frames) == sequences, "\(path)")
            }
            expectContacts(summary, recording.contacts, recording.contact_level, path)
            expectTimes(played.frames, recording.contacts ?? [], path)
            #expect(try play(bytes, cutEvery: 1) == played, "\(path) byte by byte")
            #expect(try play(bytes, cutEvery: 4099) == played, "\(path) in pieces")
        }
    }

    /// The number of times that a contact landed on an untouched panel.
    private static func sequences(_ frames: [ContactFrame]) -> Int {
        var (count, wasTouched) = (0, false)
        for frame in frames {
            let isTouched = frame.contacts.contains { $0.phase != .ended && $0.phase != .cancelled }
            if isTouched, !wasTouched { count += 1 }
            wasTouched = isTouched
        }
        return count
    }

    private func expectContacts(
        _ summary: RecordingSummary, _ contacts: [Known.Contact]?, _ level: String?, _ path: String
    ) {
        guard let contacts, level ?? "ordered" == "ordered" else { return }
        #expect(summary.contacts.count == contacts.count, "\(path)")
        for (ours, theirs) in zip(summary.contacts, contacts) {
            #expect([ours.first.x, ours.first.y] == theirs.first, "\(path), contact \(ours.order)")
            #expect([ours.last.x, ours.last.y] == theirs.last, "\(path), contact \(ours.order)")
            if let moved = theirs.moved { #expect(ours.moved == moved, "\(path), contact \(ours.order)") }
        }
    }

    private func expectTimes(_ frames: [ContactFrame], _ contacts: [Known.Contact], _ path: String) {
        var began: [Duration] = []
        var ended: [Int: Duration] = [:]
        var live: [(id: Int64, order: Int)] = []
        for frame in frames {
            for contact in frame.contacts {
                if contact.phase == .began {
                    live.append((contact.id, began.count))
                    began.append(frame.time)
                } else if contact.phase == .ended, let index = live.firstIndex(where: { $0.id == contact.id }) {
                    ended[live.remove(at: index).order] = frame.time
                }
            }
        }
        for (order, contact) in contacts.enumerated() where order < began.count {
            if let time = contact.t_began_us {
                #expect(began[order] == .microseconds(time), "\(path), contact \(order)")
            }
            if let time = contact.t_ended_us {
                #expect(ended[order] == .microseconds(time), "\(path), contact \(order)")
            }
        }
    }

    @Test(
        "Linux's own recordings have the contacts of their HID reports",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func kernels() throws {
        let (folder, file) = try known()
        var count = 0
        for (path, known) in file.hid_recordings.sorted(by: { $0.key < $1.key }) {
            let hid = folder.appending(path: path)
            let stem = hid.deletingPathExtension().lastPathComponent
            for url in try FileManager.default.contentsOfDirectory(
                at: hid.deletingLastPathComponent(), includingPropertiesForKeys: nil)
            where url.lastPathComponent.hasPrefix(stem + ".kernel-") {
                let played = try play(Array(try Data(contentsOf: url)), named: url.lastPathComponent)
                let (summary, kernel) = (played.summary, known.kernel)
                expectRules(played.frames + (played.closing.map { [$0] } ?? []), path, isWhole: true)
                expectPlaces(played, path)
                #expect(played.contactProtocol?.rawValue == kernel.protocol, "\(path)")
                #expect(summary.frames == kernel.frames, "\(path)")
                #expect((summary.began, summary.ended) == (kernel.began, kernel.ended), "\(path)")
                #expect((summary.moved, summary.openAtEnd) == (kernel.moved, kernel.open_at_eof), "\(path)")
                #expect(summary.maxConcurrent == kernel.max_concurrent, "\(path)")
                #expect(played.device.contactCount == kernel.slot_max + 1, "\(path)")
                #expect(played.ranges.x == kernel.x_range[0]...kernel.x_range[1], "\(path)")
                #expect(played.ranges.y == kernel.y_range[0]...kernel.y_range[1], "\(path)")
                expectContacts(summary, kernel.contacts, nil, path)
                count += 1
            }
        }
        #expect(count == 14)
    }

    @Test(
        "real recordings survive other line ends, formats and missing descriptions",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func rewritten() throws {
        for (path, bytes, known) in try recordings() {
            let format = try #require(RecordingFormat(rawValue: known.expected.format))
            let text = String(decoding: bytes, as: UTF8.self)
            let whole = try play(text)
            let unix = text.replacing("\r\n", with: "\n")
            #expect(try play(unix.replacing("\n", with: "\r\n")).frames == whole.frames, "\(path)")
            #expect(try play(unix.replacing("\n", with: " \t \n")).frames == whole.frames, "\(path)")
            let events = EventText(unix, in: format)
            for other in [RecordingFormat.evemu, .evtest, .getevent, .libinputRecord] {
                let played = try play(events.rewritten(to: other))
                #expect(played.format == other)
                // A description may list axes that only an event stream of one contact would show.
                #expect(played.contactProtocol == whole.contactProtocol, "\(path) as \(other)")
                #expect(played.frames.count == whole.frames.count, "\(path) as \(other)")
                #expect(
                    played.frames.map(\.contacts) == whole.frames.map(\.contacts), "\(path) as \(other)")
                #expect(played.frames.map(\.time) == whole.frames.map(\.time), "\(path) as \(other)")
                #expect(played.closing == whole.closing, "\(path) as \(other)")
            }
        }
    }

    @Test(
        "mirrored, permuted and slowed evdev events give matching touches",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func transformed() throws {
        for (path, bytes, known) in try recordings() {
            let format = try #require(RecordingFormat(rawValue: known.expected.format))
            let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
            let whole = try play(text)
            let events = EventText(text, in: format)
            let sums = (
                x: whole.ranges.x.lowerBound + whole.ranges.x.upperBound,
                y: whole.ranges.y.lowerBound + whole.ranges.y.upperBound
            )
            let mirrored = try play(
                events.copy { event in
                    if event.type == 3, [0x00, 0x35].contains(event.code) { event.value = Int(sums.x) - event.value }
                    if event.type == 3, [0x01, 0x36].contains(event.code) { event.value = Int(sums.y) - event.value }
                    return []
                })
            let expected = whole.frames.map { frame in
                var frame = frame
                for index in frame.contacts.indices {
                    frame.contacts[index].x = sums.x - frame.contacts[index].x
                    frame.contacts[index].y = sums.y - frame.contacts[index].y
                }
                return frame
            }
            #expect(mirrored.frames == expected, "\(path) mirrored")
            #expect(mirrored.summary.contactsPerFrame == whole.summary.contactsPerFrame)
            let slowed = try play(
                events.copy { event in
                    event.time *= 3
                    return []
                })
            #expect(slowed.frames.map(\.contacts) == whole.frames.map(\.contacts), "\(path) slowed down")
            #expect(slowed.frames.map(\.time) == whole.frames.map { $0.time * 3 }, "\(path) slowed down")
            guard whole.contactProtocol == .slots else { continue }
            let last = whole.device.contactCount.map { $0 - 1 } ?? 9
            var isFirst = true
            let permuted = try play(
                events.copy { event in
                    if event.type == 3, event.code == TextEvent.slot { event.value = last - event.value }
                    defer { isFirst = false }
                    // The first slot is implied, and is another slot in this copy.
                    return isFirst
                        ? [TextEvent(time: event.time, type: 3, code: TextEvent.slot, value: last)] : []
                })
            #expect(permuted.frames == whole.frames, "\(path) with other slots")
            #expect(permuted.closing == whole.closing)
        }
    }

    @Test(
        "real descriptions hold no touch and describe the recording beside them",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func descriptions() throws {
        let folder = try #require(Repository.sharedData).appending(path: "evdev/evemu-devices")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var described = 0
        for file in files where file.pathExtension == "desc" {
            let description = Array(try Data(contentsOf: file))
            let played = try play(description, named: file.lastPathComponent)
            #expect(played.summary.began == 0)
            #expect(played.contactProtocol != nil, "\(file.lastPathComponent)")
            #expect(!played.name.isEmpty)
            let stem = file.deletingPathExtension().lastPathComponent
            for events in files where events.lastPathComponent.hasPrefix(stem + ".") && events != file {
                let bytes = Array(try Data(contentsOf: events))
                let (alone, both) = (try play(bytes), try play(description + bytes))
                #expect(both.frames == alone.frames, "\(events.lastPathComponent)")
                #expect(
                    both.contactProtocol == alone.contactProtocol && both.contactProtocol == played.contactProtocol,
                    "\(events.lastPathComponent)")
                #expect(both.ranges == played.ranges)
                #expect(both.name == played.name)
                described += 1
            }
        }
        #expect(described >= 6)
    }

    @Test("the demo's recording is two taps and a drag")
    func shipped() throws {
        let file = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu")
        let summary = try play(Array(try Data(contentsOf: file))).summary
        #expect((summary.began, summary.ended, summary.openAtEnd) == (3, 3, 0))
        #expect(summary.contacts.map(\.moved) == [0, 0, 48])
    }
}
