// Entry.swift: readers of the frames between processes, and of the journals that hosts keep.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// A packet.
    case wire
    /// The journal of a process's inputs.
    case lives = "life-journal"

    func run(_ bytes: [UInt8]) {
        switch self {
        case .wire: expectLaws(ofPacket: bytes)
        case .lives: expectLaws(ofJournal: bytes)
        }
    }
}

@_cdecl("FuzzWire_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
