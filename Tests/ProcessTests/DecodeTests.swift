import Foundation
import Testbed
import Testing

@Suite("`touchline decode`", .timeLimit(Sanitizer.timeLimit))
struct DecodeTests {
    private static let keys: Set<String> = [
        "file", "format", "device", "protocol", "frames", "began", "moved", "ended", "cancelled", "openAtEnd",
        "maxConcurrent", "ignoredLines", "xRange", "yRange", "scans",
    ]

    @Test("decode --json prints one object per line with exactly these keys")
    func keys() throws {
        let folder = try Folder()
        let taps = try folder.file("taps.evemu", Fixture.slots)
        let panel = try folder.file("panel.hid", Fixture.hid())
        let plain = try Program.run(["decode", "--json", taps, panel])
        #expect((plain.status, plain.err) == (0, ""))
        let lines = plain.out.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let (evemu, hid) = (try object(lines[0]), try object(lines[1]))
        #expect(Set(evemu.keys) == Self.keys)
        #expect(Set(hid.keys) == Self.keys.union(["mode"]))
        #expect(evemu["file"] as? String == taps)
        #expect(evemu["format"] as? String == "evemu")
        #expect(evemu["device"] as? String == "Glass #1")
        #expect(evemu["protocol"] as? String == "B")
        #expect(evemu["xRange"] as? [Int] == [0, 799])
        #expect(evemu["yRange"] as? [Int] == [0, 479])
        let counts = ["frames", "began", "moved", "ended", "cancelled", "openAtEnd", "maxConcurrent", "ignoredLines"]
        #expect(counts.map { evemu[$0] as? Int } == [3, 2, 1, 2, 0, 0, 2, 0])
        #expect(hid["format"] as? String == "hid-recorder")
        #expect(hid["protocol"] as? String == "hid")
        #expect(hid["mode"] as? String == "parallel")

        let full = try Program.run(["decode", "--json", "--contacts", taps])
        let listed = try object(full.out)
        #expect(Set(listed.keys) == Self.keys.union(["contacts"]))
        let contacts = try #require(listed["contacts"] as? [[String: Any]])
        #expect(contacts.map { $0["order"] as? Int } == [0, 1])
        #expect(contacts.map { $0["first"] as? [Int] } == [[82, 100], [500, 200]])
        #expect(contacts.map { $0["last"] as? [Int] } == [[83, 100], [500, 200]])
        #expect(contacts.map { $0["moved"] as? Int } == [1, 0])
        #expect(contacts.map { $0["terminal"] as? String } == ["ended", "ended"])
        #expect(contacts.allSatisfy { $0.count == 5 })
    }

    @Test("decode prints a short text for a person")
    func text() throws {
        let folder = try Folder()
        let file = try folder.file("taps.evemu", Fixture.slots)
        let result = try Program.run(["decode", "--contacts", file])
        #expect((result.status, result.err) == (0, ""))
        #expect(
            result.out == """
                \(file): evemu, protocol B (slots), Glass #1
                  3 frames in 0.020 s, at most 2 fingers at once
                  2 began, 1 moved, 2 ended, 0 cancelled
                  100.0 scans a second: interval 10.0 ms, jitter 0.0 ms, longest 10.0 ms, 0 gaps
                  x 0 to 799, y 0 to 479
                  0  (82, 100)   to  (83, 100)   moved 1  ended
                  1  (500, 200)  to  (500, 200)  moved 0  ended

                """)
    }

    @Test("decode --samples prints a row for each contact of each scan", arguments: ["csv", "ndjson"])
    func samples(form: String) throws {
        let folder = try Folder()
        let file = try folder.file("taps.evemu", Fixture.slots)
        let result = try Program.run(["decode", "--samples", form, file])
        #expect((result.status, result.err) == (0, ""))
        let lines = result.out.split(separator: "\n").map(String.init)
        if form == "csv" {
            #expect(lines[0] == "time_ns,scan,contact,phase,x,y,pressure,size")
            #expect(lines[1].hasSuffix(",began,82,100,,") && lines[1].hasPrefix("0,0,"))
            #expect(lines.count { $0.contains(",began,") } == 2 && lines.count { $0.contains(",ended,") } == 2)
        } else {
            let rows = try lines.map(object)
            #expect(
                rows.allSatisfy {
                    Set($0.keys) == ["time_ns", "scan", "contact", "phase", "x", "y", "pressure", "size"]
                })
            #expect(rows.count { $0["phase"] as? String == "moved" } == 1)
            #expect(rows[0]["pressure"] is NSNull && rows[0]["x"] as? Int == 82)
        }
    }

    @Test("decode --samples refuses other forms and several files")
    func samplesAlone() throws {
        for arguments in [["--json", "x"], ["--contacts", "x"], ["--descriptor", "x"], ["x", "y"]] {
            let result = try Program.run(["decode", "--samples", "csv"] + arguments)
            #expect(result.status == 2 && result.err.hasPrefix("Error: --samples: expected "), "\(result.err)")
        }
    }

    @Test("the scan rate counts intervals with one contact in both scans, and gaps of twice the median")
    func timing() throws {
        // 10 ms apart, one pause of 50 ms, and a second without a contact.
        var lines = ["down f1 (10,10) @0"]
        for time in [10, 20, 30, 80, 90] { lines.append("move f1 (\(time),10) @0.0\(time)") }
        lines += ["up f1 @0.1", "down f1 (10,10) @1.1", "up f1 @1.11"]
        let folder = try Folder()
        let file = try folder.file("x", lines.joined(separator: "\n") + "\n")
        let scans = try #require(try object(Program.run(["decode", "--json", file]).out)["scans"] as? [String: Any])
        #expect(scans["intervals"] as? Int == 7 && scans["gaps"] as? Int == 1)
        #expect(abs((scans["medianInterval"] as? Double ?? 0) - 10) < 0.02)
        #expect(abs((scans["rate"] as? Double ?? 0) - 100) < 0.2)
        #expect(abs((scans["longestInterval"] as? Double ?? 0) - 50) < 0.1)
    }

    @Test("decode of a script has neither protocol nor device")
    func script() throws {
        let folder = try Folder()
        let result = try Program.run(["decode", "--json", try folder.file("x", "tap f1 (10,10) @0\n")])
        let decoded = try object(result.out)
        #expect(decoded["format"] as? String == "touchline-script")
        #expect(decoded["protocol"] is NSNull && decoded["device"] is NSNull)
        #expect(decoded["began"] as? Int == 1)
    }

    @Test("--range and --describe give axes that a recording lacks")
    func axes() throws {
        let folder = try Folder()
        let bare = try folder.file("Panel.taps.events", Fixture.events)
        let whole = try folder.file("whole.evemu", Fixture.slots)
        let description = try folder.file("Panel.desc", "# EVEMU 1.3\nN: Panel\nA: 35 0 10 0 0\nA: 36 0 20 0 0\n")

        let unknown = try object(try Program.run(["decode", "--json", bare]).out)
        #expect(unknown["xRange"] is NSNull && unknown["yRange"] is NSNull)
        let given = try Program.run(["decode", "--range", "-5", "95", "0", "9", "--json", bare, whole])
        let lines = try given.out.split(separator: "\n").map { try object(String($0)) }
        #expect(lines.map { $0["xRange"] as? [Int] } == [[-5, 95], [0, 799]])
        #expect(lines.map { $0["yRange"] as? [Int] } == [[0, 9], [0, 479]])
        let described = try object(try Program.run(["decode", "--json", "--describe", description, bare]).out)
        #expect(described["xRange"] as? [Int] == [0, 10])
        #expect(described["yRange"] as? [Int] == [0, 20])
        let text = try Program.run(["decode", bare])
        #expect(text.out.contains("x 0 to 10, y 0 to 20 with --describe \(description)\n"))
    }

    @Test(
        "decode refuses unusable options before it reads a file",
        arguments: [
            (["--format", "evemoo"], "found \"evemoo\""), (["--range", "1", "2", "3"], "--range"),
            (["--range", "9", "1", "0", "5"], "each pair rising, found \"9,1,0,5\""),
            (["--describe", "/nowhere.desc"], "/nowhere.desc: cannot be opened"),
            (["--describe", "/nowhere.desc", "--range", "0", "1", "0", "1"], "expected one of them, found both"),
            (["--descriptor", "--contacts"], "--descriptor: expected no options of recordings"),
            (["--as", "iohid", "--contacts"], "--as iohid: expected no options of contacts"),
        ])
    func options(words: [String], complaint: String) throws {
        let folder = try Folder()
        let result = try Program.run(["decode"] + words + [try folder.file("x.evemu", Fixture.slots)])
        #expect((result.status, result.out) == (2, ""))
        #expect(result.err.contains(complaint))
    }

    @Test("--as iohid prints the IOHIDEvents of HID reports")
    func iohidEvents() throws {
        let folder = try Folder()
        let panel = try folder.file("panel.hid", Fixture.hid())
        let text = try Program.run(["decode", "--as", "iohid", panel])
        #expect((text.status, text.err) == (0, ""))
        let lines = text.out.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(panel): IOHIDEvents")
        // The descriptor has no Untouch usage, so each finger has an event of its own, around its own copy.
        #expect(lines.last == "  6 events")
        for finger in [3, 4] {
            #expect(lines.filter { $0.hasPrefix("      finger \(finger)  x ") }.count == 3)
        }

        let plain = try Program.run(["decode", "--as", "iohid", "--json", panel])
        let events = try plain.out.split(separator: "\n").map { try object(String($0)) }
        #expect(events.map { $0["time"] as? Int } == [0, 0, 10_000_000, 10_000_000, 20_000_000, 20_000_000])
        let children = events.map { $0["children"] as? [[String: Any]] ?? [] }
        #expect(children.allSatisfy { $0.count == 1 })
        #expect(children.compactMap { $0.first?["index"] as? Int } == [3, 4, 3, 4, 3, 4])
        #expect((children[0].first?["mask"] as? [String])?.contains("touch") == true)
        // The header, the hand and its finger, in the sizes that Docs/Reference/HIDEventRecord.md gives.
        #expect(events.allSatisfy { ($0["record"] as? String)?.count == 2 * (28 + 2 * 104) })

        let evemu = try folder.file("taps.evemu", Fixture.slots)
        let refused = try Program.run(["decode", "--as", "iohid", evemu])
        #expect((refused.status, refused.out) == (2, ""))
        #expect(refused.err.contains("expected a recording of HID reports (hid-recorder), found evemu"))
    }

    @Test("decode reports an unreadable file in one line and reads the others")
    func unreadable() throws {
        let folder = try Folder()
        let good = try folder.file("good.evemu", Fixture.slots)
        let empty = try folder.file("empty", "")
        let strange = try folder.file("strange", "\u{0}\u{1}\u{2}")
        let result = try Program.run(["decode", "--json", "/nowhere/x", folder.path, empty, strange, good])
        #expect(result.status == 2)
        #expect(result.out.split(separator: "\n").count == 1)
        #expect(try object(result.out)["file"] as? String == good)
        let lines = result.err.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[0] == "/nowhere/x: cannot be opened: No such file or directory")
        #expect(lines[1] == "\(folder.path): expected a file, found a folder")
        #expect(lines[2].hasPrefix("\(empty): expected ") && lines[2].hasSuffix(", found an empty file"))
        #expect(lines[3].hasPrefix("\(strange):") && lines[3].contains(" expected "))
    }

    @Test("decode counts a broken file up to the error and cancels contacts")
    func truncated() throws {
        let folder = try Folder()
        let whole = Fixture.slots
        let cut = try #require(whole.range(of: "E: 0.020000 0003 0039 -1"))
        let file = try folder.file("cut.evemu", whole[..<cut.lowerBound] + "E: 0.020000 00")
        let result = try Program.run(["decode", "--json", "--contacts", file])
        #expect(result.status == 2)
        let decoded = try object(result.out)
        #expect(["began", "ended", "cancelled", "openAtEnd"].map { decoded[$0] as? Int } == [2, 0, 2, 2])
        let contacts = try #require(decoded["contacts"] as? [[String: Any]])
        #expect(contacts.map { $0["terminal"] as? String } == ["cancelled", "cancelled"])
        let line = whole[..<cut.lowerBound].split(separator: "\n").count + 1
        #expect(result.err.hasPrefix("\(file):\(line): expected "))
        #expect(result.err.split(separator: "\n").count == 1)
    }

    @Test("decode cancels contacts that are down at a recording's regular end")
    func openAtEnd() throws {
        let folder = try Folder()
        let whole = Fixture.slots
        let cut = try #require(whole.range(of: "E: 0.020000 0003 0039 -1"))
        let result = try Program.run(["decode", "--json", try folder.file("open.evemu", "\(whole[..<cut.lowerBound])")])
        #expect((result.status, result.err) == (0, ""))
        let decoded = try object(result.out)
        #expect(["began", "ended", "cancelled", "openAtEnd"].map { decoded[$0] as? Int } == [2, 0, 2, 2])
    }

    @Test("decode ignores and counts carriage returns, stray lines and blanks")
    func untidy() throws {
        let folder = try Folder()
        let untidy =
            "   - land two fingers\r\n" + Fixture.slots.replacing("\n", with: "  \r\n") + "1. Drag _one_ finger\r\n"
        let (clean, dirty) = (try folder.file("a.evemu", Fixture.slots), try folder.file("b.evemu", untidy))
        let result = try Program.run(["decode", "--json", "--contacts", clean, dirty])
        #expect((result.status, result.err) == (0, ""))
        var objects = try result.out.split(separator: "\n").map { try object(String($0)) }
        #expect(objects.map { $0["ignoredLines"] as? Int } == [0, 2])
        for index in objects.indices { for key in ["file", "ignoredLines"] { objects[index][key] = nil } }
        #expect(objects[0] as NSDictionary == objects[1] as NSDictionary)
    }

    @Test("decode reads stdin and gzip like a plain file")
    func compressed() throws {
        let folder = try Folder()
        let file = try folder.file("taps.evemu", Fixture.slots)
        let parts = try folder.shell(
            """
            head -c 200 taps.evemu | gzip > one.gz; tail -c +201 taps.evemu | gzip > two.gz
            cat one.gz two.gz > taps.evemu.gz; gzip < taps.evemu > single.gz
            """)
        #expect(parts.status == 0, "\(parts.err)")
        let decode = "'\(Programs.path(of: "touchline"))' decode --json --contacts"
        let all = try folder.shell(
            "\(decode) '\(file)' taps.evemu.gz single.gz; \(decode) - < taps.evemu; \(decode) - < single.gz; cat two.gz | \(decode) --format evemu -"
        )
        var objects = try all.out.split(separator: "\n").map { try object(String($0)) }
        #expect(objects.map { $0["file"] as? String } == [file, "taps.evemu.gz", "single.gz", "-", "-", "-"])
        objects.removeLast()
        for index in objects.indices { objects[index]["file"] = nil }
        #expect(objects.allSatisfy { $0 as NSDictionary == objects[0] as NSDictionary })
    }

    @Test("decode of a damaged gzip file says how far it came")
    func brokenGzip() throws {
        let folder = try Folder()
        _ = try folder.file("taps.evemu", Fixture.slots + String(repeating: Fixture.events, count: 200))
        let made = try folder.shell(
            "gzip < taps.evemu > whole.gz && head -c -20 whole.gz > cut.gz && (head -c -8 whole.gz; printf 12345678) > bad.gz"
        )
        #expect(made.status == 0)
        let result = try folder.shell("'\(Programs.path(of: "touchline"))' decode --json cut.gz bad.gz")
        #expect(result.status == 2)
        let lines = result.err.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("cut.gz: gzip cut short: "))
        #expect(lines[1].hasPrefix("bad.gz: gzip corrupt at byte ") && lines[1].hasSuffix("incorrect data check"))
        #expect(result.out.split(separator: "\n").count == 2)
    }

    @Test("decode keeps a contact missing from a report, unless --absent-means-lifted")
    func absent() throws {
        let folder = try Folder()
        let file = try folder.file("panel.hid", Fixture.hid(leavingOut: true))
        let kept = try object(try Program.run(["decode", "--json", file]).out)
        #expect(["began", "ended", "cancelled", "openAtEnd"].map { kept[$0] as? Int } == [2, 1, 1, 1])
        let dropped = try object(try Program.run(["decode", "--absent-means-lifted", "--json", file]).out)
        #expect(["began", "ended", "cancelled", "openAtEnd"].map { dropped[$0] as? Int } == [2, 2, 0, 0])
    }

    @Test("--palms decides whether palms and unconfident contacts are touches")
    func palms() throws {
        let folder = try Folder()
        var bytes: [UInt8] = [0x05, 0x0D, 0x09, 0x04, 0xA1, 0x01]
        for _ in 0..<2 {
            bytes += [0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01]
            bytes += [0x09, 0x42, 0x81, 0x02, 0x09, 0x47, 0x81, 0x02, 0x75, 0x06, 0x81, 0x03]
            bytes += [0x25, 0x7F, 0x75, 0x08, 0x09, 0x51, 0x81, 0x02]
            bytes += [0x05, 0x01, 0x09, 0x30, 0x81, 0x02, 0x09, 0x31, 0x81, 0x02, 0xC0]
        }
        bytes += [0x05, 0x0D, 0x09, 0x54, 0x81, 0x02, 0xC0]
        let descriptor = bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
        let hid = try folder.file(
            "panel.hid", "R: \(bytes.count) \(descriptor)\nE: 0.0 9 03 01 05 05 01 02 09 09 02\n")
        let evdev = try folder.file(
            "panel.evemu", Fixture.slots.replacing("0035 500\n", with: "0035 500\nE: 0.000000 0003 0037 2\n"))
        for (options, began) in [
            ([], [2, 1]), (["--palms", "declared"], [2, 1]), (["--palms", "cancel"], [1, 1]),
            (["--palms", "keep"], [2, 2]),
        ] {
            let out = try Program.run(["decode", "--json"] + options + [hid, evdev]).out
            let counts = try out.split(separator: "\n").map { try object(String($0))["began"] as? Int }
            #expect(counts == began, "\(options)")
        }
        let wrong = try Program.run(["decode", "--palms", "some", evdev])
        #expect(wrong.status != 0 && wrong.err.contains("expected one of cancel, declared, keep, found \"some\""))
    }

    @Test("decode counts undecided contacts at a broken line")
    func undecided() throws {
        let folder = try Folder()
        let file = try folder.file(
            "single.evemu", "E: 0.0 3 0 5\nE: 0.0 1 14a 1\nE: 0.0 0 0 0\nE: 0.1 3 0 9\nE: 0.1 0 0 0\nE: 0.2 broken\n")
        let result = try Program.run(["decode", "--json", file])
        #expect(result.status == 2)
        let decoded = try object(result.out)
        #expect(["frames", "began", "moved", "cancelled", "openAtEnd"].map { decoded[$0] as? Int } == [2, 1, 1, 1, 1])
        #expect(decoded["protocol"] as? String == "S")
    }

    @Test("decode says why recordings of other devices have no touches")
    func noTouches() throws {
        let folder = try Folder()
        for (descriptor, what) in [(Fixture.keyboard, "keyboard"), (Fixture.vendor, "vendor")] {
            let bytes = descriptor.map { String(format: "%02x", $0) }.joined(separator: " ")
            let file = try folder.file(
                "\(what).hid", "R: \(descriptor.count) \(bytes)\nN: \(what)\nI: 3 1 2\nE: 0.1 1 01\nE: 0.2 1 00\n")
            let text = try Program.run(["decode", file])
            #expect(text.status == 0)
            #expect(text.out.contains("no touch") && text.out.contains(what), "\(text.out)")
            let json = try Program.run(["decode", "--json", file])
            #expect(json.status == 0)
            #expect(try object(json.out)["began"] as? Int == 0)
            #expect(json.err.hasPrefix("\(file): ") && json.err.split(separator: "\n").count == 1)
        }
    }

    @Test("decode --descriptor prints the touch reports of a descriptor")
    func descriptor() throws {
        let folder = try Folder()
        let file = try folder.file("panel.hid.bin", Data(Fixture.descriptor))
        let result = try Program.run(["decode", "--descriptor", file, "--json"])
        #expect((result.status, result.err) == (0, ""))
        let decoded = try object(result.out)
        #expect(Set(decoded.keys) == ["touchReports", "contactCountMax"])
        #expect(decoded["contactCountMax"] as? Int == 2)
        let report = try #require((decoded["touchReports"] as? [[String: Any]])?.first)
        #expect(
            Set(report.keys) == [
                "reportID", "reportBytes", "application", "contactsPerReport", "usages", "hasContactCount",
                "hasScanTime", "x", "y",
            ])
        #expect(report["reportID"] as? Int == 1)
        #expect(report["reportBytes"] as? Int == 14)
        #expect(report["application"] as? String == "touchscreen")
        #expect(report["contactsPerReport"] as? Int == 2)
        #expect(report["usages"] as? [String] == ["cid", "tip", "x", "y"])
        #expect(report["hasContactCount"] as? Bool == true)
        #expect(report["hasScanTime"] as? Bool == false)
        #expect(report["x"] as? [Int] == [0, 4095])

        for (name, bytes) in [("keyboard.bin", Fixture.keyboard), ("vendor.bin", Fixture.vendor)] {
            let other = try folder.file(name, Data(bytes))
            let result = try Program.run(["decode", "--descriptor", "--json", other])
            #expect(result.status == 0)
            let decoded = try object(result.out)
            #expect((decoded["touchReports"] as? [Any])?.isEmpty == true)
            #expect(decoded["contactCountMax"] is NSNull)
            #expect(result.err.hasPrefix("\(other): no touch reports: "))
        }
        let empty = try Program.run(["decode", "--descriptor", "--json", try folder.file("empty.bin", "")])
        #expect((empty.status, empty.out) == (2, ""))
    }

    @Test("bench decode measures ten readers that find what was written")
    func bench() throws {
        let program = try Program(["bench", "decode", "--megabytes", "1", "--repeat", "1", "--json"])
        #expect(try program.wait(seconds: 120) == 0, "\(program.err)")
        #expect(program.err.contains("1 of 10: "), "\(program.err)")
        let figures = try object(program.out)
        let rows = try #require(figures["rows"] as? [[String: Any]])
        #expect(rows.count == 10)
        #expect(rows.allSatisfy { ($0["frames"] as? Int ?? 0) > 100 })
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}

/// A folder of files, removed when the test ends.
private final class Folder {
    let path = LiveGroup.newFolder()

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String { try file(name, Data(text.utf8)) }

    func file(_ name: String, _ bytes: Data) throws -> String {
        try bytes.write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    /// Runs lines of shell in this folder.
    func shell(_ lines: String) throws -> (status: Int32, out: String, err: String) {
        let program = try Program(["-c", "cd '\(path)'\n\(lines)"], of: "sh", in: URL(filePath: "/bin"))
        let status = try program.wait()
        return (status, program.out, program.err)
    }
}

/// Recordings made for these tests.
private enum Fixture {
    /// Two contacts land, one moves, both lift.
    static let slots = """
        # EVEMU 1.3
        N: Glass #1
        I: 0018 1234 5678 0100
        P: 02 00 00 00 00 00 00 00
        A: 2f 0 9 0 0 0
        A: 35 0 799 0 0 0
        A: 36 0 479 0 0 0
        A: 39 0 65535 0 0 0

        """ + events

    static let events = """
        E: 0.000000 0003 0039 7
        E: 0.000000 0003 0035 0082
        E: 0.000000 0003 0036 100
        E: 0.000000 0003 002f 1
        E: 0.000000 0003 0039 8
        E: 0.000000 0003 0035 500
        E: 0.000000 0003 0036 200
        E: 0.000000 0000 0000 0
        E: 0.010000 0003 002f 0
        E: 0.010000 0003 0035 83
        E: 0.010000 0000 0000 0
        E: 0.020000 0003 0039 -1
        E: 0.020000 0003 002f 1
        E: 0.020000 0003 0039 -1
        E: 0.020000 0003 002f 0
        E: 0.020000 0000 0000 0

        """

    /// Two contacts a report, 14 bytes with its id, and a contact count.
    static let descriptor: [UInt8] = {
        var bytes: [UInt8] = [0x05, 0x0D, 0x09, 0x04, 0xA1, 0x01, 0x85, 0x01]
        for _ in 0..<2 {
            bytes += [0x05, 0x0D, 0x09, 0x22, 0xA1, 0x02]
            bytes += [0x09, 0x42, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02, 0x75, 0x07, 0x81, 0x03]
            bytes += [0x09, 0x51, 0x25, 0x7F, 0x75, 0x08, 0x81, 0x02]
            bytes += [0x05, 0x01, 0x26, 0xFF, 0x0F, 0x75, 0x10, 0x09, 0x30, 0x81, 0x02, 0x09, 0x31, 0x81, 0x02, 0xC0]
        }
        bytes += [0x05, 0x0D, 0x25, 0x7F, 0x75, 0x08, 0x09, 0x54, 0x81, 0x02]
        return bytes + [0x85, 0x02, 0x09, 0x55, 0x25, 0x02, 0xB1, 0x02, 0xC0]
    }()

    static let keyboard: [UInt8] = [
        0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01,
        0x95, 0x08, 0x81, 0x02, 0xC0,
    ]

    static let vendor: [UInt8] = [
        0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x09, 0x02, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x01,
        0x81, 0x02, 0xC0,
    ]

    /// Two contacts land, then both lift. With `leavingOut`, reports omit one contact and the other lifts.
    static func hid(leavingOut: Bool = false) -> String {
        func contact(_ isDown: Bool, _ id: UInt8, _ x: UInt8) -> [UInt8] { [isDown ? 1 : 0, id, x, 0, 9, 0] }
        let none = [UInt8](repeating: 0, count: 6)
        let reports: [[UInt8]] = [
            [1] + contact(true, 3, 10) + contact(true, 4, 90) + [2],
            leavingOut
                ? [1] + contact(true, 3, 11) + none + [1] : [1] + contact(true, 3, 11) + contact(true, 4, 90) + [2],
            leavingOut
                ? [1] + contact(false, 3, 11) + none + [1] : [1] + contact(false, 3, 11) + contact(false, 4, 90) + [2],
        ]
        func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined(separator: " ") }
        let events = reports.enumerated().map { "E: 0.0\($0.offset)0000 \($0.element.count) \(hex($0.element))\n" }
        return "R: \(descriptor.count) \(hex(descriptor))\nN: Panel\nI: 3 1234 5678\n" + events.joined()
    }
}
