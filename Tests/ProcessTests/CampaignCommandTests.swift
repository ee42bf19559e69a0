import Foundation
import Testbed
import Testing

/// Campaigns of a few short seeds, with worker processes of this machine. Tools/check-campaign does the same with Slurm.
@Suite("`touchline campaign`", .serialized)
struct CampaignCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
    private var plan: String { folder.appending(path: "plan.yaml").path }
    private var run: String { folder.appending(path: "run").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// - Parameter more: Keys of the search.
    private func write(seeds: String, shard: Int, _ more: String = "", tries: Int = 60) throws {
        let text = """
            name: test
            shrink: { seeds: 1, tries: \(tries) }
            searches:
              - { kind: simulate, seeds: \(seeds), shard: \(shard), minutes: 0.02\(more) }

            """
        try text.write(toFile: plan, atomically: true, encoding: .utf8)
    }

    private func touchline(_ arguments: String..., fileSize: Int? = nil, behind prefix: [String] = []) throws -> (
        status: Int32, out: String, err: String
    ) {
        let program = try Program(["campaign"] + arguments, fileSize: fileSize, behind: prefix)
        return (try program.wait(seconds: 300), program.out, program.err)
    }

    private func results() throws -> [String] {
        // A hidden file is a result that is being written.
        try FileManager.default.contentsOfDirectory(atPath: "\(run)/results").filter { !$0.hasPrefix(".") }.sorted()
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("a campaign runs each seed once and reports what it reached")
    func whole() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..12", shard: 5)
        let result = try touchline(plan, "--folder", run, "--jobs", "2")
        #expect(result.status == 0, "\(result)")
        #expect(result.out.contains("simulate: 12 of 12 seeds in 3 of 3 shards"))
        #expect(result.out.contains(" features reached"))
        #expect(try results().map { $0.prefix { $0 != "~" } } == ["simulate.1-5", "simulate.11-12", "simulate.6-10"])
        let status = try touchline("status", run)
        #expect(status.status == 0 && status.out == "seeds: 3 of 3 shards have a result\n")
        // The same again: nothing is left to run.
        let again = try touchline("resume", run)
        #expect(again.status == 0 && again.out == result.out)
        #expect(try results().count == 3)

        let page = folder.appending(path: "page.html").path
        let report = try touchline("report", run, "--page", page, "--json")
        #expect(report.status == 0)
        let object = try json(report.out)
        let search = try #require((object["searches"] as? [[String: Any]])?.first)
        #expect(search["seedsDone"] as? Int == 12)
        let features = try #require((search["saturation"] as? [String: Any])?["features"] as? Int)
        #expect(features > 100)
        // Twelve short seeds do not reach every pair of faults, and no list has more than there is.
        let kinds = try #require(search["unreached"] as? [[String: Any]])
        #expect(kinds.compactMap { $0["kind"] as? String } == ["machine", "message", "fault", "faults"])
        for kind in kinds {
            let names = try #require(kind["names"] as? [String])
            #expect(names.count < (kind["possible"] as? Int) ?? 0, "\(kind)")
        }
        #expect(result.out.contains(" pairs of faults: "))
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("<svg") && html.contains("No seed failed.") && !html.contains("<script"))
        let pair = try #require((kinds.last?["names"] as? [String])?.last)
        #expect(html.contains("<code>\(pair)</code>"))
    }

    @Test("workers end with their coordinator, whatever ends it", arguments: [SIGINT, SIGKILL])
    func orphans(signal: Int32) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Each worker waits for a process that hangs.
        try write(seeds: "1..400", shard: 200, ", rehearse: hang, faults: none, timeout: 3000")
        // A test runner may have started this process with SIGINT ignored.
        let program = try Program(
            ["campaign", "run", plan, "--folder", run, "--jobs", "2"], behind: ["/usr/bin/env", "--default-signal=INT"])
        let started = try waitFor("no two workers, each with a process for its seeds") {
            let found = descendants(of: program.pid)
            return found.count == 4 ? found : nil
        }
        program.signal(signal)
        #expect(try program.wait() == 128 + signal)
        for pid in started { try waitForEnd(of: pid) }
    }

    @Test("results of another plan and torn files are reported, and finish no shard")
    func foreign() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..4", shard: 2, ", apps: 1")
        #expect(try touchline(plan, "--folder", run).status == 0)
        let files = FileManager.default
        let other = "\(folder.path)/other"
        try files.moveItem(atPath: run, toPath: other)
        try write(seeds: "1..4", shard: 2, ", apps: 2")
        #expect(
            try touchline(plan, "--folder", run, "--emit", "kubernetes", "--image", "i", "--claim", "c").status == 0)
        for file in try files.contentsOfDirectory(atPath: "\(other)/results") {
            try files.copyItem(atPath: "\(other)/results/\(file)", toPath: "\(run)/results/\(file)")
        }
        try "{\"plan\":".write(toFile: "\(run)/results/simulate.1-2~torn.json", atomically: true, encoding: .utf8)
        for _ in 0..<2 {
            let report = try touchline("report", run)
            #expect(report.out.contains("simulate: 0 of 4 seeds in 0 of 2 shards"))
            #expect(report.out.contains("results of another plan, not counted: 2"))
            #expect(report.err.contains("simulate.1-2~torn.json: expected a result"))
        }
        let resumed = try touchline("resume", run)
        #expect(resumed.status == 0 && resumed.out.contains("simulate: 4 of 4 seeds in 2 of 2 shards"), "\(resumed)")
        #expect(resumed.out.contains("results of another plan, not counted: 2"))
    }

    @Test("a campaign goes on in the folder in which it was started, with the attempts of the present plan")
    func changed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let here = ["/usr/bin/env", "-C", folder.path]
        func write(_ attempts: Int, files: String) throws {
            let text =
                "name: test\nattempts: \(attempts)\nsearches:\n  - { kind: conform, seeds: 1, files: [\(files)] }\n"
            try text.write(toFile: plan, atomically: true, encoding: .utf8)
        }
        // The scenario exists, and no worker can play it.
        let scenario = folder.appending(path: "broken.yaml").path
        try "id: [".write(toFile: scenario, atomically: true, encoding: .utf8)
        try write(2, files: "broken.yaml")
        #expect(try touchline(plan, "--folder", run, behind: here).status == 1)
        func attempts() throws -> Int {
            let log = try String(contentsOfFile: "\(run)/log/local.log", encoding: .utf8)
            return log.split(separator: "\n").count { $0.contains("expected a result as JSON") }
        }
        #expect(try attempts() == 2)
        try write(1, files: "broken.yaml")
        let again = try touchline(plan, "--folder", run)
        #expect(again.status == 1, "\(again)")
        #expect(try attempts() == 3)
        // A file that is not there is refused before a worker starts.
        try write(1, files: "missing.yaml")
        let missing = try touchline(plan, "--folder", "\(run)2", behind: here)
        #expect(missing.status == 2 && missing.err.contains("missing.yaml"), "\(missing)")
    }

    @Test("a damaged store is refused with what to do, and then made again")
    func damaged() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..4", shard: 2)
        let whole = try touchline(plan, "--folder", run)
        try Data(repeating: 0x55, count: 9000).write(to: URL(filePath: "\(run)/store.sqlite"))
        let refused = try touchline("report", run)
        #expect(refused.status == 3 && refused.err.contains("store.sqlite") && refused.err.contains("remove this file"))
        try FileManager.default.removeItem(atPath: "\(run)/store.sqlite")
        #expect(try touchline("report", run).out == whole.out)
    }

    @Test("a controller of Slurm that refuses the first array ends the campaign with its reason")
    func refusedBySlurm() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..4", shard: 2)
        let answers = [
            "sbatch": "cat >/dev/null; echo 'invalid partition specified: night' >&2; exit 1", "squeue": "exit 0",
        ]
        for (name, script) in answers {
            try writeProgram("#!/bin/sh\n\(script)\n", at: folder.appending(path: name).path)
        }
        let result = try touchline(
            plan, "--folder", run, "--backend", "slurm",
            behind: ["/usr/bin/env", "PATH=\(folder.path):/usr/bin:/bin"])
        #expect(result.status == 3 && result.err.contains("invalid partition specified: night"), "\(result)")
    }

    @Test("a campaign whose coordinator and workers are killed goes on without losing or repeating a result")
    func killed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..40", shard: 2)
        let program = try Program(["campaign", "run", plan, "--folder", run, "--jobs", "2"])
        try waitFor("no three results") { (try? results().count).flatMap { $0 < 3 ? nil : $0 } }
        program.signal(SIGKILL)
        _ = try program.wait()
        let before = try results()
        #expect(before.count >= 3 && before.count < 20)
        // A worker may have written its result while it was ended. A result may come twice, and counts once.
        let result = try touchline("resume", run, "--jobs", "2", "--json")
        #expect(result.status == 0, "\(result)")
        let object = try json(result.out)
        let search = try #require((object["searches"] as? [[String: Any]])?.first)
        #expect(search["seedsDone"] as? Int == 40 && search["shardsDone"] as? Int == 20)
        let duplicates = try #require(object["duplicates"] as? Int)
        #expect(try results().count == 20 + duplicates)
        #expect((object["conflicts"] as? [String])?.isEmpty == true)
    }

    @Test("a shard that runs again is counted once, and its second result is the same")
    func duplicate() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..4", shard: 2)
        #expect(try touchline(plan, "--folder", run).status == 0)
        for _ in 0..<2 { #expect(try touchline("shard", run, "--number", "1").status == 0) }
        #expect(try results().count == 4)
        for _ in 0..<2 {
            let report = try json(try touchline("report", run, "--json").out)
            #expect(report["duplicates"] as? Int == 2 && (report["conflicts"] as? [String])?.isEmpty == true)
            #expect((report["searches"] as? [[String: Any]])?.first?["seedsDone"] as? Int == 4)
        }
    }

    @Test("a shard whose result cannot be written has no result, and can run again")
    func full() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..4", shard: 2)
        #expect(try touchline(plan, "--folder", run).status == 0)
        try FileManager.default.removeItem(atPath: "\(run)/store.sqlite")
        for file in try results() where file.hasPrefix("simulate.1-2") {
            try FileManager.default.removeItem(atPath: "\(run)/results/\(file)")
        }
        let refused = try touchline("shard", run, "--number", "0", fileSize: 4096)
        #expect(refused.status != 0, "\(refused)")
        #expect(try touchline("status", run).out == "seeds: 1 of 2 shards have a result\n")
        let resumed = try touchline("resume", run)
        #expect(resumed.status == 0 && resumed.out.contains("simulate: 4 of 4 seeds in 2 of 2 shards"))
    }

    @Test("failing seeds are reduced and grouped, with the command that repeats the smallest run")
    func failures() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..6", shard: 3, ", rehearse: law, faults: none")
        let result = try touchline(plan, "--folder", run, "--json")
        #expect(result.status == 1, "\(result)")
        let report = try json(result.out)
        let groups = try #require(report["groups"] as? [[String: Any]])
        let first = try #require(groups.first)
        #expect(first["law"] as? String == "rehearsal")
        #expect((first["cause"] as? [String])?.contains("down") == true)
        #expect(report["reductionsWanted"] as? Int == 1 && report["reductionsDone"] as? Int == 1)
        let text = try touchline("report", run)
        #expect(text.status == 1 && text.out.contains("again: touchline simulate --seed "))
    }

    @Test("a bad plan, a bad option and a folder of another plan are refused before anything runs")
    func refused() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try "name: a\nsearches:\n  - { kind: simulate, sees: 1 }\n".write(
            toFile: plan, atomically: true, encoding: .utf8)
        let bad = try touchline(plan, "--folder", run)
        #expect(bad.status == 2 && bad.err.contains("plan.yaml:3: simulate: expected one of"))
        try write(seeds: "1", shard: 1, ", faults: missing.yaml")
        let missing = try touchline(plan, "--folder", run)
        #expect(missing.status == 2 && missing.err.contains("missing.yaml"), "\(missing)")
        try write(seeds: "1..2", shard: 1)
        let other = try touchline(plan, "--folder", run)
        #expect(other.status == 2 && other.err.contains("found one of another plan"))
        #expect(try touchline("report", folder.path).status == 2)
        #expect(try touchline("shard", run, "--number", "9").status == 2)
        let empty = try touchline("shard", run, "--list", "reductions", "--number", "0")
        #expect(empty.status == 2 && empty.err.contains("expected a list with shards"), "\(empty)")
    }

    @Test("--emit kubernetes prints a manifest and runs nothing")
    func kubernetes() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(seeds: "1..40", shard: 2)
        let result = try touchline(
            plan, "--folder", run, "--emit", "kubernetes", "--image", "registry/touchline:1", "--claim", "campaigns")
        #expect(result.status == 0 && result.out.hasPrefix("apiVersion: batch/v1\nkind: Job\n"))
        #expect(result.out.contains("\n  completions: 20\n"))
        #expect(try results().isEmpty)
        #expect(try touchline(plan, "--emit", "kubernetes").status == 2)
    }
}
