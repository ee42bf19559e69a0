import Basics
import CSystem
import Foundation
import Hosting
import Journals
import Settings
import Testing
import Wire

@testable import ZeroMQHost

@Suite("The journal of a host") struct JournalTests {
    let scratch = Scratch()

    private func path(_ name: String) -> String {
        "\(scratch.paths.journals)/\(name.prefix { $0 != "." })/\(name)"
    }

    private func bytes(_ peer: Peer, _ generation: UInt32 = 1, _ segment: UInt32 = 0) throws -> [UInt8] {
        let name = Journal.fileName(peer, generation: generation, segment: segment)
        return [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    private func records(_ peer: Peer, _ generation: UInt32 = 1, _ segment: UInt32 = 0) throws -> [JournalRecord] {
        var reader = try JournalReader(try bytes(peer, generation, segment))
        var records: [JournalRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func inputs(_ records: [JournalRecord]) -> [Input] {
        records.compactMap { if case .step(_, let input, before: _) = $0 { input } else { nil } }
    }

    private var files: [String] {
        journalPaths.map { String($0.split(separator: "/").last ?? "") }
    }

    /// The journals of this folder, then those of its subfolders, each sorted by length and name.
    private var journalPaths: [String] {
        let folder = scratch.paths.journals
        return names(in: folder).flatMap { name in
            Journal.parse(fileName: name) == nil
                ? names(in: "\(folder)/\(name)").map { "\(folder)/\(name)/\($0)" } : ["\(folder)/\(name)"]
        }
    }

    @Test("the group's journal limit removes previous groups' files first, then the oldest")
    func groupLimit() throws {
        let paths = scratch.paths
        func make(_ folder: String, _ peer: Peer, _ generation: UInt32, _ segment: UInt32, minute: Int) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = "\(folder)/" + Journal.fileName(peer, generation: generation, segment: segment)
            try Data(count: 1 << 20).write(to: URL(filePath: path))
            let date = Date(timeIntervalSince1970: 1_700_000_000 + 60 * Double(minute))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        // The newest file of all belongs to the previous group.
        try make(paths.previousJournals, .app(1), 1, 0, minute: 99)
        try make(paths.journals, .inputKit, 1, 0, minute: 1)
        for segment: UInt32 in 0..<3 { try make(paths.journals, .app(1), 1, segment, minute: 2 + Int(segment)) }
        // Live groups have a folder for each process.
        for life: UInt32 in 1...2 { try make("\(paths.journals)/app2", .app(2), life, 0, minute: 10 + Int(life)) }
        try "mine".write(toFile: "\(paths.journals)/notes", atomically: false, encoding: .utf8)
        let settings = try Settings([Setting(key: "journal.groupLimit", value: "4")])
        var journals = GroupJournals(in: paths, settings, at: .boot)
        let latest: [Peer: UInt32] = [.app(1): 1, .app(2): 2, .inputKit: 1]
        let said = journals.check(latest: latest, at: .boot)
        let line = try #require(said)
        #expect(line.hasPrefix("journals: 3 of the oldest files, 3 MiB, removed: "))
        #expect(journals.bytes == 4 << 20 && journals.removed == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: paths.previousJournals).isEmpty)
        #expect(files == ["app2.1.0.journal", "app2.2.0.journal", "app1.1.2.journal", "input-kit.1.0.journal"])
        let again = journals.check(latest: latest, at: .boot)
        #expect(again == nil)
        // The file that a process writes to stays, whatever the limit is.
        let none = try Settings([Setting(key: "journal.groupLimit", value: "1")])
        journals = GroupJournals(in: paths, none, at: .boot)
        _ = journals.check(latest: latest, at: .boot)
        #expect(files == ["app2.2.0.journal", "app1.1.2.journal", "input-kit.1.0.journal"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(paths.journals)/app2") == ["app2.2.0.journal"])
    }

    @Test("T7: forged journal files cost no other process its journal")
    func forged() throws {
        let paths = scratch.paths
        func make(_ folder: String, _ name: String, bytes: Int, length: off_t = 0) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(repeating: 1, count: bytes).write(to: URL(filePath: "\(folder)/\(name)"))
            if length > 0 { #expect(truncate("\(folder)/\(name)", length) == 0) }
        }
        let peers: [Peer] = [.supervisor, .inputKit, .systemServer, .app(1), .app(2)]
        for peer in peers {
            try make(paths.journals(of: peer), Journal.fileName(peer, generation: 3, segment: 0), bytes: 1 << 20)
        }
        // Each forged file is a terabyte long, occupies one page, and has the highest numbers there are.
        let own = paths.journals(of: .app(1))
        for peer in peers {
            let name = Journal.fileName(peer, generation: .max, segment: .max)
            try make(own, name, bytes: 1, length: 1 << 40)
        }
        try make(own, "junk", bytes: 2 << 20)
        let latest = Dictionary(uniqueKeysWithValues: peers.map { ($0, UInt32(3)) })
        var journals = GroupJournals(
            in: paths, try Settings([Setting(key: "journal.groupLimit", value: "6")]), at: .boot)
        _ = journals.check(latest: latest, at: .boot)
        // Files that are no journals are removed first; then there is room.
        #expect(journals.bytes <= 6 << 20 && !FileManager.default.fileExists(atPath: "\(own)/junk"))
        journals = GroupJournals(in: paths, try Settings([Setting(key: "journal.groupLimit", value: "1")]), at: .boot)
        _ = journals.check(latest: latest, at: .boot)
        for peer in peers {
            let left = names(in: paths.journals(of: peer))
            #expect(left == [Journal.fileName(peer, generation: 3, segment: 0)], "\(peer): \(left)")
        }
        // Forged files do not change the generations that are found either.
        try make(own, Journal.fileName(.app(2), generation: 9, segment: 0), bytes: 1)
        #expect(latestGeneration(in: paths) == 3 && firstFreeGeneration(of: .app(2), in: paths) == 4)
    }

    @Test("a journal contains each input before the core receives it")
    func beforeTheCore() throws {
        let folder = scratch.folder
        let host = try Running(as: .inputKit, runDirectory: folder) { input, _, _ in
            let path = "\(RunPaths(folder).journals(of: .inputKit))/input-kit.1.0.journal"
            let bytes = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
            guard var reader = try? JournalReader([UInt8](bytes)) else {
                Issue.record("no journal")
                return
            }
            var last: Input?
            while let record = try? reader.next() { if case .step(_, let input, before: _) = record { last = input } }
            #expect(last == input)
        }
        host.sendAsSupervisor(.reportRequest)
        host.sendAsSupervisor(roster(.inputKit))
        host.recorded.wait("both") { $0.frames.count == 2 }
        host.stop()
        #expect(inputs(try records(.inputKit)) == host.recorded.inputs)
    }

    @Test("a closed journal is truncated to its length, final and private")
    func cleanEnd() throws {
        let host = try Running(as: .app(4), runDirectory: scratch.folder)
        host.stop()
        let records = try records(.app(4))
        guard case .header(let header)? = records.first, case .ended(status: 0, _)? = records.last else {
            Issue.record("\(records)")
            return
        }
        #expect(header.order.peer == .app(4) && header.pid == getpid() && header.uid == geteuid())
        #expect(try bytes(.app(4)).count < 4096)
        let files = FileManager.default
        func mode(_ path: String) throws -> Int? {
            try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(scratch.paths.journals) == 0o700)
        #expect(try mode("\(scratch.paths.journals)/app4/app4.1.0.journal") == 0o600)
    }

    @Test("host.journal: off keeps no journal")
    func off() throws {
        var settings = Settings()
        try settings.set(.hostJournal, to: "off")
        let host = try Running(as: .app(1), settings: settings, runDirectory: scratch.folder)
        host.stop()
        #expect(files.isEmpty)
    }

    // MARK: Files and their ends, with times that the test gives

    private func moment(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private func journal(_ settings: [String: String] = [:], generation: UInt32 = 1) throws -> HostJournal {
        var all = Settings()
        for (key, value) in settings { try all.set(key, to: value) }
        let order = LaunchOrder(
            peer: .app(1), epoch: 1, generation: generation, runDirectory: scratch.folder, settings: all.changed)
        return HostJournal(order, settings: all, apps: 0, at: .boot)
    }

    /// An input that is long enough to fill a file soon.
    private func long(_ number: Int, _ count: Int) -> Input {
        .fileBytes(FileID(UInt32(number)), [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count))
    }

    @Test("a full journal file is continued without losing or repeating inputs")
    func rotation() throws {
        let journal = try journal(["journal.segmentSize": "0.0625"])
        let given = (0..<40).map { long($0, 10_000) } + [long(40, 300_000), long(41, 5)]
        for (index, input) in given.enumerated() {
            journal.note(input, at: moment(Int64(index)))
            var none: [Effect] = []
            journal.noteAnswer(&none, at: moment(Int64(index)))
        }
        journal.end(status: 0, at: moment(1000))
        #expect(files.count > 7)
        var all: [Input] = []
        for segment in files.indices {
            let found = try records(.app(1), 1, UInt32(segment))
            guard case .header(let header)? = found.first else {
                Issue.record("segment \(segment): \(found)")
                return
            }
            #expect(header.segment == UInt32(segment) && header.firstStep == UInt64(all.count))
            all += inputs(found)
        }
        #expect(all == given)
    }

    @Test("journal files beyond the limit are removed, oldest first")
    func limit() throws {
        let journal = try journal(["journal.segmentSize": "0.25", "journal.processLimit": "1"])
        for number in 0..<40 { journal.note(long(number, 100_000), at: moment(Int64(number))) }
        journal.end(status: 0, at: moment(1000))
        let sizes = try files.map { name in
            try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
        }
        #expect(sizes.reduce(0, +) <= 1 << 20)
        #expect(!files.contains("app1.1.0.journal"))
        let last = files.compactMap { Journal.parse(fileName: $0)?.segment }.max() ?? 0
        #expect(inputs(try records(.app(1), 1, last)).last == long(39, 100_000))
    }

    @Test("one journal limit covers all generations of one process")
    func limitOfAll() throws {
        for generation in UInt32(1)...20 {
            let journal = try journal(
                ["journal.segmentSize": "0.25", "journal.processLimit": "1"], generation: generation)
            journal.note(long(1, 100_000), at: moment(1))
            journal.end(status: 0, at: moment(2))
            if generation == 1 {
                mkdir("\(scratch.paths.journals)/app2", 0o700)
                try Data(count: 9).write(to: URL(filePath: path("app2.1.0.journal")))
            }
        }
        let left = files.compactMap { Journal.parse(fileName: $0) }
        #expect(left.filter { $0.peer == .app(1) }.map(\.generation).sorted() == Array(13...20))
        #expect(left.contains { $0.peer == .app(2) })
    }

    @Test("F11: inputs that a full disk refused are written later, in order")
    func fullDisk() throws {
        let journal = try journal()
        journal.note(.started, at: moment(0))
        journal.simulateFullDisk(until: moment(5000))
        for number in 0..<100 { journal.note(.timerFired(TimerID(UInt32(number))), at: moment(10)) }
        #expect(journal.deadline == moment(1010))
        journal.workBeforeSleep(at: moment(1010))
        #expect(journal.deadline == moment(2010))
        #expect(inputs(try records(.app(1))) == [.started])
        journal.workBeforeSleep(at: moment(5500))
        #expect(journal.deadline == .never)
        journal.note(.stopRequested, at: moment(5501))
        journal.end(status: 0, at: moment(5502))
        let timers: [Input] = (0..<100).map { .timerFired(TimerID(UInt32($0))) }
        #expect(inputs(try records(.app(1))) == [.started] + timers + [.stopRequested])
    }

    @Test("F11: a journal written late still records its process's start")
    func begunLate() throws {
        let journal = try journal()
        journal.simulateFullDisk(until: moment(5000))
        journal.note(.started, at: moment(10))
        journal.workBeforeSleep(at: moment(5500))
        journal.end(status: 0, at: moment(5501))
        guard case .header(let header)? = try records(.app(1)).first else {
            Issue.record("no header")
            return
        }
        #expect(header.at == .boot)
    }

    @Test("F11: a full ring drops its oldest inputs and records their number")
    func ringRunsOver() throws {
        let journal = try journal(["journal.ringCapacity": "4"])
        journal.note(.started, at: moment(0))
        journal.simulateFullDisk(until: moment(5000))
        for number in 0..<10 { journal.note(.timerFired(TimerID(UInt32(number))), at: moment(10)) }
        journal.workBeforeSleep(at: moment(6000))
        journal.end(status: 0, at: moment(6001))
        let records = try records(.app(1))
        #expect(inputs(records) == [.started] + (6..<10).map { .timerFired(TimerID($0)) })
        #expect(records.dropFirst(2).first == .skipped(6))
    }

    @Test("F11: a process can exit while the disk is full")
    func endsFull() throws {
        let journal = try journal()
        journal.simulateFullDisk(until: .never)
        journal.note(.started, at: moment(0))
        journal.end(status: 0, at: moment(1))
        #expect(files.isEmpty)
    }

    @Test("F11: a missing journal folder is retried like a full disk")
    func noFolder() throws {
        try Data().write(to: URL(filePath: scratch.paths.journals))
        let journal = try journal()
        journal.note(.started, at: moment(0))
        #expect(journal.deadline == moment(1000))
        var report = Report(peer: .app(1))
        journal.addRows(to: &report)
        #expect(report["journal.state"] == .text("keeping") && report["journal.waiting"] == .number(1))
        try FileManager.default.removeItem(atPath: scratch.paths.journals)
        journal.workBeforeSleep(at: moment(1000))
        journal.end(status: 0, at: moment(1001))
        #expect(inputs(try records(.app(1))) == [.started])
    }

    @Test("a journal never overwrites an existing file")
    func taken() throws {
        let folder = scratch.paths.journals(of: .app(1))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = path("app1.1.0.journal")
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        let journal = try journal()
        journal.note(.started, at: moment(0))
        #expect(journal.deadline == moment(1000))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    }

    @Test("an earlier group's journals are set aside and replace older ones")
    func setAside() throws {
        let paths = scratch.paths
        for generation in 1...3 {
            try setAsideJournals(in: paths)
            let journal = try journal(generation: UInt32(generation))
            journal.note(.started, at: .boot)
            journal.end(status: 0, at: .boot)
        }
        #expect(files == ["app1.3.0.journal"])
        let previous = try FileManager.default.subpathsOfDirectory(atPath: paths.previousJournals)
        #expect(previous.sorted() == ["app1", "app1/app1.2.0.journal"])
    }

    @Test("T7: arbitrary files are set aside and removed, without following links")
    func setAsideWhatever() throws {
        let (paths, files) = (scratch.paths, FileManager.default)
        let outside = "\(scratch.folder)/mine"
        mkdir(outside, 0o700)
        try Data("mine".utf8).write(to: URL(filePath: "\(outside)/diary"))
        let own = paths.journals(of: .app(1))
        let deep = own + String(repeating: "/d", count: 50)
        try files.createDirectory(atPath: deep, withIntermediateDirectories: true)
        for number in 0..<2000 { mkdir("\(own)/d\(number)", 0o700) }
        try Data(count: 100).write(to: URL(filePath: "\(deep)/junk"))
        for link in ["\(own)/link", "\(deep)/link"] { #expect(symlink(outside, link) == 0) }
        #expect(mkfifo("\(own)/fifo", 0o600) == 0)
        try setAsideJournals(in: paths)
        #expect(files.fileExists(atPath: "\(paths.previousJournals)/app1/d1999"))
        mkdir(paths.journals, 0o700)
        try setAsideJournals(in: paths)
        #expect(try files.subpathsOfDirectory(atPath: paths.previousJournals) == [])
        #expect(names(in: outside) == ["diary"])
        // A tree deeper than any of the project's stays, and the error names it.
        let tree = paths.previousJournals + String(repeating: "/d", count: 80)
        try files.createDirectory(atPath: tree, withIntermediateDirectories: true)
        mkdir(paths.journals, 0o700)
        #expect(throws: HostError.system(call: "remove", subject: paths.previousJournals, errno: ENOTEMPTY)) {
            try setAsideJournals(in: paths)
        }
        let link = "\(scratch.folder)/to-mine"
        #expect(symlink(outside, link) == 0 && system_remove_tree(link) == 0 && names(in: outside) == ["diary"])
    }

    @Test("a process without a supervisor uses a new generation each time")
    func generations() throws {
        #expect(firstFreeGeneration(of: .app(1), in: scratch.paths) == 1)
        let journal = try journal(generation: 7)
        journal.note(.started, at: .boot)
        journal.end(status: 0, at: .boot)
        #expect(firstFreeGeneration(of: .app(1), in: scratch.paths) == 8)
        #expect(firstFreeGeneration(of: .inputKit, in: scratch.paths) == 1)
    }

    @Test("a process survives that another cuts its journal, and starts another file")
    func cutByOthers() throws {
        for length in [0, 100, 5000] {
            defer { for file in journalPaths { unlink(file) } }
            let journal = try journal()
            journal.note(.started, at: moment(0))
            for number in 0..<20 { journal.note(long(number, 10_000), at: moment(1)) }
            #expect(truncate(path("app1.1.0.journal"), length) == 0)
            for number in 20..<60 { journal.note(long(number, 10_000), at: moment(Int64(number))) }
            journal.end(status: 0, at: moment(100))
            #expect(files == ["app1.1.0.journal", "app1.1.1.journal"])
            // The new file holds everything from the record that found the cut to the end.
            let after = inputs(try records(.app(1), 1, 1))
            #expect(after.count >= 39 && after.last == long(59, 10_000))
        }
    }

    @Test("journal files grow in pieces ahead of the writes")
    func pieces() throws {
        let path = "\(scratch.folder)/journal/x.journal"
        let folder = try JournalFolder(making: "\(scratch.folder)/journal", in: AT_FDCWD, path: scratch.paths.journals)
        var segment = try JournalSegment("x.journal", in: folder, capacity: 4 << 20, preamble: JournalWriter.preamble)
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
        #expect(try size() == 128 << 10)
        let record = [UInt8](repeating: 7, count: 1000)
        for _ in 0..<100 {
            let failure = record.withUnsafeBytes { segment.append($0) }
            #expect(failure == 0)
            segment.prepare()
        }
        #expect(try size() == 256 << 10)
        #expect(segment.used == JournalWriter.preamble.count + 100_000)
        segment.close()
        #expect(try size() == JournalWriter.preamble.count + 100_000)
    }
}
