// FrameCodec.swift: a frame to bytes and back. Strict, bounded, total: any bytes give frames or a WireError.

import Basics

extension Frame {
    /// Appends this frame's bytes to a packet.
    ///
    /// Our own frames fit: the cores bound what they put in a message. A frame that could not be sent at all is
    /// our bug, so it traps here rather than vanish at the far end's MAXMSGSIZE.
    public func encode(into packet: inout [UInt8]) {
        let start = packet.count
        var writer = ByteWriter(into: packet)
        packet = []
        encode(into: &writer)
        packet = writer.finish()
        precondition(
            packet.count - start <= Self.packetLimit, "a \(message.kind) frame of \(packet.count - start) bytes")
    }

    /// Every field of this frame, in the order of its bytes: what Docs/Wire.md draws.
    public func layout() -> [WireField] {
        var writer = ByteWriter(drawing: true)
        encode(into: &writer)
        return writer.fields ?? []
    }

    private func encode(into writer: inout ByteWriter) {
        let start = writer.count
        writer.put(Self.magic, "magic")
        writer.put(Self.version, "version")
        writer.put(message.kind.rawValue, "kind")
        writer.put(UInt32(0), "payload length")
        writer.put(epoch, "epoch")
        writer.put(generation, "generation")
        writer.put(sequence, "sequence")
        writer.put(ack, "ack")
        writer.put(credit, "credit")
        writer.put(UInt32(ledger.count), "ledger stamps")
        ledger.encode(into: &writer)
        message.encode(into: &writer)
        writer.overwrite(UInt32(writer.count - start - Self.headerSize), at: start + 4)
    }

    public func encoded() -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(2 * Self.headerSize)
        encode(into: &packet)
        return packet
    }

    /// Every frame of a packet.
    ///
    /// - Throws: `WireError`, whose blame is always the peer. Nothing of a bad packet is used.
    public static func decode(packet: UnsafeRawBufferPointer) throws(WireError) -> [Frame] {
        guard packet.count <= packetLimit else {
            throw .tooLong("packet", count: packet.count, limit: packetLimit)
        }
        guard packet.count > 0 else { throw .truncated(expected: headerSize, actual: 0) }
        var reader = ByteReader(packet)
        var frames: [Frame] = []
        while reader.remaining > 0 { frames.append(try Frame(from: &reader)) }
        return frames
    }

    public static func decode(packet: [UInt8]) throws(WireError) -> [Frame] {
        let decoded: Result<[Frame], WireError> = packet.withUnsafeBytes { bytes in
            do throws(WireError) { return .success(try decode(packet: bytes)) } catch { return .failure(error) }
        }
        return try decoded.get()
    }

    private init(from reader: inout ByteReader) throws(WireError) {
        guard reader.remaining >= Self.headerSize else {
            throw .truncated(expected: reader.offset + Self.headerSize, actual: reader.offset + reader.remaining)
        }
        let magic = try reader.take(UInt16.self)
        guard magic == Self.magic else { throw .notAFrame(magic: magic) }
        let version = try reader.take(UInt8.self)
        let kindByte = try reader.take(UInt8.self)
        guard version == Self.version || kindByte == MessageKind.refused.rawValue else {
            throw .version(version, known: Self.version)
        }
        guard let kind = MessageKind(rawValue: kindByte) else { throw .unknownKind(kindByte) }
        let length = Int(try reader.take(UInt32.self))
        epoch = try reader.take()
        generation = try reader.take()
        sequence = try reader.take()
        ack = try reader.take()
        credit = try reader.take()
        let stamps = try reader.take(UInt32.self)
        guard stamps <= 6 else { throw .badValue("ledger stamp count", UInt64(stamps)) }
        ledger = try Ledger(from: &reader, count: Int(stamps))
        guard length <= Self.packetLimit else { throw .tooLong("payload", count: length, limit: Self.packetLimit) }
        var payload = try reader.takeSlice(length)
        message = try Message(kind: kind, from: &payload)
        guard payload.remaining == 0 else { throw .trailingBytes(payload.remaining) }
    }
}

extension Ledger {
    /// All six moments; those not yet stamped are zero.
    func encode(into writer: inout ByteWriter) {
        writer.put(self[.device]?.nanoseconds ?? 0, "ledger: device")
        writer.put(self[.inputSent]?.nanoseconds ?? 0, "ledger: input-kit sent")
        writer.put(self[.serverReceived]?.nanoseconds ?? 0, "ledger: system-server received")
        writer.put(self[.serverSent]?.nanoseconds ?? 0, "ledger: system-server sent")
        writer.put(self[.appReceived]?.nanoseconds ?? 0, "ledger: app received")
        writer.put(self[.appHandled]?.nanoseconds ?? 0, "ledger: app handled")
    }

    /// Six moments of which the first `count` are meant.
    init(from reader: inout ByteReader, count: Int) throws(WireError) {
        self.init()
        for index in 0..<Hop.allCases.count {
            let moment = Instant(nanoseconds: try reader.take(Int64.self))
            if index < count { append(moment) }
        }
    }
}
