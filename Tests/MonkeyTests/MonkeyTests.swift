import Monkey
import Testing
import UIKit

@Suite("Monkey")
struct MonkeyTests {
    /// The first seeds of ten thousand worlds, in stretches that run in parallel.
    static let stretches = (0..<40).map { UInt64($0) * 250 + 1 }

    @Test("the monkey laws hold in ten thousand worlds", arguments: stretches)
    func laws(from first: UInt64) {
        for seed in first..<first + 250 {
            let world = MonkeyWorld(seed: seed, events: 24)
            let outcome = world.play()
            var violations = outcome.violations
            // A second playing costs as much as the first. Every fifth world is enough to notice an iteration over a set.
            if seed % 5 == 0 { violations += outcome.difference(from: world.play()).map { [$0] } ?? [] }
            for violation in violations {
                Issue.record("seed \(seed): \(violation)\ntouchline monkey worlds --events 24 --seed \(seed)")
            }
        }
    }

    @Test("monkey worlds have every kind of view, recognizer, relation and action")
    func variety() {
        var kinds: Set<String> = []
        var relations: Set<String> = []
        var states: Set<Int> = []
        var phases: Set<Int> = []
        for seed in 1...400 as ClosedRange<UInt64> {
            let world = MonkeyWorld(seed: seed, events: 24)
            for view in world.views { kinds.insert(view.kind.rawValue) }
            for recognizer in world.recognizers { kinds.insert("g " + word(recognizer.kind)) }
            for relation in world.relations { relations.insert(word(relation)) }
            for entry in world.play().journal {
                if case .acted(let action) = entry { states.insert(action.state.rawValue) }
                if case .viewCall(let hearing) = entry { phases.insert(hearing.method.rawValue) }
            }
        }
        #expect(kinds.count == MonkeyWorld.View.Kind.allCases.count + 9)
        #expect(relations.count == 11)
        let acted: [UIGestureRecognizer.State] = [.began, .changed, .ended, .cancelled]
        #expect(states == Set(acted.map(\.rawValue)))
        let heard: [UITouch.Phase] = [.began, .moved, .ended, .cancelled]
        #expect(phases == Set(heard.map(\.rawValue)))
    }

    /// The name of an enum case without its payload.
    private func word(_ value: Any) -> String {
        String("\(Mirror(reflecting: value).children.first?.label ?? "\(value)")")
    }

    @Test("a seed always gives the same monkey world")
    func seeds() {
        #expect(MonkeyWorld(seed: 7, events: 24) == MonkeyWorld(seed: 7, events: 24))
        #expect(MonkeyWorld(seed: 7, events: 24) != MonkeyWorld(seed: 8, events: 24))
    }

    // MARK: Shrinking

    @Test("shrinking leaves only the cause of a monkey world's failure")
    func shrinking() {
        let world = MonkeyWorld(seed: 12, events: 40)
        // Any finger that lands counts as the failure.
        let gone = world.shrunk { omissions in
            world.omitting(omissions).script.contains { step in
                step.acts.contains { if case .down = $0 { true } else { false } }
            }
        }
        let left = world.omitting(gone)
        #expect(left.script.flatMap(\.acts).count == 1)
        let isBare = left.recognizers.allSatisfy(\.isAbsent)
        #expect(isBare)
        #expect(left.views.filter { !$0.isAbsent }.count == 1)
        #expect(left.relations.isEmpty && left.hooks.isEmpty && left.disorder == nil)
    }

    @Test("an omission's name can be parsed back")
    func omissionNames() {
        let all: [MonkeyOmission] = [
            .view(1), .recognizer(0), .relation(2), .hook(0), .step(12), .act(step: 3, 1), .pause(4), .disorder,
        ]
        for omission in all { #expect(MonkeyOmission(omission.description) == omission) }
        for text in ["", "v", "v0", "x1", "a1", "s-", "s1.2", "order1"] { #expect(MonkeyOmission(text) == nil) }
    }

    @Test("a monkey world with everything left out breaks no law")
    func empty() {
        let world = MonkeyWorld(seed: 3, events: 10)
        let gone = world.shrunk { _ in true }
        #expect(world.omitting(gone).play().violations == [])
    }
}
