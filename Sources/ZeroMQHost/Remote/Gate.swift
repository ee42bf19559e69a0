// Gate.swift: who gets through the handshake at the door to other machines: ZeroMQ's authentication protocol, the
// answering end.
//
//    I/O thread: CURVE done, this key ─▶ inproc zeromq.zap.01 ─▶ on the list, and no child's? ─▶ 200, User-Id app9
//                                                                      │                    └▶ 400: the connection ends
//                                                                      └▶ too many handshakes of this key: 300, try later
//
// It is asked before a connection is one, so nothing of whoever is refused reaches a socket. What it answers, libzmq
// writes on every packet of that connection, and that is what a packet's sender is known by.
//
// Sources   documented  ZeroMQ RFC 27 (ZAP 1.0); libzmq zmq_curve(7)

import Basics
import Hosting
import Wire

final class Gate {
    /// Any name will do: without one libzmq 4.3.4 does not ask.
    static let domain = "touchline"

    private let socket: Socket
    private let packet = Packet()
    private let folder: String
    private var list: AllowList
    private var readAt: Instant
    /// When the folder was as it was read.
    private var changedAt: Instant?
    /// Apps this group starts itself: no key is one of those.
    var children: [AppID] = []
    private var refusals: [Refusal] = []
    /// Of each key that has called, by its app.
    private var handshakes: [(app: AppID, bucket: TokenBucket)] = []

    /// How many handshakes of one key are let in, at once and a second. An app has one connection. With the time that a
    /// connection has to say what it is (`Guard.Limits.silence`) this is how many one key can hold.
    static let handshakeLimits = TokenBucket.Limits(rate: 2, burst: 4)

    /// How old the list may be: asking costs a caller a handshake, and would cost us the reading of a folder.
    private static let freshness = Duration.milliseconds(100)

    /// - Parameter folder: Of the allow-list; has to be right as it begins, and is read again later.
    init(_ folder: String, in context: Context, at now: Instant) throws(HostError) {
        self.folder = folder
        changedAt = AllowList.changed(folder)
        (list, readAt) = (try AllowList(folder: folder), now)
        socket = try Socket(.gate, on: "inproc://zeromq.zap.01", in: context)
        try socket.bind()
    }

    var descriptor: Int32 { socket.descriptor }

    /// Answers whoever is asked about.
    func answer(at now: Instant) {
        var parts: [[UInt8]] = []
        while socket.receive(into: packet) {
            parts.append(Array(packet.bytes))
            if packet.hasMore { continue }
            reply(to: parts, at: now)
            parts.removeAll()
        }
    }

    func takeRefusals(into arrivals: inout [Arrival]) {
        for refusal in refusals { arrivals.append(.refused(refusal)) }
        refusals.removeAll()
    }

    /// Version, number, domain, address, identity, mechanism, credentials.
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
            // Not 400, after which libzmq's client does not call again.
            return respond(parts, status: "300", user: "")
        }
        respond(parts, status: "200", user: "\(Peer.app(app))")
    }

    private func allowsHandshake(of app: AppID, at now: Instant) -> Bool {
        if let index = handshakes.firstIndex(where: { $0.app == app }) {
            return handshakes[index].bucket.take(at: now)
        }
        var bucket = TokenBucket(Self.handshakeLimits)
        let isAllowed = bucket.take(at: now)
        handshakes.append((app, bucket))
        return isAllowed
    }

    /// Once for all calls that are looked at together.
    private func noteCrowding() {
        let why = TurnedAway.processShare(UInt32(Self.handshakeLimits.burst))
        var calls: UInt32 = 1
        if case .turnedAway(_, _, let before, why) = refusals.last {
            calls = before &+ 1
            refusals.removeLast()
        }
        refusals.append(.turnedAway(pid: 0, uid: Credentials.elsewhere, calls: calls, why))
    }

    private func app(holding key: PublicKey, at now: Instant) -> AppID? {
        // Whoever is refused does not ask again by itself, and whoever was struck from it is to be out: so what was put
        // there or taken away a moment ago counts.
        let changed = AllowList.changed(folder)
        if readAt.duration(to: now) > Self.freshness || changed != changedAt {
            (readAt, changedAt) = (now, changed)
            // A list that cannot be read lets nobody in.
            list = (try? AllowList(folder: folder)) ?? AllowList()
        }
        return list.app(holding: key)
    }

    private func respond(_ parts: [[UInt8]], status: String, user: String) {
        let number = parts.count > 1 ? parts[1] : []
        let answer = [Array("1.0".utf8), number, Array(status.utf8), [], Array(user.utf8), []]
        for (index, part) in answer.enumerated() {
            // A reply to a question that has just been read has room.
            _ = part.withUnsafeBytes { socket.send($0, more: index < answer.count - 1) }
        }
    }
}
