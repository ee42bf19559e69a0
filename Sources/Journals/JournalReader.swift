// JournalReader.swift: a journal's file, read record by record.
//
//    whole records ─▶ the end: nothing left, reserved space, or a record that was cut
//                  └▶ damage: reported with its record and byte offset; nothing after it is read
//
// Input     the bytes of a file
// Output    replay, audit, fuzzers: records, or a JournalError; any bytes give one of the two
// Knows     no file
//
// Sources   invented

import Basics
import Wire

/// Reads the records of one file in order.
public struct JournalReader: Sendable {
    private let bytes: [UInt8]
    /// The offset of the next record in bytes.
    public private(set) var offset = 0
    /// The index of the next record; the header is 0.
    public private(set) var index = 0
    /// The number of bytes at the end that are no whole record, because the journal was cut or its process was killed
    /// in a write. It is known at the end.
    public private(set) var trailingByteCount = 0
    private var isOver = false
    /// The time of the last step. Steps never go back in time.
    private var lastStep = Instant.boot

    /// - Throws: `foreign` or `format`. Bytes that are too few to decide give no records.
    public init(_ bytes: [UInt8]) throws(JournalError) {
        self.bytes = bytes
        let preamble = RecordFraming.preamble
        guard bytes.count >= preamble.count, bytes[..<preamble.count].elementsEqual(preamble) else {
            let written = bytes.count - bytes.reversed().prefix { $0 == 0 }.count
            if preamble.starts(with: bytes[..<written]) {
                (trailingByteCount, isOver) = (
                    bytes.count < preamble.count && written > 0 ? bytes.count : written, true
                )
                return
            }
            guard bytes.count >= preamble.count, bytes.starts(with: preamble[..<RecordFraming.magicSize]) else {
                throw .foreign
            }
            let format = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: RecordFraming.magicSize, as: UInt32.self)
            }
            throw .format(UInt32(littleEndian: format), known: RecordFraming.format)
        }
        offset = preamble.count
    }

    /// Returns the next record; nil at the end and after damage.
    public mutating func next() throws(JournalError) -> JournalRecord? {
        guard !isOver else { return nil }
        let found: Result<JournalRecord?, JournalError> = bytes.withUnsafeBytes { all in
            do throws(JournalError) { return .success(try next(in: all)) } catch { return .failure(error) }
        }
        switch found {
        case .success(let record?): return record
        case .success(nil):
            isOver = true
            return nil
        case .failure(let error):
            isOver = true
            throw error
        }
    }

    private mutating func next(in all: UnsafeRawBufferPointer) throws(JournalError) -> JournalRecord? {
        func word(at offset: Int) -> UInt32 {
            UInt32(littleEndian: all.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let remaining = all.count - offset
        guard remaining >= RecordFraming.overhead, word(at: offset) != 0 else {
            let written = remaining - all[offset...].reversed().prefix { $0 == 0 }.count
            trailingByteCount = remaining < RecordFraming.overhead && written > 0 ? remaining : written
            return nil
        }
        let length = word(at: offset)
        guard let count = RecordFraming.length(length) else {
            throw .damaged(record: index, offset: offset, .length(word: length))
        }
        guard remaining - RecordFraming.overhead >= RecordFraming.padded(count) else {
            trailingByteCount = remaining
            return nil
        }
        let start = offset + RecordFraming.overhead
        let end = start + RecordFraming.padded(count)
        let content = UnsafeRawBufferPointer(rebasing: all[start..<end])
        let payload = UnsafeRawBufferPointer(rebasing: all[start..<(start + count)])
        let (expected, actual) = (word(at: offset + 4), RecordFraming.checksum(length, content))
        guard expected == actual else {
            throw .damaged(record: index, offset: offset, .checksum(expected: expected, actual: actual))
        }
        if index == 0 {
            guard let version = JournalRecord.wireVersion(payload) else {
                throw .damaged(record: index, offset: offset, .misplaced)
            }
            guard version == Frame.version else { throw .wireVersion(version, known: Frame.version) }
        }
        let record: JournalRecord
        do throws(WireError) { record = try JournalRecord(payload) } catch {
            throw .damaged(record: index, offset: offset, .content(error))
        }
        if case .header = record, index > 0 { throw .damaged(record: index, offset: offset, .misplaced) }
        if let moment = record.moment {
            var least = Instant.boot
            if case .step = record { least = lastStep }
            guard least <= moment, moment <= Journal.lastMoment else {
                throw .damaged(record: index, offset: offset, .moment(moment, after: least))
            }
            if case .step = record { lastStep = moment }
        }
        offset = end
        index += 1
        return record
    }
}
