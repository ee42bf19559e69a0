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

    @Test("bench hit-test measures a walk and an index in each tree")
    func hitTests() throws {
        let result = try Program.run([
            "bench", "hit-test", "--views", "50", "--repeat", "2", "--seconds", "0.001", "--json",
        ])
        #expect(result.status == 0, "\(result.err)")
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [[String: Any]])
        for tree in ["nested", "flat", "grid", "random"] {
            let own = figures.filter { $0["case"] as? String == "\(tree)-50" }
            #expect(own.compactMap { $0["metric"] as? String } == ["test", "walk", "move", "build", "memory"])
            let times = own.filter { ["test", "walk", "build"].contains($0["metric"] as? String) }
            #expect(times.allSatisfy { ($0["values"] as? [Double])?.count == 2 })
        }
    }

    @Test("bench hit-test --verify counts the trees that it compares")
    func verification() throws {
        let result = try Program.run(["bench", "hit-test", "--verify", "30", "--seed", "7", "--json"])
        #expect(result.status == 0, "\(result.err)")
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [[String: Any]])
        let counts = figures.compactMap { ($0["values"] as? [Double])?.first }
        #expect(counts.first == 30)
        #expect(counts.count == 4 && counts.allSatisfy { $0 > 0 })
    }

    @Test("an unknown bench case exits with 2")
    func badInput() throws {
        let result = try Program.run(["bench", "dispatch", "--case", "z"])
        #expect(result.status == 2)
    }
}
