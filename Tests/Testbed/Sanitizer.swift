// Sanitizer.swift: whether these tests run under a sanitizer (`Tools/test --sanitize`), for the few tests that cannot.

import Foundation
public import Testing

/// The sanitizer that `Tools/test` built with.
public enum Sanitizer {
    /// `thread` or `address`; nil for none. A test that skips a check because of the sanitizer names it in its output.
    public static let kind: String? = ProcessInfo.processInfo.environment["TOUCHLINE_SANITIZED"]

    /// The limit of a test that would never end if it failed. It is longer than the whole suite takes, because the clock
    /// of a test starts with the suite and the test may wait for all others.
    public static let timeLimit: TimeLimitTrait.Duration = .minutes(kind == nil ? 40 : 120)

    /// The number of seeds for a test of simulated groups: `count`, and a tenth of it under ThreadSanitizer. A simulated
    /// group runs on one thread, where that sanitizer finds nothing and takes thirty times as long.
    public static func seeds(_ count: UInt64) -> UInt64 { kind == "thread" ? max(1, count / 10) : count }
}
