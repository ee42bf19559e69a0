// RingHandover.swift: the packets by which the two ends of a link come to share a ring.
//
//    client                       server                      supervisor
//      │ ─── pass, hello … (ZeroMQ) ─▶ admitted                   │
//      │                            │ ─── RingRequest: peer, pid ─▶ makes memory, bells, a token
//      │ ◀──────────── RingGrant ───┼──────────────────────────── │
//      │                            │ ◀──────────── RingGrant ─── │
//      │ ◀── offer, token (ZeroMQ) ─│                             │
//      │ ─── switch, token (ZeroMQ) ▶ reads the ring from here on │
//      │ ◀── switch, token (ZeroMQ) ─│
//      reads the ring from here on
//
// A switch is the last packet of its sender on ZeroMQ, so no packet overtakes another. The token is secret and known to
// the supervisor and these two processes. A process shows it on the connection that its pass has opened, and so binds
// the ring to that connection. The ring ends with the connection.
//
// A client without a grant (started by hand, on another machine, with a fetch thread) answers no offer, and its link
// stays on ZeroMQ.
//
// Sources   invented; documented  unix(7), SCM_RIGHTS

import CSystem
import Glibc
import Wire

/// The secret name of a ring. Printing and reflection show only that the value is a token.
struct RingToken: Sendable, CustomStringConvertible, CustomReflectable {
    static let size = 32
    private let bytes: [UInt8]

    /// - Parameter bytes: `size` random bytes.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.size, "a token of \(bytes.count) bytes")
        self.bytes = bytes
    }

    /// A token of the kernel's random numbers.
    static func random() throws(HostError) -> RingToken {
        var bytes = [UInt8](repeating: 0, count: size)
        guard system_random(&bytes, bytes.count) == 0 else {
            throw .system(call: "getrandom", subject: "a ring's token", errno: errno)
        }
        return RingToken(bytes)
    }

    fileprivate var encoded: [UInt8] { bytes }

    var description: String { "a ring's token" }
    var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether two tokens are equal. The comparison takes the same time for any token.
    func matches(_ other: RingToken) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// A packet about a ring on the connection that the ring will replace.
struct RingPacket {
    enum Kind: UInt8 {
        /// From the server: it holds its end of the ring.
        case offer = 0
        /// The sender's next packets are in the ring.
        case `switch` = 1
    }

    let kind: Kind
    let token: RingToken

    /// The magic number. It differs from a frame's and a pass's.
    static let magic: UInt16 = 0x5254
    private static let headerSize = 4

    init(_ kind: Kind, _ token: RingToken) { (self.kind, self.token) = (kind, token) }

    /// Whether a packet begins as one about a ring does.
    static func matches(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= headerSize && packet.loadUnaligned(as: UInt16.self).littleEndian == magic
    }

    /// - Throws: `WireError` for any bytes that are no such packet.
    init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
        let size = Self.headerSize + RingToken.size
        guard Self.matches(packet) else { throw .notAFrame(magic: 0) }
        guard packet.count >= size else { throw .truncated(expected: size, actual: packet.count) }
        guard packet.count == size else { throw .trailingBytes(packet.count - size) }
        guard packet[2] == Frame.version else { throw .version(packet[2], known: Frame.version) }
        guard let kind = Kind(rawValue: packet[3]) else { throw .unknownKind(packet[3]) }
        self.init(kind, RingToken(Array(packet[Self.headerSize...])))
    }

    var packet: [UInt8] {
        [UInt8(truncatingIfNeeded: Self.magic), UInt8(Self.magic >> 8), Frame.version, kind.rawValue] + token.encoded
    }
}

/// A server's request to its supervisor: a ring between the server and a client that it has admitted.
struct RingRequest: Equatable {
    let peer: Peer
    /// The process of the connection. A later process of the same peer gets no ring for it.
    let pid: Int32

    /// The first bytes of the packet, with which no frame and no pass begins.
    private static let mark = Array("TLASKR1\0".utf8)

    init(_ peer: Peer, pid: Int32) { (self.peer, self.pid) = (peer, pid) }

    /// - Returns: Nil if the packet is no request.
    init?(packet: UnsafeRawBufferPointer) {
        guard packet.starts(with: Self.mark), packet.count == Self.mark.count + RingGrant.nameSize else { return nil }
        guard let name = RingGrant.name(in: packet, at: Self.mark.count) else { return nil }
        self.init(name.peer, pid: name.pid)
    }

    var packet: [UInt8] { Self.mark + RingGrant.encoded(peer, pid) }
}

/// One end of a ring on its way from the supervisor to a child.
///
/// The packet carries one descriptor, as a granted file's does: a box, which is a socket in which the supervisor has left
/// the memory, the bell to listen to and the bell to ring.
final class RingGrant: Granted {
    /// The number of the ring within the group.
    let number: UInt32
    let token: RingToken
    /// The process at the other end, and its pid.
    let peer: Peer
    let pid: Int32
    private let box: Descriptor

    private static let mark = Array("TLRING1\0".utf8)
    fileprivate static let nameSize = 9

    private init(_ number: UInt32, _ token: RingToken, _ peer: Peer, _ pid: Int32, box: consuming Descriptor) {
        (self.number, self.token, self.peer, self.pid) = (number, token, peer, pid)
        self.box = box
    }

    /// Makes a ring between the server and a client.
    static func make(number: UInt32, client: Peer, pid: Int32, server: Int32) throws(HostError)
        -> (client: RingGrant, server: RingGrant)
    {
        let subject = "the ring of \(client)"
        let memory = try Descriptor(ring_create(), from: "memfd_create", subject)
        let toServer = try Bell(subject)
        let toClient = try Bell(subject)
        let token = try RingToken.random()
        let clientBox = try packed(memory, toClient.reading, toServer.writing, subject)
        let serverBox = try packed(memory, toServer.reading, toClient.writing, subject)
        return (
            RingGrant(number, token, .systemServer, server, box: clientBox),
            RingGrant(number, token, client, pid, box: serverBox)
        )
    }

    /// Both ends of a pipe.
    private struct Bell: ~Copyable {
        let reading, writing: Descriptor

        init(_ subject: String) throws(HostError) {
            var (reading, writing): (Int32, Int32) = (-1, -1)
            guard ring_bell_create(&reading, &writing) == 0 else {
                throw .system(call: "pipe", subject: subject, errno: errno)
            }
            self.reading = Descriptor(reading)
            self.writing = Descriptor(writing)
        }
    }

    private static func packed(
        _ memory: borrowing Descriptor, _ bell: borrowing Descriptor, _ peerBell: borrowing Descriptor,
        _ subject: String
    ) throws(HostError) -> Descriptor {
        var ends: [Int32] = [-1, -1]
        guard system_packet_pair(&ends) == 0 else {
            throw .system(call: "socketpair", subject: subject, errno: errno)
        }
        let sending = Descriptor(ends[0])
        let box = Descriptor(ends[1])
        for number in [memory.number, bell.number, peerBell.number]
        where system_packet_send(sending.number, [0], 1, number) != 1 {
            throw .system(call: "sendmsg", subject: subject, errno: errno)
        }
        return box
    }

    /// Reads a packet that came with a descriptor, and owns the descriptor.
    ///
    /// - Returns: Nil if the packet carries no ring.
    convenience init?(packet: UnsafeRawBufferPointer, carrying carried: Int32) {
        guard Self.matches(packet), carried >= 0 else { return nil }
        let box = Descriptor(carried)
        let start = Self.mark.count
        let numberStart = start + Self.nameSize
        let tokenStart = numberStart + 4
        guard packet.count == tokenStart + RingToken.size, let name = Self.name(in: packet, at: start) else {
            return nil
        }
        let number = packet.loadUnaligned(fromByteOffset: numberStart, as: UInt32.self).littleEndian
        self.init(number, RingToken(Array(packet[tokenStart...])), name.peer, name.pid, box: box)
    }

    /// Whether a packet begins as a grant of a ring does.
    static func matches(_ packet: UnsafeRawBufferPointer) -> Bool { packet.starts(with: mark) }

    var packet: [UInt8] {
        Self.mark + Self.encoded(peer, pid) + withUnsafeBytes(of: number.littleEndian) { Array($0) } + token.encoded
    }

    fileprivate static func encoded(_ peer: Peer, _ pid: Int32) -> [UInt8] {
        [peer.role.rawValue] + withUnsafeBytes(of: peer.instance.littleEndian) { Array($0) }
            + withUnsafeBytes(of: pid.littleEndian) { Array($0) }
    }

    fileprivate static func name(in packet: UnsafeRawBufferPointer, at start: Int) -> (peer: Peer, pid: Int32)? {
        guard let role = Role(rawValue: packet[start]) else { return nil }
        let instance = packet.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self).littleEndian
        let pid = packet.loadUnaligned(fromByteOffset: start + 5, as: Int32.self).littleEndian
        return (Peer(role, instance), pid)
    }

    /// The descriptor that the packet carries.
    var descriptor: Int32 { box.number }

    /// Takes the next descriptor out of the box: the memory, the bell to listen to, the bell to ring.
    func takeDescriptor() throws(HostError) -> Descriptor {
        var byte: UInt8 = 0
        var (carried, unwanted): (Int32, Int32) = (-1, 0)
        let count = system_packet_receive(box.number, &byte, 1, &carried, &unwanted)
        guard count == 1, carried >= 0 else {
            throw .system(call: "recvmsg", subject: "the ring of \(peer)", errno: count < 0 ? errno : EBADMSG)
        }
        return Descriptor(carried)
    }
}
