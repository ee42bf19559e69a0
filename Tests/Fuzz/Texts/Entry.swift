// Entry.swift: readers of texts that a person writes.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// A scenario, with its scene, script and expected lines.
    case scene
    /// A configuration file, and a monkey profile.
    case configuration

    func run(_ bytes: [UInt8]) {
        switch self {
        case .scene: expectLaws(ofScene: bytes)
        case .configuration: expectLaws(ofConfiguration: bytes)
        }
    }
}

@_cdecl("FuzzTexts_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
