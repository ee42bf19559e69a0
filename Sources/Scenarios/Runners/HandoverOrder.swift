// HandoverOrder.swift: the order of two apps' lines about one act.
//
// Input     a merged trace of real processes
// Output    Playback
//
// When one app replaces another, the server sends messages to both, first to the one and then to the other. The
// scheduler decides which process prints first, and that is not part of a scenario. On a virtual clock the first
// receiver prints first, so the lines of real processes are sorted in the same way.
//
// Sources   invented

import Basics
package import Trace
import Wire

extension [TraceLine] {
    /// The time after an act in which its lines are searched; longer than a message to an app takes.
    private static var reach: Duration { .milliseconds(50) }

    /// The same lines. Lines of apps that received a message about one act are sorted by app, in the order of the
    /// messages.
    package var sortedByHandover: [TraceLine] {
        var lines = self
        var index = lines.startIndex
        while index < lines.endIndex {
            let told = lines.notifiedApps(from: index)
            if told.apps.count > 1 { lines.sortLines(of: told.apps, after: lines[index].at) }
            index = told.end
        }
        return lines
    }

    /// Returns the apps that the server sends something to at the moment of this line, and the index after these lines.
    private func notifiedApps(from start: Int) -> (apps: [String], end: Int) {
        var apps: [String] = []
        var end = start
        while end < endIndex, self[end].at == self[start].at {
            if let app = self[end].notifiedApp, !apps.contains(app) { apps.append(app) }
            end += 1
        }
        return (apps, end)
    }

    private mutating func sortLines(of apps: [String], after moment: Instant) {
        // A later act of the server may cause further lines.
        let next =
            first { $0.at > moment && $0.process == "\(Peer.systemServer)" && !$0.isEndOfOpening }?.at ?? .never
        let end = Swift.min(next, moment.advanced(by: Self.reach))
        let places = indices.filter {
            self[$0].isProbe && self[$0].at >= moment && self[$0].at < end && apps.contains(self[$0].process)
        }
        let sorted = apps.flatMap { app in places.map { self[$0] }.filter { $0.process == app } }
        for (index, line) in zip(places, sorted) { self[index] = line }
    }
}

extension TraceLine {
    /// Whether the line is `app 2: open 1 is over: opened`, a note without a message to an app.
    fileprivate var isEndOfOpening: Bool { station == .app && text.contains(" ended: ") }

    /// `app1`, if this line is the server's note of a message about that app's life cycle.
    fileprivate var notifiedApp: String? {
        guard !isProbe, !isEndOfOpening, station == .app, process == "\(Peer.systemServer)", text.hasPrefix("app ")
        else { return nil }
        return text.firstIndex(of: ":").map { "app\(text[..<$0].dropFirst(4))" }
    }
}
