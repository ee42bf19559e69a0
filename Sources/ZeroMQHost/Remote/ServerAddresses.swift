// ServerAddresses.swift: which of a server's addresses an app tries next, and when its name is looked up again.
//
//     attempt failed ─▶ the next address; after the last one: the first, and a lookup
//     link lost      ─▶ a lookup; the same address meanwhile
//     lookup         ─▶ the address in use if the name still has it, otherwise the first of the new ones
//
// Input     ServerLink: the end of each attempt and of each link, answers of Resolver
// Output    the address of the next attempt
// Knows     addresses and moments. No socket.
//
// Sources   inferred  RFC 6724 section 2: an application tries the addresses in their order
//           invented  the interval between lookups

import Basics

/// The addresses of one server.
struct ServerAddresses {
    /// In the order to try them; not empty.
    private(set) var all: [TCPAddress]
    /// The address of the present attempt or link.
    private(set) var current: TCPAddress
    /// Whether the server has a name that may come to mean other addresses.
    private let hasName: Bool
    /// Whether the name is to be looked up.
    private(set) var needsLookup = false
    private var nextLookupAt = Instant.boot

    /// The shortest time between two lookups.
    static let lookupInterval = Duration.seconds(1)

    /// - Parameter all: In the order to try them; not empty.
    init(_ all: [TCPAddress], hasName: Bool) {
        precondition(!all.isEmpty, "a server has an address")
        (self.all, current, self.hasName) = (all, all[0], hasName)
    }

    /// Moves on to the next address, because an attempt failed.
    mutating func noteFailure(at now: Instant) {
        let next = all.firstIndex(of: current).map { $0 + 1 } ?? 0
        if next >= all.count { requestLookup(at: now) }
        current = all[next % all.count]
    }

    /// Notes that an open link has ended: the server may have moved.
    mutating func noteLoss(at now: Instant) { requestLookup(at: now) }

    private mutating func requestLookup(at now: Instant) {
        guard hasName, now >= nextLookupAt else { return }
        needsLookup = true
        nextLookupAt = now.advanced(by: Self.lookupInterval)
    }

    mutating func noteLookup() { needsLookup = false }

    /// Replaces the addresses by those of a lookup.
    ///
    /// - Parameters:
    ///   - found: In the order to try them. An empty list changes nothing.
    ///   - isOpen: Whether the link is open. Then it stays at its address.
    /// - Returns: Whether the next attempt has another address than the one before the lookup.
    mutating func update(_ found: [TCPAddress], isOpen: Bool) -> Bool {
        guard !found.isEmpty else { return false }
        all = found
        guard !isOpen, !found.contains(current) else { return false }
        current = found[0]
        return true
    }
}
