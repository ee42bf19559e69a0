import Basics
import Foundation
import Hosting
import Journals
@testable import Scenarios
import Simulator
import Testbed
import Testing
import Wire

/// Threat T8: scenarios and journals of an untrusted sender that name other files or contain impossible values.
@Suite("Files from untrusted senders", .timeLimit(Sanitizer.timeLimit)) struct UntrustedFilesTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "sent/scenes"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private let scene = "windows:\n- name: window\n  view: {name: R}\n"

    /// Returns the outcome of reading a scenario that shows `scene`.
    private func showing(_ scene: String, in folder: String) throws -> String {
        let path = "\(folder)/sent/x.yaml"
        try write("id: X\nscene: \(scene)\nscript: |\n  tap f1 (1,1) @0\nexpect: |\n  a\n", path)
        do throws(ScenarioError) { _ = try Scenario(contentsOf: path) } catch { return "\(error)" }
        return "read"
    }

    @Test("a scenario shows scenes only from its folder and below")
    func scenes() throws {
        try inFolder { folder in
            try write(scene, "\(folder)/sent/near.yaml")
            try write(scene, "\(folder)/sent/scenes/below.yaml")
            try write("password: 12345\n", "\(folder)/secret.yaml")
            symlink("../secret.yaml", "\(folder)/sent/link.yaml")
            symlink("..", "\(folder)/sent/up")
            for name in ["near.yaml", "scenes/below.yaml", "./scenes/../near.yaml"] {
                #expect(try showing(name, in: folder) == "read")
            }
            for name in ["../secret.yaml", "link.yaml", "up/secret.yaml", "scenes/../../secret.yaml", "../none.yaml"] {
                let found = try showing(name, in: folder)
                #expect(found.contains("expected a file in \(folder)/sent or below, found \(name)"), "\(found)")
                #expect(!found.contains("password"))
            }
        }
    }

    @Test("a scene is read only from a regular file of limited size", arguments: ["fifo", "zero", "long"])
    func kinds(name: String) throws {
        try inFolder { folder in
            let path = "\(folder)/sent/\(name).yaml"
            switch name {
            case "fifo": #expect(mkfifo(path, 0o600) == 0)
            case "zero": symlink("/dev/zero", path)
            default:
                try write("", path)
                #expect(truncate(path, 5 << 20) == 0)
            }
            let expected =
                name == "long" ? "expected at most 4 MiB, found 5242880 bytes" : "expected a file, found something else"
            var found = ""
            do throws(ScenarioError) { _ = try Scene(contentsOf: path) } catch { found = "\(error)" }
            #expect(found.hasSuffix(expected), "\(found)")
        }
    }

    // MARK: Journals

    private func all(_ files: [ReplayedGroup.File]) throws -> ReplayedGroup {
        var group = try ReplayedGroup(files)
        while group.next() != nil {}
        return group
    }

    private func records(_ bytes: [UInt8]) throws -> [JournalRecord] {
        var records: [JournalRecord] = []
        var reader = try JournalReader(bytes)
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func file(_ name: String, _ records: [JournalRecord], cut: Int = 0) -> ReplayedGroup.File {
        var bytes = JournalWriter.preamble
        for record in records { record.encode(into: &bytes) }
        bytes.removeLast(cut)
        let whole = bytes
        return ReplayedGroup.File(name: "journal/\(name)") { whole }
    }

    @Test("compare refuses a run of days, and idle hours pass at once", arguments: [2, 30])
    func farMoments(hours: Int) throws {
        let world = try JournaledWorld()
        for _ in 0..<2 {
            world.play("tap f1 (100,200) @0\n")
            world.run(until: Double(hours) * 1800 + world.world.now.seconds)
        }
        world.stop()
        var group = try ReplayedGroup(world.files, isTraced: true)
        let live = try LiveRun(&group)
        guard hours > 24 else { return #expect(try Comparison(live).effects > 0) }
        #expect(throws: IncomparableRun.self) { try Comparison(live) }
        do { _ = try Comparison(live) } catch {
            #expect("\(error)" == "expected a run of at most 24 hours, found one of \(hours) hours")
        }
    }

    @Test("a replayed journal opens no device or FIFO as its scene")
    func scenesOfJournals() throws {
        try inFolder { folder in
            let fifo = "\(folder)/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            for (scene, content) in [("/dev/zero", UInt32(7)), (fifo, 7), (fifo, 0), ("/dev/zero", 0)] {
                let order = LaunchOrder(
                    peer: .app(1), epoch: 1, generation: 1, runDirectory: "/run/x",
                    settings: [Setting(key: "app.scene", value: scene)])
                let header = JournalHeader(order: order, content: content, at: .boot, apps: 0, pid: 5, uid: 0)
                let group = try all([file("app1.1.0.journal", [.header(header), .step(.boot, .started, before: 0)])])
                #expect(group.steps == 0 && group.complaints.count == 1)
                #expect(
                    group.complaints.first?.contains("its file \(scene) is missing or has changed") == true,
                    "\(group.complaints)")
            }
        }
    }

    private func started(_ peer: Peer) -> (JournalRecord) -> Bool {
        { if case .step(_, .childStarted(peer, _), before: _) = $0 { true } else { false } }
    }

    @Test(
        "a supervisor's journal stops at an impossible input, which is named",
        arguments: [
            (Input.childStarted(.app(1), pid: 99), "app1 is started, pid 99, without an order"),
            (.childExited(.app(2), pid: 9, status: .exited(0)), "app2 exits, pid 9, and it was not running"),
            (.childFailed(.app(2), reason: "x"), "app2 cannot be started, and there was no order"),
            (.programReplaced(.app(1)), "the program of app1 is reported as replaced, and it runs"),
            (.childStarted(.app(77), pid: 9), "app77 is started, pid 9, without an order"),
        ])
    func impossibleBirths(input: Input, objection: String) throws {
        let world = try JournaledWorld()
        let journal = try #require(world.journals.first { $0.header.order.peer == .supervisor })
        var records = try records(journal.bytes)
        // Right after app1's start, the start of app2 has not been requested.
        let place = try #require(records.firstIndex(where: started(.app(1))))
        guard case .step(let moment, _, _) = records[place],
            case .step(_, _, let before)? = records[(place + 1)...].first(where: {
                if case .step = $0 { true } else { false }
            })
        else {
            Issue.record("a journal without steps")
            return
        }
        records.insert(.step(moment, input, before: before), at: place + 1)
        let group = try all([file(journal.name, records)])
        #expect(group.difference == nil)
        // The group also complains about the missing journals of the children.
        #expect(
            group.complaints.filter { $0.contains("cannot be: \(objection)") }.count == 1, "\(group.complaints)")
        #expect(group.steps > 0)
    }

    @Test(
        "a journal that begins in its middle or twice is stopped there",
        arguments: ["app1", "system-server", "input-kit"])
    func begunOtherwise(name: String) throws {
        let world = try JournaledWorld()
        let journal = try #require(world.journals.first { $0.name == "\(name).1.0.journal" })
        let whole = try records(journal.bytes)
        let first = try #require(whole.firstIndex { if case .step = $0 { true } else { false } })
        guard case .step(let moment, .started, _) = whole[first] else {
            Issue.record("\(whole[first])")
            return
        }
        for isMissing in [true, false] {
            var records = whole
            if isMissing {
                records.remove(at: first)
            } else {
                records.insert(.step(moment, .started, before: 0), at: first + 1)
            }
            var group = try ReplayedGroup([file(journal.name, records)], comparesDigests: false)
            while group.next() != nil {}
            let objection = isMissing ? "it begins with something else than its start" : "it starts a second time"
            #expect(
                group.complaints.filter { $0.contains("cannot be: \(objection)") }.count == 1, "\(group.complaints)")
            #expect(group.steps == (isMissing ? 0 : 1))
        }
    }

    @Test("a journal whose middle is cut is replayed up to the gap")
    func middleCut() throws {
        let world = try JournaledWorld.eventful()
        let journal = try #require(world.journals.first { $0.header.order.peer == .app(1) })
        let all = try records(journal.bytes)
        guard case .header(var header)? = all.first else {
            Issue.record("no header")
            return
        }
        // Three files of one journal, as a host makes them.
        let rest = Array(all.dropFirst())
        let third = rest.count / 3
        var files: [ReplayedGroup.File] = []
        var steps: [UInt64] = [0]
        for segment in 0..<3 {
            let part = Array(rest[(segment * third)..<(segment == 2 ? rest.count : (segment + 1) * third)])
            (header.segment, header.firstStep) = (UInt32(segment), steps[segment])
            let name = Journal.fileName(.app(1), generation: 1, segment: UInt32(segment))
            // The second file lacks the end of its last record.
            files.append(file(name, [.header(header)] + part, cut: segment == 1 ? 4 : 0))
            steps.append(steps[segment] + UInt64(part.filter { if case .step = $0 { true } else { false } }.count))
        }
        let group = try self.all(files)
        #expect(group.difference == nil)
        #expect(group.complaints.count == 1, "\(group.complaints)")
        #expect(group.steps > steps[1] && group.steps < steps[2])
        #expect(
            group.complaints.first?.hasSuffix(
                "after step \(group.steps) a file is missing: the next begins with step \(steps[2])") == true,
            "\(group.complaints)")
    }
}
