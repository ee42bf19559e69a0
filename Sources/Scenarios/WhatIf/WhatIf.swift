// WhatIf.swift: the smallest changes of a scenario after which an interaction has the opposite outcome.
//
//     scenario, interaction ─▶ dials and switches of what the touch met ─▶ plays ─▶ changes that flip it, smallest first
//
// Each change is one time, distance, threshold, property or relation. Each is found by playing the changed scenario, so
// every answer has been played. Dials are turned outward until the outcome flips, and then bisected.
//
// Input     `touchline explain --what-if`
// Output    Answer
// Knows     the simulator as a function from a scenario to facts. No rule of a gesture.
//
// Sources   invented

public import Explain
import Runs

/// The search for the smallest changes.
public struct WhatIf {
    /// One change that flips the outcome.
    public struct Answer: Sendable {
        public let phrase: Phrase
        /// The rank: the smaller, the earlier. 1 is a property that is on instead of off, 100 ms, or 20 pt.
        public let cost: Double
        /// The scenario with the change.
        public let changed: Scenario
        /// Whether the change only switches a view or a recognizer off.
        public let isBlunt: Bool
        /// The cause of the interaction's outcome after the change.
        public let cause: RootCause
    }

    private let scenario: Scenario
    private let index: Int
    private let part: AskedPart?
    private let interaction: Interaction
    private let isActing: Bool
    /// The number of scenarios that may be played, and that were played.
    public let playLimit: Int
    public private(set) var plays = 0
    private let isOutOfTime: () -> Bool

    /// - Parameters:
    ///   - scenario: The scenario that is changed and played again.
    ///   - interaction: The interaction whose outcome is asked for.
    ///   - index: The interaction among those of the run.
    ///   - part: The view or recognizer whose effect is asked for; nil for any effect.
    ///   - playLimit: The greatest number of plays.
    ///   - isOutOfTime: Asked before each play.
    public init(
        _ scenario: Scenario, interaction: Interaction, at index: Int, part: AskedPart?, playLimit: Int = 4000,
        isOutOfTime: @escaping () -> Bool = { false }
    ) {
        (self.scenario, self.interaction, self.index, self.part) = (scenario, interaction, index, part)
        (self.playLimit, self.isOutOfTime) = (playLimit, isOutOfTime)
        isActing = Self.acts(interaction, part)
    }

    /// Whether the interaction has an effect, so that the answers say how to prevent it.
    public var prevents: Bool { isActing }

    private static func acts(_ interaction: Interaction, _ part: AskedPart?) -> Bool {
        part.map { interaction.whyNot($0) == .acted } ?? interaction.cause.isAction
    }

    /// Returns the changes that flip the outcome, smallest first.
    public mutating func answers() -> [Answer] {
        var answers: [Answer] = []
        let field = ChangeField(scenario, interaction)
        for change in field.switches {
            if let answer = flip(change) { answers.append(answer) }
        }
        for dial in field.dials {
            for sign in [1.0, -1.0] {
                var latest: Answer?
                let found = dial.smallest(sign) { change in
                    guard plays < playLimit, !isOutOfTime() else { return nil }
                    let answer = flip(change)
                    if answer != nil { latest = answer }
                    return answer != nil
                }
                // The last one that flipped is the smallest: bisection ends at it.
                if found != nil, let latest { answers.append(latest) }
            }
        }
        return answers.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
            .map(\.element)
    }

    private mutating func flip(_ change: Change) -> Answer? {
        guard plays < playLimit, !isOutOfTime() else { return nil }
        plays += 1
        var changed = scenario
        change.apply(&changed)
        guard let run = try? ObservedRun(of: changed) else { return nil }
        let interactions = Array(run.explained.interactions)
        guard interactions.indices.contains(index) else { return nil }
        let after = interactions[index]
        guard Self.acts(after, part) != isActing else { return nil }
        return Answer(
            phrase: change.phrase, cost: change.cost, changed: changed, isBlunt: change.isBlunt, cause: after.cause)
    }
}
