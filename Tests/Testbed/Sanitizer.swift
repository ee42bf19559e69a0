// Sanitizer.swift: whether these tests run under one (`Tools/test --sanitize`), for the few that one prevents.

import Foundation
public import Testing

/// The sanitizer that `Tools/test` built with.
public enum Sanitizer {
    /// `thread` or `address`; nil for none. A test that leaves something out because of it says so by name.
    public static let kind: String? = ProcessInfo.processInfo.environment["TOUCHLINE_SANITIZED"]

    /// The limit of a test that would never end if it failed. Under a sanitizer it waits, begun, for all the others.
    public static let patience: TimeLimitTrait.Duration = .minutes(kind == nil ? 1 : 120)
}
