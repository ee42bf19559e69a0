// Seeds.swift: a range of seeds on the command line.
//
// Input     the value of --seed: `7`, `1..100` or `1...100`, the last one included in both
// Output    Seeds, which `conform`, `simulate` and `monkey` go through in order

import ArgumentParser

/// A range of seeds.
struct Seeds: ExpressibleByArgument {
    let first: UInt64
    let last: UInt64
    var count: UInt64 { last - first + 1 }

    init(first: UInt64, last: UInt64) { (self.first, self.last) = (first, last) }

    init?(argument: String) {
        let words = argument.split(separator: argument.contains("...") ? "..." : "..", omittingEmptySubsequences: false)
        // A setting is a number that a Double holds whole.
        guard let first = words.first.flatMap({ UInt64($0) }), let last = words.last.flatMap({ UInt64($0) }),
            words.count <= 2, first <= last, last <= 1 << 53, last - first < 1_000_000
        else { return nil }
        (self.first, self.last) = (first, last)
    }

    static let allValueStrings: [String] = []
    var defaultValueDescription: String { description }

    /// The only seed, for a command that runs one.
    ///
    /// - Throws: `ValidationError` when this is a range.
    var single: UInt64 {
        get throws {
            guard count == 1 else { throw ValidationError("--seed: expected one seed, found \(self)") }
            return first
        }
    }

    /// The value name of --seed in help texts.
    static let valueName = "N|A..B"
    /// The value name of --seed in a command that runs one seed.
    static let singleValueName = "N"
}

extension Seeds: CustomStringConvertible {
    /// The range as --seed reads it: `7` or `1..100`.
    var description: String { count == 1 ? "\(first)" : "\(first)..\(last)" }
}
