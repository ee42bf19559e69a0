// Gate.swift: accepts or refuses keys during the handshake of the listener for other machines: the answering end of
// ZeroMQ's authentication protocol.
//
//    I/O thread: CURVE done, this key ─▶ inproc zeromq.zap.01 ─▶ on the list, not a child's? ─▶ 200, User-Id app9
//                                                                  │                    └▶ 400: the connection ends
//                                                                  └▶ too many handshakes of this key: 300, later
//
// libzmq asks before the connection opens, so no byte of a refused peer reaches a socket. libzmq attaches the answered
// user id to every packet of the connection. The listener identifies the sender of a packet by it.
//
// Sources   documented  ZeroMQ RFC 27 (ZAP 1.0); libzmq zmq_curve(7)

import Basics
import Hosting
import Wire

/// Answers libzmq's questions whether a key may connect.
final class Gate {
    /// Any name serves: without a domain, libzmq 4.3.4 does not ask.
    static let domain = "touchline"

    private let socket: Socket
    private let packet = Packet()
    private let folder: String
    private var list: AllowList
    private var readAt: Instant
    /// The modification time of the folder when it was read.
    private var changedAt: Instant?
    /// Apps that this group starts itself; no key may join as one of them.
    var children: [AppID] = []
    private var refusals: [Refusal] = []
    /// The rate limiter of each key that has connected, by its app.
    private var handshakes: [(app: AppID, bucket: TokenBucket)] = []

    /// Limits on the handshakes of one key: at once, and for each second. An app has one connection.
    ///
    /// Together with `Guard.Limits.proofSeconds`, this bounds the unproved connections of one key.
    static let handshakeLimits = TokenBucket.Limits(rate: 2, burst: 4)

    /// The longest age of the list. A question costs a caller a handshake, but would cost this process the reading of a
    /// folder.
    private static let longestListAge = Duration.milliseconds(100)

    /// - Parameter folder: The allow-list. It must be valid at the beginning, and is read again later.
    init(_ folder: String, in context: Context, at now: Instant) throws(HostError) {
        self.folder = folder
        changedAt = AllowList.modificationTime(of: folder)
        (list, readAt) = (try AllowList(folder: folder), now)
        socket = try Socket(.gate, on: "inproc://zeromq.zap.01", in: context)
        try socket.bind()
    }

    var descriptor: Int32 { socket.descriptor }

    /// Answers every question of libzmq that waits.
    func answer(at now: Instant) {
        var parts: [[UInt8]] = []
        while socket.receive(into: packet) {
            parts.append(Array(packet.bytes))
            if packet.hasMore { continue }
            reply(to: parts, at: now)
            parts.removeAll()
        }
    }

    func takeRefusals(into arrivals: inout [Input]) {
        for refusal in refusals { arrivals.append(.refused(refusal)) }
        refusals.removeAll()
    }

    /// Answers one question: version, number, domain, address, identity, mechanism, credentials.
    private func reply(to parts: [[UInt8]], at now: Instant) {
        guard parts.count >= 6 else { return respond(parts, status: "500", user: "") }
        let key = parts.count == 7 ? parts[6].withUnsafeBytes { PublicKey(bytes: $0) } : nil
        guard parts[5] == Array("CURVE".utf8), let key else { return respond(parts, status: "400", user: "") }
        guard let app = app(holding: key, at: now), !children.contains(app) else {
            let address = String(decoding: parts[3].prefix(64), as: UTF8.self)
            refusals.append(.unknownKey("\(key)", address: address))
            return respond(parts, status: "400", user: "")
        }
        guard allowsHandshake(of: app, at: now) else {
            noteCrowding()
            // After 400, libzmq's client does not try again.
            return respond(parts, status: "300", user: "")
        }
        respond(parts, status: "200", user: "\(Peer.app(app))")
    }

    private func allowsHandshake(of app: AppID, at now: Instant) -> Bool {
        if let index = handshakes.firstIndex(where: { $0.app == app }) {
            return handshakes[index].bucket.takeTokens(at: now)
        }
        var bucket = TokenBucket(Self.handshakeLimits)
        let isAllowed = bucket.takeTokens(at: now)
        handshakes.append((app, bucket))
        return isAllowed
    }

    /// Notes a refused handshake; consecutive ones become one refusal with their count.
    private func noteCrowding() {
        let why = ConnectionRefusal.processLimit(UInt32(Self.handshakeLimits.burst))
        var connectionCount: UInt32 = 1
        if case .connectionsRefused(_, _, let before, why) = refusals.last {
            connectionCount = before &+ 1
            refusals.removeLast()
        }
        refusals.append(.connectionsRefused(pid: 0, uid: Credentials.remoteUser, count: connectionCount, why))
    }

    private func app(holding key: PublicKey, at now: Instant) -> AppID? {
        // A refused client does not ask again by itself, and a removed key must lose access at once. So every question
        // checks the folder's modification time.
        let changed = AllowList.modificationTime(of: folder)
        if readAt.duration(to: now) > Self.longestListAge || changed != changedAt {
            (readAt, changedAt) = (now, changed)
            // A list that cannot be read admits no key.
            list = (try? AllowList(folder: folder)) ?? AllowList()
        }
        return list.app(holding: key)
    }

    private func respond(_ parts: [[UInt8]], status: String, user: String) {
        let number = parts.count > 1 ? parts[1] : []
        let answer = [Array("1.0".utf8), number, Array(status.utf8), [], Array(user.utf8), []]
        for (index, part) in answer.enumerated() {
            // The answer to a question that has just been read always has room.
            _ = part.withUnsafeBytes { socket.send($0, more: index < answer.count - 1) }
        }
    }
}
