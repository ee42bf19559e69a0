// RunRecorder.swift: the record of a simulated run.
//
//     World ─ occurrences ─▶ Audit, digest of all effects, full disks, journals
//
// Input     World, in causal order
// Output    SimulatedRun: the report, the digest, the journals
// Knows     occurrences; no script, no faults
//
// Sources   invented

import Audit
import Basics
import Hosting
import Journals

/// The folds over one group after another, until a run ends.
final class RunRecorder {
    // One run uses them on one thread, and neither calls back. So the exclusivity checks are off.
    @exclusivity(unchecked) var audit: Audit
    @exclusivity(unchecked) var digest = EffectDigest()
    /// The journals of the processes that meet a full disk.
    @exclusivity(unchecked) var disks: [SimulatedDisk] = []
    @exclusivity(unchecked) var journals: [SimulatedJournal] = []
    /// What the run has reached; nil when nothing is collected.
    @exclusivity(unchecked) var coverage: RunCoverage?
    let keepsJournals: Bool

    init(_ audit: Audit, keepsJournals: Bool) { (self.audit, self.keepsJournals) = (audit, keepsJournals) }

    /// Ends the audit of one group and begins the audit of the next.
    func renew(at moment: Instant) -> AuditReport {
        let report = audit.finish(at: moment)
        audit = Audit(audit.options)
        return report
    }

    func record(_ step: Step) {
        for index in disks.indices { disks[index].record(.step(step)) }
        audit.add(step)
        if coverage != nil { coverage?.record(step) }
        guard keepsJournals, let index = journals.lastIndex(where: { $0.process == step.process }) else { return }
        journals[index].inputs.append((step.at, step.input))
    }

    /// Records an effect of the step that was recorded last.
    func record(_ effect: Effect) { digest.combine(effect) }

    func record(_ occurrence: Occurrence) {
        if case .step(let step) = occurrence {
            record(step)
            for effect in step.effects { record(effect) }
            return
        }
        for index in disks.indices { disks[index].record(occurrence) }
        audit.add(occurrence)
        switch occurrence {
        case .began(let process, at: _): if keepsJournals { journals.append(SimulatedJournal(process: process)) }
        case .ended(let process, at: _, let status):
            guard let index = journals.lastIndex(where: { $0.process == process }) else { return }
            journals[index].ended = status
        case .step, .lost: return
        }
    }
}
