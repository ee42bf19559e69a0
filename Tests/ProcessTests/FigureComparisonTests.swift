import Testing

@testable import touchline

@Suite("Comparison of two runs")
struct FigureComparisonTests {
    private static func verdict(
        _ before: [Double], _ after: [Double], unit: String = "us"
    ) throws -> FigureComparison {
        func figure(_ values: [Double]) -> BenchFigure {
            BenchFigure(group: "g", name: "c", metric: "m", unit: unit, values: values)
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
        #expect(pair.reason == "2 and 2 values are too few for an interval: at least 3 and 3")
        #expect(try Self.verdict([80, 81, 82], [800, 801, 802]).verdict == .worse)
    }

    @Test("counts that never vary are compared exactly, single values too")
    func counts() throws {
        #expect(try Self.verdict([2736], [2740], unit: "count").verdict == .worse)
        #expect(try Self.verdict([2740], [2736], unit: "count").verdict == .better)
        #expect(try Self.verdict([2736], [2737], unit: "count").verdict == .noise)
        #expect(try Self.verdict([0, 0, 0], [1, 1, 1], unit: "count").verdict == .worse)
        #expect(try Self.verdict([0, 0, 0], [0.001, 0.001, 0.001], unit: "count").verdict == .noise)
        // A count that varied is compared as a time is.
        #expect(try Self.verdict([6, 6.2, 6.1], [6.1, 6, 6.2], unit: "count").verdict == .noise)
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
