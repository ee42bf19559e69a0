// UnsolicitedPackets.swift: the limits on packets that a peer sends without a request.
//
//     a packet arrives: one token taken      a frame sent that needs an answer: one returned      time: `rate` a second
//
// Packets are counted before they are decoded. Answers cost a peer nothing, so an honest peer may be as fast as its
// receiver: receipts answer scans and touches. Unsolicited packets are few (a hello, a question about the receiver's
// progress). A peer that exceeds the limits is flooding.
//
// Sources   invented, after threat T6

import Basics
import Hosting
import Settings

extension TokenBucket.Limits {
    /// The limits on the packets of a process of the group.
    init(_ settings: Settings) {
        self.init(rate: settings[.hostPacketRate], burst: settings[.hostPacketBurst])
    }

    /// The limits on the frames of a controller: its frames are counted, not its packets.
    init(ofControllers settings: Settings) {
        self.init(rate: settings[.hostRequestRate], burst: settings[.hostRequestBurst])
    }
}
