import ArgumentParser
import Basics
import Foundation
import Runs
import Scenarios
import Testbed
import Testing
import Trace

@testable import touchline

/// The sums of all exports of one run are those of its facts. The counts here come from the texts of facts, not from the
/// templates that the exports use.
@Suite("`touchline export`")
struct ExportTests {
    private static let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path
    /// A pinch and a pan, their order, and two fingers.
    private static let scenario = Repository.scenario("S55c").path

    private func export(_ run: String, _ format: String) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let scene = Repository.root.appending(path: RunSource.defaultScene).path
        let sceneArguments = run.hasSuffix(".evemu") ? ["--scene", scene] : []
        let result = try Program.run(["export", run, "--format", format, "-o", file.path] + sceneArguments)
        #expect(result.status == 0 && result.out.isEmpty && result.err.isEmpty, "\(result)")
        return try Data(contentsOf: file)
    }

    @Test("the sums of every export agree with the facts of the run", arguments: [recording, scenario])
    func sums(run: String) throws {
        let scene = Repository.root.appending(path: RunSource.defaultScene).path
        let observed = try RunSource.parse([run] + (run.hasSuffix(".evemu") ? ["--scene", scene] : [])).observed()
        let facts = observed.events.map { $0 }.filter { !$0.isProbe }
        let expected = FactCounts(facts.map { ($0.process, $0.station.rawValue, $0.text) })
        #expect(expected.scans > 0 && expected.actions > 0 && expected.began > 0)
        #expect(observed.ledgers.count == expected.scans)

        #expect(try FactCounts(csv: export(run, "csv")) == expected)
        #expect(try FactCounts(ndjson: export(run, "ndjson")) == expected)
        #expect(try FactCounts(chrome: export(run, "chrome")) == expected)
        #expect(try FactCounts(perfetto: export(run, "perfetto")) == expected)

        let metrics = try String(decoding: export(run, "openmetrics"), as: UTF8.self)
        #expect(metricSum(metrics, "touchline_scans_total") == expected.scans)
        for (phase, count) in [
            ("began", expected.began), ("moved", expected.moved), ("ended", expected.ended),
            ("cancelled", expected.cancelled),
        ] {
            #expect(metricSum(metrics, "touchline_touches_total", "phase=\"\(phase)\"") == count)
        }
        #expect(metricSum(metrics, "touchline_actions_total") == expected.actions)
        for (station, count) in expected.stations {
            let (process, name) = (station.split(separator: " ")[0], station.split(separator: " ")[1])
            let labels = "process=\"\(process)\",station=\"\(name)\""
            #expect(metricSum(metrics, "touchline_facts_total", labels) == count)
        }
        #expect(metricSum(metrics, "touchline_facts_total") == facts.count)
        #expect(metricSum(metrics, "touchline_hop_latency_seconds_count", "device to app") == expected.scans)

        let log = try String(decoding: export(run, "hdr"), as: UTF8.self)
        let entries = log.split(separator: "\n").filter { $0.hasPrefix("Tag=") }
        #expect(
            entries.map { $0.split(separator: ",")[0] } == [
                "Tag=input-kit", "Tag=wire-to-system-server", "Tag=system-server", "Tag=wire-to-app", "Tag=app",
                "Tag=device-to-app",
            ])
        for entry in entries {
            let bytes = try #require(Data(base64Encoded: String(entry.split(separator: ",")[4])))
            #expect(histogramCount(Array(bytes)) == expected.scans)
        }
    }

    @Test("a live group exports with a warning, and without one after its end")
    func live() throws {
        let group = try LiveGroup(["--scene", Repository.root.appending(path: RunSource.defaultScene).path])
        let played = try group.run("replay", Self.recording, "--latency")
        #expect(played.status == 0, "\(played.err)")
        let table = played.out.split(separator: "\n").drop { $0 != "The time of 62 scans by hop, in microseconds:" }
        let names = HopLatencies.hops.map { "  \($0.name) " } + ["device to app "]
        #expect(zip(table.dropFirst(2), names).allSatisfy { $0.hasPrefix($1) } && table.count == 8, "\(played.out)")
        let during = try Program.run(["export", group.runDirectory, "--format", "openmetrics"])
        #expect(during.status == 1)
        #expect(
            during.err
                == "\(group.runDirectory): the group still runs or was killed: its journals have no end\n")
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let replayed = try Program.run(["replay", "--journal", group.runDirectory, "--latency", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(replayed.out.utf8)) as? [String: Any]
        #expect((object?["microseconds"] as? [String: Any])?["count"] as? Int == 62)
        #expect(
            (object?["hops"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == HopLatencies.hops.map(\.name)
        )
        let after = try Program.run(["export", group.runDirectory, "--format", "openmetrics"])
        #expect(after.status == 0 && after.err.isEmpty, "\(after.err)")
        for metrics in [during.out, after.out] {
            #expect(metrics.hasSuffix("# EOF\n"))
            #expect(metricSum(metrics, "touchline_touches_total", "phase=\"began\"") == 3)
            #expect(metricSum(metrics, "touchline_actions_total") == 2)
            // Real hops take time.
            let sum = metrics.split(separator: "\n").first { $0.hasPrefix("touchline_hop_latency_seconds_sum") }
            #expect(sum.flatMap { Double($0.split(separator: " ").last ?? "") } ?? 0 > 0)
        }
    }

    @Test("journals that are cut or of another version are named in one line")
    func damaged() throws {
        let group = try LiveGroup()
        group.isAudited = false
        _ = try group.run("replay", Self.recording)
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let folder = URL(filePath: group.runDirectory).appending(path: "journal/app1")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let file = folder.appending(path: name)
        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count * 2 / 3).write(to: file)
        let cut = try Program.run(["export", group.runDirectory, "--format", "csv"])
        #expect(cut.status == 1 && cut.out.hasPrefix("time_ns,"))
        #expect(cut.err.hasPrefix("\(group.runDirectory): ") && cut.err.split(separator: "\n").count == 1, "\(cut.err)")
        // The version of the frames is in the first bytes of the file.
        var other = whole
        for index in 8..<12 { other[index] ^= 0x7F }
        try other.write(to: file)
        let refused = try Program.run(["export", group.runDirectory, "--format", "csv"])
        #expect(refused.status == 2 && refused.out.isEmpty)
        #expect(refused.err.split(separator: "\n").count == 1 && refused.err.contains(name), "\(refused.err)")
    }

    @Test(
        "an export that cannot be made is one line and exit code 2",
        arguments: [
            (["/no/such/run", "--format", "csv"], "/no/such/run: no such file"),
            (["/", "--format", "csv"], "/: expected journals of a group (<run-dir>/journal), found none"),
            (["S14a", "--format", "csv", "-o", "/no/such/folder/x"], "/no/such/folder/x: cannot be written: "),
            (["S14a", "--format", "pdf"], "Error: The value 'pdf' is invalid for '--format <name>'."),
        ])
    func refused(arguments: [String], line: String) throws {
        let words = arguments.map { $0 == "S14a" ? Repository.scenario("S14a").path : $0 }
        let result = try Program.run(["export"] + words)
        #expect(result.status == 2 && result.out.isEmpty)
        #expect(result.err.hasPrefix(line), "\(result.err)")
    }
}

/// The sum of the samples of a metric whose labels contain a text.
private func metricSum(_ text: String, _ name: String, _ label: String = "") -> Int {
    text.split(separator: "\n").filter { line in
        line.split(separator: "{")[0].split(separator: " ")[0] == name && (label.isEmpty || line.contains(label))
    }.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
}

/// The counts of a run's facts.
private struct FactCounts: Equatable {
    var scans = 0
    var began = 0
    var moved = 0
    var ended = 0
    var cancelled = 0
    var actions = 0
    /// By process and station: `app1 hitTest`.
    var stations: [String: Int] = [:]

    init(_ facts: [(process: String, station: String, text: String)]) {
        for (process, station, text) in facts {
            stations["\(process) \(station)", default: 0] += 1
            switch station {
            case "frame": scans += 1
            case "event" where text.contains(" began at"): began += 1
            case "event" where text.contains(" moved to"): moved += 1
            case "event" where text.contains(" ended at"): ended += 1
            case "event" where text.hasSuffix(" cancelled"): cancelled += 1
            case "action" where text.contains("→ "): actions += 1
            default: continue
            }
        }
    }

    init(csv: Data) throws {
        let rows = csvRows(String(decoding: csv, as: UTF8.self))
        #expect(rows[0] == ["time_ns", "process", "station", "kind", "text", "template", "a", "b", "c", "d"])
        #expect(rows.allSatisfy { $0.count == 10 })
        self.init(rows.dropFirst().filter { $0[3] == "fact" }.map { ($0[1], $0[2], $0[4]) })
    }

    init(ndjson: Data) throws {
        let rows = try ndjson.split(separator: UInt8(ascii: "\n")).map {
            try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] ?? [:]
        }
        self.init(
            rows.filter { $0["kind"] as? String == "fact" }.map {
                ($0["process"] as? String ?? "", $0["station"] as? String ?? "", $0["text"] as? String ?? "")
            })
    }

    /// Also checks that each thread and process has a name, that spans begin and end, and that flows do.
    init(chrome: Data) throws {
        let file = try JSONSerialization.jsonObject(with: chrome) as? [String: Any] ?? [:]
        let events = file["traceEvents"] as? [[String: Any]] ?? []
        func of(_ phase: String) -> [[String: Any]] { events.filter { $0["ph"] as? String == phase } }
        var processes: [Int: String] = [:]
        var threads: [Int: String] = [:]
        for event in of("M") {
            let name = (event["args"] as? [String: Any])?["name"] as? String
            if event["name"] as? String == "process_name" { processes[event["pid"] as? Int ?? -1] = name }
            if event["name"] as? String == "thread_name" { threads[event["tid"] as? Int ?? -1] = name }
        }
        self.init(
            of("X").map { event in
                let thread = threads[event["tid"] as? Int ?? -1] ?? "?"
                #expect(event["cat"] as? String == thread && event["dur"] as? Int == 0)
                return (processes[event["pid"] as? Int ?? -1] ?? "?", thread, event["name"] as? String ?? "")
            })
        func ids(_ phase: String) -> [String] { of(phase).map { "\($0["id"] ?? "")" }.sorted() }
        #expect(ids("b") == ids("e") && ids("s") == ids("f") && !ids("s").isEmpty)
        let contacts = of("b").count { $0["cat"] as? String == "contact" }
        #expect(contacts == of("X").count { ($0["name"] as? String ?? "").contains(" down at ") })
        #expect(!of("C").isEmpty)
    }

    init(perfetto: Data) throws {
        struct Track {
            var name: String
            var parent: UInt64
        }
        var tracks: [UInt64: Track] = [:]
        var processes: [UInt64: String] = [:]
        var facts: [(process: String, station: String, text: String)] = []
        for packet in ProtobufField.fields(of: Array(perfetto)) {
            #expect(packet.number == 1)
            let fields = packet.message
            if let descriptor = fields.first(60)?.message, let uuid = descriptor.first(1)?.value {
                if let process = descriptor.first(3)?.message {
                    processes[uuid] = process.first(6)?.text
                } else {
                    tracks[uuid] = Track(
                        name: descriptor.first(2)?.text ?? "", parent: descriptor.first(5)?.value ?? 0)
                }
            }
            guard let event = fields.first(11)?.message, event.first(9)?.value == 3 else { continue }
            let track = try #require(tracks[event.first(11)?.value ?? 0])
            #expect(event.first(22)?.text == track.name)
            facts.append((processes[track.parent] ?? "?", track.name, event.first(23)?.text ?? ""))
        }
        self.init(facts)
    }
}

/// One field of a protobuf message.
private struct ProtobufField {
    var number: Int
    var value: UInt64
    var bytes: [UInt8]

    var message: [ProtobufField] { Self.fields(of: bytes) }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    static func fields(of bytes: [UInt8]) -> [ProtobufField] {
        var fields: [ProtobufField] = []
        var index = 0
        func varint() -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
        while index < bytes.count {
            let tag = varint()
            switch tag & 7 {
            case 0: fields.append(ProtobufField(number: Int(tag >> 3), value: varint(), bytes: []))
            case 1:
                fields.append(ProtobufField(number: Int(tag >> 3), value: 0, bytes: Array(bytes[index..<index + 8])))
                index += 8
            default:
                let count = Int(varint())
                fields.append(
                    ProtobufField(number: Int(tag >> 3), value: 0, bytes: Array(bytes[index..<index + count])))
                index += count
            }
        }
        return fields
    }
}

extension [ProtobufField] {
    fileprivate func first(_ number: Int) -> ProtobufField? { first { $0.number == number } }
}

/// The rows of a CSV file.
func csvRows(_ text: String) -> [[String]] {
    var (rows, row, cell): ([[String]], [String], String) = ([], [], "")
    var isQuoted = false
    var rest = Substring(text)
    while let character = rest.popFirst() {
        switch character {
        case "\"" where isQuoted && rest.first == "\"": cell.append(rest.removeFirst())
        case "\"": isQuoted.toggle()
        case "," where !isQuoted:
            row.append(cell)
            cell = ""
        case "\n" where !isQuoted:
            rows.append(row + [cell])
            (row, cell) = ([], "")
        default: cell.append(character)
        }
    }
    return rows
}

/// The sum of the counts of a histogram in the encoding V2.
private func histogramCount(_ entry: [UInt8]) -> Int {
    // Cookie and length, then a zlib stream of one stored block: two bytes of head, five of the block.
    let histogram = entry[8...].dropFirst(2 + 5).dropLast(4)
    var index = histogram.startIndex + 40
    var sum = 0
    while index < histogram.endIndex {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = histogram[index]
            index += 1
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        // An even number is a count; an odd one is a run of zeros.
        if value & 1 == 0 { sum += Int(value >> 1) }
    }
    return sum
}
