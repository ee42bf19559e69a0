// FailureGroup.swift: failures grouped by law and smallest cause.
//
// The cause of a failure is made of the smallest input that still fails: its words without times, positions and numbers,
// each once. A failure that was not reduced joins the group with a cause whose failures had its law and its text without
// numbers before they were reduced, if there is one such group. Otherwise it is in a group by law and text.
//
//     1513ms kill app1              ┐
//     down f1 (96.5,312) @1.42      ├─▶ down, kill app, up
//     up f1 @1.61                   ┘
//
// Input     CampaignSum
// Output    CampaignReport
//
// Sources   invented; groups after the crash buckets of fuzzers, with the reduced input in place of a stack

/// Failures of one law with one cause.
public struct FailureGroup: Hashable, Codable, Sendable {
    public var law: String
    /// What the law expected and found, without numbers.
    public var text: String
    /// The words of the smallest inputs; empty for a group of failures that were not reduced.
    public var cause: [String]
    /// The failures, in the order of the plan.
    public var members: [Member]

    /// A failure of a group.
    public struct Member: Hashable, Codable, Sendable {
        public var search: String
        public var seed: UInt64
        public var again: String
        public var reduction: Reduction?
    }

    /// The member with the fewest lines, and of these the first.
    public var smallest: Member? {
        members.filter { $0.reduction?.isFound == true }.min {
            ($0.reduction?.lines.count ?? .max) < ($1.reduction?.lines.count ?? .max)
        } ?? members.first
    }

    /// Groups failures.
    ///
    /// - Parameter failures: In the order of the plan.
    /// - Returns: The groups with a cause, in the order of their first reduced members, then the others. Members that
    ///   were not reduced come last.
    static func groups(of failures: [CampaignSum.Failed], _ reductions: [ShardResult]) -> [FailureGroup] {
        var found: [String: Reduction] = [:]
        for result in reductions {
            guard case .reduction(let seed, let law) = result.shard.work else { continue }
            found["\(result.shard.search) \(seed) \(law)"] = result.reduction
        }
        var groups: [FailureGroup] = []
        var places: [String: Int] = [:]
        // By law and text before the reduction: the group with a cause that such failures are in; nil for several groups.
        var causes: [String: Int?] = [:]
        var others: [(text: String, member: Member, law: String)] = []
        for failed in failures {
            let failure = failed.failure
            let reduction = found["\(failed.search) \(failure.seed) \(failure.law)"]
            let member = Member(
                search: failed.search, seed: failure.seed, again: failure.again, reduction: reduction)
            let before = masked(failure.text)
            guard let reduction, reduction.isFound else {
                others.append((before, member, failure.law))
                continue
            }
            let words = words(of: reduction.lines)
            let cause = words.isEmpty ? [emptyCause] : words
            let place = Self.place(
                FailureGroup(law: failure.law, text: masked(reduction.text), cause: cause, members: []), in: &groups,
                &places)
            groups[place].members.append(member)
            let key = "\(failure.law)\n\(before)"
            if let known = causes[key], known != place {
                causes[key] = .some(nil)
            } else {
                causes[key] = .some(place)
            }
        }
        for other in others {
            let known = causes["\(other.law)\n\(other.text)"] ?? nil
            let place =
                known
                ?? Self.place(
                    FailureGroup(law: other.law, text: other.text, cause: [], members: []), in: &groups, &places)
            groups[place].members.append(other.member)
        }
        return groups
    }

    /// The cause of a failure that needs neither a fault nor a finger.
    static let emptyCause = "no input at all"

    /// Returns the place of the group with this law, text and cause, which is added if there is none.
    private static func place(
        _ group: FailureGroup, in groups: inout [FailureGroup], _ places: inout [String: Int]
    ) -> Int {
        let key = ([group.law, group.text] + group.cause).joined(separator: "\n")
        if let place = places[key] { return place }
        places[key] = groups.count
        groups.append(group)
        return groups.count - 1
    }

    /// A text with `#` for each number.
    static func masked(_ text: String) -> String {
        var masked = ""
        var isNumber = false
        for character in text {
            let isDigit = character.isASCII && character.isNumber
            if isDigit {
                if !isNumber { masked.append("#") }
                isNumber = true
            } else if isNumber, character == "." {
                continue
            } else {
                masked.append(character)
                isNumber = false
            }
        }
        return masked
    }

    /// The words of an input, one text a line, without times, positions and numbers: each text once, sorted.
    static func words(of lines: [String]) -> [String] {
        var texts: [String] = []
        for line in lines {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { word -> String? in
                guard let first = word.first, first.isLetter || first == "-" else { return nil }
                var word = String(word)
                while let last = word.last, last.isNumber { word.removeLast() }
                // `f1` is a finger; `for` is the word before a fault's duration.
                guard word.count > 1, word != "for" else { return nil }
                return word
            }
            let text = words.joined(separator: " ")
            if !text.isEmpty, !texts.contains(text) { texts.append(text) }
        }
        return texts.sorted()
    }
}
