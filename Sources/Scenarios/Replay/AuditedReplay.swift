// AuditedReplay.swift: the replay of a group's journals, with an audit of its occurrences.
//
//    folder ─▶ ReplayedGroup ─▶ occurrences ─┬▶ Audit ─▶ AuditReport
//                                           └▶ the caller's closure
//
// Input     `touchline audit`, `touchline chaos`, tests
// Output    AuditReport
// Knows     the limits of the audit from the group's settings, and the faults from the orders in the journals
//
// Sources   invented

public import Audit
import Basics
import Faults
public import Hosting
import Journals
import Wire

/// One audited replay.
public struct AuditedReplay {
    private var group: ReplayedGroup
    private var audit: Audit
    /// The moment of the last occurrence.
    private var end = Instant.boot

    /// - Parameters:
    ///   - path: The run directory, or the folder of the journals.
    ///   - options: The limits of the audit. The replay sets the limits and the screen of the group, and that the run
    ///     is replayed.
    ///   - programs: The programs of users that the replay may start. The app of another one is not replayed.
    public init(
        folder path: String, options: AuditOptions = .live, programs: ReplayPrograms = ReplayPrograms()
    ) throws(ReplayError) {
        self.init(try ReplayedGroup(folder: path, programs: programs), options: options)
    }

    public init(_ group: ReplayedGroup, options: AuditOptions = .live) {
        self.group = group
        var options = options
        options.isReplayed = true
        if let settings = group.settings { options.apply(settings) }
        audit = Audit(options)
    }

    public var steps: UInt64 { group.steps }
    public var digests: UInt64 { group.digests }

    /// The incompleteness of the journals, a line for each problem. The list is complete after `run`.
    public var complaints: [String] {
        guard group.supervisor == nil else { return group.complaints }
        return group.complaints + ["supervisor: expected a journal of it, found none: the other processes are unknown"]
    }

    /// Runs the replay to its end or to the first difference. It can run once.
    ///
    /// - Parameter look: Called with each occurrence, after the audit.
    public mutating func run(_ look: (Occurrence) -> Void = { _ in }) -> AuditReport {
        while let occurrence = group.next() {
            switch occurrence {
            case .began(_, let moment), .ended(_, let moment, _): end = max(end, moment)
            case .lost(_, _, _, _, let moment, _): end = max(end, moment)
            case .step(let step):
                end = max(end, step.at)
                if case .frame(let frame, from: .supervisor) = step.input, case .chaos(let line) = frame.message {
                    disturb(line, at: step.at)
                }
            }
            audit.add(occurrence)
            look(occurrence)
        }
        if let difference = group.difference {
            audit.note(
                Violation(
                    .determinism, "\(difference)", at: difference.at,
                    evidence: [
                        Violation.Evidence(
                            process: difference.process, step: difference.step, at: difference.at,
                            text: "the first step whose effects differ, or the last that its digest is about")
                    ]))
        }
        if group.isUnfinished { audit.breakOff() }
        return audit.finish(at: end)
    }

    /// Records a fault as a disturbance. It lasts 500 ms longer than the fault, because a process needs time to come
    /// back.
    private mutating func disturb(_ line: String, at moment: Instant) {
        guard let fault = try? Fault(parsing: line) else { return }
        let losesFrames = fault.kind == .stop || fault.kind.isOfLinks
        let end = moment.advanced(by: fault.at).advanced(by: fault.length).advanced(by: .milliseconds(500))
        audit.disturb(
            AuditOptions.Disturbance(from: moment, until: end, peer: fault.target, explainsLoss: losesFrames))
    }
}
