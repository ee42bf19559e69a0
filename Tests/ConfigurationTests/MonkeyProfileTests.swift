import Basics
import Configuration
import Foundation
import Synthesis
import Testbed
import Testing

@Suite("The monkey's profiles")
struct MonkeyProfileTests {
    private static let folder = Repository.root.appending(path: "Config/Profiles")
    private static let heading = """
        # Gestures of `touchline monkey` without --profile. Written by MonkeyProfileTests from
        # Sources/Synthesis/MonkeyProfile.swift: copy it, and keep the lines you change.


        """

    private func problems(_ yaml: String) -> String {
        do throws(InvalidConfiguration) {
            _ = try MonkeyProfile(yaml: yaml, file: "p.yaml")
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("Config/Profiles/standard.yaml equals the built-in profile")
    func standard() throws {
        let file = Self.folder.appending(path: "standard.yaml")
        expectDocument("Config/Profiles/standard.yaml", equals: Self.heading + MonkeyProfile.standard.yaml)
        #expect(try MonkeyProfile(contentsOf: file.path) == .standard)
        #expect(try MonkeyProfile(yaml: "", file: "p.yaml") == .standard)
    }

    @Test("every file of Config/Profiles is a different profile")
    func files() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(names == ["multitouch.yaml", "standard.yaml", "storm.yaml", "taps.yaml"])
        let profiles = try names.map { try MonkeyProfile(contentsOf: Self.folder.appending(path: $0).path) }
        #expect(Set(profiles).count == names.count)
        // The written form of each profile is read as the same profile.
        for profile in profiles { #expect(try MonkeyProfile(yaml: profile.yaml, file: "p.yaml") == profile) }
    }

    @Test("a partial monkey profile keeps the standard values, except weights")
    func partly() throws {
        let profile = try MonkeyProfile(
            yaml: "human: no\npause: [0, 0]\ngestures: { tap: 3, swipe: 1 }\nregions: [{ x: 0.5 }]\n", file: "p.yaml")
        #expect(!profile.human)
        #expect(profile.pause == .zero ... .zero)
        #expect(profile.gestures == [.init(.tap, 3), .init(.swipe, 1)])
        #expect(profile.multitouch == MonkeyProfile.standard.multitouch)
        #expect(profile.regions == [.init(x: 0.5, y: 0, width: 0.5, height: 1)])
    }

    @Test(
        "a wrong line of a monkey profile is named",
        arguments: [
            ("human: maybe", "p.yaml:1: human: expected yes or no, found \"maybe\""),
            ("rate: 10", "p.yaml:1: rate: expected a number from 20 to 240, found \"10\""),
            ("rate: 60.5", "p.yaml:1: rate: expected a whole number, found \"60.5\""),
            ("pause: 1", "p.yaml:1: pause: expected 2 numbers as [0.1, 0.5], found \"1\""),
            ("pause: [2, 1]", "p.yaml:1: pause: expected the shorter first, found 2.0 and 1.0"),
            ("\nshares: { devices: 0.6, multitouch: 0.6 }", "p.yaml:2: shares: expected at most 1 together"),
            (
                "gestures: { tpa: 1 }",
                "p.yaml:1: gestures: expected one of tap doubleTap tripleTap longPress swipe pan drag edgeSwipe, "
                    + "found \"tpa\", did you mean tap?"
            ),
            ("gestures: { tap: -1 }", "p.yaml:1: gestures.tap: expected a number from 0 to 1000000, found \"-1\""),
            ("gestures: { tap: 1.5 }", "p.yaml:1: gestures.tap: expected a whole number, found \"1.5\""),
            ("gestures: 3", "p.yaml:1: gestures: expected keys and values, found \"3\""),
            ("regions: [{ weight: 0.5 }]", "p.yaml:1: region.weight: expected a whole number, found 0.5"),
            (
                "regions: [{ x: 0.5, width: 0.6 }]",
                "p.yaml:1: a region: expected it on the screen, 0 to 1, found one that leaves it"
            ),
            ("just words", "p.yaml:1: a profile: expected keys and values, found \"just words\""),
        ])
    func wrong(yaml: String, complaint: String) { #expect(problems(yaml) == complaint) }

    @Test("a monkey profile with repeated aliases is refused quickly", .timeLimit(Sanitizer.timeLimit))
    func anchors() {
        let keys = (0..<2000).map { "k\($0): 1" }.joined(separator: ", ")
        let yaml = "regions: [&a {\(keys)}\(String(repeating: ", *a", count: 999))]"
        #expect(problems(yaml) == "p.yaml:1: expected at most 32 aliases (*name) in one file, found more")
    }

    @Test("a missing monkey profile is named")
    func missing() {
        do throws(InvalidConfiguration) {
            _ = try MonkeyProfile(contentsOf: "/nowhere.yaml")
            Issue.record("read a file that is not there")
        } catch {
            #expect("\(error)" == "/nowhere.yaml: no such file")
        }
    }
}
