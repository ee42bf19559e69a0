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
                    group: "windows", name: $0, metric: "p50", unit: "ns", values: [1, 1.01, 1.02].map { $0 * scale })
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
        #expect(try Program.run(words + [slow]).status == 0)
        let failed = try Program.run(words + [fast])
        #expect(failed.status == 1)
        #expect(
            failed.err.split(separator: "\n").count { $0.contains(": worse than the baseline: ") } == 2, "\(failed.err)"
        )
        let missing = try Program.run(words + ["\(folder)/none.json"])
        #expect(missing.status == 2 && missing.err == "\(folder)/none.json: cannot be read\n", "\(missing.err)")
        #expect(missing.out == "")
    }

    @Test("bench simulation, cores and start give figures of the list")
    func others() throws {
        for words in [
            ["simulation", "--seed", "1..2", "--minutes", "0.02", "--repeat", "1"],
            ["cores", "--frames", "100", "--repeat", "1"], ["start", "--apps", "1", "2", "--repeat", "1"],
            ["throughput", "--seconds", "0.05", "--repeat", "1"],
            ["counts", "--frames", "50", "--repeat", "1", "--no-syscalls"],
        ] {
            let program = try Program(["bench"] + words + ["--json"])
            #expect(try program.wait(seconds: 3 * Programs.waitLimit) == 0, "\(words): \(program.err)")
            let figures = try JSONDecoder().decode(FigureFile.self, from: Data(program.out.utf8)).figures
            #expect(!figures.isEmpty, "\(words)")
            for figure in figures {
                #expect(BenchList.has(figure.key), "\(figure.key)")
                #expect(figure.value.isFinite && figure.value >= 0, "\(figure.key): \(figure.value)")
            }
        }
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
        let status = try program.wait(seconds: 6 * Programs.waitLimit)
        let page = try String(contentsOfFile: "\(folder)/report/index.html", encoding: .utf8)
        #expect(page.contains("touchline bench cores --frames 5000 --repeat 3"))
        #expect(page.contains("<svg"))
        let figures = try FigureFile(contentsOf: "\(folder)/report/figures.json").figures
        #expect(figures.contains { $0.key == "cores/group/time" && $0.values.count == 3 })
        #expect(program.out.contains("cores/group/allocations"))
        guard Sanitizer.kind == nil else { return #expect(status == 0, "\(program.err)") }
        #expect(status == 1)
        #expect(
            program.err.contains("cores/group/allocations: expected at most 0 count (\(budgets):2), found "),
            "\(program.err)")
    }

    @Test("bench all refuses an unknown benchmark and a budget of no figure before it measures")
    func badAll() throws {
        let unknown = try Program.run(["bench", "all", "--only", "latencies"])
        #expect(
            unknown.status == 2 && unknown.err.contains("--only: expected one of latency throughput"), "\(unknown.err)")
        let missing = try Program.run(["bench", "all", "--counts", "--budgets", "/nowhere/budgets.yaml"])
        #expect(missing.status == 2 && missing.out == "", "\(missing.err)")
    }

    @Test("an unknown bench case exits with 2")
    func badInput() throws {
        let result = try Program.run(["bench", "dispatch", "--case", "z"])
        #expect(result.status == 2)
    }
}
