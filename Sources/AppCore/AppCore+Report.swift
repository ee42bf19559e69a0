// AppCore+Report.swift: the report of an app for the supervisor.
//
// Station   process
// Input     the supervisor's request
// Output    Report
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Trace
import UIKit
package import Wire

extension AppCore {
    /// The counters and states of this app.
    package var report: Report {
        var report = Report(peer: order.peer, capacity: 32)
        report.add("state", text: process.isReady ? "ready" : "starting")
        report.add("applicationState", text: application.applicationState.reportText)
        report.add("link", text: server.link.phase.rawValue)
        let scene = application.sceneFrame
        report.add("scene", text: "\(scene.origin.x) \(scene.origin.y) \(scene.size.width) \(scene.size.height)")
        if application.orientation != .portrait { report.add("orientation", text: "\(application.orientation)") }
        report.add("epoch", server.epoch)
        report.add("generation", order.generation)
        report.add("frames.received", server.link.received.rawValue)
        report.add("quiet", flag: isQuiet)
        report.add("touches.live", application.touchTracker.liveTouches.count)
        report.add("contacts.down", delivery.fingers.contacts.count)
        report.add("inputs.held", delivery.held.inputs.count)
        report.add("inbox.depth", fetcher.depth)
        report.add("queue.depth", mainLoop.queue.count)
        report.add("credit", fetcher.credit)
        report.add("frames", delivery.counters.frames)
        report.add("events", mainLoop.finished.eventCount)
        report.add("began", mainLoop.finished.totals.began)
        report.add("moved", mainLoop.finished.totals.moved)
        report.add("ended", mainLoop.finished.totals.ended)
        report.add("cancelled", mainLoop.finished.totals.cancelled)
        report.add("dropped", delivery.counters.dropped)
        report.add("dropped.ignoredUntilLift", delivery.counters.ignored)
        report.add("refused", refusals.count)
        report.add("frames.duplicate", server.link.counters.duplicates)
        report.add("frames.missing", server.link.counters.missing)
        report.add("frames.fenced", server.link.counters.fenced)
        report.add("timers.once", mainLoop.timerCounts.once)
        report.add("timers.repeating", mainLoop.timerCounts.repeating)
        return report
    }

    /// The report for a server on another machine, which has not started this app.
    var remoteReport: Report {
        var report = report
        report.add("shows", text: contentText)
        return report
    }
}

extension UIApplication.State {
    fileprivate var reportText: String {
        switch self {
        case .active: "active"
        case .inactive: "inactive"
        case .background: "background"
        }
    }
}
