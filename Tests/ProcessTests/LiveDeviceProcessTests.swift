import Foundation
import Testbed
import Testing

/// Real processes, with a touch screen that is a process too: `touchline devices --serve`.
@Suite("A touch screen in a live group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct LiveDeviceProcessTests {
    private let folder = LiveGroup.newFolder()
    private var path: String { "\(folder)/event0" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private var options: [String] { ["--device", "all", "--set", "device.directory=\(folder)"] }

    /// A recording of one finger in the middle of a 1000 × 1000 panel.
    ///
    /// - Parameter lastsMs: How long it moves before it lifts, a millimetre every 20 ms.
    private func recording(lastsMs: Int) throws -> String {
        var text = "# EVEMU 1.3\nN: Test panel\nI: 0003 1234 5678 0001\nP: 02 00 00 00 00 00 00 00\n"
        text += "B: 00 0b 00 00 00 00 00 00 00\nB: 03 00 00 00 00 00 80 60 02\n"
        text += "A: 2f 0 4 0 0 0\nA: 35 0 1000 0 0 10\nA: 36 0 1000 0 0 10\nA: 39 0 65535 0 0 0\n"
        func line(_ time: Int, _ type: Int, _ code: String, _ value: Int) {
            let fraction = String("000\(time % 1000)".suffix(3))
            text += "E: \(time / 1000).\(fraction)000 000\(type) \(code) \(value)\n"
        }
        func scan(_ time: Int, _ events: [(String, Int)]) {
            for (code, value) in events { line(time, 3, code, value) }
            line(time, 0, "0000", 0)
        }
        scan(0, [("0039", 7), ("0035", 500), ("0036", 500)])
        for time in stride(from: 20, to: lastsMs, by: 20) { scan(time, [("0035", 500 + time / 20 % 100 * 10)]) }
        scan(lastsMs, [("0039", -1)])
        // A pause without events follows, so that the device stays plugged in.
        scan(lastsMs + 60_000, [("0035", 1)])
        let file = "\(folder)/recording.evemu"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    private func plugIn(_ recording: String) throws -> Program {
        let device = try Program(["devices", "--serve", recording, "--at", path])
        _ = try device.line(beginning: "plugged in: ")
        return device
    }

    private func end(_ group: LiveGroup) throws {
        #expect(try group.run("down").status == 0)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("a tap on a device plugged in later reaches the app")
    func tap() throws {
        let group = try LiveGroup(options)
        let device = try plugIn(try recording(lastsMs: 100))
        try group.waitForReport(of: "app1") { $0["ended"] as? Int == 1 }
        try group.waitForReport(of: "input-kit") { report in
            report["device.event0.state"] as? String == "open"
                && report["device.event0.name"] as? String == "Test panel"
                && report["device.event0.contacts"] as? Int == 0 && report["devices"] as? Int == 1
        }
        let status = try group.run("status")
        #expect(status.out.contains("event0"), "\(status.out)")
        device.signal(SIGTERM)
        #expect(try device.wait() == 0)
        try group.waitForReport(of: "input-kit") { $0["device.event0.state"] as? String == "absent: unplugged" }
        try end(group)
    }

    @Test(
        "unplugging or killing a device cancels its touch; replugging begins another",
        arguments: [SIGTERM, SIGKILL])
    func unplugged(signal: Int32) throws {
        let group = try LiveGroup(options)
        let file = try recording(lastsMs: 60_000)
        let device = try plugIn(file)
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 && $0["moved"] as? Int ?? 0 > 2 }
        device.signal(signal)
        _ = try device.wait()
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 0 && $0["cancelled"] as? Int == 1 }
        let again = try plugIn(file)
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 && $0["began"] as? Int == 2 }
        try group.waitForReport(of: "input-kit") { $0["device.event0.generation"] as? Int == 2 }
        again.signal(SIGTERM)
        _ = try again.wait()
        try group.waitForReport(of: "app1") { $0["cancelled"] as? Int == 2 }
        try end(group)
    }

    @Test("a touch during a server's death is unknown to the next server")
    func serverKilled() throws {
        let group = try LiveGroup(options)
        let device = try plugIn(try recording(lastsMs: 60_000))
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 }
        kill(try #require(group.pids["system-server"]), SIGKILL)
        try group.wait { $0.contains { $0.name == "system-server" && $0.generation == 2 } }
        try group.waitForReport(of: "input-kit") { report in
            report["device.event0.state"] as? String == "open" && report["device.event0.contacts"] as? Int == 0
        }
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 0 && $0["began"] as? Int == 1 }
        device.signal(SIGTERM)
        _ = try device.wait()
        try expectWholeReplay(into: group)
        try end(group)
    }

    @Test("`touchline devices` lists devices, and fails for a folder without any")
    func listing() throws {
        let device = try plugIn(try recording(lastsMs: 60_000))
        let result = try Program.run(["devices", "--dir", folder, "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let row = try #require((object?["devices"] as? [[String: Any]])?.first)
        #expect(row["path"] as? String == path)
        #expect(row["name"] as? String == "Test panel")
        #expect(row["vendor"] as? Int == 0x1234)
        #expect(row["kind"] as? String == "touchscreen")
        #expect(row["protocol"] as? String == "B")
        #expect(row["contacts"] as? Int == 5)
        #expect((row["x"] as? [String: Any])?["millimetres"] as? Double == 100)
        #expect(row["readable"] as? Bool == true)
        let table = try Program.run(["devices", "--dir", folder])
        #expect(table.out.contains("0003:1234:5678"))
        #expect(table.out.contains("100 × 100 mm"))
        device.signal(SIGTERM)
        _ = try device.wait()
        let none = try Program.run(["devices", "--dir", folder])
        #expect(none.status == 1)
        #expect(none.err == "no touch device in \(folder)\n")
        #expect(try Program.run(["devices", "--dir", "\(folder)/none"]).status == 2)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("`touchline record` records what a device sent")
    func recorded() throws {
        let device = try plugIn(try recording(lastsMs: 400))
        let out = "\(folder)/out.evemu"
        let recorder = try Program(["record", "--device", path, out, "--grab"])
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while (try? String(contentsOfFile: out, encoding: .utf8))?.contains("0003 0039 -1") != true, Date() < deadline {
            usleep(20_000)
        }
        recorder.signal(SIGINT)
        #expect(try recorder.wait() == 0)
        #expect(recorder.out.contains("44 events, 21 scans"), "\(recorder.err)")
        #expect(recorder.out.contains("; interrupted\n"), "\(recorder.out)")
        device.signal(SIGTERM)
        _ = try device.wait()
        let result = try Program.run(["decode", "--json", "--contacts", out])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.err)")
        #expect(object["device"] as? String == "Test panel")
        #expect(object["protocol"] as? String == "B")
        #expect((object["began"] as? Int, object["ended"] as? Int) == (1, 1))
        #expect(object["moved"] as? Int == 19)
        let contact = try #require((object["contacts"] as? [[String: Any]])?.first)
        #expect(contact["first"] as? [Int] == [500, 500])
        #expect(contact["last"] as? [Int] == [690, 500])
        let refused = try Program.run(["record", "--device", path, out])
        #expect(refused.status == 2)
        #expect(refused.err == "\(path): no device exists there\n")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("`touchline record` records a hidraw device like hid-recorder")
    func recordedReports() throws {
        // Two reports' worth of a screen with one finger: Tip Switch, Contact Identifier, X and Y of 16 bits.
        let descriptor =
            "05 0d 09 04 a1 01 09 22 a1 02 09 42 15 00 25 01 75 01 95 01 81 02 95 07 81 03 75 08 95 01 09 51 25 7f "
            + "81 02 05 01 26 e8 03 75 10 95 01 09 30 81 02 09 31 81 02 05 0d c0 c0"
        let length = descriptor.split(separator: " ").count
        var text = "R: \(length) \(descriptor)\nN: Test reports\nP: here\nI: 3 1234 5678\n"
        for step in 0..<10 {
            let tip = step < 9 ? "01" : "00"
            text += "E: 0.\(step)0 6 \(tip) 05 \(step < 9 ? "1\(step)" : "18") 00 20 00\n"
        }
        text += "E: 60.0 6 00 05 00 00 00 00\n"
        let (file, out) = ("\(folder)/reports.hid", "\(folder)/out.hid")
        try Data(text.utf8).write(to: URL(filePath: file))
        let device = try Program(["devices", "--serve", file, "--at", "\(folder)/hidraw0"])
        _ = try device.line(beginning: "plugged in: ")
        let recorder = try Program(["record", "--device", "\(folder)/hidraw0", out, "--seconds", "4", "--json"])
        #expect(try recorder.wait() == 0)
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(recorder.out.utf8)) as? [String: Any], "\(recorder.err)")
        #expect(summary["events"] as? Int == 10 && summary["reason"] as? String == "time is up", "\(summary)")
        #expect(summary["file"] as? String == out)
        device.signal(SIGTERM)
        _ = try device.wait()
        func contacts(_ path: String) throws -> [String: Any] {
            let result = try Program.run(["decode", "--json", "--contacts", path])
            return try #require(
                try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.err)")
        }
        let (sent, recorded) = (try contacts(file), try contacts(out))
        #expect(recorded["format"] as? String == "hid-recorder")
        #expect(recorded["device"] as? String == "Test reports")
        for key in ["began", "moved", "ended", "cancelled"] {
            #expect(recorded[key] as? Int == sent[key] as? Int, "\(key)")
        }
        #expect(recorded["began"] as? Int == 1)
        let same = (sent["contacts"] as? NSArray).map { $0.isEqual(recorded["contacts"]) }
        #expect(same == true, "\(recorded["contacts"] ?? "none")")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("`touchline devices --serve` does not replace a file")
    func occupied() throws {
        let file = try recording(lastsMs: 100)
        try Data("precious".utf8).write(to: URL(filePath: path))
        let result = try Program.run(["devices", "--serve", file, "--at", path])
        #expect(result.status == 2)
        #expect(result.err == "\(path): expected nothing or a socket, found something else: plug in elsewhere\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("a recording that reaches its size limit ends with a whole scan")
    func fullDisk() throws {
        let device = try plugIn(try recording(lastsMs: 60_000))
        let out = "\(folder)/out.evemu"
        let recorder = try Program(["record", "--device", path, out], fileSize: 4099)
        #expect(try recorder.wait() == 2)
        #expect(recorder.err.contains("cannot be written: File too large"), "\(recorder.err)")
        let text = try String(contentsOfFile: out, encoding: .utf8)
        #expect(text.hasSuffix(" 0000 0000 0\n"), "\(text.suffix(100))")
        device.signal(SIGTERM)
        _ = try device.wait()
        try FileManager.default.removeItem(atPath: folder)
    }
}
