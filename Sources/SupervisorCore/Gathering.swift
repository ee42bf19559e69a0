// Gathering.swift: the rounds in which every child is asked for a report, each bounded in time.
//
//     idle ──question──▶ a round: the children that listen are asked ──all have answered, or the deadline──▶ answered
//                              a question meanwhile waits for the next round, so that no answer is older than it
//
// Station   process
// Input     ControlBroker: questions, reports as they arrive, the deadline, deaths
// Output    the reports for each asking controller, one for each child, in the group's order
// Knows     controllers and children by name. No link, no clock.
//
// Sources   invented; a child that does not answer is itself an answer (`responding: false`)

import Basics
import Wire

/// The open round of reports and the questions that wait for the next one.
struct Gathering: Sendable {
    /// One round, as it was opened.
    struct Round: Sendable {
        fileprivate(set) var askers: [Peer]
        fileprivate var awaited: [Peer]
        fileprivate var reports: [Report] = []

        /// One report for each child, whether it has answered or not.
        func answers(from children: [Peer]) -> [Report] {
            children.map { child in
                reports.first { $0.peer == child }
                    ?? Report(peer: child, rows: [Report.Row("responding", .flag(false))])
            }
        }
    }

    /// The time that a child has to answer. Its main loop may be busy with an event; a child that takes longer counts
    /// as not responding.
    static let deadline = Duration.milliseconds(300)
    /// The most questions of one controller that wait: each of them causes as many answers as there are processes.
    static let questionLimit = 64
    /// The most reports that one round sends to all controllers.
    private static let answerLimit = 8192

    private var round: Round?
    private var waiting: [Peer] = []

    /// Adds a question.
    ///
    /// - Returns: False if too many questions of the controller wait.
    mutating func add(_ controller: Peer) -> Bool {
        guard waiting.count(where: { $0 == controller }) < Self.questionLimit else { return false }
        waiting.append(controller)
        return true
    }

    /// Opens a round for the waiting controllers, one question of each; their other questions wait for a later round.
    ///
    /// So no round has more answers than a host can send at once.
    ///
    /// - Returns: False if a round is open already, or no controller waits.
    mutating func open(among childCount: Int, listening: [Peer]) -> Bool {
        guard round == nil, !waiting.isEmpty else { return false }
        var (askers, later): ([Peer], [Peer]) = ([], [])
        let limit = max(1, Self.answerLimit / (childCount + 1))
        for asker in waiting {
            if askers.count < limit, !askers.contains(asker) { askers.append(asker) } else { later.append(asker) }
        }
        round = Round(askers: askers, awaited: listening)
        waiting = later
        return true
    }

    var isComplete: Bool { round?.awaited.isEmpty == true }

    mutating func close() -> Round? {
        defer { round = nil }
        return round
    }

    mutating func add(_ report: Report, from child: Peer) {
        guard round?.awaited.contains(child) == true else { return }
        // The host's sender counts, not the report's.
        round?.reports.append(Report(peer: child, rows: report.rows))
        stopAwaiting(child)
    }

    /// Notes that the child will not answer.
    mutating func stopAwaiting(_ child: Peer) { round?.awaited.removeAll { $0 == child } }

    mutating func forget(_ controller: Peer) {
        waiting.removeAll { $0 == controller }
        round?.askers.removeAll { $0 == controller }
    }

    /// Ends the round and forgets all questions.
    ///
    /// - Returns: The asking controllers, once for each question.
    mutating func end() -> [Peer] {
        defer { (round, waiting) = (nil, []) }
        return (round?.askers ?? []) + waiting
    }
}
