// ControllerAppearance.swift: whether a controller's view is on screen, and which of its appearance methods is called
// next.
//
// Station   responder
// Input     UIWindow (shown, hidden), UIView+Tree (a view enters or leaves a shown window), transitions
// Output    viewWillAppear, viewDidAppear, viewWillDisappear, viewDidDisappear
//
//     disappeared ──will enter──▶ appearing ──did enter──▶ appeared ──will leave──▶ disappearing ──did leave──▶ disappeared
//
// A transition and the view tree report the same change. An input that changes nothing calls no method.

/// The appearance of one view controller's view.
package struct ControllerAppearance: Equatable, Sendable {
    /// Whether the view is on screen, or on its way there or back.
    package enum State: Equatable, Sendable, CaseIterable { case disappeared, appearing, appeared, disappearing }
    /// A report of the view tree or of a transition.
    package enum Input: Equatable, Sendable, CaseIterable { case willEnter, didEnter, willLeave, didLeave }
    /// The appearance method to call.
    package enum Decision: Equatable, Sendable {
        case nothing, viewWillAppear, viewDidAppear, viewWillDisappear, viewDidDisappear
    }

    package private(set) var state = State.disappeared

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.disappeared, .willEnter), (.disappearing, .willEnter): (.appearing, .viewWillAppear)
        case (.appearing, .willEnter): (.appearing, .nothing)
        case (.appeared, .willEnter): (.appeared, .nothing)
        case (.appearing, .didEnter): (.appeared, .viewDidAppear)
        case (.disappeared, .didEnter): (.disappeared, .nothing)
        case (.appeared, .didEnter): (.appeared, .nothing)
        case (.disappearing, .didEnter): (.disappearing, .nothing)
        case (.appeared, .willLeave), (.appearing, .willLeave): (.disappearing, .viewWillDisappear)
        case (.disappeared, .willLeave): (.disappeared, .nothing)
        case (.disappearing, .willLeave): (.disappearing, .nothing)
        case (.disappearing, .didLeave): (.disappeared, .viewDidDisappear)
        case (.disappeared, .didLeave): (.disappeared, .nothing)
        case (.appearing, .didLeave): (.appearing, .nothing)
        case (.appeared, .didLeave): (.appeared, .nothing)
        }
    }
}
