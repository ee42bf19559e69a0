import Audit
import Basics
import Foundation
import Hosting
import Journals
import Scenarios
import Testbed
import Testing
import Wire

@Suite("A group replayed from its journals")
struct ReplayedGroupTests {
    private func occurrences(_ group: inout ReplayedGroup) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        while let next = group.next() { occurrences.append(next) }
        return occurrences
    }

    @Test("a replayed group gives the same effects in every process")
    func identical() throws {
        let world = try JournaledWorld.eventful()
        var group = try ReplayedGroup(world.files)
        let all = occurrences(&group)
        #expect(group.difference == nil && group.complaints.isEmpty)
        #expect(group.steps > 1000)
        #expect(
            Set(group.processes.map { "\($0)" }) == [
                "supervisor.1", "input-kit.1", "input-kit.2", "system-server.1", "system-server.2", "app1.1",
                "app1.2", "app2.1", "app2.2",
            ])
        for journal in world.journals {
            var digest = EffectDigest()
            var steps: [Step] = []
            for case .step(let step) in all where step.process == journal.header.process {
                digest.combine(step.effects)
                steps.append(step)
            }
            #expect(digest.value == journal.digest, "\(journal.header.process)")
            #expect(steps.map(\.index) == (0..<UInt64(steps.count)).map { $0 })
        }
    }

    @Test("in a replay no frame is received before it was sent")
    func causes() throws {
        var group = try ReplayedGroup(try JournaledWorld.eventful().files)
        var said: Set<String> = []
        var alive: Set<ProcessInstance> = []
        var latest = Instant.boot
        for occurrence in occurrences(&group) {
            switch occurrence {
            case .began(let life, _): #expect(alive.insert(life).inserted)
            case .ended(let life, _, _): #expect(alive.remove(life) != nil)
            case .lost: Issue.record("no frame is lost in this run")
            case .step(let step):
                #expect(alive.contains(step.process), "\(step.process) step \(step.index)")
                #expect(step.at >= latest)
                latest = step.at
                if case .frame(let frame, from: let peer) = step.input, peer.role != .controller {
                    let name = "\(peer).\(frame.generation) \(frame.epoch) \(frame.sequence) \(step.process.peer)"
                    #expect(said.contains(name), "\(name) is heard before it is said")
                }
                for case .send(let frame, to: let peer) in step.effects {
                    said.insert("\(step.process) \(frame.epoch) \(frame.sequence) \(peer)")
                }
            }
        }
    }

    @Test("a replay reports a process's exit before any peer loses it")
    func ends() throws {
        var group = try ReplayedGroup(try JournaledWorld.eventful().files)
        var ended: [ProcessInstance: Hosting.ExitStatus?] = [:]
        for occurrence in occurrences(&group) {
            switch occurrence {
            case .ended(let life, _, let status): ended[life] = .some(status)
            case .step(let step):
                guard case .peerLost(let peer) = step.input, peer.role != .controller else { continue }
                #expect(ended.keys.contains { $0.peer == peer }, "\(peer) is lost")
            default: continue
            }
        }
        for (peer, generation) in [(Peer.app(1), 1), (.systemServer, 1), (.inputKit, 1), (.app(2), 1)] {
            let life = ProcessInstance(peer, epoch: 1, generation: UInt32(generation))
            let found = ended.first { $0.key.peer == life.peer && $0.key.generation == life.generation }
            #expect(found?.value == .signalled(9), "\(life)")
        }
        #expect(ended.count == 4)
    }

    // MARK: Changed and missing journals

    /// Returns the same files with one of them changed.
    private func changed(
        _ files: [ReplayedGroup.File], _ name: String, _ change: ([UInt8]) -> [UInt8]
    ) throws -> [ReplayedGroup.File] {
        try files.map { file in
            guard file.name.hasSuffix(name) else { return file }
            let bytes = change(try file.read())
            return ReplayedGroup.File(name: file.name) { bytes }
        }
    }

    private func records(_ bytes: [UInt8]) -> [JournalRecord] {
        var records: [JournalRecord] = []
        guard var reader = try? JournalReader(bytes) else { return [] }
        while let record = try? reader.next() { records.append(record) }
        return records
    }

    private func encoded(_ records: [JournalRecord]) -> [UInt8] {
        var bytes = JournalWriter.preamble
        for record in records { record.encode(into: &bytes) }
        return bytes
    }

    @Test("a changed input is found at the step whose effects differ")
    func difference() throws {
        let world = try JournaledWorld.eventful()
        var expected: UInt64 = 0
        let files = try changed(world.files, "system-server.1.0.journal") { bytes in
            var records = records(bytes)
            // A timer input replaces the last scan.
            let index = records.lastIndex { record in
                if case .step(_, .frame(let frame, _), before: _) = record {
                    frame.message.kind == .digitizer
                } else {
                    false
                }
            }!
            guard case .step(let moment, _, let before) = records[index] else { return bytes }
            records[index] = .step(moment, .timerFired(TimerID(999)), before: before)
            expected = UInt64(records[..<index].filter { if case .step = $0 { true } else { false } }.count)
            return encoded(records)
        }
        var group = try ReplayedGroup(files)
        _ = occurrences(&group)
        let difference = try #require(group.difference)
        #expect(difference.process == ProcessInstance(.systemServer, epoch: 1, generation: 1))
        #expect(difference.step == expected)
        #expect(group.next() == nil)
    }

    @Test("a damaged journal is replayed up to its damage, the others whole")
    func damage() throws {
        let world = try JournaledWorld.eventful()
        let files = try changed(world.files, "app1.2.0.journal") { bytes in
            var bytes = bytes
            bytes[bytes.count / 2] ^= 1
            return bytes
        }
        var group = try ReplayedGroup(files)
        _ = occurrences(&group)
        #expect(group.difference == nil && group.complaints.count == 1)
        #expect(group.complaints.first?.contains("app1.2.0.journal: damaged at byte") == true)
    }

    @Test("a process whose first steps are gone is named and left out")
    func beginningGone() throws {
        let world = try JournaledWorld.eventful()
        let files = try changed(world.files, "app2.1.0.journal") { bytes in
            var records = records(bytes)
            guard case .header(var header)? = records.first else { return bytes }
            (header.segment, header.firstStep) = (3, 700)
            records[0] = .header(header)
            return encoded(records)
        }
        var group = try ReplayedGroup(files)
        #expect(group.complaints == ["app2.1: its first 700 steps are gone: cannot be replayed"])
        #expect(!group.processes.contains(ProcessInstance(.app(2), epoch: 1, generation: 1)))
        _ = occurrences(&group)
        #expect(group.difference == nil)
    }

    @Test("a journal under another process's name is left out with a complaint")
    func wrongName() throws {
        let world = try JournaledWorld()
        let files = try world.files.map { file in
            let bytes = try file.read()
            let name = file.name.replacing("app2.1.0", with: "app2.9.0")
            return ReplayedGroup.File(name: name) { bytes }
        }
        var group = try ReplayedGroup(files)
        #expect(
            group.complaints == [
                "journal/app2.9.0.journal: is the journal of app2.1 and called another's: left out"
            ])
        _ = occurrences(&group)
        #expect(group.difference == nil)
    }

    @Test("a journal in another process's folder is left out with a complaint")
    func othersFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let world = try JournaledWorld.eventful()
        func write(_ file: ReplayedGroup.File, as name: String, of peer: Substring) throws {
            let own = folder.appending(path: String(peer))
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try Data(try file.read()).write(to: own.appending(path: name))
        }
        for file in world.files {
            let name = String(file.name.split(separator: "/").last ?? "")
            try write(file, as: name, of: name.prefix { $0 != "." })
        }
        let honest = try ReplayedGroup(folder: folder.path)
        // A valid journal lies in the folder of the process that made it up.
        let server = try #require(world.files.first { $0.name.contains("system-server.1.0") })
        for name in ["system-server.1.0.journal", "system-server.1.1.journal", "supervisor.9.0.journal"] {
            try write(server, as: name, of: "app1")
        }
        let forged = try ReplayedGroup(folder: folder.path)
        #expect(forged.processes == honest.processes && !forged.processes.isEmpty)
        #expect(forged.complaints.filter { !honest.complaints.contains($0) }.count == 3)
        #expect(
            forged.complaints.contains(
                "\(folder.path)/app1/supervisor.9.0.journal: is in the folder of one process and called another's: left out"
            ))
    }

    @Test("steps that a full disk skipped end their process's replay")
    func skipped() throws {
        let world = try JournaledWorld.eventful()
        let files = try changed(world.files, "app1.1.0.journal") { bytes in
            var records = records(bytes)
            records.replaceSubrange(20..<30, with: [.skipped(10)])
            return encoded(records)
        }
        var group = try ReplayedGroup(files)
        _ = occurrences(&group)
        #expect(group.difference == nil)
        #expect(group.complaints.first?.contains("10 steps are missing: the disk was full") == true)
    }

    @Test("a missing journal of a ready process or the supervisor is reported")
    func missing() throws {
        let files = try JournaledWorld.eventful().files
        var group = try ReplayedGroup(files.filter { !$0.name.hasSuffix("app1.1.0.journal") })
        _ = occurrences(&group)
        #expect(group.complaints.count == 1)
        #expect(group.complaints.first?.hasPrefix("app1, pid ") == true)
        #expect(group.complaints.first?.hasSuffix(": expected a journal of it, found none") == true)
        var replay = AuditedReplay(try ReplayedGroup(files.filter { !$0.name.hasSuffix("supervisor.1.0.journal") }))
        _ = replay.run()
        #expect(replay.complaints.count == 1)
        #expect(replay.complaints.first?.hasPrefix("supervisor: expected a journal of it, found none") == true)
    }

    @Test("a journal that ends early is reported unless its process was killed")
    func cut() throws {
        let world = try JournaledWorld.eventful()
        for (peer, isMissed) in [("app1.2", true), ("app1.1", false)] {
            // In the end all processes exit by themselves, except those that were killed before.
            world.stop()
            let files = try changed(world.files, "\(peer).0.journal") { bytes in
                let records = records(bytes)
                return encoded(Array(records[..<(records.count / 2)]))
            }
            var group = try ReplayedGroup(files)
            _ = occurrences(&group)
            #expect(group.complaints.isEmpty != isMissed, "\(group.complaints)")
            if isMissed { #expect(group.complaints.first?.hasPrefix("\(peer): its journal ends after") == true) }
            #expect(group.difference == nil)
        }
    }

    @Test("an audited replay uses the group's own limit and screen")
    func audited() throws {
        for limit in [1, 256] {
            let world = try JournaledWorld(settings: [Setting(key: "server.inFlightLimit", value: "\(limit)")])
            world.play("stroke f1 (20,20) (300,600) @0 1 step 1/60")
            world.run(until: 4)
            world.stop()
            var options = AuditOptions.live
            options.ignoreTiming()
            var replay = AuditedReplay(try ReplayedGroup(world.files), options: options)
            let report = replay.run()
            #expect(report.violations.map(\.text) == [] && replay.complaints == [])
            #expect(report.scans.injected > 40 && report.touches == 1 && replay.steps > 100)
        }
    }

    @Test("journals of another behaviour, protocol or kind are refused by name")
    func versions() throws {
        let world = try JournaledWorld()
        func refusal(_ change: ([UInt8]) -> [UInt8]) throws -> String {
            let files = try changed(world.files, "app1.1.0.journal", change)
            do throws(ReplayError) {
                _ = try ReplayedGroup(files)
                return "none"
            } catch { return "\(error)" }
        }
        let name = "journal/app1.1.0.journal"
        #expect(
            try refusal { bytes in
                guard case .header(var header)? = records(bytes).first else { return bytes }
                header.behaviorVersion = 900
                return encoded([.header(header)])
            } == "\(name): written by cores of behaviour 900, this program's are of \(Journal.behaviorVersion): "
                + "replay them with the touchline that wrote them")
        #expect(
            try refusal { bytes in
                guard case .header(var header)? = records(bytes).first else { return bytes }
                header.wireVersion = 200
                return encoded([.header(header)])
            } == "\(name): written with protocol version 200, this program speaks \(Frame.version)")
        #expect(try refusal { _ in Array("hello".utf8) } == "\(name): expected a journal, found a file of another kind")
        #expect(throws: ReplayError.self) { try ReplayedGroup(folder: "/nowhere/at/all") }
    }

    /// This test fails when a core's effects for the same inputs change. Then raise `Journal.behaviorVersion`, so that older
    /// journals are refused instead of differing, and let TOUCHLINE_UPDATE=1 write the table.
    @Test("Docs/Reference/Machines/Behaviour.md matches the digests of the same run")
    func behaviour() throws {
        let world = try JournaledWorld.eventful()
        var lines = [
            "# Behaviour \(Journal.behaviorVersion)", "",
            "Written by its test: the digest of the effects of each process instance in one run.",
            "",
        ]
        lines += ["| process instance | digest |", "| --- | --- |"]
        for journal in world.journals {
            lines.append("| \(journal.header.process) | \(String(journal.digest, radix: 16)) |")
        }
        expectDocument("Docs/Reference/Machines/Behaviour.md", equals: lines.joined(separator: "\n") + "\n")
    }
}
