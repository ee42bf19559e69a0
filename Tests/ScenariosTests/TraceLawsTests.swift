import Basics
import Hosting
import Scenarios
import Testing
import Trace
import Wire

@Suite("Laws of a trace")
struct TraceLawsTests {
    /// Checks lines of the form `ms process station text`.
    private func violations(_ text: String) -> [String] {
        var laws = TraceLaws()
        var found: [String] = []
        for row in text.split(separator: "\n") {
            let words = row.split(separator: " ", maxSplits: 3).map(String.init)
            let line = TraceLine(
                at: Instant(nanoseconds: (Int64(words[0]) ?? 0) * 1_000_000), process: words[1],
                station: Station(rawValue: words[2]) ?? .process, isProbe: false, text: words[3])
            if let violation = laws.add(line) { found.append("\(violation)") }
        }
        return found + laws.atRest().map { "\($0)" }
    }

    private let landing = """
        1 system-server router contact 1 → app:1, until it lifts: touch 4
        1 app1 event touch 4 began at (10.0, 20.0)
        1 app1 hitTest touch 4 → UIView "A", after testing 3 views

        """

    @Test("a trace of ordinary and dropped touches breaks no law")
    func kept() {
        #expect(
            violations(
                landing + """
                    2 app1 event touch 4 moved to (11.0, 20.0)
                    3 app1 event touch 4 ended at (11.0, 20.0)
                    """) == [])
        #expect(
            violations(
                """
                1 system-server router contact 1 → app:1, until it lifts: touch 4
                1 app1 event touch 4 began at (10.0, 20.0)
                1 app1 hitTest touch 4 dropped: A is touched, and one of the two is exclusive
                2 app1 event touch 4 dropped: moved, never began here
                3 app1 event touch 4 dropped: ended, never began here
                """) == [])
    }

    @Test("each trace law reports a trace that breaks it")
    func broken() {
        #expect(violations(landing) == ["atRest: touch 4 began and has no end"])
        #expect(
            violations(landing + "2 app2 event touch 4 ended at (1.0, 1.0)\n3 app1 event touch 4 cancelled")
                == ["routed: touch 4 is app1's, and app2 says: touch 4 ended at (1.0, 1.0)"])
        #expect(
            violations(
                landing + """
                    2 app1 event touch 4 cancelled
                    3 system-server router contact 1 → app:2, until it lifts: touch 4
                    """) == ["routed: touch 4 went to app1, and then to app2"])
        #expect(
            violations(
                landing + """
                    2 app1 event touch 4 ended at (1.0, 1.0)
                    3 app1 event touch 4 cancelled
                    """) == ["paired: touch 4 cancelled, and is over"])
        #expect(
            violations(landing + "2 app1 event touch 4 began at (1.0, 1.0)\n3 app1 event touch 4 cancelled")
                == ["paired: touch 4 began, and is live"])
        #expect(
            violations("1 app1 event touch 7 moved to (1.0, 1.0)") == ["paired: touch 7 moved, and is unknown"])
        #expect(
            violations(landing + "2 app1 event touch 4 dropped: ended, never began here").first
                == "paired: touch 4 dropped: ended, never began here")
        #expect(
            violations("2 app1 app launched\n1 app1 app active")
                == ["forward: app1 noted 1.000 ms after 2.000 ms: active"])
    }

    @Test("the trace laws hold for the trace of a simulated group")
    func real() throws {
        var group = try SimulatedGroup(settings: [])
        let report = group.play("tap f1 (100,200) @0\nstroke f2 (10,10) (300,600) @0.1 0.5", length: .seconds(1))
        #expect(report?.answered == report?.sent)
        #expect(report?.arrivedTouches.began == 2)
        let isQuiet = group.settle()
        #expect(isQuiet)
        var laws = TraceLaws()
        var texts: [String] = []
        for line in group.takeTrace() {
            texts.append(line.text)
            #expect(laws.add(line) == nil)
        }
        #expect(laws.atRest() == [])
        // The trace contains the words that the laws look for.
        #expect(texts.contains { $0.hasPrefix("contact 1 → app:1, until it lifts: touch ") })
        #expect(texts.contains { $0.hasPrefix("touch 1 began at ") })
        #expect(texts.contains { $0.hasPrefix("touch 1 moved to ") })
        #expect(texts.contains { $0.hasPrefix("touch 1 ended at ") })
        let reports = group.reports()
        #expect(reports.map(\.peer) == [.inputKit, .systemServer, .app(1)])
    }
}
