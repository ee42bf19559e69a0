// ControllerAppearance.swift: whether a controller's view is on screen, and which of its appearance methods is called
// next.
//
// Station   responder
// Input     UIWindow (shown, hidden), UIView+Tree (a view enters or leaves a shown window), transitions
// Output    viewWillAppear, viewDidAppear, viewWillDisappear, viewDidDisappear
//
//     gone ──will enter──▶ appearing ──did enter──▶ here ──will leave──▶ leaving ──did leave──▶ gone
//
// A transition and the view tree report the same change. An input that changes nothing calls no method.

/// The appearance of one view controller's view.
package struct ControllerAppearance: Equatable, Sendable {
    /// Whether the view is on screen, or on its way there or back.
    package enum State: Equatable, Sendable, CaseIterable { case gone, appearing, here, leaving }
    /// A report of the view tree or of a transition.
    package enum Input: Equatable, Sendable, CaseIterable { case willEnter, didEnter, willLeave, didLeave }
    /// The appearance method to call.
    package enum Decision: Equatable, Sendable {
        case nothing, viewWillAppear, viewDidAppear, viewWillDisappear, viewDidDisappear
    }

    package private(set) var state = State.gone

    package init() {}

    package mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// The whole machine.
    package static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.gone, .willEnter), (.leaving, .willEnter): (.appearing, .viewWillAppear)
        case (.appearing, .willEnter): (.appearing, .nothing)
        case (.here, .willEnter): (.here, .nothing)
        case (.appearing, .didEnter): (.here, .viewDidAppear)
        case (.gone, .didEnter): (.gone, .nothing)
        case (.here, .didEnter): (.here, .nothing)
        case (.leaving, .didEnter): (.leaving, .nothing)
        case (.here, .willLeave), (.appearing, .willLeave): (.leaving, .viewWillDisappear)
        case (.gone, .willLeave): (.gone, .nothing)
        case (.leaving, .willLeave): (.leaving, .nothing)
        case (.leaving, .didLeave): (.gone, .viewDidDisappear)
        case (.gone, .didLeave): (.gone, .nothing)
        case (.appearing, .didLeave): (.appearing, .nothing)
        case (.here, .didLeave): (.here, .nothing)
        }
    }
}
