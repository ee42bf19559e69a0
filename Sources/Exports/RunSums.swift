// RunSums.swift: the counts of one run: scans, contacts, touches, actions, facts by station.
//
// Input     facts, by time
// Output    `touchline export --format openmetrics`, tests that compare the exports of a run
// Knows     facts by their templates. No file format.
//
// Sources   invented

import Explain
package import Trace

/// The counts of one run.
package struct RunSums: Hashable, Sendable {
    /// The phase of a contact or of a touch.
    package enum Phase: String, CaseIterable, Sendable { case began, moved, ended, cancelled }

    /// A count with the process that noted the facts.
    package struct Entry<Key: Hashable & Sendable>: Hashable, Sendable {
        package var process: String
        package var key: Key
    }

    /// The scans that input-kit sent.
    package private(set) var scans = 0
    /// The contacts of devices in these scans, by phase; stationary contacts are not counted.
    package private(set) var contacts: [Phase: Int] = [:]
    /// The touches in apps, by process and phase.
    package private(set) var touches: [Entry<Phase>: Int] = [:]
    /// The calls of actions and selections, by process.
    package private(set) var actions: [String: Int] = [:]
    /// The facts without conformance lines, by process and station.
    package private(set) var facts: [Entry<Station>: Int] = [:]
    /// The processes of the facts, in the order of their first one.
    package private(set) var processes: [String] = []

    package init() {}

    package init(of facts: some Sequence<ResolvedFact>) { for fact in facts { add(fact) } }

    package mutating func add(_ fact: ResolvedFact) {
        guard !fact.isProbe else { return }
        facts[Entry(process: fact.process, key: fact.station), default: 0] += 1
        if !processes.contains(fact.process) { processes.append(fact.process) }
        guard let word = FactTemplate(rawValue: fact.template) else { return }
        switch word {
        case .scan where fact.station == .frame: scans += 1
        case .contactDown: contacts[.began, default: 0] += 1
        case .contactMoved: contacts[.moved, default: 0] += 1
        case .contactUp: contacts[.ended, default: 0] += 1
        case .contactCancelled: contacts[.cancelled, default: 0] += 1
        case .touchBegan: touches[Entry(process: fact.process, key: .began), default: 0] += 1
        case .touchMoved: touches[Entry(process: fact.process, key: .moved), default: 0] += 1
        case .touchEnded: touches[Entry(process: fact.process, key: .ended), default: 0] += 1
        case .touchCancelled: touches[Entry(process: fact.process, key: .cancelled), default: 0] += 1
        case .action, .selected: actions[fact.process, default: 0] += 1
        case .pair where fact.station == .action: actions[fact.process, default: 0] += 1
        default: return
        }
    }
}
