// FrameCodec.swift: the conversion of a frame to bytes and back.
//
// Input     hosts: frames to send, received packets
// Output    one packet; frames or a WireError. Any bytes give one of the two, and no length exceeds its limit.
// Knows     the header. The payload is the business of `Message`.
//
// Sources   invented

package import Basics

extension Frame {
    /// Appends the bytes of this frame to a packet.
    ///
    /// - Precondition: The frame is at most `packetLimit` bytes long. The cores limit the content of their messages, so
    ///   a longer frame is a bug of the sender. It traps here, because the receiver's ZMQ_MAXMSGSIZE would discard it
    ///   without a report.
    public func encode(into packet: inout [UInt8]) { packet.append { encode(into: &$0) } }

    /// Returns every field of this frame in the order of its bytes, as Docs/Reference/Wire.md draws them.
    public func layout() -> [WireField] {
        var layout = FieldLayout()
        encode(with: &layout)
        return layout.fields
    }

    /// Appends the bytes of this frame to a writer.
    package func encode(into writer: inout ByteWriter) { encode(FrameHeader(self), into: &writer) }

    /// Appends the bytes of this frame to a writer, with the time of its hand-over in its ledger if it has one.
    package func encode(into writer: inout ByteWriter, sentAt moment: Instant) {
        var header = FrameHeader(self)
        if header.ledger.count > 0 { header.ledger.append(moment) }
        encode(header, into: &writer)
    }

    private func encode(_ header: FrameHeader, into writer: inout ByteWriter) {
        let start = writer.count
        _ = FrameHeader(coding: header, with: &writer)
        message.encode(with: &writer)
        let size = writer.count - start
        precondition(size <= Self.packetLimit, "a \(message.kind) frame of \(size) bytes")
        writer.overwrite(UInt32(size - Self.headerSize), at: start + 4)
    }

    /// Appends a number, the frame's peer and the frame. A journal keeps each frame in this form. The function is not
    /// generic, so that other modules call specialized code.
    package func encode(after kind: UInt8, from peer: Peer, into writer: inout ByteWriter) {
        _ = writer.field(kind, "kind")
        writer.write(peer)
        encode(into: &writer)
    }

    /// Passes every field to a coder. The length of the payload is zero here.
    func encode<Coder: FieldCoder>(with coder: inout Coder) where Coder.Failure == Never {
        _ = FrameHeader(coding: FrameHeader(self), with: &coder)
        message.encode(with: &coder)
    }

    public func encoded() -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(2 * Self.headerSize)
        encode(into: &packet)
        return packet
    }

    /// Decodes every frame of a packet.
    ///
    /// - Throws: `WireError`; the peer is at fault. No frame of a bad packet is used.
    public static func decode(packet: UnsafeRawBufferPointer) throws(WireError) -> [Frame] {
        var frames: [Frame] = []
        try decode(packet: packet) { frames.append($0) }
        return frames
    }

    /// Decodes every frame of a packet.
    ///
    /// - Parameters:
    ///   - packet: The bytes of one or more frames.
    ///   - memory: The memory for lists, kept from one packet to the next; nil if each list has memory of its own.
    ///   - receive: Receives each frame, also those before an error.
    /// - Throws: `WireError`; the peer is at fault. No frame of a bad packet is used.
    package static func decode(
        packet: UnsafeRawBufferPointer, in memory: DecodingMemory? = nil, each receive: (consuming Frame) -> Void
    ) throws(WireError) {
        guard packet.count <= packetLimit else {
            throw .tooLong("packet", count: packet.count, limit: packetLimit)
        }
        guard packet.count > 0 else { throw .truncated(expected: headerSize, actual: 0) }
        var reader = ByteReader(packet, memory: memory)
        while reader.remaining > 0 { receive(try Frame(from: &reader)) }
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
        let header = try FrameHeader(coding: nil, with: &reader)
        var payload = try reader.readSlice(count: Int(header.length))
        self.init(
            epoch: header.epoch, generation: header.generation, sequence: header.sequence, ack: header.ack,
            credit: header.credit, ledger: header.ledger, message: try Message(kind: header.kind, from: &payload))
        guard payload.remaining == 0 else { throw .trailingBytes(payload.remaining) }
    }
}

/// The fields in front of a payload.
private struct FrameHeader {
    var kind: MessageKind
    var length: UInt32
    var epoch, generation: UInt32
    var sequence, ack: SequenceNumber
    var credit: UInt32
    var ledger: Ledger

    @inline(__always)
    init(_ frame: Frame) {
        (kind, length) = (frame.message.kind, 0)
        (epoch, generation, credit) = (frame.epoch, frame.generation, frame.credit)
        (sequence, ack, ledger) = (frame.sequence, frame.ack, frame.ledger)
    }

    @inline(__always)
    init<Coder: FieldCoder>(coding value: FrameHeader?, with coder: inout Coder) throws(Coder.Failure) {
        let magic = try coder.field(value.map { _ in Frame.magic }, "magic")
        try coder.require(magic == Frame.magic, else: .notAFrame(magic: magic))
        let version = try coder.field(value.map { _ in Frame.version }, "version")
        let byte = try coder.field(value?.kind.rawValue, "kind")
        try coder.require(
            version == Frame.version || byte == MessageKind.refused.rawValue,
            else: .version(version, known: Frame.version))
        guard let kind = MessageKind(rawValue: byte) else { throw coder.failure(.unknownKind(byte)) }
        self.kind = kind
        length = try coder.field(value?.length, "payload length")
        epoch = try coder.field(value?.epoch, "epoch")
        generation = try coder.field(value?.generation, "generation")
        sequence = try coder.field(value?.sequence, "sequence")
        ack = try coder.field(value?.ack, "ack")
        credit = try coder.field(value?.credit, "credit")
        ledger = try Ledger(coding: value?.ledger, stamps: "ledger stamps", with: &coder)
        try coder.require(
            length <= Frame.packetLimit, else: .tooLong("payload", count: Int(length), limit: Frame.packetLimit))
    }
}
