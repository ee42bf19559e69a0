// InputKitCore+Report.swift: the report of input-kit for the supervisor.
//
// Station   device, frame
// Input     the supervisor's request
// Output    Report
//
// Sources   invented

import HID
import Hosting
import Links
import Trace
import Wire

extension InputKitCore {
    var status: Report {
        var report = Report(peer: .inputKit, capacity: 32)
        report.add("link", text: sender.link.phase.rawValue)
        report.add("epoch", sender.link.epoch)
        report.add("generation", order.generation)
        report.add("play", text: player.state.rawValue)
        report.add("play.unanswered", player.unanswered)
        report.add("markers", markers.count)
        report.add("unanswered", unanswered.count)
        report.add("unanswered.discarded", unanswered.forgotten)
        report.add("contacts.live", liveContactCount)
        report.add("inputs.held", played.held.inputs.count)
        report.add("credit", sender.link.credit)
        report.add("frames.sent", sender.count)
        report.add("receipts", counters.receipts)
        report.add("receipts.stray", counters.strayReceipts)
        report.add("plays", counters.plays)
        report.add("faults.device", counters.faults)
        report.add("recordings.assumedRanges", counters.recordings.assumedRanges)
        report.add("recordings.ignoredLines", counters.recordings.ignoredLines)
        report.add("recordings.ignoredContacts", counters.recordings.ignoredContacts)
        report.add("recordings.timesBackwards", counters.recordings.timesBackwards)
        report.add("frames.fenced", sender.link.counters.fenced)
        report.add("frames.missing", sender.link.counters.missing)
        report.add("frames.lost", counters.lost)
        report.add("suspensions", counters.absences)
        report.add("refused", counters.refusals.count)
        live.report(into: &report)
        return report
    }
}
