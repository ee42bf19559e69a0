// Entry.swift: input-kit among devices, files and servers that the input plays.

import FuzzDriver
import FuzzHost

enum Target: String, FuzzTarget {
    case input = "input-kit"

    func run(_ bytes: [UInt8]) {
        switch self {
        case .input: InputStage.run(bytes)
        }
    }
}

@_cdecl("FuzzInput_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
