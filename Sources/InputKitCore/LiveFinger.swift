// LiveFinger.swift: the state machine of one contact of a live device, as the server knows it.
//
// Station   device
// Input     LiveDevice, once per contact per scan, and when a time limit or the server ends the contact
// Output    Decision, which LiveDevice puts into the scan
// Knows     phases. No position, no time.
//
//     up ──landed──▶ told ──ended, cancelled──▶ up
//      │              ├──given up (stuck, silent)──▶ dead: cancelled once
//      │              └──forgotten (server lost)───▶ dead: there is no server
//      └──landed unheard────────────────▶ dead ──ended, cancelled──▶ up
//
// A dead contact is ignored until it lifts.
//
// Sources   documented  Docs/Spec/Pipeline.md section 2: a contact without an observed landing has no owner
//           invented    the rest

/// The state machine of one contact of a live device.
enum LiveFinger {
    enum State: Equatable, Sendable, CaseIterable { case up, told, dead }

    enum Input: Equatable, Sendable, CaseIterable {
        case landed
        /// It landed without a server, while the queue was full, or before the device was opened.
        case landedUnheard
        case held
        case ended
        case cancelled
        /// Its time limit is over, or its device is gone.
        case givenUp
        /// The server that knew of it is gone.
        case forgotten
    }

    enum Decision: Equatable, Sendable { case begin, follow, end, cancel, nothing }

    /// The whole machine. Nil marks impossible pairs: a contact that is up has only landings.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.up, .landed): (.told, .begin)
        case (.up, .landedUnheard): (.dead, .nothing)
        case (.up, .held), (.up, .ended), (.up, .cancelled), (.up, .givenUp), (.up, .forgotten): nil

        // A tracker does not begin a contact twice. If it did, the landing would count as a move.
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
