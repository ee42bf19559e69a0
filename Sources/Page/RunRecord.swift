// RunRecord.swift: what a page shows of a run, as values.
//
//     facts ─┬─▶ fingers          ways of scans ──▶ ways, latencies
//            ├─▶ recognizers      changes of trees ─▶ screens
//            ├─▶ holds, turns
//            └─▶ interactions (Explain)
//
// Input     RecordedRun
// Output    RunRecord+JSON.swift, and from there the components of the page
// Knows     facts by their templates. No HTML.
//
// A run with a secure window has no positions here at all, whatever a fact still contains (threat T5).
//
// Sources   invented

public import Basics
public import Explain
public import Runs
public import Trace
import ViewTrees
import Wire

/// The values that a page shows.
public struct RunRecord: Sendable {
    /// A finger from touch-down to lift.
    public struct Finger: Sendable {
        /// A position at a time, in the display's or the app's coordinates.
        public struct Sample: Sendable {
            public var at: Instant
            public var x, y: Double
        }

        public var contact: Int64
        public var touch: Int64?
        public var down: Instant
        /// Nil while it is down.
        public var up: Instant?
        public var isCancelled = false
        /// The index of its interaction.
        public var interaction: Int?
        /// The process whose window the positions belong to; nil for positions on the display.
        public var space: String?
        public var samples: [Sample] = []
    }

    /// A time in which a recognizer had one state.
    public struct Span: Sendable {
        public enum State: String, Sendable, CaseIterable {
            case possible, waits, began, changed, ended, failed, cancelled
        }

        public var state: State
        public var from: Instant
        /// Nil until the end of the run.
        public var to: Instant?
        /// What the recognizer waits for, or why it failed.
        public var reason = ""
        /// The moment at which time alone decides.
        public var deadline: Instant?
    }

    /// The states of a recognizer.
    public struct Recognizer: Sendable {
        public var process: String
        public var identity: Int64
        public var name: String
        public var spans: [Span] = []
    }

    /// A time in which something kept a touch or a scan back.
    public struct Hold: Sendable {
        public var process: String
        /// Nil for scans of a whole app.
        public var touch: Int64?
        public var holder: String
        public var from: Instant
        public var to: Instant?
        public var reason = ""
        public var isDiscarded = false
    }

    /// A run-loop turn of an app: its facts of one time.
    public struct Turn: Sendable {
        public var process: String
        public var at: Instant
        /// The end, if a ledger names it.
        public var end: Instant?
        public var factCount: Int
        /// The stations of its facts, in order, each once.
        public var stations: [Station]
    }

    public var facts: [ResolvedFact]
    public var zero: Instant
    public var begin, end: Instant
    public var processes: [String] = []
    public var fingers: [Finger] = []
    public var recognizers: [Recognizer] = []
    public var holds: [Hold] = []
    public var turns: [Turn] = []
    public var interactions: [Interaction] = []
    public var ways: [EventWay]
    public var screens: [ScreenChange]
    public var width, height: Double
    public var isVirtual: Bool
    /// Whether positions are left out because a window of the run is secure.
    public var hidesPositions: Bool
    public var gaps: [String]
    public var cuts: [Cut] = []

    /// Makes the values of a page.
    public init(_ run: RecordedRun, limits: PageLimits = PageLimits()) {
        let observed = run.observed
        hidesPositions =
            run.screens.contains { $0.views.contains(where: \.isSecureWindow) }
            || observed.events.contains { $0.process.hasPrefix("app") && $0.hasHiddenPosition }
        let isHiding = hidesPositions
        facts = observed.events.filter { !$0.isProbe }.map { isHiding ? $0.withoutPositions : $0 }
        (zero, begin) = (observed.zero, min(observed.zero, facts.first?.at ?? observed.zero))
        (screens, ways, gaps) = (run.screens, run.ways, observed.gaps)
        (width, height, isVirtual) = (run.width, run.height, run.isVirtual)
        end = max(facts.last?.at ?? begin, begin)
        for way in ways { if let handled = way.ledger[.appHandled] { end = max(end, handled) } }
        for change in screens { end = max(end, change.at) }

        var explain = Explain()
        for fact in facts { explain.add(fact) }
        for app in observed.absentApps { explain.noteAbsence(of: app) }
        interactions = Array(explain.interactions)
        foldFacts()
        addTurnEnds()
        cut(run, explain.omittedCount, limits)
    }

    // MARK: Limits

    private mutating func cut(_ run: RecordedRun, _ omittedInteractions: Int, _ limits: PageLimits) {
        func shorten<Element>(_ list: inout [Element], _ part: Cut.Part, _ limit: Int, beyond: Int = 0) {
            if list.count + beyond > limit { cuts.append(Cut(part: part, count: list.count + beyond, limit: limit)) }
            if list.count > limit { list.removeSubrange(limit...) }
        }
        shorten(&facts, .facts, limits.facts)
        shorten(&interactions, .interactions, limits.interactions, beyond: omittedInteractions)
        shorten(&turns, .turns, limits.turns)
        shorten(&ways, .ways, limits.ways)
        for index in fingers.indices where fingers[index].interaction.map({ $0 >= interactions.count }) == true {
            fingers[index].interaction = nil
        }
        if run.omittedScreenCount > 0 {
            cuts.append(
                Cut(part: .screens, count: screens.count + run.omittedScreenCount, limit: screens.count))
        }
        var left = limits.samples
        let samples = fingers.reduce(0) { $0 + $1.samples.count }
        for index in fingers.indices {
            fingers[index].samples = Array(fingers[index].samples.prefix(max(2, left)))
            left -= fingers[index].samples.count
        }
        if samples > limits.samples { cuts.append(Cut(part: .samples, count: samples, limit: limits.samples)) }
        left = limits.spans
        let spans = recognizers.reduce(0) { $0 + $1.spans.count }
        for index in recognizers.indices {
            recognizers[index].spans = Array(recognizers[index].spans.prefix(max(0, left)))
            left -= recognizers[index].spans.count
        }
        if spans > limits.spans { cuts.append(Cut(part: .spans, count: spans, limit: limits.spans)) }
    }

    /// Takes the ends of turns from the ledgers of the scans that they handled.
    private mutating func addTurnEnds() {
        var ends: [String: [Instant: Instant]] = [:]
        for way in ways {
            guard let app = way.app, let received = way.ledger[.appReceived], let handled = way.ledger[.appHandled]
            else {
                continue
            }
            let process = "app\(app.rawValue)"
            ends[process, default: [:]][received] = max(handled, ends[process]?[received] ?? handled)
        }
        for index in turns.indices { turns[index].end = ends[turns[index].process]?[turns[index].at] }
    }
}
