import Campaigns
import Configuration
import Foundation
import Testbed
import Testing

@Suite("The file of a campaign")
struct CampaignPlanTests {

    @Test("every key of a campaign's file is read")
    func whole() throws {
        let plan = try CampaignPlan(
            yaml: """
                name: nightly run
                attempts: 5
                coverage: false
                shrink: { seeds: 3, tries: 50 }
                searches:
                  - { kind: simulate, seeds: 1..1000, shard: 100, minutes: 0.5, faults: f.yaml, fixed: true, timeout: 9 }
                  - { kind: simulate, name: photo, seeds: 7, app: photo, apps: 2, links: l.yaml }
                  - { kind: monkey, seeds: 1..5000, events: 60 }
                  - { kind: conform, seeds: 1...30, mode: direct, files: [S29, Tests/Conformance/taps] }
                  - { kind: exhaust, apps: 1, fingers: 1, crashes: 0, acts: 0, scans: 2, steps: 10 }
                  - { kind: fuzz, program: fuzz-wire, target: wire, seeds: 1..4, runs: 500 }
                  - { kind: mutants, program: touchline, mutants: 1..35, runs: 40, minutes: 0.2 }
                """, file: "c.yaml")
        #expect(plan.name == "nightly run" && plan.attempts == 5 && !plan.collectsCoverage)
        #expect(plan.shrinking.seeds == 3 && plan.shrinking.tries == 50)
        #expect(
            plan.searches.map(\.name) == ["simulate", "photo", "monkey", "conform", "exhaust", "fuzz", "mutants"])
        #expect(
            plan.searches.map(\.words) == [
                ["--faults", "f.yaml", "--minutes", "0.5", "--fixed"],
                ["--app", "photo", "--links", "l.yaml", "--apps", "2"], ["--events", "60"],
                ["--mode", "direct", "S29", "Tests/Conformance/taps"],
                ["--apps", "1", "--fingers", "1", "--crashes", "0", "--acts", "0", "--scans", "2", "--steps", "10"],
                ["wire", "-runs=500"], ["--seed", "1..40", "--minutes", "0.2"],
            ])
        #expect(plan.searches.map(\.seeds) == [1...1000, 7...7, 1...5000, 1...30, 1...1, 1...4, 1...35])
        #expect(plan.searches[0].shardSize == 100 && plan.searches[1].shardSize == 200)
        #expect(plan.searches[0].timeout == 9 && plan.searches[5].program == "fuzz-wire")
    }

    @Test(
        "a mistake in a campaign's file is one line with its place, the expected and the found value",
        arguments: [
            ("searches: []", "c.yaml:1: a campaign: expected name, the name of the campaign, as in its report"),
            ("name: a", "c.yaml:1: a campaign: expected searches, a list of searches"),
            ("name: a\nsearches: 3", "c.yaml:2: a campaign.searches: expected a section, found \"3\""),
            ("name: a\nsearches: []", "c.yaml:2: searches: expected a list of 1 to 100 searches, found a list"),
            (
                "name: a\nsearchs: []\nsearches:\n  - { kind: exhaust }",
                "c.yaml:2: a campaign: expected one of name attempts coverage shrink searches, found \"searchs\", did you mean searches?"
            ),
            (
                "name: a\nsearches:\n  - { kind: simulat, seeds: 1 }",
                "c.yaml:3: kind: expected one of simulate monkey conform exhaust fuzz mutants, found \"simulat\", did you mean simulate?"
            ),
            (
                "name: a\nsearches:\n  - seeds: 1",
                "c.yaml:3: a search: expected kind, one of simulate monkey conform exhaust fuzz mutants"
            ),
            (
                "name: a\nsearches:\n  - kind: monkey\n    seeds: 9..1",
                "c.yaml:4: monkey.seeds: expected a number or a range such as 1..1000, at most 9007199254740992, found \"9..1\""
            ),
            (
                "name: a\nsearches:\n  - kind: monkey",
                "c.yaml:3: monkey: expected seeds, the seeds: `7` or `1..1000`"
            ),
            (
                "name: a\nsearches:\n  - kind: monkey\n    seeds: 1\n    minutes: 2",
                "c.yaml:5: monkey: expected one of kind name seeds shard timeout rehearse events, found \"minutes\""
            ),
            (
                "name: a\nsearches:\n  - kind: simulate\n    seeds: 1\n    minutes: long",
                "c.yaml:5: simulate.minutes: expected a number from 0.001 to 1440, found \"long\""
            ),
            (
                "name: a\nattempts: 0\nsearches:\n  - kind: exhaust",
                "c.yaml:2: a campaign.attempts: expected a whole number from 1 to 100, found \"0\""
            ),
            (
                "name: a\nsearches:\n  - { kind: exhaust }\n  - { kind: exhaust }",
                "c.yaml:4: name: expected another name than exhaust, which an earlier search has"
            ),
            (
                "name: a\nsearches:\n  - kind: exhaust\n    name: A b",
                "c.yaml:4: name: expected 1 to 40 lower-case letters, digits and hyphens, found \"A b\""
            ),
            (
                "name: a\nsearches:\n  - { kind: simulate, seeds: 1..10000000, shard: 1 }",
                "c.yaml:1: searches: expected at most 100000 shards, found 10000000: a larger `shard` gives fewer"
            ),
            ("", "c.yaml: expected name and searches, found nothing"),
        ])
    func mistakes(yaml: String, expected: String) {
        let error = #expect(throws: InvalidConfiguration.self) { try CampaignPlan(yaml: yaml, file: "c.yaml") }
        #expect(
            error?.description.split(separator: "\n").map(String.init).contains(expected) == true, "\(error as Any)")
    }

    @Test("the campaigns of Config/Campaigns can be read")
    func files() throws {
        let folder = Repository.root.appending(path: "Config/Campaigns")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!names.isEmpty)
        for name in names { _ = try CampaignPlan(contentsOf: folder.appending(path: name).path) }
    }

    @Test("Docs/Reference/Campaigns.md lists every key of a campaign's file")
    func page() {
        func table(_ keys: [CampaignKey]) -> String {
            let rows = keys.map { key in
                "| `\(key.name)` | \(key.value.text) | \(key.missing.isEmpty ? "–" : key.missing) | \(key.meaning) |"
            }
            return (["| key | value | default | meaning |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
        }
        let searches = CampaignSearch.Kind.allCases.map { kind in
            "### \(kind.rawValue)\n\n\(Self.meanings[kind] ?? "")\n\n"
                + table(CampaignKey.all.filter { $0.isKey(of: kind) })
        }
        let text = """
            # Campaigns

            Written by a test, from the reader's own table (`Sources/Configuration/CampaignPlan.swift`). The file of
            `touchline campaign` is YAML. An unknown key, a missing key and a value outside its limits are errors, each with its line
            ([Run a campaign](../HowTo/RunACampaign.md)).

            Paths are relative to the folder in which `touchline campaign` was started. A change of anything but `attempts` makes
            another plan, whose results are not mixed with earlier ones.

            ## The file

            \(table(CampaignKey.all.filter { $0.place == .file }))

            ### shrink

            \(table(CampaignKey.all.filter { $0.place == .shrink }))

            ## Searches

            \(searches.joined(separator: "\n\n"))

            """
        expectDocument("Docs/Reference/Campaigns.md", equals: text)
    }

    private static let meanings: [CampaignSearch.Kind: String] = [
        .simulate: "Seeds of `touchline simulate`. A failing seed is reduced. Each seed collects what it reached.",
        .monkey: "Seeds of `touchline monkey worlds`. A failing seed is reduced.",
        .conform: "Seeds of `touchline conform --order ios`. Each seed plays every scenario of `files`.",
        .exhaust: "One run of `touchline exhaust`, without seeds: the search is complete within its limits.",
        .fuzz:
            "Runs of a target of `Tools/fuzz`, one for each seed of libFuzzer. The program is built by `Tools/fuzz TARGET 1`.",
        .mutants:
            "Planted bugs of `Tools/mutants`. A mutant that no seed finds is a failure. The program is built by `Tools/mutants`.",
    ]
}

extension CampaignKey {
    fileprivate func isKey(of kind: CampaignSearch.Kind) -> Bool {
        if case .search(let kinds) = place { kinds.contains(kind) } else { false }
    }
}

extension CampaignKey.Value {
    /// The value as the page describes it.
    fileprivate var text: String {
        switch self {
        case .word: "a word"
        case .path: "a file"
        case .whole(let limits): "\(limits.lowerBound) to \(limits.upperBound)"
        case .number(let limits): "\(limits.lowerBound) to \(limits.upperBound)"
        case .flag: "`true` or `false`"
        case .seeds: "a number or a range"
        case .paths: "a list of files"
        case .section: "a section"
        }
    }
}
