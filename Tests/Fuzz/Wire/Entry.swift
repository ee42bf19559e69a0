// Entry.swift: readers of what the group's processes say to each other, and of what their hosts keep of it.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// A packet.
    case wire
    /// What a process was given, as its host kept it.
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
