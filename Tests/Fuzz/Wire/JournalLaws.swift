// JournalLaws.swift: a process's journal. Cut anywhere, it is read to its last whole record; a flipped bit is located.
//
// The first byte chooses the rest: a file; the contents of records in correct frames; or the inputs of a process,
// written as its host writes them and then cut or changed.

import Basics
import FuzzDriver
import Hosting
import Journals
import Wire

func expectLaws(ofJournal bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch first % 3 {
    case 0: _ = expectReadable(rest)
    case 1: expectLaws(ofContents: rest)
    default: expectLaws(ofLife: rest)
    }
}

/// Reads to the end or to the error. The records that were read can be written, and read again.
private func expectReadable(_ file: [UInt8]) -> (records: [JournalRecord], error: JournalError?) {
    var records: [JournalRecord] = []
    do throws(JournalError) {
        var reader = try JournalReader(file)
        while let record = try reader.next() { records.append(record) }
        expect(
            reader.index == records.count && reader.offset + reader.trailingByteCount <= file.count, "it lost its place"
        )
    } catch {
        expect(!error.description.isEmpty)
        if case .damaged(let record, let offset, _) = error {
            expect(record == records.count && offset < file.count, "damage at \(offset) of \(file.count)")
        }
        return (records, error)
    }
    if !records.isEmpty {
        var again = JournalWriter.preamble
        for record in records { record.encode(into: &again) }
        do throws(JournalError) {
            var reader = try JournalReader(again)
            for record in records { expect(try reader.next() == record, "a record that is not what was written") }
            expect(try reader.next() == nil, "more than was written")
        } catch { broken("our own bytes: \(error)") }
    }
    return (records, nil)
}

private let header = JournalHeader(
    order: LaunchOrder(peer: .app(1), epoch: 7, generation: 3, runDirectory: "/run", settings: []), at: .boot, apps: 1)

/// A file that contains a header only.
private let begun: [UInt8] = {
    var writer = JournalWriter(header)
    var file = JournalWriter.preamble
    writer.begin(segment: 0, firstStep: 0, at: .boot, into: &file)
    return file
}()

/// Each content is a record, or is refused as the content of that record.
private func expectLaws(ofContents bytes: [UInt8]) {
    var choices = Choices(bytes)
    var file = begun
    while !choices.isAtEnd {
        let payload = choices.slice()
        guard !payload.isEmpty else { continue }
        let length = UInt32(payload.count)
        let word = length | ((length ^ length >> 8 ^ length >> 16 ^ 0xA5) & 0xFF) << 24
        let padded = payload + [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
        var lengthBytes: [UInt8] = []
        withUnsafeBytes(of: word.littleEndian) { lengthBytes.append(contentsOf: $0) }
        file += lengthBytes
        withUnsafeBytes(of: CRC32C.of(lengthBytes + padded).littleEndian) { file.append(contentsOf: $0) }
        file += padded
    }
    let (records, error) = expectReadable(file)
    expect(!records.isEmpty, "not even its header: \(String(describing: error))")
    switch error {
    case nil, .damaged(_, _, .content), .damaged(_, _, .misplaced): break
    case .damaged(_, _, .moment(let moment, after: let least)):
        expect(moment < least || moment > Journal.lastMoment, "\(moment) is no fault")
    default: broken("\(error!)")
    }
}

private func input(_ choices: inout Choices) -> Input {
    switch choices.number(below: 10) {
    case 0: .started
    case 1: .connected(.systemServer)
    case 2: .timerFired(TimerID(choices.word()))
    case 3: .fileBytes(FileID(1), choices.slice())
    case 4: .device(.bytes(DeviceID(2), choices.slice()))
    case 5: .refused(.malformed(.app(2), .tooLong("packet", count: Int(choices.byte()), limit: 1)))
    case 6: .childExited(.app(1), pid: 4, status: .signalled(Int32(choices.byte())))
    case 7: .device(.failed(DeviceID(1), reason: String(decoding: choices.slice(), as: UTF8.self)))
    default:
        .frame(
            Frame(
                epoch: 7, generation: 1, sequence: SequenceNumber(UInt64(choices.byte())),
                message: .handled(Receipt(frame: SequenceNumber(UInt64(choices.byte())), outcome: .delivered))),
            from: .systemServer)
    }
}

private func expectLaws(ofLife bytes: [UInt8]) {
    var choices = Choices(bytes)
    let (how, place) = (choices.byte(), Int(choices.word() & 0xFFFFFF))
    var file = begun
    var writer = JournalWriter(header)
    // The offset at which each record ends.
    var ends = [file.count]
    var records: [JournalRecord] = []
    while !choices.isAtEnd, ends.count < 64 {
        let now = Instant(nanoseconds: Int64(ends.count))
        let before = UInt32(truncatingIfNeeded: writer.digest.value)
        let input = input(&choices)
        writer.step(input, at: now, into: &file)
        records.append(.step(now, input, before: before))
        ends.append(file.count)
        // So few steps need no digest.
        writer.addEffects([.arm(TimerID(1), at: now)], into: &file)
        expect(file.count == ends.last!, "a digest that was not due")
    }
    if how & 4 == 4 {
        writer.end(status: 0, at: .boot, into: &file)
        records += [.digest(steps: writer.steps, writer.digest.value), .ended(status: 0, .boot)]
        // The digest and the end were written together; the size of an encoded end record gives the offset between
        // them.
        var tail: [UInt8] = []
        records.last!.encode(into: &tail)
        ends += [file.count - tail.count, file.count]
    }
    switch how & 3 {
    case 0:
        let whole = expectReadable(file)
        expect(whole.error == nil, "\(String(describing: whole.error))")
        expect(whole.records.dropFirst().elementsEqual(records), "other records than were written")
    case 1:
        // The file is cut.
        let cut = place % (file.count + 1)
        let (read, error) = expectReadable(Array(file[..<cut]))
        let count = ends.count { $0 <= cut }
        expect(error == nil, "cut at \(cut) of \(file.count): \(String(describing: error))")
        expect(read.count == count, "cut at \(cut): \(read.count) records of \(count)")
        expect(read.dropFirst().elementsEqual(records.prefix(max(0, count - 1))), "cut at \(cut): other records")
    default:
        // A bit is flipped, and zeros may follow, as in preallocated space.
        let bit = place % (file.count * 8)
        file[bit / 8] ^= 1 << UInt8(bit % 8)
        if how & 8 == 8 { file += [UInt8](repeating: 0, count: 64) }
        let (read, error) = expectReadable(file)
        guard let error else { broken("bit \(bit) of \(file.count * 8) was flipped without an error") }
        guard bit / 8 >= JournalWriter.preamble.count else { return expect(read.isEmpty, "\(error)") }
        let record = ends.count { $0 <= bit / 8 }
        guard case .damaged(let named, _, _) = error else { broken("\(error)") }
        expect(named == record && read.count == record, "record \(record) was changed, \(named) is named")
    }
}
