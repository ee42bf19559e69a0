import Foundation
import Testbed
import Testing

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

    @Test("bench start writes the phases and the memory of each process as JSON")
    func start() throws {
        let result = try Program.run(["bench", "start", "--apps", "1", "--repeat", "2", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        var values: [String: [Double]] = [:]
        for figure in try #require(object?["figures"] as? [[String: Any]]) {
            #expect(figure["group"] as? String == "start" && figure["case"] as? String == "apps-1")
            let metric = try #require(figure["metric"] as? String)
            let isTime = !["rss", "pss", "private"].contains { metric.hasPrefix($0) }
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
        let result = try Program.run(
            ["bench", "latency", "--seconds", "0.2", "--repeat", "2", "--reference", "ring,zmq", "--json"] + options)
        #expect(result.status == 0, "\(result.err)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.out)")
        let references = try #require(object["references"] as? [[String: Any]])
        #expect(references.map { $0["name"] as? String } == ["ring", "zmq"])
        for reference in references {
            let ratio = try #require(reference["ratio"] as? [String: Double])
            #expect(ratio["p50"] ?? 0 > 0 && ratio["p99"] ?? 0 > 0)
        }
        #expect((object["hops"] as? [Any])?.count == 5)
        #expect((object["tuned"] != nil) == options.contains("--tuned"))
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

    @Test(
        "an option that bench cannot use exits with 2",
        arguments: [
            ["dispatch", "--case", "z"], ["latency", "--reference", "tcp"], ["latency", "--reference", "zmq,zmq"],
            ["latency", "--tuned", "--spin"], ["latency", "--tuned", "--affinity", "0,1"],
            ["latency", "--closed-loop", "--burst", "2"], ["latency", "--burst", "0"],
        ])
    func badInput(arguments: [String]) throws {
        let result = try Program.run(["bench"] + arguments)
        #expect(result.status == 2)
    }
}
