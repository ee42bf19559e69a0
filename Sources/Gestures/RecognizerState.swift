// RecognizerState.swift: how far a recogniser has got, and what becomes of each attempt to move it on.
//
// Station   gesture
// Fed by    UIGestureRecognizer.state, whenever somebody assigns it
// Feeds     the recogniser's state; the environment, which weighs and acts
// Knows     six words. Not why a recogniser wants another of them.
//
//     possible ──▶ began ──▶ changed ⟲ ──▶ ended
//        │           └──────────┴────────▶ cancelled
//        ├──▶ ended        (a discrete one: recognised)
//        └──▶ failed
//     ended, cancelled, failed ──reset──▶ possible
//
// Sources   documented  the states and legal moves (UIGestureRecognizer.State; B5.1)
//           invented    what an illegal assignment is taken for (B5.2)

/// The raw values are Apple's.
package enum RecognizerState: Int, Sendable, CaseIterable {
    case possible, began, changed, ended, cancelled, failed

    package enum Input: Equatable, Sendable {
        /// Somebody assigned the state.
        case set(RecognizerState)
        /// Another has won before this one could act.
        case overruled
        /// What it requires to fail has been recognised, after it acted itself. (B7.6)
        case refused
        /// The environment is done with the attempt.
        case reset
    }

    package enum Decision: Equatable, Sendable {
        /// Nothing happens; nobody is told.
        case ignore
        /// Out of possible, into began or ended: `shouldBegin` is asked first, and a no means failed.
        case attempt
        /// The environment weighs it at its next update.
        case advance
        /// Ready for new touches.
        case rest
    }

    /// The whole table.
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
        // Ended too: it was waiting to say so.
        case (.began, .refused), (.changed, .refused), (.ended, .refused): (.cancelled, .advance)
        case (.cancelled, .refused), (.failed, .refused): (state, .ignore)
        case (.possible, .reset): (.possible, .ignore)
        case (.ended, .reset), (.cancelled, .reset), (.failed, .reset): (.possible, .rest)
        // Only what is over is reset.
        case (.began, .reset), (.changed, .reset): (state, .ignore)
        }
    }

    /// Recognised, finally or for now.
    package var isRecognized: Bool { self == .began || self == .changed || self == .ended }
    /// No more touches until reset.
    package var isFinal: Bool { rawValue >= RecognizerState.ended.rawValue }
}
