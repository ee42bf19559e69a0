// TouchWays.swift: the latencies of landings and lifts, followed through the facts of the processes in the order of time.
//
//     contact n down ─▶ contact n → app, touch t ─▶ touch t began        the landing's latency: from the first to the last
//     contact n up ────────────────────────────────▶ touch t ended       the lift's
//
// input-kit numbers the contacts of each device. Two devices may have contacts of one number at once: their facts cannot
// be told apart, and have no latency.
//
// Input     LiveRecord: facts by time; of one time in the order of processes
// Output    LatencyHistogram
// Knows     facts by their templates
//
// Sources   invented

import Basics
import Explain
import Trace

/// The touches whose facts have not all come.
struct TouchWays: Sendable {
    private struct Contact: Sendable {
        var down: Instant
        var touch: Int64?
        var up: Instant?
        var isAmbiguous = false
        var hasBegun = false
    }

    private var contacts: [Int64: Contact] = [:]
    /// The contact of a touch.
    private var owners: [Int64: Int64] = [:]

    /// The most touches that are followed at once.
    private static let limit = 256

    /// Follows one fact.
    mutating func follow(_ word: FactTemplate, _ fact: ResolvedFact, into latencies: inout LatencyHistogram) {
        let number = fact.number(at: 0)
        switch (fact.process, word) {
        case ("input-kit", .contactDown):
            let before = contacts[number]
            let isAmbiguous = before.map { $0.up == nil || $0.isAmbiguous && $0.touch != nil } ?? false
            if let touch = before?.touch { owners[touch] = nil }
            contacts[number] = Contact(down: fact.at, isAmbiguous: isAmbiguous)
        case ("input-kit", .contactUp): contacts[number]?.up = fact.at
        case ("input-kit", .contactCancelled): forget(contact: number)
        case ("input-kit", .serverLost): (contacts, owners) = ([:], [:])
        case ("system-server", .routed):
            guard contacts[number]?.touch == nil else { return }
            contacts[number]?.touch = fact.number(at: 2)
            owners[fact.number(at: 2)] = number
        case (_, .touchBegan):
            // A second fact belongs to another window.
            guard let owner = owners[number], let contact = contacts[owner], !contact.hasBegun else { return }
            contacts[owner]?.hasBegun = true
            if !contact.isAmbiguous { latencies.add(contact.down.duration(to: fact.at)) }
        case (_, .touchEnded):
            guard let owner = owners[number], let contact = contacts[owner] else { return }
            if let up = contact.up, !contact.isAmbiguous { latencies.add(up.duration(to: fact.at)) }
            forget(contact: owner)
        default: return
        }
        if contacts.count > Self.limit { (contacts, owners) = ([:], [:]) }
    }

    private mutating func forget(contact: Int64) {
        if let touch = contacts.removeValue(forKey: contact)?.touch { owners[touch] = nil }
    }
}
