// Entry.swift: an app of another machine and its server, before and beside frames.
//
// FarSide.swift and Lives.swift are the host's own, by links to them: what is behind them is sockets.

import FuzzDriver

enum Target: String, FuzzTarget {
    /// A packet at either door; or a link, with a server that is honest or says anything.
    case remote

    func run(_ bytes: [UInt8]) { expectLaws(ofRemote: bytes) }
}

@_cdecl("FuzzRemote_main")
public func begin(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    fuzz(Target.self, count, arguments)
}
