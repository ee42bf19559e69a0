// MonitorContest.swift: the claim of one touch monitor to one touch that it observes.
//
// Station   router
// Input     TouchMonitorTable: the monitor's answers, the end of its time to answer, what other contenders do with
//           the touch
// Output    to TouchMonitorTable: check whether the touch is free, take it, or refuse it
// Knows     the states of one claim. No finger, no monitor, no clock.
//
//     answer    yes            no                   maybe                  hold
//               take it        stop observing       go on observing        the same: no app waits for a monitor
//
// A yes waits while a system gesture may still take the touch, because the system comes first. When a monitor's
// time is over, its maybe counts as a no. GestureContest decides between the system and the app.
//
// Docs/Reference/Machines/MonitorContest.md is the whole table; Docs/Decisions/TouchMonitors.md gives the reasons.
//
// Sources   invented, after Android's input monitors

import Wire

/// One touch monitor's claim to one touch.
struct MonitorContest: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable {
        /// The monitor observes the touch.
        case observing
        /// The monitor has said yes, and the system may still take the touch.
        case wanting
        /// The monitor has taken the touch.
        case holding
        /// The monitor does not observe the touch any more.
        case left
    }

    enum Input: Equatable, Sendable, CaseIterable {
        case yes, no, maybe, hold
        /// The monitor's time to answer is over.
        case late
        /// The system does not want the touch, and its app has it.
        case free
        /// The system or another monitor has taken the touch, or it has no owner.
        case lost
    }

    enum Decision: Equatable, Sendable {
        case nothing
        /// Check whether the touch is free.
        case ask
        case take
        case refuse
    }

    private(set) var state = State.observing

    mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The transition table, for every state and input.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.observing, .yes): (.wanting, .ask)
        case (.observing, .no), (.observing, .late), (.observing, .lost): (.left, .nothing)
        case (.observing, .maybe), (.observing, .hold), (.observing, .free): (.observing, .nothing)

        case (.wanting, .free): (.holding, .take)
        case (.wanting, .lost): (.left, .refuse)
        // The monitor has withdrawn its yes.
        case (.wanting, .no): (.left, .nothing)
        case (.wanting, .yes), (.wanting, .maybe), (.wanting, .hold), (.wanting, .late): (.wanting, .nothing)

        // A touch that the monitor gives up has no owner until it lifts (D5).
        case (.holding, .no), (.holding, .lost): (.left, .nothing)
        case (.holding, .yes), (.holding, .maybe), (.holding, .hold), (.holding, .late), (.holding, .free):
            (.holding, .nothing)

        case (.left, .yes): (.left, .refuse)
        case (.left, .no), (.left, .maybe), (.left, .hold), (.left, .late), (.left, .free), (.left, .lost):
            (.left, .nothing)
        }
    }
}
