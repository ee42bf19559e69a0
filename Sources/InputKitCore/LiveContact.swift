// LiveContact.swift: the state machine of one contact of a live device, as the server knows it.
//
// Station   device
// Input     LiveDevice, once per contact per scan, and when a time limit or the server ends the contact
// Output    Decision, which LiveDevice puts into the scan
// Knows     phases. No position, no time.
//
//     up ──landed──▶ reported ──ended, cancelled──▶ up
//      │              ├──given up (stuck, silent)──▶ ignored: cancelled once
//      │              └──forgotten (server lost)───▶ ignored: there is no server
//      └──landed unobserved─────────────▶ ignored ──ended, cancelled──▶ up
//
// An ignored contact stays ignored until it lifts.
//
// Sources   documented  Docs/Spec/Pipeline.md section 2: a contact without an observed landing has no owner
//           invented    the rest

/// The state machine of one contact of a live device.
enum LiveContact {
    enum State: Equatable, Sendable, CaseIterable { case up, reported, ignored }

    enum Input: Equatable, Sendable, CaseIterable {
        case landed
        /// It landed without a server, while the queue was full, or before the device was opened.
        case landedUnreported
        case held
        case ended
        case cancelled
        /// Its time limit is over, or its device is gone.
        case givenUp
        /// The server that knew of it is gone.
        case forgotten
    }

    enum Decision: Equatable, Sendable { case begin, update, end, cancel, nothing }

    /// The whole machine. Nil marks impossible pairs: a contact that is up has only landings.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.up, .landed): (.reported, .begin)
        case (.up, .landedUnreported): (.ignored, .nothing)
        case (.up, .held), (.up, .ended), (.up, .cancelled), (.up, .givenUp), (.up, .forgotten): nil

        // A tracker does not begin a contact twice. If it did, the landing would count as a move.
        case (.reported, .held), (.reported, .landed), (.reported, .landedUnreported): (.reported, .update)
        case (.reported, .ended): (.up, .end)
        case (.reported, .cancelled): (.up, .cancel)
        case (.reported, .givenUp): (.ignored, .cancel)
        case (.reported, .forgotten): (.ignored, .nothing)

        case (.ignored, .ended), (.ignored, .cancelled): (.up, .nothing)
        case (.ignored, .landed), (.ignored, .landedUnreported), (.ignored, .held), (.ignored, .givenUp),
            (.ignored, .forgotten):
            (.ignored, .nothing)
        }
    }
}
