// VirtualTime.swift: the times of a play on a virtual clock.
//
// Output    DirectPlay, SimulatedPlay, SimulatedGroup
//
// Sources   invented

import Basics

/// The times of a play on a virtual clock.
enum VirtualTime {
    /// The beginning of the script. The scene is shown and at rest by then.
    static let zero = Instant(nanoseconds: 1_000_000_000)
    /// The time after its script in which a scenario must come to rest.
    static let settleLimit = Duration.seconds(120)
}
