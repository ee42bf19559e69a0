// RunRecorder.swift: what a simulated run keeps of everything that happens in its world.
//
//     World ─ occurrences ─▶ Audit, digest of all effects, disks that fill, journals
//
// Fed by    World, in causal order
// Feeds     SimulatedRun: the report, the digest, the journals
// Knows     occurrences. No script, no faults.
//
// Sources   invented

import Audit
import Basics
import Hosting
import Journals

/// The folds over one group after another, until a run is over.
final class RunRecorder {
    // One run has it, on one thread, and neither calls back.
    @exclusivity(unchecked) var audit: Audit
    @exclusivity(unchecked) var digest = EffectDigest()
    /// Of the processes with a disk that will be full.
    @exclusivity(unchecked) var disks: [SimulatedDisk] = []
    @exclusivity(unchecked) var journals: [SimulatedJournal] = []
    let keepsJournals: Bool

    init(_ audit: Audit, keepsJournals: Bool) { (self.audit, self.keepsJournals) = (audit, keepsJournals) }

    /// A group has ended, and another begins: it is judged by itself.
    func renew(at moment: Instant) -> AuditReport {
        let report = audit.finish(at: moment)
        audit = Audit(audit.options)
        return report
    }

    func take(_ occurrence: Occurrence) {
        for index in disks.indices { disks[index].take(occurrence) }
        switch occurrence {
        case .step(let step):
            audit.take(step)
            digest.combine(step.effects)
            guard keepsJournals, let index = journals.lastIndex(where: { $0.life == step.life }) else { return }
            journals[index].inputs.append((step.at, step.input))
        case .began(let life, at: _):
            audit.take(occurrence)
            if keepsJournals { journals.append(SimulatedJournal(life: life)) }
        case .ended(let life, at: _, let status):
            audit.take(occurrence)
            guard let index = journals.lastIndex(where: { $0.life == life }) else { return }
            journals[index].ended = status
        case .lost: audit.take(occurrence)
        }
    }
}
