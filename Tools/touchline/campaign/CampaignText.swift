// CampaignText.swift: the report of a campaign as text and as JSON.

import Basics
import Campaigns
import Foundation

extension CampaignReport {
    func printResult(asJSON json: Bool) throws {
        guard !json else { return try printJSON(self) }
        for line in lines { printLine(line) }
    }

    /// The report, a fact a line.
    var lines: [String] {
        var lines: [String] = []
        for search in searches {
            let rate = search.seedsPerWorkerSecond
            lines.append(
                "\(search.name): \(search.seedsDone) of \(search.seeds) seeds in \(search.shardsDone) of "
                    + "\(search.shards) shards, \(fixedText(rate, digits: 1)) seeds/s each worker: "
                    + (search.failed == 0 ? "none failed" : "\(search.failed) failed"))
            if let bound = search.failureBound {
                lines.append("    at most \(Self.share(bound)) of seeds fail (95 % confidence)")
            }
            if let saturation = search.saturation { lines.append("    " + saturation.text) }
            for kind in search.unreached ?? [] where !kind.names.isEmpty {
                let more = kind.names.count > 6 ? ", … (all with --json or --page)" : ""
                lines.append(
                    "    not reached: \(kind.names.count) of \(kind.possible) \(kind.title): "
                        + kind.names.prefix(6).joined(separator: ", ") + more)
            }
        }
        for (number, group) in groups.enumerated() {
            lines.append("group \(number + 1): \(group.members.count) × \(group.law): \(group.text)")
            lines.append("    seeds \(group.seedsText)")
            if !group.cause.isEmpty { lines.append("    smallest cause: \(group.cause.joined(separator: ", "))") }
            guard let smallest = group.smallest else { continue }
            let again = smallest.reduction?.again ?? smallest.again
            for (index, line) in again.split(separator: "\n").enumerated() {
                lines.append("    \(index == 0 ? "again: " : "")\(line)")
            }
        }
        if reductionsWanted > 0 { lines.append("\(reductionsDone) of \(reductionsWanted) failing seeds reduced") }
        if duplicates > 0 { lines.append("duplicate results, not counted: \(duplicates)") }
        for shard in conflicts { lines.append("\(shard): two runs gave different results: one of them is counted") }
        if foreign > 0 { lines.append("results of another plan, not counted: \(foreign)") }
        if programs.count > 1 { lines.append("results of different programs: \(programs.joined(separator: "; "))") }
        let machines = hosts.map { "\($0.name) \($0.shards)" }.joined(separator: ", ")
        lines.append(
            "\(seedsDone) seeds, \(failed) failed in \(groups.count) \(groups.count == 1 ? "group" : "groups"); shards by "
                + "machine: \(machines.isEmpty ? "none" : machines)")
        return lines
    }

    /// `0.015 %`.
    static func share(_ share: Double) -> String { "\(Markup.short(share * 100)) %" }
}

extension FailureGroup {
    /// The first seeds of each search: `standard 4, 17, 80, …`.
    var seedsText: String {
        var searches: [String] = []
        for member in members where !searches.contains(member.search) { searches.append(member.search) }
        return searches.map { name in
            let own = members.filter { $0.search == name }.map { "\($0.seed)" }
            return "\(name) " + own.prefix(10).joined(separator: ", ") + (own.count > 10 ? ", …" : "")
        }.joined(separator: "; ")
    }
}

extension UnreachedFeatures {
    /// What the features are, in the plural.
    var title: String {
        switch kind {
        case "machine": "steps of machines"
        case "message": "messages"
        case "fault": "faults"
        case "faults": "pairs of faults"
        default: kind
        }
    }
}

extension Saturation {
    /// What was reached, and whether more seeds pay.
    var text: String {
        let verdict =
            paysMore
            ? "more seeds pay: about \(Int(nextDoubling.rounded())) more features in as many seeds again"
            : "more seeds do not pay: less than one new feature is expected in as many seeds again"
        let last = lastDoubling.map { ", \($0) of them in the second half" } ?? ""
        return "\(features) features reached\(last); \(verdict)"
    }
}
