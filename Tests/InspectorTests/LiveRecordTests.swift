import Basics
import Explain
import Foundation
import Page
import Recordings
import Runs
import Scenarios
import Testbed
import Testing
import Trace
import ViewTrees
import Wire

@testable import Inspector

@Suite("The live record")
struct LiveRecordTests {
    /// A run of a button under two taps, a second and a half apart.
    private func run() throws -> RecordedRun {
        let text = """
            id: live
            title: live
            source: [R]
            kind: derived
            windows:
              - name: W
                frame: [0, 0, 375, 667]
                view:
                  name: root
                  frame: [0, 0, 375, 667]
                  subviews:
                    - { name: plus, class: UIButton, frame: [50, 400, 100, 100], on: { touchUpInside: add } }
            modes: [simulated]
            script: |
              down f1 (100,450) @0.000
              move f1 (110,450) @0.016
              up   f1 @0.080
              down f2 (100,450) @1.580
              up   f2 @1.660
            expect: ""
            """
        let path = Repository.root.appending(path: "Tests/InspectorTests/script.yaml").path
        return try RecordedRun(of: try Scenario(parsing: text, file: path))
    }

    private func events(_ run: RecordedRun) -> [ResolvedFact] { run.observed.events.filter { !$0.isProbe } }

    /// Pages of 60 Hz: the facts of each process in its order, the processes in whatever order they answer.
    private func deliver(_ facts: [ResolvedFact], to record: inout LiveRecord) {
        let processes = ["app1", "system-server", "input-kit", "supervisor"]
        guard let first = facts.first?.at, let last = facts.last?.at else { return }
        var begin = first
        while begin <= last {
            let end = begin.advanced(byNanoseconds: 16_666_667)
            for process in processes {
                record.append(facts.filter { $0.process == process && $0.at >= begin && $0.at < end })
            }
            begin = end
        }
    }

    @Test("the record is the run's record of the same facts, without screens")
    func same() throws {
        let run = try run()
        let facts = events(run)
        // The first tap alone: the second one begins a new window.
        let tap = facts.filter { facts[0].at.duration(to: $0.at) < .seconds(1) }
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        deliver(tap, to: &live)
        let record = live.record(at: tap.last!.at)

        var observed = ObservedRun(facts: tap, zero: .boot, begin: .boot)
        observed.gaps = []
        var expected = RunRecord(RecordedRun(observed, width: run.width, height: run.height))
        expected.begin = tap[0].at
        #expect(record.json(in: .english).text == expected.json(in: .english).text)
        #expect(record.interactions.count == 1 && record.interactions[0].cause.isAction)
        #expect(record.fingers.count == 1 && record.screens.isEmpty && record.gaps.isEmpty)
    }

    @Test("a landing after a quiet second begins a new window")
    func quiet() throws {
        let run = try run()
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        let facts = events(run)
        deliver(facts, to: &live)
        let record = live.record(at: facts.last!.at)
        let second = facts.last { $0.template == "contact {a} down at ({b:f}, {c:f})" }!.at
        #expect(record.begin == second && record.facts.allSatisfy { $0.at >= second })
        #expect(record.fingers.count == 1 && record.interactions.count == 1 && record.gaps.isEmpty)
    }

    @Test("the latency is from input-kit's landing and lift to the app's touch")
    func latency() throws {
        let run = try run()
        let facts = events(run)
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        deliver(facts, to: &live)
        // Two landings and two lifts, of which the last may still be on its way.
        live.measureLatencies(at: facts.last!.at)
        #expect(live.latencies.count == 2)
        live.measureLatencies(at: facts.last!.at.advanced(by: LiveRecord.settling))
        #expect(live.latencies.count == 4)
        #expect(!live.isTouched)
        func moment(_ template: String) -> Instant { facts.first { $0.template == template }!.at }
        let way = moment("contact {a} down at ({b:f}, {c:f})").duration(
            to: moment("touch {a} began at ({b:p}, {c:p})"))
        #expect(live.latencies.percentile(1)! >= way)
    }

    @Test("contacts of two devices with one number have no latency, and the next one has")
    func ambiguous() throws {
        let run = try run()
        let facts = events(run)
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        // A second device's finger of the same number lands at the same time.
        let landing = facts.first { $0.template == "contact {a} down at ({b:f}, {c:f})" }!
        let place = facts.firstIndex { $0.template == landing.template }!
        deliver(Array(facts[...place]) + [landing] + facts[(place + 1)...], to: &live)
        live.measureLatencies(at: facts.last!.at.advanced(by: .seconds(1)))
        #expect(live.latencies.count == 2)
    }

    @Test("facts older than ten seconds leave the window, and it has at most 4,000")
    func limits() throws {
        let run = try run()
        let facts = events(run)
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        deliver(facts, to: &live)
        let later = live.record(at: facts.last!.at.advanced(by: .seconds(11)))
        #expect(later.facts.isEmpty && later.gaps == ["earlier facts are no longer in this window"])

        var full = LiveRecord(zero: .boot, width: 375, height: 667)
        let fact = facts.first { $0.process == "app1" }!
        for index in 0..<20_000 {
            var next = fact
            next.at = fact.at.advanced(byNanoseconds: Int64(index))
            full.append([next])
        }
        let record = full.record(at: fact.at)
        #expect(record.facts.count == 4000 && record.end == fact.at.advanced(byNanoseconds: 19_999))
    }

    @Test("a window in which a secure window was shown has no positions")
    func secure() throws {
        let run = try run()
        let facts = events(run)
        var tree = ViewTree(state: .active, sceneFrame: ViewTree.Frame(x: 0, y: 0, width: 375, height: 667))
        tree.views = [
            ViewTree.View(
                identity: 1, depth: 0, className: "UIWindow", kind: "UIWindow",
                frame: ViewTree.Frame(x: 0, y: 0, width: 375, height: 667))
        ]
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        live.note(tree, of: 1, at: facts[0].at)
        deliver(facts, to: &live)
        #expect(!live.record(at: facts.last!.at).hidesPositions)
        tree.views[0].isSecure = true
        live.note(tree, of: 1, at: facts[0].at)
        let hidden = live.record(at: facts.last!.at)
        #expect(hidden.hidesPositions && hidden.fingers.allSatisfy { $0.samples.isEmpty })
        #expect(!hidden.json(in: .english).text.contains("(100.0, 450.0)"))
    }

    @Test("a reset forgets everything, and its revision is a new one")
    func reset() throws {
        let run = try run()
        var live = LiveRecord(zero: .boot, width: run.width, height: run.height)
        deliver(events(run), to: &live)
        let revision = live.revision
        live.reset()
        #expect(live.isEmpty && live.revision > revision && live.latencies.count == 0)
    }

    @Test("a percentile is within one percent, and every duration is in one bucket")
    func percentiles() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == nil && histogram.json.text.contains("\"buckets\":[]"))
        for microseconds in 1...1000 { histogram.add(.microseconds(microseconds)) }
        for (share, exact) in [(0.5, 500.0), (0.9, 900), (0.99, 990), (1, 1000)] {
            let found = Double(histogram.percentile(share)!.nanoseconds) / 1000
            #expect(abs(found - exact) <= exact * 0.01, "\(share): \(found)")
        }
        histogram.add(.seconds(3600))
        histogram.add(.zero)
        #expect(histogram.count == 1002 && histogram.percentile(1)! < .seconds(17))
        let buckets = histogram.json.text.matches(of: /\[(\d+),(\d+)\]/)
        #expect(buckets.reduce(0) { $0 + Int($1.2)! } == 1002)
        #expect(buckets.map { Int($0.1)! } == buckets.map { Int($0.1)! }.sorted() && buckets.count > 60)
    }
}
