import ArgumentParser
import Foundation
import Testing

@testable import touchline

@Suite("Figures and limits of benchmarks")
struct BenchFigureTests {
    private static func figure(
        _ key: String, _ values: [Double], _ unit: String = "us"
    ) -> BenchFigure {
        let parts = key.split(separator: "/").map(String.init)
        return BenchFigure(group: parts[0], name: parts[1], metric: parts[2], unit: unit, values: values)
    }

    @Test("a figure is one line with the median of its values")
    func line() {
        #expect(Self.figure("latency/240Hz/p50", [90.25, 80, 100]).line == "R latency 240Hz p50 90.25 us")
        #expect(
            Self.figure("dispatch/a-tap/allocations", [1, 0], "count").line
                == "R dispatch a-tap allocations 0.5000 count")
        #expect(Self.figure("latency/240Hz/p50", []).line == "R latency 240Hz p50 - us")
        #expect([0.00031, 12, 123.456, 1_234_567.8].map(figureText) == ["0.0003", "12", "123.5", "1234568"])
    }

    @Test("figures survive JSON without values that are no numbers")
    func json() throws {
        let figures = [Self.figure("a/b/c", [1, .nan, .infinity]), Self.figure("a/b/d", [.nan])]
        let data = try JSONEncoder().encode(ResultWithFigures(result: ["repeats": 3], figures: figures))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(object?["repeats"] as? Int == 3)
        #expect(try JSONDecoder().decode(FigureFile.self, from: data).figures == [Self.figure("a/b/c", [1])])
    }

    @Test(
        "a limit has a number and a unit of the figure's kind",
        arguments: [
            ("2ms", "us", 2000.0), ("50us", "us", 50), ("0.5 s", "ms", 500), ("1.2", "ratio", 1.2),
            ("12MiB", "bytes", 12_582_912),
            ("3", "count", 3), ("150MB/s", "MB/s", 150),
        ])
    func amounts(text: String, unit: String, value: Double) throws {
        #expect(try #require(FigureAmount(text)).value(in: unit) == value)
    }

    @Test("other limits are refused", arguments: ["", "ms", "2 parsecs", "nan", "1e", "--2"])
    func wrongAmounts(text: String) {
        #expect(FigureAmount(text) == nil)
        #expect(LimitArgument(argument: "p50=\(text)") == nil)
    }

    @Test("a limit of another kind of unit is an error of the command line")
    func wrongUnit() throws {
        let limit = FigureLimit(
            pattern: "p50", amount: try #require(FigureAmount("2MiB")), side: .atMost, source: "--max")
        let failure = #expect(throws: Failure.self) { try limit.complaint(about: Self.figure("a/b/p50", [1])) }
        #expect(failure?.code == 2)
        #expect(failure?.line == "--max p50: expected a limit in us, found 2MiB")
    }

    /// The lines about broken limits of a run with three figures.
    private static func complaints(_ words: [String]) throws -> [String] {
        let figures = [
            figure("latency/240Hz/p50", [90]), figure("latency/60Hz/p50", [110]),
            figure("latency/240Hz/ratio-p50", [1.5], "ratio"),
            figure("throughput/one-finger/events", [1000], "events/s"),
        ]
        return try FigureOptions.parse(words).judge().complaints(about: figures)
    }

    @Test("each figure beyond a limit is one line with measure and limit")
    func thresholds() throws {
        #expect(try Self.complaints(["--max", "p50=0.2ms", "--min", "events=1000"]).isEmpty)
        #expect(
            try Self.complaints(["--max", "p50=100us"]) == [
                "latency/60Hz/p50: expected at most 100 us (--max), found 110 us"
            ])
        #expect(
            try Self.complaints(["--max", "240Hz/p50=80us", "--max-ratio", "p50=1.2", "--min", "events=2000"]) == [
                "latency/240Hz/p50: expected at most 80 us (--max), found 90 us",
                "throughput/one-finger/events: expected at least 2000 events/s (--min), found 1000 events/s",
                "latency/240Hz/ratio-p50: expected at most 1.20 ratio (--max-ratio), found 1.50 ratio",
            ])
    }

    @Test("a limit of no figure names the figures of the run")
    func unknownMetric() throws {
        let failure = #expect(throws: Failure.self) { try Self.complaints(["--max", "p98=1ms"]) }
        #expect(failure?.code == 2)
        #expect(
            failure?.line == "--max p98: expected a figure of this run (events p50 ratio-p50), found none")
        // `50` is no whole part of a key.
        #expect(throws: Failure.self) { try Self.complaints(["--max", "50=1ms"]) }
    }

    @Test("a figure that is no number keeps no limit")
    func notANumber() throws {
        let limit = FigureLimit(pattern: "p50", amount: try #require(FigureAmount("1")), side: .atMost, source: "--max")
        #expect(try limit.complaint(about: Self.figure("a/b/p50", [])) != nil)
    }
}
