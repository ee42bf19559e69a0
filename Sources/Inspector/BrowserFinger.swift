// BrowserFinger.swift: one finger of a browser, from its touch-down to its lift.
//
//     up ──began, a slot is free──▶ down ──ended, cancelled, panel gone──▶ up
//      └───began, no slot is free─▶ ignored ──ended, cancelled───────────▶ up
//
// A page that missed an end begins the finger again: the contact on the panel is then cancelled first. A sample of a finger
// that never began is ignored, because half a gesture is worse than none.
//
// Input     BrowserSession, once for each sample
// Output    an action on the panel
// Knows     states. No slot, no position.
//
// Sources   invented, after Docs/Decisions/Devices.md, "Contacts without a known beginning"

/// The state machine of one finger of a browser.
enum BrowserFinger {
    enum State: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        case up, down, ignored

        var description: String { rawValue }
    }

    enum Input: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        case began, beganWithoutSlot, moved, ended, cancelled
        /// The panel has a new process at its other end, or the browser fell silent.
        case panelCleared

        var description: String { rawValue }
    }

    enum Action: String, Hashable, Sendable, CustomStringConvertible {
        case land, move, lift, cancel, cancelAndLand, nothing

        var description: String { rawValue }
    }

    static func transition(from state: State, on input: Input) -> (State, Action) {
        switch (state, input) {
        case (.up, .began): (.down, .land)
        case (.up, .beganWithoutSlot): (.ignored, .nothing)
        case (.up, .moved), (.up, .ended), (.up, .cancelled), (.up, .panelCleared): (.up, .nothing)
        case (.down, .began), (.down, .beganWithoutSlot): (.down, .cancelAndLand)
        case (.down, .moved): (.down, .move)
        case (.down, .ended): (.up, .lift)
        case (.down, .cancelled): (.up, .cancel)
        case (.down, .panelCleared): (.ignored, .cancel)
        case (.ignored, .began): (.down, .land)
        case (.ignored, .beganWithoutSlot): (.ignored, .nothing)
        case (.ignored, .moved), (.ignored, .panelCleared): (.ignored, .nothing)
        case (.ignored, .ended), (.ignored, .cancelled): (.up, .nothing)
        }
    }
}
