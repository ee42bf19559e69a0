// HitTestTrial.swift: the law that hit tests with an index have the results of the walk, in a random tree of views.
//
// Input     a seed
// Output    the first difference, or nothing
//
//     seed ─▶ steps: make, change, test ─┬─▶ a world whose windows walk ──────┐
//                                        └─▶ a world whose windows use indices ┴─▶ equal view, equal calls of overrides
//
// Both worlds take the same steps. Overrides change the tree during hit tests, too, so a difference in the calls becomes a
// difference in the trees.
//
// Sources   invented

import Basics
import UIKit

/// One random tree, its changes and its hit tests.
package struct HitTestTrial {
    /// The numbers of what a trial has done.
    package struct Count: Equatable, Sendable {
        package var trees = 0
        package var hitTests = 0
        /// Hit tests of windows that had an index.
        package var indexed = 0
        package var overrideCalls = 0

        package init() {}

        package static func += (sum: inout Count, part: Count) {
            sum.trees += part.trees
            sum.hitTests += part.hitTests
            sum.indexed += part.indexed
            sum.overrideCalls += part.overrideCalls
        }
    }

    private var chance: HitTestChance
    private let walking = HitTestWorld(.never)
    private let indexed = HitTestWorld(.always)
    private var count = Count()

    /// Plays the trial of one seed.
    ///
    /// - Parameters:
    ///   - seed: One seed gives one trial.
    ///   - tests: The number of hit tests.
    ///   - count: Adds what the trial has done.
    /// - Returns: The first difference between the walk and the index; nil if they agree.
    package static func run(seed: UInt64, tests: Int, adding count: inout Count) -> String? {
        var trial = HitTestTrial(chance: HitTestChance(seed: seed))
        let difference = trial.play(tests: tests)
        count += trial.count
        return difference.map { "seed \(seed): \($0)" }
    }

    private init(chance: HitTestChance) { self.chance = chance }

    private mutating func play(tests: Int) -> String? {
        count.trees = 1
        for _ in 0..<chance.viewCount() { take(chance.insertion(among: walking.count)) }
        while count.hitTests < tests {
            for _ in 0..<chance.below(4) { take(chance.step(among: walking.count)) }
            for _ in 0..<(1 + chance.below(4)) {
                if let difference = test() { return difference }
            }
        }
        return nil
    }

    private func take(_ step: HitTestStep) {
        walking.take(step)
        indexed.take(step)
    }

    private mutating func test() -> String? {
        let question = chance.question(in: walking)
        count.hitTests += 1
        let (expected, found) = (walking.answer(question), indexed.answer(question))
        if indexed.usesIndex(question) { count.indexed += 1 }
        let (calls, own) = (walking.takeCalls(), indexed.takeCalls())
        count.overrideCalls += calls.count
        if expected != found {
            return "test \(count.hitTests), \(question): the walk finds \(text(expected)), the index \(text(found))"
        }
        guard calls != own else { return nil }
        return "test \(count.hitTests), \(question): the walk calls \(calls), the index \(own)"
    }

    private func text(_ view: Int?) -> String { view.map { "view \($0)" } ?? "nothing" }
}
