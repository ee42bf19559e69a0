import Foundation
import Testbed
import Testing

@Suite("The journals of a live group", .serialized, .timeLimit(Sanitizer.timeLimit))
struct JournalProcessTests {
    private let strokes = "stroke f1 (20,20) (300,600) @0 1 step 1/60\ntap f2 (100,200) @0.3\n"

    private func verdict(_ folder: String, _ arguments: String...) throws -> (status: Int32, object: [String: Any]) {
        let result = try Program.run(["replay", "--journal", folder, "--json"] + arguments)
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        return (result.status, object ?? ["err": result.err])
    }

    private func temporary(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("journals replay identically, also after kills during touches")
    func killed() throws {
        let group = try LiveGroup(["--apps", "2"])
        let file = try temporary(strokes)
        defer { try? FileManager.default.removeItem(atPath: file) }
        for victim in ["app1", "system-server", "input-kit"] {
            let play = try Program(["replay", "--run-dir", group.runDirectory, file])
            try group.waitForReport(of: "system-server") { ($0["contacts.down"] as? Int ?? 0) > 0 }
            let processes = try group.status().processes
            let pid = try #require(processes.first { $0.name == victim }?.pid)
            kill(Int32(pid), SIGKILL)
            try group.wait { $0.contains { $0.name == victim && $0.generation == 2 } }
            // The result of the play does not matter here.
            _ = try play.wait()
        }
        // The replay is checked while the group runs, and after its end.
        let during = try verdict(group.runDirectory)
        #expect(during.status == 0 && during.object["identical"] as? Bool == true, "\(during.object)")
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let after = try verdict(group.runDirectory)
        #expect(after.status == 0 && after.object["identical"] as? Bool == true, "\(after.object)")
        #expect((after.object["steps"] as? Int ?? 0) > 300)
        let lives = after.object["processes"] as? [String] ?? []
        #expect(
            Set(lives) == [
                "supervisor.1", "input-kit.1", "input-kit.2", "system-server.1", "system-server.2", "app1.1",
                "app1.2", "app2.1",
            ])
        #expect(after.object["missing"] as? [String] == [])
    }

    @Test("`replay --step` walks journals forward and back, from --until on")
    func walk() throws {
        let group = try LiveGroup()
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let walk = try walk(group, commands: "n\n5\np\nwhat\nq\n")
        #expect(walk.status == 0, "\(walk.err)")
        #expect(walk.steps.map(\.number) == [1, 2, 5, 4])
        #expect(walk.out.contains("  input   started"))
        #expect(walk.out.contains("  effect  start input-kit, epoch 1, generation 1"))
        #expect(walk.out.contains("expected n, p, a step's number or q, found what"))
        // The steps of one process have gaps; the step before is the previous one of that process.
        let own = try self.walk(group, commands: "n\nn\np\np\np\nq\n", "--process", "system-server")
        #expect(own.steps.allSatisfy { $0.life == "system-server.1" })
        let numbers = own.steps.map(\.number)
        #expect(numbers.count == 6 && numbers[3] == numbers[1] && numbers[4] == numbers[0] && numbers[5] == numbers[0])
        #expect(numbers[0] < numbers[1] && numbers[1] < numbers[2])
        // The walk starts at a moment.
        let late = try self.walk(group, commands: "p\nq\n", "--until", "10ms")
        #expect(late.steps.count == 2 && late.steps[0].milliseconds >= 10 && late.steps[1].milliseconds < 10, "\(late)")
        let few = try Program.run([
            "replay", "--journal", group.runDirectory, "--until", "3", "--process", "supervisor",
        ])
        #expect(few.status == 0, "\(few.err)")
        #expect(few.out.contains("supervisor.1 begins"))
        #expect(few.out.split(separator: "\n").last?.hasPrefix("identical so far: ") == true)
    }

    private struct Walk {
        var status: Int32
        var out: String
        var err: String
        var steps: [(number: Int, life: String, milliseconds: Double)]
    }

    /// Walks step by step through a group's journals.
    private func walk(_ group: LiveGroup, commands: String, _ arguments: String...) throws -> Walk {
        let file = try temporary(commands)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let typed = try Program(
            [
                "-c", "exec \"$0\" replay --journal \"$1\" --step \(arguments.joined(separator: " ")) <\"$2\"",
                Programs.path(of: "touchline"), group.runDirectory, file,
            ], of: "sh", in: URL(filePath: "/bin"))
        let status = try typed.wait()
        // step 5  app1.1 step 2 at 12.345 ms
        let steps = typed.out.split(separator: "\n").filter { $0.hasPrefix("step ") }.map { line in
            let words = line.split(separator: " ").map { String($0) }
            return (
                number: Int(words[1]) ?? 0, life: words[2], milliseconds: Double(words[words.count - 2]) ?? .nan
            )
        }
        return Walk(status: status, out: typed.out, err: typed.err, steps: steps)
    }

    @Test("damaged journals are found and named in one line")
    func changed() throws {
        let group = try LiveGroup()
        group.isAudited = false
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let path = "\(group.runDirectory)/journal/app1/app1.1.0.journal"
        var bytes = try Data(contentsOf: URL(filePath: path))
        let whole = bytes
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: URL(filePath: path))
        let damaged = try verdict(group.runDirectory)
        #expect(damaged.status == 1)
        let walked = try walk(group, commands: "1000000\nq\n")
        #expect(walked.status == 1 && walked.err.contains("journals are incomplete: "), "\(walked.err)")
        #expect(damaged.object["identical"] as? Bool == false)
        #expect((damaged.object["missing"] as? [String])?.first?.contains("app1.1.0.journal: damaged at byte") == true)
        // A truncated journal is replayed to its last whole record, and its end is reported missing.
        try whole.prefix(whole.count - 3).write(to: URL(filePath: path))
        let cut = try verdict(group.runDirectory)
        #expect(cut.status == 1)
        #expect((cut.object["missing"] as? [String])?.first?.hasPrefix("app1.1: its journal ends after") == true)
        try Data("not a journal".utf8).write(to: URL(filePath: path))
        let foreign = try Program.run(["replay", "--journal", group.runDirectory])
        #expect(foreign.status == 2)
        #expect(foreign.err == "\(path): expected a journal, found a file of another kind\n")
        let nothing = try Program.run(["replay", "--journal", "/nowhere/at/all"])
        #expect(nothing.status == 2 && nothing.err == "/nowhere/at/all: is not there\n")
    }

    @Test("a group sets aside the journals of the one before")
    func previous() throws {
        let first = try LiveGroup()
        first.program.signal(SIGTERM)
        #expect(try first.program.wait() == 0)
        let second = try LiveGroup(on: first.runDirectory)
        // The first group's journals are those set aside.
        first.isAudited = false
        second.program.signal(SIGTERM)
        #expect(try second.program.wait() == 0)
        for folder in ["journal", "journal.previous"] {
            let (status, object) = try verdict("\(first.runDirectory)/\(folder)")
            #expect(status == 0 && (object["processes"] as? [String])?.count == 4, "\(folder): \(object)")
        }
    }

    @Test("F11: limited file sizes lose no touch, and journals catch up")
    func fileSizes() throws {
        // The limit is less than the beginning of a journal.
        let group = try LiveGroup(fileSize: 2048)
        let file = try temporary(strokes)
        defer { try? FileManager.default.removeItem(atPath: file) }
        // At most this fast, each scan has a frame and records of its own.
        let play = try group.run("replay", "--speed", "100", "--repeat", "15", file)
        #expect(play.status == 0 && play.out.contains("dropped 0"), "\(play.out)\(play.err)")
        let names = ["input-kit", "system-server", "app1"]
        for name in names { try group.waitForReport(of: name) { $0["journal.state"] as? String == "keeping" } }
        let folder = "\(group.runDirectory)/journal"
        // There is a folder for each process, and nothing in it.
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).allSatisfy { !$0.contains("/") })
        for pid in [group.program.pid] + group.pids.values {
            let lift = try Program(
                ["--pid=\(pid)", "--fsize=unlimited:"], of: "prlimit", in: URL(filePath: "/usr/bin"))
            #expect(try lift.wait() == 0, "\(lift.err)")
        }
        for name in names { try group.waitForReport(of: name) { $0["journal.state"] as? String == "writing" } }
        group.program.signal(SIGTERM)
        #expect(try group.program.wait() == 0)
        let said = group.program.err
        let warnings = said.split(separator: "\n").filter { $0.contains("nothing is written to the journal") }
        // One warning more than the list: the supervisor's, which has no report.
        #expect(warnings.count == names.count + 1, "\(warnings)")
        #expect(warnings.allSatisfy { $0.contains(": File too large: ") }, "\(said)")
        #expect(!said.contains("goes on without"), "\(said)")
        let (status, object) = try verdict(group.runDirectory)
        #expect(status == 0 && object["identical"] as? Bool == true, "\(object)")
        #expect(object["missing"] as? [String] == [] && (object["steps"] as? Int ?? 0) > 1000, "\(object)")
    }

    /// Whether this user may mount a file system of its own.
    private static let mayMount: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: "/usr/bin/unshare")
        probe.arguments = ["-m", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    @Test(
        "F11: a full disk loses no touch, and journals catch up",
        .enabled(if: mayMount, "skipped: no mount here"))
    func fullDisk() throws {
        let folder = LiveGroup.newFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = try temporary(
            """
            set -e
            touchline=$1; folder=$2; strokes=$3
            mount -t tmpfs -o size=2m,mode=700 tmpfs "$folder"
            mkfifo "$folder/line"
            "$touchline" up --run-dir "$folder/run" >"$folder/line" 2>"$folder.err" &
            up=$!
            # The fifo stays open: a reader that left would end the group's stdout.
            exec 3<"$folder/line"
            read -r ready <&3
            echo "$ready"
            cat /dev/zero >"$folder/filler" 2>/dev/null || true
            "$touchline" replay --run-dir "$folder/run" --speed 100 --repeat 15 "$strokes"
            "$touchline" dump --run-dir "$folder/run" | grep 'journal.state' | tr -s ' '
            rm "$folder/filler"
            tries=0
            while "$touchline" dump --run-dir "$folder/run" | grep -q 'journal.state *keeping'; do
              tries=$((tries + 1)); [ $tries -lt 200 ]
            done
            kill -TERM $up
            wait $up
            cat "$folder.err" >&2
            rm "$folder.err"
            "$touchline" replay --journal "$folder/run" --json
            """)
        defer { try? FileManager.default.removeItem(atPath: script) }
        let strokes = try temporary(strokes)
        defer { try? FileManager.default.removeItem(atPath: strokes) }
        let shell = try Program(
            ["-m", "sh", script, Programs.path(of: "touchline"), folder, strokes], of: "unshare",
            in: URL(filePath: "/usr/bin"))
        let status = try shell.wait(seconds: 120)
        let (out, err) = (shell.out, shell.err)
        #expect(status == 0, "\(out)\n\(err)")
        #expect(out.contains("dropped 0"), "\(out)")
        #expect(out.contains("journal.state keeping"), "\(out)")
        #expect(out.contains("\"identical\" : true"), "\(out)\n\(err)")
        let warnings = err.split(separator: "\n").filter { $0.contains("nothing is written to the journal") }
        #expect(!warnings.isEmpty && Set(warnings.map { $0.prefix { $0 != ":" } }).count == warnings.count, "\(err)")
    }
}
