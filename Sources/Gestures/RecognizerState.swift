// RecognizerState.swift: the states of a recognizer, and the effect of each assignment.
//
// Station   gesture
// Input     UIGestureRecognizer.state, at each assignment
// Output    the recognizer's state; the environment, which decides and sends actions
// Knows     six states. Not the reason of an assignment.
//
//     possible ──▶ began ──▶ changed ⟲ ──▶ ended
//        │           └──────────┴────────▶ cancelled
//        ├──▶ ended        (a discrete gesture: recognized)
//        └──▶ failed
//     ended, cancelled, failed ──reset──▶ possible
//
// Sources   documented  the states and legal transitions (UIGestureRecognizer.State; B5.1)
//           invented    the meaning of an illegal assignment (B5.2)

/// The state of a recognizer, with Apple's raw values.
package enum RecognizerState: Int, Sendable, CaseIterable {
    case possible, began, changed, ended, cancelled, failed

    /// An event of a recognizer.
    package enum Input: Equatable, Sendable {
        /// The state was assigned.
        case set(RecognizerState)
        /// Another recognizer has won before this one could act.
        case overruled
        /// A recognizer that this one requires to fail was recognized, after this one had acted. (B7.6)
        case refused
        /// The environment has finished the attempt.
        case reset
    }

    /// What follows from an input.
    package enum Decision: Equatable, Sendable {
        /// Nothing happens.
        case ignore
        /// The state left `possible` for `began` or `ended`: `shouldBegin` is asked first, and the answer no means `failed`.
        case attempt
        /// The environment decides at its next update.
        case advance
        /// The recognizer is ready for new touches.
        case rest
    }

    /// The whole machine: every state and every input.
    package static func transition(
        from state: RecognizerState, on input: Input
    ) -> (RecognizerState, Decision) {
        switch (state, input) {
        case (.possible, .set(.possible)): (.possible, .ignore)
        case (.possible, .set(.began)), (.possible, .set(.changed)): (.began, .attempt)
        case (.possible, .set(.ended)): (.ended, .attempt)
        case (.possible, .set(.cancelled)), (.possible, .set(.failed)): (.failed, .advance)
        case (.began, .set(.possible)): (.began, .advance)
        case (.began, .set(.began)), (.began, .set(.changed)): (.changed, .advance)
        case (.changed, .set(.possible)), (.changed, .set(.began)), (.changed, .set(.changed)): (.changed, .advance)
        case (.began, .set(.ended)), (.changed, .set(.ended)): (.ended, .advance)
        case (.began, .set(.cancelled)), (.changed, .set(.cancelled)): (.cancelled, .advance)
        case (.began, .set(.failed)), (.changed, .set(.failed)): (.cancelled, .advance)
        case (.ended, .set), (.cancelled, .set), (.failed, .set): (state, .ignore)
        case (.possible, .overruled), (.began, .overruled), (.changed, .overruled), (.ended, .overruled):
            (.failed, .advance)
        case (.cancelled, .overruled), (.failed, .overruled): (state, .ignore)
        case (.possible, .refused): (.failed, .advance)
        // This includes `ended`: its action was not sent yet.
        case (.began, .refused), (.changed, .refused), (.ended, .refused): (.cancelled, .advance)
        case (.cancelled, .refused), (.failed, .refused): (state, .ignore)
        case (.possible, .reset): (.possible, .ignore)
        case (.ended, .reset), (.cancelled, .reset), (.failed, .reset): (.possible, .rest)
        // Only a final state is reset.
        case (.began, .reset), (.changed, .reset): (state, .ignore)
        }
    }

    /// Whether the gesture is recognized, finally or for now.
    @inlinable
    package var isRecognized: Bool {
        switch self {
        case .began, .changed, .ended: true
        case .possible, .cancelled, .failed: false
        }
    }
    /// Whether the recognizer receives no more touches until its reset.
    @inlinable
    package var isFinal: Bool {
        switch self {
        case .ended, .cancelled, .failed: true
        case .possible, .began, .changed: false
        }
    }
}
