// Entry.swift: the system server among peers that the input plays.

import FuzzDriver
import FuzzHost

enum Target: String, FuzzTarget {
    case server

    func run(_ bytes: [UInt8]) {
        switch self {
        case .server: ServerStage.run(bytes)
        }
    }
}

@_cdecl("FuzzServer_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
