// Misuse.swift: ends an app that breaks a rule of UIKit, where a phone raises an exception.
//
// The message is one sentence that names the object and the rule. Misuse that UIKit tolerates is tolerated. An error in
// UIKit itself is a `preconditionFailure` instead.

/// Ends the program, in every build, unless the rule is kept.
@inline(__always)
func demand(_ isKept: Bool, _ sentence: @autoclosure () -> String) {
    if !isKept { fatalError(sentence()) }
}
