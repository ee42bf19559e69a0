// Entry.swift: whole runs, as their journals record them.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// The journals of a group, changed by a writer that knows their format.
    case runs

    func run(_ bytes: [UInt8]) {
        switch self {
        case .runs: expectLaws(ofRun: bytes)
        }
    }
}

@_cdecl("FuzzRuns_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
