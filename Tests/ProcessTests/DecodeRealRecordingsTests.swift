import Foundation
import Testbed
import Testing

/// `touchline decode` over recordings and descriptors of real devices, compared with the results of independent
/// decoders.
@Suite("Decoding recordings of real devices", .timeLimit(Sanitizer.timeLimit))
struct DecodeRealRecordingsTests {
    private struct Expected: Decodable {
        struct Contact: Decodable {
            var first, last: [Int]
            var moved: Int?
        }
        struct Counts: Decodable {
            var format, `protocol`, name: String?
            var frames, began, moved, ended, open_at_eof, max_concurrent: Int?
            var x_range, y_range: [Int]?
        }
        struct Kernel: Decodable {
            var open_at_eof: Int?
            var x_range, y_range: [Int]?
            var contacts: [Contact]?
        }
        struct Recording: Decodable {
            var expected: Counts
            var contacts: [Contact]?
            var contact_level, trust, mode, name: String?
            var unparsed_lines: Int?
            var kernel: Kernel?
        }
        struct Descriptor: Decodable {
            struct Report: Decodable {
                var report_id, report_bytes, contacts_per_report: Int
                var application: String
                var usages: [String]
                var has_contact_count, has_scan_time: Bool
                var x, y: [Int]
            }
            struct Most: Decodable { var logical_max: Int }
            struct Facts: Decodable {
                var touch_reports: [Report]
                var contact_count_max: Most?
            }
            var expected: Facts
        }
        var hid_recordings, evdev_recordings: [String: Recording]
        var descriptors: [String: Descriptor]
    }

    private struct Decoded: Decodable {
        struct Contact: Decodable {
            var order, moved: Int
            var first, last: [Int]
            var terminal: String
        }
        struct Source: Decodable {
            var file, format: String
            var device, `protocol`, mode: String?
            var xRange, yRange: [Int]?
        }
        struct Counts: Decodable {
            var frames, began, moved, ended, cancelled, openAtEnd, maxConcurrent, ignoredLines: Int
        }
        private enum CodingKeys: CodingKey { case contacts }

        let source: Source
        let counts: Counts
        let contacts: [Contact]

        /// The program prints one flat object for each recording.
        init(from decoder: any Decoder) throws {
            (source, counts) = (try Source(from: decoder), try Counts(from: decoder))
            contacts = try decoder.container(keyedBy: CodingKeys.self).decode([Contact].self, forKey: .contacts)
        }
    }

    private struct DecodedDescriptor: Decodable {
        struct Report: Decodable {
            var reportID: Int?
            var reportBytes, contactsPerReport: Int
            var application: String
            var usages: [String]
            var hasContactCount, hasScanTime: Bool
            var x, y: [Int]
        }
        var touchReports: [Report]
        var contactCountMax: Int?
    }

    private func known() throws -> (URL, Expected) {
        let data = try #require(Repository.sharedData)
        let text = try Data(contentsOf: data.appending(path: "expected.json"))
        return (data, try JSONDecoder().decode(Expected.self, from: text))
    }

    /// The decoded recordings, by their names in expected.json.
    private func decode(_ names: [String], in data: URL, _ options: [String] = []) throws -> [String: Decoded] {
        let paths = names.map { data.appending(path: $0).path }
        let program = try Program(["decode", "--json", "--contacts"] + options + paths)
        #expect(try program.wait(seconds: 300) == 0, "\(program.err)")
        #expect(program.err == "")
        let lines = program.out.split(separator: "\n")
        let objects = try lines.map { try JSONDecoder().decode(Decoded.self, from: Data($0.utf8)) }
        #expect(objects.map(\.source.file) == paths)
        return Dictionary(uniqueKeysWithValues: zip(names, objects))
    }

    private func expectContacts(_ decoded: Decoded, _ contacts: [Expected.Contact], _ name: String) {
        #expect(decoded.contacts.count == contacts.count, "\(name)")
        for (ours, theirs) in zip(decoded.contacts, contacts) {
            #expect(ours.first == theirs.first && ours.last == theirs.last, "\(name), contact \(ours.order)")
            if let moved = theirs.moved { #expect(ours.moved == moved, "\(name), contact \(ours.order)") }
        }
    }

    @Test(
        "21 evdev recordings decode to the counts of independent decoders",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func evdev() throws {
        let (data, expected) = try known()
        let names = expected.evdev_recordings.keys.sorted()
        #expect(names.count == 21)
        let found = try decode(names, in: data)
        for name in names {
            let (ours, theirs) = (try #require(found[name]), try #require(expected.evdev_recordings[name]))
            let counts = theirs.expected
            #expect(ours.source.format == counts.format, "\(name)")
            #expect(ours.source.protocol == counts.protocol, "\(name)")
            #expect(ours.source.device == counts.name, "\(name)")
            #expect(ours.source.mode == nil, "\(name)")
            #expect(ours.counts.frames == counts.frames, "\(name)")
            #expect(ours.counts.maxConcurrent == counts.max_concurrent, "\(name)")
            #expect(ours.source.xRange == counts.x_range && ours.source.yRange == counts.y_range, "\(name)")
            if let began = counts.began { #expect(ours.counts.began == began, "\(name)") }
            if let moved = counts.moved { #expect(ours.counts.moved == moved, "\(name)") }
            if let ended = counts.ended { #expect(ours.counts.ended == ended, "\(name)") }
            if let open = counts.open_at_eof { #expect(ours.counts.openAtEnd == open, "\(name)") }
            #expect(ours.counts.began == ours.counts.ended + ours.counts.cancelled, "\(name)")
            if let contacts = theirs.contacts { expectContacts(ours, contacts, name) }
        }
    }

    @Test(
        "14 HID recordings decode to the counts of independent decoders",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func hid() throws {
        let (data, expected) = try known()
        let names = expected.hid_recordings.keys.sorted()
        #expect(names.count == 14)
        // These panels never report which contact has lifted, so the user has to say it with an option.
        let silent = names.filter { expected.hid_recordings[$0]?.trust == "drop-rule" }
        let found = try decode(names.filter { !silent.contains($0) }, in: data).merging(
            decode(silent, in: data, ["--absent-means-lifted"])
        ) { first, _ in first }
        for name in names {
            let (ours, theirs) = (try #require(found[name]), try #require(expected.hid_recordings[name]))
            let counts = theirs.expected
            #expect((ours.source.format, ours.source.protocol) == ("hid-recorder", "hid"), "\(name)")
            let mode = try #require(ours.source.mode)
            #expect(theirs.mode?.hasPrefix(mode) == true, "\(name)")
            #expect(ours.source.device?.trimmingCharacters(in: .whitespaces) == theirs.name, "\(name)")
            #expect(ours.counts.began == counts.began, "\(name)")
            #expect(ours.counts.ended == counts.ended, "\(name)")
            #expect(ours.counts.maxConcurrent == counts.max_concurrent, "\(name)")
            if let moved = counts.moved { #expect(ours.counts.moved == moved, "\(name)") }
            #expect(ours.counts.openAtEnd == theirs.kernel?.open_at_eof, "\(name)")
            #expect(ours.counts.cancelled == ours.counts.openAtEnd, "\(name)")
            #expect(ours.counts.ignoredLines == theirs.unparsed_lines, "\(name)")
            #expect(
                ours.source.xRange == theirs.kernel?.x_range && ours.source.yRange == theirs.kernel?.y_range, "\(name)")
            guard theirs.contact_level == "ordered", let contacts = theirs.kernel?.contacts else { continue }
            expectContacts(ours, contacts, name)
        }
    }

    @Test(
        "7 descriptors of real panels are parsed as expected",
        .enabled(if: Repository.sharedData != nil, "skipped: no shared/data beside the repository"))
    func descriptors() throws {
        let (data, expected) = try known()
        let names = expected.descriptors.keys.sorted()
        #expect(names.count == 7)
        let result = try Program.run(
            ["decode", "--descriptor", "--json"] + names.map { data.appending(path: $0).path })
        #expect((result.status, result.err) == (0, ""))
        let lines = result.out.split(separator: "\n")
        #expect(lines.count == 7)
        for (name, line) in zip(names, lines) {
            let ours = try JSONDecoder().decode(DecodedDescriptor.self, from: Data(line.utf8))
            let theirs = try #require(expected.descriptors[name]).expected
            #expect(ours.contactCountMax == theirs.contact_count_max?.logical_max, "\(name)")
            #expect(ours.touchReports.count == theirs.touch_reports.count, "\(name)")
            for (ours, theirs) in zip(ours.touchReports, theirs.touch_reports) {
                #expect(ours.reportID == theirs.report_id && ours.reportBytes == theirs.report_bytes, "\(name)")
                #expect(ours.application == theirs.application, "\(name)")
                #expect(ours.contactsPerReport == theirs.contacts_per_report, "\(name)")
                #expect(ours.usages == theirs.usages, "\(name)")
                #expect(ours.hasContactCount == theirs.has_contact_count, "\(name)")
                #expect(ours.hasScanTime == theirs.has_scan_time, "\(name)")
                #expect(ours.x == Array(theirs.x.prefix(2)) && ours.y == Array(theirs.y.prefix(2)), "\(name)")
            }
        }
    }
}
