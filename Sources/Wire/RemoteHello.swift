// RemoteHello.swift: the handshake between the hosts of a remote app and of its server, beside the frames.
//
//    app ──hello: my last generation, my time──▶ server             first on every connection, then once a second
//    app ◀──welcome: your order, your time and mine── server
//
// Input     ZeroMQHost/Remote, at both ends
// Output    an identity and a generation for the app; the four moments from which PeerClock estimates the clocks
// Knows     launch orders and moments. No core receives these packets.
//
// A local child learns its identity from its supervisor and shares the machine's clock. A remote app has neither: its
// key identifies it, and the four moments of an exchange give the difference of the clocks
// (Docs/Decisions/RemoteApps.md).
//
// Sources   invented, after threat T10; documented  the four moments are NTP's (RFC 5905, section 8)

public import Basics

/// The 40 bytes that the host of a remote app sends first, and then once a second.
public struct RemoteHello: Hashable, Sendable {
    /// The process generation of this app; 0 while the server has not assigned one.
    public var generation: UInt32
    /// The latest process generation of this app that its machine knows.
    public var latestGeneration: UInt32
    /// The moment on the app's clock at which the host handed the packet to the socket.
    public var sent: Instant
    /// How far the server's clock is ahead of the app's, in nanoseconds, and the greatest error of that number. Both
    /// are the app's estimate, for a report. The error is negative while there is no estimate.
    public var offset: Int64
    public var error: Int64

    public init(generation: UInt32, latestGeneration: UInt32, sent: Instant, offset: Int64 = 0, error: Int64 = -1) {
        (self.generation, self.latestGeneration, self.sent) = (generation, latestGeneration, sent)
        (self.offset, self.error) = (offset, error)
    }

    /// The magic number of the packet. It differs from those of frames and passes, so that no packet is mistaken for
    /// another.
    static let magic: UInt16 = 0x4B54
    public static let packetSize = 40
    /// No app has had this many process generations.
    public static let generationLimit: UInt32 = 1 << 31

    public var packet: [UInt8] {
        var writer = ByteWriter()
        writer.begin(Self.magic)
        writer.write(self)
        return writer.finish()
    }

    /// Whether a packet begins as a hello does.
    public static func matches(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= 4 && packet.loadUnaligned(as: UInt16.self).littleEndian == magic
    }

    /// - Throws: `WireError` for another version, a wrong length or a generation beyond the limit.
    public init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
        var reader = ByteReader(packet)
        try reader.begin(Self.magic, size: Self.packetSize...Self.packetSize)
        self = try reader.read()
    }
}

extension RemoteHello: FieldCodable {
    package init<Coder: FieldCoder>(coding value: RemoteHello?, with coder: inout Coder) throws(Coder.Failure) {
        generation = try coder.field(value?.generation, "generation")
        latestGeneration = try coder.field(value?.latestGeneration, "latest generation")
        _ = try coder.field(value.map { _ in UInt32(0) }, "zero")
        sent = try coder.field(value?.sent, "sent")
        offset = try coder.field(value?.offset, "offset")
        error = try coder.field(value?.error, "error")
        try coder.require(
            latestGeneration < Self.generationLimit, else: .badValue("latest generation", UInt64(latestGeneration)))
        try coder.require(generation < Self.generationLimit, else: .badValue("generation", UInt64(generation)))
    }
}

/// The answer of the server's host to a hello.
public struct Welcome: Hashable, Sendable {
    /// The app that the key identifies, its process generation, and the settings of the group that apps receive.
    public var order: LaunchOrder
    /// The moment in the hello, returned.
    public var sent: Instant
    /// The moments on the server's clock at which the hello arrived and this answer left.
    public var received: Instant
    public var answered: Instant

    public init(order: LaunchOrder, sent: Instant, received: Instant, answered: Instant) {
        (self.order, self.sent, self.received, self.answered) = (order, sent, received, answered)
    }

    static let magic: UInt16 = 0x4C57
    private static let headerSize = 28

    public var packet: [UInt8] {
        var writer = ByteWriter()
        writer.begin(Self.magic)
        writer.write(Moments(sent: sent, received: received, answered: answered))
        let frame = Frame(
            epoch: order.epoch, generation: order.generation, sequence: .zero, message: .launch(order))
        return writer.finish() + frame.encoded()
    }

    public static func matches(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= 4 && packet.loadUnaligned(as: UInt16.self).littleEndian == magic
    }

    public init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
        var reader = ByteReader(packet)
        try reader.begin(Self.magic, size: Self.headerSize...Frame.packetLimit)
        let moments: Moments = try reader.read()
        (sent, received, answered) = (moments.sent, moments.received, moments.answered)
        let frames = try Frame.decode(packet: UnsafeRawBufferPointer(rebasing: packet[Self.headerSize...]))
        guard frames.count == 1, case .launch(let order) = frames[0].message else {
            throw .badValue("frames of a welcome", UInt64(frames.count))
        }
        self.order = order
    }
}

/// The fields of a welcome in front of its launch order.
private struct Moments: FieldCodable {
    var sent, received, answered: Instant

    init(sent: Instant, received: Instant, answered: Instant) {
        (self.sent, self.received, self.answered) = (sent, received, answered)
    }

    init<Coder: FieldCoder>(coding value: Moments?, with coder: inout Coder) throws(Coder.Failure) {
        sent = try coder.field(value?.sent, "sent")
        received = try coder.field(value?.received, "received")
        answered = try coder.field(value?.answered, "answered")
    }
}

extension ByteWriter {
    /// Writes magic number, version and zero.
    fileprivate mutating func begin(_ magic: UInt16) {
        _ = field(magic, "magic")
        _ = field(Frame.version, "version")
        _ = field(UInt8(0), "zero")
    }
}

extension ByteReader {
    /// Reads magic number, version and zero, and checks them and the length.
    fileprivate mutating func begin(_ magic: UInt16, size: ClosedRange<Int>) throws(WireError) {
        let actual = remaining
        let found = try readInteger(UInt16.self)
        guard found == magic else { throw .notAFrame(magic: found) }
        let version = try readInteger(UInt8.self)
        guard version == Frame.version else { throw .version(version, known: Frame.version) }
        let zero = try readInteger(UInt8.self)
        guard zero == 0 else { throw .badValue("zero", UInt64(zero)) }
        guard actual >= size.lowerBound else { throw .truncated(expected: size.lowerBound, actual: actual) }
        guard actual <= size.upperBound else { throw .trailingBytes(actual - size.upperBound) }
    }
}
