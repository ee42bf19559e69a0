// RingIssuer.swift: the supervisor's rings, made when the server asks for them.
//
// Input     ChildProcesses: requests of the server about clients that run
// Output    the two ends of each ring
// Knows     a number and a rate. No links.
//
// Sources   invented, after threat T6

import Basics
import Wire

/// Makes rings, at a limited rate.
struct RingIssuer {
    /// Beyond these rates requests have no effect, and the links stay on ZeroMQ. A whole group may start at once; after
    /// that a ring belongs to each connection that is made again. A client that makes one connection after the other has
    /// its own limit, so that it takes no ring from the others.
    private static let limits = TokenBucket.Limits(rate: 50, burst: 512)
    private static let clientLimits = TokenBucket.Limits(rate: 5, burst: 16)

    private var latest: UInt32 = 0
    private var bucket = TokenBucket(Self.limits)
    private var clients: [Peer: TokenBucket] = [:]

    /// Makes a ring.
    ///
    /// - Returns: Nil beyond the rate, or if the kernel has no memory or descriptor for it.
    mutating func issue(
        to client: Peer, pid: Int32, server: Int32, at now: Instant
    ) -> (client: RingGrant, server: RingGrant)? {
        guard clients[client, default: TokenBucket(Self.clientLimits)].takeTokens(at: now), bucket.takeTokens(at: now)
        else { return nil }
        latest &+= 1
        do throws(HostError) {
            return try RingGrant.make(number: latest, client: client, pid: pid, server: server)
        } catch {
            printError("\(error): the link of \(client) stays on ZeroMQ")
            return nil
        }
    }
}
