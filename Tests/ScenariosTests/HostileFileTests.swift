import Basics
import Foundation
import Recordings
@testable import Scenarios
import Testbed
import Testing
import Wire

@Suite("Hostile scenario files")
struct HostileFileTests {
    private static let files = Repository.scenarioFiles.compactMap {
        try? String(contentsOf: Repository.scenarios.appending(path: $0), encoding: .utf8)
    }

    @Test("a damaged scenario file never traps, and its error names a line")
    func mutations() throws {
        try #require(!Self.files.isEmpty)
        var generator = SeededGenerator(seed: 41)
        let pool = Array("{}[]:,-#|&*!%@`\"'>< \n\t0\u{FEFF}é\u{0}")
        for round in 0..<400 {
            var text = Array(Self.files[round % Self.files.count])
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: text.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: text[index] = pool.randomElement(using: &generator)!
                case 1: text.remove(at: index)
                default: text.insert(contentsOf: text[index..<min(text.count, index + 20)], at: index)
                }
            }
            do throws(ScenarioError) {
                _ = try Scenario(parsing: String(text), file: "X.yaml")
            } catch {
                #expect(error.location.line >= 1)
                #expect(!error.reason.contains("\n"), "\(error)")
            }
        }
    }

    @Test("a scenario file with deep nesting or multiplying anchors is refused")
    func bombs() {
        let deep = "id: " + String(repeating: "[", count: 20_000)
        #expect(throws: ScenarioError.self) { try Scenario(parsing: deep, file: "X.yaml") }
        var laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for (name, before) in zip("bcdefgh", "abcdefg") {
            laughs += "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 10).joined(separator: ",") + "]\n"
        }
        let error = #expect(throws: ScenarioError.self) { try Scenario(parsing: laughs, file: "X.yaml") }
        #expect(error?.reason == "expected at most 32 aliases (*name) in one file, found more")
        #expect(error?.location.line == 5)
        let doubled = (1..<16).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
        let few = #expect(throws: ScenarioError.self) {
            try Scenario(parsing: "a0: &a0 [x, x, x, x]\n" + doubled, file: "X.yaml")
        }
        #expect(few?.reason == "too many values in one file")
    }

    @Test("a YAML alias bomb as a key is refused before comparison", .timeLimit(Sanitizer.timeLimit))
    func bombAsKey() {
        let doubled = (1..<40).map { "a\($0): &a\($0) {p: *a\($0 - 1), q: *a\($0 - 1)}\n" }.joined()
        let error = #expect(throws: ScenarioError.self) {
            try Scenario(parsing: "a0: &a0 {}\n" + doubled + "? *a39\n: x\n", file: "X.yaml")
        }
        #expect(error?.reason == "expected at most 32 aliases (*name) in one file, found more")
    }
}
