import Foundation
import Testbed
import Testing

@Suite("`touchline monkey worlds`")
struct MonkeyCommandTests {
    @Test("`touchline monkey worlds` counts seeds without a failure and exits with 0")
    func holding() throws {
        let result = try Program.run(["monkey", "worlds", "--seed", "1..20", "--events", "10", "--jobs", "2"])
        #expect(result.status == 0)
        #expect(result.out.hasPrefix("20 seeds of 10 steps in "))
        #expect(result.out.hasSuffix(" s: all laws hold\n"))
    }

    @Test(
        "a failing monkey seed prints its shortest script and a repeating command",
        arguments: ["law", "trap"])
    func failing(kind: String) throws {
        let arguments = ["monkey", "worlds", "--seed", "7", "--events", "6", "--rehearse", kind]
        let result = try Program.run(arguments)
        #expect(result.status == 1)
        let lines = result.out.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("seed 7: ") == true)
        #expect(lines.first?.contains("a rehearsal") == true)
        // The shortest script has one view and one finger.
        #expect(lines.filter { $0.contains(" ms  ") }.count == 1)
        #expect(lines.filter { $0.contains(" ms  finger ") && $0.contains(" down ") }.count == 1)
        let again = try #require(lines.first { $0.hasPrefix("again: touchline monkey worlds --seed 7 ") })
        let words = again.dropFirst("again: touchline ".count).split(separator: " ").map(String.init)
        let repeated = try Program.run(words.filter { $0 != "--show" } + ["--rehearse", kind, "--shrink", "0"])
        #expect(repeated.status == 1)
    }

    @Test("the monkey plays every seed although all processes hang at once")
    func hangingTogether() throws {
        let result = try Program.run([
            "monkey", "worlds", "--seed", "1..12", "--events", "6", "--jobs", "4", "--rehearse", "hang", "--timeout",
            "0.1", "--keep-going",
        ])
        #expect(result.status == 1)
        #expect(result.out.contains("\n12 seeds of 6 steps in "), "\(result.out)")
    }

    @Test("`touchline monkey worlds --json` prints one JSON object")
    func json() throws {
        let result = try Program.run([
            "monkey", "worlds", "--seed", "3", "--events", "5", "--rehearse", "law", "--json",
        ])
        #expect(result.status == 1)
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let failures = object?["failures"] as? [[String: Any]]
        #expect(object?["seeds"] as? Int == 1)
        #expect(failures?.first?["seed"] as? Int == 3)
        #expect(failures?.first?["law"] as? String == "quiet")
        #expect((failures?.first?["script"] as? String)?.contains("finger") == true)
        #expect((failures?.first?["again"] as? String)?.hasPrefix("touchline monkey worlds --seed 3 ") == true)
    }

    @Test(
        "unusable monkey options are refused with exit code 2",
        arguments: [
            (["gestures", "--app", "photo"], "--scene and --app: expected with --simulated"),
            (["gestures", "--timeout", "5"], "--timeout: expected with --simulated"),
            (["gestures", "--rehearse", "trap"], "--rehearse hang: expected with --simulated"),
            (["gestures", "--simulated", "--app", "phot"], "did you mean photo?"),
            (["gestures", "--simulated", "--scene", "/nowhere.yaml"], "/nowhere.yaml:1:1: no such file"),
            (["gestures", "--simulated", "--script", "/nowhere.touch"], "/nowhere.touch: cannot be read: "),
            (["gestures", "--profile", "/nowhere.yaml"], "/nowhere.yaml: no such file"),
            (["gestures", "--events", "0"], "--events: expected 1 to 1000000000, found 0"),
            (["gestures", "--seed", "1..2"], "--seed: expected one seed, found 1..2"),
            (["worlds", "--events", "0"], "--events: expected 1 to 10000, found 0"),
            (["worlds", "--jobs", "0"], "--jobs: expected 1 to 256, found 0"),
            (["worlds", "--without", "v1"], "--without: expected one seed, found 1..1000"),
            (["worlds", "--show", "--seed", "1..2"], "--show: expected one seed, found 1..2"),
            (["worlds", "--seed", "1", "--without", "x9"], "found \"x9\""),
            (["kills", "--kills", "51"], "--kills: expected 0 to 50"),
            (["kills", "--apps", "0"], "--apps: expected 1 to 100, found 0"),
            (["kills", "--seed", "1..2"], "--seed: expected one seed, found 1..2"),
            (["kills", "--profile", "/nowhere.yaml"], "/nowhere.yaml: no such file"),
        ])
    func badInput(arguments: [String], complaint: String) throws {
        let result = try Program.run(["monkey"] + arguments)
        #expect(result.status == 2)
        #expect(result.err.contains(complaint), "\(result.err)")
    }

    @Test(
        "a monkey subcommand refuses the options of the others and old spellings",
        arguments: [
            ["--direct"], ["--kills", "1"], ["--simulated"], ["--seed", "1"],
            ["gestures", "--direct"], ["gestures", "--seeds", "3"], ["gestures", "--patience", "5"],
            ["gestures", "--out", "a.touch"], ["gestures", "--jobs", "1"], ["gestures", "--keep-going"],
            ["gestures", "--kills", "1"], ["worlds", "--seeds", "3"], ["worlds", "--patience", "5"],
            ["worlds", "--simulated"], ["worlds", "--profile", "a.yaml"], ["worlds", "--run-dir", "/nowhere"],
            ["kills", "--events", "5"], ["kills", "--simulated"], ["kills", "--run-dir", "/nowhere"],
            ["kills", "--shrink", "5"],
        ])
    func otherOptions(arguments: [String]) throws {
        let result = try Program.run(["monkey"] + arguments)
        #expect(result.status == 2)
        #expect(result.out == "")
        #expect(result.err.contains("nknown option '\(arguments.first { $0.hasPrefix("--") } ?? "")'"), "\(result.err)")
    }

    @Test("--output writes a monkey's result to a file, not to stdout")
    func output() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString).txt").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Program.run(["monkey", "worlds", "--seed", "1..3", "--events", "5", "--output", file])
        #expect(result.status == 0)
        #expect(result.out == "")
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("3 seeds of 5 steps in "))
    }
}
