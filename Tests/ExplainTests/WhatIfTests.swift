import Explain
import Foundation
import Runs
import Scenarios
import Testbed
import Testing

/// What-if answers are played again, and each must flip the outcome.
@Suite("What if")
struct WhatIfTests {
    private func scenario(_ id: String) throws -> Scenario {
        let library = ScenarioLibrary(folder: Repository.root.appending(path: "Tests/Conformance").path)
        return try Scenario(contentsOf: try #require(try library.path(ofID: id)))
    }

    private static func interactions(_ scenario: Scenario) throws -> [Interaction] {
        Array(try ObservedRun(of: scenario).explained.interactions)
    }

    private func scene(_ views: String, _ script: String) throws -> Scenario {
        func indented(_ text: String) -> String {
            text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        }
        let text = """
            id: whatif
            title: what if
            source: [R]
            kind: derived
            windows:
            \(indented(window(views)))
            modes: [simulated]
            script: |
            \(indented(script))
            expect: ""
            """
        return try Scenario(parsing: text, file: "whatif.yaml")
    }

    private func answers(_ scenario: Scenario, part: String? = nil) throws -> [String] {
        let all = try Self.interactions(scenario)
        var search = WhatIf(
            scenario, interaction: try #require(all.last), at: all.count - 1, part: part.map(AskedPart.init))
        return search.answers().map { $0.phrase.text(in: .english) }
    }

    @Test("a press that was too short: the time that was missing, the threshold, the property")
    func shortPress() throws {
        let scenario = try scene(
            """
            - name: Y
              frame: [50, 50, 100, 100]
              gestures: [{ name: press, class: UILongPressGestureRecognizer, action: pressed }]
            """,
            """
            down f1 (100,100) @0.000
            up   f1 @0.400
            """)
        let found = try answers(scenario)
        #expect(found.contains { $0.hasPrefix("the finger lifts 10") && $0.hasSuffix("ms later") }, "\(found)")
        #expect(
            found.contains("Y.press.minimumPressDuration is 400.000 ms (now 500.000 ms)")
                || found.contains { $0.hasPrefix("Y.press.minimumPressDuration is 399") }, "\(found)")
    }

    @Test("a press that slipped: the allowed movement and the way")
    func slippedPress() throws {
        let scenario = try scene(
            """
            - name: Y
              frame: [50, 50, 300, 300]
              gestures: [{ name: press, class: UILongPressGestureRecognizer, action: pressed }]
            """,
            """
            down f1 (100,100) @0.000
            move f1 (152.5,100) @0.200
            up   f1 @0.800
            """)
        let found = try answers(scenario)
        #expect(found.contains("Y.press.allowableMovement is 52.5 (now 10)"), "\(found)")
        #expect(found.contains("the finger moves 10.0 pt away instead of 52.5 pt"), "\(found)")
    }

    @Test("a button that lost its touch to a tap: cancelsTouchesInView")
    func cancelledButton() throws {
        let scenario = try scene(
            """
            - name: card
              frame: [0, 0, 300, 300]
              gestures: [{ name: tap, class: UITapGestureRecognizer, action: tapped }]
              subviews: [{ name: plain, class: UIControl, frame: [50, 50, 100, 100], on: { touchUpInside: go } }]
            """,
            """
            down f1 (100,100) @0.000
            up   f1 @0.080
            """)
        let found = try answers(scenario, part: "plain")
        #expect(found.contains("card.tap.cancelsTouchesInView is no"), "\(found)")
        #expect(found.contains("card.tap.enabled is no"), "\(found)")
    }

    @Test("a hidden view in the way: hidden is no")
    func hidden() throws {
        let scenario = try scene(
            "- { name: plus, class: UIButton, hidden: yes, frame: [50, 50, 100, 100], on: { touchUpInside: add } }",
            """
            down f1 (100,100) @0.000
            up   f1 @0.080
            """)
        #expect(try answers(scenario).first == "plus.hidden is no")
    }

    @Test("a double tap whose second tap came too late: the time by which")
    func lateSecondTap() throws {
        let scenario = try scene(
            """
            - name: Y
              frame: [50, 50, 100, 100]
              gestures: [{ name: twice, class: UITapGestureRecognizer, taps: 2, action: doubled }]
            """,
            """
            down f1 (100,100) @0.000
            up   f1 @0.060
            down f1 (100,100) @0.500
            up   f1 @0.560
            """)
        let found = try answers(scenario)
        #expect(found.contains { $0.hasPrefix("the finger comes 9") && $0.hasSuffix("ms earlier") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("the setting tap.maxInterval is 44") }, "\(found)")
    }

    @Test("every answer of the catalogue flips its outcome when it is played again")
    func flips() throws {
        let library = ScenarioLibrary(folder: Repository.root.appending(path: "Tests/Conformance").path)
        var (asked, answered, found) = (0, 0, 0)
        for (index, entry) in library.entries.enumerated() where index % 7 == 0 {
            let scenario = try Scenario(contentsOf: entry.path)
            guard scenario.reasonToSkip(in: .simulated) == nil else { continue }
            let all = try Self.interactions(scenario)
            guard let last = all.lastIndex(where: { if case .finger = $0.subject { true } else { false } }) else {
                continue
            }
            asked += 1
            var search = WhatIf(scenario, interaction: all[last], at: last, part: nil, playLimit: 100)
            let answers = search.answers()
            if !answers.isEmpty { answered += 1 }
            found += answers.count
            for answer in answers {
                let after = try Self.interactions(answer.changed)
                #expect(
                    after[last].cause.isAction != all[last].cause.isAction,
                    "\(scenario.id): \(answer.phrase.text(in: .english))")
            }
        }
        #expect(asked > 15 && found > 60, "\(asked) asked, \(answered) answered, \(found) answers")
    }

    @Test("the fingers of a run are repeated as a scenario with the same outcome")
    func repeated() throws {
        let original = try scenario("S31")
        let run = try ObservedRun(of: original)
        let again = try original.repeating(run)
        let (before, after) = (try Self.interactions(original), try Self.interactions(again))
        #expect(before.map(\.cause.code) == after.map(\.cause.code))
        #expect(before.map(\.hit.view) == after.map(\.hit.view))
    }
}
