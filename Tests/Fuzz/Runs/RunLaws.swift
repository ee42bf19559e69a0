// RunLaws.swift: journals that were changed by a writer that knows their format. They are audited, replayed and compared
// without a trap.
//
// An input is a sequence of changes to the records of one short run: times, numbers and bytes, the order of records, and
// records of other processes. Changed records get new checksums, and digests are not compared, because a forger can
// compute both. So every reader reaches the next change.

import Audit
import Basics
import FuzzDriver
import Hosting
import Journals
import Scenarios
import Wire

private struct Kept {
    var name: String
    /// The contents of the records, without lengths and checksums.
    var records: [[UInt8]]
}

/// One group with two apps, whose input-kit, server and first app die during touches.
private let run: [Kept] = {
    guard let world = try? JournaledWorld() else { broken("no run to change") }
    for (index, victim) in [Peer.app(1), .systemServer, .inputKit].enumerated() {
        world.play("stroke f1 (20,20) (300,600) @0 0.2 step 1/60\ntap f2 (100,200) @0.1")
        world.run(until: Double(2 * index) + 1.2)
        world.crash(victim)
        world.run(until: Double(2 * index) + 3)
    }
    world.stop()
    return world.journals.map { journal in Kept(name: "journal/\(journal.name)", records: records(in: journal.bytes)) }
}()

/// The contents of a file's records, in order.
private func records(in file: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    guard var reader = try? JournalReader(file) else { broken("our own journal") }
    while true {
        do throws(JournalError) {
            guard let record = try reader.next() else { return found }
            found.append(content(of: record))
        } catch { broken("our own journal: \(error)") }
    }
}

/// The length of a record in three bytes with a byte that checks them, and its checksum.
private let frontSize = 8

private func content(of record: JournalRecord) -> [UInt8] {
    var bytes: [UInt8] = []
    record.encode(into: &bytes)
    let length = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    return Array(bytes[frontSize..<(frontSize + length)])
}

/// A record with this content, behind its length and checksum; nil if the content is no record.
private func record(_ content: [UInt8], behind before: [UInt8]) -> JournalRecord? {
    let padded = content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    let length = UInt32(content.count)
    let word = length | ((length ^ length >> 8 ^ length >> 16 ^ 0xA5) & 0xFF) << 24
    var file = JournalWriter.preamble + before
    var lengthBytes: [UInt8] = []
    withUnsafeBytes(of: word.littleEndian) { lengthBytes.append(contentsOf: $0) }
    file += lengthBytes
    withUnsafeBytes(of: CRC32C.of(lengthBytes + padded).littleEndian) { file.append(contentsOf: $0) }
    file += padded
    guard var reader = try? JournalReader(file) else { return nil }
    if !before.isEmpty { _ = try? reader.next() }
    return try? reader.next() ?? nil
}

private let extremes: [UInt64] = [
    0, 1, .max, 1 << 63, UInt64(Int64.max), UInt64(Int64.max / 4), 1 << 32, 1 << 31, 0xFFFF_FFFF, 1 << 62,
    0x7FF8_0000_0000_0000,
    0x7FF0_0000_0000_0000, 0xFFEF_FFFF_FFFF_FFFF, 0x8000_0000, 1_000_000_000, 60_000_000_000,
]

private func change(_ kept: inout [Kept], by choices: inout Choices) -> Int {
    let file = choices.number(below: kept.count)
    let count = kept[file].records.count
    let index = Int(choices.byte()) << 8 | Int(choices.byte())
    let at = count == 0 ? 0 : index % count
    let place = Int(choices.byte())
    guard count > 0, !kept[file].records[at].isEmpty else { return file }
    func write(_ value: UInt64, _ size: Int, at offset: Int) {
        for byte in 0..<size where offset + byte < kept[file].records[at].count {
            kept[file].records[at][offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))
        }
    }
    switch choices.number(below: 9) {
    // The time of a step comes first, behind its tag.
    case 0: write(extremes[choices.number(below: extremes.count)], 8, at: 1)
    case 1: write(extremes[choices.number(below: extremes.count)], 8, at: place % kept[file].records[at].count)
    case 2: write(extremes[choices.number(below: extremes.count)], 4, at: place % kept[file].records[at].count)
    case 3: kept[file].records[at][place % kept[file].records[at].count] = choices.byte()
    case 4: if at > 0 { kept[file].records.remove(at: at) }
    case 5: kept[file].records.insert(kept[file].records[at], at: min(count, max(1, at + place - 128)))
    case 6: kept[file].records.insert(choices.slice(), at: max(1, at))
    case 7:
        let other = kept[choices.number(below: kept.count)].records
        if at > 0, other.count > 1 { kept[file].records.insert(other[1 + place % (other.count - 1)], at: at) }
    default: if at > 0 { kept[file].records.swapAt(at, max(1, min(count - 1, at + place - 128))) }
    }
    return file
}

/// The file with these contents and correct lengths and checksums. Invalid contents are omitted, because reading would
/// end at them.
private func written(_ contents: [[UInt8]]) -> [UInt8] {
    guard case .header(let header)? = contents.first.flatMap({ record($0, behind: []) }) else {
        return JournalWriter.preamble
    }
    var file = JournalWriter.preamble
    JournalRecord.header(header).encode(into: &file)
    let front = Array(file[JournalWriter.preamble.count...])
    var last = Instant.boot
    for content in contents.dropFirst() {
        guard let read = record(content, behind: front) else { continue }
        guard case .step(let moment, let input, let before) = read else {
            read.encode(into: &file)
            continue
        }
        last = max(last, moment)
        JournalRecord.step(last, input, before: before).encode(into: &file)
    }
    return file
}

func expectLaws(ofRun bytes: [UInt8]) {
    var choices = Choices(bytes)
    var kept = run
    var changed: [Int] = []
    while !choices.isAtEnd, changed.count < 8 { changed.append(change(&kept, by: &choices)) }
    let files = kept.indices.map { index in
        let bytes = changed.contains(index) ? written(kept[index].records) : unchanged[index]
        return ReplayedGroup.File(name: kept[index].name) { bytes }
    }
    do throws(ReplayError) {
        var options = AuditOptions.live
        options.ignoreTiming()
        var replay = AuditedReplay(try ReplayedGroup(files, isTraced: true, comparesDigests: false), options: options)
        let report = replay.run()
        for violation in report.violations { expect(!violation.text.isEmpty, "a violation without a word") }
        if changed.isEmpty {
            expect(
                report.violations.isEmpty && replay.complaints.isEmpty,
                "the run itself: \(report.violations.map(\.text)) \(replay.complaints)")
        }
    } catch { expect(!error.description.isEmpty) }
    do {
        var group = try ReplayedGroup(files, isTraced: true, comparesDigests: false)
        let comparison = try Comparison(try LiveRun(&group), links: .measured)
        for difference in comparison.differences { expect(!difference.text.isEmpty, "a difference without a word") }
    } catch { expect(!"\(error)".isEmpty) }
}

private let unchanged = run.map { written($0.records) }
