// Entry.swift: an app of another machine and its server, at the start of a link and during it.
//
// RemoteLink.swift, LatestGenerations.swift and PeerClock.swift are symbolic links to the host's sources; the rest of the host is
// sockets.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// A packet at either end of a new connection; or a link, with a legal server or one that sends anything.
    case remote

    func run(_ bytes: [UInt8]) { expectLaws(ofRemote: bytes) }
}

@_cdecl("FuzzRemote_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
