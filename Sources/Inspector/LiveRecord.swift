// LiveRecord.swift: the latest facts of a running group, as the record that a page shows.
//
//     pages of facts ─▶ window: since the last quiet moment, at most 10 s and 4,000 facts ─▶ RunRecord
//                   └─▶ landing, route, touch ─▶ latency from input-kit to the app's touch
//
// A landing after a second without facts begins a new window: what came before belongs to another interaction.
//
// Latencies are differences of facts. The ledgers of scans are not observed: they are in frames. So a latency begins
// when input-kit reads the scan of a landing or a lift, and ends when the app's touch begins or ends. Moves are not
// counted, because an app may receive several as one.
//
// Input     the thread of the group: facts as they arrive, secure windows
// Output    RunRecord, LatencyHistogram
// Knows     facts by their templates. No process, no page.
//
// Sources   invented

public import Basics
import Explain
public import Page
import Runs
public import Trace
public import ViewTrees
public import Wire

/// The window of facts of a running group.
public struct LiveRecord: Sendable {
    private struct Entry: Sendable {
        var fact: ResolvedFact
        var rank: Int
    }

    /// The greatest age of a fact in the window, and the most facts.
    static let age = Duration.seconds(10)
    static let factLimit = 4000
    /// The time without facts after which a landing begins a new window.
    static let quiet = Duration.seconds(1)
    /// The time after which the facts of all processes have arrived, unless one hangs.
    static let settling = Duration.milliseconds(250)

    /// The moment from which the page counts.
    public let zero: Instant
    private let width, height: Double
    private var entries: [Entry] = []
    private var isSorted = true
    /// Whether facts were removed from the window because of its limits.
    private var isCut = false
    private var secure: [ScreenChange] = []
    /// The contacts that are down, each with the number of devices that have one of this number.
    private var down: [Int64: Int] = [:]
    private var ways = TouchWays()
    /// The moment up to which touches were followed.
    private var measuredUntil = Instant.boot
    /// The number of all changes of the window.
    public private(set) var revision: UInt64 = 0
    public private(set) var latencies = LatencyHistogram()

    /// - Parameters:
    ///   - zero: The moment from which times count.
    ///   - width: The width of the main display in points.
    ///   - height: The height of the main display in points.
    public init(zero: Instant, width: Double, height: Double) {
        (self.zero, self.width, self.height) = (zero, width, height)
    }

    /// Whether a finger is down, as input-kit has noted it.
    public var isTouched: Bool { !down.isEmpty }
    public var isEmpty: Bool { entries.isEmpty }

    // MARK: Inputs

    /// Adds the facts of one process, in its order.
    public mutating func append(_ facts: [ResolvedFact]) {
        for fact in facts where !fact.isProbe {
            revision += 1
            let word = FactTemplate(rawValue: fact.template)
            if fact.process == "input-kit", word == .contactDown, beginsWindow(fact) {
                sort()
                measure(until: fact.at.advanced(byNanoseconds: -1))
                entries.removeAll { $0.fact.at < fact.at }
                (isCut, secure) = (false, secure.suffix(1))
            }
            if let last = entries.last, (last.fact.at, last.rank) > (fact.at, Self.rank(fact.process)) {
                isSorted = false
            }
            entries.append(Entry(fact: fact, rank: Self.rank(fact.process)))
            if let word { note(word, fact) }
        }
        trim(to: Self.factLimit + Self.factLimit / 4)
    }

    /// Whether a landing comes after a quiet time. Facts that it made in other processes may be here already.
    private func beginsWindow(_ landing: ResolvedFact) -> Bool {
        guard down.isEmpty else { return false }
        let earlier = entries.lazy.map(\.fact.at).filter { $0 < landing.at }.max()
        return earlier.map { $0.duration(to: landing.at) >= Self.quiet } ?? true
    }

    /// Notes what an app shows. A window in which a secure window was shown has no positions.
    public mutating func note(_ tree: ViewTree, of app: AppID, at moment: Instant) {
        guard let view = tree.secureWindow else { return }
        secure = [ScreenChange(at: moment, app: app, scene: nil, order: nil, views: [view])]
    }

    /// Forgets everything, because another group has started.
    public mutating func reset() {
        let revision = revision + 1
        self = LiveRecord(zero: zero, width: width, height: height)
        self.revision = revision
    }

    /// In the order in which an event passes the processes: facts of one moment are read in this order.
    private static func rank(_ process: String) -> Int {
        switch process {
        case "input-kit": 0
        case "system-server": 1
        case "supervisor": 2
        default: 3 + (Int(process.drop { !$0.isNumber }) ?? 0)
        }
    }

    private mutating func trim(to limit: Int) {
        guard entries.count > limit else { return }
        sort()
        let surplus = entries.count - Self.factLimit
        measure(until: entries[surplus - 1].fact.at)
        entries.removeFirst(surplus)
        isCut = true
    }

    private mutating func sort() {
        guard !isSorted else { return }
        // The facts of one process come in order; a stable order needs their places.
        entries = entries.enumerated().sorted {
            ($0.element.fact.at, $0.element.rank, $0.offset) < ($1.element.fact.at, $1.element.rank, $1.offset)
        }.map(\.element)
        isSorted = true
    }

    // MARK: Latencies

    /// Notes what a fact says about the present: which fingers are down.
    private mutating func note(_ word: FactTemplate, _ fact: ResolvedFact) {
        guard fact.process == "input-kit" else { return }
        let contact = fact.number(at: 0)
        switch word {
        case .contactDown: down[contact, default: 0] += 1
        case .contactUp, .contactCancelled:
            let others = (down[contact] ?? 1) - 1
            down[contact] = others > 0 ? others : nil
        case .serverLost: down = [:]
        default: return
        }
    }

    /// Adds the latencies of touches whose facts have arrived from all processes by now.
    public mutating func measureLatencies(at now: Instant) {
        sort()
        measure(until: now.advanced(byNanoseconds: -Self.settling.nanoseconds))
    }

    /// Follows the touches of the facts up to a moment, which are all here, in the order of their times.
    private mutating func measure(until moment: Instant) {
        for entry in entries where entry.fact.at > measuredUntil && entry.fact.at <= moment {
            guard let word = FactTemplate(rawValue: entry.fact.template) else { continue }
            ways.follow(word, entry.fact, into: &latencies)
        }
        measuredUntil = max(measuredUntil, moment)
    }

    // MARK: The record

    /// Folds the window.
    public mutating func record(at now: Instant) -> RunRecord {
        let earliest = now.advanced(byNanoseconds: -Self.age.nanoseconds)
        measureLatencies(at: now)
        let old = entries.prefix { $0.fact.at < earliest }.count
        if old > 0 {
            entries.removeFirst(old)
            isCut = true
        }
        trim(to: Self.factLimit)
        let facts = entries.map(\.fact)
        let begin = facts.first?.at ?? now
        var observed = ObservedRun(facts: facts, zero: begin, begin: begin)
        if isCut { observed.gaps = ["earlier facts are no longer in this window"] }
        var record = RunRecord(RecordedRun(observed, screens: secure, width: width, height: height))
        // Screens are sent as pictures, and all messages count from one moment.
        (record.screens, record.zero, record.begin) = ([], zero, begin)
        record.end = max(facts.last?.at ?? begin, begin)
        return record
    }
}
