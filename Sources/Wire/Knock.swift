// Knock.swift: what an app of another machine and its server say to each other before and beside frames.
//
//    app ──knock: who I was, my time──▶ server            first on every connection, and then once a second
//    app ◀──welcome: who you are, your time and mine── server
//
// On this machine a child is told who it is by its supervisor, and reads the clock that everybody reads. One of another
// machine has neither: its key says who it is, and four moments of an exchange say how far its clock is from the
// server's. Only hosts say and hear these; a core never meets one. Docs/Decisions/RemoteApps.md.
//
// Sources   invented, after threat T10; the four moments are NTP's (RFC 5905, section 8)

public import Basics

/// Forty bytes of an app's host.
public struct Knock: Hashable, Sendable {
    /// Which life of this app is knocking; 0 for one that has not been told yet.
    public var generation: UInt32
    /// The latest life of it that its machine knows of.
    public var lives: UInt32
    /// By the app's clock, as it was handed to the socket.
    public var sent: Instant
    /// How far the server's clock is before the app's, in nanoseconds, and by how much at most that is wrong: as the app
    /// has it, for a person to read. The error is negative while it has nothing.
    public var offset: Int64
    public var error: Int64

    public init(generation: UInt32, lives: UInt32, sent: Instant, offset: Int64 = 0, error: Int64 = -1) {
        (self.generation, self.lives, self.sent) = (generation, lives, sent)
        (self.offset, self.error) = (offset, error)
    }

    /// Of a packet: no frame's magic and no pass's, so that none is ever taken for another.
    static let magic: UInt16 = 0x4B54
    public static let packetSize = 40
    /// Nobody's app has had so many lives.
    public static let livesLimit: UInt32 = 1 << 31

    public var packet: [UInt8] {
        var writer = ByteWriter()
        writer.begin(Self.magic)
        writer.write(self)
        return writer.finish()
    }

    /// Whether this packet means to be a knock.
    public static func isMeant(by packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= 4 && packet.loadUnaligned(as: UInt16.self).littleEndian == magic
    }

    /// - Throws: For one of another version, cut short or too long, or of more lives than anybody has.
    public init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
        var reader = ByteReader(packet)
        try reader.begin(Self.magic, size: Self.packetSize...Self.packetSize)
        self = try reader.read()
    }
}

extension Knock: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Knock?, with coder: inout Coder) throws(Coder.Failure) {
        generation = try coder.field(value?.generation, "generation")
        lives = try coder.field(value?.lives, "lives")
        _ = try coder.field(value.map { _ in UInt32(0) }, "zero")
        sent = try coder.field(value?.sent, "sent")
        offset = try coder.field(value?.offset, "offset")
        error = try coder.field(value?.error, "error")
        try coder.require(lives < Self.livesLimit, else: .badValue("lives", UInt64(lives)))
        try coder.require(generation < Self.livesLimit, else: .badValue("generation", UInt64(generation)))
    }
}

/// The server's host's answer.
public struct Welcome: Hashable, Sendable {
    /// Which app the key stands for, which life of it this is, and the settings of the group that are an app's too.
    public var order: LaunchOrder
    /// The knock's, said again.
    public var sent: Instant
    /// By the server's clock: when the knock came, and when this went.
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

    public static func isMeant(by packet: UnsafeRawBufferPointer) -> Bool {
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
    /// Magic, version, zero.
    fileprivate mutating func begin(_ magic: UInt16) {
        _ = field(magic, "magic")
        _ = field(Frame.version, "version")
        _ = field(UInt8(0), "zero")
    }
}

extension ByteReader {
    /// Magic, version, zero.
    fileprivate mutating func begin(_ magic: UInt16, size: ClosedRange<Int>) throws(WireError) {
        let actual = remaining
        let found = try take(UInt16.self)
        guard found == magic else { throw .notAFrame(magic: found) }
        let version = try take(UInt8.self)
        guard version == Frame.version else { throw .version(version, known: Frame.version) }
        let zero = try take(UInt8.self)
        guard zero == 0 else { throw .badValue("zero", UInt64(zero)) }
        guard actual >= size.lowerBound else { throw .truncated(expected: size.lowerBound, actual: actual) }
        guard actual <= size.upperBound else { throw .trailingBytes(actual - size.upperBound) }
    }
}
