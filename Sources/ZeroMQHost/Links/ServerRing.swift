// ServerRing.swift: the ring of a client's link to the server, from the supervisor's grant to the connection's end.
//
// Input     ServerLink: grants, offers and switches of the server, the end of the connection
// Output    the channels that carry the link's packets in each direction
// Knows     one ring in use, and up to four that wait for an offer. No socket, no clock.
//
//     none ──granted and offered: this end switches──▶ writing ──the server switches──▶ open
//       ▲                                                 │                                │
//       └──────────────────── the connection ends ────────┴────────────────────────────────┘
//
// A connection that is made again soon may cause two grants, and the server offers the first that it receives. So a grant is
// kept until an offer names it.
//
// Sources   invented, after Docs/Decisions/Ring.md

/// The client's end of a ring.
struct ServerRing {
    private enum State {
        case none
        /// This end writes the ring; the server still writes to ZeroMQ.
        case writing(RingChannel)
        case open(RingChannel)
    }

    private var state = State.none
    /// Rings of the supervisor that are not in use, oldest first.
    private var grants: [RingChannel] = []
    private static let grantLimit = 4
    /// An offer whose ring the supervisor has not granted yet.
    private var unmatchedOffer: RingToken?
    /// The descriptor of the connection that the last offer came by.
    private(set) var connection: Int32 = -1

    /// The channel to write to; nil while packets leave over ZeroMQ.
    var outgoing: RingChannel? {
        switch state {
        case .none: nil
        case .writing(let channel), .open(let channel): channel
        }
    }

    /// The channel to read; nil while packets arrive over ZeroMQ.
    var incoming: RingChannel? { if case .open(let channel) = state { channel } else { nil } }

    /// Keeps a ring of the supervisor.
    ///
    /// - Returns: Whether it is kept; false while the link uses another ring.
    mutating func grant(_ channel: RingChannel) -> Bool {
        guard outgoing == nil else { return false }
        grants.append(channel)
        if grants.count > Self.grantLimit { grants.removeFirst().close() }
        return true
    }

    /// Notes the server's offer.
    mutating func offer(_ token: RingToken, on connection: Int32) {
        guard outgoing == nil else { return }
        (unmatchedOffer, self.connection) = (token, connection)
    }

    /// Begins to write the ring that is both granted and offered.
    ///
    /// - Returns: The channel that the other end has to be told of; nil if there is no such ring.
    mutating func startWriting() -> RingChannel? {
        guard case .none = state, let offer = unmatchedOffer,
            let index = grants.firstIndex(where: { offer.matches($0.token) })
        else { return nil }
        let channel = grants.remove(at: index)
        closeGrants()
        state = .writing(channel)
        unmatchedOffer = nil
        return channel
    }

    /// Begins to read the ring.
    ///
    /// - Returns: Whether the token is the one of the ring that this end writes, and the ring is not read yet.
    mutating func startReading(_ token: RingToken) -> Bool {
        guard case .writing(let channel) = state, channel.token.matches(token) else { return false }
        state = .open(channel)
        return true
    }

    /// Ends the ring.
    mutating func end() {
        switch state {
        case .none: break
        case .writing(let channel), .open(let channel): channel.close()
        }
        closeGrants()
        (state, unmatchedOffer, connection) = (.none, nil, -1)
    }

    private mutating func closeGrants() {
        for channel in grants { channel.close() }
        grants.removeAll()
    }
}
