// Mutant.swift: chooses the planted bug. Tools/mutants copies this file into Sources/Basics of a build of its own.

import Glibc

/// Whether the bug with this number is active. TOUCHLINE_MUTANT gives the number and is read once.
public func mutant(_ number: Int) -> Bool { active == number }

private let active = getenv("TOUCHLINE_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
