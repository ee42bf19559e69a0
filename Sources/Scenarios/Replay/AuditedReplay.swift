// AuditedReplay.swift: a group's journals done again, and audited as they go.
//
//    folder ─▶ ReplayedGroup ─▶ occurrences ─┬▶ Audit ─▶ AuditReport
//                                           └▶ whoever else wants to see them
//
// The audit holds the group to what the group itself was told, and knows of faults what their orders say.
//
// Fed by    `touchline audit`, `touchline chaos`, tests
//
// Sources   invented

public import Audit
import Basics
import Faults
public import Hosting
import Journals
import Wire

public struct AuditedReplay {
    private var group: ReplayedGroup
    private var audit: Audit
    /// The group's end is in none of its journals: it still runs, or was killed.
    private var isUnfinished = false
    /// The last moment that anything happened at.
    private var end = Instant.boot

    /// - Parameter options: What the run is held to; its limit, its screen and that it is replayed it says itself.
    public init(folder path: String, options: AuditOptions = .live) throws(ReplayError) {
        self.init(try ReplayedGroup(folder: path), options: options)
    }

    public init(_ group: ReplayedGroup, options: AuditOptions = .live) {
        self.group = group
        var options = options
        options.isReplayed = true
        if let settings = group.settings { options.take(settings) }
        audit = Audit(options)
    }

    public var steps: UInt64 { group.steps }
    public var digests: UInt64 { group.digests }

    /// What is missing from the picture, a line each. Whole once it has run.
    public var complaints: [String] {
        guard group.supervisor == nil else { return group.complaints }
        return group.complaints + ["supervisor: expected a journal of it, found none: who else there was nobody says"]
    }

    /// Once, to its end or to the first difference.
    ///
    /// - Parameter look: Sees what the audit sees, after it.
    public mutating func run(_ look: (Occurrence) -> Void = { _ in }) -> AuditReport {
        while let occurrence = group.next() {
            switch occurrence {
            case .began(let life, let moment):
                end = max(end, moment)
                if life.peer == .supervisor { isUnfinished = true }
            case .ended(let life, let moment, _):
                end = max(end, moment)
                if life.peer == .supervisor { isUnfinished = false }
            case .lost(_, _, _, _, let moment, _): end = max(end, moment)
            case .step(let step):
                end = max(end, step.at)
                if case .frame(let frame, from: .supervisor) = step.input, case .chaos(let line) = frame.message {
                    disturb(line, at: step.at)
                }
            }
            audit.take(occurrence)
            look(occurrence)
        }
        if let difference = group.difference {
            audit.note(
                Violation(
                    .determinism, "\(difference)", at: difference.at,
                    evidence: [
                        Violation.Evidence(
                            life: difference.life, step: difference.step, at: difference.at,
                            text: "the first step whose effects differ, or the last that its digest is about")
                    ]))
        }
        if isUnfinished { audit.breakOff() }
        return audit.finish(at: end)
    }

    /// What was done to somebody on purpose lasts a little longer than its fault: a process has to come back.
    private mutating func disturb(_ line: String, at moment: Instant) {
        guard let fault = try? Fault(parsing: line) else { return }
        let losesFrames = fault.word == .stop || fault.word.isOfLinks
        let end = moment.advanced(by: fault.at).advanced(by: fault.length).advanced(by: .milliseconds(500))
        audit.disturb(
            AuditOptions.Disturbance(from: moment, until: end, peer: fault.target, explainsLoss: losesFrames))
    }
}
