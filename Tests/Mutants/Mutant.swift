// Mutant.swift: which bug is planted. Copied into Sources/Basics by Tools/mutants, in a build of its own.

import Glibc

/// Whether the bug of this number is in force: TOUCHLINE_MUTANT says which one is, read once.
public func mutant(_ number: Int) -> Bool { active == number }

private let active = getenv("TOUCHLINE_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
