// JournalReader.swift: a journal's file, record by record. Any bytes at all are read, refused, or found damaged.
//
//    whole records ─▶ the end: nothing left, what was kept free, or a record that was cut
//                  └▶ damage: named with its record and its byte; nothing after it is believed
//
// Fed by    a file's bytes, whoever read them
// Feeds     replay, audit, fuzzers
//
// Sources   invented

import Basics
import Wire

public struct JournalReader: Sendable {
    private let bytes: [UInt8]
    /// Of the record that comes next.
    public private(set) var offset = 0
    /// Its index, the header being 0.
    public private(set) var index = 0
    /// Bytes at the end that are no whole record: of a journal that was cut, or whose process was killed in a write.
    /// Known at the end.
    public private(set) var leftOver = 0
    private var isOver = false
    /// Of the last step: a core's time does not go back.
    private var lastStep = Instant.boot

    /// - Throws: `foreign`, `format`. What is too short to tell has no records.
    public init(_ bytes: [UInt8]) throws(JournalError) {
        self.bytes = bytes
        let preamble = RecordFraming.preamble
        guard bytes.count >= preamble.count, bytes[..<preamble.count].elementsEqual(preamble) else {
            let written = bytes.count - bytes.reversed().prefix { $0 == 0 }.count
            if preamble.starts(with: bytes[..<written]) {
                (leftOver, isOver) = (bytes.count < preamble.count && written > 0 ? bytes.count : written, true)
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

    /// - Returns: Nil at the end, and after damage.
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
            leftOver = remaining < RecordFraming.overhead && written > 0 ? remaining : written
            return nil
        }
        let length = word(at: offset)
        guard let count = RecordFraming.length(length) else {
            throw .damaged(record: index, offset: offset, .length(word: length))
        }
        guard remaining - RecordFraming.overhead >= RecordFraming.padded(count) else {
            leftOver = remaining
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
