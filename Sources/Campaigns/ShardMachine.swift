// ShardMachine.swift: the state machine of one shard, from its first start to its result in the store.
//
// Input     the coordinator: what the backend reports of its workers, result files that it found, rows of the store
// Output    Effect, which the coordinator carries out
// Knows     a count of attempts. No files, no processes, no clock.
//
//     waiting ─submitted─▶ running ─resultFound─▶ written ─merged─▶ merged
//        ▲                    │
//        └──────vanished──────┴─vanished too often─▶ abandoned
//
// Only a result file ends the work of a shard, whoever wrote it. A worker that ended without one has done nothing: its
// machine died, it was killed, or the disk was full. A second result of a shard is read once more, so that the store
// counts it as a duplicate; it changes no sum.
//
// Docs/Reference/Machines/CampaignShard.md has the whole table.
//
// Sources   invented

/// The state machine of a shard.
public struct ShardMachine: Sendable {
    /// The state of a shard. `attempts` counts the starts that led to no result.
    public enum State: Hashable, Sendable {
        case waiting(attempts: Int)
        case running(attempts: Int)
        /// A result file exists and is not in the store yet.
        case written
        /// The result is in the store.
        case merged
        /// Started too often without a result.
        case abandoned
    }

    /// An event of a shard.
    public enum Input: Hashable, CaseIterable, Sendable {
        /// The backend has accepted the shard.
        case submitted
        /// The backend no longer has the shard, and no result file exists.
        case vanished
        case resultFound
        /// The store has the result.
        case merged
        /// A coordinator has started, and has told the machine of all results and of all shards that the backend has.
        case resumed
    }

    /// What the coordinator does.
    public enum Effect: Hashable, Sendable {
        case nothing
        /// Hand the shard to the backend.
        case submit
        /// Read the result file into the store.
        case merge
        /// Tell the person that the shard is given up.
        case reportAbandoned
    }

    public private(set) var state = State.waiting(attempts: 0)
    /// How often a shard is started.
    private let limit: Int

    public init(limit: Int) { self.limit = limit }

    /// Handles an event.
    public mutating func handle(_ input: Input) -> Effect {
        let (next, effect) = Self.transition(from: state, on: input, limit: limit)
        state = next
        return effect
    }

    /// Returns the state after an event, and the effect.
    static func transition(from state: State, on input: Input, limit: Int) -> (State, Effect) {
        switch (state, input) {
        case (.waiting(let attempts), .submitted): (.running(attempts: attempts), .nothing)
        case (.waiting, .vanished): (state, .nothing)
        case (.waiting, .resumed): (.waiting(attempts: 0), .submit)

        case (.running, .submitted): (state, .nothing)
        case (.running(let attempts), .vanished):
            attempts + 1 < limit ? (.waiting(attempts: attempts + 1), .submit) : (.abandoned, .reportAbandoned)
        case (.running, .resumed): (state, .nothing)

        case (.waiting, .resultFound), (.running, .resultFound), (.abandoned, .resultFound): (.written, .merge)
        case (.written, .resultFound), (.merged, .resultFound): (state, .merge)

        case (.waiting, .merged), (.running, .merged), (.written, .merged), (.abandoned, .merged): (.merged, .nothing)
        case (.merged, .merged): (state, .nothing)

        case (.written, .submitted), (.written, .vanished): (state, .nothing)
        case (.written, .resumed): (state, .merge)

        case (.merged, .submitted), (.merged, .vanished), (.merged, .resumed): (state, .nothing)

        case (.abandoned, .submitted), (.abandoned, .vanished): (state, .nothing)
        case (.abandoned, .resumed): (.waiting(attempts: 0), .submit)
        }
    }
}
