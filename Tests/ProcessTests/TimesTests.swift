import Audit
import Basics
import Testing

@testable import touchline

@Suite("The times of a chaos row")
struct TimesTests {
    private func times(_ milliseconds: some Sequence<Int>, of count: Int) -> Times {
        Times(milliseconds.map { .milliseconds(Int64($0)) }, of: count)
    }

    @Test("percentiles count missing times as the latest")
    func percentiles() {
        #expect(times(1...200, of: 200).percentile(0.99) == .milliseconds(198))
        #expect(times(1...199, of: 200).percentile(0.99) == .milliseconds(198))
        #expect(times(1...198, of: 200).percentile(0.99) == .milliseconds(198))
        #expect(times(1...197, of: 200).percentile(0.99) == nil)
        #expect(times(1...199, of: 200).percentile(1) == nil)
        #expect(times(1...199, of: 200).text == "p50 100, p99 198, max never ms; 1 of 200 never")
        #expect(times([], of: 0).percentile(1) == nil)
    }

    @Test("a demand without enough measured times is not met", arguments: [true, false])
    func never(judgesTimes: Bool) {
        var verdict = ChaosVerdict(.appKilled, times: 1, judgesTimes: judgesTimes)
        verdict.demand("ready", [], percentile: 1, within: .seconds(1), of: 0)
        verdict.demand("ready", [.milliseconds(5)], percentile: 1, within: .seconds(1), of: 2)
        verdict.demand("ready", [.seconds(2)], percentile: 1, within: .seconds(1), of: 1)
        #expect(verdict.demands.map(\.isMet) == [false, false, !judgesTimes])
        #expect(!verdict.isPassed)
    }

    @Test("a chaos row without runs or judged laws is not passed")
    func nothing() {
        var verdict = ChaosVerdict(.appKilled, times: 0, judgesTimes: true)
        verdict.laws = [.legality]
        #expect(!verdict.isPassed)
        verdict.times = 1
        #expect(verdict.isPassed)
        verdict.laws = []
        #expect(!verdict.isPassed)
        #expect(verdict.table.last?.suffix(4) == ["laws", "judged", "no journal read", "MISSED"])
    }
}
