// HitTestTrialTests.swift: hit tests with an index have the results of the walk.
//
// TOUCHLINE_HIT_TEST_TREES sets the number of trees; `touchline bench hit-test --verify` plays more of them, faster.

import Foundation
import Monkey
import Testing

@Suite("hit tests with an index")
struct HitTestTrialTests {
    @Test("an index finds the view of the walk and calls the same overrides")
    func equalsTheWalk() {
        let trees = ProcessInfo.processInfo.environment["TOUCHLINE_HIT_TEST_TREES"].flatMap(UInt64.init) ?? 1_000
        var count = HitTestTrial.Count()
        for seed in 1...trees {
            if let difference = HitTestTrial.run(seed: seed, tests: 20, adding: &count) {
                Issue.record("\(difference)")
                return
            }
        }
        // Trials that test no index, or no override, would prove nothing.
        #expect(count.indexed * 4 > count.hitTests)
        #expect(count.overrideCalls * 10 > count.hitTests)
    }
}
