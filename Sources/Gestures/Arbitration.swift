// Arbitration.swift: which recognizer may act in an update, and which recognizers it excludes.
//
// Station   gesture
// Input     GestureEnvironment: the facts about one recognizer, or about two
// Output    Turn and Exclusion, which GestureEnvironment carries out
// Knows     nothing between two calls: an app's code may change anything in the meantime.
//
// A recognized recognizer that waits for no other excludes each related recognizer of the event that has not acted yet.
// It does not if a subclass or a delegate of either of the two lets both recognize.
//
// Docs/Internals/Gestures.md has the order of precedence, Docs/Reference/Machines/Exclusion.md the order of the questions.
//
// Sources   documented  canPrevent, canBePrevented, simultaneous recognition, failure requirements
//           invented    the order of the questions to one pair (B7.1)
/// What one update does with one recognizer.
package enum Turn: Equatable, Sendable, CaseIterable {
    /// It has acted in this update, and its action has changed its state again: the next update handles that. (B5.6)
    case postpone
    /// Its attempt is over.
    case skip
    /// A recognizer that it requires to fail was recognized: it is overruled, or refused if it has acted. (B7.6)
    case lose
    /// It has no action to send.
    case rest
    /// It waits for a recognizer that it requires to fail. (B7.7)
    case wait
    /// Its requirements were met just now: exclusion is decided before it acts.
    case decideExclusion
    /// It sends its action.
    case act
    /// It was cancelled.
    case withdraw
    /// It has failed.
    case fail
    /// It is undecided and keeps touches from their views. (B8.6)
    case hold

    /// The state of a recognizer's failure requirements.
    package enum Requirement: Equatable, Sendable, CaseIterable {
        /// There are none, or each required recognizer has failed, was cancelled, or never took part. (B7.9)
        case met
        case undecided
        /// A required recognizer was recognized.
        case lost
    }

    /// Decides what an update does with a recognizer.
    ///
    /// - Parameters:
    ///   - stage: The recognizer's state.
    ///   - attempt: The state of its attempt.
    ///   - requirement: The state of its failure requirements.
    ///   - actedInUpdate: Whether the recognizer has acted in this update.
    ///   - isUnweighed: Whether exclusion is due and the recognizer has requirements.
    package static func of(
        _ stage: RecognizerState, _ attempt: AttemptState, _ requirement: Requirement, actedInUpdate: Bool,
        isUnweighed: Bool
    ) -> Turn {
        if stage == .changed, actedInUpdate { return .postpone }
        if attempt.isDone { return .skip }
        switch (stage, requirement) {
        case (.possible, .lost), (.began, .lost), (.changed, .lost), (.ended, .lost): return .lose
        case (.possible, .met), (.possible, .undecided): return .hold
        case (.began, .undecided), (.changed, .undecided), (.ended, .undecided):
            return attempt.hasReport ? .wait : .rest
        case (.began, .met), (.changed, .met), (.ended, .met):
            guard attempt.hasReport else { return .rest }
            return isUnweighed && attempt.isExcludable ? .decideExclusion : .act
        case (.cancelled, _): return .withdraw
        case (.failed, _): return .fail
        }
    }
}

/// Whether one recognizer, the winner, excludes another, the loser: the next question, or the outcome.
package enum Exclusion: Equatable, Sendable {
    case ask(Question)
    case excluded
    case spared

    /// The questions, in their order. Each is asked only if no earlier one has decided. (B7.1)
    package enum Question: Equatable, Sendable, CaseIterable {
        /// `canPrevent` of the winner.
        case mayPrevent
        /// `canBePrevented` of the loser.
        case mayBePrevented
        /// Whether the loser's delegate lets both recognize.
        case loserAllowsBoth
        /// Whether the winner's delegate lets both recognize.
        case winnerAllowsBoth
    }

    /// The facts about two recognizers before the first question.
    package struct Pair: Equatable, Sendable {
        package var winner: RecognizerState
        package var requirement: Turn.Requirement
        /// Whether both receive the same kind of event: touches, presses, scrolls and so on do not compete.
        package var isOneKindOfEvent: Bool
        /// Whether the two are on one view, or on two views of which one is inside the other.
        package var isRelated: Bool
        /// Whether the winner waits for the loser.
        package var requiresLoser: Bool
        /// Whether one of the two only delays touches.
        package var isOutOfSight: Bool

        package init(
            winner: RecognizerState, requirement: Turn.Requirement, isOneKindOfEvent: Bool, isRelated: Bool,
            requiresLoser: Bool, isOutOfSight: Bool
        ) {
            (self.winner, self.requirement, self.isOneKindOfEvent) = (winner, requirement, isOneKindOfEvent)
            (self.isRelated, self.requiresLoser, self.isOutOfSight) = (isRelated, requiresLoser, isOutOfSight)
        }
    }

    /// The first question about a pair, or `spared` if the pair does not compete.
    package static func first(for pair: Pair) -> Exclusion {
        let competes =
            pair.winner.isRecognized && pair.requirement == .met && pair.isOneKindOfEvent && pair.isRelated
            && !pair.requiresLoser && !pair.isOutOfSight
        return competes ? .ask(.mayPrevent) : .spared
    }

    /// The next question after an answer, or the outcome.
    package static func next(after question: Question, answer: Bool) -> Exclusion {
        switch (question, answer) {
        case (.mayPrevent, true): .ask(.mayBePrevented)
        case (.mayBePrevented, true): .ask(.loserAllowsBoth)
        case (.loserAllowsBoth, false): .ask(.winnerAllowsBoth)
        case (.winnerAllowsBoth, false): .excluded
        case (.mayPrevent, false), (.mayBePrevented, false), (.loserAllowsBoth, true), (.winnerAllowsBoth, true):
            .spared
        }
    }
}
