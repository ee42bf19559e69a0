import CSystem
import Foundation
import Testbed
import Testing

@Suite("`touchline input`", .serialized, .timeLimit(Sanitizer.timeLimit))
struct InputTests {
    private static let words: [[String]] = [
        ["tap"], ["tap", "100,200"], ["tap", "100", "200", "--fingers", "3"], ["doubleTap"], ["tripleTap"],
        ["twoFingerTap"], ["longPress"], ["swipe"], ["swipe", "left"], ["swipe", "10,20", "300,20"], ["pan", "down"],
        ["drag", "100,100", "200,300"], ["pinch", "--scale", "0.5"], ["rotate", "--degrees", "-45"],
        ["edgeSwipe", "right"], ["edge-swipe", "top", "--along", "50"], ["press", "menu"],
        ["key", "a", "--with", "shift"], ["text", "Hi 5!"], ["remote", "play"], ["shake"],
        ["scroll", "--by", "0,-100"], ["wheel"], ["hover", "10,10", "200,200"], ["script", "tap f1 (10,20) @0"],
    ]

    @Test("each `touchline input` gesture arrives whole before the command returns")
    func words() throws {
        let group = try LiveGroup()
        for words in Self.words {
            for human in [[], ["--human", "--seed", "7"]] {
                let result = try Program.run(["input"] + words + human + ["--json", "--run-dir", group.runDirectory])
                #expect(result.status == 0, "\(words) \(result.err)")
                let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
                let sent = object?["sent"] as? [String: Int]
                try expectWhole(object, "\(words)")
                #expect(sent?["began"] == sent?["ended"], "\(words)")
                #expect(sent?["frames"] ?? 0 > 0, "\(words)")
                #expect(object?["dropped"] as? Int == 0)
            }
        }
        // Because each command returned after its input was handled, nothing is left.
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 0 && $0["inputs.held"] as? Int == 0 }
        let line = try group.run("input", "tap", "--repeat", "2", "--interval", "0")
        #expect(line.out.hasPrefix("tap: 4 frames handled in the app after "))
        #expect(line.out.hasSuffix(" s: 2 began, 0 moved, 2 ended, 0 cancelled\n"))
    }

    @Test("a swipe that a system gesture takes exits with 0")
    func systemGesture() throws {
        let group = try LiveGroup(["--set", "systemGesture.enabled=true"])
        let swipe = try group.run("input", "edgeSwipe", "bottom")
        #expect(swipe.status == 0, "\(swipe.err)")
        #expect(swipe.out.hasSuffix(" moves and lifts taken by a system gesture\n"), "\(swipe.out)")
        #expect(swipe.out.contains("handled in the app after "))
        let tap = try group.run("input", "tap", "100,100")
        #expect(tap.out.contains("2 frames handled on the home screen"), "\(tap.out)")
    }

    @Test("a terminated app stays down until it is launched again")
    func terminateAndLaunch() throws {
        let group = try LiveGroup(["--apps", "2"])
        #expect(try group.run("input", "act", "terminate", "app1").status == 0)
        let states = try group.wait { $0.contains { $0.state == "terminated" } }.map(\.state)
        #expect(states == ["ready", "ready", "terminated", "ready"])
        #expect(try group.run("status").status == 0)
        let home = try group.run("input", "tap", "100,100")
        #expect(home.status == 0)
        #expect(home.out.contains("on the home screen"))
        let launch = try group.run("input", "act", "launch", "app1")
        #expect(launch.out == "launch app1: app1 home\n")
        #expect(try group.status().processes.map(\.generation) == [1, 1, 2, 1])
        let tap = try group.run("input", "tap", "100,100")
        #expect(tap.out.contains("2 frames handled in the app"))
    }

    @Test("an app launched during its termination returns to front")
    func launchWhileEnding() throws {
        let group = try LiveGroup(["--apps", "2"])
        for generation in 2...4 {
            #expect(try group.run("input", "act", "terminate", "app1").status == 0)
            #expect(try group.run("input", "act", "launch", "app1").out == "launch app1: app1 home\n")
            #expect(try group.status().processes.map(\.generation) == [1, 1, generation, 1])
            #expect(try group.run("input", "tap", "100,100").out.contains("2 frames handled in the app"))
        }
    }

    @Test("a point off the screen is refused with the screen's size")
    func offScreen() throws {
        let group = try LiveGroup(["--set", "screen.width=414", "--set", "screen.rotation=90"])
        let result = try group.run("input", "tap", "10,500")
        #expect(result.status == 2)
        #expect(result.err == "tap: expected a point on the screen, 0,0 to 667,414, found 10,500\n")
        #expect(try group.run("input", "tap", "660,10").status == 0)
    }

    @Test(
        "an invalid gesture is refused in one line",
        arguments: [
            (["tapp"], "input: expected a subcommand such as `tap`, found \"tapp\", did you mean tap?"),
            ([], "input: expected a subcommand such as `tap`, or --marker, found nothing; see --help"),
            (["tap", "1"], "tap: expected a point or nothing, as 100,200, found \"1\""),
            (["tap", "1,x"], "tap: expected numbers as 100,200, found \"x\""),
            (["swipe", "up", "down"], "swipe: expected one direction, found 2"),
            (["edgeSwipe", "middle"], "edgeSwipe: expected left, right, top or bottom, found \"middle\""),
            (
                ["swipe", "--duration", "2"],
                "swipe: duration: expected at most the 0.5 s of a swipe; a pan may take longer, found 2 s"
            ),
            (["text", "é"], "text: text: expected characters of a United States keyboard, found \"é\""),
            (["scroll", "--by", "3"], "scroll: --by: expected a distance as 0,-200, found \"3\""),
            (
                ["script", "home @0"],
                "script:1: expected input of fingers, keys or pointers, found \"home\""
            ),
            (["script", "tap f1 (1,2) @x"], "script:1: expected seconds from 0 to 86400, found \"x\""),
            (["script", "/nowhere.touch"], "/nowhere.touch: cannot be read: No such file or directory"),
        ])
    func refused(words: [String], complaint: String) throws {
        let result = try Program.run(["input"] + words + (words.isEmpty ? [] : ["--print"]))
        #expect(result.status == 2)
        #expect(result.out == "")
        #expect(result.err == "\(complaint)\n")
    }

    @Test("input without a group exits with 3 but prints scripts")
    func printed() throws {
        let folder = LiveGroup.newFolder()
        let alone = try Program.run(["input", "tap", "--run-dir", folder])
        #expect(alone.status == 3)
        #expect(alone.err == "no group is running on \(folder): start one with `touchline up`\n")
        func script(_ seed: String) throws -> String {
            let result = try Program.run([
                "input", "pinch", "--human", "--seed", seed, "--print", "--screen", "320x480", "--run-dir", folder,
            ])
            #expect(result.status == 0)
            return result.out
        }
        #expect(try script("4") == script("4"))
        #expect(try script("4") != script("5"))
    }

    @Test("a printed script can be played by replay and `input script`")
    func replayed() throws {
        let group = try LiveGroup()
        let printed = try group.run("input", "swipe", "left", "--human", "--seed", "9", "--repeat", "2", "--print")
        #expect(printed.status == 0)
        let file = try temporary(printed.out)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (status, replayed) = try group.json("replay", file)
        #expect(status == 0)
        #expect((replayed["sent"] as? [String: Int])?["began"] == 2)
        let script = try group.run("input", "script", file)
        #expect(script.status == 0)
        #expect(script.out.contains(": 2 began, "))
    }

    @Test("a script too long for one frame arrives whole")
    func long() throws {
        let group = try LiveGroup()
        let file = try temporary("stroke f1 (10,10) (300,600) @0 1 step 1/3000\ntap f1 (50,50) @1.2\n")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Program.run(["input", "script", file, "--json", "--run-dir", group.runDirectory])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect((object?["sent"] as? [String: Int])?["moved"] ?? 0 >= 2999)
        try expectWhole(object)
    }

    @Test("`touchline input` waits for a busy group up to --timeout")
    func busy() throws {
        let group = try LiveGroup()
        let press = try Program(["input", "longPress", "--duration", "20", "--run-dir", group.runDirectory])
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 }
        let impatient = try group.run("input", "tap", "--timeout", "0.05")
        #expect(impatient.status == 3)
        #expect(impatient.err == "the group still plays something else after 0.05 s\n")
        let patient = try Program(["input", "tap", "--run-dir", group.runDirectory])
        press.signal(SIGINT)
        #expect(try press.wait() == 128 + SIGINT)
        #expect(try patient.wait() == 0)
        #expect(patient.out.hasPrefix("tap: 2 frames handled in the app after "))
    }

    @Test("a marker returns after all earlier input was handled")
    func marker() throws {
        let group = try LiveGroup()
        let press = try Program(["input", "longPress", "--duration", "1.5", "--run-dir", group.runDirectory])
        try group.waitForReport(of: "app1") { $0["touches.live"] as? Int == 1 }
        let marker = try Program(["input", "--marker", "--run-dir", group.runDirectory])
        #expect(try marker.wait() == 0, "\(marker.err)")
        #expect(marker.out.hasPrefix("all earlier input has been handled; waited "))
        let processes = try group.json("dump").object["processes"] as? [[String: Any]] ?? []
        let report = processes.first { $0["name"] as? String == "app1" }?["report"] as? [String: Any]
        #expect(report?["ended"] as? Int == 1)
        #expect(report?["touches.live"] as? Int == 0)
        #expect(try press.wait() == 0)
        let again = try Program.run(["input", "--marker", "--json", "--run-dir", group.runDirectory])
        #expect(again.status == 0)
        #expect(again.out.contains("\"waitedSeconds\""))
        let word = try group.run("input", "marker")
        #expect(word.status == 0 && word.out.hasPrefix("all earlier input has been handled; "), "\(word.err)")
        let help = try Program.run(["input", "--help"]).out
        #expect(help.contains("  marker  ") && !help.contains("(default)") && !help.contains("  none  "))
    }

    private func temporary(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).touch")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }
}
