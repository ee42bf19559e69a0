// UnaskedPackets.swift: how much a peer may send that it was not asked for.
//
//     a packet arrives: one token taken        a frame sent that wants an answer: one given back        time: `rate` a second
//
// Counted before a packet is decoded. What a peer answers costs it nothing, so an honest peer may be as fast as its
// receiver is: scans come back as receipts, touches are answered by receipts. What it was not asked for is little (a
// hello, a question how far the receiver is), and a peer that sends more of it than the limits allow is flooding.
//
// Sources   invented, after threat T6

import Basics
import Hosting
import Settings

extension TokenBucket.Limits {
    /// Packets.
    init(_ settings: Settings) {
        self.init(rate: settings[.hostPacketRate], burst: settings[.hostPacketBurst])
    }

    /// Of a controller: its frames count, not its packets.
    init(ofControllers settings: Settings) {
        self.init(rate: settings[.hostRequestRate], burst: settings[.hostRequestBurst])
    }
}
