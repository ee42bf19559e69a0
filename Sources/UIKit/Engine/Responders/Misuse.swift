// Misuse.swift: what a phone raises an exception for.
//
// An app that breaks one of UIKit's rules ends, here as there: with one sentence that names the object and the rule.
// What UIKit tolerates is tolerated. A broken promise of our own is a `preconditionFailure` instead.

/// Ends the program, in every build, unless the rule is kept.
@inline(__always)
func demand(_ isKept: Bool, _ sentence: @autoclosure () -> String) {
    if !isKept { fatalError(sentence()) }
}
