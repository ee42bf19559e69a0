// ReplayResult.swift: the input of a play compared with its result.

import Basics
import Wire

/// The result of a play.
struct ReplayResult {
    var file: String
    var recording: Playable
    var report: PlayReport
    /// The latencies of the scans; nil if they are not wanted.
    var latencies: HopLatencies?

    /// The losses of the play; nil without any.
    var losses: String? { report.losses }

    var text: [String] {
        var lines = ["\(file): \(recording.summary)"]
        if let remark = recording.remark { lines.append(remark) }
        lines += aligned([
            ["", "frames", "began", "moved", "ended", "cancelled"],
            ["sent", "\(report.sent)"] + report.sentTouches.cells,
            ["arrived", "\(report.delivered + report.home)"] + report.arrivedTouches.cells,
        ])
        lines.append("in an app \(report.delivered), on the home screen \(report.home), dropped \(report.dropped)")
        if let takings = report.takings { lines.append(takings) }
        if report.coalesced > 0 {
            lines.append(
                "\(report.coalesced) moves were merged into later moves of the same finger, which arrived with them as "
                    + "coalesced touches: moved + merged = sent")
        }
        if let latencies {
            lines += [""] + latencies.table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return lines
    }

    var json: [String: Any] {
        let played: [String: Any] = [
            "file": file, "format": recording.format, "seconds": recording.duration.seconds,
            "axesAssumed": recording.axesAreAssumed,
            "failure": report.failure, "lost": losses != nil,
            "sent": report.sentTouches.json(frames: report.sent),
            "arrived": report.arrivedTouches.json(frames: report.answered),
            "delivered": Int(report.delivered), "home": Int(report.home), "dropped": Int(report.dropped),
            "coalesced": Int(report.coalesced), "taken": report.takenJSON,
        ]
        guard let latencies else { return played }
        return played.merging(latencies.json) { $1 }
    }
}
