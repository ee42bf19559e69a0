// Allowance.swift: how much a peer may say that nobody has asked it for.
//
//     a packet heard: one taken        a frame sent that wants an answer: one given back        time: `rate` a second
//
// Counted before a packet is decoded. What a peer answers costs it nothing, so an honest one may be as fast as its
// receiver is: scans come back as receipts, touches are answered by receipts. What nobody has asked for is little (a
// hello, a question how far one has heard), and a peer that says more of it than its allowance is flooding.
//
// Knows     moments and counts. No peer, no socket.
//
// Sources   invented, after PIPELINE.md T6

import Basics
import Settings

struct Allowance {
    struct Limits: Equatable {
        /// Packets a second, and at once.
        var rate: Double
        var burst: Double

        init(rate: Double, burst: Double) { (self.rate, self.burst) = (rate, burst) }

        init(_ settings: Settings) {
            self.init(rate: settings[.hostPacketRate], burst: settings[.hostPacketBurst])
        }

        /// Of a controller: its frames count, not its packets.
        init(ofControllers settings: Settings) {
            self.init(rate: settings[.hostRequestRate], burst: settings[.hostRequestBurst])
        }
    }

    private let limits: Limits
    private var left: Double
    private var at = Instant.boot

    init(_ limits: Limits) {
        self.limits = limits
        left = limits.burst
    }

    /// One packet has come, or so many frames.
    ///
    /// - Returns: False when that is too many.
    mutating func takes(_ count: Int = 1, at now: Instant) -> Bool {
        if at < now {
            left = min(limits.burst, left + at.duration(to: now).seconds * limits.rate)
            at = now
        }
        guard left >= Double(count) else { return false }
        left -= Double(count)
        return true
    }

    /// So many frames have gone that it is to answer, or that answer it.
    mutating func earns(_ count: Int) { left = min(limits.burst, left + Double(count)) }
}
