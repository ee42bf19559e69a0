// UnsolicitedPackets.swift: the limits on frames that a peer sends without a request.
//
//     a packet arrives: one token taken      a frame sent that needs an answer: one returned      time: `rate` a second
//     it has more frames: one token for each of them
//
// A packet is counted before it is decoded, and its further frames before the core receives them. Answers cost a peer
// nothing, so an honest peer may be as fast as its receiver: receipts answer scans and touches. Unsolicited frames are
// few (a hello, a question about the receiver's progress, a declaration of windows). A peer that exceeds the limits is
// flooding.
//
// Sources   invented, after threat T6

import Basics
import Hosting
import Settings

extension TokenBucket.Limits {
    /// The limits on the frames of a process of the group.
    init(_ settings: Settings) {
        self.init(rate: settings[.hostPacketRate], burst: settings[.hostPacketBurst])
    }

    /// The limits on the frames of a controller.
    init(ofControllers settings: Settings) {
        self.init(rate: settings[.hostRequestRate], burst: settings[.hostRequestBurst])
    }
}
