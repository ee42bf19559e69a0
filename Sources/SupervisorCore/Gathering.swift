// Gathering.swift: one round of asking every child how it is, bounded in time.
//
// Station   process
// Fed by    SupervisorCore: reports as they come, the deadline, deaths
// Feeds     the reports sent to whoever asked, one a child, in the group's order
//
// Sources   invented; a child that does not answer is itself an answer (`responding: false`)

import Basics
import Wire

struct Gathering {
    /// A child's main loop may be busy with an event; longer than this and "not responding" is the truth.
    static let deadline = Duration.milliseconds(300)

    /// Who asked.
    var askers: [Peer]
    private var awaited: [Peer]
    private var reports: [Report] = []

    init(for askers: [Peer], from children: [Peer]) { (self.askers, awaited) = (askers, children) }

    var isComplete: Bool { awaited.isEmpty }

    mutating func take(_ report: Report, from child: Peer) {
        guard awaited.contains(child) else { return }
        // The sender is who the host says it is, whatever it wrote.
        reports.append(Report(peer: child, rows: report.rows))
        giveUp(on: child)
    }

    mutating func giveUp(on child: Peer) { awaited.removeAll { $0 == child } }

    /// One report a child, present or not.
    func answers(from children: [Peer]) -> [Report] {
        children.map { child in
            reports.first { $0.peer == child }
                ?? Report(peer: child, rows: [Report.Row("responding", .flag(false))])
        }
    }
}
