// CampaignPlan.swift: reads the plan of a campaign from a YAML file.
//
// All mistakes of a file are reported, one line each. `CampaignKey.all` is the only list of keys: the reader, its errors and
// Docs/Reference/Campaigns.md use it.
//
// Knows     YAML and files. The commands check what their options mean.

import Basics
public import Campaigns
import Yams

/// A key of a campaign's file.
package struct CampaignKey: Sendable {
    /// The value of a key, and the limits of a number.
    package enum Value: Sendable {
        case word
        case path
        case whole(ClosedRange<UInt64>)
        case number(ClosedRange<Double>)
        case flag
        case seeds
        case paths
        case section
    }

    /// Where the key stands.
    package enum Place: Hashable, Sendable {
        case file, shrink
        /// In a search of any of these kinds.
        case search([CampaignSearch.Kind])
    }

    package let name: String
    package let place: Place
    package let value: Value
    /// The value of a file without the key, as text; `required` for none.
    package let missing: String
    package let meaning: String

    private init(_ name: String, _ place: Place, _ value: Value, _ missing: String, _ meaning: String) {
        (self.name, self.place, self.value, self.missing, self.meaning) = (name, place, value, missing, meaning)
    }

    private static let limit = UInt64(1) << 53

    package static let all: [CampaignKey] = [
        CampaignKey("name", .file, .word, "required", "the name of the campaign, as in its report"),
        CampaignKey(
            "attempts", .file, .whole(1...100), "3", "how often a shard is started before it is given up"),
        CampaignKey("coverage", .file, .flag, "true", "whether simulated seeds collect what they reached"),
        CampaignKey("shrink", .file, .section, "", "the reduction of failing seeds"),
        CampaignKey("searches", .file, .section, "required", "a list of searches"),
        CampaignKey(
            "seeds", .shrink, .whole(0...10_000), "20", "how many failing seeds of a law and a text are reduced"),
        CampaignKey("tries", .shrink, .whole(0...1_000_000), "2000", "how many runs one reduction may take"),
        CampaignKey("kind", .search(CampaignSearch.Kind.allCases), .word, "required", "what runs"),
        CampaignKey(
            "name", .search(CampaignSearch.Kind.allCases), .word, "the kind",
            "the name of the search, unique in the file: lower-case letters, digits and hyphens"),
        CampaignKey(
            "seeds", .search([.simulate, .monkey, .conform, .fuzz]), .seeds, "required", "the seeds: `7` or `1..1000`"),
        CampaignKey("mutants", .search([.mutants]), .seeds, "required", "the numbers of the mutants: `1..35`"),
        CampaignKey(
            "shard", .search([.simulate, .monkey, .conform]), .whole(1...1_000_000),
            "200 (simulate), 2000 (monkey), 10 (conform)", "the number of seeds that one worker runs at a time"),
        CampaignKey(
            "timeout", .search([.simulate, .monkey]), .number(0.1...86_400), "that of the command",
            "the limit of one seed, in seconds"),
        CampaignKey("minutes", .search([.simulate, .mutants]), .number(0.001...1440), "1", "as `--minutes`"),
        CampaignKey("faults", .search([.simulate]), .path, "Config/Faults/standard.yaml", "as `--faults`"),
        CampaignKey("scenario", .search([.simulate]), .path, "an empty window", "as `--scenario`"),
        CampaignKey("app", .search([.simulate]), .word, "none", "as `--app`"),
        CampaignKey("links", .search([.simulate]), .path, "the measured delays", "as `--links`"),
        CampaignKey("fixed", .search([.simulate]), .flag, "false", "as `--fixed`"),
        CampaignKey(
            "rehearse", .search([.simulate, .monkey]), .word, "none",
            "as `--rehearse`: failures on purpose, to see a report with failures"),
        CampaignKey("events", .search([.monkey]), .whole(1...10_000), "40", "as `--events`"),
        CampaignKey("mode", .search([.conform]), .word, "each mode of a scenario", "as `--mode`"),
        CampaignKey("files", .search([.conform]), .paths, "Tests/Conformance", "scenario files, folders or ids"),
        CampaignKey("apps", .search([.simulate, .exhaust]), .whole(1...128), "drawn, or 2", "as `--apps`"),
        CampaignKey("fingers", .search([.exhaust]), .whole(1...2), "2", "as `--fingers`"),
        CampaignKey("crashes", .search([.exhaust]), .whole(0...1), "1", "as `--crashes`"),
        CampaignKey("acts", .search([.exhaust]), .whole(0...1), "1", "as `--acts`"),
        CampaignKey("scans", .search([.exhaust]), .whole(0...100), "3", "as `--scans`"),
        CampaignKey("steps", .search([.exhaust]), .whole(0...100), "12", "as `--steps`"),
        CampaignKey(
            "program", .search([.fuzz, .mutants]), .path, "required",
            "the program of `Tools/fuzz` with the target, or the `touchline` of `Tools/mutants`"),
        CampaignKey("target", .search([.fuzz]), .word, "required", "the target of the fuzzer"),
        CampaignKey(
            "runs", .search([.fuzz, .mutants]), .whole(1...limit), "100000 (fuzz), 100 (mutants)",
            "inputs for each seed of a fuzzer; simulated seeds for each mutant"),
    ]

    fileprivate func stands(in kind: CampaignSearch.Kind) -> Bool {
        if case .search(let kinds) = place { kinds.contains(kind) } else { false }
    }
}

extension CampaignPlan {
    /// Reads a file.
    ///
    /// - Parameter path: The path as the person wrote it; errors contain it.
    public init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Configuration.text(of: path), file: path)
    }

    /// Parses a file.
    ///
    /// - Throws: All mistakes of the file.
    public init(yaml: String, file: String) throws(InvalidConfiguration) {
        let read = try CampaignReader.read(yaml: yaml, file: file) { $0.plan($1) }
        guard let plan = read ?? nil else {
            throw InvalidConfiguration([
                ConfigurationError(file: file, problem: "expected name and searches, found nothing")
            ])
        }
        self = plan
    }
}

private struct CampaignReader: DocumentReader {
    var complaints: Complaints

    /// More shards than a folder and a queue should have.
    private static let shardLimit: UInt64 = 100_000
    private static let searchLimit = 100

    /// - Returns: Nil when the file has a mistake, which is noted.
    mutating func plan(_ root: Node) -> CampaignPlan? {
        let keys = CampaignKey.all.filter { $0.place == .file }
        let values = values(of: root, called: "a campaign", keys)
        guard let name = values.text("name") else { return nil }
        guard let node = values["searches"] else { return nil }
        var plan = CampaignPlan(name: name, searches: searches(node))
        if let attempts = values.number("attempts") { plan.attempts = Int(attempts) }
        if let flag = values.flag("coverage") { plan.collectsCoverage = flag }
        if let node = values["shrink"] {
            let shrink = self.values(of: node, called: "shrink", CampaignKey.all.filter { $0.place == .shrink })
            if let seeds = shrink.number("seeds") { plan.shrinking.seeds = Int(seeds) }
            if let tries = shrink.number("tries") { plan.shrinking.tries = Int(tries) }
        }
        let shards = plan.searches.reduce(UInt64(0)) { $0 + ($1.count + $1.shardSize - 1) / $1.shardSize }
        if shards > Self.shardLimit {
            complain(
                root,
                "searches: expected at most \(Self.shardLimit) shards, found \(shards): a larger `shard` gives fewer")
        }
        return plan
    }

    private mutating func searches(_ node: Node) -> [CampaignSearch] {
        guard case .sequence(let sequence) = node, (1...Self.searchLimit).contains(sequence.count) else {
            complain(node, "searches: expected a list of 1 to \(Self.searchLimit) searches, found \(described(node))")
            return []
        }
        var found: [CampaignSearch] = []
        for entry in sequence {
            guard let search = search(entry) else { continue }
            if found.contains(where: { $0.name == search.name }) {
                complain(entry, "name: expected another name than \(search.name), which an earlier search has")
            }
            found.append(search)
        }
        return found
    }

    private mutating func search(_ node: Node) -> CampaignSearch? {
        guard case .mapping(let mapping) = node else {
            complain(node, "a search: expected keys and values, found \(described(node))")
            return nil
        }
        let kinds = CampaignSearch.Kind.allCases.map(\.rawValue)
        guard let word = mapping["kind"] else {
            complain(node, "a search: expected kind, one of \(kinds.joined(separator: " "))")
            return nil
        }
        guard let kind = CampaignSearch.Kind(rawValue: word.scalar?.string ?? "") else {
            complain(
                word,
                "kind: expected one of \(kinds.joined(separator: " ")), found \(described(word))"
                    + suggestion(word.scalar?.string ?? "", kinds))
            return nil
        }
        let before = complaints.errors.count
        let values = values(of: node, called: kind.rawValue, CampaignKey.all.filter { $0.stands(in: kind) })
        let name = values.text("name") ?? kind.rawValue
        if name.isEmpty || name.count > 40 || !name.utf8.allSatisfy(Self.isNamePart) {
            complain(
                values["name"], "name: expected 1 to 40 lower-case letters, digits and hyphens, found \(quoted(name))")
        }
        guard complaints.errors.count == before else { return nil }
        let seeds = values.seeds("seeds") ?? values.seeds("mutants") ?? 1...1
        var search = CampaignSearch(name: name, kind: kind, seeds: seeds, shardSize: values.number("shard"))
        search.program = values.text("program")
        search.timeout = values.text("timeout").flatMap { Double($0) }
        search.words = words(of: kind, values)
        return search
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The options of the command of a kind.
    private func words(of kind: CampaignSearch.Kind, _ values: Values) -> [String] {
        func options(_ names: String...) -> [String] {
            names.flatMap { name in values.text(name).map { ["--\(name)", $0] } ?? [] }
        }
        switch kind {
        case .simulate:
            return options("scenario", "app", "faults", "links", "minutes", "apps", "rehearse")
                + (values.flag("fixed") == true ? ["--fixed"] : [])
        case .monkey: return options("events", "rehearse")
        case .conform: return options("mode") + values.list("files")
        case .exhaust: return options("apps", "fingers", "crashes", "acts", "scans", "steps")
        case .fuzz: return [values.text("target") ?? "", "-runs=\(values.number("runs") ?? 100_000)"]
        case .mutants: return ["--seed", "1..\(values.number("runs") ?? 100)"] + options("minutes")
        }
    }

    // MARK: Values

    /// The checked values of a mapping.
    private struct Values {
        var nodes: [(name: String, node: Node)] = []

        subscript(name: String) -> Node? { nodes.first { $0.name == name }?.node }
        func text(_ name: String) -> String? { self[name]?.scalar?.string }
        func number(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }
        func flag(_ name: String) -> Bool? { text(name).map { $0 == "true" } }
        func seeds(_ name: String) -> ClosedRange<UInt64>? { text(name).flatMap(CampaignReader.range) }
        func list(_ name: String) -> [String] {
            guard let node = self[name] else { return [] }
            if case .sequence(let sequence) = node { return sequence.compactMap { $0.scalar?.string } }
            return node.scalar.map { [$0.string] } ?? []
        }
    }

    /// Checks the keys of a mapping and their values.
    ///
    /// - Returns: The values without a mistake.
    private mutating func values(of node: Node, called name: String, _ keys: [CampaignKey]) -> Values {
        var values = Values()
        var seen: [String] = []
        let known = keys.map(\.name)
        for (key, value) in entries(of: node, called: name) {
            let word = key.scalar?.string ?? ""
            guard let key = keys.first(where: { $0.name == word }) else {
                complain(key, of: name, expectedOneOf: known)
                continue
            }
            seen.append(word)
            if let problem = Self.problem(of: value, key.value) {
                complain(value, "\(name).\(word): \(problem), found \(described(value))")
            } else {
                values.nodes.append((word, value))
            }
        }
        if case .mapping = node {
            for key in keys where key.missing == "required" && !seen.contains(key.name) {
                complain(node, "\(name): expected \(key.name), \(key.meaning)")
            }
        }
        return values
    }

    /// What a value should be; nil if it is that.
    private static func problem(of node: Node, _ value: CampaignKey.Value) -> String? {
        let text = node.scalar?.string
        switch value {
        case .word, .path: return text.map { !$0.isEmpty && !$0.contains("\n") } == true ? nil : "expected one word"
        case .whole(let limits):
            let isFine = text.flatMap { UInt64($0) }.map(limits.contains) == true
            return isFine ? nil : "expected a whole number from \(limits.lowerBound) to \(limits.upperBound)"
        case .number(let limits):
            let isFine = text.flatMap { Double($0) }.map(limits.contains) == true
            return isFine
                ? nil : "expected a number from \(short(limits.lowerBound)) to \(short(limits.upperBound))"
        case .flag: return text == "true" || text == "false" ? nil : "expected true or false"
        case .seeds:
            return text.flatMap(range) == nil
                ? "expected a number or a range such as 1..1000, at most \(1 << 53)" : nil
        case .paths:
            if case .sequence(let sequence) = node, !sequence.isEmpty, sequence.allSatisfy({ $0.scalar != nil }) {
                return nil
            }
            return text.map { !$0.isEmpty } == true ? nil : "expected a list of files"
        case .section: return text == nil ? nil : "expected a section"
        }
    }

    private static func range(_ text: String) -> ClosedRange<UInt64>? {
        let dots = text.contains("...") ? "..." : ".."
        let words = text.split(separator: dots, omittingEmptySubsequences: false)
        // A setting is a number that a Double holds whole.
        guard words.count <= 2, let first = words.first.flatMap({ UInt64($0) }),
            let last = words.last.flatMap({ UInt64($0) }), first <= last, last <= 1 << 53
        else { return nil }
        return first...last
    }
}
