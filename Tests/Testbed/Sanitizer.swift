// Sanitizer.swift: whether these tests run under one (`Tools/test --sanitize`), for the few that one prevents.

import Foundation

/// The sanitizer that `Tools/test` built with.
public enum Sanitizer {
    /// `thread` or `address`; nil for none. A test that leaves something out because of it says so by name.
    public static let kind: String? = ProcessInfo.processInfo.environment["TOUCHLINE_SANITIZED"]
}
