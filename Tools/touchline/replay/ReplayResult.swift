// ReplayResult.swift: the input of a play compared with its result.

import Basics
import Wire

/// The result of a play.
struct ReplayResult {
    var file: String
    var recording: Playable
    var report: PlayReport

    /// The losses of the play; nil without any.
    var losses: String? { report.losses }

    var text: [String] {
        var lines = ["\(file): \(recording.summary)"]
        if let remark = recording.remark { lines.append(remark) }
        lines += aligned([
            ["", "frames", "began", "moved", "ended", "cancelled"],
            [
                "sent", "\(report.sent)", "\(report.sentBegan)", "\(report.sentMoved)", "\(report.sentEnded)",
                "\(report.sentCancelled)",
            ],
            [
                "arrived", "\(report.delivered + report.home)", "\(report.began)", "\(report.moved)", "\(report.ended)",
                "\(report.cancelled)",
            ],
        ])
        lines.append("in an app \(report.delivered), on the home screen \(report.home), dropped \(report.dropped)")
        if let takings = report.takings { lines.append(takings) }
        if report.coalesced > 0 { lines.append("\(report.coalesced) moves went with later ones, as coalesced touches") }
        return lines
    }

    var json: [String: Any] {
        [
            "file": file, "format": recording.format, "seconds": recording.duration.seconds,
            "axesAssumed": recording.axesAreAssumed,
            "failure": report.failure, "lost": losses != nil,
            "sent": [
                "frames": Int(report.sent), "began": Int(report.sentBegan), "moved": Int(report.sentMoved),
                "ended": Int(report.sentEnded), "cancelled": Int(report.sentCancelled),
            ],
            "arrived": [
                "frames": Int(report.answered), "began": Int(report.began), "moved": Int(report.moved),
                "ended": Int(report.ended), "cancelled": Int(report.cancelled),
            ],
            "delivered": Int(report.delivered), "home": Int(report.home), "dropped": Int(report.dropped),
            "coalesced": Int(report.coalesced), "taken": report.takenJSON,
        ]
    }
}
