// RecordCodec.swift: the bytes of a journal's file, and the framing of its records.
//
//    magic (8) | format (u32) | record record …         reserved space at the end of a file that was not closed is 0
//
//    record    length word (u32) | CRC32C of all but itself (u32) | payload | zeros to a multiple of four bytes
//              └ three bytes of length, and their XOR with 0xA5. A flipped bit makes the length invalid, so that
//                damage is not mistaken for the end.
//
// Input     JournalWriter, JournalReader
// Output    bytes; a record or an error
//
// A host that writes into mapped memory writes the length word last: until then there is no record.
//
// Sources   invented, after PNG's signature (a magic number that a text mode's conversion destroys)

public import Basics
import Hosting
public import Wire

/// A file that is no journal, or that was changed after it was written. At fault: the person who chose or stored the
/// file.
public enum JournalError: Error, Hashable, Sendable {
    case foreign
    case format(UInt32, known: UInt32)
    /// The version of the protocol that the frames are written in.
    case wireVersion(UInt8, known: UInt8)
    /// The record with this index, which begins at this offset, is not as it was written.
    case damaged(record: Int, offset: Int, Damage)

    /// The damage of one record.
    public enum Damage: Hashable, Sendable {
        case length(word: UInt32)
        case checksum(expected: UInt32, actual: UInt32)
        case content(WireError)
        /// A header after the first record, or another record at the beginning.
        case misplaced
        /// A moment before the boot, before that of the previous step, or after `Journal.lastMoment`.
        case moment(Instant, after: Instant)
    }
}

extension JournalError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .foreign: "expected a journal, found a file of another kind"
        case .format(let format, let known): "a journal of format \(format), this program reads \(known)"
        case .wireVersion(let version, let known):
            "written with protocol version \(version), this program speaks \(known)"
        case .damaged(let record, let offset, .length(let word)):
            "damaged at byte \(offset), record \(record): 0x\(String(word, radix: 16)) is no record's length"
        case .damaged(let record, let offset, .checksum(let expected, let actual)):
            "damaged at byte \(offset), record \(record): expected checksum 0x\(String(expected, radix: 16)), found "
                + "0x\(String(actual, radix: 16))"
        case .damaged(let record, let offset, .content(let error)):
            "damaged at byte \(offset), record \(record): \(error)"
        case .damaged(let record, let offset, .misplaced):
            "damaged at byte \(offset), record \(record): a file begins with a header, and has one"
        case .damaged(let record, let offset, .moment(let moment, let last)):
            "damaged at byte \(offset), record \(record): expected a moment from \(last) to \(Journal.lastMoment), found "
                + "\(moment)"
        }
    }
}

/// The frame of each record, and the beginning of each file.
enum RecordFraming {
    static let format: UInt32 = 1
    static let preamble: [UInt8] = {
        var bytes: [UInt8] = [0x89, UInt8(ascii: "T"), UInt8(ascii: "L"), UInt8(ascii: "J"), 0x0D, 0x0A, 0x1A, 0x0A]
        bytes.append(little: format)
        return bytes
    }()
    static let magicSize = 8
    /// The size of length word and checksum in bytes.
    static let overhead = 8

    static func lengthWord(_ length: Int) -> UInt32 {
        let length = UInt32(length)
        return length | check(length) << 24
    }

    private static func check(_ length: UInt32) -> UInt32 { (length ^ length >> 8 ^ length >> 16 ^ 0xA5) & 0xFF }

    /// - Returns: Nil if the word is no length of a record.
    static func length(_ word: UInt32) -> Int? {
        let length = word & 0xFF_FFFF
        guard word >> 24 == check(length), length > 0, Int(length) <= Journal.recordLimit else { return nil }
        return Int(length)
    }

    /// Returns the length of a payload with its padding. The padding aligns each length word, so that one store writes
    /// it.
    static func padded(_ length: Int) -> Int { (length + 3) & ~3 }

    static func checksum(_ word: UInt32, _ content: UnsafeRawBufferPointer) -> UInt32 {
        var crc = CRC32C()
        withUnsafeBytes(of: word.littleEndian) { crc.update($0) }
        crc.update(content)
        return crc.value
    }

    /// Reserves the length word and the checksum of a record.
    ///
    /// - Returns: The offset of the record. Its payload is written next.
    static func open(in writer: inout ByteWriter) -> Int {
        defer { writer.write(UInt64(0)) }
        return writer.count
    }

    /// Pads the payload and writes the length word and the checksum.
    static func close(in writer: inout ByteWriter, from start: Int) {
        let count = writer.count - start - overhead
        precondition(count > 0 && count <= Journal.recordLimit, "a record of \(count) bytes")
        for _ in count..<padded(count) { writer.write(UInt8(0)) }
        let word = lengthWord(count)
        let content = writer.written.suffix(padded(count))
        writer.overwrite(checksum(word, UnsafeRawBufferPointer(rebasing: content)), at: start + 4)
        writer.overwrite(word, at: start)
    }
}

extension JournalRecord {
    private enum Kind: UInt8 { case header, step, digest, lost, skipped, ended }

    /// Appends the record with its frame.
    public func encode(into bytes: inout [UInt8]) { bytes.append { encode(into: &$0) } }

    /// Appends the record with its frame.
    package func encode(into writer: inout ByteWriter) {
        if case .step(let moment, let input, let before) = self {
            return Self.encodeStep(input, at: moment, before: before, into: &writer)
        }
        let start = RecordFraming.open(in: &writer)
        _ = JournalRecord(coding: self, with: &writer)
        RecordFraming.close(in: &writer, from: start)
    }

    /// Appends a step without making a record first, because a step is written for every input and inputs are large.
    static func encodeStep(_ input: Input, at now: Instant, before: UInt32, into writer: inout ByteWriter) {
        let start = RecordFraming.open(in: &writer)
        writer.write(Kind.step.rawValue)
        writer.write(UInt64(bitPattern: now.nanoseconds))
        writer.write(before)
        input.encode(into: &writer)
        RecordFraming.close(in: &writer, from: start)
    }

    /// Decodes the payload of a record.
    init(_ payload: UnsafeRawBufferPointer) throws(WireError) {
        var reader = ByteReader(payload)
        var stepReader = reader
        if try stepReader.readInteger(UInt8.self) == Kind.step.rawValue {
            let moment = Instant(nanoseconds: try stepReader.readInteger())
            let before = try stepReader.readInteger(UInt32.self)
            self = .step(moment, try Input(from: &stepReader), before: before)
        } else {
            self = try JournalRecord(coding: nil, with: &reader)
            guard reader.remaining == 0 else { throw .trailingBytes(reader.remaining) }
        }
    }

    private struct Parts {
        var kind: Kind
        var header: JournalHeader?
        /// The number of steps.
        var count: UInt64?
        var sequence: SequenceNumber?
        var digest: UInt64?
        var message: MessageKind?
        var peer: Peer?
        var status: Int32?
        var moment: Instant?
    }

    private var parts: Parts {
        switch self {
        case .step: preconditionFailure("a step is encoded by encodeStep")
        case .header(let header): Parts(kind: .header, header: header)
        case .digest(let steps, let value): Parts(kind: .digest, count: steps, digest: value)
        case .lost(let sequence, let kind, let peer, let moment):
            Parts(kind: .lost, sequence: sequence, message: kind, peer: peer, moment: moment)
        case .skipped(let count): Parts(kind: .skipped, count: count)
        case .ended(let status, let moment): Parts(kind: .ended, status: status, moment: moment)
        }
    }

    private init<Coder: FieldCoder>(coding value: JournalRecord?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.kind, "kind", as: "record kind") {
        case .header: self = .header(try JournalHeader(coding: parts?.header, with: &coder))
        case .step: throw coder.failure(.badValue("record kind", UInt64(Kind.step.rawValue)))
        case .digest:
            self = .digest(
                steps: try coder.field(parts?.count, "steps"), try coder.field(parts?.digest, "digest"))
        case .lost:
            self = .lost(
                sequence: try coder.field(parts?.sequence, "sequence"),
                kind: try coder.field(parts?.message, "message kind", as: "message kind"),
                to: try coder.field(parts?.peer), try coder.field(parts?.moment, "at"))
        case .skipped: self = .skipped(try coder.field(parts?.count, "steps"))
        case .ended:
            self = .ended(
                status: try coder.field(parts?.status, "status"), try coder.field(parts?.moment, "at"))
        }
    }

    /// Returns the version of the protocol if the payload is a header's. These two bytes are the same in every format.
    static func wireVersion(_ payload: UnsafeRawBufferPointer) -> UInt8? {
        payload.count >= 2 && payload[0] == Kind.header.rawValue ? payload[1] : nil
    }
}

extension JournalHeader {
    fileprivate init<Coder: FieldCoder>(coding value: JournalHeader?, with coder: inout Coder) throws(Coder.Failure) {
        let wireVersion = try coder.field(value?.wireVersion, "protocol version")
        let behaviour = try coder.field(value?.behaviorVersion, "behaviour")
        self.init(
            order: try coder.field(value?.order), wireVersion: wireVersion, behaviorVersion: behaviour,
            content: try coder.field(value?.content, "CRC32C of what is shown"),
            segment: try coder.field(value?.segment, "segment"),
            firstStep: try coder.field(value?.firstStep, "first step"), at: try coder.field(value?.at, "at"),
            apps: try coder.field(value?.apps, "apps"), pid: try coder.field(value?.pid, "pid"),
            uid: try coder.field(value?.uid, "uid"))
        // Replay makes a core with this number of apps, so a number beyond every configuration is refused.
        try coder.require(apps <= Self.appLimit, else: .badValue("apps", UInt64(apps)))
    }

    private static let appLimit: UInt32 = 128
}

extension [UInt8] {
    mutating func append(little value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
