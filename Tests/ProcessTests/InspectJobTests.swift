import CSystem
import Foundation
import Glibc
import Testbed
import Testing

@testable import touchline

@Suite("Jobs of `touchline inspect`", .timeLimit(Sanitizer.timeLimit))
struct InspectJobTests {
    @Test("choices have scenes with titles, apps, recordings with seconds, acts and what is shown")
    func choices() throws {
        let page = try InspectedPage()
        let answer = try page.get("/api/choices")
        #expect(answer.status == 200)
        func names(_ key: String) -> [String] {
            (answer.object[key] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        }
        #expect(names("scenes").contains("Demo") && names("recordings").contains("tap-and-drag"), "\(answer)")
        let scenes = answer.object["scenes"] as? [[String: Any]] ?? []
        #expect(scenes.first { $0["name"] as? String == "Demo" }?["title"] as? String == "a counter with one button")
        let recordings = answer.object["recordings"] as? [[String: Any]] ?? []
        #expect(recordings.allSatisfy { ($0["seconds"] as? Double ?? 0) > 0 }, "\(recordings)")
        #expect((answer.object["apps"] as? [String])?.contains("photo") == true)
        #expect((answer.object["acts"] as? [String])?.contains("home") == true)
        let current = try #require(answer.object["current"] as? [String: Any])
        #expect(current["scene"] as? String == "Demo" && current["own"] as? Bool == true)
        #expect((current["yaml"] as? String)?.contains("id: Demo") == true)
        #expect(try page.get("/api/choices", token: "").status == 403)
    }

    @Test("the group starts again with a scene, an app or a text, and goes on after a text with an error")
    func group() throws {
        let page = try InspectedPage()
        let first = try page.pid(of: "app1")
        let broken = try page.post("/api/group", ["yaml": "windows:\n  - nam: x\n"])
        let error = broken.object["error"] as? [String: Any]
        #expect(broken.status == 422 && error?["line"] as? Int == 2 && error?["column"] as? Int == 5, "\(broken)")
        #expect((error?["message"] as? String)?.contains("unknown key nam") == true, "\(broken)")
        for (body, status) in [
            (["scene": "None"], 404), (["app": "none"], 404), ([:], 400), (["scene": "T2", "app": "photo"], 400),
            (["yaml": String(repeating: "#", count: 300_000)], 413), (["scene": 7], 400),
        ] as [([String: Any], Int)] {
            try page.post("/api/group", body, is: status)
        }
        #expect(try page.pid(of: "app1") == first)

        let app = try page.post("/api/group", ["app": "taps"])
        #expect(app.status == 200 && app.current["app"] as? String == "taps" && app.current["yaml"] is NSNull, "\(app)")
        let second = try page.waitForPid(of: "app1") { $0 != first }
        let scene = try page.post("/api/group", ["scene": "T2"])
        #expect(scene.status == 200 && scene.current["scene"] as? String == "T2", "\(scene)")
        let third = try page.waitForPid(of: "app1") { $0 != second }
        let text = "windows:\n  - { name: w, view: { name: own, frame: [0, 0, 375, 667] } }\n"
        let yaml = try page.post("/api/group", ["yaml": text])
        #expect(yaml.status == 200 && yaml.current["yaml"] as? String == text, "\(yaml)")
        _ = try page.waitForPid(of: "app1") { $0 != third }
    }

    @Test("a dial changes the text and the group; thresholds of an app are dials too")
    func dials() throws {
        let page = try InspectedPage(["--scene", "Config/Scenes/TT.yaml"])
        let dials = try page.get("/api/dials").array
        let tap = try #require(dials.first { $0["id"] as? String == "gesture/Back.tap/taps" })
        #expect(tap["value"] as? Double == 1 && tap["min"] as? Double == 1 && tap["max"] as? Double == 10, "\(tap)")
        let first = try page.pid(of: "app1")
        let answer = try page.post("/api/dials", ["id": "gesture/Back.tap/taps", "value": 2])
        #expect(answer.status == 200, "\(answer)")
        #expect((answer.object["yaml"] as? String)?.contains("{ taps: 2, name: tap") == true, "\(answer)")
        _ = try page.waitForPid(of: "app1") { $0 != first }
        let now = try page.get("/api/dials").array.first { $0["id"] as? String == "gesture/Back.tap/taps" }
        #expect(now?["value"] as? Double == 2)
        for (body, status) in [
            (["id": "gesture/Back.tap/taps", "value": 200], 422), (["id": "none", "value": 1], 404),
            (["id": "gesture/Back.tap/taps"], 400), (["value": 1], 400),
        ] as [([String: Any], Int)] {
            try page.post("/api/dials", body, is: status)
        }
        try page.post("/api/group", ["app": "taps"], is: 200)
        let threshold = try page.post("/api/dials", ["id": "setting/tap.maxInterval", "value": 0.5])
        #expect(threshold.status == 200 && threshold.current["app"] as? String == "taps", "\(threshold)")
        let set = try page.get("/api/dials").array.first { $0["id"] as? String == "setting/tap.maxInterval" }
        #expect(set?["value"] as? Double == 0.5)
    }

    @Test("a recording and a script are played, with a report, and a play is stopped")
    func play() throws {
        let page = try InspectedPage()
        let recording = try page.post("/api/play", ["recording": "tap-and-drag", "speed": 4])
        #expect(recording.status == 200 && (recording.object["scans"] as? Int ?? 0) > 50, "\(recording)")
        #expect(recording.object["losses"] is NSNull && recording.object["failure"] as? String == "", "\(recording)")
        let script = try page.post("/api/play", ["script": "tap f1 (187,333) @0"])
        let arrived = script.object["arrived"] as? [String: Int]
        #expect(script.status == 200 && arrived?["began"] == 1 && arrived?["ended"] == 1, "\(script)")
        for (body, status) in [
            (["recording": "none"], 404), (["script": "tap f1"], 422), (["script": "home @0"], 422), ([:], 400),
            (["recording": "tap-and-drag", "speed": 0], 422), (["script": "tap f1 (1,1) @900"], 422),
        ] as [([String: Any], Int)] {
            try page.post("/api/play", body, is: status)
        }
        #expect(try page.post("/api/play/stop", [:]).object["stopped"] as? Bool == false)
        let long = page.begin("/api/play", ["script": "down f1 (10,10) @0\nup f1 @60"])
        var stopped = false
        while !stopped { stopped = try page.post("/api/play/stop", [:]).object["stopped"] as? Bool == true }
        #expect(try long.wait().object["stopped"] as? Bool == true)
        // The finger of the stopped play is gone, so that another one may play.
        #expect(try page.waitForAnswer("/api/play", ["script": "tap f1 (187,333) @0"], 200).status == 200)
    }

    @Test("the last interaction is played again, also on a group that was started again")
    func again() throws {
        let page = try InspectedPage()
        try page.post("/api/again", [:], is: 409)
        let open = try page.openPage()
        #expect(try Program.run(["input", "tap", "187,333", "--run-dir", page.runDirectory]).status == 0)
        let answer = try page.waitForAnswer("/api/again", [:], 200)
        let arrived = answer.object["arrived"] as? [String: Int]
        #expect(arrived?["began"] == 1 && arrived?["ended"] == 1, "\(answer)")
        try page.post("/api/group", ["app": "taps"], is: 200)
        try page.post("/api/again", [:], is: 200)
        withExtendedLifetime(open) {}
    }

    @Test("a process is killed, stopped, continued, slow and normal again")
    func process() throws {
        let page = try InspectedPage()
        let first = try page.pid(of: "app1")
        #expect(try page.post("/api/process", ["name": "app1", "act": "kill"]).object["pid"] as? Int == first)
        let second = try page.waitForPid(of: "app1") { $0 != first && $0 > 0 }
        #expect(try page.waitForAnswer("/api/process", ["name": "app1", "act": "stop"], 200).status == 200)
        try page.waitForState(of: Int32(second)) { $0 == "T" }
        try page.post("/api/process", ["name": "app1", "act": "continue"], is: 200)
        try page.waitForState(of: Int32(second)) { $0 != "T" }
        for act in ["slow", "normal"] {
            try page.post("/api/process", ["name": "app2", "act": act], is: 200)
        }
        for (body, status) in [
            (["name": "none", "act": "kill"], 404), (["name": "supervisor", "act": "kill"], 404),
            (["name": "app1", "act": "eat"], 400), (["act": "kill"], 400),
        ] as [([String: Any], Int)] {
            try page.post("/api/process", body, is: status)
        }
    }

    @Test("a signal goes to a child of the given process only")
    func signal() throws {
        let program = try Program(["60"], of: "sleep", in: URL(filePath: "/bin"))
        #expect(!signalChild(SIGKILL, pid: program.pid, of: 1))
        #expect(!signalChild(SIGKILL, pid: 0, of: getpid()) && !signalChild(SIGKILL, pid: -1, of: getpid()))
        #expect(kill(program.pid, 0) == 0)
        #expect(signalChild(SIGKILL, pid: program.pid, of: getpid()))
        #expect(try program.wait() == 128 + SIGKILL)
        #expect(!signalChild(SIGKILL, pid: program.pid, of: getpid()))
    }

    @Test("acts change the scenes on the screen")
    func act() throws {
        let page = try InspectedPage()
        func scenes(_ body: [String: Any]) throws -> [String]? {
            let answer = try page.post("/api/act", body)
            #expect(answer.status == 200, "\(answer)")
            return answer.object["scenes"] as? [String]
        }
        #expect(try scenes(["act": "home"])?.contains("app1") == false)
        #expect(try scenes(["act": "foreground", "app": 2])?.contains("app2") == true)
        for body in [
            ["act": "split", "app": 1, "with": 2], ["act": "overlay", "app": 2, "with": 1], ["act": "interrupt"],
            ["act": "resume"], ["act": "alert"], ["act": "resume"], ["act": "lock"], ["act": "unlock"],
            ["act": "keyboard"], ["act": "keyboard", "value": 0], ["act": "suspend", "app": 2],
            ["act": "orientation", "app": 1, "value": "landscapeLeft"], ["act": "display", "value": "off"],
            ["act": "display", "value": "on"], ["act": "terminate", "app": 2], ["act": "launch", "app": 2],
        ] as [[String: Any]] {
            #expect(try scenes(body) != nil, "\(body)")
        }
        for (body, status) in [
            (["act": "dance"], 400), ([:], 400), (["act": "foreground", "app": 9], 404),
            (["act": "foreground", "app": 0], 400), (["act": "orientation", "app": 1, "value": "up"], 400),
            (["act": "keyboard", "value": "high"], 400),
        ] as [([String: Any], Int)] {
            try page.post("/api/act", body, is: status)
        }
    }

    @Test("looking back gives the record of the run with its screens, and a what-if the changes of the last touch")
    func work() throws {
        let page = try InspectedPage()
        try page.post("/api/whatif", ["interaction": "last"], is: 409)
        #expect(try Program.run(["input", "tap", "187,333", "--run-dir", page.runDirectory]).status == 0)
        let record = try page.post("/api/lookback", [:])
        let run = try #require(record.object["record"] as? [String: Any], "\(record)")
        #expect((run["interactions"] as? [Any])?.count == 1 && (run["screens"] as? [Any])?.isEmpty == false)
        #expect(record.object["name"] as? String == "Demo" && run["version"] as? Int == 1)
        let whatIf = try page.post("/api/whatif", ["interaction": "last"])
        #expect(whatIf.status == 200 && whatIf.object["prevents"] as? Bool == true, "\(whatIf)")
        let answers = try #require(whatIf.object["answers"] as? [[String: Any]])
        #expect(!answers.isEmpty && answers.allSatisfy { ($0["text"] as? String)?.isEmpty == false }, "\(whatIf)")
    }

    @Test("a joined group is touched and not changed, and without its supervisor the answer is 503")
    func joined() throws {
        let group = try LiveGroup(["--set", "device.virtual=true"])
        let page = try InspectedPage(["--run-dir", group.runDirectory])
        for (path, body) in [
            ("/api/group", ["app": "photo"]), ("/api/dials", ["id": "x", "value": 1]),
            ("/api/process", ["name": "app1", "act": "kill"]),
        ] as [(String, [String: Any])] {
            try page.post(path, body, is: 409)
        }
        #expect(try page.get("/api/choices").current["own"] as? Bool == false)
        try page.post("/api/act", ["act": "home"], is: 200)
        group.program.signal(SIGTERM)
        _ = try group.program.wait()
        for (path, body) in [
            ("/api/act", ["act": "home"]), ("/api/play", ["script": "tap f1 (1,1) @0"]), ("/api/lookback", [:]),
        ] as [(String, [String: Any])] {
            try page.post(path, body, is: 503)
        }
    }
}

/// A running `touchline inspect`, and requests to it as its page makes them.
private final class InspectedPage: @unchecked Sendable {
    struct Answer: CustomStringConvertible {
        var status: Int
        var json: Any
        var object: [String: Any] { json as? [String: Any] ?? [:] }
        var array: [[String: Any]] { json as? [[String: Any]] ?? [] }
        var current: [String: Any] { object["current"] as? [String: Any] ?? [:] }
        var description: String { "\(status) \(json)" }
    }

    /// A request whose answer comes later.
    final class Waiting: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var result: Result<Answer, any Error>?

        func finish(_ result: Result<Answer, any Error>) {
            self.result = result
            done.signal()
        }

        func wait() throws -> Answer {
            guard done.wait(timeout: .now() + Programs.waitLimit) == .success, let result else {
                throw TestFailure("no answer")
            }
            return try result.get()
        }
    }

    let runDirectory: String
    private let program: Program
    private let port: UInt16
    private let token: String

    init(_ arguments: [String] = ["--scene", "Config/Scenes/Demo.yaml"]) throws {
        program = try Program(["inspect", "--json", "--port", "0"] + arguments)
        let line = try program.line(beginning: "{")
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let url = try #require((object?["url"] as? String).flatMap { URL(string: $0) })
        runDirectory = try #require(object?["runDirectory"] as? String)
        port = UInt16(try #require(url.port))
        token = try #require(url.query?.split(separator: "=").last.map(String.init))
    }

    deinit {
        program.signal(SIGTERM)
        _ = try? program.wait()
    }

    func get(_ path: String, token: String? = nil) throws -> Answer { try ask("GET", path, nil, token: token) }
    func post(_ path: String, _ body: [String: Any]) throws -> Answer { try ask("POST", path, body) }

    /// Expects an answer with this status.
    func post(
        _ path: String, _ body: [String: Any], is status: Int, at location: SourceLocation = #_sourceLocation
    ) throws {
        let answer = try post(path, body)
        #expect(answer.status == status, "\(path) \(body): \(answer)", sourceLocation: location)
    }

    func begin(_ path: String, _ body: [String: Any]) -> Waiting {
        let waiting = Waiting()
        nonisolated(unsafe) let body = body
        Thread.detachNewThread { [self] in waiting.finish(Result { try post(path, body) }) }
        return waiting
    }

    /// Asks until the answer has this status.
    func waitForAnswer(_ path: String, _ body: [String: Any], _ status: Int) throws -> Answer {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while true {
            let answer = try post(path, body)
            guard answer.status != status else { return answer }
            guard Date() < deadline else { throw TestFailure("\(path): \(answer)") }
            usleep(20_000)
        }
    }

    /// The pid of a process, as the group that is shown now reports it.
    func pid(of name: String) throws -> Int { try waitForPid(of: name) { $0 > 0 } }

    func waitForPid(of name: String, until isSo: (Int) -> Bool) throws -> Int {
        let page = try openPage()
        defer { withExtendedLifetime(page) {} }
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while true {
            let processes = try get("/api/state").object["processes"] as? [[String: Any]] ?? []
            let pid = processes.first { $0["name"] as? String == name }?["pid"] as? Int ?? 0
            if pid > 0, isSo(pid) { return pid }
            guard Date() < deadline else { throw TestFailure("\(name) is not in \(processes)") }
            usleep(20_000)
        }
    }

    /// Waits for a state of /proc/PID/stat.
    func waitForState(of pid: Int32, until isSo: (Substring) -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while let state = statFields(of: pid)?.first, !isSo(state) {
            guard Date() < deadline else { throw TestFailure("\(pid) is in state \(state)") }
            usleep(10_000)
        }
    }

    /// Opens a WebSocket as a page does: with one, the group is observed.
    func openPage() throws -> InspectorClient { try InspectorClient(port: port, token: token) }

    private func ask(_ method: String, _ path: String, _ body: [String: Any]?, token: String? = nil) throws -> Answer {
        let client = try InspectorClient(port: port)
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        head += "Authorization: Bearer \(token ?? self.token)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
        if body != nil { head += "Content-Type: application/json\r\nContent-Length: \(data.count)\r\n" }
        client.send(Array((head + "\r\n").utf8) + data)
        let text = client.answer()
        let parts = text.components(separatedBy: "\r\n\r\n")
        let words = parts[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]), parts.count > 1 else {
            throw TestFailure("\(path) answered \(text.prefix(300))")
        }
        let json = try? JSONSerialization.jsonObject(with: Data(parts[1...].joined(separator: "\r\n\r\n").utf8))
        return Answer(status: status, json: json ?? NSNull())
    }
}
