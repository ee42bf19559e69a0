import Foundation
import Testbed
import Testing

@Suite("`touchline report`", .timeLimit(Sanitizer.timeLimit))
struct ReportCommandTests {
    private let demo = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path
    private let recording = Repository.root.appending(path: "Config/Recordings/tap-and-drag.evemu").path

    /// Writes a page, and returns it with the result of the command; an empty text without a page.
    private func report(_ arguments: String...) throws -> (status: Int32, out: String, err: String, page: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try Program.run(["report", "-o", file.path] + arguments)
        let page = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return (result.status, result.out, result.err, page)
    }

    @Test("a scenario and a recording become a page")
    func simulated() throws {
        let scenario = try report("S24", "--locale", "ja")
        #expect(scenario.status == 0 && scenario.err.isEmpty, "\(scenario.err)")
        #expect(scenario.page.contains("<html lang=\"ja\">") && scenario.page.contains("\"virtual\":true"))
        let played = try report(recording, "--scene", demo)
        #expect(played.status == 0 && played.out.contains(": 3 interactions, "), "\(played.out)\(played.err)")
        #expect(played.page.contains("touchUpInside of UIButton \\\"plus\\\" called add"))
        #expect(!played.page.contains(Repository.root.path))
    }

    @Test("a group becomes a page with real times, while it runs and after its end")
    func live() throws {
        let group = try LiveGroup(["--scene", demo])
        #expect(try group.run("input", "tap", "187,333").status == 0)
        let running = try report("--run-dir", group.runDirectory)
        #expect(running.status == 0, "\(running.err)")
        #expect(running.page.contains("\"virtual\":false"))
        _ = try group.run("down")
        let over = try report(group.runDirectory)
        #expect(
            over.status == 0 && over.err.isEmpty && over.out.contains(": 1 interactions, "), "\(over.out)\(over.err)")
        // Six stamps of the landing and six of the lift.
        let complete = over.page.matches(of: /"stamps":\[(?:-?\d+,){5}-?\d+\]/).count
        #expect(complete >= 2)
    }

    @Test("journals that were cut become a page that says what is missing")
    func cut() throws {
        let group = try LiveGroup(["--scene", demo])
        group.isAudited = false
        #expect(try group.run("input", "tap", "187,333").status == 0)
        _ = try group.run("down")
        let path = "\(group.runDirectory)/journal/app1/app1.1.0.journal"
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count - 3).write(to: URL(filePath: path))
        let page = try report(group.runDirectory)
        #expect(page.status == 0 && page.err.contains("app1.1: its journal ends after "), "\(page.err)")
        #expect(page.page.contains("\"gaps\":[\"app1.1: its journal ends after "))
        try Data("not a journal".utf8).write(to: URL(filePath: path))
        let foreign = try report(group.runDirectory)
        #expect(foreign.status == 2 && foreign.page.isEmpty)
        #expect(foreign.err == "\(path): expected a journal, found a file of another kind\n")
    }

    @Test(
        "bad arguments are refused in one line, and no page is written",
        arguments: [
            (["S99999"], "S99999: no such file, and no scenario of Tests/Conformance with that id"),
            (["/nowhere"], "/nowhere: no such file"),
            (["/tmp"], "/tmp: expected journals of a group (<run-dir>/journal), found none"),
            (["--locale", "fr", "S01"], "--locale: expected en, ja or zh, found fr"),
        ])
    func refused(arguments: [String], complaint: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).html")
        let result = try Program.run(["report", "-o", file.path] + arguments)
        #expect(result.status == 2 && result.out.isEmpty, "\(result.out)")
        #expect(result.err.contains(complaint), "\(result.err)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a file that cannot be written is refused in one line")
    func unwritable() throws {
        let result = try Program.run(["report", "S01", "-o", "/nowhere/page.html"])
        #expect(result.status == 2, "\(result.err)")
        #expect(result.err == "/nowhere/page.html: cannot be written: No such file or directory\n")
    }
}
