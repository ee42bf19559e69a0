// TouchReportContact.swift: the state machine of one contact id of a HID touch device, from its first tip to its lift.
//
// Station   device
// Input     ContactTracker, at most once per contact per frame, twice when it lifts and lands in one
// Output    Decision, which ContactTracker turns into the frame's contact
// Knows     the switches of a report. No position.
//
//     away ──touches──▶ touching ──lifts, is missing──▶ away
//       │                  │ is a palm: cancelled
//       └──is a palm──▶ palm ──lifts, is missing──▶ away
//
// Sources   documented  Microsoft, touch reports: Confidence 0 is a contact too large to be meant
//           observed    recordings: panels that clear all of a lifting contact's bits, Confidence too: it just lifts
//           invented    a palm stays one until it lifts

/// The state machine of one contact id.
struct TouchReportContact: Hashable, Sendable {
    enum State: Equatable, Sendable, CaseIterable { case away, touching, palm }
    enum Input: Equatable, Sendable, CaseIterable {
        /// Tip is 1; `isPalm` also needs Confidence 0 and the option to cancel palms.
        case touches, isPalm
        /// Tip is 0.
        case lifts
        /// The contact is missing from the frame of a device whose contacts lift that way.
        case isMissing
    }
    enum Decision: Equatable, Sendable { case land, follow, lift, cancel, nothing }

    private(set) var state = State.away

    mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine: every state and every input.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.away, .touches): (.touching, .land)
        case (.away, .isPalm): (.palm, .nothing)
        case (.away, .lifts), (.away, .isMissing): (.away, .nothing)

        case (.touching, .touches): (.touching, .follow)
        case (.touching, .isPalm): (.palm, .cancel)
        case (.touching, .lifts), (.touching, .isMissing): (.away, .lift)

        case (.palm, .touches), (.palm, .isPalm): (.palm, .nothing)
        case (.palm, .lifts), (.palm, .isMissing): (.away, .nothing)
        }
    }
}
