// Version.swift: the version that `touchline --version` prints.

import Journals
import Wire

/// The versions that decide whether two programs and a run's files fit together.
enum Version {
    /// Semantic version of the programs.
    static let number = "0.9.0"

    /// One line with the versions of the programs, of the wire and of the journals.
    static var text: String {
        "touchline \(number), wire \(Frame.version), journal \(Journal.behaviorVersion)"
    }
}
