// Entry.swift: the cores that have no windows, everybody else played by the input.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// The system server among peers.
    case server
    /// Input-kit among devices, files and servers.
    case input = "input-kit"

    func run(_ bytes: [UInt8]) {
        switch self {
        case .server: expectServerLaws(bytes)
        case .input: expectInputLaws(bytes)
        }
    }
}

@_cdecl("FuzzServer_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
