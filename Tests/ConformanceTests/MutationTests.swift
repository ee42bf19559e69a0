import Foundation
@testable import Scenarios
import Testbed
import Testing

@Suite("Mutations of scenarios")
struct MutationTests {
    private func run(_ file: String) throws -> (scenario: Scenario, mode: Scenario.Mode, playback: Playback) {
        let scenario = try read(file)
        let mode = try #require(scenario.modes.first)
        return (scenario, mode, try scenario.play(in: mode))
    }

    @Test("a scenario fails when any observed line is changed, missing or moved", arguments: Repository.scenarioFiles)
    func lines(file: String) throws {
        let (scenario, mode, playback) = try run(file)
        let observed = playback.lines
        #expect(!observed.isEmpty)
        func fails(_ lines: [ObservedLine]) -> Bool {
            !scenario.expectation.verdict(on: lines, slack: scenario.slack(in: mode)).passed
        }
        #expect(!fails(observed))
        for index in observed.indices {
            var missing = observed
            missing.remove(at: index)
            #expect(fails(missing), "\(file) does not miss \(observed[index].text)")
            var other = observed
            other[index].text += "!"
            #expect(fails(other), "\(file) does not mind \(other[index].text)")
            if index > 0, observed[index].text != observed[index - 1].text, !isInSet(observed[index], scenario) {
                var swapped = observed
                swapped.swapAt(index, index - 1)
                #expect(fails(swapped), "\(file) does not mind the order of \(observed[index].text)")
            }
        }
    }

    /// Lines within a SET may change places.
    private func isInSet(_ line: ObservedLine, _ scenario: Scenario) -> Bool {
        func lines(below index: Int) -> [String] {
            switch scenario.expectation.nodes[index] {
            case .line(let pattern): [pattern.text]
            case .sequence(let items), .set(let items), .choice(let items), .openSet(let items):
                items.flatMap(lines(below:))
            case .optional(let inner), .repeated(let inner, _): lines(below: inner)
            case .byOrder(let deterministic, let ios): lines(below: deterministic) + lines(below: ios)
            }
        }
        return scenario.expectation.nodes.indices.contains { index in
            guard case .set = scenario.expectation.nodes[index] else { return false }
            return lines(below: index).contains(line.text)
        }
    }

    @Test("some scenarios forbid lines")
    func forbiddenLines() throws {
        let forbidding = try Repository.scenarioFiles.filter { try !read($0).expectation.forbidden.isEmpty }
        #expect(forbidding.count > 10)
    }

    @Test("a scenario fails when a forbidden line is observed", arguments: Repository.scenarioFiles)
    func forbidden(file: String) throws {
        let (scenario, _, playback) = try run(file)
        for pattern in scenario.expectation.forbidden {
            let line = ObservedLine(pattern.text.replacingOccurrences(of: "*", with: "x"))
            #expect(!scenario.expectation.verdict(on: playback.lines + [line]).forbidden.isEmpty)
        }
    }

    @Test(
        "a scenario fails when the hit test runs only once",
        arguments: ["S01", "S02", "S03", "S05", "S06a", "S09", "S13b", "S15a", "S16b", "S85", "S88"])
    func onePass(id: String) throws {
        try expectFailure(of: id, "id: \(id)\n", "id: \(id)\nconfig: { hitTest.passes: 1 }\n")
    }

    @Test(
        "a scenario fails when its scene is changed",
        arguments: [
            ("S07a", "navigation: true", "navigation: false"), ("S08", "class: UITextField", "class: UIControl"),
            ("S10", "touches: consume", "touches: forward, alpha: 0.5, userInteractionEnabled: false"),
            ("S11c", "touches: consume", "touches: forward"), ("S12a", "hitInsets: [10, 10, 10, 10]", "alpha: 1"),
            ("S14c", "alpha: 0.01", "alpha: 0.009"), ("S16a", "level: 0, frame: [0", "level: 1, frame: [0"),
            ("S17", "frame: [0, 0, 187.5, 667]", "frame: [0, 0, 375, 667]"), ("S18", "drag: true, ", ""),
            ("S84b", "Y: { probe", "Y: { hidden: yes, probe"), ("S90", "class: BusyView", "class: UIView"),
            ("S92", "contentSize: [375, 2000]", "contentSize: [375, 600]"),
            ("S19", "scene: TT", "scene: TT\nviews: { Back: { gestures: [] } }"),
            ("S25b", "delaysContentTouches: no", "delaysContentTouches: yes"),
            ("S29", "class: UITapGestureRecognizer", "class: UITapGestureRecognizer, touches: 2"),
            ("S33", "delaysTouchesBegan: yes", "delaysTouchesBegan: no"), ("S35d2", "true", "false"),
            ("S36", "scene: T1", "scene: T1\nconfig: { hitTest.passes: 1 }"),
            ("S40", "navigation: no", "navigation: yes"), ("S43", "shouldBegin: no", "shouldBegin: yes"),
            ("S46b", ", cancelsTouchesInView: no", ""), ("S49a", ", requireToFail: [V.swipe]", ""),
            ("S52a", "UIShortTapGestureRecognizer", "UITapGestureRecognizer"), ("S54b", ", minimumTouches: 2", ""),
            ("S58", "ignoresAfter: 1, ", ""), ("S60e", "0.75", "1.5"), ("S63", ", cancelsTouchesInView: no", ""),
            ("S66", "touches: consume", "touches: forward"), ("S70", "class: MyControl", "class: UIButton"),
            ("S75", "enabled: no", "enabled: yes"), ("S77g", "enabled: no, ", ""),
            ("S95", "delivery: frameAligned", "delivery: immediate"), ("S97", ", runsLoop: yes", ""),
            ("S98a", "pressTypes: [menu], ", ""), ("S99a", ", firstResponder: yes", ""),
        ])
    func otherScene(id: String, old: String, new: String) throws {
        try expectFailure(of: id, old, new)
    }

    @Test(
        "a scenario fails when its touch is changed",
        arguments: [
            ("S84", "tap f1", "# tap f1"), ("S04", "(234.67,482.67) @0.000", "(30,100) @0.000"),
            ("S21", "@2.000", "@1.400"), ("S34", "move f1 (149,333)", "move f1 (151,333)"),
            ("S59b", "(111,200)", "(109,200)"), ("S60d", "(146,200)", "(144,200)"), ("S72", "(275,120)", "(265,120)"),
        ])
    func otherScript(id: String, old: String, new: String) throws { try expectFailure(of: id, old, new) }

    private func expectFailure(of id: String, _ old: String, _ new: String) throws {
        let file = Repository.scenario(id)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(old), "\(id) does not hold \(old)")
        let scenario = try Scenario(parsing: text.replacingOccurrences(of: old, with: new), file: file.path)
        let mode = try #require(scenario.modes.first)
        guard case .failed = scenario.judge(try scenario.play(in: mode), in: mode) else {
            Issue.record("\(id) passes with \(new) for \(old)")
            return
        }
    }
}
