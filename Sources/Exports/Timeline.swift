// Timeline.swift: a run as tracks with marks, spans, flows and counters, as viewers of traces show it.
//
//    facts, by time ─▶ Timeline ─┬▶ ChromeTrace      Trace Event Format, JSON
//                                └▶ PerfettoTrace    protobuf
//
//    mark       one fact, at its process and station
//    span       a contact, a touch or a recognizer, from its beginning to its end
//    flow       the first mark of one interaction at each station, from the device to the action
//    counter    contacts and touches that are down, the depth of an inbox, the events of a run-loop turn
//
// Knows     facts by their templates (Explain/FactTemplate.swift). No file format.
//
// Sources   invented

package import Basics
import Explain
package import Trace

/// One run for a viewer.
package struct Timeline: Sendable {
    /// The station of one process.
    package struct Track: Hashable, Sendable {
        package var process: String
        package var station: Station
    }

    /// One fact. It has no length, because all facts of one run-loop turn have the same time.
    package struct Mark: Sendable {
        /// The index of its track.
        package var track: Int
        /// Nanoseconds since the origin.
        package var at: Int64
        /// The text of the fact.
        package var name: String
        package var template: String
        package var values: [(letter: Character, value: FactValue)]
    }

    /// A duration with a name.
    package struct Span: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            case contact, touch, recognizer

            /// The name of its tracks.
            package var plural: String { self == .touch ? "touches" : "\(rawValue)s" }
        }

        package var process: String
        package var kind: Kind
        /// Spans of one process, kind and lane do not overlap.
        package var lane: Int
        package var name: String
        /// Nanoseconds since the origin.
        package var begin: Int64
        package var end: Int64
        /// The station of its end: `up`, `cancelled`, `reset`; `open` for a span that lasts until the end of the run.
        package var outcome: String
    }

    /// The path of one interaction: the indices of its marks, by time.
    package struct Flow: Hashable, Sendable {
        /// From 1.
        package var id: Int
        package var marks: [Int]
    }

    /// A number that changes over time.
    package struct Counter: Hashable, Sendable {
        package var process: String
        package var name: String
        package var samples: [Sample]
    }

    package struct Sample: Hashable, Sendable {
        package var at: Int64
        package var value: Int64
    }

    /// The processes in the order of an event: input-kit, system-server, apps, the others.
    package private(set) var processes: [String] = []
    package private(set) var tracks: [Track] = []
    /// By time; marks of one time in the order of cause.
    package private(set) var marks: [Mark] = []
    package private(set) var spans: [Span] = []
    package private(set) var flows: [Flow] = []
    package private(set) var counters: [Counter] = []
    /// The number of interactions beyond `Explain.limit`, which have no flow.
    package private(set) var omittedFlows = 0

    /// - Parameters:
    ///   - facts: By time. Conformance lines are left out.
    ///   - origin: The moment of time 0, not after the first fact.
    package init(facts: some Sequence<ResolvedFact>, origin: Instant) {
        var fold = TimelineFold(origin: origin)
        for fact in facts where !fact.isProbe { fold.add(fact) }
        fold.finish()
        (tracks, marks, spans, flows) = (fold.tracks, fold.marks, fold.spans, fold.flows.filter { $0.marks.count > 1 })
        (counters, omittedFlows) = (fold.counters, fold.explain.omittedCount)
        for track in tracks where !processes.contains(track.process) { processes.append(track.process) }
        processes.sort(by: Self.precedes)
    }

    /// Whether an event meets one process before another.
    private static func precedes(_ first: String, _ second: String) -> Bool {
        func rank(_ process: String) -> (Int, Int) {
            switch process {
            case "input-kit": (0, 0)
            case "system-server": (1, 0)
            case _ where process.hasPrefix("app"): (2, Int(process.dropFirst(3)) ?? 0)
            default: (3, 0)
            }
        }
        let (one, other) = (rank(first), rank(second))
        return one == other ? first < second : one < other
    }
}

/// The state of the fold.
private struct TimelineFold {
    let origin: Instant
    var explain = Explain()
    var tracks: [Timeline.Track] = []
    var marks: [Timeline.Mark] = []
    var spans: [Timeline.Span] = []
    var flows: [Timeline.Flow] = []
    var counters: [Timeline.Counter] = []

    private var reader: FactReader
    private var trackIndices: [Timeline.Track: Int] = [:]
    private var counterIndices: [CounterKey: Int] = [:]
    /// The spans that have begun and not ended: indices in `spans`.
    private var openSpans: [SpanKey: Int] = [:]
    /// The number of the contact, touch or recognizer of each span.
    private var numbers: [Int64] = []
    private static let open = "open"
    /// The lanes in use, by process and kind.
    private var lanes: [LaneKey: [Bool]] = [:]
    private var end: Int64 = 0

    private struct CounterKey: Hashable { var process, name: String }
    private struct SpanKey: Hashable {
        var process: String
        var kind: Timeline.Span.Kind
        var number: Int64
    }
    private struct LaneKey: Hashable {
        var process: String
        var kind: Timeline.Span.Kind
    }

    init(origin: Instant) {
        self.origin = origin
        reader = FactReader(origin: origin)
    }

    mutating func add(_ fact: ResolvedFact) {
        let at = origin.duration(to: fact.at).nanoseconds
        end = max(end, at)
        marks.append(
            Timeline.Mark(
                track: trackIndex(Timeline.Track(process: fact.process, station: fact.station)), at: at,
                name: fact.text(since: origin), template: fact.template, values: reader.values(of: fact)))
        explain.add(fact)
        for interaction in explain.interactions.changed { extendFlow(of: interaction, at: fact.station) }
        guard let word = FactTemplate(rawValue: fact.template) else { return }
        addSpan(word, fact, at)
        count(word, fact, at)
    }

    /// Ends what is open at the last fact.
    mutating func finish() {
        for index in spans.indices where spans[index].outcome == Self.open { spans[index].end = end }
    }

    private mutating func trackIndex(_ track: Timeline.Track) -> Int {
        if let known = trackIndices[track] { return known }
        trackIndices[track] = tracks.count
        tracks.append(track)
        return tracks.count - 1
    }

    // MARK: Flows

    /// Appends the last mark to the flow of an interaction if it is at a later station than the flow's marks.
    private mutating func extendFlow(of interaction: Int, at station: Station) {
        while flows.count <= interaction { flows.append(Timeline.Flow(id: flows.count + 1, marks: [])) }
        guard let rank = Self.rank(station) else { return }
        if let last = flows[interaction].marks.last, let reached = Self.rank(tracks[marks[last].track].station) {
            guard rank > reached else { return }
        }
        flows[interaction].marks.append(marks.count - 1)
    }

    private static func rank(_ station: Station) -> Int? { Station.eventStations.firstIndex(of: station) }

    // MARK: Spans

    private mutating func addSpan(_ word: FactTemplate, _ fact: ResolvedFact, _ at: Int64) {
        let (process, number) = (fact.process, fact.number(at: 0))
        switch word {
        case .contactDown: begin(SpanKey(process: process, kind: .contact, number: number), "contact \(number)", at)
        case .contactUp: end(SpanKey(process: process, kind: .contact, number: number), "up", at)
        case .contactCancelled: end(SpanKey(process: process, kind: .contact, number: number), "cancelled", at)
        case .serverLost: endAll(of: process, .contact, "ignored", at)
        case .touchBegan: begin(SpanKey(process: process, kind: .touch, number: number), "touch \(number)", at)
        case .touchEnded: end(SpanKey(process: process, kind: .touch, number: number), "ended", at)
        case .touchCancelled: end(SpanKey(process: process, kind: .touch, number: number), "cancelled", at)
        case .receivedByRecognizer:
            let key = SpanKey(process: process, kind: .recognizer, number: fact.number(at: 3))
            if openSpans[key] == nil { begin(key, fact.word(at: 1), at) }
        case .reset: end(SpanKey(process: process, kind: .recognizer, number: fact.number(at: 3)), "reset", at)
        default: return
        }
    }

    private mutating func begin(_ key: SpanKey, _ name: String, _ at: Int64) {
        end(key, "lost", at)
        let laneKey = LaneKey(process: key.process, kind: key.kind)
        let used = lanes[laneKey] ?? []
        let lane = used.firstIndex(of: false) ?? used.count
        if lane == used.count { lanes[laneKey, default: []].append(true) } else { lanes[laneKey]?[lane] = true }
        openSpans[key] = spans.count
        numbers.append(key.number)
        spans.append(
            Timeline.Span(
                process: key.process, kind: key.kind, lane: lane, name: name, begin: at, end: at, outcome: Self.open))
        countOpen(key.process, key.kind, at)
    }

    private mutating func end(_ key: SpanKey, _ outcome: String, _ at: Int64) {
        guard let index = openSpans.removeValue(forKey: key) else { return }
        (spans[index].end, spans[index].outcome) = (at, outcome)
        lanes[LaneKey(process: key.process, kind: key.kind)]?[spans[index].lane] = false
        countOpen(key.process, key.kind, at)
    }

    private mutating func endAll(of process: String, _ kind: Timeline.Span.Kind, _ outcome: String, _ at: Int64) {
        for index in spans.indices {
            let span = spans[index]
            guard span.process == process, span.kind == kind, span.outcome == Self.open else { continue }
            end(SpanKey(process: process, kind: kind, number: numbers[index]), outcome, at)
        }
    }

    // MARK: Counters

    private mutating func countOpen(_ process: String, _ kind: Timeline.Span.Kind, _ at: Int64) {
        let name: String
        switch kind {
        case .contact: name = "contacts down"
        case .touch: name = "touches down"
        case .recognizer: return
        }
        let used = lanes[LaneKey(process: process, kind: kind)] ?? []
        sample(process, name, Int64(used.count { $0 }), at)
    }

    private mutating func count(_ word: FactTemplate, _ fact: ResolvedFact, _ at: Int64) {
        switch word {
        case .arrived: sample(fact.process, "inbox depth", fact.number(at: 1), at)
        case .fetched: sample(fact.process, "inbox depth", 0, at)
        case .oneEvent: sample(fact.process, "events in turn", 1, at)
        case .events, .coalescedEvents: sample(fact.process, "events in turn", fact.number(at: 0), at)
        default: return
        }
    }

    private mutating func sample(_ process: String, _ name: String, _ value: Int64, _ at: Int64) {
        let key = CounterKey(process: process, name: name)
        let index = counterIndices[key] ?? counters.count
        if index == counters.count {
            counterIndices[key] = index
            counters.append(Timeline.Counter(process: process, name: name, samples: []))
        }
        counters[index].samples.append(Timeline.Sample(at: at, value: value))
    }
}

extension Timeline {
    /// One mark of a flow.
    package struct FlowStep: Hashable, Sendable {
        package var flow: Int
        package var isFirst: Bool
        package var isLast: Bool
    }

    /// The flows that meet a mark, by the index of the mark.
    package var flowSteps: [Int: [FlowStep]] {
        var steps: [Int: [FlowStep]] = [:]
        for flow in flows {
            for mark in flow.marks {
                let step = FlowStep(flow: flow.id, isFirst: mark == flow.marks.first, isLast: mark == flow.marks.last)
                steps[mark, default: []].append(step)
            }
        }
        return steps
    }
}
