// Arbitration.swift: of the related recognizers of one event, one that is recognized and waits for no other excludes
// each that has not acted yet, unless a subclass or a delegate of either of the two lets both recognize.
//
// Station   gesture
// Input     GestureEnvironment: what is true of one recognizer, or of two
// Output    Turn and Exclusion, which GestureEnvironment carries out
// Knows     nothing between two calls: an app's code may change anything in the meantime.
//
// Docs/Internals/Gestures.md is the order of precedence, Docs/Machines/Exclusion.md the order of the questions.
//
// Sources   documented  canPrevent, canBePrevented, simultaneous recognition, failure requirements
//           invented    the order of the questions to one pair (B7.1)

/// What the update makes of one recognizer: may it act?
package enum Turn: Equatable, Sendable, CaseIterable {
    /// It has acted in this update, and its action has changed it again: the next update is for that. (B5.6)
    case postpone
    /// Its attempt is over.
    case skip
    /// What it requires to fail has been recognized: it is overruled, or refused if it has acted. (B7.6)
    case lose
    /// There is nothing to send.
    case rest
    /// It waits for one that it requires to fail. (B7.7)
    case wait
    /// It was released a moment ago, and exclusion is weighed before it acts.
    case weigh
    case act
    /// It was cancelled.
    case withdraw
    case fail
    /// Undecided: it keeps touches from their views. (B8.6)
    case hold

    /// How far those are which a recognizer requires to fail.
    package enum Requirement: Equatable, Sendable, CaseIterable {
        /// There is none, or each has failed, was cancelled, or never took part. (B7.9)
        case met
        case undecided
        /// One has been recognized.
        case lost
    }

    /// - Parameters:
    ///   - actedInUpdate: The recognizer has acted in this update.
    ///   - isUnweighed: Exclusion is due, and the recognizer has requirements.
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
            return isUnweighed && attempt.isExcludable ? .weigh : .act
        case (.cancelled, _): return .withdraw
        case (.failed, _): return .fail
        }
    }
}

/// Whether a winner excludes a loser: the next question to ask, or the outcome.
package enum Exclusion: Equatable, Sendable {
    case ask(Question)
    case excluded
    case spared

    /// In this order, each only where no earlier one has settled the matter. (B7.1)
    package enum Question: Equatable, Sendable, CaseIterable {
        /// `canPrevent` of the winner.
        case mayPrevent
        /// `canBePrevented` of the loser.
        case mayBePrevented
        /// Of the loser's delegate: both at once?
        case loserAllowsBoth
        /// Of the winner's delegate.
        case winnerAllowsBoth
    }

    /// What is true of two recognizers before anything is asked.
    package struct Pair: Equatable, Sendable {
        package var winner: RecognizerState
        package var requirement: Turn.Requirement
        /// Touches, presses, scrolls and so on do not compete.
        package var isOneKindOfEvent: Bool
        /// On one view, or on two of which one is inside the other.
        package var isRelated: Bool
        /// The winner waits for the loser.
        package var requiresLoser: Bool
        /// One of the two only holds touches back.
        package var isOutOfSight: Bool

        package init(
            winner: RecognizerState, requirement: Turn.Requirement, isOneKindOfEvent: Bool, isRelated: Bool,
            requiresLoser: Bool, isOutOfSight: Bool
        ) {
            (self.winner, self.requirement, self.isOneKindOfEvent) = (winner, requirement, isOneKindOfEvent)
            (self.isRelated, self.requiresLoser, self.isOutOfSight) = (isRelated, requiresLoser, isOutOfSight)
        }
    }

    package static func of(_ pair: Pair) -> Exclusion {
        let competes =
            pair.winner.isRecognized && pair.requirement == .met && pair.isOneKindOfEvent && pair.isRelated
            && !pair.requiresLoser && !pair.isOutOfSight
        return competes ? .ask(.mayPrevent) : .spared
    }

    package static func after(_ question: Question, answer: Bool) -> Exclusion {
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
