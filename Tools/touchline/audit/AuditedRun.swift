// AuditedRun.swift: the findings of an audit, as lines and as JSON.

import Audit
import Basics
import Hosting
import Wire

/// The findings of an audit.
struct AuditedRun {
    let folder: String
    let report: AuditReport
    let digests: UInt64
    /// The missing parts of the journals.
    let complaints: [String]

    /// The reason why the run is not clean; nil when it is.
    var failure: String? {
        if report.violationCount > 0 { return counted(report.violationCount, "violation") }
        if !complaints.isEmpty { return "the journals are incomplete" }
        return nil
    }

    // MARK: Text

    var text: [String] {
        var lines = [
            "\(counted(report.processCount, "process", "processes")), \(counted(report.steps, "step")), "
                + "\(counted(digests, "digest")) compared"
        ]
        lines += balance("scans", report.scans)
        lines += balance("frames", report.frames)
        lines.append(
            "touches   \(report.touches) of \(counted(report.fingers, "finger"))"
                + list(EndCause.allCases.map { (words("\($0)"), report[$0]) }, before: " = ")
                + (report.liveTouches > 0 ? " + alive \(report.liveTouches)" : ""))
        lines.append(
            "links     lost \(report.links.lost), received twice \(report.links.duplicates), fenced \(report.links.fenced), "
                + "refused \(report.links.refused)")
        for violation in report.violations {
            lines.append("\(violation.law.rawValue)  \(time(violation.at))  \(violation.text)")
            for evidence in violation.evidence {
                lines.append(
                    "      \(evidence.process) step \(evidence.step) at \(time(evidence.at)): \(evidence.text)")
            }
        }
        let kept = UInt64(report.violations.count)
        if report.violationCount > kept { lines.append("and \(report.violationCount - kept) more") }
        lines.append(
            report.violationCount == 0
                ? "every law was kept" + notJudged
                : "broken: "
                    + Law.allCases.enumerated().filter { report.violationsByLaw[$0.offset] > 0 }
                    .map { "\($0.element.rawValue) \(counted(report.violationsByLaw[$0.offset], "time"))" }
                    .joined(separator: ", "))
        return lines
    }

    private var notJudged: String {
        let laws = Law.allCases.filter { !report.lawsJudged.contains($0) }
        return laws.isEmpty ? "" : "; not judged: " + laws.map(\.rawValue).joined(separator: ", ")
    }

    private func balance(_ name: String, _ balance: AuditReport.Balance) -> [String] {
        let label = name.padding(to: 10)
        var lines = [
            label + "injected \(balance.injected) = "
                + Fate.allCases.map { "\($0) \(balance[$0])" }.joined(separator: " + ")
                + "; in flight \(balance.inFlight)"
        ]
        let reasons = list(Receipt.Reason.allCases.map { (words("\($0)"), balance[$0]) }, before: "")
        if !reasons.isEmpty { lines.append("  dropped " + reasons) }
        return lines
    }

    private func list(_ counts: [(String, UInt64)], before: String) -> String {
        let parts = counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "" : before + parts.joined(separator: " + ")
    }

    private func time(_ moment: Instant) -> String { "\(moment)" }

    private func counted(_ count: UInt64, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? "\(one)s")"
    }

    /// Splits a name into words: `ownerDied` becomes `owner died`.
    private func words(_ name: String) -> String {
        var text = ""
        for letter in name {
            if letter.isUppercase { text += " " }
            text += letter.lowercased()
        }
        return text
    }

    // MARK: JSON

    var json: [String: Any] {
        [
            "folder": folder, "isClean": failure == nil, "processes": number(report.processCount),
            "steps": number(report.steps),
            "digests": number(digests), "missing": complaints, "scans": object(report.scans),
            "home": number(report.home), "frames": object(report.frames), "fingers": number(report.fingers),
            "touches": [
                "began": number(report.touches), "alive": number(report.liveTouches),
                "ended": Dictionary(uniqueKeysWithValues: EndCause.allCases.map { ("\($0)", number(report[$0])) }),
            ] as [String: Any],
            "links": [
                "lost": number(report.links.lost), "duplicate": number(report.links.duplicates),
                "fenced": number(report.links.fenced),
                "refused": number(report.links.refused),
            ],
            "lawsJudged": report.lawsJudged.map(\.rawValue),
            "violationCount": number(report.violationCount),
            "violations": report.violations.map { violation in
                [
                    "law": violation.law.rawValue, "text": violation.text, "at": violation.at.nanoseconds,
                    "evidence": violation.evidence.map { evidence in
                        [
                            "process": "\(evidence.process)", "step": number(evidence.step),
                            "at": evidence.at.nanoseconds, "text": evidence.text,
                        ] as [String: Any]
                    },
                ] as [String: Any]
            },
        ]
    }

    private func object(_ balance: AuditReport.Balance) -> [String: Any] {
        var object: [String: Any] = ["injected": number(balance.injected), "inFlight": number(balance.inFlight)]
        for fate in Fate.allCases { object["\(fate)"] = number(balance[fate]) }
        let reasons = Receipt.Reason.allCases.filter { $0 != .none }
        object["droppedBy"] = Dictionary(uniqueKeysWithValues: reasons.map { ("\($0)", number(balance[$0])) })
        return object
    }

    private func number(_ count: UInt64) -> Int { Int(clamping: count) }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
