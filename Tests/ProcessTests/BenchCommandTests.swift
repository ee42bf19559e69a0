import Foundation
import Testbed
import Testing

@testable import touchline

@Suite("`touchline bench`")
struct BenchCommandTests {
    @Test("bench dispatch writes every figure as JSON and names unmeasured ones")
    func figures() throws {
        let result = try Program.run([
            "bench", "dispatch", "--case", "a", "--repeat", "3", "--seconds", "0.002", "--no-instructions", "--json",
        ])
        #expect(result.status == 0)
        // Without a terminal at stderr there is one line at the beginning, and one every ten seconds.
        #expect(result.err.hasPrefix("1 of 2: a moved\n"), "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect(object?["whyNoInstructions"] as? String == "--no-instructions is set")
        let rows = try #require(object?["rows"] as? [[String: Any]])
        #expect(rows.compactMap { $0["gesture"] as? String } == ["moved", "tap"])
        for row in rows {
            let times = ["fastest", "nanoseconds", "slowest"].compactMap { row[$0] as? Double }
            #expect(times.count == 3 && times == times.sorted() && times[0] > 0)
            #expect(row["instructions"] == nil)
        }
        let file = try JSONDecoder().decode(FigureFile.self, from: Data(result.out.utf8))
        let lift = file.figures.first { $0.key == "dispatch/a-tap/lift" }
        #expect(lift?.values.count == 3 && lift?.values.allSatisfy { $0 > 0 } == true)
        let allocations = rows.compactMap { $0["allocations"] as? Double }
        if let kind = Sanitizer.kind {
            // The sanitizer replaces malloc, so the command does not count.
            print("under the \(kind) sanitizer nothing counts allocations: the count is not expected")
            return #expect(allocations.isEmpty)
        }
        // The counter counts: a touch that lands creates an object.
        #expect(allocations.last ?? 0 >= 0.5)
    }

    @Test("bench windows prints rows of searches and changes as JSON")
    func windows() throws {
        let result = try Program.run(["bench", "windows", "--windows", "100", "--searches", "1000", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let rows = try #require(object?["rows"] as? [[String: Any]])
        #expect(
            rows.map { $0["name"] as? String } == ["spread: search", "spread: change", "heap: search", "heap: change"])
        #expect(rows.allSatisfy { $0["p50"] as? Int ?? 0 > 0 })
    }

    @Test("bench hit-test measures a walk and an index in each tree")
    func hitTests() throws {
        let result = try Program.run([
            "bench", "hit-test", "--views", "3", "50", "--repeat", "2", "--seconds", "0.001", "--json",
        ])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let figures = try #require(object?["figures"] as? [[String: Any]])
        for name in ["nested", "flat", "grid", "random"].flatMap({ ["\($0)-3", "\($0)-50"] }) {
            let own = figures.filter { $0["case"] as? String == name }
            #expect(own.compactMap { $0["metric"] as? String } == ["test", "walk", "move", "build", "memory"])
            let times = own.filter { ["test", "walk", "build"].contains($0["metric"] as? String) }
            #expect(times.allSatisfy { ($0["values"] as? [Double])?.count == 2 })
        }
    }

    @Test("bench hit-test --verify counts the trees that it compares")
    func verification() throws {
        let result = try Program.run(["bench", "hit-test", "--verify", "30", "--seed", "7", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let figures = try #require(object?["figures"] as? [[String: Any]])
        let counts = figures.compactMap { ($0["values"] as? [Double])?.first }
        #expect(counts.first == 30)
        #expect(counts.count == 4 && counts.allSatisfy { $0 > 0 })
    }

    @Test("bench start writes the phases and the memory of each process as JSON")
    func start() throws {
        let result = try Program.run(["bench", "start", "--apps", "1", "--repeat", "2", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        var values: [String: [Double]] = [:]
        for figure in try #require(object?["figures"] as? [[String: Any]]) {
            let metric = try #require(figure["metric"] as? String)
            let isTime = !["rss", "pss", "private"].contains { metric.hasPrefix($0) }
            #expect(
                figure["group"] as? String == (isTime ? "start" : "memory") && figure["case"] as? String == "apps-1")
            #expect(figure["unit"] as? String == (isTime ? "us" : "bytes"))
            values[metric] = figure["values"] as? [Double]
        }
        #expect(values.allSatisfy { $0.value.count == 2 && $0.value.allSatisfy { $0 >= 0 } }, "\(values)")
        for process in ["input-kit", "system-server", "app"] {
            let parts = try ["spawn", "load", "handshake"].map { try #require(values["\($0)-\(process)"]) }
            let ready = try #require(values["ready-\(process)"])
            for start in 0..<2 { #expect(abs(parts.map { $0[start] }.reduce(0, +) - ready[start]) < 2) }
            let memory = try ["private", "pss", "rss"].map { try #require(values["\($0)-\(process)"]) }
            for start in 0..<2 { #expect(memory[0][start] <= memory[1][start] && memory[1][start] <= memory[2][start]) }
        }
        let (ready, command) = (try #require(values["ready"]), try #require(values["command"]))
        #expect(ready[0] < command[0] && ready[1] < command[1])
    }

    @Test("bench start refuses numbers of apps that no group can have", arguments: ["0", "1,1", "129", "1,", "x"])
    func apps(counts: String) throws {
        let result = try Program.run(["bench", "start", "--apps", counts])
        #expect(result.status == 2 && result.out == "", "\(result)")
    }

    @Test(
        "bench latency measures the group beside each chosen reference",
        arguments: [["--rate", "500"], ["--rate", "200", "--burst", "3"], ["--closed-loop"], ["--tuned"]])
    func latency(options: [String]) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID().uuidString).csv").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Program.run(
            ["bench", "latency", "--seconds", "0.2", "--repeat", "2", "--reference", "ring,zmq", "--json"]
                + ["--scans", file] + options)
        #expect(result.status == 0, "\(result.err)")
        let scans = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: ",").map(String.init) }
        let hops = ["input-kit", "wire-to-system-server", "system-server", "wire-to-app", "app"]
        #expect(scans.first == ["due"] + hops + ["device-to-app"])
        #expect(scans.count > 10)
        for scan in scans.dropFirst() {
            let times = scan.compactMap { Int($0) }
            try #require(times.count == 7, "\(scan)")
            #expect(times[1...5].reduce(0, +) == times[6] && times[6] > 0)
        }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.out)")
        let references = try #require(object["references"] as? [[String: Any]])
        #expect(references.map { $0["name"] as? String } == ["ring", "zmq"])
        for reference in references {
            let ratio = try #require(reference["ratio"] as? [String: Double])
            #expect(ratio["p50"] ?? 0 > 0 && ratio["p99"] ?? 0 > 0)
        }
        #expect((object["hops"] as? [Any])?.count == 5)
        let tuned = object["tuned"] as? [String: Any]
        #expect((tuned != nil) == options.contains("--tuned"))
        if let tuned {
            let cpu = try #require(tuned["cpu"] as? Int)
            for reference in references { #expect(reference["cpus"] as? [Int] == [cpu], "\(reference)") }
        }
        // Every figure has a value for each round.
        let figures = try #require(object["figures"] as? [[String: Any]])
        let metrics = figures.compactMap { $0["metric"] as? String }
        for metric in ["p50", "p99", "ratio-p50", "ratio-p99-ring", "wake-ups", "wake-ups-zmq", "p50-wire-to-app"] {
            #expect(metrics.contains(metric), "\(metrics)")
        }
        for figure in figures { #expect((figure["values"] as? [Double])?.count == 2, "\(figure)") }
    }

    @Test("bench latency prints a row and two ratios for each reference")
    func latencyTable() throws {
        let result = try Program.run(["bench", "latency", "--seconds", "0.1", "--repeat", "1"])
        #expect(result.status == 0, "\(result.err)")
        for title in ["libzmq relay", "SOCK_SEQPACKET relay", "shared-memory ring"] {
            let rows = result.out.split(separator: "\n").filter { $0.contains(title) }
            // Percentiles, ratios, counts.
            #expect(rows.count == 3, "\(result.out)")
        }
    }

    @Test("bench windows prints each figure as a line with --lines")
    func lines() throws {
        let result = try Program.run(["bench", "windows", "--windows", "100", "--searches", "1000", "--lines"])
        #expect(result.status == 0, "\(result.err)")
        let lines = result.out.split(separator: "\n")
        #expect(lines.count == 8)
        for line in lines {
            let words = line.split(separator: " ")
            #expect(words.count == 6 && words.first == "R" && words.last == "ns", "\(line)")
            guard words.count == 6 else { continue }
            let key = words[1...3].joined(separator: "/")
            #expect(BenchList.has(key), "\(key)")
            #expect(Double(words[4]) ?? 0 > 0)
        }
    }

    @Test("a figure beyond a limit exits with 1 and one line")
    func limit() throws {
        let words = ["bench", "windows", "--windows", "100", "--searches", "1000", "--repeat", "1", "--lines"]
        let broken = try Program.run(words + ["--max", "heap-search/p50=0.5ns", "--max", "p99=10s"])
        #expect(broken.status == 1)
        let expected = #/windows\/heap-search\/p50: expected at most 0.5000 ns \(--max\), found \d+ ns\n/#
        #expect(broken.err.wholeMatch(of: expected) != nil, "\(broken.err)")
        #expect(broken.out.hasPrefix("R windows "))
        #expect(try Program.run(words + ["--max", "p99=10s"]).status == 0)
        #expect(try Program.run(words + ["--max", "p99"]).status == 2)
        let unknown = try Program.run(words + ["--max", "p98=1ms"])
        #expect(
            unknown.status == 2 && unknown.err.contains("--max p98: expected a figure of this run"), "\(unknown.err)")
    }

    @Test("a run is compared with the file of an earlier run")
    func compare() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ scale: Double) throws -> String {
            let names = ["spread-search", "heap-search"]
            let figures = names.map {
                BenchFigure(
                    group: "windows", name: $0, metric: "p50", unit: "ns",
                    values: [1, 1.01, 1.02, 1.01, 1.02].map { $0 * scale })
            }
            try JSONEncoder().encode(FigureFile(figures)).write(to: URL(filePath: "\(folder)/\(name)"))
            return "\(folder)/\(name)"
        }
        let (fast, slow) = (try write("fast.json", 1e-6), try write("slow.json", 1e15))
        let worse = try Program.run(["bench", "compare", fast, slow])
        #expect(worse.status == 1 && worse.out.hasSuffix("2 worse\n"), "\(worse)")
        let better = try Program.run(["bench", "compare", slow, fast, "--json"])
        #expect(better.status == 0 && better.out.contains("\"better\" : 2"), "\(better)")
        #expect(try Program.run(["bench", "compare", fast, fast]).out.hasSuffix("0 worse, 2 noise\n"))
        let words = ["bench", "windows", "--windows", "100", "--searches", "1000", "--baseline"]
        let passed = try Program.run(words + [slow])
        #expect(passed.status == 0 && passed.err.hasSuffix("baseline: 0 worse, 2 better, 6 in one run only\n"))
        let failed = try Program.run(words + [fast])
        #expect(failed.status == 1)
        #expect(
            failed.err.split(separator: "\n").count { $0.contains(": worse than the baseline: ") } == 2, "\(failed.err)"
        )
        let other = try Program.run(["bench", "cores", "--frames", "100", "--repeat", "1", "--baseline", fast])
        #expect(other.status == 2 && other.err.contains("--baseline \(fast): expected figures of this run, found none"))
        let missing = try Program.run(words + ["\(folder)/none.json"])
        #expect(missing.status == 2 && missing.err == "\(folder)/none.json: cannot be read\n", "\(missing.err)")
        #expect(missing.out == "")
    }

    @Test("bench simulation, cores and start give figures of the list")
    func others() throws {
        for words in [
            ["simulation", "--seed", "1..2", "--minutes", "0.02", "--repeat", "1"],
            ["cores", "--frames", "100", "--repeat", "1"], ["start", "--apps", "1,2", "--repeat", "1"],
            ["throughput", "--seconds", "0.05", "--repeat", "1"],
            ["counts", "--frames", "50", "--repeat", "1", "--no-syscalls"],
        ] {
            let program = try Program(["bench"] + words + ["--json"])
            #expect(try program.wait() == 0, "\(words): \(program.err)")
            let figures = try JSONDecoder().decode(FigureFile.self, from: Data(program.out.utf8)).figures
            #expect(!figures.isEmpty, "\(words)")
            for figure in figures {
                #expect(BenchList.has(figure.key), "\(figure.key)")
                #expect(figure.value.isFinite && figure.value >= 0, "\(figure.key): \(figure.value)")
            }
        }
    }

    @Test("bench growth measures each amount of an axis, and fits each claim")
    func growth() throws {
        let result = try Program.run([
            "bench", "growth", "--axis", "recognizers", "--quick", "--seconds", "0.05", "--no-instructions", "--json",
        ])
        #expect(result.status == 0, "\(result.err)")
        let data = Data(result.out.utf8)
        let figures = try JSONDecoder().decode(FigureFile.self, from: data).figures
        let amounts = GrowthAxis.recognizers.amounts(quick: true)
        for gesture in ["moved", "tap", "drag"] {
            let own = figures.filter { $0.metric == gesture }
            #expect(own.map(\.name) == amounts.map { "recognizers-\($0)" })
            #expect(own.allSatisfy { $0.values.count == 9 && BenchList.has($0.key) })
        }
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let claims = try #require(object?["claims"] as? [[String: Any]])
        #expect(claims.compactMap { $0["metric"] as? String } == ["moved", "tap", "drag"])
        #expect(claims.allSatisfy { $0["points"] as? Int == amounts.count && $0["fitted"] is String })
        #expect(object?["whyNoInstructions"] as? String == "--quick is set")
    }

    @Test("bench growth measures latency and CPU time of each process by contacts")
    func contacts() throws {
        let result = try Program.run([
            "bench", "growth", "--axis", "contacts", "--quick", "--seconds", "0.1", "--rate", "100", "--json",
        ])
        #expect(result.status == 0, "\(result.err)")
        let figures = try JSONDecoder().decode(FigureFile.self, from: Data(result.out.utf8)).figures
        for count in GrowthAxis.contacts.amounts(quick: true) {
            let own = figures.filter { $0.name == "contacts-\(count)" }
            func value(_ metric: String) throws -> Double { try #require(own.first { $0.metric == metric }).value }
            #expect(try value("p50") > 0 && value("p50") <= value("p99"))
            // The CPU time of a scan is that of its processes. On a busy machine that of an idle group may be more.
            let parts = try GroupMeter.processes.map { try value("cpu-\($0)") }
            #expect(try abs(parts.reduce(0, +) - value("cpu")) < 0.01, "\(count): \(own)")
            #expect(try value("cpu-second") > 0 && value("arrived") > 0)
        }
    }

    @Test("a figure of growth beyond a limit exits with 1")
    func growthLimit() throws {
        let words = ["bench", "growth", "--axis", "recognizers", "--quick", "--seconds", "0.05", "--lines", "--max"]
        let broken = try Program.run(words + ["recognizers-0/moved=0.001ns"])
        #expect(broken.status == 1 && broken.out.hasPrefix("R growth recognizers-0 moved "), "\(broken)")
        #expect(broken.err.contains("growth/recognizers-0/moved: expected at most 0.0010 ns (--max), found "))
        #expect(try Program.run(words + ["tap=10s"]).status == 0)
    }

    @Test("bench all writes a page and figures, and judges budgets")
    func all() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let budgets = "\(folder)/budgets.yaml"
        // The group's cores allocate for each event. Under a sanitizer nothing counts allocations.
        try "counts:\n  cores/group/allocations: 0\n".write(toFile: budgets, atomically: true, encoding: .utf8)
        let program = try Program([
            "bench", "all", "--only", "cores", "--counts", "--report", "\(folder)/report", "--budgets", budgets,
        ])
        let status = try program.wait()
        if Sanitizer.kind != nil {
            return #expect(status == 2 && program.err.contains("expected a budget of a figure of this run, found none"))
        }
        let page = try String(contentsOfFile: "\(folder)/report/index.html", encoding: .utf8)
        #expect(page.contains("touchline bench cores --frames 5000 --repeat 3"))
        #expect(page.contains("<svg"))
        let plots = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/report/plots").sorted()
        // Times are not counted.
        #expect(plots == ["cores-allocations.svg"])
        let plot = try String(contentsOfFile: "\(folder)/report/plots/cores-allocations.svg", encoding: .utf8)
        #expect(plot.hasPrefix("<svg xmlns=") && plot.contains("inputKit"))
        let figures = try FigureFile(contentsOf: "\(folder)/report/figures.json").figures
        #expect(figures.contains { $0.key == "cores/group/allocations" && $0.values.count == 3 })
        #expect(figures.allSatisfy { $0.isCount })
        #expect(page.contains("<dd>counts only</dd>") && !page.contains("as shipped"))
        #expect(program.out.contains("cores/group/allocations"))
        #expect(status == 1)
        #expect(
            program.err.contains("cores/group/allocations: expected at most 0 count (\(budgets):2), found "),
            "\(program.err)")
    }

    @Test(
        "a benchmark of bench all ends with it, with its group and its relays", arguments: [SIGINT, SIGTERM, SIGKILL])
    func endOfAll(signal: Int32) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A test runner may have started this process with SIGINT ignored.
        let program = try Program(
            ["bench", "all", "--only", "latency", "--quick", "--report", folder],
            behind: ["/usr/bin/env", "--default-signal=INT"])
        // The benchmark, its supervisor and three processes.
        let started = try waitFor("no benchmark with a group of three processes") {
            let found = descendants(of: program.pid)
            return found.count >= 5 ? found : nil
        }
        program.signal(signal)
        #expect(try program.wait() == 128 + signal)
        for pid in started { try waitForEnd(of: pid) }
    }

    @Test("bench all refuses an unknown benchmark and a budget of no figure before it measures")
    func badAll() throws {
        let unknown = try Program.run(["bench", "all", "--only", "latencies"])
        #expect(
            unknown.status == 2 && unknown.err.contains("--only: expected one of latency throughput"), "\(unknown.err)")
        let missing = try Program.run(["bench", "all", "--counts", "--budgets", "/nowhere/budgets.yaml"])
        #expect(missing.status == 2 && missing.out == "", "\(missing.err)")
    }

    @Test(
        "an option that bench cannot use exits with 2",
        arguments: [
            ["dispatch", "--case", "z"], ["latency", "--reference", "tcp"], ["latency", "--reference", "zmq,zmq"],
            ["latency", "--tuned", "--spin"], ["latency", "--tuned", "--affinity", "0,1"],
            ["latency", "--closed-loop", "--burst", "2"], ["latency", "--burst", "0"],
            ["latency", "--scans", "/nowhere/scans.csv"], ["start", "--set", "group.apps=3"],
            ["growth", "--axis", "fingers"], ["growth", "--rate", "1"], ["growth", "--seconds", "0"],
            ["dispatch-run", "flat-0", "moved", "1"], ["dispatch-run", "nested-10001", "tap", "1"],
        ])
    func badInput(arguments: [String]) throws {
        let result = try Program.run(["bench"] + arguments)
        #expect(result.status == 2)
    }
}
