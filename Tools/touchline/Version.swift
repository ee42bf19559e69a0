// Version.swift: the version that `touchline --version` prints. The number stands here and nowhere else (Tools/release).
//
// A build knows its commit only if TOUCHLINE_COMMIT names it. SwiftPM keeps an evaluated manifest and would name an earlier
// commit, if the manifest asked git itself.

import CBuild
import Journals
import Wire

/// The versions that decide whether two programs and a run's files fit together.
enum Version {
    /// Semantic version of the programs and of the package's tags.
    static let number = "0.9.0"

    /// The commit, at most 12 digits; nil if the build was not told.
    static let commit: String? = {
        let commit = String(cString: build_commit())
        return commit.isEmpty ? nil : String(commit.prefix(12))
    }()

    /// The compiler's version, without its last part.
    static let swift: String = {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }()

    /// One line with the versions of the programs, of the wire, of the journals and of the compiler.
    static var text: String {
        let commit = commit.map { ", commit \($0)" } ?? ""
        return "touchline \(number)\(commit), wire \(Frame.version), journal \(Journal.behaviorVersion), Swift \(swift)"
    }
}
