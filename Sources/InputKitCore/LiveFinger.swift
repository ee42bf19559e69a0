// LiveFinger.swift: what the server hears of one contact of a live device.
//
//     up ──landed──▶ told ──ended, cancelled──▶ up
//      │              ├──given up (stuck, silent)──▶ dead: cancelled once
//      │              └──forgotten (server lost)───▶ dead: nobody is left to tell
//      └──landed where nobody can hear──▶ dead ──ended, cancelled──▶ up
//
// A dead finger may do what it likes: nobody hears of it until it has lifted.
//
// Station   device
// Fed by    LiveDevice, once per contact per scan, and when time or the server decides
// Feeds     Decision, which LiveDevice puts into the scan
// Knows     phases. No position, no time.
//
// Sources   documented  Docs/Spec/Pipeline.md section 2: a finger nobody saw land is nobody's; invented: the rest

enum LiveFinger {
    enum State: Equatable, Sendable, CaseIterable { case up, told, dead }

    enum Input: Equatable, Sendable, CaseIterable {
        case landed
        /// Without a server to tell, without room for it, or before the device was opened.
        case landedUnheard
        case held
        case ended
        case cancelled
        /// Time has run out for it, or its device is gone.
        case givenUp
        /// Whoever knew of it is gone.
        case forgotten
    }

    enum Decision: Equatable, Sendable { case begin, follow, end, cancel, nothing }

    /// The whole machine. Nil cannot happen: who is up is not known.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.up, .landed): (.told, .begin)
        case (.up, .landedUnheard): (.dead, .nothing)
        case (.up, .held), (.up, .ended), (.up, .cancelled), (.up, .givenUp), (.up, .forgotten): nil

        // A tracker begins nobody twice; if it did, it would be the same finger.
        case (.told, .held), (.told, .landed), (.told, .landedUnheard): (.told, .follow)
        case (.told, .ended): (.up, .end)
        case (.told, .cancelled): (.up, .cancel)
        case (.told, .givenUp): (.dead, .cancel)
        case (.told, .forgotten): (.dead, .nothing)

        case (.dead, .ended), (.dead, .cancelled): (.up, .nothing)
        case (.dead, .landed), (.dead, .landedUnheard), (.dead, .held), (.dead, .givenUp), (.dead, .forgotten):
            (.dead, .nothing)
        }
    }
}
