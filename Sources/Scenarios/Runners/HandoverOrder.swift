// HandoverOrder.swift: the one order in which two apps hear of one act.
//
// Fed by    a merged trace of real processes
// Feeds     Playback
//
// When one app goes and another comes, the server tells first the one and then the other, and each tells itself in a
// process of its own: which of them prints first is the scheduler's choice, and no part of a scenario. On a virtual
// clock the one told first is done first; so it is here.
//
// Sources   invented

import Basics
package import Trace
import Wire

extension [TraceLine] {
    /// How long after an act its lines are looked for: longer than an app takes to hear of it.
    private static var reach: Duration { .milliseconds(50) }

    /// The same lines; those of apps that were told of one act by app, in the order of telling.
    package var byOrderOfTelling: [TraceLine] {
        var lines = self
        var index = lines.startIndex
        while index < lines.endIndex {
            let told = lines.appsTold(from: index)
            if told.apps.count > 1 { lines.sortLines(of: told.apps, after: lines[index].at) }
            index = told.end
        }
        return lines
    }

    /// Whom the server tells something at the moment of this line, and where that ends.
    private func appsTold(from start: Int) -> (apps: [String], end: Int) {
        var apps: [String] = []
        var end = start
        while end < endIndex, self[end].at == self[start].at {
            if let app = self[end].toldApp, !apps.contains(app) { apps.append(app) }
            end += 1
        }
        return (apps, end)
    }

    private mutating func sortLines(of apps: [String], after moment: Instant) {
        // What the server does next may be why an app says more.
        let next =
            first { $0.at > moment && $0.process == "\(Peer.systemServer)" && !$0.isEndOfOpening }?.at ?? .never
        let end = Swift.min(next, moment.advanced(by: Self.reach))
        let places = indices.filter {
            self[$0].isProbe && self[$0].at >= moment && self[$0].at < end && apps.contains(self[$0].process)
        }
        let sorted = apps.flatMap { app in places.map { self[$0] }.filter { $0.process == app } }
        for (place, line) in zip(places, sorted) { self[place] = line }
    }
}

extension TraceLine {
    /// `app 2: open 1 is over: opened`: the note tells no app anything.
    fileprivate var isEndOfOpening: Bool { station == .app && text.contains(" is over: ") }

    /// `app1`, when this is the server's note that it tells that app of its life.
    fileprivate var toldApp: String? {
        guard !isProbe, !isEndOfOpening, station == .app, process == "\(Peer.systemServer)", text.hasPrefix("app ")
        else { return nil }
        return text.firstIndex(of: ":").map { "app\(text[..<$0].dropFirst(4))" }
    }
}
