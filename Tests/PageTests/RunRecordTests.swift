import Basics
import Explain
import Foundation
import Page
import Runs
import Scenarios
import Testing
import Trace
import ViewTrees
import Wire

@Suite("The values of a page")
struct RunRecordTests {
    @Test("facts, fingers, turns and steps of a page add up to the run's facts")
    func sums() throws {
        let run = try recorded(
            cards,
            playing: """
                down f1 (100,100) @0.000
                move f1 (110,100) @0.016
                up   f1 @0.080
                down f2 (100,450) @1.000
                up   f2 @1.080
                """)
        let record = RunRecord(run)
        let facts = run.observed.events.filter { !$0.isProbe }
        #expect(record.facts.count == facts.count && record.cuts.isEmpty && !record.hidesPositions)
        let landings = facts.filter { $0.template == "contact {a} down at ({b:f}, {c:f})" }
        #expect(record.fingers.map(\.down) == landings.map(\.at))
        #expect(record.fingers.map(\.interaction) == [0, 1] && record.fingers.map(\.touch) == [0, 1])
        let ofTurns = facts.filter { $0.process == "app1" && $0.station != .process && $0.station != .app }
        #expect(record.turns.reduce(0) { $0 + $1.factCount } == ofTurns.count)
        var explain = Explain()
        for fact in facts { explain.add(fact) }
        #expect(record.interactions == Array(explain.interactions))
        let moved = facts.filter { $0.template.hasPrefix("touch {a} ") && $0.template.hasSuffix("({b:p}, {c:p})") }
        #expect(record.fingers.reduce(0) { $0 + $1.samples.count } == moved.count && moved.count == 5)
    }

    @Test("a tap that waits is possible, waits, and ends when the double tap fails")
    func recognizers() throws {
        let record = RunRecord(try recorded(cards))
        func states(_ name: String) throws -> [String] {
            let lane = try #require(record.recognizers.first { $0.name.hasPrefix(name) })
            return lane.spans.map(\.state.rawValue)
        }
        #expect(try states("single on UIView \"card\"") == ["possible", "waits", "ended"])
        #expect(try states("double on UIView \"card\"") == ["possible", "failed"])
        let waits = try #require(record.recognizers.flatMap(\.spans).first { $0.state == .waits })
        #expect(waits.reason == "double on UIView \"card\" has not failed")
        #expect(waits.from == record.fingers[0].up)
        for recognizer in record.recognizers {
            for (span, next) in zip(recognizer.spans, recognizer.spans.dropFirst()) {
                #expect((span.to ?? .never) <= next.from, "\(recognizer.name)")
            }
        }
    }

    @Test("every scan has one way, whose stamps do not go back")
    func ways() throws {
        let record = RunRecord(try recorded(cards))
        #expect(record.ways.count == 2)
        for way in record.ways {
            let stamps = Ledger.Hop.allCases.compactMap { way.ledger[$0] }
            #expect(stamps.count == 6 && stamps == stamps.sorted() && way.app == AppID(1))
        }
        #expect(record.ways.map(\.receipt.began) == [1, 0] && record.ways.map(\.receipt.ended) == [0, 1])
    }

    @Test("the changes of a screen lead to the trees that the apps show")
    func screens() throws {
        let script = """
            down f1 (100,450) @0.000
            up   f1 @0.080
            """
        let record = RunRecord(try recorded(cards, playing: script))
        func views(until moment: Instant) -> [ViewTree.View] {
            var (order, views): ([UInt32], [UInt32: ViewTree.View]) = ([], [:])
            for change in record.screens where change.at <= moment {
                for view in change.views { views[view.identity] = view }
                order = change.order ?? order
            }
            return order.compactMap { views[$0] }
        }
        // The button is highlighted while the finger is on it.
        for (time, isDown) in [(0.04, true), (0.2, false)] {
            let shown = try ShownScreen(of: try played(cards, script), at: Duration(seconds: time)).apps[0].tree.views
            let found = views(until: record.zero.advanced(by: Duration(seconds: time)))
            #expect(found.map(\.identity) == shown.map(\.identity) && found.map(\.frame) == shown.map(\.frame))
            #expect(found.map(\.control) == shown.map(\.control))
            #expect(found.contains { $0.control?.isHighlighted == true } == isDown)
        }
        let first = try #require(record.screens.first)
        #expect(record.screens.dropFirst().allSatisfy { $0.order == nil && $0.views.count < first.views.count })
    }

    @Test("a page beyond its limits says how much it leaves out")
    func cuts() throws {
        var limits = PageLimits()
        (limits.facts, limits.ways, limits.turns, limits.samples, limits.interactions) = (10, 1, 1, 1, 0)
        let record = RunRecord(try recorded(cards), limits: limits)
        #expect(record.facts.count == 10 && record.ways.count == 1 && record.turns.count == 1)
        let cut = Dictionary(uniqueKeysWithValues: record.cuts.map { ($0.part, $0) })
        #expect(cut[.facts].map { $0.limit == 10 && $0.count > 20 } == true)
        #expect(cut[.ways] == Cut(part: .ways, count: 2, limit: 1))
        #expect(cut[.interactions] == Cut(part: .interactions, count: 1, limit: 0))
        #expect(record.fingers.map(\.interaction) == [nil])
    }

    @Test("a run with a secure window has no position and no text of it")
    func secure() throws {
        let windows = """
            - name: vault
              frame: [0, 0, 375, 667]
              secure: true
              view:
                name: root
                frame: [0, 0, 375, 667]
                subviews:
                  - { name: pin, class: UIButton, frame: [50, 50, 100, 100], on: { touchUpInside: add } }
            """
        let record = RunRecord(
            try recorded(windows, playing: "down f1 (98.25,103.75) @0.000\nmove f1 (98.75,104.25) @0.016\nup f1 @0.080")
        )
        let text = record.json(in: .english).text
        #expect(record.hidesPositions && record.fingers.map(\.samples.count) == [0])
        for word in ["98.2", "98.7", "103.7", "104.2"] { #expect(!text.contains(word), "\(word)") }
        let views = record.screens.flatMap(\.views)
        #expect(views.map(\.className) == ["UIWindow"])
        #expect(record.interactions[0].cause.isAction)
    }

    @Test("the columns of facts in JSON have one entry for each fact")
    func columns() throws {
        let record = RunRecord(try recorded(cards))
        let facts = try #require(try object(of: record)["facts"] as? [String: Any])
        let times = try #require(facts["at"] as? [Int])
        let texts = try #require(facts["texts"] as? [String])
        let lines = try #require(facts["text"] as? [Int])
        #expect(times.count == record.facts.count && lines.count == times.count)
        #expect((facts["process"] as? [Int])?.count == times.count)
        #expect(Int64(times.reduce(0, +)) == record.zero.duration(to: record.facts.last?.at ?? .boot).nanoseconds)
        #expect(lines.map { texts[$0] } == record.facts.map { $0.text(since: record.zero) })
        #expect(Set(texts).count == texts.count)
    }
}
