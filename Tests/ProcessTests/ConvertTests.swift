import Foundation
import Testbed
import Testing

@Suite("`touchline convert`")
struct ConvertTests {
    private let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path

    /// Runs the body with a folder of its own, and removes the folder afterwards.
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchline-convert-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("a recording converts through every format and back unchanged")
    func around() throws {
        try inFolder { folder in
            var last = recording
            for name in ["a.yml", "b.hid", "c.script", "d.journal", "e.evtest", "f.getevent", "g.json", "h.evemu"] {
                let next = folder.appending(path: name).path
                let result = try Program.run(["convert", last, next])
                #expect(result.status == 0, "\(result.err)")
                #expect(result.out.contains("3 contacts"), "\(result.out)")
                last = next
            }
            let (before, after) = (
                try Program.run(["decode", "--contacts", "--json", recording]),
                try Program.run(["decode", "--contacts", "--json", last])
            )
            func contacts(_ text: String) throws -> NSArray? {
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                return object?["contacts"] as? NSArray
            }
            #expect(try contacts(before.out) == contacts(after.out))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 8)
        }
    }

    @Test("`touchline convert` overwrites a file only with --force")
    func force() throws {
        try inFolder { folder in
            let out = folder.appending(path: "x.json").path
            try "mine".write(toFile: out, atomically: true, encoding: .utf8)
            let refused = try Program.run(["convert", recording, out])
            #expect(refused.status == 2)
            #expect(refused.err == "\(out): expected no such file, found one: --force replaces it\n")
            #expect(try String(contentsOfFile: out, encoding: .utf8) == "mine")
            let forced = try Program.run(["convert", "--force", "--json", recording, out])
            #expect(forced.status == 0, "\(forced.err)")
            let report = try JSONSerialization.jsonObject(with: Data(forced.out.utf8)) as? [String: Any]
            #expect(report?["contacts"] as? Int == 3)
            #expect(report?["toFormat"] as? String == "webdriver-actions")
            #expect(try String(contentsOfFile: out, encoding: .utf8).hasPrefix("{\"actions\""))
        }
    }

    @Test("`touchline convert` writes nothing for an unreadable recording")
    func broken() throws {
        try inFolder { folder in
            let (broken, out) = (folder.appending(path: "b.evemu").path, folder.appending(path: "b.script").path)
            try "E: 0.0 0003 0039 1\nE: 0.0 0000 0000 0\nE: 0.1 0003\n".write(
                toFile: broken, atomically: true, encoding: .utf8)
            let result = try Program.run(["convert", broken, out])
            #expect(result.status == 2)
            #expect(result.err.hasPrefix("\(broken):3: expected an event code"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["b.evemu"])
        }
    }

    @Test("`touchline convert` writes to stdout with --to and reports on stderr")
    func stdout() throws {
        let result = try Program.run(["convert", "--to", "touchline-script", "--screen", "375x667", recording, "-"])
        #expect(result.status == 0)
        #expect(result.out.hasPrefix("down f1 ("))
        #expect(result.err.contains("not kept: positions in the panel's own units"))
    }

    @Test(
        "`touchline convert` refuses bad arguments in one line",
        arguments: [
            (["x.evmu"], "did you mean .evemu?"), (["-"], "--to: expected a format for stdout"),
            (["x.json", "--screen", "375"], "expected a width and a height as 375x667"),
            (["x.json", "--to", "mp4"], "expected one of evemu"),
            (["no/such/folder/x.json"], "cannot be written"),
        ])
    func options(words: [String], expected: String) throws {
        let result = try Program.run(["convert", recording] + words)
        #expect(result.status == 2)
        #expect(result.err.contains(expected), "\(result.err)")
    }
}
