// SpyContest.swift: what a spy has said of one touch that it is shown.
//
// Station   router
// Fed by    SpyTable: the spy's answers, the end of its patience, what the system and other spies do with the touch
// Feeds     SpyTable: to look whether it may have the touch, to take it, to say no
// Knows     two words. No finger, no spy, no clock.
//
//     spy's word    yes            no                maybe               hold
//                   it is mine     show me no more   I go on looking     the same: no app waits for a spy
//
// A yes waits as long as a gesture of the system's may still be one, and no longer than that does: the system is first.
// After a spy's patience its maybe is a no. GestureContest is the same between the system and the app.
//
// Docs/Machines/SpyContest.md is the whole table. Why it is like this: Docs/Decisions/Spies.md.
//
// Sources   invented, after Android's input monitors

import Wire

struct SpyContest: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable {
        /// It looks on.
        case looking
        /// It has said yes, and the system may still want the touch.
        case wanting
        /// The touch is its own.
        case holding
        /// It is shown no more of it.
        case left
    }

    enum Input: Equatable, Sendable, CaseIterable {
        case yes, no, maybe, hold
        /// Its patience is over.
        case late
        /// The system does not want the touch, and its app has it.
        case free
        /// The system has taken it, or another spy, or it is nobody's.
        case lost
    }

    enum Decision: Equatable, Sendable {
        case nothing
        /// It is to be looked whether the touch is free.
        case ask
        case take
        case refuse
    }

    private(set) var state = State.looking

    mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.looking, .yes): (.wanting, .ask)
        case (.looking, .no), (.looking, .late), (.looking, .lost): (.left, .nothing)
        case (.looking, .maybe), (.looking, .hold), (.looking, .free): (.looking, .nothing)

        case (.wanting, .free): (.holding, .take)
        case (.wanting, .lost): (.left, .refuse)
        // It has changed its mind.
        case (.wanting, .no): (.left, .nothing)
        case (.wanting, .yes), (.wanting, .maybe), (.wanting, .hold), (.wanting, .late): (.wanting, .nothing)

        // What it has taken is nobody's when it wants it no more (D5).
        case (.holding, .no), (.holding, .lost): (.left, .nothing)
        case (.holding, .yes), (.holding, .maybe), (.holding, .hold), (.holding, .late), (.holding, .free):
            (.holding, .nothing)

        case (.left, .yes): (.left, .refuse)
        case (.left, .no), (.left, .maybe), (.left, .hold), (.left, .late), (.left, .free), (.left, .lost):
            (.left, .nothing)
        }
    }
}
