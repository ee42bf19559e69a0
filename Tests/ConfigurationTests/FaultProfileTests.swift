import Basics
import Configuration
import Faults
import Foundation
import Testbed
import Testing
import Wire

private let faultsFolder = Repository.root.appending(path: "Config/Faults")
private let profiles = ((try? FileManager.default.contentsOfDirectory(atPath: faultsFolder.path)) ?? []).sorted()

@Suite("Files of fault profiles")
struct FaultProfileFileTests {

    @Test("Config/Faults contains profiles and nothing else")
    func folder() {
        #expect(profiles.count >= 7 && profiles.allSatisfy { $0.hasSuffix(".yaml") }, "\(profiles)")
    }

    @Test("every profile of Config/Faults draws each of its faults", arguments: profiles)
    func files(name: String) throws {
        let profile = try FaultProfile(contentsOf: faultsFolder.appending(path: name).path)
        let words = (1...20).flatMap { seed in
            profile.plan(seed: UInt64(seed), length: .seconds(60), apps: 2).faults.map(\.kind)
        }
        #expect(Set(words) == Set(profile.rules.map(\.kind)))
    }

    @Test("the standard fault profile contains every fault word")
    func standard() throws {
        let profile = try FaultProfile(contentsOf: Repository.root.appending(path: "Config/Faults/standard.yaml").path)
        #expect(Set(profile.rules.map(\.kind)) == Set(FaultKind.allCases))
    }

    @Test("a number in a fault profile is a range of one value")
    func values() throws {
        let profile = try FaultProfile(
            yaml: "loss: { targets: [app2, apps], amount: 0.05, length: [0.5, 2] }", file: "f.yaml")
        #expect(
            profile.rules == [
                FaultRule(.loss, targets: [.peer(.app(2)), .apps], amount: 0.05...0.05, length: 0.5...2)
            ])
        #expect(try FaultProfile(yaml: "", file: "f.yaml").rules.isEmpty)
    }

    @Test(
        "an error in a fault profile names place and nearest word",
        arguments: [
            ("\nlos: {}", "f.yaml:2: ", "found \"los\", did you mean loss?"),
            ("kill: { target: [app1] }", "f.yaml:1: kill: ", "found \"target\", did you mean targets?"),
            ("kill: { targets: [app] }", "f.yaml:1: kill.targets: ", "found \"app\", did you mean apps?"),
            ("kill: { targets: [apps], amount: 3 }", "f.yaml:1: kill: ", "takes no amount"),
            ("kill: { every: 1 }", "f.yaml:1: kill: ", "expected targets"),
            ("loss: { targets: [apps] }", "f.yaml:1: loss: ", "expected amount, a share of frames from 0 to 1"),
            ("loss: { targets: [apps], amount: 2 }", "f.yaml:1: loss.amount: ", "found \"2\""),
            ("stop: { targets: [apps], length: [5, 1] }", "f.yaml:1: stop.length: ", "found a list"),
            ("stop: [1]", "f.yaml:1: stop: ", "expected keys and values, found a list"),
            ("- kill", "f.yaml:1: a profile of faults: ", "expected keys and values, found a list"),
        ])
    func mistakes(yaml: String, place: String, complaint: String) {
        let found: String
        do throws(InvalidConfiguration) {
            found = "\(try FaultProfile(yaml: yaml, file: "f.yaml").rules)"
        } catch { found = "\(error)" }
        #expect(found.split(separator: "\n").contains { $0.hasPrefix(place) && $0.hasSuffix(complaint) }, "\(found)")
    }
}
