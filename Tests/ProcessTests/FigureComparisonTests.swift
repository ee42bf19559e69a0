import Basics
import Testing

@testable import touchline

@Suite("Comparison of two runs")
struct FigureComparisonTests {
    private static func verdict(
        _ before: [Double], _ after: [Double], unit: String = "us", group: String = "g", metric: String = "m"
    ) throws -> FigureComparison {
        func figure(_ values: [Double]) -> BenchFigure {
            BenchFigure(group: group, name: "c", metric: metric, unit: unit, values: values)
        }
        let rows = FigureComparison.compare([figure(before)], [figure(after)])
        #expect(rows.count == 1)
        return try #require(rows.first)
    }

    @Test("times that all fell are better, and that all rose are worse")
    func clear() throws {
        let (low, high) = ([80.0, 82, 81, 84], [100.0, 103, 99, 101])
        #expect(try Self.verdict(high, low).verdict == .better)
        let worse = try Self.verdict(low, high)
        #expect(worse.verdict == .worse)
        #expect(worse.low == 15 && worse.high == 23)
        #expect(
            worse.summary == "81.50 us → 100.5 us, +23.3 %, interval +15…+23 us at 97 %")
    }

    @Test("a rate that fell is worse")
    func rates() throws {
        #expect(try Self.verdict([100, 101, 102], [80, 81, 82], unit: "events/s").verdict == .worse)
        #expect(try Self.verdict([80, 81, 82], [100, 101, 102], unit: "events/s").verdict == .better)
    }

    @Test("values that overlap are noise, whatever their medians")
    func overlapping() throws {
        #expect(try Self.verdict([80, 100, 90, 95], [85, 110, 99, 101]).verdict == .noise)
        // An outlier on one side changes a mean and not the interval.
        #expect(try Self.verdict([80, 81, 82, 83, 84], [80, 81, 82, 83, 900]).verdict == .noise)
    }

    @Test("a shift within the margin is noise, even if no value overlaps")
    func margin() throws {
        #expect(try Self.verdict([100, 100.1, 100.2, 100.3], [101, 101.1, 101.2, 101.3]).verdict == .noise)
    }

    @Test("single values and pairs have no interval")
    func few() throws {
        let single = try Self.verdict([80], [800])
        #expect(single.verdict == .unknown && single.low == nil)
        #expect(single.reason == "one value each, so no interval: repeat the benchmark")
        let pair = try Self.verdict([80, 81], [800, 801])
        #expect(pair.verdict == .unknown)
        #expect(pair.reason == "2 and 2 values are too few for an interval of 90 %")
        #expect(try Self.verdict([80, 81, 82], [800, 801, 802]).verdict == .worse)
        // One value is enough beside nineteen.
        #expect(try Self.verdict([80], (0..<19).map { 800 + Double($0) }).verdict == .worse)
    }

    @Test(
        "instructions, allocations and bytes of an index are compared exactly",
        arguments: [
            ("dispatch", "instructions", "count"), ("growth", "tap-instructions", "count"),
            ("cores", "allocations", "count"), ("hit-test", "memory", "bytes"), ("growth", "index-memory", "bytes"),
        ])
    func counts(group: String, metric: String, unit: String) throws {
        func verdict(_ before: [Double], _ after: [Double]) throws -> FigureComparison.Verdict {
            try Self.verdict(before, after, unit: unit, group: group, metric: metric).verdict
        }
        #expect(try verdict([2736], [2740]) == .worse)
        #expect(try verdict([2740], [2736]) == .better)
        #expect(try verdict([2736], [2737]) == .noise)
        #expect(try verdict([0, 0, 0], [1, 1, 1]) == .worse)
        #expect(try verdict([0, 0, 0], [0.001, 0.001, 0.001]) == .noise)
        // A figure that varied is compared as a time is.
        #expect(try verdict([6, 6.2, 6.1], [6.1, 6, 6.2]) == .noise)
    }

    @Test(
        "counts and bytes of running processes are judged as times are",
        arguments: [
            ("counts", "wake-ups", "count"), ("latency", "syscalls", "count"), ("throughput", "coalesced", "count"),
            ("decode", "growth", "bytes"), ("memory", "rss", "bytes"),
        ])
    func runningCounts(group: String, metric: String, unit: String) throws {
        func verdict(_ before: [Double], _ after: [Double]) throws -> FigureComparison.Verdict {
            try Self.verdict(before, after, unit: unit, group: group, metric: metric).verdict
        }
        #expect(try verdict([2736], [2740]) == .unknown)
        #expect(try verdict([3, 3, 3], [4, 4, 4]) == .worse)
    }

    @Test("a count that changes by less than 0.005 is noise")
    func countSlack() throws {
        let (before, after) = ([0.001, 0.001, 0.0011], [0.005, 0.005, 0.0051])
        #expect(try Self.verdict(before, after, unit: "count", metric: "preemptions").verdict == .noise)
        #expect(try Self.verdict(before, after, unit: "ratio").verdict == .worse)
    }

    @Test("figures of references have no verdict, and ratios to them have one")
    func references() throws {
        let keys = [
            "latency/240Hz/p50-zmq", "latency/240Hz/wake-ups-seqpacket", "latency/60Hz/p99.9-ring",
            "throughput/relay/events", "throughput/relay-batched/events", "hit-test/flat-100/walk",
            "growth/views-flat-10/walk",
        ]
        let others = [
            "latency/240Hz/ratio-p50-ring", "latency/240Hz/p50", "latency/240Hz/p50-wire-to-app",
            "throughput/one-finger/ratio", "hit-test/flat-100/test", "decode/walk/events",
        ]
        func figures(_ scale: Double) -> [BenchFigure] {
            (keys + others).map { key in
                let parts = key.split(separator: "/").map(String.init)
                return BenchFigure(
                    group: parts[0], name: parts[1], metric: parts[2], unit: "us",
                    values: [1, 1.01, 1.02].map { $0 * scale })
            }
        }
        let rows = FigureComparison.compare(figures(1), figures(2))
        #expect(rows.filter { $0.verdict == .reference }.map(\.key) == keys)
        #expect(rows.allSatisfy { ($0.reason == "of a reference") == keys.contains($0.key) })
        #expect(rows.filter { $0.verdict == .worse }.map(\.key) == others)
        #expect(ComparisonSummary(rows).text == "6 worse, 7 of references")
        #expect(ComparisonSummary(rows).compared == others.count)
    }

    /// A comparison of figures with these values, with others beside them that do not change.
    private static func compare(
        _ before: [Double], _ after: [Double], among count: Int
    ) throws -> FigureComparison {
        func figures(_ values: [Double]) -> [BenchFigure] {
            [BenchFigure(group: "g", name: "c", metric: "m", unit: "us", values: values)]
                + (1..<count).map { index in
                    BenchFigure(group: "g", name: "c\(index)", metric: "m", unit: "us", values: [1, 2, 3])
                }
        }
        return try #require(FigureComparison.compare(figures(before), figures(after)).first)
    }

    @Test("an order of values that chance explains among many figures is noise")
    func chance() throws {
        let (low, high) = ([100.0, 105, 110], [113.0, 118, 121])
        #expect(try Self.compare(low, high, among: 1).verdict == .worse)
        let among = try Self.compare(low, high, among: 2)
        #expect(among.verdict == .noise)
        #expect(among.reason == "3 and 3 values: such an order is expected by chance among 2 figures")
        // One of C(10, 5) = 252 orders: 0.05 / 12 is more, 0.05 / 13 less.
        let (five, greater) = ([100.0, 102, 104, 106, 110], [113.0, 115, 117, 119, 121])
        #expect(try Self.compare(five, greater, among: 12).verdict == .worse)
        #expect(try Self.compare(greater, five, among: 12).verdict == .better)
        #expect(try Self.compare(five, greater, among: 13).verdict == .noise)
    }

    @Test("a gap of more than twice the range within a run is a change among any number of figures")
    func gap() throws {
        #expect(try Self.compare([100, 101, 102], [107, 108, 108], among: 500).verdict == .worse)
        #expect(try Self.compare([107, 108, 108], [100, 101, 102], among: 500).verdict == .better)
        #expect(try Self.compare([100, 101, 102], [106, 107, 108], among: 500).verdict == .noise)
        #expect(try Self.compare([5, 5, 5], [6, 6, 6], among: 500).verdict == .worse)
    }

    @Test("two runs of one build rarely have a worse figure among many")
    func sameBuild() {
        var chance = SeededGenerator(seed: 7)
        func figures(_ count: Int) -> [BenchFigure] {
            (0..<200).map { index in
                let values = (0..<count).map { _ in
                    // The sum of twelve even numbers is nearly normal, with a deviation of 1.
                    100 + 10 * (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &chance) }
                }
                return BenchFigure(group: "g", name: "c\(index)", metric: "m", unit: "us", values: values)
            }
        }
        for count in [5, 8] {
            let runs = (0..<20).count { _ in
                ComparisonSummary(FigureComparison.compare(figures(count), figures(count))).worse > 0
            }
            // One in 20 is expected.
            #expect(runs <= 3, "\(count) values: \(runs)")
        }
    }

    @Test("the probability of an order counts equal values against it")
    func order() {
        #expect(abs(RankInterval.probabilityOfOrder([1, 2, 3], [4, 5, 6]) - 0.05) < 1e-12)
        #expect(abs(RankInterval.probabilityOfOrder([1, 2, 4], [4, 5, 6]) - 0.1) < 1e-12)
        #expect(abs(RankInterval.probabilityOfOrder([4, 5, 6], [1, 2, 3]) - 1) < 1e-12)
        #expect(RankInterval.probabilityOfOrder([], [1]) == 1)
        // 21 and 20 values use the normal distribution: half of all orders have a U below its mean.
        let (less, greater) = ((0..<21).map { Double(2 * $0) }, (0..<20).map { Double(2 * $0 + 1) })
        #expect(abs(RankInterval.probabilityOfOrder(less, greater) - 0.5) < 0.02)
        #expect(RankInterval.probabilityOfOrder(less, greater.map { $0 + 100 }) < 1e-6)
    }

    @Test("figures of one run only are missing, and last if they disappeared")
    func missing() {
        func figure(_ name: String, _ unit: String = "us") -> BenchFigure {
            BenchFigure(group: "g", name: name, metric: "m", unit: unit, values: [1, 2, 3])
        }
        let rows = FigureComparison.compare(
            [figure("old"), figure("both"), figure("unit")], [figure("both"), figure("new"), figure("unit", "ns")])
        #expect(rows.map(\.key) == ["g/both/m", "g/new/m", "g/unit/m", "g/old/m"])
        #expect(rows.map(\.verdict) == [.noise, .missing, .missing, .missing])
        #expect(rows.map(\.reason).suffix(2) == ["us in the earlier run, ns in the later", "only in the earlier run"])
        #expect(ComparisonSummary(rows).text == "0 worse, 1 noise, 3 in one run only")
    }

    @Test("U has the frequencies of the tables of Mann and Whitney")
    func frequencies() {
        #expect(RankInterval.frequenciesOfU(2, 3) == [1, 1, 2, 2, 2, 1, 1])
        #expect(RankInterval.frequenciesOfU(1, 1) == [1, 1])
        // C(20, 10) arrangements of ten and ten values.
        #expect(RankInterval.frequenciesOfU(10, 10).reduce(0, +) == 184_756)
    }

    @Test(
        "the interval leaves out as many differences as the tables say",
        // The critical values of U for 5 % on both sides, as tables print them.
        arguments: [(4, 4, 0), (5, 5, 2), (6, 6, 5), (8, 8, 13), (10, 10, 23), (20, 20, 127)])
    func criticalValues(n: Int, m: Int, expected: Int) {
        #expect(RankInterval.omittedDifferences(n, m).count == expected)
        #expect(RankInterval.omittedDifferences(n, m).tail <= 0.025)
    }

    @Test("many values use the normal distribution, close to the exact one")
    func normal() {
        let large = RankInterval.omittedDifferences(21, 20).count
        #expect((125...145).contains(large))
    }
}
