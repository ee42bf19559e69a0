// HostFacts.swift: the host's use of the core's facts: it writes them to a file and keeps them for observers.
//
//     outbox.trace ─┬─ after each step, while a command observes ─▶ ObservedFacts ─▶ pages
//                   └─ before the process sleeps ─────────────────▶ TraceWriter
//
// Input     ZeroMQHost
// Knows     facts. No links.
//
// Sources   invented

import Trace
import Wire

/// The trace file of a process and its observers.
struct HostFacts: ~Copyable {
    private var file: TraceWriter?
    private var observed = ObservedFacts()
    /// The number of facts in the log that have been kept for observers.
    private var keptCount = 0

    init(_ file: consuming TraceWriter?) { self.file = file }

    var isObserved: Bool { observed.isObserved }
    var hasFile: Bool { file != nil }

    /// Enables the log only while a file or an observer uses its facts.
    func begin(_ log: inout TraceLog) { log.isEnabled = file != nil || observed.isObserved }

    mutating func observe(_ observation: Observation, in log: inout TraceLog) {
        if !observed.isObserved { keptCount = log.facts.count }
        observed.handle(observation)
        begin(&log)
    }

    /// Removes all observers, because the link that carries their requests has ended.
    mutating func forgetObservers(_ log: inout TraceLog) {
        observed.forgetAll()
        begin(&log)
    }

    /// Keeps the facts of a step for observers. This happens before an answer of the same step leaves, so that its page
    /// contains all of them.
    mutating func keepForObservers(_ log: inout TraceLog) {
        observed.append(log.facts[keptCount...])
        keptCount = log.facts.count
        guard file == nil else { return }
        log.removeFacts()
        keptCount = 0
    }

    func fill(_ page: inout FactPage, names: NameTable) { observed.fill(&page, names: names) }

    /// Writes all facts to the file.
    mutating func write(_ log: inout TraceLog) {
        if observed.isObserved { keepForObservers(&log) }
        file?.write(&log)
        keptCount = log.facts.count
    }

    /// Writes the facts if more of them wait than the limit.
    mutating func writeIfMany(_ log: inout TraceLog) {
        if file != nil, log.facts.count > TraceWriter.factLimit { write(&log) }
    }

    /// Writes the remaining facts at the end of the process.
    mutating func end(_ log: inout TraceLog) { file?.write(&log) }
}
