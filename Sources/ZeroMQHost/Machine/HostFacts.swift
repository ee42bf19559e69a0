// HostFacts.swift: what a host does with the facts of its core: it writes them to a file, and keeps them for observers.
//
//     outbox.trace ─┬─ after each step, while a command observes ─▶ ObservedFacts ─▶ pages
//                   └─ before the process sleeps ─────────────────▶ TraceWriter
//
// Fed by    ZeroMQHost
// Knows     facts. No links.
//
// Sources   invented

import Trace
import Wire

struct HostFacts: ~Copyable {
    private var file: TraceWriter?
    private var observed = ObservedFacts()
    /// How many of the trace's facts have been kept for observers.
    private var seen = 0

    init(_ file: consuming TraceWriter?) { self.file = file }

    var isObserved: Bool { observed.isObserved }
    var hasFile: Bool { file != nil }

    /// Notes facts only while a file or an observer takes them.
    func begin(_ log: inout TraceLog) { log.isEnabled = file != nil || observed.isObserved }

    mutating func observe(_ observation: Observation, in log: inout TraceLog) {
        if !observed.isObserved { seen = log.facts.count }
        observed.take(observation)
        begin(&log)
    }

    /// The link that passed on the observers' requests is gone.
    mutating func forgetObservers(_ log: inout TraceLog) {
        observed.forgetAll()
        begin(&log)
    }

    /// Keeps the facts of a step, before an answer to an observer leaves in the same step: its page then has all of them.
    mutating func keep(_ log: inout TraceLog) {
        observed.take(log.facts[seen...])
        seen = log.facts.count
        guard file == nil else { return }
        log.removeFacts()
        seen = 0
    }

    func fill(_ page: inout FactPage, names: NameTable) { observed.fill(&page, names: names) }

    /// Writes all facts to the file.
    mutating func write(_ log: inout TraceLog) {
        if observed.isObserved { keep(&log) }
        file?.write(&log)
        seen = log.facts.count
    }

    /// Writes when more facts wait than may.
    mutating func writeIfMany(_ log: inout TraceLog) {
        if file != nil, log.facts.count > TraceWriter.patience { write(&log) }
    }

    /// Writes what waits at the end of the process.
    mutating func end(_ log: inout TraceLog) { file?.write(&log) }
}
