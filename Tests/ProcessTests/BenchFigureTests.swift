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

    /// What limits say about a run with four figures.
    private static func judgement(_ words: [String]) throws -> FigureJudgement {
        let figures = [
            figure("latency/240Hz/p50", [90]), figure("latency/60Hz/p50", [110]),
            figure("latency/240Hz/ratio-p50", [1.5], "ratio"),
            figure("throughput/one-finger/events", [1000], "events/s"),
        ]
        return try FigureOptions.parse(words).judge().judgement(of: figures)
    }

    private static func complaints(_ words: [String]) throws -> [String] { try judgement(words).complaints }

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
        let line = "--max p98: expected a figure of this run (events p50 ratio-p50), found none"
        #expect(try Self.judgement(["--max", "p98=1ms"]).unusable == [line])
        // `50` is no whole part of a key.
        #expect(try Self.judgement(["--max", "50=1ms"]).unusable.count == 1)
    }

    @Test("limits that cannot be used do not hide the others")
    func allLimits() throws {
        let judgement = try Self.judgement([
            "--max", "p98=1ms", "--max", "p50=2MiB", "--max", "60Hz/p50=1us", "--min", "nothing=1",
        ])
        #expect(judgement.complaints == ["latency/60Hz/p50: expected at most 1 us (--max), found 110 us"])
        #expect(judgement.unusable.count == 3, "\(judgement.unusable)")
        #expect(judgement.unusable.contains("--max p50: expected a limit in us, found 2MiB"))
        let both = #expect(throws: Failure.self) { try judgement.finish() }
        #expect(both?.code == 1 && both?.line.split(separator: "\n").count == 4)
        let unusable = #expect(throws: Failure.self) { try FigureJudgement(unusable: ["x"]).finish() }
        #expect(unusable?.code == 2 && unusable?.line == "x")
        try FigureJudgement().finish()
    }

    @Test("a baseline without a comparable figure is an error of the command line")
    func baseline() throws {
        func judgement(_ values: [Double], of key: String = "latency/240Hz/p50") -> FigureJudgement {
            let judge = FigureJudge(
                limits: [], baseline: ("before.json", [Self.figure(key, values)]), printsLines: false)
            return judge.judgement(
                of: [Self.figure("latency/240Hz/p50", [200, 201, 202]), Self.figure("latency/240Hz/p50-zmq", [1])])
        }
        let start = "--baseline before.json: expected figures of this run, found none that can be compared: "
        #expect(
            judgement([1, 2, 3], of: "cores/app/time")
                == FigureJudgement(unusable: [start + "3 in one run only, 0 with too few values"]))
        #expect(judgement([1]).unusable == [start + "1 in one run only, 1 with too few values"])
        #expect(
            judgement([1], of: "latency/240Hz/p50-zmq").unusable
                == [start + "1 in one run only, 0 with too few values, 1 of references"])
        let worse = judgement([100, 101, 102])
        #expect(worse.summary == "1 worse, 1 in one run only" && worse.unusable.isEmpty)
        #expect(worse.complaints.first?.hasPrefix("latency/240Hz/p50: worse than the baseline: ") == true)
        #expect(judgement([200, 201, 202]) == FigureJudgement(summary: "0 worse, 1 noise, 1 in one run only"))
    }

    @Test("the median of an even number of repetitions is between the middle two")
    func medians() {
        let row = DecodeFigures.Row(
            format: .evemu, bytes: 1, events: 1, frames: 1, times: [3, 1, 10, 2], growth: nil)
        #expect(row.seconds == 2.5)
        let windows = WindowFigures(
            windows: 1, repeats: [[WindowFigures.Row("a", [10])], [WindowFigures.Row("a", [20])]])
        #expect(windows.rows.map(\.p50) == [15])
    }

    @Test("a benchmark that a signal ended is reported with the signal")
    func endOfChild() {
        #expect(BenchChild.failure(.exit, 0, lastLine: "1 of 2") == nil)
        #expect(BenchChild.failure(.exit, 3, lastLine: "no group") == "no group")
        #expect(BenchChild.failure(.exit, 3, lastLine: nil) == "ended with status 3")
        #expect(BenchChild.failure(.uncaughtSignal, 9, lastLine: "1 of 2") == "ended by signal 9 (last line: 1 of 2)")
        #expect(BenchChild.failure(.uncaughtSignal, 11, lastLine: nil) == "ended by signal 11")
    }

    @Test("a benchmark refuses settings that it decides itself, and takes others")
    func ownSettings() throws {
        let others = ["host.transport=ring", "host.awake=shared", "host.spin=true", "host.seccomp=false"]
            .flatMap { ["--set", $0] }
        _ = try BenchLatency.parse(others + ["--set", "host.trace=file"])
        _ = try BenchThroughput.parse(others)
        _ = try BenchGrowth.parse(others)
        _ = try BenchCounts.parse(others)
        _ = try BenchStart.parse(others)
        for setting in ["group.apps=3", "app.scene=x.yaml", "chaos.allowed=true"] {
            let words = ["--set", setting]
            for command in [
                BenchLatency.self, BenchThroughput.self, BenchGrowth.self, BenchCounts.self, BenchStart.self,
            ] as [any ParsableCommand.Type] {
                #expect(throws: (any Error).self, "\(command) \(setting)") { _ = try command.parse(words) }
            }
        }
        #expect(throws: (any Error).self) { try BenchStart.parse(["--set", "host.trace=off"]) }
        for assignment in BenchThroughput.everyEvent {
            #expect(throws: (any Error).self) { try BenchThroughput.parse(["--set", assignment]) }
        }
    }

    @Test("a round of latency has at most as many scans as an order")
    func scans() throws {
        #expect(BenchSlice.paced(rate: 240, seconds: 5, burst: 1).scans == 1260)
        let words = ["--rate", "100000", "--burst", "256", "--seconds", "200", "--repeat"]
        #expect(throws: (any Error).self) { try BenchLatency.parse(words + ["1"]) }
        _ = try BenchLatency.parse(words + ["2"])
    }

    @Test("a figure that is no number keeps no limit")
    func notANumber() throws {
        let limit = FigureLimit(pattern: "p50", amount: try #require(FigureAmount("1")), side: .atMost, source: "--max")
        #expect(try limit.complaint(about: Self.figure("a/b/p50", [])) != nil)
    }
}
