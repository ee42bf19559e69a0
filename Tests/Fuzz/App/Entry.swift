// Entry.swift: an app whose server is played by the input.

import FuzzDriver
import FuzzHost

enum Target: String, FuzzTarget {
    case app

    func run(_ bytes: [UInt8]) {
        switch self {
        case .app: AppStage.run(bytes)
        }
    }
}

@_cdecl("FuzzApp_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
