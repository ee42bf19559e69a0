import Foundation
import Testbed
import Testing

@Suite("`touchline monkey --direct`")
struct MonkeyCommandTests {
    @Test("`touchline monkey` counts seeds without a failure and exits with 0")
    func holding() throws {
        let result = try Program.run(["monkey", "--direct", "--seeds", "20", "--events", "10", "--jobs", "2"])
        #expect(result.status == 0)
        #expect(result.out.hasPrefix("20 seeds of 10 steps in "))
        #expect(result.out.hasSuffix(" s: all hold\n"))
    }

    @Test(
        "a failing monkey seed prints its shortest script and a repeating command",
        arguments: ["law", "trap"])
    func failing(kind: String) throws {
        let arguments = ["monkey", "--direct", "--seed", "7", "--events", "6", "--rehearse", kind]
        let result = try Program.run(arguments)
        #expect(result.status == 1)
        let lines = result.out.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("seed 7: ") == true)
        #expect(lines.first?.contains("a rehearsal") == true)
        // The shortest script has one view and one finger.
        #expect(lines.filter { $0.contains(" ms  ") }.count == 1)
        #expect(lines.filter { $0.contains(" ms  finger ") && $0.contains(" down ") }.count == 1)
        let again = try #require(lines.first { $0.hasPrefix("again: touchline ") })
        let words = again.dropFirst("again: touchline ".count).split(separator: " ").map(String.init)
        let repeated = try Program.run(words.filter { $0 != "--show" } + ["--rehearse", kind, "--shrink", "0"])
        #expect(repeated.status == 1)
    }

    @Test("the monkey plays every seed although all processes hang at once")
    func hangingTogether() throws {
        let result = try Program.run([
            "monkey", "--direct", "--seeds", "12", "--events", "6", "--jobs", "4", "--rehearse", "hang", "--patience",
            "0.1", "--keep-going",
        ])
        #expect(result.status == 1)
        #expect(result.out.contains("\n12 seeds of 6 steps in "), "\(result.out)")
    }

    @Test("monkey --json prints one JSON object")
    func json() throws {
        let result = try Program.run([
            "monkey", "--direct", "--seed", "3", "--events", "5", "--rehearse", "law", "--json",
        ])
        #expect(result.status == 1)
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let failures = object?["failures"] as? [[String: Any]]
        #expect(object?["seeds"] as? Int == 1)
        #expect(failures?.first?["seed"] as? Int == 3)
        #expect(failures?.first?["law"] as? String == "quiet")
        #expect((failures?.first?["script"] as? String)?.contains("finger") == true)
    }

    @Test(
        "unusable monkey options are refused with exit code 2",
        arguments: [
            (["monkey", "--seeds", "3"], "expected with --direct"),
            (["monkey", "--app", "photo"], "--scene and --app: expected with --simulated"),
            (["monkey", "--rehearse", "trap"], "expected with --simulated or --direct"),
            (["monkey", "--direct", "--simulated"], "expected --direct or --simulated, found both"),
            (["monkey", "--simulated", "--app", "phot"], "did you mean photo?"),
            (["monkey", "--simulated", "--scene", "/nowhere.yaml"], "/nowhere.yaml:1:1: no such file"),
            (["monkey", "--simulated", "--script", "/nowhere.touch"], "/nowhere.touch: cannot be read: "),
            (["monkey", "--profile", "/nowhere.yaml"], "/nowhere.yaml: no such file"),
            (["monkey", "--events", "0"], "--events: expected 1 to 1000000000, found 0"),
            (["monkey", "--direct", "--events", "0"], "--events: expected 1 to 10000, found 0"),
            (["monkey", "--direct", "--without", "v1"], "--without: expected one --seed"),
            (["monkey", "--direct", "--seed", "1", "--without", "x9"], "found \"x9\""),
        ])
    func badInput(arguments: [String], complaint: String) throws {
        let result = try Program.run(arguments)
        #expect(result.status == 2)
        #expect(result.err.contains(complaint))
    }
}
