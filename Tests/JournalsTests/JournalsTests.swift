import Basics
import HID
import Hosting
import Testing
import Wire

@testable import Journals

@Suite("Journals")
struct JournalsTests {
    @Test("every kind of input decodes to what was encoded", arguments: inputs)
    func everyInput(_ input: Input) throws {
        var bytes: [UInt8] = []
        input.encode(into: &bytes)
        #expect(try bytes.withUnsafeBytes { try Input.decode($0) } == input)
    }

    @Test("an input with missing or extra bytes is refused", arguments: inputs)
    func cutInput(_ input: Input) {
        var bytes: [UInt8] = []
        input.encode(into: &bytes)
        for count in 0..<bytes.count {
            let cut = Array(bytes[..<count])
            #expect(throws: WireError.self, "\(input) cut to \(count)") {
                try cut.withUnsafeBytes { _ = try Input.decode($0) }
            }
        }
        let longer = bytes + [0]
        #expect(throws: WireError.self) { try longer.withUnsafeBytes { _ = try Input.decode($0) } }
    }

    @Test("an axis whose resolution is not a finite number is refused", arguments: [Double.nan, .infinity, -.infinity])
    func resolution(_ resolution: Double) {
        let axis = EvdevFacts.Axis(code: 0, value: 0, axis: DeviceAxis(minimum: 0, maximum: 1, resolution: resolution))
        let facts = EvdevFacts(identity: DeviceIdentity(name: "E"), axes: [axis])
        var bytes: [UInt8] = []
        Input.device(.opened(DeviceID(1), .evdev(facts))).encode(into: &bytes)
        #expect(throws: WireError.badValue("resolution", resolution.bitPattern)) {
            try bytes.withUnsafeBytes { _ = try Input.decode($0) }
        }
    }

    @Test("damaged inputs are refused or decode to a stable input")
    func randomInputs() throws {
        var random = SeededGenerator(seed: 4711)
        func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        var understood = 0
        for _ in 0..<200_000 {
            var bytes: [UInt8] = []
            // Each round damages a valid input.
            inputs[below(inputs.count)].encode(into: &bytes)
            for _ in 0...below(4) {
                bytes[below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            if below(4) == 0 { bytes.removeLast(below(bytes.count)) }
            guard let input = try? bytes.withUnsafeBytes({ try Input.decode($0) }) else { continue }
            understood += 1
            var again: [UInt8] = []
            input.encode(into: &again)
            #expect(try again.withUnsafeBytes { try Input.decode($0) } == input)
        }
        #expect(understood > 10_000)
    }

    @Test("a whole journal is read as written: header, steps, digests, end")
    func wholeLife() {
        let many = Array(repeating: inputs, count: 50).flatMap { $0 }
        let (records, leftOver, error) = read(journal(of: many))
        #expect(error == nil && leftOver == 0)
        guard case .header(let found)? = records.first else {
            Issue.record("no header")
            return
        }
        #expect(found.order == header.order && found.content == header.content && found.pid == header.pid)
        let steps = records.compactMap { record -> Input? in
            if case .step(_, let input, before: _) = record { input } else { nil }
        }
        #expect(steps == many)
        let digests = records.compactMap { record -> UInt64? in
            if case .digest(let steps, _) = record { steps } else { nil }
        }
        #expect(digests == Array(stride(from: 1024, through: UInt64(many.count), by: 1024)) + [UInt64(many.count)])
        #expect(records.last == .ended(status: 0, Instant(nanoseconds: 1000)))
    }

    @Test("rarely written journal records are read as they were written")
    func rareRecords() {
        let rare: [JournalRecord] = [
            .lost(sequence: 9, kind: .touches, to: .app(2), .boot), .skipped(.max),
            .digest(steps: 3, .max), .ended(status: -9, Journal.lastMoment),
        ]
        var bytes = journal(of: [], endingWith: nil)
        for record in rare { record.encode(into: &bytes) }
        let (records, _, error) = read(bytes)
        #expect(Array(records.dropFirst()) == rare && error == nil)
    }

    @Test("a record with a moment that no clock gives is damage")
    func moments() {
        let (late, early) = (Instant(nanoseconds: 2000), Instant(nanoseconds: 1999))
        let beyond = Instant(nanoseconds: Journal.lastMoment.nanoseconds + 1)
        func step(_ moment: Instant) -> JournalRecord { .step(moment, .started, before: 0) }
        let cases: [(records: [JournalRecord], found: Instant, after: Instant)] = [
            ([step(.never)], .never, .boot), ([step(Instant(nanoseconds: .min))], Instant(nanoseconds: .min), .boot),
            ([step(Instant(nanoseconds: -1))], Instant(nanoseconds: -1), .boot), ([step(beyond)], beyond, .boot),
            ([step(late), step(early)], early, late), ([.ended(status: 0, .never)], .never, .boot),
            (
                [.lost(sequence: 1, kind: .touches, to: .app(1), Instant(nanoseconds: .min))],
                Instant(nanoseconds: .min), .boot
            ),
        ]
        for (added, found, after) in cases {
            var bytes = journal(of: [], endingWith: nil)
            let whole = read(bytes).records.count
            for record in added { record.encode(into: &bytes) }
            let (records, _, error) = read(bytes)
            #expect(records.count == whole + added.count - 1)
            guard case .damaged(record: whole + added.count - 1, offset: _, .moment(found, after: after))? = error
            else {
                Issue.record("\(added): \(String(describing: error))")
                continue
            }
        }
        var header = header
        header.at = .never
        var bytes = JournalWriter.preamble
        JournalRecord.header(header).encode(into: &bytes)
        #expect(read(bytes).records.isEmpty && read(bytes).error != nil)
    }

    @Test("a journal cut anywhere is read to its last whole record")
    func cutAnywhere() {
        let bytes = journal(of: inputs)
        let whole = read(bytes).records
        var boundaries = [JournalWriter.preamble.count]
        var reader = try! JournalReader(bytes)
        while (try! reader.next()) != nil { boundaries.append(reader.offset) }
        for count in 0...bytes.count {
            let (records, leftOver, error) = read(Array(bytes[..<count]))
            #expect(error == nil, "cut to \(count)")
            let last = boundaries.lastIndex { $0 <= count } ?? 0
            #expect(records == Array(whole[..<last]), "cut to \(count)")
            #expect(leftOver == (count < boundaries[0] ? count : count - boundaries[last]), "cut to \(count)")
        }
    }

    @Test("space that a killed process reserved in its journal is not damage")
    func reservedRoom() {
        let bytes = journal(of: inputs, endingWith: nil)
        let (records, leftOver, error) = read(bytes + [UInt8](repeating: 0, count: 4096))
        #expect(records == read(bytes).records && leftOver == 0 && error == nil)
        // The process was killed while it copied a record, whose length word comes last.
        var torn = bytes
        JournalRecord.step(.boot, .started, before: 0).encode(into: &torn)
        for index in bytes.count..<bytes.count + 4 { torn[index] = 0 }
        let unfinished = read(torn + [0, 0, 0, 0])
        #expect(unfinished.records == records && unfinished.error == nil && unfinished.leftOver > 0)
        #expect(read([UInt8](repeating: 0, count: 4096)) == ([], 0, nil))
    }

    @Test("every flipped bit in a journal is found, by record and byte")
    func flippedBits() {
        let bytes = journal(of: Array(inputs.prefix(4)))
        let whole = read(bytes).records
        var starts: [Int] = []
        var reader = try! JournalReader(bytes)
        while true {
            let offset = reader.offset
            guard (try! reader.next()) != nil else { break }
            starts.append(offset)
        }
        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            let (records, _, error) = read(flipped)
            guard let record = starts.lastIndex(where: { $0 <= bit / 8 }) else {
                #expect(error == .foreign || error == .format(1 ^ 1 << UInt32(bit - 64), known: 1), "bit \(bit)")
                continue
            }
            #expect(records == Array(whole[..<record]), "bit \(bit)")
            guard case .damaged(record, starts[record], _)? = error else {
                Issue.record("bit \(bit) of record \(record): \(error.map { "\($0)" } ?? "not found")")
                continue
            }
        }
    }

    @Test("a file of another kind, format or protocol is refused by name")
    func foreign() {
        #expect(read(Array("%PDF-1.7 something".utf8)).error == .foreign)
        for count in 9...11 {
            #expect(
                read(Array(JournalWriter.preamble.prefix(8)) + [UInt8](repeating: 2, count: count - 8)).error
                    == .foreign)
        }
        #expect("\(JournalError.foreign)" == "expected a journal, found a file of another kind")
        var newer = journal(of: [])
        newer[8] = 2
        #expect(read(newer).error == .format(2, known: 1))
        var header = header
        header.wireVersion = Frame.version + 1
        var bytes = JournalWriter.preamble
        JournalRecord.header(header).encode(into: &bytes)
        let error = read(bytes).error
        #expect(error == .wireVersion(Frame.version + 1, known: Frame.version))
        let (theirs, ours) = (Frame.version + 1, Frame.version)
        #expect(
            error.map { "\($0)" } == "written with protocol version \(theirs), this program speaks \(ours)")
    }

    @Test("a journal without a header or with two is damaged there")
    func misplacedHeader() {
        var bytes = JournalWriter.preamble
        JournalRecord.skipped(1).encode(into: &bytes)
        #expect(read(bytes).error == .damaged(record: 0, offset: 12, .misplaced))
        bytes = journal(of: [], endingWith: nil)
        let offset = bytes.count
        JournalRecord.header(header).encode(into: &bytes)
        #expect(read(bytes).error == .damaged(record: 1, offset: offset, .misplaced))
    }

    @Test("a journal's header with too many apps is refused")
    func tooManyApps() {
        var header = header
        header.apps = .max
        var bytes = JournalWriter.preamble
        JournalRecord.header(header).encode(into: &bytes)
        #expect(read(bytes).error == .damaged(record: 0, offset: 12, .content(.badValue("apps", UInt64(UInt32.max)))))
    }

    @Test("a journal's file name gives its peer, generation and segment")
    func names() {
        let name = Journal.fileName(.app(12), generation: 3, segment: 4)
        #expect(name == "app12.3.4.journal")
        let parsed = Journal.parse(fileName: name)
        #expect(parsed?.peer == .app(12) && parsed?.generation == 3 && parsed?.segment == 4)
        for other in ["app1.1.journal", "app1.1.1.journal.gz", "nobody.1.1.journal", "app1.-1.0.journal", ""] {
            #expect(Journal.parse(fileName: other) == nil, "\(other)")
        }
    }
}

@Suite("Digest of effects")
struct EffectDigestTests {
    @Test("the digest of given effects is the same in every process")
    func stable() {
        var digest = EffectDigest()
        digest.combine(effects)
        #expect(String(digest.value, radix: 16) == "b2bd8eb1f755bb2f", "another number is another format of journals")
    }

    @Test("every change of effects or of their order changes the digest")
    func sensitive() {
        func digest(_ effects: [Effect]) -> UInt64 {
            var digest = EffectDigest()
            digest.combine(effects)
            return digest.value
        }
        var seen: Set = [digest(effects)]
        for index in effects.indices {
            var fewer = effects
            fewer.remove(at: index)
            #expect(seen.insert(digest(fewer)).inserted, "without \(effects[index])")
            guard index > 0 else { continue }
            var swapped = effects
            swapped.swapAt(index, index - 1)
            #expect(seen.insert(digest(swapped)).inserted, "\(effects[index]) earlier")
        }
    }

    @Test("CRC32C gives Castagnoli's known checksums")
    func checksum() {
        #expect(CRC32C.of(Array("123456789".utf8)) == 0xE306_9283)
        #expect(CRC32C.of([]) == 0)
        #expect(CRC32C.of([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(CRC32C.of([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    }

    @Test("CRC32C is the same with and without the processor's instruction, for each length and each cut")
    func instruction() {
        let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 11) }
        bytes.withUnsafeBytes { all in
            for count in 0...all.count {
                for cut in [0, count / 3, count] {
                    var (fast, plain) = (CRC32C(), CRC32C())
                    fast.update(UnsafeRawBufferPointer(rebasing: all[..<cut]))
                    fast.update(UnsafeRawBufferPointer(rebasing: all[cut..<count]))
                    plain.updateByTables(UnsafeRawBufferPointer(rebasing: all[..<count]))
                    #expect(fast.value == plain.value, "\(count) bytes, cut at \(cut)")
                }
            }
        }
    }
}
